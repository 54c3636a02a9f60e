"""The ledger: a game as a fold over its events. Pure functions; no clock, no chance, no database.

- `events`: what events there are and what they may say; `started_event(rules, players, ...)` makes the first.
- `standing`: `Standing` (points, dealer, round, what lies on the table), `ranking`, `money`, what ends a game.
- `play`: one event, from a standing to the next.
- `game`: `Game(started)`, with `append`, `preview`, `undo`, `inverse`, `record`; `replay(events)`.
- `gamefile`: `read_game(lines)`, `write_events(events)`, `replay_record(lines)`.
- `rematch`: `rematch(game, seats)` makes another game's first event.
"""

from tenbo.ledger.events import EVENT_KEYS, Event, Started, read_started, started_event
from tenbo.ledger.game import Game, Preview, replay
from tenbo.ledger.gamefile import read_events, read_game, replay_record, write_events
from tenbo.ledger.play import Row
from tenbo.ledger.rematch import rematch
from tenbo.ledger.standing import Place, Stake, Standing, money, ranking

__all__ = [
    "EVENT_KEYS",
    "Event",
    "Game",
    "Place",
    "Preview",
    "Row",
    "Stake",
    "Standing",
    "Started",
    "money",
    "ranking",
    "read_events",
    "read_game",
    "read_started",
    "rematch",
    "replay",
    "replay_record",
    "started_event",
    "write_events",
]
