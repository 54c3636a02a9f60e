"""Explanations as pages for a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from tenbo import tiles
from tenbo.cli.paper import Cell, Line, Span, paragraph, show, table, terminal_width
from tenbo.cli.streams import printable
from tenbo.explain import Amount, Explanation, Group, Paid

_MOST_OTHERS: Final = 3
_NARROW: Final = 60
_MOST_TEXT: Final = 400


def tile_spans(codes: Sequence[int], win: int | None = None) -> list[Span]:
    """Tiles as text, each in the colour of its suit; the winning tile stands out, after a +."""
    out: list[Span] = []
    for i, code in enumerate(codes):
        text = tiles.TEXTS[code]
        suited = i == len(codes) - 1 or tiles.TEXTS[codes[i + 1]][1] != text[1]
        if i == win:
            out.append(("+", ""))
        out.append((text if suited else text[0], "win" if i == win else text[1]))
    return out


def text_spans(text: str) -> list[Span]:
    """Bare tiles' text in the colour of their suit."""
    return [(text, text[-1])] if text[-1:] in set("mpszf") and text[:-1].isdigit() else [(text, "")]


def reading_spans(groups: Iterable[Group]) -> list[Span]:
    """The groups of a reading, a space between them."""
    out: list[Span] = []
    for group in groups:
        if out:
            out.append((" ", ""))
        left, right = {"exposed": ("[", "]"), "concealed": ("(", ")")}.get(group.table, ("", ""))
        spans = tile_spans(group.tiles, group.win) if not group.table else [(group.text, group.text[-1])]
        out += [(left, "dim"), *spans, (right, "dim")] if group.table else spans
    return out


def explanation_page(told: Explanation) -> list[Line]:
    """A whole explanation."""
    width = terminal_width()
    page: list[Line] = []
    verdict = f"  {told.verdict}" if told.verdict else ""
    page += paragraph([(f"{told.title}:", "head"), (f" {told.score}", "big"), (verdict, "")], width, 0, 2)
    about: list[tuple[str, Cell]] = []
    if told.hand:
        about += [("Hand", [(told.hand, "")]), ("Read as", reading_spans(told.groups))]
    about += [(label, [(text, "")]) for label, text in told.situation]
    if told.options:
        about.append(("Options", [(", ".join(f"{name} = {value}" for name, value in told.options), "")]))
    page.append([])
    page += table([[[(label, "dim")], cell] for label, cell in about], "ll", width=width, wide=(1,))
    if told.lines:
        page.append([])
        page += _lines(told, width)
    if told.steps:
        page.append([])
        steps = [
            [[(step.text, "head" if i == len(told.steps) - 1 else "")], [(step.note, "dim")]]
            for i, step in enumerate(told.steps)
        ]
        page += table(steps, "ll", width=width, wide=(1, 0))
    if told.payments:
        page.append([])
        page += table(map(_paid, told.payments), "lrl", width=width, wide=(2,))
    if told.others:
        page.append([])
        page += _others(told, width)
    return page


def _lines(told: Explanation, width: int) -> list[Line]:
    words = told.words
    heads = [words.points.split(" "), words.doubles.split(" ")]
    high = max(map(len, heads))
    rows: list[Sequence[Cell] | None] = []
    for i in range(high):
        row: list[Cell] = [[], []]
        for head in heads:
            at = i - (high - len(head))
            row.append([(_capital(head[at]) if at == 0 else head[at], "dim")] if at >= 0 else [])
        rows.append(row)
    narrow = width < _NARROW
    for line in told.lines:
        rows.append(_line(line, narrow))
    total = [[("together", "dim")], [], _total(told, "points"), _total(told, "doubles")]
    rows += [None, total]
    return table(rows, "llrr", width=width, wide=(0, 1))


def _capital(word: str) -> str:
    return word[:1].upper() + word[1:]


def _line(line: Amount, narrow: bool) -> Sequence[Cell]:
    name: list[Span] = [(line.name, "")]
    if line.ja:
        name.append((f" {line.ja}", "dim"))
    tiles_: list[Span] = text_spans(line.tiles) if line.tiles else []
    if line.what and not narrow:
        tiles_.append((f" {line.what}", "dim"))
    if line.unit == "limit":
        return [name, tiles_, [], [(line.limit or "", "head")]]
    amount: Cell = [(str(line.amount), "")]
    return [name, tiles_, amount, []] if line.unit == "points" else [name, tiles_, [], amount]


def _total(told: Explanation, unit: str) -> Cell:
    amounts = [line.amount for line in told.lines if line.unit == unit and line.amount is not None]
    return [(str(sum(amounts)), "head")] if amounts else []


def _paid(one: Paid) -> Sequence[Cell]:
    style = "gain" if one.change > 0 else "pay"
    return [[(one.name, "")], [(f"{one.change:+d}" if one.change else "0", style)], [(one.text, "dim")]]


def _others(told: Explanation, width: int) -> list[Line]:
    rows: list[Sequence[Cell]] = []
    for other in told.others[:_MOST_OTHERS]:
        worth = str(other.score) if other.score else "may not go out"
        rows.append([[(other.reading, "dim")], [(worth, "dim")]])
    page = paragraph([("Other readings", "dim")], width, 2)
    page += table(rows, "lr", width=width, indent=4, wide=(0, 1))
    left = len(told.others) - _MOST_OTHERS
    if left > 0:
        page += paragraph([(f"and {left} more", "dim")], width, 4)
    return page


def problems_page(errors: Iterable[Mapping[str, Any]], hand: object = "") -> None:
    """Says on standard error why something was refused.

    Args:
        errors: The `errors` of an error record.
        hand: What was refused, as text.
    """
    width = terminal_width()
    page: list[Line] = []
    if hand:
        page += paragraph([("Not scored: ", "wrong"), (printable(str(hand)[:_MOST_TEXT]), "")], width, 0, 2)
    for error in errors:
        page += paragraph([("- ", "wrong"), (printable(error["message"]), "")], width, 2, 4)
    show(page, sys.stderr)
