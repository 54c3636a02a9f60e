"""From a merged ruleset table to a checked `Ruleset`: every fault of a file is found and named at once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Final

from tenbo.condition import Expr
from tenbo.errors import Problem, RulesetError, nearest
from tenbo.facts import FORMS
from tenbo.options import Option, OptionValue
from tenbo.rulefile import Table as Raw
from tenbo.rulefile import to_text
from tenbo.ruleset.model import (
    LIMIT_UNIT,
    PENALTY_DEALS,
    SCOPES,
    SYMBOLS,
    WHO,
    Chart,
    Entry,
    Liability,
    Limit,
    Payment,
    Penalty,
    Ruleset,
    Shape,
    Table,
    limit_share,
)
from tenbo.ruleset.reader import Reader
from tenbo.ruleset.schema import FLAGS, KEYS, MAX_ENTRIES, MAX_VALUE, TOP

_DEFINED_FOR: Final = ("hand", "set", "bonus", "combo", "limit", "payment")
_NAME: Final = re.compile(r"[^\W\d]\w*")
_WORD: Final = re.compile(r"'[^']*'|\"[^\"]*\"")
_GRAMMAR: Final = {"and", "or", "not", "if", "else", "True", "False", "none"}


def build(table: Raw, name: str | None, values: Mapping[str, OptionValue]) -> Ruleset:
    """Builds a ruleset from its merged table.

    Args:
        table: The merged file.
        name: The preset's name; None: the file's title is the name.
        values: Option values laid over it, already checked.

    Raises:
        RulesetError: Something in the file is wrong; all of it is named.
    """
    return _Loader(table, dict(values)).ruleset(name)


# A hand's sets are added up in a few bits; a dozen groups, each worth all of this, still fit.
_MOST_SET_POINTS = 5000
_MOST_SET_DOUBLES = 20


class _Loader(Reader):
    def ruleset(self, name: str | None) -> Ruleset:
        """All of it, or a `RulesetError` with every fault."""
        self.top = self.keys("", self.raw, TOP)
        title = self.top.get("title", "")
        if not title:
            self.wrong("title", "a ruleset needs a title", "missing_field")
        if self.top.get("arithmetic", "doubling") != "doubling":
            self.wrong("arithmetic", "only 'doubling' is known")
        self.read_options()
        self.read_definitions()
        uses = self.keys("uses", self.top.get("uses", {}), KEYS["uses"])
        shapes, losers = self.read_shapes()
        entries = self.read_entries()
        points = self.keys("points", self.top.get("points", {}), KEYS["points"])
        floor = self.keys("points.floor", points.get("floor", {}), KEYS["floor"])
        minimum = self.keys("minimum", self.top.get("minimum", {}), KEYS["minimum"])
        limits = self.keys("limits", self.top.get("limits", {}), KEYS["limits"])
        if minimum.get("without", "bonus") != "bonus":
            self.wrong("minimum.without", "only 'bonus' is known")
        needed = self.number("minimum.doubles", minimum.get("doubles", 0), "penalty")
        if any(entry.unit == "limit" for entry in entries) and "base" not in limits:
            self.wrong("limits", "entries give a limit, so [limits] must say its base", "missing_field")
        payment = self.read_payment()
        out = Ruleset(
            name=name or title,
            title=title,
            source=self.top.get("source", ""),
            words={k: v for k, v in self.top.get("words", {}).items() if isinstance(v, str)},
            options=self.options,
            values=self.values,
            shapes=shapes,
            entries=entries,
            flags=self.words("uses.flags", uses.get("flags", []), FLAGS),
            dora=uses.get("dora", False),
            counters=uses.get("counters", False),
            bonus_tiles=self.flag("uses.bonus_tiles", uses.get("bonus_tiles", False)),
            losers=losers,
            round_up=self.step("points.round_up", points.get("round_up", 1)),
            floor=self.number("points.floor.value", floor["value"], "penalty") if "value" in floor else None,
            floor_when=self.expr("points.floor.when", floor.get("when"), "hand", "bool", True) if floor else None,
            minimum=int(needed.constant or 0) if needed.is_constant else 0,
            minimum_text=minimum.get("text", ""),
            limit_name=limits.get("name", "limit"),
            limit_base=self.number("limits.base", limits["base"], "penalty", 10**9) if "base" in limits else None,
            limits_add=self.flag("limits.add", limits.get("add", False)),
            limits=self.read_limits(),
            impossible=self.read_impossible(),
            payment=payment,
            liability=self.read_liability(entries),
            penalties=self.read_penalties(),
            table=self.read_table(),
            chart=self.read_chart(),
            text="",
        )
        if self.problems:
            raise RulesetError(self.problems)
        object.__setattr__(out, "text", to_text(self.raw))
        return out

    def read_options(self) -> None:
        names = {fact for symbols in SYMBOLS.values() for fact in symbols}
        for key, raw in self.tables("options", KEYS["options"]):
            at = f"options.{key}"
            if key in names - {"riichi"}:
                self.wrong(at, f"'{key}' is the name of a fact; an option needs a name of its own")
            if "default" not in raw:
                self.wrong(at, "an option needs a default", "missing_field")
                continue
            default = raw["default"]
            null = raw.get("null", False)
            option = Option(
                name=key,
                default=tuple(default)
                if isinstance(default, list)
                else None
                if null and default == "none"
                else default,
                values=tuple(raw.get("values", ())),
                minimum=raw.get("min", 0),
                maximum=raw.get("max", 10**9),
                multiple_of=max(1, raw.get("multiple_of", 1)),
                null=null,
                length=raw.get("list", 0),
                text=raw.get("text", ""),
                source=raw.get("source", ""),
            )
            if not option.accepts(option.default):
                self.wrong(f"{at}.default", f"must be {option.allowed()}")
            self.options[key] = option
        for key in list(self.values):
            if key not in self.options or not self.options[key].accepts(self.values[key]):
                self.wrong(f"options.{key}", "a value that it cannot have")

    def read_definitions(self) -> None:
        for key, text in self.top.get("define", {}).items():
            at = f"define.{key}"
            if not isinstance(text, str) or not key.isidentifier():
                self.wrong(at, "must be a word and an expression")
                continue
            if key in self.options or any(key in symbols for symbols in SYMBOLS.values()):
                self.wrong(at, "is already the name of a fact or option")
                continue
            before, found = len(self.problems), 0
            for scope in self.scopes_of(text):
                try_at = len(self.problems)
                value = self.expr(at, text, scope, "bool")
                if len(self.problems) == try_at:
                    self.definitions[scope][key] = value
                    found += 1
            if found:
                del self.problems[before:]
            else:
                del self.problems[before + 1 :]

    def scopes_of(self, text: str) -> list[str]:
        """The scopes that know all names in a definition; "hand", which then says what is wrong, where none does."""
        names = set(_NAME.findall(_WORD.sub("", text))) - _GRAMMAR
        known = {scope: {*self.definitions[scope], *chain(*self.symbols(scope))} for scope in _DEFINED_FOR}
        return [scope for scope in _DEFINED_FOR if names <= known[scope]] or ["hand"]

    def read_shapes(self) -> tuple[dict[str, Shape], bool]:
        shapes: dict[str, Shape] = {}
        losers = False
        for key, raw in self.tables("shape", KEYS["shape"]):
            at = f"shape.{key}"
            if key not in FORMS:
                self.wrong(at, f"unknown shape (known: {', '.join(FORMS)})")
                continue
            if not self.flag(f"{at}.when", raw.get("when", True)):
                continue
            points = raw.get("points")
            if points is not None and points != "none" and (not isinstance(points, int) or not 0 <= points <= 4000):
                self.wrong(f"{at}.points", "must be from 0 to 4000, or 'none'")
                points = None
            fixed = points if isinstance(points, int) else None
            shapes[key] = Shape(
                key, raw.get("name", key), fixed, points == "none", raw.get("text", ""), raw.get("source", "")
            )
            losers = losers or key == "loose"
        if not shapes:
            self.wrong("shape", "a ruleset needs at least one shape", "missing_field")
        return shapes, losers

    def read_entries(self) -> tuple[Entry, ...]:
        out: list[Entry] = []
        keys = {key for scope in ("hand", "last") for key in self.top.get(scope, {})}
        for scope in SCOPES:
            for key, raw in self.tables(scope, KEYS["combo" if scope == "combo" else "entry"]):
                entry = self.read_entry(scope, key, raw)
                if entry is not None:
                    out.append(entry)
                if "excludes" in raw and scope not in ("hand", "last"):
                    self.wrong(f"{scope}.{key}.excludes", "only hand and last entries exclude others")
                for other in raw.get("excludes", ()):
                    if not isinstance(other, str) or other not in keys:
                        near = nearest(other, keys) if isinstance(other, str) else None
                        hint = f"; did you mean '{near}'?" if near else ""
                        self.wrong(f"{scope}.{key}.excludes", f"there is no hand entry {str(other)[:40]!r}{hint}")
        if len(out) > MAX_ENTRIES:
            self.problems.append(Problem("bad_value", f"more than {MAX_ENTRIES} entries", None))
        for unit, most in (("points", _MOST_SET_POINTS), ("doubles", _MOST_SET_DOUBLES)):
            of_sets = [entry for entry in out if entry.scope in ("set", "combo") and entry.unit == unit]
            total = sum(int(entry.value.constant or 0) for entry in of_sets)
            if total > most:
                self.wrong("set", f"the {unit} of all set and combo entries add up to {total}, more than {most}")
        seen: set[str] = set()
        for entry in out:
            if entry.key in seen:
                self.wrong(f"{entry.scope}.{entry.key}", "another entry has this key")
            seen.add(entry.key)
        order = {key: i for i, key in enumerate(k for scope in self.raw for k in self._entry_keys(scope))}
        return tuple(sorted(out, key=lambda entry: order.get(entry.key, 0)))

    def _entry_keys(self, scope: str) -> Iterable[str]:
        return self.raw[scope] if scope in SCOPES and isinstance(self.raw[scope], dict) else ()

    def read_entry(self, scope: str, key: str, raw: Raw) -> Entry | None:
        at = f"{scope}.{key}"
        facts = "hand" if scope == "last" else scope
        units = [unit for unit in ("points", "doubles", "limit") if unit in raw]
        if len(units) != 1:
            self.wrong(at, "needs exactly one of points, doubles and limit", "missing_field")
            return None
        unit = units[0]
        if unit == "limit":
            share = limit_share(raw["limit"])
            if share is None:
                self.wrong(
                    f"{at}.limit", f"must be a whole number or a fraction of up to 1/{LIMIT_UNIT}, such as '1/2'"
                )
            value = self.expr(f"{at}.limit", share or 0, facts, "int")
            if scope in ("set", "bonus", "combo"):
                self.wrong(f"{at}.limit", f"an entry of scope {scope} cannot be a limit")
        else:
            value = self.number(f"{at}.{unit}", raw[unit], facts, MAX_VALUE if unit == "points" else 100)
            if scope in ("set", "bonus", "combo") and not value.is_constant:
                self.wrong(f"{at}.{unit}", f"a value of scope {scope} must be a number or an option")
        if raw.get("who", "winner") not in WHO:
            self.wrong(f"{at}.who", f"must be {', '.join(WHO)}")
        if scope in ("set", "bonus", "combo") and "times" in raw:
            self.wrong(f"{at}.times", f"an entry of scope {scope} repeats by itself")
        if "name" not in raw:
            self.wrong(at, "an entry needs a name", "missing_field")
        exposed = self.number(f"{at}.exposed", raw["exposed"], facts) if "exposed" in raw else None
        if exposed is not None and (not exposed.is_constant or scope != "hand"):
            self.wrong(f"{at}.exposed", "must be a number or an option, in a hand entry")
        return Entry(
            key=key,
            scope=scope,
            name=raw.get("name", key),
            unit=unit,
            value=value,
            when=self.expr(f"{at}.when", raw.get("when"), facts, "bool", True),
            ja=raw.get("ja", ""),
            exposed=exposed,
            who=raw.get("who", "winner"),
            times=self.number(f"{at}.times", raw["times"], facts) if "times" in raw else None,
            bonus=raw.get("bonus", False),
            excludes=tuple(str(other) for other in raw.get("excludes", ())),
            sets=self.choice(f"{at}.sets", raw, "sets", ("chow", "pung")) if scope == "combo" else "",
            size=self.within(f"{at}.size", raw.get("size", 0), 2, 4) if scope == "combo" else 0,
            repeat=raw.get("repeat", False),
            text=raw.get("text", ""),
            source=raw.get("source", ""),
        )

    def read_limits(self) -> tuple[Limit, ...]:
        out = []
        for i, item in enumerate(self.top.get("limit", [])):
            raw = self.keys(f"limit.{i + 1}", item, KEYS["limit"])
            for key in ("name", "base", "when"):
                if key not in raw:
                    self.wrong(f"limit.{i + 1}", f"needs {key}", "missing_field")
            when = self.expr(f"limit.{i + 1}.when", raw.get("when"), "limit", "bool", False)
            if when.is_constant and not when.constant:
                continue  # switched off by its options, so its base may be none
            base = self.number(f"limit.{i + 1}.base", raw.get("base", 0), "limit", 10**9)
            out.append(Limit(raw.get("name", ""), when, base, raw.get("text", ""), raw.get("source", "")))
        return tuple(out)

    def read_impossible(self) -> tuple[tuple[Expr, str], ...]:
        out = []
        given = self.top.get("impossible")
        if isinstance(given, list):  # a list without names, as in the rules that older games carry
            self.top["impossible"] = {f"number_{i}": item for i, item in enumerate(given, 1)}
        for key, raw in self.tables("impossible", KEYS["impossible"]):
            when = self.expr(f"impossible.{key}.when", raw.get("when"), "payment", "bool", False)
            out.append((when, raw.get("text", "this cannot be")))
        return tuple(out)

    def read_payment(self) -> Payment:
        raw = self.keys("payment", self.top.get("payment", {}), KEYS["payment"])
        if "each" not in raw:
            self.wrong("payment", "needs each: what one payer pays", "missing_field")
        losers = self.keys("payment.losers", raw.get("losers", {}), KEYS["losers"])
        settled = bool(losers) and self.flag("payment.losers.when", losers.get("when", True))
        return Payment(
            each=self.expr("payment.each", raw.get("each"), "payment", "int", 0),
            round_up=self.step("payment.round_up", raw.get("round_up", 1)),
            collected=self.choice("payment.score", raw, "score", ("collected", "base"), "base") == "collected",
            counter=self.expr("payment.counter", raw["counter"], "payment", "int") if "counter" in raw else None,
            bet=self.number("payment.bet", raw["bet"], "penalty", 10**9) if "bet" in raw else None,
            winners=self.choice("payment.winners", raw, "winners", ("all", "first"), "all"),
            han=self.expr("payment.han", raw["han"], "limit", "int") if "han" in raw else None,
            losers=self.expr("payment.losers.each", losers.get("each"), "payment", "int", 0) if settled else None,
            text=raw.get("text", ""),
            source=raw.get("source", ""),
        )

    def read_liability(self, entries: tuple[Entry, ...]) -> Liability | None:
        if "liability" not in self.top:
            return None
        raw = self.keys("liability", self.top["liability"], KEYS["liability"])
        limits = tuple(entry.key for entry in entries if entry.unit == "limit")
        hands = self.words("liability.hands", raw.get("hands", []), limits)
        counters = raw.get("counters", "liable")
        option = self.options.get(counters)
        value = self.values.get(counters, option.default) if option else counters
        if value not in ("liable", "discarder"):
            self.wrong("liability.counters", "must be liable or discarder, or an option with these values")
        share = self.within("liability.share_of_discard", raw.get("share_of_discard", 2), 1, 4)
        return Liability(hands, str(value), share, raw.get("text", ""))

    def read_penalties(self) -> dict[str, Penalty]:
        out = {}
        for key, raw in self.tables("penalty", KEYS["penalty"]):
            at = f"penalty.{key}"
            names = {limit.get("name") for limit in self.top.get("limit", []) if isinstance(limit, dict)}
            if "limit" in raw and raw["limit"] not in names:
                self.wrong(f"{at}.limit", f"there is no limit {raw['limit'][:40]!r}")
            if sum(unit in raw for unit in ("amount", "limit", "kitty")) > 1:
                self.wrong(at, "has at most one of amount, limit and kitty")
            out[key] = Penalty(
                key=key,
                name=raw.get("name", key),
                deal=self.choice(f"{at}.deal", raw, "deal", PENALTY_DEALS),
                amount=self.expr(f"{at}.amount", raw["amount"], "penalty", "int") if "amount" in raw else None,
                limit=raw.get("limit", ""),
                kitty=self.number(f"{at}.kitty", raw["kitty"], "penalty", 10**9) if "kitty" in raw else None,
                bars=raw.get("bars", False),
                text=raw.get("text", ""),
                source=raw.get("source", ""),
            )
        return out

    def read_table(self) -> Table:
        raw = self.keys("table", self.top.get("table", {}), KEYS["table"])
        pool = raw.get("draw_pool")
        stays = self.choice("table.dealer_stays_on_draw", raw, "dealer_stays_on_draw", ("always", "ready"), "always")
        return Table(
            draw_pool=self.number("table.draw_pool", pool, "penalty", 10**9) if pool is not None else None,
            dealer_stays_on_draw=stays,
            counters=raw.get("counters", False),
            dead_hands=raw.get("dead_hands", False),
            losing_hands=raw.get("losing_hands", False),
            kitty=raw.get("kitty", False),
            start=self.fixed("table.start", raw.get("start", 0), 10**9),
            rounds=self.fixed("table.rounds", raw.get("rounds", 4), 4, 1),
            target=self.fixed("table.target", raw.get("target", 0), 10**9),
            extension=self.flag("table.extension", raw.get("extension", False)),
            bust_ends=self.flag("table.bust_ends", raw.get("bust_ends", False)),
            leader_stops=self.flag("table.leader_stops", raw.get("leader_stops", False)),
            split_ties=self.flag("table.split_ties", raw.get("split_ties", False)),
            uma=self.uma(raw.get("uma", [0, 0, 0, 0])),
            oka=self.fixed("table.oka", raw.get("oka", 0), 10**6),
            result_unit=self.step("table.result_unit", raw.get("result_unit", 1)),
        )

    def fixed(self, at: str, text: object, top: int, low: int = 0) -> int:
        """A number that options alone decide."""
        value = self.expr(at, text, "penalty", "int")
        number = int(value.constant or 0)
        if not value.is_constant or not low <= number <= top:
            self.wrong(at, f"must be a number or an option, from {low} to {top}")
            return low
        return number

    def uma(self, given: object) -> tuple[int, ...]:
        """Four numbers, or the option that has them."""
        option = self.options.get(given) if isinstance(given, str) else None
        value = self.values.get(option.name, option.default) if option else given
        if isinstance(value, list | tuple) and len(value) == 4 and all(type(n) is int for n in value):
            return tuple(value)
        self.wrong("table.uma", "must be four whole numbers, or an option that has them")
        return (0, 0, 0, 0)

    def read_chart(self) -> Chart | None:
        if "chart" not in self.top:
            return None
        raw = self.keys("chart", self.top["chart"], KEYS["chart"])
        rows, columns = raw.get("doubles", []), raw.get("points", [])
        if not all(type(n) is int and 0 <= n <= 1000 for n in (*rows, *columns)):
            self.wrong("chart", "rows and columns are whole numbers")
        starred = raw.get("starred", "")
        if starred and (starred not in self.options or self.options[starred].type != "bool"):
            self.wrong("chart.starred", "must be an option that is true or false")
        return Chart(tuple(rows), tuple(columns), starred)
