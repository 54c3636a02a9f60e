"""Facts of a reading side by side in a few bytes, so that adding the rows of four suits adds all facts at once.

A row is 32 bytes (64 where a ruleset names very many facts), added as 16-bit numbers. A fact that never passes 15 has
half a byte, others a byte, points two bytes.
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
"""Which pungs (bits 0-8) and chows (bits 9-15) stand in a suit."""
COUNT: Final = "_count"
"""Concealed tiles, the winning tile included."""
REDS: Final = "red_fives"

TILES_OF_SUITS: Final = ("characters", "dots", "bamboos", "honours")
NOT_ADDED: Final = {
    "form": (),
    "suits": TILES_OF_SUITS[:3],
    "tiles": TILES_OF_SUITS,
    "kinds": (),
    "twos": (),
    "unkonged_fours": (),
    "three_suit_chows": RUNS,
    "three_suit_pungs": RUNS,
    "waiting_kinds": (),
    "waiting_kinds_left": (),
}
"""Facts that are worked out rather than added up, and what they need."""
DERIVED: Final = {"closed": "open_sets", "closed_after": "exposed_sets"}

_WORDS: Final = ("set_points", "set_doubles", *RUNS)
_BITS: Final = {fact.name: fact.bits for fact in HAND_FACTS if fact.source == "sum"} | {COUNT: 5, REDS: 4}


class Lanes:
    """Where each fact lies in a row.

    Args:
        names: The hand facts that a ruleset names.

    Attributes:
        width: Bytes of a row.
        names: The facts that have a place.
    """

    def __init__(self, names: set[str]) -> None:
        wanted = {"set_points", "set_doubles", "open_sets", "kongs", COUNT}
        for name in names:
            name = DERIVED.get(name, name)
            if name in NOT_ADDED:
                wanted |= set(NOT_ADDED[name])
            elif name in _BITS:
                wanted.add(name)
        words = [name for name in _WORDS if name in wanted]
        rest = sorted(wanted.difference(words))
        halves = [name for name in rest if _BITS[name] <= 3]
        bytes_ = [name for name in rest if _BITS[name] > 3]
        self._place: dict[str, tuple[int, str]] = {}
        at = 0
        for name in words:
            self._place[name] = (at, "word")
            at += 2
        for name in bytes_:
            self._place[name] = (at, "byte")
            at += 1
        for i, name in enumerate(halves):
            self._place[name] = (at + i // 2, "high" if i % 2 else "low")
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
        at, kind = self._place[name]
        if kind == "word":
            rows[:, at] |= (values & 255).astype(np.uint8)
            rows[:, at + 1] |= (values >> 8).astype(np.uint8)
        elif kind == "high":
            rows[:, at] |= (values << 4).astype(np.uint8)
        else:
            rows[:, at] |= values.astype(np.uint8)

    def get(self, rows: U8, name: str, turned: U8 | None = None) -> Column:
        """A fact's column: int8, or uint16 for the facts of two bytes; contiguous.

        Args:
            rows: The rows.
            name: The fact.
            turned: The rows' bytes, column by column: turned once, many facts cost less than column by column.
        """
        at, kind = self._place[name]
        if kind == "word":
            return rows.view(np.uint16)[:, at // 2].copy()
        column = rows[:, at].copy() if turned is None else turned[at]
        if kind == "low":
            column = column & np.uint8(15)
        elif kind == "high":
            column = column >> np.uint8(4)
        return column.view(np.int8)
