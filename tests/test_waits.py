"""Every tile that completes a hand, held against trying all of them."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tenbo import HandError, ReadError, TenboError, parse, score, tiles, waits
from tenbo.records import waits_record


def tried(hand: str, rules: str) -> set[str]:
    """The kinds with which the hand is complete, found by scoring each."""
    out = set()
    for text in tiles.TEXTS[:34]:
        try:
            score(f"{hand} +{text}", rules=rules, by="self_draw", seat="S", round="E")
        except TenboError as error:
            if error.code == "not_scored":
                out.add(text)
        else:
            out.add(text)
    return out


def random_ready(rng: random.Random) -> str:
    """Thirteen tiles that are often ready: a complete hand without one tile."""
    while True:
        codes: list[int] = []
        for _ in range(4):
            if rng.random() < 0.6:
                start = 9 * rng.randrange(2) + rng.randrange(7)
                codes += [start, start + 1, start + 2]
            else:
                codes += [rng.choice([*range(18), *range(27, 34)])] * 3
        codes += [rng.choice([*range(18), *range(27, 34)])] * 2
        if max(map(codes.count, codes)) <= 4:
            codes.remove(rng.choice(codes))
            return tiles.write(sorted(codes))


@pytest.mark.parametrize("rules", ["riichi", "basic"])
def test_waits_are_what_trying_every_tile_finds(rules: str) -> None:
    rng = random.Random(rules)
    many = 0
    for _ in range(150):
        hand = random_ready(rng)
        found = waits(hand, rules=rules, seat="S", round="E")
        can_come = {wait.tile for wait in found if wait.left}
        assert can_come == tried(hand, rules), hand
        many += len(found) > 2
    assert many > 10


def test_seven_pairs_and_orphans_are_waited_for() -> None:
    assert [w.tile for w in waits("1188m2277p3366s5z", rules="riichi", seat="S", round="E")] == ["5z"]
    assert len(waits("19m19p19s1234567z", rules="riichi", seat="S", round="E")) == 13
    assert [w.tile for w in waits("199m19p19s123456z", rules="riichi", seat="S", round="E")] == ["7z"]
    assert waits("1188m2277p3366s5z", rules="basic", seat="S", round="E") == ()


def test_copies_left_count_hand_and_indicators() -> None:
    found = waits("34m567p123s11z [555z]", rules="riichi", seat="S", round="E", dora="2m2m5m")
    assert [(w.tile, w.left) for w in found] == [("2m", 2), ("5m", 3)]
    spent = waits("34m567p123s11z [555z]", rules="riichi", seat="S", round="E", dora="2m2m2m2m")
    assert spent[0].left == 0
    assert isinstance(spent[0].discard, HandError)


def test_both_ways_of_winning_are_scored() -> None:
    (wait,) = waits("567m456p79s11m [789s]", rules="reach", seat="S", round="E")
    assert isinstance(wait.discard, TenboError)
    assert wait.discard.code == "not_scored"
    record = waits_record({"id": 7, "rules": "riichi", "hand": "19m19p19s1234567z", "seat": "S", "round": "E"})
    assert record["id"] == 7
    assert record["waits"][0]["discard"]["limit"] == "limit hand"


@pytest.mark.parametrize(
    ("record", "code"),
    [
        ({"hand": "34m567p123s11z [555z] +2m"}, "bad_value"),
        ({"hand": "34m567p123s11z [555z]", "by": "discard"}, "bad_value"),
        ({"hand": "34m567p123s11z [555z]", "flags": ["richi"]}, "bad_value"),
        ({"hand": "19m28p37s1234567z", "flags": ["richi"]}, "bad_value"),
        ({"hand": "34m567p123s11z [555z]", "seat": None}, "missing_field"),
        ({"hand": "34m567p123s11z [555z]", "dora": "9x"}, "bad_text"),
        ({"hand": "34m567p123s11z", "dora": "9m"}, "wrong_tile_count"),
        ({"hand": None}, "missing_field"),
        ({}, "missing_field"),
        ({"hand": "34m567p123s11z [555z]", "sitcks": 1}, "unknown_field"),
    ],
)
def test_what_cannot_be_waited_on_says_so(record: dict[str, Any], code: str) -> None:
    answer = waits_record({"rules": "riichi", "seat": "S", "round": "E"} | record)
    assert answer["error"] == code


def test_a_hand_that_is_not_ready_waits_for_nothing() -> None:
    assert waits("19m28p37s1234567z", rules="riichi", seat="S", round="E") == ()


def test_a_hand_value_is_taken_too() -> None:
    assert waits(parse("19m19p19s1234567z"), rules="riichi", seat="S", round="E")
    with pytest.raises(ReadError):
        waits(parse("19m19p19s1234567z +1z", by="discard"), rules="riichi", seat="S", round="E")


@pytest.mark.parametrize("rules", ["riichi", "basic"])
def test_the_kinds_of_a_complete_hand_are_counted_the_quick_way_too(rules: str) -> None:
    from tenbo.engine.waiting import waiting, waiting_counts

    rng = random.Random(rules)
    shapes = {"pairs": rules == "riichi", "orphans": rules == "riichi"}
    seen = 0
    hands = [
        "19m19p19s1234567z +1z",
        "199m19p19s123456z +7z",
        "1188m2277p3366s5z +5z",
        "22334455667m55p +7m",
        "2333m +2m",
    ]
    for _ in range(400):
        ready = random_ready(rng)
        hands += [f"{ready} +{wait.tile}" for wait in waits(ready, rules=rules, seat="S", round="E") if wait.left]
    for text in hands:
        try:
            hand = parse(text, by="self_draw", seat="S", round="E")
        except TenboError:
            continue
        every, left = waiting(hand, **shapes)
        assert waiting_counts(hand, **shapes) == (len(every), len(left)), text
        seen += len(every) != len(left)
    assert seen


def test_all_that_is_wrong_is_named_beside_a_broken_hand() -> None:
    def said(**record: Any) -> list[tuple[str, Any]]:
        return [(e["code"], e["at"]) for e in waits_record({"rules": "riichi", **record})["errors"]]

    assert said(hand="123x45m") == [("missing_field", "seat"), ("missing_field", "round"), ("bad_text", "123x")]
    assert said(hand="12m", seat="X", round="E", dora="3q") == [
        *(("bad_value", "seat"), ("bad_text", "3q"), ("wrong_tile_count", "hand"))
    ]
    assert said(seet="E") == [
        *(("unknown_field", "seet"), ("missing_field", "hand"), ("missing_field", "seat"), ("missing_field", "round"))
    ]
    assert said(hand="2345678m [111z] [222z] +2m", seat="E") == [("bad_value", "hand"), ("missing_field", "round")]


@pytest.mark.parametrize("hand", [5, [], {}, True])
def test_a_hand_that_is_no_text_is_refused(hand: Any) -> None:
    found = waits_record({"rules": "riichi", "hand": hand, "seat": "E", "round": "E"})
    assert [(e["code"], e["at"]) for e in found["errors"]] == [("bad_value", "hand")]


def test_five_copies_with_the_indicators_are_no_hand() -> None:
    with pytest.raises(HandError, match="5 copies of '3z'"):
        waits("123m456p789s2233z", rules="reach", seat="S", round="E", dora="3z3z3z")
