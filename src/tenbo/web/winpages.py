"""The winner of a deal told: the hand by tiles, or quick entry by what it is worth."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.datastructures import FormData, ImmutableMultiDict
from starlette.responses import RedirectResponse, Response

from tenbo import tiles
from tenbo.explain import words
from tenbo.facts import SEATS
from tenbo.ledger import Game
from tenbo.ledger.standing import Standing
from tenbo.ledger.store import Access, Store
from tenbo.quick import limit_names
from tenbo.situation import BY
from tenbo.web.access import at_table
from tenbo.web.answered import Answer, answer, answer_loser, chips
from tenbo.web.asked import SEAT, Asked, read_asked_at_table
from tenbo.web.dealdraft import DealDraft, read_draft
from tenbo.web.faults import Faults
from tenbo.web.pages import compressed, page
from tenbo.web.quickentry import pair_of
from tenbo.web.scorepage import keyboard_of, live_record
from tenbo.web.tableview import seat, where

router = APIRouter(include_in_schema=False, prefix="/t")
LOSER: Final = "loser"
Query = ImmutableMultiDict[str, str]


def standing_for(game: Game, draft: DealDraft) -> Standing:
    """The standing in which a draft's deal is played: now, or that of the line it replaces."""
    if draft.revise is not None:
        for row in game.rows:
            if row.seq == draft.revise:
                return row.before
    return game.standing


def discarder_of(draft: DealDraft) -> int | None:
    """Who discarded what the winners told so far won on."""
    found: int | None = next((one["from"] for one in draft.winners if "from" in one), None)
    return found


def _free(standing: Standing, draft: DealDraft) -> list[str]:
    """The seats of those who have not won yet, nor discarded what others won on."""
    taken = {one.get("player") for one in draft.winners} | {discarder_of(draft)}
    return [wind for wind in SEATS if standing.player(SEATS.index(wind)) not in taken]


def asked_of(query: Query, game: Game, draft: DealDraft) -> Asked:
    """The hand that a table's page is asked for, with what the table knows of its situation."""
    standing = standing_for(game, draft)
    carried = draft.pairs()
    if query.get(LOSER):
        carried.append((LOSER, str(query.get(LOSER))))
    asked = read_asked_at_table(
        query,
        game.rules,
        round=standing.wind,
        honba=standing.honba,
        sticks=standing.sticks if game.rules.counters else 0,
        carried=carried,
    )
    discarder = discarder_of(draft)
    if discarder is not None and not query.get(LOSER):
        free = _free(standing, draft)
        asked = replace(asked, by=BY[0], from_=standing.seat(discarder))
        asked = asked if asked.seat in free or not free else replace(asked, seat=free[0])
    untold = "seat" not in query and not asked.flags and "riichi" in game.rules.flags
    if untold and _winner(query, standing, draft) and standing.player(SEATS.index(asked.seat)) in draft.bets:
        return replace(asked, flags=("riichi",))
    return asked


def _winner(query: Query | FormData, standing: Standing, draft: DealDraft) -> str:
    """The seat of the winner: the one told, or the only one who can be; else "", and it is asked."""
    told = str(query.get("seat") or "")
    free = _free(standing, draft)
    return told if told in SEATS else free[0] if len(free) == 1 else ""


def _which(draft: DealDraft, query: Query | FormData) -> str:
    """Which of a deal's hands a page is for: each is remembered on its own, and so is that of a deal being edited."""
    edit = f".edit{draft.revise}" if draft.revise is not None else ""
    if query.get(LOSER):
        return f"{edit}.loser{query.get(LOSER)}"
    return f"{edit}.{len(draft.winners)}" if draft.winners or edit else ""


def answer_of(query: Query, asked: Asked) -> Answer:
    """The answer for a winner's hand, or for one that did not go out."""
    return answer_loser(asked) if query.get(LOSER) else answer(asked)


