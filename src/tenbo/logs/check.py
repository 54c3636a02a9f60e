"""A client's results against the scoring engine: every win, every draw, and that points carry from deal to deal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from tenbo.errors import TenboError
from tenbo.logs.model import WINDS, ClientResult, Deal, Game, Payments, Win, seat_of
from tenbo.records import score_of
from tenbo.score import Score
from tenbo.settle import settle
from tenbo.waits import error_record

__all__ = ["DealCheck", "Difference", "WinCheck", "by_player", "check_game", "settlement_of"]

Record = Mapping[str, Any]

_HIDDEN: Final = "hidden tiles"


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing in which the client and the engine do not agree.

    Attributes:
        name: `"han"`, `"fu"`, `"points"` (what the winner collects without counters and bets), `"limit"`,
            `"payments"`, `"error"` (the engine refuses the hand) and `"contradiction in the log"` (payments then are
            not compared); for a whole deal also `"next points"`, `"next sticks"`, `"next honba"` and `"next dealer"`.
        client: What the client says.
        ours: What the engine says.
    """

    name: str
    client: Any
    ours: Any


@dataclass(frozen=True, slots=True)
class WinCheck:
    """One win, checked.

    Attributes:
        deal: Which deal of the log, from 1.
        win: The win as the log has it.
        score: The engine's score record or error record; `None` where it is not wanted or there is nothing to score.
        differences: In what they differ.
        skipped: Why the win was not compared, or `None`.
    """

    deal: int
    win: Win
    score: Record | None
    differences: tuple[Difference, ...]
    skipped: str | None = None


@dataclass(frozen=True, slots=True)
class DealCheck:
    """A whole deal, checked: its payments, with bets laid, counters, liability and several winners.

    Attributes:
        deal: Which deal of the log, from 1.
        played: The deal as the log has it.
        settlement: The engine's settlement or error record; `None` where it is not wanted or there is none.
        differences: In what they differ.
        skipped: Why the deal was not compared, or `None`.
    """

    deal: int
    played: Deal
    settlement: Record | None
    differences: tuple[Difference, ...]
    skipped: str | None = None


def check_game(game: Game, *, records: bool = False) -> list[WinCheck | DealCheck]:
    """Score all wins of a game, settle all its deals, and compare with what the client paid.

    Args:
        game: A game as read from a log.
        records: Whether the score records and settlements are wanted also of what agrees.

    Returns:
        For each deal its wins in turn order and then the deal itself.
    """
    checks: list[WinCheck | DealCheck] = []
    for index, deal in enumerate(game.deals):
        following = game.deals[index + 1] if index + 1 < len(game.deals) else None
        scores = []
        for win in deal.wins:
            check, score = _check_win(index + 1, deal, win, records)
            checks.append(check)
            scores.append(score)
        checks.append(_check_deal(index + 1, deal, following, game, scores, records))
    return checks


def settlement_of(deal: Deal, options: Mapping[str, Any]) -> dict[str, Any] | None:
    """The settlement's input for a deal, as `tenbo settle` takes it.

    Args:
        deal: The deal.
        options: The game's options for hands.

    Returns:
        The input, or `None` where tiles are hidden or the rulesets know no such draw.
    """
    settlement: dict[str, Any] = {"rules": "riichi"}
    if options:
        settlement["options"] = dict(options)
    settlement |= {"round": deal.round, "honba": deal.honba, "sticks": deal.sticks}
    settlement["bets"] = [seat for seat in WINDS for player in deal.bets if seat_of(player, deal.dealer) == seat]
    if deal.draw is not None:
        if deal.draw.kind not in ("exhaustive", "abortive"):
            return None
        settlement["draw"] = {"kind": deal.draw.kind}
        if deal.draw.kind == "exhaustive":
            settlement["draw"]["ready"] = [seat_of(player, deal.dealer) for player in deal.draw.ready or ()]
        return settlement
    # All winners share the indicators, but only those in riichi are shown the under-dora.
    ura = next((win.record["ura"] for win in deal.wins if win.record and win.record["ura"]), "")
    winners = []
    for win in deal.wins:
        if win.record is None:
            return None
        winner = {key: win.record[key] for key in ("seat", "by", "from", "hand", "flags", "dora") if key in win.record}
        winner["ura"] = ura
        if win.liable:
            winner["liable"] = [
                {"seat": seat_of(player, deal.dealer), "limit_hands": count} for player, count in win.liable
            ]
        winners.append(winner)
    settlement["winners"] = winners
    return settlement


