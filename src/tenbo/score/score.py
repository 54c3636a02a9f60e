"""A scored hand: what it is worth, line by line, and what else it could have been."""

from __future__ import annotations

from typing import Any

from tenbo import decompose as d
from tenbo import tiles as t
from tenbo.combos import combos
from tenbo.engine import (
    Context,
    Engine,
    Reading,
    Split,
    below_minimum,
    best,
    group_codes,
    groups,
    no_reading,
    reading_text,
    readings,
    red_in,
    worth,
)
from tenbo.engine.engine import engine
from tenbo.hand import Hand
from tenbo.options import OptionValue
from tenbo.program import Line, line_of
from tenbo.ruleset import Ruleset
from tenbo.score.shares import payments, shares
from tenbo.tally import Tally


class OtherReading:
    """A reading that was not chosen.

    Attributes:
        reading: Its groups as text.
        score, points, doubles: What it would have been worth; the score of one that may not go out is 0.
    """

    __slots__ = ("doubles", "points", "reading", "score")

    def __init__(self, reading: str, score: int, points: int | None, doubles: int | None) -> None:
        self.reading, self.score, self.points, self.doubles = reading, score, points, doubles

    def record(self) -> dict[str, Any]:
        """As in a score record."""
        return {"reading": self.reading, "score": self.score, "points": self.points, "doubles": self.doubles}

    def __repr__(self) -> str:
        return f"OtherReading({self.reading!r}, score={self.score}, points={self.points}, doubles={self.doubles})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OtherReading) and self.record() == other.record()

    def __hash__(self) -> int:
        return hash((self.reading, self.score))


