"""Writes one small game in each client's format, so that the readers can be held against each other."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tenbo import tiles
from tenbo.logs.tenhou import YAKU

HONOURS = "ESWNPFC"  # mjai's names of the honours, in order
ABORTIVE = {
    "nine_terminals": ("yao9", "九種九牌", "kyushukyuhai"),
    "four_winds": ("kaze4", "四風連打", "sufonrenta"),
    "four_riichi": ("reach4", "四家立直", "suchareach"),
    "four_kongs": ("kan4", "四槓散了", "sukaikan"),
    "triple_win": ("ron3", "三家和了", "sanchaho"),
}


def codes(text: str) -> list[int]:
    """The tile codes of a text such as `"123m05p"`."""
    digits, found = "", []
    for letter in text.replace(" ", ""):
        if letter.isdecimal():
            digits += letter
        else:
            found += [tiles.CODES[digit + letter] for digit in digits]
            digits = ""
    return found


@dataclass
class Won:
    """A win as a client tells it; `text` is Tenhou's summary, such as `"30符2飜2000点"`."""

    player: int
    source: int | None
    fu: int
    score: int
    text: str
    yaku: list[tuple[int, int]]
    payments: list[int]
    ura: str = ""
    liable: int | None = None

    @property
    def limit(self) -> bool:
        return not self.yaku[0][1]

    @property
    def han(self) -> int:
        return sum(han for _, han in self.yaku)


@dataclass
class Deal:
    """A deal: how it starts, what is done, and how it ends.

    The acts are those of `tenbo.logs.play.Play`, as tuples with the name first. Tiles are given as text.
    """

    number: int
    hands: list[str]
    honba: int = 0
    sticks: int = 0
    points: list[int] = field(default_factory=lambda: [25000] * 4)
    dora: str = "2z"
    keep: str = ""  # tiles that no filler turn may use
    acts: list[tuple[Any, ...]] = field(default_factory=list)
    wins: list[Won] = field(default_factory=list)
    drawn: tuple[str, list[int] | None, list[int]] | None = None
    reason: str | None = None

    def __post_init__(self) -> None:
        self.dealer = self.number % 4
        used = [tile for text in (*self.hands, self.dora, self.keep) for tile in codes(text)]
        pool = [tile for kind in range(34) for tile in [_red(kind)] + [kind] * 3]
        for tile in used:
            assert tile in pool, f"there are too many {tiles.TEXTS[tile]}"
            pool.remove(tile)
        self.filler = sorted(pool, key=lambda tile: (tile * 7) % 34)  # mixed, but always the same
        self.turn = self.dealer
        self.draws = 0
        self.open: dict[int, list[tuple[str, list[int], int, int]]] = {player: [] for player in range(4)}

    def draw(self, player: int, tile: str | int) -> Deal:
        self.acts.append(("draw", player, _code(tile)))
        self.draws += 1
        return self

    def discard(self, player: int, tile: str | int, *, riichi: bool = False, accept: bool = True) -> Deal:
        if riichi:
            self.acts.append(("riichi", player))
        self.acts.append(("discard", player, _code(tile)))
        if riichi and accept:
            self.acts.append(("accept", player))
        self.turn = (player + 1) % 4
        return self

    def go(self, player: int, drawn: str, thrown: str, **how: bool) -> Deal:
        """Draw a tile and throw one away."""
        return self.draw(player, drawn).discard(player, thrown, **how)

    def discard_held(self, player: int, thrown: str) -> Deal:
        """Draw a tile of no importance and throw away one that was there before."""
        return self.draw(player, self.filler.pop()).discard(player, thrown)

    def pass_to(self, player: int) -> Deal:
        """Filler turns until it is this player's turn to draw."""
        while self.turn != player:
            self.fill(1)
        return self

    def fill(self, turns: int) -> Deal:
        """Turns in which a tile of no importance is drawn and thrown away."""
        for _ in range(turns):
            tile = self.filler.pop()
            self.draw(self.turn, tile).discard(self.turn, tile)
        return self

    def call(self, player: int, kind: str, own: str, tile: str, source: int) -> Deal:
        self.acts.append(("call", player, kind, codes(own), _code(tile), source))
        return self

    def concealed_kong(self, player: int, four: str) -> Deal:
        self.acts.append(("concealed_kong", player, codes(four)))
        return self

    def added_kong(self, player: int, tile: str) -> Deal:
        self.acts.append(("added_kong", player, _code(tile)))
        return self

    def more_dora(self, tile: str) -> Deal:
        self.acts.append(("dora", _code(tile)))
        return self

    def win(self, *wins: Won) -> Deal:
        self.wins = list(wins)
        return self

    def end(self, kind: str, ready: list[int] | None, payments: list[int], reason: str | None = None) -> Deal:
        self.drawn, self.reason = (kind, ready, payments), reason
        return self

    def bets(self) -> list[int]:
        return [act[1] for act in self.acts if act[0] == "accept"]

    def indicators(self) -> list[int]:
        return codes(self.dora) + [act[1] for act in self.acts if act[0] == "dora"]

    def after(self) -> list[int]:
        """Points at the end of the deal."""
        points = list(self.points)
        for player in self.bets():
            points[player] -= 1000
        for payments in [win.payments for win in self.wins] or [self.drawn[2] if self.drawn else [0] * 4]:
            points = [old + change for old, change in zip(points, payments, strict=True)]
        return points


