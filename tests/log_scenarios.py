"""Deals made by hand, one for each way in which a deal can end, with what a client pays for them.

`python tests/log_scenarios.py` writes them into `tests/data/logs`.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Sequence
from pathlib import Path

from log_writer import Deal, Won, mjai, mjlog, tenhou_json

FOLDER = Path(__file__).parent / "data" / "logs"

# Hands that nothing happens to.
IDLE = ("147m258p369s1234z", "258m369p147s5677z", "369m147p258s1256z")
# Ready for 2s and 5s, worth pinfu.
PINFU = "234567m67899p34s"


class Start:
    """How a deal starts; seats are those of the deal, 0 for East."""

    def __init__(self, number: int = 0, honba: int = 0, sticks: int = 0, points: Sequence[int] = (25000,) * 4) -> None:
        self.number, self.honba, self.sticks, self.points = number, honba, sticks, list(points)

    def player(self, seat: int) -> int:
        return (self.number + seat) % 4

    def deal(self, hands: Sequence[str], keep: str = "", dora: str = "2z") -> Deal:
        seated = ["", "", "", ""]
        for seat, hand in enumerate(hands):
            seated[self.player(seat)] = hand
        return Deal(self.number, seated, self.honba, self.sticks, self.points, dora, keep)

    def changes(self, by_seat: Sequence[int]) -> list[int]:
        turned = [0] * 4
        for seat, change in enumerate(by_seat):
            turned[self.player(seat)] = change
        return turned

    def win(
        self,
        deal: Deal,
        seat: int,
        source: int | None,
        shares: Sequence[int],
        yaku: list[tuple[int, int]],
        fu: int,
        text: str,
        ura: str = "",
        liable: int | None = None,
        first: bool = True,
    ) -> Won:
        """A win; `shares` is what each seat pays without counters and bets."""
        changes = [-share for share in shares]
        changes[seat] = score = sum(shares)
        if first:
            changes[seat] += 300 * self.honba + 1000 * (self.sticks + len(deal.bets()))
            payers = [liable if liable is not None else source] * 3
            if payers[0] is None:
                payers = [other for other in range(4) if other != seat]
            for payer in payers:
                changes[int(payer or 0)] -= 100 * self.honba
        return Won(
            self.player(seat),
            None if source is None else self.player(source),
            fu,
            score,
            text,
            yaku,
            self.changes(changes),
            ura,
            None if liable is None else self.player(liable),
        )


Scenario = Callable[[Start], Deal]


def riichi_ippatsu(start: Start) -> Deal:
    """South declares riichi and wins at once on West's discard, with two under-dora."""
    south, west = start.player(1), start.player(2)
    deal = start.deal([IDLE[0], PINFU, IDLE[1], IDLE[2]], keep="1z5s8p")
    deal.fill(4).pass_to(south).go(south, "1z", "1z", riichi=True).go(west, "5s", "5s")
    yaku = [(1, 1), (2, 1), (7, 1), (53, 2)]
    return deal.win(start.win(deal, 1, 2, [0, 0, 8000, 0], yaku, 30, "満貫8000点", ura="8p"))


def after_kong(start: Start) -> Deal:
    """East draws the fourth of a kind, lays a concealed kong and wins on the replacement, with a red five."""
    east = start.player(0)
    deal = start.deal(["111m340p67899s23s", IDLE[1], "258m147p258s1256z", IDLE[2]], keep="1m1s3z")
    deal.draw(east, "1m").concealed_kong(east, "1111m").more_dora("3z").draw(east, "1s")
    return deal.win(start.win(deal, 0, None, [0, 3900, 3900, 3900], [(0, 1), (4, 1), (54, 1)], 60, "60符3飜3900点∀"))


def two_winners(start: Start) -> Deal:
    """West declares riichi with a tile on which North and South win; East's bet goes to North, West lays none."""
    east, south, west, _ = map(start.player, range(4))
    hands = ["111222p789m11s46s", "22345m567p35s55z9m", IDLE[0], "234567m67888p23s"]
    deal = start.deal(hands, keep="5z9p4s9s")
    deal.go(east, "5z", "5z").call(south, "pung", "55z", "5z", east).discard(south, "9m").pass_to(east)
    deal.go(east, "9p", "9p", riichi=True).pass_to(west).go(west, "9s", "9s", riichi=False).pass_to(west)
    deal.go(west, "4s", "4s", riichi=True, accept=False)
    return deal.win(
        start.win(deal, 3, 2, [0, 0, 2000, 0], [(7, 1), (8, 1)], 30, "30符2飜2000点"),
        start.win(deal, 1, 2, [0, 0, 1000, 0], [(18, 1)], 30, "30符1飜1000点", first=False),
    )


