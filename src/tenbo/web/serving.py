"""Starting the server."""

from __future__ import annotations

import socket
import sys
from typing import Final, TextIO

_KEEP: Final = 75  # seconds: longer than clients and proxies keep a connection, or they would send into one just closed
_GRACE: Final = 5  # seconds for answers under way when the server is stopped


def addresses(host: str, port: int) -> list[str]:
    """The addresses under which a server can be reached: the one for other phones first, where there is one.

    Args:
        host: What it listens on; "0.0.0.0" and "::" are every address of this machine.
        port: Its port.
    """
    if host not in ("0.0.0.0", "::", ""):
        shown = f"[{host}]" if ":" in host else host
        return [f"http://{shown}:{port}/"]
    out = [f"http://localhost:{port}/"]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: it only asks which of our addresses would be used
            found = probe.getsockname()[0]
        except OSError:
            return out
    return [f"http://{found}:{port}/", *out] if found not in ("0.0.0.0", "127.0.0.1") else out


def announce(host: str, port: int, to: TextIO | None = None) -> None:
    """Prints where the server is, with a QR code for phones on the same network.

    Args:
        host: What it listens on.
        port: Its port.
        to: Where it is printed; standard output by default.
    """
    import segno

    to = to or sys.stdout
    found = addresses(host, port)
    local = all("//localhost:" in one or "//127." in one for one in found)
    print(f"tenbo is at {'  and  '.join(found)}", file=to)
    if local:
        print("Only this machine reaches it; with --host 0.0.0.0, phones on the same network do too.", file=to)
    else:
        print("Phones on the same network:", file=to)
        segno.make(found[0], error="l").terminal(to, border=2, compact=True)
    to.flush()


def serve(
    host: str = "127.0.0.1", port: int = 8000, *, log_level: str = "warning", database: str | None = None
) -> None:
    """Serves the pages and REST until stopped, after printing the address and a QR code for phones.

    The database is brought up to date first. Logs show no token of a table.

    Args:
        host: The address to listen on; "0.0.0.0" for the whole network.
        port: The port.
        log_level: What uvicorn logs: "critical", "error", "warning", "info" or "debug".
        database: Where tables are kept (see `tenbo.ledger.store.open_store`).

    Raises:
        UnavailableError: The database cannot be used.
    """
    import uvicorn

    from tenbo.ledger.store import open_store
    from tenbo.web.app import create_app

    store = open_store(database)
    try:
        app = create_app(store)
        app.state.address = addresses(host, port)[0]
        announce(host, port)
        uvicorn.run(
            app,
            host=host,
            port=port,
            log_level=log_level,
            server_header=False,
            access_log=log_level == "debug",
            timeout_graceful_shutdown=_GRACE,
            timeout_keep_alive=_KEEP,
        )
    finally:
        store.close()
