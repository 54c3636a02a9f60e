"""Reading the body of a request, up to a limit."""

from __future__ import annotations

from starlette.requests import Request

from tenbo.web.problems import ProblemError


async def read_body(request: Request, most: int) -> bytes:
    """The body of a request.

    Args:
        request: The request.
        most: The most bytes that are read.

    Raises:
        ProblemError: There are more (413).
        ClientDisconnect: The client went away.
    """
    too_large = ProblemError(413, f"a body here has {most:,} bytes at most", {"Connection": "close"})
    said = request.headers.get("content-length", "")
    if said.isdigit() and int(said) > most:
        raise too_large
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise too_large
        parts.append(part)
    return b"".join(parts)
