"""The ledger: whole games as data, and what holds for any sequence of events."""

from __future__ import annotations

import doctest
import json
import time
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tenbo
from cases import read_cases, read_jsonl
from tenbo.ledger import (
    Game,
    money,
    ranking,
    read_events,
    read_game,
    rematch,
    replay,
    replay_record,
    started_event,
    write_events,
)
from tenbo.ledger.events import MOST_EVENTS

DATA = Path(__file__).parent / "data"
GAMES = list(read_jsonl(DATA / "games.jsonl"))
SEATS = "ESWN"
NAMES = ["Ann", "Bea", "Cid", "Dan"]
RECORD = ("deals", "points", "round", "dealer", "deal", "honba", "sticks", "kitty", "finished", "ranking")
ROW = ("seq", "deal", "round", "dealer", "payments", "points", "honba", "sticks", "kitty", "problem")


def spread(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Events with those that are said to come several times written out."""
    return [{k: v for k, v in event.items() if k != "times"} for event in events for _ in range(event.get("times", 1))]


def win(player: int, from_: int | None = None, **worth: Any) -> dict[str, Any]:
    way = {"by": "self_draw"} if from_ is None else {"by": "discard", "from": from_}
    return {"event": "won", "winners": [{"player": player, **way, **(worth or {"limit": "mangan"})}]}


def started(rules: str = "riichi", **more: Any) -> dict[str, Any]:
    return {"event": "started", "rules": rules, "players": NAMES, **more}


@pytest.mark.parametrize("case", GAMES, ids=[case["id"] for case in GAMES])
def test_games(case: dict[str, Any]) -> None:
    events = spread(case["events"])
    lines = [json.dumps(event) for event in events]
    got = replay_record(lines)
    assert tuple(got) == RECORD, got
    for key, value in case["expect"].items():
        assert got[key] == value, key
    rows = got["deals"]
    assert all(tuple(row) == ROW for row in rows)
    if "deals" in case:
        assert len(rows) == len(case["deals"])
        for row, want in zip(rows, case["deals"], strict=True):
            assert {key: row[key] for key in want} == want
    problems = {str(row["seq"]): row["problem"] for row in rows if row["problem"]}
    assert problems.keys() == case.get("problems", {}).keys(), problems
    for seq, part in case.get("problems", {}).items():
        assert part in problems[seq]
    one_by_one = Game(events[0])
    for event in events[1:]:
        one_by_one.take(event)
    assert one_by_one.record() == got


def as_events(deal: dict[str, Any], dealer: int) -> list[dict[str, Any]]:
    """A settlement's input as a game that begins with it, the given player dealing."""

    def player(seat: str) -> int:
        return (SEATS.index(seat) + dealer) % 4

    first = started(deal["rules"], options=deal.get("options", {}), start=25000, dealer=dealer, round=deal["round"])
    first |= {"honba": deal.get("honba", 0), "sticks": deal.get("sticks", 0)}
    first["kitty"] = [{"player": player(stake["seat"]), "points": stake["points"]} for stake in deal.get("kitty", [])]
    bets = [player(seat) for seat in deal.get("bets", [])]
    if "draw" in deal:
        ready = [player(seat) for seat in deal["draw"].get("ready", [])]
        return [first, {"event": "drawn", "kind": deal["draw"]["kind"], "ready": ready, "bets": bets}]
    if "penalty" in deal:
        penalty = {key: value for key, value in deal["penalty"].items() if key != "seat"}
        if "to" in penalty:
            penalty["to"] = [player(seat) for seat in penalty["to"]]
        return [first, {"event": "penalty", "player": player(deal["penalty"]["seat"]), **penalty}]
    winners = []
    for winner in deal["winners"]:
        new = {key: value for key, value in winner.items() if key != "seat"} | {"player": player(winner["seat"])}
        if "from" in new:
            new["from"] = player(new["from"])
        if "liable" in new:
            new["liable"] = [
                {"player": player(one["seat"]), "limit_hands": one["limit_hands"]} for one in new["liable"]
            ]
        winners.append(new)
    losers = [{"player": player(seat), **said} for seat, said in deal.get("losers", {}).items()]
    dead = [player(seat) for seat in deal.get("dead", [])]
    return [first, {"event": "won", "winners": winners, "losers": losers, "bets": bets, "dead": dead}]


@pytest.mark.parametrize("dealer", range(4))
def test_every_settlement_is_the_same_as_an_event(dealer: int) -> None:
    for case in read_cases("settle"):
        deal, expect = case["input"], case["expect"]
        game = replay(as_events(deal, dealer))
        (row,) = game.deals
        assert row.problem is None
        assert list(row.payments) == [expect["payments"][SEATS[(player - dealer) % 4]] for player in range(4)]
        if "sticks" in expect:
            assert row.after.sticks == expect["sticks"]
        if "kitty" in expect:
            kitty = [(SEATS[(stake.player - dealer) % 4], stake.points) for stake in row.after.kitty]
            assert kitty == [(stake["seat"], stake["points"]) for stake in expect["kitty"]]
        if expect.get("honba") is not None:
            assert row.after.honba == expect["honba"]
        if not game.standing.finished and expect.get("dealer_stays") is not None:
            assert (game.standing.dealer == dealer) is expect["dealer_stays"]


@pytest.mark.parametrize("name", ["settling.md", "ledger.md"])
def test_examples_of_the_guides(name: str) -> None:
    failed, tried = doctest.testfile(str(DATA.parents[1] / "docs" / name), module_relative=False)
    assert tried > 10
    assert not failed


# ----------------------------------------------------------------------------------------------------------- the game


def test_append_refuses_what_makes_no_sense_and_adds_nothing() -> None:
    game = Game(started())
    for event in (
        {"event": "won", "winners": [{"player": 1, "by": "discard", "limit": "mangan"}]},
        {"event": "wonn"},
        {"event": None},
        {"event": "started"},
        {"event": "revised", "seq": 2, "by": None},
        {"event": "adjusted", "points": [1, 0, 0, 0]},
    ):
        with pytest.raises(tenbo.TenboError):
            game.append(event)
        with pytest.raises(tenbo.TenboError):
            game.preview(event)
    assert game.version == 1
    assert game.record() == Game(started()).record()


def test_a_revision_that_would_not_make_sense_is_refused() -> None:
    game = Game(started())
    game.append(win(1, 2))
    with pytest.raises(tenbo.TenboError, match="'from'"):
        game.append(
            {
                "event": "revised",
                "seq": 2,
                "by": {"event": "won", "winners": [{"player": 1, "by": "discard", "limit": "mangan"}]},
            }
        )
    assert game.version == 2


def test_preview_changes_nothing_and_says_all() -> None:
    game = Game(started(options={"bust_ends": True}))
    game.append(win(1, 2))
    game.append(win(2, 0, han=1, fu=30))
    before = game.record()
    preview = game.preview(win(3, 1))
    assert preview.row is not None
    assert preview.row.payments == (0, -8000, 0, 8000)
    assert [(t.from_, t.to, t.amount, t.why) for t in preview.row.settlement.transfers] == [("N", "S", 8000, "hand")]
    assert preview.standing.deal == 4
    assert preview.ranking[0].player == 3
    assert preview.problems == ()
    preview = game.preview({"event": "revised", "seq": 2, "by": win(1, 2, limit="limit hand")})
    assert [(row.seq, row.problem) for row in preview.problems] == [(3, "the game is over")]
    assert preview.standing.finished
    assert game.record() == before
    assert game.version == 3


def test_a_penalty_bars_until_the_deal_ends() -> None:
    game = Game(started("basic"))
    game.append({"event": "penalty", "kind": "false_mahjong_hidden", "player": 2})
    assert game.standing.barred == (2,)
    game.append({"event": "penalty", "kind": "kitty", "player": 1})
    assert game.standing.barred == (2,)
    game.append(win(0, score=20))
    assert game.standing.barred == ()


def test_names_are_those_of_their_time() -> None:
    game = Game(started())
    game.append({"event": "renamed", "player": 1, "name": "Bet"})
    game.append(win(1, 2))
    game.append({"event": "renamed", "player": 1, "name": "Eve", "substitute": True})
    assert [row.before.names[1] for row in game.rows] == ["Bea", "Bet", "Bet"]
    assert game.standing.names == ("Ann", "Eve", "Cid", "Dan")


def test_a_game_carries_its_own_rules() -> None:
    event = started_event(
        "riichi", NAMES, options={"honba_value": 600, "uma": [15, 5, -5, -15]}, when="2025-01-31T20:15:00Z"
    )
    event["ruleset"] = event["ruleset"].replace("base = 2000", "base = 2500")
    game = Game(event)
    assert game.rules.name == "riichi"
    assert game.append(win(1, 2)).payments == (0, 10000, -10000, 0)
    game.append({"event": "drawn", "kind": "abortive"})
    assert game.append(win(3, 2)).payments == (0, 0, -10600, 10600)
    assert game.ranking[0].result == Fraction(25000 + 10600, 1000) + 15


def test_a_file_of_ones_own_rules() -> None:
    text = 'extends = "basic"\ntitle = "House"\n[table]\ntarget = 2100\nrounds = 1\nextension = true\n'
    game = Game(started_event(tenbo.parse_rules(text), NAMES))
    assert game.rules.name == "House"
    for player in (1, 2, 3, 0):
        game.append(win(player, score=1))
    assert (game.standing.finished, game.standing.wind) == (False, "S")
    game.append(win(2, score=30))
    assert game.standing.finished


@pytest.mark.parametrize(
    ("event", "code", "at"),
    [
        ({"event": "drawn", "kind": "abortive"}, "bad_value", "event"),
        ({"event": "started", "players": NAMES}, "missing_field", "rules"),
        ({"event": "started", "rules": "riichi"}, "missing_field", "players"),
        (started(players=["a", "b", "c"]), "bad_value", "players"),
        (started(players=["a", "b", "c", "d\x00"]), "bad_value", "players"),
        (started(players=["a", "b", "c", "d" * 81]), "bad_value", "players"),
        (started(players=["a", "b", "c", "\ud800"]), "bad_value", "players"),
        (started("house.toml"), "unknown_rules", "rules"),
        (started("richi"), "unknown_rules", "rules"),
        (started(options={"honba": 1}), "unknown_option", "honba"),
        (started(ruleset="title ="), "bad_value", "rules"),
        (started(ruleset=7), "bad_value", "ruleset"),
        (started(start="25000"), "bad_value", "start"),
        (started(start=-1), "bad_value", "start"),
        (started(start=10_000_001), "bad_value", "start"),
        (started(points=[1, 2, 3]), "bad_value", "points"),
        (started(points=[1, 2, 3, 4.0]), "bad_value", "points"),
        (started(dealer=4), "bad_value", "dealer"),
        (started(dealer=True), "bad_value", "dealer"),
        (started(round="X"), "bad_value", "round"),
        (started(honba=-1), "bad_value", "honba"),
        (started("basic", sticks=1), "bad_value", "sticks"),
        (started(kitty=[{"player": 0, "points": 100}]), "bad_value", "kitty"),
        (started("basic", kitty=[{"player": 7, "points": 100}]), "bad_value", "player"),
        (started(when="yesterday"), "bad_value", "when"),
        (started(stake="1e9"), "bad_value", "stake"),
        (started(stake=0.5), "bad_value", "stake"),
        (started(rounds=2), "unknown_field", "rounds"),
    ],
)
def test_how_a_game_cannot_begin(event: dict[str, Any], code: str, at: str) -> None:
    with pytest.raises(tenbo.TenboError) as caught:
        Game(event)
    assert (code, at) in [(problem.code, problem.at) for problem in caught.value.problems]


def test_ranking_and_money() -> None:
    rules = tenbo.load_rules("riichi", {"uma": [30, 10, -10, -30], "oka": 20})
    places = ranking(rules, (25000, 40000, 10000, 25000))
    assert [(p.player, p.place, p.result) for p in places] == [(1, 1, 90), (0, 2, 35), (3, 3, 15), (2, 4, -20)]
    paid = money(places, 1000, Fraction(1, 2))
    assert sum(paid) == 0
    assert paid == (25, 300, -250, -75)


def test_stakes_convert_points() -> None:
    game = Game(started("basic", stake="0.25"))
    assert game.money == (0, 0, 0, 0)
    game.append(win(0, score=50))
    assert game.standing.points == (2300, 1900, 1900, 1900)
    assert game.money == (Fraction(3, 4), Fraction(-1, 4), Fraction(-1, 4), Fraction(-1, 4))
    assert Game(started()).money is None
    assert Game(started(stake=2)).started.per_hundred == 2


def test_rematch() -> None:
    game = Game(started_event("riichi", NAMES, options={"uma": [5, 0, 0, -5]}, start=30000, stake="0.10"))
    game.append({"event": "renamed", "player": 3, "name": "Eve"})
    again = rematch(game, when="2025-01-31")
    assert again["players"] == ["Ann", "Bea", "Cid", "Eve"]
    assert Game(again).standing.points == (30000, 30000, 30000, 30000)
    assert Game(again).rules == game.rules or Game(again).rules.text == game.rules.text
    assert Game(again).rules.table.uma == (5, 0, 0, -5)
    assert again["stake"] == "0.10"
    assert again["when"] == "2025-01-31"
    assert rematch(game, "turned")["players"] == ["Bea", "Cid", "Eve", "Ann"]
    drawn = rematch(game, "drawn", draw=Random(5))["players"]
    assert sorted(drawn) == ["Ann", "Bea", "Cid", "Eve"]
    assert drawn == rematch(game, "drawn", draw=Random(5))["players"]
    with pytest.raises(ValueError, match="Random"):
        rematch(game, "drawn")
    with pytest.raises(ValueError, match="kept"):
        rematch(game, "shuffled")  # type: ignore[arg-type]


def test_undo_steps_back_through_the_game() -> None:
    game = Game(started())
    records = [game.record()]
    for event in (win(1, 2), {"event": "note", "text": "x"}, win(0, 3)):
        game.append(event)
        records.append(game.record())
    while (event := game.undo()) is not None:
        game.append(event)
        records.pop()
        assert game.record() == records[-1]
    assert len(records) == 1


def test_undo_steps_back_through_edits_and_through_what_was_taken_out() -> None:
    game = Game(started())
    records = [game.record()]
    for event in (
        win(1, 2),
        {"event": "revised", "seq": 2, "by": win(1, 3)},
        win(0, 3),
        {"event": "revised", "seq": 2, "by": None},
        {"event": "revised", "seq": 2, "by": win(1, 2)},
        {"event": "drawn", "kind": "exhaustive"},
    ):
        game.append(event)
        game.take({"event": "revised", "seq": 99, "by": None})  # without effect: nothing to be taken back
        records.append(game.record()["points"])
    while (event := game.undo()) is not None:
        game.append(event)
        records.pop()
        if len(records) > 1:
            assert game.record()["points"] == records[-1]
    assert len(records) == 1
    assert game.standing.points == (25000,) * 4


def test_a_revision_is_taken_back_by_what_it_replaced() -> None:
    game = Game(started())
    game.append(win(1, 2))
    first = game.record()
    game.append({"event": "revised", "seq": 2, "by": win(1, 3)})
    second = game.record()
    game.append({"event": "revised", "seq": 2, "by": None})
    game.append(game.inverse(4))
    assert game.record() == second
    game.append(game.inverse(3))
    assert game.record() == first
    assert game.inverse(2) == {"event": "revised", "seq": 2, "by": None}
    game.take({"event": "revised", "seq": 99, "by": None})
    assert game.inverse(game.version) is None
    for seq in (0, 1, 99):
        with pytest.raises(IndexError):
            game.inverse(seq)
    assert game.in_force(2) == win(1, 2)
    assert game.in_force(3) is None
    with pytest.raises(IndexError):
        game.in_force(0)


def test_a_copy_goes_its_own_way() -> None:
    game = Game(started())
    game.append(win(1, 2))
    other = game.copy()
    other.append({"event": "revised", "seq": 2, "by": win(2, 1)})
    assert game.standing.points == (25000, 33000, 17000, 25000)
    assert other.standing.points == (25000, 17000, 33000, 25000)
    assert (game.version, other.version) == (2, 3)


# ---------------------------------------------------------------------------------------------------------- the file


@pytest.mark.parametrize(
    ("lines", "code", "at"),
    [
        ([], "missing_field", "event"),
        (["", "{"], "bad_json", 2),
        (["[]"], "bad_json", 1),
        (["{}"], "missing_field", 1),
        (['{"event": "won"}'], "bad_value", 1),
        (['{"event": ["won"]}'], "bad_value", 1),
        ([json.dumps(started()), json.dumps(started())], "bad_value", 2),
        ([json.dumps(started()), '{"event": "wonn"}'], "bad_value", 2),
        ([json.dumps(started(honba="x"))], "bad_value", 1),
        (["NaN"], "bad_json", 1),
        ([b"\xff"], "bad_json", 1),
    ],
)
def test_files_that_are_no_game(lines: list[str | bytes], code: str, at: object) -> None:
    got = replay_record(lines)
    assert got["error"] == code
    assert got["errors"][0]["at"] == at


def test_files_as_bytes_with_blank_lines() -> None:
    lines = [json.dumps(started()).encode(), b"\n", b'{"event": "note", "text": "\xe7\x99\xbc"}\r\n']
    game = read_game(lines)
    assert game.version == 2
    assert list(write_events(game.lines))[1] == '{"event": "note", "text": "發"}'


def test_a_game_has_an_end() -> None:
    events = [started(), *({"event": "note", "text": "x"} for _ in range(MOST_EVENTS))]
    with pytest.raises(tenbo.ReadError, match="at most"):
        replay(events)
    game = replay(events[:-1])
    with pytest.raises(tenbo.ReadError, match="at most"):
        game.append(events[-1])
    assert replay_record(map(json.dumps, events))["error"] == "bad_value"


def test_long_games_replay_fast_however_much_they_were_revised() -> None:
    draw = {"event": "drawn", "kind": "exhaustive"}
    events = [started("basic"), *[draw] * 1500, *({"event": "revised", "seq": 2, "by": draw} for _ in range(1500))]
    began = time.process_time()
    game = replay(events)
    taken = time.process_time() - began
    assert game.standing.deal == 1501
    assert taken < 5, f"{taken:.1f} s"


# ---------------------------------------------------------------------------------------------------------- properties

players = st.integers(0, 3)
some_players = st.lists(players, unique=True, max_size=4)
WORTH = {
    "riichi": st.sampled_from(
        [{"han": 1, "fu": 30}, {"han": 3, "fu": 60}, {"limit": "mangan"}, {"limit": "limit hand"}]
    ),
    "basic": st.builds(lambda n: {"score": n}, st.integers(0, 400)),
    "simplified": st.builds(lambda n: {"score": 10 * n}, st.integers(0, 100)),
}
PENALTIES = {
    "riichi": ["chombo"],
    "basic": ["false_mahjong", "false_mahjong_hidden", "kitty"],
    "simplified": [],
}
OPTIONS: dict[str, dict[str, list[Any]]] = {
    "riichi": {
        "bust_ends": [True],
        "extension": [True],
        "leader_stops": [True],
        "rounds": [1, 2],
        "bet_value": [0, 700],
    },
    "basic": {"rounds": [1], "east_double": [False], "loser_settlement": [False]},
    "simplified": {"rounds": [1], "east_double": [True]},
}
ANY_TIES = {"ties": ["split"], "uma": [[30, 10, -10, -30]], "oka": [20]}


@st.composite
def winning(draw: st.DrawFn, rules: str) -> dict[str, Any]:
    turn = draw(st.lists(players, unique=True, min_size=2, max_size=4))
    from_ = turn[0]
    if draw(st.booleans()):
        winners = [{"player": from_, "by": "self_draw", **draw(WORTH[rules])}]
    else:
        order = sorted(turn[1:], key=lambda player: (player - from_) % 4)
        winners = [{"player": player, "by": "discard", "from": from_, **draw(WORTH[rules])} for player in order]
    event: dict[str, Any] = {"event": "won", "winners": winners}
    if rules == "riichi":
        event["bets"] = draw(some_players)
    names = {winner["player"] for winner in winners}
    if rules == "basic":
        losers = [player for player in range(4) if player not in names]
        event["losers"] = [
            {"player": player, "score": draw(st.integers(0, 99))} for player in losers if draw(st.booleans())
        ]
        event["dead"] = [player for player in losers if draw(st.booleans())]
    return event


@st.composite
def playing(draw: st.DrawFn, rules: str) -> dict[str, Any]:
    """An event that is no revision; now and then one that makes no sense."""
    kind = draw(
        st.sampled_from(
            ["won"] * 4 + ["drawn", "drawn", "penalty", "free", "adjusted", "note", "renamed", "odd", "finished"]
        )
    )
    if kind == "won":
        return draw(winning(rules))
    if kind == "drawn":
        event = {
            "event": "drawn",
            "kind": draw(st.sampled_from(["exhaustive", "abortive"])),
            "ready": draw(some_players),
        }
        return event | ({"bets": draw(some_players)} if rules == "riichi" else {})
    if kind == "penalty" and PENALTIES[rules]:
        return {"event": "penalty", "kind": draw(st.sampled_from(PENALTIES[rules])), "player": draw(players)}
    if kind == "adjusted":
        change = draw(st.integers(-999, 999))
        return {"event": "adjusted", "points": [change, -change, 0, draw(st.sampled_from([0, 0, 1]))]}
    if kind == "note":
        return {"event": "note", "text": draw(st.text(max_size=9))}
    if kind == "renamed":
        return {"event": "renamed", "player": draw(players), "name": draw(st.text(max_size=9))}
    if kind == "finished":
        return {"event": "finished"}
    if kind == "free":
        return {
            "event": "penalty",
            "kind": "free",
            "player": 0,
            "points": draw(st.integers(1, 500)),
            "to": [draw(players)],
        }
    return {"event": "won", "winners": [{"player": draw(players), "by": draw(st.sampled_from(["self_draw", "x"]))}]}


@st.composite
def games(draw: st.DrawFn, revisions: bool = True) -> list[dict[str, Any]]:
    rules = draw(st.sampled_from(["riichi", "basic", "simplified"]))
    choices = {**OPTIONS[rules], **ANY_TIES}
    options = {key: draw(st.sampled_from(values)) for key, values in choices.items() if draw(st.booleans())}
    events = [started(rules, options=options)]
    for _ in range(draw(st.integers(0, 14))):
        if revisions and len(events) > 1 and draw(st.integers(0, 4)) == 0:
            by = draw(st.none() | playing(rules))
            events.append({"event": "revised", "seq": draw(st.integers(1, len(events) + 1)), "by": by})
        else:
            events.append(draw(playing(rules)))
    return events


def bet_value(game: Game) -> int:
    bet = game.rules.payment.bet
    return int(bet.constant or 0) if bet else 0


@given(games())
def test_points_and_table_stay_what_they_were(events: list[dict[str, Any]]) -> None:
    game = Game(events[0])
    bet = bet_value(game)
    total = game.standing.total(bet)
    for event in events[1:]:
        game.take(event)
        assert game.standing.total(bet) == total
    for row in game.rows:
        assert row.after.total(bet) == row.before.total(bet) == total
        assert [b + p for b, p in zip(row.before.points, row.payments, strict=True)] == list(row.after.points)
    if game.standing.finished:
        assert (game.standing.sticks, game.standing.kitty) == (0, ())
    results = sum(place.result for place in game.ranking)
    table = game.rules.table
    points = sum(game.standing.points)
    assert results * table.result_unit == points + 1000 * (sum(table.uma) + table.oka)


@given(games())
def test_one_by_one_is_the_same_as_all_at_once(events: list[dict[str, Any]]) -> None:
    game = Game(events[0])
    for event in events[1:]:
        game.take(event)
    again = replay(events)
    assert again.record() == game.record()
    assert again.rows == game.rows
    assert again.standing == game.standing


@given(games())
def test_undo_after_any_event_restores_the_standing(events: list[dict[str, Any]]) -> None:
    game = Game(events[0])
    for event in events[1:]:
        before, standing = game.record(), game.standing
        game.take(event)
        inverse = game.inverse(game.version)
        if inverse is not None:
            tried = game.copy()
            tried.take(inverse)
            assert tried.standing == standing
            assert tried.record() == before


@given(games())
def test_export_and_import_are_inverses(events: list[dict[str, Any]]) -> None:
    game = replay(events)
    lines = list(write_events(game.lines))
    assert read_events(lines) == events
    again = read_game([line.encode() for line in lines])
    assert again.record() == game.record()
    assert list(write_events(again.lines)) == lines


@given(games(revisions=False), st.data())
def test_revising_equals_having_entered_it_right(events: list[dict[str, Any]], data: st.DataObject) -> None:
    if len(events) < 2:
        return
    seq = data.draw(st.integers(2, len(events)))
    by = data.draw(st.none() | playing(events[0]["rules"]))
    revised = replay([*events, {"event": "revised", "seq": seq, "by": by}])
    right = replay([*events[: seq - 1], by or {"event": "note", "text": ""}, *events[seq:]])
    assert revised.record() == right.record()
    assert revised.standing == right.standing


@given(games(), st.data())
def test_preview_says_what_append_does(events: list[dict[str, Any]], data: st.DataObject) -> None:
    *most, last = events
    if not most:
        return
    game = replay(most)
    try:
        preview = game.preview(last)
    except tenbo.TenboError:
        with pytest.raises(tenbo.TenboError):
            game.append(last)
        assert game.version == len(most)
        return
    row = game.append(last)
    assert (preview.row, preview.standing, preview.ranking) == (row, game.standing, game.ranking)
    assert row is None or not row.problems


anything = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 30) | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=8,
)


@given(games(), st.data())
def test_malformed_events_are_without_effect_or_refused(events: list[dict[str, Any]], data: st.DataObject) -> None:
    events = json.loads(json.dumps(events))  # lists that all examples share stay as they are
    target: Any = data.draw(st.sampled_from(events))
    for _ in range(data.draw(st.integers(0, 3))):
        inner = [
            v for v in (target.values() if isinstance(target, dict) else target) if isinstance(v, dict | list) and v
        ]
        if not inner:
            break
        target = data.draw(st.sampled_from(inner))
    key = data.draw(st.sampled_from(sorted(target) if isinstance(target, dict) else range(len(target))))
    target[key] = data.draw(anything)
    try:
        game = replay(events)
    except tenbo.TenboError:
        return
    bet = bet_value(game)
    assert game.standing.total(bet) == game.started.first.total(bet)
