"""What table pages show: seats, what happened in words, what an event would do, points as a drawing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from tenbo.explain import words
from tenbo.ledger import Game
from tenbo.ledger.events import Event
from tenbo.ledger.game import Preview
from tenbo.ledger.history import transfers
from tenbo.ledger.play import Row
from tenbo.ledger.standing import Standing
from tenbo.quick import KEYS
from tenbo.ruleset import Ruleset
from tenbo.web.dealdraft import records
from tenbo.web.faults import told
from tenbo.web.pages import SEATS, first_up, isolated, points

_WHYS: Final = {"hand": "", "bet": "bet", "bets": "bets on the table"}


@dataclass(frozen=True, slots=True)
class Seat:
    """A player at the table: number, name, seat letter and wind in words, points, place, and whether barred."""

    player: int
    name: str
    wind: str
    wind_name: str
    points: int
    place: int
    dealer: bool
    barred: bool


def seats_of(game: Game) -> tuple[Seat, ...]:
    """The four players, by number."""
    standing = game.standing
    places = {place.player: place.place for place in game.ranking}
    return tuple(seat(standing, player, places.get(player, 0)) for player in range(4))


def seat(standing: Standing, player: int, place: int = 0) -> Seat:
    """One player."""
    wind = standing.seat(player)
    return Seat(
        player,
        named(standing, player),
        wind,
        SEATS[wind],
        standing.points[player],
        place,
        player == standing.dealer,
        player in standing.barred,
    )


def named(standing: Standing, player: int) -> str:
    """A player's name; who has none is called by the seat at the start."""
    return isolated(standing.names[player].strip()) or f"Player {player + 1}"


@dataclass(frozen=True, slots=True)
class Transfer:
    """Points from one to another, and why."""

    from_: str
    to: str
    amount: int
    why: str


@dataclass(frozen=True, slots=True)
class Total:
    """A player's points before, the change, and after."""

    name: str
    before: int
    change: int
    after: int


@dataclass(frozen=True, slots=True)
class Seen:
    """What an event would do: transfers, totals, what comes next, and which other events would make no sense."""

    transfers: tuple[Transfer, ...]
    totals: tuple[Total, ...]
    then: str
    worse: tuple[str, ...]


def seen(game: Game, preview: Preview) -> Seen:
    """A preview in words."""
    now, after = game.standing, preview.standing
    totals = tuple(
        Total(named(after, i), now.points[i], after.points[i] - now.points[i], after.points[i]) for i in range(4)
    )
    moved = moves(preview.row, game.rules) if preview.row is not None else ()
    worse = tuple(f"{happened(row, game.rules)}: {why_not(row, game.rules)}" for row in preview.problems)
    return Seen(moved, totals, "The game is over." if after.finished else f"Then: {where(after, game.rules)}.", worse)


def why_not(row: Row, rules: Ruleset) -> str:
    """Why an event makes no sense where it stands, in words."""
    return "; ".join(told(row.problems, rules, row.before))


def moves(row: Row, rules: Ruleset) -> tuple[Transfer, ...]:
    """The transfers of a row with names."""

    def who(one: Any) -> str:
        return named(row.before, one) if isinstance(one, int) else "the table"

    out = []
    for one in transfers(row):
        penalty = rules.penalties.get(str(one["why"]))
        why = penalty.name if penalty else _WHYS.get(one["why"], str(one["why"]).replace("_", " "))
        out.append(Transfer(who(one["from"]), who(one["to"]), one["amount"], why))
    return tuple(out)


def dealt(standing: Standing) -> str:
    """Which round it is and whose deal in it: "East 3"."""
    return f"{SEATS[standing.wind]} {standing.dealer + 1}"


def where(standing: Standing, rules: Ruleset) -> str:
    """Which deal it is: "East 3, Cid deals, 1 honba"."""
    return ", ".join([dealt(standing), f"{named(standing, standing.dealer)} deals", *on_table(standing, rules)])


def on_table(standing: Standing, rules: Ruleset) -> list[str]:
    """What lies on the table, in words."""
    out = []
    for count, key, other in ((standing.honba, "honba", "counter"), (standing.sticks, "stick", "bet")):
        if count:
            word = rules.words.get(key, other)
            out.append(f"{count} {word}{'' if count == 1 or word == 'honba' else 's'}")
    kitty = sum(stake.points for stake in standing.kitty)
    if kitty:
        out.append(f"{points(kitty)} in the kitty")
    return out


