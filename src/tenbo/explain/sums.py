"""The arithmetic of a score: from its lines to its worth, and down to who pays what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tenbo.condition import Expr
from tenbo.condition.folding import fold
from tenbo.explain.told import Amount, Paid, Step
from tenbo.explain.words import SEATS, counted, words
from tenbo.quick import Value
from tenbo.ruleset import Ruleset
from tenbo.score import Score


def steps(score: Score | Value, rules: Ruleset, lines: tuple[Amount, ...]) -> Iterable[Step]:
    """The steps from a score's lines to its base."""
    points, doubles = score.points, score.doubles
    if isinstance(score, Score) and points is not None and score.points_raw is not None:
        yield from _rounding(points, score.points_raw, rules, lines)
    base = score.base
    if points is not None and doubles is not None:
        doubled = points << doubles
        said = words(rules)
        power = f"({doubles - said.less} + {said.less})" if said.less and doubles >= said.less else str(doubles)
        yield Step("doubling", f"{points} × 2^{power} = {doubled}", "", doubled)
        if score.limit is not None:
            yield Step("limit", f"{score.limit}: {base}", "" if doubled == base else f"instead of {doubled}", base)
    elif score.limit is not None:
        names = [line.limit for line in lines if line.unit == "limit"]
        several = len(names) > 1 or names[:1] not in ([], [score.limit])
        yield Step("limit", f"{' + '.join(filter(None, names)) if several else score.limit}: {base}", "", base)


def _rounding(points: int, raw: int, rules: Ruleset, lines: tuple[Amount, ...]) -> Iterable[Step]:
    amounts = [line.amount for line in lines if line.unit == "points" and line.amount is not None]
    if len(amounts) > 1:
        yield Step("sum", f"{' + '.join(map(str, amounts))} = {raw}", "", raw)
    fixed = any(line.key in rules.shapes for line in lines)
    up = raw if fixed else -(-raw // rules.round_up) * rules.round_up
    if up != raw:
        yield Step("round", f"{raw} → {up}", f"rounded up to the next {rules.round_up}", up)
    if points != up:
        yield Step("floor", f"{up} → {points}", f"the least for a hand with a set that is {_open(rules)}", points)


def _open(rules: Ruleset) -> str:
    return rules.words.get("exposed", "exposed")


def payments(
    score: Score | Value,
    rules: Ruleset,
    by: str | None,
    seat: str | None,
    from_: str | None,
    honba: int,
    sticks: int,
) -> tuple[Paid, ...]:
    """Who gets and pays what, the winner last; roles instead of seats where the discarder is not known."""
    if by is None or seat is None:
        return ()
    changes = score.payments
    doubled = score.doubles is not None
    facts: dict[str, int] = {
        "points": (score.points or 0) if doubled else 0,
        "doubles": score.doubles or 0,
        "self_draw": by == "self_draw",
        "discard": by == "discard",
        "winner_dealer": seat == "E",
    }
    if changes is None:
        return _by_role(score, rules, facts, honba, seat, sticks)
    out = []
    for payer, change in changes.items():
        if payer != seat and change:
            roles: dict[str, int] = {"payer_dealer": payer == "E", "payer_discards": payer == from_}
            out.append(Paid(payer, SEATS[payer], change, _sum_paid(rules, facts | roles, score.base, honba)))
    paid = " + ".join(str(-one.change) for one in out)
    if sticks and rules.payment.bet is not None:
        bet = int(rules.payment.bet.constant or 0)
        paid += f" + {sticks * bet} for {counted(rules, 'stick', sticks)}"
    gained = f"{paid} = {changes[seat]}" if " " in paid else ""
    return (*out, Paid(seat, SEATS[seat], changes[seat], gained))


def _by_role(
    score: Score | Value, rules: Ruleset, facts: dict[str, int], honba: int, seat: str, sticks: int
) -> tuple[Paid, ...]:
    """What the roles pay, where it is not known who discarded."""
    shares = score.shares or {}
    out = []
    gained = 0
    for role, share in shares.items():
        roles: dict[str, int] = {"payer_dealer": role == "dealer", "payer_discards": role == "discarder"}
        text = _sum_paid(rules, facts | roles, score.base, honba)
        paid = share + honba * _counter(rules, facts | roles)
        gained += paid * (4 - len(shares) if role == "others" else 1)
        out.append(Paid(role, _role(rules, role, len(shares)), -paid, text))
    if "dealer" in shares:  # who may be the discarder: the sum is not known
        return tuple(out)
    gained += sticks * int(rules.payment.bet.constant or 0) if rules.payment.bet is not None else 0
    bets = f"with {counted(rules, 'stick', sticks)}" if sticks else ""
    return (*out, Paid(seat, SEATS[seat], gained, bets))


def _role(rules: Ruleset, role: str, of: int) -> str:
    if role == "dealer":
        return rules.words.get("dealer", "dealer")
    if role == "discarder":
        return "discarder"
    return "each other" if of > 1 else "each"


def _sum_paid(rules: Ruleset, facts: Mapping[str, int], base: int, honba: int) -> str:
    """What one player pays, as arithmetic: "1920 × 4 = 7680 → 7700, + 300 for 1 counter".

    Empty where the base is paid as it is.
    """
    text, paid = arithmetic(rules.payment.each, {**facts, "base": base})
    step = rules.payment.round_up
    up = -(-paid // step) * step
    out = "" if text == str(paid) == str(up) else text if text == str(paid) else f"{text} = {paid}"
    if up != paid:
        out += f" → {up}"
    each = _counter(rules, facts) * honba
    if each:
        out = out or text
        out += f", + {each} for {counted(rules, 'honba', honba)} = {up + each}"
    return out


def _counter(rules: Ruleset, facts: Mapping[str, int]) -> int:
    if rules.payment.counter is None:
        return 0
    return int(rules.payment.counter.evaluate({"base": 0, **facts}))


def arithmetic(expr: Expr, facts: Mapping[str, int]) -> tuple[str, int]:
    """An expression of numbers as a player would write it down, without what the facts decide, and its value.

    >>> from tenbo.condition import Symbol, parse
    >>> symbols = {"base": Symbol("base", "int"), "winner_dealer": Symbol("winner_dealer", "bool")}
    >>> arithmetic(parse("base * (6 if winner_dealer else 4)", symbols), {"base": 480, "winner_dealer": False})
    ('480 × 4', 1920)
    """
    value = int(expr.evaluate(facts))
    amounts = ("base", "points", "doubles")
    folded = fold(expr, {name: fact for name, fact in facts.items() if name not in amounts and name in expr.names})
    folded = fold(
        folded, {name: facts[name] for name in ("points", "doubles") if name in folded.names and facts[name] == 0}
    )
    if folded.is_constant:
        return str(value), value
    source = folded.python(lambda name: str(facts[name]))
    if "if" in source.split() or "==" in source:  # still a choice: say what comes out
        return str(value), value
    if source.startswith("("):  # all of it stands in parentheses unless it is a single number
        source = source[1:-1]
    return source.replace("*", "×").replace("//", "÷"), value
