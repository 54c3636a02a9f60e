"""A deal told page by page: who won and how, the hand by tiles or quick entry, the losers, and what it all pays."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.datastructures import FormData, ImmutableMultiDict, QueryParams
from starlette.responses import RedirectResponse, Response

from tenbo import tiles
from tenbo.explain import words
from tenbo.facts import SEATS
from tenbo.ledger import Game
from tenbo.ledger.standing import Standing
from tenbo.ledger.store import Access, Store
from tenbo.quick import KEYS, limit_names
from tenbo.situation import BY
from tenbo.web.access import at_table
from tenbo.web.answered import Answer, answer, answer_loser, chips
from tenbo.web.asked import Asked, read_asked_at_table
from tenbo.web.booking import booked_since, booking, looked
from tenbo.web.dealdraft import DealDraft, draft_of, is_player, players, read_draft, read_quick
from tenbo.web.pages import compressed, page
from tenbo.web.scorepage import keyboard_of, live_record
from tenbo.web.tableview import named, quick_words, seat, where

router = APIRouter(include_in_schema=False, prefix="/t")
_LOSER: Final = "loser"


def _players(value: object) -> bool:
    return isinstance(value, list | tuple) and all(map(is_player, value))


_FILLED: Final[Mapping[str, Callable[[object], bool]]] = {
    "kind": lambda value: isinstance(value, str),
    "player": is_player,
    "points": lambda value: type(value) is int,
    **dict.fromkeys(("ready", "bets", "to"), _players),
}
"""What a form can be filled in with, and what such a value is."""


def standing_for(game: Game, draft: DealDraft) -> Standing:
    """The standing in which a draft's deal is played: now, or that of the line it replaces."""
    if draft.revise is not None:
        for row in game.rows:
            if row.seq == draft.revise:
                return row.before
    return game.standing


def _asked(query: ImmutableMultiDict[str, str], game: Game, draft: DealDraft) -> Asked:
    standing = standing_for(game, draft)
    carried = draft.pairs()
    if query.get(_LOSER):
        carried.append((_LOSER, str(query.get(_LOSER))))
    asked = read_asked_at_table(
        query,
        game.rules,
        round=standing.wind,
        honba=standing.honba,
        sticks=standing.sticks if game.rules.counters else 0,
        carried=carried,
    )
    untold = "seat" not in query and not asked.flags and "riichi" in game.rules.flags
    if untold and standing.player(SEATS.index(asked.seat)) in draft.bets:
        return replace(asked, flags=("riichi",))
    return asked


def _answer(query: ImmutableMultiDict[str, str], asked: Asked) -> Answer:
    return answer_loser(asked) if query.get(_LOSER) else answer(asked)


def _context(
    token: str, access: Access, game: Game, draft: DealDraft, query: ImmutableMultiDict[str, str]
) -> dict[str, Any]:
    standing = standing_for(game, draft)
    seats_at = sorted((seat(standing, player) for player in range(4)), key=lambda one: SEATS.index(one.wind))
    return {
        "at": {
            "token": token,
            "home": f"/t/{token}",
            "page": f"/t/{token}/win",
            "kept": f"tenbo.hand.{access.table.id}.{standing.deal}",
            "seats": seats_at,
            "names": {one.wind: one.name for one in seats_at},
            "where": where(standing, game.rules),
            "loser": bool(query.get(_LOSER)),
            "bets": draft.bets,
            "how": query.get("how") or "",
            "fields": [*draft.pairs(), *([(_LOSER, str(query.get(_LOSER)))] if query.get(_LOSER) else [])],
            "quick": f"/t/{token}/quick?{draft.query()}",
        }
    }


@router.get("/{token}/win")
async def win(request: Request, token: str) -> Response:
    """The winner's hand by tiles: the score page with the table's rules, seats and names."""
    query = request.query_params

    def work(store: Store, access: Access) -> Response:
        game = store.game(access)
        draft = read_draft(query)
        asked = _asked(query, game, draft)
        found = _answer(query, asked)
        return page(
            request,
            "score.html",
            private=True,
            answer=found,
            example="",
            titles={},
            keyboard=keyboard_of(asked.rules),
            codes=tiles.CODES,
            entry_sorted=tiles.in_order(found.entry.concealed),
            chips=chips(asked),
            options={},
            **_context(token, access, game, draft, query),
        )

    return await at_table(request, token, work, scoring=True)


