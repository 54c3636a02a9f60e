"""The web application."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.routing import Route

import tenbo
from tenbo.ledger.store import Store
from tenbo.web import (
    assets,
    dealpages,
    formpages,
    handpages,
    headers,
    learnpage,
    problems,
    rulepages,
    scorepage,
    scoring,
    tablepages,
    tablesetup,
    undopages,
    winpages,
)

_ABOUT = """Scores mahjong hands, says why, and keeps the table.

Records are the same as the library's and the command line's; numbers are points.
"""


def create_app(store: Store | None = None, *, tables_per_hour: int | None = None) -> FastAPI:
    """Makes the web application: pages and REST.

    Args:
        store: Where tables are kept; None opens the default database when a table is first asked for.
        tables_per_hour: How many tables one address may make, 0 for no limit; None: what the environment says.
    """
    app = FastAPI(
        title="tenbo",
        version=tenbo.__version__,
        description=_ABOUT,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    app.add_middleware(headers.SecurityHeaders)
    problems.handle_problems(app)
    app.include_router(scoring.router)
    tablesetup.attach(app, store, tables_per_hour)
    app.include_router(scorepage.router)
    app.include_router(rulepages.router)
    app.include_router(learnpage.router)
    app.include_router(tablepages.router)
    app.include_router(winpages.router)
    app.include_router(dealpages.router)
    app.include_router(formpages.router)
    app.include_router(handpages.router)
    app.include_router(undopages.router)
    app.router.routes.append(Route("/static/{mark}/{name}", assets.static, name="static"))
    app.router.routes.append(Route("/favicon.ico", assets.favicon))
    return app
