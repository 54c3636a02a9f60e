"""Columns from hand text and from hand records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tenbo.batch.columns import BY, INDICATORS, NONE, WIN, Hands, Record
from tenbo.batch.spelling import spell
from tenbo.hand import FLAGS, WINDS
from tenbo.records import HAND_KEYS
from tenbo.situation import MOST_COUNTERS

Column = npt.NDArray[Any]

_KEYS: Final = frozenset(HAND_KEYS)
_BY: Final[Mapping[Any, int]] = {None: NONE} | {by: i for i, by in enumerate(BY)}
_WIND: Final[Mapping[Any, int]] = {None: NONE} | {wind: i for i, wind in enumerate(WINDS)}
_FLAG: Final = {flag: 1 << i for i, flag in enumerate(FLAGS)}
_SITUATION: Final = ("by", "from", "seat", "round", "flags", "dora", "ura", "honba", "sticks")


def bytes_of(texts: Iterable[str | None]) -> tuple[Column, Column]:
    """The bytes of texts one after another, and where each begins and the last ends.

    What is no text, or not ASCII, counts as nothing at all.
    """
    clean = [text if isinstance(text, str) and text.isascii() else "" for text in texts]
    offsets = np.zeros(len(clean) + 1, np.int64)
    np.cumsum([len(text) for text in clean], out=offsets[1:])
    return np.frombuffer("".join(clean).encode("ascii"), np.uint8), offsets


def put_text(hands: Hands, data: Column, offsets: Column) -> Column:
    """Fills columns from hand text; says which texts were clean."""
    found = spell(data, offsets)
    hands.tiles[:], hands.melds[:], hands.bonus[:] = found.tiles, found.melds, found.bonus
    good: Column = found.good
    return good


def put_indicators(column: Column, data: Column, offsets: Column, rows: Column) -> Column:
    """Fills rows of a column of indicators from text; says which texts were clean."""
    found = spell(data, offsets)
    tiles = found.tiles[:, :INDICATORS]
    good = found.good & (found.tiles[:, INDICATORS:] == NONE).all(axis=1) & (found.bonus == 0)
    good &= ~found.melds.any(axis=1)
    column[rows[good]] = tiles[good]
    clean: Column = good
    return clean


def from_records(records: Sequence[Any]) -> Hands:
    """Columns of hand records; see `Hands.from_records`."""
    count = len(records)
    hands = Hands.empty(count)
    texts: list[str | None] = [None] * count
    by, seat, round_, from_ = [NONE] * count, [NONE] * count, [NONE] * count, [NONE] * count
    flags, honba, sticks = [0] * count, [0] * count, [0] * count
    indicators: dict[str, tuple[list[int], list[str]]] = {"dora": ([], []), "ura": ([], [])}
    odd: dict[int, Record] = {}
    sets: dict[tuple[Any, ...], int] = {(): 0}
    for i, record in enumerate(records):
        try:
            if not record.keys() <= _KEYS:
                raise LookupError
            get = record.get
            texts[i] = get("hand")
            by[i] = _BY[get("by")]
            seat[i], round_[i], from_[i] = _WIND[get("seat")], _WIND[get("round")], _WIND[get("from")]
            given = get("flags")
            if given:
                if given.__class__ is not list:
                    raise LookupError
                key = tuple(given)
                bits = sets.get(key)
                if bits is None:
                    bits = 0
                    for flag in key:
                        bits |= _FLAG[flag]
                    sets[key] = bits
                flags[i] = bits
            elif given is not None and given.__class__ is not list:
                raise LookupError
            for name, (rows, values) in indicators.items():
                text = get(name)
                if text:
                    rows.append(i)
                    values.append(text)
                elif text is not None and text.__class__ is not str:
                    raise LookupError
            honba[i], sticks[i] = _counters(get("honba")), _counters(get("sticks"))
        except (AttributeError, LookupError, TypeError):
            odd[i] = record if isinstance(record, dict) else {"hand": record}
            texts[i] = None
    good = put_text(hands, *bytes_of(texts))
    for name, (rows, values) in indicators.items():
        if rows:
            at = np.array(rows)
            good[at[~put_indicators(getattr(hands, name), *bytes_of(values), at)]] = False
    for name, values_ in (("by", by), ("seat", seat), ("round", round_), ("from_", from_), ("flags", flags)):
        getattr(hands, name)[:] = values_
    hands.honba[:], hands.sticks[:] = honba, sticks
    for i in np.flatnonzero(~good).tolist():
        odd.setdefault(i, records[i])
    hands.odd = odd
    return hands


def _counters(value: object) -> int:
    if value is None:
        return 0
    if type(value) is int and 0 <= value <= MOST_COUNTERS:
        return value
    raise LookupError


def from_text(texts: Sequence[str | None], **situation: Any) -> Hands:
    """Columns of hand text; see `Hands.from_text`."""
    keys = {key.rstrip("_"): value for key, value in situation.items()}
    unknown = keys.keys() - set(_SITUATION)
    if unknown:
        raise TypeError(f"from_text() got an unexpected keyword argument '{min(unknown)}'")
    lists = {}
    for key, value in keys.items():
        whole = isinstance(value, Sequence | np.ndarray) and not isinstance(value, str)
        if key == "flags":
            whole = whole and len(value) > 0 and not isinstance(value[0], str)
        if whole and len(value) != len(texts):
            raise ValueError(f"'{key}' has {len(value)} values for {len(texts)} hands")
        lists[key] = value if whole else [value] * len(texts)
    records = [dict(zip(lists, values, strict=True)) for values in zip(*lists.values(), strict=True)]
    records = records or [{} for _ in texts]
    for record, text in zip(records, texts, strict=True):
        record["hand"] = text
    return from_records(records)


__all__ = ["WIN", "bytes_of", "from_records", "from_text", "put_indicators", "put_text"]