def context_of(token: str, access: Access, game: Game, draft: DealDraft, query: Query | FormData) -> dict[str, Any]:
    """What the pages for a winner show of the table and carry on."""
    standing = standing_for(game, draft)
    discarder = discarder_of(draft)
    alone = None if discarder is None or query.get(LOSER) else standing.seat(discarder)
    free = _free(standing, draft) if alone else list(SEATS)
    seats_at = sorted((seat(standing, player) for player in range(4)), key=lambda one: SEATS.index(one.wind))
    winner = _winner(query, standing, draft)
    shown = SEAT if SEAT in free or not free else free[0]  # for whom the hand is shown until it is said who won
    return {
        "at": {
            "token": token,
            "home": f"/t/{token}",
            "page": f"/t/{token}/win",
            "kept": f"tenbo.hand.{access.table.id}.{standing.deal}{_which(draft, query)}",
            "seats": seats_at,
            "names": {one.wind: one.name for one in seats_at} | ({} if winner else {shown: "whoever"}),
            "where": where(standing, game.rules),
            "loser": bool(query.get(LOSER)),
            "bets": draft.bets,
            "winner": winner,
            "winning": [one for one in seats_at if one.wind in free],
            "paying": [one for one in seats_at if alone in (None, one.wind)],
            "alone": alone,
            "how": alone or query.get("how") or "",
            "fields": [*draft.pairs(), *([(LOSER, str(query.get(LOSER)))] if query.get(LOSER) else [])],
            "quick": f"/t/{token}/quick?{draft.query()}",
        }
    }


@router.get("/{token}/win")
async def win(request: Request, token: str) -> Response:
    """The winner's hand by tiles: the score page with the table's rules, seats and names."""
    query = request.query_params

    def work(store: Store, access: Access) -> Response:
        game = store.game(access)
        if game.standing.finished and "revise" not in query:
            return RedirectResponse(f"/t/{token}", 303)
        return win_page(request, token, access, game, query)

    return await at_table(request, token, work, scoring=True)


def win_page(request: Request, token: str, access: Access, game: Game, query: Query, wrong: str = "") -> Response:
    """The page for a hand by tiles, filled in; with what is wrong where it comes back from being sent."""
    draft = read_draft(query)
    asked = asked_of(query, game, draft)
    found = answer_of(query, asked)
    return page(
        request,
        "score.html",
        422 if wrong else 200,
        private=True,
        answer=found,
        dropped=[wrong] if wrong else [problem.message for problem in asked.problems],
        example="",
        titles={},
        keyboard=keyboard_of(asked.rules),
        codes=tiles.CODES,
        entry_sorted=tiles.in_order(found.entry.concealed),
        chips=chips(asked),
        options={},
        **context_of(token, access, game, draft, query),
    )


@router.get("/{token}/win/live")
async def win_live(request: Request, token: str) -> Response:
    """The parts of that page that change with the hand."""
    query = request.query_params

    def work(store: Store, access: Access) -> Response:
        game = store.game(access)
        draft = read_draft(query)
        asked = asked_of(query, game, draft)
        record = live_record(answer_of(query, asked), **context_of(token, access, game, draft, query))
        return compressed(request, json.dumps(record, ensure_ascii=False).encode(), "application/json", private=True)

    return await at_table(request, token, work, scoring=True)


@router.get("/{token}/quick")
async def quick(request: Request, token: str) -> Response:
    """The winner by points and doubles, or a limit."""
    query = request.query_params

    def work(store: Store, access: Access) -> Response:
        game = store.game(access)
        if game.standing.finished and "revise" not in query:
            return RedirectResponse(f"/t/{token}", 303)
        return quick_page(request, token, access, game, read_draft(query), query, {})

    return await at_table(request, token, work, scoring=True)


def quick_page(
    request: Request,
    token: str,
    access: Access,
    game: Game,
    draft: DealDraft,
    given: Query | FormData,
    faults: Faults,
) -> Response:
    """Quick entry, filled in; with what is wrong where it comes back from being sent."""
    context = context_of(token, access, game, draft, given)
    return page(
        request,
        "tablequick.html",
        422 if faults else 200,
        private=True,
        given=given,
        faults=faults,
        access=access,
        game=game,
        rules=game.rules,
        pair=pair_of(game.rules),
        said=words(game.rules),
        limits=limit_names(game.rules),
        token=token,
        back=f"/t/{token}/win?{draft.query()}",
        **context,
    )
