"""Scores written to files: Parquet, CSV and JSON lines, also compressed."""

from __future__ import annotations

import csv
import gzip
import io
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from tenbo.batch.arrow.outgoing import SEATS
from tenbo.batch.arrow.sources import format_of
from tenbo.batch.result import ERRORS, NO_VALUE, Result


class Sink(Protocol):
    """A file being written."""

    def write(self, data: Any) -> None:
        """Adds scores as `encode` made them."""

    def close(self) -> None:
        """Ends the file."""


class _Parquet:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._writer: Any = None

    def write(self, data: pa.RecordBatch) -> None:
        if self._writer is None:
            self._writer = _parquet_writer(self._path, data.schema)
        self._writer.write_batch(data)

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()


def _parquet_writer(path: Path, schema: pa.Schema) -> Any:
    few = ("score", "points", "points_raw", "doubles", "limit", "pay_", "entries", "error")  # values that come again
    dictionary = [name for name in schema.names if name.startswith(few)]
    return pq.ParquetWriter(path, schema, compression="snappy", use_dictionary=dictionary)


class _Text:
    def __init__(self, path: Path, compression: str) -> None:
        self._stream: Any
        if compression == ".gz":
            self._stream = gzip.open(path, "wb", 6)  # noqa: SIM115  it is closed by `close`
        elif compression == ".zst":
            self._stream = pa.CompressedOutputStream(pa.OSFile(str(path), "wb"), "zstd")
        else:
            self._stream = path.open("wb")

    def write(self, data: bytes) -> None:
        self._stream.write(data)

    def close(self) -> None:
        self._stream.close()


def open_sink(path: Path, like: Path) -> Sink:
    """Begins a file of the format that the name of another says."""
    kind, compression = format_of(like)
    return _Parquet(path) if kind == "parquet" else _Text(path, compression)


def join(parts: Sequence[Path], out: Path, like: Path) -> None:
    """Makes one file of several."""
    kind, _ = format_of(like)
    if len(parts) == 1:
        parts[0].replace(out)
        return
    if kind == "parquet":
        writer = None
        for part in parts:
            file = pq.ParquetFile(part, pre_buffer=False)
            writer = writer or _parquet_writer(out, file.schema_arrow)
            for batch in file.iter_batches(1 << 17, use_threads=False):
                writer.write_batch(batch)
            file.close()
        if writer is not None:
            writer.close()
        return
    with out.open("wb") as whole:  # compressed parts follow one another as they are
        for part in parts:
            with part.open("rb") as one:
                shutil.copyfileobj(one, whole, 1 << 22)


def header(columns: Sequence[str], like: Path) -> bytes:
    """What a text file begins with."""
    return (",".join(columns) + "\r\n").encode() if format_of(like)[0] == "csv" else b""


def columns_of(keep: Sequence[str], words: int) -> list[str]:
    """The columns of a CSV file."""
    entries = [f"entries{i + 1 if i else ''}" for i in range(words)]
    paid = [f"pay_{seat}" for seat in SEATS]
    return [*keep, "score", "points", "points_raw", "doubles", "limit", *paid, *entries, "reading", "error"]


def to_csv(result: Result, kept: Sequence[Sequence[Any]]) -> bytes:
    """Scores as rows of CSV, with the values of kept columns before them."""
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    each = zip(
        result.score.tolist(),
        result.points.tolist(),
        result.points_raw.tolist(),
        result.doubles.tolist(),
        result.limit.tolist(),
        result.payments.tolist(),
        result.paid.tolist(),
        result.entries.view("int64").tolist(),
        result.readings,
        result.error.tolist(),
        *kept,
        strict=True,
    )
    nothing, unknown = [""] * (9 + result.entries.shape[1]), [""] * 4
    limits = [name or "" for name in result.limits]
    for score, points, raw, doubles, limit, pay, paid, entries, reading, error, *own in each:
        if error:
            writer.writerow([*own, *nothing, "", ERRORS[error]])
            continue
        numbers = ["" if n == NO_VALUE else n for n in (points, raw, doubles)]
        writer.writerow([*own, score, *numbers, limits[limit], *(pay if paid else unknown), *entries, reading, ""])
    return buffer.getvalue().encode("utf-8", "replace")


def to_ndjson(result: Result, kept: Sequence[tuple[str, Sequence[Any]]]) -> bytes:
    """Scores as lines of JSON, each with the values of kept columns first."""
    heads = _heads(kept, len(result))
    limits = [json.dumps(name) for name in result.limits]
    known: dict[bytes, str] = {}
    out = []
    each = zip(
        heads,
        result.score.tolist(),
        result.points.tolist(),
        result.points_raw.tolist(),
        result.doubles.tolist(),
        result.limit.tolist(),
        result.payments.tolist(),
        result.paid.tolist(),
        result.readings,
        result.error.tolist(),
        strict=True,
    )
    for row, (head, score, points, raw, doubles, limit, pay, paid, reading, error) in enumerate(each):
        if error:
            out.append(f'{{{head}"error": "{ERRORS[error]}"}}\n')
            continue
        bits = result.entries[row].tobytes()
        keys = known.get(bits)
        if keys is None:
            keys = known[bits] = json.dumps(result.keys(row))
        payments = "null"
        if paid:
            payments = f'{{"E": {pay[0]}, "S": {pay[1]}, "W": {pay[2]}, "N": {pay[3]}}}'
        out.append(
            f'{{{head}"score": {score}, "points": {_number(points)}, "points_raw": {_number(raw)}, '
            f'"doubles": {_number(doubles)}, "limit": {limits[limit]}, "payments": {payments}, '
            f'"entries": {keys}, "reading": "{reading}"}}\n'
        )
    return "".join(out).encode()


def _number(value: int) -> str:
    return "null" if value == NO_VALUE else str(value)


def _heads(kept: Sequence[tuple[str, Sequence[Any]]], rows: int) -> list[str]:
    if not kept:
        return [""] * rows
    names = [json.dumps(name) for name, _ in kept]
    return [
        "".join(f"{name}: {json.dumps(value)}, " for name, value in zip(names, values, strict=True))
        for values in zip(*(values for _, values in kept), strict=True)
    ]
