"""JSON Schemas of everything that goes in and comes out as JSON.

>>> sorted(SCHEMAS)[:3], schema("score")["$id"]
(['chart', 'error', 'event'], 'tenbo:score:1')
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tenbo.errors import CODES, Problem, ReadError, nearest
from tenbo.fields import MOST_START
from tenbo.situation import FLAGS, MOST_COUNTERS, WINDS

__all__ = ["SCHEMAS", "VERSION", "all_schemas", "schema"]

VERSION: Final = 1
"""Counts up when a record changes so that what read it before may fail."""

Schema = dict[str, Any]

_ANYTHING: Final[Schema] = {}
_TEXT: Final[Schema] = {"type": "string"}
_BOOL: Final[Schema] = {"type": "boolean"}
_WHOLE: Final[Schema] = {"type": "integer"}
_COUNT: Final[Schema] = {"type": "integer", "minimum": 0}
_COUNTERS: Final[Schema] = {"type": "integer", "minimum": 0, "maximum": MOST_COUNTERS}
_SEAT: Final[Schema] = {"enum": list(WINDS)}
_PLAYER: Final[Schema] = {"type": "integer", "minimum": 0, "maximum": 3}
_WAY: Final[Schema] = {"enum": ["discard", "self_draw"]}
_OPTION_VALUES: Final[Schema] = {
    "type": "object",
    "additionalProperties": {"type": ["boolean", "integer", "string", "null", "array"], "items": _WHOLE},
}


def _null(inner: Schema) -> Schema:
    """The same, or null."""
    if "type" in inner and "enum" not in inner:
        types = inner["type"] if isinstance(inner["type"], list) else [inner["type"]]
        return {**inner, "type": [*types, "null"]}
    if "enum" in inner:
        return {**inner, "enum": [*inner["enum"], None]}
    return {"anyOf": [inner, {"type": "null"}]} if inner else inner


def _list(inner: Schema, **more: Any) -> Schema:
    return {"type": "array", "items": inner, **more}


def _said(text: str, inner: Schema) -> Schema:
    return {"description": text, **inner}


def _object(required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> Schema:
    """An object of these keys and no others; what is optional may be null, too."""
    properties = {**required, **{key: _null(inner) for key, inner in (optional or {}).items()}}
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


_FLAGS: Final = _list({"enum": list(FLAGS)})
_BY_SEAT: Final = _object(dict.fromkeys(WINDS, _WHOLE))
_RULES: Final[Mapping[str, Schema]] = {
    "id": _said("Comes back as it was.", _ANYTHING),
    "rules": _said("A preset's name; a ruleset file's path too, but not over HTTP.", _TEXT),
    "options": _said("House-rule values laid over the rules.", _OPTION_VALUES),
}
_INDICATORS: Final[Mapping[str, Schema]] = {
    "dora": _said("Indicator tiles, such as 3m7z.", _TEXT),
    "ura": _said("The indicators underneath.", _TEXT),
}
_ON_TABLE: Final[Mapping[str, Schema]] = {
    "honba": _said("Counters.", _COUNTERS),
    "sticks": _said("Bets lying on the table.", _COUNTERS),
}
_HAND_TEXT: Final = _said("Hand text, such as 3457899p [777z] [2222z] +6p.", _TEXT)

_HAND: Final = _object(
    {"hand": _HAND_TEXT},
    {
        **_RULES,
        "by": _said("How the winning tile came; absent for a hand that did not go out.", _WAY),
        "from": _said("The seat of the discarder, or of the player whose kong was robbed.", _SEAT),
        "seat": _said("The player's seat.", _SEAT),
        "round": _SEAT,
        "flags": _FLAGS,
        **_INDICATORS,
        **_ON_TABLE,
    },
)

_LINE: Final = {
    **_object(
        {
            "name": _TEXT,
            "tiles": _said("The set that earned it; null where the whole hand did.", _null(_TEXT)),
            "points": _null(_WHOLE),
            "doubles": _null(_WHOLE),
            "limit": _null(_TEXT),
        }
    ),
    "oneOf": [{"properties": {key: {"not": {"type": "null"}}}} for key in ("points", "doubles", "limit")],
}
_SCORE: Final = _object(
    {
        "id": _ANYTHING,
        "rules": _TEXT,
        "options": _said("The option values that differ from the ruleset's own.", _OPTION_VALUES),
        "score": _COUNT,
        "points": _said("Base points after rounding.", _null(_COUNT)),
        "points_raw": _said("Their sum before rounding.", _null(_COUNT)),
        "doubles": _said("How often the base was doubled; null for a limit hand that is not counted.", _null(_COUNT)),
        "limit": _said("The limit that applied.", _null(_TEXT)),
        "lines": _list(_LINE),
        "reading": _said("The chosen arrangement; null where no tiles were given.", _null(_TEXT)),
        "other_readings": _list(
            _object({"reading": _TEXT, "score": _COUNT, "points": _null(_COUNT), "doubles": _null(_COUNT)})
        ),
        "payments": _said("Each seat's change; null where a payer is unknown.", _null(_BY_SEAT)),
        "shares": _said(
            "What each role pays, without counters; null for a loser's hand.",
            _null(
                {
                    "type": "object",
                    "properties": dict.fromkeys(("discarder", "dealer", "others"), _COUNT),
                    "additionalProperties": False,
                }
            ),
        ),
        "han": _null(_COUNT),
        "fu": _null(_COUNT),
    }
)
_PROBLEM: Final = _object(
    {
        "code": {"enum": list(CODES)},
        "message": _said("What is wrong and what would mend it.", _TEXT),
        "at": _said(
            "The offending tile, set, flag or key, or the line of a batch.", {"type": ["string", "integer", "null"]}
        ),
    }
)
_ERROR: Final = _object({"id": _ANYTHING, "error": {"enum": list(CODES)}, "errors": _list(_PROBLEM, minItems=1)})
_ANSWER: Final[Schema] = {"oneOf": [_SCORE, _ERROR]}
_WAITS: Final = _object(
    {
        "id": _ANYTHING,
        "waits": _list(
            _object(
                {
                    "tile": _TEXT,
                    "left": _said(
                        "Copies not in the hand or the indicators.", {"type": "integer", "minimum": 0, "maximum": 4}
                    ),
                    "discard": _ANSWER,
                    "self_draw": _ANSWER,
                }
            )
        ),
    }
)
_WORTH: Final[Mapping[str, Schema]] = {
    "doubles": _said("With the 2 for going out, where the rules give them; stands with points.", _COUNT),
    "points": _COUNT,
    "hp": _said("Hand Points, with the 2 for going out; stands with bp.", _COUNT),
    "bp": _COUNT,
    "han": _said("Without the 2 for going out; stands with fu.", _COUNT),
    "fu": _COUNT,
    "limit": _said("A limit's name; stands alone.", _TEXT),
}
_WORTHS: Final = [
    {
        "required": pair,
        "properties": {key: {"not": {"type": "null"}} if key in pair else {"type": "null"} for key in _WORTH},
    }
    for pair in (["doubles", "points"], ["hp", "bp"], ["han", "fu"], ["limit"])
]
_VALUE: Final = {
    **_object({"by": _WAY, "seat": _SEAT}, {**_RULES, **_WORTH, "from": _SEAT, **_ON_TABLE}),
    "oneOf": _WORTHS,
}
_POINTS: Final = _object({"seat": _SEAT, "points": _COUNT})


def _winner(who: str, place: Schema) -> Schema:
    known = {"hand": _HAND_TEXT, "flags": _FLAGS, **_INDICATORS, **_WORTH, "score": _COUNT}
    liable = _list(_object({who: place, "limit_hands": {"type": "integer", "minimum": 1}}))
    return _object({who: place, "by": _WAY}, {"from": place, **known, "liable": liable})


_SETTLE: Final = _object(
    {},
    {
        **_RULES,
        "round": _SEAT,
        **_ON_TABLE,
        "bets": _said("Seats that bet in this deal.", _list(_SEAT)),
        "kitty": _said("What lies in the kitty, and who paid it.", _list(_POINTS)),
        "winners": _said("In turn order after the discarder.", _list(_winner("seat", _SEAT), maxItems=3)),
        "losers": _said(
            "Where losers score.",
            {
                "type": "object",
                "properties": dict.fromkeys(WINDS, _null(_object({}, {"hand": _HAND_TEXT, "score": _COUNT}))),
                "additionalProperties": False,
            },
        ),
        "dead": _said("Seats with a dead hand.", _list(_SEAT)),
        "draw": _object({"kind": {"enum": ["exhaustive", "abortive"]}}, {"ready": _list(_SEAT)}),
        "penalty": _object({"kind": _TEXT, "seat": _SEAT}, {"points": _COUNT, "to": _list(_SEAT)}),
    },
)
_END: Final[Schema] = {"enum": [*WINDS, "table"]}
_SETTLEMENT: Final = _object(
    {
        "id": _ANYTHING,
        "rules": _TEXT,
        "payments": _BY_SEAT,
        "transfers": _list(_object({"from": _END, "to": _END, "amount": _COUNT, "why": _TEXT})),
        "sticks": _said("Bets left on the table.", _COUNT),
        "kitty": _said("What is left in the kitty.", _list(_POINTS)),
        "dealer_stays": _said("Null where the deal goes on.", _null(_BOOL)),
        "honba": _said("Counters of the next deal; null where the deal goes on.", _null(_COUNT)),
        "scores": {
            "type": "object",
            "properties": dict.fromkeys(WINDS, _SCORE),
            "additionalProperties": False,
        },
    }
)
_CHART: Final = _object(
    {
        "rows": _list(
            _object(
                {
                    "hp": _COUNT,
                    "points": _COUNT,
                    "dealer": _said("Whether the winner is the dealer.", _BOOL),
                    "discard": _said("Null where it cannot be.", _null(_COUNT)),
                    "self_draw": _null(_object({"dealer": _null(_COUNT), "others": _COUNT})),
                }
            )
        )
    }
)

_FOUR: Final = {"minItems": 4, "maxItems": 4}
_STAKES: Final = _list(_object({"player": _PLAYER, "points": _COUNT}))


_WHEN: Final = _said("When it was added, in ISO 8601.", _TEXT)


def _event(name: str, required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> Schema:
    return _object({"event": {"const": name}, **required}, {**(optional or {}), "when": _WHEN})


_PLAYERS: Final = _list(_PLAYER)
_EVENTS: Final = (
    _event(
        "started",
        {"rules": _TEXT, "players": _list(_TEXT, **_FOUR)},
        {
            "options": _OPTION_VALUES,
            "ruleset": _said("The merged ruleset file's text.", _TEXT),
            "start": _said("Points of each at the start.", {**_COUNT, "maximum": MOST_START}),
            "stake": _said("Money for a hundred points, such as 0.50.", _TEXT),
            "points": _list(_WHOLE, **_FOUR),
            "dealer": _PLAYER,
            "round": _SEAT,
            **_ON_TABLE,
            "kitty": _STAKES,
        },
    ),
    _event(
        "won",
        {"winners": _list(_winner("player", _PLAYER), minItems=1, maxItems=3)},
        {
            "losers": _list(_object({"player": _PLAYER}, {"hand": _HAND_TEXT, "score": _COUNT})),
            "bets": _PLAYERS,
            "dead": _PLAYERS,
        },
    ),
    _event("drawn", {"kind": {"enum": ["exhaustive", "abortive"]}}, {"ready": _PLAYERS, "bets": _PLAYERS}),
    _event("penalty", {"kind": _TEXT, "player": _PLAYER}, {"points": _COUNT, "to": _PLAYERS}),
    _event("adjusted", {"points": _list(_WHOLE, **_FOUR)}, {"why": _TEXT}),
    _event("note", {"text": _TEXT}, {"seq": _said("The line it is about.", {"type": "integer", "minimum": 1})}),
    _event(
        "renamed",
        {"player": _PLAYER, "name": _TEXT},
        {"substitute": _said("Another person has taken the seat.", _BOOL)},
    ),
    _event(
        "revised",
        {
            "seq": _said("The line of the event replaced, from 1.", {"type": "integer", "minimum": 2}),
            "by": _said("The new event, or null to take it out.", {"type": ["object", "null"]}),
        },
    ),
    _event("finished", {}),
)
_STANDING_NOW: Final[Mapping[str, Schema]] = {
    "points": _list(_WHOLE, **_FOUR),
    "honba": _COUNT,
    "sticks": _COUNT,
    "kitty": _list(_object({"player": _PLAYER, "points": _COUNT})),
}
_STANDING: Final = {
    "type": "object",
    "properties": {
        "deals": _list(
            {
                "type": "object",
                "properties": {
                    "seq": {"type": "integer", "minimum": 1},
                    "deal": {"type": ["integer", "null"]},
                    "round": _null(_SEAT),
                    "dealer": _null(_PLAYER),
                    "payments": _null(_list(_WHOLE, **_FOUR)),
                    **_STANDING_NOW,
                    "problem": _null(_TEXT),
                },
                "required": ["seq", "deal", "round", "dealer", "payments", *_STANDING_NOW, "problem"],
            }
        ),
        **_STANDING_NOW,
        "round": _SEAT,
        "dealer": _PLAYER,
        "deal": {"type": "integer", "minimum": 1},
        "finished": _BOOL,
        "ranking": _list(
            {
                "type": "object",
                "properties": {
                    "player": _PLAYER,
                    "place": {"type": "integer", "minimum": 1, "maximum": 4},
                    "points": _WHOLE,
                    "result": {"type": "number"},
                },
                "required": ["player", "place", "points", "result"],
            },
            **_FOUR,
        ),
    },
    "required": ["deals", *_STANDING_NOW, "round", "dealer", "deal", "finished", "ranking"],
}


def _named(name: str, title: str, inner: Schema) -> Schema:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"tenbo:{name}:{VERSION}",
        "title": title,
        "version": VERSION,
        **inner,
    }


SCHEMAS: Final[Mapping[str, Schema]] = {
    name: _named(name, title, inner)
    for name, title, inner in (
        ("hand", "Hand record: a hand to score; without its winning tile, one to show the waits of", _HAND),
        ("score", "Score record", _SCORE),
        ("error", "Error record: all that is wrong", _ERROR),
        ("waits", "Answer for a hand without its winning tile", _WAITS),
        ("value", "Points and doubles, or a limit, to work out without tiles", _VALUE),
        ("settle", "Deal to settle", _SETTLE),
        ("settlement", "Settlement of a deal", _SETTLEMENT),
        ("chart", "Score chart", _CHART),
        ("event", "Event of a game, one line of a game file", {"oneOf": list(_EVENTS)}),
        ("standing", "Standing of a game, with what each deal paid", _STANDING),
    )
}
"""The schemas, by name."""


def schema(name: str) -> Schema:
    """One schema.

    Raises:
        ReadError: There is none of that name (`bad_value`).
    """
    if name not in SCHEMAS:
        near = nearest(name, SCHEMAS)
        hint = f"; did you mean '{near}'?" if near else ""
        message = f"there is no schema {name[:40]!r}{hint} (there are: {', '.join(SCHEMAS)})"
        raise ReadError([Problem("bad_value", message, "name")])
    return SCHEMAS[name]


def all_schemas() -> Schema:
    """All schemas with their version number."""
    return {"version": VERSION, "schemas": dict(SCHEMAS)}
