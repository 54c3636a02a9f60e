"""All tables in one file, made while others go on writing, and put back.

From SQLite the backup is a database of its own (`VACUUM INTO`), which can be served as it is. From PostgreSQL it is
JSON Lines: a head, each row of each table as `["TABLE", {...}]`, an end. Either can be restored into either kind of
database.
"""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import groupby, islice
from pathlib import Path
from typing import IO, Any, Final
from urllib.parse import quote

from sqlalchemy import Connection, func, insert, select

from tenbo.ledger.store.database import for_writing
from tenbo.ledger.store.errors import BackupError
from tenbo.ledger.store.faults import faults
from tenbo.ledger.store.migrate import newest
from tenbo.ledger.store.schema import EVENTS, LINKS, METADATA, TABLES
from tenbo.ledger.store.store import Store

FORMAT: Final = "tenbo-backup"
_ORDER: Final = (TABLES, LINKS, EVENTS)
_SQLITE: Final = b"SQLite format 3\x00"
_MANY: Final = 500

Row = tuple[str, dict[str, Any]]


def backup(store: Store, path: Path, *, replace: bool = False) -> int:
    """Writes all tables, as they are at one moment, into a file; the store may be in use meanwhile.

    Args:
        store: The store.
        path: The file. It appears whole or not at all.
        replace: Whether a file that is there may be replaced.

    Returns:
        How many tables it has.

    Raises:
        BackupError: The file is there already, is the database itself, or cannot be written.
        UnavailableError: The database failed.
    """
    if path.exists() and not replace:
        raise BackupError(f"{path} is there already: name another file, or say that it may be replaced")
    if path.exists() and _is_database(store, path):
        raise BackupError(f"{path} is the database itself: name another file")
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        if store.engine.dialect.name == "sqlite":
            count = _copy(store, beside)
        else:
            with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
                count = _dump(store, file)
                file.flush()
                os.fsync(file.fileno())
        beside.replace(path)
        _sync_folder(path)
    except OSError as error:
        raise BackupError(f"cannot write {path}: {error.strerror or error}") from None
    finally:
        beside.unlink(missing_ok=True)
    return count


def _is_database(store: Store, path: Path) -> bool:
    if store.engine.dialect.name != "sqlite":
        return False
    with faults(), store.engine.connect() as db:
        name = db.exec_driver_sql("pragma database_list").fetchone()
    return name is not None and path.samefile(name[2])


def see_backup(path: Path) -> None:
    """Sees that a file is a backup, as far as its beginning tells.

    Raises:
        BackupError: It cannot be read or is none.
    """
    next(_rows(path), None)


def restore(store: Store, path: Path) -> int:
    """Puts all tables of a backup into a database that has none.

    Args:
        store: The store.
        path: A file that `backup` wrote.

    Returns:
        How many tables were put back.

    Raises:
        BackupError: The file cannot be read or is no backup, or the database has tables already; nothing was changed.
        UnavailableError: The database failed; nothing was changed.
    """
    known = {table.name: table for table in _ORDER}
    count = 0
    with faults(), for_writing(store.engine).begin() as db:
        if _count(db):
            raise BackupError("the database has tables already: restore into an empty one")
        for name, group in groupby(_rows(path), lambda row: row[0]):
            columns = {column.name for column in known[name].columns}
            rows = (row for _, row in group)
            while some := list(islice(rows, _MANY)):
                if any(set(row) != columns for row in some):
                    raise BackupError(f"{path} is damaged: a row of {name!r} has not the columns that it should have")
                db.execute(insert(known[name]), some)
                count += len(some) if name == TABLES.name else 0
        if _loose(db):
            raise BackupError(f"{path} is not whole: a table lacks events")
    return count


def _count(db: Connection) -> int:
    return int(db.execute(select(func.count()).select_from(TABLES)).scalar_one())


def _loose(db: Connection) -> bool:
    """Whether a table has not as many events as it says."""
    there = select(func.count()).select_from(EVENTS).where(EVENTS.c.table_id == TABLES.c.id).scalar_subquery()
    return db.execute(select(TABLES.c.id).where(TABLES.c.version != there).limit(1)).first() is not None


# -------------------------------------------------------------------------------------------------------------- writing


def _copy(store: Store, path: Path) -> int:
    """A copy of an SQLite database that is in use."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))  # VACUUM INTO takes an empty file, too
    with faults():
        raw = store.engine.raw_connection()
        try:
            raw.cursor().execute("vacuum into ?", (str(path),))
        finally:
            raw.close()
    with path.open("rb") as file:
        os.fsync(file.fileno())
    with closing(_open(path)) as copy:
        return int(copy.execute("select count(*) from tables").fetchone()[0])


def _dump(store: Store, file: IO[str]) -> int:
    """All rows of one moment, a line each."""
    count = 0
    serial = store.engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    with faults(), serial.connect() as db:
        file.write(json.dumps({"format": FORMAT, "version": 1, "revision": newest()}) + "\n")
        for table in _ORDER:
            found = db.execution_options(yield_per=_MANY).execute(select(table).order_by(*table.primary_key.columns))
            for row in found.mappings():
                file.write(json.dumps([table.name, dict(row)]) + "\n")
                count += table is TABLES
        file.write(json.dumps({"end": True, "tables": count}) + "\n")
    return count


def _sync_folder(path: Path) -> None:
    """Sees that the file's name is on the disk, too, where folders can be asked that."""
    if hasattr(os, "O_DIRECTORY"):
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


# -------------------------------------------------------------------------------------------------------------- reading


def _rows(path: Path) -> Iterator[Row]:
    """The rows of a backup of either kind: first all tables, then their links, then their events."""
    try:
        with path.open("rb") as file:
            start = file.read(len(_SQLITE))
    except OSError as error:
        raise BackupError(f"cannot read {path}: {error.strerror or error}") from None
    return _of_copy(path) if start == _SQLITE else _of_dump(path)


def _open(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro", uri=True)


def _of_copy(path: Path) -> Iterator[Row]:
    try:
        with closing(_open(path)) as db:
            db.row_factory = sqlite3.Row
            found = db.execute("select version_num from alembic_version").fetchone()
            _see_revision(path, found and found[0])
            for table in _ORDER:
                order = ", ".join(column.name for column in table.primary_key.columns)
                for row in db.execute(f"select * from {table.name} order by {order}"):
                    yield table.name, dict(row)
    except sqlite3.Error as error:
        raise BackupError(f"{path} is no backup of tables: {error}") from None


def _of_dump(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8") as file:
        lines = _values(path, file)
        head = next(lines, None)
        if not isinstance(head, dict) or head.get("format") != FORMAT or head.get("version") != 1:
            raise BackupError(f"{path} is no backup of tables")
        _see_revision(path, head.get("revision"))
        names, end = {table.name for table in METADATA.sorted_tables}, None
        for value in lines:
            if isinstance(value, dict) and value.get("end") is True:
                end = value
                break
            match value:
                case [str(name), dict(row)] if name in names:
                    yield name, row
                case _:
                    raise BackupError(f"{path} is damaged: a line is no row of a table")
        if end is None:
            raise BackupError(f"{path} is not whole: its end is missing")


def _values(path: Path, lines: Iterable[str]) -> Iterator[Any]:
    try:
        for line in lines:
            yield json.loads(line)
    except (ValueError, RecursionError):
        raise BackupError(f"{path} is no backup of tables, or damaged") from None


def _see_revision(path: Path, revision: object) -> None:
    if revision != newest():
        raise BackupError(f"{path} was made by another version of tenbo: restore it with that one, then update")
