"""What was changed in a game, told in order: nothing that was ever booked is lost."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from tenbo.ledger import Game
from tenbo.ledger.events import Event
from tenbo.ledger.play import Row
from tenbo.web.tableview import hands_of, happened


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
    told: dict[int, Row] = {row.seq: row for row in game.rows}
    now: dict[int, Event | None] = {}
    out = []
    for seq, line in enumerate(game.lines, 1):
        now[seq] = line
        target = line.get("seq")
        if line["event"] != "revised" or type(target) is not int or not 1 < target < seq or seq in told:
            continue  # what makes no sense stands among the events, and changed nothing
        old, new = now.get(target), line.get("by")
        verb = "Taken out" if new is None else "Put back" if old is None else "Changed"
        before, after = (_words(game, target, event, told) for event in (old, new))
        hands = () if old is None or old == new else hands_of(old)
        if verb == "Put back":
            before, after = after, ""
        earlier = None if old is None else (target, old)
        after = after if after != before else ""
        out.append(Revision(seq, earlier, verb, before, after, hands, moment(line.get("when"))))
        now[target] = new
    stands = [
        one if one.earlier is None or now[one.earlier[0]] != one.earlier[1] else replace(one, earlier=None)
        for one in out
    ]
    return tuple(reversed(stands))


def _words(game: Game, seq: int, event: Event | None, told: dict[int, Row]) -> str:
    if event is None:
        return ""
    before = told[seq].before if seq in told else game.standing
    return happened(Row(seq, event, before, before), game.rules)


def moment(when: object) -> str:
    """A time as people read it: "30 November 2026, 20:15 UTC"; empty where it is none."""
    try:
        found = datetime.fromisoformat(str(when or ""))
    except ValueError:
        return ""
    if found.tzinfo is not None:
        return f"{found.astimezone(UTC).day} {found.astimezone(UTC):%B %Y, %H:%M} UTC"
    return f"{found.day} {found:%B %Y, %H:%M}"
