"""What the OpenAPI description says about tables: bodies, answers, examples."""

from __future__ import annotations

from typing import Any, Final

from tenbo.schemas import schema
from tenbo.web.openapi import Described, problem_answer

_OBJECT: Final[Described] = {"type": "object"}
_TEXT: Final[Described] = {"type": "string"}
_VERSION: Final[Described] = {"type": "integer", "minimum": 1}


def _bare(name: str) -> Described:
    """A record's schema as it can stand inside another document."""
    return {key: value for key, value in schema(name).items() if not key.startswith("$")}


def _new_table() -> Described:
    """What a table is made of: the keys of `started`, and a name."""
    started = next(one for one in schema("event")["oneOf"] if one["properties"]["event"] == {"const": "started"})
    properties = {key: value for key, value in started["properties"].items() if key != "event"}
    return {
        "type": "object",
        "required": ["players"],
        "properties": {**properties, "name": {"type": ["string", "null"], "maxLength": 80}},
        "additionalProperties": False,
    }


_EVENT: Final[Described] = {
    "oneOf": [one for one in schema("event")["oneOf"] if one["properties"]["event"] != {"const": "started"}]
}
_STANDS: Final[Described] = {
    **_bare("standing"),
    "properties": {
        "id": _TEXT,
        "name": _TEXT,
        "role": {"enum": ["score", "watch"]},
        "version": _VERSION,
        **_bare("standing")["properties"],
        "players": {"type": "array", "items": _TEXT, "minItems": 4, "maxItems": 4},
    },
}
_LINK: Final[Described] = {
    "type": "object",
    "required": ["token", "path", "link"],
    "properties": {"token": _TEXT, "path": _TEXT, "link": _TEXT},
}
_MADE_OF: Final[Described] = {
    "type": "object",
    "required": ["id", "version", "score", "watch", "table"],
    "properties": {"id": _TEXT, "version": _VERSION, "score": _LINK, "watch": _LINK, "table": _STANDS},
}
_BOOKED: Final[Described] = {
    "type": "object",
    "required": ["version", "seq", "row", "table", "problems"],
    "properties": {
        "version": _VERSION,
        "seq": _VERSION,
        "row": {"type": ["object", "null"]},
        "table": _OBJECT,
        "problems": {"type": "array", "items": _OBJECT},
    },
}
_LINES: Final[Described] = {
    "type": "object",
    "required": ["version", "events"],
    "properties": {"version": _VERSION, "events": {"type": "array", "items": _OBJECT}},
}
WON: Final = {"event": "won", "winners": [{"player": 1, "by": "discard", "from": 2, "han": 3, "fu": 40}]}
_EVENTS: Final[dict[str, Any]] = {
    "won": WON,
    "won_with_a_hand": {
        "event": "won",
        "winners": [
            {"player": 0, "by": "self_draw", "hand": "234m567p2234567s +8s", "flags": ["riichi"], "dora": "1m"}
        ],
        "bets": [0],
    },
    "drawn": {"event": "drawn", "kind": "exhaustive", "ready": [0, 2]},
    "penalty": {"event": "penalty", "kind": "chombo", "player": 3},
    "note": {"event": "note", "text": "tea"},
    "renamed": {"event": "renamed", "player": 2, "name": "Eve", "substitute": True},
    "taken_out": {"event": "revised", "seq": 2, "by": None},
    "edited": {"event": "revised", "seq": 2, "by": WON},
    "finished": {"event": "finished"},
}
_CREATE: Final[dict[str, Any]] = {
    "riichi": {"rules": "riichi", "players": ["Ann", "Bea", "Cid", "Dan"]},
    "house_rules": {
        "rules": "basic",
        "options": {"limit": 300},
        "players": ["Ann", "Bea", "Cid", "Dan"],
        "start": 1000,
        "stake": "0.50",
        "name": "Thursday",
    },
}
_GAME_FILE: Final = '{"event": "started", "rules": "riichi", "players": ["Ann", "Bea", "Cid", "Dan"]}\n'

_IF_MATCH: Final[Described] = {
    "name": "If-Match",
    "in": "header",
    "required": True,
    "description": "The version you have seen, as the ETag said it; `*` books after whatever happened meanwhile.",
    "schema": _TEXT,
    "example": '"1"',
}
_KEY: Final[Described] = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "Any text of your own: the same event with the same key is booked once, however often it is sent.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"},
}
_LAST: Final[Described] = {
    "name": "Last-Event-ID",
    "in": "header",
    "required": False,
    "description": "The version seen last, as browsers say it when they reconnect.",
    "schema": _TEXT,
}
_LOCKED: Final[Described] = {
    "401": problem_answer("There is no token, or it does not open the table."),
    "404": problem_answer("The link opens no table; it may have been deleted."),
    "503": problem_answer("The database does not answer; nothing was changed."),
}
_FULL: Final[Described] = {"507": problem_answer("The disk or the database is full; nothing was changed.")}
_INVALID: Final[Described] = {"422": problem_answer("The address cannot be read.")}
_SCORING: Final[Described] = {"403": problem_answer("The link is for watching.")}
_WRONG: Final[Described] = {
    "413": problem_answer("The body is too large."),
    "422": problem_answer("It cannot be used: `error` is the first code, `errors` all that is wrong."),
}
_CONFLICT: Final[Described] = {
    "409": problem_answer(
        "The table is at another version: `version`, and what happened since yours (`events`, `table`)."
    ),
    "428": problem_answer("`If-Match` is missing."),
    "400": problem_answer("A header cannot be read."),
}
_SECURITY: Final[list[dict[str, list[str]]]] = [{"token": []}, {}]


