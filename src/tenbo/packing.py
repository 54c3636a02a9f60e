"""A hand as one sum: each tile, set and winning tile is a weight, and a hand's weight is their total.

Many small counts lie side by side in one integer, so that adding two integers adds all of them. From the lowest bit:

- 42 fields of 6 bits: the copies of each kind of tile, wherever they lie;
- 4 fields of 5 bits: the concealed tiles of each suit m p s z, with the winning tile;
- 3 bits: the sets on the table; 1 bit: whether there is a winning tile;
- 3 bits: the exposed sets; 3 bits: the kongs; 4 bits: the red fives;
- 4 fields of 31 bits: for each suit the concealed tiles with the winning tile, 3 bits a rank, and above them 4 bits
  for the rank of the winning tile.

No field overflows into another while there are at most 36 copies of a kind, 14 concealed tiles of a suit and 4 sets;
the counts of 3 bits lie on top, so that theirs, in a hand with more than four copies, harms nothing that says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from tenbo import tiles

_COPY_BITS = 6
_SUIT_BITS = 5
_AT_SUITS = _COPY_BITS * tiles.FIRST_RED
AT_SHAPE = _AT_SUITS
_AT_MELDS = _AT_SUITS + 4 * _SUIT_BITS
_AT_WIN = _AT_MELDS + 3
AT_EXPOSED = _AT_WIN + 1
AT_KONGS = AT_EXPOSED + 3
AT_REDS = AT_KONGS + 3
AT_KEYS = AT_REDS + 4
KEY_BITS = 31
WIN_BIT = 1 << _AT_WIN
MELD_UNIT = 1 << _AT_MELDS

SHAPE_MASK = (1 << (AT_EXPOSED - AT_SHAPE)) - 1
"""Of a weight shifted by `AT_SHAPE`: the numbers of tiles in each suit and of sets, and whether there is a win."""

KEY_MASK = (1 << KEY_BITS) - 1

# Adding ROOM carries into the highest bit of the field of every kind that has too many copies: over 4 of a tile, over 1
# of a flower or season.
ROOM = sum((27 if kind < tiles.FIRST_BONUS else 30) << _COPY_BITS * kind for kind in range(tiles.FIRST_RED))
OVER = sum(32 << _COPY_BITS * kind for kind in range(tiles.FIRST_RED))


def _red(code: int) -> int:
    return 1 << AT_REDS if tiles.is_red(code) else 0


_COPY = tuple(1 << _COPY_BITS * tiles.kind(code) for code in range(len(tiles.TEXTS)))

INDICATOR: dict[int, int] = {code: _COPY[code] for code in tiles.DORA}
"""Code to weight of an indicator: only a copy."""

BONUS: dict[int, int] = {code: _COPY[code] for code in range(tiles.FIRST_BONUS, tiles.FIRST_RED)}
"""Code to weight of a flower or season: only a copy."""

CONCEALED: dict[int, int] = {
    code: _COPY[code]
    + _red(code)
    + (1 << _AT_SUITS + _SUIT_BITS * tiles.suit(code))
    + (1 << AT_KEYS + KEY_BITS * tiles.suit(code) + 3 * (tiles.rank(code) - 1))
    for code in tiles.DORA
}
"""Code to weight of a concealed tile."""

WINNING: dict[int, int] = {
    code: weight + WIN_BIT + (tiles.rank(code) << AT_KEYS + KEY_BITS * tiles.suit(code) + 27)
    for code, weight in CONCEALED.items()
}
"""Code to weight of the winning tile."""

DORA_AT: dict[int, int] = {code: _COPY_BITS * kind for code, kind in tiles.DORA.items()}
"""Indicator's code to the place of its dora's copies in a weight."""

COPY_MASK = (1 << _COPY_BITS) - 1

COPY_AT: dict[int, int] = {code: _COPY_BITS * tiles.kind(code) for code in tiles.DORA}
"""Tile's code to the place of its copies in a weight."""


def of_meld(codes: Iterable[int], *, exposed: bool, kong: bool) -> int:
    """The weight of a set on the table."""
    weight = sum(_COPY[code] + _red(code) for code in codes)
    return weight + MELD_UNIT + (exposed << AT_EXPOSED) + (kong << AT_KONGS)


def _pair_suit(counts: tuple[int, ...]) -> int:
    rests = [count % 3 for count in counts]
    return rests.index(2) if sorted(rests) == [0, 0, 0, 2] else -1


def _shapes() -> dict[int, int]:
    found = {}
    for melds, win in product(range(5), range(2)):
        total = 13 + win - 3 * melds
        for a in range(total + 1):
            for b in range(total - a + 1):
                for c in range(total - a - b + 1):
                    counts = (a, b, c, total - a - b - c)
                    key = sum(count << _SUIT_BITS * suit for suit, count in enumerate(counts))
                    key += melds * MELD_UNIT + win * WIN_BIT >> _AT_SUITS
                    found[key] = _pair_suit(counts)
    return found


SHAPES: dict[int, int] = _shapes()
"""Every shape with the right number of tiles, to the suit that must hold the pair: the one suit with 2 mod 3 tiles
where all others have 0 mod 3; -1 where there is none."""
