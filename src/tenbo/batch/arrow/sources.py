"""Files of hand records, read a block at a time: Parquet, CSV and JSON lines, also compressed."""

from __future__ import annotations

import csv
import gzip
import io
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkstemp
from typing import Any, BinaryIO, Final, Protocol, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from tenbo.batch.arrow.incoming import KEYS
from tenbo.errors import ReadError
from tenbo.records import MAX_LINE, read_json

BLOCK_ROWS: Final = 65_536
_READ: Final = 1 << 22
_WORDS: Final = ("by", "from", "seat", "round", "dora", "ura")

FORMATS: Final = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".csv": "csv",
    ".ndjson": "ndjson",
    ".jsonl": "ndjson",
}
COMPRESSIONS: Final = (".gz", ".zst")


@dataclass(slots=True)
class Block:
    """Some records of a file.

    Attributes:
        data: A record batch, or a list of JSON values or of `Unreadable`.
        rows: How many.
        at: Bytes of the file that are read with it, for text; None for Parquet.
    """

    data: Any
    rows: int
    at: int | None = None


class _HasData(Protocol):
    data: Any


_Sent = TypeVar("_Sent", bound=_HasData)


def packed(sent: _Sent, folder: str) -> _Sent:
    """Makes what has data ready for another process: a record batch lies in a file, which both see in memory."""
    if isinstance(sent.data, pa.RecordBatch):
        descriptor, name = mkstemp(dir=folder)
        os.close(descriptor)
        with pa.OSFile(name, "wb") as file, pa.ipc.new_stream(file, sent.data.schema) as writer:
            writer.write_batch(sent.data)
        sent.data = Path(name)
    return sent


def unpacked(sent: _Sent) -> _Sent:
    """The opposite of `packed`."""
    if isinstance(sent.data, Path):
        (batch,) = pa.ipc.open_stream(pa.memory_map(str(sent.data)))
        with suppress(OSError):  # a system that keeps files which are open removes it in the end
            sent.data.unlink()
        sent.data = batch
    return sent


class Unreadable:
    """Stands for a record that is not one: no JSON object."""


