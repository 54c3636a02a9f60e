"""From a deal as it was played and what the client says of its end to a `Deal`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from tenbo.errors import shown
from tenbo.logs.model import WINDS, ClientResult, Deal, Draw, LogError, Payments, Win, seat_of
from tenbo.logs.play import Play, Winning, pieces

__all__ = ["DealBuilder", "clean", "four", "whole", "with_ready"]

BET = 1000  # every client's riichi bet, in points
_LONGEST_NAME = 80
_MOST_POINTS = 10**8


def whole(value: object, what: str, low: int = 0, high: int = _MOST_POINTS) -> int:
    """Check that a value is a whole number within bounds.

    Raises:
        LogError: It is not.
    """
    if type(value) is not int or not low <= value <= high:
        raise LogError(f"{what} is {shown(value)} instead of a whole number from {low} to {high}", what)
    return value


def four(values: object, what: str) -> Payments:
    """Check that a value is a list of four numbers of points, and return them.

    Raises:
        LogError: It is not.
    """
    if not isinstance(values, list | tuple) or len(values) != 4:
        raise LogError(f"{what} is not a list of four numbers, one for each player", what)
    return cast(Payments, tuple(whole(value, what, -_MOST_POINTS) for value in values))


def clean(text: str) -> str:
    """Make a stranger's text fit to be shown: printable and not too long."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text[:_LONGEST_NAME])


def with_ready(deals: Sequence[Deal]) -> tuple[Deal, ...]:
    """Fill in who was ready in exhaustive draws without payments, where all or nobody was, from how the game goes on.

    Where it does not go on, a riichi says that all were ready; without one the answer stays open.
    """
    filled = []
    for index, deal in enumerate(deals):
        draw = deal.draw
        if draw is not None and draw.kind == "exhaustive" and draw.ready is None and not _changes(deal):
            following = deals[index + 1] if index + 1 < len(deals) else None
            if deal.bets or following is not None:
                stays = bool(deal.bets) or (following is not None and following.dealer == deal.dealer)
                deal = replace(deal, draw=Draw(draw.kind, (0, 1, 2, 3) if stays else (), draw.reason))
        filled.append(deal)
    return tuple(filled)


def _changes(deal: Deal) -> bool:
    """Whether anybody's points change beyond the bets laid."""
    paid = deal.payments or (0, 0, 0, 0)
    return any(paid[player] + BET * (player in deal.bets) for player in range(4))


@dataclass(slots=True)
class _End:
    """A win as the reader found it, in the log's own player numbers."""

    player: int
    source: int | None
    winning: Winning
    ura: Sequence[int]
    liable: int | None
    client: ClientResult


