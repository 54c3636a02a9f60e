"""Bringing a database up to date."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, Engine

from tenbo.ledger.store.database import for_writing
from tenbo.ledger.store.errors import UnavailableError

_FOLDER: Final = Path(__file__).parent / "migrations"
_LOCK: Final = 7_395_310_112  # any number that no other program locks


def config() -> Config:
    """Alembic's settings for the store."""
    made = Config()
    made.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    return made


def newest() -> str:
    """The revision that this version of tenbo works with."""
    found = ScriptDirectory.from_config(config()).get_current_head()
    assert found is not None
    return found


def revision(connection: Connection) -> str | None:
    """The revision of a database; None for an empty one."""
    return MigrationContext.configure(connection).get_current_revision()


def migrate(engine: Engine) -> None:
    """Brings a database up to date; several servers may do so at once.

    Raises:
        UnavailableError: It was made by a newer version of tenbo.
    """
    settings = config()
    with for_writing(engine).begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(f"select pg_advisory_xact_lock({_LOCK})")
        if revision(connection) == newest():
            return
        settings.attributes["connection"] = connection
        try:
            command.upgrade(settings, "head")
        except CommandError:
            found = revision(connection)
            message = f"the database has revision {found}, which this version of tenbo does not know: use a newer one"
            raise UnavailableError(message) from None
