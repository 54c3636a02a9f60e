"""Files scored into files."""

from __future__ import annotations

import csv
import gzip
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tenbo.batch import BatchError, Progress, Scorer, run_batch
from tenbo.batch.arrow import sinks, sources
from tenbo.errors import ReadError
from tenbo.records import score_record

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "benchmarks"))
import random_hands
from tenbo.ruleset import load_rules

BLOCK = 1000


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "BLOCK_ROWS", BLOCK)


NAMES = ("hands.parquet", "hands.csv", "hands.csv.gz", "hands.ndjson", "hands.jsonl.zst", "hands.ndjson.gz")


def records(count: int, rules: str = "reach") -> list[dict[str, Any]]:
    source = random_hands.Hands(load_rules(rules), seed=3, faulty=0)
    out = [{"id": f"hand {i}", **source.record()} for i in range(count)]
    out[1]["hand"] = "nothing"
    out[2].pop("seat")
    return out


def put(path: Path, rows: list[dict[str, Any]]) -> Path:
    if path.suffix == ".parquet":
        keys = ("id", "hand", "by", "from", "seat", "round", "flags", "dora", "ura", "honba", "sticks")
        pq.write_table(pa.table({key: [row.get(key) for row in rows] for key in keys}), path, row_group_size=700)
        return path
    if ".csv" in path.suffixes:
        text = csv_text(rows)
    else:
        text = "".join(json.dumps(row) + "\n" for row in rows)
    data = text.encode()
    if path.suffix == ".gz":
        data = gzip.compress(data)
    elif path.suffix == ".zst":
        data = pa.compress(data, "zstd", asbytes=True)
        with pa.CompressedOutputStream(pa.OSFile(str(path), "wb"), "zstd") as stream:
            stream.write(text.encode())
        return path
    path.write_bytes(data)
    return path


def csv_text(rows: list[dict[str, Any]]) -> str:
    keys = ("id", "hand", "by", "from", "seat", "round", "flags", "dora", "ura", "honba", "sticks")
    lines = [",".join(keys)]
    for row in rows:
        lines.append(",".join(" ".join(row.get(k, [])) if k == "flags" else str(row.get(k, "")) for k in keys))
    return "\n".join(lines) + "\n"


def got(path: Path) -> list[dict[str, Any]]:
    """Identity, score, error and reading of each row."""
    if path.suffix == ".parquet":
        rows = pq.read_table(path).to_pylist()
    else:
        data = path.read_bytes()
        if path.suffix == ".gz":
            data = gzip.decompress(data)
        elif path.suffix == ".zst":
            with pa.CompressedInputStream(pa.OSFile(str(path), "rb"), "zstd") as stream:
                data = stream.read()
        text = data.decode()
        rows = (
            list(csv.DictReader(text.splitlines()))
            if ".csv" in path.suffixes
            else [json.loads(line) for line in text.splitlines()]
        )
    keys = ("id", "score", "points", "error", "reading")
    return [{key: str(row.get(key)) if row.get(key) not in (None, "") else None for key in keys} for row in rows]


def wanted(rows: list[dict[str, Any]], rules: str = "reach") -> list[dict[str, Any]]:
    out = []
    for row in rows:
        found = score_record(row, rules=rules)
        keys = ("id", "score", "points", "error", "reading")
        out.append({key: None if found.get(key) is None else str(found[key]) for key in keys})
    return out


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("result", NAMES)
def test_every_format_into_every_other(tmp_path: Path, name: str, result: str) -> None:
    rows = records(40)
    source, out = put(tmp_path / f"in_{name}", rows), tmp_path / result
    summary = run_batch(source, out, "reach")
    want = wanted(rows)
    assert got(out) == want
    assert summary.rows == 40
    assert summary.errors == {
        code: sum(row["error"] == code for row in want) for code in {row["error"] for row in want} - {None}
    }
    assert summary.scored == 40 - summary.errors.total()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([source.name, out.name])


