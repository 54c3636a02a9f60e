"""Runs the steps on a connection that `tenbo.ledger.store.migrate` opened."""

from alembic import context

from tenbo.ledger.store.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,
    transaction_per_migration=False,
)
with context.begin_transaction():
    context.run_migrations()
