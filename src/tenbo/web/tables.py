"""Tables over REST, on the store. The pages use the same functions.

    POST   /api/tables                         a new table        -> 201 {id, version, score, watch, table}
    POST   /api/tables/import                  one from a game file    (the same)
    GET    /api/tables/{table}                 where it stands    -> 200 {id, name, role, rules, ..., points, deals}
    GET    /api/tables/{table}/history         every event        -> 200 {version, events}
    POST   /api/tables/{table}/preview         what an event would do  -> 200 {version, row, points, ranking, problems}
    POST   /api/tables/{table}/events          books an event     -> 201 {version, seq, row, table, problems}
    GET    /api/tables/{table}/export.jsonl    the game file; also .json and .csv
    GET    /api/tables/{table}/live            server-sent events (`tenbo.web.live`)
    POST   /api/tables/{table}/rematch         another game of the same players -> 201 as a new table
    DELETE /api/tables/{table}                 asks to export and confirm, then -> 204

`{table}` is the table's id, with its token in `Authorization: Bearer TOKEN`; or it is the token itself, as in the
capability link `/t/TOKEN`. `ETag` is the version: the number of events. Booking needs `If-Match`: 409 tells what
happened meanwhile; with the same `Idempotency-Key` an event is booked once and answered alike.

For pages: `at_table(request, token, work, scoring=...)` looks a token up and does work in a thread, `in_thread` does
work without a token; `first_event` and `new_table` make a table; `table_record`, `booked_record` and what is in
`tenbo.ledger.history` are what the routes answer. Followers are told of whatever `Store.append` books.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from secrets import SystemRandom
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from tenbo.errors import Problem, ReadError, error_for, shown, unknown_keys
from tenbo.ledger import Event, Game, rematch
from tenbo.ledger.events import EVENT_KEYS, kind_of, read_started
from tenbo.ledger.history import history, preview_record, row_record, summary
from tenbo.ledger.store import Access, Booked, Created, Store
from tenbo.ledger.store.store import LONGEST_KEY, now_text
from tenbo.records import read_json, write_json
from tenbo.rulefile import PRESETS, unknown_rules
from tenbo.ruleset import load_rules, parse_rules
from tenbo.web.access import Tables, at_table, etag, expected_version, in_thread
from tenbo.web.body import read_body
from tenbo.web.problems import ProblemError
from tenbo.web.ratelimit import RateLimit, caller_of
from tenbo.web.tabledocs import APPEND, CREATE, DELETE, HISTORY, PREVIEW, READ, REMATCH

MOST_EVENT_BYTES: Final = 64 * 1024
MOST_CREATE_BYTES: Final = 128 * 1024
JSON: Final = "application/json"
_SEATS: Final = ("kept", "turned", "drawn")
_KEY: Final = re.compile(rf"[!-~]{{1,{LONGEST_KEY}}}")
_PRIVATE: Final = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}
_SECRET: Final = {"Cache-Control": "no-store"}

router = APIRouter(prefix="/api/tables", tags=["tables"])
Record = dict[str, Any]
TablePath = Annotated[str, Path(description="The table's id (with a token in the header), or a token itself.")]


# ------------------------------------------------------------------------------------------------------------- records


def table_record(access: Access, game: Game) -> Record:
    """A table as it is read: what it is, where it stands, and every deal."""
    table, started = access.table, game.lines[0]
    return {
        "id": table.id,
        "name": table.name,
        "created": table.created,
        "role": access.role,
        "rules": game.rules.name,
        "title": game.rules.title,
        "options": started.get("options") or {},
        "start": game.started.start,
        "stake": started.get("stake"),
        **summary(game),
        "deals": [row.record() for row in game.deals],
    }


def booked_record(booked: Booked) -> Record:
    """The answer to a booked event: the same, however often it is asked for."""
    game, seq = booked.game, booked.seq
    event = game.lines[seq - 1]
    shown_at = event["seq"] if event["event"] == "revised" else seq
    row = next((row for row in game.rows if row.seq == shown_at), None)
    return {
        "version": game.version,
        "seq": seq,
        "row": None if row is None else row_record(row),
        "table": summary(game),
        "problems": [row_record(row, scores=False) for row in game.rows if row.problems],
    }


def created_record(request: Request, made: Created) -> Record:
    """The answer to a new table: the only place where its tokens are ever seen."""

    def link(token: str) -> Record:
        return {"token": token, "path": f"/t/{token}", "link": f"{request.base_url}t/{token}"}

    return {
        "id": made.table.id,
        "version": made.game.version,
        "score": link(made.score),
        "watch": link(made.watch),
        "table": table_record(Access(made.table, "score"), made.game),
    }


def read_object(body: bytes) -> Record:
    """A body that is a JSON object.

    Raises:
        ReadError: It is none.
    """
    found = read_json(body)
    if not isinstance(found, dict):
        raise ReadError([Problem("bad_json", f"this takes a JSON object, not {shown(found)}", None)])
    return found


def first_event(given: Mapping[str, Any]) -> Record:
    """The first event of a table from what a stranger asks for: the keys of `started`, only presets and texts as rules.

    Raises:
        TenboError: Something is wrong; all of it is listed.
    """
    problems: list[Problem] = []
    unknown_keys(given, ("name", *EVENT_KEYS["started"], "when"), problems)
    if problems:
        raise error_for(problems)
    name, text = given.get("rules"), given.get("ruleset")
    if text is None:
        if name is None:
            message = f"say which rules: one of {', '.join(PRESETS)}, or a ruleset's text as 'ruleset'"
            raise ReadError([Problem("missing_field", message, "rules")])
        if not isinstance(name, str) or name not in PRESETS:
            raise unknown_rules(name)
        rules = load_rules(name)
    elif not isinstance(text, str):
        raise ReadError([Problem("bad_value", f"'ruleset' must be the rules' text, not {shown(text)}", "ruleset")])
    else:
        if name is not None and (not isinstance(name, str) or len(name) > 200):
            raise ReadError([Problem("bad_value", "'rules' must be a name of at most 200 characters", "rules")])
        rules = parse_rules(text, name or None)
    event: Record = {"event": "started", "rules": rules.name, "options": given.get("options") or {}}
    event["ruleset"] = rules.text
    keys = ("players", "start", "stake", "points", "dealer", "round", "honba", "sticks", "kitty", "when")
    event |= {key: given[key] for key in keys if given.get(key) is not None}
    started = read_started(event)
    event["start"] = started.start
    return event


def new_table(request: Request, store: Store, events: list[Event], name: str = "") -> Created:
    """Makes a table, unless too many were made from where the request comes from.

    Raises:
        ProblemError: Too many were (429).
        TenboError: The events or the name cannot be used.
    """
    limit: RateLimit = request.app.state.creating
    wait = limit.take(caller_of(request.client.host if request.client else ""))
    if wait:
        seconds = int(wait) + 1
        message = f"too many tables were made from your address: try again in {seconds} s"
        raise ProblemError(429, message, {"Retry-After": str(seconds)})
    return store.create(events, name=name)


def answer(record: Record, version: int, status: int = 200, headers: Mapping[str, str] = _PRIVATE) -> Response:
    """A record as an answer, with the version as its entity tag."""
    return Response(write_json(record), status, {**headers, "ETag": etag(version)}, JSON)


def made_answer(request: Request, made: Created) -> Response:
    """The answer to a new table."""
    record = created_record(request, made)
    return answer(record, made.game.version, 201, {**_SECRET, "Location": f"/api/tables/{made.table.id}"})


def idempotency_key(request: Request) -> str | None:
    """The request's idempotency key.

    Raises:
        ProblemError: It is none (400).
    """
    key = request.headers.get("idempotency-key")
    if key is not None and not _KEY.fullmatch(key):
        raise ProblemError(400, f"an Idempotency-Key has 1 to {LONGEST_KEY} visible ASCII characters")
    return key


async def _scorers_body(request: Request, table: str) -> bytes:
    """The body of a request that only scorers may make: who may not is told that first, whatever the body is."""
    try:
        return await read_body(request, MOST_EVENT_BYTES)
    except ProblemError:
        await at_table(request, table, lambda store, access: None, scoring=True)
        raise


# -------------------------------------------------------------------------------------------------------------- routes


@router.post("", status_code=201, summary="Make a table", openapi_extra=CREATE, response_class=Response)
async def create(request: Request) -> Response:
    """Makes a table and answers with its two links: one to keep score, one to watch. Neither can be guessed."""
    body = await read_body(request, MOST_CREATE_BYTES)
    tables: Tables = request.app.state.tables

    def work() -> Response:
        given = read_object(body)
        name = given.get("name")
        if name is not None and not isinstance(name, str):
            raise ReadError([Problem("bad_value", f"'name' must be a text, not {shown(name)}", "name")])
        event = {"when": now_text(), **first_event(given)}
        made = new_table(request, tables.store(), [event], name or "")
        return made_answer(request, made)

    return await in_thread(work)


@router.get("/{table}", summary="Read a table", openapi_extra=READ, response_class=Response)
async def read(request: Request, table: TablePath) -> Response:
    """Where a table stands: points, names, dealer, round, what lies on the table, ranking, and every deal."""
    seen = request.headers.get("if-none-match")

    def work(store: Store, access: Access) -> Response:
        version = access.table.version
        if seen is not None and (seen.strip() == "*" or etag(version) in seen):
            return Response(None, 304, {**_PRIVATE, "ETag": etag(version)})
        game = store.game(access)
        return answer(table_record(access, game), game.version)

    return await at_table(request, table, work)


@router.get("/{table}/history", summary="Read a table's history", openapi_extra=HISTORY, response_class=Response)
async def read_history(
    request: Request,
    table: TablePath,
    after: Annotated[int, Query(ge=0, le=10**9, description="Events up to this line are left out.")] = 0,
) -> Response:
    """Every event as it was added, what it stands for now, what it did, and what changed it."""

    def work(store: Store, access: Access) -> Response:
        game = store.game(access)
        return answer({"version": game.version, "events": history(game, after)}, game.version)

    return await at_table(request, table, work)


@router.post("/{table}/preview", summary="Preview an event", openapi_extra=PREVIEW, response_class=Response)
async def preview(request: Request, table: TablePath) -> Response:
    """What an event would do: every transfer by payer, payee and reason, and the new totals. Books nothing."""
    body = await read_body(request, MOST_EVENT_BYTES)

    def work(store: Store, access: Access) -> Response:
        event = read_object(body)
        kind_of(event)
        game = store.game(access)
        return answer(preview_record(game, game.preview(event)), game.version)

    return await at_table(request, table, work)


@router.post("/{table}/events", status_code=201, summary="Book an event", openapi_extra=APPEND, response_class=Response)
async def append(request: Request, table: TablePath) -> Response:
    """Books an event; it is on the disk when this answers. Undo and edit are events, too: `revised`."""
    body = await _scorers_body(request, table)

    def work(store: Store, access: Access) -> Response:
        version, key = expected_version(request), idempotency_key(request)
        event = read_object(body)
        kind_of(event)
        booked = store.append(access, event, version, key)
        return answer(booked_record(booked), booked.game.version, 201)

    return await at_table(request, table, work, scoring=True)


@router.post("/{table}/rematch", status_code=201, summary="Play again", openapi_extra=REMATCH, response_class=Response)
async def play_again(request: Request, table: TablePath) -> Response:
    """Makes another table for the same players under the same rules: seats `kept`, `turned` or `drawn`."""
    body = await _scorers_body(request, table)

    def work(store: Store, access: Access) -> Response:
        given = read_object(body)
        problems: list[Problem] = []
        unknown_keys(given, ("seats", "name"), problems)
        seats, name = given.get("seats", "kept"), given.get("name")
        if name is None:
            name = access.table.name
        if seats not in _SEATS:
            problems.append(Problem("bad_value", f"'seats' must be one of {', '.join(_SEATS)}", "seats"))
        if not isinstance(name, str):
            problems.append(Problem("bad_value", f"'name' must be a text, not {shown(name)}", "name"))
        if problems:
            raise error_for(problems)
        event = rematch(store.game(access), seats, draw=SystemRandom(), when=now_text())
        return made_answer(request, new_table(request, store, [event], name))

    return await at_table(request, table, work, scoring=True)


@router.delete("/{table}", status_code=204, summary="Delete a table", openapi_extra=DELETE, response_class=Response)
async def delete(
    request: Request,
    table: TablePath,
    confirm: Annotated[str, Query(max_length=40, description="The table's id, to say that it is meant.")] = "",
) -> Response:
    """Deletes a table for good.

    The first request only answers where to export the game; send it again with the version exported in `If-Match` and
    the table's id as `confirm`.
    """

    def work(store: Store, access: Access) -> Response:
        id, version = access.table.id, access.table.version
        if confirm != id or request.headers.get("if-match") is None:
            raise ProblemError(
                428,
                "save the game first, if it is to be kept; then send this again with the version you saved in "
                "If-Match and the table's id as 'confirm'",
                {"ETag": etag(version)},
                export=f"/api/tables/{id}/export.jsonl",
                confirm=id,
                version=version,
            )
        expected = expected_version(request)
        if expected is None:
            raise ProblemError(400, "deleting needs the very version that was saved in If-Match, not *")
        store.delete(access, expected)
        return Response(None, 204)

    return await at_table(request, table, work, scoring=True)
