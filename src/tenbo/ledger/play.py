"""One event of a game played: from a standing to the next, and the row that tells of it.

An event that makes no sense where it stands has no effect; its row says why.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from tenbo.dealreader import read_deal
from tenbo.errors import Problem
from tenbo.ledger.events import LONGEST_NAME, LONGEST_TEXT, Event, EventFields, Started, known_keys
from tenbo.ledger.standing import Four, Stake, Standing, finish, four, over
from tenbo.quick import KEYS
from tenbo.settle import Settlement, settle_deal

_WINNER_KEYS: Final = ("player", "by", "from", "hand", "flags", "dora", "ura", *KEYS, "liable")
_TABLED: Final = ("won", "drawn", "penalty", "adjusted")
_NOTHING: Final = (0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Row:
    """What an event did.

    Attributes:
        seq: Its line, from 1; for a revised event that of the event it stands for.
        event: The event in force.
        before: The standing it was played in.
        after: The standing after it; where it ended the game, before the bets left over are given to first place.
        payments: The players' changes.
        problems: Why it makes no sense here; it is then without effect.
        settlement: The deal settled, for one that could be; its seats are those of `before`.
    """

    seq: int
    event: Event
    before: Standing
    after: Standing
    payments: Four = _NOTHING
    problems: tuple[Problem, ...] = ()
    settlement: Settlement | None = None

    @property
    def problem(self) -> str | None:
        """Why the event makes no sense here, in words."""
        return "; ".join(problem.message for problem in self.problems) or None

    @property
    def tabled(self) -> bool:
        """Whether a game's record lists it among the deals: what pays, and whatever makes no sense."""
        return bool(self.problems) or self.event.get("event") in _TABLED

    def record(self) -> dict[str, Any]:
        """As in a game's record."""
        after = self.after
        return {
            "seq": self.seq,
            "deal": self.before.deal,
            "round": self.before.wind,
            "dealer": self.before.dealer,
            "payments": list(self.payments),
            "points": list(after.points),
            "honba": after.honba,
            "sticks": after.sticks,
            "kitty": [{"player": stake.player, "points": stake.points} for stake in after.kitty],
            "problem": self.problem,
        }


def play(started: Started, standing: Standing, seq: int, event: Event) -> tuple[Standing, Row]:
    """Plays one event.

    Args:
        started: How the game began.
        standing: The standing before the event.
        seq: The event's line, from 1.
        event: An event of a known kind, neither `started` nor `revised`.

    Returns:
        The standing after it, and its row.
    """
    problems: list[Problem] = []
    known_keys(event, problems)
    fields = EventFields(problems)
    fields.when(event.get("when"))
    kind = event["event"]
    if standing.finished and kind in ("won", "drawn", "penalty"):
        fields.wrong("the game is over", "event")
    if kind in ("won", "drawn", "penalty"):
        return _deal(started, standing, seq, event, fields)
    after = _PLAYS[kind](started, standing, event, fields)
    if problems:
        return standing, Row(seq, event, standing, standing, problems=tuple(problems))
    changes = four(new - old for new, old in zip(after.points, standing.points, strict=True))
    return after, Row(seq, event, standing, after, changes)


# --------------------------------------------------------------------------------------------------------------- deals


def _deal(started: Started, standing: Standing, seq: int, event: Event, fields: EventFields) -> tuple[Standing, Row]:
    """A deal, or a penalty in one."""
    rules, problems = started.rules, fields.problems
    given = _GIVEN[event["event"]](_Seats(standing, problems), event)
    deal = None
    if not problems:
        given |= {"round": standing.wind, "honba": standing.honba, "sticks": standing.sticks}
        given["kitty"] = [{"seat": standing.seat(s.player), "points": s.points} for s in standing.kitty]
        deal = read_deal(given, rules, problems)
    if deal is None:
        return standing, Row(seq, event, standing, standing, problems=tuple(problems))
    settlement = settle_deal(rules, deal)
    by_seat = settlement.balance.changes
    payments = four(by_seat[(player - standing.dealer) % 4] for player in range(4))
    points = four(old + change for old, change in zip(standing.points, payments, strict=True))
    after = replace(
        standing,
        points=points,
        honba=standing.honba if settlement.honba is None else settlement.honba,
        sticks=settlement.sticks,
        kitty=tuple(Stake(standing.player(stake.seat), stake.points) for stake in settlement.kitty),
    )
    penalty = rules.penalties.get(event["kind"]) if event["event"] == "penalty" else None
    stays = settlement.dealer_stays
    if stays is None:
        if penalty is not None and penalty.bars:
            after = replace(after, barred=tuple(sorted({*standing.barred, event["player"]})))
        return after, Row(seq, event, standing, after, payments, settlement=settlement)
    after = replace(after, barred=())
    row = Row(seq, event, standing, after, payments, settlement=settlement)
    replayed = penalty is not None and penalty.deal == "replayed"
    if over(rules, standing, points, stays=stays, replayed=replayed):
        return finish(rules, after), row
    if stays:
        return replace(after, deal=standing.deal + 1), row
    dealer = (standing.dealer + 1) % 4
    return replace(after, deal=standing.deal + 1, dealer=dealer, round=standing.round + (dealer == 0)), row


