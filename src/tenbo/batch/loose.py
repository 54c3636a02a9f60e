"""Hands that did not go out: every tile counts by itself, so facts add up over a suit's ranks."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tenbo import decompose as d
from tenbo.batch.groups import HONOURS, Groups, meld_rows, tile_facts
from tenbo.batch.lanes import Lanes

U8 = npt.NDArray[np.uint8]

LOW_CODES: Final = 5**5
HIGH_CODES: Final = 5**4


class Loose:
    """Tables of halves of suits: ranks 1 to 5 and ranks 6 to 9.

    Attributes:
        rows: By suit and half: (places * codes, width) facts of a half's code.
        entries: By suit and half: (places * codes, words) set entries.
        melds: What sets on the table add, as from `meld_rows`.
    """

    def __init__(self, groups: list[Groups], lanes: Lanes, words: int) -> None:
        self.rows: list[tuple[U8, U8]] = []
        self.entries: list[tuple[Any, Any]] = []
        for suit in range(4):
            low = self._half(groups[suit], lanes, 0, LOW_CODES)
            high = self._half(groups[suit], lanes, 5, HIGH_CODES)
            self.rows.append((low[0], high[0]))
            self.entries.append((low[1], high[1]))
        self.melds = meld_rows(groups, lanes, words)

    @staticmethod
    def _half(groups: Groups, lanes: Lanes, first: int, codes: int) -> tuple[U8, Any]:
        suit, places = groups.suit, groups.places
        ranks = 5 if first == 0 else 4
        places_of = np.zeros((places, codes, lanes.width // 8), np.uint64)
        entries = np.zeros((places, codes, groups.entries.shape[2]), np.uint64)
        counts = np.zeros((codes, 9), np.int64)
        rest = np.arange(codes)
        for rank in range(first, first + ranks):
            counts[:, rank] = rest % 5
            rest = rest // 5
        if suit == HONOURS:
            counts[:, 7:] = 0
        own = np.zeros((codes, lanes.width), np.uint8)
        for name, values in tile_facts(suit, counts).items():
            if name in lanes.names:
                lanes.put(own, name, values)
        for place in range(places):
            places_of[place] = own.view(np.uint64)
            for rank in range(first, first + ranks):
                for group, at in ((d.PUNG + rank, counts[:, rank] >= 3), (d.PAIR + rank, counts[:, rank] == 2)):
                    places_of[place][at] += groups.rows[place, group].view(np.uint64)
                    entries[place][at] |= groups.entries[place, group]
        return places_of.view(np.uint8).reshape(-1, lanes.width), entries.reshape(places * codes, -1)

    def add(self, suit: int, codes: Any, places: Any, rows: Any, entries: Any) -> None:
        """Adds a suit's facts to rows (as 64-bit numbers) and its entries to entries."""
        if suit < HONOURS:
            places = 0
        high, low = np.divmod(codes, LOW_CODES)
        for half, code, size in ((0, low, LOW_CODES), (1, high, HIGH_CODES)):
            at = places * size + code
            rows += self.rows[suit][half].view(np.uint64)[at]
            entries |= self.entries[suit][half][at]


def half_octal() -> tuple[Any, Any]:
    """By the code of ranks 1 to 5, and of ranks 6 to 9: the copies of each rank, 3 bits each."""
    low, high = np.zeros(LOW_CODES, np.int64), np.zeros(HIGH_CODES, np.int64)
    for out, first, ranks in ((low, 0, 5), (high, 5, 4)):
        rest = np.arange(len(out))
        for rank in range(first, first + ranks):
            out |= rest % 5 << 3 * rank
            rest = rest // 5
    return low, high