def test_two_workers_give_the_same_as_one(tmp_path: Path) -> None:
    rows = records(500)
    source = put(tmp_path / "in.parquet", rows * 8)
    told: list[Progress] = []
    one = run_batch(source, tmp_path / "one.parquet", "reach", progress=told.append)
    two = run_batch(source, tmp_path / "two.parquet", "reach", workers=2)
    assert pq.read_table(tmp_path / "one.parquet").equals(pq.read_table(tmp_path / "two.parquet"))
    assert (one.rows, one.errors) == (two.rows, two.errors)
    assert [step.rows for step in told] == sorted(step.rows for step in told)
    assert told[-1].rows == told[-1].of_rows == 4000
    assert told[-1].share == 1


def test_options_and_kept_columns(tmp_path: Path) -> None:
    rows = [
        {"hand": "3457899p [777z] [2222z] +6p", "by": "discard", "seat": "S", "round": "E", "id": 7, "who": {"a": [1]}}
    ]
    source = put(tmp_path / "in.ndjson", rows)
    run_batch(source, tmp_path / "out.ndjson", "basic", {"limit": 100}, keep=("who", "id"))
    line = json.loads((tmp_path / "out.ndjson").read_text())
    assert (line["who"], line["id"], line["score"], line["limit"]) == ({"a": [1]}, 7, 100, "cap")
    run_batch(source, tmp_path / "out.parquet", "basic", keep=("who",))
    assert pq.read_table(tmp_path / "out.parquet")["who"].to_pylist() == ['{"a": [1]}']


def test_lines_that_are_no_records_and_blank_ones(tmp_path: Path) -> None:
    good = '{"hand": "3457899p [777z] [2222z] +6p", "by": "discard", "seat": "S", "round": "E"}'
    text = f'{good}\n\n  \n[1]\n{{"hand"\n"x"\nNaN\n{good[:-1]}, "what": 1}}\n\xff\n{good}'
    (tmp_path / "in.jsonl").write_bytes(text.encode("latin-1"))
    summary = run_batch(tmp_path / "in.jsonl", tmp_path / "out.jsonl", "basic")
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [line.get("error") for line in lines] == [None, *["bad_json"] * 4, "unknown_field", "bad_json", None]
    assert summary.rows == 8
    assert summary.scored == 2


def test_crooked_rows_of_csv(tmp_path: Path) -> None:
    hand = "3457899p [777z] [2222z] +6p"
    text = (
        f'hand,by,seat,round,note\r\n{hand},discard,S,E,"a, b\nc"\r\n{hand},discard,S\r\n{hand},discard,S,E,x,y\r\n\r\n'
    )
    (tmp_path / "in.csv").write_text(text, encoding="utf-8-sig", newline="")
    run_batch(tmp_path / "in.csv", tmp_path / "out.csv", "basic", keep=["note"])
    rows = list(csv.DictReader((tmp_path / "out.csv").read_text(encoding="utf-8").splitlines(keepends=True)))
    assert [row["error"] for row in rows] == ["", "missing_field", "unknown_field"]
    assert rows[0]["note"] == "a, b\nc"
    assert rows[0]["score"] == "320"


def test_no_records_at_all(tmp_path: Path) -> None:
    for name in ("in.ndjson", "in.csv"):
        (tmp_path / name).write_text("")
        for out in ("out.parquet", "out.csv", "out.ndjson"):
            assert run_batch(tmp_path / name, tmp_path / out, "basic").rows == 0
    assert set(Scorer("basic").schema.names) <= set(pq.read_schema(tmp_path / "out.parquet").names)
    assert (tmp_path / "out.csv").read_text().startswith("id,score,points")


