"""Games kept in memory, so that one more event costs no more than itself."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Final

from tenbo.ledger.game import Game

MOST_LINES: Final = 50_000


class Games:
    """The games played last. A game that is kept is never changed: one more event makes another game.

    Args:
        most: How many lines all games together may have.
    """

    def __init__(self, most: int = MOST_LINES) -> None:
        self._most = most
        self._lines = 0
        self._kept: OrderedDict[str, Game] = OrderedDict()
        self._lock = Lock()

    def get(self, table: str) -> Game | None:
        """The newest game that is kept of a table."""
        with self._lock:
            game = self._kept.get(table)
            if game is not None:
                self._kept.move_to_end(table)
            return game

    def put(self, table: str, game: Game) -> None:
        """Keeps a game, unless a newer one is kept already."""
        with self._lock:
            old = self._kept.pop(table, None)
            if old is not None:
                self._lines -= old.version
                if old.version > game.version:
                    game = old
            self._kept[table] = game
            self._lines += game.version
            while self._lines > self._most and len(self._kept) > 1:
                _, gone = self._kept.popitem(last=False)
                self._lines -= gone.version

    def drop(self, table: str) -> None:
        """Forgets a table."""
        with self._lock:
            old = self._kept.pop(table, None)
            if old is not None:
                self._lines -= old.version
