"""A ruleset ready to score: its contexts, and what it has against a hand."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

from tenbo.engine.context import LOOSE, Context, Suited
from tenbo.errors import HandError, NotScoredError, Problem, error_for
from tenbo.facts import FORMS, SEATS
from tenbo.hand import FLAGS, Hand
from tenbo.program import BONUS_SHIFT
from tenbo.program.program import program
from tenbo.ruleset import Ruleset
from tenbo.tally import Tally

_HONOURS: Final = 3


class Engine:
    """Scores hands by one ruleset. Safe to use from threads: its caches only ever gain equal entries.

    Attributes:
        rules: The ruleset.
        program: The ruleset, compiled.
        contexts: The contexts of ways, seats and rounds in which a hand lacks nothing.
        places: The contexts made so far, with a missing seat or round counted as East.
        caches: What contexts share.
        refused: The bits of a hand's situation that these rules do not know.
        strict: Whether dora, counters or bets may be refused as well.
    """

    __slots__ = ("caches", "contexts", "places", "program", "refused", "rules", "strict")

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.program = program(rules)
        self.contexts: dict[tuple[str | None, str | None, str | None], Context] = {}
        self.places: dict[tuple[str | None, str | None, str | None], Context] = {}
        self.caches: dict[tuple[object, ...], Any] = {}
        self.strict = not (rules.dora and rules.counters)
        self.refused = sum(1 << i for i, flag in enumerate(FLAGS) if flag not in rules.flags)
        if not rules.bonus_tiles:
            self.refused |= 255 << BONUS_SHIFT

    def context(self, hand: Hand) -> Context:
        """The context of a hand.

        Raises:
            ReadError: The hand's situation lacks what the rules need, or has what they do not know.
            NotScoredError: The hand did not go out, and the rules do not score losers.
        """
        if (
            hand._situation & self.refused
            or hand.by is None
            or (self.strict and (hand.dora or hand.ura or hand.honba or hand.sticks))
        ):
            self.check(hand)
        found = self.contexts.get((hand.by, hand.seat, hand.round))
        if found is None:
            self.check(hand)
            found = self.context_of(hand.by, hand.seat, hand.round)
            if hand.seat is not None and hand.round is not None:
                self.contexts[hand.by, hand.seat, hand.round] = found
        return found

    def context_of(self, by: str | None, seat: str | None, round_: str | None) -> Context:
        """The context of a way of going out, a seat and a round; a missing one counts as East."""
        key = (by, seat, round_)
        found = self.places.get(key)
        if found is None:
            own, prevailing = (SEATS.index(wind) if wind else 0 for wind in (seat, round_))
            # Suited tiles are worth the same in every seat; what hand entries say depends on the seat or only on East.
            suits = (*(self._kept((by, suit), Suited) for suit in range(_HONOURS)), Suited())
            same = (by, own if self.program.seat_matters else own > 0, prevailing if self.program.round_matters else 0)
            memo, tallies = self._kept((*same, "memo"), dict), self._kept((*same, "tallies"), dict)
            found = Context(self.program, by, own, prevailing, suits, memo, tallies)
            self.places[key] = found
        return found

    def _kept(self, key: tuple[object, ...], make: Callable[[], Any]) -> Any:
        """A cache that contexts share."""
        return self.caches.setdefault(key, make())

    def problems(self, hand: Hand) -> list[Problem]:
        """What these rules have against a hand, beyond what is wrong with it by itself (`Hand.problems`)."""
        # A hand that could be made lacks nothing by itself but, perhaps, how it went out.
        out = [] if hand.win is None or hand.by is not None else hand.problems()
        rules = self.rules
        out += self._missing({"seat": hand.seat, "round": hand.round})
        out += self.unknown(hand.flags, {key: getattr(hand, key) for key in ("dora", "ura", "honba", "sticks")})
        if hand.bonus and not rules.bonus_tiles:
            message = f"{rules.title} is played without flowers and seasons: take them out"
            out.append(Problem("bad_value", message, "hand"))
        if hand.win is None and not rules.losers and not out:
            message = f"{rules.title} does not score a hand that did not go out; mark the winning tile with +"
            out.append(Problem("not_scored", message, "hand"))
        return out

    def unknown(self, flags: Collection[object], said: Mapping[str, object]) -> list[Problem]:
        """What is said of a hand that these rules do not know, whether or not its tiles make a hand.

        Args:
            flags: Its flags.
            said: The keys `dora ura honba sticks`, as far as they are said, to anything.
        """
        rules = self.rules
        out = []
        for flag in FLAGS:
            if flag in flags and flag not in rules.flags:
                known = ", ".join(rules.flags) or "none"
                out.append(Problem("bad_value", f"{rules.title} knows no flag '{flag}' (it knows: {known})", flag))
        for name in ("dora", "ura"):
            if said.get(name) and not rules.dora:
                out.append(Problem("bad_value", f"{rules.title} knows no dora: leave '{name}' out", name))
        for name in ("honba", "sticks"):
            if said.get(name) and not rules.counters:
                out.append(Problem("bad_value", f"{rules.title} knows no counters and bets: leave '{name}' out", name))
        return out

    def beside(self, said: Mapping[str, object], found: Iterable[Problem]) -> list[Problem]:
        """What these rules have against the situation of a hand that cannot be made.

        Args:
            said: The situation by its keys, as far as it is said, to anything.
            found: What is already known to be wrong.
        """
        wrong = {problem.at for problem in found if problem.code == "bad_value"}
        out = self._missing(said)
        flags = said.get("flags")
        unknown = self.unknown(flags if isinstance(flags, list | tuple) else (), said)
        return out + [problem for problem in unknown if problem.at not in wrong]

    def _missing(self, said: Mapping[str, object]) -> list[Problem]:
        """What these rules need to know of the place of a hand, and is not said."""
        out = []
        if said.get("seat") is None:
            out.append(Problem("missing_field", "say where the player sits: seat E, S, W or N", "seat"))
        if said.get("round") is None and self.program.needs_round:
            out.append(Problem("missing_field", "say the round: E, S, W or N", "round"))
        return out

    def check(self, hand: Hand) -> None:
        """Refuses a hand that these rules have something against.

        Raises:
            ReadError: The hand's situation lacks what the rules need, or has what they do not know.
            NotScoredError: The hand did not go out, and the rules do not score losers.
        """
        problems = self.problems(hand)
        if problems:
            raise error_for(problems)


@lru_cache(maxsize=32)
def engine(rules: Ruleset) -> Engine:
    """The engine of a ruleset, made once."""
    return Engine(rules)


def no_reading(rules: Ruleset) -> HandError:
    """The error for tiles that cannot be seen as a complete hand."""
    shapes = [shape.name.lower() for key, shape in rules.shapes.items() if key != FORMS[LOOSE]]
    message = f"the tiles do not make a complete hand: {rules.title} knows {', or '.join(shapes)}"
    return HandError([Problem("not_winning", message, "hand")])


def below_minimum(rules: Ruleset, best: Tally) -> NotScoredError:
    """The error for a complete hand that may not go out."""
    have, need, unit = best.toward_minimum, rules.minimum, rules.words.get("doubles", "doubles")
    han = program(rules).han
    if han is not None and "han" in rules.words:  # the word for doubles without those for going out
        have, need, unit = han(0, have, 0), han(0, need, 0), rules.words["han"]
    message = f"this hand may not go out: {have} of {need} {unit}"
    if rules.minimum_text:
        message += f" ({rules.minimum_text})"
    return NotScoredError([Problem("not_scored", message, "hand")])
