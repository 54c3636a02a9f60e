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
    database: Annotated[
        str | None,
        Parameter(
            help="Where tables are kept: sqlite:///FILE, postgresql://...; else TENBO_DATABASE_URL, else at home."
        ),
    ] = None,
) -> int:
    """Serves the pages and REST until it is stopped, and prints the address with a QR code for phones."""
    try:
        from tenbo.ledger.store import StoreError
        from tenbo.web.serving import serve as run
    except ModuleNotFoundError as error:
        raise CallError(f"serving needs the package {error.name}: pip install 'tenbo[web]'") from None
    try:
        run(host, port, log_level=log_level, database=database)
    except StoreError as error:
        raise CallError(str(error)) from None
    return 0
