"""A ruleset compiled for columns: its tables, made as codes are met, and what arrays cannot do."""

from __future__ import annotations

from functools import lru_cache
from threading import RLock
from typing import Final

import numpy as np

from tenbo.batch.columns import BY
from tenbo.batch.evaluator import Evaluator
from tenbo.batch.groups import Groups, meld_rows
from tenbo.batch.lanes import Lanes
from tenbo.batch.loose import Loose
from tenbo.batch.money import Money
from tenbo.batch.splits import Suits, suits_of
from tenbo.batch.waits import Fills
from tenbo.batch.widths import TooWideError
from tenbo.engine import SEVEN_PAIRS, THIRTEEN_ORPHANS, engine
from tenbo.facts import FORMS
from tenbo.program import bonus_worth
from tenbo.ruleset import Ruleset
from tenbo.situation import CLASHES

MOST_SET_POINTS: Final = 0xFFFF
MOST_SET_DOUBLES: Final = 0xFF
_SETS: Final = 7
_BLOCK: Final = 31 << 20  # the library learns from blocks of up to 32 MiB


class Compiled:
    """All that columns of hands are scored with by one ruleset.

    Attributes:
        fallback: Why all rows are left to the scalar engine; empty where arrays do it.
        legend: The keys of the entries, as in `Result`.
        words: 64-bit words of entries.
        lock: Held while a chunk is scored, since tables grow.
    """

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.engine = engine(rules)
        self.program = program = self.engine.program
        self.lock = RLock()
        ordered = (*program.entries, *program.set_entries, *program.bonus_entries, *program.combos)
        self.legend = tuple(entry.key for entry in ordered)
        self.words = (len(ordered) + 63) // 64 or 1
        self.bits = {key: i for i, key in enumerate(self.legend)}
        self.units = {entry.key: entry.unit for entry in ordered}
        self.fallback: tuple[str, ...] = ()
        self.lanes = Lanes(program.names)
        self.money = Money(self.engine)
        if program.combos:
            self.fallback = ("it has combination entries, which look at every group of sets",)
            return
        try:
            self.winners = Evaluator(program, True)
            self.losers = Evaluator(program, False) if rules.losers else None
        except TooWideError:
            self.fallback = ("a value of an entry may not fit into 64 bits",)
            return
        bits = {entry.key: self.bits[entry.key] for entry in program.set_entries}
        self.groups = [Groups(program, self.lanes, suit, BY, bits, self.words) for suit in range(4)]
        loose = (
            [Groups(program, self.lanes, suit, (None,), bits, self.words) for suit in range(4)] if rules.losers else []
        )
        for unit, most, limit in (
            ("points", max(g.most_points for g in (*self.groups, *loose)), MOST_SET_POINTS),
            ("doubles", max(g.most_doubles for g in (*self.groups, *loose)), MOST_SET_DOUBLES),
        ):
            if most * _SETS > limit:
                self.fallback = (f"the sets of a hand may earn more than {limit} {unit}",)
                return
        self.melds = meld_rows(self.groups, self.lanes, self.words)
        self.loose = Loose(loose, self.lanes, self.words) if rules.losers else None
        self.fills = (Fills(False), Fills(True))
        self.suits = self._suits()
        self._situations()
        self._bonus()
        self._masks()

    def _suits(self) -> list[Suits]:
        shapes = self.rules.shapes
        return suits_of(self.groups, self.lanes, FORMS[SEVEN_PAIRS] in shapes, FORMS[THIRTEEN_ORPHANS] in shapes)

    def trim(self) -> None:
        """Begins the tables anew where they have grown too large; scores that refer to the old ones keep them."""
        if any(suit.full for suit in self.suits):
            self.suits = self._suits()

    def _situations(self) -> None:
        """By 128 * by + flags: the properties that clash with them; flags that the rules do not know always do."""
        refused = self.engine.refused
        self.clashes = np.zeros(256, np.uint8)
        for number, by in enumerate(BY):
            for flags in range(128):
                self.clashes[number << 7 | flags] = CLASHES[by][flags] | (16 if flags & refused else 0)

    def _bonus(self) -> None:
        """By 256 * seat + tiles: points, doubles and doubles that do not help to go out of flowers and seasons."""
        self.bonus = np.zeros((2, 1024, 3), np.int32)
        self.bonus_entries = np.zeros((2, 1024, self.words), np.uint64)
        for winner in (False, True):
            for seat in range(4):
                for tile in range(8):
                    for entry, value in bonus_worth(self.program, tile, seat, winner):
                        rows = [seat << 8 | tiles for tiles in range(256) if tiles >> tile & 1]
                        self.bonus[int(winner), rows, 0 if entry.unit == "points" else 1] += value
                        self.bonus[int(winner), rows, 2] += value if entry.bonus and entry.unit != "points" else 0
                        word, bit = divmod(self.bits[entry.key], 64)
                        self.bonus_entries[int(winner), rows, word] |= np.uint64(1 << bit)

    def _masks(self) -> None:
        """The bits of entries that give points, and those of each limit entry."""
        self.point_bits = np.zeros(self.words, np.uint64)
        ordered = (*self.program.entries, *self.program.set_entries, *self.program.bonus_entries)
        for i, entry in enumerate(ordered):
            if entry.unit == "points":
                self.point_bits[i // 64] |= np.uint64(1 << i % 64)
        shapes = self.program.forms
        self.fixed = np.array([bool(s is not None and (s.points is not None or s.silent)) for s in shapes])
        self.silent = np.array([bool(s is not None and s.silent) for s in shapes])
        self.fixed_points = np.array([s.points or 0 if s is not None else 0 for s in shapes], np.int32)


@lru_cache(maxsize=16)
def compiled(rules: Ruleset) -> Compiled:
    """A ruleset's tables, made once."""
    keep_memory()
    return Compiled(rules)


def keep_memory() -> None:
    """Has the allocator keep memory between chunks.

    The GNU C library gives freed memory back at once until it has seen a large block freed, and every chunk would pay
    for getting it anew. This block is never touched, so it costs nothing.
    """
    np.empty(_BLOCK, np.uint8)
