"""A ruleset as a rule book: its entries, limits, payments and penalties, in the players' own words.

The pages and the guides show the same one.

>>> from tenbo.ruleset import load_rules
>>> [(section.title, len(section.items)) for section in rulebook(load_rules("simplified"))][:2]
[('Base points', 11), ('Doubles', 10)]
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from tenbo.condition import Expr
from tenbo.examples import examples
from tenbo.explain import words
from tenbo.records import score_of
from tenbo.rulefile import PRESETS
from tenbo.ruleset import LIMIT_UNIT, Entry, Ruleset

__all__ = ["Item", "Section", "rulebook", "worth"]

_DEALS: Final = {"ends": "the deal ends", "goes_on": "the deal goes on", "replayed": "the deal is played again"}
_WHO: Final = {"winner": "", "loser": "losers", "all": "everybody"}
_REFERENCES: Final = {"set": "each set and pair", "combo": "each group of sets", "bonus": "each flower and season"}


@dataclass(frozen=True, slots=True)
class Item:
    """A line of a rule book.

    Attributes:
        key: Its key in the file, and its place on the page; may be empty.
        name: What people call it; `ja` is its Japanese name.
        worth: What it is worth, in a few characters.
        who: Whose hands it is for, where that is not the winner's alone.
        text: The rule in plain words; `source` its place in the rule text. Either may be empty.
        when: The condition as the file has it.
        off: Why it does not count under the house rules.
        example: An example hand's record in which it counts.
    """

    key: str
    name: str
    worth: str
    ja: str = ""
    who: str = ""
    text: str = ""
    source: str = ""
    when: str = ""
    off: bool = False
    example: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the rule book: its heading, lines, and what is to be said of them all."""

    id: str
    title: str
    items: tuple[Item, ...]
    notes: tuple[str, ...] = ()


def rulebook(rules: Ruleset) -> tuple[Section, ...]:
    """The sections of a ruleset's page, in the order in which a hand is scored."""
    raw = tomllib.loads(rules.text)
    said = words(rules)
    shown = _shown(rules.name) if rules.name in PRESETS else {}
    out = []
    for unit, title in (("points", said.points), ("doubles", said.doubles), ("limit", "Limit hands")):
        items = tuple(_item(entry, rules, shown) for entry in rules.entries if entry.unit == unit)
        if items:
            out.append(Section(unit, title[:1].upper() + title[1:], items, tuple(_notes(rules, raw, unit))))
    sections = (
        Section("limits", "Limits", tuple(_limits(rules))),
        Section("payments", "Payments", tuple(_payments(rules, raw))),
        Section("penalties", "Penalties", tuple(_penalties(rules))),
        Section("table", "The table", tuple(_table(rules))),
    )
    return (*out, *(section for section in sections if section.items))


def _item(entry: Entry, rules: Ruleset, shown: Mapping[str, Mapping[str, Any]]) -> Item:
    off = (entry.when.is_constant and not entry.when.constant) or (entry.value.is_constant and not entry.value.constant)
    when = " ".join(entry.when.text.split())
    scope = _REFERENCES.get(entry.scope)
    return Item(
        key=entry.key,
        name=entry.name,
        worth="off" if off else worth(entry, rules),
        ja=entry.ja,
        who=_WHO[entry.who] if rules.losers else "",
        text=entry.text,
        source=entry.source,
        when=f"for {scope}: {when}" if scope else when,
        off=bool(off),
        example=shown.get(entry.key),
    )


def worth(entry: Entry, rules: Ruleset) -> str:
    """What an entry is worth: "4", "3, stolen 2", "1 each", "limit"."""
    if entry.unit == "limit":
        share = int(entry.value.constant or 0)
        whole, part = divmod(share, LIMIT_UNIT)
        return "limit" if share == LIMIT_UNIT else f"{whole} × limit" if not part else f"{share / LIMIT_UNIT:g} of it"
    text = str(entry.value.constant) if entry.value.is_constant else entry.value.text
    if entry.exposed is not None:
        text += f", {rules.words.get('exposed', 'exposed')} {entry.exposed.constant}"
    return f"{text} each" if entry.times is not None else text


@lru_cache(maxsize=8)
def _shown(preset: str) -> dict[str, Mapping[str, Any]]:
    """An example hand for each entry that one has: the one with the fewest other lines."""
    best: dict[str, tuple[int, Mapping[str, Any]]] = {}
    for record in examples(preset):
        lines = score_of(record, preset).lines
        for line in lines:
            if line.key not in best or len(lines) < best[line.key][0]:
                best[line.key] = (len(lines), record)
    return {key: record for key, (_, record) in best.items()}


