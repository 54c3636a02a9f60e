"""A log as a game file, so that a real game opens as a table with its history."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from tenbo.logs.check import by_player, settlement_of
from tenbo.logs.model import Deal, Draw, Game, LogError, Win

__all__ = ["to_game_file"]

_START: Final = 25_000
_SEATS: Final = ("East", "South", "West", "North")
_TENHOU_NAME: Final = re.compile(r"(\d{4})(\d\d)(\d\d)(\d\d)gm-")


def to_game_file(game: Game, when: str | None = None) -> str:
    """Write a game as a game file: JSON Lines of the events of a table.

    What the client paid holds: where the rules would have it otherwise (a nagashi mangan, an error of the client) an
    `adjusted` event follows.

    Args:
        game: A game of four players with at least one deal.
        when: When the game was played, in ISO 8601; by default what the log's own name says, else nothing.

    Returns:
        The events, one a line.

    Raises:
        LogError: The game has three players or no deal that ended, or a deal of it cannot be settled.
    """
    if game.three_player:
        raise LogError("games of three players cannot be opened as a table", "players")
    if not game.deals:
        raise LogError("the log has no deal that came to its end", "deals")
    events = [_started(game, when or _when(game.reference))]
    for index, deal in enumerate(game.deals):
        following = game.deals[index + 1] if index + 1 < len(game.deals) else None
        events += _deal(index + 1, deal, following, game.options)
    if game.finished:
        events.append({"event": "finished"})
    return "".join(json.dumps(event, ensure_ascii=False) + "\n" for event in events)


def _when(reference: str | None) -> str | None:
    """The hour that Tenhou's name of a game begins with, which is Japan's."""
    found = _TENHOU_NAME.match(reference or "")
    return f"{found[1]}-{found[2]}-{found[3]}T{found[4]}:00:00+09:00" if found else None


def _started(game: Game, when: str | None) -> dict[str, Any]:
    from tenbo.ruleset import load_rules

    first = game.deals[0]
    options = {**game.options, **game.table_options}
    level = len(set(first.points)) == 1
    started: dict[str, Any] = {
        "event": "started",
        "rules": "riichi",
        "options": options,
        "ruleset": load_rules("riichi").text,
        "players": [name or _SEATS[player] for player, name in enumerate(game.players)],
        "start": first.points[0] if level else _START,
        "when": when,
    }
    if not level or (first.round, first.dealer, first.honba, first.sticks) != ("E", 0, 0, 0):
        started |= {
            "points": list(first.points),
            "dealer": first.dealer,
            "round": first.round,
            "honba": first.honba,
            "sticks": first.sticks,
        }
    return started


def _deal(number: int, deal: Deal, following: Deal | None, options: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    from tenbo.records import settle_record

    paid = deal.payments
    why = "as the client paid it"
    if deal.draw is not None:
        draw = deal.draw
        if draw.kind == "nagashi_mangan":
            why = "nagashi mangan"
            stays = following is not None and following.dealer == deal.dealer
            draw = Draw("exhaustive", ((deal.dealer,) if stays else ()) if draw.ready is None else draw.ready)
            deal = replace(deal, draw=draw)
        event: dict[str, Any] = {"event": "drawn", "kind": draw.kind, "ready": list(draw.ready or ())}
    else:
        event = {"event": "won", "winners": [_winner(number, win) for win in deal.wins]}
    yield event | {"bets": list(deal.bets)}
    settlement = settlement_of(deal, options)
    if settlement is None or paid is None:
        return
    settled = settle_record(settlement)
    if "error" in settled:
        problems = "; ".join(error["message"] for error in settled["errors"])
        raise LogError(f"deal {number} cannot be settled: {problems}", number)
    ours = by_player(settled["payments"], deal.dealer)
    if paid != ours:
        off = sum(paid) - sum(ours)
        if off:
            raise LogError(f"deal {number}: what the client paid does not add up: {off:+} is left over", number)
        yield {"event": "adjusted", "points": [a - b for a, b in zip(paid, ours, strict=True)], "why": why}


def _winner(number: int, win: Win) -> dict[str, Any]:
    winner: dict[str, Any] = {"player": win.player, "by": "self_draw" if win.source is None else "discard"}
    if win.source is not None:
        winner["from"] = win.source
    if win.record is not None:
        winner |= {key: win.record[key] for key in ("hand", "flags", "dora", "ura")}
    elif win.client.han is not None and win.client.fu is not None:
        winner |= {"han": win.client.han, "fu": win.client.fu}
    else:
        raise LogError(f"deal {number} hides the winner's tiles, and the log tells neither han nor fu", number)
    if win.liable:
        winner["liable"] = [{"player": player, "limit_hands": count} for player, count in win.liable]
    return winner
