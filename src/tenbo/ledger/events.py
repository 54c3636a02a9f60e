"""The events of a game as they stand in a game file, and the first of them read.

A game is a list of JSON objects whose `event` names them, exactly one `started` first. Beyond what the interface names,
`started` may have `stake` (money per hundred points, as text such as `"0.50"`), `renamed` may say `substitute: true`
(another person has taken the seat), `note` may name the line it is about (`seq`), and every event may say `when`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any, Final

from tenbo.errors import Problem, ReadError, TenboError, error_for, nearest, shown, unknown_keys
from tenbo.fields import MOST_POINTS, MOST_START, Fields
from tenbo.ledger.standing import Stake, Standing, four
from tenbo.rulefile import PRESETS, unknown_rules
from tenbo.ruleset import Ruleset, load_rules, parse_rules

Event = Mapping[str, Any]

EVENT_KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "started": (
        *("rules", "options", "ruleset", "players", "start", "stake"),
        *("points", "dealer", "round", "honba", "sticks", "kitty"),
    ),
    "won": ("winners", "losers", "bets", "dead"),
    "drawn": ("kind", "ready", "bets"),
    "penalty": ("kind", "player", "points", "to"),
    "adjusted": ("points", "why"),
    "note": ("text", "seq"),
    "renamed": ("player", "name", "substitute"),
    "revised": ("seq", "by"),
    "finished": (),
}
"""The events and what each may say, besides `event` and `when`."""

LONGEST_NAME: Final = 80
LONGEST_TEXT: Final = 2000
MOST_EVENTS: Final = 20_000
_CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Started:
    """How a game begins.

    Attributes:
        rules: Its own rules: the text it carries, with its options.
        start: Points of each player at the start of the whole game.
        first: The standing it begins with, which may be in the middle of a game.
        when: ISO 8601, or None.
        per_hundred: Money for a hundred points, or None.
    """

    rules: Ruleset
    start: int
    first: Standing
    when: str | None = None
    per_hundred: Fraction | None = None


class EventFields(Fields):
    """Reads the values of events; players are numbers 0 to 3."""

    def player(self, value: object, at: str = "player") -> int | None:
        """A player; it must be there."""
        if type(value) is int and 0 <= value <= 3:
            return value
        if value is None:
            self.wrong(f"say '{at}': a player's number, 0 to 3", at, "missing_field")
        else:
            self.wrong(f"'{at}' must be a player's number, 0 to 3, not {shown(value)}", at)
        return None

    def players(self, value: object, at: str) -> tuple[int, ...]:
        """A list of different players; nothing is none of them."""
        if value is None:
            return ()
        if not isinstance(value, list | tuple) or len(value) > 4:
            self.wrong(f"'{at}' must be a list of players, such as [0, 2]", at)
            return ()
        found = [self.player("" if one is None else one, at) for one in value]
        if len(set(found)) < len(found) and None not in found:
            self.wrong(f"'{at}' names a player twice", at)
        return tuple(player for player in found if player is not None)

    def four(self, value: object, at: str) -> tuple[int, int, int, int]:
        """Four whole numbers, one for each player."""
        good = isinstance(value, list | tuple) and len(value) == 4
        if good and all(type(n) is int and abs(n) <= MOST_POINTS for n in value):  # type: ignore[attr-defined]
            return four(value)  # type: ignore[arg-type]
        self.wrong(f"'{at}' must be four whole numbers, one for each player", at)
        return (0, 0, 0, 0)

    def text(self, value: object, at: str, most: int, *, lines: bool = False) -> str:
        """A text without control characters (but line breaks where they may be)."""
        if not isinstance(value, str):
            self.wrong(f"'{at}' must be a text, not {shown(value)}", at)
        elif len(value) > most:
            self.wrong(f"'{at}' may have {most} characters, not {len(value)}", at)
        elif _CONTROL.search(value.replace("\n", "").replace("\t", "") if lines else value):
            self.wrong(f"'{at}' has a character that no text should have", at)
        else:
            return value
        return ""

    def when(self, value: object) -> str | None:
        """A time, or None."""
        if value is None:
            return None
        try:
            if isinstance(value, str) and len(value) <= 40:
                datetime.fromisoformat(value)
                return value
        except ValueError:
            pass
        self.wrong(f"'when' must be a time such as '2025-01-31T20:15:00+00:00', not {shown(value)}", "when")
        return None


def kind_of(event: object) -> str:
    """The name of an event.

    Raises:
        ReadError: It is no object (`bad_json`), has no name (`missing_field`) or one that is not known (`bad_value`).
    """
    if not isinstance(event, Mapping):
        raise ReadError([Problem("bad_json", f"an event is a JSON object, not {shown(event)}", None)])
    kind = event.get("event")
    if kind is None:
        message = f"say which event: {', '.join(EVENT_KEYS)}"
        raise ReadError([Problem("missing_field", message, "event")])
    if not isinstance(kind, str) or kind not in EVENT_KEYS:
        near = nearest(kind, EVENT_KEYS) if isinstance(kind, str) else None
        hint = f"; did you mean '{near}'?" if near else f" (there are: {', '.join(EVENT_KEYS)})"
        raise ReadError([Problem("bad_value", f"there is no event {shown(kind)}{hint}", "event")])
    return kind


def known_keys(event: Event, problems: list[Problem]) -> None:
    """Reports keys that the event may not have (`unknown_field`)."""
    unknown_keys(event, ("event", "when", *EVENT_KEYS[event["event"]]), problems)


def read_started(event: object) -> Started:
    """Reads a game's first event.

    Raises:
        TenboError: Something is wrong; all of it is listed.
    """
    if kind_of(event) != "started":
        message = "a game begins with the event 'started'"
        raise ReadError([Problem("bad_value", message, "event")])
    assert isinstance(event, Mapping)
    problems: list[Problem] = []
    known_keys(event, problems)
    fields = EventFields(problems)
    rules = _rules(event, fields)
    when = fields.when(event.get("when"))
    names = event.get("players")
    if names is None:
        fields.wrong("say the four players' names", "players", "missing_field")
    elif not isinstance(names, list | tuple) or len(names) != 4:
        fields.wrong("'players' must be four names", "players")
    else:
        names = [fields.text(name, "players", LONGEST_NAME) for name in names]
    start = event.get("start")
    if start is not None and (type(start) is not int or not 0 <= start <= MOST_START):
        fields.wrong(f"'start' must be one whole number from 0 to {MOST_START}, not {shown(start)}", "start")
    points = None if event.get("points") is None else fields.four(event["points"], "points")
    dealer = 0 if event.get("dealer") is None else fields.player(event["dealer"], "dealer")
    round_ = 0 if event.get("round") is None else fields.seat(event["round"], "round")
    honba, sticks = (fields.counted(event.get(key), key) for key in ("honba", "sticks"))
    kitty = []
    for item in fields.tables(event.get("kitty"), "kitty", ("player", "points"), "a player and points", 1000):
        player, amount = fields.player(item.get("player")), fields.points(item.get("points"), "points")
        kitty.append(Stake(player or 0, amount))
    per_hundred = _per_hundred(event.get("stake"), fields)
    if rules is not None:
        for key, value in (("honba", honba), ("sticks", sticks)):
            if value and not rules.counters:
                fields.wrong(f"{rules.title} knows no counters and bets: leave '{key}' out", key)
        if kitty and not rules.table.kitty:
            fields.wrong(f"{rules.title} knows no kitty: leave 'kitty' out", "kitty")
    if problems or rules is None or not isinstance(names, list):
        raise error_for(problems)
    each = rules.table.start if start is None else start
    first = Standing(
        points or (each, each, each, each),
        round_ or 0,
        dealer or 0,
        honba=honba,
        sticks=sticks,
        kitty=tuple(kitty),
        names=(names[0], names[1], names[2], names[3]),
    )
    return Started(rules, each, first, when, per_hundred)


def _rules(event: Event, fields: EventFields) -> Ruleset | None:
    """The game's own rules: the text it carries, else the preset that it names."""
    name, text = event.get("rules"), event.get("ruleset")
    try:
        if name is not None:
            name = fields.text(name, "rules", 200)
        if text is not None:
            if not isinstance(text, str):
                fields.wrong(f"'ruleset' must be the rules' text, not {shown(text)}", "ruleset")
                return None
            rules = parse_rules(text, name or None)
        elif name is None:
            fields.wrong(f"say which rules: one of {', '.join(PRESETS)}", "rules", "missing_field")
            return None
        elif name not in PRESETS:
            raise unknown_rules(name)
        else:
            rules = load_rules(name)
        return rules.with_options(event.get("options"))
    except TenboError as error:
        fields.problems += error.problems
        return None


