"""Tables and expressions of a ruleset file, checked piece by piece."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Literal

from tenbo import condition
from tenbo.condition import ConditionError, Expr, Symbol
from tenbo.errors import Problem, nearest
from tenbo.options import Option, OptionValue
from tenbo.rulefile import Table as Raw
from tenbo.ruleset.model import SYMBOLS
from tenbo.ruleset.schema import MAX_VALUE, TYPE_NAMES

Constant = int | bool | str | None


@lru_cache(256)
def _constant(number: int) -> Expr:
    return condition.parse(str(number), {}, expect="int")


class Reader:
    """Reads tables and expressions of a ruleset file; faults are gathered in `problems`."""

    def __init__(self, table: Raw, values: dict[str, OptionValue]) -> None:
        self.raw = table
        self.top: Raw = {}
        self.values = values
        self.problems: list[Problem] = []
        self.options: dict[str, Option] = {}
        self.definitions: dict[str, dict[str, Expr]] = {scope: {} for scope in SYMBOLS}
        self._symbols: dict[tuple[str, int], tuple[dict[str, Symbol], dict[str, Constant]]] = {}

    def wrong(self, at: str, message: str, code: str = "bad_value") -> None:
        """Adds a fault: where, what, and its code."""
        self.problems.append(Problem(code, f"{at}: {message}", at))

    def keys(self, at: str, table: Any, known: Mapping[str, Any]) -> Raw:
        """The table with what it may hold; the rest is reported."""
        if not isinstance(table, dict):
            self.wrong(at, "must be a table")
            return {}
        out = {}
        for key, value in table.items():
            where = f"{at}.{key}" if at else key
            if key not in known:
                near = nearest(key, known)
                hint = f"; did you mean '{near}'?" if near else f" (known: {', '.join(known)})"
                self.wrong(where, f"unknown key{hint}", "unknown_field")
                continue
            kinds = known[key] if isinstance(known[key], tuple) else (known[key],)
            if type(value) not in kinds:
                self.wrong(where, f"must be {' or '.join(TYPE_NAMES[kind] for kind in kinds)}")
                continue
            out[key] = value
        return out

    def tables(self, key: str, known: Mapping[str, Any]) -> Iterable[tuple[str, Raw]]:
        """The tables of a group, such as `[hand.*]`, by their keys."""
        group = self.top.get(key, {})
        for name, table in group.items():
            if not name.isidentifier() or not name.isascii():
                self.wrong(f"{key}.{name[:40]}", "a key must be a word of letters, digits and _")
                continue
            yield name, self.keys(f"{key}.{name}", table, known)

    def symbols(self, scope: str) -> tuple[Mapping[str, Symbol], Mapping[str, Constant]]:
        """What an expression may name: facts and options of words, and the options' values."""
        found = self._symbols.get((scope, len(self.options)))
        if found is None:
            constants: dict[str, Constant] = {}
            words = dict(SYMBOLS[scope])
            for option in self.options.values():
                value = self.values.get(option.name, option.default)
                if option.type != "list" and not isinstance(value, tuple):
                    constants[option.name] = value
                    if option.type == "word":
                        words[option.name] = Symbol(option.name, "word", tuple(map(str, option.values)))
            found = self._symbols[(scope, len(self.options))] = (words, constants)
        return found

    def expr(
        self, at: str, text: object, scope: str, expect: Literal["bool", "int"], default: int | bool | None = None
    ) -> Expr:
        """A checked expression; a fault is reported and stands in as a constant."""
        if text is None:
            text = default
        try:
            if type(text) is int and expect == "int":
                return _constant(text)
            symbols, constants = self.symbols(scope)
            return condition.parse(
                str(text).strip(), symbols, constants=constants, definitions=self.definitions[scope], expect=expect
            )
        except ConditionError as error:
            self.wrong(at, str(error))
            return condition.parse("False" if expect == "bool" else "0", {})

    def number(self, at: str, text: object, scope: str, top: int = MAX_VALUE) -> Expr:
        """A checked number or expression of one; a constant must lie from 0 to `top`."""
        value = self.expr(at, text, scope, "int")
        if value.is_constant and not 0 <= int(value.constant or 0) <= top:
            self.wrong(at, f"must be from 0 to {top}")
        return value

    def flag(self, at: str, text: object) -> bool:
        """A condition over options alone."""
        if isinstance(text, bool) or text is None:
            return bool(text)
        value = self.expr(at, text, "penalty", "bool")
        if not value.is_constant:
            self.wrong(at, "may only ask for options")
        return bool(value.is_constant and value.constant)

    def words(self, at: str, given: list[Any], known: tuple[str, ...]) -> tuple[str, ...]:
        """The words of a list, in the order of those known; others are faults."""
        for word in given:
            if word not in known:
                near = nearest(word, known) if isinstance(word, str) else None
                hint = f"; did you mean '{near}'?" if near else f" (known: {', '.join(known)})"
                self.wrong(at, f"{str(word)[:40]!r} is not known{hint}")
        return tuple(word for word in known if word in given)

    def step(self, at: str, value: int) -> int:
        """What something is rounded to."""
        if not 1 <= value <= 10**6:
            self.wrong(at, "must be from 1 to 1000000")
            return 1
        return value

    def choice(self, at: str, raw: Raw, key: str, known: tuple[str, ...], default: str = "") -> str:
        """One of some words."""
        word = raw.get(key, default)
        if word not in known:
            self.wrong(at, f"must be {' or '.join(known)}")
            return known[0]
        return str(word)

    def within(self, at: str, value: int, low: int, high: int) -> int:
        """A number between two others."""
        if not low <= value <= high:
            self.wrong(at, f"must be from {low} to {high}")
            return low
        return value
