"""Copies of each kind of tile in hands: where there are too many of one, and how many are dora."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tenbo.batch.columns import INDICATORS, NONE, Hands
from tenbo.batch.compiled import Compiled
from tenbo.batch.weights import tile_words

I64 = npt.NDArray[np.int64]
Column = npt.NDArray[Any]

_NO_INDICATORS = np.uint64((1 << 64) - 1)
_ONE_INDICATOR = np.uint64(((1 << 56) - 1) << 8)  # beyond the first, no byte is a tile
_FOURS = 0o444444444444444444444
_PAIRED = sum(7 << 6 * i for i in range(10))
_ADD_UP = sum(1 << 6 * i for i in range(10))


def copies(hands: Hands, first: I64, second: I64, tiles: Column, c: Compiled, known: dict[str, Column]) -> Column:
    """Where there are too many copies of a kind, the indicators included; adds to what is known how many are dora.

    Args:
        hands: The hands.
        first: Their copies of each kind, the first octal word.
        second: The second.
        tiles: How many tiles they have.
        c: The compiled ruleset.
        known: Where the numbers of dora are put.
    """
    all_first, all_second = first, second
    bad = np.zeros(len(hands), np.bool_)
    words = tile_words()
    for name in ("dora", "ura"):
        codes = getattr(hands, name)
        each = codes.view("<u8")[:, 0]
        there = each != _NO_INDICATORS
        if not there.any() or not c.rules.dora:
            known[name] = np.zeros(len(hands), np.uint8)
            bad |= there
            continue
        found = words.take((each & np.uint64(255)).view(np.int64), axis=0, mode="clip")
        all_first = all_first + found[:, 0]
        all_second = all_second + found[:, 1]
        tiles += there
        dora = first >> found[:, 2]
        more = second >> found[:, 3]
        dora &= 7
        more &= 7
        dora += more
        doras = known[name] = dora.astype(np.uint8)
        some = (each < _ONE_INDICATOR).nonzero()[0]
        if len(some):
            _more_dora(each[some], some, (first, second), (all_first, all_second, tiles, doras))
    # Over 4 of a kind shows in its digit; over 7 take 7 from the sum of the digits.
    digits = np.zeros(len(hands), np.int64)
    for word in (all_first, all_second):
        doubled = word << 1
        doubled |= word << 2
        doubled &= word
        doubled &= _FOURS
        bad |= doubled != 0
        digits += word & _PAIRED
        digits += word >> 3 & _PAIRED
    digits *= _ADD_UP
    digits >>= 54
    digits &= 63
    bad |= digits != tiles
    return bad


def _more_dora(words: Column, at: Column, own: tuple[I64, I64], sums: tuple[Column, ...]) -> None:
    """Adds what indicators beyond the first of some hands say."""
    all_first, all_second, tiles, doras = sums
    codes = words.view(np.uint8).reshape(-1, INDICATORS)
    tiles[at[codes[:, 0] == NONE]] -= 1  # was counted for the others' sake
    codes[:, 0] = NONE
    each = np.flatnonzero(codes != NONE)
    rows, found = at[each // INDICATORS], tile_words().take(codes.ravel()[each], axis=0)
    np.add.at(all_first, rows, found[:, 0])
    np.add.at(all_second, rows, found[:, 1])
    np.add.at(tiles, rows, np.ones(len(rows), tiles.dtype))
    more = own[0][rows] >> found[:, 2] & 7
    more += own[1][rows] >> found[:, 3] & 7
    np.add.at(doras, rows, more.astype(np.uint8))
