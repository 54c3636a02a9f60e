"""How fast hands are scored in bulk.

    .venv/bin/python benchmarks/batch.py [speed files growth stages memory] [--rounds 7] [--mahjax PYTHON] [--json FILE]

*speed*: from columns to scores, one core, beside `mahjong` 2.1 (hand by hand, prepared) and, where a Python with it is
named, `mahjax` 0.1.6 (its judge, compiled for a batch); rounds in turn, medians of processor time. *files*: Parquet
with hand text into Parquet with scores, with one worker and two. *growth*: from 10^3 to 10^7 hands. *stages*: how the
time splits. *memory*: how much there is of it in a run over 10 million hands. `--figures FOLDER` draws growth, stages.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import mixes
import peer_batch
from scalar import Program, write
from tenbo.batch import engine as batch_engine
from tenbo.batch import run_batch, score, settle, winners
from tenbo.batch.compiled import compiled
from tenbo.ruleset import load_rules

HERE = Path(__file__).resolve().parent
MANY = 1 << 18
Record = dict[str, Any]


class Line:
    """A program that answers each line with seconds."""

    def __init__(self, python: str, name: str, hands: Path, count: int, **env: str) -> None:
        command = [python, str(HERE / f"peer_{name}.py"), str(hands), str(count)]
        pipe = subprocess.PIPE
        self.count = count
        self.process = subprocess.Popen(command, text=True, stdin=pipe, stdout=pipe, env=os.environ | env)
        self.first = self.hear()
        self.times: list[float] = []

    def hear(self) -> Any:
        """Its next answer."""
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def ask(self) -> None:
        """Has it score all hands, and keeps how long that took."""
        assert self.process.stdin is not None
        self.process.stdin.write("go\n")
        self.process.stdin.flush()
        self.times.append(self.hear())

    def stop(self) -> None:
        """Ends it."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()

    @property
    def rate(self) -> float:
        """Hands a second, of the median time."""
        return self.count / median(self.times)


def speed(rounds: int, mahjax: str | None) -> Record:
    """Columns to scores, beside others."""
    peers = subprocess.run([HERE / "peers"], check=True, capture_output=True, text=True).stdout.strip()
    out: Record = {}
    for mix in ("natural", "hard"):
        records, source = getattr(mixes, mix)(5000, 1)
        with tempfile.TemporaryDirectory() as folder:
            path = write(records, Path(folder))
            base = Program.start("mahjong", peers, path)
            (way, *_) = base.times
            ours = Line(sys.executable, "batch", path, MANY)
            one_core = {"XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false", "OMP_NUM_THREADS": "1"}
            others = [Line(mahjax, "mahjax", path, 1 << 14, **one_core)] if mahjax else []
            taken = []
            for _ in range(rounds):
                taken.append(base.ask(way))
                for program in (ours, *others):
                    program.ask()
            base.stop()
            for program in (ours, *others):
                program.stop()
        rate = len(records) / median(taken)
        row = {"tenbo": ours.rate, "mahjong": rate, "x_mahjong": ours.rate / rate, "first_1000": ours.first}
        if others:
            row |= {"mahjax": others[0].rate, "x_mahjax": ours.rate / others[0].rate}
        out[mix] = row
        print(f"{mix} ({source}): {', '.join(f'{key} {value:,.3g}' for key, value in row.items())}", flush=True)
    return out


def parquet(path: Path, count: int) -> None:
    """A Parquet file of hands as text."""
    records, _ = mixes.natural(6000, 1)
    keys = ("hand", "by", "seat", "round", "flags", "dora", "ura")
    table = pa.table({key: [record.get(key) for record in records] for key in keys})
    rng = np.random.default_rng(1)
    with pq.ParquetWriter(path, table.schema.append(pa.field("id", pa.int64()))) as writer:
        for start in range(0, count, 1 << 20):
            rows = min(1 << 20, count - start)
            part = table.take(pa.array(rng.integers(0, len(table), rows))).combine_chunks()
            writer.write_table(part.append_column("id", pa.array(np.arange(start, start + rows))))


