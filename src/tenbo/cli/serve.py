"""`tenbo serve`: the pages and REST."""

from __future__ import annotations

import os
import socket
from typing import Annotated, Final, Literal

from cyclopts import Parameter

from tenbo.cli.situation import whole
from tenbo.cli.streams import CallError, printable

_LAST_PORT: Final = 65535


def serve(
    *,
    host: Annotated[
        str, Parameter(help="The address to listen on; 0.0.0.0 lets phones on the same network in.")
    ] = "127.0.0.1",
    port: Annotated[int, Parameter(help="The port.", converter=whole)] = 8000,
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
    _try_port(host, port)
    try:
        run(host, port, log_level=log_level, database=database)
    except StoreError as error:
        raise CallError(str(error)) from None
    return 0


def _try_port(host: str, port: int) -> None:
    """Refuses an address where nothing can listen, before anything is opened."""
    if not 1 <= port <= _LAST_PORT:
        raise CallError(f"--port must be from 1 to {_LAST_PORT}, not {port}")
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[
            0
        ]
        with socket.socket(family, kind) as probe:
            if os.name == "posix":
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except (OSError, UnicodeError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise CallError(f"cannot listen at {printable(host)}, port {port}: {why[:1].lower()}{why[1:]}") from None
