"""A deal while it is being told: winners, losers' hands, bets, dead hands, as forms carry them from page to page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final
from urllib.parse import urlencode

from starlette.datastructures import FormData, ImmutableMultiDict

from tenbo.quick import KEYS
from tenbo.situation import BY
from tenbo.web.faults import number

_WINNER: Final = ("player", "by", "from", "hand", "flags", "dora", "ura", *KEYS, "liable")
_MOST: Final = 2_000
_PLAYERS: Final = ("0", "1", "2", "3")
Form = ImmutableMultiDict[str, str] | FormData


@dataclass(frozen=True, slots=True)
class DealDraft:
    """A won deal that is not booked yet.

    Attributes:
        winners: As in the event.
        losers: Their `hand` or `score`, as written, by player.
        bets: Who bet in this deal.
        dead: Whose hand is dead.
        revise: The line that it is to replace.
        version: The table's version when telling it began: what was booked since, nobody here has seen.
    """

    winners: tuple[Mapping[str, Any], ...] = ()
    losers: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    bets: tuple[int, ...] = ()
    dead: tuple[int, ...] = ()
    revise: int | None = None
    version: int | None = None

    def event(self) -> dict[str, Any]:
        """The event `won`."""
        losers = []
        for player, said in sorted(self.losers.items()):
            if said.get("hand"):
                losers.append({"player": player, "hand": said["hand"]})
            elif said.get("score"):
                losers.append({"player": player, "score": number(said["score"])})
        out: dict[str, Any] = {"event": "won", "winners": [dict(one) for one in self.in_turn()]}
        for key, value in (("losers", losers), ("bets", list(self.bets)), ("dead", list(self.dead))):
            if value:
                out[key] = value
        return out

    def booked(self) -> dict[str, Any]:
        """The event that books it: itself, or in the place of the line that it replaces."""
        event = self.event()
        return event if self.revise is None else {"event": "revised", "seq": self.revise, "by": event}

    def in_turn(self) -> tuple[Mapping[str, Any], ...]:
        """The winners in turn order after who discarded: in that order they are paid, whoever was told of first."""
        if len({one.get("from") for one in self.winners}) != 1 or "from" not in self.winners[0]:
            return self.winners
        return tuple(sorted(self.winners, key=lambda one: (int(one["player"]) - int(one["from"])) % 4))

    def pairs(self) -> list[tuple[str, str]]:
        """The same as fields of a form."""
        out = [("winner", json.dumps(one, separators=(",", ":"))) for one in self.winners]
        for player, said in sorted(self.losers.items()):
            out += [(f"loser.{player}.{key}", value) for key, value in said.items() if value]
        out += [("bet", str(player)) for player in self.bets]
        out += [("dead", str(player)) for player in self.dead]
        out += [(key, str(value)) for key, value in self._about() if value is not None]
        return out

    def _about(self) -> tuple[tuple[str, int | None], ...]:
        return ("revise", self.revise), ("version", self.version)

    def query(self, **more: object) -> str:
        """The same as an address's query."""
        return urlencode([*self.pairs(), *((key, str(value)) for key, value in more.items())])

    def added(self, winner: Mapping[str, Any]) -> DealDraft:
        """With one more winner, in the place of an earlier one of the same player."""
        kept = [one for one in self.winners if one.get("player") != winner["player"]]
        losers = {player: said for player, said in self.losers.items() if player != winner["player"]}
        more = replace(self, winners=(*kept, winner), losers=losers)
        return replace(more, winners=more.in_turn())


def read_draft(form: Form) -> DealDraft:
    """Reads what a form or an address says of a deal; what is no part of one is left out."""
    winners: list[dict[str, Any]] = []
    for text in _texts(form, "winner")[:3]:
        try:
            one = json.loads(text[:_MOST])
        except (ValueError, RecursionError):
            continue
        if (winner := clean_winner(one)) is not None:
            winners.append(winner)
    for i, winner in enumerate(winners):
        if f"liable.{i}" in form:
            winner.pop("liable", None)
            who, hands = str(form.get(f"liable.{i}")), str(form.get(f"liable.{i}.hands") or "1")
            if who in _PLAYERS:
                winner["liable"] = [{"player": int(who), "limit_hands": number(hands)}]
    losers: dict[int, Mapping[str, str]] = {}
    for player in range(4):
        said = {key: str(form.get(f"loser.{player}.{key}") or "").strip()[:400] for key in ("hand", "score")}
        if any(said.values()):
            losers[player] = {key: value for key, value in said.items() if value}
    return DealDraft(
        tuple(winners),
        losers,
        players(form, "bet"),
        players(form, "dead"),
        small(form, "revise"),
        small(form, "version"),
    )


def clean_winner(one: object) -> dict[str, Any] | None:
    """A winner with what a draft can hold; None where it is none."""
    if not isinstance(one, dict) or not is_player(one.get("player")) or one.get("by") not in BY:
        return None
    out = {key: one[key] for key in _WINNER if one.get(key) is not None}
    if not is_player(out.get("from")):
        out.pop("from", None)
    if not isinstance(out.get("hand", ""), str):
        out.pop("hand")
    liable = [item for item in records(out.pop("liable", None)) if is_player(item.get("player"))]
    return out | ({"liable": liable} if liable else {})


def is_player(value: object) -> bool:
    """Whether a value is a player's number."""
    return type(value) is int and 0 <= value <= 3


def records(value: object) -> list[dict[str, Any]]:
    """The objects of a list; nothing of what is none."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list | tuple) else []


def draft_of(event: Mapping[str, Any], revise: int | None) -> DealDraft:
    """The draft of an event `won` that was booked before."""
    losers = {}
    for one in records(event.get("losers")):
        if is_player(one.get("player")):
            key = "hand" if isinstance(one.get("hand"), str) else "score"
            losers[one["player"]] = {key: str(one.get(key) or 0)}
    winners = tuple(filter(None, map(clean_winner, records(event.get("winners")))))
    bets, dead = (tuple(filter(is_player, event.get(key) or ())) for key in ("bets", "dead"))
    return DealDraft(winners, losers, bets, dead, revise)


def small(form: Form | Mapping[str, Any], key: str) -> int | None:
    """A line's number or a version that a form names."""
    text = str(form.get(key) or "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else None


def players(form: Form, key: str) -> tuple[int, ...]:
    """The players that a form names under a key."""
    return tuple(sorted({int(text) for text in _texts(form, key) if text in _PLAYERS}))


def _texts(form: Form, key: str) -> list[str]:
    return [value for value in form.getlist(key) if isinstance(value, str)]
