"""tenbo itself, through its public face."""

from __future__ import annotations

import sys
from typing import Any

import tenbo
from peer import Deal, Result, read, take_turns

RULES = tenbo.load_rules("riichi")


def situation(deal: Deal) -> tuple[str, dict[str, Any]]:
    """The text of a hand and what is said beside it."""
    record = deal.record
    said = {key: record[key] for key in ("by", "seat", "round")}
    said |= {"flags": deal.flags, "dora": deal.texts["dora"], "ura": deal.texts["ura"]}
    return record["hand"], said


def score_prepared(hand: tenbo.Hand) -> object:
    score = tenbo.score(hand, rules=RULES)
    return score.score, score.points, score.doubles, score.lines


def score_text(item: tuple[str, dict[str, Any]]) -> object:
    text, said = item
    score = tenbo.score(tenbo.parse(text, **said), rules=RULES)
    return score.score, score.points, score.doubles, score.lines


def outcome(hand: tenbo.Hand) -> Result:
    """What it says of a hand."""
    try:
        score = tenbo.score(hand, rules=RULES)
    except tenbo.TenboError as error:
        return {"error": str(error)}
    return {"limit": score.doubles is None, "han": score.han, "fu": score.fu, "score": score.score}


def main() -> None:
    words = [situation(deal) for deal in read(sys.argv[1])]
    hands = [tenbo.parse(text, **said) for text, said in words]
    ways = {"from prepared hands": (score_prepared, hands), "from hand text": (score_text, words)}
    take_turns(ways, lambda: [outcome(hand) for hand in hands])


if __name__ == "__main__":
    main()
