"""A ruleset compiled for one hand at a time.

The facts of a reading that add up over its suits are packed into one integer ``F`` (a field of bits each, only those
that the ruleset names), so that a reading's facts are the sum of four integers and the situation. The ruleset's hand
entries become one Python function of ``F``, which answers with a key: the entries that hold, as bits, beside the points
and doubles of the sets. Everything else about a score follows from that key and is worked out once for each.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, NamedTuple

from tenbo.condition import Expr
from tenbo.condition.folding import fold
from tenbo.facts import FORMS, HAND_FACTS, SET_FACTS
from tenbo.ruleset import Entry, Ruleset

BY: Final = ("discard", "self_draw", None)
FLAG_BITS: Final = {
    "double_riichi": 1,
    "ippatsu": 2,
    "last_tile": 3,
    "after_kong": 4,
    "robbing_kong": 5,
    "first_turn": 6,
}
# The lowest bits of F are the situation: the flags, then these.
DORA_SHIFT: Final = 8
URA_SHIFT: Final = 16
RED_SHIFT: Final = 24
BONUS_SHIFT: Final = 30
SITUATION_BITS: Final = 60
WORD: Final = 30  # bits of a word of F that Python handles without a long number

# Where the parts of a key lie in K; the lowest bits are F's form, set points and set doubles.
FORM_MASK: Final = 3
POINTS_SHIFT: Final = 2
DOUBLES_SHIFT: Final = 18
SETS_BITS: Final = 26
SETS_MASK: Final = (1 << SETS_BITS) - 1
OPEN_BIT: Final = 1 << 26
FLOOR_BIT: Final = 1 << 27
BONUS_KEY: Final = 28
ENTRY_SHIFT: Final = 36
DYNAMIC_BITS: Final = 12

_DERIVED: Final = {"closed": "open_sets", "closed_after": "exposed_sets"}
_ALWAYS: Final = ("form", "set_points", "set_doubles", "open_sets")


def _hand_source(name: str) -> str:
    """Python source of a fact of the situation."""
    if name in FLAG_BITS:
        return f"W0 >> {FLAG_BITS[name]} & 1"
    return {
        "riichi": "W0 & 3 != 0",
        "dora": f"W0 >> {DORA_SHIFT} & 255",
        "ura": f"W0 >> {URA_SHIFT} & 255",
        "red_fives": f"W0 >> {RED_SHIFT} & 15",
        "flowers": f"(W1 >> {BONUS_SHIFT - WORD} & 15).bit_count()",
        "seasons": f"(W1 >> {BONUS_SHIFT - WORD + 4} & 15).bit_count()",
        "own_flower": f"W1 >> {BONUS_SHIFT - WORD} + seat & 1",
        "own_season": f"W1 >> {BONUS_SHIFT - WORD + 4} + seat & 1",
        "seat": "seat",
        "round": "round_",
        "dealer": "seat == 0",
        "dealt": "seat == 0 and W0 >> 6 & 1",
    }[name]


class Layout:
    """Where each fact of a reading lies in ``F``: its shift and mask, only for facts that are used."""

    def __init__(self, names: set[str]) -> None:
        used = {_DERIVED.get(name, name) for name in names} | set(_ALWAYS)
        order = ["form", "set_points", "set_doubles"]
        order += [f.name for f in HAND_FACTS if f.source == "sum" and f.name in used and f.name not in order]
        bits = {fact.name: fact.bits for fact in HAND_FACTS}
        self.shift: dict[str, int] = {}
        self.mask: dict[str, int] = {}
        at = SITUATION_BITS
        for name in order:
            if at // WORD != (at + bits[name] - 1) // WORD:  # no fact lies in two words
                at += WORD - at % WORD
            self.shift[name], self.mask[name] = at, (1 << bits[name]) - 1
            at += bits[name]

    def pack(self, facts: dict[str, int]) -> int:
        """The facts' integer; facts that are not used are left out."""
        shift = self.shift
        return sum(value << shift[name] for name, value in facts.items() if value and name in shift)

    def source(self, name: str) -> str:
        """Python source that takes a fact out of ``F`` (or of the situation)."""
        if name in _DERIVED:
            return f"not {self.source(_DERIVED[name])}"
        if name in self.shift:
            word, at = divmod(self.shift[name], WORD)
            return f"W{word} >> {at} & {self.mask[name]}"
        return _hand_source(name)

    def words(self) -> list[str]:
        """Python source that takes ``F`` apart into its words."""
        most = max(self.shift.values()) // WORD
        return [f"W{i} = F >> {WORD * i} & {(1 << WORD) - 1}" for i in range(most + 1)]


def in_hand_scope(entry: Entry) -> bool:
    """Whether an entry is looked at once for a reading."""
    return entry.scope in ("hand", "last")


