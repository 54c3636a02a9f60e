"""The readers: the same deals in every client's format say the same."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import log_scenarios
from log_scenarios import IDLE, PINFU, SCENARIOS, Start, chained
from log_writer import Deal as Written
from log_writer import mjai, mjlog, tenhou_json
from tenbo import tiles
from tenbo.logs import Deal, Draw, Game, LogError, read_file, read_games
from tenbo.logs.order import acts_in_order

FORMATS: dict[str, Callable[[list[Written]], str]] = {
    "mjlog": mjlog,
    "tenhou-json": tenhou_json,
    "mjai": mjai,
    "mjai, detailed": lambda deals: mjai(deals, detailed=True),
}


def read(text: str) -> Game:
    """The one game of a text."""
    (game,) = read_games(text.encode())
    if isinstance(game, LogError):
        raise game
    return game


def in_common(deal: Deal) -> Deal:
    """What every format tells: not the reasons of abortive draws, nor the client's own figures."""
    draw = deal.draw
    if draw is not None:
        known = None if draw.kind == "nagashi_mangan" else draw.ready
        draw = replace(draw, reason=None, ready=known)
    wins = tuple(replace(win, client=replace(win.client, han=None, fu=None, score=None, yaku=())) for win in deal.wins)
    wins = tuple(replace(win, client=replace(win.client, limit_hands=0)) for win in wins)
    return replace(deal, draw=draw, wins=wins)


