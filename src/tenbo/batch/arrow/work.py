"""Blocks of records answered: read, scored and made ready to be written, in whatever process."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tenbo.batch.arrow import sinks
from tenbo.batch.arrow.incoming import simple
from tenbo.batch.arrow.outgoing import to_batch
from tenbo.batch.arrow.scorer import Scorer, by_rules
from tenbo.batch.arrow.sources import Block, Unreadable, parse_lines
from tenbo.batch.columns import Hands
from tenbo.batch.compiled import compiled
from tenbo.batch.engine import score
from tenbo.batch.result import ERRORS, Result
from tenbo.records import HAND_KEYS
from tenbo.ruleset import Ruleset

_BAD_JSON = ERRORS.index("bad_json")


@dataclass(slots=True)
class Done:
    """A block's scores, ready to be written: a record batch, or bytes; with how many, and which errors."""

    data: Any
    rows: int
    errors: dict[str, int]
    fallback: int
    at: int | None


class Work:
    """Answers blocks; can be sent to another process.

    Args:
        rules: The ruleset.
        keep: Columns that are passed through.
        kind: The format of the result.
    """

    def __init__(self, rules: Ruleset, keep: tuple[str, ...], kind: str) -> None:
        self.scorer = Scorer(rules)
        self.rules, self.keep, self.kind = rules, keep, kind
        self.words = compiled(rules).words

    def __call__(self, block: Block) -> Done:
        """Answers a block."""
        if isinstance(block.data, pa.RecordBatch):
            batch = block.data
            found = self.scorer.result(batch)
            kept = [(name, batch.column(name)) for name in self.keep if name in batch.schema.names]
            made = self._written(found, [(name, None, column) for name, column in kept])
        else:
            records = parse_lines(block.data[1]) if isinstance(block.data, tuple) else list(map(_typed, block.data))
            found, kept_values = self._records(records)
            made = self._written(found, [(name, values, None) for name, values in kept_values])
        wrong = Counter(ERRORS[number] or "" for number in found.error[found.error != 0].tolist())
        return Done(made, block.rows, dict(wrong), found.fallback, block.at)

    def nothing(self) -> Done:
        """The answer to no records at all."""
        return self(Block([], 0))

    def _records(self, records: list[Any]) -> tuple[Result, list[tuple[str, list[Any]]]]:
        own = {"rules", "options", *(name for name in self.keep if name not in HAND_KEYS)}
        bad = np.array([isinstance(record, Unreadable) for record in records], np.bool_)
        whole = [{} if isinstance(record, Unreadable) else record for record in records]
        kept = [(name, [record.get(name) for record in whole]) for name in self.keep]
        bare = [
            {key: value for key, value in record.items() if key not in own} if own & record.keys() else record
            for record in whole
        ]
        asked = [(record.get("rules"), record.get("options")) for record in whole]
        c = compiled(self.rules)
        if any(name is not None or options is not None for name, options in asked):
            found = by_rules(
                c, self.rules, asked, lambda rows: Hands.from_records([bare[row] for row in rows.tolist()])
            )
        else:
            found = score(c, Hands.from_records(bare))
        if bad.any():
            found.clear(np.flatnonzero(bad), _BAD_JSON)
        return found, kept

    def _written(self, found: Result, kept: Sequence[tuple[str, list[Any] | None, pa.Array | None]]) -> Any:
        if self.kind == "parquet":
            scores = to_batch(found)
            names, columns = [], []
            for name, values, column in kept:
                names.append(name)
                columns.append(column if column is not None else _column(values or []))
            return pa.RecordBatch.from_arrays([*columns, *scores.columns], names=[*names, *scores.schema.names])
        lists = [(name, simple(column).to_pylist() if values is None else values) for name, values, column in kept]
        if self.kind == "ndjson":
            return sinks.to_ndjson(found, lists)
        known = dict(lists)
        return sinks.to_csv(found, [[_cell(v) for v in known.get(name, [None] * len(found))] for name in self.keep])


def _typed(record: dict[str, Any]) -> dict[str, Any]:
    """A row of text as a record: numbers as numbers, flags as a list, options as an object."""
    from tenbo.batch.arrow.incoming import split_flags

    for name in ("honba", "sticks"):
        text = record.get(name)
        if text is not None and text.strip().isdigit() and text.isascii():
            record[name] = int(text)
    if "flags" in record:
        record["flags"] = split_flags(record["flags"])
    if "options" in record:
        with suppress(ValueError):
            record["options"] = json.loads(record["options"])
    return record


def _column(values: list[Any]) -> pa.Array:
    """Values of any kind as a column of text: text as it is, others as JSON."""
    return pa.array([v if v is None or isinstance(v, str) else json.dumps(v) for v in values], pa.string())


def _cell(value: Any) -> Any:
    return "" if value is None else value if isinstance(value, str | int | float) else json.dumps(value)
