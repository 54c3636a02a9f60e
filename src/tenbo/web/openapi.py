"""What the OpenAPI description says about scoring: bodies, answers, examples."""

from __future__ import annotations

from typing import Any, Final

from tenbo.schemas import schema

Described = dict[str, Any]

_OBJECT: Final[Described] = {"type": "object"}
_PROBLEM: Final[Described] = {
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
    },
}
CLASSICAL: Final = {
    "rules": "basic",
    "hand": "3457899p [777z] [2222z] +6p",
    "by": "discard",
    "seat": "S",
    "round": "E",
}
RIICHI: Final = {
    "id": 7,
    "rules": "riichi",
    "hand": "234m567p2234567s +8s",
    "by": "discard",
    "from": "W",
    "seat": "S",
    "round": "E",
    "flags": ["riichi"],
    "dora": "1m",
}
_WAITING: Final = {key: value for key, value in CLASSICAL.items() if key != "by"} | {"hand": "3457899p [777z] [2222z]"}
_VALUE: Final = {"rules": "reach", "hp": 4, "bp": 30, "seat": "S", "by": "self_draw"}
_SETTLE: Final = {
    "rules": "basic",
    "round": "E",
    "winners": [{"seat": "N", "by": "discard", "from": "S", "score": 64}],
    "losers": {"E": {"score": 12}, "S": {"score": 8}, "W": {"score": 48}},
}


def problem_answer(description: str) -> Described:
    """An answer with problem details, described."""
    return {"description": description, "content": {"application/problem+json": {"schema": _PROBLEM}}}


def _json(name: str) -> Described:
    """A record's schema as it can stand inside another document."""
    return {"schema": {key: value for key, value in schema(name).items() if not key.startswith("$")}}


def _post(takes: str, gives: str, good: str, **examples: Described) -> Described:
    named = {name: {"summary": name.replace("_", " "), "value": value} for name, value in examples.items()}
    return {
        "requestBody": {"required": True, "content": {"application/json": {**_json(takes), "examples": named}}},
        "responses": {
            "200": {"description": good, "content": {"application/json": _json(gives)}},
            "422": {
                "description": "An error record: all that is wrong with the record.",
                "content": {"application/json": _json("error")},
            },
            "413": problem_answer("The body is too large."),
        },
    }


SCORE: Final = _post("hand", "score", "A score record.", riichi=RIICHI, classical=CLASSICAL)
WAITS: Final = _post(
    "hand", "waits", '`{"waits": [{"tile", "left", "discard", "self_draw"}]}`, in tile order.', classical=_WAITING
)
VALUE: Final = _post("value", "score", "A score record without lines and reading.", hand_points_and_base_points=_VALUE)
SETTLE: Final = _post(
    "settle", "settlement", "Payments, transfers and what is left on the table.", losers_settle=_SETTLE
)
_LINES: Final[Described] = {"application/x-ndjson": {"schema": {"type": "string"}}}
BATCH: Final[Described] = {
    "requestBody": {"required": True, "content": _LINES},
    "responses": {
        "200": {"description": "A score or error record for each, one a line, in order.", "content": _LINES},
        "413": problem_answer("There are more than 10,000 records, or the body is too large."),
    },
}
CHART: Final[Described] = {
    "responses": {
        "200": {"description": '`{"rows": [...]}`', "content": {"application/json": _json("chart")}},
        "404": problem_answer("There are no such rules, or they have no chart."),
    }
}
SCHEMA: Final[Described] = {
    "responses": {
        "200": {
            "description": "JSON Schemas, with a version number.",
            "content": {"application/json": {"schema": _OBJECT}},
        },
        "404": problem_answer("There is no schema of that name."),
    }
}
