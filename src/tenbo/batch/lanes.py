"""Facts of a reading side by side in a few bytes, so that adding the rows of four suits adds all facts at once.

A row is 32 bytes (64 where a ruleset names very many facts), added as 64-bit numbers. A fact that never passes 15 has
half a byte, others a byte, points two bytes, the chows and pungs of a suit four.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tenbo.facts import HAND_FACTS

U8 = npt.NDArray[np.uint8]
Column = npt.NDArray[Any]

RUNS: Final = ("_runs_m", "_runs_p", "_runs_s")
"""What stands in a suit: how often each chow, 3 bits a start, and, from bit 21, which pungs and kongs."""
REDS: Final = "red_fives"

TILES_OF_SUITS: Final = ("characters", "dots", "bamboos", "honours")
NOT_ADDED: Final = {
    "form": (),
    "suits": TILES_OF_SUITS[:3],
    "tiles": TILES_OF_SUITS,
    "kinds": (),
    "twos": (),
    "unkonged_fours": (),
    "equal_chow_pairs": RUNS,
    "straights": RUNS,
    "three_suit_chows": RUNS,
    "three_suit_pungs": RUNS,
    "waiting_kinds": (),
    "waiting_kinds_left": (),
}
"""Facts that are worked out rather than added up, and what they need."""
DERIVED: Final = {"closed": "open_sets", "closed_after": "exposed_sets"}

_BYTES: Final = dict.fromkeys(RUNS, 4) | {"set_points": 2, "set_doubles": 2}
_BITS: Final = {fact.name: fact.bits for fact in HAND_FACTS if fact.source == "sum"} | {REDS: 4}


class Lanes:
    """Where each fact lies in a row.

    Args:
        names: The hand facts that a ruleset names.

    Attributes:
        width: Bytes of a row.
        names: The facts that have a place.
    """

    def __init__(self, names: set[str]) -> None:
        wanted = {"set_points", "set_doubles", "open_sets", "kongs"}
        for name in names:
            name = DERIVED.get(name, name)
            if name in NOT_ADDED:
                wanted |= set(NOT_ADDED[name])
            elif name in _BITS:
                wanted.add(name)
        rest = sorted(wanted.difference(_BYTES))
        halves = [name for name in rest if _BITS[name] <= 3]
        sizes = {name: size for name, size in _BYTES.items() if name in wanted}
        sizes |= {name: 1 for name in rest if _BITS[name] > 3}
        self._place: dict[str, tuple[int, int]] = {}  # by fact: its first bit in the row, and how many bits
        at = 0
        for name, size in sizes.items():
            self._place[name] = (8 * at, 8 * size)
            at += size
        for i, name in enumerate(halves):
            self._place[name] = (8 * at + 4 * i, 4)
        at += (len(halves) + 1) // 2
        self.width = 32 if at <= 32 else 64
        assert at <= 64
        self.names = frozenset(self._place)

    def pack(self, facts: Mapping[str, int]) -> U8:
        """A row of facts; those without a place are left out."""
        row = np.zeros(self.width, np.uint8)
        for name, value in facts.items():
            if value and name in self._place:
                self.put(row[None], name, np.array([value]))
        return row

    def put(self, rows: U8, name: str, values: Column) -> None:
        """Adds a fact's values to rows that do not have it yet."""
        bit, bits = self._place[name]
        values = values.astype(np.int64) << bit % 8
        for byte in range((bits + 7) // 8):
            rows[:, bit // 8 + byte] |= (values >> 8 * byte & 255).astype(np.uint8)

    def turn(self, rows: U8) -> Column:
        """The rows' 32-bit numbers, column by column."""
        return np.ascontiguousarray(rows.view("<u4").T)

    def get(self, turned: Column, name: str) -> Column:
        """A fact's column from turned rows: int8, int32 for points and doubles."""
        bit, bits = self._place[name]
        column: Column = turned[bit // 32]
        if bit % 32:
            column = column >> np.uint32(bit % 32)
        if bits == 16:
            return (column & np.uint32(0xFFFF)).view(np.int32)
        column = column.astype(np.uint8)
        if bits == 4:
            column &= np.uint8(15)
        return column.view(np.int8)

    def runs(self, turned: Column) -> Column:
        """The runs of the three suits from turned rows, (3, n) uint32, as they lie there."""
        first = self._place[RUNS[0]][0] // 32
        return turned[first : first + len(RUNS)]
