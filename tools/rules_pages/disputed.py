"""The disputed points of a ruleset, each with its options and an example worked out under every value."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tools.rules_pages.markdown import paragraphs, plain, table

from tenbo.errors import TenboError
from tenbo.explain import SEATS, explain, explain_value, option_text
from tenbo.options import Option, OptionValue
from tenbo.quick import Value, value
from tenbo.records import score_of, settle_record, write_json
from tenbo.ruleset import Ruleset
from tenbo.score import Score

FOLDER = Path(__file__).parent / "disputed"
_MANY = 3


@dataclass(frozen=True)
class Point:
    """A point on which the rule text, or players, do not agree.

    Attributes:
        title: What it is about.
        says: Who says what, and what these rules do: Markdown.
        options: The options that choose.
        values: The values of the first option that the example is worked out with, where it has no few.
        hand, value, settle: The example: a hand record, a record of a value without tiles, or one to settle.
    """

    title: str
    says: str
    options: tuple[str, ...] = ()
    values: tuple[OptionValue, ...] = ()
    hand: Mapping[str, Any] = field(default_factory=dict)
    value: Mapping[str, Any] = field(default_factory=dict)
    settle: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Notes:
    """What is said on a ruleset's page besides what its file says."""

    intro: str
    points: tuple[Point, ...]
    chart: str = ""


def read_notes(name: str) -> Notes:
    """The notes on a preset."""
    raw = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    points = []
    for given in raw.pop("point"):
        given["options"] = tuple(given.get("options", ()))
        given["values"] = tuple(None if one == "none" else one for one in given.pop("try", ()))
        points.append(Point(**given))
    return Notes(points=tuple(points), **raw)


def section(point: Point, rules: Ruleset) -> list[str]:
    """A disputed point as Markdown, its heading left out."""
    lines = paragraphs(point.says)
    if len(point.options) > _MANY:
        lines += ["", f"Options {', '.join(f'`{name}`' for name in point.options)}: see the [table](#options)."]
    else:
        for name in point.options:
            option = rules.options[name]
            lines += ["", f"Option `{name}`: {allowed(option)}; without it `{written(option.default)}`."]
    if point.hand or point.value or point.settle:
        lines += ["", *_example(point, rules)]
    return lines


def written(value: OptionValue) -> str:
    """An option's value as a record has it."""
    return option_text(value)


def allowed(option: Option) -> str:
    """The values an option can have, as Markdown."""
    if option.values:
        return " or ".join(f"`{written(one)}`" for one in option.values)
    if option.type == "bool":
        return "`true` or `false`"
    return option.allowed().replace("null", "`null`")


def _example(point: Point, rules: Ruleset) -> list[str]:
    option = rules.options[point.options[0]]
    values = point.values or option.values or (True, False)
    rows = []
    for one in values:
        under = rules.with_options({option.name: one})
        rows.append((f"`{written(one)}`", *_worked(point, under)))
    if len({row[1:] for row in rows}) < 2:
        raise ValueError(f"{rules.name}, {point.title}: the example is worth the same under every value")
    paid = "each seat's change" if point.settle else "paid"
    return [*_asked(point), "", *table((f"`{option.name}`", "worth", "score", paid), rows, "llrl")]


def _asked(point: Point) -> list[str]:
    """The example in words."""
    record = dict(point.hand or point.value or point.settle)
    if point.settle:
        return [f"For example `{write_json(record)}`:"]
    parts = []
    if point.hand:
        parts.append(f"`{record['hand']}`")
    else:
        keys = [key for key in ("doubles", "hp", "han", "points", "bp", "fu") if key in record]
        parts.append(", ".join(f"{record[key]} {key.upper() if key in ('hp', 'bp') else key}" for key in keys))
    if "by" in record:
        parts.append({"discard": "won by discard", "self_draw": "self-drawn"}[record["by"]])
    parts.append(SEATS[record["seat"]] + (f" in the {SEATS[record['round']]} round" if "round" in record else ""))
    parts += [flag.replace("_", " ") for flag in record.get("flags", ())]
    if record.get("honba"):
        parts.append(f"{record['honba']} counters")
    if "by" not in record:
        parts.append("who did not go out")
    return [f"For example {', '.join(parts)}:"]


def _worked(point: Point, rules: Ruleset) -> tuple[str, str, str]:
    """What the example is worth, its score, and what is paid."""
    if point.settle:
        made = settle_record(dict(point.settle), rules=rules)
        if "error" in made:
            raise ValueError(f"{point.title}: {made}")
        return "", "", _changes(made["payments"])
    found: Score | Value
    try:
        if point.value:
            found = value(rules=rules, **_named(point.value))
            told = explain_value(found)
        else:
            found = score_of(point.hand, rules)
            told = explain(found)
    except TenboError as error:
        return plain(error.problems[0].message), "", ""
    if isinstance(found, Value) and found.payments and found.honba:
        return plain(told.verdict), str(found.score), _changes(found.payments)
    shares = found.shares or {}
    return plain(told.verdict), str(found.score), ", ".join(f"{role} {amount}" for role, amount in shares.items())


def _changes(payments: Mapping[str, int]) -> str:
    return ", ".join(f"{seat} {change:+d}" if change else f"{seat} 0" for seat, change in payments.items())


def _named(record: Mapping[str, Any]) -> dict[str, Any]:
    return {("from_" if key == "from" else key): given for key, given in record.items()}
