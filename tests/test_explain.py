"""Explanations: every figure in them adds up to the score, in the rules' own words."""

from __future__ import annotations

import re
from typing import Any

import pytest

import tenbo
from cases import read_cases
from tenbo.condition import Symbol, parse
from tenbo.explain import Explanation, arithmetic, explain, explain_value, option_text, read_groups, words
from tenbo.records import score_of

SUM = re.compile(r"([\d ×÷+^()]+?) = (\d+)")


def holds(text: str) -> bool:
    """Whether every "a × b = c" in a text is right."""
    found = SUM.findall(text)
    for left, right in found:
        source = left.replace("×", "*").replace("÷", "//").replace("^", "**").strip().lstrip("+ ")
        assert eval(source) == int(right), text
    return bool(found)


def told(hand: str, rules: str, **said: Any) -> Explanation:
    return explain(tenbo.score(hand, rules=rules, **said))


def texts(explanation: Explanation) -> list[str]:
    return [step.text for step in explanation.steps]


CASES = ["examples", "random_basic", "random_simplified", "random_reach", "random_riichi", "random_options"]


@pytest.mark.parametrize("name", CASES)
def test_every_figure_adds_up(name: str) -> None:
    seen = 0
    for case in read_cases(name):
        try:
            score = score_of(case["record"])
        except tenbo.TenboError:
            continue
        seen += 1
        explanation = explain(score)
        points = [line.amount for line in explanation.lines if line.unit == "points"]
        doubles = [line.amount for line in explanation.lines if line.unit == "doubles"]
        assert sum(points) == (score.points_raw or 0)
        if score.doubles is not None:
            assert sum(doubles) == score.doubles
        for step in explanation.steps:
            holds(step.text)
            assert step.text.split()[-1] == str(step.value)
        if explanation.steps:
            assert explanation.steps[-1].value == score.base
        kinds = [step.kind for step in explanation.steps]
        assert kinds == sorted(kinds, key=["sum", "round", "floor", "doubling", "limit"].index)
        if score.payments is not None:
            changes = {paid.who: paid.change for paid in explanation.payments}
            assert changes == {seat: change for seat, change in score.payments.items() if change or seat in changes}
        for paid in explanation.payments:
            if holds(paid.text) or "→" in paid.text:
                assert str(abs(paid.change)) in paid.text.replace(",", "").split()
    assert seen > 20


@pytest.mark.parametrize("name", CASES)
def test_groups_hold_the_tiles_of_the_hand(name: str) -> None:
    for case in read_cases(name):
        try:
            score = score_of(case["record"])
        except tenbo.TenboError:
            continue
        hand = score.hand
        groups = explain(score).groups
        tiles = sorted(code for group in groups for code in group.tiles)
        held = [*hand.concealed, *(code for meld in hand.melds for code in meld.tiles)]
        held += [hand.win] if hand.win is not None else []
        assert tiles == sorted(held)
        wins = [group.tiles[group.win] for group in groups if group.win is not None]
        assert wins == ([hand.win] if hand.win is not None else [])
        assert [group.table for group in groups if group.table] == [
            "exposed" if meld.exposed else "concealed" for meld in hand.melds
        ]


def test_rounding_up_and_the_floor_of_a_stolen_hand() -> None:
    low = told(
        "234m567p33p [678s] [345s] +3p".replace("33p", "3p"), "reach", by="discard", seat="S", round="E", dora="1z"
    )
    assert texts(low) == ["20 + 2 = 22", "22 → 30", "30 × 2^3 = 240"]
    bare = told("34m567p33p [678s] [345s] +2m", "reach", by="discard", seat="S", round="E")
    assert texts(bare) == ["20 → 30", "30 × 2^3 = 240"]
    assert bare.steps[0].kind == "floor"
    assert bare.steps[0].note == "the least for a hand with a set that is stolen"
    assert low.steps[1].note == "rounded up to the next 10"


def test_limits_say_what_they_replace() -> None:
    hand = told(
        "234m3444056666p +5p", "riichi", by="discard", from_="W", seat="E", round="S", dora="3p", flags=["riichi"]
    )
    assert hand.steps[-2:] == (
        ("doubling", "30 × 2^(8 + 2) = 30720", "", 30720),
        ("limit", "baiman: 4000", "instead of 30720", 4000),
    )
    assert hand.verdict == "30 fu, 8 han + 2, baiman"


def test_two_limit_hands_are_named_together() -> None:
    hand = told("555z666z777z1112z +2z", "riichi", by="self_draw", seat="W", round="S")
    (step,) = hand.steps[-1:]
    assert step.kind == "limit"
    assert step.text == "limit hand + limit hand + limit hand: 24000"
    assert sorted(line.name for line in hand.lines if line.unit == "limit") == [
        *("4 Concealed Triples", "All Honors", "Big Dragons")
    ]


def test_thirteen_orphans_have_no_sum() -> None:
    hand = told("19m19p19s1234567z +1z", "reach", by="discard", from_="E", seat="N", round="S")
    assert texts(hand) == ["limit hand: 8000"]
    assert [group.kind for group in hand.groups] == ["tiles"]
    assert hand.points is None


def test_counters_and_bets_in_the_rules_words() -> None:
    said = {"by": "discard", "from_": "W", "seat": "S", "round": "E", "honba": 2, "sticks": 1}
    hand = "234m567p2234567s +8s"
    reach, riichi = told(hand, "reach", **said, flags=["riichi"]), told(hand, "riichi", **said, flags=["riichi"])
    assert dict(reach.situation)["Table"] == "2 counters, 1 Reach bet"
    assert dict(riichi.situation)["Table"] == "2 honba, 1 riichi stick"
    payer, winner = reach.payments
    assert payer.text == "960 × 4 = 3840 → 3900, + 600 for 2 counters = 4500"
    assert winner.text == "4500 + 1000 for 1 Reach bet = 5500"
    assert dict(reach.situation)["Won"] == "river, from West"
    assert dict(riichi.situation)["Won"] == "ron, from West"


