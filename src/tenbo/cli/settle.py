"""`tenbo settle`: who pays whom for a deal, with several winners, losers, liability, draws and penalties."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from cyclopts import Parameter

from tenbo.cli.situation import AsJson, RulesChoice
from tenbo.cli.streams import CallError, json_or_word, put_answers, put_json
from tenbo.lines import answer_texts
from tenbo.records import settle_record

_NO_RULES = RulesChoice()
_EXAMPLE = """tenbo settle '{"rules": "riichi", "draw": {"kind": "exhaustive", "ready": ["E"]}}'"""


def settle(
    deal: Annotated[str | None, Parameter(help="The deal as one JSON object.")] = None,
    /,
    *,
    choice: RulesChoice = _NO_RULES,
    as_json: AsJson = False,
    jsonl: Annotated[
        str | None,
        Parameter(help="Settle the deals of a file, one a line; - reads them from standard input."),
    ] = None,
) -> int:
    """Settles a deal: who pays whom, why, and what stays on the table. Or settles deals line by line."""
    if (deal is None) == (jsonl is None):
        raise CallError(f"give a deal, as in {_EXAMPLE}, or --jsonl FILE")
    rules = choice.ruleset()
    if jsonl is not None:
        return put_answers(jsonl, lambda blocks: answer_texts(blocks, lambda one: settle_record(one, rules=rules)))
    record = json_or_word(deal or "")
    if not isinstance(record, dict):
        raise CallError(f"the deal must be one JSON object, as in {_EXAMPLE}")
    answer = settle_record(record, rules=rules)
    if as_json:
        put_json(answer)
    else:
        _show(answer)
    return int("error" in answer)


def _show(answer: dict[str, Any]) -> None:
    from tenbo.cli.pages import problems_page
    from tenbo.cli.paper import Cell, Line, paragraph, show, table, terminal_width
    from tenbo.explain import SEATS

    if "error" in answer:
        problems_page(answer["errors"], "the deal")
        return
    width = terminal_width()
    names = {**SEATS, "table": "the table"}
    page: list[Line] = []
    if answer["transfers"]:
        page += table(
            [
                [
                    [(names[one["from"]], ""), (" → ", "dim"), (names[one["to"]], "")],
                    [(str(one["amount"]), "")],
                    [(one["why"], "dim")],
                ]
                for one in answer["transfers"]
            ],
            "lrl",
            width=width,
            wide=(2,),
        )
    else:
        page.append([("  Nothing changes hands.", "")])
    page.append([])
    rows: list[Sequence[Cell]] = []
    for seat, change in answer["payments"].items():
        style = "gain" if change > 0 else "pay" if change else "dim"
        rows.append([[(SEATS[seat], "")], [(f"{change:+d}" if change else "0", style)]])
    page += table(rows, "lr", width=width)
    page.append([])
    page += paragraph([(_next(answer), "")], width, 2)
    show(page)


def _next(answer: dict[str, Any]) -> str:
    """What follows the deal, in a sentence or two."""
    from tenbo.explain import SEATS

    stays = answer["dealer_stays"]
    said = ["The deal goes on." if stays is None else "The dealer stays." if stays else "The deal passes on."]
    left = []
    if answer["honba"]:
        left.append(f"counters: {answer['honba']}")
    if answer["sticks"]:
        left.append(f"bets on the table: {answer['sticks']}")
    if answer["kitty"]:
        left.append(
            "in the kitty: " + ", ".join(f"{one['points']} from {SEATS[one['seat']]}" for one in answer["kitty"])
        )
    if left:
        text = "; ".join(left)
        said.append(f"{text[0].upper()}{text[1:]}.")
    return " ".join(said)
