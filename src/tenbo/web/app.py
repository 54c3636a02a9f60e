"""The web application."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.routing import Route

import tenbo
from tenbo.web import assets, headers, problems, scorepage, scoring

_ABOUT = """Scores mahjong hands, says why, and keeps the table.

Records are the same as the library's and the command line's; numbers are points.
"""


def create_app() -> FastAPI:
    """Makes the web application: pages and REST."""
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
    app.include_router(scorepage.router)
    app.router.routes.append(Route("/static/{mark}/{name}", assets.static, name="static"))
    app.router.routes.append(Route("/favicon.ico", assets.favicon))
    return app
