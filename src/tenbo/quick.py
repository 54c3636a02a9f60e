"""Values without tiles: points and doubles, a limit's name or a plain score, checked against what can be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from tenbo.condition.folding import fold
from tenbo.engine import Context, engine
from tenbo.errors import Problem, ReadError, error_for, nearest
from tenbo.facts import SEATS
from tenbo.program import function
from tenbo.ruleset import Ruleset, load_rules
from tenbo.score import payments, shares
from tenbo.tally import Tally, collected, limited

MAX_DOUBLES: Final = 100
MAX_POINTS: Final = 100_000
MAX_SCORE: Final = 10**9
KEYS: Final = ("doubles", "points", "hp", "bp", "han", "fu", "limit", "score")
_WAYS: Final = "doubles and points, hp and bp, han and fu, or limit"


def _whole(given: Mapping[str, Any], key: str, top: int, problems: list[Problem]) -> int:
    value = given[key]
    if type(value) is not int or not 0 <= value <= top:
        problems.append(Problem("bad_value", f"'{key}' must be a whole number from 0 to {top}", key))
        return 0
    return value


def limit_names(rules: Ruleset) -> tuple[str, ...]:
    """The names of the limits that a value may be given by."""
    names = [limit.name for limit in rules.limits]
    if rules.limit_base is not None:
        names.insert(0, rules.limit_name)
    return tuple(dict.fromkeys(names))


def limit_base(context: Context, name: str) -> int | None:
    """A limit's base in points, by its name; None where the rules do not have it."""
    program = context.program
    if program.rules.limit_base is not None and name == program.rules.limit_name:
        return program.limit_base
    for limit in program.rules.limits:
        if limit.name == name and limit.base.is_constant:
            return int(limit.base.constant or 0)
    return None


def quick(context: Context, given: Mapping[str, Any], problems: list[Problem]) -> Tally | None:
    """The worth of a value without tiles.

    Args:
        context: How the hand went out.
        given: Some of `KEYS`: a pair of points and doubles under one of their names, a limit's name, or a score.
        problems: Where faults are added (`bad_value`, `missing_field`).
    """
    rules = context.program.rules
    given = {key: given[key] for key in KEYS if given.get(key) is not None}
    before = len(problems)
    han = context.program.han
    going_out = -han(0, 0, 0) if han is not None else 0  # doubles that are no han
    for doubles_key, points_key, more in (("doubles", "points", 0), ("hp", "bp", 0), ("han", "fu", going_out)):
        if doubles_key not in given and points_key not in given:
            continue
        if len(given) != 2 or doubles_key not in given or points_key not in given:
            break
        if doubles_key != "doubles" and rules.payment.han is None:
            problems.append(Problem("bad_value", f"{rules.title} counts doubles and points", doubles_key))
            return None
        doubles = _whole(given, doubles_key, MAX_DOUBLES, problems) + more
        points = _whole(given, points_key, MAX_POINTS, problems)
        if len(problems) > before:
            return None
        return _counted(context, points, doubles, points_key, doubles_key, more, problems)
    if len(given) == 1:
        if "limit" in given:
            return _of_limit(context, given["limit"], problems)
        if "score" in given and not rules.payment.collected:
            score = _whole(given, "score", MAX_SCORE, problems)
            return _tally(context, None, None, score, None) if len(problems) == before else None
    ways = _WAYS + ("" if rules.payment.collected else ", or score")
    if not given:
        problems.append(Problem("missing_field", f"say what the hand is worth: {ways}", "hand"))
    else:
        problems.append(Problem("bad_value", f"give one of: {ways}; not {', '.join(given)}", next(iter(given))))
    return None


