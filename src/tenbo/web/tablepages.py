"""A table's pages: starting one, where it stands, its history and links, and everything that is not a deal."""

from __future__ import annotations

import json
from collections.abc import Mapping
from secrets import SystemRandom
from typing import Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.datastructures import UploadFile
from starlette.responses import RedirectResponse, Response

from tenbo.errors import Problem, TenboError
from tenbo.explain import words
from tenbo.fields import MOST_START
from tenbo.ledger import rematch
from tenbo.ledger.events import LONGEST_NAME, Event
from tenbo.ledger.history import summary
from tenbo.ledger.store import Access, ConflictError, Created, Store
from tenbo.ledger.store.store import now_text
from tenbo.rulefile import PRESETS
from tenbo.ruleset import load_rules
from tenbo.web.access import Tables, at_table, in_thread
from tenbo.web.asked import OPTION, asked_options, asked_rules, written
from tenbo.web.booking import at_address, book, booked_since, conflict_page, event_page
from tenbo.web.dealdraft import Form, read_draft
from tenbo.web.faults import Faults, add, name, placed, plainly, told, whole
from tenbo.web.formpages import more_page
from tenbo.web.house import clean_title, in_force, option_words, titled
from tenbo.web.pages import first_up, page, preset_titles
from tenbo.web.problems import ProblemError, problem_page
from tenbo.web.tablefiles import MOST_BYTES, read_export
from tenbo.web.tablelog import revisions
from tenbo.web.tableqr import qr
from tenbo.web.tables import first_event, new_table
from tenbo.web.tableview import (
    chart,
    dealt,
    hands_of,
    happened,
    moves,
    named,
    on_table,
    result_text,
    seats_of,
    where,
    why_not,
)

router = APIRouter(include_in_schema=False, prefix="/t")
_SHORT: Final = 5
_READ_AT_MOST: Final = 1_000
_START_FIELDS: Final[Mapping[object, str]] = {key: key for key in ("start", "stake", "name", "rules")}


def home(token: str) -> str:
    """A table's address."""
    return f"/t/{token}"


# ------------------------------------------------------------------------------------------------------------ new ones


@router.get("")
async def start(request: Request) -> Response:
    """The form for a new table; with what is wrong where it was sent before."""
    query = request.query_params

    def work() -> Response:
        if "tried" in query:
            return _begun(request, query)[0]
        problems: list[Problem] = []
        rules = asked_rules(query.get("rules"), asked_options(query), problems)
        wrong = told(problems, rules)
        given = {"rules": rules.name, "title": query.get("title", "")}
        return start_page(request, given, {"": ". ".join(wrong)} if wrong else {}, rules.values)

    return await in_thread(work)


def start_page(
    request: Request, given: Mapping[str, Any], faults: Faults, options: Mapping[str, Any], status: int = 200
) -> Response:
    """The form for a new table, filled in.

    Args:
        request: The request.
        given: What it is filled in with.
        faults: What is wrong, by field.
        options: The house rules that it carries.
        status: The HTTP status.
    """
    return page(
        request,
        "tablenew.html",
        status,
        private=True,
        titles=preset_titles(),
        given=given,
        title=clean_title(str(given.get("title") or "")),
        options={OPTION + key: written(value) for key, value in options.items()},
        house=[f"{key.replace('_', ' ')}: {option_words(value)}" for key, value in options.items()],
        starts={name: load_rules(name).table.start for name in PRESETS},
        faults=faults,
        longest_name=LONGEST_NAME,
    )


@router.post("")
async def create(request: Request) -> Response:
    """Makes a table and sends on to its two links."""
    form = await request.form()
    tables: Tables = request.app.state.tables

    def work() -> Response:
        again, event, called = _begun(request, form)
        if event is None:
            said = [(key, value) for key, value in form.multi_items() if isinstance(value, str) and value]
            return at_address(f"/t?{urlencode([*said, ('tried', '1')])}", lambda: again)
        try:
            return _made(new_table(request, tables.store(), [{"when": now_text(), **event}], called))
        except ProblemError as error:  # too many tables: what was typed is still there when it may be sent again
            return _begun(request, form, error)[0]

    return await in_thread(work)


