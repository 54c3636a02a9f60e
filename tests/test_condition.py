"""Conditions: what is read, how constants fold, what is refused and in which words."""

import pickle
import re
from typing import Any

import pytest

from tenbo.condition import BOOL, INT, ConditionError, Expr, Symbol, parse

WINDS = ("E", "S", "W", "N")
SYMBOLS = {
    symbol.name: symbol
    for symbol in (
        Symbol("closed", BOOL),
        Symbol("dragon", BOOL),
        Symbol("chows", INT),
        Symbol("pungs", INT),
        Symbol("score", INT),
        Symbol("seat", "word", WINDS),
        Symbol("round", "word", WINDS),
        Symbol("by", "word", ("discard", "self_draw")),
        Symbol("last_set", "word", ("exposed", "concealed")),
    )
}
VALUES = {"closed": True, "dragon": False, "chows": 3, "pungs": 1, "score": -70, "seat": 2, "round": 2, "by": 1}


def read(text: str, **options: Any) -> Expr:
    return parse(text, SYMBOLS, constants=options)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("closed", True),
        ("not closed", False),
        ("closed and dragon or chows == 3", True),
        ("closed and (dragon or chows == 4)", False),
        ("1 < chows <= 3 != pungs", True),
        ("chows < 3 < chows", False),
        ("(chows > 0) + (pungs > 0) + dragon", 2),
        ("closed + closed", 2),
        ("dragon - closed", -1),
        ("-chows + 1", -2),
        ("score // 30", -3),
        ("score // -30", 2),
        ("2 - (chows - pungs)", 0),
        ("2 * (chows + pungs) - 1", 7),
        ("score * (2 if closed and (dragon or pungs == 1) else 1)", -140),
        ("10 if dragon else 20 if closed else 30", 20),
        ("closed if dragon else 7", 7),
        ("closed if closed else 7", 1),
        ("(1 if dragon else 2) if closed else 3", 2),
        ("seat == 'W'", True),
        ('"W" != seat', False),
        ("seat == round", True),
        ("seat == round == 'E'", False),
        ("(seat if dragon else round) == 'W'", True),
        ("by == 'self_draw'", True),
        ("closed == dragon", False),
        ("(chows == 3) == (pungs == 1)", True),
        ("not not closed", True),
        ("- -chows", 3),
        ("not chows < 3", True),
        ("closed\n  and\n  chows == 3\n", True),
        ("True", True),
        ("2 + 3 * 4", 14),
        ("-1000000000", -(10**9)),
    ],
)
def test_value(text: str, value: int | bool) -> None:
    expression = read(text)
    assert expression.evaluate(VALUES) == value
    assert eval(expression.python(), {}, VALUES) == value
    assert isinstance(value, bool) == (expression.type == BOOL)