def _notes(rules: Ruleset, raw: Mapping[str, Any], unit: str) -> Iterable[str]:
    if unit == "points":
        rounding = raw.get("points", {})
        if rules.round_up > 1:
            yield rounding.get("text") or f"The sum is rounded up to the next {rules.round_up}."
        if rules.floor is not None:
            yield rounding.get("floor", {}).get("text") or f"At least {rules.floor.constant}."
        yield from (shape.text for shape in rules.shapes.values() if shape.text)
    if unit == "doubles" and rules.minimum:
        yield f"At least {words(rules).doubled(rules.minimum)}. {rules.minimum_text}".strip()
    if unit == "limit" and rules.limit_base is not None:
        several = "Different ones add up." if rules.limits_add else "Several count as one."
        yield f"The {rules.limit_name} is {_figure(int(rules.limit_base.constant or 0))}. {several}"


def _limits(rules: Ruleset) -> Iterable[Item]:
    for limit in rules.limits:
        base = _figure(int(limit.base.constant or 0)) if limit.base.is_constant else limit.base.text
        when = " ".join(limit.when.text.split())
        yield Item("", limit.name, base, text=limit.text or f"When {when}.", source=limit.source, when=when)


def _payments(rules: Ruleset, raw: Mapping[str, Any]) -> Iterable[Item]:
    payment = rules.payment
    each = " ".join(payment.each.text.split())
    yield Item("", "A hand", "", text=payment.text or f"Each pays {each}.", source=payment.source, when=each)
    if payment.losers is not None:
        text = raw.get("payment", {}).get("losers", {}).get("text") or " ".join(payment.losers.text.split())
        off = payment.losers.is_constant and not payment.losers.constant
        yield Item("", "Losers", "off" if off else "", text=text, off=bool(off))
    if payment.counter is not None:
        yield Item("", rules.words.get("honba", "counter").capitalize(), "", text=_counter(payment.counter))
    if payment.bet is not None:
        bet = _figure(int(payment.bet.constant or 0))
        yield Item("", rules.words.get("stick", "bet").capitalize(), bet, text="Goes to the winner.")
    if payment.winners == "first":
        yield Item("", "Several winners", "", text="The first in turn order after the discarder alone is paid.")
    if rules.liability is not None:
        yield Item("", "Liability", "", text=rules.liability.text)


def _counter(each: Expr) -> str:
    facts = dict.fromkeys(("base", "points", "doubles", "winner_dealer", "payer_dealer"), 0)

    def paid(drawn: bool, discards: bool) -> int:
        return int(each.evaluate({**facts, "self_draw": drawn, "discard": not drawn, "payer_discards": discards}))

    others = paid(False, False)
    rest = f", {others} from each other" if others else ""
    return f"{paid(False, True)} from the discarder{rest}; {paid(True, False)} from each at a self-draw."


def _penalties(rules: Ruleset) -> Iterable[Item]:
    for penalty in rules.penalties.values():
        amount = penalty.limit
        if penalty.amount is not None:
            facts = {"offender_dealer": False, "payee_dealer": False}
            amount = f"{penalty.amount.evaluate(facts)} to each"
            dealer = penalty.amount.evaluate({**facts, "payee_dealer": True})
            if dealer != penalty.amount.evaluate(facts):
                amount += f", {dealer} by and to {rules.words.get('dealer', 'the dealer')}"
        if penalty.kitty is not None:
            amount = f"{penalty.kitty.constant} into the kitty"
        end = _DEALS[penalty.deal]
        text = penalty.text or f"{end[:1].upper() + end[1:]}."
        yield Item(penalty.key, penalty.name, amount, text=text, source=penalty.source)


def _table(rules: Ruleset) -> Iterable[Item]:
    table = rules.table
    if table.draw_pool is not None:
        pool = _figure(int(table.draw_pool.constant or 0))
        yield Item("", "A drawn deal", pool, text="From those not ready to those ready.")
    stays = {"always": "after a drawn deal too", "ready": "after a drawn deal when ready"}
    dealer = rules.words.get("dealer", "dealer")
    yield Item(
        "",
        f"The {dealer}" if dealer.islower() else dealer,
        "",
        text=f"Stays on a win, and {stays[table.dealer_stays_on_draw]}.",
    )


def _figure(points: int) -> str:
    return f"{points:,}"
