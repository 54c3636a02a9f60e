"""Errors over HTTP: problem details (RFC 9457) for programs, a page for people."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Any, Final

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from tenbo.errors import shown

MEDIA_TYPE: Final = "application/problem+json"
NO_TABLE: Final = "there is no table at this link; it may have been deleted"


class ProblemError(Exception):
    """What went wrong with a request, to be answered as problem details.

    Args:
        status: The HTTP status.
        detail: What is wrong and what would mend it.
        headers: More headers for the answer.
        page: The same for people, where the detail is for programs.
        **more: More members of the problem.
    """

    def __init__(
        self, status: int, detail: str, headers: dict[str, str] | None = None, *, page: str = "", **more: Any
    ) -> None:
        super().__init__(detail)
        self.status, self.detail, self.headers, self.page, self.more = status, detail, headers, page, more


def problem(status: int, detail: str, headers: dict[str, str] | None = None, **more: Any) -> JSONResponse:
    """An answer with problem details."""
    body = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail, **more}
    return JSONResponse(body, status, headers, MEDIA_TYPE)


def for_people(request: Request) -> bool:
    """Whether a page is wanted, not data."""
    return not request.url.path.startswith("/api/") and "text/html" in request.headers.get("accept", "")


_TITLES: Final = {
    400: "That cannot be read",
    401: "No table here",
    403: "This link is for watching",
    404: "Nothing here",
    405: "Nothing to see here",
    413: "Too much at once",
    422: "That does not work",
    429: "Not so many at once",
    500: "Something went wrong",
    503: "Not just now",
    507: "No room left",
}
_UNREAD: Final = "what was sent cannot be read: go back, and send it once more"
_FORM_ONLY: Final = "this is what a form leads to; it cannot be opened by itself or loaded again"
_NOTHING: Final = "there is nothing at this address"
_AT_TABLE: Final = re.compile(r"(/t/[^/]+)/")


def problem_page(
    request: Request,
    status: int,
    said: str,
    headers: dict[str, str] | None = None,
    *,
    title: str = "",
    table: bool = True,
) -> Response:
    """A page that says what went wrong, and where to go from there.

    Args:
        request: The request.
        status: The HTTP status.
        said: What is wrong and what would mend it, in a player's words.
        headers: More headers.
        title: The page's title; the usual one for the status where it is empty.
        table: Whether the table that the address names is still there.
    """
    from tenbo.web.pages import page

    path = request.url.path
    found = _AT_TABLE.match(path) if table and status != 401 and said != NO_TABLE else None
    tables = path == "/t" or path.startswith("/t/")
    answer = page(
        request,
        "problem.html",
        status,
        private=tables,
        title=title or _TITLES.get(status, HTTPStatus(status).phrase),
        detail=said,
        table=found[1] if found else None,
        tables=tables,
        rules=path.startswith("/rules/"),
    )
    answer.headers.update(headers or {})
    return answer


def _answer(
    request: Request, status: int, detail: str, headers: dict[str, str] | None, page: str = "", **more: Any
) -> Response:
    if for_people(request):
        return problem_page(request, status, page or detail, headers)
    return problem(status, detail, headers, **more)


_SAID: Final = {
    404: _NOTHING,
    405: "this address does not take that method",
}
_PEOPLE: Final = {400: _UNREAD, 405: _FORM_ONLY}


def handle_problems(app: FastAPI) -> None:
    """Makes an application answer every error as a problem."""

    @app.exception_handler(ProblemError)
    async def ours(request: Request, error: ProblemError) -> Response:
        return _answer(request, error.status, error.detail, error.headers, error.page, **error.more)

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        plain = error.detail == HTTPStatus(error.status_code).phrase
        detail = _SAID.get(error.status_code, str(error.detail)) if plain else str(error.detail)
        return _answer(
            request, error.status_code, detail, dict(error.headers or {}), _PEOPLE.get(error.status_code, "")
        )

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        if for_people(request):  # only addresses are checked this way: one with a word where a number belongs
            return problem_page(request, 404, _NOTHING)
        found = []
        for one in error.errors():
            at = str(one["loc"][-1])
            message = f"'{at}' in the address cannot be {shown(one.get('input'))}: {one['msg'].lower()}"
            found.append({"code": "bad_value", "message": message, "at": at})
        said = "; ".join(one["message"] for one in found)
        return problem(422, said, None, error="bad_value", errors=found)

    @app.exception_handler(ClientDisconnect)
    async def gone(request: Request, _: ClientDisconnect) -> Response:
        return problem(400, "the body ended too early")

    @app.exception_handler(Exception)
    async def unforeseen(request: Request, error: Exception) -> Response:
        return _answer(request, 500, "something went wrong here that should not; it was written to the log", None)