def plays(entry: Entry, winner: bool) -> bool:
    """Whether an entry is for a hand that went out, or for one that did not."""
    return entry.who == "all" or (entry.who == "winner") == winner


_RANK: Final = {"limit": 2, "doubles": 1, "points": 0}


def exclusion_order(entry: Entry) -> tuple[int, int]:
    """Sorts entries by when their exclusions work: limits, doubles, points, each from high value to low."""
    value = int(entry.value.constant or 0) if entry.value.is_constant else 0
    return (-_RANK[entry.unit], -value)


class Line(NamedTuple):
    """One line of a score: exactly one of points, doubles and limit is not None.

    Attributes:
        name: What the rule book calls it.
        tiles: The tiles of the set that earned it; None where the whole hand did.
        points: Points, before rounding.
        doubles: Doubles.
        limit: The name of the limit, with its share where it is not one.
        key: The entry's key in the ruleset.
    """

    name: str
    tiles: str | None
    points: int | None
    doubles: int | None
    limit: str | None
    key: str


def line_of(entry: Entry, value: int, tiles: str | None) -> Line:
    """The line of an entry of points or doubles."""
    if entry.unit == "points":
        return Line(entry.name, tiles, value, None, None, entry.key)
    return Line(entry.name, tiles, None, value, None, entry.key)


Evaluate = Callable[[int, int, int], int]
Pay = Callable[[int, int, int, bool, bool, bool, bool, bool], int]
_PAY_ARGUMENTS: Final = (
    "base",
    "points",
    "doubles",
    "self_draw",
    "discard",
    "winner_dealer",
    "payer_dealer",
    "payer_discards",
)


def function(expr: Expr, arguments: tuple[str, ...]) -> Callable[..., int]:
    """A Python function of an expression, which is checked and holds nothing but arithmetic."""
    made: Callable[..., int] = eval(f"lambda {', '.join(arguments)}: {expr.python()}", {"__builtins__": {}})
    return made


class Row:
    """An entry that is looked at once for a reading, ready to be counted.

    Attributes:
        entry: The entry.
        closed, exposed: Its value in a closed hand and in an exposed one; 1 where it is worked out for each hand.
        shift: The place of its value or count in a key; 0 where it has none.
        lines: The lines made so far, by value.
    """

    __slots__ = ("closed", "entry", "exposed", "lines", "shift")

    def __init__(self, program_: Program, index: int, entry: Entry) -> None:
        self.entry = entry
        self.closed = int(entry.value.constant or 0) if entry.value.is_constant else 1
        self.exposed = self.closed if entry.exposed is None else int(entry.exposed.constant or 0)
        self.shift = program_.dynamic.get(index, 0)
        self.lines: dict[int, Line] = {}

    def line(self, value: int) -> Line:
        """Its line for the whole hand with that value."""
        found = self.lines.get(value)
        if found is None:
            found = self.lines[value] = line_of(self.entry, value, None)
        return found


