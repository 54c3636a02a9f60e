"""A ruleset's hand entries compiled to one function over columns of facts.

The text of the function is NumPy, made from the same checked expressions as the one for a single hand
(`tenbo.program`), entry by entry in the same order.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tenbo.batch.widths import TooWideError, kind_for, span
from tenbo.condition import Expr
from tenbo.condition.folding import fold
from tenbo.facts import HAND_FACTS
from tenbo.program import DYNAMIC_BITS, Program, exclusion_order, plays
from tenbo.ruleset import Entry

Column = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]
GetFact = Callable[[str, str], Any]

MOST: Final = (1 << DYNAMIC_BITS) - 1


@dataclass(slots=True)
class Counted:
    """What the hand entries give each reading.

    Attributes:
        points, doubles: Their sums, without those of sets; int32.
        bonus: The doubles that do not count for the minimum; None where there are none.
        limits: For each limit entry its index, where it holds, and its share there.
        last: For each entry that counts when nothing else does: its index, where it holds, and its value there.
        floor: Where the points have a floor; None where they have none.
        entries: (bytes, n) which entries gave points or doubles, entry i at bit i % 8 of byte i // 8.
    """

    points: Column
    doubles: Column
    bonus: Column | None
    limits: list[tuple[int, Mask, Column | int]]
    last: list[tuple[int, Mask, Column | int]]
    floor: Mask | None
    entries: npt.NDArray[np.uint8]


class Evaluator:
    """A ruleset's hand entries, for those who went out or for those who did not.

    Args:
        program: The compiled ruleset.
        winner: For whom.

    Attributes:
        source: The function's text.
        names: The facts that it asks for.

    Raises:
        TooWideError: A value may not fit into 64 bits.
    """

    def __init__(self, program: Program, winner: bool) -> None:
        self._fixed: dict[str, bool | int] = {"winner": winner}
        if not winner:
            self._fixed |= {"self_draw": False, "discard": False}
        self.names: set[str] = set()
        self._facts: dict[tuple[str, str], str] = {}
        self._selectors: dict[tuple[int, int], str] = {}
        self._body: list[str] = []
        self._bytes: dict[int, list[tuple[int, str]]] = {}
        self._sums: dict[str, list[_Part]] = {"points": [], "doubles": [], "bonus": []}
        self._limits: list[str] = []
        self._most: dict[int, int] = {}  # dynamic entry to how often it can count
        self._held: dict[int, bool] = {}  # entry to whether it holds everywhere
        self._last: list[str] = []
        self._masks(program, winner)
        self._values(program)
        self.source = self._source(program)
        scope: dict[str, Any] = {"np": np, "byte_": np.dtype("u1"), "__builtins__": {}}
        scope |= {f"logical_{word}": getattr(np, f"logical_{word}") for word in ("and", "or", "not")}
        exec(compile(self.source, f"<{program.rules.name!r}, columns>", "exec"), scope)
        self._function = scope["evaluate"]

    def __call__(self, fact: GetFact, count: int) -> Counted:
        """Looks at every entry.

        Args:
            fact: Gives a fact's column by name and type (`"?"` for conditions).
            count: The number of readings.
        """
        return Counted(*self._function(fact, count))

    # ------------------------------------------------------------------------------------------------ conditions

    def _expr(self, expr: Expr) -> tuple[str, Expr, str, tuple[int, int]]:
        """Source of an expression, what is left of it, its type, and its range."""
        left = fold(expr, self._fixed)
        kind, range_ = span(left)
        self.names |= left.names
        return left.numpy(lambda name: self._fact(name, kind)), left, kind, range_

    def _fact(self, name: str, kind: str) -> str:
        kind = "?" if name in _BOOLS else kind
        return self._facts.setdefault((name, kind), f"f_{name}_{'b' if kind == '?' else kind}")

    def _masks(self, program: Program, winner: bool) -> None:
        """Where each entry holds, as variables m0, m1, ... of Python's or NumPy's bools."""
        by_key: dict[str, int] = {}
        for i, entry in enumerate(program.entries):
            if not plays(entry, winner):
                continue
            source, left, _, _ = self._expr(entry.when)
            if left.is_constant and not left.constant:
                continue
            always = left.is_constant and i not in program.dynamic
            if i in program.dynamic:
                self._amount(i, entry, source if not left.is_constant else "")
            elif not always:
                self._body.append(f"m{i} = {source}")
            self._held[i] = always
            by_key[entry.key] = i
        excluding = [i for i in self._held if program.entries[i].excludes]
        for i in sorted(excluding, key=lambda i: exclusion_order(program.entries[i])):
            entry = program.entries[i]
            out = [by_key[key] for key in dict.fromkeys(entry.excludes) if key in by_key and key != entry.key]
            if out:
                self._array(i)
            for other in out:
                self._array(other)
                self._body.append(f"m{other} = np.greater(m{other}, m{i})")

    def _array(self, i: int) -> None:
        if self._held[i]:
            self._held[i] = False
            self._body.append(f"m{i} = np.ones(n, '?')")

    def _amount(self, i: int, entry: Entry, when: str) -> None:
        """How often a dynamic entry counts, as n0, n1, ...: at most `MOST`, 0 where it does not hold."""
        times, value = (self._expr(entry.times) if entry.times else None), self._expr(entry.value)
        if times and entry.value.is_constant:
            amount, kind, (low, high) = times[0], times[2], times[3]
        elif times:
            low, high = _product(value[3], times[3])
            kind = kind_for(min(low, value[3][0], times[3][0]), max(high, value[3][1], times[3][1], MOST))
            amount = f"(np.asarray({value[0]}, '{kind}') * np.asarray({times[0]}, '{kind}'))"
        else:
            amount, kind, (low, high) = value[0], value[2], value[3]
        if low < 0 or high > MOST:
            amount = f"np.clip(np.asarray({amount}, '{kind_for(min(low, 0), max(high, MOST))}'), 0, {MOST})"
        narrow = kind_for(0, min(max(high, 1), MOST))
        if kind != narrow or not amount.startswith("f_"):
            amount = f"np.broadcast_to(np.asarray({amount}), n).astype('{narrow}')"
        self._body.append(f"n{i} = {amount}")
        self._most[i] = min(max(high, 0), MOST)
        self._body.append(f"m{i} = np.logical_and(n{i} > 0, {when})" if when else f"m{i} = n{i} > 0")

    # ------------------------------------------------------------------------------------------------ values

    def _values(self, program: Program) -> None:
        for i in self._held:
            entry = program.entries[i]
            closed = int(entry.value.constant or 0) if entry.value.is_constant else 1
            open_ = int(entry.exposed.constant or 0) if entry.exposed is not None else closed
            if entry.unit == "limit" or entry.scope == "last":
                self._array(i)
                factor = str(closed) if closed == open_ else self._selected(closed, open_)
                each = f"n{i}.astype('i4') * {factor}" if i in program.dynamic else factor
                (self._limits if entry.unit == "limit" else self._last).append(f"({i}, m{i}, {each})")
            elif closed or open_:
                part = self._part(i, closed, open_, i in program.dynamic)
                for unit in ["doubles", "bonus"] if entry.unit == "doubles" and entry.bonus else [entry.unit]:
                    self._sums[unit].append(part)

    def _part(self, i: int, closed: int, open_: int, dynamic: bool) -> _Part:
        """What an entry adds, and its bit among the entries."""
        most = max(closed, open_)
        if self._held[i] and closed == open_:
            self._bytes.setdefault(i // 8, []).append((i % 8, ""))
            return _Part(str(closed), closed, kind="fixed")
        self._array(i)
        mask = f"u{i}"
        self._body.append(f"u{i} = m{i}.view(byte_)")
        bit = mask if closed and open_ else f"np.logical_and(m{i}, {'closed_' if closed else 'open_'}).view(byte_)"
        self._bytes.setdefault(i // 8, []).append((i % 8, bit))
        if closed == open_:
            factor = "" if closed == 1 else str(closed)
        else:
            factor = self._selected(closed, open_)
        if dynamic:
            most *= self._most[i]
            kind = kind_for(0, most)
            self._body.append(f"p{i} = n{i} * {mask}" if kind != "i4" else f"p{i} = n{i}.astype('i4') * {mask}")
            if factor:
                self._body.append(f"p{i} = p{i} * {factor}")
            return _Part(f"p{i}", most, kind="i2" if kind in ("i1", "i2") else "i4")
        if most < 256:
            return _Part(mask + (f" * {factor}" if factor else ""), most)
        return _Part(f"m{i}.astype('i4')" + (f" * {factor}" if factor else ""), most, kind="i4")

    def _selected(self, closed: int, open_: int) -> str:
        """The variable of a value that differs in an exposed hand."""
        return self._selectors.setdefault((closed, open_), f"v{closed}_{open_}")

    # ------------------------------------------------------------------------------------------------ the function

    def _source(self, program: Program) -> str:
        floor = "None"
        if program.rules.floor_when is not None:
            source, left, _, _ = self._expr(program.rules.floor_when)
            self._body.append(f"floor = np.full(n, {bool(left.constant)})" if left.is_constant else f"floor = {source}")
            floor = "floor"
        lines = []
        if self._selectors:
            lines = ["open_ = fact('open_sets', 'i1') > 0", "closed_ = np.logical_not(open_)"]
        for (closed, open_), name in self._selectors.items():
            if max(closed, open_) < 256:  # in bytes, which wrap around
                lines.append(f"{name} = open_.view(byte_) * {(open_ - closed) % 256} + {closed}")
            else:
                lines.append(f"{name} = np.where(open_, np.int32({open_}), np.int32({closed}))")
        lines += _shared(self._body)
        for unit in ("points", "doubles", "bonus"):
            lines += self._sum(unit)
        lines.append(f"bits = np.zeros(({(len(program.entries) + 7) // 8}, n), 'u1')")
        for byte, parts in sorted(self._bytes.items()):
            lines += _byte(byte, parts)
        result = f"points, doubles, {'bonus' if self._sums['bonus'] else 'None'}, "
        result += f"[{', '.join(self._limits)}], [{', '.join(self._last)}], {floor}, bits"
        head = [f"{name} = fact('{fact}', '{kind}')" for (fact, kind), name in sorted(self._facts.items())]
        text = "\n    ".join(["def evaluate(fact, n):", *head, *lines, f"return {result}"]) + "\n"
        return text.replace("np.logical_", "logical_")

    def _sum(self, unit: str) -> list[str]:
        """Adds up what the entries of a unit give, in numbers as narrow as cannot overflow."""
        parts = self._sums[unit]
        if not parts and unit == "bonus":
            return []
        fixed = sum(part.most for part in parts if part.kind == "fixed")
        lines, totals = [], [str(fixed)] if fixed else []
        for kind, most in (("u1", 255), ("i2", (1 << 15) - 1)):
            room = 0
            for part in (part for part in parts if part.kind == kind):
                if part.most <= room:
                    lines.append(f"{totals[-1]} += {part.source}")
                    room -= part.most
                else:
                    totals.append(f"{unit}_{len(lines)}")
                    lines.append(f"{totals[-1]} = {part.source}" + ("" if " * " in part.source else ".copy()"))
                    room = most - part.most
        totals += [part.source for part in parts if part.kind == "i4"]
        if not totals or totals[0].isdigit() or len(totals) > 1:
            lines.append(f"{unit} = np.full(n, {fixed}, 'i4')")
            lines += [f"{unit} += {total}" for total in totals if not total.isdigit()]
        else:
            lines.append(f"{unit} = {totals[0]}.astype('i4')")
        return lines


_LEAF: Final = re.compile(r"(?<!\w)\([^()]+\)|np\.logical_\w+\([\w, ]+\)")


def _shared(lines: list[str]) -> list[str]:
    """The same lines with what they have in common worked out once, before them."""
    common: list[str] = []
    while True:
        counts = Counter(found for line in lines for found in _LEAF.findall(line) if "m" not in _first_letters(found))
        often = [source for source, count in counts.items() if count > 1]
        if not often:
            return common + lines
        for source in often:
            name = f"c{len(common)}"
            common.append(f"{name} = {source}")
            lines = [line.replace(source, name) for line in lines]


def _first_letters(source: str) -> set[str]:
    return {name[0] for name in re.findall(r"\b[a-z]\w*", source) if not name.startswith("np")}


@dataclass(frozen=True, slots=True)
class _Part:
    """What an entry adds: source of it, the most that it can be, and its type ("fixed": the same for all)."""

    source: str
    most: int
    kind: str = "u1"


def _byte(byte: int, parts: list[tuple[int, str]]) -> list[str]:
    """Sets a byte of the entries' bits; an entry without a source holds everywhere."""
    fixed = sum(1 << at for at, bit in parts if not bit)
    given = sorted(((at, bit) for at, bit in parts if bit), reverse=True)
    if not given:
        return [f"bits[{byte}] = {fixed}"]
    lines, place = [f"b = bits[{byte}]"], given[0][0]
    for at, bit in given:  # doubled again and again: much faster than shifts of bytes
        lines += ["b += b"] * (place - at)
        lines.append(f"b |= {bit}")
        place = at
    lines += ["b += b"] * place
    return lines + ([f"b |= {fixed}"] if fixed else [])


def _product(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    ends = [x * y for x in a for y in b]
    return min(ends), max(ends)


_BOOLS: Final = frozenset(fact.name for fact in HAND_FACTS if fact.type == "bool")

__all__ = ["MOST", "Counted", "Evaluator", "TooWideError"]
