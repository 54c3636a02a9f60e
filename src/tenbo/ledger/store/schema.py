"""The store's tables in the database."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
)

METADATA: Final = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_N_label)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

TABLES: Final = Table(
    "tables",
    METADATA,
    Column("id", String(16), primary_key=True),
    Column("name", Text, nullable=False),
    Column("rules", Text, nullable=False),  # what its rules are called, for lists
    Column("created", String(32), nullable=False),  # ISO 8601, UTC
    Column("changed", String(32), nullable=False),
    Column("version", Integer, nullable=False),  # how many events it has
    CheckConstraint("version >= 1", name="version"),
)

LINKS: Final = Table(
    "links",
    METADATA,
    Column("hash", String(64), primary_key=True),  # SHA-256 of the token, which is itself kept nowhere
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("role", String(5), nullable=False),
    CheckConstraint("role in ('score', 'watch')", name="role"),
)

EVENTS: Final = Table(
    "events",
    METADATA,
    Column("table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("seq", Integer, nullable=False),  # from 1; two writers cannot both have the same
    Column("event", Text, nullable=False),  # JSON, ASCII
    Column("key", String(200)),  # the request's idempotency key
    Column("created", String(32), nullable=False),
    PrimaryKeyConstraint("table_id", "seq"),
    UniqueConstraint("table_id", "key"),
    CheckConstraint("seq >= 1", name="seq"),
)
