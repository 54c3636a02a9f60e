"""The most common call, read without loading the library that reads any call, which would take longer than scoring.

Whatever is not plainly right (a word that is not known, a value that is missing, help) is left to that library, which
says what is wrong. A test holds the two together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from tenbo.cli.scoring import hand_record

_ONCE: Final = ("rules", "by", "seat", "round", "from", "dora", "ura", "honba", "sticks")
_OFTEN: Final = ("flag", "option")
_NUMBERS: Final = ("honba", "sticks")
_OPTION: Final = re.compile(r"--([a-z]+)(?:=(.*))?", re.DOTALL)
_NUMBER: Final = re.compile(r"(?:0|[1-9][0-9]{0,8})")


def read_score(tokens: Sequence[str]) -> tuple[dict[str, Any], bool] | None:
    """Reads a call `score HAND --option value ... [--json]`.

    Args:
        tokens: The call, each option with its own value.

    Returns:
        The hand record and whether the answer is to be JSON; None where it is any other call.

    >>> read_score(["score", "123m", "--rules", "reach", "--flag=riichi", "--json"])
    ({'hand': '123m', 'rules': 'reach', 'flags': ['riichi']}, True)
    >>> read_score(["score", "123m", "--seat"]) is read_score(["waits", "123m"]) is None
    True
    """
    if not tokens or tokens[0] != "score":
        return None
    hands: list[str] = []
    once: dict[str, Any] = {}
    often: dict[str, list[str]] = {name: [] for name in _OFTEN}
    as_json = False
    rest = iter(tokens[1:])
    for token in rest:
        if not token.startswith("-"):
            hands.append(token)
            continue
        if token == "--json":
            as_json = True
            continue
        found = _OPTION.fullmatch(token)
        if found is None:
            return None
        name = found[1]
        value = found[2] if found[2] is not None else next(rest, None)
        if not value or value.startswith("-"):
            return None
        if name in _OFTEN:
            often[name].append(value)
        elif name in _ONCE and name not in once and (name not in _NUMBERS or _NUMBER.fullmatch(value)):
            once[name] = int(value) if name in _NUMBERS else value
        else:
            return None
    if len(hands) != 1 or not hands[0]:
        return None
    rules = once.pop("rules", None)
    return hand_record(hands[0], rules, often["option"], often["flag"], once), as_json
