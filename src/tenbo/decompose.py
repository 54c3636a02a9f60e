"""One suit taken apart: sets, pairs and the tiles that would complete it.

A suit's concealed tiles are one integer, three bits a rank (rank ``r`` at bit ``3 * (r - 1)``), so that a suit is a
dictionary key. A *group code* names a concealed group within a suit:

====== ===============================================================
code   group
====== ===============================================================
0-6    chow that starts at rank code + 1
7-15   pung of rank code - 6
16-24  pair of rank code - 15
25-45  chow with the winning tile: 25 + 3 * (start - 1) + its place
46-54  pung with the winning tile
55-63  pair with the winning tile
64-    set on the table: 64 + the meld's code
====== ===============================================================
"""

from __future__ import annotations

from typing import Final

CHOW: Final = 0
PUNG: Final = 7
PAIR: Final = 16
WIN_CHOW: Final = 25
WIN_PUNG: Final = 46
WIN_PAIR: Final = 55
MELD: Final = 64
CODES: Final = 108

COUNT_MASK: Final = (1 << 27) - 1
WIN_SHIFT: Final = 27
MELD_SHIFT: Final = 31

Codes = tuple[int, ...]

_LIMIT: Final = 20_000
_sets: dict[int, tuple[Codes, ...]] = {}
_pairs: dict[int, tuple[Codes, ...]] = {}


def _split(counts: int, honours: bool) -> tuple[Codes, ...]:
    if not counts:
        return ((),)
    low = (counts & -counts).bit_length() - 1
    low -= low % 3
    rank, held = low // 3, counts >> low & 7
    out: list[Codes] = []
    # The lowest tiles are in a pung or begin a chow each, so that no way is found twice.
    for pungs in (1, 0) if held >= 3 else (0,):
        chows = held - 3 * pungs
        if chows and (honours or rank > 6 or counts >> low + 3 & 7 < chows or counts >> low + 6 & 7 < chows):
            continue
        first = (PUNG + rank,) * pungs + (CHOW + rank,) * chows
        rest = counts - (held << low) - (chows * 0o11 << low + 3)
        out += [first + way for way in _split(rest, honours)]
    return tuple(out)


def sets(counts: int, honours: bool) -> tuple[Codes, ...]:
    """Every way to see a suit's tiles as sets alone, each a tuple of group codes."""
    key = counts | honours << 27
    found = _sets.get(key)
    if found is None:
        found = _split(counts, honours)
        if len(_sets) >= _LIMIT:
            _sets.clear()
        _sets[key] = found
    return found


def sets_and_pair(counts: int, honours: bool) -> tuple[Codes, ...]:
    """Every way to see a suit's tiles as sets and one pair."""
    key = counts | honours << 27
    found = _pairs.get(key)
    if found is None:
        # The ranks' sum mod 3 says where the pair can be: chows and pungs both sum to 0 mod 3.
        out: list[Codes] = []
        rank, rest, total = 0, counts, 0
        while rest:
            total += rank * (rest & 7)
            rest >>= 3
            rank += 1
        want = 2 * total % 3
        for rank in range(9):
            if counts >> 3 * rank & 7 >= 2 and (honours or rank % 3 == want):
                out += [(PAIR + rank, *rest) for rest in sets(counts - (2 << 3 * rank), honours)]
        found = tuple(out)
        if len(_pairs) >= _LIMIT:
            _pairs.clear()
        _pairs[key] = found
    return found


_fills: dict[int, int] = {}


def fills(counts: int, honours: bool, pair: bool) -> int:
    """The ranks that complete a suit one tile short, as bits (rank ``r`` is bit ``r - 1``).

    With ``pair`` the completed suit holds sets and a pair, else sets alone. A fifth copy is counted too: whether it
    can still come is for the caller to say.
    """
    key = counts | honours << 27 | pair << 28
    found = _fills.get(key)
    if found is None:
        ways = sets_and_pair if pair else sets
        found = 0
        for rank in range(7 if honours else 9):
            # A tile far from all others can only come as half of a pair, which the ways below find as well.
            if ways(counts + (1 << 3 * rank), honours):
                found |= 1 << rank
        if len(_fills) >= _LIMIT:
            _fills.clear()
        _fills[key] = found
    return found


def group_tiles(code: int) -> tuple[int, ...]:
    """The ranks (1-9) of a group's tiles, the winning tile last where it is known."""
    if code < PUNG:
        return (code + 1, code + 2, code + 3)
    if code < PAIR:
        return (code - 6,) * 3
    if code < WIN_CHOW:
        return (code - 15,) * 2
    if code < WIN_PUNG:
        start, place = divmod(code - WIN_CHOW, 3)
        rest = [start + 1, start + 2, start + 3]
        win = rest.pop(place)
        return (*rest, win)
    if code < WIN_PAIR:
        return (code - 45,) * 3
    if code < MELD:
        return (code - 54,) * 2
    meld = code - MELD
    if meld <= 7:
        return (meld, meld + 1, meld + 2)
    if meld <= 16:
        return (meld - 7,) * 3
    return ((meld - 17) % 9 + 1,) * 4


def _won(code: int, rank: int) -> int:
    """The code of a concealed group with a winning tile of that rank; -1 where it holds no such tile."""
    if code < PUNG:
        place = rank - 1 - code
        return WIN_CHOW + 3 * code + place if 0 <= place <= 2 else -1
    if code < PAIR:
        return code + (WIN_PUNG - PUNG) if code - 6 == rank else -1
    return code + (WIN_PAIR - PAIR) if code - 15 == rank else -1


WON: Final = tuple(tuple(_won(code, rank) for rank in range(10)) for code in range(WIN_CHOW))
"""By a concealed group's code and the winning tile's rank: the code with that tile in it, or -1."""


def with_win(codes: Codes, rank: int) -> list[Codes]:
    """The same groups with the winning tile of that rank in each place it can stand, equal groups alike."""
    out: list[Codes] = []
    last = -1
    for i, code in enumerate(codes):  # equal groups stand side by side
        won = WON[code][rank]
        if won >= 0 and code != last:
            out.append((*codes[:i], won, *codes[i + 1 :]))
        last = code
    return out


def _packed_tiles(code: int) -> int:
    return sum(1 << 3 * (rank - 1) for rank in group_tiles(code)) if code != MELD else 0  # no set has code 0


TILES: Final = tuple(_packed_tiles(code) for code in range(CODES))
"""By group code: its tiles, packed as a suit's concealed tiles are."""

_MELD_TYPES: Final = 6  # bits of a meld's code in a suit's key


def melds_of(key: int) -> Codes:
    """The group codes of the sets on the table in a suit's key."""
    out: Codes = ()
    rest = key >> MELD_SHIFT
    while rest:
        out += (MELD + (rest & 63),)
        rest >>= _MELD_TYPES
    return out
