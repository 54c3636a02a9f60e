"""What the score page is asked for, as its address and its form say it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final
from urllib.parse import urlencode

from starlette.datastructures import FormData, ImmutableMultiDict

from tenbo.errors import Problem, TenboError, nearest
from tenbo.rulefile import PRESETS
from tenbo.ruleset import Ruleset, load_rules
from tenbo.situation import BY, FLAGS, MOST_COUNTERS, WINDS
from tenbo.web.entry import Entry, read_entry

Query = ImmutableMultiDict[str, str]
RULES: Final = "riichi"
SEAT: Final = "S"  # three of four winners are not the dealer
ROUND: Final = "E"
OPTION: Final = "o."
INDICATORS: Final = {"dora": "dora indicators", "ura": "under-dora indicators"}
COUNTED: Final = {"honba": ("honba", "counter"), "sticks": ("stick", "bet")}
_KEYS: Final = ("rules", "hand", "by", "seat", "round", "from", "flag", "dora", "ura", "honba", "sticks")
_WINDS: Final = {"E": "East", "S": "South", "W": "West", "N": "North"}
_MOST: Final = 200
_MOST_FLAGS: Final = 20
_SHORT: Final = 24
_MINUS: Final = str.maketrans("−–", "--")
_ROW: Final = re.compile(r"\s*\[?\s*[+-]?[0-9]{1,12}(?:(?:\s*[,;]\s*|\s+)[+-]?[0-9]{1,12})+\s*\]?\s*")


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
    """An option's value: numbers in a row as people write them, with brackets or without; JSON; else a word.

    >>> read_value("20, 10, −10,-20"), read_value("[5,-5]"), read_value("true"), read_value("shape")
    ([20, 10, -10, -20], [5, -5], True, 'shape')
    """
    if row := _ROW.fullmatch(text.translate(_MINUS)):
        return [int(one) for one in re.findall(r"[+-]?[0-9]+", row[0])]
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def asked_options(query: Query | FormData) -> dict[str, object]:
    """The option values in an address, or in a form that carries them on."""
    given = [(key, value) for key, value in query.multi_items() if key.startswith(OPTION)][:_MOST]
    return {key.removeprefix(OPTION): read_value(value) for key, value in given if isinstance(value, str) and value}


def asked_rules(
    name: str | None, options: Mapping[str, object], problems: list[Problem], default: str = RULES
) -> Ruleset:
    """The ruleset that an address names; what it says wrongly is added to the problems and left out."""
    rules = load_rules(default)
    if name in PRESETS:
        rules = load_rules(name)
    elif name:
        message = f"there are no rules ‘{_short(name)}’; {rules.title} is used instead"
        problems.append(Problem("unknown_rules", message, "rules"))
    kept = {}
    for key, value in options.items():
        try:
            rules.with_options({key: value})
        except TenboError as error:
            problems += error.problems
        else:
            kept[key] = value
    return rules.with_options(kept) if kept else rules


def read_asked(query: Query) -> Asked:
    """Reads an address's query; never fails: what it cannot use it leaves out, and says so in the problems."""
    problems: list[Problem] = []
    rules = asked_rules(query.get("rules"), asked_options(query), problems)
    by = _word(query, "by", BY, problems, BY[0]) or BY[0]
    from_ = _word(query, "from", WINDS, problems)
    seat = _word(query, "seat", WINDS, problems, SEAT) or SEAT
    if from_ is not None and by != BY[0]:
        problems.append(_left_out("from", f"{_WINDS[from_]} as discarder", "the tile was drawn"))
    elif from_ is not None and from_ == seat:
        problems.append(_left_out("from", f"{_WINDS[from_]} as discarder", "that is who won"))
    asked = _asked(
        query,
        rules,
        by,
        seat,
        from_,
        problems,
        round=_word(query, "round", WINDS, problems, ROUND) or ROUND,
        honba=_number(query, "honba", rules, problems),
        sticks=_number(query, "sticks", rules, problems),
    )
    for key in dict.fromkeys(key for key in query if key not in _KEYS and not key.startswith(OPTION)):
        if near := nearest(key, _KEYS):  # others are nothing to do with hands
            problems.append(
                _left_out(key, f"‘{_short(key)}’", f"there is no such thing to say; did you mean ‘{near}’?")
            )
    return replace(asked, problems=tuple(problems))


