"""`tenbo waits`: what completes a hand one tile short, and what it would score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from cyclopts import Parameter

from tenbo.cli.situation import AsJson, RulesChoice, Situation
from tenbo.cli.streams import put_json
from tenbo.records import waits_record

_NAMED = 60  # a narrower page has no room for the tiles' names
_NO_RULES = RulesChoice()
_NO_SITUATION = Situation()


def waits(
    hand: Annotated[str, Parameter(help="Hand text without the winning tile, such as '3457899p [777z] [2222z]'.")],
    /,
    *,
    choice: RulesChoice = _NO_RULES,
    situation: Situation = _NO_SITUATION,
    as_json: AsJson = False,
) -> int:
    """Shows the tiles a hand waits for, how many are left of each, and what they would score."""
    record = situation.hand_record(hand, choice)
    found = waits_record(record)
    if as_json:
        put_json(found)
        return int("error" in found)
    return _show(record, found)


def _show(record: dict[str, Any], found: dict[str, Any]) -> int:
    from tenbo.cli.pages import problems_page, text_spans
    from tenbo.cli.paper import Cell, paragraph, show, table, terminal_width
    from tenbo.explain import words
    from tenbo.records import record_rules
    from tenbo.tiles import CODES, NAMES

    if "error" in found:
        problems_page(found["errors"], record["hand"])
        return 1
    rules = record_rules(record, None, True, [])
    assert rules is not None
    width = terminal_width()
    named = width >= _NAMED
    if not found["waits"]:
        show(paragraph([("The hand is not ready: ", "head"), ("no tile completes it.", "")], width, 0, 2))
        return 0
    rows: list[Sequence[Cell] | None] = []
    heads = [rules.words.get(by, by) for by in ("discard", "self_draw")]
    rows.append([[], [], [("left", "dim")], *([(head, "dim")] for head in heads)])
    notes: list[str] = []
    said = words(rules)

    def worth(outcome: dict[str, Any]) -> Cell:
        if "error" in outcome:
            message = "; ".join(error["message"] for error in outcome["errors"])
            if message not in notes:
                notes.append(message)
            return [(f"no ({notes.index(message) + 1})", "dim")]
        more = outcome["limit"] or f"{outcome['points']} {said.points}, {said.doubled(outcome['doubles'])}"
        return [(str(outcome["score"]), "big"), (f" {more}", "dim")]

    for wait in found["waits"]:
        rows.append(
            [
                text_spans(wait["tile"]),
                [(NAMES[CODES[wait["tile"]]] if named else "", "")],
                [(str(wait["left"]), "" if wait["left"] else "dim")],
                worth(wait["discard"]),
                worth(wait["self_draw"]),
            ]
        )
    page = table(rows, "llrll", width=width, wide=(3, 4, 1))
    for i, note in enumerate(notes, 1):
        page += [*([[]] if i == 1 else []), *paragraph([(f"({i}) {note}", "dim")], width, 2, 6)]
    show([[(f"{rules.title}: ", "head"), (record["hand"], "")], [], *page])
    return 0
