"""Errors: their order, their classes, and how a stranger's words are shown."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hand_texts import ODD
from tenbo.errors import HandError, Problem, ReadError, error_for, nearest, printable, shown


def test_errors_are_sorted_and_pickled() -> None:
    problems = [Problem("not_scored", "c", 3), Problem("bad_text", "b", "x"), Problem("bad_text", "a", None)]
    for error in (error_for(problems), error_for(problems[:1]), error_for([Problem("not_winning", "d")])):
        twin = pickle.loads(pickle.dumps(error))
        assert (type(twin), twin.problems, str(twin)) == (type(error), error.problems, str(error))
    assert [problem.message for problem in error_for(problems).problems] == ["b", "a", "c"]
    assert isinstance(error_for(problems), ReadError)
    assert isinstance(error_for([Problem("not_winning", "d")]), HandError)
    with pytest.raises(ValueError, match="at least one"):
        error_for([])


def test_nearest() -> None:
    assert nearest("RIICHI", ["riichi", "ippatsu"]) == "riichi"
    assert nearest("", ["riichi"]) is None
    assert nearest("x" * 10**6, ["riichi"]) is None
    assert nearest("Cap", ["cap", "Cap"]) in ("cap", "Cap")


@given(ODD | st.text())
def test_shown_values_are_short_and_printable(value: Any) -> None:
    text = shown(value)
    assert text.isprintable()
    assert len(text) < 300


@given(st.text())
def test_printable_is_short_and_plain_text_stays(text: str) -> None:
    assert printable(text).isprintable()
    assert len(printable(text)) <= 400
    assert printable("[222+2z]") == "[222+2z]"
