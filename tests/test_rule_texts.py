"""Every number that the three rule texts state, held by a hand or a value; and their printed tables, where present."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import cases
from tenbo import load_rules
from tenbo.chart import charts
from tenbo.hand import Meld
from tenbo.records import score_record, settle_record, value_record
from tenbo.tiles import TEXTS

DATA = Path(__file__).parent / "data"
CASES = [json.loads(line) for line in (DATA / "rule_texts.jsonl").read_text(encoding="utf-8").splitlines()]


def answer(case: dict[str, Any]) -> dict[str, Any]:
    record = {"rules": case["rules"], **case["record"]}
    work = score_record if "hand" in record else value_record if "hp" in record else settle_record
    return work(record)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['rules']}: {case['place']}: {case['says']}")
def test_the_number_is_as_the_text_has_it(case: dict[str, Any]) -> None:
    found = answer(case)
    if "expect" in case:
        assert {key: found.get(key) for key in case["expect"]} == case["expect"], found
        return
    assert "error" not in found, found
    if "name" in case:
        assert case["name"] in {entry.name for entry in load_rules(case["rules"]).entries}
    unit = "points" if "points" in case else "doubles"
    key = "tiles" if "tiles" in case else "name"
    earned = [line[unit] for line in found["lines"] if line[key] == case[key] and line[unit] is not None]
    assert sum(earned) == case[unit], found["lines"]


# -------------------------------------------------------------------------------------------------- sets, tile by tile


def worth_of(kind: int, *, four: bool, exposed: bool) -> int:
    """What all three texts give a three or four of a kind: 2 doubled for each of these, times four for a four."""
    simple = kind < 27 and 1 <= kind % 9 <= 7
    return 2 * (1 if simple else 2) * (1 if exposed else 2) * (4 if four else 1)


@pytest.mark.parametrize("rules", ["reach", "basic", "simplified"])
@pytest.mark.parametrize("form", ["[3]", "[4]", "[3+1]", "(4)", "3", "2+1"])
def test_threes_and_fours_of_every_tile(rules: str, form: str) -> None:
    for kind in range(34):
        tile = TEXTS[kind]
        rank, suit = tile
        apart = "ps" if suit == "m" else "ms" if suit == "p" else "mp"
        if suit == "z":
            apart = "mp"
        rest = f"345{apart[0]}678{apart[0]}456{apart[1]}"
        pair = f"55{apart[1]}" if form == "2+1" else f"5{apart[1]}"
        mark, win = {
            "[3]": (f"[{rank * 3}{suit}]", f"5{apart[1]}"),
            "[4]": (f"[{rank * 4}{suit}]", f"5{apart[1]}"),
            "[3+1]": (f"[{rank * 3}+{rank}{suit}]", f"5{apart[1]}"),
            "(4)": (f"({rank * 4}{suit})", f"5{apart[1]}"),
            "3": (rank * 3 + suit, f"5{apart[1]}"),
            "2+1": (rank * 2 + suit, tile),
        }[form]
        flags = ["riichi"] if rules == "reach" and not form.startswith("[") else ["last_tile"]
        record = {"hand": f"{rest}{pair} {mark} +{win}", "by": "discard", "seat": "S", "round": "E", "flags": flags}
        found = score_record(record, rules=rules)
        assert "error" not in found, (record, found)
        four, exposed = "4" in form or form == "[3+1]", form.startswith("[") or form == "2+1"
        text = Meld((kind,) * (4 if four else 3)).text.strip("[]")
        earned = [line["points"] for line in found["lines"] if line["tiles"] == text and line["points"]]
        assert earned == [worth_of(kind, four=four, exposed=exposed)], (record, found["lines"])


# ------------------------------------------------------------------------------------------------------- Reach's hands

HANDS = """
1 Reach; First Turn Win; Concealed Self-Draw; Peace; All Simples; Double-Run; Value Tiles; King's Tile Draw; \
Add-a-Quad; Final Tile Win
2 Double Reach; 7 Pairs; All Triples; Three Concealed Triples; Three Color Triples; Three Quads; \
All Terminals and Honors; Little Dragons
2/1 Three Color Run; Full Straight; Mixed Outside Hand
3/2 Half Flush; Pure Outside Hand
3 2 Double Runs
6/5 Full Flush
limit 13 Orphans; 4 Concealed Triples; Big Dragons; Four Winds; All Honors; All Terminals; All Green; 9 Treasures; \
Big Wheels; 4 Quads; Instant Win
"""


def test_the_36_hands_and_their_hand_points() -> None:
    expected = {}
    for line in HANDS.strip().splitlines():
        worth, _, names = line.partition(" ")
        expected.update(dict.fromkeys(names.split("; "), worth))
    assert len(expected) == 36
    found: dict[str, str] = {}
    for entry in load_rules("reach").entries:
        if entry.unit == "points" or entry.bonus or entry.key == "going_out_hp":
            continue
        worth = "limit" if entry.unit == "limit" else str(entry.value.constant)
        if entry.exposed is not None:
            worth += f"/{entry.exposed.constant}"
        name = re.sub(r" \(.*\)|^(Little|Big) (?=Four)", "", entry.name)
        assert found.setdefault(name, worth) == worth
    assert found == expected


# --------------------------------------------------------------------------------------------- the texts, where present


def seed(name: str) -> str:
    path = cases.seeds_dir() / f"{name}.txt"
    return path.read_text(encoding="utf-8")


def values(rules: str, unit: str) -> dict[str, int]:
    """Entries' keys and what they are worth."""
    return {e.key: int(e.value.constant or 0) for e in load_rules(rules).entries if e.unit == unit}


