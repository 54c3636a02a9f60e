"""How fast hands are scored one by one: tenbo beside the packages that score riichi hands, on the same hands, in turn.

    .venv/bin/python benchmarks/scalar.py [--mix natural hard] [--hands 5000] [--rounds 7]

Every program runs in a process of its own and is told in turn to score all hands. The figures are medians over the
rounds of processor time, so that a machine that drifts or is busy with other things bends none of them for one program
alone. All that a score consists of is read: han, fu, payments, and the lines or patterns.

Within a round no hand comes twice, but each round brings the same hands, and whoever remembers parts of them gains.
"unseen" leaves that out: a fresh process scores one half of the hands and is then timed on the other half.
`benchmarks/peers` sets up the others; `scripts/test-compiled` sets up the compiled build, for `--compiled`.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import mixes

HERE = Path(__file__).resolve().parent
US, COMPILED, BASE, RUST = "tenbo", "compiled", "mahjong", "riichienv"
WHAT = {US: "tenbo", COMPILED: "tenbo compiled", BASE: "mahjong 2.1", RUST: "riichienv 0.4.11"}
FRESH_STARTS = 3
Record = dict[str, Any]


@dataclass
class Program:
    """One program and the times it took."""

    name: str
    process: subprocess.Popen[str]
    times: dict[str, list[float]] = field(default_factory=dict)
    unseen: dict[str, list[float]] = field(default_factory=dict)

    @classmethod
    def start(cls, name: str, python: str, hands: Path) -> Program:
        """Starts it and waits until it has read and prepared the hands."""
        script = HERE / f"peer_{US if name == COMPILED else name}.py"
        command = [python, str(script), str(hands)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        started = cls(name, subprocess.Popen(command, text=True, **pipes))  # type: ignore[call-overload]
        started.times = {way: [] for way in started.hear()}
        return started

    def hear(self) -> Any:
        """Its next answer."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.name} stopped (see above)")
        return json.loads(line)

    def ask(self, word: str) -> Any:
        """Its answer to a word."""
        assert self.process.stdin is not None
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()
        return self.hear()

    def stop(self) -> None:
        """Ends it."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def pythons(peers: str, ours: bool, compiled: str | None) -> dict[str, str]:
    """Each program's Python."""
    own = ({US: sys.executable} if ours else {}) | ({COMPILED: compiled} if compiled else {})
    return own | {BASE: peers, RUST: peers}


def write(records: list[Record], folder: Path) -> Path:
    path = folder / "hands.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def agreed(records: list[Record], run: dict[str, str], folder: Path) -> list[Record]:
    """The hands that every program scores, after a word on where they differ."""
    path = write(records, folder)
    outcomes = {}
    for name, python in run.items():
        program = Program.start(name, python, path)
        outcomes[name] = program.ask("outcomes")
        program.stop()
    kept = []
    refused: Counter[str] = Counter()
    differ: dict[str, list[str]] = {name: [] for name in run}
    for index, record in enumerate(records):
        said = {name: outcomes[name][index] for name in run}
        errors = [name for name, result in said.items() if "error" in result]
        refused.update(errors)
        if not errors:
            kept.append(record)
        values = {name: "refused" if name in errors else str(value(result)) for name, result in said.items()}
        for name in run:
            if values[name] != values[BASE]:
                differ[name].append(f"{record} {name}: {values[name]} {BASE}: {values[BASE]}")
    for name, count in refused.items():
        print(f"  {WHAT[name]} refuses {count:,} of {len(records):,} hands; they are left out")
    for name in run:
        if name != BASE:
            print(f"  {WHAT[name]} and {WHAT[BASE]} differ in {len(differ[name]):,} hands")
            for case in differ[name][:3]:
                print(f"    {case}")
    return kept


def value(result: Record) -> tuple[Any, ...]:
    """What two programs must agree in: han, fu and payment, or the payment of a limit hand, counted or not."""
    if result["limit"] or result["han"] >= 13:
        return ("limit", result["score"])
    return result["han"], result["fu"], result["score"]