def _per_hundred(value: object, fields: EventFields) -> Fraction | None:
    if value is None:
        return None
    text = str(value) if type(value) is int else value
    if isinstance(text, str) and len(text) <= 20 and text.replace(".", "", 1).isdecimal() and text.isascii():
        return Fraction(text if text[-1] != "." else text[:-1])
    fields.wrong(f"'stake' must be money per hundred points, such as '0.50', not {shown(value)}", "stake")
    return None


def started_event(
    rules: str | Ruleset,
    players: Iterable[str],
    *,
    options: Mapping[str, object] | None = None,
    start: int | None = None,
    when: str | None = None,
    stake: str | None = None,
) -> dict[str, Any]:
    """Makes the first event of a new game, with its own copy of the rules.

    Args:
        rules: A preset's name, a ruleset file, or a `Ruleset`.
        players: Four names, the first East first.
        options: House-rule values laid over the rules.
        start: Points of each player; None: as the rules say.
        when: The time, ISO 8601.
        stake: Money per hundred points, such as `"0.50"`.

    Raises:
        TenboError: The rules or another value cannot be used.
    """
    ruleset = load_rules(rules, options)
    event: dict[str, Any] = {
        "event": "started",
        "rules": ruleset.name,
        "options": {key: list(v) if isinstance(v, tuple) else v for key, v in ruleset.values.items()},
        "ruleset": ruleset.text,
        "players": list(players),
        "start": ruleset.table.start if start is None else start,
    }
    if when is not None:
        event["when"] = when
    if stake is not None:
        event["stake"] = stake
    read_started(event)
    return event
