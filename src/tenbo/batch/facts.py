"""The hand facts of many readings as columns, each made when a rule asks for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tenbo.batch.lanes import DERIVED, TILES_OF_SUITS, Lanes

Column = npt.NDArray[Any]

_ONES, _TWOS, _FOURS = (digit * 0o111111111_111111111 for digit in (1, 2, 4))
_CHOWS, _TWICE, _MORE, _FOUR = (np.uint32(digit * 0o1111111) for digit in (1, 2, 6, 4))
_STRAIGHT, _PUNGS = np.uint32(0o1001001), np.uint32(511 << 21)
_RIICHI, _DOUBLE_RIICHI = 1, 2


class Facts:
    """The facts of the readings of some hands.

    Args:
        lanes: Where the facts that add up lie.
        turned: These facts, as from `Lanes.turn`.
        hands: Columns of the hands: `by seat round flags bonus`, and those facts that are known of whole hands.
        spread: From a column of hands to one of readings.
        form: The readings' forms.
        words: The hands' copies of each kind, in two octal words.
    """

    def __init__(
        self,
        lanes: Lanes,
        turned: Column,
        hands: Mapping[str, Column],
        spread: Callable[[Column], Column],
        form: Column,
        words: tuple[Column, Column],
    ) -> None:
        self._lanes, self._turned, self._hands, self._spread, self._words = lanes, turned, hands, spread, words
        self._found: dict[str, Column] = {"form": form}

    def __call__(self, name: str, kind: str) -> Column:
        """A fact's column; `kind` is a NumPy type, "?" for a condition."""
        found = self._found.get(name)
        if found is None:
            found = self._found[name] = self._make(name)
        if kind == "?":
            return found.view(np.bool_) if found.dtype.itemsize == 1 else found.astype(np.bool_)
        made: Column = found.astype(kind, copy=False)
        return made

    def _make(self, name: str) -> Column:
        if name in DERIVED:
            return np.equal(self(DERIVED[name], "i1"), 0)
        if name in self._hands:
            return self._spread(self._hands[name])
        if name in self._lanes.names:
            return self._lanes.get(self._turned, name)
        if name in _FLAGS:
            flag: Column = self("flags", "u1") & _FLAGS[name] != 0
            return flag
        if name in _OF_HANDS:
            return self._spread(_OF_HANDS[name](self._hands))
        made: Column = getattr(self, f"_{name}")()
        return made

    def _tiles(self) -> Column:
        first, *rest = (self(name, "i1") for name in TILES_OF_SUITS)
        out: Column = first + rest[0]
        for more in rest[1:]:
            out += more
        return out

    def _suits(self) -> Column:
        first, *rest = ((self(name, "i1") > 0).view(np.int8) for name in TILES_OF_SUITS[:3])
        made: Column = first + rest[0] + rest[1]
        return made

    def _equal_chow_pairs(self) -> Column:
        return self._runs[0]

    def _straights(self) -> Column:
        m, p, s = ((self._runs[1] & _STRAIGHT) == _STRAIGHT).view(np.int8)
        straights: Column = m + p + s
        return straights

    def _three_suit_chows(self) -> Column:
        found: Column = self._runs[2] & _CHOWS != 0
        return found

    def _three_suit_pungs(self) -> Column:
        found: Column = self._runs[2] & _PUNGS != 0
        return found

    @cached_property
    def _runs(self) -> tuple[Column, Column, Column]:
        """Pairs of equal chows; which chows and pungs stand in each suit; which in all three."""
        runs = self._lanes.runs(self._turned)
        equal = np.zeros(runs.shape[1], np.int8)
        # Some few have a chow twice; in all others its count says whether it stands.
        at = np.flatnonzero((runs[0] | runs[1] | runs[2]) & _MORE != 0)
        some = runs.take(at, axis=1)
        pairs = np.bitwise_count(some & _TWICE) + 2 * np.bitwise_count(some & _FOUR)
        equal[at] = pairs.sum(axis=0, dtype=np.int8)
        runs[:, at] = (some | some >> np.uint32(1) | some >> np.uint32(2)) & _CHOWS | some & _PUNGS
        return equal, runs, runs[0] & runs[1] & runs[2]

    def _kinds(self) -> Column:
        return self._count(lambda word: (word | word >> 1 | word >> 2) & _ONES)

    def _twos(self) -> Column:
        return self._count(lambda word: word >> 1 & ~word & ~(word >> 2) & _ONES)

    def _unkonged_fours(self) -> Column:
        fours = self._count(lambda word: word >> 2 & _ONES)
        return fours - self("kongs", "i1")

    def _count(self, bits: Any) -> Column:
        first, second = self._words
        made: Column = self._spread((np.bitwise_count(bits(first)) + np.bitwise_count(bits(second))).view(np.int8))
        return made


_FLAGS: Final = {
    "riichi": _RIICHI | _DOUBLE_RIICHI,
    "double_riichi": _DOUBLE_RIICHI,
    "ippatsu": 4,
    "last_tile": 8,
    "after_kong": 16,
    "robbing_kong": 32,
    "first_turn": 64,
}
_OF_HANDS: Final[Mapping[str, Callable[[Mapping[str, Column]], Column]]] = {
    "winner": lambda hands: hands["by"] <= 1,
    "self_draw": lambda hands: hands["by"] == 1,
    "discard": lambda hands: hands["by"] == 0,
    "dealer": lambda hands: hands["seat"] == 0,
    "dealt": lambda hands: (hands["seat"] == 0) & (hands["flags"] & 64 != 0),
    "flowers": lambda hands: np.bitwise_count(hands["bonus"] & 15),
    "seasons": lambda hands: np.bitwise_count(hands["bonus"] >> 4),
    "own_flower": lambda hands: hands["bonus"] >> hands["seat"] & 1,
    "own_season": lambda hands: hands["bonus"] >> (hands["seat"] + 4) & 1,
}