def robbed_kong(start: Start) -> Deal:
    """West, in riichi, robs the kong that South makes of a pung; ippatsu still counts."""
    east, south, west, _ = map(start.player, range(4))
    deal = start.deal([IDLE[0], "147m369p88s12345z", "12399m456789p67s", IDLE[1]], keep="88s7z")
    deal.go(east, "8s", "8s").call(south, "pung", "88s", "8s", east).discard(south, "1m")
    deal.go(west, "7z", "7z", riichi=True).pass_to(south).draw(south, "8s").added_kong(south, "8s")
    yaku = [(1, 1), (2, 1), (3, 1), (7, 1), (53, 0)]
    return deal.win(start.win(deal, 2, 1, [0, 7700, 0, 0], yaku, 30, "30符4飜7700点", ura="1z"))


def last_tile_drawn(start: Start) -> Deal:
    """South draws the last tile of the wall and wins."""
    south = start.player(1)
    deal = start.deal([IDLE[0], PINFU, IDLE[1], IDLE[2]], keep="5s").fill(69).draw(south, "5s")
    yaku = [(0, 1), (5, 1), (7, 1)]
    return deal.win(start.win(deal, 1, None, [1300, 0, 700, 700], yaku, 20, "20符3飜700-1300点"))


def last_discard(start: Start) -> Deal:
    """North wins on the very last discard."""
    south = start.player(1)
    deal = start.deal([IDLE[0], IDLE[1], IDLE[2], PINFU], keep="5s").fill(69).go(south, "5s", "5s")
    return deal.win(start.win(deal, 3, 1, [0, 2000, 0, 0], [(6, 1), (7, 1)], 30, "30符2飜2000点"))


def double_riichi(start: Start) -> Deal:
    """South declares riichi with the first discard and draws the winning tile much later."""
    south = start.player(1)
    deal = start.deal([IDLE[0], PINFU, IDLE[1], IDLE[2]], keep="1z5s7z")
    deal.pass_to(south).go(south, "1z", "1z", riichi=True).fill(10).pass_to(south).draw(south, "5s")
    yaku = [(21, 2), (0, 1), (7, 1), (53, 0)]
    return deal.win(start.win(deal, 1, None, [2600, 0, 1300, 1300], yaku, 20, "20符4飜1300-2600点", ura="7z"))


def dealt_hand(start: Start) -> Deal:
    """East is dealt a complete hand."""
    east = start.player(0)
    deal = start.deal(["123456789m11p23s", IDLE[1], IDLE[2], "258m258p258s2334z"], keep="1s").draw(east, "1s")
    return deal.win(start.win(deal, 0, None, [0, 16000, 16000, 16000], [(37, 0)], 20, "役満16000点∀"))


def first_draw(start: Start) -> Deal:
    """South completes a hand with the first draw."""
    south = start.player(1)
    deal = start.deal([IDLE[0], PINFU, IDLE[1], IDLE[2]], keep="5s").pass_to(south).draw(south, "5s")
    return deal.win(start.win(deal, 1, None, [16000, 0, 8000, 8000], [(38, 0)], 20, "役満8000-16000点"))


def _big_dragons(start: Start) -> Deal:
    """West gives South the third dragon set."""
    east, south, west, north = map(start.player, range(4))
    hands = [IDLE[0], "2399m14p8s556677z", "258m369p147s1122z", "369m147p258s1334z"]
    deal = start.deal(hands, keep="567z4m", dora="1p")
    deal.go(east, "5z", "5z").call(south, "pung", "55z", "5z", east).discard(south, "1p")
    deal.pass_to(north).go(north, "6z", "6z").call(south, "pung", "66z", "6z", north).discard(south, "4p")
    return deal.go(west, "7z", "7z").call(south, "pung", "77z", "7z", west).discard(south, "8s")


