"""Settling: cases one a line, properties for any input."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tenbo
from cases import read_cases, read_jsonl
from tenbo.errors import CODES
from tenbo.payment import Payments, Transfer
from tenbo.records import settle_record

DATA = Path(__file__).parent / "data"
SEATS = "ESWN"
RULES = ("reach", "riichi", "basic", "simplified")
OWN = list(read_jsonl(DATA / "settlements.jsonl"))
REFUSED = list(read_jsonl(DATA / "settlements_refused.jsonl"))


def by_seat(kitty: list[dict[str, Any]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for stake in kitty:
        found[stake["seat"]] = found.get(stake["seat"], 0) + stake["points"]
    return found


def agrees(expect: dict[str, Any], got: dict[str, Any]) -> None:
    """Holds an answer against what it must be."""
    if "error" in expect:
        assert got.get("error") in expect["error"], got
        return
    assert "error" not in got, got
    for key, value in expect.items():
        if key == "kitty":
            assert by_seat(got[key]) == by_seat(value)
        else:
            assert got[key] == value
            assert type(got[key]) is type(value)


def balances(given_: dict[str, Any], got: dict[str, Any]) -> None:
    """Holds payments, transfers and the table against each other."""
    options = given_.get("options") or {}
    bet = options.get("bet_value", 1000)
    grown = ((got["sticks"] - (given_.get("sticks") or 0)) * bet) + sum(by_seat(got["kitty"]).values())
    grown -= sum(by_seat(given_.get("kitty") or []).values())
    moved = dict.fromkeys([*SEATS, "table"], 0)
    for transfer in got["transfers"]:
        assert set(transfer) == {"from", "to", "amount", "why"}
        assert transfer["amount"] > 0
        assert transfer["why"]
        moved[transfer["from"]] -= transfer["amount"]
        moved[transfer["to"]] += transfer["amount"]
    assert moved == {**got["payments"], "table": grown}
    assert sum(got["payments"].values()) + grown == 0


@pytest.mark.parametrize("case", OWN, ids=[case["id"] for case in OWN])
def test_settlements(case: dict[str, Any]) -> None:
    got = settle_record(case["input"])
    agrees(case["expect"], got)
    if "error" not in case["expect"]:
        balances(case["input"], got)
        json.dumps(got)


@pytest.mark.parametrize("case", REFUSED, ids=[case["id"] for case in REFUSED])
def test_refused(case: dict[str, Any]) -> None:
    got = settle_record(case["input"])
    assert set(got) == {"id", "error", "errors"}
    assert got["error"] == case["error"], got
    found = [error for error in got["errors"] if error["code"] == case["error"]]
    assert case["at"] in [error["at"] for error in found], got
    assert all(error["message"] for error in got["errors"])


def test_acceptance_cases() -> None:
    for case in read_cases("settle"):
        got = settle_record(case["input"])
        agrees(case["expect"], got)
        balances(case["input"], got)


def test_everything_wrong_is_said_at_once() -> None:
    got = settle_record(
        {
            "rules": "riichi",
            "honba": -1,
            "bets": ["E", "E"],
            "kitty": [{"seat": "E", "points": 100}],
            "winners": [{"seat": "Z", "by": "discard", "han": 0, "fu": 30, "huh": 1}],
            "losers": {"E": {"score": 1}},
            "dead": ["W"],
            "nonsense": 1,
        }
    )
    found = {(error["code"], error["at"]) for error in got["errors"]}
    assert found == {
        ("unknown_field", "nonsense"),
        ("unknown_field", "huh"),
        ("bad_value", "honba"),
        ("bad_value", "bets"),
        ("bad_value", "kitty"),
        ("bad_value", "seat"),
        ("missing_field", "from"),
        ("bad_value", "han"),
        ("bad_value", "losers"),
        ("bad_value", "dead"),
    }
    order = [CODES.index(error["code"]) for error in got["errors"]]
    assert order == sorted(order)


def test_messages_say_whose_hand_it_is() -> None:
    losers = {"W": {"hand": "345p"}}
    got = settle_record(
        {"rules": "basic", "round": "E", "winners": [{"seat": "S", "by": "self_draw", "score": 1}], "losers": losers}
    )
    assert got["errors"][0]["message"].startswith("loser W: ")


def test_messages_name_what_is_asked_for() -> None:
    one = {"seat": "S", "by": "discard", "from": "N", "hand": "123m456p789s1155z+5z"}
    two = {"seat": "W", "by": "discard", "from": "N", "hand": "456m123p789s22z55z+5z"}
    rules = tenbo.load_rules("riichi")
    with pytest.raises(tenbo.TenboError, match="the dora indicators must be the same for all winners: 1m or none\\?"):
        tenbo.settle(rules=rules, winners=[one | {"dora": "1m"}, two])
    with pytest.raises(tenbo.TenboError, match="winner S: say 'seat': E, S, W or N"):
        tenbo.settle(rules=rules, winners=[one | {"liable": [{"limit_hands": 1}]}])


def test_scores_hold_each_hand_given_without_counters_and_bets() -> None:
    got = settle_record(
        {
            "rules": "riichi",
            "round": "E",
            "honba": 2,
            "sticks": 3,
            "winners": [
                {"seat": "S", "by": "discard", "from": "E", "hand": "234567m234p5677s +4s", "flags": ["riichi"]}
            ],
        }
    )
    alone = tenbo.score(
        "234567m234p5677s +4s", rules="riichi", by="discard", seat="S", round="E", from_="E", flags=["riichi"]
    )
    assert got["scores"] == {"S": alone.record()}
    assert got["payments"]["S"] == alone.score + 600 + 3000


def test_losers_hands_are_scored_and_their_records_given() -> None:
    case = next(case for case in read_cases("settle") if case["id"] == "B13-hands")
    got = settle_record(case["input"])
    assert {seat: score["score"] for seat, score in got["scores"].items()} == {"E": 12, "S": 8, "W": 48, "N": 64}


def test_a_second_winner_of_basic_is_scored_but_not_paid() -> None:
    way = {"by": "discard", "from": "E"}
    winners = [
        {"seat": "S", **way, "hand": "345567m23467p77s +5p"},
        {"seat": "W", **way, "hand": "222333m1146p999s +5p"},
    ]
    got = settle_record({"rules": "basic", "round": "E", "winners": winners})
    assert "error" not in got, got
    assert set(got["scores"]) == {"S", "W"}
    score = got["scores"]["S"]["score"]
    assert got["payments"] == {"E": -2 * score, "S": 4 * score, "W": -score, "N": -score}


def test_the_library_takes_hands_and_iterables() -> None:
    hand = tenbo.parse("234567m234p5677s", seat="S", round="E").replace(win=21, by="discard", flags=("riichi",))
    settled = tenbo.settle(
        rules="riichi", round="E", bets=iter("S"), winners=({"seat": "S", "by": "discard", "from": "E", "hand": hand},)
    )
    assert settled.payments["E"] == -settled.scores["S"].score
    assert settled.payments == {"E": -3900, "S": 3900, "W": 0, "N": 0}
    assert pickle.loads(pickle.dumps(settled)) == settled
    assert hash(settled.balance) == hash(pickle.loads(pickle.dumps(settled)).balance)
    with pytest.raises(AttributeError):
        settled.sticks = 4  # type: ignore[misc]


def test_the_library_raises_what_is_wrong() -> None:
    with pytest.raises(tenbo.ReadError, match="what happened"):
        tenbo.settle(rules="basic")
    with pytest.raises(tenbo.HandError):
        tenbo.settle(
            rules="basic", round="E", winners=[{"seat": "S", "by": "self_draw", "hand": "1234567m123p123s +9s"}]
        )


def test_files_of_ones_own_settle_alike() -> None:
    rules = tenbo.parse_rules(
        'extends = "riichi"\ntitle = "Thirds"\n[liability]\nshare_of_discard = 3\n'
        '[payment]\nwinners = "first"\n[penalty.late]\nname = "Late"\namount = "100 * (2 if payee_dealer else 1)"\n'
        'deal = "ends"\n'
    )
    liable = {
        "seat": "S",
        "by": "discard",
        "from": "E",
        "limit": "limit hand",
        "liable": [{"seat": "N", "limit_hands": 1}],
    }
    second = {"seat": "W", "by": "discard", "from": "E", "limit": "mangan"}
    settled = tenbo.settle(rules=rules, winners=[liable, second])
    assert settled.payments == {"E": -21300, "S": 32000, "W": 0, "N": -10700}
    settled = tenbo.settle(rules=rules, honba=2, sticks=1, bets=["E"], penalty={"kind": "late", "seat": "S"})
    assert settled.payments == {"E": -800, "S": -400, "W": 100, "N": 100}
    assert (settled.sticks, settled.dealer_stays, settled.honba) == (2, True, 2)


def test_payments_that_do_not_balance_cannot_be_built() -> None:
    paid = (Transfer("E", "S", 100, "hand"), Transfer("N", "table", 50, "bet"))
    assert Payments.of(paid, 50).changes == (-100, 100, 0, -50)
    with pytest.raises(ValueError, match="off by"):
        Payments.of(paid, 0)
    with pytest.raises(ValueError, match="off by"):
        Payments((1, 0, 0, 0), 0, ())
    with pytest.raises(ValueError, match="do not add up"):
        Payments((1, -1, 0, 0), 0, ())
    with pytest.raises(ValueError, match="transfer of 0"):
        Payments.of((Transfer("E", "S", 0, "hand"),), 0)
    with pytest.raises(ValueError, match="transfer of -5"):
        Payments.of((Transfer("E", "S", -5, "hand"),), 0)


# ----------------------------------------------------------------------------------------------------------- properties

seats = st.sampled_from(SEATS)
some_seats = st.lists(seats, unique=True, max_size=4)
POINTS = {"reach": (20, 25, 30, 40, 70, 110), "basic": (0, 7, 22, 64), "simplified": (20, 30, 80)}
OPTIONS: dict[str, dict[str, list[Any]]] = {
    "reach": {
        "honba_value": [0, 300, 1500],
        "bet_value": [0, 500, 1000],
        "ready_pool": [0, 3000, 1200],
        "liability_counters": ["liable", "discarder"],
        "multiple_limits": [False, True],
        "round_up_starred": [False, True],
        "counted_limit": [False, True],
        "chart": ["formula", "as_printed"],
    },
    "basic": {
        "east_double": [True, False],
        "loser_settlement": [True, False],
        "loser_scoring": [True, False],
        "limit": [None, 300],
        "false_mahjong_amount": [250, 0],
        "kitty_amount": [100, 0, 37],
    },
    "simplified": {"east_double": [False, True], "limit": [1000, None, 100]},
}
KINDS = {"reach": ["chombo"], "basic": ["false_mahjong", "false_mahjong_hidden", "kitty"], "simplified": []}


@st.composite
def deals(draw: st.DrawFn) -> dict[str, Any]:
    """Deals that can be settled, nearly always."""
    rules = draw(st.sampled_from(RULES))
    family = "reach" if rules == "riichi" else rules
    given_: dict[str, Any] = {"rules": rules, "round": draw(seats)}
    given_["options"] = {
        key: draw(st.sampled_from(values)) for key, values in OPTIONS[family].items() if draw(st.booleans())
    }
    if family == "reach":
        given_ |= {"honba": draw(st.integers(0, 12)), "sticks": draw(st.integers(0, 9)), "bets": draw(some_seats)}
    if family == "basic":
        stakes = st.fixed_dictionaries({"seat": seats, "points": st.integers(1, 500)})
        given_["kitty"] = draw(st.lists(stakes, max_size=3))
    way = draw(st.sampled_from(["winners", "winners", "draw", "penalty"]))
    if way == "draw":
        given_["draw"] = {"kind": draw(st.sampled_from(["exhaustive", "abortive"])), "ready": draw(some_seats)}
    elif way == "penalty":
        kind = draw(st.sampled_from([*KINDS[family], "free"]))
        given_["penalty"] = {"kind": kind, "seat": draw(seats)}
        if kind == "free":
            to = draw(st.lists(seats.filter(lambda s: s != given_["penalty"]["seat"]), unique=True, min_size=1))
            given_["penalty"] |= {"points": draw(st.integers(1, 9999)), "to": to}
    else:
        given_ |= draw(wins(family))
    return given_


@st.composite
def wins(draw: st.DrawFn, family: str) -> dict[str, Any]:
    first = draw(seats)
    order = [SEATS[(SEATS.index(first) + turn) % 4] for turn in range(1, 4)]
    winners: list[dict[str, Any]] = [
        {"seat": seat, "by": "discard", "from": first} for seat in order if draw(st.booleans())
    ]
    if not winners:
        winners = [{"seat": first, "by": "self_draw"}]
    names = {winner["seat"] for winner in winners}
    for winner in winners:
        if family != "reach" and draw(st.booleans()):
            winner["score"] = draw(st.integers(0, 3000))
        elif family == "reach" and draw(st.booleans()):
            winner["limit"] = draw(st.sampled_from(["mangan", "haneman", "baiman", "sanbaiman", "limit hand"]))
            others = [seat for seat in SEATS if seat not in names]
            if winner["limit"] == "limit hand" and others and draw(st.booleans()):
                winner["liable"] = [{"seat": draw(st.sampled_from(others)), "limit_hands": 1}]
        else:
            least = 4 if family == "reach" else 0
            points = [n for n in POINTS[family] if n != 20 or winner["by"] == "self_draw" or family != "reach"]
            winner |= {"doubles": draw(st.integers(least, 20)), "points": draw(st.sampled_from(points))}
    out: dict[str, Any] = {"winners": winners}
    if family == "basic":
        losers = [seat for seat in SEATS if seat not in names]
        out["losers"] = {seat: {"score": draw(st.integers(0, 900))} for seat in losers if draw(st.booleans())}
        out["dead"] = [seat for seat in losers if draw(st.booleans())]
    return out


@given(deals())
def test_payments_and_table_balance(deal: dict[str, Any]) -> None:
    got = settle_record(deal)
    assert "error" not in got, got
    balances(deal, got)
    assert got["sticks"] >= 0
    assert not ("winners" in deal and got["kitty"])


@given(deals(), st.integers(1, 3))
def test_only_east_is_special(deal: dict[str, Any], turn: int) -> None:
    """Where East has no part in the payments, turning all seats turns them with it."""
    names = [winner["seat"] for winner in deal.get("winners", ())]
    if deal["rules"] != "simplified" or deal["options"].get("east_double"):
        return

    def turned(value: Any) -> Any:
        if isinstance(value, dict):
            return {
                SEATS[(SEATS.index(k) + turn) % 4] if k in SEATS else k: v
                if k in ("rules", "by", "kind", "round")
                else turned(v)
                for k, v in value.items()
            }
        if isinstance(value, list):
            return [turned(one) for one in value]
        return SEATS[(SEATS.index(value) + turn) % 4] if isinstance(value, str) and value in SEATS else value

    assert all(name in SEATS for name in names)
    assert settle_record(turned(deal))["payments"] == turned(settle_record(deal)["payments"]) or not names


anything = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 1200) | st.floats() | st.text(max_size=4) | seats,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6) | seats, inner, max_size=4),
    max_leaves=8,
)


@given(deals(), st.data())
def test_malformed_input_is_answered_by_an_error_record(deal: dict[str, Any], data: st.DataObject) -> None:
    """Any value anywhere in a deal: a settlement that balances, or an error record."""
    target: Any = deal
    for _ in range(data.draw(st.integers(0, 3))):
        inner = [
            v for v in (target.values() if isinstance(target, dict) else target) if isinstance(v, dict | list) and v
        ]
        if not inner:
            break
        target = data.draw(st.sampled_from(inner))
    key = data.draw(st.sampled_from(sorted(target) if isinstance(target, dict) else range(len(target))))
    target[key] = data.draw(anything)
    got = settle_record(deal, paths=False)
    if "error" in got:
        assert got["error"] in CODES
        assert got["errors"]
        assert all(error["message"] and error["code"] in CODES for error in got["errors"])
    else:
        balances(deal, got)


@given(anything)
def test_no_value_is_a_traceback(value: Any) -> None:
    assert settle_record(value)["error"] in CODES


def test_what_rules_do_not_know_is_named_beside_a_broken_winning_hand() -> None:
    winner = {"seat": "S", "by": "discard", "from": "W", "hand": "345789p9p [777z] [2222z] +6p"}
    answer = settle_record({"rules": "basic", "round": "E", "winners": [winner | {"flags": ["riichi"], "dora": "1m"}]})
    assert [(error["code"], error["at"]) for error in answer["errors"]] == [
        ("bad_value", "riichi"),
        ("bad_value", "dora"),
        ("contradictory_flags", "riichi"),
    ]


@pytest.mark.parametrize("loser", [{"Hand": "1m"}, {"foo": 1}, {"hand": None, "x": 1}, {"score": None}, {}])
def test_a_loser_without_hand_and_score_is_refused(loser: dict[str, Any]) -> None:
    winner = {"seat": "S", "by": "self_draw", "score": 64}
    answer = settle_record({"rules": "basic", "round": "E", "winners": [winner], "losers": {"E": loser}})
    assert "say the loser's hand, or its score" in answer["errors"][-1]["message"]
