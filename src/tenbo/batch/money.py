"""What points and doubles, or a limit, come to: worked out once for each by the core, then looked up.

A *worth* is points with doubles, or a share of the limit. A *payer* index is how the hand went out, where, and who gave
the tile: (4 * by + seat) * 5 + from, with `from` 4 where nobody is known; for a hand that did not go out 40 + seat.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tenbo.batch.columns import BY
from tenbo.engine import Engine
from tenbo.facts import SEATS
from tenbo.ruleset import LIMIT_UNIT
from tenbo.score import counters, payments
from tenbo.tally import Tally, collected, limited

I64 = npt.NDArray[np.int64]

PAYERS: Final = 44
LOSERS: Final = 40
MOST_POINTS: Final = (1 << 16) - 1
DOUBLES_BITS: Final = 7
MOST_DOUBLES: Final = (1 << DOUBLES_BITS) - 1
MOST_SCORE: Final = 1 << 36
"""Scores and payments beyond this are left to the scalar engine."""

_UNKNOWN: Final = -2
TOO_MUCH: Final = -1


class Money:
    """The worths met so far.

    Attributes:
        places: By points << `DOUBLES_BITS` | doubles: the worth's number times `PAYERS`; 0 where it was not met.
        scores: By worth and payer: the score; `TOO_MUCH` where it is beyond `MOST_SCORE`.
        limits: By the same: the number of the limit's name in `names`.
        pays: By the same: what each seat gets, without counters and bets.
        known: By payer: whether it is known who pays; `known_honba` the same where there are counters.
        counters: By payer: what each seat gets for one counter.
        names: The limits' names; 0 is none.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.places: npt.NDArray[np.int32] = np.zeros(MOST_POINTS + 1 << DOUBLES_BITS, np.int32)
        self.scores: I64 = np.full(64 * PAYERS, _UNKNOWN, np.int64)
        self.limits = np.zeros(64 * PAYERS, np.uint8)
        self.pays: I64 = np.zeros((64 * PAYERS, 4), np.int64)
        self.known = np.zeros(PAYERS, np.bool_)
        self.known_honba = np.zeros(PAYERS, np.bool_)
        self.counters: I64 = np.zeros((PAYERS, 4), np.int64)
        rules = engine.rules
        self.names = [None, *dict.fromkeys([rules.limit_name, *(limit.name for limit in rules.limits)])]
        self._worths: list[tuple[int, int] | int] = [0]  # number 0 is none
        self._shares: dict[int, int] = {}
        program = engine.program
        for payer in range(LOSERS):
            by, seat, from_ = payer // 20, payer // 5 % 4, payer % 5
            unknown = by == 0 and from_ == 4
            self.known[payer] = not (unknown and program.pay_asks_discarder)
            self.known_honba[payer] = self.known[payer] and not (unknown and program.counter_asks_discarder)
            context = engine.context_of(BY[by], SEATS[seat], "E")
            for other in range(4):
                if other != seat:
                    paid = counters(context, other, from_ if from_ < 4 else None)
                    self.counters[payer, other] -= paid
                    self.counters[payer, seat] += paid

    def look_up(self, points: npt.NDArray[np.int32], doubles: npt.NDArray[np.int32], payers: Any) -> tuple[Any, Any]:
        """The places of worths in `scores`, `limits` and `pays`, and the scores there.

        Args:
            points: Rounded, at most `MOST_POINTS`.
            doubles: At most `MOST_DOUBLES`.
            payers: Payer indices.
        """
        keys = points << DOUBLES_BITS
        keys |= doubles
        places = self.places.take(keys)
        if not places.all():
            for key in np.unique(keys[places == 0]).tolist():
                self.places[key] = self._number((key >> DOUBLES_BITS, key & MOST_DOUBLES)) * PAYERS
            places = self.places.take(keys)
        places += payers
        return places, self._filled(places)

    def look_up_shares(self, shares: I64, payers: Any) -> tuple[Any, Any]:
        """The same for shares of the limit."""
        numbers = []
        for share in shares.tolist():
            if share not in self._shares:
                self._shares[share] = self._number(share)
            numbers.append(self._shares[share] * PAYERS)
        places = np.array(numbers, np.int32) + payers
        return places, self._filled(places)

    def _filled(self, places: Any) -> Any:
        scores = self.scores.take(places)
        if len(scores) and scores.min() == _UNKNOWN:
            for place in np.unique(places[scores == _UNKNOWN]).tolist():
                self._fill(place)
            scores = self.scores.take(places)
        return scores

    def _number(self, worth: tuple[int, int] | int) -> int:
        self._worths.append(worth)
        number = len(self._worths) - 1
        while (number + 1) * PAYERS > len(self.scores):
            self.scores = np.concatenate([self.scores, np.full_like(self.scores, _UNKNOWN)])
            self.limits = np.concatenate([self.limits, np.zeros_like(self.limits)])
            self.pays = np.concatenate([self.pays, np.zeros_like(self.pays)])
        return number

    def _fill(self, place: int) -> None:
        number, payer = divmod(place, PAYERS)
        by, seat, from_ = (BY[payer // 20], payer // 5 % 4, payer % 5) if payer < LOSERS else (None, payer - LOSERS, 4)
        worth, program = self._worths[number], self.engine.program
        if isinstance(worth, tuple):
            points, doubles = worth
            base, name = limited(program, points, doubles)
            counted: int | None = doubles
        else:
            points = doubles = 0
            base, name, counted = program.limit_base * worth // LIMIT_UNIT, self.engine.rules.limit_name, None
        score = collected(program, by, seat, base, points, doubles)
        tally = Tally(score, points, points, counted, base, name, False, (), (), (), 0, True, (0, 0, 0))
        context = self.engine.context_of(by, SEATS[seat], "E")
        paid = payments(context, tally, SEATS[from_] if from_ < 4 else None, 0, 0) or dict.fromkeys(SEATS, 0)
        if max(score, *map(abs, paid.values())) >= MOST_SCORE or score < 0:
            self.scores[place] = TOO_MUCH
            return
        self.scores[place] = score
        self.limits[place] = self.names.index(name)
        self.pays[place] = [paid[seat] for seat in SEATS]
