"""Suits taken apart: from a suit's code to the rows of every way to see it, made when a code is first met.

A suit's *slot* is found by its code and its *variant* (the winning tile and the red fives, see `weights`). It says,
from the lowest bit:

===== ====================================================================
bits  meaning
===== ====================================================================
0-5   how many ways there are to see it as sets, or as sets and a pair
6     it can be part of seven pairs
7     it has 2 tiles beyond whole sets
8     it can be part of thirteen orphans
9-29  the first way's row; the others follow, in the order of their text
30    the slot is filled; 0 where a code was not met yet
===== ====================================================================
"""

from __future__ import annotations

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tenbo import decompose as d
from tenbo import tiles as t
from tenbo.batch.groups import HONOURS, NOTHING, Groups, runs, tile_facts
from tenbo.batch.lanes import REDS, Lanes
from tenbo.batch.weights import CODE_BITS, RED_WIN, VARIANTS, digits
from tenbo.engine import SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS, Split
from tenbo.facts import WAITS
from tenbo.score import reading_text

I32 = npt.NDArray[np.int32]

WAYS_MASK: Final = 63
PAIRS_BIT: Final = 1 << 6
TWO_BIT: Final = 1 << 7
ORPHANS_BIT: Final = 1 << 8
ROW_AT: Final = 9
ROW_MASK: Final = (1 << 21) - 1
FILLED: Final = 1 << 30

_MOST_ROWS: Final = 1 << 20
_DEAD: Final = 1  # the number of every code that cannot be seen in any way
_GROUPS: Final = 7
_W_MASK: Final = 15
_TERMINALS: Final = (0, 8)


class CodeNumbers:
    """Numbers of the codes met so far, shared by the suits: small, so that slots can be a plain array."""

    def __init__(self, bits: int, ranks: int) -> None:
        self.shifted: I32 = np.zeros(1 << bits, np.int32)
        """By code: its number shifted by `VARIANTS`; 0 where it was not met, most of it never touched memory."""
        self.ranks = ranks
        self.octal = np.zeros(64, np.int64)
        """By number: the copies of each rank, 3 bits each."""
        self.count = 2

    def number(self, code: int, honours: bool) -> int:
        """The number of a code, given to it if it is new."""
        found = int(self.shifted[code]) >> VARIANTS
        if not found:
            found = self._give(code, honours)
            self.shifted[code] = found << VARIANTS
        return found

    def _give(self, code: int, honours: bool) -> int:
        if code >= 5**self.ranks:
            return _DEAD
        counts = digits(code)
        packed = sum(n << 3 * rank for rank, n in enumerate(counts))
        if sum(counts) > 14 or not _alive(counts, packed, honours):
            return _DEAD
        if self.count == len(self.octal):
            self.octal = np.concatenate([self.octal, np.zeros_like(self.octal)])
        self.octal[self.count] = packed
        self.count += 1
        return self.count - 1


def _alive(counts: list[int], packed: int, honours: bool) -> bool:
    if all(n in (0, 2) for n in counts) or _is_orphans(counts, honours):
        return True
    size = sum(counts) % 3
    return bool(size != 1 and (d.sets(packed, honours) if size == 0 else d.sets_and_pair(packed, honours)))


def _is_orphans(counts: list[int], honours: bool) -> bool:
    wanted = range(7) if honours else _TERMINALS
    return all(counts[r] for r in wanted) and sum(counts) == sum(counts[r] for r in wanted)


