"""The rules pages: each ruleset, generated from its file; its charts; house rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from tenbo.chart import charts
from tenbo.errors import Problem
from tenbo.explain import words
from tenbo.rulebook import rulebook
from tenbo.rulefile import PRESETS
from tenbo.ruleset import Ruleset, load_rules
from tenbo.web.asked import OPTION, asked_options, asked_rules, written
from tenbo.web.entry import read_entry
from tenbo.web.faults import Faults, placed
from tenbo.web.house import changes, choices, described, house_file, title_of
from tenbo.web.pages import page
from tenbo.web.problems import ProblemError

router = APIRouter(include_in_schema=False)
_LONGEST: Final = 60
_KEYS: Final = ("by", "from", "seat", "round", "dora", "ura", "honba", "sticks")


def hand_query(record: Mapping[str, Any], rules: Ruleset) -> str:
    """The query of the score page for an example hand under a ruleset."""
    out: dict[str, Any] = {"rules": rules.name, "hand": record["hand"]}
    out |= {key: record[key] for key in _KEYS if record.get(key)}
    if record.get("flags"):
        out["flag"] = record["flags"]
    return urlencode(out | house_query(rules), doseq=True)


def house_query(rules: Ruleset) -> dict[str, str]:
    """The house rules as they stand in an address."""
    return {OPTION + name: written(value) for name, value in rules.values.items()}


def _asked(name: str, request: Request) -> tuple[Ruleset, Faults]:
    if name not in PRESETS:
        message = f"there are no rules {name[:40]!r} (there are: {', '.join(PRESETS)})"
        raise ProblemError(404, message, page=f"there are no rules called ‘{name[:40]}’ here")
    problems: list[Problem] = []
    rules = asked_rules(name, asked_options(request.query_params), problems)
    fields: dict[object, str] = {option: OPTION + option for option in rules.options}
    return rules, placed(problems, fields, rules)


@dataclass(frozen=True, slots=True)
class ChartTable:
    """A score chart: its title, the heads of its columns, and rows of a label, cells and a limit's name."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...], str], ...]


def chart_tables(rules: Ruleset) -> tuple[ChartTable, ...]:
    """The charts of a ruleset that has some."""
    if rules.chart is None:
        return ()
    said = words(rules)
    heads = tuple(f"{points} {_short(said.points)}" for points in rules.chart.points)
    dealer = rules.words.get("dealer", "dealer")
    out = []
    for title, rows in zip(("The others", f"The {dealer}"), charts(rules), strict=True):
        lines = tuple(
            (
                "/".join(str(n - said.less) for n in row.doubles) + f" {_short(said.doubles)}",
                tuple(cell.text for cell in row.cells),
                row.limit or "",
            )
            for row in rows
        )
        out.append(ChartTable(title, heads, lines))
    return tuple(out)


def _short(word: str) -> str:
    """The initials of a word of several: "HP" for Hand Points."""
    return "".join(part[0] for part in word.split()) if " " in word else word


@router.get("/rules")
async def all_rules(request: Request) -> Response:
    """The rulesets that come with tenbo."""
    return page(request, "rules.html", all=[load_rules(name) for name in PRESETS], words=words)


@router.get("/rules.json")
async def all_rules_json() -> Response:
    """The same as data."""
    found = [load_rules(name) for name in PRESETS]
    return JSONResponse([{"name": one.name, "title": one.title, "source": one.source} for one in found])


@router.get("/rules/{name}.toml")
async def download(name: str, request: Request) -> Response:
    """House rules as a file; without any, the ruleset's whole text."""
    rules, wrong = _asked(name, request)
    if wrong:
        raise ProblemError(422, "; ".join(wrong.values()))
    title = request.query_params.get("title")
    text = house_file(rules, title_of(rules, title)) if rules.values or title else rules.text
    headers = {"Content-Disposition": f'attachment; filename="{name}{"-house" if rules.values or title else ""}.toml"'}
    return Response(text, headers=headers, media_type="application/toml")


@router.get("/rules/{name}.json")
async def rules_json(name: str, request: Request) -> Response:
    """What the page says, as data."""
    rules, wrong = _asked(name, request)
    if wrong:
        raise ProblemError(422, "; ".join(wrong.values()))
    sections = [
        {
            "title": section.title,
            "notes": section.notes,
            "items": [
                {"key": i.key, "name": i.name, "ja": i.ja, "worth": i.worth, "who": i.who, "text": i.text}
                | {"source": i.source, "when": i.when, "off": i.off}
                for i in section.items
            ],
        }
        for section in rulebook(rules)
    ]
    options = [
        {"name": o.name, "value": rules.option(o.name), "default": o.default, "allowed": o.allowed(), "text": o.text}
        for o in rules.options.values()
    ]
    return JSONResponse(
        {"name": name, "title": rules.title, "source": rules.source, "sections": sections, "options": options}
    )


@router.get("/rules/{name}")
async def one(name: str, request: Request) -> Response:
    """A ruleset's page, with house rules where its address has some."""
    rules, wrong = _asked(name, request)
    title = request.query_params.get("title", "")[:60]
    return page(
        request,
        "rule.html",
        rules=rules,
        title=title,
        faults=wrong,
        sections=rulebook(rules),
        choices=choices(rules, {field: request.query_params.get(field, "")[:_LONGEST] for field in wrong if field}),
        changes=changes(rules),
        described=described(rules),
        charts=chart_tables(rules),
        query=urlencode(house_query(rules) | ({"title": title} if title else {})),
        hand_query=hand_query,
        read_entry=read_entry,
        starred=rules.options[rules.chart.starred] if rules.chart and rules.chart.starred else None,
    )