def by_player(payments: Mapping[str, int], dealer: int) -> Payments:
    """Payments by the seats of a deal as those of players 0 to 3."""
    return cast(Payments, tuple(payments[seat_of(player, dealer)] for player in range(4)))


def _check_win(number: int, deal: Deal, win: Win, records: bool) -> tuple[WinCheck, Score | None]:
    """Check a win; with it its score, where the log does not contradict itself."""
    odd = () if win.contradiction is None else (Difference("contradiction in the log", win.contradiction, None),)
    if win.record is None:
        return WinCheck(number, win, None, odd, _HIDDEN), None
    try:
        score = score_of(win.record)
    except TenboError as error:
        return WinCheck(number, win, error_record(error), odd or (Difference("error", None, str(error)),)), None
    # A hand record knows nothing of liable players; the deal's settlement does.
    payments = not odd and not win.liable
    differences = (*odd, *_win_differences(deal, win.client, score, payments))
    record = score.record() if records or differences else None
    return WinCheck(number, win, record, differences), None if odd else score


def _win_differences(deal: Deal, client: ClientResult, score: Score, payments: bool) -> list[Difference]:
    found = []
    if client.limit_hands:
        if score.limit != "limit hand":
            found.append(Difference("limit", "limit hand", score.limit))
    else:
        if client.han is not None and client.han != score.han:
            found.append(Difference("han", client.han, score.han))
        if client.fu is not None and client.fu != score.fu:
            found.append(Difference("fu", client.fu, score.fu))
    if client.score is not None and client.score != score.score:
        found.append(Difference("points", client.score, score.score))
    if client.payments is not None and payments and score.payments is not None:
        ours = by_player(score.payments, deal.dealer)
        if client.payments != ours:
            found.append(Difference("payments", client.payments, ours))
    return found


def _check_deal(
    number: int, deal: Deal, following: Deal | None, game: Game, scores: Sequence[Score | None], records: bool
) -> DealCheck:
    paid = deal.payments
    carried = _carried(deal, following, game)
    if paid is None and following is not None:
        paid = cast(Payments, tuple(new - old for new, old in zip(following.points, deal.points, strict=True)))
    if any(win.contradiction for win in deal.wins):
        return DealCheck(number, deal, None, carried, "a win that contradicts itself")
    settlement = settlement_of(deal, game.options)
    if settlement is None:
        if deal.draw is not None:
            return DealCheck(number, deal, None, carried, "nagashi mangan, which these rules do not know")
        return DealCheck(number, deal, None, carried, _HIDDEN)
    for winner, score in zip(settlement.get("winners", ()), scores, strict=True):
        if score is not None and score.han is not None and score.fu is not None:
            # The hand need not be scored a second time.
            for key in ("hand", "flags", "dora", "ura"):
                del winner[key]
            winner |= {"han": score.han, "fu": score.fu}
    try:
        settled = settle(**settlement)
    except TenboError as error:
        return DealCheck(number, deal, error_record(error), (Difference("error", None, str(error)), *carried))
    found = []
    ours = by_player(settled.payments, deal.dealer)
    if paid is not None and paid != ours:
        found.append(Difference("payments", paid, ours))
    if following is not None:
        dealer = deal.dealer if settled.dealer_stays else (deal.dealer + 1) % 4
        for name, client, expected in (
            ("next dealer", following.dealer, dealer),
            ("next honba", following.honba, settled.honba),
            ("next sticks", following.sticks, settled.sticks),
        ):
            if client != expected:
                found.append(Difference(name, client, expected))
    differences = (*found, *carried)
    return DealCheck(number, deal, settled.record() if records or differences else None, differences)


def _carried(deal: Deal, following: Deal | None, game: Game) -> tuple[Difference, ...]:
    """Whether the client's payments lead to the next deal's points, or to those at the end."""
    after = following.points if following is not None else None if game.unfinished else game.final
    if deal.payments is None or after is None:
        return ()
    expected = tuple(points + change for points, change in zip(deal.points, deal.payments, strict=True))
    if following is None and not deal.wins:
        # Bets left over go to one of the players at the end.
        left = sum(after) - sum(expected)
        if sorted(new - old for new, old in zip(after, expected, strict=True)) == [0, 0, 0, left]:
            return ()
    return () if after == expected else (Difference("next points", after, expected),)
