"""`tenbo score`: one hand explained, or hand records scored line by line."""

from __future__ import annotations

from typing import Annotated, Any

from cyclopts import Parameter

from tenbo.cli.situation import AsJson, RulesChoice, Situation
from tenbo.cli.streams import CallError, answer_stream, put_json
from tenbo.errors import TenboError
from tenbo.records import score_of, score_record
from tenbo.ruleset import load_rules
from tenbo.waits import error_record

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
    jsonl: Annotated[str | None, Parameter(help="Score the hand records of a file, one a line; - reads them from standard input.")] = None,
) -> int:
    """Scores a hand and explains the score, or scores hand records."""
    record: dict[str, Any] = ({"by": by} if by is not None else {}) | situation.record()
    if jsonl is not None:
        if hand is not None or record:
            raise CallError("with --jsonl each record says its own hand and situation; give only --rules and --option")
        return score_lines(jsonl, choice)
    if hand is None:
        raise CallError("give a hand, as in tenbo score '3457899p [777z] [2222z] +6p' --rules basic ..., or --jsonl FILE")
    record = {"hand": hand} | choice.record() | record
    if as_json:
        answer = score_record(record)
        put_json(answer)
        return int("error" in answer)
    return _explain(record)


def score_lines(path: str, choice: RulesChoice) -> int:
    """Scores hand records from a file or standard input."""
    said = choice.record()
    rules = None
    if said["rules"] is not None:
        rules = load_rules(said["rules"], said.get("options"))
    elif "options" in said:
        raise CallError("--option is laid over --rules; say which rules")
    return answer_stream(path, lambda record, line: score_record(record, rules=rules, line=line))


def _explain(record: dict[str, Any]) -> int:
    from tenbo.cli.pages import explanation_page, problems_page
    from tenbo.cli.paper import show
    from tenbo.explain import explain

    try:
        found = score_of(record)
    except TenboError as error:
        problems_page(error_record(error)["errors"], record["hand"])
        return 1
    show(explanation_page(explain(found)))
    return 0
