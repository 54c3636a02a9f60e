"""Hand text read and written: inverses, two ways that agree, caches that stay small, the acceptance cases."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cases
from hand_strategies import right_hands
from hand_texts import GOOD, HAND_CODES, check_printable, faults, problems_of, situation_of
from tenbo import notation, tiles
from tenbo.errors import CODES, TenboError
from tenbo.hand import Hand
from tenbo.notation import format_hand, format_tiles, parse, parse_meld, parse_tiles

# --- reading and writing are inverses


@given(right_hands())
def test_written_hands_are_read_back(arguments: dict[str, Any]) -> None:
    hand = Hand(**arguments)
    again = parse(format_hand(hand), **situation_of(hand))
    assert again == hand
    prepared = ("_keys", "_pair_suit", "_flag_bits", "_situation", "_red", "_closed")
    assert [getattr(again, key) for key in prepared] == [getattr(hand, key) for key in prepared]
    assert str(again) == format_hand(hand)
    assert parse(format_hand(hand), **situation_of(hand) | {"flags": list(hand.flags)}) == hand


@given(right_hands(), st.integers(0, 2**32).map(Random))
def test_order_and_white_space_mean_nothing(arguments: dict[str, Any], rng: Random) -> None:
    hand = Hand(**arguments)
    parts = [tiles.TEXTS[code] for code in hand.concealed + hand.bonus]
    parts += [] if hand.win is None else [f"+{tiles.TEXTS[hand.win]}"]
    rng.shuffle(parts)
    for meld in hand.melds:  # their order is kept
        place = rng.randrange(len(parts) + 1)
        digits = list(meld.text[1:-2])
        if not meld.added:
            rng.shuffle(digits)
        parts[place:place] = [meld.text[0] + "".join(digits) + meld.text[-2:]]
    order = [parts.index(part) for part in parts if part[0] in "[("]
    melds = [parse_meld(parts[place]) for place in order]
    spaces = ["", "", " ", "\t", "\n", "\u3000", "\xa0", "\x1c", "\u2028"]
    text = "".join(character + rng.choice(spaces) for character in " ".join(parts))
    if len(text) <= notation.LONGEST and len(order) == len(set(order)):
        assert parse(text, **situation_of(hand)) == hand.replace(melds=melds)


@given(right_hands(), st.sampled_from(["", "\ufe0f", "\ufe0e"]))
def test_unicode_tiles_are_read(arguments: dict[str, Any], mark: str) -> None:
    hand = Hand(**arguments)

    def drawn(codes: Any) -> str:
        return "".join(tiles.UNICODE[code] + mark for code in codes)

    sets = []
    for meld in hand.melds:
        inside = drawn(meld.tiles[:3]) + ("+" if meld.added else "") + drawn(meld.tiles[3:])
        sets.append(f"[{inside}]" if meld.exposed else f"({inside})")
    win = "" if hand.win is None else "+" + drawn([hand.win])
    read = parse("".join([drawn(hand.concealed), *sets, drawn(hand.bonus), win]), **situation_of(hand))
    assert read.text == hand.text.replace("0", "5")
    assert parse_tiles(drawn(hand.dora)) == tuple(map(tiles.kind, hand.dora))


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("3457899p [777z] [2222z] +6p", "3457899p [777z] [2222z] +6p"),
        ("+6p[777z][2222z]99p8p7p5p4p3p", "3457899p [777z] [2222z] +6p"),
        ("505m1p1s1z (2222z) [340s] 5m +0s", "0555m1p1s1z (2222z) [340s] +0s"),
        ("0m5m2m5m [222+2z][ 555 + 0p ](0550s) 5f1f4f +1z", "2055m [222+2z] [055+5p] (0055s) 145f +1z"),
        ("11m [321p] [987s] [1s1s1s] 88s +1m", "11m88s [123p] [789s] [111s] +1m"),
        ("1m [321p] [987s] [1s11s] (7z777z) +1m", "1m [123p] [789s] [111s] (7777z) +1m"),
        ("🀀🀀🀀🀁🀁🀁🀂🀂🀂🀃🀃🀃🀄︎ +🀄", "1112223334447z +7z"),
        ("🀇🀏🀙🀡🀐🀘🀀🀁🀂🀃🀆🀅🀄🀢🀣🀥🀤🀦🀧🀨🀩+1m", "19m19p19s1234567z 12345678f +1m"),
    ],
)
def test_canonical_text(written: str, canonical: str) -> None:
    assert parse(written, by="discard").text == canonical


@given(st.lists(st.integers(0, 44), max_size=150))
def test_tiles_are_read_back(codes: list[int]) -> None:
    assert parse_tiles(format_tiles(codes)) == tuple(codes)
    assert parse_tiles(" ".join(tiles.TEXTS[code] for code in codes)) == tuple(codes)


# --- the quick and the thorough way agree


def _mutated(draw: st.DrawFn, text: str) -> str:
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(text)))
        new = draw(st.sampled_from("0123456789mpszfMx[]()+ -,🀄🀐🀫\ufe0f\x00\ud800²١萬") | st.just(""))
        text = text[:at] + new + text[at + draw(st.integers(0, 2)) :]
    return text


@st.composite
def mutated_texts(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """A right hand's text, changed in some places, and its situation."""
    hand = Hand(**draw(right_hands()))
    situation = situation_of(hand)
    situation["dora"] = _mutated(draw, situation["dora"])
    return _mutated(draw, hand.text), situation


