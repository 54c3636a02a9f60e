"""Reads the text of an expression: tokens, Python's syntax tree, names and types."""

import ast
import re
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from tenbo.condition import nodes
from tenbo.condition.expression import Expr
from tenbo.condition.nodes import BOOL, INT, KINDS, WORD, Node, RefusalError, Symbol, Type
from tenbo.errors import nearest, shown

Value: TypeAlias = int | bool | str | None

MAX_TEXT: Final = 2000  # characters
MAX_DEPTH: Final = 50  # levels of one text

_ARITHMETIC: Final[dict[type[ast.operator], str]] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//"}
_COMPARISONS: Final[dict[type[ast.cmpop], str]] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_TOKEN: Final = re.compile(
    r"(?P<space>\s+)|[A-Za-z_][A-Za-z0-9_]*|[0-9]+(?![A-Za-z0-9_])|'[^'\\\n]*'|\"[^\"\\\n]*\"|==|!=|<=|>=|//|[-+*<>()]"
)
_HINTS: Final = {"=": "==", "&": "and", "|": "or", "!": "not", "/": "//"}
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
    "JoinedStr": "a letter before a quote",
    "Constant": "a letter before a quote",  # bytes
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
        symbols: What may be named, by name. A symbol that is also a constant only declares that constant's type and
            words.
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
            raise RefusalError(root.defect)
        if expect is not None and root.type != expect:
            hint = "; write '1 if ... else 0'" if root.type == BOOL else ""
            raise RefusalError(f"must be {KINDS[expect]}, but is {KINDS[root.type]}{hint}")
        if root.op == "const" and root.type == WORD and not root.words:
            raise RefusalError("a word may only stand beside == or !=")
    except RefusalError as refusal:
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
        raise RefusalError(f"longer than {MAX_TEXT} characters")
    tokens = []
    at = level = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            number = re.match("[0-9][A-Za-z0-9_]*", text[at:])
            hint = f"; did you mean '{_HINTS[text[at]]}'?" if text[at] in _HINTS else ""
            raise RefusalError(f"cannot read {shown(number[0] if number else text[at])} at character {at + 1}{hint}")
        tokens.append(" " if token["space"] else token.group())
        level += (tokens[-1] == "(") - (tokens[-1] == ")")
        if level > MAX_DEPTH:
            raise RefusalError(f"nested deeper than {MAX_DEPTH} levels")
        at = token.end()
    if not (source := "".join(tokens).strip()):
        raise RefusalError("empty")
    try:
        return ast.parse(source, mode="eval").body
    except SyntaxError as error:
        rest = source[max(0, (error.offset or 1) - 1) :]
        where = f"at {shown(rest)}" if rest else "at its end"
        raise RefusalError(f"not an expression: {error.msg.split('.')[0]} {where}") from None
    except (MemoryError, RecursionError):  # long rows of 'not' or '-'
        raise RefusalError(f"nested deeper than {MAX_DEPTH} levels") from None
    except ValueError:  # surrogates in a word
        raise RefusalError("has characters that are not text") from None


