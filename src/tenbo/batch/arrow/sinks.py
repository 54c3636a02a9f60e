"""Scores written to files: Parquet, CSV and JSON lines, also compressed."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from tenbo.batch.arrow.outgoing import SEATS
from tenbo.batch.arrow.sources import format_of
from tenbo.batch.result import ERRORS, NO_VALUE, Result


class Sink(Protocol):
    """A file being written, from its present end on."""

    def write(self, data: Any) -> None:
        """Adds scores as `encode` made them."""

    def close(self) -> None:
        """Ends this part of the file."""


class _Parquet:
    def __init__(self, path: Path) -> None:
        self._section = _Section(path)
        self._sink = pa.PythonFile(self._section, mode="w")
        self._writer: Any = None

    def write(self, data: pa.RecordBatch) -> None:
        if self._writer is None:
            few = ("score", "points", "points_raw", "doubles", "limit", "pay_", "entries", "error")  # come again
            dictionary = [name for name in data.schema.names if name.startswith(few)]
            self._writer = pq.ParquetWriter(self._sink, data.schema, compression="snappy", use_dictionary=dictionary)
            while (left := self._section.start - self._sink.tell()) > 0:
                self._sink.write(_NOTHING[:left])
        self._writer.write_batch(data)

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._sink.close()


_NOTHING: Final = memoryview(bytes(1 << 24))


class _Section(io.RawIOBase):
    """What is added to a Parquet file: whole by itself, yet its offsets count from the beginning of the file.

    A writer begins where nothing is yet. So it is given what stands in for the earlier parts of the file, and that much
    is passed over here.

    Attributes:
        start: Where the section begins.
    """

    def __init__(self, path: Path) -> None:
        self._file = path.open("ab")
        self.start = self._left = self._file.tell()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        size = len(data)
        passed = min(self._left, size)
        self._left -= passed
        if passed < size:
            self._file.write(data[passed:] if passed else data)
        return size

    def close(self) -> None:
        self._file.close()
        super().close()


class _Text:
    def __init__(self, path: Path, compression: str) -> None:
        file = path.open("ab")
        self._files: list[Any] = [file]
        if compression == ".gz":
            self._files.insert(0, gzip.GzipFile(fileobj=file, mode="wb", compresslevel=6, mtime=0))
        elif compression == ".zst":
            self._files.insert(0, pa.CompressedOutputStream(pa.PythonFile(file, "w"), "zstd"))

    def write(self, data: bytes) -> None:
        self._files[0].write(data)

    def close(self) -> None:
        for file in self._files:
            file.close()


def open_sink(path: Path, like: Path) -> Sink:
    """Adds to a file, of the format that the name of another says."""
    kind, compression = format_of(like)
    return _Parquet(path) if kind == "parquet" else _Text(path, compression)


def complete(path: Path, ends: Sequence[int], like: Path) -> None:
    """Makes one file of a file's parts, given where each ends."""
    if len(ends) == 1 or format_of(like)[0] != "parquet":  # parts of text follow one another as they are
        return
    whole: Any = None
    with pa.memory_map(str(path)) as file:
        for end in ends:
            file.seek(0)
            part = pq.read_metadata(pa.BufferReader(file.read_buffer(end)))
            if whole is None:
                whole = part
            else:
                whole.append_row_groups(part)
    said = pa.BufferOutputStream()
    whole.write_metadata_file(said)
    with path.open("ab") as out:  # without the mark that a file begins with
        out.write(said.getvalue().to_pybytes()[4:])


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
