"""Engines: SQLite by default, PostgreSQL by its address; both so that what was committed is on the disk."""

from __future__ import annotations

import os
import sqlite3
import time
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import platformdirs
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import QueuePool

from tenbo.ledger.store.errors import UnavailableError

VARIABLE: Final = "TENBO_DATABASE_URL"
FILE: Final = "tenbo.db"
_WAIT: Final = 5  # seconds for a lock, a connection, a place in the pool
_PUBLIC: Final = "name the database as sqlite:///FILE or postgresql://USER@HOST/NAME"
_USE: Final = "tenbo_use"


def data_folder() -> Path:
    """The user's data folder, as the platform has it."""
    return platformdirs.user_data_path("tenbo", appauthor=False)


def database_url(given: str | None = None) -> URL:
    """The database's address.

    Args:
        given: `sqlite:///FILE`, `postgresql://...`, or the path of an SQLite file; None: what the environment says
            in `TENBO_DATABASE_URL`, else a file in the user's data folder.

    Raises:
        UnavailableError: It is no address of a database that can be used.
    """
    text = given or os.environ.get(VARIABLE)
    if not text:
        return URL.create("sqlite", database=str(data_folder() / FILE))
    if "://" not in text:
        return URL.create("sqlite", database=text)
    try:
        url = make_url(text)
    except ArgumentError:
        raise UnavailableError(_PUBLIC) from None
    kind = url.drivername.partition("+")[0]
    if kind in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg")
    if kind == "sqlite" and url.database and url.database != ":memory:":
        return url.set(drivername="sqlite")
    raise UnavailableError(_PUBLIC)


def make_engine(url: URL, *, new: bool = True) -> Engine:
    """An engine, to be used through `for_reading` and `for_writing`.

    Args:
        url: The database's address.
        new: Whether an SQLite file that is not there is made.

    Raises:
        UnavailableError: The file is not there or cannot be made, or a package is missing.
    """
    if not new and url.drivername == "sqlite" and not Path(url.database or "").exists():
        raise UnavailableError(f"there is no database {url.database}")
    engine = _sqlite(Path(url.database or "")) if url.drivername == "sqlite" else _postgres(url)
    event.listen(engine, "begin", _begin)
    return engine


def for_writing(engine: Engine) -> Engine:
    """The same engine, whose transactions are to write."""
    return engine.execution_options(**{_USE: "write"})


def for_reading(engine: Engine) -> Engine:
    """The same engine without transactions, for reading: each statement sees what was committed before it."""
    if engine.dialect.name == "sqlite":
        return engine.execution_options(**{_USE: "read"})
    return engine.execution_options(isolation_level="AUTOCOMMIT")


# --------------------------------------------------------------------------------------------------------------- SQLite


class SQLiteFile:
    """A database file that must stay where it is.

    What is written into a file that was deleted or moved away would be gone with the last connection, acknowledged or
    not. So the file is looked at before each transaction.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))  # names of players are nobody else's business
            self._was = self._now()
        except OSError as error:
            raise UnavailableError(f"cannot open the database {path}: {error.strerror}") from None

    def _now(self) -> tuple[int, int]:
        found = self.path.stat()
        return found.st_dev, found.st_ino

    def check(self) -> None:
        """Sees that the file is the one that was opened.

        Raises:
            UnavailableError: It is gone, or another lies there.
        """
        try:
            if self._now() == self._was:
                return
            what = "was replaced by another"
        except OSError as error:
            what = f"is gone ({error.strerror})"
        raise UnavailableError(f"the database file {what}: put it back, or start the server again")

    def connect(self) -> sqlite3.Connection:
        """A connection; it never makes a new file."""
        self.check()
        address = f"file:{quote(str(self.path.absolute()))}?mode=rw"
        made = sqlite3.connect(address, uri=True, timeout=_WAIT, isolation_level=None, check_same_thread=False)
        _use_log(made)
        for pragma in (
            "synchronous = full",  # a commit returns when it is on the disk
            "foreign_keys = on",
            f"busy_timeout = {_WAIT * 1000}",
            "trusted_schema = off",
        ):
            made.execute(f"pragma {pragma}")
        return made


def _use_log(made: sqlite3.Connection) -> None:
    """Has a file kept with a write-ahead log. SQLite does not wait where several begin that at once, so this does."""
    until = time.monotonic() + _WAIT
    while True:
        try:
            made.execute("pragma journal_mode = wal")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 255 != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return


def _sqlite(path: Path) -> Engine:
    file = SQLiteFile(path)
    engine = create_engine(
        "sqlite://",
        creator=file.connect,
        poolclass=QueuePool,
        pool_size=10,
        max_overflow=20,
        pool_timeout=_WAIT,
        hide_parameters=True,
    )
    event.listen(engine, "checkout", lambda *_: file.check())
    return engine


# ----------------------------------------------------------------------------------------------------------- PostgreSQL


def _postgres(url: URL) -> Engine:
    try:
        engine = create_engine(
            url,
            pool_size=10,
            max_overflow=20,
            pool_timeout=_WAIT,
            pool_pre_ping=True,
            hide_parameters=True,
            connect_args={"connect_timeout": _WAIT, "application_name": "tenbo", "prepare_threshold": None},
        )
    except ModuleNotFoundError as error:
        raise UnavailableError(f"PostgreSQL needs the package {error.name}: pip install 'tenbo[postgres]'") from None
    event.listen(engine, "connect", _set_up)
    return engine


def _set_up(made: Any, _: Any) -> None:
    with made.cursor() as cursor:
        cursor.execute("set lock_timeout = '5s'")
        cursor.execute("set statement_timeout = '20s'")
        cursor.execute("select current_setting('synchronous_commit')")
        if cursor.fetchone() == ("off",):  # a commit returns when it is on the disk
            cursor.execute("set synchronous_commit = on")
    made.commit()


# --------------------------------------------------------------------------------------------------------- transactions


def _begin(connection: Connection) -> None:
    """Begins a transaction; SQLite's writers take their turn at the start, so that none fails in the middle."""
    if connection.dialect.name == "sqlite":
        use = connection.get_execution_options().get(_USE)
        if use != "read":
            connection.exec_driver_sql("begin immediate" if use == "write" else "begin")
