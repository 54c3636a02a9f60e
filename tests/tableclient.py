"""Tables over REST as tests use them."""

from __future__ import annotations

from typing import Any

import httpx

from tablekit import NAMES
from webclient import Client


class Table:
    """A table over REST."""

    def __init__(self, client: Client, made: dict[str, Any]) -> None:
        self.client, self.made = client, made
        self.id, self.score, self.watch = made["id"], made["score"]["token"], made["watch"]["token"]

    def get(self, path: str = "", token: str | None = None, **more: Any) -> httpx.Response:
        return self.client.get(f"/api/tables/{token or self.score}{path}", **more)

    def post(self, path: str, body: Any, token: str | None = None, **headers: str) -> httpx.Response:
        names = {key.replace("_", "-"): value for key, value in headers.items()}
        return self.client.post(f"/api/tables/{token or self.score}{path}", json=body, headers=names)

    def book(self, event: Any, version: int | str = "*", key: str | None = None) -> httpx.Response:
        headers = {"if_match": f'"{version}"' if version != "*" else "*"}
        return self.post("/events", event, **headers, **({"idempotency_key": key} if key else {}))


def make(client: Client, *events: dict[str, Any], **more: Any) -> Table:
    answer = client.post("/api/tables", json={"rules": "riichi", "players": NAMES, **more})
    assert answer.status_code == 201, answer.text
    table = Table(client, answer.json())
    for event in events:
        assert table.book(event).status_code == 201
    return table


def problem(answer: httpx.Response, status: int) -> dict[str, Any]:
    """The problem details of an answer."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = answer.json()
    assert {"type", "title", "status", "detail"} <= set(body)
    assert body["status"] == status
    return body
