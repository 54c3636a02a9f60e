"""Events that a plain form describes: draws, penalties, corrections, notes, names, the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from starlette.datastructures import FormData

from tenbo.web.dealdraft import number, players

_MOST: Final = 2_000


def _text(form: FormData, key: str) -> str:
    return str(form.get(key) or "").strip()[:_MOST]


def _player(form: FormData) -> int | None:
    found = players(form, "player")
    return found[0] if found else None


def _drawn(form: FormData) -> dict[str, Any]:
    out: dict[str, Any] = {"event": "drawn", "kind": _text(form, "kind") or "exhaustive"}
    for key in ("ready", "bets"):
        found = players(form, "bet" if key == "bets" else key)
        if found and not (key == "ready" and out["kind"] == "abortive"):
            out[key] = list(found)
    return out


def _penalty(form: FormData) -> dict[str, Any]:
    kind = _text(form, "kind")
    out: dict[str, Any] = {"event": "penalty", "kind": kind, "player": _player(form)}
    if kind == "free":
        out["points"] = number(_text(form, "points"))
        out["to"] = [player for player in players(form, "to") if player != out["player"]]
    return out


def _adjusted(form: FormData) -> dict[str, Any]:
    out: dict[str, Any] = {"event": "adjusted", "points": [number(_text(form, f"change{i}") or "0") for i in range(4)]}
    return out | ({"why": _text(form, "why")} if _text(form, "why") else {})


def _note(form: FormData) -> dict[str, Any]:
    text = _text(form, "text")
    return {"event": "note"} | ({"text": text} if text else {})


def _renamed(form: FormData) -> dict[str, Any]:
    out: dict[str, Any] = {"event": "renamed", "player": _player(form), "name": _text(form, "name")}
    return out | ({"substitute": True} if form.get("substitute") else {})


def _finished(form: FormData) -> dict[str, Any]:
    return {"event": "finished"}


_READ: Final[Mapping[str, tuple[str, Callable[[FormData], dict[str, Any]]]]] = {
    "drawn": ("Draw", _drawn),
    "penalty": ("Penalty", _penalty),
    "adjusted": ("Adjust points", _adjusted),
    "note": ("Note", _note),
    "renamed": ("Name", _renamed),
    "finished": ("End the game", _finished),
}


def read_event(form: FormData) -> tuple[dict[str, Any], str]:
    """The event that a form describes, and what it is called; `revise` names a line that it is to replace."""
    title, read = _READ.get(_text(form, "event"), _READ["note"])
    event = read(form)
    revise = _text(form, "revise")
    if revise.isascii() and revise.isdigit() and len(revise) < 6:
        return {"event": "revised", "seq": int(revise), "by": event}, f"Edit: {title.lower()}"
    return event, title
