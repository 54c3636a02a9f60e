"""What tests of hand text share: odd values, and what is wrong with a text."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from tenbo.errors import Problem, TenboError
from tenbo.hand import Hand
from tenbo.notation import format_tiles, parse

HAND_CODES = {"bad_value", "missing_field", "bad_text", "bad_meld"}
HAND_CODES |= {"too_many_copies", "wrong_tile_count", "contradictory_flags"}
GOOD = "345p789p1199s +1s [777z]"


def problems_of(text: Any, **situation: Any) -> list[Problem]:
    """What is wrong with a text."""
    try:
        return parse(text, **situation).problems()
    except TenboError as error:
        return list(error.problems)


def faults(text: Any, **situation: Any) -> list[tuple[str, str | int | None]]:
    return [(problem.code, problem.at) for problem in problems_of(text, **situation)]


def situation_of(hand: Hand) -> dict[str, Any]:
    """The arguments of `parse` that a hand's text does not hold."""
    kept = {key: getattr(hand, key) for key in ("by", "seat", "round", "from_", "flags", "honba", "sticks")}
    return kept | {"dora": format_tiles(hand.dora), "ura": format_tiles(hand.ura)}


def check_printable(problems: tuple[Problem, ...]) -> None:
    """Problems are such as can be sent and printed anywhere."""
    assert problems
    for problem in problems:
        assert problem.code in HAND_CODES
        assert problem.at
        assert str(problem.at).isprintable()
        assert problem.message.isprintable()
        assert len(problem.message) < 400
        problem.message.encode()
        json.dumps([problem.message, problem.at])


ODD_WORDS = ["", "E", "e", "east", "tsumo", "1m", "1f", "\ud800", "1m" * 300, b"1m"]
ODD_LISTS = [[], {}, (), ["3m"], ["riichi"], ("riichi", 1), ["richi"], {"riichi"}]
ODD_NUMBERS = [None, True, False, 0, -1, 1, 1001, 1.5, float("nan"), 10**6000, object(), parse, Hand]
ODD = st.sampled_from([*ODD_WORDS, *ODD_LISTS, *ODD_NUMBERS])
