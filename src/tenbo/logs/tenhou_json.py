"""The JSON of tenhou.net/6: for each deal what every player took in and gave away, from which the order follows.

What a player takes is a tile, or a text for a call in which the place of the letter says whose discard it was; what a
player gives is a tile, 60 for the tile just drawn, 0 after calling a kong, or a text for riichi and the kongs of one's
own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from tenbo.errors import shown
from tenbo.logs import tenhou
from tenbo.logs.build import DealBuilder, clean, four, whole, with_ready
from tenbo.logs.model import ClientResult, Deal, Game, LogError, Payments
from tenbo.logs.order import Act, acts_in_order, tile_code

__all__ = ["read_tenhou_json"]

_DRAWS: Final[Mapping[str, tuple[str, str | None]]] = {
    "流局": ("exhaustive", None),
    "全員聴牌": ("exhaustive", None),
    "全員不聴": ("exhaustive", None),
    "流し満貫": ("nagashi_mangan", None),
    "九種九牌": ("abortive", "nine_terminals"),
    "四風連打": ("abortive", "four_winds"),
    "四家立直": ("abortive", "four_riichi"),
    "四槓散了": ("abortive", "four_kongs"),
    "三家和了": ("abortive", "triple_win"),
}
# Tenhou's own description of its rules; other clients' exports have their room's name there.
_DISPLAY: Final = re.compile(r"三?[般上特鳳技若銀琥孔]?([東南])(喰?)赤?速?(祝.?)?")
_YAKU: Final = re.compile(r"(.*)\((?:(\d{1,3})飜|(ダブル)?役満)\)")
_SCORE: Final = re.compile(r"(\d{1,7})(?:-(\d{1,7}))?点(∀)?")
_FU: Final = re.compile(r"(\d{1,3})符")


def read_tenhou_json(data: Mapping[str, Any]) -> Game:
    """Read one game of Tenhou's JSON.

    Args:
        data: The decoded object.

    Returns:
        The game. A three-player game comes back without deals.

    Raises:
        LogError: The object is no such game, or the play in it contradicts itself.
    """
    log = data.get("log")
    if not isinstance(log, list):
        raise LogError("'log' is not a list of deals", "log")
    names = data.get("name", ["", "", "", ""])
    if not isinstance(names, list) or len(names) not in (3, 4) or not all(isinstance(name, str) for name in names):
        raise LogError("'name' is not a list of four names", "name")
    rule = data.get("rule")
    display = rule.get("disp") if isinstance(rule, dict) else None
    display = display if isinstance(display, str) else ""
    players = tuple(clean(name) for name in names)
    if len(names) == 3 or "三" in display or (log and _is_three(log[0])):
        return Game("tenhou-json", players, three_player=True)
    told = _DISPLAY.fullmatch(display)
    options = tenhou.hand_options(open_all_simples=told is None or bool(told[2]))
    table = tenhou.table_options(rounds=1 if told and told[1] == "東" else 2)
    deals = [_deal(deal, f"deal {number}", options) for number, deal in enumerate(log, 1)]
    reference = data.get("ref")
    final = _final(data.get("sc"))
    return Game(
        "tenhou-json",
        players,
        with_ready(deals),
        options,
        table,
        finished=final is not None,
        final=final,
        reference=clean(reference) if isinstance(reference, str) else None,
    )


def _is_three(deal: object) -> bool:
    return isinstance(deal, list) and len(deal) > 13 and deal[13] == []


def _list(value: object, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise LogError(f"{what} is not a list", what)
    return value


def _tiles(value: object, what: str) -> list[int]:
    return [tile_code(number) for number in _list(value, what)]


def _deal(deal: object, where: str, options: Mapping[str, Any]) -> Deal:
    try:
        return _read_deal(_list(deal, "the deal"), options)
    except LogError as error:
        raise LogError(f"{where}: {error}", error.problems[0].at) from None


def _read_deal(deal: list[Any], options: Mapping[str, Any]) -> Deal:
    if len(deal) != 17:
        raise LogError(f"it has {len(deal)} parts instead of 17", "log")
    start = _list(deal[0], "the start")
    if len(start) != 3:
        raise LogError("its start is not three numbers", "log")
    number = whole(start[0], "the deal's number", 0, 15)
    dealer = number % 4
    hands = [_tiles(deal[4 + 3 * player], "a hand") for player in range(4)]
    builder = DealBuilder(number, dealer, start[1], start[2], four(deal[1], "points"), hands, options)
    builder.dora = _tiles(deal[2], "dora")
    ura = _tiles(deal[3], "ura dora")
    taken = [_list(deal[5 + 3 * player], "what a player took in") for player in range(4)]
    given = [_list(deal[6 + 3 * player], "what a player gave away") for player in range(4)]
    result = _list(deal[16], "the end")
    kind = result[0] if result else None
    declared = _play(builder, acts_in_order(dealer, taken, given))
    wins = _wins(result) if kind == "和了" else []
    if declared is not None and kind != "三家和了" and not any(source == declared for _, source, _, _ in wins):
        builder.play.accept(declared)
    for player, source, liable, client in wins:
        # Whoever makes a log by hand may leave a number there; only limit hands have liable players.
        pays = liable if client.limit_hands or not client.yaku else None
        builder.win(player, None if source == player else source, client, ura, pays)
    if kind != "和了":
        _draw(builder, result)
    return builder.build(0)


def _play(builder: DealBuilder, acts: Sequence[Act]) -> int | None:
    """Play the acts; the player whose riichi with the last discard is still open, if any."""
    play = builder.play
    declared: int | None = None
    for act in acts:
        if declared is not None:
            play.accept(declared)
            declared = None
        if act.what == "draw":
            play.draw(act.player, act.tile)
        elif act.what == "discard":
            if act.riichi:
                play.riichi(act.player)
                declared = act.player
            play.discard(act.player, act.tile)
        elif act.what == "added kong":
            play.added_kong(act.player, act.tile)
        elif act.what == "concealed kong":
            play.concealed_kong(act.player, (*act.own, act.tile))
        else:
            play.call(act.player, act.what, act.own, act.tile, cast(int, act.source))
    return declared


def _wins(result: list[Any]) -> list[tuple[int, int, int, ClientResult]]:
    """Winner, discarder, liable player (each the winner where there is none) and the client's own result."""
    wins = []
    if len(result) < 3 or len(result) % 2 == 0 or len(result) > 7:
        raise LogError("the end of a deal with winners is not pairs of payments and details", "和了")
    for payments, details in zip(result[1::2], result[2::2], strict=True):
        details = _list(details, "the details of a win")
        if len(details) < 3:
            raise LogError("the details of a win do not name winner, discarder and liable player", "和了")
        player, source, liable = (whole(number, "a player's number", 0, 3) for number in details[:3])
        texts = [clean(text) for text in details[3:] if isinstance(text, str)]
        wins.append((player, source, liable, _client(texts, four(payments, "the payments"))))
    return wins


