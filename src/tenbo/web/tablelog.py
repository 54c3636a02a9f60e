"""What was changed in a game, told in order: nothing that was ever booked is lost."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from tenbo.ledger import Game
from tenbo.ledger.events import Event
from tenbo.ledger.play import Row
from tenbo.web.tableview import dealt, hands_of, happened


@dataclass(frozen=True, slots=True)
class Revision:
    """A change: its line, what was done, to what, what stands there now, the hands that were replaced, and when.

    `earlier` is what stood there before, where that can be put back: there was something, and it is not there now.
    """

    seq: int
    earlier: tuple[int, Event] | None
    verb: str
    before: str
    after: str
    hands: tuple[str, ...]
    when: str


def revisions(game: Game) -> tuple[Revision, ...]:
    """Every change of an earlier event, the latest first."""
    now = {seq: game.in_force(seq) for seq in range(1, game.version + 1)}
    out = []
    for change in game.changes():
        if change.seq == change.target:
            continue
        old, new = change.before, change.after
        verb = "Taken out" if new is None else "Put back" if old is None else "Changed"
        before, after = ("" if event is None else in_words(game, change.target, event) for event in (old, new))
        hands = () if old is None or old == new else hands_of(old)
        if verb == "Put back":
            before, after = after, ""
        earlier = None if old is None or old == now[change.target] else (change.target, old)
        when = moment(game.lines[change.seq - 1].get("when"))
        out.append(Revision(change.seq, earlier, verb, before, after if after != before else "", hands, when))
    return tuple(reversed(out))


def in_words(game: Game, seq: int, event: Event, *, deal: bool = False) -> str:
    """What an event is called that stands or stood in a line; with the deal that it ended, where it did."""
    row = next((row for row in game.rows if row.seq == seq), None)
    before = game.standing if row is None else row.before
    text = happened(Row(seq, event, before, before), game.rules)
    return f"{text} ({dealt(before)}, deal {before.deal})" if deal and row is not None and row.tabled else text


def moment(when: object) -> str:
    """A time as people read it: "30 November 2026, 20:15 UTC"; empty where it is none."""
    try:
        found = datetime.fromisoformat(str(when or ""))
    except ValueError:
        return ""
    if found.tzinfo is not None:
        return f"{found.astimezone(UTC).day} {found.astimezone(UTC):%B %Y, %H:%M} UTC"
    return f"{found.day} {found:%B %Y, %H:%M}"
