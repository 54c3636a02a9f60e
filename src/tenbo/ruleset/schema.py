"""What the tables of a ruleset file may hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tenbo.ruleset.model import SCOPES

FLAGS: Final = ("riichi", "double_riichi", "ippatsu", "last_tile", "after_kong", "robbing_kong", "first_turn")
MAX_ENTRIES: Final = 400
MAX_VALUE: Final = 4000
TOP: Final = {
    "title": str,
    "source": str,
    "arithmetic": str,
    "words": dict,
    "uses": dict,
    "options": dict,
    "define": dict,
    "shape": dict,
    "points": dict,
    "minimum": dict,
    "limits": dict,
    "limit": list,
    "impossible": (dict, list),
    "payment": dict,
    "liability": dict,
    "penalty": dict,
    "table": dict,
    "chart": dict,
    **dict.fromkeys(SCOPES, dict),
}
TEXTS: Final = {"text": str, "source": str}
VALUE: Final = (int, str)
ENTRY: Final = {
    "name": str,
    "ja": str,
    "points": VALUE,
    "doubles": VALUE,
    "limit": VALUE,
    "when": str,
    "who": str,
    "times": VALUE,
    "bonus": bool,
    "excludes": list,
    "exposed": VALUE,
    "off": bool,
    **TEXTS,
}
KEYS: Final[Mapping[str, Mapping[str, Any]]] = {
    "uses": {"flags": list, "dora": bool, "counters": bool, "bonus_tiles": (bool, str)},
    "options": {
        "default": (bool, int, str, list),
        "values": list,
        "min": int,
        "max": int,
        "multiple_of": int,
        "null": bool,
        "list": int,
        **TEXTS,
    },
    "shape": {"name": str, "points": VALUE, "when": (bool, str), "off": bool, **TEXTS},
    "entry": ENTRY,
    "combo": {**ENTRY, "sets": str, "size": int, "repeat": bool},
    "points": {"round_up": int, "floor": dict, **TEXTS},
    "floor": {"value": VALUE, "when": str, **TEXTS},
    "minimum": {"doubles": VALUE, "without": str, **TEXTS},
    "limits": {"name": str, "base": VALUE, "add": (bool, str), **TEXTS},
    "limit": {"name": str, "base": VALUE, "when": str, **TEXTS},
    "impossible": {"when": str, "text": str},
    "payment": {
        "score": str,
        "round_up": int,
        "each": str,
        "counter": str,
        "bet": VALUE,
        "winners": str,
        "han": str,
        "losers": dict,
        **TEXTS,
    },
    "losers": {"each": str, "when": (bool, str), **TEXTS},
    "liability": {"hands": list, "counters": str, "share_of_discard": int, **TEXTS},
    "penalty": {
        "name": str,
        "amount": VALUE,
        "limit": str,
        "kitty": VALUE,
        "deal": str,
        "bars": bool,
        "off": bool,
        **TEXTS,
    },
    "table": {
        "draw_pool": VALUE,
        "dealer_stays_on_draw": str,
        "counters": bool,
        "dead_hands": bool,
        "losing_hands": bool,
        "kitty": bool,
        "start": VALUE,
        "rounds": VALUE,
        "target": VALUE,
        "extension": (bool, str),
        "bust_ends": (bool, str),
        "leader_stops": (bool, str),
        "split_ties": (bool, str),
        "uma": (list, str),
        "oka": VALUE,
        "result_unit": int,
    },
    "chart": {"doubles": list, "points": list, "starred": str},
}
TYPE_NAMES: Final = {str: "text", int: "a whole number", bool: "true or false", dict: "a table", list: "a list"}
