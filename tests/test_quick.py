"""Values without tiles."""

from __future__ import annotations

from typing import Any

import pytest

from tenbo import ReadError, load_rules, parse_rules, value
from tenbo.records import value_record


def reach(**said: Any) -> Any:
    return value(**({"rules": "reach", "seat": "S", "by": "self_draw"} | said))


def test_the_texts_own_example() -> None:
    found = reach(hp=4, bp=30)
    assert (found.score, found.payments) == (2000, {"E": -1000, "S": 2000, "W": -500, "N": -500})
    assert reach(hp=4, bp=30, seat="E").payments == {"E": 3000, "S": -1000, "W": -1000, "N": -1000}


def test_the_names_of_points_and_doubles_mean_the_same() -> None:
    records = [reach(hp=5, bp=40), reach(han=3, fu=40), reach(doubles=5, points=40)]
    assert len({str(found.record()) for found in records}) == 1
    assert (records[0].doubles, records[0].han, records[0].fu) == (5, 3, 40)


@pytest.mark.parametrize(
    ("limit", "paid"),
    [("mangan", 8000), ("haneman", 12000), ("baiman", 16000), ("sanbaiman", 24000), ("limit hand", 32000)],
)
def test_limits_by_name(limit: str, paid: int) -> None:
    found = reach(limit=limit, by="discard", from_="W", honba=2, sticks=1)
    assert found.score == paid
    assert found.payments == {"E": 0, "S": paid + 1600, "W": -paid - 600, "N": 0}
    assert (found.points, found.doubles, found.limit) == (None, None, limit)


def test_starred_cells_and_the_counted_limit() -> None:
    assert reach(hp=6, bp=30, by="discard").score == 7700
    assert reach(hp=6, bp=30, by="discard", options={"round_up_starred": True}).score == 8000
    assert reach(hp=4, bp=120, by="discard").score == 7700
    assert reach(hp=15, bp=30, by="discard").limit == "limit hand"
    assert reach(hp=15, bp=30, by="discard", options={"counted_limit": False}).limit == "sanbaiman"


def test_the_misprint_is_printed_only_by_option() -> None:
    assert reach(hp=6, bp=25, by="discard", seat="E").score == 9600
    assert reach(hp=6, bp=25, by="discard", seat="E", options={"chart": "as_printed"}).score == 6400


def test_the_other_rules() -> None:
    cap = value(rules="simplified", limit="cap", seat="S", by="discard", from_="E")
    assert cap.payments == {"E": -2000, "S": 4000, "W": -1000, "N": -1000}
    assert value(rules="basic", doubles=3, points=33, seat="E", by="discard").payments == {
        "E": 1584,
        "S": -528,
        "W": -528,
        "N": -528,
    }


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"hp": 2, "bp": 30}, "bad_value"),
        ({"hp": 4, "bp": 20, "by": "discard"}, "bad_value"),
        ({"hp": 3, "bp": 25}, "bad_value"),
        ({"hp": 3, "bp": 20}, "bad_value"),
        ({"hp": 4, "bp": 33}, "bad_value"),
        ({"hp": 4, "bp": 10}, "bad_value"),
        ({"hp": 4}, "bad_value"),
        ({"hp": 4, "fu": 30}, "bad_value"),
        ({"hp": 4, "bp": 30, "limit": "mangan"}, "bad_value"),
        ({"limit": "mangann"}, "bad_value"),
        ({"limit": 5}, "bad_value"),
        ({}, "missing_field"),
        ({"hp": 4, "bp": 30, "seat": None}, "missing_field"),
        ({"hp": 4, "bp": 30, "by": None}, "missing_field"),
        ({"hp": 4, "bp": 30, "by": "luck"}, "bad_value"),
        ({"hp": 4, "bp": 30, "seat": "X"}, "bad_value"),
        ({"hp": 4, "bp": 30, "from": "W"}, "contradictory_flags"),
        ({"hp": 4, "bp": 30, "by": "discard", "from": "S"}, "contradictory_flags"),
        ({"hp": 4, "bp": 30, "honba": -1}, "bad_value"),
        ({"hp": True, "bp": 30}, "bad_value"),
        ({"hp": 4.0, "bp": 30}, "bad_value"),
        ({"hp": 10**30, "bp": 30}, "bad_value"),
        ({"rules": "basic", "han": 3, "fu": 30}, "bad_value"),
        ({"rules": "basic", "limit": "cap"}, "bad_value"),
        ({"rules": "simplified", "doubles": 1, "points": 35}, "bad_value"),
        ({"rules": "simplified", "doubles": 1, "points": 40, "sticks": 1}, "bad_value"),
        ({"rules": "nothing", "doubles": 1, "points": 40}, "unknown_rules"),
        ({"hp": 4, "bp": 30, "hand": "1m"}, "unknown_field"),
    ],
)
def test_what_cannot_be_is_refused(said: dict[str, Any], code: str) -> None:
    answer = value_record({"id": 1, "rules": "reach", "seat": "S", "by": "self_draw"} | said)
    assert answer["error"] == code, answer
    assert answer["id"] == 1


def test_a_misspelt_worth_is_refused() -> None:
    with pytest.raises(ReadError, match="did you mean 'points'"):
        value(rules=load_rules("basic"), doubles=1, point=3, seat="S", by="discard")


@pytest.mark.parametrize(
    ("worth", "words"),
    [
        ({"han": 1, "fu": 25}, "25 fu and 1 han cannot be: 25 fu are seven pairs, which have at least 2 han"),
        ({"hp": 3, "bp": 20}, "20 bp and 3 hp cannot be"),
    ],
)
def test_what_cannot_be_is_said_in_the_words_it_was_asked_in(worth: dict[str, int], words: str) -> None:
    with pytest.raises(ReadError, match=words):
        value(rules="riichi", by="self_draw", seat="S", **worth)


def test_an_open_hand_may_have_20_base_points_where_the_house_says_so() -> None:
    asked = {"rules": "reach", "hp": 4, "bp": 20, "seat": "S", "by": "discard", "from": "N"}
    assert value_record(asked)["errors"][0]["code"] == "bad_value"
    assert value_record(asked | {"options": {"open_minimum_bp": 20}})["score"] == 1300


def test_the_rules_that_older_games_carry_list_what_cannot_be_without_names() -> None:
    older = parse_rules('extends = "basic"\n[[impossible]]\nwhen = "points < 20"\ntext = "20 for going out"\n')
    with pytest.raises(ReadError, match="10 points and 0 doubles cannot be: 20 for going out"):
        value(rules=older, doubles=0, points=10, by="self_draw", seat="S")
