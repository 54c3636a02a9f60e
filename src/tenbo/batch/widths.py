"""How wide the numbers of an expression get, so that columns can be as narrow as is safe."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tenbo.condition import Expr
from tenbo.condition.nodes import Node, number
from tenbo.facts import HAND_FACTS, Fact

Range = tuple[int, int]

KINDS: Final = (("i1", 7), ("i2", 15), ("i4", 31), ("i8", 63))
_SITUATION: Final = {"dora": 255, "ura": 255, "red_fives": 15, "flowers": 4, "seasons": 4}


def _range(fact: Fact) -> Range:
    if fact.type == "bool":
        return 0, 1
    if fact.type == "word":
        return 0, len(fact.words) - 1
    return 0, _SITUATION.get(fact.name) or (1 << fact.bits) - 1


RANGES: Final[Mapping[str, Range]] = {fact.name: _range(fact) for fact in HAND_FACTS}
"""The least and the most that each hand fact can be."""


class TooWideError(Exception):
    """An expression whose values do not fit into 64 bits."""


def kind_for(low: int, high: int) -> str:
    """The narrowest NumPy type for numbers from low to high.

    Raises:
        TooWideError: None is wide enough.
    """
    for kind, bits in KINDS:
        if -(1 << bits) <= low and high < 1 << bits:
            return kind
    raise TooWideError


def span(expr: Expr) -> tuple[str, Range]:
    """The type in which every number of an expression can be worked out, and the range of its value.

    Raises:
        TooWideError: No type is wide enough.
    """
    low, high = 0, 1

    def walk(node: Node) -> Range:
        nonlocal low, high
        found = _of(node, [walk(arg) for arg in node.args])
        low, high = min(low, found[0]), max(high, found[1])
        return found

    value = walk(expr.root)
    return kind_for(low, high), value


def _of(node: Node, args: list[Range]) -> Range:
    op = node.op
    if op == "name":
        return RANGES[str(node.value)]
    if op == "const":
        value = int(number(node))
        return value, value
    if op == "neg":
        return -args[0][1], -args[0][0]
    if op == "int":
        return args[0]
    if op == "if":
        return min(args[1][0], args[2][0]), max(args[1][1], args[2][1])
    if op in ("+", "-", "*", "//"):
        (a, b), (c, d) = args
        if op == "+":
            return a + c, b + d
        if op == "-":
            return a - d, b - c
        ends = [x * y for x in (a, b) for y in (c, d)] if op == "*" else [x // y for x in (a, b) for y in (c, d) if y]
        return min(ends), max(ends)
    return 0, 1
