"""One deal as it is played, act by act, so that what is true of a win can be told from the play itself.

Every reader turns its format into these acts. Acts that contradict each other (a tile thrown away that is not held) are
a `LogError`: the log is damaged or is of another game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tenbo import tiles
from tenbo.errors import TenboError
from tenbo.logs.model import LogError, seat_of
from tenbo.meld import Meld

__all__ = ["HIDDEN", "Play", "Winning", "pieces"]

HIDDEN = -1
"""A tile that the log does not show."""

DRAWS = 70
"""Tiles to draw in a deal: 136, less four hands of 13 and the 14 of the dead wall (which every kong refills)."""

_DRAGONS = frozenset((31, 32, 33))
_WINDS = frozenset((27, 28, 29, 30))
_ORPHANS = frozenset((0, 8, 9, 17, 18, 26)) | _WINDS | _DRAGONS


@dataclass(frozen=True, slots=True)
class Winning:
    """What the play says of a win.

    Attributes:
        hand: The hand text, the winning tile included; `None` where tiles of it are hidden.
        flags: The situation, in the words of a hand record.
    """

    hand: str | None
    flags: tuple[str, ...]


def pieces(codes: Sequence[int]) -> str:
    """Write tiles in canonical order."""
    return tiles.write(tiles.in_order(codes))


class Play:
    """The hands, the melds and the last act of a deal.

    Players are whatever numbers 0 to 3 the reader uses, tiles are the codes of `tenbo.tiles` or `HIDDEN`.

    Args:
        dealer: The player who is East, for messages only.
        hands: The four dealt hands of 13 tiles.

    Raises:
        LogError: A dealt hand has not 13 tiles.
    """

    __slots__ = (
        "_after_kong",
        "_calls",
        "_double",
        "_ippatsu",
        "_kong",
        "_melds",
        "_pao",
        "_riichi",
        "bets",
        "dealer",
        "draws",
        "hands",
        "last",
        "rivers",
        "taken",
    )

    def __init__(self, dealer: int, hands: Sequence[Sequence[int]]) -> None:
        self.dealer = dealer
        self.hands = [list(hand) for hand in hands]
        for player, hand in enumerate(self.hands):
            if len(hand) != 13:
                raise LogError(f"{self.name(player)} is dealt {len(hand)} tiles instead of 13", "hand")
        self.draws = 0
        self.bets: list[int] = []
        self.rivers: list[list[int]] = [[], [], [], []]
        self.taken = [False] * 4
        # The last act: the player, the tile, and which of "draw", "discard", "call", "kong" it was.
        self.last: tuple[int, int, str] = (dealer, HIDDEN, "deal")
        self._melds: list[list[Meld]] = [[], [], [], []]
        self._calls = 0
        self._kong = self._after_kong = False
        self._riichi = [False] * 4
        self._double = [False] * 4
        self._ippatsu = [False] * 4
        self._pao: list[int | None] = [None] * 4

    def name(self, player: int) -> str:
        """The player's seat in this deal, in words."""
        return {"E": "East", "S": "South", "W": "West", "N": "North"}[seat_of(player, self.dealer)]

    def draw(self, player: int, tile: int) -> None:
        """Take a tile from the wall, or the replacement after one's own kong.

        Raises:
            LogError: It is not this player's turn, or the wall is exhausted.
        """
        hand = self.hands[player]
        if len(hand) % 3 != 1 or self.draws == DRAWS:
            raise LogError(f"{self.name(player)} draws out of turn or from an exhausted wall", "draw")
        self._after_kong = self._kong and self.last[0] == player
        if self._kong:
            self._settle_call()
            self._kong = False
        self.draws += 1
        hand.append(tile)
        self.last = (player, tile, "draw")

    def discard(self, player: int, tile: int) -> None:
        """Throw a tile away.

        Raises:
            LogError: It is not this player's turn, or the tile is not in the hand.
        """
        hand = self.hands[player]
        if hand[-1] == tile and len(hand) % 3 == 2:
            hand.pop()
        else:
            self._take(player, tile, 2)
        self.rivers[player].append(tile)
        self._ippatsu[player] = False
        self.last = (player, tile, "discard")

    def riichi(self, player: int) -> None:
        """Declare riichi, before the discard that goes with it.

        Raises:
            LogError: The player did so before.
        """
        if self._riichi[player]:
            raise LogError(f"{self.name(player)} declares riichi twice", "riichi")
        self._riichi[player] = True
        self._double[player] = not self.rivers[player] and not self._calls

    def accept(self, player: int) -> None:
        """Lay the bet: nobody won on the tile that riichi was declared with.

        Raises:
            LogError: The player has not declared riichi, or has bet before.
        """
        if not self._riichi[player] or player in self.bets:
            raise LogError(f"{self.name(player)} lays a bet without riichi, or twice", "riichi")
        self.bets.append(player)
        self._ippatsu[player] = True

    def call(self, player: int, kind: str, own: Sequence[int], tile: int, source: int) -> None:
        """Claim the last discard for a chow, pung or kong.

        Args:
            player: Who claims.
            kind: `"chow"`, `"pung"` or `"kong"`.
            own: The tiles from the hand.
            tile: The tile that is claimed.
            source: Who threw it away.

        Raises:
            LogError: The last act is not that discard, the tiles are no such set, or they are not in the hand.
        """
        if self.last != (source, tile, "discard") or source == player:
            raise LogError(f"{self.name(player)} calls a tile that was not just thrown away", "call")
        if len(own) != (3 if kind == "kong" else 2):
            raise LogError(f"{self.name(player)} calls a {kind} with {len(own)} tiles", "call")
        for other in own:
            self._take(player, other, None)
        self._melds[player].append(self._meld((*own, tile), kind))
        self._settle_call()
        self.taken[source] = True
        family = _DRAGONS if tile in _DRAGONS else _WINDS
        if tile in family and sum(1 for meld in self._melds[player] if meld.tiles[0] in family) == len(family):
            self._pao[player] = source
        self._kong = kind == "kong"
        self.last = (player, tile, "call")

    def concealed_kong(self, player: int, codes: Sequence[int]) -> None:
        """Lay down four tiles of the hand.

        Raises:
            LogError: They are no kong, are not in the hand, or it is not this player's turn.
        """
        for count, tile in enumerate(codes):
            self._take(player, tile, 2 if count == 0 else None)
        self._melds[player].append(self._meld(codes, "kong", exposed=False))
        self._declare_kong(player, codes[-1])

    def added_kong(self, player: int, tile: int) -> None:
        """Add the fourth tile to an exposed pung.

        Raises:
            LogError: There is no such pung, the tile is not in the hand, or it is not this player's turn.
        """
        self._take(player, tile, 2)
        kind = tiles.KINDS[tile]
        for place, meld in enumerate(self._melds[player]):
            if meld.kind == "pung" and tiles.KINDS[meld.tiles[0]] == kind:
                self._melds[player][place] = self._meld((*meld.tiles, tile), "kong", added=True)
                self._declare_kong(player, tile)
                return
        raise LogError(f"{self.name(player)} adds a tile to a pung that is not there", "kong")

    def win(self, player: int, source: int | None) -> Winning:
        """Tell what is true of a win at this point; the play itself does not change.

        Args:
            player: The winner.
            source: The discarder or the player whose kong is robbed, `None` for a self-draw.

        Raises:
            LogError: The last act gives this player nothing to win on.
        """
        last, tile, act = self.last
        concealed = self.hands[player]
        flags = []
        if self._riichi[player]:
            flags.append("double_riichi" if self._double[player] else "riichi")
        if self._ippatsu[player]:
            flags.append("ippatsu")
        if source is None:
            if act != "draw" or last != player:
                raise LogError(f"{self.name(player)} wins by self-draw without having drawn", "win")
            concealed = concealed[:-1]  # the tile just drawn is the last
            if self._after_kong:
                flags.append("after_kong")
            elif self.draws == DRAWS:
                flags.append("last_tile")
            if not self._calls and not self.rivers[player]:
                flags.append("first_turn")
        else:
            if last != source or source == player or act not in ("discard", "kong"):
                raise LogError(f"{self.name(player)} wins on a tile that {self.name(source)} did not just give", "win")
            if act == "kong":
                flags.append("robbing_kong")
            elif self.draws == DRAWS:
                flags.append("last_tile")
        if tile == HIDDEN or HIDDEN in concealed:
            return Winning(None, tuple(flags))
        parts = [pieces(concealed), *(meld.text for meld in self._melds[player]), "+" + tiles.TEXTS[tile]]
        return Winning(" ".join(parts), tuple(flags))

    def concealed(self, player: int) -> tuple[int, ...]:
        """A player's tiles that do not lie on the table, sorted as the codes are."""
        return tuple(sorted(self.hands[player]))

    def melds(self, player: int) -> tuple[Meld, ...]:
        """A player's sets on the table, in the order in which they were made."""
        return tuple(self._melds[player])

    def in_riichi(self, player: int) -> bool:
        """Whether the player has declared riichi."""
        return self._riichi[player]

    def liable(self, player: int) -> int | None:
        """Who gave this player the third dragon set or the fourth wind set with a call, if anyone."""
        return self._pao[player]

    def all_orphans(self, player: int) -> bool:
        """Whether the player threw away terminals and honours only, and none of them was claimed."""
        return not self.taken[player] and all(tile in _ORPHANS for tile in self.rivers[player])

    def _take(self, player: int, tile: int, turn: int | None) -> None:
        hand = self.hands[player]
        if turn is not None and len(hand) % 3 != turn:
            raise LogError(f"{self.name(player)} acts out of turn", tiles.TEXTS[tile] if tile >= 0 else None)
        if tile in hand:
            hand.remove(tile)
        elif HIDDEN in hand:
            hand.remove(HIDDEN)
        else:
            raise LogError(f"{self.name(player)} plays {tiles.TEXTS[tile]} without holding it", tiles.TEXTS[tile])

    def _meld(self, codes: Sequence[int], kind: str, *, exposed: bool = True, added: bool = False) -> Meld:
        try:
            meld = Meld(tuple(codes), exposed, added)
        except TenboError as error:
            raise LogError(f"a {kind} in the log is none: {error}", "meld") from None
        if meld.kind != kind:
            raise LogError(f"'{meld.text}' is not a {kind}", meld.text)
        return meld

    def _declare_kong(self, player: int, tile: int) -> None:
        self._kong = True
        self.last = (player, tile, "kong")

    def _settle_call(self) -> None:
        self._calls += 1
        self._ippatsu = [False] * 4
