"""A won deal told so far: what it all pays, with more winners and the losers' hands."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Final
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.datastructures import QueryParams
from starlette.responses import RedirectResponse, Response

from tenbo.facts import SEATS
from tenbo.fields import MOST_POINTS
from tenbo.ledger import Game
from tenbo.ledger.standing import Standing
from tenbo.ledger.store import Access, Store
from tenbo.quick import KEYS
from tenbo.situation import BY
from tenbo.web.access import at_table
from tenbo.web.booking import at_address, booked_since, booking, looked
from tenbo.web.dealdraft import DealDraft, Form, read_draft
from tenbo.web.faults import Faults, add, placed, told, whole
from tenbo.web.pages import page
from tenbo.web.quickentry import only_one, way_of, worth_of
from tenbo.web.tableview import named, quick_words, seat, where
from tenbo.web.winpages import LOSER, answer_of, asked_of, quick_page, standing_for, win_page

router = APIRouter(include_in_schema=False, prefix="/t")
_ABOUT: Final = ("event", "seen", "key", "do")  # what a form says beside the deal


@router.post("/{token}/deal")
async def deal(request: Request, token: str) -> Response:
    """A won deal so far: what it pays, with another winner, a loser's hand, or what was changed."""
    form = await request.form()

    def work(store: Store, access: Access) -> Response:
        answer = _told(request, token, access, store.game(access), form)
        if answer.status_code == 303 or not (_enters(form) or read_draft(form).winners):
            return answer
        said = [(key, value) for key, value in form.multi_items() if isinstance(value, str) and key not in _ABOUT]
        return at_address(f"/t/{token}/deal?{urlencode(said)}", lambda: answer)

    return await at_table(request, token, work, scoring=True)


@router.get("/{token}/deal")
async def told_deal(request: Request, token: str) -> Response:
    """The deal that an address tells: what it pays."""
    query = request.query_params

    def work(store: Store, access: Access) -> Response:
        game = store.game(access)
        if _enters(query):
            return _told(request, token, access, game, query)
        draft = read_draft(query)
        if not draft.winners:
            return RedirectResponse(f"/t/{token}/win?{draft.query()}", 303)
        return deal_page(request, token, access, game, draft, changed="changed" in query)

    return await at_table(request, token, work, scoring=True)


def _enters(form: Form) -> bool:
    """Whether a form brings a hand or its worth."""
    return any(form.get(key) for key in (LOSER, "seat", "hand", "quick"))


def _told(request: Request, token: str, access: Access, game: Game, form: Form) -> Response:
    """Where a form of a deal leads: a page that is sent on to, or itself with what is wrong."""
    draft = read_draft(form)
    if _enters(form):
        taken = _taken(request, token, access, form, game, draft)
        if isinstance(taken, Response):
            return taken
        draft = taken
    do = str(form.get("do") or "")
    if do == "add" and game.rules.payment.winners == "all":
        return RedirectResponse(f"/t/{token}/win?{draft.query(**_indicators(draft))}", 303)
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
    if not draft.winners:
        return deal_page(request, token, access, game, draft)
    draft = draft if draft.version is not None else replace(draft, version=game.version)
    address = f"/t/{token}/deal?{draft.query()}"  # its version tells what came between
    return at_address(address, lambda: deal_page(request, token, access, game, draft))


def _indicators(draft: DealDraft) -> dict[str, object]:
    """The indicators that winners told so far had: they lie there for whoever else wins in the deal."""
    out: dict[str, object] = {}
    for key in ("dora", "ura"):
        for one in draft.winners:
            if one.get(key):
                out.setdefault(key, one[key])
    return out


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


