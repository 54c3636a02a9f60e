"""`tenbo serve`: the pages and REST."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

from tenbo.cli.streams import CallError


def serve(
    *,
    host: Annotated[
        str, Parameter(help="The address to listen on; 0.0.0.0 lets phones on the same network in.")
    ] = "127.0.0.1",
    port: Annotated[int, Parameter(help="The port.")] = 8000,
    log_level: Annotated[
        Literal["critical", "error", "warning", "info", "debug"], Parameter(help="What the server logs.")
    ] = "warning",
) -> int:
    """Serves the pages and REST until it is stopped, and prints the address with a QR code for phones."""
    try:
        from tenbo.web.serving import serve as run
    except ModuleNotFoundError as error:
        raise CallError(f"serving needs the package {error.name}: pip install 'tenbo[web]'") from None
    run(host, port, log_level=log_level)
    return 0
