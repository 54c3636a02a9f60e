"""Taking back: what an undo would do, what taking an event out would, and what putting back what stood there before."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from tenbo.ledger import Game
from tenbo.ledger.events import Event
from tenbo.ledger.store import Access, Store
from tenbo.web.access import at_table
from tenbo.web.booking import booked_since, event_page
from tenbo.web.dealdraft import small
from tenbo.web.tablelog import in_words, revisions

router = APIRouter(include_in_schema=False, prefix="/t")
Found = tuple[int, Event | None, str]
"""A line, the event that would stand there, and what that is called."""


@router.get("/{token}/undo")
async def undo(request: Request, token: str) -> Response:
    """What taking back the latest change would do."""

    def find(game: Game) -> Found | None:
        event = game.undo()
        if event is None:
            return None
        seq, by = event["seq"], event["by"]
        stands = game.in_force(seq)
        back = "" if by is None else "the edit of " if stands is not None else "taking out "
        return seq, by, back + in_words(game, seq, stands or by, deal=True)

    return await _shown(request, token, "Undo", find, "")


@router.get("/{token}/remove/{seq}")
async def remove(request: Request, token: str, seq: int) -> Response:
    """What taking an event out would do."""

    def find(game: Game) -> Found | None:
        stands = game.in_force(seq) if 1 < seq <= game.version else None
        return None if stands is None else (seq, None, in_words(game, seq, stands, deal=True))

    return await _shown(request, token, "Take out", find, "/history")


@router.get("/{token}/restore/{seq}")
async def restore(request: Request, token: str, seq: int) -> Response:
    """What putting back what a change replaced would do."""

    def find(game: Game) -> Found | None:
        earlier = next((one.earlier for one in revisions(game) if one.seq == seq), None)
        return None if earlier is None else (*earlier, in_words(game, *earlier, deal=True))

    return await _shown(request, token, "Put back", find, "/history")


async def _shown(
    request: Request, token: str, verb: str, find: Callable[[Game], Found | None], otherwise: str
) -> Response:
    def work(store: Store, access: Access) -> Response:
        game = store.game(access)
        found = find(game)
        if found is None:
            return RedirectResponse(f"/t/{token}{otherwise}", 303)
        event = {"event": "revised", "seq": found[0], "by": found[1]}
        since = booked_since(game, small(request.query_params, "since"))
        return event_page(request, token, access, game, event, f"{verb}: {found[2]}", meanwhile=since, verb=verb)

    return await at_table(request, token, work, scoring=True)
