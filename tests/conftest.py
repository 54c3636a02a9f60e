"""What all tests share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

import cases
import tablekit

if TYPE_CHECKING:
    from tenbo.ledger.store import Store
    from webclient import Client

# "ci" runs the same examples every time, so that a change is judged by what it changed.
settings.register_profile("ci", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("dev", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "dev"))


@pytest.fixture(scope="session")
def cases_dir() -> Path:
    """The folder of acceptance cases."""
    return cases.cases_dir()


@pytest.fixture(scope="session")
def logs_dir() -> Path:
    """The folder of sample game logs."""
    return cases.logs_dir()


@pytest.fixture(scope="session")
def postgres() -> Iterator[tablekit.Postgres]:
    """A PostgreSQL server."""
    server = tablekit.Postgres()
    yield server
    server.close()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a new database, of either kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tables.db'}"
    server: tablekit.Postgres = request.getfixturevalue("postgres")
    return server.database()


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    """A store on a new database."""
    from tenbo.ledger.store import open_store

    opened = open_store(database)
    yield opened
    opened.close()


@pytest.fixture
def client(store: Store) -> Client:
    """A client of the web application, on either kind of database."""
    from tenbo.web import create_app
    from webclient import Client

    return Client(create_app(store, tables_per_hour=0))


@pytest.fixture
def light(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A client of the web application on SQLite, for what no database has a say in."""
    from tenbo.ledger.store import open_store
    from tenbo.web import create_app
    from webclient import Client

    opened = open_store(str(tmp_path_factory.mktemp("light") / "tables.db"))
    yield Client(create_app(opened, tables_per_hour=0))
    opened.close()
