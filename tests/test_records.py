"""Records: whatever comes in, a record comes out."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbo.errors import CODES
from tenbo.records import HAND_KEYS, answer_lines, score_record, value_record, waits_record, write_json

GOOD = {"id": 1, "rules": "reach", "hand": "23445m345p55678s +6m", "by": "self_draw", "seat": "S", "round": "E"}
KEYS = (
    *("id", "rules", "options", "score", "points", "points_raw", "doubles", "limit", "lines", "reading"),
    *("other_readings", "payments", "shares", "han", "fu"),
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def is_answer(record: Any) -> bool:
    if "error" not in record:
        return tuple(record) == KEYS or "waits" in record
    errors = record["errors"]
    order = [CODES.index(error["code"]) for error in errors]
    return (
        tuple(record) == ("id", "error", "errors")
        and record["error"] == errors[0]["code"]
        and order == sorted(order)
        and all(error["message"] and set(error) == {"code", "message", "at"} for error in errors)
    )


def test_a_score_record_has_every_key_in_order() -> None:
    assert tuple(score_record(GOOD)) == KEYS
    assert tuple(score_record(GOOD)["lines"][0]) == ("name", "tiles", "points", "doubles", "limit")


def test_null_is_the_same_as_absent() -> None:
    assert score_record(
        GOOD | {"from": None, "flags": None, "dora": None, "options": None, "honba": None}
    ) == score_record(GOOD)


@pytest.mark.parametrize("identity", [None, 0, "x", [1, {"a": None}], {"deep": [True]}, 1.5])
def test_the_id_comes_back_as_it_was(identity: object) -> None:
    assert score_record(GOOD | {"id": identity})["id"] == identity
    assert score_record({"id": identity})["id"] == identity


def test_everything_wrong_is_said_at_once() -> None:
    record = {"rules": "reach", "hand": "123x [112s] +5z", "by": "disk", "seat": "Q", "flags": ["richi"], "wind": 1}
    answer = score_record(record | {"options": {"char": 1}})
    assert {error["code"] for error in answer["errors"]} >= {
        "bad_value",
        "unknown_field",
        "unknown_option",
        "bad_text",
        "bad_meld",
    }
    assert is_answer(answer)


def test_paths_are_only_for_the_library_and_the_command_line() -> None:
    assert score_record(GOOD | {"rules": "./x.toml"})["error"] == "unknown_rules"
    assert "reach" in score_record(GOOD | {"rules": "/etc/hostname.toml"}, paths=False)["errors"][0]["message"]


@given(st.dictionaries(st.sampled_from(HAND_KEYS) | st.text(max_size=5), json_values, max_size=8))
def test_any_record_is_answered(record: dict[str, Any]) -> None:
    for work in (score_record, waits_record, value_record):
        answer = work(record)
        assert is_answer(answer)
        json.loads(write_json(answer | {"id": None}))


@given(st.sampled_from([key for key in HAND_KEYS if key != "id"]), json_values)
def test_any_value_of_any_key_is_answered(key: str, value: Any) -> None:
    assert is_answer(score_record(GOOD | {key: value}))


@given(json_values)
def test_what_is_no_object_is_bad_json(value: Any) -> None:
    if not isinstance(value, dict):
        answer = score_record(value, line=3)
        assert (answer["error"], answer["errors"][0]["at"], answer["id"]) == ("bad_json", 3, None)


@given(st.binary(max_size=60) | st.text(max_size=60))
def test_any_line_is_json_or_refused(line: str | bytes) -> None:
    found = list(answer_lines([line], lambda record, number: {"record": record}))
    assert all("record" in answer or answer["error"] == "bad_json" for answer in found)
    assert len(found) == bool(line.strip())


def test_lines_are_answered_in_order_with_their_numbers() -> None:
    lines = [
        json.dumps(GOOD),
        "",
        "  ",
        "nonsense",
        "[1]",
        b"\xff\xfe",
        "[" * 100_000,
        '{"id": NaN}',
        json.dumps(GOOD | {"id": 2}),
    ]
    answers = list(answer_lines(lines, lambda record, line: score_record(record, line=line)))
    assert [answer.get("error") for answer in answers] == [None, *["bad_json"] * 5, None]
    assert [answer["errors"][0]["at"] for answer in answers[1:-1]] == [4, 5, 6, 7, 8]
    assert answers[-1]["id"] == 2


@pytest.mark.parametrize(
    "record",
    [
        GOOD | {"hand": "1m" * 500_000},
        GOOD | {"hand": "[" * 1_000_000},
        GOOD | {"flags": [f"f{i}" for i in range(100_000)]},
        GOOD | {"dora": "1m" * 500_000},
        GOOD | {"options": {f"o{i}": 1 for i in range(50_000)}},
        GOOD | {f"key{i}": 1 for i in range(50_000)},
        GOOD | {"rules": "x" * 1_000_000},
        GOOD | {"rules": {"a": ["x"] * 100_000}},
        GOOD | {"seat": "E" * 1_000_000},
        GOOD | {"honba": 10**4000},
    ],
)
def test_a_megabyte_is_refused_quickly(record: dict[str, Any]) -> None:
    started = time.process_time()
    answer = score_record(record)
    assert is_answer(answer)
    assert "error" in answer
    assert time.process_time() - started < 0.5
    assert len(write_json(answer)) < 50_000


def test_a_line_is_written_so_that_it_can_be_encoded() -> None:
    assert write_json({"id": "é"}) == '{"id": "é"}'
    assert write_json({"id": "\ud800"}).encode() == b'{"id": "\\ud800"}'


def test_what_rules_do_not_know_is_named_beside_what_is_wrong_with_the_hand() -> None:
    said = {"rules": "basic", "by": "discard", "seat": "S", "round": "E"}
    exposed = score_record({**said, "hand": "3457899p [777z] [2222z] +6p", "flags": ["riichi"]})
    assert [(error["code"], error["at"]) for error in exposed["errors"]] == [
        ("bad_value", "riichi"),
        ("contradictory_flags", "riichi"),
    ]
    short = score_record({**said, "hand": "12m +6p", "dora": "1m", "honba": 2, "sticks": 10**9})
    assert [(error["code"], error["at"]) for error in short["errors"]] == [
        ("bad_value", "sticks"),
        ("bad_value", "dora"),
        ("bad_value", "honba"),
        ("wrong_tile_count", "hand"),
    ]


def test_numbers_beyond_all_are_no_json() -> None:
    [answer] = answer_lines(['{"id": 1e999, "hand": "1m"}'], lambda record, line: score_record(record, rules="basic"))
    assert (answer["error"], answer["id"], answer["errors"][0]["at"]) == ("bad_json", None, 1)
    assert "1e999" in answer["errors"][0]["message"]
