"""Booking from a page: an event is shown first, booked once, and never on top of what nobody has seen."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from secrets import token_hex
from typing import Any, Final

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tenbo.errors import Problem, ReadError, TenboError
from tenbo.ledger import Game
from tenbo.ledger.events import Event
from tenbo.ledger.game import Preview
from tenbo.ledger.store import Access, Booked, ConflictError, Store
from tenbo.web.dealdraft import read_draft
from tenbo.web.faults import told
from tenbo.web.pages import page
from tenbo.web.tablelog import revisions
from tenbo.web.tableview import Seen, happened, seen

_AT: Final = re.compile(r"(?:undo|(?:remove|restore)/\d{1,6}|event)(?:\?[\w.%+&=~-]*)?", re.ASCII)
_LONGEST_ADDRESS: Final = 6_000  # servers and proxies between here and the phone read 8 KB at least


def booking(game: Game) -> dict[str, Any]:
    """What a form needs to book: the version that was seen, and a key under which it books once."""
    return {"version": game.version, "key": token_hex(12)}


def looked(game: Game, event: Event) -> tuple[Seen | None, tuple[Problem, ...], Preview | None]:
    """What an event would do; or why it makes no sense."""
    try:
        preview = game.preview(event)
    except TenboError as error:
        return None, error.problems, None
    return seen(game, preview), (), preview


def book(store: Store, access: Access, form: FormData) -> Booked:
    """Books the event that a form has as `event`, seen at the version `seen`, under `key`.

    Raises:
        TenboError: It makes no sense here.
        StoreError: As for `Store.append`.
    """
    try:
        event = json.loads(str(form.get("event") or ""))
    except (ValueError, RecursionError):
        event = None
    if not isinstance(event, dict):
        raise ReadError([Problem("bad_json", "the form lost its event: go back and try again", "event")])
    version, key = str(form.get("seen") or ""), str(form.get("key") or "")
    if not version.isdigit() or not key.isalnum() or len(key) > 64:
        raise ReadError([Problem("bad_value", "the form lost what it was about: go back and try again", "seen")])
    return store.append(access, event, int(version), key)


def event_page(
    request: Request,
    token: str,
    access: Access,
    game: Game,
    event: Event | None,
    title: str,
    wrong: Sequence[str] = (),
    meanwhile: Sequence[str] = (),
    status: int = 200,
    *,
    verb: str = "Book",
) -> Response:
    """What an event would do, and the button that books it; or why it cannot be booked.

    Args:
        request: The request.
        token: The table's token.
        access: What it opens.
        game: The game.
        event: The event; None where there is none to book.
        title: What it is called.
        wrong: What is wrong.
        meanwhile: What was booked since it was first told.
        status: The HTTP status.
        verb: What the button says.
    """
    shown, problems, _ = looked(game, event) if event is not None else (None, (), None)
    found = [*wrong, *told(problems, game.rules, game.standing)]
    return page(
        request,
        "tableevent.html",
        422 if found and status == 200 else status,
        private=True,
        token=token,
        access=access,
        game=game,
        rules=game.rules,
        title=title,
        event=None if event is None else json.dumps(event),
        seen=shown,
        wrong=found,
        meanwhile=meanwhile,
        verb=verb,
        at=request.url.path.removeprefix(f"/t/{token}/") + (f"?{request.url.query}" if request.url.query else ""),
        **booking(game),
    )


def at_address(address: str, page: Callable[[], Response]) -> Response:
    """Sends on to a page's own address, so that going back to it sends no form again; a very long one has none."""
    return RedirectResponse(address, 303) if len(address) <= _LONGEST_ADDRESS else page()


def booked_since(game: Game, version: int | None) -> list[str]:
    """What was booked after a version, in words; nothing where none is known."""
    if version is None or version >= game.version:
        return []
    rows = [happened(row, game.rules) for row in game.rows if row.seq > version]
    return [*rows, *(f"{one.verb}: {one.before}" for one in reversed(revisions(game)) if one.seq > version)]


def conflict_page(request: Request, token: str, access: Access, error: ConflictError, form: FormData) -> Response:
    """Somebody else booked: what it was, what this would do now, and the question whether it still stands."""
    draft, at = read_draft(form), str(form.get("at") or "")
    if draft.winners:
        began = error.expected if draft.version is None else min(draft.version, error.expected)
        return RedirectResponse(f"/t/{token}/deal?{replace(draft, version=began).query()}", 303)
    if _AT.fullmatch(at) and len(at) <= _LONGEST_ADDRESS:
        return RedirectResponse(f"/t/{token}/{at}{'&' if '?' in at else '?'}since={error.expected}", 303)
    try:
        event = json.loads(str(form.get("event") or ""))
    except (ValueError, RecursionError):
        event = None
    return event_page(
        request,
        token,
        access,
        error.game,
        event if isinstance(event, dict) else None,
        "Booked meanwhile",
        meanwhile=booked_since(error.game, error.expected),
        status=409,
    )
