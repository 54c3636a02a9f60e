"""A checked expression, and the sources it is printed as."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from tenbo.condition.nodes import OPERATIONS, Node, Type, number

_BINDING: Final = {"if": 0, "or": 1, "and": 2, "not": 3, "+": 5, "-": 5, "*": 6, "//": 6, "neg": 7, "int": 7}
_BINDING_OF_COMPARISON: Final = 4
_BINDING_OF_ATOM: Final = 8


def _same(name: str) -> str:
    return name


@dataclass(frozen=True, slots=True)
class Expr:
    """A checked expression, with constants folded and definitions filled in.

    Attributes:
        text: The expression as it was written.
        type: ``"bool"``, ``"int"`` or ``"word"``.
        words: The words that the value can be when the type is ``"word"``, else empty.
        names: The symbols whose values the result still depends on.
        root: The checked tree; no part of the public face.
    """

    text: str
    type: Type
    words: tuple[str, ...]
    names: frozenset[str]
    root: Node = field(repr=False)

    @property
    def is_constant(self) -> bool:
        """Whether the value is known without looking at a hand."""
        return self.root.op == "const"

    @property
    def constant(self) -> int | bool | None:
        """The value if it is constant (a word as its index), else None."""
        return number(self.root) if self.is_constant else None

    def python(self, rename: Callable[[str], str] = _same) -> str:
        """Python source of the expression, in parentheses unless it is a single name or number.

        Args:
            rename: Gives the source that stands for a symbol; it must bind as tightly as a name. Words are their index
                among the symbol's words.
        """
        return _python(self.root, rename, _BINDING_OF_ATOM)

    def numpy(self, rename: Callable[[str], str] = _same) -> str:
        """NumPy source of the expression; it needs NumPy as ``np``.

        Every symbol may be an array or a scalar. Columns of conditions must be bool; columns of numbers must be signed
        and wide enough for every intermediate value. A constant expression gives a scalar.

        Args:
            rename: Gives the source that stands for a symbol; it must bind as tightly as a name.
        """
        return _numpy(self.root, rename)

    def evaluate(self, values: Mapping[str, int | bool]) -> int | bool:
        """The value for given values of the symbols; words are given and returned as their index.

        Raises:
            KeyError: A name of `names` has no value.
        """
        return _evaluate(self.root, values)


def _python(node: Node, rename: Callable[[str], str], binding: int) -> str:
    """Source that may stand where an operator binds just less than `binding`."""
    op, args = node.op, node.args
    own = _BINDING.get(op, _BINDING_OF_COMPARISON)
    if op == "name":
        return rename(str(node.value))
    if op == "const":
        return str(number(node))
    if op in ("and", "or"):
        source = f" {op} ".join(_python(arg, rename, own + 1) for arg in args)
    elif op == "if":
        condition, yes, no = (_python(arg, rename, 1) for arg in args)
        source = f"{yes} if {condition} else {no}"
    elif op in ("not", "neg", "int"):
        source = {"not": "not ", "neg": "-", "int": "+"}[op] + _python(args[0], rename, own)
    else:
        if op in ("+", "-", "*"):  # Python's own arithmetic makes numbers of bools
            args = tuple(arg.args[0] if arg.op == "int" else arg for arg in args)
        left = _python(args[0], rename, own + (own == _BINDING_OF_COMPARISON))
        source = f"{left} {op} {_python(args[1], rename, own + 1)}"
    return source if own >= binding else f"({source})"


def _numpy(node: Node, rename: Callable[[str], str]) -> str:
    op = node.op
    if op == "name":
        return rename(str(node.value))
    if op == "const":
        source = str(number(node))
        return f"({source})" if source.startswith("-") else source
    args = [_numpy(arg, rename) for arg in node.args]
    if op in ("and", "or"):
        while len(args) > 1:  # in pairs: a long row of calls inside calls would be too deep for Python's parser
            pairs = [f"np.logical_{op}({', '.join(args[at : at + 2])})" for at in range(0, len(args) - 1, 2)]
            args = pairs + args[2 * len(pairs) :]
        return args[0]
    if op == "if":
        return f"np.where({', '.join(args)})"
    if op == "not":
        return f"np.logical_not({args[0]})"
    if op == "neg":
        return f"(-{args[0]})"
    if op == "int":  # the sum of two bool arrays would be their 'or'
        return f"({args[0]} * 1)"
    return f"({args[0]} {op} {args[1]})"


def _evaluate(node: Node, values: Mapping[str, int | bool]) -> int | bool:
    op, args = node.op, node.args
    if op == "name":
        return values[str(node.value)]
    if op == "const":
        return number(node)
    if op == "and":
        return all(_evaluate(arg, values) for arg in args)
    if op == "or":
        return any(_evaluate(arg, values) for arg in args)
    if op == "if":
        return _evaluate(args[1] if _evaluate(args[0], values) else args[2], values)
    first = _evaluate(args[0], values)
    if op == "not":
        return not first
    if op == "neg":
        return -first
    if op == "int":
        return int(first)
    return OPERATIONS[op](first, _evaluate(args[1], values))
