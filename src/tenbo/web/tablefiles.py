"""Tables as files over REST: exported as game file, JSON or CSV, and opened again."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from tenbo.errors import Problem, ReadError
from tenbo.ledger import Game, read_events, write_events
from tenbo.ledger.sheet import sheet
from tenbo.ledger.store import Access, Store
from tenbo.records import read_json, write_json
from tenbo.web.access import Tables, at_table, etag, in_thread
from tenbo.web.body import read_body
from tenbo.web.tabledocs import EXPORT, IMPORT
from tenbo.web.tables import TablePath, made_answer, new_table

MOST_BYTES: Final = 4_000_000
_MEDIA: Final = {
    "jsonl": "application/x-ndjson",
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
}
_MARK: Final = "\ufeff"  # or spreadsheets take UTF-8 for something else

router = APIRouter(prefix="/api/tables", tags=["tables"])


def exported(game: Game, form: str) -> str:
    """A game as a file's text.

    Args:
        game: The game.
        form: "jsonl", the game file; "json", the same as one object with the game's record; or "csv".
    """
    if form == "csv":
        return _MARK + sheet(game)
    if form == "json":
        return write_json({"events": list(game.lines), "game": game.record()}) + "\n"
    return "".join(line + "\n" for line in write_events(game.lines))


def read_export(body: bytes) -> list[dict[str, Any]]:
    """The events of a game file, or of the same as one JSON object.

    Raises:
        TenboError: They cannot be read.
    """
    body = body.removeprefix(_MARK.encode())
    lines = body.splitlines()
    if not any(line.strip() for line in lines):
        raise ReadError([Problem("missing_field", "the file is empty: a game begins with the event 'started'", None)])
    try:
        return read_events(lines)
    except ReadError:
        events = _events(body)
        if events is None:
            raise
    return read_events(map(write_json, events))


def _events(body: bytes) -> list[Any] | None:
    """The events of a file that is one JSON object; None where it is not."""
    try:
        found = read_json(body)
    except ReadError:
        return None
    events = found.get("events") if isinstance(found, dict) and "event" not in found else None
    return events if isinstance(events, list) else None


@router.post("/import", status_code=201, summary="Open a game file", openapi_extra=IMPORT, response_class=Response)
async def import_game(request: Request) -> Response:
    """Makes a table of a game file, or of an exported JSON; the same game, with links of its own."""
    body = await read_body(request, MOST_BYTES)
    tables: Tables = request.app.state.tables

    def work() -> Response:
        return made_answer(request, new_table(request, tables.store(), list(read_export(body))))

    return await in_thread(work)


@router.get("/{table}/export.{form}", summary="Export a table", openapi_extra=EXPORT, response_class=Response)
async def export(
    request: Request,
    table: TablePath,
    form: Annotated[Literal["jsonl", "json", "csv"], Path(description="The kind of file.")],
) -> Response:
    """The whole game as a file: `jsonl` is the game file and opens again, as `json` does; `csv` is for spreadsheets."""

    def work(store: Store, access: Access) -> Response:
        game = store.game(access)
        headers = {
            "ETag": etag(game.version),
            "Cache-Control": "private, no-cache",
            "Content-Disposition": f'attachment; filename="tenbo-{access.table.id}.{form}"',
        }
        return Response(exported(game, form), 200, headers, _MEDIA[form])

    return await at_table(request, table, work)
