"""A client of the web application in this process, without a server."""

from __future__ import annotations

import asyncio
from html.parser import HTMLParser
from typing import Any

import httpx
from fastapi import FastAPI


class Client:
    """Sends requests to an application and waits for the answers."""

    def __init__(self, app: FastAPI) -> None:
        self.app = app

    def request(self, method: str, path: str, **more: Any) -> httpx.Response:
        async def send() -> httpx.Response:
            transport = httpx.ASGITransport(app=self.app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url="http://tenbo.test") as client:
                return await client.request(method, path, **more)

        return asyncio.run(send())

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self.request("GET", path, **more)

    def post(self, path: str, **more: Any) -> httpx.Response:
        return self.request("POST", path, **more)


class _Form(HTMLParser):
    """What a form sends: its fields, wherever they stand, with what is filled in and chosen."""

    def __init__(self, action: str) -> None:
        super().__init__()
        self.action = action
        self.fields: dict[str, list[tuple[str, str]]] = {}
        self.goes: list[str] = []
        self._form = ""
        self._select: tuple[str, str] | None = None
        self._options: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = {key: value or "" for key, value in attrs}
        if tag == "form":
            self._form = has.get("id") or f"form {self.getpos()}"
        form = has.get("form", self._form)
        if (tag == "form" and has.get("action", "").endswith(self.action)) or has.get("formaction", "").endswith(
            self.action
        ):
            self.goes.append(form)
        if tag == "input" and has.get("name") and (has.get("type") not in ("checkbox", "radio") or "checked" in has):
            self.fields.setdefault(form, []).append((has["name"], has.get("value", "")))
        elif tag == "select":
            self._select, self._options = (form, has.get("name", "")), []
        elif tag == "option":
            self._options.append((has.get("value", ""), "selected" in has))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = ""
        elif tag == "select" and self._select is not None and self._options:
            form, name = self._select
            chosen = [value for value, selected in self._options if selected] or [self._options[0][0]]
            self.fields.setdefault(form, []).append((name, chosen[0]))


def sent(page: httpx.Response, action: str) -> list[tuple[str, str]]:
    """What a browser sends where the form, or the button of one, is pressed that goes to an address."""
    form = _Form(action)
    form.feed(page.text)
    return form.fields.get(form.goes[0], [])
