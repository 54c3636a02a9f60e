"""Hand text read for many hands at once: the characters of all texts in one array.

Only clean texts are read here. Whatever is unusual or wrong is left to `tenbo.notation`, which reads it or says why not.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from tenbo import tiles as t
from tenbo.batch.columns import MELDS, NONE, PLACES, SETS, U8, WIN

Column = npt.NDArray[Any]

LONGEST: Final = 100
"""Characters of the longest text that is read here."""

_START, _DIGIT, _LETTER, _OPEN, _CLOSE, _PLUS, _SPACE, _OTHER = range(8)
_BAD: Final = 255
_ROUND: Final = ord("(")


def _classes() -> U8:
    out = np.full(256, _OTHER, np.uint8)
    for characters, kind in (
        ("0123456789", _DIGIT),
        (t.SUITS + "f", _LETTER),
        ("[(", _OPEN),
        ("])", _CLOSE),
        ("+", _PLUS),
        (" ", _SPACE),
    ):
        for character in characters:
            out[ord(character)] = kind
    return out


def _follows() -> npt.NDArray[np.bool_]:
    """By 8 * a character's class + the next one's: whether that can be."""
    out = np.zeros(64, np.bool_)
    part = (_DIGIT, _OPEN, _PLUS)
    for first, nexts in (
        (_START, part),
        (_DIGIT, (_DIGIT, _LETTER, _PLUS)),
        (_LETTER, (*part, _CLOSE)),
        (_OPEN, (_DIGIT,)),
        (_CLOSE, part),
        (_PLUS, (_DIGIT,)),
    ):
        for second in nexts:
            out[8 * first + second] = True
    return out


def _codes() -> U8:
    """By 16 * a letter's number + the digit: the tile's code."""
    out = np.full(16 * 8, _BAD, np.uint8)
    for text, code in t.CODES.items():
        out[16 * (t.SUITS + "f").index(text[1]) + int(text[0])] = code
    return out


_SUITED: Final = 4  # letters before f
_CHOW, _PUNG, _KONG, _CONCEALED, _ADDED = range(5)


def _sets() -> U8:
    """By form, suit, lowest rank and red fives: the number of a set; 0 where there is none."""
    out = np.zeros((5, 4, 16, 8), np.uint8)
    for number, meld in enumerate(MELDS):
        if meld is not None:
            form = {"chow": _CHOW, "pung": _PUNG, "kong": _KONG}[meld.kind]
            form = _ADDED if meld.added else form if meld.exposed else _CONCEALED
            rank = min(map(t.rank, meld.tiles))
            out[form, meld.suit, rank, sum(map(t.is_red, meld.tiles))] = number
    return out


_CLASS: Final = _classes()
_FOLLOWS: Final = _follows()
_CODE: Final = _codes()
_SET: Final = _sets()
_LETTER_NUMBER: Final = np.zeros(256, np.uint8)
for _i, _letter in enumerate(t.SUITS + "f"):
    _LETTER_NUMBER[ord(_letter)] = _i
_KIND: Final = np.array([*t.KINDS] + [0] * (256 - len(t.KINDS)), np.uint8)


class Spelled(NamedTuple):
    """Texts taken apart; where `good` is false nothing else is said.

    Attributes:
        tiles, melds, bonus: As in `columns`.
        good: Whether a text was clean.
    """

    tiles: U8
    melds: U8
    bonus: U8
    good: npt.NDArray[np.bool_]


def spell(data: U8, offsets: Column) -> Spelled:
    """Reads many texts.

    Args:
        data: Their bytes, one after another.
        offsets: Where each begins, and where the last ends.
    """
    count = len(offsets) - 1
    lengths = np.diff(offsets)
    good = (lengths > 0) & (lengths <= LONGEST)
    tiles = np.full((count, PLACES), NONE, np.uint8)
    melds, bonus = np.zeros((count, SETS), np.uint8), np.zeros(count, np.uint8)
    out = Spelled(tiles, melds, bonus, good)
    characters = data[offsets[0] : offsets[-1]]
    classes = _CLASS.take(characters)
    keep = np.flatnonzero(classes != _SPACE)
    if not len(keep):
        good[:] = False
        return out
    starts = np.searchsorted(keep, offsets - offsets[0])  # where each text begins among what is kept
    characters, classes = characters[keep], classes[keep]
    sizes = np.diff(starts)
    row = np.repeat(np.arange(count, dtype=np.int32), sizes)
    _grammar(classes, starts[:-1][sizes > 0], starts[1:][sizes > 0] - 1, row, good)
    good &= sizes > 0

    place = np.flatnonzero(classes == _DIGIT)
    letters = np.flatnonzero(classes == _LETTER)
    if not len(place) or not len(letters):
        good[:] = False
        return out
    brackets = np.zeros(len(classes), np.int8)
    brackets[classes == _OPEN] = 1
    brackets[classes == _CLOSE] = -1
    level = np.cumsum(brackets, dtype=np.int32)
    before = np.where(starts[:-1] > 0, level[np.maximum(starts[:-1], 1) - 1], 0)
    level -= before[row]
    good[row[(level < 0) | (level > 1)]] = False
    good[row[starts[1:][sizes > 0] - 1][level[starts[1:][sizes > 0] - 1] != 0]] = False
    depth = level[place]
    whose = np.minimum(np.searchsorted(letters, place), len(letters) - 1)  # the letter that a digit shares
    suit = _LETTER_NUMBER.take(characters[letters])[whose]
    code = _CODE.take((suit << 4) + (characters[place] - ord("0")))
    rows = row[place]
    good[rows[code == _BAD]] = False
    wins = (classes[place - 1] == _PLUS) & (place > 0)
    _win(out, code, rows, wins & (depth == 0), classes[np.minimum(place + 1, len(classes) - 1)] == _LETTER)
    _plus(classes, level, row, good)
    plain = (depth == 0) & ~wins
    flowers = plain & (suit == _SUITED)
    if flowers.any():
        _flowers(out, code[flowers], rows[flowers])
        plain &= ~flowers
    at = np.flatnonzero(plain)
    order = _order(rows[at], count)
    fits = order < WIN
    good[rows[at[~fits]]] = False
    tiles[rows[at[fits]], order[fits]] = code[at[fits]]
    if (depth > 0).any():
        _melds(out, characters, classes, place, code, suit, rows, depth, wins)
    return out


def _grammar(classes: U8, first: Column, last: Column, row: Column, good: Column) -> None:
    """Marks texts in which some character cannot follow the one before."""
    pairs = np.empty(len(classes), np.uint8)
    pairs[1:] = classes[:-1]
    pairs[0] = _START
    pairs[first] = _START
    pairs <<= 3
    pairs |= classes
    good[row[~_FOLLOWS.take(pairs)]] = False
    ends = classes[last]
    good[row[last[(ends != _LETTER) & (ends != _CLOSE)]]] = False


def _order(rows: Column, count: int) -> Column:
    """The place of each item among those of its row; rows ascend."""
    first = np.searchsorted(rows, np.arange(count))
    made: Column = np.arange(len(rows)) - first[rows]
    return made


def _win(out: Spelled, code: U8, rows: Column, wins: Column, alone: Column) -> None:
    at = np.flatnonzero(wins)
    won = rows[at]
    code = code[at]
    twice = won[1:][won[1:] == won[:-1]]
    out.good[twice] = False
    out.good[won[~alone[at] | (code >= t.FIRST_BONUS) & (code < t.FIRST_RED)]] = False
    out.tiles[won, WIN] = code


def _plus(classes: U8, depth: Column, row: Column, good: Column) -> None:
    """Marks texts with a plus where it cannot stand: in a set only after a digit, elsewhere never."""
    at = np.flatnonzero(classes == _PLUS)
    after_digit = (classes[at - 1] == _DIGIT) & (at > 0)
    good[row[at[after_digit != (depth[at] == 1)]]] = False


def _flowers(out: Spelled, code: U8, rows: Column) -> None:
    bits = (1 << (code - t.FIRST_BONUS)).astype(np.uint8)
    for bit in range(8):
        mine = rows[bits == 1 << bit]
        out.good[mine[1:][mine[1:] == mine[:-1]]] = False
        out.bonus[mine] |= np.uint8(1 << bit)


def _melds(
    out: Spelled,
    characters: U8,
    classes: U8,
    place: Column,
    code: U8,
    suit: U8,
    rows: Column,
    depth: Column,
    wins: Column,
) -> None:
    """Reads the sets."""
    opens = np.flatnonzero(classes == _OPEN)
    closes = np.flatnonzero(classes == _CLOSE)
    inside = np.flatnonzero(depth > 0)
    group = np.searchsorted(opens, place[inside]) - 1
    starts = np.flatnonzero(np.concatenate([[True], group[1:] != group[:-1]]))
    whose = opens[group[starts]]  # sets without a tile are against the grammar
    row = rows[inside[starts]]
    sizes = np.diff(np.append(starts, len(inside)))
    kind = _KIND.take(code[inside])
    low, high = np.minimum.reduceat(kind, starts), np.maximum.reduceat(kind, starts)
    suits = suit[inside]
    same = np.minimum.reduceat(suits, starts) == np.maximum.reduceat(suits, starts)
    total = np.add.reduceat(kind, starts, dtype=np.int64)
    reds = np.add.reduceat((code[inside] >= t.FIRST_RED).astype(np.int64), starts)
    plus = np.add.reduceat(wins[inside].astype(np.int64), starts)
    last = wins[inside[np.append(starts[1:], len(inside)) - 1]]
    end = closes[np.minimum(np.searchsorted(closes, whose), len(closes) - 1)]
    round_ = characters[whose] == _ROUND
    matched = round_ == (characters[end] == ord(")"))
    chow = (sizes == 3) & (high == low + 2) & (total == 3 * (low.astype(np.int64) + 1))
    alike = low == high
    form = np.where(chow, _CHOW, np.where(sizes == 3, _PUNG, np.where(round_, _CONCEALED, np.where(plus, _ADDED, _KONG))))
    fine = same & matched & (chow | alike & (sizes >= 3) & (sizes <= 4)) & (suits[starts] < _SUITED)
    fine &= ~round_ | (form == _CONCEALED)
    fine &= (plus == 0) | (form == _ADDED) & (plus == 1) & last
    lowest = low.astype(np.int64) - 9 * suits[starts].astype(np.int64) + 1
    number = _SET[form, np.minimum(suits[starts], 3), np.clip(lowest, 0, 15), np.minimum(reds, 7)]
    fine &= number > 0
    order = _order(row, len(out.good))
    fine &= order < SETS
    out.good[row[~fine]] = False
    out.melds[row[fine], order[fine]] = number[fine]