def _begun(request: Request, form: Form, failed: ProblemError | None = None) -> tuple[Response, Event | None, str]:
    """The form for a new table as it was sent, with what is wrong; the event that begins it where nothing is; its name.

    Args:
        request: The request.
        form: What was sent.
        failed: Why the table was not made although nothing was wrong with it.
    """
    said = {key: value.strip()[:_READ_AT_MOST] for key, value in form.items() if isinstance(value, str)}
    options = asked_options(form)
    faults: Faults = {}
    given: dict[str, Any] = {"rules": said.get("rules"), "options": options}
    names = [name(said.get(f"player{i}", ""), f"player{i}", faults) for i in range(4)]
    given["players"] = [one if one and f"player{i}" not in faults else f"Player {i + 1}" for i, one in enumerate(names)]
    if (title := clean_title(said.get("title", ""))) and given["rules"] in PRESETS:
        given["ruleset"] = titled(load_rules(given["rules"]), title)
    if said.get("start"):
        given["start"] = whole(said["start"], "start", "start points", 0, MOST_START, faults)
    if said.get("stake"):
        given["stake"] = said["stake"].replace(",", ".")
    called = name(said.get("name", ""), "name", faults)
    if "start" in faults:
        del given["start"]  # what else is wrong is said at the same time
    event: Event | None = None
    try:
        event = first_event(given)
    except TenboError as error:
        for field, fault in placed([one for one in error.problems if one.at not in options], _START_FIELDS).items():
            add(faults, field, fault)
        if any(one.at in options for one in error.problems):
            message = (
                "The house rules below are not of these rules: choose those that they belong to, or leave them out"
            )
            faults["rules"] = message
    if failed is not None:
        faults[""] = first_up(failed.detail)
    status = failed.status if failed is not None else 422 if faults else 200
    answer = start_page(request, said, faults, options, status)
    answer.headers.update((failed.headers if failed is not None else None) or {})
    return answer, None if faults else event, called


@router.post("/open")
async def open_file(request: Request) -> Response:
    """Makes a table of a game file."""
    form = await request.form()
    file = form.get("file")
    body = await file.read(MOST_BYTES + 1) if isinstance(file, UploadFile) else b""
    await form.close()
    tables: Tables = request.app.state.tables

    def work() -> Response:
        if not body.strip():
            return start_page(request, {}, {"file": "Choose the file of a game"}, {}, 422)
        if len(body) > MOST_BYTES:
            message = f"The file is larger than {MOST_BYTES // 1_000_000} MB: no game is"
            return start_page(request, {}, {"file": message}, {}, 422)
        try:
            made = new_table(request, tables.store(), list(read_export(body)))
        except TenboError as error:
            first = error.problems[0]
            message = "This is not a game file: choose one that was downloaded from a table, as game file or JSON"
            if first.code != "bad_json":
                message = f"This game file was changed, or is not one of tenbo’s: {plainly(first)}"
            return start_page(request, {}, {"file": message}, {}, 422)
        except ProblemError as error:
            answer = start_page(request, {}, {"file": first_up(error.detail)}, {}, error.status)
            answer.headers.update(error.headers or {})
            return answer
        return _made(made)

    return await in_thread(work)


def base_of(request: Request) -> str:
    """The address that links to be sent on begin with: not "localhost" where other phones reach another one."""
    known = getattr(request.app.state, "address", None)
    local = request.url.hostname in ("localhost", "127.0.0.1", "::1")
    return known if local and isinstance(known, str) else str(request.base_url)


def _made(made: Created) -> Response:
    """Sends on to the two links of a new table."""
    return RedirectResponse(f"{home(made.score)}/links?watch={made.watch}", 303, {"Cache-Control": "no-store"})


# ------------------------------------------------------------------------------------------------------ where it stands


@router.get("/{token}")
async def table(request: Request, token: str) -> Response:
    """Where a table stands; with a token for scoring, what can be done."""
    return await at_table(request, token, lambda store, access: table_page(request, token, store, access))


def table_page(request: Request, token: str, store: Store, access: Access, done: str = "") -> Response:
    """A table's main page."""
    game = store.game(access)
    standing, rules = game.standing, game.rules
    rows = list(reversed(game.rows))
    return page(
        request,
        "table.html",
        private=True,
        token=token,
        access=access,
        game=game,
        rules=rules,
        seats_at=seats_of(game),
        standing=standing,
        where=where(standing, rules),
        lying=on_table(standing, rules),
        doubles=words(rules),
        force=in_force(rules),
        summary=summary(game),
        result_text=result_text,
        rows=rows[:_SHORT],
        more=max(len(rows) - _SHORT, 0),
        happened=happened,
        dealt=dealt,
        why=why_not,
        moves=moves,
        hands_of=hands_of,
        chart=chart(game),
        bets=set(request.query_params.getlist("bet")),
        done=done,
    )


