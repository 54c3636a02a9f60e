"""Values of records that say what happened at a table: checked one by one, every fault noted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from tenbo.errors import Problem, shown, unknown_keys
from tenbo.facts import SEATS
from tenbo.situation import MOST_COUNTERS

MOST_POINTS: Final = 10**9
"""The most points that anything can be said to be worth."""
MOST_START: Final = 10_000_000
"""The most points of each at the start of a game: as many as a ruleset's own option `start` may say."""


class Fields:
    """Reads values; what is wrong with them is added to the problems, and something harmless stands in.

    Args:
        problems: Where faults are added.
    """

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems

    def wrong(self, message: str, at: str | None, code: str = "bad_value") -> None:
        """Notes a fault."""
        self.problems.append(Problem(code, message, at))

    def counted(self, value: object, at: str) -> int:
        """A number of counters or bets; nothing is 0."""
        if value is None:
            return 0
        if type(value) is not int or not 0 <= value <= MOST_COUNTERS:
            self.wrong(f"'{at}' must be a whole number from 0 to {MOST_COUNTERS}, not {shown(value)}", at)
            return 0
        return value

    def seat(self, value: object, at: str) -> int | None:
        """A seat as a number, East 0; it must be there."""
        if isinstance(value, str) and value in SEATS:
            return SEATS.index(value)
        if value is None:
            self.wrong(f"say '{at}': E, S, W or N", at, "missing_field")
        else:
            self.wrong(f"'{at}' must be E, S, W or N, not {shown(value)}", at)
        return None

    def seats(self, value: object, at: str, what: str) -> tuple[int, ...]:
        """A list of different seats; nothing is none of them."""
        if value is None:
            return ()
        if not isinstance(value, list | tuple) or len(value) > len(SEATS):
            self.wrong(f"'{at}' must be a list of {what}, such as ['E', 'W']", at)
            return ()
        found = [self.seat("" if one is None else one, at) for one in value]
        if len(set(found)) < len(found) and None not in found:
            self.wrong(f"'{at}' names a seat twice", at)
        return tuple(seat for seat in found if seat is not None)

    def points(self, value: object, at: str) -> int:
        """Points, more than 0; they must be there."""
        if value is None:
            self.wrong(f"say how many points: '{at}'", at, "missing_field")
        elif type(value) is not int or not 1 <= value <= MOST_POINTS:
            self.wrong(f"'{at}' must be a whole number from 1 to {MOST_POINTS}, not {shown(value)}", at)
        else:
            return value
        return 0

    def table(self, value: object, at: str, known: Iterable[str], what: str) -> dict[str, Any] | None:
        """An object with some of the keys, None values left out."""
        if not isinstance(value, Mapping):
            self.wrong(f"'{at}' must hold {what}, not {shown(value)}", at)
            return None
        unknown_keys(value, known, self.problems)
        return {key: one for key, one in value.items() if one is not None}

    def tables(self, value: object, at: str, known: Iterable[str], what: str, most: int) -> list[dict[str, Any]]:
        """A list of objects; nothing is none of them."""
        if value is None:
            return []
        if not isinstance(value, list | tuple) or len(value) > most:
            self.wrong(f"'{at}' must be a list of at most {most}, each {what}", at)
            return []
        found = [self.table(one, at, known, what) for one in value]
        return [one for one in found if one is not None]
