"""A rule system as data: entries, limits, payments, penalties and table procedure, loaded, checked and frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from tenbo import rulefile
from tenbo.condition import Expr, Symbol
from tenbo.errors import error_for
from tenbo.facts import FACTS
from tenbo.options import Option, OptionValue, lay_over

SCOPES: Final = ("set", "bonus", "combo", "hand", "last")
WHO: Final = ("winner", "loser", "all")
PENALTY_DEALS: Final = ("ends", "goes_on", "replayed")

SYMBOLS: Final[Mapping[str, Mapping[str, Symbol]]] = {
    scope: {fact.name: Symbol(fact.name, fact.type, fact.words) for fact in facts}  # type: ignore[arg-type]
    for scope, facts in FACTS.items()
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a rule book: what it is called, when it holds, and what it is worth.

    Attributes:
        key: Its identity within the ruleset.
        scope: "set" (looked at for each set and pair), "bonus" (each flower and season), "combo" (each group of
            chows or pungs), "hand" (once for a reading), "last" (when nothing else counts).
        name: What people read; `ja` is the Japanese name, where it has one.
        unit: What it gives: "points", "doubles" or "limit".
        value: An expression of how much; for a limit, of the share of the ruleset's limit in 1/`LIMIT_UNIT`.
        exposed: The value in a hand with an exposed set, where it differs.
        when: The condition.
        who: "winner", "loser" or "all".
        times: How often it counts.
        bonus: It does not help to reach the minimum.
        excludes: Keys of entries that do not count beside it.
        sets, size, repeat: For combos: "chow" or "pung", how many of them, and whether each group counts.
        text, source: The rule in plain words, and its place in the rule text.
    """

    key: str
    scope: str
    name: str
    unit: str
    value: Expr
    when: Expr
    ja: str = ""
    exposed: Expr | None = None
    who: str = "winner"
    times: Expr | None = None
    bonus: bool = False
    excludes: tuple[str, ...] = ()
    sets: str = ""
    size: int = 0
    repeat: bool = False
    text: str = ""
    source: str = ""


LIMIT_UNIT: Final = 1000
"""A limit's share is kept in thousandths, so that no fraction is ever rounded (shares finer than this are refused)."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape that a hand can have: its fixed points, or `silent` where it has none at all."""

    key: str
    name: str
    points: int | None = None
    silent: bool = False
    text: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit on the base: its name, when it holds and the base it sets. The first that holds is taken."""

    name: str
    when: Expr
    base: Expr
    text: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Payment:
    """Who pays what.

    Attributes:
        each: What one payer pays for a hand, an expression over payment facts, in points.
        round_up: Payments are rounded up to a multiple of this.
        collected: The score is what the winner collects; else it is the base, of which payments are multiples.
        counter: What one payer pays for each counter; None where there are none.
        bet: What each bet on the table is worth; None where there are none.
        winners: "all" of several winners are paid, or the "first" alone.
        han: The expression of han, where the ruleset has them.
        losers: What a loser with fewer points pays another, per point of difference base; None: nothing.
    """

    each: Expr
    round_up: int = 1
    collected: bool = False
    counter: Expr | None = None
    bet: Expr | None = None
    winners: str = "all"
    han: Expr | None = None
    losers: Expr | None = None
    text: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Penalty:
    """A penalty: what it costs whom, and what it does to the deal ("ends", "goes_on", "replayed")."""

    key: str
    name: str
    deal: str
    amount: Expr | None = None
    limit: str = ""
    kitty: Expr | None = None
    bars: bool = False
    text: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Table procedure: what drawn deals pay, who stays dealer, what may lie on the table.

    Attributes:
        draw_pool: Points that those not ready pay those ready in an exhaustive draw.
        dealer_stays_on_draw: "always" or "ready".
        counters: Whether counters are kept.
        dead_hands: Whether a hand can be dead.
        kitty: Whether a kitty can lie on the table.
        result_unit: Points of one unit of the final result.
    """

    draw_pool: Expr | None = None
    dealer_stays_on_draw: str = "always"
    counters: bool = False
    dead_hands: bool = False
    kitty: bool = False
    result_unit: int = 1