@router.get("/{token}/history")
async def history(request: Request, token: str) -> Response:
    """Every event with what it did, and what was changed."""

    def work(store: Store, access: Access) -> Response:
        game = store.game(access)
        changed = {line["seq"] for line in game.lines if line["event"] == "revised" and type(line.get("seq")) is int}
        return page(
            request,
            "tablehistory.html",
            private=True,
            token=token,
            access=access,
            game=game,
            rules=game.rules,
            rows=list(reversed(game.rows)),
            changed=changed,
            revisions=revisions(game),
            happened=happened,
            dealt=dealt,
            why=why_not,
            moves=moves,
            hands_of=hands_of,
            names=[named(game.standing, player) for player in range(4)],
        )

    return await at_table(request, token, work)


@router.get("/{token}/links")
async def links(request: Request, token: str) -> Response:
    """The link that this page was opened with, to be sent on; both of a new table, the only time they are ever seen."""
    watch = request.query_params.get("watch", "")

    def work(store: Store, access: Access) -> Response:
        other = store.access(watch) if watch and access.may_score else None
        fresh = other is not None and other.table.id == access.table.id and not other.may_score
        found = []
        for role, key in ((access.role, token), *((("watch", watch),) if fresh else ())):
            link = f"{base_of(request)}t/{key}"
            found.append({"role": role, "path": home(key), "link": link, "qr": qr(link)})
        return page(request, "tablelinks.html", private=True, links=found, table=access.table, fresh=fresh, token=token)

    return await at_table(request, token, work)


# ------------------------------------------------------------------------------------------------------------- booked


@router.post("/{token}/book")
async def book_event(request: Request, token: str) -> Response:
    """Books an event that was shown; a deal changed since is shown first."""
    form = await request.form()

    def work(store: Store, access: Access) -> Response:
        draft = read_draft(form)
        if draft.winners and json.dumps(draft.booked()) != form.get("event"):
            return RedirectResponse(f"{home(token)}/deal?{draft.query(changed=1)}", 303)
        try:
            event = book(store, access, form)
        except ConflictError as error:
            return conflict_page(request, token, access, error, form)
        except TenboError as error:
            game = store.game(access)
            wrong = told(error.problems, game.rules, game.standing)
            return event_page(request, token, access, game, None, "This cannot be booked", wrong)
        assert event
        return RedirectResponse(home(token), 303, {"Cache-Control": "no-store"})

    return await at_table(request, token, work, scoring=True)


@router.post("/{token}/rematch")
async def play_again(request: Request, token: str) -> Response:
    """Another game of the same players."""
    form = await request.form()
    seats = str(form.get("seats"))

    def work(store: Store, access: Access) -> Response:
        how: Any = seats if seats in ("kept", "turned", "drawn") else "kept"
        event = rematch(store.game(access), how, draw=SystemRandom(), when=now_text())
        return _made(new_table(request, store, [event], access.table.name))

    return await at_table(request, token, work, scoring=True)


@router.post("/{token}/delete")
async def delete(request: Request, token: str) -> Response:
    """Deletes a table for good, after its name was typed and its export offered."""
    form = await request.form()

    def work(store: Store, access: Access) -> Response:
        game = store.game(access)
        typed = str(form.get("confirm") or "").strip()
        if typed.lower() != "delete":
            fault = "type the word “delete”: without it nothing is deleted"
            return more_page(request, token, access, game, {"confirm": typed[:20]}, {"confirm": first_up(fault)})
        version = str(form.get("version") or "")
        try:
            store.delete(access, int(version) if version.isascii() and version.isdigit() else -1)
        except ConflictError as error:
            since = "; ".join(booked_since(error.game, error.expected))
            fault = (
                f"something was booked meanwhile: {since or 'look at the table'}. Nothing is deleted yet; type it anew"
            )
            return more_page(request, token, access, error.game, {}, {"confirm": first_up(fault)}, 409)
        return problem_page(request, 200, "nothing of it is kept here", title="The table is deleted", table=False)

    return await at_table(request, token, work, scoring=True)