@router.get("/{token}/win/live")
async def win_live(request: Request, token: str) -> Response:
    """The parts of that page that change with the hand."""
    query = request.query_params

    def work(store: Store, access: Access) -> Response:
        game = store.game(access)
        draft = read_draft(query)
        asked = _asked(query, game, draft)
        record = live_record(_answer(query, asked), **_context(token, access, game, draft, query))
        return compressed(request, json.dumps(record, ensure_ascii=False).encode(), "application/json", private=True)

    return await at_table(request, token, work, scoring=True)


@router.get("/{token}/quick")
async def quick(request: Request, token: str) -> Response:
    """The winner by points and doubles, or a limit."""
    query = request.query_params

    def work(store: Store, access: Access) -> Response:
        game = store.game(access)
        draft = read_draft(query)
        said = words(game.rules)
        pair = ("doubles", "points")
        if game.rules.payment.han is not None:
            pair = ("han", "fu") if said.less else ("hp", "bp")
        return page(
            request,
            "tablequick.html",
            private=True,
            given=query,
            access=access,
            game=game,
            rules=game.rules,
            pair=pair,
            said=said,
            limits=limit_names(game.rules),
            token=token,
            back=f"/t/{token}/win?{draft.query()}",
            **_context(token, access, game, draft, query),
        )

    return await at_table(request, token, work, scoring=True)


@router.get("/{token}/edit/{seq}")
async def edit(request: Request, token: str, seq: int) -> Response:
    """An event of the past, to be changed: a won deal as a draft, others in their form."""

    def work(store: Store, access: Access) -> Response:
        game = store.game(access)
        event = game.in_force(seq) if 1 < seq <= game.version else None
        if event is None:
            return RedirectResponse(f"/t/{token}/history", 303)
        if event["event"] == "won":
            return _deal_page(request, token, access, game, replace(draft_of(event, seq), version=game.version))
        if event["event"] in ("drawn", "penalty"):
            return _form_page(request, token, access, game, str(event["event"]), event, seq)
        return RedirectResponse(f"/t/{token}/more?revise={seq}", 303)

    return await at_table(request, token, work, scoring=True)


@router.get("/{token}/draw")
async def draw(request: Request, token: str) -> Response:
    """A drawn deal: its kind, who is ready, who bet."""
    given = {"bets": list(players(request.query_params, "bet"))}

    def work(store: Store, access: Access) -> Response:
        return _form_page(request, token, access, store.game(access), "drawn", given, None)

    return await at_table(request, token, work, scoring=True)


@router.get("/{token}/penalty")
async def penalty(request: Request, token: str) -> Response:
    """A penalty: which, and whose."""

    def work(store: Store, access: Access) -> Response:
        return _form_page(request, token, access, store.game(access), "penalty", {}, None)

    return await at_table(request, token, work, scoring=True)


def _form_page(
    request: Request, token: str, access: Access, game: Game, kind: str, given: Any, revise: int | None
) -> Response:
    standing = standing_for(game, DealDraft(revise=revise))
    given = {key: value for key, value in given.items() if key in _FILLED and _FILLED[key](value)}
    return page(
        request,
        "tabledrawn.html" if kind == "drawn" else "tablepenalty.html",
        private=True,
        token=token,
        access=access,
        game=game,
        rules=game.rules,
        given=given,
        revise=revise,
        seats_at=[seat(standing, player) for player in range(4)],
        where=where(standing, game.rules),
    )


# ------------------------------------------------------------------------------------------------------------ the deal


@router.post("/{token}/deal")
async def deal(request: Request, token: str) -> Response:
    """A won deal so far: what it pays, with another winner, a loser's hand, or what was changed."""
    form = await request.form()

    def work(store: Store, access: Access) -> Response:
        game = store.game(access)
        draft = _taken(form, game, read_draft(form))
        do = str(form.get("do") or "")
        if do == "add":
            return RedirectResponse(f"/t/{token}/win?{draft.query()}", 303)
        if do.startswith("change.") and do[7:] in ("0", "1", "2"):
            return RedirectResponse(_change(token, standing_for(game, draft), draft, int(do[7:])), 303)
        if do.startswith("drop.") and do[5:] in ("0", "1", "2"):
            kept = tuple(one for i, one in enumerate(draft.winners) if i != int(do[5:]))
            draft = replace(draft, winners=kept)
            if not kept:
                return RedirectResponse(f"/t/{token}/win?{draft.query()}", 303)
        if do.startswith("tiles.") and do[6:] in ("0", "1", "2", "3"):
            player = int(do[6:])
            more = {"loser": player, "seat": standing_for(game, draft).seat(player)}
            hand = draft.losers.get(player, {}).get("hand", "")
            return RedirectResponse(f"/t/{token}/win?{draft.query(**more, hand=hand)}", 303)
        return _deal_page(request, token, access, game, draft)

    return await at_table(request, token, work, scoring=True)