def test_japanese_names_stand_beside_where_the_rules_want_them() -> None:
    said = {"by": "discard", "seat": "S", "round": "E", "flags": ["riichi"]}
    names = {
        rules: {line.name: line.ja for line in told("234m567p2234567s +8s", rules, **said).lines}
        for rules in ("reach", "riichi")
    }
    assert names["riichi"]["Peace"] == "平和"
    assert set(names["reach"].values()) == {""}


def test_lines_bring_their_rule_and_its_place() -> None:
    hand = told("123m456p789s3z [777z] +3z", "reach", by="self_draw", seat="S", round="W")
    lines = {line.name: line for line in hand.lines}
    assert lines["Value pair"].rule.startswith("A pair of dragons")
    assert lines["Value pair"].source == "Pairs"
    assert (lines["Bumped trips, terminals"].tiles, lines["Bumped trips, terminals"].what) == ("777z", "Red Dragon")
    assert lines["Going out"].what == ""


def test_who_pays_where_the_discarder_is_not_known() -> None:
    one = told("123m456p789s3z [777z] +3z", "reach", by="discard", seat="S", round="W", honba=1, sticks=1)
    assert [(paid.who, paid.change, paid.text) for paid in one.payments] == [
        ("discarder", -1300, "240 × 4 = 960 → 1000, + 300 for 1 counter = 1300"),
        ("S", 2300, "with 1 Reach bet"),
    ]
    simplified = told("123m456p78s33z [777z] +9s", "simplified", by="discard", seat="S", round="W")
    changes = {paid.who: paid.change for paid in simplified.payments}
    assert changes["S"] == -(changes["discarder"] + 2 * changes["others"])
    east = explain(
        tenbo.score(
            "123m456p78s33z [777z] +9s",
            rules="simplified",
            options={"east_double": True},
            by="discard",
            seat="S",
            round="W",
        )
    )
    assert [paid.who for paid in east.payments] == ["discarder", "dealer", "others"]  # the sum cannot be known


def test_a_losers_hand_has_no_payments() -> None:
    hand = told("11z258m147p39s [555z]", "basic", seat="E", round="E")
    assert hand.payments == ()
    assert texts(hand) == ["2 + 4 = 6", "6 × 2^1 = 12"]
    assert dict(hand.situation) == {"Seat": "East, East round"}


def test_values_without_tiles() -> None:
    value = explain_value(tenbo.value(rules="reach", hp=4, bp=30, seat="S", by="self_draw"))
    assert texts(value) == ["30 × 2^4 = 480"]
    assert [(paid.name, paid.change, paid.text) for paid in value.payments] == [
        ("East", -1000, "480 × 2 = 960 → 1000"),
        ("West", -500, "480 → 500"),
        ("North", -500, "480 → 500"),
        ("South", 2000, "1000 + 500 + 500 = 2000"),
    ]
    limit = explain_value(tenbo.value(rules="riichi", limit="mangan", seat="E", by="discard", from_="N"))
    assert (texts(limit), limit.verdict) == (["mangan: 2000"], "mangan")


def test_a_misprint_is_no_arithmetic() -> None:
    said = {"hp": 6, "bp": 25, "seat": "E", "by": "discard", "from_": "S"}
    formula = explain_value(tenbo.value(rules="reach", **said))
    printed = explain_value(tenbo.value(rules="reach", options={"chart": "as_printed"}, **said))
    assert formula.payments[0].text == "1600 × 6 = 9600"
    assert (printed.payments[0].text, printed.payments[0].change) == ("", -6400)
    assert printed.options == (("chart", "as_printed"),)


def test_words_of_doubles() -> None:
    basic, riichi = words(tenbo.load_rules("basic")), words(tenbo.load_rules("riichi"))
    assert [basic.doubled(1), basic.doubled(2), riichi.doubled(5), riichi.doubled(1)] == [
        *("1 double", "2 doubles", "3 han + 2", "1 han")
    ]


def test_groups_of_every_form() -> None:
    rules = tenbo.load_rules("riichi")
    groups = list(read_groups("406p 5p+0p 77+7z [222+2z] (1111m) 19m19p+1s", rules))
    assert [(group.kind, group.word) for group in groups] == [
        *(("chow", "chi"), ("pair", "pair"), ("pung", "pon"), ("kong", "kan"), ("kong", "kan"), ("tiles", "tiles"))
    ]
    assert [group.win for group in groups] == [None, 1, 2, None, None, 4]
    assert [group.table for group in groups] == ["", "", "", "exposed", "concealed", ""]


def test_arithmetic_names_what_is_left() -> None:
    symbols = {name: Symbol(name, "int") for name in ("base", "points")} | {"dealer": Symbol("dealer", "bool")}
    each = parse("(base + points) * (2 if dealer else 1)", symbols)
    assert arithmetic(each, {"base": 40, "points": 5, "dealer": True}) == ("(40 + 5) × 2", 90)
    assert arithmetic(each, {"base": 40, "points": 0, "dealer": False}) == ("40", 40)
    chosen = parse("base * 2 if base >= 100 else base", symbols)
    assert arithmetic(chosen, {"base": 100}) == ("200", 200)


@pytest.mark.parametrize(("value", "text"), [(True, "true"), (None, "null"), ((15, -5), "[15, -5]"), (3, "3")])
def test_options_are_written_as_they_are_given(value: Any, text: str) -> None:
    assert option_text(value) == text