class Suits:
    """One suit's slots and rows.

    Attributes:
        slots: By code's number shifted by `VARIANTS`, and variant.
        alone: By the same: the row as part of seven pairs or thirteen orphans.
        rows: (rows * places, width) facts; row r in place p is at r * places + p.
        entries: (rows * places, words) the set entries that a row earns.
        codes: By row: its groups, red fives and winning tile, for its text.
    """

    def __init__(
        self, suit: int, groups: Groups, lanes: Lanes, numbers: CodeNumbers, pairs: bool, orphans: bool
    ) -> None:
        self.suit, self.groups, self.lanes, self.numbers = suit, groups, lanes, numbers
        self._pairs, self._orphans = pairs, orphans
        self.places = groups.places
        self.slots: I32 = np.zeros(64 << VARIANTS, np.int32)
        self.slots[_DEAD << VARIANTS : _DEAD + 1 << VARIANTS] = FILLED
        self.alone: I32 = np.zeros_like(self.slots)
        self.rows = np.zeros((256 * self.places, lanes.width), np.uint8)
        self.entries = np.zeros((256 * self.places, groups.entries.shape[2]), np.uint64)
        self.codes: list[tuple[int, d.Codes, int, int]] = [(STANDARD, (), 0, 0)]  # row 0 is nothing
        self._texts: list[str | None] = [""]
        self.arrow: Any = None  # the texts as an Arrow array, kept here by the edge to Arrow

    @property
    def full(self) -> bool:
        """Whether so much was met that it is better to begin anew."""
        return len(self.codes) > _MOST_ROWS

    def meet(self, codes: Iterable[int], variants: Iterable[int]) -> None:
        """Fills the slots of these codes and variants."""
        honours = self.suit == HONOURS
        new: list[tuple[int, d.Codes, int, int, int]] = []
        for code, variant in zip(codes, variants, strict=True):
            at = self.numbers.number(code, honours) << VARIANTS | variant
            if at >= len(self.slots):
                self.fit()
            if not self.slots[at]:
                self.slots[at] = self._fill(at, code, variant, new)
        if new:
            self._append(new)

    def fit(self) -> None:
        """Makes room for the slots of all codes that have a number; any suit may have given it."""
        lacking = (len(self.numbers.octal) << VARIANTS) - len(self.slots)
        if lacking > 0:
            more = np.zeros(lacking, np.int32)
            self.slots, self.alone = np.concatenate([self.slots, more]), np.concatenate([self.alone, more])

    def _fill(self, at: int, code: int, variant: int, new: list[tuple[int, d.Codes, int, int, int]]) -> int:
        counts = digits(code)
        packed = sum(n << 3 * rank for rank, n in enumerate(counts))
        win, reds = variant & _W_MASK, variant >> 4
        rank = 5 if win == RED_WIN else win
        honours = self.suit == HONOURS
        size = sum(counts) % 3
        slot = FILLED | (TWO_BIT if size == 2 else 0)
        if rank > 9 or (rank and not counts[rank - 1]):
            return FILLED
        found = () if size == 1 else d.sets_and_pair(packed, honours) if size == 2 else d.sets(packed, honours)
        ways = [placed for way in found for placed in (d.with_win(way, rank) if rank else (way,))]
        if len(ways) > 1:
            ways.sort(key=lambda way: _text(self.suit, STANDARD, way, reds, win))
        first = len(self.codes) + len(new)
        slot |= first << ROW_AT | len(ways) if ways else 0
        new += [(STANDARD, way, reds, win, code) for way in ways]
        if self._pairs and all(n in (0, 2) for n in counts):
            way = tuple(d.PAIR + r for r in range(9) if counts[r])
            slot |= PAIRS_BIT
            self.alone[at] = len(self.codes) + len(new)
            new.append((SEVEN_PAIRS, d.with_win(way, rank)[0] if rank else way, reds, win, code))
        elif self._orphans and _is_orphans(counts, honours):
            slot |= ORPHANS_BIT
            self.alone[at] = len(self.codes) + len(new)
            way = tuple(d.PAIR + r for r in range(9) if counts[r] == 2)
            new.append((THIRTEEN_ORPHANS, way, reds, win, code))
        return slot

    def _append(self, new: list[tuple[int, d.Codes, int, int, int]]) -> None:
        start, count = len(self.codes), len(new)
        while (start + count) * self.places > len(self.rows):
            self.rows = np.concatenate([self.rows, np.zeros_like(self.rows)])
            self.entries = np.concatenate([self.entries, np.zeros_like(self.entries)])
        groups = np.full((count, _GROUPS), NOTHING)
        for i, (form, way, _, _, _) in enumerate(new):
            if form <= SEVEN_PAIRS:
                groups[i, : len(way)] = way
        counts = np.array([digits(code) for *_, code in new])
        wins = np.array([5 if win == RED_WIN else win for _, _, _, win, _ in new])
        forms = np.array([form for form, *_ in new])
        reds = np.array([reds + (win == RED_WIN) for _, _, reds, win, _ in new])
        own = np.zeros((count, self.lanes.width), np.uint8)
        for name, values in (self._facts(counts, wins, forms, groups) | {REDS: reds}).items():
            if name in self.lanes.names:
                self.lanes.put(own, name, values)
        for place in range(self.places):
            added = self.groups.rows[place].view(np.uint64)[groups].sum(axis=1)
            added += own.view(np.uint64)
            at = slice(start * self.places + place, (start + count) * self.places, self.places)
            self.rows[at] = added.view(np.uint8)
            self.entries[at] = np.bitwise_or.reduce(self.groups.entries[place][groups], axis=1)
        self.codes += [one[:4] for one in new]
        self._texts += [None] * count

    def _facts(self, counts: Any, wins: Any, forms: Any, groups: Any) -> dict[str, Any]:
        out = tile_facts(self.suit, counts) | runs(self.suit, groups)
        orphan = forms == THIRTEEN_ORPHANS
        out["wait"] = np.where(orphan & (wins > 0), WAITS.index("single"), 0)
        if self.suit == HONOURS:
            return out
        gates = (counts.sum(axis=1) == 14) & (counts[:, 0] >= 3) & (counts[:, 8] >= 3) & (counts > 0).all(axis=1)
        won = counts[np.arange(len(counts)), np.maximum(wins - 1, 0)]
        out["nine_gates"] = gates.astype(np.int64)
        out["nine_gates_wait"] = (gates & (wins > 0) & ((won == 2) | (won == 4))).astype(np.int64)
        return out

    def texts(self, first: int = 0) -> list[str]:
        """The texts of all rows from the first."""
        return [self.text(row) for row in range(first, len(self._texts))]

    def text(self, row: int) -> str:
        """The concealed groups of a row as in a reading's text."""
        found = self._texts[row]
        if found is None:
            form, way, reds, win = self.codes[row]
            found = self._texts[row] = _text(self.suit, form, way, reds, win)
        return found


def _text(suit: int, form: int, way: d.Codes, reds: int, win: int) -> str:
    """A suit's groups as text: the reading of a hand that has nothing else."""
    won = None if not win else t.FIRST_RED + suit if win == RED_WIN else 9 * suit + win - 1
    red = (t.FIRST_RED + suit,) * reds
    alone: Any = SimpleNamespace(concealed=red, melds=(), win=won, _red=reds + (win == RED_WIN))
    none = Split(0, 0, ())
    splits = [none, none, none, none]
    splits[suit] = Split(0, 0, way)
    return reading_text(alone, (form, *splits))  # type: ignore[arg-type]


def suits_of(groups: list[Groups], lanes: Lanes, pairs: bool, orphans: bool) -> list[Suits]:
    """The four suits' tables, empty."""
    suited, honours = CodeNumbers(CODE_BITS[0], 9), CodeNumbers(CODE_BITS[HONOURS], 7)
    return [
        Suits(suit, groups[suit], lanes, honours if suit == HONOURS else suited, pairs, orphans) for suit in range(4)
    ]
