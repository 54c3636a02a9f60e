"""Text laid out for a terminal: spans with a style, wrapped and set in columns, printed with or without colour.

A span is a text and the name of a style; a cell is some spans; a page is a list of lines of spans. Nothing is loaded
for colour before there is a terminal that can show it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from typing import Final, TextIO
from unicodedata import combining, east_asian_width

Span = tuple[str, str]
Cell = Sequence[Span]
Line = list[Span]

WIDEST: Final = 100  # longer lines are hard to read
_NARROWEST: Final = 20
_LEAST_COLUMN: Final = 8
_THINNEST: Final = 4

STYLES: Final = {
    "": "",
    "head": "bold",
    "big": "bold green",
    "dim": "dim",
    "rule": "dim",
    "m": "red",
    "p": "blue",
    "s": "green",
    "z": "magenta",
    "f": "yellow",
    "win": "bold reverse",
    "gain": "bold green",
    "pay": "red",
    "wrong": "bold red",
    "name": "cyan",
}
"""A style's name to how a terminal shows it."""


def cell_width(text: str) -> int:
    """How many columns of a terminal a text takes.

    >>> cell_width("345p"), cell_width("立直")
    (4, 4)
    """
    if text.isascii():
        return len(text)
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def width_of(cell: Cell) -> int:
    """How many columns a cell takes on one line."""
    return sum(cell_width(text) for text, _ in cell)


def terminal_width() -> int:
    """The width to lay out for: that of the terminal (or the variable COLUMNS), 80 where there is none."""
    return max(_NARROWEST, min(WIDEST, columns() or 80))


def columns() -> int:
    """The terminal's columns, or what the variable COLUMNS says; 0 where neither says anything."""
    said = os.environ.get("COLUMNS", "")
    if said.isascii() and said.isdigit():
        return int(said[:9])
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns if sys.__stdout__ else 0
    except (OSError, ValueError):
        return 0


def wrap(cell: Cell, width: int) -> list[Line]:
    """Breaks a cell at spaces into lines of at most some width; a longer word is broken where it must be.

    >>> wrap([("one two", ""), (" three", "dim")], 8)
    [[('one two', '')], [('three', 'dim')]]
    """
    lines: list[Line] = [[]]
    used = 0
    for text, style in cell:
        for i, word in enumerate(text.split(" ")):
            space = 1 if i and used else 0
            room = cell_width(word)
            if used and used + space + room > width:
                lines.append([])
                used, space = 0, 0
            while room > width:  # a word that no line can hold
                cut = max(1, width)
                lines[-1].append((word[:cut], style))
                lines.append([])
                word = word[cut:]
                room = cell_width(word)
            if word or space:
                lines[-1].append((" " * space + word, style))
            used += space + room
    return [_joined(line) for line in lines]


def _joined(line: Line) -> Line:
    """A line with neighbours of one style as one span, and no space at its end."""
    out: Line = []
    for text, style in line:
        if out and out[-1][1] == style:
            out[-1] = (out[-1][0] + text, style)
        else:
            out.append((text, style))
    if out:
        out[-1] = (out[-1][0].rstrip(" "), out[-1][1])
    return [span for span in out if span[0]]


def table(
    rows: Iterable[Sequence[Cell] | None],
    align: str,
    *,
    width: int,
    indent: int = 2,
    gap: int = 2,
    wide: Sequence[int] = (0,),
) -> list[Line]:
    """Sets rows in columns.

    Args:
        rows: Rows of cells; None is a rule across the table. A row may be shorter than others.
        align: A letter for each column, "l" or "r".
        width: The columns of the terminal.
        indent: Spaces before the first column.
        gap: Spaces between columns.
        wide: The columns that give way where there is no room, in this order.
    """
    made = list(rows)
    cells = [row for row in made if row is not None]
    count = len(align)
    widths = [max((width_of(row[i]) for row in cells if i < len(row)), default=0) for i in range(count)]
    used = [i for i in range(count) if widths[i]]
    room = width - indent - gap * (len(used) - 1)
    for i in wide:
        over = sum(widths) - room
        if over > 0:
            widths[i] = max(min(widths[i], _LEAST_COLUMN), widths[i] - over)
    while wide and sum(widths) > room and max(widths) > _THINNEST:
        widths[widths.index(max(widths))] -= 1
    lines: list[Line] = []
    for row in made:
        if row is None:
            lines.append([(" " * indent + "─" * (sum(widths) + gap * (len(used) - 1)), "rule")])
            continue
        wrapped: list[list[Line]] = [wrap(row[i], widths[i]) if i < len(row) else [[]] for i in used]
        for at in range(max(map(len, wrapped))):
            line: Line = [(" " * indent, "")]
            for place, i in enumerate(used):
                part = wrapped[place][at] if at < len(wrapped[place]) else []
                blank = (" " * (widths[i] - width_of(part)), "")
                line += [blank, *part] if align[i] == "r" else [*part, blank]
                if place < len(used) - 1:
                    line.append((" " * gap, ""))
            lines.append(_joined(line))
    return lines


def paragraph(cell: Cell, width: int, indent: int = 0, hanging: int | None = None) -> list[Line]:
    """A cell as lines, all but the first moved in by `hanging` (as the first, where it is None)."""
    after = indent if hanging is None else hanging
    lines = wrap(cell, max(_LEAST_COLUMN, width - max(indent, after)))
    return [[(" " * (indent if i == 0 else after), ""), *line] for i, line in enumerate(lines)]


def in_colour(out: TextIO) -> bool:
    """Whether to print in colour: on a terminal that is not dumb, and where NO_COLOR does not forbid it."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and out.isatty()


def show(page: Iterable[Line], out: TextIO | None = None) -> None:
    """Prints a page."""
    out = out or sys.stdout
    if not in_colour(out):
        out.write("".join("".join(text for text, _ in line).rstrip() + "\n" for line in page))
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=out, highlight=False, markup=False, emoji=False, soft_wrap=True)
    for line in page:
        console.print(Text.assemble(*((text, STYLES[style]) for text, style in line)))
