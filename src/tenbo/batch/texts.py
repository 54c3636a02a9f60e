"""The chosen readings as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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


def texts_of(
    hands: Hands, chosen: list[Chosen], error: Column, known: Mapping[int, str | None]
) -> Callable[[], list[str | None]]:
    """What writes the readings of a chunk when it is asked to."""

    def write() -> list[str | None]:
        out: list[str | None] = [None] * len(hands)
        good = error == 0
        for part in chosen:
            at = np.arange(len(hands)) if part.at is None else part.at
            _write(hands, part, at, good, out)
        for row, text in known.items():
            out[row] = text
        return out

    return write


def _write(hands: Hands, part: Chosen, at: Column, good: Column, out: list[str | None]) -> None:
    texts = _MELD_TEXTS
    melds = hands.melds[at].tolist()
    fine = good[at].tolist()
    if part.places is None:
        for i, row in enumerate(at.tolist()):
            if fine[i]:
                out[row] = loose_text(hands, row)
        return
    by_suit = [suit_texts(suit, places) for suit, places in zip(part.suits, part.places, strict=True)]
    for i, (row, m, p, s, z, laid, form) in enumerate(
        zip(at.tolist(), *by_suit, melds, part.form.tolist(), strict=True)
    ):
        if fine[i]:
            if form == THIRTEEN_ORPHANS:
                out[row] = orphans_text(hands, row)
            else:
                out[row] = " ".join([one for one in (m, p, s, z, *(texts[number] for number in laid)) if one])


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
