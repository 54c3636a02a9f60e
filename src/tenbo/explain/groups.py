"""The groups of a reading, from its text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from tenbo import tiles
from tenbo.explain.told import Group
from tenbo.ruleset import Ruleset

_GROUP: Final = re.compile(r"[\[(]?[^\s\])]+[\])]?")


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
