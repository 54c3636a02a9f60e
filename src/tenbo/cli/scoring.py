"""One hand scored, for a person or as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tenbo.cli.streams import given_options, put_json
from tenbo.errors import TenboError
from tenbo.records import score_of, score_record


def hand_record(
    hand: str, rules: str | None, options: Sequence[str], flags: Sequence[str], said: Mapping[str, Any]
) -> dict[str, Any]:
    """A call as a hand record; what was not given is not in it.

    Args:
        hand: Hand text.
        rules: The rules.
        options: House rules as `NAME=VALUE`.
        flags: Flags.
        said: The other keys; None is nothing.

    Raises:
        CallError: An option is not `NAME=VALUE`.
    """
    record = {"hand": hand, "rules": rules, "options": given_options(options) or None, "flags": list(flags) or None}
    return {key: value for key, value in (record | dict(said)).items() if value is not None}


def score_hand(record: dict[str, Any], as_json: bool) -> int:
    """Scores a hand and prints the explanation, or the score or error record.

    Returns:
        The exit status: 1 for a hand that was refused.
    """
    if as_json:
        answer = score_record(record)
        put_json(answer)
        return int("error" in answer)
    from tenbo.cli.pages import explanation_page, problems_page
    from tenbo.cli.paper import show
    from tenbo.explain import explain
    from tenbo.waits import error_record

    try:
        found = score_of(record)
    except TenboError as error:
        problems_page(error_record(error)["errors"], record["hand"])
        return 1
    show(explanation_page(explain(found)))
    return 0
