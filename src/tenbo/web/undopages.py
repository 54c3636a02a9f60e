"""Taking back: what an undo would do, what taking an event out would, and what putting back what stood there before."""

from __future__ import annotations

from dataclasses import replace

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from tenbo.ledger import Game
from tenbo.ledger.events import Event
from tenbo.ledger.play import Row
from tenbo.ledger.store import Access, Store
from tenbo.web.access import at_table
from tenbo.web.booking import booked_since, event_page
from tenbo.web.dealdraft import small
from tenbo.web.tablelog import revisions
from tenbo.web.tableview import dealt, happened

router = APIRouter(include_in_schema=False, prefix="/t")


@router.get("/{token}/undo")
async def undo(request: Request, token: str) -> Response:
    """What taking back the latest change would do."""

    def work(store: Store, access: Access) -> Response:
        game = store.game(access)
        event = game.undo()
        if event is None:
            return RedirectResponse(f"/t/{token}", 303)
        stands = game.in_force(event["seq"])
        back = "" if event["by"] is None else "the edit of " if stands is not None else "taking out "
        title = f"Undo: {back}{_called(game, event['seq'], stands or event['by'])}"
        return event_page(request, token, access, game, event, title, meanwhile=_since(request, game), verb="Undo")

    return await at_table(request, token, work, scoring=True)


@router.get("/{token}/remove/{seq}")
async def remove(request: Request, token: str, seq: int) -> Response:
    """What taking an event out would do."""

    def work(store: Store, access: Access) -> Response:
        game = store.game(access)
        stands = game.in_force(seq) if 1 < seq <= game.version else None
        if stands is None:
            return RedirectResponse(f"/t/{token}/history", 303)
        event = {"event": "revised", "seq": seq, "by": None}
        title = f"Take out: {_called(game, seq, stands)}"
        return event_page(request, token, access, game, event, title, meanwhile=_since(request, game), verb="Take out")

    return await at_table(request, token, work, scoring=True)


@router.get("/{token}/restore/{seq}")
async def restore(request: Request, token: str, seq: int) -> Response:
    """What putting back what a change replaced would do."""

    def work(store: Store, access: Access) -> Response:
        game = store.game(access)
        earlier = next((one.earlier for one in revisions(game) if one.seq == seq), None)
        if earlier is None:
            return RedirectResponse(f"/t/{token}/history", 303)
        event = {"event": "revised", "seq": earlier[0], "by": earlier[1]}
        title = f"Put back: {_called(game, *earlier)}"
        return event_page(request, token, access, game, event, title, meanwhile=_since(request, game), verb="Put back")

    return await at_table(request, token, work, scoring=True)


def _called(game: Game, seq: int, event: Event) -> str:
    """An event in words, with the deal that it ended."""
    row = next((row for row in game.rows if row.seq == seq), None)
    if row is None:
        return happened(Row(seq, event, game.standing, game.standing), game.rules)
    text = happened(replace(row, event=event), game.rules)
    return f"{text} ({dealt(row.before)}, deal {row.before.deal})" if row.tabled else text


def _since(request: Request, game: Game) -> list[str]:
    return booked_since(game, small(request.query_params, "since"))
