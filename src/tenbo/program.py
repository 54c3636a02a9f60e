"""A ruleset compiled for one hand at a time.

The facts of a reading that add up over its suits are packed into one integer ``F`` (a field of bits each, only those
that the ruleset names), so that a reading's facts are the sum of four integers and the situation. The ruleset's hand
entries become one Python function of ``F``, which answers with a key: the entries that hold, as bits, beside the points
and doubles of the sets. Everything else about a score follows from that key and is worked out once for each.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from tenbo.condition import Expr
from tenbo.condition.folding import fold
from tenbo.facts import BONUS_FACTS, FORMS, HAND_FACTS, SEATS, WAITS
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
BONUS_SHIFT: Final = 28
SITUATION_BITS: Final = 36

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
        return f"F >> {FLAG_BITS[name]} & 1"
    return {
        "riichi": "F & 3 != 0",
        "dora": f"F >> {DORA_SHIFT} & 255",
        "ura": f"F >> {URA_SHIFT} & 255",
        "red_fives": f"F >> {RED_SHIFT} & 15",
        "flowers": f"(F >> {BONUS_SHIFT} & 15).bit_count()",
        "seasons": f"(F >> {BONUS_SHIFT + 4} & 15).bit_count()",
        "own_flower": f"F >> {BONUS_SHIFT} + seat & 1",
        "own_season": f"F >> {BONUS_SHIFT + 4} + seat & 1",
        "seat": "seat",
        "round": "round_",
        "dealer": "seat == 0",
        "dealt": "seat == 0 and F >> 6 & 1",
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
            return f"F >> {self.shift[name]} & {self.mask[name]}"
        return _hand_source(name)


def in_hand_scope(entry: Entry) -> bool:
    """Whether an entry is looked at once for a reading."""
    return entry.scope in ("hand", "last")


def _plays(entry: Entry, winner: bool) -> bool:
    return entry.who == "all" or (entry.who == "winner") == winner


_RANK: Final = {"limit": 2, "doubles": 1, "points": 0}


def _worth(entry: Entry) -> tuple[int, int]:
    value = int(entry.value.constant or 0) if entry.value.is_constant else 0
    return (-_RANK[entry.unit], -value)


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


class Program:
    """A compiled ruleset.

    Attributes:
        rules: The ruleset.
        layout: Where facts lie in ``F``.
        entries: The entries looked at once for a reading; entry i is bit ``ENTRY_SHIFT + i`` of a key.
        dynamic: For entries whose value or count is worked out for each hand: entry index to the place in the key.
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
        self._evaluate: dict[str | None, Evaluate] = {}

    def evaluator(self, by: str | None) -> Evaluate:
        """The function from ``F``, seat and round (0-3) to a key, for hands that went out `by`."""
        found = self._evaluate.get(by)
        if found is None:
            scope: dict[str, Any] = {"__builtins__": {}}
            exec(compile(self.source(by), f"<{self.rules.name}, {by}>", "exec"), scope)
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
            if not _plays(entry, by is not None):
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
        for entry in sorted((e for e in self.entries if e.key in held and e.excludes), key=_worth):
            out = sum(held[key] for key in set(entry.excludes) if key in held and key != entry.key)
            if out:
                body.append(f"    if K & {held[entry.key]}: K &= ~{out}")
        if self.rules.floor_when is not None:
            body.append(f"    if {text(self.rules.floor_when)[0]}: K |= {FLOOR_BIT}")
        head = [
            "def evaluate(F, seat, round_):",
            *(f"    f_{name} = {self.layout.source(name)}" for name in sorted(used)),
            f"    K = F >> {SITUATION_BITS} & {SETS_MASK} | (F >> {BONUS_SHIFT} & 255) << {BONUS_KEY}",
            f"    if {self.layout.source('open_sets')}: K |= {OPEN_BIT}",
        ]
        return "\n".join([*head, *body, "    return K"]) + "\n"


@lru_cache(maxsize=128)
def program(rules: Ruleset) -> Program:
    """The ruleset's program, compiled once."""
    return Program(rules)


# ------------------------------------------------------------------------------------------------ sets and bonus tiles


