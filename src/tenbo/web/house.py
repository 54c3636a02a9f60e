"""House rules: options as a form has them, the hands that they change, and the file that keeps them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final
from urllib.parse import urlencode

from tenbo.examples import Difference, compare, examples, only
from tenbo.explain import SEATS, option_text
from tenbo.options import Option, OptionValue
from tenbo.rulefile import PRESETS, to_text
from tenbo.ruleset import Ruleset, load_rules
from tenbo.web.asked import OPTION, written
from tenbo.web.pages import isolated, points

LONGEST_TITLE = 60
_TITLE: Final = re.compile(r"(?m)^title = .*$")


@dataclass(frozen=True, slots=True)
class Choice:
    """An option in a form.

    Attributes:
        option: The option.
        name: The field's name.
        value: Its value in force, as written.
        choices: The values it can take, where they are few, with what people read.
        changed: Whether it differs from the ruleset's own.
        hands: How many example hands its other value changes; None where that cannot be said beforehand.
    """

    option: Option
    name: str
    value: str
    choices: tuple[tuple[str, str], ...]
    changed: bool
    hands: int | None


def choices(rules: Ruleset, typed: Mapping[str, str] | None = None) -> tuple[Choice, ...]:
    """The options of a preset with its house rules.

    Args:
        rules: The preset with its house rules.
        typed: By field, what was typed and cannot be used.
    """
    counts = _counts(rules.name)
    out = []
    for option in rules.options.values():
        known: tuple[OptionValue, ...] = option.values or ((True, False) if option.type == "bool" else ())
        out.append(
            Choice(
                option,
                OPTION + option.name,
                (typed or {}).get(OPTION + option.name, written(rules.option(option.name))),
                tuple((written(value), _read(value)) for value in known),
                option.name in rules.values,
                counts.get(option.name),
            )
        )
    return tuple(out)


def _read(value: OptionValue) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value).replace("_", " ")


@lru_cache(maxsize=8)
def _counts(preset: str) -> dict[str, int]:
    """How many example hands each option with few values changes."""
    rules = load_rules(preset)
    out = {}
    for option in rules.options.values():
        others: tuple[OptionValue, ...] = option.values or ((True, False) if option.type == "bool" else ())
        changed = {
            json.dumps(found.hand, sort_keys=True)
            for value in others
            if value != option.default
            for found in compare(rules, rules.with_options({option.name: value}), examples(preset))
        }
        if others:
            out[option.name] = len(changed)
    return out


@dataclass(frozen=True, slots=True)
class Change:
    """An example hand that house rules change: its record, and what it was and is worth."""

    record: Mapping[str, Any]
    situation: str
    before: str
    after: str


def changes(rules: Ruleset) -> tuple[Change, ...]:
    """The example hands that the house rules score differently from the preset."""
    own = load_rules(rules.name)
    if not rules.values:
        return ()
    return tuple(_change(found, rules) for found in compare(own, rules, examples(rules.name)))


def _change(found: Difference, rules: Ruleset) -> Change:
    hand = found.hand
    parts = [f"{SEATS[hand['seat']]} in the {SEATS[hand['round']]} round" if hand.get("round") else SEATS[hand["seat"]]]
    if by := hand.get("by"):
        parts.append(rules.words.get(by, by))
    parts += [flag.replace("_", " ") for flag in hand.get("flags", ())]
    before, after = _worth(found.before), _worth(found.after)
    if before == after:
        before, after = _payments(found.before), _payments(found.after)
    if before == after:  # it pays the same for other reasons
        before, after = (
            ", ".join(one) or "–" for one in (only(found.before, found.after), only(found.after, found.before))
        )
    return Change(hand, ", ".join(parts), before, after)


def _worth(record: Mapping[str, Any]) -> str:
    if "error" in record:
        return "not scored" if record["error"] == "not_scored" else "refused"
    return points(record["score"])


def _payments(record: Mapping[str, Any]) -> str:
    if "error" in record:
        return str(record["error"])
    paid = record["payments"] or record["shares"] or {}
    told = ", ".join(f"{who} {points(amount, sign=True)}" for who, amount in paid.items() if amount)
    return told or f"{record['points']} × 2^{record['doubles']}"


def clean_title(given: str) -> str:
    """A title as it is kept: one line, not too long."""
    return " ".join("".join(one if one.isprintable() else " " for one in given).split())[:LONGEST_TITLE].strip()


def title_of(rules: Ruleset, given: str | None) -> str:
    """The title of a house-rule file: what was given, else one made from the ruleset's."""
    title = clean_title(given or "")
    return title or f"{rules.title}, house rules"


def titled(rules: Ruleset, title: str) -> str:
    """The ruleset's text under another title.

    >>> titled(load_rules("riichi"), "Thursdays").splitlines()[0]
    'title = "Thursdays"'
    """
    line = to_text({"title": title}).strip()
    return _TITLE.sub(lambda _: line, rules.text, count=1)


@dataclass(frozen=True, slots=True)
class InForce:
    """The rules of a table: what they are called, with what house rules, and the address of their page, or ""."""

    title: str
    house: str
    address: str


def in_force(rules: Ruleset) -> InForce:
    """What people are told of the rules that a table plays by.

    >>> in_force(load_rules("basic", {"limit": 300})).title
    'Basic Scoring, with house rules'
    """
    title, address = rules.title, ""
    own = load_rules(rules.name) if rules.name in PRESETS else None
    if own is not None and own.title != title:
        title = f"{isolated(title)} ({own.title}{', with house rules' if rules.values else ''})"
    elif rules.values:
        title = f"{isolated(title)}, with house rules"
    if own is not None and titled(own, rules.title) == titled(rules, rules.title):
        asked = {OPTION + name: written(value) for name, value in rules.values.items()}
        asked |= {"title": rules.title} if own.title != rules.title else {}
        address = f"/rules/{rules.name}" + (f"?{urlencode(asked)}" if asked else "")
    return InForce(title, described(rules), address)


def house_file(rules: Ruleset, title: str) -> str:
    """A ruleset file that extends the preset with the option values laid over it.

    >>> print(house_file(load_rules("basic", {"limit": 300}), "Thursdays"))
    extends = "basic"
    title = "Thursdays"
    <BLANKLINE>
    [options.limit]
    default = 300
    <BLANKLINE>
    """
    options = {
        name: {"default": "none" if value is None else list(value) if isinstance(value, tuple) else value}
        for name, value in rules.values.items()
    }
    return to_text({"extends": rules.name, "title": title, **({"options": options} if options else {})})


def described(rules: Ruleset) -> str:
    """The house rules in a few words."""
    return ", ".join(f"{name.replace('_', ' ')}: {option_words(value)}" for name, value in rules.values.items())


def option_words(value: object) -> str:
    """An option's value as people read it: "yes", "none", "300"."""
    if value is None:
        return "none"
    return _read(value) if isinstance(value, bool | str) else option_text(value)