def read_asked_at_table(
    query: Query,
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
    problems: list[Problem] = []
    how, seat = _word(query, "how", (BY[1], *WINDS), []), _word(query, "seat", WINDS, []) or SEAT
    by, from_ = (BY[1], None) if how == BY[1] else (BY[0], how)
    if from_ is not None and from_ == seat:
        message = "nobody wins on their own discard: say who else discarded the tile, or that it was drawn"
        problems.append(Problem("bad_value", message, "how"))
    more: dict[str, Any] = {"round": round, "honba": honba, "sticks": sticks, "carried": tuple(carried)}
    return replace(_asked(query, rules, by, seat, from_, problems, **more), problems=tuple(problems))


def _asked(
    query: Query, rules: Ruleset, by: str, seat: str, from_: str | None, problems: list[Problem], **more: Any
) -> Asked:
    text = query.get("hand", "")
    return Asked(
        rules=rules,
        entry=read_entry(text),
        by=by,
        seat=seat,
        from_=None if by != BY[0] or from_ == seat else from_,
        flags=_flags(query, rules, problems),
        dora=_indicators(query, "dora", rules, problems),
        ura=_indicators(query, "ura", rules, problems),
        text=text,
        **more,
    )


def _flags(query: Query, rules: Ruleset, problems: list[Problem]) -> tuple[str, ...]:
    given = list(dict.fromkeys(flag for flag in query.getlist("flag") if flag))
    for flag in given[:_MOST_FLAGS]:
        if flag in rules.flags:
            continue
        why = "no rules have it"
        if flag in FLAGS:
            why = f"{rules.title} does not have it"
        elif near := nearest(flag, rules.flags):
            why += f"; did you mean ‘{near}’?"
        problems.append(_left_out("flag", f"‘{_short(flag).replace('_', ' ')}’", why))
    return tuple(flag for flag in rules.flags if flag in given)


def _indicators(query: Query, key: str, rules: Ruleset, problems: list[Problem]) -> str:
    text = query.get(key, "")
    if text and not rules.dora:
        problems.append(_left_out(key, f"{INDICATORS[key]} ‘{_short(text)}’", f"{rules.title} knows no dora"))
        return ""
    return text[:_MOST]


def _word(
    query: Query, key: str, known: tuple[str, ...], problems: list[Problem], instead: str | None = None
) -> str | None:
    value = query.get(key)
    if not value or value in known:
        return value or None
    of = ", ".join(known[:-1])
    why = f"it is {of} or {known[-1]}" + (
        "" if instead is None else f"; {_WINDS.get(instead, instead)} is used instead"
    )
    problems.append(_left_out(key, f"{key} ‘{_short(value)}’", why.replace("_", "-")))
    return None


def _number(query: Query, key: str, rules: Ruleset, problems: list[Problem]) -> int:
    text = query.get(key, "").strip()
    what = rules.words.get(*COUNTED[key])
    what += "" if what == "honba" else "s"
    if not text or text == "0":
        return 0
    if not rules.counters:
        problems.append(_left_out(key, f"{what} ‘{_short(text)}’", f"{rules.title} knows none"))
    elif not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= MOST_COUNTERS):
        problems.append(_left_out(key, f"{what} ‘{_short(text)}’", f"it is a whole number from 0 to {MOST_COUNTERS}"))
    else:
        return int(text)
    return 0


def _left_out(key: str, what: str, why: str) -> Problem:
    return Problem("bad_value", f"{what}: {why}", key)


def _short(text: str) -> str:
    return text if len(text) <= _SHORT else text[:_SHORT] + "…"