class Stopped(BaseException):
    """What stands for Ctrl-C."""


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("name", ["out.parquet", "out.csv.gz", "out.ndjson"])
def test_an_interrupted_run_goes_on(tmp_path: Path, name: str, workers: int) -> None:
    rows = records(300)
    source = put(tmp_path / "in.parquet", rows * 20)
    whole, out = tmp_path / f"whole_{name}", tmp_path / name
    run_batch(source, whole, "reach")
    out.write_text("what was there before")

    def stop(step: Progress) -> None:
        if step.rows > 2000:
            raise Stopped

    with pytest.raises(Stopped):
        run_batch(source, out, "reach", progress=stop, workers=workers, part_rows=BLOCK)
    assert out.read_text() == "what was there before"
    told: list[Progress] = []
    summary = run_batch(source, out, "reach", progress=told.append, workers=workers)
    assert summary.resumed >= 2000
    assert summary.rows == 6000
    assert told[0].rows > summary.resumed
    assert got(out) == got(whole)
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize("fault", ["interrupt", "disk full"])
@pytest.mark.parametrize("name", ["out.parquet", "out.csv", "out.csv.gz", "out.ndjson.gz", "out.ndjson.zst"])
def test_a_run_that_ends_within_a_write_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, fault: str
) -> None:
    source = put(tmp_path / "in.parquet", records(300) * 20)
    whole, out = tmp_path / f"whole_{name}", tmp_path / name
    run_batch(source, whole, "reach")
    kind: Any = sinks._Parquet if name == "out.parquet" else sinks._Text
    written, calls = kind.write, []

    def write(sink: Any, data: Any) -> None:
        calls.append(data)
        if len(calls) != 4:
            written(sink, data)
            return
        half = len(data) // 2
        first, second = (data.slice(0, half), data.slice(half)) if name == "out.parquet" else (data[:half], data[half:])
        written(sink, first)
        if fault == "disk full":
            raise OSError(28, "No space left on device")
        os.kill(os.getpid(), signal.SIGINT)
        written(sink, second)

    monkeypatch.setattr(kind, "write", write)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt if fault == "interrupt" else BatchError):
            run_batch(source, out, "reach", part_rows=BLOCK)
    finally:
        signal.signal(signal.SIGINT, before)
    assert not out.exists()
    monkeypatch.setattr(kind, "write", written)
    summary = run_batch(source, out, "reach", part_rows=BLOCK)
    assert 0 < summary.resumed < summary.rows == 6000
    assert got(out) == got(whole)


def test_a_parquet_file_of_many_parts_is_one_file_for_every_reader(tmp_path: Path) -> None:
    duckdb, polars = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    rows = records(300)
    source, whole, out = put(tmp_path / "in.parquet", rows * 10), tmp_path / "whole.parquet", tmp_path / "out.parquet"
    run_batch(source, whole, "reach")
    run_batch(source, out, "reach", part_rows=BLOCK)
    assert out.stat().st_size > whole.stat().st_size  # each part but the last leaves its own end in the file
    assert pq.read_table(out) == pq.read_table(whole)
    assert polars.read_parquet(out).equals(polars.read_parquet(whole))
    assert duckdb.sql(f"from '{out}' except all from '{whole}'").fetchall() == []


def test_another_run_begins_anew(tmp_path: Path) -> None:
    rows = records(300)
    source, out = put(tmp_path / "in.parquet", rows * 10), tmp_path / "out.parquet"

    def stop(step: Progress) -> None:
        if step.rows > 1000:
            raise Stopped

    def interrupt(*args: Any) -> None:
        with pytest.raises(Stopped):
            run_batch(source, out, *args, progress=stop, part_rows=BLOCK)

    interrupt("reach")
    assert run_batch(source, out, "riichi").resumed == 0
    interrupt("reach")
    assert run_batch(source, out, "reach", {"honba_value": 600}).resumed == 0
    interrupt("reach")
    assert run_batch(source, out, "reach", resume=False).resumed == 0
    interrupt("reach")
    time.sleep(0.01)
    put(source, rows * 11)
    assert run_batch(source, out, "reach").resumed == 0
    interrupt("reach")
    (next(tmp_path.glob(".out.parquet.parts")) / "manifest.json").write_text("{")
    assert run_batch(source, out, "reach").resumed == 0


