"""`tenbo chart`: the printed score chart of a ruleset."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated, Final

from cyclopts import Parameter

from tenbo.chart import ChartRow, chart_record, charts
from tenbo.cli.paper import Cell, Line, columns, paragraph, show, table, terminal_width
from tenbo.cli.situation import AsJson
from tenbo.cli.streams import given_options, put_json
from tenbo.explain import words
from tenbo.ruleset import Ruleset, load_rules

_ANY_WIDTH: Final = 10_000  # in a file or a pipe no line is too long


def chart(
    rules: Annotated[str, Parameter(help="Preset with a chart, reach or riichi, or the path of a ruleset file.")],
    /,
    *,
    option: Annotated[tuple[str, ...], Parameter(negative=(), help="House rule, NAME=VALUE; may be repeated.")] = (),
    as_json: AsJson = False,
) -> int:
    """Prints the score chart of a ruleset.

    A cell shows the score from a discard, and in brackets what each of the others and the dealer pay at a self-draw.
    """
    ruleset = load_rules(rules, given_options(option))
    if as_json:
        put_json(chart_record(ruleset))
    else:
        show(chart_page(ruleset))
    return 0


def chart_page(rules: Ruleset) -> list[Line]:
    """Both charts as a page."""
    others, dealers = charts(rules)
    page: list[Line] = []
    dealer = rules.words.get("dealer", "dealer")
    room = (columns() or _ANY_WIDTH) if sys.stdout.isatty() else _ANY_WIDTH
    titles = (f"the non-{dealer}", f"the {dealer}")
    for title, rows in zip(titles, (others, dealers), strict=True):
        page += [*([[]] if page else []), [(f"{rules.title}: scoring chart for {title}", "head")], []]
        page += _table(rules, rows, room)
    assert rules.chart is not None
    if any(any(cell.starred) for row in (*others, *dealers) for cell in row.cells):
        option = rules.options[rules.chart.starred]
        page += [[], *paragraph([(f"* {option.text} (option {option.name})", "dim")], terminal_width(), 2, 4)]
    return page


def _table(rules: Ruleset, rows: Sequence[ChartRow], room: int) -> list[Line]:
    """A chart; where the terminal is too narrow for it, in blocks of some columns each."""
    assert rules.chart is not None
    said = words(rules)
    labels = ["/".join(str(n - said.less) for n in row.doubles) + f" {_short(said.doubles)}" for row in rows]
    heads = [f"{points} {_short(said.points)}" for points in rules.chart.points]
    first = max(map(len, labels))
    last = max(len(row.limit or "") for row in rows)
    widths = [max(len(head), *(len(row.cells[i].text) for row in rows)) for i, head in enumerate(heads)]
    page: list[Line] = []
    at = 0
    while at < len(heads):
        count = 1
        while at + count < len(heads) and first + last + 2 + sum(2 + w for w in widths[at : at + count + 1]) <= room:
            count += 1
        block = range(at, at + count)
        made: list[Sequence[Cell] | None] = [[[], *([(heads[i], "dim")] for i in block)]]
        for label, row in zip(labels, rows, strict=True):
            cells = [[(row.cells[i].text, "")] for i in block]
            made.append([[(label, "dim")], *cells, [(row.limit or "", "dim")]])
        page += [*([[]] if page else []), *table(made, f"l{'r' * count}l", width=0, indent=0, wide=())]
        at += count
    return page


def _short(word: str) -> str:
    """A word of two or more by its initials: Hand Points are HP."""
    parts = word.split()
    return "".join(part[0] for part in parts).upper() if len(parts) > 1 else word
