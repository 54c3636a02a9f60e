"""Columns from and to hand text and hand records."""

from __future__ import annotations

import doctest
import pickle
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tenbo
from tenbo.batch import MELDS, NONE, Hands, score
from tenbo.batch.spelling import spell
from tenbo.batch.text import bytes_of
from tenbo.hand import Meld

TEXTS = (
    "3457899p [777z] [2222z] +6p",
    "1112345678999m +5m",
    "123m406p1789s [222+2z] 15f +1s",
    "(1111m) [345p] [055s] 44z05p +5p",
    "19m19p19s1234567z +1m",
    "3457899p [777z] [2222z]",
)


def test_every_set_has_a_number() -> None:
    sets = [meld for meld in MELDS if meld is not None]
    assert MELDS[0] is None
    assert len(MELDS) < NONE
    assert len(set(sets)) == len(sets) == 212 - 1


@pytest.mark.parametrize("text", TEXTS)
def test_text_becomes_columns_as_parse_reads_it(text: str) -> None:
    hands = Hands.from_text([text])
    assert not hands.odd
    assert hands.texts() == [tenbo.parse(text).text]


def test_columns_of_hands_and_of_their_text_are_the_same() -> None:
    said = {
        "by": "discard",
        "seat": "S",
        "round": "E",
        "from_": "W",
        "dora": "0m3z",
        "ura": "7z",
        "honba": 3,
        "sticks": 2,
    }
    hand = tenbo.parse(TEXTS[3], flags=["last_tile"], **said)  # type: ignore[arg-type]
    a, b = Hands.from_hands([hand]), Hands.from_text([TEXTS[3]], flags=["last_tile"], **said)
    for name in ("melds", "bonus", "by", "seat", "round", "from_", "flags", "dora", "ura", "honba", "sticks"):
        assert (getattr(a, name) == getattr(b, name)).all(), name
    assert sorted(a.tiles[0].tolist()) == sorted(b.tiles[0].tolist())
    assert a.record(0) == b.record(0)
    again = tenbo.parse(a.record(0).pop("hand"), **said, flags=["last_tile"])  # type: ignore[arg-type]
    assert again == hand


def _spoilt(rng: random.Random) -> str:
    text = rng.choice(TEXTS)
    for _ in range(rng.randrange(4)):
        at = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice(("", *"0123456789mpszf[]()+ x\t🀀")) + text[at + rng.randrange(2) :]
    return text


@given(st.integers(0, 2**32))
def test_what_is_read_at_once_is_what_parse_reads(seed: int) -> None:
    rng = random.Random(seed)
    texts = [_spoilt(rng) for _ in range(30)]
    hands = Hands.from_text(texts)
    for row, text in enumerate(texts):
        try:
            want = tenbo.parse(text)
        except tenbo.TenboError:
            # Too many copies or tiles show only when it is scored.
            assert row in hands.odd or score(hands.part(row, row + 1), rules="basic").error[0]
            continue
        if row in hands.odd:
            assert hands.odd[row]["hand"] == text
        else:
            assert tenbo.parse(hands.texts()[row]) == want


def test_clean_texts_do_not_suffer_from_their_neighbours() -> None:
    faulty = ["[123m", "123m]", "((1111m)", "", "+", "12", "m", "[]", "][", "1m+", "+1m+2m", "[12m]", "((", "))"]
    texts = [text for bad in faulty for text in (bad, TEXTS[0])] + [TEXTS[2]] * 3
    found = spell(*bytes_of(texts))
    assert found.good.tolist() == [text in TEXTS for text in texts]


@pytest.mark.parametrize("count", [0, 1])
def test_none_and_one(count: int) -> None:
    hands = Hands.from_text(["3457899p [777z] [2222z] +6p"] * count, by="discard", seat="S", round="E")
    found = score(hands, rules="basic")
    assert found.score.tolist() == [320] * count
    assert found.readings == ["345p 78+6p 99p [777z] [2222z]"] * count


def test_numbers_that_stand_for_nothing_are_errors_of_their_row() -> None:
    good = Hands.from_text(["3457899p [777z] [2222z] +6p"] * 12, by="discard", seat="S", round="E")
    bad = (
        ("tiles", 200),
        ("melds", 250),
        ("by", 7),
        ("seat", 9),
        ("round", 9),
        ("from_", 9),
        ("flags", 128),
        ("dora", 99),
    )
    for row, (name, value) in enumerate(bad):
        column = getattr(good, name)
        column[row] = value if column.ndim == 1 else [value, *column[row, 1:]]
    found = score(good, rules="reach")
    assert [bool(error) for error in found.error[: len(bad)]] == [True] * len(bad)
    assert not found.error[len(bad) :].any()
    assert found.fallback == len(bad)


def test_columns_of_the_wrong_shape_are_refused() -> None:
    hands = Hands.empty(3)
    with pytest.raises(ValueError, match="column 'tiles' must be a NumPy array of 3 x 14 uint8"):
        Hands(np.zeros((3, 13), np.uint8), *(getattr(hands, name) for name in list(hands.__slots__)[1:-1]))


def test_situations_that_no_hand_has_go_by_the_list() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'wind'"):
        Hands.from_text(["1m"], wind="E")
    with pytest.raises(ValueError, match="'seat' has 2 values for 1 hands"):
        Hands.from_text(["1m"], seat=["E", "S"])


def test_parts_rows_and_joining() -> None:
    hands = Hands.from_text([*TEXTS, "what"], by="discard", seat="S", round="E")
    again = Hands.concat([hands.part(0, 3), hands.part(3, 7)])
    back = again.take(np.arange(7)[::-1].copy()).take(np.arange(7)[::-1].copy())
    for other in (again, back):
        assert other.records() == hands.records()
        assert list(other.odd) == [6]
    assert score(again, rules="simplified").record(6) == {"error": "bad_text"}


def test_records_of_hands_come_back() -> None:
    record = {
        "hand": "123m406p1789s [222+2z] 15f +1s",
        "by": "self_draw",
        "seat": "N",
        "round": "S",
        "flags": ["last_tile"],
    }
    assert Hands.from_records([record]).records() == [record]


def test_results_can_be_pickled_and_told() -> None:
    hands = Hands.from_text(["3457899p [777z] [2222z] +6p", "1m"], by="discard", seat="S", round="E")
    found = score(hands, rules="basic")
    again = pickle.loads(pickle.dumps(found))
    assert [again.record(i) for i in range(2)] == [found.record(i) for i in range(2)]
    assert found.record(0)["entries"] == [
        "mah_jong",
        "exposed_three_dragons",
        "exposed_four_winds",
        "own_wind",
        "dragons",
    ] or found.keys(0)
    assert len(found) == 2


def test_the_same_set_is_the_same_number() -> None:
    assert MELDS[Hands.from_text(["[123m]"]).melds[0, 0] or 1] == Meld((0, 1, 2))


def test_the_guide_says_what_is() -> None:
    guide = Path(__file__).resolve().parents[1] / "docs/batch.md"
    failed, tried = doctest.testfile(str(guide), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert tried > 8
    assert failed == 0
