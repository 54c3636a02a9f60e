"""Where a game stands: points, whose deal it is, what lies on the table, who is ahead. Players are numbers 0 to 3."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

from tenbo.facts import SEATS
from tenbo.ruleset import Ruleset

Four = tuple[int, int, int, int]
_THOUSAND = 1000


def four(values: Iterable[int]) -> Four:
    """Exactly four numbers."""
    first, second, third, fourth = values
    return (first, second, third, fourth)


class Stake(NamedTuple):
    """Points that a player has paid into the kitty."""

    player: int
    points: int


@dataclass(frozen=True, slots=True)
class Standing:
    """A game between two events.

    Attributes:
        points: The players' points.
        round: Rounds passed, so 0 in the East round.
        dealer: The player who deals this deal, or dealt the last one where the game is over.
        deal: This deal's number, from 1 through the whole game; the last one's where the game is over.
        honba: Counters.
        sticks: Bets lying on the table.
        kitty: What lies in the kitty.
        names: Who sits there.
        barred: Players who may not go out until after their next turn, as a penalty of this deal.
        finished: The game is over.
        left_over: What of the points were bets left over at the end, which decide no place.
    """

    points: Four
    round: int = 0
    dealer: int = 0
    deal: int = 1
    honba: int = 0
    sticks: int = 0
    kitty: tuple[Stake, ...] = ()
    names: tuple[str, str, str, str] = ("", "", "", "")
    barred: tuple[int, ...] = ()
    finished: bool = False
    left_over: Four = (0, 0, 0, 0)

    @property
    def wind(self) -> str:
        """The round, `"E"` to `"N"`."""
        return SEATS[self.round % 4]

    def seat(self, player: int) -> str:
        """A player's seat in this deal, `"E"` to `"N"`."""
        return SEATS[(player - self.dealer) % 4]

    def player(self, seat: int) -> int:
        """The player in a seat of this deal, East 0."""
        return (seat + self.dealer) % 4

    def total(self, bet: int) -> int:
        """All points, those on the table included: no event but the first changes them.

        Args:
            bet: What a bet is worth.
        """
        return sum(self.points) + self.sticks * bet + sum(stake.points for stake in self.kitty)


class Place(NamedTuple):
    """A player's place.

    Attributes:
        player: The player.
        place: 1 to 4; players who share places have the same.
        points: Their points.
        result: Points with uma and oka, exact, in the ruleset's unit (thousands in `reach` and `riichi`).
    """

    player: int
    place: int
    points: int
    result: Fraction

    def record(self, unit: int) -> dict[str, Any]:
        """As in a game's record."""
        result: int | float = float(self.result)
        if unit == 1 and self.result.denominator == 1:
            result = int(self.result)
        return {"player": self.player, "place": self.place, "points": self.points, "result": result}


def ranking(rules: Ruleset, points: Four, left_over: Four = (0, 0, 0, 0)) -> tuple[Place, ...]:
    """The players by their points, best first.

    Equal points are placed by seat at the start, or share their places' uma and oka, as the rules say.

    Args:
        rules: The ruleset.
        points: The players' points.
        left_over: What of these were bets left over at the end, which decide no place.
    """
    table = rules.table
    counted = [mine - more for mine, more in zip(points, left_over, strict=True)]
    order = sorted(range(4), key=lambda player: (-counted[player], player))
    out: list[Place] = []
    for at, player in enumerate(order):
        first, last = at, at
        if table.split_ties:
            level = [i for i in range(4) if counted[order[i]] == counted[player]]
            first, last = level[0], level[-1]
        shared = last - first + 1
        extra = Fraction(sum(table.uma[first : last + 1]) + (table.oka if first == 0 else 0), shared)
        result = (points[player] + _THOUSAND * extra) / table.result_unit
        out.append(Place(player, first + 1, points[player], result))
    return tuple(out)


def money(places: Iterable[Place], unit: int, per_hundred: Fraction) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """What each player wins or loses in money; the sum is zero.

    Points with uma and oka count, against the four players' average.

    Args:
        places: The four players' places.
        unit: Points of one unit of a result.
        per_hundred: Money for a hundred points.
    """
    results = {place.player: place.result * unit for place in places}
    average = sum(results.values(), Fraction()) / 4
    first, second, third, fourth = ((results[player] - average) * per_hundred / 100 for player in range(4))
    return (first, second, third, fourth)


def over(rules: Ruleset, before: Standing, points: Four, *, stays: bool, replayed: bool) -> bool:
    """Whether a deal ends the game.

    Args:
        rules: The ruleset, whose table procedure says what ends a game.
        before: The standing in which it was dealt.
        points: The points after it.
        stays: The dealer stays.
        replayed: The deal is to be played again.
    """
    table = rules.table
    if table.bust_ends and min(points) < 0:
        return True
    if replayed:
        return False
    reached = max(points) >= table.target
    if before.round >= table.rounds and reached:
        return True
    last = before.dealer == 3 and before.round >= table.rounds - 1
    if not last:
        return False
    if stays:
        leads = ranking_place(rules, points, before.dealer) == 1
        return table.leader_stops and leads and points[before.dealer] >= table.target
    return not (table.extension and before.round == table.rounds - 1 and not reached)


def ranking_place(rules: Ruleset, points: Four, player: int) -> int:
    """A player's place by points."""
    return next(place.place for place in ranking(rules, points) if place.player == player)


def finish(rules: Ruleset, standing: Standing) -> Standing:
    """The end of the game: bets left on the table go to first place, the kitty back to who paid it.

    Where ties share their places, first places share the bets, in steps in which the rules pay; what cannot be shared
    goes to the earlier seat.
    """
    points = list(standing.points)
    left_over = [0, 0, 0, 0]
    for stake in standing.kitty:
        points[stake.player] += stake.points
    bet = rules.payment.bet
    left = standing.sticks * int(bet.constant or 0) if bet else 0
    if left:
        first = sorted(place.player for place in ranking(rules, four(points)) if place.place == 1)
        step = rules.payment.round_up
        share = left // step // len(first) * step
        rest = left - share * len(first)
        for player in first:
            part = min(rest, step)
            left_over[player] = share + part
            rest -= part
    made = four(old + more for old, more in zip(points, left_over, strict=True))
    return replace(standing, points=made, sticks=0, kitty=(), barred=(), finished=True, left_over=four(left_over))
