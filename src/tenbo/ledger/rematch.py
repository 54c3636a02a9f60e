"""Another game of the same four players under the same rules."""

from __future__ import annotations

from random import Random
from typing import Any, Literal

from tenbo.ledger.game import Game

Seating = Literal["kept", "turned", "drawn"]


def rematch(
    game: Game, seats: Seating = "kept", *, draw: Random | None = None, when: str | None = None
) -> dict[str, Any]:
    """Makes the first event of another game.

    Args:
        game: The game that was played; names are those at its end, rules and stake its own.
        seats: "kept": everybody sits as before; "turned": each moves on by one, so that the last East's successor,
            player 1, is East; "drawn": by lot.
        draw: What draws the lots; needed for "drawn", so that nothing here is left to chance unseen.
        when: The time, ISO 8601.

    Raises:
        ValueError: The seats are drawn without something to draw with, or `seats` is another word.

    >>> from tenbo.ledger.events import started_event
    >>> game = Game(started_event("basic", ["Ann", "Bea", "Cid", "Dan"]))
    >>> rematch(game, "turned")["players"]
    ['Bea', 'Cid', 'Dan', 'Ann']
    """
    order = [0, 1, 2, 3]
    if seats == "turned":
        order = [1, 2, 3, 0]
    elif seats == "drawn":
        if draw is None:
            raise ValueError("seats that are drawn need a Random to draw with")
        draw.shuffle(order)
    elif seats != "kept":
        raise ValueError("seats are kept, turned or drawn")
    old = game.lines[0]
    event: dict[str, Any] = {
        "event": "started",
        **{key: old[key] for key in ("rules", "options", "ruleset") if old.get(key) is not None},
        "players": [game.standing.names[player] for player in order],
        "start": game.started.start,
    }
    if old.get("stake") is not None:
        event["stake"] = old["stake"]
    if when is not None:
        event["when"] = when
    return event
