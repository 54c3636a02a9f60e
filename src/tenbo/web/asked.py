"""What the score page is asked for, as its address and its form say it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlencode

from starlette.datastructures import ImmutableMultiDict

from tenbo.errors import Problem, TenboError
from tenbo.rulefile import PRESETS
from tenbo.ruleset import Ruleset, load_rules
from tenbo.situation import BY, MOST_COUNTERS, WINDS
from tenbo.web.entry import Entry, read_entry

RULES: Final = "riichi"
SEAT: Final = "S"  # three of four winners are not the dealer
ROUND: Final = "E"
OPTION: Final = "o."
_MOST: Final = 200


@dataclass(frozen=True, slots=True)
class Asked:
    """A hand, its situation and the rules, all of which can be scored or said to be wrong.

    Attributes:
        rules: The ruleset, with its house rules.
        entry: The hand so far.
        by, seat, round, from_, flags, dora, ura, honba, sticks: As in a hand record, only what the rules know.
        text: The hand as it was written.
        problems: What could not be used.
        carried: At a table: the fields that its pages carry on. Rules, round and what lies there are the table's.
    """

    rules: Ruleset
    entry: Entry
    by: str
    seat: str
    round: str
    from_: str | None
    flags: tuple[str, ...]
    dora: str
    ura: str
    honba: int
    sticks: int
    text: str
    problems: tuple[Problem, ...] = field(default=())
    carried: tuple[tuple[str, str], ...] | None = None

    @property
    def situation(self) -> dict[str, Any]:
        """The keys of a hand record that are not the hand and not how it was won."""
        return {
            "seat": self.seat,
            "round": self.round,
            "from": self.from_,
            "flags": list(self.flags),
            "dora": self.dora,
            "ura": self.ura,
            "honba": self.honba,
            "sticks": self.sticks,
        }

    def arguments(self) -> dict[str, Any]:
        """The same as arguments for `tenbo.score`."""
        return {"from_" if key == "from" else key: value for key, value in self.situation.items()}

    def record(self) -> dict[str, Any]:
        """The hand record, without what is left at its default."""
        entry = self.entry.completed()
        out: dict[str, Any] = {"rules": self.rules.name, "hand": entry.text}
        if self.rules.values:
            out["options"] = {k: list(v) if isinstance(v, tuple) else v for k, v in self.rules.values.items()}
        if entry.win is not None:
            out["by"] = self.by
        return out | {key: value for key, value in self.situation.items() if value}

    def query(self, **changes: Any) -> str:
        """The address's query that says the same, with some of it changed.

        Args:
            **changes: `hand`, `by`, `from_` and so on; None leaves a key out.
        """
        if self.carried is not None:
            return self._query_at_table(changes)
        out: dict[str, Any] = {"rules": self.rules.name, "hand": self.entry.completed().text, "by": self.by}
        out |= {"seat": self.seat, "round": self.round, "from": self.from_, "flag": list(self.flags)}
        out |= {"dora": self.dora, "ura": self.ura, "honba": self.honba, "sticks": self.sticks}
        out |= {"from" if key == "from_" else key: value for key, value in changes.items()}
        out |= {OPTION + name: written(value) for name, value in self.rules.values.items()}
        kept = {key: value for key, value in out.items() if value}
        return urlencode(kept, doseq=True)

    def _query_at_table(self, changes: Mapping[str, Any]) -> str:
        by, from_ = changes.get("by", self.by), changes.get("from_", self.from_)
        out = {"hand": changes.get("hand", self.text), "seat": self.seat, "how": from_ if by == BY[0] else by}
        out |= {"dora": self.dora, "ura": self.ura}
        pairs = [(key, value) for key, value in out.items() if value]
        return urlencode([*pairs, *(("flag", flag) for flag in self.flags), *(self.carried or ())])


def written(value: object) -> str:
    """An option's value as it stands in an address."""
    if isinstance(value, str):
        return value
    return json.dumps(list(value) if isinstance(value, tuple) else value, separators=(",", ":"))


def read_value(text: str) -> object:
    """An option's value, read as JSON where it can be, else as a word."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def asked_options(query: ImmutableMultiDict[str, str]) -> dict[str, object]:
    """The option values in an address."""
    given = [(key, value) for key, value in query.multi_items() if key.startswith(OPTION)][:_MOST]
    return {key.removeprefix(OPTION): read_value(value) for key, value in given if value != ""}


def asked_rules(
    name: str | None, options: Mapping[str, object], problems: list[Problem], default: str = RULES
) -> Ruleset:
    """The ruleset that an address names; what it says wrongly is added to the problems and left out."""
    rules = load_rules(default)
    if name in PRESETS:
        rules = load_rules(name)
    elif name:
        problems.append(Problem("unknown_rules", f"there are no rules {name[:40]!r}; these are {rules.title}", "rules"))
    kept = {}
    for key, value in options.items():
        try:
            rules.with_options({key: value})
        except TenboError as error:
            problems += error.problems
        else:
            kept[key] = value
    return rules.with_options(kept) if kept else rules


def read_asked(query: ImmutableMultiDict[str, str]) -> Asked:
    """Reads an address's query; never fails."""
    problems: list[Problem] = []
    rules = asked_rules(query.get("rules"), asked_options(query), problems)
    by = _word(query, "by", BY) or BY[0]
    return _asked(
        query,
        rules,
        by,
        _word(query, "from", WINDS),
        round=_word(query, "round", WINDS) or ROUND,
        honba=_number(query.get("honba")) if rules.counters else 0,
        sticks=_number(query.get("sticks")) if rules.counters else 0,
        problems=tuple(problems),
    )


def read_asked_at_table(
    query: ImmutableMultiDict[str, str],
    rules: Ruleset,
    *,
    round: str,
    honba: int,
    sticks: int,
    carried: Iterable[tuple[str, str]],
) -> Asked:
    """Reads the query of a table's page for a hand; never fails.

    `how` says in one word how the hand was won: "self_draw", or the seat of the discarder.

    Args:
        query: The query.
        rules: The table's.
        round: Its round.
        honba: Its counters.
        sticks: The bets that lie there.
        carried: The fields that its pages carry on.
    """
    how = _word(query, "how", (BY[1], *WINDS))
    by, from_ = (BY[1], None) if how == BY[1] else (BY[0], how)
    more: dict[str, Any] = {"round": round, "honba": honba, "sticks": sticks, "carried": tuple(carried)}
    return _asked(query, rules, by, from_, **more)


def _asked(query: ImmutableMultiDict[str, str], rules: Ruleset, by: str, from_: str | None, **more: Any) -> Asked:
    seat = _word(query, "seat", WINDS) or SEAT
    text = query.get("hand", "")
    return Asked(
        rules=rules,
        entry=read_entry(text),
        by=by,
        seat=seat,
        from_=None if by != BY[0] or from_ == seat else from_,
        flags=tuple(flag for flag in rules.flags if flag in query.getlist("flag")),
        dora=query.get("dora", "")[:_MOST] if rules.dora else "",
        ura=query.get("ura", "")[:_MOST] if rules.dora else "",
        text=text,
        **more,
    )


def _word(query: ImmutableMultiDict[str, str], key: str, known: tuple[str, ...]) -> str | None:
    value = query.get(key)
    return value if value in known else None


def _number(text: str | None) -> int:
    value = int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else 0
    return min(value, MOST_COUNTERS)
