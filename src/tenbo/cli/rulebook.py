"""A ruleset as a page that reads like its rule text."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from typing import Any

from tenbo.cli.paper import Cell, Line, paragraph, table, terminal_width
from tenbo.condition import Expr
from tenbo.explain import option_text, words
from tenbo.ruleset import LIMIT_UNIT, Entry, Ruleset

_WHO = {"winner": "", "loser": "losers", "all": "everybody"}
_DEALS = {"ends": "the deal ends", "goes_on": "the deal goes on", "replayed": "the deal is played again"}


def rulebook_page(rules: Ruleset) -> list[Line]:
    """The whole ruleset: what earns points and doubles, limits, payments, penalties, the table, options."""
    width = terminal_width()
    raw = tomllib.loads(rules.text)
    said = words(rules)
    page: list[Line] = [[(rules.title, "head")]]
    if rules.source:
        page += paragraph([(rules.source, "dim")], width)
    changed = [f"{name} = {option_text(value)}" for name, value in rules.values.items()]
    if changed:
        page += paragraph([("with ", "dim"), (", ".join(changed), "")], width)
    for unit, head in (("points", said.points), ("doubles", said.doubles), ("limit", "Limit hands")):
        entries = [entry for entry in rules.entries if entry.unit == unit]
        if entries:
            page += [[], [(head[:1].upper() + head[1:], "head")], []]
            align = "lrll" if all(_worth(entry, rules).isdigit() for entry in entries) else "llll"
            page += table([_entry(entry, rules) for entry in entries], align, width=width, wide=(3, 0, 2))
            page += _notes(rules, raw, unit, width)
    page += _limits(rules, width)
    page += _section("Payments", _payments(rules, raw), width)
    page += _section("Penalties", _penalties(rules), width)
    page += _section("The table", _table(rules), width)
    page += _options(rules, width)
    if rules.chart is not None:
        page += [[], *paragraph([(f"tenbo chart {rules.name} prints the score chart.", "dim")], width)]
    return page


def _entry(entry: Entry, rules: Ruleset) -> Sequence[Cell]:
    name: list[tuple[str, str]] = [(entry.name, "")]
    if entry.ja and rules.words.get("names") == "ja":
        name.append((f" {entry.ja}", "dim"))
    text = entry.text or (f"({entry.source})" if entry.source else "")
    who = _WHO[entry.who] if rules.losers else ""
    off = entry.when.is_constant and not entry.when.constant
    return [name, [("off" if off else _worth(entry, rules), "dim" if off else "name")], [(who, "dim")], [(text, "dim")]]


def _worth(entry: Entry, rules: Ruleset) -> str:
    """What an entry is worth: "4", "3, stolen 2", "1 each", "limit"."""
    if entry.unit == "limit":
        share = int(entry.value.constant or 0)
        whole, part = divmod(share, LIMIT_UNIT)
        return "limit" if share == LIMIT_UNIT else f"{whole} x limit" if not part else f"{share / LIMIT_UNIT:g} of it"
    worth = str(entry.value.constant) if entry.value.is_constant else entry.value.text
    if entry.exposed is not None:
        worth += f", {rules.words.get('exposed', 'exposed')} {entry.exposed.constant}"
    if entry.times is not None:
        worth += " each"
    return worth


def _notes(rules: Ruleset, raw: dict[str, Any], unit: str, width: int) -> list[Line]:
    notes = []
    if unit == "points":
        rounding, floor = raw.get("points", {}), raw.get("points", {}).get("floor", {})
        if rules.round_up > 1:
            notes.append(rounding.get("text") or f"The sum is rounded up to the next {rules.round_up}.")
        if rules.floor is not None:
            notes.append(floor.get("text") or f"At least {rules.floor.constant}.")
        notes += [shape.text for shape in rules.shapes.values() if shape.text]
    if unit == "doubles" and rules.minimum:
        notes.append(f"At least {rules.minimum} are needed. {rules.minimum_text}".strip())
    if unit == "limit" and rules.limit_base is not None:
        several = "Different ones add up." if rules.limits_add else "Several count as one."
        notes.append(f"The {rules.limit_name} is {rules.limit_base.constant}. {several}")
    return [line for note in notes for line in [[], *paragraph([(note, "")], width, 2)]]


def _limits(rules: Ruleset, width: int) -> list[Line]:
    if not rules.limits:
        return []
    rows = []
    for limit in rules.limits:
        base = str(limit.base.constant) if limit.base.is_constant else limit.base.text
        when = f"when {limit.when.python().removeprefix('(').removesuffix(')')}"
        rows.append([[(limit.name, "")], [(base, "name")], [(limit.text or when, "dim")]])
    page: list[Line] = [[], [("Limits", "head")], []]
    return page + table(rows, "lrl", width=width, wide=(2, 0))


def _payments(rules: Ruleset, raw: dict[str, Any]) -> Iterable[tuple[str, str]]:
    payment = rules.payment
    yield "a hand", payment.text or payment.each.text
    if payment.losers is not None:
        yield "losers", raw.get("payment", {}).get("losers", {}).get("text") or payment.losers.text
    if payment.counter is not None:
        yield rules.words.get("honba", "counter"), _counter(payment.counter)
    if payment.bet is not None:
        yield rules.words.get("stick", "bet"), str(payment.bet.constant)
    if payment.winners == "first":
        yield "several winners", "The first in turn order after the discarder alone is paid."
    if rules.liability is not None:
        yield "liability", rules.liability.text


def _counter(each: Expr) -> str:
    """Who pays how much for a counter, in words."""
    facts = dict.fromkeys(("base", "points", "doubles", "winner_dealer", "payer_dealer"), 0)

    def paid(drawn: bool, discards: bool) -> int:
        return int(each.evaluate({**facts, "self_draw": drawn, "discard": not drawn, "payer_discards": discards}))

    others = paid(False, False)
    rest = f", {others} from each other" if others else ""
    return f"{paid(False, True)} from the discarder{rest}; {paid(True, False)} from each at a self-draw"


def _penalties(rules: Ruleset) -> Iterable[tuple[str, str]]:
    for penalty in rules.penalties.values():
        amount = _amount(rules, penalty.amount) if penalty.amount is not None else penalty.limit
        if penalty.kitty is not None:
            amount = f"{penalty.kitty.constant} into the kitty"
        text = penalty.text or f"{amount + '; ' if amount else ''}{_DEALS[penalty.deal]}"
        yield f"{penalty.name} ({penalty.key})", text


def _amount(rules: Ruleset, amount: Expr) -> str:
    """What a penalty costs, in words."""
    each = amount.evaluate({"offender_dealer": False, "payee_dealer": False})
    by, to = ({"offender_dealer": offends, "payee_dealer": not offends} for offends in (True, False))
    dealer = rules.words.get("dealer", "dealer")
    if amount.evaluate(by) == amount.evaluate(to) == each:
        return f"{each} to each other"
    return f"{each} to each other, {amount.evaluate(to)} to {dealer}, {amount.evaluate(by)} from {dealer}"


def _table(rules: Ruleset) -> Iterable[tuple[str, str]]:
    table_ = rules.table
    if table_.draw_pool is not None:
        yield "drawn deal", f"{table_.draw_pool.constant} from those not ready to those ready"
    stays = {"always": "stays after a drawn deal", "ready": "stays after a drawn deal when ready"}
    yield rules.words.get("dealer", "dealer"), f"stays on a win, {stays[table_.dealer_stays_on_draw]}"


def _section(head: str, rows: Iterable[tuple[str, str]], width: int) -> list[Line]:
    cells: list[Sequence[Cell]] = [[[(label, "")], [(" ".join(text.split()), "dim")]] for label, text in rows]
    return [[], [(head, "head")], [], *table(cells, "ll", width=width, wide=(1, 0))] if cells else []


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
