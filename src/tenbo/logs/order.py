"""The order of play in a deal of Tenhou's JSON, which lists only what each player took in and gave away.

Who acts next follows from the lists, except that a player's next call may fit several discards: the one on the table
now, or the same tile thrown away by the same player again before the caller's next turn. All choices are tried, the
call first, until every list is used up.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tenbo.errors import shown
from tenbo.logs.model import LogError

__all__ = ["Act", "acts_in_order", "tile_code"]

_RED: Final = {51: 42, 52: 43, 53: 44}
_CODES: Final = {
    **{10 * suit + rank: 9 * suit + rank - 10 for suit in (1, 2, 3) for rank in range(1, 10)},
    **{40 + rank: 26 + rank for rank in range(1, 8)},
    **_RED,
}
_CALL: Final = re.compile(r"(\d\d){0,3}[cpmka](\d\d){1,4}", re.ASCII)
_KINDS: Final = {"c": "chow", "p": "pung", "m": "kong", "k": "added kong", "a": "concealed kong"}
# By the place of a call's letter, how many seats onwards its discarder sits.
_SOURCES: Final = {"c": {0: 3}, "p": {0: 3, 2: 2, 4: 1}, "m": {0: 3, 2: 2, 6: 1}}
_JUST_DRAWN, _NOTHING = 60, 0
_MOST_STEPS: Final = 5_000  # a deal that needs no choice takes about a hundred


@dataclass(frozen=True, slots=True)
class Act:
    """One act of a player.

    Attributes:
        what: `"draw"`, `"discard"`, `"chow"`, `"pung"`, `"kong"` (called), `"added kong"` or `"concealed kong"`.
        player: Who acts.
        tile: The tile drawn, thrown away, claimed or added.
        own: The other tiles of a set, from the hand.
        source: Whose discard was claimed.
        riichi: Whether riichi was declared with the discard.
    """

    what: str
    player: int
    tile: int
    own: tuple[int, ...] = ()
    source: int | None = None
    riichi: bool = False


def tile_code(number: object) -> int:
    """The code of a tile by Tenhou's two digits: 11 to 19, 21 to 29, 31 to 39, 41 to 47, red fives 51 to 53.

    Raises:
        LogError: It is no tile.
    """
    code = _CODES.get(number) if type(number) is int else None
    if code is None:
        raise LogError(f"{shown(number)} is not a tile", "tile")
    return code


def acts_in_order(dealer: int, taken: Sequence[Sequence[object]], given: Sequence[Sequence[object]]) -> list[Act]:
    """Find the order of play.

    Args:
        dealer: Who begins.
        taken: What each player took in: tiles and calls.
        given: What each player gave away.

    Returns:
        All acts, in an order that uses up all lists.

    Raises:
        LogError: There is none, or something in the lists is neither tile nor call.
    """
    ins = [[_taken(player, item) for item in taken[player]] for player in range(4)]
    outs = [[_given(player, item) for item in given[player]] for player in range(4)]
    search = _Search(ins, outs)
    return search.run(dealer)


def _taken(player: int, item: object) -> Act:
    if not isinstance(item, str):
        return Act("draw", player, tile_code(item))
    letter, place, tiles = _call(item)
    seats = _SOURCES.get(letter, {}).get(place)
    if seats is None or len(tiles) != (4 if letter == "m" else 3):
        raise LogError(f"{shown(item)} is not a call", "call")
    claimed = tiles[place // 2]
    own = tiles[: place // 2] + tiles[place // 2 + 1 :]
    return Act(_KINDS[letter], player, claimed, own, (player + seats) % 4)


def _given(player: int, item: object) -> Act | None:
    """What is given away; `None` for nothing (after a called kong). The tile just drawn is -1."""
    if not isinstance(item, str):
        if type(item) is int and item == _NOTHING:
            return None
        return Act("discard", player, -1 if type(item) is int and item == _JUST_DRAWN else tile_code(item))
    if re.fullmatch(r"r\d\d", item, re.ASCII):
        number = int(item[1:])
        return Act("discard", player, -1 if number == _JUST_DRAWN else tile_code(number), riichi=True)
    letter, place, tiles = _call(item)
    if letter not in "ka" or len(tiles) != 4:
        raise LogError(f"{shown(item)} is neither a discard nor a kong", "discard")
    return Act(_KINDS[letter], player, tiles[place // 2], tiles[: place // 2] + tiles[place // 2 + 1 :])


def _call(text: str) -> tuple[str, int, tuple[int, ...]]:
    """A call's letter, its place, and all its tiles."""
    if not _CALL.fullmatch(text):
        raise LogError(f"{shown(text)} is not a call", "call")
    place = next(place for place, letter in enumerate(text) if letter in _KINDS)
    digits = text[:place] + text[place + 1 :]
    return text[place], place, tuple(tile_code(int(digits[at : at + 2])) for at in range(0, len(digits), 2))


