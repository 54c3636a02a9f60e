"""A ruleset as a page that reads like its rule text."""

from __future__ import annotations

from collections.abc import Sequence

from tenbo.cli.paper import Cell, Line, paragraph, table, terminal_width
from tenbo.explain import option_text
from tenbo.rulebook import Item, Section, rulebook
from tenbo.ruleset import Ruleset

_FIGURES = ("points", "doubles", "limit", "limits")  # sections whose lines are worth a few characters each


def rulebook_page(rules: Ruleset) -> list[Line]:
    """The whole ruleset: what earns points and doubles, limits, payments, penalties, the table, options."""
    width = terminal_width()
    page: list[Line] = [[(rules.title, "head")]]
    if rules.source:
        page += paragraph([(rules.source, "dim")], width)
    changed = [f"{name} = {option_text(value)}" for name, value in rules.values.items()]
    if changed:
        page += paragraph([("with ", "dim"), (", ".join(changed), "")], width)
    for section in rulebook(rules):
        page += _section(section, rules, width)
    page += _options(rules, width)
    if rules.chart is not None:
        page += [[], *paragraph([(f"tenbo chart {rules.name} prints the score chart.", "dim")], width)]
    return page


def _section(section: Section, rules: Ruleset, width: int) -> list[Line]:
    if section.id not in _FIGURES:
        rows = [_item(section, item, rules) for item in section.items]
        said = [
            [name, [*amount, (": " if item.worth and item.text else "", "dim"), *text]]
            for item, (name, amount, _, text) in zip(section.items, rows, strict=True)
        ]
        return [[], [(section.title, "head")], [], *table(said, "ll", width=width, wide=(1, 0))]
    figures = all(item.worth.replace(",", "").isdigit() for item in section.items)
    rows = [_item(section, item, rules) for item in section.items]
    page: list[Line] = [[], [(section.title, "head")], []]
    page += table(rows, "lrll" if figures else "llll", width=width, wide=(3, 0, 2))
    for note in section.notes:
        page += [[], *paragraph([(note, "")], width, 2)]
    return page


def _item(section: Section, item: Item, rules: Ruleset) -> Sequence[Cell]:
    name: list[tuple[str, str]] = [(item.name, "")]
    if item.ja and rules.words.get("names") == "ja":
        name.append((f" {item.ja}", "dim"))
    if section.id == "penalties":  # the key is what a settlement names
        name.append((f" ({item.key})", "dim"))
    text = item.text or (f"({item.source})" if item.source else "")
    return [name, [(item.worth, "dim" if item.off else "name")], [(item.who, "dim")], [(text, "dim")]]


def _options(rules: Ruleset, width: int) -> list[Line]:
    if not rules.options:
        return []
    page: list[Line] = [
        [],
        [("Options", "head")],
        *paragraph([("--option NAME=VALUE lays a value over", "dim")], width),
        [],
    ]
    rows: list[Sequence[Cell]] = []
    for option in rules.options.values():
        value = option_text(rules.option(option.name))
        about = [(option.text, ""), (f" ({option.allowed()})" if option.text else option.allowed(), "dim")]
        rows.append([[(option.name, "name")], [(value, "head")], about])
    return page + table(rows, "lll", width=width, wide=(2, 1))
