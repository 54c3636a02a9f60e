"""Every record that goes in or comes out is what its schema says."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

import tenbo
from cases import read_cases
from tenbo.chart import chart_record
from tenbo.errors import CODES
from tenbo.ledger import EVENT_KEYS, replay, started_event
from tenbo.records import HAND_KEYS, SETTLE_KEYS, VALUE_KEYS, score_record, settle_record, value_record, waits_record
from tenbo.schemas import SCHEMAS, VERSION, all_schemas, schema

jsonschema_rs = pytest.importorskip("jsonschema_rs")


def check(name: str, record: Any) -> None:
    validator = jsonschema_rs.validator_for(schema(name))
    errors = [f"{'/'.join(map(str, e.instance_path))}: {e.message}" for e in validator.iter_errors(record)]
    assert not errors, f"{name}: {errors[:3]} in {json.dumps(record)[:300]}"


def refuses(name: str, record: Any) -> None:
    assert not jsonschema_rs.validator_for(schema(name)).is_valid(record)


def answered(record: dict[str, Any], name: str = "score") -> None:
    check("error" if "error" in record else name, record)


def test_schemas_are_schemas_with_a_version() -> None:
    for name, one in SCHEMAS.items():
        jsonschema_rs.meta.validate(one)
        assert one["version"] == VERSION
        assert re.fullmatch(rf"tenbo:{name}:{VERSION}", one["$id"])
    assert all_schemas()["schemas"].keys() == SCHEMAS.keys()


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(tenbo.ReadError, match="did you mean 'score'"):
        schema("scores")


@pytest.mark.parametrize("name", ["examples", "random_options", "random_simplified", "random_basic", "random_waits"])
def test_hand_records_and_their_answers(name: str) -> None:
    for case in read_cases(name)[:150]:
        check("hand", case["record"])
        answered(score_record(case["record"]))


def test_error_records() -> None:
    for case in read_cases("bad"):
        answer = score_record(case["record"])
        assert "error" in answer
        check("error", answer)


def test_null_is_the_same_as_absent() -> None:
    check("hand", dict.fromkeys(HAND_KEYS) | {"hand": "1m"})
    check("value", dict.fromkeys(VALUE_KEYS) | {"limit": "mangan", "by": "discard", "seat": "E"})
    check("settle", dict.fromkeys(SETTLE_KEYS))


@pytest.mark.parametrize(
    ("name", "keys"),
    [("hand", HAND_KEYS), ("value", VALUE_KEYS), ("settle", SETTLE_KEYS)],
    ids=["hand", "value", "settle"],
)
def test_the_keys_are_those_that_are_read(name: str, keys: tuple[str, ...]) -> None:
    assert set(schema(name)["properties"]) == set(keys)


def test_codes_are_those_of_errors() -> None:
    assert schema("error")["properties"]["error"]["enum"] == list(CODES)


@pytest.mark.parametrize(
    "record",
    [
        {"hand": "1m", "colour": "red"},
        {"rules": "reach"},
        {"hand": "1m", "seat": "X"},
        {"hand": "1m", "flags": ["richi"]},
        {"hand": "1m", "honba": 1001},
    ],
)
def test_the_hand_schema_refuses(record: dict[str, Any]) -> None:
    refuses("hand", record)


def test_a_line_has_exactly_one_amount() -> None:
    hand = {"rules": "basic", "hand": "3457899p [777z] [2222z] +6p", "by": "discard", "seat": "S", "round": "E"}
    score = score_record(hand)
    check("score", score)
    refuses("score", score | {"lines": [score["lines"][0] | {"doubles": 1}]})
    refuses("score", score | {"lines": [score["lines"][0] | {"points": None}]})
    refuses("score", {key: value for key, value in score.items() if key != "fu"})


def test_waits() -> None:
    record = {"id": 7, "rules": "reach", "hand": "123m456p789s2233z", "seat": "S", "round": "E"}
    check("hand", record)
    found = waits_record(record)
    check("waits", found)
    assert [wait["tile"] for wait in found["waits"]] == ["2z", "3z"]
    assert "error" in found["waits"][1]["discard"]  # both kinds of outcome are in this answer
    check("waits", waits_record(record | {"hand": "159m159p159s1234z"}))


@pytest.mark.parametrize(
    "worth", [{"hp": 4, "bp": 30}, {"han": 2, "fu": 30}, {"doubles": 4, "points": 30}, {"limit": "mangan"}]
)
def test_values(worth: dict[str, Any]) -> None:
    record = {"rules": "riichi", "seat": "S", "by": "discard", "from": "W", "honba": 1, "sticks": 2} | worth
    check("value", record)
    answered(value_record(record))
    refuses("value", record | {"points": 20, "hp": 3, "limit": "mangan"})


def test_settlements() -> None:
    for case in read_cases("settle"):
        answer = settle_record(case["input"])
        answered(answer, "settlement")
        if "error" not in answer:
            check("settle", case["input"])


def test_charts() -> None:
    check("chart", chart_record(tenbo.load_rules("reach")))


def game() -> list[dict[str, Any]]:
    started = started_event("reach", ["Ann", "Bea", "Cid", "Dan"])
    hand = "234m3444056666p +5p"
    return [
        started,
        {"event": "won", "winners": [{"player": 1, "by": "discard", "from": 2, "han": 3, "fu": 40}], "bets": [1]},
        {
            "event": "won",
            "winners": [{"player": 1, "by": "self_draw", "hand": hand, "flags": ["riichi"], "dora": "3p"}],
        },
        {"event": "drawn", "kind": "exhaustive", "ready": [0, 2]},
        {"event": "penalty", "kind": "chombo", "player": 3},
        {"event": "penalty", "kind": "free", "player": 3, "points": 500, "to": [0, 1]},
        {"event": "adjusted", "points": [100, -100, 0, 0], "why": "miscounted"},
        {"event": "note", "text": "tea"},
        {"event": "renamed", "player": 2, "name": "Cyd"},
        {"event": "revised", "seq": 2, "by": None},
        {"event": "won", "winners": [{"player": 0, "by": "discard", "from": 0, "limit": "mangan"}]},
        {"event": "finished"},
    ]


def test_events_and_standings() -> None:
    events = game()
    for event in events:
        check("event", event)
    standing = replay(events).record()
    check("standing", standing)
    assert any(row["problem"] for row in standing["deals"])


def test_events_are_those_that_are_read() -> None:
    for one in schema("event")["oneOf"]:
        name = one["properties"]["event"]["const"]
        assert set(one["properties"]) == {"event", "when", *EVENT_KEYS[name]}, name
    assert {one["properties"]["event"]["const"] for one in schema("event")["oneOf"]} == set(EVENT_KEYS)


@pytest.mark.parametrize(
    "event", [{"event": "wan"}, {"event": "note"}, {"event": "renamed", "player": 4, "name": "x"}, {"text": "x"}, []]
)
def test_the_event_schema_refuses(event: Any) -> None:
    refuses("event", event)
