"""The PyPI package mahjong (2.1), asked as its guide says."""

from __future__ import annotations

import sys
from typing import Any

from mahjong.constants import EAST
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.meld import Meld
from mahjong.tile import TilesConverter

from peer import Deal, Result, by_suit, read, take_turns

# What tenbo's `riichi` chooses, too.
RULES = OptionalRules(has_open_tanyao=True, has_aka_dora=True, has_double_yakuman=False)
FORMS = {"chow": Meld.CHI, "pung": Meld.PON, "kong": Meld.KAN, "added": Meld.SHOUMINKAN}
NAMES = {"m": "man", "p": "pin", "s": "sou", "z": "honors"}
estimate = HandCalculator.estimate_hand_value


def situation(deal: Deal) -> dict[str, Any]:
    """What HandConfig is made from."""
    flags = deal.flags
    return {
        "is_tsumo": deal.drawn,
        "is_riichi": "riichi" in flags or "double_riichi" in flags,
        "is_daburu_riichi": "double_riichi" in flags,
        "is_ippatsu": "ippatsu" in flags,
        "is_rinshan": "after_kong" in flags,
        "is_chankan": "robbing_kong" in flags,
        "is_haitei": "last_tile" in flags and deal.drawn,
        "is_houtei": "last_tile" in flags and not deal.drawn,
        "is_tenhou": "first_turn" in flags and deal.record["seat"] == "E",
        "is_chiihou": "first_turn" in flags and deal.record["seat"] != "E",
        "player_wind": EAST + deal.wind("seat"),
        "round_wind": EAST + deal.wind("round"),
        "options": RULES,
    }


def prepared(deal: Deal) -> tuple[Any, ...]:
    """Everything made ready: arrays of ids, melds, configuration."""
    tiles = [*deal.concealed, deal.win, *(tile for one in deal.sets for tile in one.ids)]
    melds = [Meld(FORMS[one.form], one.ids, opened=one.exposed) for one in deal.sets]
    ura = deal.ura if {"riichi", "double_riichi"} & set(deal.flags) else []
    return sorted(tiles), deal.win, melds, deal.dora, HandConfig(**situation(deal)), ura


def worded(deal: Deal) -> tuple[Any, ...]:
    """The same as strings by suit, as its guide writes hands; the configuration ready, and what it is made from."""
    words = [deal.texts["concealed"], deal.texts["win"], *(one.text for one in deal.sets)]
    win = {NAMES[suit]: digits for suit, digits in by_suit(deal.texts["win"]).items()}
    melds = [(FORMS[s.form], {NAMES[k]: v for k, v in by_suit(s.text).items()}, s.exposed) for s in deal.sets]
    tiles = {NAMES[suit]: "".join(sorted(digits)) for suit, digits in by_suit("".join(words)).items()}
    ura = deal.texts["ura"] if {"riichi", "double_riichi"} & set(deal.flags) else ""
    made = situation(deal)
    return tiles, win, melds, deal.texts["dora"], ura, HandConfig(**made), made


def score_prepared(item: tuple[Any, ...]) -> object:
    tiles, win, melds, dora, config, ura = item
    result = estimate(tiles, win, melds, dora, config, ura_dora_indicators=ura)
    return result.han, result.fu, result.cost, result.yaku


def score_words(item: tuple[Any, ...]) -> object:
    return _from_words(*item[:5], config=item[5])


def score_words_and_situation(item: tuple[Any, ...]) -> object:
    return _from_words(*item[:5], config=HandConfig(**item[6]))


def _from_words(tiles: Any, win: Any, sets: Any, dora: str, ura: str, config: HandConfig) -> object:
    ids = TilesConverter.string_to_136_array(**tiles, has_aka_dora=True)
    win_tile = TilesConverter.string_to_136_array(**win, has_aka_dora=True)[0]
    melds = [
        Meld(form, TilesConverter.string_to_136_array(**words, has_aka_dora=True), opened=opened)
        for form, words, opened in sets
    ]
    dora_ids = TilesConverter.one_line_string_to_136_array(dora, has_aka_dora=True)
    ura_ids = TilesConverter.one_line_string_to_136_array(ura, has_aka_dora=True) if ura else None
    result = estimate(ids, win_tile, melds, dora_ids, config, ura_dora_indicators=ura_ids)
    return result.han, result.fu, result.cost, result.yaku


def outcome(item: tuple[Any, ...]) -> Result:
    """What it says of a hand."""
    tiles, win, melds, dora, config, ura = item
    result = estimate(tiles, win, melds, dora, config, ura_dora_indicators=ura)
    if result.error:
        return {"error": result.error}
    limit = any(one.is_yakuman for one in result.yaku)
    return {"limit": limit, "han": result.han, "fu": result.fu, "score": result.cost["total"]}


def main() -> None:
    deals = read(sys.argv[1])
    ready, words = [prepared(deal) for deal in deals], [worded(deal) for deal in deals]
    ways = {
        "from prepared arrays": (score_prepared, ready),
        "from strings": (score_words, words),
        "from strings, situation too": (score_words_and_situation, words),
    }
    take_turns(ways, lambda: [outcome(item) for item in ready])


if __name__ == "__main__":
    main()