@pytest.mark.parametrize(
    ("text", "options", "source"),
    [
        ("closed or claimed and last_set == 'exposed'", {"claimed": True, "last_set": "exposed"}, "True"),
        ("closed or claimed and last_set == 'exposed'", {"claimed": True, "last_set": "concealed"}, "closed"),
        ("dragon and (closed or open_allowed)", {"open_allowed": False}, "(dragon and closed)"),
        ("dragon and (closed or open_allowed)", {"open_allowed": True}, "dragon"),
        ("not rule and closed", {"rule": True}, "False"),
        ("chows + bonus", {"bonus": 0}, "chows"),
        ("chows * factor", {"factor": 1}, "chows"),
        ("chows * factor + 2 * factor", {"factor": 3}, "(chows * 3 + 6)"),
        ("chows if rule else pungs", {"rule": False}, "pungs"),
        ("closed if rule else pungs", {"rule": True}, "(+closed)"),
        ("not (chows == 3)", {}, "(chows != 3)"),
        ("not (closed and dragon)", {}, "(not (closed and dragon))"),
        ("(closed or dragon) and (chows == 1 or no)", {"no": False}, "((closed or dragon) and chows == 1)"),
        ("closed and (dragon and chows == 1)", {}, "(closed and dragon and chows == 1)"),
        ("0 < chows < 3", {}, "(0 < chows and chows < 3)"),
        ("last_set == 'exposed'", {}, "(last_set == 0)"),
        ("seat == 'N'", {}, "(seat == 3)"),
        ("seat == who", {"who": "S"}, "(seat == 1)"),
        ("limit != none and score > limit", {"limit": None}, "False"),
        ("score > limit and limit != none", {"limit": None}, "False"),
        ("limit != none and score > limit", {"limit": 500}, "(score > 500)"),
        ("score if limit == none else limit", {"limit": None}, "score"),
        ("score // step if step != 0 else score", {"step": 0}, "score"),
        ("limit == 500", {"limit": None}, "False"),
        ("last_set != 'exposed'", {"last_set": None}, "True"),
        ("style == 'loose'", {"style": None}, "False"),
        ("closed == rule", {"rule": True}, "closed"),
        ("rule != (chows == 1)", {"rule": True}, "(chows != 1)"),
        ("closed if dragon else rule", {"rule": False}, "(dragon and closed)"),
        ("closed if dragon else rule", {"rule": True}, "(not dragon or closed)"),
        ("rule if dragon else closed", {"rule": True}, "(dragon or closed)"),
        ("rule if dragon else closed", {"rule": False}, "(not dragon and closed)"),
        ("chows + pungs * bonus", {"bonus": 0}, "chows"),
        ("chows - bonus", {"bonus": 0}, "chows"),
        ("bonus - chows", {"bonus": 0}, "(0 - chows)"),
        ("style == 'loose'", {"style": "loose"}, "True"),
        ("style != other", {"style": "loose", "other": "tight"}, "True"),
        ("dragon and ((1 if closed else 2) == 1)", {}, "(dragon and (1 if closed else 2) == 1)"),
        ("(closed == dragon) == closed", {}, "((closed == dragon) == closed)"),
        ("-(chows + 1) * -2", {}, "(-(chows + 1) * -2)"),
    ],
)
def test_folding(text: str, options: dict[str, Any], source: str) -> None:
    expression = read(text, **options)
    assert expression.python() == source
    assert expression.is_constant == (source in ("True", "False"))
    assert expression.constant == {"True": True, "False": False}.get(source)
    assert expression.names == set(re.findall("[a-z_]+", source)) & set(SYMBOLS)


def test_definitions() -> None:
    bare = parse("closed or rule", SYMBOLS, constants={"rule": False})
    both = parse("bare and chows == 3", SYMBOLS, definitions={"bare": bare})
    nested = parse("not both and dragon", SYMBOLS, definitions={"both": both})
    assert nested.python() == "(not (closed and chows == 3) and dragon)"
    assert nested.names == {"closed", "chows", "dragon"}
    assert nested.text == "not both and dragon"
    wind = parse("seat if closed else round", SYMBOLS)
    assert (wind.type, wind.words) == ("word", WINDS)
    assert parse("wind == 'E'", SYMBOLS, definitions={"wind": wind}).python() == "((seat if closed else round) == 0)"


