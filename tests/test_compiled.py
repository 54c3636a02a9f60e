"""What the plain and the compiled build must have in common, beyond what every other test says of both."""

from __future__ import annotations

from typing import Any

import pytest

import tenbo

TEXT = "3457899p [777z] [2222z] +6p"
SAID: dict[str, Any] = {"by": "discard", "seat": "S", "round": "E"}


@pytest.mark.parametrize(
    "changes",
    [{"hand": None}, {"hand": 7}, {"by": 1}, {"seat": []}, {"flags": 3}, {"dora": 5}, {"honba": "x"}, {"sticks": 1.5}],
)
def test_arguments_of_a_wrong_type_are_refused_by_name(changes: dict[str, Any]) -> None:
    with pytest.raises(tenbo.ReadError) as refused:
        tenbo.score(**({"hand": TEXT, "rules": "riichi", **SAID} | changes))
    assert next(iter(changes)) in {problem.at for problem in refused.value.problems}


@pytest.mark.parametrize("name", ["score", "lines", "hand", "something_else"])
def test_a_score_cannot_be_changed(name: str) -> None:
    score = tenbo.score(TEXT, rules="basic", **SAID)
    with pytest.raises(AttributeError):
        setattr(score, name, None)


@pytest.mark.parametrize("name", ["win", "tiles", "by"])
def test_a_hand_cannot_be_changed(name: str) -> None:
    with pytest.raises(AttributeError, match="cannot be changed"):
        setattr(tenbo.parse(TEXT, **SAID), name, None)
