"""A game: the fold over its events, kept so that one more event costs no more than itself.

    game = Game(started_event("riichi", ["Ann", "Bea", "Cid", "Dan"]))
    game.append({"event": "won", "winners": [{"player": 1, "by": "discard", "from": 2, "han": 3, "fu": 30}]})
    game.standing.points, game.ranking, game.record()

Lines are only ever added. Undoing and editing append a `revised` event, after which everything behind the revised line
is played again; the same lines always give the same game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from tenbo.errors import Problem, ReadError, error_for, unknown_keys
from tenbo.ledger.events import EVENT_KEYS, MOST_EVENTS, Event, EventFields, Started, kind_of, read_started
from tenbo.ledger.play import Row, play
from tenbo.ledger.standing import Place, Standing, money, ranking
from tenbo.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Change:
    """What a line changed.

    Attributes:
        seq: The line.
        target: The line whose event it changed: itself, or the one that it revised.
        before, after: The event that stood there, and the one that stands there then; None for none.
    """

    seq: int
    target: int
    before: Event | None
    after: Event | None

    def inverse(self) -> dict[str, Any]:
        """The event that takes it back."""
        return {"event": "revised", "seq": self.target, "by": self.before}


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


@dataclass(frozen=True, slots=True)
class _Change:
    """What events make of all lines from one on: events in force, their rows, standings before each and after all."""

    at: int
    in_force: list[Event | None]
    rows: list[Row | None]
    before: list[Standing]
    after: Standing
    problems: tuple[Problem, ...]


class Game:
    """A game and its standing. Not to be changed from several threads at once; its events are not to be changed at all.

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
        in_force: list[Event | None] = []
        wrong: dict[int, Row] = {}
        for seq, event in enumerate(events, 1):
            try:
                if game is None:
                    game = cls(event)
                    in_force.append(event)
                    continue
                revised = game._kind(event, seq) == "revised"
            except ReadError as error:
                raise ReadError(Problem(p.code, f"line {seq}: {p.message}", seq) for p in error.problems) from None
            game._lines.append(event)
            in_force.append(None if revised else event)
            if revised:
                problems = game._revision_problems(event, seq)
                if problems:
                    first = game._standing
                    wrong[seq - 1] = Row(seq, event, first, first, problems=tuple(problems))
                else:
                    in_force[event["seq"] - 1] = event.get("by")
        if game is None:
            raise ReadError([Problem("missing_field", "a game has at least the event 'started'", "event")])
        game._put(game._played(1, in_force[1:], wrong))  # once, however much was revised
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
        return ranking(self.rules, self._standing.points, self._standing.left_over)

    @property
    def money(self) -> tuple[Fraction, ...] | None:
        """What each player wins or loses in money (exact fractions that sum to zero); None without a stake."""
        per_hundred = self._started.per_hundred
        return None if per_hundred is None else money(self.ranking, self.rules.table.result_unit, per_hundred)

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
        change = self._change(event)
        if change.problems:
            raise error_for(change.problems)
        self._lines.append(event)
        self._put(change)
        return change.rows[0]

    def preview(self, event: Event) -> Preview:
        """What `append` would do, without doing it.

        Raises:
            TenboError: As for `append`.
        """
        change = self._change(event)
        if change.problems:
            raise error_for(change.problems)
        worse = tuple(
            new
            for old, new in zip(self._rows[change.at + 1 :], change.rows[1:], strict=False)
            if new is not None and new.problems and not (old is not None and old.problems)
        )
        after = change.after
        return Preview(change.rows[0], after, ranking(self.rules, after.points, after.left_over), worse)

    def take(self, event: Event) -> None:
        """Adds an event, be it one that makes no sense here; then it has no effect, and its row says why.

        Raises:
            ReadError: It is no event of a game, or would begin another.
        """
        change = self._change(event)
        self._lines.append(event)
        self._put(change)

    def undo(self) -> dict[str, Any] | None:
        """The event that would take back the latest change which was not taken back yet, an edit too.

        Returns:
            The event; None where nothing is left to be undone.
        """
        done: list[Change] = []
        for change in self.changes():
            if done and (done[-1].target, done[-1].before) == (change.target, change.after):
                done.pop()  # it was an undo itself
            else:
                done.append(change)
        return done[-1].inverse() if done else None

    def inverse(self, seq: int) -> dict[str, Any] | None:
        """The event that takes back line `seq`: for a `revised`, it puts back what it replaced.

        Returns:
            The event; None for a `revised` that had no effect.

        Raises:
            IndexError: There is no such line, or it began the game.
        """
        if not 2 <= seq <= len(self._lines):
            raise IndexError(f"line {seq} cannot be taken back")
        return next((change.inverse() for change in self.changes() if change.seq == seq), None)

    def changes(self) -> Iterator[Change]:
        """What each line after the first put where, in order; those of a `revised` that had no effect are left out."""
        now: dict[int, Event | None] = {}
        for seq, line in enumerate(self._lines[1:], 2):
            revised = line["event"] == "revised"
            if revised and self._rows[seq - 1] is not None:
                continue
            target, after = (line["seq"], line.get("by")) if revised else (seq, line)
            yield Change(seq, target, now.get(target), after)
            now[target] = after

    def copy(self) -> Game:
        """Another game with the same lines, which can be added to by itself."""
        other = Game.__new__(Game)
        other._started, other._standing = self._started, self._standing
        other._lines, other._in_force = list(self._lines), list(self._in_force)
        other._before, other._rows = list(self._before), list(self._rows)
        return other

    # -------------------------------------------------------------------------------------------------------- inside

    def _change(self, event: Event) -> _Change:
        """Plays one more event; for a `revised`, everything from the line it replaces on."""
        at = len(self._lines)
        if self._kind(event, at + 1) != "revised":
            after, row = play(self._started, self._standing, at + 1, event)
            return _Change(at, [event], [row], [self._standing], after, row.problems)
        problems = self._revision_problems(event, at + 1)
        if problems:
            row = Row(at + 1, event, self._standing, self._standing, problems=tuple(problems))
            return _Change(at, [None], [row], [self._standing], self._standing, row.problems)
        first = event["seq"] - 1
        wrong = {i: row for i, row in enumerate(self._rows) if row is not None and self._in_force[i] is None}
        return self._played(first, [event.get("by"), *self._in_force[first + 1 :], None], wrong)

    def _played(self, first: int, in_force: list[Event | None], wrong: Mapping[int, Row]) -> _Change:
        """Plays the events in force from one line on; `wrong` are the rows of `revised` events that make no sense."""
        standing = self._before[first] if first < len(self._before) else self._standing
        rows: list[Row | None] = []
        before: list[Standing] = []
        for at, event in enumerate(in_force, first):
            before.append(standing)
            row = None
            if event is not None:
                standing, row = play(self._started, standing, at + 1, event)
            elif at in wrong:
                row = replace(wrong[at], before=standing, after=standing)
            rows.append(row)
        return _Change(first, in_force, rows, before, standing, rows[0].problems if rows and rows[0] else ())

    def _kind(self, event: object, seq: int) -> str:
        kind = kind_of(event)
        if kind == "started":
            raise ReadError([Problem("bad_value", "a game has started once: 'started' is its first event", "event")])
        if seq > MOST_EVENTS:
            raise ReadError([Problem("bad_value", f"a game has at most {MOST_EVENTS} events", "event")])
        return kind

    def _put(self, change: _Change) -> None:
        at = change.at
        self._in_force[at:], self._rows[at:], self._before[at:] = change.in_force, change.rows, change.before
        self._standing = change.after

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
