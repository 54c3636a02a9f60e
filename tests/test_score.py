"""The best reading, its lines and text, and what is refused."""

from __future__ import annotations

import copy
import pickle
import threading

import pytest

import tenbo
from tenbo import HandError, NotScoredError, ReadError, Score, score


def riichi(hand: str, **said: object) -> Score:
    given = {"rules": "riichi", "by": "self_draw", "seat": "S", "round": "E"} | said
    return score(hand, **given)  # type: ignore[arg-type]


def names(found: Score) -> list[str]:
    return [line.name for line in found.lines]


def test_the_reading_is_written_with_the_winning_tile_in_its_group() -> None:
    found = score("3457899p [777z] [2222z] +6p", rules="basic", by="discard", seat="S", round="E")
    assert found.reading == "345p 78+6p 99p [777z] [2222z]"


def test_a_reading_keeps_red_fives() -> None:
    found = riichi("05m340p45678999s +5m", by="discard", flags=["riichi"])
    assert found.reading == "05+5m 340p 456s 789s 99s"
    assert [line.tiles for line in found.lines if line.tiles] == ["055m"]


def test_the_best_paid_reading_is_taken_and_the_others_are_kept() -> None:
    found = riichi("11222333m789p99s +1m", by="discard", flags=["riichi"])
    assert found.score == max(found.score, *(other.score for other in found.other_readings))
    assert "Three Concealed Triples" not in names(found)
    others = [other.reading for other in found.other_readings]
    assert found.reading not in others
    assert len(others) == len(set(others)) > 0
    ranked = [(-other.score, -(other.doubles or 0)) for other in found.other_readings]
    assert ranked == sorted(ranked)


def test_of_equal_readings_the_first_by_text_is_taken() -> None:
    found = score("234m4445566677p +5p", rules="basic", by="discard", seat="E", round="S", from_="W")
    equal = [o.reading for o in found.other_readings if (o.score, o.doubles) == (found.score, found.doubles)]
    assert equal
    assert found.reading < min(equal)


def test_seven_pairs_and_two_double_runs_exclude_each_other() -> None:
    found = riichi("223344m556677p3s +3s", flags=["riichi"])
    assert "2 Double Runs" in names(found)
    assert "7 Pairs" not in names(found)
    assert any("22m 33m" in other.reading for other in found.other_readings)


def test_thirteen_orphans_have_no_base_points() -> None:
    found = riichi("19m19p19s1234567z +1z", by="discard")
    assert (found.points, found.points_raw, found.doubles, found.limit) == (None, None, None, "limit hand")
    assert found.reading == "19m19p19s1234567z+1z"


def test_limit_hands_add_up_where_the_rules_say_so() -> None:
    hand = "1112223334447z +7z"  # big winds, all honors, four concealed
    assert riichi(hand, seat="W").score == 3 * 32000
    assert riichi(hand, seat="W", options={"multiple_limits": False}).score == 32000
    assert len(riichi(hand, seat="W", options={"multiple_limits": False}).lines) < len(riichi(hand, seat="W").lines)


def test_a_dealt_hand_has_no_one_tile_wait() -> None:
    dealt = riichi("123m456p789s1122z +1z", rules="reach", seat="E", flags=["first_turn"])
    drawn = riichi("123m456p78s111z22z +9s", rules="reach", seat="E")
    assert "One-tile wait" not in names(dealt)
    assert drawn.score > 0


def test_points_of_an_open_hand_are_lifted() -> None:
    found = riichi("567m345p5578s [234m] +6s", by="discard", rules="reach")
    assert (found.points_raw, found.points, found.score) == (20, 30, 1000)


def test_a_loser_has_no_payments() -> None:
    found = score("333z13m9p7z (5555p) [678s]", rules="basic", seat="W", round="E")
    assert found.shares is None
    assert found.payments is None
    assert found.score == 48
    assert found.reading == "333z 13m9p7z (5555p) [678s]"


@pytest.mark.parametrize(
    ("hand", "said", "error", "code"),
    [
        ("123m456p789s12z55z +3z", {}, HandError, "not_winning"),
        ("123m456p789s11z55z", {"by": None}, NotScoredError, "not_scored"),
        ("567m456p78s11m [789s] +9s", {}, NotScoredError, "not_scored"),
        ("123m456p789s111z5z 1f +5z", {}, ReadError, "bad_value"),
        ("123m456p789s111z5z +5z", {"seat": None}, ReadError, "missing_field"),
        ("123m456p789s111z5z +5z", {"round": None}, ReadError, "missing_field"),
        ("123m456p789s111z5z +5z", {"rules": "richi"}, ReadError, "unknown_rules"),
        ("123m456p789s111z5z +5z", {"options": {"multiple_limit": True}}, ReadError, "unknown_option"),
        ("123m456p789s111z5z +5z", {"options": {"honba_value": 100}}, ReadError, "bad_value"),
        ("123m456p789s111z5z +5z", {"rules": "basic", "dora": "1m"}, ReadError, "bad_value"),
        ("123m456p789s111z5z +5z", {"rules": "basic", "flags": ["riichi"]}, ReadError, "bad_value"),
        ("123m456p789s111z5z +5z", {"rules": "simplified", "honba": 1}, ReadError, "bad_value"),
    ],
)
def test_what_cannot_be_scored_says_so(hand: str, said: dict[str, object], error: type[Exception], code: str) -> None:
    with pytest.raises(error) as caught:
        riichi(hand, **said)
    assert caught.value.code == code  # type: ignore[attr-defined]


def test_a_refused_hand_says_how_much_is_missing() -> None:
    with pytest.raises(NotScoredError, match="2 of 3"):
        riichi("567m456p78s11m [789s] +9s", rules="reach")


def test_scores_are_values() -> None:
    first = riichi("223344m556677p3s +3s", flags=["riichi"])
    again = riichi("223344m556677p3s +3s", flags=["riichi"])
    assert first == again
    assert hash(first) == hash(again)
    assert pickle.loads(pickle.dumps(first)) == first
    assert copy.deepcopy(first) == first
    with pytest.raises(AttributeError):
        first.score = 3  # type: ignore[misc]
    cheap = riichi("123m456p789s111z5z +5z", seat="E")
    assert max(cheap, first) is first


def test_threads_agree() -> None:
    hands = ["223344m556677p3s +3s", "11222333m789p99s +1m", "1112345678999m +5m", "34m678p88s [1111p] [555z] +5m"]
    expected = [riichi(hand).record() for hand in hands]
    wrong: list[int] = []

    def work(start: int) -> None:
        for i in range(200):
            at = (start + i) % len(hands)
            if riichi(hands[at]).record() != expected[at]:
                wrong.append(at)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_the_public_face_is_what_all_names() -> None:
    public = {name for name in vars(tenbo) if not name.startswith("_")}
    modules = {name for name in public if type(getattr(tenbo, name)).__name__ == "module"}
    assert public - modules == set(tenbo.__all__)


def test_a_broken_hand_says_what_the_rules_have_against_it_too() -> None:
    with pytest.raises(ReadError) as caught:
        score("12m +6p", rules="basic", by="discard", dora="1m", flags=["riichi"])
    assert {problem.code for problem in caught.value.problems} == {"bad_value", "missing_field", "wrong_tile_count"}
    assert {problem.at for problem in caught.value.problems} >= {"dora", "riichi", "seat", "round"}


def test_han_are_counted_as_riichi_counts_them() -> None:
    with pytest.raises(NotScoredError, match="0 of 1 han"):
        riichi("567m456p78s11m [789s] +9s", flags=[])
