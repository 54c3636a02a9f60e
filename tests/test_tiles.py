"""Tiles: their codes, texts, names, characters, order and dora."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbo import tiles

CODES = st.integers(0, 44)


def test_codes_of_each_suit() -> None:
    assert [tiles.CODES[f"{rank}{suit}"] for suit in "mps" for rank in range(1, 10)] == list(range(27))
    assert [tiles.CODES[f"{rank}z"] for rank in range(1, 8)] == list(range(27, 34))
    assert [tiles.CODES[f"{rank}f"] for rank in range(1, 9)] == list(range(34, 42))
    assert [tiles.CODES[f"0{suit}"] for suit in "mps"] == [42, 43, 44]
    assert len(tiles.CODES) == len(tiles.TEXTS) == len(tiles.NAMES) == len(tiles.UNICODE) == 45


@given(CODES)
def test_text_suit_and_rank_agree(code: int) -> None:
    digit, letter = tiles.TEXTS[code]
    assert "mpszf"[tiles.suit(code)] == letter
    assert tiles.rank(code) == (int(digit) or 5)
    assert tiles.is_red(code) == (digit == "0")
    assert tiles.is_bonus(code) == (letter == "f")
    assert tiles.TEXTS[tiles.kind(code)] == f"{int(digit) or 5}{letter}"


@given(CODES)
def test_names_agree_with_unicode(code: int) -> None:
    official = unicodedata.name(tiles.UNICODE[code]).removeprefix("MAHJONG TILE ").lower()
    name = tiles.NAMES[code].lower().replace("red five", "five").split(",")[0]
    assert name == official.replace("circles", "dots").replace("bamboos", "bamboo")


def test_names_to_read_out() -> None:
    some = {"5p": "five of dots", "0p": "red five of dots", "1z": "East Wind", "5z": "White Dragon", "7z": "Red Dragon"}
    assert {text: tiles.NAMES[tiles.CODES[text]] for text in some} == some
    assert tiles.NAMES[tiles.CODES["3f"]] == "chrysanthemum, flower 3"
    assert tiles.NAMES[tiles.CODES["8f"]] == "winter, season 4"
    assert len(set(tiles.NAMES)) == 45


def test_unicode_is_read_back_as_the_kind() -> None:
    assert [tiles.FROM_UNICODE[character] for character in tiles.UNICODE] == list(tiles.KINDS)
    assert sorted(map(ord, tiles.FROM_UNICODE)) == list(range(0x1F000, 0x1F02A))


@pytest.mark.parametrize(
    ("indicator", "dora"),
    [
        pair.split(">")
        for pair in ["1m>2m", "9m>1m", "9s>1s", "4m>5m", "5p>6p", "0p>6p", "1z>2z", "4z>1z", "5z>6z", "6z>7z", "7z>5z"]
    ],
)
def test_dora(indicator: str, dora: str) -> None:
    assert tiles.TEXTS[tiles.DORA[tiles.CODES[indicator]]] == dora


def test_every_kind_but_bonus_is_dora_of_one_indicator() -> None:
    assert sorted(dora for code, dora in tiles.DORA.items() if not tiles.is_red(code)) == list(range(34))
    assert not any(map(tiles.is_bonus, tiles.DORA))


def test_canonical_order() -> None:
    order = tiles.in_order(range(45))
    assert tiles.write(order) == "1234056789m1234056789p1234056789s1234567z12345678f"


@given(st.lists(CODES))
def test_order_keeps_the_tiles(codes: list[int]) -> None:
    ordered = tiles.in_order(codes)
    assert sorted(ordered) == sorted(codes)
    assert tiles.in_order(reversed(ordered)) == ordered


@pytest.mark.parametrize("code", [-1, 45, 1000, "1m", None, 0.5, [1]])
def test_no_tile(code: object) -> None:
    assert tiles.known(code) is None
    assert tiles.known_plain(code) is None
    with pytest.raises((LookupError, TypeError)):
        tiles.in_order([code])


def test_known_plain_refuses_bonus_tiles() -> None:
    assert [tiles.known_plain(code) for code in (33, 34, 41, 42)] == [33, None, None, 42]


@pytest.mark.parametrize(
    ("texts", "written"),
    [("", ""), ("1m", "1m"), ("1m 2m 1p", "12m1p"), ("1m 1p 2m", "1m1p2m"), ("0p 5p 1z 1f", "05p1z1f")],
)
def test_write(texts: str, written: str) -> None:
    assert tiles.write(tiles.CODES[text] for text in texts.split()) == written
