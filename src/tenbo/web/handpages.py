"""A booked deal explained: what earned each hand its score, and who paid whom."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from tenbo.explain import explain
from tenbo.ledger.store import Access, Store
from tenbo.web.access import at_table
from tenbo.web.answered import flag_labels, parted, worth
from tenbo.web.pages import page
from tenbo.web.tableview import dealt, happened, moves, named

router = APIRouter(include_in_schema=False, prefix="/t")


@router.get("/{token}/deal/{seq}")
async def hand(request: Request, token: str, seq: int) -> Response:
    """The hands of a deal with their lines, arithmetic and other readings, and the payments."""

    def work(store: Store, access: Access) -> Response:
        game = store.game(access)
        row = next((row for row in game.rows if row.seq == seq), None)
        if row is None or row.settlement is None:
            return RedirectResponse(f"/t/{token}/history", 303)
        hands = []
        for seat, score in row.settlement.hands:
            told = explain(score)
            parts, whole = parted(told)
            name = named(row.before, row.before.player(seat))
            hands.append((name, score, told, parts, whole, worth(told)))
        return page(
            request,
            "tablehand.html",
            private=True,
            token=token,
            access=access,
            rules=game.rules,
            row=row,
            title=happened(row, game.rules),
            hands=hands,
            dealt=dealt,
            moves=moves(row, game.rules),
            labels=flag_labels(game.rules),
        )

    return await at_table(request, token, work)