def files(rounds: int, count: int = 2_000_000, many: int = 20_000_000) -> Record:
    """Parquet to Parquet, with one worker; and many hands with one and with two; by the clock and by the processor."""
    out: Record = {}
    with tempfile.TemporaryDirectory() as folder:
        source, result = Path(folder) / "in.parquet", Path(folder) / "out.parquet"
        for rows, workers, times in ((count, (1,), rounds), (many, (1, 2), min(rounds, 3))):
            parquet(source, rows)
            taken: dict[int, list[tuple[float, float]]] = {number: [] for number in workers}
            for _ in range(times):
                for number, found in taken.items():
                    before, start = processor(), time.monotonic()
                    run_batch(source, result, "riichi", workers=number)
                    found.append((time.monotonic() - start, processor() - before))
            for number, found in taken.items():
                clock, cpu = (rows / median(one) for one in zip(*found, strict=True))
                out[f"{rows}, {number}"] = {"clock": clock, "processor": cpu}
                print(
                    f"files, {rows:,} hands, {number} worker(s): {clock:,.0f} a second by the clock, "
                    f"{cpu:,.0f} by the processor",
                    flush=True,
                )
    out["ratio"] = out[f"{many}, 2"]["clock"] / out[f"{many}, 1"]["clock"]
    print(f"two workers: {out['ratio']:.2f} times one", flush=True)
    return out


