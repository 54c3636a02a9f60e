"""The hand as a value: what it holds, what it prepares, and everything that it refuses."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hand_strategies import any_arguments, contradictory, right_hands, wins
from tenbo import prepared, tiles
from tenbo.errors import HandError, Problem, ReadError, TenboError
from tenbo.hand import FLAGS, Hand, Meld
from tenbo.notation import parse_meld

FIELDS = ["concealed", "melds", "bonus", "win", "by", "seat", "round", "from_"]
FIELDS += ["flags", "dora", "ura", "honba", "sticks"]
PENGUIN = Hand.from_counts([3, 1, 1, 1, 1, 1, 1, 1, 3] + [0] * 25, win=4, by="self_draw", seat="S", round="E")


def texts(line: str) -> list[str]:
    return line.split()


def problems_of(**arguments: Any) -> list[Problem]:
    """What is wrong with a hand of these arguments."""
    try:
        return Hand(**arguments).problems()
    except TenboError as error:
        return list(error.problems)


def codes_of(**arguments: Any) -> list[str]:
    return [problem.code for problem in problems_of(**arguments)]


def change(**changes: Any) -> list[Problem]:
    """What is wrong with a good hand after some changes."""
    arguments = {key: getattr(PENGUIN, key) for key in FIELDS}
    return problems_of(**arguments | changes)


# --- what it holds


@given(right_hands())
def test_holds_what_it_is_given(arguments: dict[str, Any]) -> None:
    hand = Hand(**arguments)
    for key in ("win", "by", "seat", "round", "from_", "melds", "dora", "ura", "honba", "sticks"):
        assert getattr(hand, key) == arguments[key]
    assert hand.concealed == tiles.in_order(arguments["concealed"])
    assert hand.bonus == tuple(sorted(arguments["bonus"]))
    assert hand.flags == tuple(flag for flag in FLAGS if flag in arguments["flags"])
    assert hand.problems() == []
    lists = {key: list(value) if isinstance(value, tuple) else value for key, value in arguments.items()}
    assert Hand(**lists) == hand
    assert Hand(**arguments | {"concealed": reversed(arguments["concealed"])}) == hand


@given(right_hands(), right_hands())
def test_is_a_value(one: dict[str, Any], other: dict[str, Any]) -> None:
    hand, same, another = Hand(**one), Hand(**one), Hand(**other)
    assert hand == same
    assert hash(hand) == hash(same)
    different = any(getattr(hand, key) != getattr(another, key) for key in FIELDS)
    assert (hand != another) == different
    assert hand != "hand"
    for twin in (pickle.loads(pickle.dumps(hand)), copy.copy(hand), copy.deepcopy(hand), hand.replace()):
        assert twin == hand
        assert twin._keys == hand._keys


@pytest.mark.parametrize("key", [*FIELDS, "_keys", "_red", "text", "anything"])
def test_cannot_be_changed(key: str) -> None:
    with pytest.raises(AttributeError, match="cannot be changed"):
        setattr(PENGUIN, key, 1)
    with pytest.raises(AttributeError, match="cannot be changed"):
        delattr(PENGUIN, key)
    assert not hasattr(PENGUIN, "__dict__")


def test_repr_and_str() -> None:
    melds = [parse_meld("[777z]"), parse_meld("[2222z]")]
    hand = Hand.from_tiles(
        texts("9p 3p 4p 5p 7p 8p 9p"), melds, win="6p", by="discard", seat="S", from_="W", dora=["1m"], honba=2
    )
    assert str(hand) == hand.text == "3457899p [777z] [2222z] +6p"
    assert repr(hand) == ("Hand('3457899p [777z] [2222z] +6p', by='discard', seat='S', from_='W', dora='1m', honba=2)")


def test_replace() -> None:
    changed = PENGUIN.replace(by="discard", from_="N", win=8)
    assert (changed.text, changed.by, changed.from_, changed.seat) == ("1112345678999m +9m", "discard", "N", "S")
    with pytest.raises(TypeError):
        PENGUIN.replace(wind="E")
    with pytest.raises(HandError):
        PENGUIN.replace(from_="S")


# --- what it prepares for the engine


@given(right_hands())
def test_prepared_fields(arguments: dict[str, Any]) -> None:
    hand = Hand(**arguments)
    everything = [*hand.concealed, *([] if hand.win is None else [hand.win])]
    on_table = [code for meld in hand.melds for code in meld.tiles]
    closed_counts = Counter(map(tiles.kind, everything))
    for suit in range(4):
        key = sum(closed_counts[suit * 9 + rank] << 3 * rank for rank in range(9) if suit * 9 + rank < 34)
        if hand.win is not None and tiles.suit(hand.win) == suit:
            key |= tiles.rank(hand.win) << 27
        for i, code in enumerate(sorted(meld.code for meld in hand.melds if meld.suit == suit)):
            key |= code << 31 + 6 * i
        assert hand._keys[suit] == key
    rests = [sum(tiles.suit(code) == suit for code in everything) % 3 for suit in range(4)]
    assert hand._pair_suit == (rests.index(2) if sorted(rests) == [0, 0, 0, 2] else -1)
    assert hand._flag_bits == sum(1 << FLAGS.index(flag) for flag in hand.flags)
    kinds = Counter(map(tiles.kind, everything + on_table))
    dora, ura = (sum(kinds[tiles.DORA[code]] for code in codes) for codes in (hand.dora, hand.ura))
    bonus = sum(1 << code - prepared._BONUS_AT for code in hand.bonus)
    assert hand._situation == hand._flag_bits | dora << 8 | ura << 16 | hand._red << 24 | bonus
    assert hand._red == sum(map(tiles.is_red, everything + on_table))
    assert hand._closed == (not any(meld.exposed for meld in hand.melds))


# --- what it refuses


@given(wins())
def test_contradictions_are_those_of_the_interface(arguments: dict[str, Any]) -> None:
    codes = codes_of(**arguments)
    assert set(codes) == ({"contradictory_flags"} if contradictory(arguments) else set())
    unknown_by = codes_of(**arguments | {"by": None})
    assert unknown_by.count("missing_field") == 1


@given(any_arguments())
def test_any_arguments_make_a_hand_or_problems(arguments: dict[str, Any]) -> None:
    found = problems_of(**arguments)
    assert all(problem.message and problem.at is not None for problem in found)
    if found and (found[0].code, found[0].at) != ("missing_field", "by"):
        with pytest.raises(TenboError):
            Hand(**arguments)
    else:
        hand = Hand(**arguments)
        assert Hand(**{key: getattr(hand, key) for key in FIELDS}) == hand
        assert all(type(code) is int for code in (*hand.concealed, *hand.bonus, *hand.dora, *hand.ura))


@given(st.lists(st.sampled_from([0, 4, 42, 31]), max_size=150), st.lists(st.sampled_from([0, 4, 42, 5]), max_size=150))
def test_copies_never_overflow(dora: list[int], ura: list[int]) -> None:
    copies = Counter(map(tiles.kind, [*PENGUIN.concealed, 4, *dora, *ura]))
    found = change(dora=tuple(dora), ura=tuple(ura))
    assert {problem.at for problem in found} == {tiles.TEXTS[kind] for kind, n in copies.items() if n > 4}
    assert {problem.code for problem in found} <= {"too_many_copies"}


@pytest.mark.parametrize("number", [2, 3, 128, 129, 256, 257, 1000])
def test_many_flowers_never_overflow(number: int) -> None:
    (problem,) = change(bonus=(34,) * number)
    assert (problem.code, problem.at) == ("too_many_copies", "1f")


def test_four_fives_of_any_colour() -> None:
    hand = Hand.from_tiles(texts("0p 0p 5p 1m 2m 3m 4m 5m 6m 1s 1s 1s 2s"), win="0p", by="discard")
    assert (hand.text, hand._red) == ("123456m005p1112s +0p", 3)
    with pytest.raises(HandError, match=r"5 copies of '5p' with '0p' \(concealed 3, winning tile 1, dora 1\)"):
        hand.replace(dora=(13,))


def test_everything_at_once() -> None:
    found = problems_of(
        concealed=(0, 0, 0, 0, 0),
        melds=(Meld((1, 2, 3)),),
        win=8,
        by="draw",
        seat="east",
        flags=["richi", "ippatsu", "robbing_kong", "last_tile"],
        honba=1001,
        dora=[34],
    )
    assert [(problem.code, problem.at) for problem in found] == [
        ("bad_value", "dora"),
        ("bad_value", "by"),
        ("bad_value", "seat"),
        ("bad_value", "richi"),
        ("bad_value", "honba"),
        ("too_many_copies", "1m"),
        ("wrong_tile_count", "hand"),
        ("contradictory_flags", "last_tile"),
    ]
    assert "did you mean 'riichi'" in found[3].message


@pytest.mark.parametrize(
    ("changes", "code", "at"),
    [
        ({"win": 34}, "bad_value", "win"),
        ({"win": "5m"}, "bad_value", "win"),
        ({"concealed": None}, "bad_value", "concealed"),
        ({"concealed": "123m"}, "bad_value", "concealed"),
        ({"concealed": (0, -1)}, "bad_value", "concealed"),
        ({"melds": ["[123m]"]}, "bad_value", "melds"),
        ({"melds": 5}, "bad_value", "melds"),
        ({"bonus": (0,)}, "bad_value", "bonus"),
        ({"bonus": ""}, "bad_value", "bonus"),
        ({"melds": {}}, "bad_value", "melds"),
        ({"dora": ""}, "bad_value", "dora"),
        ({"dora": (45,)}, "bad_value", "dora"),
        ({"ura": None}, "bad_value", "ura"),
        ({"by": "tsumo"}, "bad_value", "by"),
        ({"by": []}, "bad_value", "by"),
        ({"seat": 0}, "bad_value", "seat"),
        ({"round": "e"}, "bad_value", "round"),
        ({"from_": {}}, "bad_value", "from"),
        ({"flags": "riichi"}, "bad_value", "flags"),
        ({"flags": None}, "bad_value", "flags"),
        ({"flags": [1]}, "bad_value", "flags"),
        ({"flags": ["x", "x"]}, "bad_value", "x"),
        ({"flags": ["last_tile"] * 101}, "bad_value", "flags"),
        ({"flags": ["last_tile"] * 10**6}, "bad_value", "flags"),
        ({"flags": {"riichi": True}}, "bad_value", "flags"),
        ({"honba": True}, "bad_value", "honba"),
        ({"honba": -1}, "bad_value", "honba"),
        ({"honba": None}, "bad_value", "honba"),
        ({"sticks": 1.0}, "bad_value", "sticks"),
        ({"sticks": 10**5000}, "bad_value", "sticks"),
        ({"by": None}, "missing_field", "by"),
        ({"win": None}, "missing_field", "hand"),
        ({"win": None, "by": None, "honba": 1}, "bad_value", "honba"),
        ({"win": None, "by": None, "from_": "W"}, "bad_value", "from"),
        ({"win": None, "by": None, "flags": ["ippatsu"]}, "bad_value", "flags"),
        ({"win": None, "by": None, "dora": (9,)}, "bad_value", "dora"),
        ({"bonus": (34, 34)}, "too_many_copies", "1f"),
        ({"concealed": PENGUIN.concealed[1:]}, "wrong_tile_count", "hand"),
        ({"concealed": (*PENGUIN.concealed, 30)}, "wrong_tile_count", "hand"),
        ({"concealed": ()}, "wrong_tile_count", "hand"),
        ({"concealed": (0,), "melds": [Meld((i, i, i)) for i in range(9, 14)]}, "wrong_tile_count", "hand"),
        ({"from_": "W"}, "contradictory_flags", "from"),
        ({"by": "discard", "from_": "S"}, "contradictory_flags", "from"),
        ({"flags": ["ippatsu"]}, "contradictory_flags", "ippatsu"),
        ({"flags": ["after_kong"]}, "contradictory_flags", "after_kong"),
        ({"flags": ["first_turn", "riichi"]}, "contradictory_flags", "first_turn"),
        ({"by": "discard", "flags": ["robbing_kong"]}, "contradictory_flags", "robbing_kong"),
        ({"by": "discard", "flags": ["first_turn"]}, "contradictory_flags", "first_turn"),
    ],
)
def test_refused(changes: dict[str, Any], code: str, at: str) -> None:
    (problem,) = change(**changes)
    assert (problem.code, problem.at) == (code, at)
    assert len(problem.message) < 300


def test_robbed_tile_is_held_in_any_colour_and_anywhere() -> None:
    held = {"by": "discard", "flags": ("robbing_kong",)}
    chow = Meld((3, 42, 5))
    rest = (9, 10, 11, 12, 13, 14, 27, 27, 27, 31)
    assert codes_of(concealed=rest, melds=[chow], win=4, **held) == ["contradictory_flags"]
    assert codes_of(concealed=rest, melds=[chow], win=6, **held) == []
    assert codes_of(concealed=rest, melds=[chow], win=6, dora=(6,), **held) == []


def test_flags_of_a_concealed_kong() -> None:
    kong = Meld((0, 0, 0, 0), exposed=False)
    rest = (9, 10, 11, 12, 13, 14, 27, 27, 27, 31)
    for flags in (["riichi"], ["double_riichi", "riichi", "ippatsu"], ["after_kong"], ["riichi", "after_kong"]):
        hand = Hand(rest, [kong], win=31, by="self_draw", flags=flags)
        assert hand._closed
        assert set(hand.flags) == set(flags)
    assert codes_of(concealed=rest, melds=[kong], win=31, by="self_draw", flags=["first_turn"]) == [
        "contradictory_flags"
    ]


def test_win_without_by_can_be_held_but_not_scored() -> None:
    hand = PENGUIN.replace(by=None)
    (problem,) = hand.problems()
    assert (problem.code, problem.at) == ("missing_field", "by")
    assert hand.replace(by="discard").problems() == []


# --- sets


@pytest.mark.parametrize(
    ("text", "kind", "suit", "code"),
    [
        ("[123m]", "chow", 0, 1),
        ("[789s]", "chow", 2, 7),
        ("[340p]", "chow", 1, 3),
        ("[067s]", "chow", 2, 5),
        ("[111p]", "pung", 1, 8),
        ("[055p]", "pung", 1, 12),
        ("[777z]", "pung", 3, 14),
        ("[9999m]", "kong", 0, 25),
        ("(1111m)", "kong", 0, 26),
        ("(0055s)", "kong", 2, 30),
        ("[222+2z]", "kong", 3, 36),
        ("[055+5m]", "kong", 0, 39),
        ("[999+9s]", "kong", 2, 43),
    ],
)
def test_meld(text: str, kind: str, suit: int, code: int) -> None:
    meld = parse_meld(text)
    assert (meld.text, meld.kind, meld.suit, meld.code) == (text, kind, suit, code)
    assert meld.exposed == (text[0] == "[")
    assert meld.added == ("+" in text)
    assert eval(repr(meld)) == meld
    for twin in (pickle.loads(pickle.dumps(meld)), copy.deepcopy(meld)):
        assert twin == meld
        assert (twin.code, twin.kind) == (meld.code, meld.kind)


def test_codes_of_melds_differ() -> None:
    pungs = [(code, code, code) for code in range(34)]
    chows = [(code, code + 1, code + 2) for code in range(27) if code % 9 < 7]
    kongs = [(code,) * 4 for code in range(34)]
    melds = [Meld(codes) for codes in pungs + chows + kongs]
    melds += [Meld(codes, exposed=False) for codes in kongs] + [Meld(codes, added=True) for codes in kongs]
    assert len({(meld.suit, meld.code) for meld in melds}) == len(melds)
    assert {meld.code for meld in melds} == set(range(1, 44))


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (((0, 0, 1),), "bad_meld"),
        (((7, 8, 9),), "bad_meld"),
        (((8, 9, 10),), "bad_meld"),
        (((27, 28, 29),), "bad_meld"),
        (((0, 9, 18),), "bad_meld"),
        (((0, 1, 2, 3),), "bad_meld"),
        (((0, 0),), "bad_meld"),
        (((),), "bad_meld"),
        (((0,) * 5,), "bad_meld"),
        (((34, 35, 36),), "bad_meld"),
        (((0, 0, 0), False), "bad_meld"),
        (((0, 1, 2), False), "bad_meld"),
        (((0, 0, 0), True, True), "bad_meld"),
        (((0, 0, 0, 0), False, True), "bad_meld"),
        (((0, 0, -1),), "bad_value"),
        (("123m",), "bad_value"),
        ((5,), "bad_value"),
    ],
)
def test_no_meld(arguments: tuple[Any, ...], code: str) -> None:
    with pytest.raises(ReadError) as caught:
        Meld(*arguments)
    assert caught.value.code == code


# --- from other notations


def test_from_ids_agrees_with_texts() -> None:
    names = [tiles.TEXTS[{16: 42, 52: 43, 88: 44}.get(i, i // 4)] for i in range(136)]
    assert Counter(names)["0m"] == 1
    assert Counter(names)["5m"] == 3
    for start in range(0, 120, 13):
        ids = range(start, start + 13)
        hand = Hand.from_ids(ids, win=start + 13, by="discard", dora=[start + 14], ura=[start + 15])
        same = Hand.from_tiles(
            [names[i] for i in ids],
            win=names[start + 13],
            by="discard",
            dora=[names[start + 14]],
            ura=[names[start + 15]],
        )
        assert hand == same


def test_from_tiles_takes_flowers() -> None:
    hand = Hand.from_tiles(texts("8f 1m 2m 3m 4m 5m 6m 7m 8m 9m 1p 1p 2p 3p 1f"), win="1p", by="self_draw")
    assert hand.text == "123456789m1123p 18f +1p"


def test_from_tells_all_that_is_wrong() -> None:
    with pytest.raises(ReadError) as caught:
        Hand.from_tiles(["1m", "E", "0z"], win="x", dora=["1m", 3])
    assert [problem.code for problem in caught.value.problems] == ["bad_text"] * 4
    with pytest.raises(ReadError) as caught:
        Hand.from_ids([0, 136, True], win=-1)
    assert [problem.code for problem in caught.value.problems] == ["bad_value"] * 3
    with pytest.raises(ReadError, match="34 whole numbers"):
        Hand.from_counts([1] * 33)
    with pytest.raises(ReadError, match="34 whole numbers"):
        Hand.from_counts([10**9] * 34)
