"""Columns of hands in, columns of scores out, a chunk at a time."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tenbo.batch import losers, winners
from tenbo.batch.columns import NONE, WIN, Hands
from tenbo.batch.compiled import Compiled
from tenbo.batch.result import Result
from tenbo.batch.scalar import score_row
from tenbo.batch.settle import settle
from tenbo.batch.texts import Chosen, Texts

Column = npt.NDArray[Any]

CHUNK: Final = 65_536
"""Hands worked on at a time: enough that the number of NumPy calls does not matter, few enough for the caches."""


def score(c: Compiled, hands: Hands, chunk: int = CHUNK) -> Result:
    """Scores hands.

    Args:
        c: The compiled ruleset.
        hands: The hands.
        chunk: How many hands are worked on at a time.
    """
    result = Result.empty(len(hands), c.words, tuple(c.money.names), c.legend)
    for start in range(0, len(hands), chunk):
        stop = min(start + chunk, len(hands))
        part, out = hands.part(start, stop), result.part(start, stop)
        with c.lock:
            result._texts.append(_chunk(c, part, out))
        result.fallback += out.fallback
    return result


def _chunk(c: Compiled, hands: Hands, out: Result) -> Texts:
    """Scores some hands; gives what will write their readings."""
    left = np.zeros(len(hands), np.bool_)
    chosen: list[Chosen] = []
    if c.fallback:
        left[:] = True
    else:
        c.trim()
        left[list(hands.odd)] = True
        won = hands.by <= 1
        won &= ~left
        if won.all():
            left, rows = _group(c, hands, out, True)
            chosen.append(rows)
        else:
            lost = (hands.by == NONE) & (hands.tiles[:, WIN] == NONE) & ~left & (c.losers is not None)
            left = ~(won | lost)
            for which, winner in ((won, True), (lost, False)):
                at = np.flatnonzero(which)
                if len(at):
                    part = Result.empty(len(at), c.words, out.limits, out.legend)
                    faulty, rows = _group(c, hands.take(at), part, winner)
                    part.into(out, at)
                    rows.at = at
                    left[at] = faulty
                    chosen.append(rows)
    texts: dict[int, str | None] = {}
    for row in np.flatnonzero(left).tolist():
        texts[row] = score_row(c, hands, row, out)
    out.fallback = len(texts)
    return Texts(hands, chosen, out.error, texts)


def _group(c: Compiled, hands: Hands, out: Result, winner: bool) -> tuple[Column, Chosen]:
    """Scores hands that all went out, or that all did not; also says which are left to the scalar engine."""
    if winner:
        found = winners.read(c, hands)
        given = c.winners(found.facts, len(found.form))
    else:
        assert c.losers is not None
        found = losers.read(c, hands)
        given = c.losers(found.facts, len(found.form))
    left, at, form = settle(c, hands, out, found, given, winner)
    return left, Chosen(None, at if winner else None, form, c.suits)
