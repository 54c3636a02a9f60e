"""Scores and values explained."""

from __future__ import annotations

from tenbo import tiles
from tenbo.explain.groups import read_groups
from tenbo.explain.sums import payments, steps
from tenbo.explain.told import Amount, Explanation
from tenbo.explain.words import SEATS, counted, flag_word, option_text, words
from tenbo.quick import Value
from tenbo.ruleset import Ruleset
from tenbo.score import Score


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
        steps=tuple(steps(score, rules, lines)),
        payments=payments(score, rules, hand.by, hand.seat, hand.from_, hand.honba, hand.sticks) if winner else (),
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
        steps=tuple(steps(value, rules, ())),
        payments=payments(value, rules, by, seat, from_, value.honba, value.sticks),
        others=(),
    )


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


def _on_the_table(rules: Ruleset, honba: int, sticks: int) -> list[tuple[str, str]]:
    found = [counted(rules, key, number) for key, number in (("honba", honba), ("stick", sticks)) if number]
    return [("Table", ", ".join(found))] if found else []
