"""A file of hand records scored into another file: streaming, in several processes, to be resumed when interrupted."""

from __future__ import annotations

import json
import os
import shutil
import signal
import threading
import time
import zlib
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, Final

import pyarrow as pa
from filelock import FileLock, Timeout

from tenbo.batch.arrow import sinks, sources
from tenbo.batch.arrow.incoming import wrong_columns
from tenbo.batch.arrow.work import Done, Work
from tenbo.errors import TenboError, nearest
from tenbo.ruleset import Ruleset, load_rules

PART_ROWS: Final = 1 << 22
"""Records after which a part of the result is finished; what is finished is not lost, however the run ends."""

_VERSION: Final = 2


class BatchError(ValueError):
    """A file that cannot be read or written; nothing is left under the result's name."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is.

    Attributes:
        rows: Records answered so far, those of an earlier run included.
        of_rows: How many there are; None where that is not known.
        read, of_bytes: For text, how many bytes of the file are read, and its size; None for Parquet.
        seconds: Since the start of this run.
    """

    rows: int
    of_rows: int | None
    read: int | None
    of_bytes: int | None
    seconds: float

    @property
    def share(self) -> float | None:
        """The share that is done, from 0 to 1; None where that is not known."""
        if self.of_rows is not None:
            return self.rows / self.of_rows if self.of_rows else 1.0
        return self.read / self.of_bytes if self.read is not None and self.of_bytes else None


@dataclass(slots=True)
class Summary:
    """What a run did.

    Attributes:
        rows: Records answered.
        errors: How many were refused, by code.
        resumed: How many of them an earlier run had answered.
        fallback: How many the scalar engine scored.
        reasons: Why all rows were left to the scalar engine; empty where arrays did it.
        seconds: How long it took.
    """

    rows: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    resumed: int = 0
    fallback: int = 0
    reasons: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def scored(self) -> int:
        """Records that were scored."""
        return self.rows - self.errors.total()


def run_batch(
    in_path: str | Path,
    out_path: str | Path,
    rules: str | Path | Ruleset,
    options: Mapping[str, object] | None = None,
    *,
    workers: int = 1,
    keep: Iterable[str] = ("id",),
    progress: Callable[[Progress], None] | None = None,
    resume: bool = True,
    part_rows: int = PART_ROWS,
) -> Summary:
    """Scores a file of hand records into another file.

    Formats go by the files' names: `.parquet`, `.csv`, `.ndjson` or `.jsonl`, the text formats also with `.gz` or
    `.zst`. The result has a row for each record, in order: the columns in `keep`, then those of `Scorer.schema`. Memory
    does not grow with the files. Until all is done the result lies in parts, in a hidden folder beside it; a run that
    was interrupted goes on from there when it is started again with the same rules and an input that did not change.

    Args:
        in_path: The records.
        out_path: The result; one that exists is replaced in the end.
        rules: A preset's name, a ruleset file, or a `Ruleset`.
        options: House-rule values laid over the rules.
        workers: Processes that score; with 1 it is this one.
        keep: Columns of the input that are passed through; `id` only where there is one.
        progress: Is told how far it is, now and then.
        resume: Whether to go on where an interrupted run ended; else it begins anew.
        part_rows: Records after which a part is finished, together with those that are read at once.

    Raises:
        BatchError: A file cannot be read or written, or a column cannot be kept.
        ReadError: There are no such rules or options.
        RulesetError: The ruleset file cannot be used.
    """
    started = time.monotonic()
    source, out = Path(in_path), Path(out_path)
    ruleset = load_rules(rules, options)
    try:
        sources.format_of(source), sources.format_of(out)
        if source.exists() and out.exists() and source.samefile(out):
            raise ValueError("the result would replace its own input")
        for path in (source, out):
            if path.is_dir():
                raise ValueError(f"{path} is a folder; name a file")
        kept = _kept(tuple(dict.fromkeys(keep)), source)
        job = _Job(source, out, ruleset, kept, part_rows)
        with _alone(out):
            try:
                job.begin(resume)
                return job.run(max(1, workers), progress, started)
            finally:
                if not job.parts:  # nothing that another run could go on from
                    shutil.rmtree(job.folder, ignore_errors=True)
    except BrokenProcessPool:
        message = (
            "a process that scores has ended; was it killed for lack of memory? "
            "(a script that asks for workers runs only below `if __name__ == '__main__':`)"
        )
        raise BatchError(message) from None
    except (OSError, ValueError, EOFError, zlib.error) as error:
        if isinstance(error, BatchError | TenboError):
            raise
        raise BatchError(_why(error)) from error


