"""The chosen readings as text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from tenbo import decompose as d
from tenbo import tiles as t
from tenbo.batch.columns import MELDS, NONE, WIN, Hands
from tenbo.batch.splits import Suits
from tenbo.engine import LOOSE, THIRTEEN_ORPHANS, Split
from tenbo.score import reading_text

Column = npt.NDArray[Any]


@dataclass(slots=True)
class Chosen:
    """The chosen readings of some hands of a chunk.

    Attributes:
        at: These hands' places in the chunk; None where it is all of them.
        places: By suit: where each reading's row lies in the suit's tables; None for hands that did not go out.
        form: The readings' forms.
        suits: The tables.
    """

    at: Column | None
    places: list[Column] | None
    form: Column
    suits: list[Suits]


@dataclass(slots=True)
class Texts:
    """What is needed to write the readings of a chunk.

    Attributes:
        hands: The hands.
        chosen: The chosen readings.
        error: Each hand's error; 0 for none.
        known: Readings that are known already, by row.
    """

    hands: Hands
    chosen: list[Chosen]
    error: Column
    known: Mapping[int, str | None]

    def write(self) -> list[str | None]:
        """The reading of each hand; None where there is an error."""
        out: list[str | None] = [None] * len(self.hands)
        good = self.error == 0
        for part in self.chosen:
            at = np.arange(len(self.hands)) if part.at is None else part.at
            _write(self.hands, part, at, good, out)
        for row, text in self.known.items():
            out[row] = text
        return out


def _write(hands: Hands, part: Chosen, at: Column, good: Column, out: list[str | None]) -> None:
    fine = good[at].tolist()
    if part.places is None:
        for i, row in enumerate(at.tolist()):
            if fine[i]:
                out[row] = loose_text(hands, row)
        return
    melds = hands.melds[at].tolist()
    by_suit = [suit_texts(suit, places) for suit, places in zip(part.suits, part.places, strict=True)]
    each = zip(at.tolist(), fine, *by_suit, melds, part.form.tolist(), strict=True)
    for row, good_row, m, p, s, z, laid, form in each:
        if good_row:
            if form == THIRTEEN_ORPHANS:
                out[row] = orphans_text(hands, row)
            else:
                out[row] = " ".join([one for one in (m, p, s, z, *(_MELD_TEXTS[number] for number in laid)) if one])


_MELD_TEXTS = [str(meld) if meld else "" for meld in MELDS] + [""] * (256 - len(MELDS))


def suit_texts(suit: Suits, places: Column) -> list[str]:
    """The text of each reading's suit, by where its row lies."""
    known, which = np.unique(places // suit.places, return_inverse=True)
    texts = [suit.text(row) for row in known.tolist()]
    return [texts[i] for i in which.tolist()]


def orphans_text(hands: Hands, row: int) -> str:
    """The text of thirteen orphans: the hand itself."""
    codes = [code for code in hands.tiles[row].tolist() if code != NONE]
    return f"{t.write(t.in_order(codes[:-1]))}+{t.TEXTS[codes[-1]]}"


def loose_text(hands: Hands, row: int) -> str:
    """The text of a hand that did not go out."""
    codes = t.in_order([code for code in hands.tiles[row, :WIN].tolist() if code != NONE])
    melds = tuple(meld for number in hands.melds[row].tolist() if (meld := MELDS[number]) is not None)
    hand: Any = SimpleNamespace(concealed=codes, melds=melds, win=None, _red=sum(map(t.is_red, codes)))
    splits = []
    for suit in range(4):
        held = [0] * 9
        for code in codes:
            if t.suit(code) == suit:
                held[t.rank(code) - 1] += 1
        groups = [d.PUNG + i if n >= 3 else d.PAIR + i for i, n in enumerate(held) if n >= 2]
        splits.append(Split(0, 0, tuple(groups)))
    return reading_text(hand, (LOOSE, *splits))  # type: ignore[arg-type]
