"""The facts of a suit that its tiles decide, however they are grouped, packed."""

from __future__ import annotations

from typing import Final

from tenbo import decompose as d
from tenbo.program import Layout

_HONOURS: Final = 3
_SUIT_NAMES: Final = ("characters", "dots", "bamboos", "honours")
_GREEN: Final = ((), (), (1, 2, 3, 5, 7), (5,))
_DRAGONS: Final = 4
_NINE_GATES: Final = 0o311111113  # 1112345678999


class TileFacts:
    """Adds up a suit's facts tile by tile.

    Attributes:
        tile: By suit and rank (from 0), what one tile adds.
        held: By the copies of a kind, what they add besides.
        suit: What a suit that is present adds.
    """

    __slots__ = ("gates", "gates_wait", "held", "kong", "suit", "tile")

    def __init__(self, layout: Layout) -> None:
        pack = layout.pack
        self.tile = tuple(tuple(pack(_tile(suit, rank)) for rank in range(9)) for suit in range(4))
        self.held = tuple(
            pack({"kinds": copies > 0, "twos": copies == 2, "unkonged_fours": copies == 4}) for copies in range(8)
        )
        self.kong = pack({"unkonged_fours": 1})
        self.suit = pack({"suits": 1})
        self.gates, self.gates_wait = pack({"nine_gates": 1}), pack({"nine_gates_wait": 1})

    def of(self, suit: int, key: int, melds: d.Codes) -> int:
        """A suit's packed facts.

        Args:
            suit: 0 to 3.
            key: The suit's key.
            melds: The group codes of its sets on the table.
        """
        counts = key & d.COUNT_MASK
        out = self.suit if counts | (key >> d.MELD_SHIFT) and suit < _HONOURS else 0
        if self.gates | self.gates_wait and not melds and suit < _HONOURS:
            out += self._nine_gates(counts, key >> d.WIN_SHIFT & 15)
        for code in melds:
            counts += d.TILES[code]
            if code > d.MELD + 16:
                out -= self.kong
        tile, held = self.tile[suit], self.held
        rank = 0
        while counts:
            copies = counts & 7
            if copies:
                out += copies * tile[rank] + held[copies]
            counts >>= 3
            rank += 1
        return out

    def _nine_gates(self, counts: int, win: int) -> int:
        more = counts - _NINE_GATES
        if more <= 0 or more & (more - 1) or more.bit_length() % 3 != 1:
            return 0
        if any(counts >> 3 * rank & 7 < _NINE_GATES >> 3 * rank & 7 for rank in range(9)):
            return 0
        pure = win and more == 1 << 3 * (win - 1)
        return self.gates + (self.gates_wait if pure else 0)


def _tile(suit: int, rank: int) -> dict[str, int]:
    out = {_SUIT_NAMES[suit]: 1, "tiles": 1, "green_tiles": rank in _GREEN[suit]}
    if suit == _HONOURS:
        return out | {"wind_tiles": rank < _DRAGONS, "dragon_tiles": rank >= _DRAGONS}
    return out | {"terminals": rank in (0, 8), "simples": rank not in (0, 8)}
