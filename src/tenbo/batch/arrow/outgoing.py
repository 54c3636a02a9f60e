"""Scores as Arrow columns."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tenbo.batch.columns import MELDS
from tenbo.batch.result import ERRORS, NO_VALUE, Result
from tenbo.batch.splits import Suits
from tenbo.batch.texts import Texts, loose_text, orphans_text
from tenbo.engine import THIRTEEN_ORPHANS

Column = npt.NDArray[Any]

SEATS: Final = "ESWN"


def schema(words: int) -> pa.Schema:
    """The columns of scores.

    Args:
        words: 64-bit words of entries.
    """
    return pa.schema(
        [
            ("score", pa.int64()),
            ("points", pa.int32()),
            ("points_raw", pa.int32()),
            ("doubles", pa.int32()),
            ("limit", pa.string()),
            *((f"pay_{seat}", pa.int64()) for seat in SEATS),
            *((f"entries{i + 1 if i else ''}", pa.int64()) for i in range(words)),
            ("reading", pa.string()),
            ("error", pa.string()),
        ]
    )


def to_batch(result: Result) -> pa.RecordBatch:
    """A record batch of scores."""
    wrong = result.error != 0
    any_wrong = bool(wrong.any())

    def numbers(column: Column, absent: Column | None = None) -> pa.Array:
        mask = wrong if absent is None else absent
        return pa.array(np.ascontiguousarray(column), mask=mask if mask.any() else None)

    names = pa.array(result.limits, pa.string())
    codes = pa.array(ERRORS, pa.string())
    unpaid = ~result.paid
    columns = [
        numbers(result.score),
        *(numbers(column, column == NO_VALUE) for column in (result.points, result.points_raw, result.doubles)),
        names.take(pa.array(result.limit)),
        *(numbers(result.payments[:, seat], unpaid) for seat in range(4)),
        *(numbers(result.entries[:, word].view(np.int64)) for word in range(result.entries.shape[1])),
        readings(result),
        codes.take(pa.array(result.error)) if any_wrong else pa.nulls(len(result), pa.string()),
    ]
    return pa.RecordBatch.from_arrays(columns, schema=schema(result.entries.shape[1]))


def readings(result: Result) -> pa.Array:
    """The chosen readings."""
    if result._readings is not None:
        return pa.array(result._readings, pa.string())
    parts = [_readings(part) for part in result._texts]
    return pa.concat_arrays(parts) if parts else pa.array([], pa.string())


_MELD_TEXTS: Final = pa.array([str(meld) if meld else None for meld in MELDS], pa.string())


def _readings(part: Texts) -> pa.Array:
    """The readings of a chunk, put together from the texts of suits and sets."""
    count = len(part.hands)
    if not part.chosen:
        return pa.array(part.write(), pa.string())
    pieces = []
    for chosen in part.chosen:
        hands = part.hands if chosen.at is None else part.hands.take(chosen.at)
        if chosen.places is None:
            fine = part.error[chosen.at] == 0 if chosen.at is not None else part.error == 0
            texts = [loose_text(hands, row) if fine[row] else None for row in range(len(hands))]
            pieces.append(pa.array(texts, pa.string()))
            continue
        words = [
            _suit_texts(suit).take(pa.array(places // suit.places))
            for suit, places in zip(chosen.suits, chosen.places, strict=True)
        ]
        nothing = np.all([word.is_null().to_numpy(zero_copy_only=False) for word in words], axis=0)
        if nothing.any():  # rows that are faulty; joining would drop them
            words[0] = pc.if_else(pa.array(nothing), "", words[0])
        number = hands.melds
        if number.any():
            number = np.minimum(number, len(MELDS) - 1)
            words += [_MELD_TEXTS.take(pa.array(np.ascontiguousarray(number[:, i]))) for i in range(4)]
        joined = pc.binary_join_element_wise(*words, " ", null_handling="skip")
        orphans = chosen.form == THIRTEEN_ORPHANS
        if orphans.any():
            texts = [orphans_text(hands, row) for row in np.flatnonzero(orphans).tolist()]
            joined = pc.replace_with_mask(joined, pa.array(orphans), pa.array(texts, pa.string()))
        pieces.append(joined)
    if len(part.chosen) > 1 or part.chosen[0].at is not None:
        places = np.concatenate([chosen.at for chosen in part.chosen if chosen.at is not None])
        back = np.full(count, -1)
        back[places] = np.arange(len(places))
        joined = pa.concat_arrays(pieces).take(pa.array(back, mask=back < 0))
    else:
        joined = pieces[0]
    wrong = part.error != 0
    if wrong.any():
        joined = pc.if_else(pa.array(wrong), pa.scalar(None, pa.string()), joined)
    if part.known:
        mask = np.zeros(count, np.bool_)
        mask[list(part.known)] = True
        texts = [part.known[row] for row in sorted(part.known)]
        joined = pc.replace_with_mask(joined, pa.array(mask), pa.array(texts, pa.string()))
    return joined


def _suit_texts(suit: Suits) -> pa.Array:
    """The texts of a suit's rows; an empty one is null."""
    known = suit.arrow
    done = 0 if known is None else len(known)
    if done != len(suit.codes):
        more = pa.array([text or None for text in suit.texts(done)], pa.string())
        known = suit.arrow = more if known is None else pa.concat_arrays([known, more])
    return known