# For each scenario, what is special about it: the flags of its wins, the bets, how it was drawn.
SPECIAL: dict[str, tuple[list[list[str]], tuple[int, ...], Draw | None]] = {
    "riichi_ippatsu": ([["riichi", "ippatsu"]], (1,), None),
    "after_kong": ([["after_kong"]], (), None),
    "two_winners": ([[], []], (0,), None),
    "robbed_kong": ([["riichi", "ippatsu", "robbing_kong"]], (2,), None),
    "last_tile_drawn": ([["last_tile"]], (), None),
    "last_discard": ([["last_tile"]], (), None),
    "double_riichi": ([["double_riichi"]], (1,), None),
    "dealt_hand": ([["first_turn"]], (), None),
    "first_draw": ([["first_turn"]], (), None),
    "liable_self_draw": ([[]], (), None),
    "liable_discard": ([[]], (), None),
    "liable_for_one": ([[]], (), None),
    "two_ready": ([], (0,), Draw("exhaustive", (0, 2))),
    "all_ready": ([], (), Draw("exhaustive", (0, 1, 2, 3))),
    "none_ready": ([], (), Draw("exhaustive", ())),
    "nine_terminals": ([], (), Draw("abortive", None, "nine_terminals")),
    "four_winds": ([], (), Draw("abortive", None, "four_winds")),
    "four_riichi": ([], (0, 1, 2, 3), Draw("abortive", None, "four_riichi")),
    "four_kongs": ([], (), Draw("abortive", None, "four_kongs")),
    "triple_win": ([], (), Draw("abortive", None, "triple_win")),
    "nagashi_mangan": ([], (), Draw("nagashi_mangan", ())),
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_deal_is_read_as_it_was_played(name: str) -> None:
    (deal,) = read(mjlog([SCENARIOS[name](Start())])).deals
    flags, bets, draw = SPECIAL[name]
    assert [win.record["flags"] for win in deal.wins if win.record] == flags
    assert (deal.bets, deal.draw) == (bets, draw)


def test_every_scenario_is_described() -> None:
    assert SPECIAL.keys() == SCENARIOS.keys()


def test_a_game_is_the_same_in_every_format() -> None:
    written = chained(list(SCENARIOS.values()))
    games = {name: read(write(written)) for name, write in FORMATS.items()}
    expected = [in_common(deal) for deal in games["mjlog"].deals]
    assert len(expected) == len(SCENARIOS)
    for name, game in games.items():
        assert [in_common(deal) for deal in game.deals] == expected, name
        assert game.players == ("A", "B", "C", "D")
        assert not game.unfinished
    clients = {
        name: [win.client for deal in game.deals for win in deal.wins] for name, game in games.items() if name != "mjai"
    }
    assert clients["mjlog"] == clients["mjai, detailed"]
    told = [client for client in clients["tenhou-json"] if client.fu is not None]  # not where a limit's name stands
    assert 6 < len(told) < len(clients["mjlog"])
    assert all(client in clients["mjlog"] for client in told)


@pytest.mark.parametrize("name", ["mjlog", "tenhou-json", "mjai"])
def test_points_carry_from_deal_to_deal(name: str) -> None:
    deals = read(FORMATS[name](chained(list(SCENARIOS.values())))).deals
    for deal, following in pairwise(deals):
        assert deal.payments is not None
        assert following.points == tuple(a + b for a, b in zip(deal.points, deal.payments, strict=True))


def test_the_record_of_a_win_says_everything() -> None:
    deal = SCENARIOS["riichi_ippatsu"](Start(5, 2, 1))
    (win,) = read(mjlog([deal])).deals[0].wins
    assert win.record == {
        "rules": "riichi",
        "hand": "234567m67899p34s +5s",
        "by": "discard",
        "from": "W",
        "seat": "S",
        "round": "S",
        "flags": ["riichi", "ippatsu"],
        "dora": "2z",
        "ura": "8p",
        "honba": 2,
        "sticks": 2,
    }
    assert (win.player, win.source, win.client.han, win.client.fu, win.client.score) == (2, 3, 5, 30, 8000)
    assert win.client.payments == (0, 0, 10600, -8600)


def test_of_two_winners_the_first_takes_counters_and_bets() -> None:
    deal = SCENARIOS["two_winners"](Start(honba=2, sticks=1))
    deal.wins.reverse()  # whatever the client's order
    north, south = read(tenhou_json([deal])).deals[0].wins
    assert north.record is not None
    assert south.record is not None
    assert (north.record["seat"], north.record["honba"], north.record["sticks"]) == ("N", 2, 2)
    assert (south.record["seat"], south.record["honba"], south.record["sticks"]) == ("S", 0, 0)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("scenario", ["liable_self_draw", "liable_discard", "liable_for_one"])
def test_who_is_liable(name: str, scenario: str) -> None:
    (win,) = read(FORMATS[name]([SCENARIOS[scenario](Start(1))])).deals[0].wins
    assert win.liable == ((3, 1),)


def test_the_sets_on_the_table() -> None:
    games = {name: read(write([_sets()])) for name, write in FORMATS.items()}
    hands = {win.record["hand"] for game in games.values() for win in game.deals[0].wins if win.record}
    assert hands == {"3p [055+5m] [2222s] (9999p) [678p] +3p"}


def _sets() -> Written:
    """South has one set of every kind: chow, pung, and three sorts of kong, two with a red five at stake."""
    start = Start()
    east, south, _, north = range(4)
    hands = ["147m258p369s1234z", "05m222s68p9993p78s", "147s369s112233z4p", "2369m158s145567z"]
    deal = start.deal(hands, keep="55m2s79p3p")
    deal.go(east, "5m", "5m").call(south, "pung", "05m", "5m", east).discard(south, "7s")
    deal.pass_to(east).go(east, "2s", "2s").call(south, "kong", "222s", "2s", east).draw(south, "9p")
    deal.concealed_kong(south, "9999p").more_dora("4z").draw(south, "1s").discard(south, "1s")
    deal.pass_to(east).go(east, "7p", "7p").call(south, "chow", "68p", "7p", east).discard(south, "8s")
    deal.pass_to(south).draw(south, "5m").added_kong(south, "5m").draw(south, "1m").discard(south, "1m")
    deal.pass_to(north).go(north, "3p", "3p")
    return deal.win(start.win(deal, 1, 3, [0, 0, 0, 8000], [(27, 2)], 70, "満貫8000点"))


def test_without_red_fives_a_five_is_plain() -> None:
    deal = SCENARIOS["after_kong"](Start())
    (win,) = read(mjlog([deal], kind=169 | 2)).deals[0].wins
    assert win.record is not None
    assert win.record["hand"].startswith("345p")


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (mjlog([], kind=169), {}),
        (mjlog([], kind=169 | 4), {"open_all_simples": False}),
        (tenhou_json([], "鳳南喰赤"), {}),
        (tenhou_json([], "鳳東赤速"), {"open_all_simples": False}),
        (tenhou_json([], "Gold Room South"), {}),
        (mjai([]), {}),
    ],
)
def test_options_of_the_rules(text: str, options: dict[str, Any]) -> None:
    assert read(text).options == options


@pytest.mark.parametrize(
    "text",
    [
        mjlog(chained([SCENARIOS["first_draw"]]), kind=185),
        tenhou_json(chained([SCENARIOS["first_draw"]]), "三鳳南喰赤"),
        json.dumps({"type": "start_game", "names": ["A", "B", "C"]}),
        mjai([]) + json.dumps({"type": "nukidora", "actor": 0, "pai": "N"}),
    ],
)
def test_three_player_games_are_recognised(text: str) -> None:
    game = [game for game in read_games(text.encode()) if not isinstance(game, LogError)][-1]
    assert game.three_player
    assert game.deals == ()