def _answer(description: str, media: str = "application/json", schema: Described = _OBJECT) -> Described:
    etag = {"ETag": {"description": "The table's version.", "schema": _TEXT}}
    return {"description": description, "headers": etag, "content": {media: {"schema": schema}}}


def _body(examples: dict[str, Any], schema: Described = _OBJECT) -> Described:
    named = {name: {"summary": name.replace("_", " "), "value": value} for name, value in examples.items()}
    return {"required": True, "content": {"application/json": {"schema": schema, "examples": named}}}


_MADE: Final = _answer(
    "The table, with both links. Their tokens are kept nowhere: this answer is the only one.", schema=_MADE_OF
)
_LIMITED: Final[Described] = {
    "429": problem_answer("Too many tables were made from your address; `Retry-After` says when to try again."),
    "503": problem_answer("The database does not answer; nothing was changed."),
}
CREATE: Final[Described] = {
    "requestBody": _body(_CREATE, _new_table()),
    "responses": {"201": _MADE, **_WRONG, **_LIMITED, **_FULL},
}
IMPORT: Final[Described] = {
    "requestBody": {
        "required": True,
        "content": {"application/x-ndjson": {"schema": _TEXT, "example": _GAME_FILE}},
    },
    "responses": {"201": _MADE, **_WRONG, **_LIMITED, **_FULL},
}
READ: Final[Described] = {
    "security": _SECURITY,
    "responses": {
        "200": _answer("Where the table stands, and its deals.", schema=_STANDS),
        "304": {"description": "It is still at the version in `If-None-Match`."},
        **_INVALID,
        **_LOCKED,
    },
}
HISTORY: Final[Described] = {
    "security": _SECURITY,
    "responses": {
        "200": _answer("`{version, events}`: every event, what became of it, and what it did.", schema=_LINES),
        **_INVALID,
        **_LOCKED,
    },
}
APPEND: Final[Described] = {
    "security": _SECURITY,
    "parameters": [_IF_MATCH, _KEY],
    "requestBody": _body(_EVENTS, _EVENT),
    "responses": {
        "201": _answer(
            "The event is booked: its line (`seq`), what it did (`row`) and where the table stands (`table`)."
        ),
        **_LOCKED,
        **_SCORING,
        **_WRONG,
        **_CONFLICT,
        **_FULL,
    },
}
PREVIEW: Final[Described] = {
    "security": _SECURITY,
    "requestBody": _body(_EVENTS, _EVENT),
    "responses": {
        "200": _answer(
            "What the event would do (`row`), where the table would stand, and what would no longer make sense."
        ),
        **_LOCKED,
        **_WRONG,
    },
}
DELETE: Final[Described] = {
    "security": _SECURITY,
    "parameters": [{**_IF_MATCH, "description": "The version that you exported last."}],
    "responses": {
        "204": {"description": "The table is gone, with all its events and links."},
        **_LOCKED,
        **_INVALID,
        **_SCORING,
        **_CONFLICT,
        "428": problem_answer(
            "Not confirmed yet: `export` is where to save the game, `confirm` and `version` what to send."
        ),
    },
}
REMATCH: Final[Described] = {
    "security": _SECURITY,
    "requestBody": _body({"turned": {"seats": "turned"}, "drawn": {"seats": "drawn"}, "kept": {"seats": "kept"}}),
    "responses": {"201": _MADE, **_LOCKED, **_SCORING, **_WRONG, **_LIMITED, **_FULL},
}
EXPORT: Final[Described] = {
    "security": _SECURITY,
    "responses": {
        "200": {
            "description": "The game file, as JSON Lines, as one JSON object, or as a sheet.",
            "headers": {"ETag": {"description": "The table's version.", "schema": _TEXT}},
            "content": {
                "application/x-ndjson": {"schema": _TEXT},
                "application/json": {"schema": _OBJECT},
                "text/csv": {"schema": _TEXT},
            },
        },
        **_INVALID,
        **_LOCKED,
    },
}
LIVE: Final[Described] = {
    "security": _SECURITY,
    "parameters": [_LAST],
    "responses": {
        "200": {
            "description": "Events `table`, `ping` and `deleted`.",
            "content": {"text/event-stream": {"schema": _TEXT}},
        },
        **_INVALID,
        **_LOCKED,
    },
}
SCHEMES: Final[Described] = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "The token of a table's link. It may stand in the address instead, where the table's id would.",
    }
}
