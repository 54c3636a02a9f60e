"""A game as a sheet for spreadsheets: CSV, one row for each event that does something."""

from __future__ import annotations

import csv
import io
from typing import Final

from tenbo.ledger.game import Game
from tenbo.ledger.play import Row
from tenbo.quick import KEYS

_DANGEROUS: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")


def safe(text: str) -> str:
    """A text that no spreadsheet takes for a formula.

    >>> safe("=1+1"), safe("Ann")
    ("'=1+1", 'Ann')
    """
    return "'" + text if text.lstrip(" \u00a0\ufeff").startswith(_DANGEROUS) or text.startswith(_DANGEROUS) else text


def sheet(game: Game) -> str:
    """The game as CSV (RFC 4180): a head with the players' names, then the events in force in their order.

    Each row has the line, deal, round, dealer, what happened, the four changes and the four points after it, counters,
    bets on the table, and what was noted or is wrong.
    """
    out = io.StringIO()
    write = csv.writer(out)
    names = [safe(name) for name in game.standing.names]
    write.writerow(
        ["seq", "deal", "round", "dealer", "event"]
        + [safe(f"{name} +/-") for name in names]
        + names
        + ["honba", "sticks", "note"]
    )
    for row in game.rows:
        after = row.after
        dealer = safe(row.before.names[row.before.dealer])
        before = (row.seq, row.before.deal, row.before.wind, dealer, row.event["event"])
        write.writerow([*before, *row.payments, *after.points, after.honba, after.sticks, safe(_note(row))])
    return out.getvalue()


def _note(row: Row) -> str:
    if row.problems:
        return f"no effect: {row.problem}"
    event = row.event
    match event["event"]:
        case "won":
            names = row.before.names
            return "; ".join(_win(one, names) for one in event["winners"])
        case "drawn" | "penalty":
            return str(event["kind"])
        case "adjusted":
            return str(event.get("why") or "")
        case "note":
            return str(event["text"])
        case "renamed":
            return f"{row.before.names[event['player']]} -> {event['name']}"
    return ""


def _win(winner: dict[str, object], names: tuple[str, ...]) -> str:
    player, from_ = winner["player"], winner.get("from")
    assert isinstance(player, int)
    text = f"{names[player]} by {winner['by']}".replace("_", "-")
    if isinstance(from_, int):
        text += f" from {names[from_]}"
    if winner.get("hand") is not None:
        return f"{text}: {winner['hand']}"
    worth = [f"{key} {winner[key]}" for key in KEYS if winner.get(key) is not None]
    return f"{text}: {', '.join(worth)}" if worth else text
