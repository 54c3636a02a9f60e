"""Errors over HTTP: problem details (RFC 9457) for programs, a page for people."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

MEDIA_TYPE = "application/problem+json"


class ProblemError(Exception):
    """What went wrong with a request, to be answered as problem details.

    Args:
        status: The HTTP status.
        detail: What is wrong and what would mend it.
        headers: More headers for the answer.
        **more: More members of the problem.
    """

    def __init__(self, status: int, detail: str, headers: dict[str, str] | None = None, **more: Any) -> None:
        super().__init__(detail)
        self.status, self.detail, self.headers, self.more = status, detail, headers, more


def problem(status: int, detail: str, headers: dict[str, str] | None = None, **more: Any) -> JSONResponse:
    """An answer with problem details."""
    body = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail, **more}
    return JSONResponse(body, status, headers, MEDIA_TYPE)


def for_people(request: Request) -> bool:
    """Whether a page is wanted, not data."""
    return not request.url.path.startswith("/api/") and "text/html" in request.headers.get("accept", "")


def _answer(request: Request, status: int, detail: str, headers: dict[str, str] | None, **more: Any) -> Response:
    if for_people(request):
        from tenbo.web.pages import page

        return page(request, "problem.html", status, title=HTTPStatus(status).phrase, detail=detail)
    return problem(status, detail, headers, **more)


_SAID = {
    404: "there is nothing at this address",
    405: "this address does not take that method",
}


def handle_problems(app: FastAPI) -> None:
    """Makes an application answer every error as a problem."""

    @app.exception_handler(ProblemError)
    async def ours(request: Request, error: ProblemError) -> Response:
        return _answer(request, error.status, error.detail, error.headers, **error.more)

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        plain = error.detail == HTTPStatus(error.status_code).phrase
        detail = _SAID.get(error.status_code, str(error.detail)) if plain else str(error.detail)
        return _answer(request, error.status_code, detail, dict(error.headers or {}))

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        found = [{"at": ".".join(map(str, one["loc"])), "message": one["msg"]} for one in error.errors()]
        said = "; ".join(f"{one['at']}: {one['message']}" for one in found)
        return _answer(request, 422, said, None, errors=found)

    @app.exception_handler(Exception)
    async def unforeseen(request: Request, error: Exception) -> Response:
        return _answer(request, 500, "something went wrong here that should not; it was written to the log", None)
