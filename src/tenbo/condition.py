"""Conditions and values of a ruleset file: a small, safe, typed subset of Python's expression grammar.

A ruleset says when a rule applies and what it is worth as text, for instance ``suits == 1 and honours >= 1``. This
module reads such text, checks it, and turns it into Python source (for one hand) or NumPy source (for columns of
hands). Nothing in the text is ever run as it stands: it is parsed, checked on the syntax tree, and printed anew.

What may be written:

* names of symbols (facts), constants (option values) and definitions; integers; ``True`` and ``False``
* ``and or not`` between conditions; ``a if c else b``
* ``+ - *`` between numbers, a condition counting as 1 or 0; ``//`` by a constant other than zero; unary minus
* ``< <= > >=`` between numbers, ``== !=`` between two of one type, chained as in Python
* a word in quotes, only beside ``==`` or ``!=`` with something that declares this word
* ``none``, only beside ``==`` or ``!=`` with an option

Everything is pure, so the parts of an ``and`` have no order: constants are folded wherever they stand, and a part that
constants switch off is gone from the result.

    >>> symbols = {"suits": Symbol("suits", INT), "closed": Symbol("closed", BOOL)}
    >>> rule = parse("suits == 1 and (closed or open_allowed)", symbols, constants={"open_allowed": True})
    >>> rule.python(), sorted(rule.names)
    ('(suits == 1)', ['suits'])
    >>> parse("suit == 1", symbols)
    Traceback (most recent call last):
    tenbo.condition.ConditionError: unknown name 'suit'; did you mean 'suits'? (in "suit == 1")
"""

import ast
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, NoReturn, TypeAlias

from tenbo.errors import nearest

Type: TypeAlias = Literal["bool", "int", "word"]
Value: TypeAlias = int | bool | str | None

BOOL: Final = "bool"
INT: Final = "int"
WORD: Final = "word"

MAX_TEXT: Final = 2000  # characters
MAX_DEPTH: Final = 50  # levels of one text
MAX_NUMBER: Final = 10**9  # fits 32 bits
# Definitions inside definitions can grow without end from short texts; these hold for the finished tree.
_MAX_TREE_DEPTH: Final = 90
_MAX_TREE_SIZE: Final = 5000

