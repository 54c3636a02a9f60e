"""Tiles as weights: a hand's concealed tiles add up to four suits' codes in two integers.

A suit's *code* is its tiles in base 5, one digit a rank (rank r at 5^(r-1)). The two integers A and B hold, from the
lowest bit: A the fields of m and p, B those of s and z and above them the number of tiles. A field is 23 bits of code (18
for z), 4 for the winning tile (`w`: its rank, 10 for a red five, 0 if it is of another suit), and, but for z, 3 for the
red fives among the others. The highest digit has room for 14 tiles; any other digit that overflows takes 4 tiles off
the digits' sum, so that nothing impossible looks possible while the sum of the digits is the number of tiles.

*Octal* words hold the copies of each kind, 3 bits each: m below p in the first, s below z in the second.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from tenbo import tiles as t
from tenbo.batch.columns import MELDS, NONE
from tenbo.meld import Meld

I64 = npt.NDArray[np.int64]

CODE_BITS: Final = (23, 23, 23, 18)
WIN_BITS: Final = 4
VARIANTS: Final = 7  # bits of w and red fives together
FIELD: Final = 30
COUNT_AT: Final = 55
RED_WIN: Final = 10
_POISON: Final = 16 << COUNT_AT  # a number that is no tile makes the number of tiles impossible (14 times still fits)


def _weight(code: int, win: bool) -> tuple[int, int]:
    if not (code < t.FIRST_BONUS or t.FIRST_RED <= code < len(t.TEXTS)):
        return 0, 0 if code == NONE else _POISON
    suit, rank = t.suit(code), t.rank(code)
    field = 5 ** (rank - 1)
    if win:
        field |= (RED_WIN if t.is_red(code) else rank) << CODE_BITS[suit]
    elif t.is_red(code):
        field |= 1 << CODE_BITS[suit] + WIN_BITS
    if suit < 2:
        return field << FIELD * suit, 1 << COUNT_AT
    return 0, field << FIELD * (suit - 2) | 1 << COUNT_AT


@lru_cache(maxsize=1)
def tile_pairs() -> tuple[I64, I64]:
    """For two neighbouring bytes of `tiles` as one 16-bit number: their A and B; the second table has the winning tile."""
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
def meld_octal() -> I64:
    """The octal words of each set by number."""
    out = np.zeros((256, 2), np.int64)
    for number, meld in enumerate(MELDS):
        for code in meld.tiles if meld else ():
            out[number] += octal(t.kind(code))
    return out


@lru_cache(maxsize=1)
def tile_octal() -> I64:
    """The octal words of each tile by code; codes that are no tile's have none."""
    out = np.zeros((256, 2), np.int64)
    for code in t.DORA:
        out[code] = octal(t.kind(code))
    return out


def _shifts(kinds: dict[int, int]) -> tuple[I64, I64]:
    first, second = np.full(256, 63, np.int64), np.full(256, 63, np.int64)
    for code, kind in kinds.items():
        suit, rank = divmod(kind, 9)
        (first if suit < 2 else second)[code] = 3 * rank + 27 * (suit % 2)
    return first, second


@lru_cache(maxsize=1)
def dora_shifts() -> tuple[I64, I64]:
    """By an indicator's code: the places of its dora's copies in the octal words; 63, where nothing is, in the other."""
    return _shifts(t.DORA)


@lru_cache(maxsize=1)
def kind_shifts() -> tuple[I64, I64]:
    """By a tile's code: the places of its own copies in the octal words, likewise."""
    return _shifts({code: t.kind(code) for code in t.DORA})


def _win_codes() -> list[I64]:
    out = [np.zeros(256, np.int64) for _ in range(4)]
    for code in t.DORA:
        out[t.suit(code)][code] = 5 ** (t.rank(code) - 1)
    return out


WIN_CODES: Final = _win_codes()
"""By suit and a tile's code: what the tile adds to the suit's code."""

CODE_MASKS: Final = tuple((1 << bits) - 1 for bits in CODE_BITS)


def _melds(test: Callable[[Meld], bool]) -> npt.NDArray[np.bool_]:
    return np.array([meld is not None and test(meld) for meld in MELDS] + [False] * (256 - len(MELDS)))


MELD_OPEN: Final = _melds(lambda meld: meld.exposed)
MELD_KONG: Final = _melds(lambda meld: meld.kind == "kong")
MELD_CHOW: Final = _melds(lambda meld: meld.kind == "chow")


def digits(code: int) -> list[int]:
    """The nine digits of a suit's code."""
    out = []
    for _ in range(9):
        code, digit = divmod(code, 5)
        out.append(digit)
    return out
