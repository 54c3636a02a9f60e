"""Hand text read for many hands at once: the characters of all texts in one array.

Only clean texts are read here: spaces stand between parts, and the tiles of a set on the table share one letter.
Whatever is unusual or wrong is left to `tenbo.notation`, which reads it or says why.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any, Final, NamedTuple, NoReturn

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
_ZERO, _ROUND, _BLANK = ord("0"), ord("("), ord(" ")
_FLOWERS: Final = 4  # the number of the letter f


def _classes() -> bytes:
    out = bytearray([_OTHER] * 256)
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
    return bytes(out)


def _follows() -> npt.NDArray[np.bool_]:
    """By 8 * a character's class + the next one's: whether that can be."""
    out = np.zeros(64, np.bool_)
    part = (_DIGIT, _OPEN, _PLUS, _SPACE)
    for first, nexts in (
        (_START, part),
        (_DIGIT, (_DIGIT, _LETTER, _PLUS)),
        (_LETTER, (*part, _CLOSE)),
        (_OPEN, (_DIGIT,)),
        (_CLOSE, part),
        (_PLUS, (_DIGIT,)),
        (_SPACE, part),
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


_THREE, _FOUR, _CONCEALED, _ADDED, _NONE = range(5)  # how a set is written: [345s] [1111m] (1111m) [222+2z], wrongly


def _sets() -> U8:
    """By how it is written, its letter and its four digits (0 for a fourth that is not there): the number of a set."""
    out = np.zeros((5, 5, 10, 10, 10, 10), np.uint8)
    for number, meld in enumerate(MELDS):
        if meld is None:
            continue
        digits = [int(t.TEXTS[code][0]) for code in meld.tiles]
        form = _THREE if len(digits) == 3 else _ADDED if meld.added else _FOUR if meld.exposed else _CONCEALED
        for order in set(permutations(digits)):
            out[(form, meld.suit, *order, 0)[:6]] = number
    return out.reshape(-1)


_CLASS: Final = _classes()
_FOLLOWS: Final = _follows()
_CODE: Final = _codes()
_SET: Final = _sets()
_LETTER_NUMBER: Final = np.zeros(256, np.uint8)
for _i, _letter in enumerate(t.SUITS + "f"):
    _LETTER_NUMBER[ord(_letter)] = _i
_UP_TO: Final = np.arange(PLACES) < np.arange(WIN + 1)[:, None]  # by a number: so many places


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


class _UncleanError(Exception):
    """Some texts are not clean; the others can be read once these are blank."""

    def __init__(self, rows: Column) -> None:
        super().__init__()
        self.rows = rows


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
    characters = data[offsets[0] : offsets[-1]]
    starts = offsets - offsets[0]
    lengths = np.diff(starts)
    good = (lengths > 0) & (lengths <= LONGEST)
    if not good.all():
        characters = _without(characters, lengths, ~good)
    while True:
        try:
            found = _read(characters, starts, lengths)
        except _UncleanError as unclean:  # each time there are fewer of them
            good[unclean.rows] = False
            characters = _without(characters, lengths, ~good)
        else:
            found.good[:] = good
            return found


def _without(characters: U8, lengths: Column, unclean: Column) -> U8:
    """The characters with some texts blank."""
    return np.where(np.repeat(unclean, lengths), np.uint8(_BLANK), characters)


def _read(characters: U8, starts: Column, lengths: Column) -> Spelled:
    """Reads texts that are all clean or blank.

    Raises:
        _UncleanError: Some are not.
    """
    count = len(lengths)
    out = Spelled(
        np.full((count, PLACES), NONE, np.uint8),
        np.zeros((count, SETS), np.uint8),
        np.zeros(count, np.uint8),
        np.ones(count, np.bool_),
    )
    classes = np.frombuffer(characters.tobytes().translate(_CLASS), np.uint8)
    if not len(classes):
        return out
    _grammar(classes, starts, lengths)
    digit = classes == _DIGIT
    before = np.cumsum(digit, dtype=np.int32)  # digits up to here
    # Of all that is no digit: its place, class, character and row, and how many digits stand before it. Three spaces
    # at the end save looking whether there is a next one.
    at = np.flatnonzero(~digit)
    other = np.concatenate([classes[at], np.full(3, _SPACE, np.uint8)])
    sign = characters[at]
    so_far = before[at]
    at = np.concatenate([at, np.full(3, len(classes))])
    ends = before[starts[1:] - 1]
    if not lengths[0]:  # nothing stands before the first text
        ends[: np.argmax(lengths > 0)] = 0
    digits = np.diff(ends, prepend=np.int32(0))
    row = np.repeat(np.arange(count, dtype=np.int32), lengths - digits)

    letters = np.flatnonzero(other == _LETTER)
    suit = np.repeat(_LETTER_NUMBER.take(sign[letters]), np.diff(so_far[letters], prepend=np.int32(0)))
    figure = np.compress(digit, characters)
    figure -= _ZERO
    code = _CODE.take((suit << 4) + figure)
    unknown = code == _BAD
    if unknown.any():
        _refuse(np.repeat(np.arange(count), digits)[unknown])
    plain = np.ones(len(code), np.bool_)

    opens = np.flatnonzero(other == _OPEN)
    plus = np.flatnonzero(other == _PLUS)
    if len(opens) or (other == _CLOSE).any():
        plus = _melds(out, plain, (at, other, sign, so_far, row), opens, plus, figure, suit, digits)

    won = row[plus]
    first = so_far[plus]
    alone = (at[plus + 1] == at[plus] + 2) & (other[plus + 1] == _LETTER) & (classes[at[plus] - 1] != _DIGIT)
    alone[1:] &= won[1:] != won[:-1]
    alone &= suit[first] != _FLOWERS
    if not alone.all():
        _refuse(won[~alone])
    out.tiles[won, WIN] = code[first]
    plain[first] = False
    digits[won] -= 1

    flowers = plain & (suit == _FLOWERS)
    if flowers.any():
        rows = np.repeat(np.arange(count), np.diff(ends, prepend=np.int32(0)))[flowers]
        _flowers(out.bonus, code[flowers], rows)
        plain &= ~flowers
        digits -= np.bincount(rows, minlength=count)
    if digits.max() > WIN:
        _refuse(np.flatnonzero(digits > WIN))
    out.tiles[_UP_TO.take(digits, axis=0)] = np.compress(plain, code)
    return out


def _refuse(rows: Column) -> NoReturn:
    raise _UncleanError(rows)


def _grammar(classes: U8, starts: Column, lengths: Column) -> None:
    """Refuses texts in which some character cannot follow the one before, or be the last."""
    some = lengths > 0
    pairs = np.empty(len(classes), np.uint8)
    pairs[1:] = classes[:-1]
    pairs[starts[:-1][some]] = _START
    pairs <<= 3
    pairs |= classes
    fine = _FOLLOWS.take(pairs)
    last = starts[1:][some] - 1
    ends = classes[last]
    fine[last[(ends == _DIGIT) | (ends == _OPEN) | (ends == _PLUS)]] = False
    if not fine.all():
        _refuse(np.repeat(np.arange(len(lengths)), lengths)[~fine])


def _melds(
    out: Spelled,
    plain: Column,
    others: tuple[Column, U8, U8, Column, Column],
    opens: Column,
    plus: Column,
    figure: U8,
    suit: U8,
    digits: Column,
) -> Column:
    """Reads the sets on the table, and takes their digits out of the plain ones.

    Returns:
        The plus signs that are left.
    """
    at, other, sign, so_far, row = others
    size = at[opens + 1] - at[opens] - 1
    with_plus = other[opens + 1] == _PLUS
    letter = opens + 1 + with_plus
    close = letter + 1
    whole = (other[letter] == _LETTER) & (other[close] == _CLOSE) & (at[close] == at[letter] + 1)
    whole &= ~with_plus | (size == 3) & (at[letter] == at[opens + 1] + 2)
    stray = other == _CLOSE
    stray[close[whole]] = False
    if stray.any() or not whole.all():
        _refuse(np.concatenate([row[stray[: len(row)]], row[opens[~whole]]]))
    round_ = sign[opens] == _ROUND
    form = np.where(with_plus, _ADDED, np.where(size == 3, _THREE, np.where(round_, _CONCEALED, _FOUR)))
    four = form != _THREE
    matched = round_ == (sign[close] == ord(")"))
    form[~matched | (round_ & (form != _CONCEALED)) | (size < 3) | (size > 4)] = _NONE
    first = so_far[opens]
    key = form * 5 + suit[first]
    fourth = np.minimum(first + 3, len(figure) - 1)
    for place in (first, np.minimum(first + 1, fourth), np.minimum(first + 2, fourth)):
        key = key * 10 + figure[place]
    key = key * 10 + figure[fourth] * four
    number = _SET.take(key)
    rows = row[opens]
    sets = np.bincount(rows, minlength=len(digits))
    order = np.arange(len(rows)) - (np.cumsum(sets) - sets)[rows]
    fine = (number > 0) & (order < SETS)
    if not fine.all():
        _refuse(rows[~fine])
    out.melds.reshape(-1)[rows * SETS + order] = number
    for i in range(3):
        plain[first + i] = False
    plain[fourth[four]] = False
    digits -= 3 * sets + np.bincount(rows[four], minlength=len(digits))
    left = np.ones(len(other), np.bool_)
    left[opens[with_plus] + 1] = False
    return plus[left[plus]]


def _flowers(bonus: U8, code: U8, rows: Column) -> None:
    bits = (1 << (code - t.FIRST_BONUS)).astype(np.uint8)
    for bit in range(8):
        mine = rows[bits == 1 << bit]
        twice = mine[1:][mine[1:] == mine[:-1]]
        if len(twice):
            _refuse(twice)
        bonus[mine] |= np.uint8(1 << bit)