@given(mutated_texts())
def test_mutated_texts(case: tuple[str, dict[str, Any]]) -> None:
    text, situation = case
    quick: Any
    thorough: Any
    rest = {key: value for key, value in situation.items() if key not in ("dora", "ura", "from_")}
    try:
        thorough = notation._parse_thoroughly(
            text, situation["dora"], situation["ura"], rest | {"from": situation["from_"]}
        )
    except TenboError as error:
        thorough = error.problems
    try:
        quick = parse(text, **situation)
    except TenboError as error:
        quick = error.problems
    assert quick == thorough
    if isinstance(quick, Hand):
        assert parse(quick.text, **situation) == quick
    else:
        check_printable(quick)


# --- caches


def test_caches_stay_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notation, "_MOST_PARTS", 50)
    rng = Random(1)
    for _ in range(2000):
        digits = "".join(rng.choices("123456789", k=6))
        faults(f"{digits}m {digits[::-1]}p", dora=f"{digits[:2]}s{digits[2:4]}z")
        assert len(notation._parts) <= 50
        assert len(notation._indicators) <= 50
    assert parse(GOOD, by="discard", dora=None).text == "345789p1199s [777z] +1s"


def test_threads_share_caches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notation, "_MOST_PARTS", 5)
    texts = [f"{a}{a}{b}m123p44{b}5s [{c}{c}{c}z] +{a}m" for a in (1, 2, 3) for b in (4, 6, 7) for c in (1, 2)]
    expected = [repr(problems_of(text, by="discard")) for text in texts]
    wrong: list[str] = []

    def work() -> None:
        for _ in range(30):
            found = [repr(problems_of(text, by="discard")) for text in texts]
            wrong.extend(text for text, now, was in zip(texts, found, expected, strict=True) if now != was)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert wrong == []


# --- the acceptance cases

NAMES = ["examples", "random_basic", "random_simplified", "random_reach", "random_riichi", "random_options"]
NAMES += ["random_waits", "real_tenhou", "real_majiang"]


def arguments_of(record: dict[str, Any]) -> dict[str, Any]:
    keys = {"by": "by", "seat": "seat", "round": "round", "from": "from_", "flags": "flags", "dora": "dora"}
    keys |= {"ura": "ura", "honba": "honba", "sticks": "sticks"}
    return {name: record[key] for key, name in keys.items() if key in record}


@pytest.mark.parametrize("name", NAMES)
def test_cases_are_read(name: str, cases_dir: Path) -> None:
    for case in cases.read_cases(name):
        record = case["record"]
        if "error" not in case["expect"]:
            hand = parse(record["hand"], **arguments_of(record))
            assert hand.problems() == []
            assert parse(hand.text, **arguments_of(record)) == hand


def test_bad_cases_are_refused(cases_dir: Path) -> None:
    refused = 0
    for case in cases.read_cases("bad"):
        record, expected = case["record"], case["expect"]["error"]
        problems = problems_of(record.get("hand"), **arguments_of(record))
        if problems:
            assert problems[0].code in expected
            refused += 1
        else:  # what the rules say of it decides
            others = set(CODES) - HAND_CODES | {"missing_field"}
            assert others & set(expected)
    assert refused > 60
