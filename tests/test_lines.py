"""Records line by line: the quick writer writes what the plain one does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tenbo
from cases import read_cases
from tenbo.lines import answer_texts, score_lines, score_text
from tenbo.records import MAX_LINE, score_of, score_record, settle_record, write_json

HAND = {"rules": "basic", "hand": "3457899p [777z] [2222z] +6p", "by": "discard", "seat": "S", "round": "E"}


@pytest.mark.parametrize(
    "name", ["examples", "random_options", "random_simplified", "random_basic", "random_reach", "random_riichi", "bad"]
)
def test_lines_are_the_records_as_json(name: str) -> None:
    records = [case["record"] for case in read_cases(name)]
    answers = [score_record(record, line=number) for number, record in enumerate(records, 1)]
    found = list(score_lines([[write_json(record) for record in records]]))
    assert [text for text, _ in found] == [write_json(answer) for answer in answers]
    assert [refused for _, refused in found] == ["error" in answer for answer in answers]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(st.characters()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(JSON)
def test_an_id_comes_back_as_it_was(id_: Any) -> None:
    score = score_of(HAND)
    text = score_text(score, id_)
    assert text == write_json(score.record(id_))
    text.encode()
    assert json.loads(text)["id"] == id_


def test_options_and_a_files_title_are_written_too() -> None:
    rules = tenbo.parse_rules('extends = "basic"\ntitle = "Tante Ännes \\"Regeln\\""').with_options({"limit": 300})
    (text, refused), *_ = score_lines([[json.dumps(HAND | {"rules": None})]], rules=rules)
    assert not refused
    assert json.loads(text)["rules"] == 'Tante Ännes "Regeln"'
    assert json.loads(text)["options"] == {"limit": 300}


def test_blank_lines_are_skipped_and_others_counted() -> None:
    lines = ["", "  \r", "nonsense", json.dumps(HAND), b"\xff\xfe", "[1]", None, b"{}"]
    found = [json.loads(text) for text, _ in score_lines([lines[:2], [], lines[2:]])]
    assert [answer.get("error") for answer in found] == [
        *("bad_json", None, "bad_json", "bad_json", "bad_json", "missing_field")
    ]
    assert [answer["errors"][0]["at"] for answer in found if answer.get("error") == "bad_json"] == [3, 5, 6, 7]


def test_what_can_be_read_but_not_written_is_refused() -> None:
    deep = '{"id": ' + "[" * 900 + "]" * 900 + "}"
    for answers in (score_lines([[deep]]), answer_texts([[deep]], settle_record)):
        text, refused = next(answers)
        assert refused
        assert json.loads(text)["error"] in ("bad_json", "missing_field")


def test_settlements_line_by_line() -> None:
    inputs = [case["input"] for case in read_cases("settle")]
    found = [text for text, _ in answer_texts([[json.dumps(one) for one in inputs]], settle_record)]
    assert found == [write_json(settle_record(one)) for one in inputs]


def test_a_record_that_is_too_long_is_named() -> None:
    (text, refused), *_ = score_lines([[" " * (MAX_LINE + 1) + "{}"]])
    assert refused
    assert json.loads(text)["error"] == "bad_json"


def test_answers_of_a_block_come_before_the_next_is_asked_for() -> None:
    asked = 0

    def blocks() -> Iterator[list[str]]:
        nonlocal asked
        for size in (1, 70, 3):
            asked += size
            yield [json.dumps(HAND | {"id": i}) if i % 5 else "nonsense" for i in range(asked - size, asked)]

    for number, (text, refused) in enumerate(score_lines(blocks())):
        assert refused == (number % 5 == 0)
        assert json.loads(text)["id"] == (None if refused else number)
        assert number < asked
        assert number >= {1: 0, 71: 1, 74: 71}[asked]
