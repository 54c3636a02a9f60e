"""What a log of a real game says, the same for every client's format.

Players are numbered 0 to 3 by their seats at the start: player 0 is the first East. A deal's seats are its winds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tenbo.errors import Problem, ReadError

__all__ = [
    "WINDS",
    "ClientResult",
    "Deal",
    "Draw",
    "Game",
    "LogError",
    "Payments",
    "Win",
    "seat_of",
]

WINDS: Final = "ESWN"

Payments = tuple[int, int, int, int]
"""Signed changes in points of players 0 to 3."""


class LogError(ReadError):
    """A file, or a game in it, that cannot be read as a game log.

    Attributes:
        foreign: True where the content does not look like a game log at all (a text file in a folder of logs, say),
            so that a walk through a folder may pass it over without alarm.
    """

    foreign: bool

    def __init__(self, message: str, at: str | int | None = None, *, foreign: bool = False) -> None:
        super().__init__((Problem("bad_value", message, at),))
        self.foreign = foreign
        self._arguments = (message, at, foreign)

    def __reduce__(self) -> tuple[Any, ...]:
        return _log_error, self._arguments


def _log_error(message: str, at: str | int | None, foreign: bool) -> LogError:
    return LogError(message, at, foreign=foreign)


def seat_of(player: int, dealer: int) -> str:
    """The wind of a player in a deal: `seat_of(2, dealer=1)` is `"S"`."""
    return WINDS[(player - dealer) % 4]


@dataclass(frozen=True, slots=True)
class ClientResult:
    """What the client itself says of a win; what it does not say is `None` or empty.

    Attributes:
        han: The client's count, dora included; `None` for a limit hand (yakuman) and where it is not told.
        fu: Rounded, as the client shows it.
        score: What the winner collects without counters and bets.
        limit_hands: How many limit hands (yakuman) the client lists; 0 where it lists none or nothing.
        yaku: The client's lines, name and han. A limit hand's han is 0.
        payments: Change of each player through this win, with counters and with the bets that were taken. Bets laid in
            the deal are not deducted here.
    """

    han: int | None = None
    fu: int | None = None
    score: int | None = None
    limit_hands: int = 0
    yaku: tuple[tuple[str, int], ...] = ()
    payments: Payments | None = None


@dataclass(frozen=True, slots=True)
class Win:
    """One win.

    Attributes:
        player: The winner.
        source: The player who threw the tile away or whose kong was robbed; `None` for a self-draw.
        record: The hand record, as `tenbo score` takes it, counters and bets on the table included; `None` where
            the log hides the winner's tiles.
        liable: Players liable for limit hands of this win, each with how many.
        client: What the client made of it.
        contradiction: What is wrong with the log itself at this place, if anything.
    """

    player: int
    source: int | None
    record: Mapping[str, Any] | None
    liable: tuple[tuple[int, int], ...]
    client: ClientResult
    contradiction: str | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """A deal without a winner.

    Attributes:
        kind: `"exhaustive"`, `"abortive"`, or `"nagashi_mangan"`: an exhaustive draw paid as a mangan to a player
            whose discards were all terminals and honours, which the rulesets here do not know.
        ready: Players whose hands were ready, or `None` where neither the log nor the payments tell.
        reason: Of an abortive draw: `"nine_terminals"`, `"four_winds"`, `"four_riichi"`, `"four_kongs"`,
            `"triple_win"`, or `"unknown"`.
    """

    kind: str
    ready: tuple[int, ...] | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal from its start to its end.

    Attributes:
        round: The round wind, `"E"` to `"N"`.
        dealer: The player who is East.
        honba: Counters at the start.
        sticks: Riichi bets lying on the table at the start.
        points: The players' points at the start.
        bets: Players whose riichi bets were laid in this deal.
        wins: In turn order after the discarder.
        draw: How the deal ended where nobody won.
        payments: Change of each player over the whole deal as the client paid it, bets laid in it deducted; `None`
            where the log does not tell.
    """

    round: str
    dealer: int
    honba: int
    sticks: int
    points: Payments
    bets: tuple[int, ...]
    wins: tuple[Win, ...]
    draw: Draw | None
    payments: Payments | None


@dataclass(frozen=True, slots=True)
class Game:
    """One game.

    Attributes:
        format: `"mjlog"`, `"tenhou-json"` or `"mjai"`.
        players: Names, the first East first; a name may be empty.
        deals: The deals that came to their end, in order.
        options: Options of the ruleset `riichi` in which the client's rules differ for hands.
        table_options: Options for the table procedure (`rounds` and the like) that the log implies.
        three_player: A three-player game. Its deals are not read.
        unfinished: The log breaks off within a deal, which is not among `deals`.
        finished: The log says that the game ended.
        final: Points after the game as the client gives them, leftover bets paid out.
        reference: The client's own name for the game, if it tells.
    """

    format: str
    players: tuple[str, ...]
    deals: tuple[Deal, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    table_options: Mapping[str, Any] = field(default_factory=dict)
    three_player: bool = False
    unfinished: bool = False
    finished: bool = False
    final: Payments | None = None
    reference: str | None = None