def race(records: list[Record], rounds: int, run: dict[str, str], folder: Path) -> list[Program]:
    """Lets every way of every program score all hands, in turn, as often as asked."""
    path = write(records, folder)
    programs = [Program.start(name, python, path) for name, python in run.items()]
    fresh_hands(programs, records, run, folder)
    for number in range(rounds):
        shift = number % len(programs)
        for program in programs[shift:] + programs[:shift]:
            for way, times in program.times.items():
                times.append(program.ask(way))
    for program in programs:
        program.stop()
    return programs


def fresh_hands(programs: list[Program], records: list[Record], run: dict[str, str], folder: Path) -> None:
    """Times every way on hands that its process has not seen, after it has seen as many others."""
    half = len(records) // 2
    for number in range(FRESH_STARTS):
        shuffled = random.Random(number).sample(records, len(records))
        path = write(shuffled, folder)
        for program in programs:
            for way in program.times:
                fresh = Program.start(program.name, run[program.name], path)
                fresh.ask(f"{way}:0:{half}")
                seconds = fresh.ask(f"{way}:{half}:{2 * half}")
                program.unseen.setdefault(way, []).append(seconds / half)
                fresh.stop()


def report(programs: list[Program], hands: int) -> list[Record]:
    """Prints the table and gives its rows. Ratios compare what is prepared with what is prepared, text with text."""
    rows = []
    print(f"  {'':48} {'hands/s':>9} {'slowest':>9} {'fastest':>9} {'unseen':>9}  {'x mahjong':>9} {'x riichienv':>11}")
    for program in programs:
        for number, (way, times) in enumerate(program.times.items()):
            peers = [like(programs, name, number) for name in (BASE, RUST)]
            row = {"program": program.name, "way": way, "hands_per_second": hands / median(times)}
            row |= {"slowest": hands / max(times), "fastest": hands / min(times)}
            row["unseen"] = 1 / median(program.unseen[way])
            row |= {"x_mahjong": peers[0] / median(times), "x_riichienv": peers[1] / median(times)}
            rows.append(row)
            print(
                f"  {WHAT[program.name] + ' ' + way:48} {row['hands_per_second']:9,.0f} {row['slowest']:9,.0f}"
                f" {row['fastest']:9,.0f} {row['unseen']:9,.0f}  {row['x_mahjong']:9.2f} {row['x_riichienv']:11.2f}"
            )
    return rows


def like(programs: list[Program], name: str, number: int) -> float:
    """The time of the way of another program that is like the way with this number: prepared (0) or from text."""
    (times,) = (list(program.times.items()) for program in programs if program.name == name)
    way = times[0] if number == 0 else next(item for item in times if item[0] in ("from strings", "from text"))
    return median(way[1])


def main() -> None:
    parser = argparse.ArgumentParser(description="Compares how fast hands are scored one by one.")
    parser.add_argument("--mix", nargs="+", choices=["natural", "hard"], default=["natural", "hard"])
    parser.add_argument("--hands", type=int, default=5500, help="hands in each mix (default 5500)")
    parser.add_argument("--rounds", type=int, default=7, help="rounds, of which the median counts (default 7)")
    parser.add_argument("--seed", type=int, default=1, help="for the random hands (default 1)")
    parser.add_argument("--peers-only", action="store_true", help="leave tenbo itself out")
    parser.add_argument(
        "--compiled", metavar="PYTHON", help="a Python with tenbo compiled, such as .venv-compiled/bin/python"
    )
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    asked = parser.parse_args()
    peers = subprocess.run([HERE / "peers"], check=True, capture_output=True, text=True).stdout.strip()
    run = pythons(peers, not asked.peers_only, asked.compiled)
    figures = {}
    for mix in asked.mix:
        records, source = getattr(mixes, mix)(asked.hands, asked.seed)
        print(f"{mix}: {len(records):,} distinct hands, {source}")
        with tempfile.TemporaryDirectory() as folder:
            records = agreed(records, run, Path(folder))
            programs = race(records, asked.rounds, run, Path(folder))
        figures[mix] = report(programs, len(records))
    if asked.json:
        asked.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
