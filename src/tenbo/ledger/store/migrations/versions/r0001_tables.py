"""Tables, their links and their events."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Makes the three tables."""
    op.create_table(
        "tables",
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("changed", sa.String(32), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tables"),
        sa.CheckConstraint("version >= 1", name=op.f("ck_tables_version")),
    )
    op.create_table(
        "links",
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("role", sa.String(5), nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_links"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], "fk_links_table_id_tables", ondelete="CASCADE"),
        sa.CheckConstraint("role in ('score', 'watch')", name=op.f("ck_links_role")),
    )
    op.create_index("ix_links_table_id", "links", ["table_id"])
    op.create_table(
        "events",
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("event", sa.Text, nullable=False),
        sa.Column("key", sa.String(200)),
        sa.Column("created", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seq", name="pk_events"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], "fk_events_table_id_tables", ondelete="CASCADE"),
        sa.UniqueConstraint("table_id", "key", name="uq_events_table_id_key"),
        sa.CheckConstraint("seq >= 1", name=op.f("ck_events_seq")),
    )


def downgrade() -> None:
    """Drops them."""
    op.drop_table("events")
    op.drop_table("links")
    op.drop_table("tables")