def test_the_charts_in_the_text() -> None:
    text = seed("reach")
    parts = re.split(r"Scoring Chart for the (?:Non-)?Dealer\n", text)[1:]
    rules = load_rules("reach", {"chart": "as_printed"})
    assert rules.chart is not None
    seen = 0
    for part, rows in zip(parts, charts(rules), strict=True):
        printed = [line.split("\t") for line in part.splitlines() if re.match(r"[\d/]+ HP", line)]
        assert len(printed) == len(rows) == 9
        for (head, *cells), row in zip(printed, rows, strict=True):
            assert head.partition(" HP")[0] == "/".join(map(str, row.doubles))
            assert cells == [cell.text for cell in row.cells]
            seen += len(cells)
    assert seen == 126


def test_the_summary_chart_in_the_text() -> None:
    rows = dict(re.findall(r"^([A-Z][\w -]+?)(?: \(.*\))?\t(\d+\t\d+)", seed("reach"), flags=re.MULTILINE))
    worth = values("reach", "points")
    by_the_chart = {e.key: e.value.constant for e in load_rules("reach", {"open_self_draw_bp": 0}).entries}
    expected = {
        "Pair of Honors": (0, worth["value_pair"]),  # the prose: of value, and no pair is stolen
        "Simple Trips": (worth["bumped_simple_trips"], worth["concealed_simple_trips"]),
        "Terminal Trips": (worth["bumped_terminal_trips"], worth["concealed_terminal_trips"]),
        "Simple Quads": (worth["bumped_simple_quad"], worth["concealed_simple_quad"]),
        "Terminal Quads": (worth["bumped_terminal_quad"], worth["concealed_terminal_quad"]),
        "One-Tile Wait": (worth["one_tile_wait"], worth["one_tile_wait"]),
        "Self-Drawn Win": (by_the_chart["open_self_drawn_win"], worth["self_drawn_win"]),
        "River Win": (0, worth["concealed_river_win"]),
    }
    assert {name: tuple(map(int, cell.split("\t"))) for name, cell in rows.items()} == expected


BASIC_SETS = {
    "Three of a kind simples": "three_simples",
    "Three of a kind terminals": "three_terminals",
    "Three of a kind of any wind": "three_winds",
    "Three of a kind of any dragon": "three_dragons",
    "Four of a kind simples": "four_simples",
    "Four of a kind terminals": "four_terminals",
    "Four of a kind of any wind": "four_winds",
    "Four of a kind of any dragon": "four_dragons",
}
BASIC_BONUSES = {
    '"Game" or "Mah Jong"': "mah_jong",
    "No scoring combinations": "no_scoring_combinations",
    "Winning piece drawn": "winning_piece_drawn",
    "Filling only possible place": "only_possible_place",
    "Winning piece on special draw": "loose_tile",
    'No "chows"': "no_chows",
}
BASIC_DOUBLES = {
    "Three or four of own wind": "own_wind",
    "Three or four of prevailing wind": "prevailing_wind",
    "Three or four of any dragon": "dragons",
    'Going out by "robbing a kong"': "robbing_a_kong",
    "Going out on the last tile": "last_tile",
    "All but last tile concealed": "all_but_last_concealed",
    "Fully concealed": "fully_concealed",
    "Hand entirely of one suit and honours": "one_suit_and_honours",
    "Hand entirely of one suit or honours": "one_suit",
    "Hand entirely of terminals": "entirely_terminals",
    "Hand entirely of simples": "entirely_simples",
    "Hand entirely of winds and dragons": "winds_and_dragons",
    'To win on original hand "Hand for Heaven"': "heaven",
}