class _Search:
    """Depth first, with the few choices kept on a stack."""

    def __init__(self, ins: list[list[Act]], outs: list[list[Act | None]]) -> None:
        self.ins, self.outs = ins, outs
        self.at_in, self.at_out = [0] * 4, [0] * 4
        self.acts: list[Act] = []
        # What else could follow an act: the state there and the players that have not been tried.
        self.choices: list[tuple[list[int], list[int], int, list[int]]] = []
        self.steps = 0

    def run(self, player: int) -> list[Act]:
        turn: int | None = player
        while True:
            turn = self._turn(turn) if turn is not None else None
            if turn is None:
                if self._all_used():
                    return self.acts
                turn = self._other_choice()

    def _all_used(self) -> bool:
        return all(
            at_in == len(ins) and at_out == len(outs)
            for at_in, ins, at_out, outs in zip(self.at_in, self.ins, self.at_out, self.outs, strict=True)
        )

    def _other_choice(self) -> int:
        if not self.choices:
            raise LogError("the players' draws, calls and discards do not fit together", "order")
        at_in, at_out, length, players = self.choices[-1]
        player = players.pop(0)
        if not players:
            self.choices.pop()
        self.at_in, self.at_out = list(at_in), list(at_out)
        del self.acts[length:]
        return player

    def _turn(self, player: int) -> int | None:
        """Let a player take in what is next and give something away.

        Returns:
            Who is next, or `None` at the end of this way.
        """
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise LogError("the order of play is too ambiguous to be found", "order")
        if self.at_in[player] == len(self.ins[player]):
            return None
        got = self.ins[player][self.at_in[player]]
        self.at_in[player] += 1
        self.acts.append(got)
        more = self.at_out[player] < len(self.outs[player])
        gave = self.outs[player][self.at_out[player]] if more else None
        if got.what == "kong":
            self.at_out[player] += more and gave is None  # some logs leave the 0 out
            return player
        self.at_out[player] += more
        if gave is None:
            return None
        if gave.what != "discard":
            self.acts.append(gave)
            return player
        tile = gave.tile
        if tile == -1:
            if got.what != "draw":
                return None
            tile = got.tile
        self.acts.append(Act("discard", player, tile, riichi=gave.riichi))
        return self._after_discard(player, tile)

    def _after_discard(self, player: int, tile: int) -> int | None:
        following = []
        for other in ((player + 1) % 4, (player + 2) % 4, (player + 3) % 4):
            if self.at_in[other] < len(self.ins[other]):
                item = self.ins[other][self.at_in[other]]
                if item.source == player and item.tile == tile:
                    following.append(other)
        following.sort(key=lambda other: self.ins[other][self.at_in[other]].what == "chow")  # the others come first
        after = (player + 1) % 4
        if self.at_in[after] < len(self.ins[after]) and self.ins[after][self.at_in[after]].what == "draw":
            following.append(after)
        if not following:
            return None
        if len(following) > 1:
            self.choices.append((list(self.at_in), list(self.at_out), len(self.acts), following[1:]))
        return following[0]
