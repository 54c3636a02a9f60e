"""Conditions: every way of computing a value agrees with Python, and any text gives an expression or an error."""

import re
import string
from collections.abc import Mapping

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tenbo.condition import BOOL, INT, ConditionError, Expr, Symbol, parse

WORDS = {"seat": ("E", "S", "W", "N"), "round": ("E", "S", "W", "N"), "by": ("discard", "self_draw")}
SYMBOLS = {name: Symbol(name, "word", words) for name, words in WORDS.items()}
SYMBOLS |= {name: Symbol(name, BOOL) for name in ("closed", "dragon")}
SYMBOLS |= {name: Symbol(name, INT) for name in ("chows", "pungs", "score")}
DECLARED = SYMBOLS | {"last_set": Symbol("last_set", "word", ("exposed", "concealed"))}

# Random well-typed expressions. Each is also plain Python, so Python itself is the judge. Numbers are so small that
# 64 bits hold every product.

OPTIONS: dict[str, int | bool | str | None] = {
    "five": 5,
    "minus": -1,
    "yes": True,
    "no": False,
    "style": "loose",
    "last_set": "exposed",
    "limit": None,
}
NUMBERS = st.sampled_from(["chows", "pungs", "score", "five", "minus"]) | st.integers(-9, 9).map(str)
CONDITIONS = st.sampled_from(
    ["closed", "dragon", "yes", "no", "True", "chows > 2", "limit == none", "none != five", "limit == 3"]
) | st.sampled_from(
    [
        "style == 'loose'",
        "last_set != 'exposed'",
        "seat == 'E'",
        "'discard' != by",
        "round != seat",
        "seat == round != 'N'",
    ]
)
LOGIC = st.sampled_from(["and", "or"])
EQUAL = st.sampled_from(["==", "!="])
ORDER = st.sampled_from(["==", "!=", "<", "<=", ">", ">="])


@st.composite
def expressions(draw: st.DrawFn, kind: str, depth: int = 4) -> str:
    """An expression of a type; parts stand bare where they may, so that the grammar's own precedence is tried too."""

    def bare(kind: str) -> str:
        return draw(expressions(kind, depth - 1))

    def part(kind: str) -> str:
        return f"({bare(kind)})"

    if depth == 0:
        return draw(CONDITIONS if kind == BOOL else NUMBERS)
    if kind == BOOL:
        match draw(st.integers(0, 6)):
            case 0:
                return draw(CONDITIONS)
            case 1:
                return f"not {part(BOOL)}"
            case 2:
                return f"{bare(BOOL)} {draw(LOGIC)} {bare(BOOL)}"
            case 3:
                return f"{part(BOOL)} {draw(EQUAL)} {part(BOOL)}"
            case 4:
                return f"{part(BOOL)} if {part(BOOL)} else {bare(BOOL)}"
            case 5:
                return f"{part(INT)} {draw(ORDER)} {part(INT)}"
            case _:
                return f"{part(INT)} {draw(ORDER)} {part(INT)} {draw(ORDER)} {part(INT)}"
    either = draw(st.sampled_from([BOOL, INT]))
    match draw(st.integers(0, 6)):
        case 0:
            return draw(NUMBERS)
        case 1:
            return f"{part(either)} {draw(st.sampled_from('+-*'))} {part(INT)}"
        case 2:
            return f"{part(BOOL)} {draw(st.sampled_from('+-*'))} {part(either)}"
        case 3:
            return f"{bare(INT)} + {part(INT)} - {bare(INT)}"
        case 4:
            return f"{part(INT)} // {draw(st.sampled_from(['1', '3', '-7', 'five', '(minus)']))}"
        case 5:
            return f"-{part(INT)}"
        case _:
            return f"{part(either)} if {part(BOOL)} else {bare(INT)}"


def parsed(text: str, kind: str) -> Expr:
    try:
        expression = parse(text, DECLARED, constants=OPTIONS)
    except ConditionError as error:  # only what a product of constants may give
        assume("beyond" not in error.message)
        raise
    assert expression.type == kind
    return expression


ROWS = st.fixed_dictionaries(
    {
        "closed": st.booleans(),
        "dragon": st.booleans(),
        "chows": st.integers(0, 4),
        "pungs": st.integers(0, 4),
        "score": st.integers(-9, 9),
        "seat": st.integers(0, 3),
        "round": st.integers(0, 3),
        "by": st.integers(0, 1),
    }
)
KINDS = st.sampled_from([BOOL, INT])


def in_python(text: str, row: Mapping[str, int | bool]) -> int | bool:
    words = {name: choices[row[name]] for name, choices in WORDS.items()}
    value: int | bool = eval(text, {}, {**row, **words, **OPTIONS, "none": None})
    return value


@settings(max_examples=400)
@given(st.data(), KINDS, ROWS)
def test_means_what_python_means(data: st.DataObject, kind: str, row: dict[str, int | bool]) -> None:
    text = data.draw(expressions(kind))
    expression = parsed(text, kind)
    wanted = in_python(text, row)
    source = expression.python()
    for value in (expression.evaluate(row), eval(source, {}, row), eval(f"3 * {source} - 2 * {source}", {}, row)):
        assert value == wanted
    assert isinstance(eval(source, {}, row), bool) == (kind == BOOL)
    assert expression.names == set(re.findall("[a-z_]+", source)) & set(SYMBOLS)
    if expression.is_constant:
        assert expression.constant == wanted
    else:
        assert "True" not in source
        assert "False" not in source


@settings(max_examples=400)
@given(st.data(), KINDS, st.lists(ROWS, min_size=1, max_size=5), st.sets(st.sampled_from(sorted(SYMBOLS))))
def test_columns_agree(data: st.DataObject, kind: str, rows: list[dict[str, int | bool]], scalars: set[str]) -> None:
    np = pytest.importorskip("numpy")
    text = data.draw(expressions(kind))
    expression = parsed(text, kind)
    rows = [{**row, **{name: rows[0][name] for name in scalars}} for row in rows]
    columns = {name: np.array([row[name] for row in rows]) for name in SYMBOLS}
    columns |= {name: rows[0][name] for name in scalars}
    with np.errstate(all="raise"):
        value = eval(expression.numpy(), {"np": np}, columns)
    assert np.broadcast_to(value, len(rows)).tolist() == [in_python(text, row) for row in rows]
    assert np.asarray(value).dtype.kind == {BOOL: "b", INT: "i"}[kind]


PIECES = st.sampled_from(["closed", "chows", "seat", "'E'", "none", "limit", "(", ")", "-", "+", "*", "//", "<"]) | (
    st.sampled_from(
        ["==", "!=", "not", "and", "or", "if", "else", "0", "1", "True", "is", "in", "f", "'", "''", "yield"]
    )
)
TEXTS = st.one_of(st.text(), st.text(string.printable, max_size=40), st.lists(PIECES, max_size=25).map(" ".join))


@settings(max_examples=600)
@given(TEXTS)
def test_any_text_is_an_expression_or_an_error(text: str) -> None:
    try:
        expression = parse(text, SYMBOLS, constants={"limit": None})
    except ConditionError as error:
        message = str(error)
        assert message
    else:
        compile(expression.python(), "", "eval")
        compile(expression.numpy(), "", "eval")
