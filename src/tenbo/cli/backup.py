"""`tenbo backup` and `tenbo restore`: all tables in one file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
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
    from_store, _ = _functions()
    count = _with(database, lambda store: from_store(store, file, replace=replace))
    tell(f"{count} table{'s' * (count != 1)} copied into {file}")
    return 0


def restore(file: _File, /, *, database: _Database = None) -> int:
    """Puts the tables of a backup into a database that has none."""
    _, into_store = _functions()
    count = _with(database, lambda store: into_store(store, file))
    tell(f"{count} table{'s' * (count != 1)} restored from {file}")
    return 0


def _functions() -> tuple[Callable[..., int], Callable[..., int]]:
    try:
        from tenbo.ledger.store import backup as from_store
        from tenbo.ledger.store import restore as into_store
    except ModuleNotFoundError as error:
        raise CallError(f"tables need the package {error.name}: pip install 'tenbo[web]'") from None
    return from_store, into_store


def _with(database: str | None, work: Callable[[Store], int]) -> int:
    from tenbo.ledger.store import StoreError, open_store

    try:
        store = open_store(database)
        try:
            return work(store)
        finally:
            store.close()
    except StoreError as error:
        raise CallError(str(error)) from None