def _counted(
    context: Context, points: int, doubles: int, points_key: str, doubles_key: str, less: int, problems: list[Problem]
) -> Tally | None:
    rules = context.program.rules
    fixed = {shape.points for shape in rules.shapes.values() if shape.points is not None}
    if points % rules.round_up and points not in fixed:
        also = "".join(f", or {n}" for n in sorted(fixed))
        message = f"'{points_key}' must be a multiple of {rules.round_up}{also}, not {points}"
        problems.append(Problem("bad_value", message, points_key))
        return None
    if doubles < rules.minimum:
        message = f"a hand needs at least {rules.minimum - less} {doubles_key} to go out, not {doubles - less}"
        problems.append(Problem("bad_value", message, doubles_key))
        return None
    for when, why in _impossible(rules):
        if when(points, doubles, context.by == "self_draw", context.by == "discard"):
            message = f"{points} {points_key} and {doubles - less} {doubles_key} cannot be: {why}"
            problems.append(Problem("bad_value", message, points_key))
            return None
    base, limit = limited(context.program, points, doubles)
    return _tally(context, points, doubles, base, limit)


@lru_cache(maxsize=128)
def _impossible(rules: Ruleset) -> tuple[tuple[Callable[..., int], str], ...]:
    arguments = ("points", "doubles", "self_draw", "discard")
    rest = dict.fromkeys(("base", "winner_dealer", "payer_dealer", "payer_discards"), 0)
    return tuple((function(fold(when, rest), arguments), why) for when, why in rules.impossible)


def _of_limit(context: Context, name: object, problems: list[Problem]) -> Tally | None:
    known = limit_names(context.program.rules)
    base = limit_base(context, name) if isinstance(name, str) else None
    if base is None:
        near = nearest(name, known) if isinstance(name, str) else None
        hint = f"; did you mean '{near}'?" if near else f" (there are: {', '.join(known) or 'none'})"
        problems.append(Problem("bad_value", f"these rules have no limit {str(name)[:40]!r}{hint}", "limit"))
        return None
    return _tally(context, None, None, base, str(name))


def _tally(context: Context, points: int | None, doubles: int | None, base: int, limit: str | None) -> Tally:
    program = context.program
    score = base
    if context.by is not None:
        score = collected(program, context.by, context.seat, base, points or 0, doubles or 0)
    return Tally(score, points, None, doubles, base, limit, False, (), (), (), 0, True, (score, 0, 0))


class Value:
    """The worth of points and doubles, or of a limit, without tiles.

    Attributes:
        rules: The preset's name or the file's title.
        ruleset: The ruleset, with its house rules.
        score, base: As in `Score`, in points.
        points, doubles, limit: As in `Score`; None where they were not given.
        by, seat, from_, honba, sticks: As they were given.
    """

    __slots__ = ("_context", "_tally", "from_", "honba", "sticks")

    def __init__(self, context: Context, tally: Tally, from_: str | None, honba: int, sticks: int) -> None:
        self._context, self._tally = context, tally
        self.from_, self.honba, self.sticks = from_, honba, sticks

    rules = property(lambda self: self._context.program.rules.name)
    ruleset = property(lambda self: self._context.program.rules)
    score = property(lambda self: self._tally.score)
    base = property(lambda self: self._tally.base)
    points = property(lambda self: self._tally.points)
    doubles = property(lambda self: self._tally.doubles)
    limit = property(lambda self: self._tally.limit)
    by = property(lambda self: self._context.by)
    seat = property(lambda self: SEATS[self._context.seat])

    @property
    def han(self) -> int | None:
        """Doubles without the 2 for going out, where the rules count han."""
        han = self._context.program.han
        return han(self.points or 0, self.doubles, self._tally.base) if han and self.doubles is not None else None

    @property
    def fu(self) -> int | None:
        """The points, where the rules count fu."""
        return self._tally.points if self._context.program.han else None

    @property
    def shares(self) -> dict[str, int] | None:
        """What each role pays, without counters."""
        return shares(self._context, self._tally, self.from_)

    @property
    def payments(self) -> dict[str, int] | None:
        """Each seat's change, counters and bets included; None where a payer is unknown."""
        return payments(self._context, self._tally, self.from_, self.honba, self.sticks)

    def record(self, id: Any = None) -> dict[str, Any]:
        """The score record, ready for JSON."""
        values = self._context.program.rules.values
        return {
            "id": id,
            "rules": self.rules,
            "options": {k: list(v) if isinstance(v, tuple) else v for k, v in values.items()},
            "score": self.score,
            "points": self.points,
            "points_raw": None,
            "doubles": self.doubles,
            "limit": self.limit,
            "lines": [],
            "reading": None,
            "other_readings": [],
            "payments": self.payments,
            "shares": self.shares,
            "han": self.han,
            "fu": self.fu,
        }


