"""`tenbo rules`: rulesets listed, shown and checked, and the facts that their conditions may name."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from tenbo.cli.paper import Cell, Line, paragraph, show, table, terminal_width
from tenbo.cli.streams import given_options, open_input, printable
from tenbo.errors import TenboError
from tenbo.facts import FACTS, Fact
from tenbo.rulefile import PRESETS
from tenbo.ruleset import Ruleset, load_rules


def list_rules() -> int:
    """Lists the rulesets that come with tenbo."""
    rows = []
    for name in PRESETS:
        rules = load_rules(name)
        rows.append([[(name, "name")], [(rules.title, "")], [(rules.source, "dim")]])
    show(table(rows, "lll", width=terminal_width(), indent=0, wide=(2, 1)))
    return 0


def show_rules(
    name: Annotated[str, Parameter(help="Preset, or path of a ruleset file.")],
    /,
    *,
    option: Annotated[tuple[str, ...], Parameter(negative=(), help="House rule, NAME=VALUE; may be repeated.")] = (),
    toml: Annotated[bool, Parameter(help="Print the file instead, with all that it extends.")] = False,
) -> int:
    """Shows a ruleset in the players' words, or as a file."""
    from tenbo.cli.rulebook import rulebook_page

    rules = load_rules(name, given_options(option))
    if toml:
        sys.stdout.write(rules.text)
    else:
        show(rulebook_page(rules))
    return 0


_SCOPES = {
    "hand": "of a hand as a whole: [hand.*], [last.*], [points.floor]",
    "set": "of one set or pair: [set.*], [combo.*]",
    "bonus": "of one flower or season: [bonus.*]",
    "limit": "of points and doubles already counted: [[limit]]",
    "payment": "of one payer of a scored hand: [payment], [impossible.KEY]",
    "penalty": "of one payment of a penalty: [penalty.*]",
}


def show_facts() -> int:
    """Lists the facts that conditions in a ruleset file may name."""
    width = terminal_width()
    page: list[Line] = []
    for scope, facts in FACTS.items():
        head = f"Facts {_SCOPES.get(scope, scope)}"
        page += [*([[]] if page else []), *paragraph([(head, "head")], width, 0, 2), []]
        page += table([_fact(fact) for fact in facts], "lll", width=width, wide=(2,))
    show(page)
    return 0


def _fact(fact: Fact) -> Sequence[Cell]:
    kind = {"bool": "true or false", "int": "number"}.get(fact.type, "word")
    words = f" One of {', '.join(fact.words)}." if fact.words else ""
    return [[(fact.name, "name")], [(kind, "dim")], [(fact.doc, ""), (words, "dim")]]


def check_rules(
    file: Annotated[str, Parameter(help="The path of a ruleset file.")],
    /,
) -> int:
    """Checks a ruleset file: every fault is named; else, which hands it scores differently from what it extends."""
    open_input(file).close()
    try:
        rules = load_rules(Path(file))
    except TenboError as error:
        _faults(file, error)
        return 1
    show(_summary(file, rules))
    return 0


def _faults(file: str, error: TenboError) -> None:
    width = terminal_width()
    count = len(error.problems)
    page: list[Line] = [[(f"{printable(file)}: ", "head"), (f"{count} fault{'s' if count > 1 else ''}", "wrong")]]
    for problem in error.problems:
        page += paragraph([("- ", "wrong"), (printable(problem.message), "")], width, 2, 4)
    show(page, sys.stderr)


def _summary(file: str, rules: Ruleset) -> list[Line]:
    width = terminal_width()
    counts = {unit: sum(entry.unit == unit for entry in rules.entries) for unit in ("points", "doubles", "limit")}
    said = f"{counts['points']} entries of points, {counts['doubles']} of doubles, {counts['limit']} limit hands, "
    said += f"{len(rules.options)} options"
    page: list[Line] = [[(f"{printable(file)}: ", "head"), (f"{rules.title}, no fault", "big")]]
    page += paragraph([(said, "")], width, 2)
    parent, preset = _parent(Path(file))
    if parent is None or preset is None:
        return [*page, *paragraph([("It extends nothing, so there is nothing to compare it with.", "dim")], width, 2)]
    from tenbo.examples import compare, examples

    hands = examples(preset)
    found = compare(parent, rules, hands)
    message = f"{len(found)} of {len(hands)} example hands score differently from {parent.title}"
    page += [[], [(message + (":" if found else "."), "head")]]
    for difference in found:
        page += [[], *_difference(difference.hand, difference.before, difference.after, parent, rules, width)]
    return page


def _parent(path: Path) -> tuple[Ruleset | None, str | None]:
    """What a file extends, and the preset at the end of that."""
    extends = tomllib.loads(path.read_text(encoding="utf-8")).get("extends")
    if extends is None:
        return None, None
    if extends in PRESETS:
        return load_rules(extends), extends
    above = path.parent / extends
    parent, preset = _parent(above)
    return load_rules(above), preset if parent is not None else None


def _difference(
    hand: dict[str, Any], before: dict[str, Any], after: dict[str, Any], parent: Ruleset, rules: Ruleset, width: int
) -> list[Line]:
    from tenbo.examples import only

    said = [hand.get("by", "no win").replace("_", "-"), f"seat {hand['seat']}", f"round {hand['round']}"]
    said += [flag.replace("_", " ") for flag in hand.get("flags", ())]
    if "dora" in hand:
        said.append(f"dora {hand['dora']}")
    page = paragraph([(hand["hand"], ""), (f"  {', '.join(said)}", "dim")], width, 2, 4)
    rows = [
        [[(parent.title, "dim")], *_worth(before, parent)],
        [[(rules.title, "dim")], *_worth(after, rules)],
    ]
    page += table(rows, "lrl", width=width, indent=4, wide=(2, 0))
    for label, lines in (("without", only(before, after)), ("with", only(after, before))):
        if lines:
            page += paragraph([(f"{label} ", "dim"), (", ".join(lines), "")], width, 4, 6)
    return page


def _worth(record: dict[str, Any], rules: Ruleset) -> list[Cell]:
    from tenbo.explain import words

    if "error" in record:
        message = record["errors"][0]["message"]
        return [[("-", "pay")], [(message.partition(" (")[0], "dim")]]
    said = words(rules)
    parts = [] if record["points"] is None else [f"{record['points']} {said.points}"]
    if record["doubles"] is not None:
        parts.append(said.doubled(record["doubles"]))
    if record["limit"]:
        parts.append(record["limit"])
    return [[(str(record["score"]), "big")], [(", ".join(parts), "dim")]]