class Score:
    """The worth of a hand under a ruleset; cannot be changed, compares by its hand, rules and worth.

    Everything that takes work to write out (lines, readings, payments) is worked out when it is asked for.
    """

    __slots__ = ("_context", "_engine", "_hand", "_reading", "_single", "_tally")

    def __init__(
        self, engine_: Engine, context: Context, hand: Hand, tally: Tally, reading: Reading, single: bool
    ) -> None:
        self._engine = engine_
        self._context = context
        self._hand = hand
        self._tally = tally
        self._reading = reading
        self._single = single

    @property
    def hand(self) -> Hand:
        """The hand."""
        return self._hand

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset, with its house rules."""
        return self._engine.rules

    @property
    def rules(self) -> str:
        """The preset's name or the file's title."""
        return self._engine.rules.name

    @property
    def options(self) -> dict[str, OptionValue]:
        """The option values that differ from the ruleset's own."""
        return dict(self._engine.rules.values)

    @property
    def score(self) -> int:
        """What the winner collects without counters and bets, or the score of which payments are multiples; points."""
        return self._tally.score

    @property
    def points(self) -> int | None:
        """Base points (fu) after rounding; None for a shape that has none."""
        return self._tally.points

    @property
    def points_raw(self) -> int | None:
        """The lines' points, before rounding."""
        return self._tally.points_raw

    @property
    def doubles(self) -> int | None:
        """How often the base was doubled; None for a limit hand that is not counted."""
        return self._tally.doubles

    @property
    def base(self) -> int:
        """Points doubled and limited, of which payments are multiples before they are rounded."""
        return self._tally.base

    @property
    def limit(self) -> str | None:
        """The name of the limit that applied."""
        return self._tally.limit

    @property
    def han(self) -> int | None:
        """Doubles as riichi counts them, without the 2 for going out; None elsewhere and for a limit hand."""
        function, tally = self._engine.program.han, self._tally
        if function is None or tally.doubles is None:
            return None
        return function(tally.points or 0, tally.doubles, tally.base)

    @property
    def fu(self) -> int | None:
        """The points, where the rules count han and fu; else None."""
        return self._tally.points if self._engine.program.han else None

    @property
    def lines(self) -> tuple[Line, ...]:
        """What earned the score: points, then doubles, then limits; their sums are `points_raw` and `doubles`."""
        return sum(self._line_groups(), ())

    def _line_groups(self) -> tuple[tuple[Line, ...], ...]:
        """The lines in groups that many hands share: the whole hand's, each suit's; points, then doubles or limits."""
        tally = self._tally
        _, a, b, c, z = self._reading
        if a.points is None or b.points is None or c.points is None or z.points is None:
            self._write_lines()
        points: Any = (a.points, b.points, c.points, z.points)
        doubles: Any = (a.doubles, b.doubles, c.doubles, z.doubles)
        if self._hand._red and (a.five or b.five or c.five):
            points, doubles = self._lines_with_reds()
        if self._engine.program.combos:
            more_points, more_doubles = self._combo_lines()
            points, doubles = (*points, more_points), (*doubles, more_doubles)
        if tally.fixed:
            points = ()
        if tally.doubles is None:
            return tally.point_lines, *points, tally.limit_lines
        return tally.point_lines, *points, tally.double_lines, *doubles

    def _combo_lines(self) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
        found = combos(self._engine.program, group_codes(self._reading), self._context.by is not None)
        points: list[Line] = []
        doubles: list[Line] = []
        for entry, value, sets in found:
            codes = [9 * one.suit + rank - 1 for one in sets for rank in d.group_tiles(one.code)]
            tiles = t.write(t.in_order(codes))
            (points if entry.unit == "points" else doubles).append(line_of(entry, value, tiles))
        return tuple(points), tuple(doubles)

    def _write_lines(self) -> None:
        for suit in range(4):
            split = self._reading[suit + 1]
            assert isinstance(split, Split)
            self._context.write_lines(suit, split)

    def _lines_with_reds(self) -> tuple[list[tuple[Line, ...]], list[tuple[Line, ...]]]:
        """The sets' lines by suit, with the red fives among their tiles."""
        hand, context = self._hand, self._context
        points: list[tuple[Line, ...]] = []
        doubles: list[tuple[Line, ...]] = []
        for suit in range(4):
            split = self._reading[suit + 1]
            assert isinstance(split, Split)
            if split.five and red_in(hand, suit):
                for code, codes in groups(hand, suit, split):
                    more_points, more_doubles = context.lines_of(suit, code, t.write(codes))
                    points.append(more_points)
                    doubles.append(more_doubles)
            else:
                points.append(split.points or ())
                doubles.append(split.doubles or ())
        return points, doubles

    @property
    def reading(self) -> str:
        """The chosen arrangement, a group for each set; the winning tile stands with + at the end of its group."""
        return reading_text(self._hand, self._reading)

    @property
    def other_readings(self) -> tuple[OtherReading, ...]:
        """The readings that were not chosen, best first."""
        if self._single:
            return ()
        others: dict[str, Tally] = {}
        for facts, reading in readings(self._hand, self._context):
            if reading != self._reading:
                others.setdefault(reading_text(self._hand, reading), worth(self._context, facts))
        others.pop(self.reading, None)
        ranked = sorted(others.items(), key=lambda item: (tuple(-n for n in item[1].order), item[0]))
        return tuple(
            OtherReading(text, tally.score if tally.allowed else 0, tally.points, tally.doubles)
            for text, tally in ranked
        )

    @property
    def shares(self) -> dict[str, int] | None:
        """What each role pays, without counters: some of `discarder`, `dealer`, `others`; None for a loser's hand."""
        return shares(self._context, self._tally, self._hand.from_)

    @property
    def payments(self) -> dict[str, int] | None:
        """Each seat's change, counters and bets included; None for a loser's hand and where a payer is unknown."""
        hand = self._hand
        return payments(self._context, self._tally, hand.from_, hand.honba, hand.sticks)

    def record(self, id: Any = None) -> dict[str, Any]:
        """The score record, ready for JSON.

        Args:
            id: Anything; it comes back as it was.
        """
        return {
            "id": id,
            "rules": self.rules,
            "options": {k: list(v) if isinstance(v, tuple) else v for k, v in self.options.items()},
            "score": self.score,
            "points": self.points,
            "points_raw": self.points_raw,
            "doubles": self.doubles,
            "limit": self.limit,
            "lines": [
                {"name": line[0], "tiles": line[1], "points": line[2], "doubles": line[3], "limit": line[4]}
                for line in self.lines
            ],
            "reading": self.reading,
            "other_readings": [other.record() for other in self.other_readings],
            "payments": self.payments,
            "shares": self.shares,
            "han": self.han,
            "fu": self.fu,
        }

    def _key(self) -> tuple[Any, ...]:
        rules = self._engine.rules
        return (self._hand, rules.text, tuple(sorted(rules.values.items())), self._tally)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Score):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash((self._hand, self._tally.order))

    def __lt__(self, other: Score) -> bool:
        """Scores are ordered by what they pay, then doubles, then points."""
        return self._tally.order < other._tally.order

    def __repr__(self) -> str:
        limit = f", {self.limit}" if self.limit else ""
        return f"<Score {self.score} by {self.rules}: {self.points} points, {self.doubles} doubles{limit}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """A score is pickled as its hand and rules."""
        return score_hand, (self._engine.rules, self._hand)


def score_hand(rules: Ruleset, hand: Hand) -> Score:
    """Scores a hand: the reading that pays most.

    Args:
        rules: The ruleset.
        hand: The hand.

    Raises:
        ReadError: The situation lacks what the rules need, or has what they do not know.
        HandError: The tiles do not make a complete hand (`not_winning`).
        NotScoredError: The rules do not let the hand go out, or do not score it.
    """
    e = engine(rules)
    context = e.context(hand)
    tally, reading, single = best(hand, context)
    if tally is None or reading is None:
        raise no_reading(rules)
    if not tally.allowed:
        raise below_minimum(rules, tally)
    return Score(e, context, hand, tally, reading, single)