def test_a_killed_run_leaves_nothing_under_the_final_name_and_goes_on(tmp_path: Path) -> None:
    rows = records(300)
    source, out = put(tmp_path / "in.parquet", rows * 100), tmp_path / "out.parquet"
    code = (
        "import time\nfrom tenbo.batch import run_batch\n"
        "from tenbo.batch.arrow import sources\nsources.BLOCK_ROWS = 1000\n"
        "def slow(step):\n    print(step.rows, flush=True)\n    time.sleep(0.05)\n"
        f"run_batch({str(source)!r}, {str(out)!r}, 'reach', progress=slow, part_rows=2000)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    for line in process.stdout:
        if int(line) > 7000:
            break
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    assert not out.exists()
    summary = run_batch(source, out, "reach")
    assert 6000 <= summary.resumed < 30_000
    assert got(out) == wanted(rows) * 100


@pytest.mark.parametrize(
    ("source", "out", "said"),
    [
        ("no.parquet", "out.parquet", "no.parquet: there is no such file"),
        ("in.txt", "out.parquet", "in.txt: the name must end as one of"),
        ("in.ndjson", "out.xlsx", "out.xlsx: the name must end as one of"),
        ("in.ndjson", "in.ndjson", "replace its own input"),
        ("fake.parquet", "out.parquet", "fake.parquet cannot be read as parquet: is it whole"),
        ("empty.parquet", "out.parquet", "empty.parquet cannot be read as parquet: is it whole"),
        ("fake.csv.zst", "out.csv", "fake.csv.zst cannot be read as csv.zst: is it whole"),
        ("fake.ndjson.gz", "out.csv", "fake.ndjson.gz cannot be read as ndjson.gz: is it whole"),
        ("other.csv", "out.csv", "other.csv: a file of hands has a column 'hand'; this one has hnd, by$"),
        ("semicolons.csv", "out.csv", "its columns must be separated by commas"),
        ("twice.csv", "out.csv", "has each column once; this one has 2 of 'by'"),
        ("ids.csv", "out.csv", "has 2 columns 'id': which is to be kept"),
        ("in.ndjson", "folder.csv", "folder.csv is a folder; name a file"),
        ("folder.csv", "out.csv", "folder.csv is a folder; name a file"),
        ("in.ndjson", "no/where/\0/out.csv", "null|embedded|no such folder"),
    ],
)
def test_files_that_cannot_be(tmp_path: Path, source: str, out: str, said: str) -> None:
    (tmp_path / "in.ndjson").write_text("{}\n")
    (tmp_path / "in.txt").write_text("{}\n")
    for name in ("fake.parquet", "fake.csv.zst", "fake.ndjson.gz"):
        (tmp_path / name).write_text("nothing of the kind")
    (tmp_path / "empty.parquet").touch()
    (tmp_path / "folder.csv").mkdir()
    for name, head in (("other", "hnd,by"), ("semicolons", "hand;by"), ("twice", "hand,by,by"), ("ids", "hand,id,id")):
        (tmp_path / f"{name}.csv").write_text(f"{head}\n")
    with pytest.raises(BatchError, match=said):
        run_batch(tmp_path / source, tmp_path / out, "basic")
    assert not list(tmp_path.glob(".*"))


def test_an_id_that_is_not_there_is_not_made_up_and_bytes_that_are_no_text_are_shown(tmp_path: Path) -> None:
    source, out = tmp_path / "in.csv", tmp_path / "out.ndjson"
    source.write_bytes(b"hand,by,seat,round,name\n3457899p [777z] [2222z] +6p,discard,S,E,caf\xe9\n")
    run_batch(source, out, "basic")
    assert "id" not in json.loads(out.read_text())
    run_batch(source, out, "basic", keep=["name"])
    assert json.loads(out.read_text())["name"] == "caf\\xe9"


def test_the_same_run_gives_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = put(tmp_path / "in.ndjson", records(20))
    for name, clock in (("a.csv.gz", 1.0), ("b.csv.gz", 2_000_000_000.0)):
        monkeypatch.setattr(time, "time", lambda clock=clock: clock)
        run_batch(source, tmp_path / name, "reach")
    assert (tmp_path / "a.csv.gz").read_bytes() == (tmp_path / "b.csv.gz").read_bytes()


def test_rules_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "in.ndjson").write_text("{}\n")
    with pytest.raises(ReadError, match="basik"):
        run_batch(tmp_path / "in.ndjson", tmp_path / "out.ndjson", "basik")
    with pytest.raises(ReadError, match="limt"):
        run_batch(tmp_path / "in.ndjson", tmp_path / "out.ndjson", "basic", {"limt": 3})