def _taken(
    request: Request, token: str, access: Access, form: Form, game: Game, draft: DealDraft
) -> DealDraft | Response:
    """The draft with the hand or quick entry that a form brings; or its page, saying what is wrong."""
    standing = standing_for(game, draft)
    query = QueryParams([(key, value) for key, value in form.multi_items() if isinstance(value, str)])
    asked = asked_of(query, game, draft)
    seat_ = str(form.get("seat") or "")
    if form.get(LOSER):
        player = standing.player(SEATS.index(seat_)) if seat_ in SEATS else None
        if player is None or answer_of(query, asked).stage != "scored":
            return win_page(request, token, access, game, query, "this hand cannot be taken as it is")
        return replace(draft, losers={**draft.losers, player: {"hand": asked.entry.text}})
    faults: Faults = {}
    way = way_of(form, standing, draft, game.rules, faults)
    if form.get("quick"):
        winner = way | worth_of(form, game.rules, faults)
        if not faults:
            faults = _refused(game, draft.added(winner), winner["player"])
        return quick_page(request, token, access, game, draft, form, faults) if faults else draft.added(winner)
    if faults:
        return win_page(request, token, access, game, query, ". ".join(faults.values()))
    if answer_of(query, asked).stage != "scored":
        return win_page(request, token, access, game, query, "only a hand that scores can be booked")
    winner = {**way, "hand": asked.entry.completed().text}
    winner |= {"flags": list(asked.flags)} if asked.flags else {}
    winner |= {key: value for key, value in (("dora", asked.dora), ("ura", asked.ura)) if value}
    return draft.added(winner)


def _refused(game: Game, draft: DealDraft, player: int) -> Faults:
    """What these rules refuse of a quick entry, at its fields; the rest is said with the deal."""
    _, found, _ = looked(game, draft.booked())
    fields: dict[object, str] = {key: f"q.{key}" for key in KEYS}
    of = f"winner {standing_for(game, draft).seat(player)}: "
    mine = [replace(one, message=one.message.removeprefix(of)) for one in found if one.message.startswith(of)]
    return placed([one for one in mine if one.at in fields], fields, game.rules)


def deal_page(
    request: Request, token: str, access: Access, game: Game, draft: DealDraft, *, changed: bool = False
) -> Response:
    """What a won deal pays, with its winners and the losers' hands to be changed.

    Args:
        request: The request.
        token: The table's token.
        access: What it opens.
        game: The game.
        draft: The deal so far.
        changed: Whether it was to be booked with changes whose preview nobody had seen.
    """
    standing = standing_for(game, draft)
    event = draft.booked()
    shown, found, preview = looked(game, event)
    faults = _of_losers(game, draft)
    wrong = [] if faults else told(found, game.rules, standing)
    alone = game.rules.payment.winners == "first"
    if alone and len(draft.winners) > 1:
        wrong.append(f"{only_one(standing, draft)}. Take out who does not win")
        shown = None
    scores: dict[int, int] = {}
    if preview is not None and preview.row is not None and preview.row.settlement is not None:
        scores = {standing.player(at): found.score for at, found in preview.row.settlement.hands}
    winning = {one.get("player") for one in draft.winners}
    discards = all(one.get("by") == BY[0] for one in draft.winners)
    return page(
        request,
        "tabledeal.html",
        422 if wrong or faults else 200,
        private=True,
        token=token,
        access=access,
        game=game,
        rules=game.rules,
        draft=draft,
        changed=changed,
        event=json.dumps(event),
        seen=shown,
        wrong=wrong,
        faults=faults,
        meanwhile=booked_since(game, draft.version),
        title="Edit a deal" if draft.revise is not None else "The deal",
        where=where(standing, game.rules),
        players=[seat(standing, player) for player in range(4)],
        name=lambda player: named(standing, player),
        quick_words=quick_words,
        scores=scores,
        losing=[player for player in range(4) if player not in winning],
        several=not alone and discards and len(draft.winners) < 3,
        **booking(game),
    )


def _of_losers(game: Game, draft: DealDraft) -> Faults:
    """What is wrong with what was typed of losers and of who is liable, at the fields of the form."""
    faults: Faults = {}
    standing = standing_for(game, draft)
    for player, said in draft.losers.items():
        if "hand" in said and "score" in said:
            add(faults, f"loser.{player}.score", "give the hand or the score, not both: empty one of the two")
        elif "score" in said:
            whole(said["score"], f"loser.{player}.score", "the score", 0, MOST_POINTS, faults)
        else:
            query = QueryParams({"hand": said["hand"], "seat": standing.seat(player), LOSER: str(player)})
            found = answer_of(query, asked_of(query, game, DealDraft(revise=draft.revise)))
            if found.stage != "scored":
                add(faults, f"loser.{player}.hand", ". ".join((found.head, *found.problems)))
    for i, one in enumerate(draft.winners):
        for item in one.get("liable") or ():
            whole(str(item.get("limit_hands")), f"liable.{i}.hands", "the limit hands", 1, 100, faults)
    return faults