def test_players_are_numbered_from_the_first_east() -> None:
    text = mjai([SCENARIOS["riichi_ippatsu"](Start())]).replace('"kyoku": 1', '"kyoku": 2')
    game = read(text)  # the log's player 0 is East in the second deal, so the log's player 3 was the first East
    assert game.players == ("D", "A", "B", "C")
    assert game.deals[0].dealer == 1
    assert (game.deals[0].wins[0].player, game.deals[0].bets) == (2, (2,))


def test_a_deal_that_breaks_off_is_left_out() -> None:
    deals = chained([SCENARIOS["last_discard"], SCENARIOS["first_draw"]])
    deals[1].wins = []
    for write in (mjlog, mjai):
        game = read(write(deals))
        assert len(game.deals) == 1
        assert game.unfinished


def test_hidden_tiles_leave_a_win_without_record() -> None:
    lines = mjai([SCENARIOS["first_draw"](Start())]).splitlines()
    start = json.loads(lines[1])
    start["tehais"] = [["?"] * 13 for _ in range(4)]
    (win,) = read("\n".join([lines[0], json.dumps(start), *lines[2:]])).deals[0].wins
    assert win.record is None
    assert win.client.payments is not None


def test_old_mjai_has_points_instead_of_changes() -> None:
    deals = chained([SCENARIOS["riichi_ippatsu"], SCENARIOS["first_draw"]])
    events = [json.loads(line) for line in mjai(deals).splitlines()]
    for event in events:
        if event["type"] == "start_kyoku":
            del event["scores"]
        elif event["type"] == "hora":
            after = deals[0].after() if event["actor"] == 1 else deals[1].after()
            del event["deltas"]
            event["scores"] = after
    game = read("\n".join(map(json.dumps, events)))
    assert [deal.payments for deal in game.deals] == [deal.payments for deal in read(mjai(deals)).deals]


def test_what_is_wrong_with_a_log_itself_is_said() -> None:
    deal = SCENARIOS["first_draw"](Start())
    deal.wins[0].payments = [-16000, -8000, 32000, -8000]
    (win,) = read(tenhou_json([deal])).deals[0].wins
    assert win.contradiction == "the log names South as the winner but pays West"
    deal = SCENARIOS["riichi_ippatsu"](Start())
    deal.wins[0].payments = [0, 8000, -8000, 0]
    (win,) = read(tenhou_json([deal])).deals[0].wins
    assert win.contradiction == "bets of 1000 points lie on the table but the log's payments hand out 0"


def test_the_sample_files_are_what_the_scenarios_make() -> None:
    made = log_scenarios.files()
    there = {path.name: path.read_bytes() for path in log_scenarios.FOLDER.iterdir()}
    assert there.keys() == made.keys()
    for name, data in made.items():
        if not name.endswith(".gz"):  # another zlib may pack them otherwise
            assert there[name] == data, f"{name} differs: run python tests/log_scenarios.py"


def test_kinds_of_files_are_told_by_content(tmp_path: Path) -> None:
    for path in log_scenarios.FOLDER.iterdir():
        renamed = tmp_path / path.name.replace(".", "-")
        renamed.write_bytes(path.read_bytes())
        assert [repr(game) for game in read_file(renamed)] == [repr(game) for game in read_file(path)]
        assert not any(isinstance(game, LogError) for game in read_file(path)), path.name


def test_several_games_in_one_file() -> None:
    assert [len(game.deals) for game in read_file(log_scenarios.FOLDER / "several.jsonl.gz")] == [3, 2]
    deal = SCENARIOS["first_draw"](Start())
    lines = "\n".join([tenhou_json([deal]), "", tenhou_json([deal, deal]), mjai([deal])])
    games = list(read_games(lines.encode()))
    assert [(game.format, len(game.deals)) for game in games] == [("tenhou-json", 1), ("tenhou-json", 2), ("mjai", 1)]


def test_the_order_of_play_is_found_where_a_call_fits_two_discards() -> None:
    # West could call either of the two 1z that East throws away; only the second fits, since West draws in between.
    taken: list[list[object]] = [[11, 12], [21], [31, "41p4141"], [32, 33]]
    given: list[list[object]] = [[41, 41], [60], [60, 31], [60, 60]]
    acts = acts_in_order(0, taken, given)
    assert [(act.what, act.player) for act in acts if act.what != "discard"] == [
        ("draw", 0),
        ("draw", 1),
        ("draw", 2),
        ("draw", 3),
        ("draw", 0),
        ("pung", 2),
        ("draw", 3),
    ]