def liable_self_draw(start: Start) -> Deal:
    """Big dragons, self-drawn: the liable player pays alone, counters too."""
    south = start.player(1)
    deal = _big_dragons(start).pass_to(south).draw(south, "4m")
    return deal.win(start.win(deal, 1, None, [0, 0, 32000, 0], [(39, 0)], 40, "役満8000-16000点", liable=2))


def liable_discard(start: Start) -> Deal:
    """Big dragons on North's discard: the liable player pays half, and the counters."""
    north = start.player(3)
    deal = _big_dragons(start).pass_to(north).go(north, "4m", "4m")
    return deal.win(start.win(deal, 1, 3, [0, 0, 16000, 16000], [(39, 0)], 40, "役満32000点", liable=2))


def liable_for_one(start: Start) -> Deal:
    """Big four winds and all honours, self-drawn after a kong was called: liable for the first limit hand only."""
    east, south, west, north = map(start.player, range(4))
    hands = ["147m258p369s3567z", "1m1p1s1122334445z", "258m369p147s5677z", "369m147p258s2366z"]
    deal = start.deal(hands, keep="1245z9m", dora="8s")
    deal.go(east, "1z", "1z").call(south, "pung", "11z", "1z", east).discard(south, "1m")
    deal.pass_to(east).discard_held(east, "3z").call(south, "pung", "33z", "3z", east).discard(south, "1p")
    deal.pass_to(north).go(north, "2z", "2z").call(south, "pung", "22z", "2z", north).discard(south, "1s")
    deal.go(west, "4z", "4z").call(south, "kong", "444z", "4z", west).draw(south, "9m").discard(south, "9m")
    deal.more_dora("9p").pass_to(south).draw(south, "5z")
    yaku = [(49, 0), (42, 0)]
    return deal.win(start.win(deal, 1, None, [16000, 0, 40000, 8000], yaku, 60, "役満16000-32000点", liable=2))


def two_ready(start: Start) -> Deal:
    """The wall is exhausted; East, who has bet, and West are ready."""
    east, west = start.player(0), start.player(2)
    deal = start.deal([PINFU, IDLE[0], "234567m67899p34s", IDLE[2]], keep="1z")
    deal.go(east, "1z", "1z", riichi=True).fill(69)
    return deal.end("exhaustive", [east, west], start.changes([1500, -1500, 1500, -1500]))


def all_ready(start: Start) -> Deal:
    """The wall is exhausted and everybody is ready."""
    hands = [PINFU, "111444p46789s11z", "123789m56p222s33z", "34m678s55666777z"]
    deal = start.deal(hands).fill(70)
    return deal.end("exhaustive", [0, 1, 2, 3], [0, 0, 0, 0])


def none_ready(start: Start) -> Deal:
    """The wall is exhausted and nobody is ready."""
    return start.deal([*IDLE, "258m258p258s2334z"]).fill(70).end("exhaustive", [], [0, 0, 0, 0])


def nine_terminals(start: Start) -> Deal:
    """East is dealt too many terminals and honours."""
    deal = start.deal(["19m19p19s123456z2m", *IDLE]).fill(0)
    return deal.draw(deal.dealer, deal.filler.pop()).end("abortive", None, [0] * 4, "nine_terminals")


def four_winds(start: Start) -> Deal:
    """Everybody throws away an East Wind first."""
    hands = ["147m258p369s1234z", "258m369p147s1567z", "369m147p258s1256z", "258m258p258s1334z"]
    deal = start.deal(hands)
    for seat in range(4):
        deal.draw(start.player(seat), deal.filler.pop()).discard(start.player(seat), "1z")
    return deal.end("abortive", None, [0] * 4, "four_winds")


def four_riichi(start: Start) -> Deal:
    """Everybody declares riichi."""
    hands = [PINFU, "123789m12355p67s", "123m456p789s1155z", "456789s111p2233z"]
    deal = start.deal(hands, keep="6777z")
    for seat, tile in enumerate(("6z", "7z", "7z", "7z")):
        deal.go(start.player(seat), tile, tile, riichi=True)
    return deal.end("abortive", None, [0] * 4, "four_riichi")


