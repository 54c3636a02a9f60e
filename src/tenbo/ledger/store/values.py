"""What the store hands out: frozen values."""

from __future__ import annotations

from dataclasses import dataclass

from tenbo.ledger.game import Game
from tenbo.ledger.store.tokens import Role


@dataclass(frozen=True, slots=True)
class Table:
    """What is kept of a table beside its events.

    Attributes:
        id: Its identity, which opens nothing.
        name: What it is called; may be empty.
        rules: What its rules are called.
        created: When it was made, ISO 8601.
        version: How many events it has.
    """

    id: str
    name: str
    rules: str
    created: str
    version: int


@dataclass(frozen=True, slots=True)
class Access:
    """What a token opens.

    Attributes:
        table: The table, as it was when the token was looked up.
        role: "score" or "watch".
    """

    table: Table
    role: Role

    @property
    def may_score(self) -> bool:
        """Whether it may change anything."""
        return self.role == "score"


@dataclass(frozen=True, slots=True)
class Created:
    """A table just made. Its tokens are kept nowhere else.

    Attributes:
        table: The table.
        score: The token for keeping score.
        watch: The token for watching.
        game: Its game.
    """

    table: Table
    score: str
    watch: str
    game: Game


@dataclass(frozen=True, slots=True)
class Booked:
    """An event that is on the disk.

    Attributes:
        seq: Its line, which is the table's version with it.
        game: The game right after it.
        again: It had been booked before, under the same idempotency key.
    """

    seq: int
    game: Game
    again: bool = False
