"""A game: the fold over its events, kept so that one more event costs no more than itself.

    game = Game(started_event("riichi", ["Ann", "Bea", "Cid", "Dan"]))
    game.append({"event": "won", "winners": [{"player": 1, "by": "discard", "from": 2, "han": 3, "fu": 30}]})
    game.standing.points, game.ranking, game.record()

Lines are only ever added. Undoing and editing append a `revised` event, after which everything behind the revised line
is played again; the same lines always give the same game.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tenbo.errors import Problem, ReadError, error_for, unknown_keys
from tenbo.ledger.events import EVENT_KEYS, MOST_EVENTS, Event, EventFields, Started, kind_of, read_started
from tenbo.ledger.play import Row, play
from tenbo.ledger.standing import Place, Standing, money, ranking
from tenbo.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Preview:
    """What one more event would do.

    Attributes:
        row: The event's own row: its payments, transfers (`row.settlement`) and problems. For a `revised` event that of
            the event it puts in place, or None where it takes one out.
        standing: The standing afterwards.
        ranking: The ranking afterwards.
        problems: Rows of other events that would no longer make sense, and do now.
    """

    row: Row | None
    standing: Standing
    ranking: tuple[Place, ...]
    problems: tuple[Row, ...] = ()


class Game:
    """A game and its standing. Not to be changed from several threads at once.

    Args:
        started: The game's first event.

    Raises:
        TenboError: It cannot begin a game.

    >>> from tenbo.ledger.events import started_event
    >>> game = Game(started_event("riichi", ["Ann", "Bea", "Cid", "Dan"]))
    >>> row = game.append({"event": "won", "winners": [{"player": 1, "by": "discard", "from": 2, "han": 3, "fu": 40}]})
    >>> row.payments, game.standing.points, game.standing.dealer
    ((0, 5200, -5200, 0), (25000, 30200, 19800, 25000), 1)
    """

    def __init__(self, started: Event) -> None:
        self._started = read_started(started)
        self._lines: list[Event] = [started]
        self._in_force: list[Event | None] = [started]
        self._before: list[Standing] = [self._started.first]  # each line is played in
        self._rows: list[Row | None] = [None]
        self._standing = self._started.first

    @classmethod
    def replay(cls, events: Iterable[Event]) -> Game:
        """The game of all its lines, in order; events that make no sense are without effect, and say why.

        Raises:
            TenboError: A line is no event at all, or the first does not begin a game; `at` is its number.
        """
        game: Game | None = None
        for seq, event in enumerate(events, 1):
            try:
                if game is None:
                    game = cls(event)
                else:
                    game.take(event)
            except ReadError as error:
                raise ReadError(Problem(p.code, f"line {seq}: {p.message}", seq) for p in error.problems) from None
        if game is None:
            raise ReadError([Problem("missing_field", "a game has at least the event 'started'", "event")])
        return game

    # ------------------------------------------------------------------------------------------------------- what it is

    @property
    def started(self) -> Started:
        """How it began."""
        return self._started

    @property
    def rules(self) -> Ruleset:
        """Its own rules."""
        return self._started.rules

    @property
    def lines(self) -> Sequence[Event]:
        """All its events, as they were added."""
        return tuple(self._lines)

    @property
    def version(self) -> int:
        """How many lines it has."""
        return len(self._lines)

    @property
    def standing(self) -> Standing:
        """Where it stands."""
        return self._standing

    @property
    def rows(self) -> tuple[Row, ...]:
        """What each event in force did, in order: not for `started`, for what was taken out, nor for good `revised`."""
        return tuple(row for row in self._rows if row is not None)

    @property
    def deals(self) -> tuple[Row, ...]:
        """The rows that its record lists: what pays, and whatever makes no sense."""
        return tuple(row for row in self._rows if row is not None and row.tabled)

    @property
    def ranking(self) -> tuple[Place, ...]:
        """The players, best first."""
        return ranking(self.rules, self._standing.points)

    @property
    def money(self) -> tuple[Any, ...] | None:
        """What each player wins or loses in money (exact fractions that sum to zero); None without a stake."""
        per_hundred = self._started.per_hundred
        return None if per_hundred is None else money(self.rules, self._standing.points, per_hundred)

    def in_force(self, seq: int) -> Event | None:
        """The event that line `seq` stands for now; None where it was taken out, or is a `revised` itself.

        Raises:
            IndexError: There is no such line.
        """
        if not 1 <= seq <= len(self._lines):
            raise IndexError(f"there is no line {seq}")
        return self._in_force[seq - 1]

    def record(self) -> dict[str, Any]:
        """The game's record, as `tenbo game replay FILE --json` prints it."""
        standing, unit = self._standing, self.rules.table.result_unit
        return {
            "deals": [row.record() for row in self.deals],
            "points": list(standing.points),
            "round": standing.wind,
            "dealer": standing.dealer,
            "deal": standing.deal,
            "honba": standing.honba,
            "sticks": standing.sticks,
            "kitty": [{"player": stake.player, "points": stake.points} for stake in standing.kitty],
            "finished": standing.finished,
            "ranking": [place.record(unit) for place in self.ranking],
        }

    # -------------------------------------------------------------------------------------------------------- one more

    def append(self, event: Event) -> Row | None:
        """Adds an event that makes sense.

        Returns:
            What it did; for a `revised` event the row of the event it put in place, None where it took one out.

        Raises:
            TenboError: The event cannot be read or makes no sense here; nothing was added.
        """
        preview = self.preview(event)
        self.take(event)
        return preview.row

    def preview(self, event: Event) -> Preview:
        """What `append` would do, without doing it.

        Raises:
            TenboError: As for `append`.
        """
        self._room(event)
        seq = len(self._lines) + 1
        if kind_of(event) != "revised":
            standing, row = play(self._started, self._standing, seq, event)
            if row.problems:
                raise error_for(row.problems)
            return Preview(row, standing, ranking(self.rules, standing.points))
        problems = self._revision_problems(event, seq)
        if problems:
            raise error_for(problems)
        at = event["seq"] - 1
        rows, _, standing = self._again(at, [event["by"], *self._in_force[at + 1 :]])
        if rows[0] is not None and rows[0].problems:
            raise error_for(rows[0].problems)
        worse = tuple(
            new
            for old, new in zip(self._rows[at + 1 :], rows[1:], strict=True)
            if new is not None and new.problems and not (old is not None and old.problems)
        )
        return Preview(rows[0], standing, ranking(self.rules, standing.points), worse)

    def take(self, event: Event) -> None:
        """Adds an event, be it one that makes no sense here; then it has no effect, and its row says why.

        Raises:
            ReadError: It is no event of a game, or would begin another.
        """
        self._room(event)
        seq = len(self._lines) + 1
        self._before.append(self._standing)
        self._lines.append(event)
        if kind_of(event) != "revised":
            self._standing, row = play(self._started, self._standing, seq, event)
            self._in_force.append(event)
            self._rows.append(row)
            return
        problems = self._revision_problems(event, seq)
        self._in_force.append(None)
        if problems:
            self._rows.append(Row(seq, event, self._standing, self._standing, problems=tuple(problems)))
            return
        self._rows.append(None)
        at = event["seq"] - 1
        self._in_force[at] = event["by"]
        rows, before, self._standing = self._again(at, self._in_force[at:])
        self._rows[at:], self._before[at:] = rows, before

    def undo(self) -> dict[str, Any] | None:
        """The event that would take out the latest event in force; None where there is none but `started`."""
        for at in range(len(self._lines) - 1, 0, -1):
            if self._in_force[at] is not None:
                return {"event": "revised", "seq": at + 1, "by": None}
        return None

    def inverse(self, seq: int) -> dict[str, Any]:
        """The event that takes back line `seq`: for a `revised`, it puts back what it replaced.

        Raises:
            IndexError: There is no such line, or it began the game.
        """
        if not 2 <= seq <= len(self._lines):
            raise IndexError(f"line {seq} cannot be taken back")
        event = self._lines[seq - 1]
        if event["event"] != "revised" or self._rows[seq - 1] is not None:
            return {"event": "revised", "seq": seq, "by": None}
        target = event["seq"]
        earlier: Event | None = self._lines[target - 1]
        for at in range(target, seq - 1):
            line = self._lines[at]
            if line["event"] == "revised" and line.get("seq") == target and self._rows[at] is None:
                earlier = line.get("by")
        return {"event": "revised", "seq": target, "by": earlier}

    def copy(self) -> Game:
        """Another game with the same lines, which can be added to by itself."""
        other = Game.__new__(Game)
        other._started, other._standing = self._started, self._standing
        other._lines, other._in_force = list(self._lines), list(self._in_force)
        other._before, other._rows = list(self._before), list(self._rows)
        return other

    # -------------------------------------------------------------------------------------------------------- inside

    def _room(self, event: object) -> None:
        if kind_of(event) == "started":
            raise ReadError([Problem("bad_value", "a game has started once: 'started' is its first event", "event")])
        if len(self._lines) >= MOST_EVENTS:
            raise ReadError([Problem("bad_value", f"a game has at most {MOST_EVENTS} events", "event")])

    def _again(self, at: int, events: Sequence[Event | None]) -> tuple[list[Row | None], list[Standing], Standing]:
        """Plays everything from one line on: rows, the standing before each line, and that after all."""
        standing, rows, before = self._before[at], [], []
        for i, event in enumerate(events, at):
            before.append(standing)
            row: Row | None = None
            if event is not None:
                standing, row = play(self._started, standing, i + 1, event)
            elif i < len(self._rows) and i != at:
                row = self._rows[i]  # what is wrong with a `revised` does not depend on the standing
            rows.append(row)
        return rows, before, standing

    def _revision_problems(self, event: Event, seq: int) -> list[Problem]:
        problems: list[Problem] = []
        fields = EventFields(problems)
        unknown_keys(event, ("event", "when", *EVENT_KEYS["revised"]), problems)
        fields.when(event.get("when"))
        target = event.get("seq")
        if target is None:
            fields.wrong("say the line that is replaced: 'seq'", "seq", "missing_field")
        elif type(target) is not int or not 2 <= target < seq:
            fields.wrong(f"'seq' must be the number of an earlier line, from 2 to {seq - 1}", "seq")
        elif self._lines[target - 1]["event"] == "revised":
            fields.wrong("a 'revised' is not revised itself: revise the line that it replaced", "seq")
        by = event.get("by")
        if by is None:
            return problems
        try:
            if kind_of(by) in ("started", "revised"):
                fields.wrong("a line cannot become 'started' or 'revised'", "by")
        except ReadError as error:
            problems += [
                Problem(p.code if p.code != "bad_json" else "bad_value", p.message, "by") for p in error.problems
            ]
        return problems


def replay(events: Iterable[Event]) -> Game:
    """The game of all its events, in order; see `Game.replay`."""
    return Game.replay(events)
