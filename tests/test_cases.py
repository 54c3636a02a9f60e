"""The acceptance cases: worked examples, real wins, random hands, options, waits and records to refuse."""

from __future__ import annotations

from typing import Any

import pytest

import cases
from tenbo.records import score_record

FIELDS = ("score", "points", "points_raw", "doubles", "limit", "shares", "payments", "han", "fu")
FILES = (
    "examples",
    "random_basic",
    "random_simplified",
    "random_reach",
    "random_riichi",
    "random_options",
    "random_waits",
    "real_tenhou",
    "real_majiang",
)


def bare_shares(shares: dict[str, int]) -> dict[str, int]:
    kept = {role: paid for role, paid in shares.items() if paid}
    return {role: paid for role, paid in kept.items() if role == "others" or paid != kept.get("others")}


def worths(lines: list[dict[str, Any]]) -> list[tuple[str, int]]:
    return sorted((unit, line[unit]) for line in lines for unit in ("points", "doubles") if line.get(unit))


def differences(case: dict[str, Any], got: dict[str, Any]) -> list[str]:
    expect, out = case["expect"], []
    if "error" in expect:
        return [] if got.get("error") in expect["error"] else [f"{got}"]
    if "error" in got:
        return [f"error {got['errors']}"]
    for name in FIELDS:
        if name not in expect or (expect[name] is None and name not in ("doubles", "limit")):
            continue
        mine, wanted = got[name], expect[name]
        if name == "han" and mine is None and got["limit"] == "limit hand":
            continue  # a limit hand that is not counted has no han
        if name == "doubles" and mine is None and got["limit"] == "limit hand":
            continue
        if name == "shares":
            mine, wanted = bare_shares(mine), bare_shares(wanted)
        if mine != wanted:
            out.append(f"{name} is {mine}, not {wanted}")
    worth = (got["score"], got["doubles"])
    tied = worth in [(other["score"], other["doubles"]) for other in got["other_readings"]]
    if "lines" in expect and not tied and worths(got["lines"]) != worths(expect["lines"]):
        out.append(f"lines are {got['lines']}")
    points = sum(line["points"] or 0 for line in got["lines"])
    if points != (got["points_raw"] or 0):
        out.append(f"the lines' points are {points}, not {got['points_raw']}")
    doubles = sum(line["doubles"] or 0 for line in got["lines"])
    if got["doubles"] is not None and doubles != got["doubles"]:
        out.append(f"the lines' doubles are {doubles}, not {got['doubles']}")
    if got["payments"] and sum(got["payments"].values()) != 1000 * case["record"].get("sticks", 0):
        out.append(f"payments are {got['payments']}")
    return out


@pytest.mark.parametrize("name", FILES)
def test_cases_come_out_as_expected(name: str) -> None:
    known = cases.read_cases(name)
    wrong = [(case["record"], found) for case in known if (found := differences(case, score_record(case["record"])))]
    assert known
    assert wrong == []


@pytest.mark.parametrize("name", ["random_basic", "random_simplified", "random_reach", "random_riichi"])
def test_random_hands_earn_the_expected_lines(name: str) -> None:
    wrong, seen = [], 0
    for case in cases.read_cases(name):
        got = score_record(case["record"])
        worth = (got.get("score"), got.get("doubles"))
        if "lines" not in case["expect"] or worth in [(o["score"], o["doubles"]) for o in got["other_readings"]]:
            continue  # another reading is worth as much, and its lines may be those expected
        seen += 1
        if worths(got["lines"]) != worths(case["expect"]["lines"]):
            wrong.append((case["record"], got["lines"]))
    assert seen > 100
    assert wrong == []


def test_bad_records_are_refused_with_an_expected_code() -> None:
    wrong = []
    for case in cases.read_cases("bad"):
        got = score_record(case["record"])
        if got.get("error") not in case["expect"]["error"]:
            wrong.append((case["record"], got))
    assert wrong == []