class _Builder:
    """Turns Python's syntax tree into checked, folded nodes."""

    def __init__(
        self, symbols: Mapping[str, Symbol], constants: Mapping[str, Value], definitions: Mapping[str, Expr]
    ) -> None:
        self.symbols = symbols
        self.constants = constants
        self.definitions = definitions

    def build(self, tree: ast.expr, level: int) -> Node:
        if level > MAX_DEPTH:
            raise RefusalError(f"nested deeper than {MAX_DEPTH} levels")
        level += 1
        match tree:
            case ast.Name(id=name):
                return self.name(name)
            case ast.Constant(value=bool() | int() as value):
                return nodes.const(value)
            case ast.Constant(value=None):
                raise RefusalError("'None' is not allowed in an expression; write 'none'")
            case ast.Constant(value=str() as word):
                raise RefusalError(f"the word {shown(word)} may only stand beside == or !=")
            case ast.BoolOp(op=op, values=values):
                name = "and" if isinstance(op, ast.And) else "or"
                return nodes.join(name, [self.typed(value, level, BOOL, f"'{name}'") for value in values])
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return nodes.opposite(self.typed(operand, level, BOOL, "'not'"))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return nodes.negate(self.typed(operand, level, INT, "'-'"))
            case ast.BinOp(op=op, left=left, right=right) if type(op) in _ARITHMETIC:
                sign = _ARITHMETIC[type(op)]
                return nodes.calculate(sign, *(self.operand(side, level, sign) for side in (left, right)))
            case ast.Compare():
                return self.compare(tree, level)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                condition = self.typed(test, level, BOOL, "'if'")
                return nodes.choose(condition, self.build(body, level), self.build(orelse, level))
            case _:
                raise _refusal(getattr(tree, "op", tree))

    def typed(self, tree: ast.expr, level: int, wanted: Type, where: str) -> Node:
        node = self.build(tree, level)
        if node.type != wanted:
            kind = KINDS[node.type]
            raise RefusalError(f"{where} needs {KINDS[wanted]}, but '{_short(ast.unparse(tree))}' is {kind}")
        return node

    def operand(self, tree: ast.expr, level: int, sign: str) -> Node:
        """An operand of arithmetic, where a condition counts as 1 or 0 except in a division."""
        node = self.build(tree, level)
        if node.type == BOOL and sign != "//":
            return nodes.as_int(node)
        return node if node.type == INT else self.typed(tree, level, INT, f"'{sign}'")

    def name(self, name: str) -> Node:
        symbol = self.symbols.get(name)
        if name in self.constants:
            value = self.constants[name]
            if value is None:
                kind: Type = symbol.type if symbol else INT
                defect = f"'{name}' is none here; ask for '{name} != none' first"
                return Node("null", kind, value=name, words=symbol.words if symbol else (), defect=defect)
            if isinstance(value, str):
                node = Node("const", WORD, value=value, words=symbol.words if symbol else ())
                if node.words and value not in node.words:
                    raise RefusalError(nodes.unknown_word(value, node.words))
                return node
            return nodes.const(value)
        if name in self.definitions:
            return self.definitions[name].root
        if symbol is not None:
            return Node("name", symbol.type, value=name, words=symbol.words)
        if name == "none":
            raise RefusalError("none may only stand beside == or != with an option")
        near = nearest(name, [*self.symbols, *self.constants, *self.definitions, "True", "False", "none"])
        raise RefusalError(f"unknown name {shown(name)}" + (f"; did you mean '{near}'?" if near else ""))

    def compare(self, tree: ast.Compare, level: int) -> Node:
        """Unfolds a chain into pairs: nothing has side effects, so the middle may stand twice."""
        sides = [tree.left, *tree.comparators]
        built = [None if _is_none(side) else self.side(side, level) for side in sides]
        pairs = []
        for place, op in enumerate(tree.ops):
            if type(op) not in _COMPARISONS:
                raise _refusal(op)
            sign = _COMPARISONS[type(op)]
            left, right = built[place], built[place + 1]
            if left is None or right is None:
                other = sides[place + 1] if left is None else sides[place]
                if not isinstance(other, ast.Name) or other.id not in self.constants or sign not in ("==", "!="):
                    raise RefusalError("none may only stand beside == or != with an option")
                pairs.append(nodes.const((self.constants[other.id] is None) == (sign == "==")))
            else:
                pairs.append(nodes.compare(sign, left, right))
        return nodes.join("and", pairs)

    def side(self, tree: ast.expr, level: int) -> Node:
        if isinstance(tree, ast.Constant) and isinstance(tree.value, str):
            return Node("literal", WORD, value=tree.value)
        return self.build(tree, level)


def _is_none(tree: ast.expr) -> bool:
    return isinstance(tree, ast.Name) and tree.id == "none"


def _refusal(tree: ast.AST) -> RefusalError:
    kind = type(tree).__name__
    return RefusalError(f"{_REFUSED.get(kind, kind)} is not allowed in an expression")
