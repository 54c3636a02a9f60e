"""Tiles as weights: a hand's concealed tiles add up to four suits' codes in two integers.

A suit's *code* is its tiles in base 5, one digit a rank (rank r at 5^(r-1)). The two integers are four fields of 32
bits, for m p s z. A field is, from the lowest bit, 23 bits of code (18 for z), 4 for the winning tile (its rank, 10 for
a red five, 0 if it is of another suit), then for m p s 3 bits of red fives among the others, for z 8 bits of the number
of all tiles. The highest digit has room for 14 tiles; any other digit that overflows takes 4 tiles off the
digits' sum, so that nothing impossible looks possible while the sum of the digits is the number of tiles.

*Octal* words hold the copies of each kind, 3 bits each: m below p in the first, s below z in the second.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from tenbo import tiles as t
from tenbo.batch.columns import MELDS, NONE

I64 = npt.NDArray[np.int64]

CODE_BITS: Final = (23, 23, 23, 18)
WIN_BITS: Final = 4
VARIANTS: Final = 7  # bits of w and red fives together
COUNT_AT: Final = 23
"""Place of the number of tiles in the field of z."""

_FIELD: Final = 32
RED_WIN: Final = 10
_POISON: Final = (
    16 << _FIELD + COUNT_AT
)  # a number that is no tile makes the number of tiles impossible (14 times still fits)


def _weight(code: int, win: bool) -> tuple[int, int]:
    if not (code < t.FIRST_BONUS or t.FIRST_RED <= code < len(t.TEXTS)):
        return 0, 0 if code == NONE and not win else _POISON
    suit, rank = t.suit(code), t.rank(code)
    field = 5 ** (rank - 1)
    if win:
        field |= (RED_WIN if t.is_red(code) else rank) << CODE_BITS[suit]
    elif t.is_red(code):
        field |= 1 << CODE_BITS[suit] + WIN_BITS
    one = 1 << _FIELD + COUNT_AT
    return (field << _FIELD * suit, one) if suit < 2 else (0, field << _FIELD * (suit - 2) | one)


@lru_cache(maxsize=1)
def tile_pairs() -> tuple[I64, I64]:
    """By two neighbouring bytes of `tiles` as a 16-bit number: their weight.

    In the second table the latter is the winning tile; where there is none, the number of tiles is impossible.
    """
    plain = np.array([_weight(code, False) for code in range(256)], np.int64)
    wins = np.array([_weight(code, True) for code in range(256)], np.int64)
    pairs = (plain[None, :, :] + plain[:, None, :]).reshape(65536, 2)
    last = (plain[None, :, :] + wins[:, None, :]).reshape(65536, 2)
    return pairs, last


def octal(kind: int) -> tuple[int, int]:
    """The octal words of one tile of a kind (0-33)."""
    suit, rank = divmod(kind, 9)
    bit = 1 << 3 * rank + 27 * (suit % 2)
    return (bit, 0) if suit < 2 else (0, bit)


@lru_cache(maxsize=1)
def meld_pairs() -> I64:
    """By two neighbouring numbers of `melds` as a 16-bit number: four words that add up.

    They are the copies of each kind as two octal words; a byte each for: sets, exposed ones, kongs; and nothing, since
    rows of four words are looked up twice as fast as rows of three. A number that is no set's counts as 32 sets.
    """
    out = np.zeros((256, 4), np.int64)
    out[len(MELDS) :, 2] = 32
    for number, meld in enumerate(MELDS):
        if meld is None:
            continue
        for code in meld.tiles:
            out[number, :2] += octal(t.kind(code))
        out[number, 2] = 1 | meld.exposed << 8 | (meld.kind == "kong") << 16
    return (out[None, :, :] + out[:, None, :]).reshape(65536, 4)


@lru_cache(maxsize=1)
def tile_words() -> I64:
    """By a tile's code: its own copies as two octal words, and where those of its dora lie in these words.

    A number that is no tile's has no copies and a dora at place 63, where nothing is.
    """
    out = np.zeros((256, 4), np.int64)
    out[:, 2:] = 63
    for code, dora in t.DORA.items():
        out[code, :2] = octal(t.kind(code))
        suit, rank = divmod(dora, 9)
        out[code, 2 + suit // 2] = 3 * rank + 27 * (suit % 2)
    return out


def _shifts(kinds: dict[int, int]) -> tuple[I64, I64]:
    first, second = np.full(256, 63, np.int64), np.full(256, 63, np.int64)
    for code, kind in kinds.items():
        suit, rank = divmod(kind, 9)
        (first if suit < 2 else second)[code] = 3 * rank + 27 * (suit % 2)
    return first, second


@lru_cache(maxsize=1)
def kind_shifts() -> tuple[I64, I64]:
    """By a tile's code: the places of its own copies in the octal words; 63, where nothing is, in the other."""
    return _shifts({code: t.kind(code) for code in t.DORA})


def _win_codes() -> list[I64]:
    out = [np.zeros(256, np.int64) for _ in range(4)]
    for code in t.DORA:
        out[t.suit(code)][code] = 5 ** (t.rank(code) - 1)
    return out


WIN_CODES: Final = _win_codes()
"""By suit and a tile's code: what the tile adds to the suit's code."""

CODE_MASKS: Final = tuple((1 << bits) - 1 for bits in CODE_BITS)


def digits(code: int) -> list[int]:
    """The nine digits of a suit's code."""
    out = []
    for _ in range(9):
        code, digit = divmod(code, 5)
        out.append(digit)
    return out
