"""A score in words: the tiles as they were read, every line with its rule, and the arithmetic down to who pays what.

Nothing here knows how it will be shown: the command line prints an `Explanation`, a page can show the same one.

>>> from tenbo.score import score
>>> told = explain(score("3457899p [777z] [2222z] +6p", rules="basic", by="discard", seat="S", round="E"))
>>> for step in told.steps:
...     print(step.text)
20 + 4 + 16 = 40
40 × 2^3 = 320
>>> [(line.name, line.tiles, line.amount) for line in told.lines if line.unit == "doubles"][-1]
('Three or four of own wind', '2222z', 1)
>>> told.payments[0]
Paid(who='E', name='East', change=-640, text='320 × 2 = 640')
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from tenbo import tiles
from tenbo.condition import Expr
from tenbo.condition.folding import fold
from tenbo.quick import Value
from tenbo.ruleset import Ruleset
from tenbo.score import OtherReading, Score

__all__ = ["Amount", "Explanation", "Group", "Paid", "Step", "Words", "explain", "explain_value"]

SEATS: Final = {"E": "East", "S": "South", "W": "West", "N": "North"}
_GROUP: Final = re.compile(r"[\[(]?[^\s\])]+[\])]?")
_PLUS: Final = re.compile(r"(.*\S)\s*\+\s*(\d+)")


class Group(NamedTuple):
    """One set, pair or other group of the chosen reading.

    Attributes:
        text: The group as in the reading.
        tiles: The tiles' codes, in the order of the text.
        win: The place of the winning tile among them; None where the group does not hold it.
        kind: "chow", "pung", "kong", "pair" or "tiles" (orphans, or what a loser could not use).
        word: What the rules call it.
        table: It lies on the table: "exposed" or "concealed"; empty for tiles in the hand.
    """

    text: str
    tiles: tuple[int, ...]
    win: int | None
    kind: str
    word: str
    table: str


class Amount(NamedTuple):
    """One line of the score with the rule behind it.

    Attributes:
        name: What the rules call it; `ja` is the Japanese name, where the rules want it beside.
        tiles: The tiles of the set that earned it, as text; None where the whole hand did.
        what: Those tiles in words, where they are alike: "Red Dragon".
        unit: "points", "doubles" or "limit".
        amount: How much; None for a limit.
        limit: The limit's name, with its share where that is not one.
        rule: The rule in plain words; `source` is its place in the rule text. Either may be empty.
        key: The entry's key in the ruleset.
    """

    name: str
    ja: str
    tiles: str | None
    what: str
    unit: str
    amount: int | None
    limit: str | None
    rule: str
    source: str
    key: str


class Step(NamedTuple):
    """One step of the arithmetic.

    Attributes:
        kind: "sum", "round", "floor", "doubling", "limit" or "collected".
        text: The step: "30 × 2^4 = 480".
        note: Why, where the figures do not say so: "rounded up to the next 10". May be empty.
        value: What comes out.
    """

    kind: str
    text: str
    note: str
    value: int


class Paid(NamedTuple):
    """What one player, or one role where the players are not known, gets or pays.

    Attributes:
        who: The seat "E" "S" "W" "N", or the role "discarder" "dealer" "others" "winner".
        name: The same in words.
        change: The change, in points; negative for who pays. For "others" that of each of them.
        text: The arithmetic.
    """

    who: str
    name: str
    change: int
    text: str


class Words(NamedTuple):
    """How the rules speak of points and doubles.

    Attributes:
        points: The word for points.
        doubles: The word for doubles, without what `less` says.
        less: How many doubles everybody has that the word leaves out: riichi's han are the doubles less 2.
    """

    points: str
    doubles: str
    less: int = 0

    def doubled(self, doubles: int) -> str:
        """Some doubles in words: "3 Hand Points", "1 double", "5 han + 2"."""
        if self.less and doubles >= self.less:
            return f"{doubles - self.less} {self.doubles} + {self.less}"
        word = self.doubles[:-1] if doubles == 1 and self.doubles.endswith("s") else self.doubles
        return f"{doubles} {word}"


class Explanation(NamedTuple):
    """Everything there is to say about a score.

    Attributes:
        rules: The preset's name or the file's title; `title` is what people read.
        options: The option values that differ from the ruleset's own.
        hand: The hand as text; empty for a value without tiles.
        situation: Labels and what they say: ("Seat", "South"), ("Won", "river, from West").
        groups: The chosen reading.
        lines: What earned the score, points first.
        words: How the rules speak of points and doubles.
        points, doubles, limit, score: As in a score record.
        steps: The arithmetic from the lines to the score.
        payments: Who gets and pays what; the winner last.
        others: The readings not chosen, best first.
    """

    rules: str
    title: str
    options: tuple[tuple[str, str], ...]
    hand: str
    situation: tuple[tuple[str, str], ...]
    groups: tuple[Group, ...]
    lines: tuple[Amount, ...]
    words: Words
    points: int | None
    doubles: int | None
    limit: str | None
    score: int
    steps: tuple[Step, ...]
    payments: tuple[Paid, ...]
    others: tuple[OtherReading, ...]

    @property
    def verdict(self) -> str:
        """The worth in a few words: "40 points, 3 doubles", "limit hand"."""
        parts = []
        if self.doubles is not None and self.points is not None:
            parts += [f"{self.points} {self.words.points}", self.words.doubled(self.doubles)]
        if self.limit is not None:
            parts.append(self.limit)
        return ", ".join(parts)


def explain(score: Score) -> Explanation:
    """Explains a scored hand."""
    rules, hand = score.ruleset, score.hand
    winner = hand.by is not None
    lines = _amounts(score)
    situation = []
    if hand.seat:
        situation.append(("Seat", SEATS[hand.seat] + (f", {SEATS[hand.round]} round" if hand.round else "")))
    if hand.by is not None:
        situation.append(
            ("Won", rules.words.get(hand.by, hand.by) + (f", from {SEATS[hand.from_]}" if hand.from_ else ""))
        )
    if hand.flags:
        situation.append(("With", ", ".join(flag_word(rules, flag) for flag in hand.flags)))
    for label, codes in (("Indicators", hand.dora), ("Underneath", hand.ura)):
        if codes:
            situation.append((label, tiles.write(codes)))
    situation += _on_the_table(rules, hand.honba, hand.sticks)
    return Explanation(
        rules=score.rules,
        title=rules.title,
        options=_options(rules),
        hand=hand.text,
        situation=tuple(situation),
        groups=tuple(read_groups(score.reading, rules)),
        lines=lines,
        words=words(rules),
        points=score.points,
        doubles=score.doubles,
        limit=score.limit,
        score=score.score,
        steps=tuple(_steps(score, rules, lines)),
        payments=_payments(score, rules, hand.by, hand.seat, hand.from_, hand.honba, hand.sticks) if winner else (),
        others=score.other_readings,
    )


def explain_value(value: Value) -> Explanation:
    """Explains the worth of points and doubles, or of a limit, without tiles."""
    rules = value.ruleset
    by, seat, from_ = value.by, value.seat, value.from_
    situation = [("Seat", SEATS[seat]), ("Won", rules.words.get(by, by) + (f", from {SEATS[from_]}" if from_ else ""))]
    situation += _on_the_table(rules, value.honba, value.sticks)
    return Explanation(
        rules=value.rules,
        title=rules.title,
        options=_options(rules),
        hand="",
        situation=tuple(situation),
        groups=(),
        lines=(),
        words=words(rules),
        points=value.points,
        doubles=value.doubles,
        limit=value.limit,
        score=value.score,
        steps=tuple(_steps(value, rules, ())),
        payments=_payments(value, rules, by, seat, from_, value.honba, value.sticks),
        others=(),
    )


def words(rules: Ruleset) -> Words:
    """How the rules speak of points and doubles.

    >>> from tenbo.ruleset import load_rules
    >>> words(load_rules("riichi")).doubled(7), words(load_rules("reach")).doubled(7)
    ('5 han + 2', '7 Hand Points')
    """
    points, doubles = rules.words.get("points", "points"), rules.words.get("doubles", "doubles")
    found = _PLUS.fullmatch(doubles)
    return Words(points, found[1], int(found[2])) if found else Words(points, doubles)


def flag_word(rules: Ruleset, flag: str) -> str:
    """A flag in words: "after a quad"."""
    kong = rules.words.get("kong", "kong")
    return {"after_kong": f"after a {kong}", "robbing_kong": f"robbing a {kong}"}.get(flag, flag.replace("_", " "))


def read_groups(reading: str, rules: Ruleset) -> Iterable[Group]:
    """The groups of a reading's text.

    >>> from tenbo.ruleset import load_rules
    >>> [(group.text, group.word, group.win) for group in read_groups("78+6p 99p (1111m)", load_rules("reach"))]
    [('78+6p', 'run', 2), ('99p', 'pair', None), ('1111m', 'quad', None)]
    """
    for match in _GROUP.finditer(reading):
        text = match.group()
        table = {"[": "exposed", "(": "concealed"}.get(text[0], "")
        bare = text.strip("[]()")
        codes: list[int] = []
        win, start = None, 0
        for run in re.finditer(r"(\+?)(\d+)([a-z]?)", bare):
            letter = run[3] or bare[-1]
            if run[1] and not table:
                win = len(codes)
            codes += [tiles.CODES[digit + letter] for digit in run[2]]
            start = run.end()
        assert start == len(bare), text
        kind = _kind(codes)
        yield Group(bare, tuple(codes), win, kind, rules.words.get(kind, kind), table)


def _kind(codes: list[int]) -> str:
    kinds = {tiles.kind(code) for code in codes}
    if len(kinds) == 1:
        return {2: "pair", 3: "pung", 4: "kong"}.get(len(codes), "tiles")
    run = len(codes) == 3 and len(kinds) == 3 and max(kinds) - min(kinds) == 2 and len({k // 9 for k in kinds}) == 1
    return "chow" if run and max(kinds) < 27 else "tiles"


def _amounts(score: Score) -> tuple[Amount, ...]:
    rules = score.ruleset
    entries = {entry.key: entry for entry in rules.entries}
    beside = rules.words.get("names")
    out = []
    for line in score.lines:
        entry = entries.get(line.key)
        rule = entry or rules.shapes[line.key]
        unit = "points" if line.points is not None else "doubles" if line.doubles is not None else "limit"
        amount = line.points if line.points is not None else line.doubles
        ja = entry.ja if entry and beside == "ja" else ""
        what = _alike(line.tiles) if line.tiles else ""
        out.append(Amount(line.name, ja, line.tiles, what, unit, amount, line.limit, rule.text, rule.source, line.key))
    return tuple(out)


def _alike(text: str) -> str:
    """Tiles in words, where they are alike and no plain number says so: "Red Dragon", "plum"."""
    found = {text[i] + text[-1] for i in range(len(text) - 1)}
    if len(found) == 1 and text[-1] in "zf":
        return tiles.NAMES[tiles.CODES[found.pop()]].partition(",")[0]
    return ""


def _options(rules: Ruleset) -> tuple[tuple[str, str], ...]:
    return tuple((name, option_text(value)) for name, value in rules.values.items())


def option_text(value: object) -> str:
    """An option's value as it is written in a record: `true`, `null`, `[15, 5, -5, -15]`, a bare word.

    >>> option_text(None), option_text((15, 5)), option_text("exact")
    ('null', '[15, 5]', 'exact')
    """
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(str, value))}]"
    return str(value)


def _on_the_table(rules: Ruleset, honba: int, sticks: int) -> list[tuple[str, str]]:
    found = [counted(rules, key, number) for key, number in (("honba", honba), ("stick", sticks)) if number]
    return [("Table", ", ".join(found))] if found else []


def counted(rules: Ruleset, key: str, number: int) -> str:
    """Counters ("honba") or bets ("stick") in the rules' words: "2 counters", "1 Reach bet", "2 honba"."""
    word = rules.words.get(key, {"honba": "counter", "stick": "bet"}[key])
    return f"{number} {word}" + ("s" if number != 1 and word != "honba" else "")


# ----------------------------------------------------------------------------------------------------------- arithmetic


def _steps(score: Score | Value, rules: Ruleset, lines: tuple[Amount, ...]) -> Iterable[Step]:
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


def _payments(
    score: Score | Value,
    rules: Ruleset,
    by: str | None,
    seat: str | None,
    from_: str | None,
    honba: int,
    sticks: int,
) -> tuple[Paid, ...]:
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
