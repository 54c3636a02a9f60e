"""The store of tables: SQLAlchemy on SQLite or PostgreSQL. Only here are databases spoken of.

- `open_store(url)`: opens a database, brought up to date, as a `Store`.
- `Store`: `create`, `access` (what a token opens), `game`, `append`, `delete`, `versions`.
- errors: `StoreError` and, below it, `NoTableError`, `NotAllowedError`, `ConflictError` (has the game as it is now),
  `KeyReusedError`, `TableFullError`, `UnavailableError` (the database failed), `NoSpaceError` (it is full).
- `backup(store, path)` and `restore(store, path)`: all tables in one file.
"""

from tenbo.ledger.store.copies import backup, restore
from tenbo.ledger.store.errors import (
    BackupError,
    ConflictError,
    KeyReusedError,
    NoSpaceError,
    NoTableError,
    NotAllowedError,
    StoreError,
    TableFullError,
    UnavailableError,
)
from tenbo.ledger.store.store import Store, open_store
from tenbo.ledger.store.tokens import Role
from tenbo.ledger.store.values import Access, Booked, Created, Table

__all__ = [
    "Access",
    "BackupError",
    "Booked",
    "ConflictError",
    "Created",
    "KeyReusedError",
    "NoSpaceError",
    "NoTableError",
    "NotAllowedError",
    "Role",
    "Store",
    "StoreError",
    "Table",
    "TableFullError",
    "UnavailableError",
    "backup",
    "open_store",
    "restore",
]
