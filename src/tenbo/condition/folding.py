"""An expression with some of its symbols fixed."""

from collections.abc import Mapping

from tenbo.condition.expression import Expr
from tenbo.condition.nodes import (
    OPERATIONS,
    Node,
    RefusalError,
    as_int,
    calculate,
    choose,
    compare,
    const,
    join,
    negate,
    opposite,
)


def fold(expr: Expr, values: Mapping[str, int | bool]) -> Expr:
    """The same expression where some symbols' values are known, without the parts that these decide.

    Args:
        expr: A checked expression.
        values: Numbers and conditions by the symbols' names; words cannot be fixed.

    >>> from tenbo.condition import Symbol, parse
    >>> symbols = {"winner": Symbol("winner", "bool"), "chows": Symbol("chows", "int")}
    >>> fold(parse("winner and chows == 0", symbols), {"winner": True}).python()
    '(chows == 0)'
    """
    if expr.names.isdisjoint(values):
        return expr
    try:
        root = _fold(expr.root, values)
    except RefusalError:  # a number grew beyond what a rule may hold; it is worked out hand by hand then
        return expr
    names: set[str] = set()
    pending = [root]
    while pending:
        node = pending.pop()
        pending.extend(node.args)
        if node.op == "name":
            names.add(str(node.value))
    return Expr(expr.text, root.type, root.words, frozenset(names), root)


def _fold(node: Node, values: Mapping[str, int | bool]) -> Node:
    if node.op == "name":
        return const(values[str(node.value)]) if node.value in values else node
    if not node.args:
        return node
    args = [_fold(arg, values) for arg in node.args]
    match node.op:
        case "and" | "or":
            return join(node.op, args)
        case "not":
            return opposite(args[0])
        case "neg":
            return negate(args[0])
        case "int":
            return as_int(args[0])
        case "if":
            return choose(*args)
        case "+" | "-" | "*" | "//":
            return calculate(node.op, *args)
        case op if op in OPERATIONS:
            return compare(op, *args)
    raise AssertionError(node.op)  # every other kind of node has no arguments
