"""What tests of tables share: events, a PostgreSQL server, servers in processes of their own, and who follows them."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx

from cases import not_here

NAMES = ["Ann", "Bea", "Cid", "Dan"]
WON: dict[str, Any] = {
    "event": "won",
    "winners": [{"player": 1, "by": "discard", "from": 2, "han": 3, "fu": 40}],
}
DRAWN: dict[str, Any] = {"event": "drawn", "kind": "exhaustive", "ready": [0, 2]}


def started(rules: str = "riichi", **more: Any) -> dict[str, Any]:
    """A first event."""
    return {"event": "started", "rules": rules, "players": NAMES, **more}


def note(text: object = "x") -> dict[str, Any]:
    """An event that can always be booked."""
    return {"event": "note", "text": str(text)}


# ----------------------------------------------------------------------------------------------------------- PostgreSQL


def _programs() -> Path:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if found:
        return found[-1].parent
    on_path = shutil.which("initdb")
    if on_path:
        return Path(on_path).resolve().parent
    return not_here("no PostgreSQL server programs (as root on Debian: apt-get install postgresql)")


def _user() -> dict[str, Any]:
    """Whom the server runs as: it refuses root."""
    import pwd

    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            entry = pwd.getpwnam(name)
            return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    return not_here("root may not run PostgreSQL, and there is no user postgres or nobody to do so")


class Postgres:
    """A PostgreSQL server on a folder of its own, reached through a socket in it; no network.

    Args:
        safe: Whether it waits for the disk, as a server should.
    """

    def __init__(self, *, safe: bool = False) -> None:
        self._bin = _programs()
        self._as = _user()
        self.folder = Path(tempfile.mkdtemp(prefix="tenbo-pg-"))
        self._process: subprocess.Popen[bytes] | None = None
        self._count = 0
        self._safe = safe
        if self._as:
            os.chown(self.folder, self._as["user"], self._as["group"])
        command = [self._bin / "initdb", "-D", self.folder / "data", "-U", "tenbo", "-A", "trust", "--no-sync"]
        done = subprocess.run(
            [*command, "-E", "UTF8", "--locale", "C"], capture_output=True, text=True, cwd="/", **self._as
        )
        assert done.returncode == 0, done.stderr
        self.start()

    def start(self) -> None:
        """Starts the server and waits until it answers."""
        settings = ["listen_addresses=", f"unix_socket_directories={self.folder}", "max_connections=120"]
        if not self._safe:
            settings += ["fsync=off", "full_page_writes=off"]
        command: list[Any] = [self._bin / "postgres", "-D", self.folder / "data"]
        for setting in settings:
            command += ["-c", setting]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd="/", **self._as)
        ready = [self._bin / "pg_isready", "-q", "-h", self.folder, "-U", "tenbo", "-d", "postgres"]
        for _ in range(300):
            if subprocess.run(ready).returncode == 0:
                return
            if self._process.poll() is not None:
                break
            time.sleep(0.1)
        raise AssertionError((self.folder / "log").read_text(errors="replace"))

    def stop(self) -> None:
        """Stops the server at once, as a crash would."""
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait(30)
            self._process = None

    def address(self, database: str) -> str:
        """A database's address."""
        return f"postgresql://tenbo@/{database}?host={self.folder}"

    def database(self) -> str:
        """The address of a new database."""
        import psycopg

        self._count += 1
        name = f"tenbo{self._count}"
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(f"create database {name}")  # type: ignore[call-overload]
        return self.address(name)

    def close(self) -> None:
        """Stops the server and removes its folder."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


# -------------------------------------------------------------------------------------------------------------- servers


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """`tenbo serve` in a process of its own.

    Args:
        database: The database's address.
        folder: Where its log goes.
    """

    def __init__(self, database: str, folder: Path, *, log_level: str = "debug") -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = folder / f"{self.port}.log"
        environment = {**os.environ, "TENBO_DATABASE_URL": database, "TENBO_TABLES_PER_HOUR": "0"}
        command = [sys.executable, "-m", "tenbo", "serve", "--port", str(self.port), "--log-level", log_level]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
        with httpx.Client(trust_env=False) as client:
            for _ in range(300):
                with contextlib.suppress(httpx.TransportError):
                    client.get(f"{self.url}/api/openapi.json")
                    return
                if self.process.poll() is not None:
                    break
                time.sleep(0.1)
        raise AssertionError(self.log.read_text(errors="replace"))

    def close(self) -> None:
        """Stops it."""
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise


class Follower:
    """Follows a table through server-sent events, in a thread.

    Args:
        url: The stream's address.
        last: The version seen last, as a browser says when it reconnects.
    """

    def __init__(self, url: str, last: int | None = None) -> None:
        self.messages: list[tuple[float, str, Any]] = []
        self.status = 0
        self._news = threading.Condition()
        self._over = False
        headers = {} if last is None else {"Last-Event-ID": str(last)}
        self._thread = threading.Thread(target=self._follow, args=(url, headers), daemon=True)
        self._thread.start()

    def _follow(self, url: str, headers: dict[str, str]) -> None:
        with (
            httpx.Client(trust_env=False, timeout=httpx.Timeout(5, read=0.2)) as client,
            contextlib.suppress(httpx.TransportError),
            client.stream("GET", url, headers=headers, timeout=httpx.Timeout(5, read=60)) as response,
        ):
            self.status = response.status_code
            kind, data = "", ""
            for line in response.iter_lines():
                if self._over:
                    return
                if line.startswith("event:"):
                    kind = line[6:].strip()
                elif line.startswith("data:"):
                    data += line[5:].strip()
                elif not line and data:
                    with self._news:
                        self.messages.append((time.monotonic(), kind, json.loads(data)))
                        self._news.notify_all()
                    kind, data = "", ""

    def wait(self, count: int, seconds: float = 5) -> list[Any]:
        """The data of the first messages, as soon as there are so many."""
        with self._news:
            assert self._news.wait_for(lambda: len(self.messages) >= count, seconds), self.messages
            return [data for _, _, data in self.messages]

    def close(self) -> None:
        """Stops listening at the next message."""
        self._over = True


@contextlib.contextmanager
def following(*followers: Follower) -> Iterator[None]:
    """Followers for a while."""
    try:
        yield
    finally:
        for one in followers:
            one.close()