class _Seats:
    """Puts this deal's seats where an event has players."""

    def __init__(self, standing: Standing, problems: list[Problem]) -> None:
        self.standing, self.problems = standing, problems
        self.fields = EventFields(problems)

    def seat(self, value: object, at: str = "player") -> str | None:
        player = self.fields.player(value, at)
        return None if player is None else self.standing.seat(player)

    def seats(self, value: object, at: str) -> list[str]:
        return [self.standing.seat(player) for player in self.fields.players(value, at)]

    def won(self, event: Event) -> dict[str, Any]:
        winners, losers = event.get("winners"), event.get("losers")
        what = "a player, by and hand or worth"
        if not winners:
            self.fields.wrong("say who won: 'winners'", "winners", "missing_field")
        given = [self.winner(item) for item in self.fields.tables(winners, "winners", _WINNER_KEYS, what, 3)]
        lost: dict[str, Any] = {}
        for item in self.fields.tables(
            losers, "losers", ("player", "hand", "score"), "a player, and a hand or score", 3
        ):
            seat = self.seat(item.pop("player", None))
            if seat in lost:
                self.fields.wrong("a loser is named twice", "losers")
            lost[seat or ""] = item
        bets, dead = self.seats(event.get("bets"), "bets"), self.seats(event.get("dead"), "dead")
        return {"winners": given, "losers": lost, "bets": bets, "dead": dead}

    def winner(self, item: dict[str, Any]) -> dict[str, Any]:
        out = {**item, "seat": self.seat(item.get("player"))}
        out.pop("player", None)
        if "from" in item:
            out["from"] = self.seat(item["from"], "from")
        if "liable" in item:
            keys = ("player", "limit_hands")
            ones = self.fields.tables(item["liable"], "liable", keys, "a player and limit hands", 3)
            out["liable"] = [
                {"seat": self.seat(one.get("player")), "limit_hands": one.get("limit_hands")} for one in ones
            ]
        return out

    def drawn(self, event: Event) -> dict[str, Any]:
        ready = self.seats(event.get("ready"), "ready")
        return {
            "draw": {"kind": event.get("kind"), "ready": ready},
            "bets": self.seats(event.get("bets"), "bets"),
        }

    def penalty(self, event: Event) -> dict[str, Any]:
        said = {"kind": event.get("kind"), "seat": self.seat(event.get("player")), "points": event.get("points")}
        to = None if event.get("to") is None else self.seats(event["to"], "to")
        return {"penalty": {**said, "to": to}}


_GIVEN: Final[Mapping[str, Callable[[_Seats, Event], dict[str, Any]]]] = {
    "won": _Seats.won,
    "drawn": _Seats.drawn,
    "penalty": _Seats.penalty,
}


# --------------------------------------------------------------------------------------------------------- other events


def _adjusted(started: Started, standing: Standing, event: Event, fields: EventFields) -> Standing:
    changes = fields.four(event.get("points"), "points")
    if event.get("why") is not None:
        fields.text(event["why"], "why", LONGEST_TEXT, lines=True)
    if sum(changes):
        off = sum(changes)
        message = f"the four changes must sum to zero, so that no points appear or vanish; they are off by {off}"
        fields.wrong(message, "points")
    return replace(standing, points=four(old + new for old, new in zip(standing.points, changes, strict=True)))


def _note(started: Started, standing: Standing, event: Event, fields: EventFields) -> Standing:
    if event.get("text") is None:
        fields.wrong("say the note's 'text'", "text", "missing_field")
    else:
        fields.text(event["text"], "text", LONGEST_TEXT, lines=True)
    seq = event.get("seq")
    if seq is not None and (type(seq) is not int or seq < 1):
        fields.wrong("'seq' must be the number of a line, from 1", "seq")
    return standing


def _renamed(started: Started, standing: Standing, event: Event, fields: EventFields) -> Standing:
    player = fields.player(event.get("player"))
    name = fields.text(event.get("name"), "name", LONGEST_NAME)
    if type(event.get("substitute", False)) is not bool:
        fields.wrong("'substitute' must be true or false", "substitute")
    first, second, third, fourth = (name if i == player else old for i, old in enumerate(standing.names))
    return replace(standing, names=(first, second, third, fourth))


def _finished(started: Started, standing: Standing, event: Event, fields: EventFields) -> Standing:
    return standing if standing.finished else finish(started.rules, standing)


_PLAYS: Final[Mapping[str, Callable[[Started, Standing, Event, EventFields], Standing]]] = {
    "adjusted": _adjusted,
    "note": _note,
    "renamed": _renamed,
    "finished": _finished,
}
