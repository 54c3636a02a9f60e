"""Arrow columns of hand records as columns of hands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tenbo.batch.columns import BY, NONE, Hands, Record
from tenbo.batch.text import put_indicators, put_text
from tenbo.hand import FLAGS, WINDS
from tenbo.situation import MOST_COUNTERS

Column = npt.NDArray[Any]

_WORDS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "by": ("by", BY),
    "seat": ("seat", WINDS),
    "round": ("round", WINDS),
    "from": ("from_", WINDS),
}
_FLAG: Final = {flag: 1 << i for i, flag in enumerate(FLAGS)}
KEYS: Final = ("hand", *_WORDS, "flags", "dora", "ura", "honba", "sticks")
"""The columns that are read; all others are passed over."""


def wrong_columns(names: Sequence[str]) -> str:
    """What is wrong with the columns of a table of hands; empty where nothing is."""
    if "hand" not in names:
        return f"has a column 'hand'; this one has {', '.join(names) or 'none'}"
    twice = [name for name in (*KEYS, "rules", "options") if names.count(name) > 1]
    return f"has each column once; this one has {names.count(twice[0])} of '{twice[0]}'" if twice else ""


def plain(batch: pa.RecordBatch, names: tuple[str, ...] = ()) -> pa.RecordBatch:
    """The columns that are read, and others by their names, in the types that are read here."""
    found = {name: batch.column(i) for i, name in enumerate(batch.schema.names) if name in KEYS or name in names}
    return pa.RecordBatch.from_arrays([simple(column) for column in found.values()], names=list(found))


def simple(column: pa.Array) -> pa.Array:
    r"""A column without views, run lengths and extensions; bytes in a text that are no text are written as `\xff`."""
    kind = column.type
    if isinstance(column, pa.ExtensionArray):
        return simple(column.storage)
    if pa.types.is_run_end_encoded(kind):
        return simple(pc.run_end_decode(column))
    if pa.types.is_dictionary(kind):
        values = simple(column.dictionary)
        return column if values is column.dictionary else pa.DictionaryArray.from_arrays(column.indices, values)
    if pa.types.is_string_view(kind):
        return simple(column.cast(pa.large_string()))
    if pa.types.is_binary_view(kind):
        return column.cast(pa.large_binary())
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return _sound(column)
    if _is_list(kind):
        flat = column.flatten()
        values = simple(flat)
        if values is flat and (pa.types.is_list(kind) or pa.types.is_large_list(kind)):
            return column
        sizes = pc.fill_null(pc.list_value_length(column), 0).to_numpy(zero_copy_only=False)
        offsets = pa.array(np.concatenate([[0], np.cumsum(sizes)]), pa.int64())
        return pa.LargeListArray.from_arrays(offsets, values, mask=column.is_null())
    return column


def _is_list(kind: pa.DataType) -> bool:
    is_ = pa.types
    return bool(
        is_.is_list(kind)
        or is_.is_large_list(kind)
        or is_.is_fixed_size_list(kind)
        or is_.is_list_view(kind)
        or is_.is_large_list_view(kind)
    )


def _sound(column: pa.Array) -> pa.Array:
    data, offsets = _bytes(column)
    if not (data[offsets[0] : offsets[-1]] > 127).any():
        return column
    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        texts = column.cast(pa.large_binary() if column.type == pa.large_string() else pa.binary()).to_pylist()
        told = [text.decode("utf-8", "backslashreplace") if text is not None else None for text in texts]
        return pa.array(told, pa.large_string())
    return column


def to_hands(batch: pa.RecordBatch) -> Hands:
    """Columns of hands from a record batch with the columns of a hand record; only `hand` has to be there.

    Rows that are not clean keep their record in `odd`.
    """
    count = batch.num_rows
    hands = Hands.empty(count)
    good = np.ones(count, np.bool_)
    batch = plain(batch)
    columns = dict(zip(batch.schema.names, batch.columns, strict=True))
    text = columns.get("hand")
    good &= put_text(hands, *_bytes(text)) if text is not None and _is_text(text.type) else False
    for name, (into, words) in _WORDS.items():
        if name in columns:
            good &= _word(columns[name], words, getattr(hands, into))
    if "flags" in columns:
        good &= _flags(columns["flags"], hands.flags)
    for name in ("dora", "ura"):
        if name in columns:
            good &= _indicators(columns[name], getattr(hands, name))
    for name in ("honba", "sticks"):
        if name in columns:
            good &= _number(columns[name], getattr(hands, name))
    bad = np.flatnonzero(~good)
    if len(bad):
        rows = batch.take(pa.array(bad)).to_pylist()
        hands.odd = {row: _record(record) for row, record in zip(bad.tolist(), rows, strict=True)}
    return hands


def _record(record: Record) -> Record:
    """A row as a hand record; flags may be one text in a table, with commas or spaces between them."""
    flags = record.get("flags")
    if isinstance(flags, str):
        record["flags"] = split_flags(flags)
    for name in ("honba", "sticks"):
        number = record.get(name)
        if isinstance(number, float) and number.is_integer():
            record[name] = int(number)
    return record


def split_flags(text: str) -> list[str]:
    """Flags from one text: `riichi ippatsu`, `riichi,ippatsu`, or as a JSON list."""
    return [word for word in text.translate(str.maketrans('[],;|"', "      ")).split() if word]


def _is_text(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        return _is_text(kind.value_type)
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _bytes(column: pa.Array) -> tuple[Column, Column]:
    """The bytes of a column of text, and where each begins and the last ends; null is empty."""
    if not pa.types.is_string(column.type) and not pa.types.is_large_string(column.type):
        column = column.cast(pa.large_string())
    if column.null_count:
        column = pc.fill_null(column, "")
    wide = np.int64 if pa.types.is_large_string(column.type) else np.int32
    _, where, data = column.buffers()
    if not len(column):
        return np.zeros(0, np.uint8), np.zeros(1, np.int64)
    offsets = np.frombuffer(where, wide, len(column) + 1, column.offset * np.dtype(wide).itemsize).astype(np.int64)
    return np.frombuffer(data, np.uint8) if data is not None else np.zeros(0, np.uint8), offsets


def _word(column: pa.Array, words: tuple[str, ...], out: Column) -> Column | bool:
    """Fills a column with the numbers of words; says where that could be done."""
    if pa.types.is_null(column.type):
        return True
    if not _is_text(column.type):
        return _nulls(column)
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    values = column.dictionary.to_pylist()
    table = np.array([*(words.index(value) if value in words else NONE - 1 for value in values), NONE], np.uint8)
    out[:] = table.take(_indices(column))
    made: Column = out != NONE - 1
    return made


def _nulls(column: pa.Array) -> Column:
    made: Column = column.is_null().to_numpy(zero_copy_only=False)
    return made


def _indices(column: pa.DictionaryArray) -> Column:
    """The indices of a dictionary column; null is the place behind the last value."""
    indices = column.indices
    if indices.null_count:
        indices = pc.fill_null(indices.cast(pa.int64()), len(column.dictionary))
    made: Column = indices.to_numpy(zero_copy_only=False)
    return made


def _flags(column: pa.Array, out: Column) -> Column | bool:
    kind = column.type
    if pa.types.is_null(kind):
        return True
    if _is_text(kind):
        if not pa.types.is_dictionary(kind):
            column = column.dictionary_encode()
        bits = [_bits(split_flags(text)) if text is not None else 0 for text in column.dictionary.to_pylist()]
        out[:] = np.array([*bits, 0], np.uint8).take(_indices(column))
        good: Column = out != NONE
        return good
    if (pa.types.is_list(kind) or pa.types.is_large_list(kind)) and _is_text(kind.value_type):
        sizes = pc.fill_null(pc.list_value_length(column), 0).to_numpy(zero_copy_only=False)
        flat = column.flatten()
        if not len(flat):
            return True
        words = np.zeros(len(flat), np.uint8)
        _word(flat, FLAGS, words)
        each = np.array([1 << i for i in range(len(FLAGS))] + [NONE] * (256 - len(FLAGS)), np.uint8).take(words)
        some = np.flatnonzero(sizes)
        starts = (np.cumsum(sizes) - sizes)[some]
        out[some] = np.bitwise_or.reduceat(each, starts)
        return out < 128
    return _nulls(column)


def _bits(flags: list[str]) -> int:
    out = 0
    for flag in flags:
        if flag not in _FLAG:
            return NONE
        out |= _FLAG[flag]
    return out


def _indicators(column: pa.Array, out: Column) -> Column | bool:
    if pa.types.is_null(column.type):
        return True
    if not _is_text(column.type):
        return _nulls(column)
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()  # most texts come again and again
    values = column.dictionary
    table = np.full((len(values) + 1, out.shape[1]), NONE, np.uint8)
    data, offsets = _bytes(values)
    said = np.flatnonzero(np.diff(offsets))
    good = np.ones(len(values) + 1, np.bool_)
    if len(said):  # an empty text takes no bytes, so the others' bytes follow one another
        good[said] = put_indicators(table, data, np.append(offsets[said], offsets[-1]), said)
    which = _indices(column)
    whole = np.dtype((np.void, out.shape[1]))
    out.view(whole)[:, 0] = table.view(whole)[:, 0].take(which)
    return good.take(which)


def _number(column: pa.Array, out: Column) -> Column | bool:
    if pa.types.is_null(column.type):
        return True
    if pa.types.is_floating(column.type):  # as some make of numbers among which one is missing
        values = column.to_numpy(zero_copy_only=False)
        whole = (values >= 0) & (values <= MOST_COUNTERS) & (values == np.floor(values))
        out[:] = np.where(whole, values, 0)
        fine: Column = whole | _nulls(column)
        return fine
    if not pa.types.is_integer(column.type):
        return _nulls(column)
    numbers = pc.fill_null(column.cast(pa.int64(), safe=False), 0).to_numpy(zero_copy_only=False)
    good: Column = (numbers >= 0) & (numbers <= MOST_COUNTERS)
    out[:] = np.where(good, numbers, 0)
    return good