def value(
    *,
    rules: str | Ruleset,
    options: Mapping[str, object] | None = None,
    by: Any = None,
    seat: Any = None,
    from_: Any = None,
    honba: Any = 0,
    sticks: Any = 0,
    **worth: Any,
) -> Value:
    """The worth of a hand of which only points and doubles, or the limit, are known.

    Args:
        rules: A preset's name, a ruleset file, or a `Ruleset`.
        options: House-rule values laid over the rules.
        by: "discard" or "self_draw".
        seat: The player's seat, "E" "S" "W" "N".
        from_: The discarder's seat.
        honba: Counters.
        sticks: Bets on the table.
        **worth: `doubles` and `points`; or `hp` and `bp`, or `han` and `fu`, where the rules have them; or `limit`.
            `doubles` and `hp` include the 2 for going out, `han` does not.

    Raises:
        ReadError: Something cannot be, or is missing; all problems are listed.

    >>> value(rules="reach", hp=4, bp=30, seat="S", by="self_draw").payments
    {'E': -1000, 'S': 2000, 'W': -500, 'N': -500}
    """
    ruleset = load_rules(rules, options)
    problems: list[Problem] = []
    for key in worth:
        if key not in KEYS or key == "score":
            near = nearest(key, KEYS)
            hint = f"; did you mean '{near}'?" if near else ""
            problems.append(Problem("unknown_field", f"'{str(key)[:40]}' is not known here{hint}", str(key)))
    seat_and_way(ruleset, by, seat, from_, honba, sticks, problems)
    if problems:
        raise error_for(problems)
    context = engine(ruleset).context_of(by, seat, None)
    found = quick(context, {k: v for k, v in worth.items() if k != "score"}, problems)
    if found is None:
        raise error_for(problems)
    return Value(context, found, from_, honba or 0, sticks or 0)


def seat_and_way(
    rules: Ruleset, by: object, seat: object, from_: object, honba: object, sticks: object, problems: list[Problem]
) -> None:
    """Checks how and where a hand went out; faults are added to the problems."""
    if by is None:
        problems.append(Problem("missing_field", "say how the hand went out: by discard or self_draw", "by"))
    elif by not in ("discard", "self_draw"):
        problems.append(Problem("bad_value", "'by' must be discard or self_draw", "by"))
    if seat is None:
        problems.append(Problem("missing_field", "say where the player sits: seat E, S, W or N", "seat"))
    elif not isinstance(seat, str) or seat not in SEATS:
        problems.append(Problem("bad_value", "'seat' must be E, S, W or N", "seat"))
    if from_ is not None:
        if not isinstance(from_, str) or from_ not in SEATS:
            problems.append(Problem("bad_value", "'from' must be E, S, W or N", "from"))
        elif by == "self_draw":
            problems.append(Problem("contradictory_flags", "nobody discards for a self-draw: leave 'from' out", "from"))
        elif from_ == seat:
            problems.append(
                Problem("contradictory_flags", "'from' names the winner; it is the discarder's seat", "from")
            )
    for key, number in (("honba", honba), ("sticks", sticks)):
        if number is None:
            continue
        if type(number) is not int or not 0 <= number <= 1000:
            problems.append(Problem("bad_value", f"'{key}' must be a whole number from 0 to 1000", key))
        elif number and not rules.counters:
            problems.append(Problem("bad_value", f"{rules.title} knows no counters and bets: leave '{key}' out", key))


__all__ = ["KEYS", "ReadError", "Value", "limit_base", "limit_names", "quick", "value"]