class DealBuilder:
    """Gathers what a reader finds of one deal, in the log's own player numbers.

    Args:
        number: Which deal of the game by its seats: 0 is the first of the East round, 4 the first of the South round.
        dealer: The log's number of the player who is East.
        honba: Counters at the start.
        sticks: Bets on the table at the start.
        points: The players' points at the start.
        hands: The four dealt hands, as tile codes.
        options: Options of the hand records.

    Attributes:
        play: The deal as it is played.
        dora: Indicator tiles that are turned up so far.

    Raises:
        LogError: A number is out of bounds or a hand has not 13 tiles.
    """

    def __init__(
        self,
        number: int,
        dealer: int,
        honba: int,
        sticks: int,
        points: Payments,
        hands: Sequence[Sequence[int]],
        options: Mapping[str, Any],
    ) -> None:
        self.number = whole(number, "the deal's number", 0, 15)
        self.dealer = whole(dealer, "the dealer", 0, 3)
        self.honba = whole(honba, "the number of counters", 0, 1000)
        self.sticks = whole(sticks, "the number of bets on the table", 0, 1000)
        self.points = points
        self.play = Play(dealer, hands)
        self.options = options
        self.dora: list[int] = []
        self._ends: list[_End] = []
        self._draw: Draw | None = None
        self._payments: Payments | None = None

    @property
    def ended(self) -> bool:
        """Whether a win or a draw was given."""
        return bool(self._ends) or self._draw is not None

    @property
    def first_east(self) -> int:
        """The log's number of the player who was the first East of the game."""
        return (self.dealer - self.number) % 4

    def win(
        self,
        player: int,
        source: int | None,
        client: ClientResult,
        ura: Sequence[int] = (),
        liable: int | None = None,
    ) -> None:
        """Add a win.

        Args:
            player: The winner.
            source: The discarder, `None` for a self-draw.
            client: What the client says.
            ura: Indicators of the under-dora, as far as the log shows them.
            liable: The player liable for a limit hand of this win.

        Raises:
            LogError: The play gives this player nothing to win on, or wins once more.
        """
        if self._draw is not None or any(end.player == player for end in self._ends):
            raise LogError("the deal ends twice", "win")
        if any(end.source is None or end.source != source for end in self._ends):
            raise LogError("several wins of one deal are not all on one discard", "win")
        winning = self.play.win(player, source)
        self._ends.append(_End(player, source, winning, ura, None if liable == player else liable, client))

    def drawn(self, kind: str, ready: Sequence[int] | None, reason: str | None, payments: Payments | None) -> None:
        """End the deal without a winner.

        Args:
            kind: As in `Draw`.
            ready: As in `Draw`.
            reason: As in `Draw`.
            payments: What the client paid for the draw, without the bets of the deal.

        Raises:
            LogError: The deal ended before.
        """
        if self.ended:
            raise LogError("the deal ends twice", "draw")
        self._draw = Draw(kind, None if ready is None else tuple(ready), reason)
        self._payments = payments

    def build(self, first_east: int) -> Deal:
        """Make the deal.

        Args:
            first_east: The log's number of the player who shall be player 0.
        """
        self._ends.sort(key=lambda end: (end.player - (end.player if end.source is None else end.source)) % 4)
        draw = self._draw
        if draw is not None and draw.ready is not None:
            draw = Draw(draw.kind, tuple(sorted((player - first_east) % 4 for player in draw.ready)), draw.reason)
        return Deal(
            round=WINDS[self.number // 4],
            dealer=(self.dealer - first_east) % 4,
            honba=self.honba,
            sticks=self.sticks,
            points=_turned(self.points, first_east),
            bets=tuple(sorted((player - first_east) % 4 for player in self.play.bets)),
            wins=tuple(self._win(end, index == 0, first_east) for index, end in enumerate(self._ends)),
            draw=draw,
            payments=self._total(first_east),
        )

    def _total(self, first_east: int) -> Payments | None:
        paid = [end.client.payments for end in self._ends] or [self._payments]
        if self._draw is not None and self._draw.kind == "abortive" and self._payments is None:
            paid = [(0, 0, 0, 0)]
        total = [0, 0, 0, 0]
        for payments in paid:
            if payments is None:
                return None
            total = [a + b for a, b in zip(total, payments, strict=True)]
        for player in self.play.bets:
            total[player] -= BET
        return _turned((total[0], total[1], total[2], total[3]), first_east)

    def _win(self, end: _End, first: bool, first_east: int) -> Win:
        client = end.client
        if client.payments is not None:
            client = replace(client, payments=_turned(client.payments, first_east))
        return Win(
            player=(end.player - first_east) % 4,
            source=None if end.source is None else (end.source - first_east) % 4,
            record=self._record(end, first),
            liable=() if end.liable is None else (((end.liable - first_east) % 4, 1),),
            client=client,
            contradiction=self._contradiction(end, first),
        )

    def _record(self, end: _End, first: bool) -> dict[str, Any] | None:
        if end.winning.hand is None:
            return None
        record: dict[str, Any] = {"rules": "riichi"}
        if self.options:
            record["options"] = dict(self.options)
        record["hand"] = end.winning.hand
        if end.source is None:
            record["by"] = "self_draw"
        else:
            record["by"] = "discard"
            record["from"] = seat_of(end.source, self.dealer)
        record["seat"] = seat_of(end.player, self.dealer)
        record["round"] = WINDS[self.number // 4]
        record["flags"] = list(end.winning.flags)
        record["dora"] = pieces(self.dora)
        record["ura"] = pieces(end.ura)
        # Counters and bets go to the first winner alone.
        record["honba"] = self.honba if first else 0
        record["sticks"] = self.sticks + len(self.play.bets) if first else 0
        return record

    def _contradiction(self, end: _End, first: bool) -> str | None:
        paid = end.client.payments
        if paid is None:
            return None
        if paid[end.player] <= 0:
            receivers = [self.play.name(player) for player in range(4) if paid[player] > 0]
            to = f"pays {' and '.join(receivers)}" if receivers else "pays nobody"
            return f"the log names {self.play.name(end.player)} as the winner but {to}"
        everything = [end.client.payments for end in self._ends]
        if first and None not in everything:
            handed = sum(sum(payments) for payments in everything if payments)
            bets = BET * (self.sticks + len(self.play.bets))
            if handed != bets:
                return f"bets of {bets} points lie on the table but the log's payments hand out {handed}"
        return None


def _turned(payments: Payments, first_east: int) -> Payments:
    return cast(Payments, (*payments[first_east:], *payments[:first_east]))
