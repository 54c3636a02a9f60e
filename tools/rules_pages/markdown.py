"""Markdown: tables, headings, text that stays as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

NOTE = "<!-- Made by tools/rules_pages; what is written here is lost. -->"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], align: str = "") -> list[str]:
    """A table; columns in which no row says anything are left out.

    Args:
        heads: The heads of the columns.
        rows: The cells, as Markdown.
        align: A letter for each column: l or r.
    """
    body = [list(row) for row in rows]
    kept = [i for i in range(len(heads)) if any(row[i] for row in body)]
    rules = ["---:" if align[i : i + 1] == "r" else "---" for i in kept]
    lines = [_row(heads[i] for i in kept), _row(rules)]
    return [*lines, *(_row(row[i] for i in kept) for row in body)]


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def plain(text: str) -> str:
    """Text that is no Markdown, on one line."""
    return re.sub(r"([*_|<>\[\]])", r"\\\1", " ".join(text.split()))


def anchor(heading: str) -> str:
    """The anchor of a heading, as the pages have it."""
    text = re.sub(r"[^\w\s-]", "", heading.lower()).strip()
    return re.sub(r"[\s-]+", "-", text)


def paragraphs(text: str) -> list[str]:
    """Markdown paragraphs of a text from a file."""
    return text.strip().splitlines()
