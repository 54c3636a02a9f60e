"""A ruleset's page: its entries, limits, payments and options from its file, then the disputed points."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable

from tools.rules_pages.disputed import Notes, allowed, read_notes, section, written
from tools.rules_pages.markdown import NOTE, anchor, paragraphs, plain, table

from tenbo.chart import ChartRow, charts
from tenbo.explain import words
from tenbo.rulebook import Item, Section, rulebook
from tenbo.rulefile import preset_text
from tenbo.ruleset import Ruleset, load_rules

_ABOUT_OPTIONS = """`--option NAME=VALUE`, or `"options": {"NAME": VALUE}` in a record, lays a value over the default; a
ruleset file changes the default itself. A name leads to who wants it which way."""
_ABOUT_RULES = """A rule system is one file of data that reads like the rule book; the engine knows none of them by
name. These come with tenbo. Their pages are made from the files: what earns points and doubles, limits, payments,
penalties, options, and every point on which the rule text is silent or contradicts itself, with the option that
chooses."""
_ABOUT_OWN = """[Your own rules](../own-rules.md) says how to lay house rules over one of them, and how to write a
system of your own; [why is my score different](../different.md) goes through what tables count differently."""


def ruleset_page(name: str) -> str:
    """The page of a preset."""
    rules, notes = load_rules(name), read_notes(name)
    lines = [
        NOTE,
        "",
        f"# {rules.title}",
        "",
        *paragraphs(notes.intro),
        "",
        f"In records and on the command line: `{name}`.",
    ]
    for part in rulebook(rules):
        lines += ["", f"## {part.title}", "", *_section(part, rules)]
    if rules.chart is not None:
        lines += [
            "",
            "## Chart",
            "",
            "The [chart of scores](reach-chart.md) has every figure worked out, with its one misprint.",
        ]
    lines += ["", "## Played with", "", *_uses(rules)]
    lines += ["", "## Options", "", *_options(rules, notes)]
    lines += ["", "## Disputed points", ""]
    lines += ["Who says what, what these rules do, and which option chooses."]
    for point in notes.points:
        lines += ["", f"### {point.title}", "", *section(point, rules)]
    return "\n".join(lines) + "\n"


def index_page(names: Iterable[str]) -> str:
    """The page that lists the presets."""
    lines = [
        NOTE,
        "",
        "# Rules",
        "",
        _ABOUT_RULES,
        "",
    ]
    rows = []
    for name in names:
        rules = load_rules(name)
        first = " ".join(read_notes(name).intro.split()).split(". ")[0].rstrip(".")
        rows.append((f"[`{name}`]({name}.md)", rules.title, first + ".", str(len(rules.options))))
    lines += table(("name", "rules", "what they are", "options"), rows, "lllr")
    lines += ["", _ABOUT_OWN]
    return "\n".join(lines) + "\n"


def _section(part: Section, rules: Ruleset) -> list[str]:
    heads = ("", "worth", "for", "the rule", "in the text")
    rows = [_item(item, rules) for item in part.items]
    numbers = all(row[1].replace(",", "").isdigit() for row in rows)
    lines = table(heads, rows, "lrlll" if numbers else "lllll")
    for note in part.notes:
        lines += ["", plain(note)]
    return lines


def _item(item: Item, rules: Ruleset) -> tuple[str, ...]:
    name = plain(item.name)
    if item.ja and rules.words.get("names") == "ja":
        name += f" {item.ja}"
    return name, plain(item.worth), item.who, plain(item.text), plain(item.source)


def _uses(rules: Ruleset) -> list[str]:
    said = [f"Flags a hand may have: {', '.join(f'`{flag}`' for flag in rules.flags)}."]
    said.append(
        "Dora and under-dora indicators and red fives count."
        if rules.dora
        else "No dora, no red fives (one is a plain five)."
    )
    said.append("Counters and bets lie on the table." if rules.counters else "No counters, no bets.")
    said.append("Flowers and seasons are set aside." if rules.bonus_tiles else "No flowers, no seasons.")
    if rules.losers:
        said.append("Hands that did not go out are scored, too.")
    return [" ".join(said)]


def _options(rules: Ruleset, notes: Notes) -> list[str]:
    extends = parse_extends(rules.name)
    others = read_notes(extends).points if extends else ()
    where = {name: f"{extends}.md#{anchor(point.title)}" for point in others for name in point.options}
    where |= {name: f"#{anchor(point.title)}" for point in notes.points for name in point.options}
    rows = []
    for option in rules.options.values():
        if option.name not in where:
            raise ValueError(f"{rules.name}: no disputed point says who wants the option {option.name}")
        name = f"[`{option.name}`]({where[option.name]})"
        source = plain(option.source) or "the text is silent"
        rows.append((name, f"`{written(option.default)}`", allowed(option), plain(option.text), source))
    lines = [_ABOUT_OPTIONS, ""]
    return [*lines, *table(("option", "default", "may be", "what it changes", "in the text"), rows)]


def parse_extends(name: str) -> str | None:
    """The preset that a preset extends."""
    return tomllib.loads(preset_text(name)).get("extends")


def chart_page(name: str) -> str:
    """The page of a preset's charts, with what the printed ones have otherwise."""
    rules, notes = load_rules(name), read_notes(name)
    printed = rules.with_options({"chart": "as_printed"})
    lines = [NOTE, "", f"# {rules.title}: the charts", "", *paragraphs(notes.chart)]
    for title, ours, theirs in zip(("Non-dealer", "Dealer"), charts(rules), charts(printed), strict=True):
        lines += ["", f"## {title}", "", *_chart(rules, ours, theirs)]
    return "\n".join(lines) + "\n"


def _chart(rules: Ruleset, ours: tuple[ChartRow, ...], theirs: tuple[ChartRow, ...]) -> list[str]:
    said = words(rules)
    short = {word: "".join(part[0] for part in word.split()) for word in (said.points, said.doubles)}
    assert rules.chart is not None
    heads = ["", *(f"{n} {short[said.points]}" for n in rules.chart.points)]
    printed = {n: row for row in theirs for n in row.doubles}
    rows, notes = [], []
    for row in ours:
        cells = []
        for points, cell, other in zip(rules.chart.points, row.cells, printed[row.doubles[0]].cells, strict=True):
            text = plain(cell.text)
            if cell.text != other.text:
                text = f"**{text}**"
                place = f"{row.doubles[0]} {short[said.doubles]}, {points} {short[said.points]}"
                notes.append(f"**{place}**: printed {other.text}, a misprint for {cell.text}.")
            cells.append(text)
        label = "/".join(map(str, row.doubles)) + f" {short[said.doubles]}"
        rows.append((f"{label}, {row.limit}" if row.limit else label, *cells))
    lines = table(heads, rows)
    for note in notes:
        lines += ["", note]
    return lines