@pytest.mark.parametrize("name", ["in.csv", "in.ndjson", "in.parquet"])
def test_columns_of_a_hand_can_be_kept_and_count_all_the_same(tmp_path: Path, name: str) -> None:
    rows = records(40)
    plain, kept = tmp_path / "plain.ndjson", tmp_path / "kept.ndjson"
    run_batch(put(tmp_path / name, rows), plain, "reach", keep=())
    run_batch(tmp_path / name, kept, "reach", keep=("seat", "hand"))
    lines = [json.loads(line) for line in kept.read_text().splitlines()]
    assert [line.pop("hand") for line in lines] == [row["hand"] for row in rows]
    assert [line.pop("seat") for line in lines] == [row.get("seat") for row in rows]
    assert lines == [json.loads(line) for line in plain.read_text().splitlines()]


def test_columns_that_cannot_be_kept_are_named(tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    for name in ("in.csv", "in.parquet"):
        with pytest.raises(BatchError, match="has no column 'sead' to keep; did you mean 'seat'"):
            run_batch(put(tmp_path / name, records(3)), out, "reach", keep=("sead",))
    with pytest.raises(BatchError, match="'score' cannot be kept"):
        run_batch(put(tmp_path / "in.csv", records(3)), out, "reach", keep=("score",))


def test_a_file_cut_short_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    whole = put(tmp_path / "in.csv", records(900)).read_bytes()
    source = tmp_path / "cut.csv.gz"
    source.write_bytes(gzip.compress(whole)[:-2000])
    with pytest.raises(BatchError, match="ended before"):
        run_batch(source, tmp_path / "out.csv", "reach")
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize("suffix", [".ndjson", ".csv"])
def test_an_option_that_is_null_is_not_left_out(suffix: str, tmp_path: Path) -> None:
    hand = {"hand": "111p999p44z55z777z +5z", "by": "discard", "from": "W", "seat": "E", "round": "E"}
    records = [hand | {"options": {"limit": None}}, hand | {"options": {"limit": 900}}, hand]
    source, result = tmp_path / f"in{suffix}", tmp_path / "out.ndjson"
    with source.open("w", newline="") as file:
        if suffix == ".csv":
            writer = csv.DictWriter(file, [*hand, "options"])
            writer.writeheader()
            writer.writerows(
                {**one, "options": json.dumps(one["options"])} if "options" in one else one for one in records
            )
        else:
            file.writelines(json.dumps(one) + "\n" for one in records)
    run_batch(source, result, "simplified")
    scores = [json.loads(line)["score"] for line in result.read_text().splitlines()]
    assert scores == [score_record(one | {"rules": "simplified"})["score"] for one in records] == [1920, 900, 1000]


def test_two_runs_do_not_write_the_same_result(tmp_path: Path) -> None:
    source, result = tmp_path / "in.ndjson", tmp_path / "out.csv"
    source.write_text('{"hand": "123m456p789s1122z +1z", "by": "self_draw", "seat": "E", "round": "E"}\n' * 9)
    refused: list[str] = []

    def meanwhile(_: Progress) -> None:
        with pytest.raises(BatchError) as caught:
            run_batch(source, result, "riichi")
        refused.append(str(caught.value))

    assert run_batch(source, result, "riichi", progress=meanwhile).rows == 9
    assert "another run is writing this result" in refused[0]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.ndjson", "out.csv"]


def test_a_result_in_no_folder_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "in.ndjson"
    source.write_text("{}\n")
    with pytest.raises(BatchError, match="nowhere: there is no such folder"):
        run_batch(source, tmp_path / "nowhere" / "out.csv", "riichi")
    assert not (tmp_path / "nowhere").exists()