def set_facts(suit: int, code: int, by: str | None, seat: int, round_: int) -> dict[str, int]:
    """The set facts of a group code (see `tenbo.decompose`)."""
    from tenbo import decompose as d

    ranks = d.group_tiles(code)
    meld = code - d.MELD
    exposed = 0 < meld <= 25 or meld >= 35
    won = d.WIN_CHOW <= code < d.MELD
    claimed = won and by == "discard"
    chow = ranks[0] != ranks[1] or ranks[0] != ranks[-1]
    rank = min(ranks)
    terminal = suit < 3 and (1 in ranks or 9 in ranks)
    return {
        "winner": by is not None,
        "self_draw": by == "self_draw",
        "discard": by == "discard",
        "chow": chow,
        "pung": not chow and len(ranks) == 3,
        "kong": len(ranks) == 4,
        "pair": len(ranks) == 2,
        "suit": suit,
        "rank": rank,
        "simple": suit < 3 and not terminal,
        "terminal": terminal,
        "honour": suit == 3,
        "dragon": suit == 3 and rank >= 5,
        "wind": suit == 3 and rank <= 4,
        "own_wind": suit == 3 and rank == seat + 1,
        "round_wind": suit == 3 and rank == round_ + 1,
        "exposed": exposed,
        "concealed": not exposed and not claimed,
        "claimed": claimed,
        "added": meld >= 35,
    }


def set_worth(program_: Program, facts: dict[str, int]) -> list[tuple[Entry, int]]:
    """The set entries that hold for a set, with their values."""
    winner = bool(facts["winner"])
    return [
        (entry, int(entry.value.constant or 0))
        for entry in program_.set_entries
        if _plays(entry, winner) and entry.value.constant and entry.when.evaluate(facts)
    ]


def bonus_worth(program_: Program, tile: int, seat: int, winner: bool) -> list[tuple[Entry, int]]:
    """The bonus entries that hold for a flower or season (0-7), with their values."""
    facts: dict[str, int] = {fact.name: 0 for fact in BONUS_FACTS}
    facts.update(winner=winner, flower=tile < 4, season=tile >= 4, number=tile % 4 + 1, own=tile % 4 == seat)
    return [
        (entry, int(entry.value.constant or 0))
        for entry in program_.bonus_entries
        if _plays(entry, winner) and entry.value.constant and entry.when.evaluate(facts)
    ]


def group_facts(suit: int, code: int, by: str | None, seat: int, round_: int) -> dict[str, int]:
    """The hand facts that one group adds."""
    from tenbo import decompose as d

    s = set_facts(suit, code, by, seat, round_)
    meld = code - d.MELD
    concealed_kong = 26 <= meld <= 34
    ranks = d.group_tiles(code)
    set_of_kind = s["pung"] or s["kong"]
    return {
        "chows": s["chow"],
        "pungs": s["pung"],
        "kongs": s["kong"],
        "pairs": s["pair"],
        "concealed_pungs": s["concealed"] and set_of_kind,
        "concealed_kongs": concealed_kong,
        "exposed_kongs": s["kong"] and s["exposed"],
        "added_kongs": s["added"],
        "open_sets": s["exposed"],
        "exposed_sets": s["exposed"] or s["claimed"],
        "dragon_sets": s["dragon"] and set_of_kind,
        "wind_sets": s["wind"] and set_of_kind,
        "own_wind_sets": s["own_wind"] and set_of_kind,
        "round_wind_sets": s["round_wind"] and set_of_kind,
        "dragon_pairs": s["dragon"] and s["pair"],
        "wind_pairs": s["wind"] and s["pair"],
        "own_wind_pairs": s["own_wind"] and s["pair"],
        "round_wind_pairs": s["round_wind"] and s["pair"],
        "groups_with_terminal": s["terminal"],
        "groups_with_honour": s["honour"],
        "wait": _wait(code, ranks),
    }


def _wait(code: int, ranks: tuple[int, ...]) -> int:
    from tenbo import decompose as d

    if not d.WIN_CHOW <= code < d.MELD:
        return WAITS.index("none")
    if code >= d.WIN_PAIR:
        return WAITS.index("pair")
    if code >= d.WIN_PUNG:
        return WAITS.index("pung")
    win = ranks[-1]
    if min(ranks) < win < max(ranks):
        return WAITS.index("closed")
    start = min(ranks)
    return WAITS.index("edge" if (start == 1 and win == 3) or (start == 7 and win == 7) else "open")


def seat_index(wind: str | None) -> int:
    """A wind as a number, East 0; -1 for none."""
    return SEATS.index(wind) if wind else -1