@given(st.integers(0, 2**32))
def test_random_deals_are_the_same_in_every_format(seed: int) -> None:
    written = [_random_deal(random.Random(seed))]
    deals = {name: in_common(read(write(written)).deals[0]) for name, write in FORMATS.items()}
    assert deals["mjlog"] == deals["mjai"] == deals["mjai, detailed"]
    # Tenhou's JSON may leave it open which of two equal discards was called, but not how the deal ends.
    assert deals["tenhou-json"].bets == deals["mjlog"].bets
    assert deals["tenhou-json"].payments == deals["mjlog"].payments
    assert {win.player for win in deals["tenhou-json"].wins} == {win.player for win in deals["mjlog"].wins}


def _random_deal(chance: random.Random) -> Written:
    """A deal with random draws, discards, calls and kongs, and a made-up end."""
    wall = [tile for tile in range(34) for _ in range(4)]
    for kind, red in ((4, 42), (13, 43), (22, 44)):
        wall[wall.index(kind)] = red
    chance.shuffle(wall)
    hands = [sorted(wall.pop() for _ in range(13)) for _ in range(4)]
    deal = Written(chance.randrange(12), [tiles.write(hand) for hand in hands], dora=tiles.write([wall.pop()]))
    pungs: list[set[int]] = [set(), set(), set(), set()]
    kongs = 0
    player = deal.turn
    while True:
        hand = hands[player]
        hand.append(wall.pop())
        deal.draw(player, hand[-1])
        by_kind: dict[int, list[int]] = {}
        for tile in hand:
            by_kind.setdefault(tiles.KINDS[tile], []).append(tile)
        four = [made for made in by_kind.values() if len(made) == 4]
        fourth = [made[0] for kind, made in by_kind.items() if kind in pungs[player]]
        if deal.draws < 60 and kongs < 4 and (four or fourth) and chance.random() < 0.5:
            kongs += 1
            made = four[0] if four else [fourth[0]]
            for tile in made:
                hand.remove(tile)
            if four:
                deal.concealed_kong(player, tiles.write(made))
            else:
                deal.added_kong(player, tiles.write(made))
                pungs[player].discard(tiles.KINDS[made[0]])
            deal.more_dora(tiles.write([wall.pop()]))
            continue
        last = _throw(deal, hands, pungs, player, chance, riichi=chance.random() < 0.02)
        player = last
        if deal.draws == 70 or (deal.draws > 60 and chance.random() < 0.2):
            break
        player = (player + 1) % 4
    if chance.random() < 0.5 and deal.acts[-1][0] == "discard":
        winner = (player + 1) % 4
        won = Start().win(
            deal, winner, player, [8000 * (seat == player) for seat in range(4)], [(1, 5)], 30, "満貫8000点"
        )
        return deal.win(replace(won, payments=[-8000 if p == player else 0 for p in range(4)]))
    if deal.draws == 70:
        return deal.end("exhaustive", [0], [3000, -1000, -1000, -1000])
    return deal.end("abortive", None, [0] * 4, "four_kongs")


def _throw(
    deal: Written, hands: list[list[int]], pungs: list[set[int]], player: int, chance: random.Random, *, riichi: bool
) -> int:
    """Throw a tile away; others may call it and throw away in turn. Who threw the last one."""
    tile = hands[player].pop(chance.randrange(len(hands[player])))
    riichi = riichi and player not in deal.bets()
    deal.discard(player, tile, riichi=riichi)
    for step in (1, 2, 3):
        other = (player + step) % 4
        same = [held for held in hands[other] if tiles.KINDS[held] == tiles.KINDS[tile]]
        if len(same) >= 2 and chance.random() < 0.5:
            own, kind = same[:2], "pung"
            pungs[other].add(tiles.KINDS[tile])
        elif step == 1 and tile < 27 and tile % 9 < 7 and {tile + 1, tile + 2} <= set(hands[other]):
            own, kind = [tile + 1, tile + 2], "chow"
        else:
            continue
        for held in own:
            hands[other].remove(held)
        deal.call(other, kind, tiles.write(own), tiles.write([tile]), player)
        return _throw(deal, hands, pungs, other, chance, riichi=False)
    return player


def test_idle_hands_are_hands() -> None:
    assert all(len(text.translate(str.maketrans("", "", "mpsz"))) == 13 for text in (*IDLE, PINFU))
