"""Hand text and values that are refused, and how."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hand_texts import GOOD, ODD, check_printable, faults, problems_of
from tenbo.errors import ReadError, TenboError
from tenbo.notation import parse, parse_meld, parse_tiles


@given(st.text() | st.text("0123456789mpszf[]()+ ", max_size=80))
def test_any_text(text: str) -> None:
    try:
        hand = parse(text)
    except TenboError as error:
        check_printable(error.problems)
    else:
        assert parse(hand.text) == hand
    for read in (parse_tiles, parse_meld):
        try:
            read(text)
        except ReadError as error:
            check_printable(error.problems)


@given(
    st.sampled_from([GOOD, "", "123m", "x", None, 5, ["123m"], b"123m", {}]) | ODD,
    st.dictionaries(
        st.sampled_from(["by", "seat", "round", "from_", "flags", "dora", "ura", "honba", "sticks"]), ODD, max_size=4
    ),
)
def test_any_values(text: Any, situation: dict[str, Any]) -> None:
    try:
        parse(text, **situation)
    except TenboError as error:
        check_printable(error.problems)


@pytest.mark.parametrize("text", ["1" * 10**6, "[" * 10**6, "+" * 10**6, " " * 10**6 + GOOD, "\0" * 10**6, "1m" * 300])
def test_long_text_is_refused_quickly(text: str) -> None:
    assert faults(text, dora=text, by="discard") == [("bad_text", "hand"), ("bad_text", "dora")]
    with pytest.raises(ReadError):
        parse_meld(text)
    with pytest.raises(ReadError):
        parse_tiles(text)


@pytest.mark.parametrize(
    ("text", "code", "at"),
    [
        ("", "bad_text", "hand"),
        (" \n ", "bad_text", "hand"),
        (None, "missing_field", "hand"),
        (5, "bad_value", "hand"),
        (["123m"], "bad_value", "hand"),
        (b"123m", "bad_value", "hand"),
        ("123x456p789s111z5z +5z", "bad_text", "123x"),
        ("123M456p789s111z5z +5z", "bad_text", "123M"),
        ("١٢٣m456p789s111z5z +5z", "bad_text", "١٢٣m"),
        ("１２３m456p789s111z5z +5z", "bad_text", "１２３m"),
        ("1²3m456p789s111z5z +5z", "bad_text", "1²"),
        ("123萬456p789s111z5z +5z", "bad_text", "123萬"),
        ("110z456p789s1123m5z +5z", "bad_text", "0z"),
        ("123m456p789s111z8z +5z", "bad_text", "8z"),
        ("123m456p789s111z5z 9f +5z", "bad_text", "9f"),
        ("123m456p789s111z5z 0f +5z", "bad_text", "0f"),
        ("123m456p789s111z5z +5", "bad_text", "5"),
        ("123m456p789s111z5z +z", "bad_text", "z"),
        ("123m456p789s111z5z +", "bad_text", "+"),
        ("123m456p789s111z5z ++5z", "bad_text", "++5z"),
        ("123m456p789s111z5z +55z", "bad_text", "+55z"),
        ("123m456p789s111z5z +5z +5z", "bad_text", "+5z"),
        ("123m456p789s111z5z +1f", "bad_text", "+1f"),
        ("123m456p789s111z5z +[555z]", "bad_text", "+[555z]"),
        ("123m456p789s111z5z +5z]", "bad_text", "]"),
        ("123m456p789s111z5z +5z,", "bad_text", ","),
        ("123m456p789s111z5z -5z", "bad_text", "-"),
        ("EEE123m456p789s5z +5z", "bad_text", "EEE"),
        ("(1111m 456p789s111z5z +5z", "bad_text", "("),
        ("[111m 456p789s111z5z +5z", "bad_text", "["),
        ("[111m) 456p789s111z5z +5z", "bad_text", "[111m)"),
        ("[[111m] 456p789s5z +5z", "bad_text", "["),
        ("123m456p789s111z\U0001f02a +5z", "bad_text", "\U0001f02a"),
        ("123m456p789s111z\U0001f02b +5z", "bad_text", "\U0001f02b"),
        ("123m456p789s111z\x00 +5z", "bad_text", "\\x00"),
        ("123m456p789s111z\ud800 +5z", "bad_text", "\\ud800"),
        ("[11x] 123m456p789s5z +5z", "bad_text", "11x"),
        ("[] 123m456p789s5z +5z", "bad_meld", "[]"),
        ("[1m] 123m456p789s5z +5z", "bad_meld", "[1m]"),
        ("[112s] 456p789s222z5z +5z", "bad_meld", "[112s]"),
        ("[234z] 456p789s222z5z +5z", "bad_meld", "[234z]"),
        ("[891s] 456p789s222z5z +5z", "bad_meld", "[891s]"),
        ("[1234p] 456p789m222z5z +5z", "bad_meld", "[1234p]"),
        ("[11111p] 456p789m222z5z +5z", "bad_meld", "[11111p]"),
        ("[1m1p1s] 456p789m222z5z +5z", "bad_meld", "[1m1p1s]"),
        ("[123f] 456p789m222z5z +5z", "bad_meld", "[123f]"),
        ("(111m) 456p789s222z6z +6z", "bad_meld", "(111m)"),
        ("(123m) 456p789s222z6z +6z", "bad_meld", "(123m)"),
        ("[2+222z] 456p789s111m6z +6z", "bad_meld", "[2+222z]"),
        ("[22+22z] 456p789s111m6z +6z", "bad_meld", "[22+22z]"),
        ("[22+2z] 456p789s111m6z +6z", "bad_meld", "[22+2z]"),
        ("[2222+z] 456p789s111m6z +6z", "bad_text", "z"),
        ("[222+2+z] 456p789s111m6z +6z", "bad_text", "2"),
        ("(222+2z) 456p789s111m6z +6z", "bad_meld", "(222+2z)"),
        ("[222+3z] 456p789s111m6z +6z", "bad_meld", "[222+3z]"),
        ("[123+4m] 456p789s111m6z +6z", "bad_meld", "[123+4m]"),
        ("22222s 234678p 55z +5z", "too_many_copies", "2s"),
        ("(8888m) 234678p 555z 6z +8m", "too_many_copies", "8m"),
        ("[5550p] 46p 12378s 666z +5p", "too_many_copies", "5p"),
        ("1f 1f 123m456p789s111z5z +5z", "too_many_copies", "1f"),
        ("123m456p789s11z5z +5z", "wrong_tile_count", "hand"),
        ("123m456p789s111z55z +5z", "wrong_tile_count", "hand"),
        ("+5z", "wrong_tile_count", "hand"),
        ("1f", "missing_field", "hand"),
        ("123m456p789s111z5z", "missing_field", "hand"),
        ("123m456p789s111z55z", "missing_field", "hand"),
    ],
)
def test_refused(text: Any, code: str, at: str) -> None:
    found = faults(text, by="discard", seat="S", round="E")
    assert (code, at) == found[0]
    allowed = {"bad_text"} if code == "bad_text" else {code, "wrong_tile_count"} if text == "1f" else {code}
    assert {other for other, _ in found} == allowed


def test_fourteen_tiles_without_plus_are_told_how_to_go_out() -> None:
    (problem,) = problems_of("123m456p789s111z55z")
    assert problem.code == "wrong_tile_count"
    assert "mark its winning tile with '+'" in problem.message


def test_independent_faults_come_together() -> None:
    text = "123x [112s] (111m) 99999p +1f"
    found = faults(text, by="ron", seat="X", dora="1f2x", ura=5, flags=["ippatsu", "last", 3], honba=-1, sticks=True)
    assert found == [
        ("bad_value", "ura"),
        ("bad_value", "by"),
        ("bad_value", "seat"),
        ("bad_value", "last"),
        ("bad_value", "flags"),
        ("bad_value", "honba"),
        ("bad_value", "sticks"),
        ("bad_text", "123x"),
        ("bad_text", "+1f"),
        ("bad_text", "2x"),
        ("bad_text", "1f"),
        ("bad_meld", "[112s]"),
        ("bad_meld", "(111m)"),
        ("too_many_copies", "9p"),
    ]


def test_what_follows_from_unreadable_text_is_not_reported() -> None:
    assert faults("12x 456p [112s] +5z", by="self_draw", flags=["after_kong"]) == [
        ("bad_text", "12x"),
        ("bad_meld", "[112s]"),
    ]
    assert faults("123m456p789s11z +5x", by="discard") == [("bad_text", "5x")]


def test_unreadable_indicators_do_not_hide_the_hand() -> None:
    assert faults("123m456p789s1z +5z", by="discard", dora="1x", flags=["ippatsu"]) == [
        ("bad_text", "1x"),
        ("wrong_tile_count", "hand"),
        ("contradictory_flags", "ippatsu"),
    ]


@pytest.mark.parametrize(
    ("situation", "code", "at"),
    [
        ({"by": "ron"}, "bad_value", "by"),
        ({"by": True}, "bad_value", "by"),
        ({"by": None}, "missing_field", "by"),
        ({"seat": "east"}, "bad_value", "seat"),
        ({"round": ["E"]}, "bad_value", "round"),
        ({"from_": {"E": 1}}, "bad_value", "from"),
        ({"from_": "S"}, "contradictory_flags", "from"),
        ({"flags": [1]}, "bad_value", "flags"),
        ({"flags": [""]}, "bad_value", "flags"),
        ({"flags": [["riichi"]]}, "bad_value", "flags"),
        ({"flags": "riichi"}, "bad_value", "flags"),
        ({"flags": 0}, "bad_value", "flags"),
        ({"flags": ["riichi"]}, "contradictory_flags", "riichi"),
        ({"dora": ["3m"]}, "bad_value", "dora"),
        ({"dora": []}, "bad_value", "dora"),
        ({"dora": 0}, "bad_value", "dora"),
        ({"dora": False}, "bad_value", "dora"),
        ({"dora": b"3m"}, "bad_value", "dora"),
        ({"dora": "1x"}, "bad_text", "1x"),
        ({"dora": "x"}, "bad_text", "x"),
        ({"dora": "1"}, "bad_text", "1"),
        ({"dora": "1f"}, "bad_text", "1f"),
        ({"dora": "+1m"}, "bad_text", "+1m"),
        ({"ura": "[111m]"}, "bad_text", "[111m]"),
        ({"ura": "1111m1m"}, "too_many_copies", "1m"),
        ({"dora": "9" * 31 + "m", "ura": "9" * 31 + "m"}, "too_many_copies", "9m"),
        ({"dora": "7" * 240 + "m", "ura": "7" * 240 + "m"}, "too_many_copies", "7m"),
        ({"dora": "77z"}, "too_many_copies", "7z"),
        ({"honba": 1.5}, "bad_value", "honba"),
        ({"honba": True}, "bad_value", "honba"),
        ({"honba": "1"}, "bad_value", "honba"),
        ({"sticks": [1]}, "bad_value", "sticks"),
        ({"sticks": 1001}, "bad_value", "sticks"),
    ],
)
def test_refused_values(situation: dict[str, Any], code: str, at: str) -> None:
    good: dict[str, Any] = {"by": "discard", "seat": "S", "round": "E"}
    assert faults(GOOD, **good) == []
    assert faults(GOOD, **good | situation) == [(code, at)]


def test_none_is_absent() -> None:
    keys = ["from_", "flags", "dora", "ura", "honba", "sticks", "seat", "round"]
    assert parse(GOOD, by="discard", **dict.fromkeys(keys)) == parse(GOOD, by="discard")
    assert parse("123m456p789s111z5z", **dict.fromkeys(keys)) == parse("123m456p789s111z5z")


def test_messages_say_what_would_mend_it() -> None:
    said = {text: problems_of(text, by="discard")[0].message for text in ("123M", "12", "+55z", "[112s]", "(111m)")}
    assert said == {
        "123M": "'123M': letters are lower case, 'm'",
        "12": "'12' lacks its letter, as in '1m'",
        "+55z": "'+55z': the winning tile is one tile, as in '+6p'",
        "[112s]": "'[112s]' is not a set: three tiles make a set where they are alike or follow one another",
        "(111m)": "'(111m)' is not a set: a concealed set on the table is a kong, as in '(1111m)'; "
        "other concealed tiles stand outside brackets",
    }