_OPERATIONS: Final[dict[str, Callable[[int, int], int]]] = {
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
_ARITHMETIC: Final[dict[type[ast.operator], str]] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//"}
_COMPARISONS: Final[dict[type[ast.cmpop], str]] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_OPPOSITE: Final = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_BINDING: Final = {"if": 0, "or": 1, "and": 2, "not": 3, "+": 5, "-": 5, "*": 6, "//": 6, "neg": 7, "int": 7}
_BINDING_OF_COMPARISON: Final = 4
_BINDING_OF_ATOM: Final = 8
_TOKEN: Final = re.compile(
    r"(?P<space>\s+)|[A-Za-z_][A-Za-z0-9_]*|[0-9]+(?![A-Za-z0-9_])|'[^'\\\n]*'|\"[^\"\\\n]*\"|==|!=|<=|>=|//|[-+*<>()]"
)
_HINTS: Final = {"=": "==", "&": "and", "|": "or", "!": "not", "/": "//"}
_KINDS: Final = {BOOL: "a condition", INT: "a number", WORD: "a word"}
_REFUSED: Final = {
    "Call": "a call",
    "Pow": "'**'",
    "LShift": "'<<'",
    "RShift": "'>>'",
    "Is": "'is' (write '==')",
    "IsNot": "'is not' (write '!=')",
    "In": "'in'",
    "NotIn": "'not in'",
    "UAdd": "a leading '+'",
    "Tuple": "'()'",
    "JoinedStr": "an f-string",
}


class ConditionError(ValueError):
    """An expression that cannot be used.

    Attributes:
        text: The whole expression as it was written.
        message: What is wrong with it and, where known, the way out.
    """

    def __init__(self, text: str, message: str) -> None:
        super().__init__(text, message)
        self.text = text
        self.message = message

    def __str__(self) -> str:
        return f'{self.message} (in "{_short(self.text)}")'


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
class _Node:
    """One node of a checked tree. ``defect`` says why the tree may not be used while this node is in it."""

    op: str  # const, name, null (an option that is none), not, and, or, neg, int (a bool as number), if, or an operator
    type: Type
    args: tuple["_Node", ...] = ()
    value: int | str = 0  # of a const; the name of a name
    words: tuple[str, ...] = ()
    defect: str = ""
    size: int = field(init=False, compare=False)
    depth: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", 1 + sum(arg.size for arg in self.args))
        object.__setattr__(self, "depth", 1 + max((arg.depth for arg in self.args), default=0))
        if not self.defect and self.args:
            object.__setattr__(self, "defect", next((arg.defect for arg in self.args if arg.defect), ""))
        if self.size > _MAX_TREE_SIZE or self.depth > _MAX_TREE_DEPTH:
            raise _Refusal("too large once its definitions are filled in; make it or its definitions smaller")


class _Refusal(Exception):
    """Carries the message of a `ConditionError` to where the text is known."""


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
    """

    text: str
    type: Type
    words: tuple[str, ...]
    names: frozenset[str]
    _root: _Node = field(repr=False)

    @property
    def is_constant(self) -> bool:
        """Whether the value is known without looking at a hand."""
        return self._root.op == "const"

    @property
    def constant(self) -> int | bool | None:
        """The value if it is constant (a word as its index), else None."""
        return _number(self._root) if self.is_constant else None

    def python(self, rename: Callable[[str], str] = _same) -> str:
        """Python source of the expression, in parentheses unless it is a single name or number.

        Args:
            rename: Gives the source that stands for a symbol; it must bind as tightly as a name. Words are their index
                among the symbol's words.
        """
        return _python(self._root, rename, _BINDING_OF_ATOM)

    def numpy(self, rename: Callable[[str], str] = _same) -> str:
        """NumPy source of the expression; it needs NumPy as ``np``.

        Every symbol may be an array or a scalar. Columns of numbers must be signed and wide enough for every
        intermediate value; a constant expression gives a scalar.

        Args:
            rename: Gives the source that stands for a symbol; it must bind as tightly as a name.
        """
        return _numpy(self._root, rename)

    def evaluate(self, values: Mapping[str, int | bool]) -> int | bool:
        """The value for given values of the symbols; words are given and returned as their index.

        Raises:
            KeyError: A name of `names` has no value.
        """
        return _evaluate(self._root, values)


def parse(
    text: str,
    symbols: Mapping[str, Symbol],
    *,
    constants: Mapping[str, Value] | None = None,
    definitions: Mapping[str, Expr] | None = None,
    expect: Literal["bool", "int"] | None = None,
) -> Expr:
    """Reads and checks an expression.

    Args:
        text: The expression.
        symbols: What may be named, by name. A symbol that is also a constant only declares the constant's type and words.
        constants: Values of options, by name; they go before symbols of the same name.
        definitions: Expressions that may be named, filled in as a whole.
        expect: The type that the result must have; None allows any.

    Raises:
        ConditionError: The text is not an expression of this grammar, its types do not fit, or it uses a name or word
            that is not known.
    """
    try:
        root = _Builder(symbols, constants or {}, definitions or {}).build(_syntax_tree(text), 1)
        if root.defect:
            raise _Refusal(root.defect)
        if expect is not None and root.type != expect:
            hint = "; write '1 if ... else 0'" if root.type == BOOL else ""
            raise _Refusal(f"must be {_KINDS[expect]}, but is {_KINDS[root.type]}{hint}")
        if root.op == "const" and root.type == WORD and not root.words:
            raise _Refusal("a word may only stand beside == or !=")
    except _Refusal as refusal:
        raise ConditionError(text, str(refusal)) from None
    names: set[str] = set()
    pending = [root]
    while pending:
        node = pending.pop()
        pending.extend(node.args)
        if node.op == "name":
            names.add(str(node.value))
    return Expr(text, root.type, root.words, frozenset(names), root)


def _short(text: str) -> str:
    shown = text if text.isprintable() else repr(text)[1:-1]
    return shown if len(shown) <= 80 else shown[:77] + "..."


def _syntax_tree(text: str) -> ast.expr:
    """Python's syntax tree of a text that has only tokens of the grammar and is not nested too deeply."""
    if len(text) > MAX_TEXT:
        raise _Refusal(f"longer than {MAX_TEXT} characters")
    tokens = []
    at = level = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            found = re.match(r"[0-9][A-Za-z0-9_]*|.", text[at:], re.DOTALL)
            shown = found.group() if found else text[at]
            hint = f"; did you mean '{_HINTS[shown]}'?" if shown in _HINTS else ""
            raise _Refusal(f"cannot read {shown!r} at character {at + 1}{hint}")
        tokens.append(" " if token["space"] else token.group())
        level += (tokens[-1] == "(") - (tokens[-1] == ")")
        if level > MAX_DEPTH:
            raise _Refusal(f"nested deeper than {MAX_DEPTH} levels")
        at = token.end()
    if not (source := "".join(tokens).strip()):
        raise _Refusal("empty")
    try:
        return ast.parse(source, mode="eval").body
    except SyntaxError as error:
        raise _Refusal(f"not an expression: {error.msg}") from None
    except (MemoryError, RecursionError):  # long rows of 'not' or '-'
        raise _Refusal(f"nested deeper than {MAX_DEPTH} levels") from None
    except ValueError:  # surrogates in a word
        raise _Refusal("has characters that are not text") from None


class _Builder:
    """Turns Python's syntax tree into checked, folded nodes."""

    def __init__(
        self, symbols: Mapping[str, Symbol], constants: Mapping[str, Value], definitions: Mapping[str, Expr]
    ) -> None:
        self.symbols = symbols
        self.constants = constants
        self.definitions = definitions

    def build(self, tree: ast.expr, level: int) -> _Node:
        if level > MAX_DEPTH:
            raise _Refusal(f"nested deeper than {MAX_DEPTH} levels")
        level += 1
        match tree:
            case ast.Name(id=name):
                return self.name(name)
            case ast.Constant(value=bool() | int() as value):
                return _const(value)
            case ast.Constant(value=None):
                raise _Refusal("'None' is not allowed in an expression; write 'none'")
            case ast.Constant(value=str() as word):
                raise _Refusal(f"the word '{word}' may only stand beside == or !=")
            case ast.BoolOp(op=op, values=values):
                name = "and" if isinstance(op, ast.And) else "or"
                return _join(name, [self.typed(value, level, BOOL, f"'{name}'") for value in values])
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return _not(self.typed(operand, level, BOOL, "'not'"))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return _negate(self.typed(operand, level, INT, "'-'"))
            case ast.BinOp(op=op, left=left, right=right) if type(op) in _ARITHMETIC:
                sign = _ARITHMETIC[type(op)]
                return _calculate(sign, *(self.operand(side, level, sign) for side in (left, right)))
            case ast.Compare():
                return self.compare(tree, level)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                condition = self.typed(test, level, BOOL, "'if'")
                return _choose(condition, self.build(body, level), self.build(orelse, level))
        _refuse(getattr(tree, "op", tree))

    def typed(self, tree: ast.expr, level: int, wanted: Type, where: str) -> _Node:
        node = self.build(tree, level)
        if node.type != wanted:
            kind = _KINDS[node.type]
            raise _Refusal(f"{where} needs {_KINDS[wanted]}, but '{_short(ast.unparse(tree))}' is {kind}")
        return node

    def operand(self, tree: ast.expr, level: int, sign: str) -> _Node:
        """An operand of arithmetic, where a condition counts as 1 or 0 except in a division."""
        node = self.build(tree, level)
        if node.type == BOOL and sign != "//":
            return _as_int(node)
        return node if node.type == INT else self.typed(tree, level, INT, f"'{sign}'")

    def name(self, name: str) -> _Node:
        symbol = self.symbols.get(name)
        if name in self.constants:
            value = self.constants[name]
            if value is None:
                kind: Type = symbol.type if symbol else INT
                defect = f"'{name}' is none here; ask for '{name} != none' first"
                return _Node("null", kind, value=name, words=symbol.words if symbol else (), defect=defect)
            if isinstance(value, str):
                node = _Node("const", WORD, value=value, words=symbol.words if symbol else ())
                if node.words and value not in node.words:
                    raise _Refusal(_unknown_word(value, node.words))
                return node
            return _const(value)
        if name in self.definitions:
            return self.definitions[name]._root
        if symbol is not None:
            return _Node("name", symbol.type, value=name, words=symbol.words)
        if name == "none":
            raise _Refusal("none may only stand beside == or != with an option")
        near = nearest(name, [*self.symbols, *self.constants, *self.definitions, "True", "False", "none"])
        raise _Refusal(f"unknown name '{name}'" + (f"; did you mean '{near}'?" if near else ""))

    def compare(self, tree: ast.Compare, level: int) -> _Node:
        """Unfolds a chain into pairs: nothing has side effects, so the middle may stand twice."""
        sides = [tree.left, *tree.comparators]
        nodes = [None if _is_none(side) else self.side(side, level) for side in sides]
        pairs = []
        for place, op in enumerate(tree.ops):
            if type(op) not in _COMPARISONS:
                _refuse(op)
            sign = _COMPARISONS[type(op)]
            left, right = nodes[place], nodes[place + 1]
            if left is None or right is None:
                other = sides[place + 1] if left is None else sides[place]
                if not isinstance(other, ast.Name) or other.id not in self.constants or sign not in ("==", "!="):
                    raise _Refusal("none may only stand beside == or != with an option")
                pairs.append(_const((self.constants[other.id] is None) == (sign == "==")))
            else:
                shown = _short(ast.unparse(ast.Compare(sides[place], [op], [sides[place + 1]])))
                pairs.append(_compare(sign, left, right, shown))
        return _join("and", pairs)

    def side(self, tree: ast.expr, level: int) -> _Node:
        if isinstance(tree, ast.Constant) and isinstance(tree.value, str):
            return _Node("literal", WORD, value=tree.value)
        return self.build(tree, level)


def _is_none(tree: ast.expr) -> bool:
    return isinstance(tree, ast.Name) and tree.id == "none"


def _refuse(tree: ast.AST) -> NoReturn:
    kind = type(tree).__name__
    raise _Refusal(f"{_REFUSED.get(kind, kind)} is not allowed in an expression")


def _unknown_word(word: str, words: tuple[str, ...]) -> str:
    near = nearest(word, words)
    return f"'{word}' is not one of {', '.join(words)}" + (f"; did you mean '{near}'?" if near else "")


def _const(value: int) -> _Node:
    if abs(value) > MAX_NUMBER:
        raise _Refusal(f"a number is beyond {MAX_NUMBER}")
    return _Node("const", BOOL if isinstance(value, bool) else INT, value=value)


def _number(node: _Node) -> int:
    return node.words.index(node.value) if isinstance(node.value, str) else node.value


def _as_int(node: _Node) -> _Node:
    if node.type == INT:
        return node
    return _const(int(_number(node))) if node.op == "const" else _Node("int", INT, (node,))


def _join(op: str, parts: list[_Node]) -> _Node:
    kept: list[_Node] = []
    for part in parts:
        if part.op != "const":
            kept.extend(part.args if part.op == op else (part,))
        elif part.value == (op == "or"):
            return part
    if len(kept) > 1:
        return _Node(op, BOOL, tuple(kept))
    return kept[0] if kept else _const(op == "and")


def _not(node: _Node) -> _Node:
    if node.op == "const":
        return _const(not node.value)
    if node.op == "not":
        return node.args[0]
    if node.op in _OPPOSITE:
        return _Node(_OPPOSITE[node.op], BOOL, node.args)
    return _Node("not", BOOL, (node,))


def _negate(node: _Node) -> _Node:
    if node.op == "const":
        return _const(-_number(node))
    return node.args[0] if node.op == "neg" else _Node("neg", INT, (node,))


def _calculate(sign: str, left: _Node, right: _Node) -> _Node:
    if sign == "//":
        if right.op != "const" and not right.defect:
            raise _Refusal("'//' needs a number or an option behind it")
        if right.op == "const" and right.value == 0:
            return _Node(sign, INT, (left, right), defect="divides by zero")
    if left.op == right.op == "const":
        return _const(_OPERATIONS[sign](_number(left), _number(right)))
    if right.op == "const" and (sign, right.value) in (("+", 0), ("-", 0), ("*", 1), ("//", 1)):
        return left
    if left.op == "const" and (sign, left.value) in (("+", 0), ("*", 1)):
        return right
    return _Node(sign, INT, (left, right))


def _compare(sign: str, left: _Node, right: _Node, shown: str) -> _Node:
    equality = sign in ("==", "!=")
    if left.type != right.type or not equality and left.type != INT:
        needs = "two of one type" if equality else "two numbers"
        raise _Refusal(f"'{sign}' needs {needs}, but '{shown}' has {_KINDS[left.type]} and {_KINDS[right.type]}")
    if left.type == WORD:
        left, right = _agree(left, right, shown)
    if equality and "null" in (left.op, right.op):
        return _const((left.op == right.op) == (sign == "=="))
    if left.op == right.op == "const":
        if left.type == WORD:  # by the word itself: the words of an option need not be declared
            return _const((left.value == right.value) == (sign == "=="))
        return _const(bool(_OPERATIONS[sign](_number(left), _number(right))))
    return _Node(sign, BOOL, (left, right))


def _agree(left: _Node, right: _Node, shown: str) -> tuple[_Node, _Node]:
    """Gives two sides of a comparison the same words, and makes a word in quotes a constant."""
    if left.op == right.op == "literal":
        raise _Refusal(f"'{shown}' compares a word with a word")
    words = left.words or right.words
    if left.words and right.words and left.words != right.words:
        raise _Refusal(f"'{shown}' compares words of two kinds: {', '.join(left.words)}; {', '.join(right.words)}")
    sides = []
    for side in (left, right):
        if side.op in ("const", "literal"):
            if words and side.value not in words:
                raise _Refusal(_unknown_word(str(side.value), words))
            side = _Node("const", WORD, value=side.value, words=words)
        sides.append(side)
    return sides[0], sides[1]


def _choose(condition: _Node, yes: _Node, no: _Node) -> _Node:
    if {yes.type, no.type} == {BOOL, INT}:
        yes, no = _as_int(yes), _as_int(no)
    if yes.type != no.type or yes.words != no.words:
        raise _Refusal(f"'if' gives {_KINDS[yes.type]}, 'else' gives {_KINDS[no.type]}; they must be alike")
    if condition.op == "const":
        return yes if condition.value else no
    return _Node("if", yes.type, (condition, yes, no), words=yes.words)


def _python(node: _Node, rename: Callable[[str], str], binding: int) -> str:
    """Source that may stand where an operator binds just less than `binding`."""
    op, args = node.op, node.args
    own = _BINDING.get(op, _BINDING_OF_COMPARISON)
    if op == "name":
        return rename(str(node.value))
    if op == "const":
        source = str(_number(node))
        own = _BINDING["neg"] if source.startswith("-") else _BINDING_OF_ATOM
    elif op in ("and", "or"):
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


def _numpy(node: _Node, rename: Callable[[str], str]) -> str:
    op = node.op
    if op == "name":
        return rename(str(node.value))
    if op == "const":
        source = str(_number(node))
        return f"({source})" if source.startswith("-") else source
    args = [_numpy(arg, rename) for arg in node.args]
    if op in ("and", "or"):
        source = args[0]
        for arg in args[1:]:
            source = f"np.logical_{op}({source}, {arg})"
        return source
    if op == "if":
        return f"np.where({', '.join(args)})"
    if op == "not":
        return f"np.logical_not({args[0]})"
    if op == "neg":
        return f"(-{args[0]})"
    if op == "int":  # the sum of two bool arrays would be their 'or'
        return f"({args[0]} * 1)"
    return f"({args[0]} {op} {args[1]})"


def _evaluate(node: _Node, values: Mapping[str, int | bool]) -> int | bool:
    op, args = node.op, node.args
    if op == "name":
        return values[str(node.value)]
    if op == "const":
        return _number(node)
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
    return _OPERATIONS[op](first, _evaluate(args[1], values))
