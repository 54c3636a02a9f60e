"""A hand as one sum: each tile, set and winning tile is a weight, and a hand's weight is their total.

Many small counts lie side by side in one integer, so that adding two integers adds all of them. By
byte, from the lowest:

- 0 to 41: the copies of each kind of tile, wherever they lie;
- 42 to 45, the *shape*: 6 bits for the concealed tiles of each suit m p s z, with the winning tile; 4 bits for the sets
  on the table; one for whether there is a winning tile;
- 46: the exposed sets; 47: the kongs; 48: the red fives;
- 49 to 64, the *keys*: 4 bytes for each suit, of 3 bits for each rank with its concealed tiles and the winning tile,
  and above them 4 bits for the rank of the winning tile.

No count overflows into another while there are at most 132 copies of a kind, 63 concealed tiles of a suit and 15 sets;
but for those of 3 bits, which lie on top, so that a hand with more than 7 copies still is seen to have too many.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from struct import Struct

from tenbo import tiles

_COPY, _SUIT, _KEY = 8, 6, 32  # bits
_AT_SHAPE = _COPY * tiles.FIRST_RED
_AT_MELDS = _AT_SHAPE + 4 * _SUIT
_AT_WIN = _AT_MELDS + 4
_AT_EXPOSED, _AT_KONGS, _AT_REDS, _AT_KEYS = (_AT_SHAPE + 8 * byte for byte in (4, 5, 6, 7))

SIZE = 65
"""Bytes of a weight without too many copies."""

unpack = Struct("<42xIBBB4I").unpack
"""From a weight's bytes, lowest first: its shape, exposed sets, kongs, red fives, and the four keys."""

WIN_RANK_AT = 27
"""Place of the winning tile's rank in a key."""

MELDS_AT = WIN_RANK_AT + 4
"""Place in a hand's finished key of the codes of the suit's sets, 6 bits each."""

# Adding ROOM carries into the highest bit of the count of every kind that has too many copies: over 4 of a tile, over 1
# of a flower or season.
ROOM = sum((123 if kind < tiles.FIRST_BONUS else 126) << _COPY * kind for kind in range(tiles.FIRST_RED))
OVER = sum(128 << _COPY * kind for kind in range(tiles.FIRST_RED))

INDICATOR: dict[int, int] = {code: 1 << _COPY * tiles.kind(code) for code in tiles.DORA}
"""Code to weight of an indicator: only a copy."""

BONUS: dict[int, int] = {code: 1 << _COPY * code for code in range(tiles.FIRST_BONUS, tiles.FIRST_RED)}
"""Code to weight of a flower or season: only a copy."""

_TABLED = {code: weight + (tiles.is_red(code) << _AT_REDS) for code, weight in INDICATOR.items()}

CONCEALED: dict[int, int] = {
    code: weight
    + (1 << _AT_SHAPE + _SUIT * tiles.suit(code))
    + (1 << _AT_KEYS + _KEY * tiles.suit(code) + 3 * (tiles.rank(code) - 1))
    for code, weight in _TABLED.items()
}
"""Code to weight of a concealed tile."""

WINNING: dict[int, int] = {
    code: weight + (1 << _AT_WIN) + (tiles.rank(code) << _AT_KEYS + _KEY * tiles.suit(code) + WIN_RANK_AT)
    for code, weight in CONCEALED.items()
}
"""Code to weight of the winning tile."""


def of_meld(codes: Iterable[int], *, exposed: bool, kong: bool) -> int:
    """The weight of a set on the table."""
    weight = sum(_TABLED[code] for code in codes)
    return weight + (1 << _AT_MELDS) + (exposed << _AT_EXPOSED) + (kong << _AT_KONGS)


def _pair_suit(counts: tuple[int, ...]) -> int:
    rests = [count % 3 for count in counts]
    return rests.index(2) if sorted(rests) == [0, 0, 0, 2] else -1


def _shapes() -> dict[int, int]:
    found = {}
    for melds, win in product(range(5), range(2)):
        total = 13 + win - 3 * melds
        for m, p, s in product(range(total + 1), repeat=3):
            z = total - m - p - s
            if z >= 0:
                shape = m | p << _SUIT | s << 2 * _SUIT | z << 3 * _SUIT
                found[shape | melds << 4 * _SUIT | win << 4 * _SUIT + 4] = _pair_suit((m, p, s, z))
    return found


SHAPES: dict[int, int] = _shapes()
"""Every shape with the right number of tiles, to the suit that must hold the pair: the one suit with 2 mod 3 tiles
where all others have 0 mod 3; -1 where there is none."""
