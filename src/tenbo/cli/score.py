"""`tenbo score`: one hand explained, or hand records scored line by line."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from tenbo.cli.scoring import score_hand
from tenbo.cli.situation import AsJson, RulesChoice, Situation
from tenbo.cli.streams import CallError, put_answers
from tenbo.lines import score_lines

_NO_RULES = RulesChoice()
_NO_SITUATION = Situation()


def score(
    hand: Annotated[str | None, Parameter(help="Hand text, such as '3457899p [777z] [2222z] +6p'.")] = None,
    /,
    *,
    choice: RulesChoice = _NO_RULES,
    by: Annotated[str | None, Parameter(help="discard or self_draw; left out for a hand that did not go out.")] = None,
    situation: Situation = _NO_SITUATION,
    as_json: AsJson = False,
    jsonl: Annotated[
        str | None, Parameter(help="Score the hand records of a file, one a line; - reads them from standard input.")
    ] = None,
) -> int:
    """Scores a hand and explains the score, or scores hand records."""
    if jsonl is not None:
        if hand is not None or by is not None or situation != _NO_SITUATION or as_json:
            raise CallError("with --jsonl each record says its own hand and situation; give only --rules and --option")
        rules = choice.ruleset()
        return put_answers(jsonl, lambda blocks: score_lines(blocks, rules=rules))
    if hand is None:
        raise CallError(
            "give a hand, as in tenbo score '3457899p [777z] [2222z] +6p' --rules basic ..., or --jsonl FILE"
        )
    return score_hand(situation.hand_record(hand, choice, by), as_json)
