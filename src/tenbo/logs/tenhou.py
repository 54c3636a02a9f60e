"""What Tenhou's two formats have in common: the names of its yaku and what its settings mean for the rules."""

from __future__ import annotations

from typing import Any, Final

__all__ = ["YAKU", "hand_options", "table_options"]

YAKU: Final = (
    "self-draw",
    "riichi",
    "ippatsu",
    "robbing a kong",
    "after a kong",
    "last tile, drawn",
    "last tile, discarded",
    "pinfu",
    "all simples",
    "iipeikou",
    "seat wind East",
    "seat wind South",
    "seat wind West",
    "seat wind North",
    "round wind East",
    "round wind South",
    "round wind West",
    "round wind North",
    "white dragon",
    "green dragon",
    "red dragon",
    "double riichi",
    "seven pairs",
    "chanta",
    "ittsuu",
    "sanshoku doujun",
    "sanshoku doukou",
    "three kongs",
    "toitoi",
    "three concealed pungs",
    "shousangen",
    "honroutou",
    "ryanpeikou",
    "junchan",
    "half flush",
    "full flush",
    "renhou",
    "tenhou",
    "chiihou",
    "daisangen",
    "four concealed pungs",
    "four concealed pungs, pair wait",
    "all honours",
    "all green",
    "all terminals",
    "nine gates",
    "pure nine gates",
    "thirteen orphans",
    "thirteen orphans, thirteen waits",
    "daisuushii",
    "shousuushii",
    "four kongs",
    "dora",
    "ura dora",
    "red five",
)
"""Yaku by Tenhou's number."""


def hand_options(*, open_all_simples: bool) -> dict[str, Any]:
    """Options of the ruleset `riichi` where Tenhou's setting differs from it."""
    return {} if open_all_simples else {"open_all_simples": False}


def table_options(*, rounds: int) -> dict[str, Any]:
    """Options of the ruleset `riichi` for the table procedure of a Tenhou game."""
    return {"rounds": rounds, "extension": True, "bust_ends": True, "leader_stops": True}
