"""Bulk scoring and scoring hand by hand agree in every field."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from cases import cases_dir, read_cases
from tenbo.batch import run_batch
from tenbo.batch.columns import Hands
from tenbo.batch.compiled import compiled
from tenbo.batch.engine import score
from tenbo.records import score_record
from tenbo.ruleset import load_rules, parse_rules

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "benchmarks"))
import agree
import random_hands

CASES = (
    "examples",
    "random_basic",
    "random_simplified",
    "random_reach",
    "random_riichi",
    "random_options",
    "random_waits",
    "real_tenhou",
    "real_majiang",
    "bad",
)


@pytest.mark.parametrize("name", list(agree.RULES))
def test_random_hands(name: str) -> None:
    c = compiled(agree.RULES[name]())
    source = random_hands.Hands(c.rules, seed=5)
    seen: Counter[str] = Counter()
    records = [source.record() for _ in range(20_000)]
    assert agree.differences(c, records, seen) == []
    assert not c.fallback
    assert seen["scored"] > 15_000
    assert seen["by the scalar engine"] < 1200  # faulty ones, and nine indicators


@pytest.mark.parametrize("seed", range(2, 8))
def test_random_rulesets(seed: int) -> None:
    c = compiled(agree.every_kind(seed))
    source = random_hands.Hands(c.rules, seed)
    assert agree.differences(c, [source.record() for _ in range(1500)]) == []
    assert not c.fallback


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("reach", {"one_tile_wait": "shape", "round_up_starred": True, "multiple_limits": True, "chart": "as_printed"}),
        ("reach", {"counted_limit": False, "open_self_draw_bp": 0, "double_value_pair_bp": 2, "open_minimum_bp": 20}),
        ("riichi", {"big_wheels": True, "one_tile_wait": "exact", "honba_value": 1500, "bet_value": 500}),
        ("basic", {"claimed_last_set": "concealed", "limit": 300, "prevailing_pair": 2, "only_place": "shape"}),
        ("basic", {"loser_scoring": False, "heaven": "first_turn", "heaven_with_concealed": False}),
        (
            "basic",
            {"loser_hand_doubles": "sets_only", "loser_concealed_doubles": True, "no_score_bonus": "nothing_else"},
        ),
        (
            "simplified",
            {"bonus_tiles": False, "limit": "none", "east_double": True, "all_concealed": "self_drawn_only"},
        ),
        ("simplified", {"no_flowers": "flowers_only", "half_flush_needs_honour_set": False}),
    ],
)
def test_options(name: str, options: dict[str, Any]) -> None:
    given = {key: None if value == "none" else value for key, value in options.items()}
    c = compiled(load_rules(name, given))
    source = random_hands.Hands(c.rules, seed=11)
    assert agree.differences(c, [source.record() for _ in range(1500)]) == []


def test_a_ruleset_with_combinations_falls_back_to_the_scalar_engine_and_says_so() -> None:
    c = compiled(agree.every_kind(3, combos=True))
    assert c.fallback
    assert "combination" in c.fallback[0]
    source = random_hands.Hands(c.rules, seed=3)
    records = [source.record() for _ in range(300)]
    assert agree.differences(c, records) == []
    assert score(c, Hands.from_records(records)).fallback == 300


@pytest.mark.parametrize("chunk", [1, 2, 7])
def test_chunks_of_any_size(chunk: int) -> None:
    c = compiled(load_rules("basic"))
    source = random_hands.Hands(c.rules, seed=9)
    hands = Hands.from_records([source.record() for _ in range(60)])
    whole, parts = score(c, hands), score(c, hands, chunk)
    assert [parts.record(row) for row in range(60)] == [whole.record(row) for row in range(60)]


WIDE = """
title = "Wide"
[shape.standard]
name = "Sets"
[hand.many]
name = "Many"
{unit} = {value}
{more}
[payment]
score = "base"
each = "base * 3"
"""


@pytest.mark.parametrize(
    ("unit", "value", "more", "reason"),
    [
        ("doubles", 100, "", ""),
        ("points", 4000, 'times = "chows * 1000"', ""),
        ("points", 1, 'when = "' + " * ".join(["(tiles * 999999999)"] * 4) + ' > 5"', "64 bits"),
    ],
)
def test_values_beyond_what_columns_hold(unit: str, value: int, more: str, reason: str) -> None:
    c = compiled(parse_rules(WIDE.format(unit=unit, value=value, more=more)))
    assert (reason in " ".join(c.fallback)) if reason else not c.fallback
    record = {"hand": "123m456p789s1122z +1z", "by": "self_draw", "seat": "S"}
    want = agree.expected(c, record)
    got = score(c, Hands.from_records([record])).record(0)
    if unit == "doubles":  # nothing doubled a hundred times is nothing
        assert got["score"] == 0
    got["entries"] = set(got["entries"])
    assert got == want


def test_a_score_that_does_not_fit_is_an_error_of_its_own() -> None:
    text = WIDE.format(unit="doubles", value=100, more="") + '[hand.some]\nname = "Some"\npoints = 7\n'
    c = compiled(parse_rules(text))
    found = score(c, Hands.from_records([{"hand": "123m456p789s1122z +1z", "by": "self_draw", "seat": "S"}]))
    assert found.record(0) == {"error": "out_of_range"}


def test_all_cases_as_one_file(tmp_path: Path) -> None:
    cases_dir()
    records = [case["record"] for name in CASES for case in read_cases(name)]
    text = "".join(json.dumps(record) + "\n" for record in records)
    (tmp_path / "in.ndjson").write_text(text, encoding="utf-8")
    summary = run_batch(tmp_path / "in.ndjson", tmp_path / "out.ndjson", "reach")
    lines = (tmp_path / "out.ndjson").read_text(encoding="utf-8").splitlines()
    assert summary.rows == len(records) == len(lines)
    errors: Counter[str] = Counter()
    for record, line in zip(records, lines, strict=True):
        want, got = score_record(record, rules="reach"), json.loads(line)
        assert got.get("id") == (record.get("id") if isinstance(record, dict) else None)
        assert got.get("error") == want.get("error"), record
        if "error" in want:
            errors[want["error"]] += 1
            continue
        for key in ("score", "points", "points_raw", "doubles", "limit", "payments", "reading"):
            assert got[key] == want[key], (record, key)
    assert summary.errors == errors
    assert len(errors) > 8