def _change(token: str, standing: Standing, draft: DealDraft, at: int) -> str:
    """The address where a winner's hand is entered again, with what is known of it."""
    out = [one for i, one in enumerate(draft.winners) if i == at]
    rest = replace(draft, winners=tuple(one for i, one in enumerate(draft.winners) if i != at))
    pairs = rest.pairs()
    for one in out:
        how = one["by"] if one["by"] == BY[1] else standing.seat(one["from"]) if "from" in one else ""
        pairs += [("seat", standing.seat(one["player"])), ("how", how)]
        pairs += [(key, str(one[key])) for key in ("hand", "dora", "ura") if key in one]
        pairs += [(f"q.{key}", str(one[key])) for key in KEYS if key in one]
        flags = one.get("flags")
        pairs += [("flag", str(flag)) for flag in flags] if isinstance(flags, list) else []
    page = "win" if all(one.get("hand") for one in out) else "quick"
    return f"/t/{token}/{page}?{urlencode(pairs)}"


def _taken(form: FormData, game: Game, draft: DealDraft) -> DealDraft:
    """The draft with the hand or quick entry that a form brings."""
    standing = standing_for(game, draft)
    seat_ = str(form.get("seat") or "")
    if seat_ not in SEATS:
        return draft
    player = standing.player(SEATS.index(seat_))
    if form.get(_LOSER):
        query = QueryParams([(key, value) for key, value in form.multi_items() if isinstance(value, str)])
        hand = _asked(query, game, draft).entry.text
        return replace(draft, losers={**draft.losers, player: {"hand": hand}})
    how = str(form.get("how") or "")
    by = BY[1] if how == BY[1] else BY[0]
    from_ = standing.player(SEATS.index(how)) if how in SEATS and how != seat_ else None
    if form.get("quick"):
        return draft.added(read_quick(form, player, from_, by))
    query = QueryParams([(key, value) for key, value in form.multi_items() if isinstance(value, str)])
    asked = _asked(query, game, draft)
    winner: dict[str, Any] = {"player": player, "by": by, "hand": asked.entry.completed().text}
    if from_ is not None:
        winner["from"] = from_
    winner |= {"flags": list(asked.flags)} if asked.flags else {}
    winner |= {key: value for key, value in (("dora", asked.dora), ("ura", asked.ura)) if value}
    return draft.added(winner)


def _deal_page(request: Request, token: str, access: Access, game: Game, draft: DealDraft) -> Response:
    standing = standing_for(game, draft)
    event: dict[str, Any] = draft.event()
    if draft.revise is not None:
        event = {"event": "revised", "seq": draft.revise, "by": event}
    shown, wrong, preview = looked(game, event)
    scores: dict[int, int] = {}
    if preview is not None and preview.row is not None and preview.row.settlement is not None:
        scores = {standing.player(at): found.score for at, found in preview.row.settlement.hands}
    winning = {one.get("player") for one in draft.winners}
    discards = all(one.get("by") == BY[0] for one in draft.winners)
    return page(
        request,
        "tabledeal.html",
        422 if wrong else 200,
        private=True,
        token=token,
        access=access,
        game=game,
        rules=game.rules,
        draft=draft,
        event=json.dumps(event),
        seen=shown,
        wrong=wrong,
        meanwhile=booked_since(game, draft.version),
        title="Edit a deal" if draft.revise is not None else "The deal",
        where=where(standing, game.rules),
        players=[seat(standing, player) for player in range(4)],
        name=lambda player: named(standing, player),
        quick_words=quick_words,
        scores=scores,
        losing=[player for player in range(4) if player not in winning],
        several=discards and len(draft.winners) < 3,
        **booking(game),
    )
