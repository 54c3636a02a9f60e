"""The facts of sets, pairs, flowers and seasons, and the entries that hold for them."""

from __future__ import annotations

from tenbo import decompose as d
from tenbo.facts import BONUS_FACTS, WAITS
from tenbo.program.program import Program, plays
from tenbo.ruleset import Entry


def set_facts(suit: int, code: int, by: str | None, seat: int, round_: int) -> dict[str, int]:
    """The set facts of a group code (see `tenbo.decompose`)."""
    ranks = d.group_tiles(code)
    meld = code - d.MELD
    exposed = 0 < meld <= 25 or meld >= 35
    won = d.WIN_CHOW <= code < d.MELD
    claimed = won and by == "discard"
    chow = ranks[0] != ranks[1] or ranks[0] != ranks[-1]
    rank = min(ranks)
    terminal = suit < 3 and (1 in ranks or 9 in ranks)
    return {
        "winner": by is not None,
        "self_draw": by == "self_draw",
        "discard": by == "discard",
        "chow": chow,
        "pung": not chow and len(ranks) == 3,
        "kong": len(ranks) == 4,
        "pair": len(ranks) == 2,
        "suit": suit,
        "rank": rank,
        "simple": suit < 3 and not terminal,
        "terminal": terminal,
        "honour": suit == 3,
        "dragon": suit == 3 and rank >= 5,
        "wind": suit == 3 and rank <= 4,
        "own_wind": suit == 3 and rank == seat + 1,
        "round_wind": suit == 3 and rank == round_ + 1,
        "exposed": exposed,
        "concealed": not exposed and not claimed,
        "claimed": claimed,
        "added": meld >= 35,
    }


def set_worth(program_: Program, facts: dict[str, int]) -> list[tuple[Entry, int]]:
    """The set entries that hold for a set, with their values."""
    winner = bool(facts["winner"])
    holds = program_.set_holds(**facts)
    return [
        (entry, value)
        for (entry, value), held in zip(program_.set_values, holds, strict=True)
        if held and value and plays(entry, winner)
    ]


def bonus_worth(program_: Program, tile: int, seat: int, winner: bool) -> list[tuple[Entry, int]]:
    """The bonus entries that hold for a flower or season (0-7), with their values."""
    facts: dict[str, int] = {fact.name: 0 for fact in BONUS_FACTS}
    facts.update(winner=winner, flower=tile < 4, season=tile >= 4, number=tile % 4 + 1, own=tile % 4 == seat)
    return [
        (entry, int(entry.value.constant or 0))
        for entry in program_.bonus_entries
        if plays(entry, winner) and entry.value.constant and entry.when.evaluate(facts)
    ]


def group_facts(code: int, facts: dict[str, int]) -> dict[str, int]:
    """The hand facts that one group adds, from its group code and its set facts."""
    s = facts
    meld = code - d.MELD
    concealed_kong = 26 <= meld <= 34
    ranks = d.group_tiles(code)
    set_of_kind = s["pung"] or s["kong"]
    return {
        "chows": s["chow"],
        "pungs": s["pung"],
        "kongs": s["kong"],
        "pairs": s["pair"],
        "concealed_pungs": s["concealed"] and set_of_kind,
        "concealed_kongs": concealed_kong,
        "exposed_kongs": s["kong"] and s["exposed"],
        "added_kongs": s["added"],
        "open_sets": s["exposed"],
        "exposed_sets": s["exposed"] or s["claimed"],
        "dragon_sets": s["dragon"] and set_of_kind,
        "wind_sets": s["wind"] and set_of_kind,
        "own_wind_sets": s["own_wind"] and set_of_kind,
        "round_wind_sets": s["round_wind"] and set_of_kind,
        "dragon_pairs": s["dragon"] and s["pair"],
        "wind_pairs": s["wind"] and s["pair"],
        "own_wind_pairs": s["own_wind"] and s["pair"],
        "round_wind_pairs": s["round_wind"] and s["pair"],
        "groups_with_terminal": s["terminal"],
        "groups_with_honour": s["honour"],
        "wait": _wait(code, ranks),
    }


def _wait(code: int, ranks: tuple[int, ...]) -> int:
    if not d.WIN_CHOW <= code < d.MELD:
        return WAITS.index("none")
    if code >= d.WIN_PAIR:
        return WAITS.index("pair")
    if code >= d.WIN_PUNG:
        return WAITS.index("pung")
    win = ranks[-1]
    if min(ranks) < win < max(ranks):
        return WAITS.index("closed")
    start = min(ranks)
    return WAITS.index("edge" if (start == 1 and win == 3) or (start == 7 and win == 7) else "open")
