"""What each group of a suit adds to a reading: facts as rows of lanes, the set entries it earns as bits.

A *place* is how a hand went out and where: for suits m p s only by what (0 discard, 1 self_draw), for honours also the
seat and the round: 16 * by + 4 * seat + round. Losers have tables of their own with the one `by` that is none.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tenbo import decompose as d
from tenbo import tiles as t
from tenbo.batch.columns import BY, MELDS
from tenbo.batch.lanes import REDS, RUNS, TILES_OF_SUITS, Lanes
from tenbo.program import Program, group_facts, set_facts, set_worth

HONOURS: Final = 3
U8 = npt.NDArray[np.uint8]
I64 = npt.NDArray[np.int64]
U64 = npt.NDArray[np.uint64]

NOTHING: Final = d.CODES
"""A group code that stands for no group, to fill rows up."""


class Groups:
    """The groups of one suit in every place.

    Args:
        program: The compiled ruleset.
        lanes: Where facts lie.
        suit: 0 to 3.
        ways: How hands can have gone out.
        bits: The bit of each set entry by its key.
        words: 64-bit words of entries.

    Attributes:
        rows: (places, groups + 1, width) what each group adds.
        entries: (places, groups + 1, words) the set entries it earns.
        most_points, most_doubles: The most that one group earns.
    """

    def __init__(
        self, program: Program, lanes: Lanes, suit: int, ways: tuple[str | None, ...], bits: dict[str, int], words: int
    ) -> None:
        self.suit = suit
        winds = [(seat, round_) for seat in range(4) for round_ in range(4)] if suit == HONOURS else [(0, 0)]
        self.places = len(ways) * len(winds)
        self.rows: U8 = np.zeros((self.places, NOTHING + 1, lanes.width), np.uint8)
        self.entries: U64 = np.zeros((self.places, NOTHING + 1, words), np.uint64)
        self.most_points = self.most_doubles = 0
        codes = [code for code in range(d.CODES) if _can_be(suit, code)]
        known: dict[tuple[int, ...], tuple[U8, U64]] = {}
        place = 0
        for by in ways:
            for seat, round_ in winds:
                for code in codes:
                    facts = set_facts(suit, code, by, seat, round_)
                    key = (code, *facts.values())  # most sets are worth the same in every place
                    if key not in known:
                        known[key] = self._worth(program, lanes, code, facts, bits)
                    self.rows[place, code], self.entries[place, code] = known[key]
                place += 1

    def _worth(
        self, program: Program, lanes: Lanes, code: int, facts: dict[str, int], bits: dict[str, int]
    ) -> tuple[U8, U64]:
        worth = set_worth(program, facts)
        points = sum(value for entry, value in worth if entry.unit == "points")
        doubles = sum(value for entry, value in worth if entry.unit == "doubles")
        self.most_points, self.most_doubles = max(points, self.most_points), max(doubles, self.most_doubles)
        added = group_facts(code, facts)
        added |= {"set_points": points & 0xFFFF, "set_doubles": doubles & 0xFFFF, "scoring_sets": int(points > 0)}
        entries: U64 = np.zeros(self.entries.shape[2], np.uint64)
        for entry, _ in worth:
            word, bit = divmod(bits[entry.key], 64)
            entries[word] |= np.uint64(1 << bit)
        return lanes.pack({name: int(value) for name, value in added.items()}), entries


def _can_be(suit: int, code: int) -> bool:
    if suit != HONOURS:
        return code != d.MELD
    ranks = d.group_tiles(code)
    return code != d.MELD and min(ranks) == max(ranks) <= 7


def _runs() -> I64:
    out = np.zeros(NOTHING + 1, np.int64)
    for code in range(d.CODES):
        ranks = d.group_tiles(code)
        if code != d.MELD and len(ranks) > 2:
            chow, rank = min(ranks) != max(ranks), min(ranks) - 1
            out[code] = 1 << (3 * rank if chow else 21 + rank)
    return out


_RUNS = _runs()


def runs(suit: int, groups: npt.NDArray[Any]) -> dict[str, I64]:
    """The chows and pungs of a suit as in `lanes.RUNS`; none of honours.

    Args:
        suit: 0 to 3.
        groups: (n, groups) group codes.
    """
    return {RUNS[suit]: _RUNS[groups].sum(axis=1)} if suit < HONOURS else {}


def tile_facts(suit: int, counts: npt.NDArray[Any]) -> dict[str, npt.NDArray[Any]]:
    """The facts that a suit's tiles decide, however they are grouped.

    Args:
        suit: 0 to 3.
        counts: (n, 9) copies of each rank.
    """
    total = counts.sum(axis=1)
    out = {TILES_OF_SUITS[suit]: total}
    if suit == HONOURS:
        out |= {"wind_tiles": counts[:, :4].sum(axis=1), "dragon_tiles": counts[:, 4:].sum(axis=1)}
        return out | {"green_tiles": counts[:, 5]}
    terminals = counts[:, 0] + counts[:, 8]
    out |= {"terminals": terminals, "simples": total - terminals}
    if suit == 2:
        out["green_tiles"] = counts[:, [1, 2, 3, 5, 7]].sum(axis=1)
    return out


def meld_rows(groups: list[Groups], lanes: Lanes, words: int) -> tuple[U8, U64]:
    """What the sets on the table add, by place of honours and number.

    Returns:
        (places * 256, width) rows and (places * 256, words) entries.
    """
    places = groups[HONOURS].places
    rows = np.zeros((places, 256, lanes.width), np.uint8)
    entries = np.zeros((places, 256, words), np.uint64)
    each = np.arange(places)
    for number, meld in enumerate(MELDS):
        if meld is None:
            continue
        suit, code = meld.suit, d.MELD + meld.code
        where = each if suit == HONOURS else each // 16
        counts = np.zeros((1, 9), np.int64)
        for rank in d.group_tiles(code):
            counts[0, rank - 1] += 1
        row = np.zeros((1, lanes.width), np.uint8)
        reds = np.array([sum(map(t.is_red, meld.tiles))])
        known = tile_facts(suit, counts) | runs(suit, np.array([[code]])) | {REDS: reds}
        for name, values in known.items():
            if name in lanes.names:
                lanes.put(row, name, values)
        rows[:, number] = groups[suit].rows[where, code] | row
        entries[:, number] = groups[suit].entries[where, code]
    return rows.reshape(-1, lanes.width), entries.reshape(-1, words)


WAYS: Final[tuple[str | None, ...]] = BY
