"""How rules speak: of points and doubles, of flags, counters and bets."""

from __future__ import annotations

import re
from typing import Final

from tenbo.explain.told import Words
from tenbo.ruleset import Ruleset

SEATS: Final = {"E": "East", "S": "South", "W": "West", "N": "North"}
_PLUS: Final = re.compile(r"(.*\S)\s*\+\s*(\d+)")


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


def counted(rules: Ruleset, key: str, number: int) -> str:
    """Counters ("honba") or bets ("stick") in the rules' words: "2 counters", "1 Reach bet", "2 honba"."""
    word = rules.words.get(key, {"honba": "counter", "stick": "bet"}[key])
    return f"{number} {word}" + ("s" if number != 1 and word != "honba" else "")
