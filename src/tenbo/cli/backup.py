"""`tenbo backup` and `tenbo restore`: all tables in one file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from tenbo.cli.streams import CallError, tell

if TYPE_CHECKING:
    from tenbo.ledger.store import Store

_File = Annotated[Path, Parameter(help="The file.")]
_Database = Annotated[
    str | None,
    Parameter(help="The database: sqlite:///FILE or postgresql://...; else TENBO_DATABASE_URL, else the user's own."),
]


def backup(
    file: _File,
    /,
    *,
    database: _Database = None,
    replace: Annotated[bool, Parameter(help="Replace the file if it is there already.")] = False,
) -> int:
    """Copies all tables into a file, while they are being served."""
    copies = _copies()
    count = _with(database, lambda store: copies.backup(store, file, replace=replace), new=False)
    tell(f"{count} table{'s' * (count != 1)} copied into {file}")
    return 0


def restore(file: _File, /, *, database: _Database = None) -> int:
    """Puts the tables of a backup into a database that has none."""
    copies = _copies()
    try:
        copies.see_backup(file)  # before a database is made for it
    except copies.BackupError as error:
        raise CallError(str(error)) from None
    count = _with(database, lambda store: copies.restore(store, file), new=True)
    tell(f"{count} table{'s' * (count != 1)} restored from {file}")
    return 0


def _copies() -> ModuleType:
    try:
        from tenbo.ledger.store import copies
    except ModuleNotFoundError as error:
        raise CallError(f"tables need the package {error.name}: pip install 'tenbo[web]'") from None
    return copies


def _with(database: str | None, work: Callable[[Store], int], *, new: bool) -> int:
    from tenbo.ledger.store import StoreError, open_store

    try:
        store = open_store(database, new=new)
        try:
            return work(store)
        finally:
            store.close()
    except StoreError as error:
        raise CallError(str(error)) from None
