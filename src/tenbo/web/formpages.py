"""Forms of a table for what is no won deal: draws, penalties, corrections, notes, names, the end; and edits of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from tenbo.ledger import Game
from tenbo.ledger.events import LONGEST_NAME, LONGEST_TEXT, Event
from tenbo.ledger.store import Access, Store
from tenbo.web.access import at_table
from tenbo.web.booking import at_address, booked_since, booking, event_page, looked
from tenbo.web.dealdraft import DealDraft, draft_of, is_player, players, small
from tenbo.web.dealpages import deal_page
from tenbo.web.faults import Faults, placed
from tenbo.web.pages import page
from tenbo.web.simpleevents import Told, read_event
from tenbo.web.tableview import seat, where
from tenbo.web.winpages import standing_for

router = APIRouter(include_in_schema=False, prefix="/t")
_FIELDS: Final[Mapping[object, str]] = {
    **{key: key for key in ("kind", "player", "points", "to", "ready", "bets", "why", "text", "name")},
    "seat": "player",
}


def _players(value: object) -> bool:
    return isinstance(value, list | tuple) and all(map(is_player, value))


_FILLED: Final[Mapping[str, Callable[[object], bool]]] = {
    "kind": lambda value: isinstance(value, str),
    "player": is_player,
    "points": lambda value: type(value) is int,
    "why": lambda value: isinstance(value, str),
    "text": lambda value: isinstance(value, str),
    "name": lambda value: isinstance(value, str),
    "substitute": lambda value: value is True,
    **dict.fromkeys(("ready", "bets", "to"), _players),
}
"""What a form can be filled in with from an event, and what such a value is."""


def form_page(
    request: Request,
    token: str,
    access: Access,
    game: Game,
    kind: str,
    given: Mapping[str, Any],
    faults: Faults,
    revise: int | None = None,
    meanwhile: Sequence[str] = (),
) -> Response:
    """The form for an event, filled in.

    Args:
        request: The request.
        token: The table's token.
        access: What it opens.
        game: The game.
        kind: The event's name.
        given: What it is filled in with.
        faults: What is wrong where it comes back, by field.
        revise: The line that is to be replaced.
        meanwhile: What somebody else booked.
    """
    standing = standing_for(game, DealDraft(revise=revise))
    return page(
        request,
        {"drawn": "tabledrawn.html", "penalty": "tablepenalty.html"}.get(kind, "tableform.html"),
        422 if faults else 200,
        private=True,
        token=token,
        access=access,
        game=game,
        rules=game.rules,
        kind=kind,
        given=given,
        faults=faults,
        meanwhile=meanwhile,
        revise=revise,
        version=small(given, "version") or game.version,  # that of the first time, however often the form comes back
        seats_at=[seat(standing, player) for player in range(4)],
        where=where(standing, game.rules),
        longest_name=LONGEST_NAME,
        longest_text=LONGEST_TEXT,
    )


@router.get("/{token}/draw")
async def draw(request: Request, token: str) -> Response:
    """A drawn deal: its kind, who is ready, who bet."""
    bets = list(players(request.query_params, "bet"))
    given = {"bets": bets, "ready": bets}  # who bet is ready, most likely

    def work(store: Store, access: Access) -> Response:
        return form_page(request, token, access, store.game(access), "drawn", given, {})

    return await at_table(request, token, work, scoring=True)


@router.get("/{token}/penalty")
async def penalty(request: Request, token: str) -> Response:
    """A penalty: which, and whose."""

    def work(store: Store, access: Access) -> Response:
        return form_page(request, token, access, store.game(access), "penalty", {}, {})

    return await at_table(request, token, work, scoring=True)


@router.get("/{token}/more")
async def more(request: Request, token: str) -> Response:
    """Names, notes, corrections, the end of the game, files."""

    def work(store: Store, access: Access) -> Response:
        return more_page(request, token, access, store.game(access), {}, {})

    return await at_table(request, token, work, scoring=True)


def more_page(
    request: Request,
    token: str,
    access: Access,
    game: Game,
    given: Mapping[str, Any],
    faults: Faults,
    status: int = 422,
) -> Response:
    """The page for everything that is rare; with a status of its own where something is wrong with what was sent."""
    return page(
        request,
        "tablemore.html",
        status if faults else 200,
        private=True,
        token=token,
        access=access,
        game=game,
        rules=game.rules,
        given=given,
        faults=faults,
        seats_at=[seat(game.standing, player) for player in range(4)],
        longest_name=LONGEST_NAME,
        longest_text=LONGEST_TEXT,
        **booking(game),
    )


@router.get("/{token}/edit/{seq}")
async def edit(request: Request, token: str, seq: int) -> Response:
    """An event of the past, to be changed: a won deal as a draft, others in their form."""

    def work(store: Store, access: Access) -> Response:
        game = store.game(access)
        event = game.in_force(seq) if 1 < seq <= game.version else None
        if event is None or event["event"] in ("revised", "finished"):
            return RedirectResponse(f"/t/{token}/history", 303)
        if event["event"] == "won":
            return deal_page(request, token, access, game, replace(draft_of(event, seq), version=game.version))
        return form_page(request, token, access, game, str(event["event"]), filled(event), {}, seq)

    return await at_table(request, token, work, scoring=True)


def filled(event: Event) -> dict[str, Any]:
    """What the form for an event is filled in with to show it."""
    given = {key: value for key, value in event.items() if key in _FILLED and _FILLED[key](value)}
    changes = event.get("points")
    if event["event"] == "adjusted" and isinstance(changes, list | tuple):
        given |= {f"change{i}": str(value) for i, value in enumerate(changes[:4]) if type(value) is int and value}
    return given


@router.post("/{token}/event")
async def show(request: Request, token: str) -> Response:
    """Sends on to what an event that a form describes would do; or the form once more, with what is wrong."""
    form = await request.form()

    def work(store: Store, access: Access) -> Response:
        said = [(key, value) for key, value in form.multi_items() if isinstance(value, str) and value]
        address = f"/t/{token}/event?{urlencode(said)}"
        return at_address(address, lambda: _told(request, token, access, store.game(access), read_event(form)))

    return await at_table(request, token, work, scoring=True)


@router.get("/{token}/event")
async def shown(request: Request, token: str) -> Response:
    """What the event that an address tells would do."""
    told = read_event(request.query_params)

    def work(store: Store, access: Access) -> Response:
        return _told(request, token, access, store.game(access), told)

    return await at_table(request, token, work, scoring=True)


def _told(request: Request, token: str, access: Access, game: Game, told: Told) -> Response:
    versions = [small(told.given, key) for key in ("version", "since")]
    since = booked_since(game, min((one for one in versions if one is not None), default=None))
    faults = told.faults or _refused(game, told)
    if faults and told.kind != "finished":
        return form_page(request, token, access, game, told.kind, told.given, faults, told.revise, since)
    return event_page(request, token, access, game, told.booked(), told.title, meanwhile=since)


def _refused(game: Game, told: Told) -> Faults:
    _, found, _ = looked(game, told.booked())
    return placed(found, _FIELDS, game.rules, standing_for(game, DealDraft(revise=told.revise)))