def four_kongs(start: Start) -> Deal:
    """East and West make two kongs each."""
    east, west = start.player(0), start.player(2)
    hands = ["111999m11p9s4556z", "258m369p258s1277z", "22p9p111333s2344z", "258m258p258s1334z"]
    deal = start.deal(hands, keep="19m13s88p77m66p")
    for player, first, second, indicator in ((east, "1m", "9m", "7m"), (west, "1s", "3s", "6p")):
        deal.pass_to(player)
        for tile in (first, second):
            deal.draw(player, tile).concealed_kong(player, tile[0] * 4 + tile[1]).more_dora(indicator)
        deal.go(player, "8p", "8p")
    return deal.end("abortive", None, [0] * 4, "four_kongs")


def triple_win(start: Start) -> Deal:
    """Three players could win on the tile with which West declares riichi: nobody wins, and West lays no bet."""
    west = start.player(2)
    hands = [PINFU, "123789m111p34s44z", "123m456p789s1155z", "678m123456p34s33z"]
    deal = start.deal(hands, keep="5s").pass_to(west).go(west, "5s", "5s", riichi=True, accept=False)
    return deal.end("abortive", None, [0] * 4, "triple_win")


def nagashi_mangan(start: Start) -> Deal:
    """South threw away terminals and honours only, and nobody claimed one."""
    deal = start.deal([*IDLE, "258m258p258s2334z"])
    orphans = [tile for tile in deal.filler if 27 <= tile < 34 or (tile < 27 and tile % 9 in (0, 8))]
    deal.filler = [tile for tile in deal.filler if tile not in orphans]
    for _ in range(70):
        south = deal.turn == start.player(1)
        tile = (orphans if south or not deal.filler else deal.filler).pop()
        deal.draw(deal.turn, tile).discard(deal.turn, tile)
    return deal.end("nagashi_mangan", [], start.changes([-4000, 8000, -2000, -2000]))


SCENARIOS: dict[str, Scenario] = {
    function.__name__: function
    for function in (
        riichi_ippatsu,
        after_kong,
        two_ready,
        two_winners,
        robbed_kong,
        last_tile_drawn,
        four_riichi,
        last_discard,
        none_ready,
        double_riichi,
        all_ready,
        nine_terminals,
        four_winds,
        liable_self_draw,
        four_kongs,
        triple_win,
        liable_discard,
        nagashi_mangan,
        liable_for_one,
        dealt_hand,
        first_draw,
    )
}


def chained(scenarios: Sequence[Scenario]) -> list[Deal]:
    """A game of these deals: points, counters, bets and the dealer go from one to the next."""
    start, deals = Start(), []
    for scenario in scenarios:
        deal = scenario(start)
        deals.append(deal)
        if deal.wins:
            stays = any(win.player == deal.dealer for win in deal.wins)
            honba, sticks = start.honba + 1 if stays else 0, 0
        else:
            kind, ready, _ = deal.drawn or ("", None, [])
            stays = kind == "abortive" or deal.dealer in (ready or ())
            honba, sticks = start.honba + 1, start.sticks + len(deal.bets())
        start = Start(start.number + (not stays), honba, sticks, deal.after())
    return deals


def files() -> dict[str, bytes]:
    """The sample files: each scenario by itself in one format or another, and games of all of them."""
    made: dict[str, bytes] = {}
    for index, (name, scenario) in enumerate(SCENARIOS.items()):
        deals = [scenario(Start(honba=index % 3, sticks=index % 2))]
        kind = index % 3
        text = (mjlog(deals), tenhou_json(deals), mjai(deals, detailed=index % 2 == 0))[kind]
        made[f"{name}.{('xml', 'json', 'mjson')[kind]}"] = text.encode()
    game = chained(list(SCENARIOS.values()))
    made["game.xml"] = mjlog(game).encode()
    made["game.json"] = tenhou_json(game).encode()
    made["game.jsonl"] = mjai(game, detailed=True).encode()
    three = mjlog(game[:1], kind=185)
    made["three-player.xml.gz"] = gzip.compress(three.encode(), mtime=0)
    made["several.jsonl.gz"] = gzip.compress((mjai(game[:3]) + mjai(game[:2])).encode(), mtime=0)
    return made


def main() -> None:
    """Write the sample files."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, data in files().items():
        (FOLDER / name).write_bytes(data)


if __name__ == "__main__":
    main()