def processor() -> float:
    """Seconds of processor time of this process and of its children."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def growth(top: int) -> list[Record]:
    """Hands a second for more and more hands: columns to scores, and file to file."""
    records, _ = mixes.natural(6000, 1)
    hands = peer_batch.many(records, 1 << 20)
    out = []
    for power in range(3, top + 1):
        count = 10**power
        parts = [hands.part(0, min(count, len(hands)))] * max(1, count // len(hands))
        times = []
        for _ in range(max(1, 8 - power)):
            start = time.process_time()
            for part in parts:
                score(part, rules="riichi")
            times.append(time.process_time() - start)
        done = sum(map(len, parts))
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "in.parquet"
            parquet(source, count)
            start = time.process_time()
            run_batch(source, Path(folder) / "out.parquet", "riichi")
            file = count / (time.process_time() - start)
        out.append({"hands": count, "columns": done / min(times), "files": file})
        print(f"{count:,} hands: {done / min(times):,.0f} a second from columns, {file:,.0f} file to file", flush=True)
    return out


STAGES = (
    ("tiles to codes", winners, "fields"),
    ("suits looked up", winners, "_slots"),
    ("sets on the table", winners, "table"),
    ("readings listed", winners, "_arrange"),
    ("facts added up", winners, "_add"),
    ("copies and dora", winners, "copies"),
    ("flags checked", winners, "_situation"),
    ("points, doubles, limits", settle, "_worth"),
    ("best reading", settle, "_best"),
    ("payments", settle, "_pay"),
    ("entries of sets", settle, "_entries"),
)


@contextmanager
def timed(found: dict[str, float]) -> Iterator[None]:
    """Takes the time of each stage."""
    kept = [(module, name, getattr(module, name)) for _, module, name in STAGES]
    for (label, module, name), (_, _, function) in zip(STAGES, kept, strict=True):

        def wrapped(*args: Any, label: str = label, function: Any = function) -> Any:
            start = time.thread_time()
            result = function(*args)
            found[label] = found.get(label, 0.0) + time.thread_time() - start
            return result

        setattr(module, name, wrapped)
    c = compiled(load_rules("riichi"))
    evaluator: Any = c.winners

    def evaluate(*args: Any) -> Any:
        start = time.thread_time()
        result = evaluator(*args)
        found["conditions"] = found.get("conditions", 0.0) + time.thread_time() - start
        return result

    c.winners = evaluate  # type: ignore[assignment]
    try:
        yield
    finally:
        c.winners = evaluator
        for module, name, function in kept:
            setattr(module, name, function)


def stages(rounds: int) -> Record:
    """Nanoseconds a hand in each stage, the least of the rounds."""
    hands = peer_batch.many(mixes.natural(6000, 1)[0], batch_engine.CHUNK)
    score(hands, rules="riichi")
    best: dict[str, float] = {}
    for _ in range(8 * rounds):
        found: dict[str, float] = {}
        with timed(found):
            start = time.thread_time()
            score(hands, rules="riichi")
            whole = time.thread_time() - start
        found["all else"] = whole - sum(found.values())
        if whole < best.get("whole", 9.0):
            best = found | {"whole": whole}
    out = {label: seconds / len(hands) * 1e9 for label, seconds in best.items()}
    for label, each in out.items():
        print(f"  {label:26} {each:7.1f} ns a hand", flush=True)
    return out


def memory(count: int = 10_000_000) -> list[Record]:
    """The memory of this process while it scores a file, as it goes on."""
    seen: list[Record] = []
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "in.parquet"
        code = f"import batch; batch.parquet(batch.Path({str(source)!r}), {count})"
        subprocess.run([sys.executable, "-c", code], check=True, cwd=HERE)
        done = threading.Event()
        rows = 0

        def watch() -> None:
            while not done.wait(0.5):
                pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
                seen.append({"rows": rows, "mebibytes": pages * resource.getpagesize() / (1 << 20)})

        def told(step: Any) -> None:
            nonlocal rows
            rows = step.rows

        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            run_batch(source, Path(folder) / "out.parquet", "riichi", progress=told)
        finally:
            done.set()
            watcher.join()
    for share in range(1, 11):
        near = [one["mebibytes"] for one in seen if (share - 1) * count < 10 * one["rows"] <= share * count]
        if near:
            print(f"  {share * 10:3} %: {max(near):,.0f} MiB", flush=True)
    print(f"  most: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MiB", flush=True)
    return seen


# ---------------------------------------------------------------------------------------------------------- figures


def bars(values: Record) -> str:
    """A bar for each stage, as SVG."""
    rows = [(label, value) for label, value in values.items() if label != "whole"]
    top = max(value for _, value in rows)
    parts = []
    for i, (label, value) in enumerate(rows):
        y, width = 24 * i + 30, 360 * max(value, 0) / top
        parts.append(f'<text x="196" y="{y + 13}" text-anchor="end">{label}</text>')
        parts.append(f'<rect x="204" y="{y}" width="{width:.1f}" height="17" fill="#3f7f5f"/>')
        parts.append(f'<text x="{210 + width:.1f}" y="{y + 13}">{value:.0f}</text>')
    title = f"Nanoseconds a hand, {sum(value for _, value in rows):.0f} in all"
    return _svg(640, 24 * len(rows) + 44, title, parts)


def lines(rows: list[Record]) -> str:
    """Hands a second against hands, both in powers of ten, as SVG."""
    powers = [len(str(row["hands"])) - 1 for row in rows]

    def x(power: float) -> float:
        return 70 + 520 * (power - powers[0]) / max(1, powers[-1] - powers[0])

    def y(rate: float) -> float:
        return 270 - 60 * (float(np.log10(rate)) - 3)

    parts = [f'<line x1="70" x2="590" y1="{y(10**k)}" y2="{y(10**k)}" stroke="#8886"/>' for k in range(3, 8)]
    parts += [f'<text x="62" y="{y(10**k) + 4}" text-anchor="end">10^{k}</text>' for k in range(3, 8)]
    parts += [f'<text x="{x(k)}" y="290" text-anchor="middle">10^{k}</text>' for k in powers]
    for key, colour in (("columns", "#3f7f5f"), ("files", "#b0632f")):
        points = " ".join(f"{x(power):.0f},{y(row[key]):.0f}" for power, row in zip(powers, rows, strict=True))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        label = {"columns": "columns to scores", "files": "Parquet to Parquet"}[key]
        parts.append(f'<text x="590" y="{y(rows[-1][key]) - 8:.0f}" text-anchor="end" fill="{colour}">{label}</text>')
    return _svg(640, 310, "Hands a second (up) by hands (across), one core", parts)


def _svg(width: int, height: int, title: str, parts: list[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="{title}"'
    style = 'font-family="sans-serif" font-size="13" fill="#777"'
    return "\n".join(
        [f"{head} {style}>", f"<title>{title}</title>", f'<text x="10" y="18">{title}</text>', *parts, "</svg>", ""]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = ("speed", "files", "growth", "stages", "memory")
    parser.add_argument("what", nargs="*", metavar="WHAT", default=[])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--top", type=int, default=7, help="growth goes to ten to this power (default 7)")
    parser.add_argument("--mahjax", help="a Python that has mahjax 0.1.6")
    parser.add_argument("--json", type=Path, help="add the figures to this file")
    parser.add_argument("--figures", type=Path, help="a folder for the drawings")
    asked = parser.parse_args()
    found = json.loads(asked.json.read_text()) if asked.json and asked.json.exists() else {}
    for name in asked.what or what:
        print(f"{name}:", flush=True)
        ways: dict[str, Callable[[], Any]] = {
            "speed": lambda: speed(asked.rounds, asked.mahjax),
            "files": lambda: files(max(1, asked.rounds // 2)),
            "growth": lambda: growth(asked.top),
            "stages": lambda: stages(asked.rounds),
            "memory": memory,
        }
        found[name] = ways[name]()
    if asked.json:
        asked.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    if asked.figures:
        for name, draw in (("stages", bars), ("growth", lines)):
            if name in found:
                (asked.figures / f"batch-{name}.svg").write_text(draw(found[name]), encoding="utf-8")


if __name__ == "__main__":
    main()
