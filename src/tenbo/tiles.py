"""Tiles: small integers with a text, a name and a Unicode character.

A tile's code is 0..8 for 1m..9m, 9..17 for 1p..9p, 18..26 for 1s..9s, 27..33 for 1z..7z (East South West North,
White Green Red), 34..37 for the flowers 1f..4f, 38..41 for the seasons 5f..8f, and 42..44 for the red fives
0m 0p 0s. Codes 0..41 are the *kinds*; a red five is of the kind of its plain five.

>>> CODES["5p"], CODES["0p"], kind(CODES["0p"]), NAMES[CODES["0p"]]
(13, 43, 13, 'red five of dots')
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

SUITS = "mpsz"
"""The letters of the suits, in order; a suit's index is its place here."""

TEXTS: tuple[str, ...] = (
    *(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)),
    *(f"{rank}z" for rank in range(1, 8)),
    *(f"{rank}f" for rank in range(1, 9)),
    *("0m", "0p", "0s"),
)
"""Code to text: `"1m"`, `"7z"`, `"0p"`."""

CODES: dict[str, int] = {text: code for code, text in enumerate(TEXTS)}
"""Text to code."""

FIRST_BONUS = 34
FIRST_RED = 42

_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
NAMES: tuple[str, ...] = (
    *(f"{number} of {suit}" for suit in ("characters", "dots", "bamboo") for number in _NUMBERS),
    *("East Wind", "South Wind", "West Wind", "North Wind", "White Dragon", "Green Dragon", "Red Dragon"),
    *("plum, flower 1", "orchid, flower 2", "chrysanthemum, flower 3", "bamboo, flower 4"),
    *("spring, season 1", "summer, season 2", "autumn, season 3", "winter, season 4"),
    *(f"red five of {suit}" for suit in ("characters", "dots", "bamboo")),
)
"""Code to the name that is read out: `"five of dots"`, `"East Wind"`."""

KINDS: tuple[int, ...] = (*range(FIRST_RED), CODES["5m"], CODES["5p"], CODES["5s"])
"""Code to kind 0..41: a red five becomes its plain five, every other tile is its own kind."""

_CHARACTERS = (0x1F007, 0x1F019, 0x1F010)  # the first of characters, dots, bamboo
_KIND_UNICODE = (
    *(chr(first + i) for first in _CHARACTERS for i in range(9)),
    *(chr(point) for point in (0x1F000, 0x1F001, 0x1F002, 0x1F003, 0x1F006, 0x1F005, 0x1F004)),
    # Unicode lists plum, orchid, bamboo, chrysanthemum; by number the chrysanthemum is third.
    *(chr(point) for point in (0x1F022, 0x1F023, 0x1F025, 0x1F024, 0x1F026, 0x1F027, 0x1F028, 0x1F029)),
)
UNICODE: tuple[str, ...] = tuple(_KIND_UNICODE[kind] for kind in KINDS)
"""Code to Unicode character; Unicode knows no red fives, so theirs is the plain five's."""

FROM_UNICODE: dict[str, int] = {character: code for code, character in enumerate(_KIND_UNICODE)}
"""Unicode character to code; never a red five."""

BY_PLACE: tuple[int, ...] = tuple(sorted(range(len(TEXTS)), key=lambda code: (KINDS[code], code < FIRST_RED)))
"""Place in canonical order to code: m p s z f, by rank, a red five before plain ones."""

KNOWN: dict[Any, int] = {code: code for code in range(len(TEXTS))}
"""Every code to itself; unlike `TEXTS` it refuses -1."""

_PLACE = {code: place for place, code in enumerate(BY_PLACE)}  # a tuple would take -1 for its last

_NEXT = (
    *(first + (i + 1) % 9 for first in (0, 9, 18) for i in range(9)),
    *(27 + (i + 1) % 4 for i in range(4)),
    *(31 + (i + 1) % 3 for i in range(3)),
)
DORA: dict[int, int] = {code: _NEXT[KINDS[code]] for code in (*range(FIRST_BONUS), *range(FIRST_RED, len(TEXTS)))}
"""Indicator's code to the kind of the dora: the next rank, 9 to 1, North to East, Red Dragon to White Dragon."""


def kind(code: int) -> int:
    """The kind 0..41 of a tile: a red five is of the kind of its plain five."""
    return KINDS[code]


def suit(code: int) -> int:
    """The suit of a tile: 0..3 for m p s z, 4 for a flower or season."""
    return 4 if FIRST_BONUS <= code < FIRST_RED else KINDS[code] // 9


def rank(code: int) -> int:
    """The rank of a tile within its suit, from 1; a red five's is 5."""
    return KINDS[code] - FIRST_BONUS + 1 if FIRST_BONUS <= code < FIRST_RED else KINDS[code] % 9 + 1


def is_red(code: int) -> bool:
    """Whether the tile is a red five."""
    return code >= FIRST_RED


def is_bonus(code: int) -> bool:
    """Whether the tile is a flower or season."""
    return FIRST_BONUS <= code < FIRST_RED


def known(value: object) -> int | None:
    """The value as a tile's code, or `None` where it is no tile's code.

    >>> known(41), known(45), known(-1), known("1m")
    (41, None, None, None)
    """
    try:
        return KNOWN.get(value)
    except TypeError:
        return None


def known_plain(value: object) -> int | None:
    """As `known`, but `None` for a flower or season too."""
    code = known(value)
    return None if code is None or is_bonus(code) else code


def in_order(codes: Iterable[int]) -> tuple[int, ...]:
    """Sort tiles canonically: m p s z f, by rank, a red five before plain ones.

    Raises:
        LookupError: A code is no tile's.
        TypeError: A code is no number.

    >>> [TEXTS[code] for code in in_order([13, 27, 43, 0])]
    ['1m', '0p', '5p', '1z']
    """
    return tuple([BY_PLACE[place] for place in sorted([_PLACE[code] for code in codes])])


def write(codes: Iterable[int]) -> str:
    """Write tiles as text in the order given; neighbours of one suit share its letter.

    >>> write([0, 1, 2, 43, 13, 31])
    '123m05p5z'
    """
    text, last = "", ""
    for code in codes:
        digit, letter = TEXTS[code][0], TEXTS[code][1]
        text += digit if letter == last or not last else last + digit
        last = letter
    return text + last