def test_rename() -> None:
    expression = read("chows == 3 and not closed")
    assert expression.python("f.{}".format) == "(f.chows == 3 and not f.closed)"
    assert expression.numpy("f[{!r}]".format) == "np.logical_and((f['chows'] == 3), np.logical_not(f['closed']))"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("chow == 1", "unknown name 'chow'; did you mean 'chows'?"),
        ("xyzzy == 1", "unknown name 'xyzzy'"),
        ("true", "unknown name 'true'; did you mean 'True'?"),
        ("by == 'selfdraw'", "'selfdraw' is not one of discard, self_draw; did you mean 'self_draw'?"),
        ("'east' != seat", "'east' is not one of E, S, W, N"),
        ("last_set == 'expsed'", "'expsed' is not one of exposed, concealed; did you mean 'exposed'?"),
        ("seat == by", "words of two kinds are compared: E, S, W, N; discard, self_draw"),
        ("seat == style", "'loose' is not one of E, S, W, N"),
        ("'E' == 'E'", "two words in quotes are compared"),
        ("'E'", "the word 'E' may only stand beside == or !="),
        ("style", "a word may only stand beside == or !="),
        ("'E' if closed else 'S'", "the word 'E' may only stand beside == or !="),
        ("seat < 'E'", "'<' needs two numbers, not a word and a word"),
        ("seat + 1", "'+' needs a number, but 'seat' is a word"),
        ("seat == 1", "'==' needs two of one type, not a word and a number"),
        ("closed == 1", "'==' needs two of one type, not a condition and a number"),
        ("closed < dragon", "'<' needs two numbers, not a condition and a condition"),
        ("chows and closed", "'and' needs a condition, but 'chows' is a number"),
        ("closed or chows + 1", "'or' needs a condition, but 'chows + 1' is a number"),
        ("not chows", "'not' needs a condition, but 'chows' is a number"),
        ("-closed", "'-' needs a number, but 'closed' is a condition"),
        ("closed // 2", "'//' needs a number, but 'closed' is a condition"),
        ("1 if chows else 2", "'if' needs a condition, but 'chows' is a number"),
        ("1 if closed else seat", "'if' gives a number, 'else' gives a word"),
        ("seat if closed else by", "'if' gives a word, 'else' gives a word"),
        ("chows // 0", "divides by zero"),
        ("chows // (1 - 1)", "divides by zero"),
        ("5 // zero", "divides by zero"),
        ("chows // zero * zero", "divides by zero"),
        ("5 // chows", "'//' needs a number or an option behind it"),
        ("limit > 3", "'limit' is none here; ask for 'limit != none' first"),
        ("limit", "'limit' is none here"),
        ("10 // limit", "'limit' is none here"),
        ("chows == none", "none may only stand beside == or != with an option"),
        ("limit < none", "none may only stand beside == or != with an option"),
        ("none", "none may only stand beside == or != with an option"),
        ("none == none", "none may only stand beside == or != with an option"),
        ("1000000001", "a number is beyond 1000000000"),
        ("1000000 * 1000000", "a number is beyond 1000000000"),
        ("chows ** 2", "'**' is not allowed"),
        ("chows << 2", "'<<' is not allowed"),
        ("chows is 2", "'is' (write '==') is not allowed"),
        ("chows in seat", "'in' is not allowed"),
        ("min(chows)", "a call is not allowed"),
        ("()", "'()' is not allowed"),
        ("f'E' == seat", "a letter before a quote is not allowed"),
        ("b'E' == seat", "a letter before a quote is not allowed"),
        ("x" * 1990, "unknown name 'xxxxx"),
        (f"seat == '{'x' * 1900}'", "is not one of E, S, W, N"),
        ("1" * 1900, "a number is beyond 1000000000"),
        ("await chows", "Await is not allowed"),
        ("None", "'None' is not allowed in an expression; write 'none'"),
        ("*chows", "not an expression"),
        ("chows.real", "cannot read '.' at character 6"),
        ("chows[0]", "cannot read '['"),
        ("chows % 2", "cannot read '%'"),
        ("chows / 2", "cannot read '/' at character 7; did you mean '//'?"),
        ("chows = 2", "cannot read '=' at character 7; did you mean '=='?"),
        ("closed && dragon", "cannot read '&' at character 8; did you mean 'and'?"),
        ("!closed", "cannot read '!' at character 1; did you mean 'not'?"),
        ("chows == 0x10", "cannot read '0x10'"),
        ("chows == 1.5", "cannot read '.'"),
        ("chows == 1_0", "cannot read '1_0'"),
        ("lambda: 1", "cannot read ':'"),
        ("(chows := 1)", "cannot read ':'"),
        ("chows, pungs", "cannot read ','"),
        ("closed # yes", "cannot read '#'"),
        ("ｃlosed", "cannot read 'ｃ'"),
        ("seat == 'E", 'cannot read "\'" at character 9'),
        ("seat == '\\x45'", "cannot read"),
        ("chows\0", "cannot read '\\x00'"),
        ("closed and", "not an expression: "),
        ("(closed", "not an expression: "),
        ("closed dragon chows", "not an expression: invalid syntax at '"),
        ("closed) or (dragon", "not an expression"),
        ("007", "not an expression"),
        ("", "empty"),
        (" \n ", "empty"),
        ("seat == '\ud800'", "has characters that are not text"),
        ("(" * 51 + "1" + ")" * 51, "nested deeper than 50 levels"),
        ("not " * 400 + "closed", "nested deeper than 50 levels"),
        ("-" * 1900 + "1", "nested deeper than 50 levels"),
        ("+".join(["chows"] * 60), "nested deeper than 50 levels"),
        ("1 if closed else " * 60 + "1", "nested deeper than 50 levels"),
        ("chows" + " " * 2000, "longer than 2000 characters"),
    ],
)
def test_refused(text: str, message: str) -> None:
    with pytest.raises(ConditionError) as caught:
        read(text, limit=None, zero=0, style="loose")
    assert message in caught.value.message
    assert caught.value.text == text
    assert caught.value.message in str(caught.value)
    assert len(str(caught.value)) < 300