class Program:
    """A compiled ruleset.

    Attributes:
        rules: The ruleset.
        layout: Where facts lie in ``F``.
        entries: The entries looked at once for a reading; entry i is bit ``ENTRY_SHIFT + i`` of a key.
        rows: The entries again, by their bit, ready to be counted.
        dynamic: For entries whose value or count is worked out for each hand: entry index to the place in the key.
        groups, worths: What is known of groups, and of points and doubles, kept here by those who work it out.
        needs_waits: Whether a rule asks how many kinds would have completed the hand.
        seat_matters: Whether hand entries ask for the seat itself, beyond East or not; `round_matters` likewise.
    """

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.entries = tuple(entry for entry in rules.entries if in_hand_scope(entry))
        self.set_entries = tuple(entry for entry in rules.entries if entry.scope == "set")
        self.bonus_entries = tuple(entry for entry in rules.entries if entry.scope == "bonus")
        self.combos = tuple(entry for entry in rules.entries if entry.scope == "combo")
        names: set[str] = set()
        for entry in self.entries:
            for expr in (entry.when, entry.value, entry.times):
                names |= expr.names if expr else set()
        if rules.floor_when:
            names |= rules.floor_when.names
        self.names = names
        self.layout = Layout(names)
        self.needs_waits = not names.isdisjoint({"waiting_kinds", "waiting_kinds_left"})
        at = ENTRY_SHIFT + len(self.entries)
        self.dynamic: dict[int, int] = {}
        for i, entry in enumerate(self.entries):
            if entry.times is not None or not entry.value.is_constant:
                self.dynamic[i] = at
                at += DYNAMIC_BITS
        self.pay = function(rules.payment.each, _PAY_ARGUMENTS)
        self.counter = function(rules.payment.counter, _PAY_ARGUMENTS) if rules.payment.counter else None
        self.pay_asks_discarder = "payer_discards" in rules.payment.each.names
        self.counter_asks_discarder = bool(rules.payment.counter and "payer_discards" in rules.payment.counter.names)
        self.limits = tuple(
            (
                limit.name,
                function(limit.when, ("points", "doubles", "base")),
                function(limit.base, ("points", "doubles", "base")),
            )
            for limit in rules.limits
        )
        self.han = function(rules.payment.han, ("points", "doubles", "base")) if rules.payment.han else None
        self.limit_base = int(rules.limit_base.constant or 0) if rules.limit_base else 0
        self.floor = int(rules.floor.constant or 0) if rules.floor else 0
        self.forms = tuple(rules.shapes.get(form) for form in FORMS)
        self.bet_value = int(rules.payment.bet.constant or 0) if rules.payment.bet else 0
        every = set(names)
        for entry in (*self.set_entries, *self.bonus_entries, *self.combos):
            every |= entry.when.names
        self.needs_round = not every.isdisjoint({"round", "round_wind", "round_wind_sets", "round_wind_pairs"})
        bonus = set().union(*(entry.when.names for entry in self.bonus_entries))
        self.seat_matters = not names.isdisjoint({"seat", "own_flower", "own_season"}) or "own" in bonus
        self.round_matters = "round" in names
        self.set_values = tuple((entry, int(entry.value.constant or 0)) for entry in self.set_entries)
        names_of_set = tuple(fact.name for fact in SET_FACTS)
        holds = "".join(f"{entry.when.python()}, " for entry in self.set_entries)
        self.set_holds: Callable[..., tuple[int, ...]] = eval(
            f"lambda {', '.join(names_of_set)}: ({holds})", {"__builtins__": {}}
        )
        self.entry_mask = (1 << len(self.entries)) - 1 << ENTRY_SHIFT
        self.rows = {1 << ENTRY_SHIFT + i: Row(self, i, entry) for i, entry in enumerate(self.entries)}
        self.groups: dict[tuple[object, ...], Any] = {}
        self.worths: dict[tuple[object, ...], tuple[int, str | None, int]] = {}
        self._evaluate: dict[str | None, Evaluate] = {}

    def evaluator(self, by: str | None) -> Evaluate:
        """The function from ``F``, seat and round (0-3) to a key, for hands that went out `by`."""
        found = self._evaluate.get(by)
        if found is None:
            scope: dict[str, Any] = {"__builtins__": {}}
            exec(compile(self.source(by), f"<{self.rules.name!r}, {by}>", "exec"), scope)
            found = self._evaluate[by] = scope["evaluate"]
        return found

    def source(self, by: str | None) -> str:
        """Python source of the evaluator."""
        fixed = {"winner": by is not None, "self_draw": by == "self_draw", "discard": by == "discard"}
        used: set[str] = set()

        def text(expr: Expr) -> tuple[str, bool | int | None]:
            left = fold(expr, fixed)
            used.update(left.names)
            return left.python(lambda name: f"f_{name}"), left.constant if left.is_constant else None

        body: list[str] = []
        held: dict[str, int] = {}
        for i, entry in enumerate(self.entries):
            if not plays(entry, by is not None):
                continue
            when, constant = text(entry.when)
            if constant is not None and not constant:
                continue
            bit = 1 << ENTRY_SHIFT + i
            held[entry.key] = bit
            add = f"K |= {bit}"
            if i in self.dynamic:
                value, times = text(entry.value)[0], text(entry.times)[0] if entry.times else "1"
                amount = times if entry.value.is_constant else f"({value}) * ({times})"
                most = (1 << DYNAMIC_BITS) - 1
                add = f"n = {amount}\n        if n > 0: K |= {bit} | (n if n < {most} else {most}) << {self.dynamic[i]}"
                body.append(f"    if {when}:\n        {add}")
            else:
                body.append(f"    {add}" if constant else f"    if {when}: {add}")
        for entry in sorted((e for e in self.entries if e.key in held and e.excludes), key=exclusion_order):
            out = sum(held[key] for key in set(entry.excludes) if key in held and key != entry.key)
            if out:
                body.append(f"    if K & {held[entry.key]}: K &= ~{out}")
        if self.rules.floor_when is not None:
            body.append(f"    if {text(self.rules.floor_when)[0]}: K |= {FLOOR_BIT}")
        head = [
            "def evaluate(F, seat, round_):",
            *(f"    {line}" for line in self.layout.words()),
            *(f"    f_{name} = {self.layout.source(name)}" for name in sorted(used)),
            f"    K = W{SITUATION_BITS // WORD} & {SETS_MASK} | (W1 & 255) << {BONUS_KEY}",
            f"    if {self.layout.source('open_sets')}: K |= {OPEN_BIT}",
        ]
        return "\n".join([*head, *body, "    return K"]) + "\n"


@lru_cache(maxsize=32)
def program(rules: Ruleset) -> Program:
    """The ruleset's program, compiled once."""
    return Program(rules)