def _red(kind: int) -> int:
    return {4: 42, 13: 43, 22: 44}.get(kind, kind)


def _code(tile: str | int) -> int:
    return tile if isinstance(tile, int) else codes(tile)[0]


# ---------------------------------------------------------------- Tenhou mjlog


def _code_of(tile: int) -> int:
    return {16: 42, 52: 43, 88: 44}.get(tile, tile // 4)


class _Ids:
    """Gives each tile of a deal its number of 0 to 135."""

    def __init__(self) -> None:
        self.free = list(range(136))
        self.held: list[list[int]] = [[], [], [], []]
        self.melds: list[list[tuple[int, list[int]]]] = [[], [], [], []]  # bits and tiles

    def new(self, code: int) -> int:
        tile = next(tile for tile in self.free if _code_of(tile) == code)
        self.free.remove(tile)
        return tile

    def take(self, player: int, code: int) -> int:
        """The number of a tile that the player holds, the newest first."""
        tile = next(tile for tile in reversed(self.held[player]) if _code_of(tile) == code)
        self.held[player].remove(tile)
        return tile

    def meld(self, act: tuple[Any, ...], last: int) -> tuple[int, int]:
        """Make a set: its bits, and the tile that another player could win on."""
        what, player = act[0], act[1]
        if what == "concealed_kong":
            made = [self.take(player, code) for code in act[2]]
            bits = made[-1] << 8
        elif what == "added_kong":
            last = self.take(player, act[2])
            place = next(i for i, (_, made) in enumerate(self.melds[player]) if made[0] // 4 == last // 4)
            pung, made = self.melds[player].pop(place)
            bits, made = pung & ~0x68 | 0x10 | (last & 3) << 5, [*made, last]
        else:
            made = sorted([last, *(self.take(player, code) for code in act[3])])
            source = (act[5] - player) % 4
            place = made.index(last)
            if act[2] == "chow":
                pattern = (made[0] // 36 * 7 + made[0] // 4 % 9) * 3 + place
                bits = pattern << 10 | (made[0] & 3) << 3 | (made[1] & 3) << 5 | (made[2] & 3) << 7 | 4 | source
            elif act[2] == "pung":
                spare = next(copy for copy in range(4) if made[0] // 4 * 4 + copy not in made)
                bits = (made[0] // 4 * 3 + place) << 9 | spare << 5 | 8 | source
            else:
                bits = last << 8 | source
        self.melds[player].append((bits, made))
        return bits, last


def _joined(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers))


def mjlog(deals: Sequence[Deal], kind: int = 169, names: Sequence[str] = "ABCD") -> str:
    """A game as Tenhou's XML."""
    head = " ".join(f'n{player}="{name}"' for player, name in enumerate(names))
    parts = [f'<mjloggm ver="2.3"><GO type="{kind}" lobby="0"/><UN {head}/><TAIKYOKU oya="0"/>']
    for deal in deals:
        parts += _mjlog_deal(deal)
    return "".join(parts) + "</mjloggm>"


def _mjlog_deal(deal: Deal) -> Iterator[str]:
    ids = _Ids()
    points = [points // 100 for points in deal.points]
    indicators = [ids.new(tile) for tile in deal.indicators()]
    for player, hand in enumerate(deal.hands):
        ids.held[player] = [ids.new(tile) for tile in codes(hand)]
    hands = " ".join(f'hai{player}="{_joined(ids.held[player])}"' for player in range(4))
    seed = f"{deal.number},{deal.honba},{deal.sticks},0,0,{indicators[0]}"
    yield f'<INIT seed="{seed}" ten="{_joined(points)}" oya="{deal.dealer}" {hands}/>'
    shown, last = 1, 0
    for act in deal.acts:
        what, player = act[0], act[1]
        if what == "draw":
            last = ids.new(act[2])
            ids.held[player].append(last)
            yield f"<{'TUVW'[player]}{last}/>"
        elif what == "discard":
            last = ids.take(player, act[2])
            yield f"<{'DEFG'[player]}{last}/>"
        elif what == "riichi":
            yield f'<REACH who="{player}" step="1"/>'
        elif what == "accept":
            points[player] -= 10
            yield f'<REACH who="{player}" ten="{_joined(points)}" step="2"/>'
        elif what == "dora":
            yield f'<DORA hai="{indicators[shown]}"/>'
            shown += 1
        else:
            bits, last = ids.meld(act, last)
            yield f'<N who="{player}" m="{bits}"/>'
    yield from _mjlog_end(deal, ids, indicators, points, last)


def _mjlog_end(deal: Deal, ids: _Ids, indicators: list[int], points: list[int], last: int) -> Iterator[str]:
    ba = f'ba="{deal.honba},{deal.sticks + len(deal.bets())}"'
    for win in deal.wins:
        held = ids.held[win.player] + ([] if win.source is None else [last])
        changes = [change // 100 for change in win.payments]
        melds = f'm="{_joined(bits for bits, _ in ids.melds[win.player])}" ' if ids.melds[win.player] else ""
        numbers = [number for pair in win.yaku for number in pair]
        yaku = f'yakuman="{_joined(numbers[::2])}"' if win.limit else f'yaku="{_joined(numbers)}"'
        ura = f' doraHaiUra="{_joined(ids.new(tile) for tile in codes(win.ura))}"' if win.ura else ""
        liable = "" if win.liable is None else f' paoWho="{win.liable}"'
        source = win.player if win.source is None else win.source
        yield (
            f'<AGARI {ba} hai="{_joined(sorted(held))}" {melds}machi="{last}" ten="{win.fu},{win.score},0" {yaku} '
            f'doraHai="{_joined(indicators)}"{ura} who="{win.player}" fromWho="{source}"{liable} '
            f'sc="{_joined(number for pair in zip(points, changes, strict=True) for number in pair)}"/>'
        )
        points = [old + change for old, change in zip(points, changes, strict=True)]
    if deal.drawn is not None:
        kind, ready, payments = deal.drawn
        changes = [change // 100 for change in payments]
        word = {"exhaustive": "", "nagashi_mangan": 'type="nm" '}.get(kind)
        if word is None:
            word = f'type="{ABORTIVE[str(deal.reason)][0]}" '
        shown = "".join(f' hai{player}="{_joined(sorted(ids.held[player]))}"' for player in ready or ())
        changed = _joined(number for pair in zip(points, changes, strict=True) for number in pair)
        yield f'<RYUUKYOKU {word}{ba} sc="{changed}"{shown}/>'


# ---------------------------------------------------------------- Tenhou JSON


def _number(code: int) -> int:
    if code >= 42:
        return 51 + code - 42
    return 10 * (code // 9 + 1) + code % 9 + 1


def tenhou_json(deals: Sequence[Deal], display: str = "般南喰赤", names: Sequence[str] = "ABCD") -> str:
    """A game as Tenhou's JSON."""
    log = [_json_deal(deal) for deal in deals]
    rule = {"disp": display, "aka": 1}
    return json.dumps({"title": ["", ""], "name": list(names), "rule": rule, "log": log}, ensure_ascii=False)


def _json_deal(deal: Deal) -> list[Any]:
    taken: list[list[Any]] = [[], [], [], []]
    given: list[list[Any]] = [[], [], [], []]
    pungs: dict[tuple[int, int], str] = {}
    drawn, riichi = 0, ""
    for act in deal.acts:
        what, player = act[0], act[1]
        if what == "draw":
            drawn = act[2]
            taken[player].append(_number(drawn))
        elif what == "discard":
            number = 60 if drawn == act[2] else _number(act[2])
            given[player].append(f"r{number}" if riichi else number)
            drawn, riichi = -1, ""
        elif what == "riichi":
            riichi = "r"
        elif what == "concealed_kong":
            *own, tile = map(_number, act[2])
            given[player].append("".join(map(str, own)) + f"a{tile}")
        elif what == "added_kong":
            pung = pungs[player, tiles.KINDS[act[2]]]
            place = pung.index("p")
            given[player].append(f"{pung[:place]}k{_number(act[2])}{pung[place + 1 :]}")
        elif what == "call":
            kind, own, claimed = act[2], [str(_number(tile)) for tile in act[3]], str(_number(act[4]))
            # The letter stands before the claimed tile, which lies where its discarder sits: left, across or right.
            place = {3: 0, 2: 1, 1: len(own)}[(act[5] - player) % 4]
            letter = {"chow": "c", "pung": "p", "kong": "m"}[kind]
            text = "".join([*own[:place], letter + claimed, *own[place:]])
            taken[player].append(text)
            if kind == "pung":
                pungs[player, tiles.KINDS[act[4]]] = text
            if kind == "kong":
                given[player].append(0)
    ura = next((win.ura for win in deal.wins if win.ura), "")
    start = [[deal.number, deal.honba, deal.sticks], deal.points, [_number(tile) for tile in deal.indicators()]]
    start.append([_number(tile) for tile in codes(ura)])
    for player, hand in enumerate(deal.hands):
        start += [[_number(tile) for tile in codes(hand)], taken[player], given[player]]
    return [*start, _json_end(deal)]


def _json_end(deal: Deal) -> list[Any]:
    if deal.drawn is not None:
        kind, ready, payments = deal.drawn
        if kind == "abortive":
            return [ABORTIVE[str(deal.reason)][1]]
        if kind == "nagashi_mangan":
            return ["流し満貫", payments]
        words = {0: "全員不聴", 4: "全員聴牌"}
        word = words.get(len(ready or ()))
        return [word] if word else ["流局", payments]
    end: list[Any] = ["和了"]
    for win in deal.wins:
        source = win.player if win.source is None else win.source
        yaku = [f"{YAKU[number]}({'役満' if win.limit else f'{han}飜'})" for number, han in win.yaku]
        liable = win.player if win.liable is None else win.liable
        end += [win.payments, [win.player, source, liable, win.text, *yaku]]
    return end


# ---------------------------------------------------------------- mjai


def _name(code: int) -> str:
    if code >= 42:
        return f"5{'mps'[code - 42]}r"
    return HONOURS[code - 27] if code >= 27 else f"{code % 9 + 1}{'mps'[code // 9]}"


def mjai(deals: Sequence[Deal], *, detailed: bool = False, names: Sequence[str] = "ABCD") -> str:
    """A game as mjai's JSON Lines; detailed with han, fu and points, as some servers write it."""
    events: list[dict[str, Any]] = [{"type": "start_game", "names": list(names)}]
    for deal in deals:
        events += _mjai_deal(deal, detailed)
    events.append({"type": "end_game"})
    return "".join(json.dumps(event) + "\n" for event in events)


def _mjai_deal(deal: Deal, detailed: bool) -> Iterator[dict[str, Any]]:
    yield {
        "type": "start_kyoku",
        "bakaze": "ESWN"[deal.number // 4],
        "kyoku": deal.number % 4 + 1,
        "honba": deal.honba,
        "kyotaku": deal.sticks,
        "oya": deal.dealer,
        "dora_marker": _name(codes(deal.dora)[0]),
        "scores": deal.points,
        "tehais": [[_name(tile) for tile in codes(hand)] for hand in deal.hands],
    }
    drawn = -1
    for act in deal.acts:
        what, player = act[0], act[1]
        event: dict[str, Any] = {"actor": player}
        if what == "draw":
            drawn = act[2]
            event |= {"type": "tsumo", "pai": _name(drawn)}
        elif what == "discard":
            event |= {"type": "dahai", "pai": _name(act[2]), "tsumogiri": drawn == act[2]}
            drawn = -1
        elif what == "riichi":
            event |= {"type": "reach"}
        elif what == "accept":
            event |= {"type": "reach_accepted"}
        elif what == "dora":
            event = {"type": "dora", "dora_marker": _name(act[1])}
        elif what == "concealed_kong":
            event |= {"type": "ankan", "consumed": [_name(tile) for tile in act[2]]}
        elif what == "added_kong":
            event |= {"type": "kakan", "pai": _name(act[2]), "consumed": [_name(tiles.KINDS[act[2]])] * 3}
        else:
            kind = {"chow": "chi", "pung": "pon", "kong": "daiminkan"}[act[2]]
            event |= {"type": kind, "target": act[5], "pai": _name(act[4]), "consumed": [_name(t) for t in act[3]]}
        yield event
    for win in deal.wins:
        source = win.player if win.source is None else win.source
        event = {"type": "hora", "actor": win.player, "target": source, "deltas": win.payments}
        event["ura_markers"] = [_name(tile) for tile in codes(win.ura)]
        if detailed:
            event |= {"fu": win.fu, "fan": 100 * len(win.yaku) if win.limit else win.han, "hora_points": win.score}
            event["yakus"] = [[YAKU[number], 100 if win.limit else han] for number, han in win.yaku]
        yield event
    if deal.drawn is not None:
        kind, _, payments = deal.drawn
        event = {"type": "ryukyoku", "deltas": payments}
        if detailed:
            reasons = {"exhaustive": "fanpai", "nagashi_mangan": "nagashimangan"}
            event["reason"] = reasons.get(kind) or ABORTIVE[str(deal.reason)][2]
        yield event
    yield {"type": "end_kyoku"}
