"""Tables added to an application."""

from __future__ import annotations

import os
from typing import Any, Final

from fastapi import FastAPI

from tenbo.ledger.store import Store
from tenbo.web import live, tablefiles, tables
from tenbo.web.access import Tables, hide_tokens
from tenbo.web.openapi import problem_answer
from tenbo.web.ratelimit import RateLimit
from tenbo.web.tabledocs import SCHEMES

TABLES_PER_HOUR: Final = 120
LIMIT_VARIABLE: Final = "TENBO_TABLES_PER_HOUR"


def _per_hour() -> int:
    text = os.environ.get(LIMIT_VARIABLE, "")
    return int(text) if text.isascii() and text.isdigit() else TABLES_PER_HOUR


def _only_problems(description: dict[str, Any]) -> None:
    """Takes out the answers that FastAPI describes on its own: here, what is invalid is answered by a problem."""
    for item in description["paths"].values():
        for operation in item.values():
            answers = operation["responses"]
            said = answers.get("422", {}).get("content", {}).get("application/json", {}).get("schema", {})
            if "HTTPValidationError" in said.get("$ref", ""):
                del answers["422"]["content"]["application/json"]
                if not answers["422"]["content"]:
                    answers["422"] = problem_answer("The address cannot be read.")
    for name in ("HTTPValidationError", "ValidationError"):
        description["components"].get("schemas", {}).pop(name, None)


def attach(app: FastAPI, store: Store | None = None, tables_per_hour: int | None = None) -> None:
    """Adds tables to an application.

    Args:
        app: The application.
        store: The store; None opens the default one when it is first needed.
        tables_per_hour: How many tables one address may make, 0 for no limit; None: what `TENBO_TABLES_PER_HOUR` says,
            else 120.
    """
    app.state.tables = Tables(store)
    app.state.hub = live.Hub(app.state.tables)
    app.state.creating = RateLimit(_per_hour() if tables_per_hour is None else tables_per_hour)
    hide_tokens()
    app.include_router(tablefiles.router)
    app.include_router(tables.router)
    app.include_router(live.router)
    describe = app.openapi

    def described() -> dict[str, Any]:
        found = describe()
        found.setdefault("components", {})["securitySchemes"] = SCHEMES
        _only_problems(found)
        return found

    app.openapi = described  # type: ignore[method-assign]