@dataclass(frozen=True, slots=True)
class Liability:
    """Liability (pao): the limit hands it is for, and who pays the counters ("liable" or "discarder")."""

    hands: tuple[str, ...]
    counters: str = "liable"
    text: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Ruleset:
    """A rule system with its house rules, frozen.

    Attributes:
        name: The preset's name, or the file's title; what records carry as `rules`.
        title: What people read.
        source: The rule text.
        words: The ruleset's own words for tenbo's names.
        options: The named options, by name.
        values: The values laid over them, where they differ.
        shapes: The shapes a hand can have, by key.
        entries: All entries, in the file's order.
        flags: The flags it knows.
        impossible: Conditions on points and doubles given without tiles that no hand can have, each with the reason.
        chart: The doubles (rows) and points (columns) of its printed chart, where it has one.
        text: The merged file, as TOML.
    """

    name: str
    title: str
    source: str
    words: Mapping[str, str]
    options: Mapping[str, Option]
    values: Mapping[str, OptionValue]
    shapes: Mapping[str, Shape]
    entries: tuple[Entry, ...]
    flags: tuple[str, ...]
    dora: bool
    counters: bool
    bonus_tiles: bool
    losers: bool
    round_up: int
    floor: Expr | None
    floor_when: Expr | None
    minimum: int
    minimum_text: str
    limit_name: str
    limit_base: Expr | None
    limits_add: bool
    limits: tuple[Limit, ...]
    impossible: tuple[tuple[Expr, str], ...]
    payment: Payment
    liability: Liability | None
    penalties: Mapping[str, Penalty]
    table: Table
    chart: tuple[tuple[int, ...], tuple[int, ...]] | None
    text: str = field(repr=False)

    def option(self, name: str) -> OptionValue:
        """An option's value in force.

        Raises:
            KeyError: The ruleset has no such option.
        """
        return self.values[name] if name in self.values else self.options[name].default

    def with_options(self, options: Mapping[str, object] | None) -> Ruleset:
        """The same rules with house-rule values laid over them.

        Args:
            options: Names and values; lists may stand for tuples.

        Raises:
            ReadError: An option is not known (`unknown_option`) or cannot have that value (`bad_value`).
        """
        problems: list[Any] = []
        values = lay_over(dict(self.options), options, problems)
        if problems:
            raise error_for(problems)
        if options is not None:
            kept = {k: v for k, v in self.values.items() if k not in options}
            values = {**kept, **values}
        if values == dict(self.values):
            return self
        return _with_values(self, tuple(sorted(values.items(), key=lambda item: item[0])))

    def __reduce__(self) -> tuple[Any, ...]:
        """Rulesets are pickled as their text."""
        return _unpickle, (self.text, self.name, tuple(self.values.items()))


@lru_cache(maxsize=256)
def _with_values(rules: Ruleset, values: tuple[tuple[str, OptionValue], ...]) -> Ruleset:
    from tenbo.ruleload import build

    return build(rulefile.parse_text(rules.text), rules.name, dict(values))


def _unpickle(text: str, name: str, values: tuple[tuple[str, OptionValue], ...]) -> Ruleset:
    rules = _preset(name) if name in rulefile.PRESETS and _preset(name).text == text else _from_text(text, name)
    return _with_values(rules, values) if values else rules


@lru_cache(maxsize=16)
def _preset(name: str) -> Ruleset:
    from tenbo.ruleload import build

    return build(rulefile.parse_text(rulefile.preset_text(name)), name, {})


@lru_cache(maxsize=64)
def _from_text(text: str, name: str) -> Ruleset:
    from tenbo.ruleload import build

    return build(rulefile.parse_text(text), name, {})


def load_rules(rules: str | Path | Ruleset, options: Mapping[str, object] | None = None) -> Ruleset:
    """Loads a ruleset.

    Args:
        rules: A preset's name (`reach`, `riichi`, `basic`, `simplified`), the path of a ruleset file, or a ruleset.
        options: House-rule values to lay over it.

    Raises:
        ReadError: There are no such rules (`unknown_rules`), or an option is not known or cannot have that value.
        RulesetError: The file cannot be used; every fault is named.

    >>> load_rules("reach").option("honba_value")
    300
    """
    if isinstance(rules, Ruleset):
        found = rules
    elif isinstance(rules, str) and rules in rulefile.PRESETS:
        found = _preset(rules)
    elif isinstance(rules, Path) or (isinstance(rules, str) and (rules.endswith(".toml") or "/" in rules)):
        found = _file(Path(rules))
    else:
        raise rulefile.unknown_rules(rules)
    return found.with_options(options) if options else found


def _file(path: Path) -> Ruleset:
    from tenbo.ruleload import build

    return build(rulefile.read_file(path), None, {})


def parse_rules(text: str) -> Ruleset:
    """Reads a ruleset from its text; it may extend presets, never files.

    Raises:
        RulesetError: The text cannot be used; every fault is named.
    """
    from tenbo.ruleload import build

    return build(rulefile.parse_text(text), None, {})


def limit_share(value: object) -> int | None:
    """A limit's share in thousandths, from a whole number or a fraction such as "1/2"; None where it is neither."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    try:
        share = Fraction(value) * LIMIT_UNIT
    except (ValueError, ZeroDivisionError):
        return None
    whole = share.denominator == 1 and 0 < share <= 1000 * LIMIT_UNIT
    return int(share) if whole and "." not in str(value) else None
