"""The PyPI package riichienv (0.4.11, written in Rust), asked through its Python face."""

from __future__ import annotations

import sys
from typing import Any

from riichienv import Conditions, HandEvaluator, Meld, MeldType

from peer import Deal, Result, Set, by_suit, read, take_turns


def meld(one: Set) -> Meld:
    """A set on the table."""
    kong = MeldType.Daiminkan if one.exposed else MeldType.Ankan
    forms = {"chow": MeldType.Chi, "pung": MeldType.Pon, "kong": kong, "added": MeldType.Kakan}
    return Meld(forms[one.form], sorted(one.ids), one.exposed)


def situation(deal: Deal) -> dict[str, Any]:
    """What Conditions is made from."""
    flags = deal.flags
    return {
        "tsumo": deal.drawn,
        "riichi": "riichi" in flags or "double_riichi" in flags,
        "double_riichi": "double_riichi" in flags,
        "ippatsu": "ippatsu" in flags,
        "haitei": "last_tile" in flags and deal.drawn,
        "houtei": "last_tile" in flags and not deal.drawn,
        "rinshan": "after_kong" in flags,
        "chankan": "robbing_kong" in flags,
        "tsumo_first_turn": "first_turn" in flags,
        "player_wind": deal.wind("seat"),
        "round_wind": deal.wind("round"),
    }


def under_dora(deal: Deal) -> bool:
    """Whether the indicators below count."""
    return bool({"riichi", "double_riichi"} & set(deal.flags))


def from_ids(deal: Deal) -> tuple[Any, ...]:
    """Ids and melds as they come from a game, the conditions ready."""
    tiles = sorted([*deal.concealed, deal.win])
    melds = [meld(one) for one in deal.sets]
    return tiles, melds, deal.win, deal.dora, Conditions(**situation(deal)), deal.ura if under_dora(deal) else []


def prepared(item: tuple[Any, ...]) -> tuple[Any, ...]:
    """The evaluator made ready, too."""
    return HandEvaluator(item[0], item[1]), *item[2:]


def worded(deal: Deal) -> tuple[Any, ...]:
    """The hand in its own text, the winning tile last, and what the conditions are made from."""
    marks = {"pung": "p{}1", "kong": "k{}1", "added": "s{}1"}
    text = deal.texts["concealed"] + deal.texts["win"]
    for one in deal.sets:
        ((suit, digits),) = by_suit(one.text).items()
        if one.form == "chow":
            text += f"({digits}{suit}0)"
        elif one.exposed:
            rank = "0" if "0" in digits and one.form == "pung" else digits[-1]
            text += f"({marks[one.form].format(rank + suit)})"
        else:
            text += f"(k{digits[-1]}{suit})"
    return text, deal.texts["dora"], situation(deal), deal.texts["ura"] if under_dora(deal) else None


def score_prepared(item: tuple[Any, ...]) -> object:
    evaluator, win, dora, conditions, ura = item
    result = evaluator.calc(win, dora, conditions, ura)
    return result.han, result.fu, result.yaku, result.ron_agari, result.tsumo_agari_oya, result.tsumo_agari_ko


def score_ids(item: tuple[Any, ...]) -> object:
    tiles, melds, win, dora, conditions, ura = item
    result = HandEvaluator(tiles, melds).calc(win, dora, conditions, ura)
    return result.han, result.fu, result.yaku, result.ron_agari, result.tsumo_agari_oya, result.tsumo_agari_ko


def score_text(item: tuple[Any, ...]) -> object:
    text, dora, made, ura = item
    result = HandEvaluator.calc_from_text(text, dora, Conditions(**made), ura)
    return result.han, result.fu, result.yaku, result.ron_agari, result.tsumo_agari_oya, result.tsumo_agari_ko


def outcome(deal: Deal, item: tuple[Any, ...]) -> Result:
    """What it says of a hand."""
    evaluator, win, dora, conditions, ura = item
    result = evaluator.calc(win, dora, conditions, ura)
    if not result.is_win:
        return {"error": "no win" if result.has_win_shape else "no winning shape"}
    if not deal.drawn:
        score = result.ron_agari
    elif deal.record["seat"] == "E":
        score = 3 * result.tsumo_agari_ko
    else:
        score = result.tsumo_agari_oya + 2 * result.tsumo_agari_ko
    return {"limit": result.yakuman, "han": result.han, "fu": result.fu, "score": score}


def main() -> None:
    deals = read(sys.argv[1])
    ids = [from_ids(deal) for deal in deals]
    ready, words = [prepared(item) for item in ids], [worded(deal) for deal in deals]
    ways = {"from prepared": (score_prepared, ready), "from ids": (score_ids, ids), "from text": (score_text, words)}
    take_turns(ways, lambda: [outcome(deal, item) for deal, item in zip(deals, ready, strict=True)])


if __name__ == "__main__":
    main()
