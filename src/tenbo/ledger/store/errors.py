"""What can go wrong with stored tables, apart from events that cannot be booked (those raise `TenboError`)."""

from __future__ import annotations

from tenbo.ledger.game import Game


class StoreError(Exception):
    """A table could not be read or changed; nothing was changed."""


class NoTableError(StoreError):
    """There is no such table, or it was deleted."""

    def __init__(self) -> None:
        super().__init__("there is no such table, or it was deleted")


class NotAllowedError(StoreError):
    """A link for watching was used to change something."""

    def __init__(self) -> None:
        super().__init__("this link is for watching; a change needs the table's link for scoring")


class ConflictError(StoreError):
    """Somebody else was first.

    Args:
        game: The game as it is now.
        expected: The version that was expected.
    """

    def __init__(self, game: Game, expected: int) -> None:
        happened = game.version - expected
        if happened > 0:
            text = f"{happened} more event{'s' * (happened != 1)} booked since version {expected}"
        else:
            text = f"there is no version {expected} yet"
        super().__init__(f"the table is at version {game.version}: {text}; look at what happened, then try again")
        self.game, self.expected = game, expected


class KeyReusedError(StoreError):
    """An idempotency key came with another event than before."""

    def __init__(self) -> None:
        super().__init__("this idempotency key was used for another event: take a new key for a new event")


class TableFullError(StoreError):
    """A table has as many events as a table may have.

    Args:
        most: How many that are.
    """

    def __init__(self, most: int) -> None:
        super().__init__(f"a table holds {most:,} events at most: start a rematch")


class UnavailableError(StoreError):
    """The database does not answer, or not as it should; what was acknowledged before is not touched."""


class NoSpaceError(UnavailableError):
    """The database cannot grow."""


class BackupError(StoreError):
    """A backup cannot be written or read."""