def rows_of(text: str, worth: str) -> list[tuple[str, int]]:
    """Rows of a table that a name and a worth stand in, on lines of their own."""
    flat = " ".join(text.split())
    return [(name.strip(" |"), int(number)) for name, number in re.findall(rf"([^|]+(?:\| ?)?\|?) ?{worth} \|", flat)]


def named(rows: list[tuple[str, int]], names: dict[str, str]) -> dict[str, int]:
    """The rows by the keys of their entries; each name stands in exactly one row."""
    out = {}
    for start, key in names.items():
        found = [number for name, number in rows if name.startswith(start)]
        assert len(found) == 1, (start, rows)
        out[key] = found[0]
    return out


def test_the_tables_of_basic_scoring_in_the_text() -> None:
    text = seed("basic")
    worth, doubles = values("basic", "points"), values("basic", "doubles")
    first, rest = text.split("Table 1:")
    second, rest = rest.split("Table 2:")
    third, rest = rest.split("Table 3:")
    for part, state in ((first, "exposed"), (second, "concealed")):
        rows = rows_of(part, r"(\d+) points")
        assert len(rows) == 9
        assert named(rows, BASIC_SETS) == {key: worth[f"{state}_{key}"] for key in BASIC_SETS.values()}
        assert named(rows, {"A pair of any dragon or of player's own wind": "scoring_pair"}) == {
            "scoring_pair": worth["scoring_pair"]
        }
    rows = rows_of(third, r"(\d+) points")
    assert named(rows, BASIC_BONUSES) == {key: worth[key] for key in BASIC_BONUSES.values()}
    assert len(rows) == len(BASIC_BONUSES)
    rows = rows_of(rest.split("Should one hand")[0], r"Score x (\d+)")
    assert named(rows, BASIC_DOUBLES) == {key: 2 ** doubles[key] for key in BASIC_DOUBLES.values()}
    assert len(rows) == len(BASIC_DOUBLES) == len(doubles)


SIMPLIFIED_POINTS = {
    "Mahjong": "mahjong",
    "All concealed": "all_concealed",
    "Concealed kong dragon/wind/1/9": "concealed_kong_major",
    "Open kong dragon/wind/1/9": "open_kong_major",
    "Concealed kong 2-8": "concealed_kong_minor",
    "Open kong 2-8": "open_kong_minor",
    "Concealed pung dragon/wind/1/9": "concealed_pung_major",
    "Open pung dragon/wind/1/9": "open_pung_major",
    "Concealed pung 2-8": "concealed_pung_minor",
    "Open pung 2-8": "open_pung_minor",
    "Flower/season": "flower_or_season",
}
SIMPLIFIED_DOUBLES = {
    "Dragon pung/kong": "dragon",
    "Round wind pung/kong": "round_wind",
    "Own wind pung/kong": "own_wind",
    "Own flower/season": "own",
    "All one suit, with at least one wind/dragon pung/kong (half flush)": "half_flush",
    "All pungs/kongs": "all_pungs",
    "No flowers": "no_flowers",
    "All flowers": "all_flowers",
    "All seasons": "all_seasons",
    "All one suit, no winds/dragons (flush)": "flush",
}


def test_the_tables_of_simplified_scoring_in_the_text() -> None:
    rows = re.findall(r"^\| (.+?) \| \+?(\d+)[^|]*\|$", seed("simplified"), flags=re.MULTILINE)
    names = SIMPLIFIED_POINTS | SIMPLIFIED_DOUBLES
    worth = values("simplified", "points") | values("simplified", "doubles")
    assert {names[name]: int(number) for name, number in rows} == worth


def test_the_numbers_in_the_prose_of_simplified_scoring() -> None:
    text, rules = seed("simplified"), load_rules("simplified")
    assert int(re.search(r"Cap the score at (\d+)", text)[1]) == rules.option("limit")  # type: ignore[index]
    assert int(re.search(r"Round up to next (\d+)", text)[1]) == rules.round_up  # type: ignore[index]


def test_the_penalties_in_the_prose_of_basic_scoring() -> None:
    text, rules = seed("basic"), load_rules("basic")
    amounts = [int(n) for n in re.findall(r"pay (\d+) to each other", text)]
    assert amounts == [rules.option("false_mahjong_amount")]
    assert re.findall(r"forfeit (\d+) points", text) == [str(rules.option("kitty_amount"))]
