"""The code in "Scaling out" runs as it stands."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cases import not_here
from tenbo.batch import Scorer
from tenbo.ruleset import load_rules

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))
import random_hands  # noqa: E402

TEXT = (ROOT / "docs/scaling-out.md").read_text(encoding="utf-8")
MARKS = {"Ray Data": pytest.mark.ray, "Spark": pytest.mark.spark}
NEEDS = {"Ray Data": ("ray", "pandas"), "Spark": ("pyspark", "pandas"), "Dask": ("dask",)}


def snippets() -> list[object]:
    """The pieces of code of each section."""
    out = []
    for section in re.split(r"^## ", TEXT, flags=re.MULTILINE)[1:]:
        name, _, body = section.partition("\n")
        blocks = re.findall(r"(?:^(?:    .*)?\n)+", body, flags=re.MULTILINE)
        codes = ["\n".join(line[4:] for line in block.split("\n")) for block in blocks if block.strip()]
        for i, code in enumerate(codes):
            out.append(pytest.param(name, code, id=f"{name} {i + 1}", marks=MARKS.get(name, ())))
    return out


@pytest.fixture
def hands(tmp_path: Path) -> pa.Table:
    source = random_hands.Hands(load_rules("riichi"), seed=8, faulty=0)
    keys = ("id", "hand", "by", "from", "seat", "round", "flags", "dora", "ura", "honba", "sticks")
    records = [{"id": i, **source.record()} for i in range(400)]
    table = pa.table({key: [record.get(key) for record in records] for key in keys})
    pq.write_table(table, tmp_path / "hands.parquet", row_group_size=150)
    return table


CHECK = """
import pathlib, sys
found = globals().get("scores")
if pathlib.Path("scores").exists():
    import pyarrow.parquet as pq
    rows = pq.read_table("scores").to_pylist()
elif isinstance(found, tuple):
    rows = [row for table in found for row in table.to_pylist()]
elif isinstance(found, list):
    rows = [row if isinstance(row, dict) else {"score": row[-1]} for row in found]
else:
    rows = found.to_dicts() if hasattr(found, "to_dicts") else found.to_pylist()
import json
pathlib.Path("told.json").write_text(json.dumps([row["score"] for row in rows]))
"""


@pytest.mark.parametrize(("name", "code"), snippets())
def test_the_code_runs_as_it_stands(name: str, code: str, hands: pa.Table, tmp_path: Path) -> None:
    for package in NEEDS.get(name, ()):
        if importlib.util.find_spec(package) is None:
            say = pytest.skip if name == "Spark" else not_here
            say(f"needs the package {package}")
    if name == "Spark" and shutil.which("java") is None:
        pytest.skip("needs Java")
    (tmp_path / "run.py").write_text(f"{code}\n{CHECK}", encoding="utf-8")
    env = os.environ | {"RAY_DEDUP_LOGS": "0", "PYSPARK_PYTHON": sys.executable, "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0"}
    done = subprocess.run(
        [sys.executable, "run.py"], cwd=tmp_path, capture_output=True, text=True, env=env, timeout=300
    )
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-3000:]
    told = json.loads((tmp_path / "told.json").read_text())
    if "def score(hand, by, seat, round)" in code:  # the function knows these four alone
        hands = hands.select(["hand", "by", "seat", "round"])
    want = Scorer("riichi")(hands)["score"].to_pylist()
    assert sorted(told, key=str) == sorted(want, key=str) if name in ("Ray Data", "Spark") else told == want


def test_every_engine_has_its_section() -> None:
    names = {parameter.values[0] for parameter in snippets()}  # type: ignore[attr-defined]
    assert names == {"Polars", "DuckDB", "Ray Data", "Spark", "Dask"}
