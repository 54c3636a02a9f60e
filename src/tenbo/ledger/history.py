"""What a game's lines say, what they stand for now, and what was changed by whom: records for a table's history."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from tenbo.facts import SEATS
from tenbo.ledger.events import Event
from tenbo.ledger.game import Game, Preview
from tenbo.ledger.play import Row
from tenbo.ledger.standing import Standing
from tenbo.payment import TABLE

Record = dict[str, Any]
_PLACES: Final = 6  # decimal places of money that cannot be written exactly


def transfers(row: Row) -> list[Record]:
    """Who pays whom how much and why, with players where a settlement has seats."""
    if row.settlement is None:
        return []

    def who(seat: str) -> int | str:
        return seat if seat == TABLE else row.before.player(SEATS.index(seat))

    return [
        {"from": who(one.from_), "to": who(one.to), "amount": one.amount, "why": one.why}
        for one in row.settlement.transfers
    ]


def row_record(row: Row, *, scores: bool = True) -> Record:
    """What an event did: as in a game's record, with its transfers and the scores of the hands given.

    Args:
        row: The row.
        scores: Whether the score records are wanted: `{"player", "score"}` for each hand.
    """
    out = {**row.record(), "transfers": transfers(row)}
    if scores:
        hands = row.settlement.hands if row.settlement else ()
        out["scores"] = [{"player": row.before.player(seat), "score": score.record()} for seat, score in hands]
    return out


def standing_record(standing: Standing) -> Record:
    """Where a game stands, without its ranking."""
    return {
        "points": list(standing.points),
        "round": standing.wind,
        "dealer": standing.dealer,
        "deal": standing.deal,
        "honba": standing.honba,
        "sticks": standing.sticks,
        "kitty": [{"player": stake.player, "points": stake.points} for stake in standing.kitty],
        "players": list(standing.names),
        "seats": [standing.seat(player) for player in range(4)],
        "barred": list(standing.barred),
        "finished": standing.finished,
    }


def summary(game: Game) -> Record:
    """Where a game stands: `standing_record` with version, ranking, money and the event that would undo the last."""
    unit = game.rules.table.result_unit
    money = game.money
    return {
        "version": game.version,
        **standing_record(game.standing),
        "ranking": [place.record(unit) for place in game.ranking],
        "money": None if money is None else [money_text(one) for one in money],
        "undo": game.undo(),
    }


def preview_record(game: Game, preview: Preview) -> Record:
    """What one more event would do.

    Args:
        game: The game it would be added to.
        preview: What it would do there.
    """
    unit = game.rules.table.result_unit
    return {
        "version": game.version,
        "row": None if preview.row is None else row_record(preview.row),
        **standing_record(preview.standing),
        "ranking": [place.record(unit) for place in preview.ranking],
        "problems": [row_record(row, scores=False) for row in preview.problems],
    }


def history(game: Game, after: int = 0, *, scores: bool = True) -> list[Record]:
    """A game's lines, each with what became of it.

    Args:
        game: The game.
        after: Lines up to this one are left out.
        scores: Whether the score records of hands are wanted.

    Returns:
        For each line: `seq`; `event` as it was added; `now`, the event that it stands for (null where it was taken out,
        and for a `revised`); `revised_by`, the lines that changed it; `change`, for a `revised` that had an effect: the
        line it changed (`seq`), what stood there (`was`) and what came in its place (`now`); `row`, what it does (null
        where it does nothing).
    """
    rows = {row.seq: row for row in game.rows}
    lines = game.lines
    changes: dict[int, Record] = {}
    revised: dict[int, list[int]] = {}
    stood: dict[int, Event | None] = {}
    for seq, line in enumerate(lines, 1):
        if line["event"] == "revised" and seq not in rows:  # one that has a row made no sense
            target = line["seq"]
            changes[seq] = {"seq": target, "was": stood.get(target, lines[target - 1]), "now": line.get("by")}
            stood[target] = line.get("by")
            revised.setdefault(target, []).append(seq)
    out = []
    for seq, line in enumerate(lines[after:], after + 1):
        row = rows.get(seq)
        out.append(
            {
                "seq": seq,
                "event": line,
                "now": game.in_force(seq),
                "revised_by": revised.get(seq, []),
                "change": changes.get(seq),
                "row": None if row is None else row_record(row, scores=scores),
            }
        )
    return out


def money_text(amount: Fraction) -> str:
    """Money as text, with at least two decimal places.

    >>> money_text(Fraction(-5, 2)), money_text(Fraction(1, 8)), money_text(Fraction(1, 3))
    ('-2.50', '0.125', '0.333333')
    """
    scaled = round(abs(amount) * 10**_PLACES)
    whole, part = divmod(scaled, 10**_PLACES)
    decimals = f"{part:0{_PLACES}d}".rstrip("0").ljust(2, "0")
    return f"{'-' if amount < 0 and scaled else ''}{whole}.{decimals}"