def test_expected_type() -> None:
    assert parse("chows == 1", SYMBOLS, expect="bool").type == BOOL
    assert parse("chows", SYMBOLS, expect="int").type == INT
    with pytest.raises(ConditionError, match="must be a condition, but is a number"):
        parse("chows", SYMBOLS, expect="bool")
    with pytest.raises(ConditionError, match=r"must be a number, but is a condition; write '1 if \.\.\. else 0'"):
        parse("closed", SYMBOLS, expect="int")
    with pytest.raises(ConditionError, match="must be a number, but is a word"):
        parse("seat", SYMBOLS, expect="int")


def test_growth_is_bounded() -> None:
    """Definitions of definitions, and chains in chains, cannot make a small file into a huge rule."""
    definitions = {"d0": read("chows + pungs")}
    for level in range(10):
        definitions[f"d{level + 1}"] = parse(f"d{level} + d{level}", SYMBOLS, definitions=definitions)
    with pytest.raises(ConditionError, match="too large"):
        parse("d10 + d10", SYMBOLS, definitions=definitions)
    with pytest.raises(ConditionError, match="too large"):
        read("(closed == " * 40 + "closed" + " == closed)" * 40)
    definitions = {"d0": read("chows")}
    for level in range(89):
        definitions[f"d{level + 1}"] = parse(f"1 - d{level}", SYMBOLS, definitions=definitions)
    with pytest.raises(ConditionError, match="too large"):
        parse("1 - d89", SYMBOLS, definitions=definitions)
    deepest = definitions["d89"]
    assert eval(deepest.python(), {}, {"chows": 7}) == deepest.evaluate({"chows": 7}) == -6
    assert eval(deepest.numpy(), {}, {"chows": 7}) == -6


def test_what_is_read_can_be_compiled() -> None:
    """Python reads no source 200 parentheses deep; the largest trees that pass must stay below that."""
    for width in (1, 2, 3, 20):
        deepest = read("closed")
        with pytest.raises(ConditionError, match="too large"):  # noqa: PT012
            for level in range(100):
                text = (" and ", " or ")[level % 2].join(["dragon"] * width + ["deepest"])
                deepest = parse(text, SYMBOLS, definitions={"deepest": deepest})
        for source in (deepest.python(), deepest.numpy()):
            assert compile(source, "", "eval")


def test_long_conditions_are_fine() -> None:
    row = " and ".join(["(chows == 1 or closed)"] * 70)
    assert eval(read(row).python(), {}, {"chows": 0, "closed": True}) is True
    assert read(row).evaluate({"chows": 0, "closed": False}) is False
    compile(read(" or ".join(["closed"] * 190)).numpy(), "", "eval")  # Python itself reads no 200 parentheses deep
    assert read(" < ".join(str(number) for number in range(300))).constant is True


def test_a_declared_option_must_have_one_of_its_words() -> None:
    with pytest.raises(ConditionError, match="'open' is not one of exposed, concealed"):
        read("last_set == 'exposed'", last_set="open")
    with pytest.raises(ConditionError, match="'open' is not one of exposed, concealed"):
        read("last_set", last_set="open")


def test_pickle() -> None:
    expression = read("chows == 3 and not closed")
    again = pickle.loads(pickle.dumps(expression))
    assert again == expression
    assert again.python() == expression.python()
    error = pickle.loads(pickle.dumps(ConditionError("a b", "no")))
    assert (error.text, error.message, str(error)) == ("a b", "no", 'no (in "a b")')
