"""Combination entries: looked at for every group of two to four chows or pungs of a reading."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from tenbo import decompose as d
from tenbo.program import Program
from tenbo.ruleset import Entry

MAX_SIZE = 4


class Set(NamedTuple):
    """A set of a reading: its lowest rank, its suit (0-3), its group code."""

    rank: int
    suit: int
    code: int


def sets_of(codes: Sequence[d.Codes]) -> dict[str, list[Set]]:
    """The chows and the pungs (kongs among them) of a reading, from the group codes of its four suits."""
    out: dict[str, list[Set]] = {"chow": [], "pung": []}
    for suit, groups in enumerate(codes):
        for code in groups:
            ranks = d.group_tiles(code)
            if len(ranks) > 2:
                kind = "pung" if ranks[0] == ranks[-1] == ranks[1] else "chow"
                out[kind].append(Set(min(ranks), suit, code))
    return {kind: sorted(found) for kind, found in out.items()}


def combos(program: Program, codes: Sequence[d.Codes], winner: bool) -> list[tuple[Entry, int, tuple[Set, ...]]]:
    """The combination entries that hold, with their value and the sets they are of.

    Args:
        program: The compiled ruleset.
        codes: The group codes of the reading's four suits.
        winner: Whether the hand went out.
    """
    sets = sets_of(codes)
    out = []
    for entry in program.combos:
        value = int(entry.value.constant or 0)
        if not value or not (entry.who == "all" or (entry.who == "winner") == winner):
            continue
        for group in combinations(sets[entry.sets], entry.size):
            if entry.when.evaluate(combo_facts(group)):
                out.append((entry, value, group))
                if not entry.repeat:
                    break
    return out


def combo_facts(group: Sequence[Set]) -> dict[str, int]:
    """The facts of a group of sets, ordered by rank."""
    ranks = [one.rank for one in group]
    out = {"suits": len({one.suit for one in group}), "honours": int(any(one.suit == 3 for one in group))}
    for i in range(MAX_SIZE):
        out[f"rank{i + 1}"] = ranks[i] if i < len(ranks) else 0
    steps = [high - low for low, high in pairwise(ranks)]
    for i in range(MAX_SIZE - 1):
        out[f"step{i + 1}"] = steps[i] if i < len(steps) else 0
    return out
