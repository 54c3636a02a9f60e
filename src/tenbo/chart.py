"""The score chart of a ruleset: every printed row and column, worked out by the same function as any value.

>>> from tenbo.ruleset import load_rules
>>> row = chart_row(load_rules("reach"), 4, 30, dealer=False)
>>> row["discard"], row["self_draw"]
(2000, {'dealer': 1000, 'others': 500})
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tenbo.errors import Problem, ReadError
from tenbo.quick import Value, value
from tenbo.ruleset import Ruleset

__all__ = ["Cell", "ChartRow", "chart_record", "chart_row", "charts"]

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as printed.

    Attributes:
        discard: The score from a discard; None where that cannot be.
        self_draw: What the others pay at a self-draw: the dealer last, where the winner is another; None likewise.
        starred: Which of these figures a house rule changes, in this order.
    """

    discard: int | None
    self_draw: tuple[int, ...] | None
    starred: tuple[bool, ...]

    @property
    def text(self) -> str:
        """The cell as printed: "7700* (2000/3900*)", "N/A (400/700)", "N/A"."""
        figures = ["N/A" if self.discard is None else str(self.discard)]
        figures += map(str, self.self_draw or ())
        first, *rest = (f"{figure}{'*' * star}" for figure, star in zip(figures, self.starred, strict=True))
        return f"{first} ({'/'.join(rest)})" if rest else first


@dataclass(frozen=True, slots=True)
class ChartRow:
    """A row as printed: the doubles it is for, more than one where these pay the same.

    Attributes:
        doubles: The doubles.
        limit: The limit that all its cells have in common, or None.
        cells: A cell for each column.
    """

    doubles: tuple[int, ...]
    limit: str | None
    cells: tuple[Cell, ...]


def chart_record(rules: Ruleset) -> Record:
    """The chart of a ruleset as a record: the charts of those who are not the dealer, then the dealer's.

    Raises:
        ReadError: The ruleset has no chart (`bad_value`).
    """
    chart = _chart_of(rules)
    return {
        "rows": [
            chart_row(rules, doubles, points, dealer=dealer)
            for dealer in (False, True)
            for doubles in chart.doubles
            for points in chart.points
        ]
    }


def chart_row(rules: Ruleset, doubles: int, points: int, *, dealer: bool) -> Record:
    """One figure of the chart as in its record; what cannot be is null.

    Args:
        rules: The ruleset.
        doubles: The row.
        points: The column.
        dealer: Whether the winner is the dealer.
    """
    discard = _value(rules, doubles, points, dealer, "discard")
    drawn = _value(rules, doubles, points, dealer, "self_draw")
    shares = drawn.shares if drawn else None
    return {
        "hp": doubles,
        "points": points,
        "dealer": dealer,
        "discard": discard.score if discard else None,
        "self_draw": {"dealer": shares.get("dealer"), "others": shares["others"]} if shares else None,
    }


def charts(rules: Ruleset) -> tuple[tuple[ChartRow, ...], tuple[ChartRow, ...]]:
    """The charts as printed: of those who are not the dealer, and of the dealer.

    Raises:
        ReadError: The ruleset has no chart (`bad_value`).
    """
    chart = _chart_of(rules)
    other = rules.with_options({chart.starred: not rules.option(chart.starred)}) if chart.starred else rules
    if chart.starred and rules.option(chart.starred):
        other = rules  # already rounded up: nothing has a star
    return _chart(rules, other, False), _chart(rules, other, True)


def _chart(rules: Ruleset, other: Ruleset, dealer: bool) -> tuple[ChartRow, ...]:
    chart = _chart_of(rules)
    out: list[ChartRow] = []
    for doubles in chart.doubles:
        cells = tuple(_cell(rules, other, doubles, points, dealer) for points in chart.points)
        limits = {
            found.limit
            for points in chart.points
            for by in ("discard", "self_draw")
            if (found := _value(rules, doubles, points, dealer, by))
        }
        limit = limits.pop() if len(limits) == 1 else None
        if out and (out[-1].cells, out[-1].limit) == (cells, limit):
            out[-1] = ChartRow((*out[-1].doubles, doubles), limit, cells)
        else:
            out.append(ChartRow((doubles,), limit, cells))
    return tuple(out)


def _cell(rules: Ruleset, other: Ruleset, doubles: int, points: int, dealer: bool) -> Cell:
    discard, drawn = _figures(chart_row(rules, doubles, points, dealer=dealer))
    figures, others = (
        (one, *(two or ()))
        for one, two in ((discard, drawn), _figures(chart_row(other, doubles, points, dealer=dealer)))
    )
    return Cell(discard, drawn, tuple(a != b for a, b in zip(figures, others, strict=True)))


def _figures(row: Record) -> tuple[int | None, tuple[int, ...] | None]:
    drawn = row["self_draw"]
    if drawn is None:
        return row["discard"], None
    return row["discard"], tuple(share for share in (drawn["others"], drawn["dealer"]) if share is not None)


def _value(rules: Ruleset, doubles: int, points: int, dealer: bool, by: str) -> Value | None:
    """What these are worth; None where they cannot be."""
    try:
        return value(rules=rules, doubles=doubles, points=points, by=by, seat="E" if dealer else "S")
    except ReadError:
        return None


def _chart_of(rules: Ruleset) -> Any:
    if rules.chart is None:
        raise ReadError([Problem("bad_value", f"{rules.title} has no printed chart", "rules")])
    return rules.chart


def column_heads(rules: Ruleset, short: str) -> Iterable[str]:
    """The heads of the columns: "20 BP"."""
    return (f"{points} {short}" for points in _chart_of(rules).points)
