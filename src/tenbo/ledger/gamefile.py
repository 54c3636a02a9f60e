"""Game files: JSON Lines, one event a line, in the order in which they were added."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tenbo.errors import Problem, ReadError, TenboError
from tenbo.ledger.events import MOST_EVENTS, Event, kind_of
from tenbo.ledger.game import Game
from tenbo.records import read_json, write_json
from tenbo.waits import error_record


def read_events(lines: Iterable[str | bytes]) -> list[dict[str, Any]]:
    """Reads the lines of a game file; blank lines are skipped, and not counted as lines of the game.

    Raises:
        ReadError: A line is not JSON or no event, or there are too many; `at` is its number in the file.
    """
    events: list[dict[str, Any]] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            event = read_json(line)
            kind_of(event)
        except ReadError as error:
            problems = [Problem(p.code, f"line {number}: {p.message}", number) for p in error.problems]
            raise ReadError(problems) from None
        if len(events) >= MOST_EVENTS:
            raise ReadError([Problem("bad_value", f"a game has at most {MOST_EVENTS} events", number)])
        events.append(event)
    return events


def write_events(events: Iterable[Event]) -> Iterator[str]:
    """A game's events as lines, without line ends.

    >>> list(write_events([{"event": "note", "text": "rain"}]))
    ['{"event": "note", "text": "rain"}']
    """
    return (write_json(event) for event in events)


def read_game(lines: Iterable[str | bytes]) -> Game:
    """Reads a game file and plays it.

    Raises:
        TenboError: A line cannot be read, or the first does not begin a game. Events that make no sense where they
            stand are no error: they are without effect, and their rows say why.
    """
    return Game.replay(read_events(lines))


def replay_record(lines: Iterable[str | bytes]) -> dict[str, Any]:
    """A game file's record, as `tenbo game replay FILE --json` prints it; an error record where it cannot be read."""
    try:
        return read_game(lines).record()
    except TenboError as error:
        return error_record(error)
