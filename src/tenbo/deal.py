"""What happened in one deal, as checked values: wins, a draw or a penalty. Seats are numbers, East 0."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from tenbo.score import Score


class Stake(NamedTuple):
    """Points that a seat has paid into the kitty."""

    seat: int
    points: int


class Liable(NamedTuple):
    """A player who is liable for some limit hands of a win."""

    seat: int
    limit_hands: int


@dataclass(frozen=True, slots=True)
class Win:
    """One player's win.

    Attributes:
        seat: The winner's.
        by: "discard" or "self_draw".
        from_: The discarder's seat; None where nobody discarded, or it is not known and does not matter.
        base: Points after doubling and limits.
        points, doubles: What the base came from; 0 for a limit and for a plain score.
        limit_hands: How many limit hands the hand has.
        liable: Who is liable for them, in turn.
    """

    seat: int
    by: str
    from_: int | None
    base: int
    points: int = 0
    doubles: int = 0
    limit_hands: int = 0
    liable: tuple[Liable, ...] = ()


@dataclass(frozen=True, slots=True)
class Draw:
    """A deal without a winner: "exhaustive" or "abortive", and who was ready."""

    kind: str
    ready: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Fault:
    """A penalty: its kind, who pays; for a free one also how much to each of whom."""

    kind: str
    seat: int
    points: int = 0
    to: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal: exactly one of wins, a draw and a fault, and what lay on the table.

    Attributes:
        honba: Counters.
        sticks: Bets lying on the table before the deal.
        bets: Seats that bet in this deal.
        kitty: What lies in the kitty.
        wins: The winners in turn order after the discarder.
        losing: The losers' scores by seat; 0 for a dead hand, for one left out and where losers do not score.
        draw, fault: What happened instead.
        scores: The scores of the hands given, by seat.
    """

    honba: int = 0
    sticks: int = 0
    bets: tuple[int, ...] = ()
    kitty: tuple[Stake, ...] = ()
    wins: tuple[Win, ...] = ()
    losing: tuple[int, int, int, int] = (0, 0, 0, 0)
    draw: Draw | None = None
    fault: Fault | None = None
    scores: dict[int, Score] = field(default_factory=dict)
