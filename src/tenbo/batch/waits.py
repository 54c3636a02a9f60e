"""How many kinds would have completed a hand, for columns: suits one tile short, looked up by their code."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tenbo import decompose as d
from tenbo.batch.weights import CODE_BITS, digits

I64 = npt.NDArray[np.int64]

# What is known of a suit, from the lowest bit: the ranks that complete it as sets, and as sets and a pair (3 bits a
# rank, the lowest of them), its tiles beyond whole sets, whether it is whole as sets, as sets and a pair.
_PAIR_AT: Final = 27
_SIZE_AT: Final = 54
_SETS_AT, _TWO_AT, _KNOWN_AT = 56, 57, 58
_RANKS: Final = (1 << 27) - 1
_ONES: Final = 0o111111111
_FOURS: Final = 0o444444444


class Fills:
    """What completes suits of one kind (honours or not), by code; made when first met."""

    def __init__(self, honours: bool) -> None:
        self.honours = honours
        bits = CODE_BITS[3 if honours else 0]
        self._place: npt.NDArray[np.int32] = np.zeros(1 << bits, np.int32)
        self._known: I64 = np.zeros(256, np.int64)
        self._count = 1

    def __call__(self, codes: I64) -> I64:
        """What is known of each code's suit."""
        places = self._place.take(codes)
        if not places.all():
            for code in np.unique(codes[places == 0]).tolist():
                self._meet(code)
            places = self._place.take(codes)
        return self._known.take(places)

    def _meet(self, code: int) -> None:
        if self._count == len(self._known):
            self._known = np.concatenate([self._known, np.zeros_like(self._known)])
        self._place[code] = self._count
        counts = digits(code)
        found = 1 << _KNOWN_AT
        if sum(counts) <= 14 and code < 5 ** (7 if self.honours else 9):
            packed = sum(n << 3 * rank for rank, n in enumerate(counts))
            size = sum(counts) % 3
            found |= size << _SIZE_AT
            found |= bool(size == 0 and d.sets(packed, self.honours)) << _SETS_AT
            found |= bool(size == 2 and d.sets_and_pair(packed, self.honours)) << _TWO_AT
            if size == 2:
                found |= _spread(d.fills(packed, self.honours, False))
            elif size == 1:
                found |= _spread(d.fills(packed, self.honours, True)) << _PAIR_AT
        self._known[self._count] = found
        self._count += 1


def _spread(bits: int) -> int:
    return sum(1 << 3 * rank for rank in range(9) if bits >> rank & 1)


def waiting(
    fills: tuple[Fills, Fills], codes: list[I64], held: list[I64], closed: npt.NDArray[Any], pairs: bool, orphans: bool
) -> tuple[Any, Any]:
    """How many kinds complete hands one tile short, all of them, and those not held four times.

    Args:
        fills: For suits, for honours.
        codes: By suit: the codes of the concealed tiles without the winning tile.
        held: By suit: the copies of each rank, those on the table too, without the winning tile, 3 bits each.
        closed: Where nothing lies on the table.
        pairs: Whether seven pairs complete a hand.
        orphans: Whether thirteen orphans do.
    """
    known = [fills[suit == 3](codes[suit]) for suit in range(4)]
    sizes = [(one >> _SIZE_AT & 3).astype(np.int8) for one in known]
    whole = [(one >> _SETS_AT & 3 > 0).view(np.int8) for one in known]
    good = whole[0] + whole[1] + whole[2] + whole[3]
    ones = sum((size == 1).view(np.int8) for size in sizes)
    twos = sum((size == 2).view(np.int8) for size in sizes)
    lone, two = (ones == 1) & (twos == 0), (twos == 2) & (ones == 0)
    found: list[I64] = []
    for suit in range(4):
        rest = good - whole[suit] == 3
        alone = np.where(lone & rest & (sizes[suit] == 1), known[suit] >> _PAIR_AT & _RANKS, 0)
        found.append(np.where(two & rest & (sizes[suit] == 2), known[suit] & _RANKS, alone))
    if pairs:
        _add_pairs(found, held, closed)
    if orphans:
        _add_orphans(found, held, closed)
    every = sum(np.bitwise_count(one) for one in found)
    left = sum(np.bitwise_count(one & ~(own >> 2 & _ONES)) for one, own in zip(found, held, strict=True))
    return every, left


def _add_pairs(found: list[I64], held: list[I64], closed: npt.NDArray[Any]) -> None:
    """Adds the kind that completes seven pairs."""
    over = held[0] | held[1] | held[2] | held[3]
    many = over & _FOURS != 0
    for own in held:
        many |= (own & own >> 1 & _ONES) != 0
    pairs = sum(np.bitwise_count(own >> 1 & _ONES) for own in held)
    rows = np.flatnonzero(closed & ~many & (pairs == 6))
    for one, own in zip(found, held, strict=True):
        one[rows] |= own[rows] & _ONES


def _add_orphans(found: list[I64], held: list[I64], closed: npt.NDArray[Any]) -> None:
    """Adds the kinds that complete thirteen orphans."""
    ends = 0o700000007
    middle = _RANKS & ~ends
    rows = np.flatnonzero(closed & ((held[0] | held[1] | held[2]) & middle == 0))
    if not len(rows):
        return
    wanted = [ends & _ONES] * 3 + [0o1111111]
    have = []
    for own in held:
        one = own[rows]
        have.append((one | one >> 1 | one >> 2) & _ONES)
    kinds = sum(np.bitwise_count(one) for one in have)
    for suit in range(4):
        lacking = np.where(kinds == 13, wanted[suit], wanted[suit] & ~have[suit])
        found[suit][rows] |= np.where(kinds >= 12, lacking, 0)