@contextmanager
def _alone(out: Path) -> Iterator[None]:
    """Refuses to work beside another run with the same result."""
    if not out.parent.is_dir():
        raise BatchError(f"{out.parent}: there is no such folder")
    path = out.with_name(f".{out.name}.lock")
    lock = FileLock(path, timeout=0)
    try:
        with lock:
            try:
                yield
            finally:
                path.unlink(missing_ok=True)
    except Timeout:
        raise BatchError(f"{out}: another run is writing this result; wait for it, or stop it") from None


def _kept(keep: tuple[str, ...], source: Path) -> tuple[str, ...]:
    """The columns that are kept; refuses those that cannot be, and a file that has no hands."""
    own = [name for name in keep if name in _RESULT or (name.startswith("entries") and name[7:].isdigit())]
    if own:
        raise ValueError(f"a column {own[0]!r} cannot be kept: the result has one of its own")
    names = sources.columns(source) if source.is_file() else None
    if not names:
        return keep
    if wrong := wrong_columns(names):
        hint = "; its columns must be separated by commas" if len(names) == 1 and ";" in names[0] else ""
        raise ValueError(f"{source}: a file of hands {wrong}{hint}")
    for name in keep:
        if name not in names and name != "id":
            near = nearest(name, names)
            hint = f"; did you mean {near!r}?" if near else f" (there are: {', '.join(names)})"
            raise ValueError(f"{source.name} has no column {name!r} to keep{hint}")
        if names.count(name) > 1:
            raise ValueError(f"{source.name} has {names.count(name)} columns {name!r}: which is to be kept?")
    return tuple(name for name in keep if name in names)


_RESULT: Final = frozenset([*sinks.columns_of((), 1), "payments"])


