"""A rule system as data: entries, limits, payments, penalties and table procedure, loaded, checked and frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

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
        losing_hands: Whether losers' hands are looked at when a deal is settled.
        kitty: Whether a kitty can lie on the table.
        start: Points of each player at the start.
        rounds: Rounds of a game, each of which the deal passes all four seats.
        target: Points that someone needs to end a game that may be extended, and a dealer to stop it.
        extension: While nobody has the target at the end, one more round is played.
        bust_ends: A player in debt ends the game.
        leader_stops: A dealer who stays in the last deal, leads and has the target ends the game.
        split_ties: Equal points share their places' uma and oka; else the earlier seat at the start is placed higher.
        uma: What each place gets at the end, in thousands of points.
        oka: What first place gets besides, in thousands of points.
        result_unit: Points of one unit of the final result.
    """

    draw_pool: Expr | None = None
    dealer_stays_on_draw: str = "always"
    counters: bool = False
    dead_hands: bool = False
    losing_hands: bool = False
    kitty: bool = False
    start: int = 0
    rounds: int = 4
    target: int = 0
    extension: bool = False
    bust_ends: bool = False
    leader_stops: bool = False
    split_ties: bool = False
    uma: tuple[int, ...] = (0, 0, 0, 0)
    oka: int = 0
    result_unit: int = 1


@dataclass(frozen=True, slots=True)
class Liability:
    """Liability (pao).

    Attributes:
        hands: Keys of the limit hands that it is for.
        counters: Who pays the counters: the "liable" player, or the "discarder" (at a self-draw each payer's own).
        share_of_discard: The liable player pays one such part of a discard win, 2 for a half.
    """

    hands: tuple[str, ...]
    counters: str = "liable"
    share_of_discard: int = 2
    text: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """A printed chart of scores.

    Attributes:
        doubles: Its rows.
        points: Its columns.
        starred: The option, true or false, that changes the figures with a star; empty where none have one.
    """

    doubles: tuple[int, ...]
    points: tuple[int, ...]
    starred: str = ""


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
        chart: Its printed chart, where it has one.
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
    chart: Chart | None
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
        if options is None:
            return self
        problems: list[Any] = []
        values = lay_over(dict(self.options), options, problems)
        if problems:
            raise error_for(problems)
        values = {**{k: v for k, v in self.values.items() if k not in options}, **values}
        if values == dict(self.values):
            return self
        from tenbo.ruleset.load import with_values

        return with_values(self, tuple(sorted(values.items(), key=lambda item: item[0])))

    def __reduce__(self) -> tuple[Any, ...]:
        """Rulesets are pickled as their text."""
        from tenbo.ruleset.load import unpickle

        return unpickle, (self.text, self.name, tuple(self.values.items()))


def limit_share(value: object) -> int | None:
    """A limit's share in thousandths, from a whole number or a fraction such as "1/2"; None where it is neither."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    if isinstance(value, int):
        return value * LIMIT_UNIT if 0 < value <= 1000 else None
    from fractions import Fraction  # slow to load, rarely needed

    try:
        share = Fraction(value) * LIMIT_UNIT
    except (ValueError, ZeroDivisionError):
        return None
    whole = share.denominator == 1 and 0 < share <= 1000 * LIMIT_UNIT
    return int(share) if whole and "." not in str(value) else None