def _client(texts: Sequence[str], payments: Payments) -> ClientResult:
    """What the client says: `"30符4飜7700点"` and then its yaku, as far as they are there."""
    yaku, limits = [], 0
    for text in texts[1:]:
        if found := _YAKU.fullmatch(text):
            limits += 0 if found[2] else 2 if found[3] else 1
            yaku.append((found[1], int(found[2] or 0)))
    score = fu = None
    if texts:
        if found := _FU.search(texts[0]):
            fu = int(found[1])
        if found := _SCORE.search(texts[0]):
            each = int(found[1])
            # "500-1000" from the others and the dealer, "3900 from all" for a dealer, else all from the discarder.
            score = 2 * each + int(found[2]) if found[2] else 3 * each if found[3] else each
    return ClientResult(
        han=sum(han for _, han in yaku) if yaku and not limits else None,
        fu=fu,
        score=score,
        limit_hands=limits,
        yaku=tuple(yaku),
        payments=payments,
    )


def _draw(builder: DealBuilder, result: list[Any]) -> None:
    word = result[0] if result else None
    payments = four(result[1], "the payments") if len(result) > 1 else (0, 0, 0, 0)
    kind, reason = _DRAWS.get(word, ("", None)) if isinstance(word, str) else ("", None)
    if not kind:
        raise LogError(f"the deal ends with {shown(word)}, which is no end", "the end")
    ready: Sequence[int] | None = None
    if word == "全員聴牌":
        ready = range(4)
    elif word == "全員不聴":
        ready = ()
    elif kind == "exhaustive" and any(payments):
        ready = [player for player in range(4) if payments[player] > 0]
    builder.drawn(kind, ready, reason, payments)


def _final(value: object) -> Payments | None:
    """Points at the end, from the list of points and results of each player."""
    if not isinstance(value, list) or len(value) != 8 or any(type(points) is not int for points in value[::2]):
        return None
    return four(value[::2], "sc")