def _why(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


class _Job:
    def __init__(self, source: Path, out: Path, rules: Ruleset, keep: tuple[str, ...], part_rows: int) -> None:
        self.source, self.out, self.rules, self.part_rows = source, out, rules, part_rows
        self.work = Work(rules, keep, sources.format_of(out)[0])
        self.folder = out.with_name(f".{out.name}.parts")
        self.result = self.folder / "result"
        self.parts: list[dict[str, Any]] = []
        self.summary = Summary(reasons=self.work.scorer.fallback)

    # ------------------------------------------------------------------------------------------------ parts

    def _identity(self) -> dict[str, Any]:
        """What must be the same for a run to go on."""
        stat = self.source.stat()
        rules = sha256(json.dumps([self.rules.text, sorted(self.rules.values.items())], default=str).encode())
        return {
            "version": _VERSION,
            "input": [str(self.source.resolve()), stat.st_size, stat.st_mtime_ns],
            "rules": rules.hexdigest(),
            "keep": list(self.work.keep),
            "output": self.out.name,
        }

    def begin(self, resume: bool) -> None:
        """Finds what an earlier run has left, or makes room for a new one."""
        if not self.source.is_file():
            raise BatchError(f"{self.source}: there is no such file")
        manifest = self.folder / "manifest.json"
        if resume:
            with suppress(OSError, ValueError, LookupError, TypeError):
                known = json.loads(manifest.read_text(encoding="utf-8"))
                if known["identity"] == self._identity() and self.result.stat().st_size >= known["parts"][-1]["end"]:
                    self.parts = known["parts"]
        if self.parts:
            os.truncate(self.result, self.parts[-1]["end"])  # what came after was not finished
        else:
            shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True, exist_ok=True)
        for part in self.parts:
            self.summary.rows += part["rows"]
            self.summary.errors.update(part["errors"])
            self.summary.fallback += part["fallback"]
        self.summary.resumed = self.summary.rows

    def _save(self) -> None:
        """Writes down which parts are finished."""
        text = json.dumps({"identity": self._identity(), "parts": self.parts})
        new = self.folder / "manifest.new"
        new.write_text(text, encoding="utf-8")
        new.replace(self.folder / "manifest.json")

    # ------------------------------------------------------------------------------------------------ the run

    def run(self, workers: int, progress: Callable[[Progress], None] | None, started: float) -> Summary:
        total, size = sources.total_rows(self.source), self.source.stat().st_size
        blocks = sources.read(self.source, self.work.keep, self.summary.rows)
        part = _Part(self)
        try:
            for done in _answers(self.work, blocks, workers):
                with _uninterrupted():
                    part.add(done)
                if progress is not None:
                    of_bytes = None if total is not None else size
                    progress(Progress(self.summary.rows, total, done.at, of_bytes, time.monotonic() - started))
                if part.rows >= self.part_rows:
                    with _uninterrupted():
                        part.finish()
                        part = _Part(self)
        except BaseException:  # interrupted, perhaps: what is done is kept
            with _uninterrupted():
                part.finish()
            raise
        with _uninterrupted():
            part.finish(last=True)
        self._complete()
        self.summary.seconds = time.monotonic() - started
        return self.summary

    def _complete(self) -> None:
        try:
            sinks.complete(self.result, [part["end"] for part in self.parts], self.out)
        except pa.ArrowInvalid as error:
            message = (
                f"{self.folder}: what an earlier run left there is damaged; begin anew with --restart (resume=False)"
            )
            raise BatchError(message) from error
        with self.result.open("rb+") as file:
            os.fsync(file.fileno())
        self.result.replace(self.out)
        shutil.rmtree(self.folder, ignore_errors=True)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Lets what is being written be finished before Ctrl-C takes effect."""
    before = signal.getsignal(signal.SIGINT)
    if before is None or threading.current_thread() is not threading.main_thread():  # where no signal arrives
        yield
        return
    caught: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: caught.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if caught and callable(before):
            before(*caught[0])


class _Part:
    """The part that is being written."""

    def __init__(self, job: _Job) -> None:
        self.job = job
        self._writing = False
        self.rows = self.fallback = 0
        self.errors: Counter[str] = Counter()
        self._sink: sinks.Sink | None = None

    def add(self, done: Done) -> None:
        """Writes what is done."""
        self._writing = True
        if self._sink is None:
            self._sink = sinks.open_sink(self.job.result, self.job.out)
            if not self.job.parts:
                head = sinks.header(sinks.columns_of(self.job.work.keep, self.job.work.words), self.job.out)
                if head:
                    self._sink.write(head)
        self._sink.write(done.data)
        self._writing = False
        self.rows += done.rows
        self.fallback += done.fallback
        self.errors.update(done.errors)
        summary = self.job.summary
        summary.rows += done.rows
        summary.fallback += done.fallback
        summary.errors.update(done.errors)

    def finish(self, last: bool = False) -> None:
        """Makes it a part that lasts; one that was broken off while it was written to does not."""
        if self._writing:
            if self._sink is not None:
                with suppress(Exception):  # what it says now was said when it was written to
                    self._sink.close()
            return
        if self._sink is None:
            if not (last and not self.job.parts):
                return
            self.add(self.job.work.nothing())
        assert self._sink is not None
        self._sink.close()
        self._sink = None
        end = self.job.result.stat().st_size
        self.job.parts.append({"end": end, "rows": self.rows, "errors": dict(self.errors), "fallback": self.fallback})
        self.job._save()


def _answers(work: Work, blocks: Iterator[sources.Block], workers: int) -> Iterator[Done]:
    """Answers blocks in order."""
    if workers == 1:
        for block in blocks:
            yield work(block)
        return
    waiting: deque[Future[Done]] = deque()
    with (
        TemporaryDirectory(prefix="tenbo-", ignore_cleanup_errors=True) as folder,
        ProcessPoolExecutor(workers, get_context("spawn"), _start, (work, folder)) as pool,
    ):
        try:
            for block in blocks:
                waiting.append(pool.submit(_do, sources.packed(block, folder)))
                if len(waiting) > 2 * workers:  # no more in memory than keeps all busy
                    yield sources.unpacked(waiting.popleft().result())
            while waiting:
                yield sources.unpacked(waiting.popleft().result())
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


_work: tuple[Work, str] | None = None


def _start(work: Work, folder: str) -> None:
    global _work
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process ends the others in order
    _work = work, folder


def _do(block: sources.Block) -> Done:
    assert _work is not None
    work, folder = _work
    return sources.packed(work(sources.unpacked(block)), folder)
