"""Writes the pages of rules and facts, or says which are not up to date."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.rules_pages.book import chart_page, index_page, ruleset_page
from tools.rules_pages.facts import facts_page

from tenbo.rulefile import PRESETS

DOCS = Path(__file__).resolve().parents[2] / "docs"


def pages() -> dict[Path, str]:
    """All generated pages, by where they lie."""
    out = {DOCS / "rules" / f"{name}.md": ruleset_page(name) for name in PRESETS}
    out[DOCS / "rules/index.md"] = index_page(PRESETS)
    out[DOCS / "rules/reach-chart.md"] = chart_page("reach")
    out[DOCS / "facts.md"] = facts_page()
    return out


def main(arguments: list[str]) -> int:
    """Writes the pages; with --check, names those that differ and writes nothing."""
    made = pages()
    stale = [path for path, text in made.items() if not path.is_file() or path.read_text(encoding="utf-8") != text]
    if "--check" in arguments:
        for path in stale:
            print(f"docs/{path.relative_to(DOCS)} is not up to date: run python -m tools.rules_pages")
        return 1 if stale else 0
    for path in stale:
        path.write_text(made[path], encoding="utf-8")
        print(f"docs/{path.relative_to(DOCS)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
