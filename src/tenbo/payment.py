"""Points that change hands: who pays whom how much and why, as a value that cannot be built unless it balances."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from tenbo.facts import SEATS

TABLE: Final = "table"
"""The end of a transfer that is no player: what lies on the table."""

_PLACES: Final = {**{seat: i for i, seat in enumerate(SEATS)}, TABLE: 4}


class Transfer(NamedTuple):
    """One payment.

    Attributes:
        from_: The seat that pays, or `"table"`.
        to: The seat that is paid, or `"table"`.
        amount: Points, more than 0.
        why: What for, in a few words: `hand`, `counters`, `bet`, `bets`, `liability`, `losers`, `ready`, `kitty`,
            `kitty returned`, or the kind of a penalty.
    """

    from_: str
    to: str
    amount: int
    why: str

    def record(self) -> dict[str, Any]:
        """As in a settlement's record."""
        return {"from": self.from_, "to": self.to, "amount": self.amount, "why": self.why}


@dataclass(frozen=True, slots=True)
class Payments:
    """What four seats gain and lose, with the transfers that it consists of.

    Attributes:
        changes: The seats' changes in points, East first.
        table: By how much the points that lie on the table have grown.
        transfers: The transfers, which add up to both.

    Raises:
        ValueError: The changes and the table do not sum to zero, or the transfers do not add up to them.

    >>> Payments((100, 0, 0, -100), 0, (Transfer("N", "E", 100, "hand"),)).changes
    (100, 0, 0, -100)
    >>> Payments((100, 0, 0, -90), 0, (Transfer("N", "E", 100, "hand"),))
    Traceback (most recent call last):
        ...
    ValueError: payments and the table are off by 10
    """

    changes: tuple[int, int, int, int]
    table: int
    transfers: tuple[Transfer, ...]

    def __post_init__(self) -> None:
        off = sum(self.changes) + self.table
        if off:
            raise ValueError(f"payments and the table are off by {off}")
        if _sum(self.transfers) != [*self.changes, self.table]:
            raise ValueError("the transfers do not add up to the payments")

    @classmethod
    def of(cls, transfers: Iterable[Transfer], table: int) -> Payments:
        """The payments that transfers make.

        Args:
            transfers: Who pays whom.
            table: By how much what lies on the table grows, as counted there.

        Raises:
            ValueError: What the transfers move to the table is not what it grew by, or an amount is not more than 0.
        """
        made = tuple(transfers)
        east, south, west, north, _ = _sum(made)
        return cls((east, south, west, north), table, made)


def _sum(transfers: Iterable[Transfer]) -> list[int]:
    total = [0, 0, 0, 0, 0]
    for from_, to, amount, _ in transfers:
        if amount <= 0:
            raise ValueError(f"a transfer of {amount} points from {from_} to {to}")
        total[_PLACES[from_]] -= amount
        total[_PLACES[to]] += amount
    return total
