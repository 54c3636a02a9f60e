"""The checked tree of an expression, and how its nodes are made: typed and with constants folded."""

import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from tenbo.errors import nearest, shown

Type: TypeAlias = Literal["bool", "int", "word"]

BOOL: Final = "bool"
INT: Final = "int"
WORD: Final = "word"

MAX_NUMBER: Final = 10**9  # fits 32 bits
# Definitions inside definitions can grow without end from short texts; these hold for the finished tree.
_MAX_TREE_DEPTH: Final = 90
_MAX_TREE_SIZE: Final = 5000

OPERATIONS: Final[dict[str, Callable[[int, int], int]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_OPPOSITE: Final = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
KINDS: Final = {BOOL: "a condition", INT: "a number", WORD: "a word"}


class RefusalError(Exception):
    """Carries the message of a ``ConditionError`` to where the text is known."""


@dataclass(frozen=True, slots=True)
class Symbol:
    """A name that an expression may use and whose value is known only when a hand is scored.

    Attributes:
        name: The name as written in expressions.
        type: ``"bool"``, ``"int"`` or ``"word"``.
        words: The words that a word can be, in the order of their numbers; empty for the other types.
    """

    name: str
    type: Type
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Node:
    """One node of a checked tree.

    Attributes:
        op: What the node does: ``const``, ``name``, ``null`` (an option that is none), ``literal`` (a word in quotes),
            ``not``, ``and``, ``or``, ``neg``, ``int`` (a condition as a number), ``if``, or a key of `OPERATIONS`.
        type: The type of its value.
        args: What it works on.
        value: The value of a constant, the name of a name.
        words: The words that its value can be, if it is a word.
        defect: Why the tree may not be used while this node is in it; constants may still switch the node off.
        size: The number of nodes from here on.
        depth: The number of levels from here on.
    """

    op: str
    type: Type
    args: tuple["Node", ...] = ()
    value: int | str = 0
    words: tuple[str, ...] = ()
    defect: str = ""
    size: int = field(init=False, compare=False)
    depth: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        levels = max(1, (len(self.args) - 1).bit_length())  # a wide 'and' is printed for NumPy as a tree of pairs
        object.__setattr__(self, "size", 1 + sum(arg.size for arg in self.args))
        object.__setattr__(self, "depth", levels + max((arg.depth for arg in self.args), default=0))
        if not self.defect and self.args:
            object.__setattr__(self, "defect", next((arg.defect for arg in self.args if arg.defect), ""))
        if self.size > _MAX_TREE_SIZE or self.depth > _MAX_TREE_DEPTH:
            raise RefusalError("too large once its definitions are filled in; make it or its definitions smaller")


def unknown_word(word: str, words: tuple[str, ...]) -> str:
    """Says that a word is none of the declared ones, and which was perhaps meant."""
    near = nearest(word, words)
    return f"{shown(word)} is not one of {', '.join(words)}" + (f"; did you mean '{near}'?" if near else "")


def const(value: int) -> Node:
    """A known number or condition."""
    if abs(value) > MAX_NUMBER:
        raise RefusalError(f"a number is beyond {MAX_NUMBER}")
    return Node("const", BOOL if isinstance(value, bool) else INT, value=value)


def number(node: Node) -> int:
    """The value of a constant node; a word gives its index."""
    return node.words.index(node.value) if isinstance(node.value, str) else node.value


def as_int(node: Node) -> Node:
    """A number as it is, a condition as 1 or 0."""
    if node.type == INT:
        return node
    return const(int(number(node))) if node.op == "const" else Node("int", INT, (node,))


def join(op: str, parts: list[Node]) -> Node:
    """The ``and`` or ``or`` of conditions, without the parts that constants decide."""
    kept: list[Node] = []
    for part in parts:
        if part.op != "const":
            kept.extend(part.args if part.op == op else (part,))
        elif part.value == (op == "or"):
            return part
    if len(kept) > 1:
        return Node(op, BOOL, tuple(kept))
    return kept[0] if kept else const(op == "and")


def opposite(node: Node) -> Node:
    """The ``not`` of a condition."""
    if node.op == "const":
        return const(not node.value)
    if node.op == "not":
        return node.args[0]
    if node.op in _OPPOSITE:
        return Node(_OPPOSITE[node.op], BOOL, node.args)
    return Node("not", BOOL, (node,))


def negate(node: Node) -> Node:
    """Unary minus of a number."""
    if node.op == "const":
        return const(-number(node))
    return node.args[0] if node.op == "neg" else Node("neg", INT, (node,))


def calculate(sign: str, left: Node, right: Node) -> Node:
    """``+ - * //`` of two numbers."""
    if sign == "//":
        if right.op != "const" and not right.defect:
            raise RefusalError("'//' needs a number or an option behind it")
        if right.op == "const" and right.value == 0:
            return Node(sign, INT, (left, right), defect="divides by zero")
    if left.op == right.op == "const":
        return const(OPERATIONS[sign](number(left), number(right)))
    if right.op == "const" and (sign, right.value) in (("+", 0), ("-", 0), ("*", 1), ("//", 1)):
        return left
    if left.op == "const" and (sign, left.value) in (("+", 0), ("*", 1)):
        return right
    if sign == "*":
        for zero, other in ((left, right), (right, left)):
            if zero.op == "const" and zero.value == 0 and not other.defect:
                return zero
    return Node(sign, INT, (left, right))


def compare(sign: str, left: Node, right: Node) -> Node:
    """One comparison."""
    equality = sign in ("==", "!=")
    unset = equality and "null" in (left.op, right.op)
    if not unset and (left.type != right.type or (not equality and left.type != INT)):
        needs = "two of one type" if equality else "two numbers"
        raise RefusalError(f"'{sign}' needs {needs}, not {KINDS[left.type]} and {KINDS[right.type]}")
    if left.type == right.type == WORD:
        left, right = _agree(left, right)
    if unset:
        return const((left.op == right.op) == (sign == "=="))
    for known, other in ((left, right), (right, left)):
        if known.op == "const" and known.type == BOOL:
            return other if bool(known.value) == (sign == "==") else opposite(other)
    if left.op == right.op == "const":
        if left.type == WORD:  # by the word itself: the words of an option need not be declared
            return const((left.value == right.value) == (sign == "=="))
        return const(bool(OPERATIONS[sign](number(left), number(right))))
    return Node(sign, BOOL, (left, right))


def _agree(left: Node, right: Node) -> tuple[Node, Node]:
    """Gives two sides of a comparison the same words, and makes a word in quotes a constant."""
    if left.op == right.op == "literal":
        raise RefusalError("two words in quotes are compared")
    words = left.words or right.words
    if left.words and right.words and left.words != right.words:
        raise RefusalError(f"words of two kinds are compared: {', '.join(left.words)}; {', '.join(right.words)}")
    sides = []
    for side in (left, right):
        if side.op in ("const", "literal"):
            if words and side.value not in words:
                raise RefusalError(unknown_word(str(side.value), words))
            side = Node("const", WORD, value=side.value, words=words)
        sides.append(side)
    return sides[0], sides[1]


def choose(condition: Node, yes: Node, no: Node) -> Node:
    """``yes if condition else no``."""
    if {yes.type, no.type} == {BOOL, INT}:
        yes, no = as_int(yes), as_int(no)
    if yes.type != no.type or yes.words != no.words:
        raise RefusalError(f"'if' gives {KINDS[yes.type]}, 'else' gives {KINDS[no.type]}; they must be alike")
    if condition.op == "const":
        return yes if condition.value else no
    if yes.type == BOOL and yes.op == "const":
        return join("or" if yes.value else "and", [condition if yes.value else opposite(condition), no])
    if no.type == BOOL and no.op == "const":
        return join("or" if no.value else "and", [opposite(condition) if no.value else condition, yes])
    return Node("if", yes.type, (condition, yes, no), words=yes.words)
