"""Hand text read for many hands at once: the characters of all texts in one array.

Only clean texts are read here. Whatever is unusual or wrong is left to `tenbo.notation`, which reads it or says why.
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

_BLOCK: Final = 4096

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
_ZERO: Final = np.uint8(ord("0"))
_OPENS, _LEVEL, _COUNT = 24, 48, (1 << 24) - 1
_COUNTED: Final = np.zeros(8, np.int64)
_COUNTED[_LETTER], _COUNTED[_OPEN], _COUNTED[_CLOSE] = 1, 1 << _OPENS | 1 << _LEVEL, -1 << _LEVEL
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
    """Reads many texts, some at a time so that what is made of them stays in the processor's caches.

    Args:
        data: Their bytes, one after another.
        offsets: Where each begins, and where the last ends.
    """
    if len(offsets) <= _BLOCK + 1:
        return _spell(data, offsets)
    parts = [_spell(data, offsets[start : start + _BLOCK + 1]) for start in range(0, len(offsets) - 1, _BLOCK)]
    return Spelled(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _spell(data: U8, offsets: Column) -> Spelled:
    count = len(offsets) - 1
    lengths = np.diff(offsets)
    good = (lengths > 0) & (lengths <= LONGEST)
    tiles = np.full((count, PLACES), NONE, np.uint8)
    melds, bonus = np.zeros((count, SETS), np.uint8), np.zeros(count, np.uint8)
    out = Spelled(tiles, melds, bonus, good)
    characters = data[offsets[0] : offsets[-1]]
    classes = _CLASS.take(characters)
    starts = offsets - offsets[0]  # where each text begins among what is kept
    spaces = classes == _SPACE
    if spaces.any():
        keep = np.flatnonzero(~spaces)
        before = np.zeros(len(classes) + 1, np.int32)
        np.cumsum(spaces, out=before[1:])
        starts = starts - before[starts]
        characters, classes = characters[keep], classes[keep]
    sizes = np.diff(starts)
    some = np.flatnonzero(sizes)
    good &= sizes > 0
    if not len(classes):
        return out
    row = np.repeat(np.arange(count, dtype=np.int32), sizes)
    _grammar(classes, starts[some], starts[some + 1] - 1, row, good)
    place = np.flatnonzero(classes == _DIGIT)
    letters = np.flatnonzero(classes == _LETTER)
    if not len(place) or not len(letters):
        good[:] = False
        return out
    # Counted at once: letters, opening brackets, and how deep a character is inside brackets.
    counted = np.cumsum(_COUNTED.take(classes))
    level = (counted >> _LEVEL).astype(np.int32)
    level -= np.where(starts[:-1] > 0, level[np.maximum(starts[:-1], 1) - 1], 0)[row]
    good[row[(level & ~1) != 0]] = False
    last = starts[some + 1] - 1
    good[row[last[level[last] != 0]]] = False
    _plus(classes, level, row, good)
    mine = counted[place]
    suit = _LETTER_NUMBER.take(characters[letters])[np.minimum(mine & _COUNT, len(letters) - 1)]
    code = _CODE.take((suit << 4) + (characters[place] - _ZERO))
    rows, inside = row[place], level[place] > 0
    good[rows[code == _BAD]] = False
    wins = classes[place - 1] == _PLUS
    wins[row[place - 1] != rows] = False  # a plus that another text ends with
    wins[0] &= place[0] > 0
    _win(out, code, rows, np.flatnonzero(wins & ~inside), classes[np.minimum(place + 1, len(classes) - 1)] == _LETTER)
    plain = ~(inside | wins)
    flowers = plain & (suit == _SUITED)
    if flowers.any():
        _flowers(out, code[flowers], rows[flowers])
        plain &= ~flowers
    at = np.flatnonzero(plain)
    rows_at = rows[at]
    order = _order(rows_at, count)
    if len(order) and order.max() >= WIN:
        fits = order < WIN
        good[rows_at[~fits]] = False
        at, rows_at, order = at[fits], rows_at[fits], order[fits]
    tiles.reshape(-1)[rows_at * PLACES + order] = code[at]
    at = np.flatnonzero(inside)
    if len(at):
        opened, deep = mine[at] >> _OPENS & _COUNT, mine[at] >> _LEVEL
        brackets = opened - 1, opened - deep  # the one that is open, the next that closes
        _melds(out, characters, classes, code[at], suit[at], rows[at], brackets, wins[at])
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
    sizes = np.bincount(rows, minlength=count)
    made: Column = np.arange(len(rows)) - (np.cumsum(sizes) - sizes)[rows]
    return made


def _win(out: Spelled, code: U8, rows: Column, at: Column, alone: Column) -> None:
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
    code: U8,
    suit: U8,
    rows: Column,
    brackets: tuple[Column, Column],
    wins: Column,
) -> None:
    """Reads the sets: of all digits inside brackets the codes, suits, rows, brackets, and whether a plus is before."""
    group, closing = brackets
    opens, closes = np.flatnonzero(classes == _OPEN), np.flatnonzero(classes == _CLOSE)
    starts = np.flatnonzero(np.concatenate([[True], group[1:] != group[:-1]]))
    ends = np.append(starts[1:], len(group))
    sizes = ends - starts
    row = rows[starts]
    known = (sizes == 3) | (sizes == 4)
    four = sizes == 4
    at = [np.minimum(starts + i, len(group) - 1) for i in range(3)] + [np.where(four, starts + 3, starts)]
    at[3] = np.minimum(at[3], len(group) - 1)
    kinds = [_KIND.take(code[place]) for place in at]
    suits = suit[starts]
    same = (suit[at[1]] == suits) & (suit[at[2]] == suits) & (suit[at[3]] == suits)
    low = np.minimum(np.minimum(kinds[0], kinds[1]), kinds[2])
    high = np.maximum(np.maximum(kinds[0], kinds[1]), kinds[2])
    total = kinds[0].astype(np.int16) + kinds[1] + kinds[2]
    low, high = np.minimum(low, kinds[3]), np.maximum(high, kinds[3])
    reds = [(code[place] >= t.FIRST_RED).view(np.uint8) for place in at]
    red = reds[0] + reds[1] + reds[2] + reds[3] * four
    plus = wins[at[0]] | wins[at[1]] | wins[at[2]]  # a plus stands before the fourth tile or nowhere
    last = wins[at[3]] & four
    whose = group[starts]
    round_ = characters[opens[whose]] == _ROUND
    end = closes[np.minimum(closing[starts], len(closes) - 1)] if len(closes) else opens[whose]
    matched = round_ == (characters[end] == ord(")"))
    chow = (sizes == 3) & (high == low + 2) & (total == 3 * (low.astype(np.int16) + 1))
    form = np.where(chow, _CHOW, np.where(four, np.where(round_, _CONCEALED, np.where(last, _ADDED, _KONG)), _PUNG))
    fine = known & same & matched & (chow | (low == high)) & (suits < _SUITED) & ~plus
    fine &= ~round_ | (form == _CONCEALED)
    fine &= ~last | (form == _ADDED)
    rank = np.clip(low.astype(np.int16) - 9 * suits.astype(np.int16) + 1, 0, 15)
    number = _SET[form, np.minimum(suits, 3), rank, np.minimum(red, 7)]
    fine &= number > 0
    order = _order(row, len(out.good))
    fine &= order < SETS
    out.good[row[~fine]] = False
    out.melds[row[fine], order[fine]] = number[fine]