def format_of(path: Path) -> tuple[str, str]:
    """A file's format and compression by its name.

    Raises:
        ValueError: The name says no known format.
    """
    suffixes = [suffix.lower() for suffix in path.suffixes]
    compression = ""
    if suffixes and suffixes[-1] in COMPRESSIONS:
        compression = suffixes.pop()
    kind = FORMATS.get(suffixes[-1] if suffixes else "")
    if kind is None or (kind == "parquet" and compression):
        names = ", ".join(f"*{suffix}" for suffix in FORMATS)
        raise ValueError(f"{path.name or path}: the name must end as one of {names} (text also with .gz or .zst)")
    return kind, compression


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Says of which file it is that it cannot be read."""
    try:
        yield
    except (OSError, ValueError, EOFError, zlib.error) as error:
        if isinstance(error, FileNotFoundError | PermissionError | IsADirectoryError):
            raise
        kind = "".join(format_of(path))
        message = f"{path} cannot be read as {kind}: is it whole, and what its name says? ({str(error).rstrip('.')})"
        raise ValueError(message) from error


def columns(path: Path) -> list[str] | None:
    """The columns of a file; None for JSON lines, whose records may have any."""
    kind, compression = format_of(path)
    if kind == "ndjson":
        return None
    with _reading(path):
        if kind == "parquet":
            return list(pq.read_schema(path).names)
        with _open(path, compression) as (stream, _):
            return next(csv.reader(_text(stream)), [])


def total_rows(path: Path) -> int | None:
    """How many records a file has, where that is known without reading it."""
    with _reading(path):
        return pq.ParquetFile(path).metadata.num_rows if format_of(path)[0] == "parquet" else None


def read(path: Path, keep: tuple[str, ...], skip: int = 0) -> Iterator[Block]:
    """Reads a file.

    Args:
        path: The file.
        keep: Columns that are passed through, besides those of hand records.
        skip: So many records at the beginning are left out.
    """
    kind, compression = format_of(path)
    if kind == "parquet":
        with _reading(path):
            yield from _parquet(path, keep, skip)
        return
    with _reading(path), _open(path, compression) as (stream, place):
        items = _csv(stream, keep) if kind == "csv" else _ndjson(stream)
        block: list[Any] = []
        for item in items:
            if skip:
                skip -= 1
                continue
            block.append(item)
            if len(block) == BLOCK_ROWS:
                yield Block(_parsed(kind, block), len(block), place())
                block = []
        if block:
            yield Block(_parsed(kind, block), len(block), place())


def _parsed(kind: str, block: list[Any]) -> Any:
    return block if kind == "csv" else ("ndjson", block)


def _parquet(path: Path, keep: tuple[str, ...], skip: int) -> Iterator[Block]:
    fields = pq.read_schema(path)
    names = fields.names
    # Few texts that come again and again are read as a dictionary of them.
    words = [n for n in _WORDS if names.count(n) == 1 and n not in keep and pa.types.is_string(fields.field(n).type)]
    file = pq.ParquetFile(path, pre_buffer=False, read_dictionary=words)
    wanted = [name for name in names if name in (*KEYS, "rules", "options", *keep)]
    groups: list[int] = []
    for i in range(file.num_row_groups):
        rows = file.metadata.row_group(i).num_rows
        if skip >= rows and not groups:
            skip -= rows
        else:
            groups.append(i)
    for batch in file.iter_batches(BLOCK_ROWS, row_groups=groups, columns=wanted, use_threads=False):
        if skip >= batch.num_rows:
            skip -= batch.num_rows
            continue
        part = batch.slice(skip) if skip else batch
        skip = 0
        yield Block(part, part.num_rows)


class _Opened:
    """A file being read, whose compression is undone, and how far it is read."""

    def __init__(self, path: Path, compression: str) -> None:
        self.raw: BinaryIO = path.open("rb")
        self.stream: Any = self.raw
        if compression == ".gz":
            self.stream = gzip.GzipFile(fileobj=self.raw)
        elif compression == ".zst":
            self.stream = pa.CompressedInputStream(pa.PythonFile(self.raw, "r"), "zstd")

    def __enter__(self) -> tuple[Any, Any]:
        return self.stream, self.raw.tell

    def __exit__(self, *_: object) -> None:
        if self.stream is not self.raw:
            self.stream.close()
        self.raw.close()


def _open(path: Path, compression: str) -> _Opened:
    return _Opened(path, compression)


def _lines(stream: Any) -> Iterator[bytes | None]:
    """The lines of a stream, without their ends; None for one that is far too long."""
    rest, dropping = b"", False
    while True:
        data = stream.read(_READ)
        if not data:
            break
        lines = (rest + data).split(b"\n")
        rest = lines.pop()
        if dropping and lines:
            lines.pop(0)
            dropping = False
        yield from lines
        if len(rest) > MAX_LINE:
            if not dropping:
                yield None
            rest, dropping = b"", True
    if rest and not dropping:
        yield rest


def _ndjson(stream: Any) -> Iterator[bytes | None]:
    """The lines of JSON that are not blank."""
    for line in _lines(stream):
        if line is None or line.strip():
            yield line


def parse_lines(lines: list[bytes | None]) -> list[Any]:
    """The JSON values of lines; `Unreadable` for what is none, or no object."""
    out = []
    for line in lines:
        try:
            value = read_json(line) if line is not None else None
        except ReadError:
            value = None
        out.append(value if isinstance(value, dict) else Unreadable())
    return out


def _csv(stream: Any, keep: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """The rows of a CSV file as records; an empty cell is absent."""
    rows = csv.reader(_text(stream))
    names = next(rows, [])
    wanted = {*KEYS, "rules", "options", *keep}
    while True:
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error:
            yield {"hand": ""}
            continue
        if not row:
            continue
        record: dict[str, Any] = {name: cell for name, cell in zip(names, row, strict=False) if cell and name in wanted}
        if len(row) > len(names):
            record["more cells than columns"] = row[len(names)]
        yield record


def _text(stream: Any) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BufferedReader(_Raw(stream), _READ), "utf-8-sig", errors="backslashreplace", newline="")


class _Raw(io.RawIOBase):
    """A stream as Python's own kind."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._stream.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)