def happened(row: Row, rules: Ruleset) -> str:
    """What an event was, in words, without its hands' tiles."""
    event, before = row.event, row.before

    def name(player: object) -> str:
        return named(before, player) if isinstance(player, int) and 0 <= player <= 3 else "?"

    match event["event"]:
        case "won":
            return "; ".join(_win(one, name, rules) for one in records(event.get("winners")))
        case "drawn":
            found = event.get("ready")
            ready = ", ".join(map(name, found)) if isinstance(found, list | tuple) else ""
            kind = "Abortive draw" if event.get("kind") == "abortive" else "Drawn deal"
            return f"{kind}, ready: {ready}" if ready else kind
        case "penalty":
            penalty = rules.penalties.get(str(event.get("kind")))
            return f"{penalty.name if penalty else 'Free penalty'}: {name(event.get('player'))}"
        case "adjusted":
            return f"Adjusted: {isolated(str(event['why']))}" if event.get("why") else "Adjusted"
        case "note":
            return f"Note: {isolated(str(event.get('text')))}"
        case "renamed":
            verb = "takes the seat of" if event.get("substitute") else "is the new name of"
            return f"{isolated(str(event.get('name')))} {verb} {name(event.get('player'))}"
        case "finished":
            return "The game was ended"
    return str(event["event"])


def _win(one: Mapping[str, Any], name: Any, rules: Ruleset) -> str:
    by = rules.words.get(str(one.get("by")), str(one.get("by")))
    text = f"{name(one.get('player'))} wins, {by}"
    if one.get("from") is not None:
        text += f" from {name(one['from'])}"
    if one.get("hand") is None:
        text += f": {quick_words(one, rules)}"
    return text


def quick_words(one: Mapping[str, Any], rules: Ruleset) -> str:
    """What quick entry said: "3 han 40 fu", "mangan"."""
    said = words(rules)
    named_ = {"doubles": said.doubles, "points": said.points, "hp": said.doubles, "bp": said.points, "score": "in all"}
    told = []
    for key in KEYS:
        if one.get(key) is not None:
            name = named_.get(key, key)
            told.append(
                str(one[key]) if key == "limit" else f"{one[key]} {name.removesuffix('s') if one[key] == 1 else name}"
            )
    return " ".join(told)


def hands_of(event: Event) -> tuple[str, ...]:
    """The hands with tiles that an event names."""
    both = [*records(event.get("winners")), *records(event.get("losers"))]
    return tuple(one["hand"] for one in both if isinstance(one.get("hand"), str))


# ---------------------------------------------------------------------------------------------------------------- lines


@dataclass(frozen=True, slots=True)
class PointLine:
    """A player's points as a line: its path, whose it is, and the points at its end."""

    player: int
    name: str
    path: str
    points: int


@dataclass(frozen=True, slots=True)
class Chart:
    """Points by deal, drawn: lines, rules across with their points, where both begin and end, and the size."""

    lines: tuple[PointLine, ...]
    across: tuple[tuple[float, str], ...]
    left: int
    right: int
    width: int
    height: int


def chart(game: Game) -> Chart | None:
    """Points after each deal; None before there are two to connect."""
    rows = [row for row in game.deals if not row.problems]
    if not rows:
        return None
    series = [game.started.first.points, *(row.after.points for row in rows)]
    if game.standing.finished:
        series[-1] = game.standing.points
    low, high = min(map(min, series)), max(map(max, series))
    step = _step(high - low)
    low, high = low // step * step, -(-high // step) * step
    high = high if high > low else low + step
    longest = max(len(points(value)) for value in (low, high))
    width, height, left, right = 400, 220, 8 + 8 * max(longest, 5), 392

    def x(i: int) -> float:
        return left + (right - left) * i / (len(series) - 1)

    def y(value: int) -> float:
        return 12 + (height - 24) * (high - value) / (high - low)

    lines = tuple(
        PointLine(
            i,
            named(game.standing, i),
            "M" + "L".join(f"{x(at):.1f} {y(values[i]):.1f}" for at, values in enumerate(series)),
            series[-1][i],
        )
        for i in range(4)
    )
    across = tuple((round(y(value), 1), points(value)) for value in range(low, high + 1, step))
    return Chart(lines, across, left, right, width, height)


def _step(span: int) -> int:
    """A round distance between lines across."""
    step = 1
    while span / step > 5:
        step = step * 5 if str(step)[0] == "1" else step * 2
    return max(step, 1)


def result_text(result: object) -> str:
    """A place's result, which is no change but what there is in the end: "28.0", "−500"."""
    if isinstance(result, float):
        return f"{'−' if result < 0 else ''}{abs(result):,.1f}"
    return points(result) if isinstance(result, int) else first_up(str(result))
