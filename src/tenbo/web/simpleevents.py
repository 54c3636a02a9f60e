"""Events that a plain form describes: draws, penalties, corrections, notes, names, the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tenbo.fields import MOST_POINTS
from tenbo.web.dealdraft import Form, players, small
from tenbo.web.faults import Faults, add, name, note, whole
from tenbo.web.pages import points

_READ_AT_MOST: Final = 4_000


@dataclass(slots=True)
class Told:
    """What a form says.

    Attributes:
        kind: The event's name.
        title: What people call it.
        given: What the form is filled in with when it comes back: what was typed, whatever it was.
        event: The event.
        faults: What is wrong with it, by field.
        revise: The line that it is to replace.
    """

    kind: str
    title: str
    given: dict[str, Any]
    event: dict[str, Any] = field(default_factory=dict)
    faults: Faults = field(default_factory=dict)
    revise: int | None = None

    def booked(self) -> dict[str, Any]:
        """The event that books it."""
        if self.revise is None:
            return self.event
        return {"event": "revised", "seq": self.revise, "by": self.event}

    def said(self, key: str) -> str:
        """What was typed into a field."""
        return str(self.given.get(key) or "").strip()


def _given(form: Form) -> dict[str, Any]:
    typed = {key: value[:_READ_AT_MOST] for key, value in form.multi_items() if isinstance(value, str)}
    one = players(form, "player")
    lists = {key: list(players(form, "bet" if key == "bets" else key)) for key in ("ready", "bets", "to")}
    return {**typed, **lists, "player": one[0] if one else None}


def _player(told: Told, message: str) -> None:
    told.event["player"] = told.given["player"]
    if told.given["player"] is None:
        add(told.faults, "player", message)


def _drawn(told: Told) -> None:
    told.event["kind"] = told.said("kind") or "exhaustive"
    for key in ("ready", "bets"):
        if told.given[key] and not (key == "ready" and told.event["kind"] == "abortive"):
            told.event[key] = told.given[key]


def _penalty(told: Told) -> None:
    told.event["kind"] = told.said("kind")
    if not told.event["kind"]:
        add(told.faults, "kind", "say which penalty it is")
    _player(told, "say whose penalty it is")
    if told.event["kind"] != "free":
        return
    if not told.said("points"):
        add(told.faults, "points", "say how many points each of them is paid")
    else:
        told.event["points"] = whole(told.said("points"), "points", "points to each", 1, MOST_POINTS, told.faults)
    told.event["to"] = told.given["to"]
    if told.event["player"] in told.event["to"]:
        add(told.faults, "to", "nobody pays a penalty to themselves: take the one who pays out of those who are paid")
    elif not told.event["to"]:
        add(told.faults, "to", "say who is paid")


def _adjusted(told: Told) -> None:
    changes: list[int] = []
    for i in range(4):
        text = told.said(f"change{i}")
        changes.append(whole(text, f"change{i}", "change", -MOST_POINTS, MOST_POINTS, told.faults) if text else 0)
    told.event["points"] = changes
    together = sum(changes)
    if not told.faults and together:
        message = (
            f"the four changes make {points(together, sign=True)} together; they must make 0, "
            "so that no points appear or vanish"
        )
        add(told.faults, "change0", message)
    elif not told.faults and not any(changes):
        add(told.faults, "change0", "say what changes: at least two of the four")
    why = note(told.said("why"), "why", told.faults)
    told.event |= {"why": why} if why else {}


def _note(told: Told) -> None:
    text = note(told.said("text"), "text", told.faults)
    if not text:
        add(told.faults, "text", "write what is to be noted")
    told.event["text"] = text


def _renamed(told: Told) -> None:
    _player(told, "say whose seat it is")
    told.event["name"] = name(told.said("name"), "name", told.faults)
    if not told.event["name"]:
        add(told.faults, "name", "write the new name")
    told.event |= {"substitute": True} if told.said("substitute") else {}


def _finished(told: Told) -> None:
    pass


_READ: Final[Mapping[str, tuple[str, Callable[[Told], None]]]] = {
    "drawn": ("Draw", _drawn),
    "penalty": ("Penalty", _penalty),
    "adjusted": ("Adjust points", _adjusted),
    "note": ("Note", _note),
    "renamed": ("Name", _renamed),
    "finished": ("End the game", _finished),
}
KINDS: Final = tuple(_READ)


def read_event(form: Form) -> Told:
    """The event that a form describes; `revise` names a line that it is to replace."""
    kind = str(form.get("event") or "")
    kind = kind if kind in _READ else "note"
    title, read = _READ[kind]
    revise = small(form, "revise")
    told = Told(kind, title if revise is None else f"Edit: {title.lower()}", _given(form), {"event": kind})
    told.revise = revise
    read(told)
    return told
