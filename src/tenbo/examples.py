"""Example hands of each preset, and which of them other rules score differently.

>>> from tenbo.ruleset import load_rules
>>> rules = load_rules("basic")
>>> compared = compare(rules, rules.with_options({"limit": 100}), examples("basic"))
>>> len(compared) > 5, compared[0].after["score"]
(True, 100)
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from tenbo.records import score_record
from tenbo.rulefile import PRESETS, unknown_rules
from tenbo.ruleset import Ruleset

__all__ = ["Difference", "compare", "examples", "only"]

Record = dict[str, Any]

_FILE: Final = Path(__file__).parent / "rulesets" / "examples.jsonl"
_COMPARED: Final = ("error", "score", "points", "points_raw", "doubles", "limit", "payments", "shares")


@dataclass(frozen=True, slots=True)
class Difference:
    """An example hand that two rulesets do not score alike.

    Attributes:
        hand: Its hand record, without rules.
        before: The score or error record by the one ruleset.
        after: That by the other.
    """

    hand: Record
    before: Record
    after: Record


@cache
def examples(preset: str) -> tuple[Record, ...]:
    """The example hands of a preset: hand records without rules, that together use all its entries.

    Raises:
        ReadError: There is no such preset (`unknown_rules`).
    """
    if preset not in PRESETS:
        raise unknown_rules(preset)
    out = []
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if record.pop("rules") == preset:
            out.append(record)
    return tuple(out)


def compare(before: Ruleset, after: Ruleset, hands: Iterable[Record]) -> tuple[Difference, ...]:
    """Finds the hands that two rulesets do not score alike; names of lines and readings may differ.

    Args:
        before: The one ruleset.
        after: The other.
        hands: Hand records; their `rules` are not looked at.
    """
    out = []
    for hand in hands:
        record = {key: value for key, value in hand.items() if key != "rules"}
        one, two = score_record(record, rules=before), score_record(record, rules=after)
        if any(one.get(key) != two.get(key) for key in _COMPARED):
            out.append(Difference(record, one, two))
    return tuple(out)


def only(record: Record, other: Record) -> list[str]:
    """The lines, as text, that only one of two score records has; none where one of them is an error record."""

    def lines(given: Record) -> list[str]:
        out = []
        for line in given.get("lines", ()):
            amount = line["points"] if line["points"] is not None else line["doubles"]
            tiles = f" {line['tiles']}" if line["tiles"] else ""
            out.append(f"{line['name']}{tiles}{f' {amount}' if amount is not None else ''}")
        return out

    if "error" in record or "error" in other:
        return []
    theirs = lines(other)
    return [line for line in lines(record) if line not in theirs]
