"""The statements of the store, each made once."""

from __future__ import annotations

from typing import Final

from sqlalchemy import bindparam, insert, select, update

from tenbo.ledger.store.schema import EVENTS, LINKS, TABLES

TABLE: Final = (TABLES.c.id, TABLES.c.name, TABLES.c.rules, TABLES.c.created, TABLES.c.version)
ACCESS: Final = (
    select(*TABLE, LINKS.c.role)
    .join_from(LINKS, TABLES, LINKS.c.table_id == TABLES.c.id)
    .where(LINKS.c.hash == bindparam("hash"))
)
VERSION: Final = select(TABLES.c.version).where(TABLES.c.id == bindparam("table"))
LINES: Final = (
    select(EVENTS.c.event)
    .where(EVENTS.c.table_id == bindparam("table"), EVENTS.c.seq > bindparam("after"))
    .order_by(EVENTS.c.seq)
)
KEYED: Final = select(EVENTS.c.seq, EVENTS.c.event).where(
    EVENTS.c.table_id == bindparam("table"), EVENTS.c.key == bindparam("key")
)
MOVE: Final = (
    update(TABLES)
    .where(TABLES.c.id == bindparam("table"), TABLES.c.version == bindparam("old"))
    .values(version=bindparam("new"), changed=bindparam("now"))
)
INSERT: Final = insert(EVENTS)
