"""One callable that scores Arrow tables, for every engine that speaks Arrow."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from tenbo.batch.arrow.incoming import plain, to_hands, wrong_columns
from tenbo.batch.arrow.outgoing import schema, to_batch
from tenbo.batch.columns import Hands
from tenbo.batch.compiled import Compiled, compiled
from tenbo.batch.engine import CHUNK, score
from tenbo.batch.result import ERRORS, Result
from tenbo.errors import Problem, TenboError, error_for
from tenbo.records import score_record
from tenbo.ruleset import Ruleset, load_rules


class Scorer:
    """Scores tables of hand records by one ruleset.

    A table has the columns of a hand record, of which only `hand` has to be there; `flags` may be a list or one text.
    What comes back has the columns of `schema`, as many rows, in the same order. Columns `rules` and `options` (JSON
    text) may ask for other rules row by row. A scorer can be pickled, and used from several threads.

    Args:
        rules: A preset's name, a ruleset file, or a `Ruleset`.
        options: House-rule values laid over the rules.

    Attributes:
        schema: The columns of the scores.
        legend: The keys of the entries: entry i is bit i % 64 of column `entries`, `entries2`, ... number i // 64.
        fallback: Why every row is left to the scalar engine, which is slow; empty where arrays do it.

    Raises:
        ReadError: There are no such rules, or an option is not known or cannot have that value.
        RulesetError: The file cannot be used.

    >>> import pyarrow as pa
    >>> table = pa.table({"hand": ["3457899p [777z] [2222z] +6p", "12m"], "by": ["discard", "discard"],
    ...                   "seat": ["S", "S"], "round": ["E", "E"]})
    >>> Scorer("basic")(table).select(["score", "doubles", "reading", "error"]).to_pylist()
    [{'score': 320, 'doubles': 3, 'reading': '345p 78+6p 99p [777z] [2222z]', 'error': None},
     {'score': None, 'doubles': None, 'reading': None, 'error': 'missing_field'}]
    """

    def __init__(self, rules: str | Path | Ruleset, options: Mapping[str, object] | None = None) -> None:
        self._rules = load_rules(rules, options)
        self._compiled = compiled(self._rules)
        self.schema: pa.Schema = schema(self._compiled.words)

    @property
    def rules(self) -> Ruleset:
        """The ruleset, with its house rules."""
        return self._rules

    @property
    def legend(self) -> tuple[str, ...]:
        """The keys of the entries."""
        return self._compiled.legend

    @property
    def fallback(self) -> tuple[str, ...]:
        """Why every row is left to the scalar engine; empty where arrays do it."""
        return self._compiled.fallback

    def __call__(self, data: Any) -> Any:
        """Scores a table.

        Args:
            data: A `pyarrow.Table`, `RecordBatch` or `RecordBatchReader`, or anything else with `__arrow_c_stream__`,
                such as a Polars data frame.

        Returns:
            The scores, as the same kind of thing; a `pyarrow.Table` where that kind cannot be made from one.

        Raises:
            TypeError: `data` is no table, or has no column `hand`.
        """
        if isinstance(data, pa.RecordBatch):
            self._check(data.schema)
            parts = list(self.batches([data]))
            return (
                parts[0]
                if len(parts) == 1
                else pa.Table.from_batches(parts, self.schema).combine_chunks().to_batches()[0]
            )
        if isinstance(data, pa.RecordBatchReader):
            self._check(data.schema)
            return pa.RecordBatchReader.from_batches(self.schema, self.batches(data))
        if isinstance(data, pa.Table):
            self._check(data.schema)
            return pa.Table.from_batches(self.batches(data.to_batches()), self.schema)
        if not hasattr(data, "__arrow_c_stream__"):
            raise TypeError(f"a Scorer takes Arrow tables, not {type(data).__name__}")
        return _like(data, self(pa.table(data)))

    def batches(self, batches: Any) -> Iterator[pa.RecordBatch]:
        """Scores record batches one by one, in pieces that fit the processor's caches."""
        for batch in batches:
            for start in range(0, max(batch.num_rows, 1), CHUNK):
                part = batch.slice(start, CHUNK)
                yield self.batch(part)

    def batch(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Scores one record batch."""
        return to_batch(self.result(batch))

    def result(self, batch: pa.RecordBatch) -> Result:
        """Scores one record batch; gives NumPy columns."""
        others = [name for name in ("rules", "options") if name in batch.schema.names]
        if any(batch.column(name).null_count < batch.num_rows for name in others):
            batch = plain(batch, ("rules", "options"))
            asked = zip(_asked(batch, "rules"), _asked(batch, "options"), strict=True)
            return by_rules(self._compiled, self._rules, asked, lambda rows: to_hands(batch.take(pa.array(rows))))
        return score(self._compiled, to_hands(batch))

    @staticmethod
    def _check(given: pa.Schema) -> None:
        if wrong := wrong_columns(given.names):
            raise TypeError(f"a table of hands {wrong}")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as its rules."""
        return Scorer, (self._rules,)


def _like(data: Any, table: pa.Table) -> Any:
    """A table as the same kind of thing as the data."""
    kind = type(data)
    for make in (getattr(kind, "from_arrow", None), kind):
        try:
            made = make(table) if make is not None else None
        except Exception:  # whatever another library says to a table that it cannot take
            continue
        if isinstance(made, kind) and hasattr(made, "__arrow_c_stream__"):
            return made
    return table


def by_rules(own: Compiled, rules: Ruleset, asked: Iterable[tuple[Any, Any]], hands: Callable[[Any], Hands]) -> Result:
    """Scores rows that ask for other rules or options, group by group; entries are of the own legend.

    Args:
        own: The rules where a row names none.
        rules: Their ruleset.
        asked: For each row the rules and options that it asks for, or None.
        hands: Gives the hands of some rows.
    """
    groups: dict[tuple[str, str], tuple[Any, Any, list[int]]] = {}
    count = 0
    for name, options in asked:
        key = (json.dumps(name), json.dumps(options))
        groups.setdefault(key, (name, options, []))[2].append(count)
        count += 1
    names = list(own.money.names)
    out = Result.empty(count, own.words, (), own.legend)
    texts: list[str | None] = [None] * count
    for name, options, rows in groups.values():
        at = np.array(rows)
        try:
            c = own if name is None and options is None else compiled(_rules(rules, name, options))
        except TenboError:  # other things may be wrong as well, and the first of all counts
            asked_hands = hands(at)
            for i in range(len(rows)):
                record = asked_hands.record(i) | {"rules": name, "options": _given(options)}
                out.clear(at[i : i + 1], ERRORS.index(score_record(record, rules=rules)["error"]))
            continue
        found = score(c, hands(at))
        if c.legend != own.legend:
            found.entries = _translated(found.entries, c, own)
        names += [limit for limit in found.limits if limit not in names]
        found.limit = np.array([names.index(limit) for limit in found.limits], np.uint8).take(found.limit)
        found.into(out, at)
        out.fallback += found.fallback
        for row, text in zip(rows, found.readings, strict=True):
            texts[row] = text
    out.limits = tuple(names)
    out._readings = texts
    return out


def _asked(batch: pa.RecordBatch, name: str) -> list[Any]:
    if name not in batch.schema.names:
        return [None] * batch.num_rows
    column = batch.column(name)
    values: list[Any] = column.to_pylist()
    if pa.types.is_struct(column.type):  # it has all keys in every row
        return [{k: v for k, v in row.items() if v is not None} if row is not None else None for row in values]
    return values


def _rules(own: Ruleset, name: Any, options: Any) -> Ruleset:
    """The rules that a row asks for.

    Raises:
        TenboError: There are no such rules or options.
    """
    if name is not None and not isinstance(name, str):
        raise error_for([Problem("bad_value", "'rules' must be the name of a ruleset", "rules")])
    rules = own if name is None else load_rules(name)
    return rules.with_options(_given(options))


def _given(options: Any) -> Any:
    """Options from JSON text, or as they are."""
    if isinstance(options, str):
        try:
            options = json.loads(options) if options.strip() else None
        except ValueError:
            return options
    return options


def _translated(entries: Any, c: Compiled, own: Compiled) -> Any:
    """Entries of one legend as those of another; keys that the other lacks are lost."""
    out = np.zeros((len(entries), own.words), np.uint64)
    for i, key in enumerate(c.legend):
        place = own.bits.get(key)
        if place is not None:
            bit = entries[:, i // 64] >> np.uint64(i % 64) & np.uint64(1)
            out[:, place // 64] |= bit << np.uint64(place % 64)
    return out
