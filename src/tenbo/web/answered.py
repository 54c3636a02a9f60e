"""What the score page answers: how far a hand is, what completes it, what it is worth."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tenbo import tiles
from tenbo.errors import TenboError
from tenbo.explain import Amount, Explanation, Group, explain, flag_word
from tenbo.notation import parse_tiles
from tenbo.ruleset import Ruleset
from tenbo.score import Score, score
from tenbo.situation import BY, FLAGS
from tenbo.waits import Outcome, waits
from tenbo.web.asked import Asked
from tenbo.web.entry import Entry
from tenbo.web.pages import first_up, points

_SHORT: Final = 16
_PAGE_WORDS: Final = (
    ("'by' is 'self_draw'", "the winning tile is drawn"),
    ("'by' is 'discard'", "it is won on another's tile"),
    ("drop the flag or the set", "take one of the two out"),
    ("or drop the flag", "or take this off"),
    ("drop the flag", "take this off"),
    ("add one or drop it", "add one, or take this off"),
    ("drop one of them", "take one of them off"),
)
_TAKEN, _TAKEN_WITH_DORA = 152, 248
_ROOM: Final = 312  # of a screen of 320


@dataclass(frozen=True, slots=True)
class Chip:
    """A flag to switch on: its label, whether it is on, and why it cannot be, where it contradicts the hand."""

    flag: str
    label: str
    on: bool
    why: str


@dataclass(frozen=True, slots=True)
class Price:
    """What a waiting tile is worth, won one way: short and in words, and the query that finishes the hand."""

    by: str
    text: str
    said: str
    query: str
    hand: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """A tile that completes the hand, how many are left, and its price for both ways of winning."""

    code: int
    left: int
    prices: tuple[Price, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A group of the reading with the lines that it earned."""

    group: Group
    lines: tuple[Amount, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer.

    Attributes:
        asked: What was asked for.
        entry: The hand as it was understood.
        stage: "empty", "short", "ready", "scored" or "refused".
        head: The line on top: the score in figures, or what is missing in words.
        sub: What it is made of, or what to do.
        problems: All that is wrong.
        told: The explanation of a scored hand.
        parts: Its groups with their lines; `whole` the lines of the whole hand.
        asks_from: Whether who pays depends on who discarded.
        waiting: What completes a hand one tile short.
        lost: What the hand scores as it lies, where the rules score hands that did not go out.
    """

    asked: Asked
    entry: Entry
    stage: str
    head: str
    sub: str = ""
    problems: tuple[str, ...] = ()
    told: Explanation | None = None
    parts: tuple[Part, ...] = ()
    whole: tuple[Amount, ...] = ()
    asks_from: bool = False
    waiting: tuple[Waiting, ...] = ()
    lost: Explanation | None = None


def plural(number: int, word: str) -> str:
    """A number of things: "1 tile", "2 tiles"."""
    return f"{number} {word}{'' if number == 1 else 's'}"


def answer_loser(asked: Asked) -> Answer:
    """Answers what a hand that did not go out is worth, as `answer` does for a winner's."""
    entry = asked.entry
    if entry.empty:
        return Answer(asked, entry, "empty", "Tap the tiles of the hand")
    if wrong := entry.wrong({"seat": asked.seat, "round": asked.round}):
        return _refused(asked, entry, [p.message for p in wrong])
    if entry.win is not None or entry.missing < 1:
        return _refused(asked, entry, ["A hand that did not go out has 13 tiles, a kong counting as three"])
    if entry.missing > 1:
        return Answer(asked, entry, "short", f"{plural(entry.missing - 1, 'tile')} short")
    try:
        found = score(entry.text, rules=asked.rules, seat=asked.seat, round=asked.round)
    except TenboError as error:
        return _refused(asked, entry, [p.message for p in error.problems])
    return scored(asked, entry, found)


def answer(asked: Asked) -> Answer:
    """Answers what is asked: scores the hand, or says what it lacks."""
    entry = asked.entry.completed()
    if entry.empty:
        return Answer(asked, entry, "empty", "Tap the tiles of a hand")
    if wrong := entry.wrong(asked.situation):
        return _refused(asked, entry, [p.message for p in wrong])
    if entry.missing > 0:
        if entry.missing == 1 and entry.win is None:
            return _ready(asked, entry)
        contradictions = [p.message for p in entry.contradictions(asked.situation)]
        if contradictions:
            return _refused(asked, entry, contradictions)
        sub = "" if entry.win is None else f"won with the {tiles.NAMES[entry.win]}"
        return Answer(asked, entry, "short", f"{plural(entry.missing, 'tile')} short", sub)
    try:
        found = score(entry.text, rules=asked.rules, by=asked.by, **asked.arguments())
    except TenboError as error:
        return _refused(asked, entry, [p.message for p in error.problems])
    return scored(asked, entry, found)


def scored(asked: Asked, entry: Entry, found: Score) -> Answer:
    """The answer for a hand that has a score."""
    told = explain(found)
    parts, whole = parted(told)
    asks = found.hand.by == BY[0] and (found.payments is None or "discarder" in (found.shares or ()))
    return Answer(
        asked,
        entry,
        "scored",
        points(found.score),
        worth(told),
        told=told,
        parts=parts,
        whole=whole,
        asks_from=asks,
    )


def worth(told: Explanation) -> str:
    """What a hand is worth in a few words: "40 points, 3 doubles", "4 han 30 fu", "limit hand"."""
    if told.words.less and told.doubles is not None and told.points is not None:
        text = f"{told.doubles - told.words.less} {told.words.doubles} {told.points} {told.words.points}"
        return f"{text}, {told.limit}" if told.limit else text
    return told.verdict


def _refused(asked: Asked, entry: Entry, messages: list[str]) -> Answer:
    said = tuple(dict.fromkeys(plain(message, asked.rules) for message in messages))
    return Answer(asked, entry, "refused", said[0], problems=said[1:])


def parted(told: Explanation) -> tuple[tuple[Part, ...], tuple[Amount, ...]]:
    """The groups of an explanation with the lines that each earned, and the lines of the whole hand."""
    left = [line for line in told.lines if line.tiles is not None]
    parts = []
    for group in told.groups:
        mine: list[Amount] = []
        for line in tuple(left):
            same = sorted(parse_tiles(line.tiles or "")) == sorted(group.tiles)
            if same and all(line.key != other.key for other in mine):
                mine.append(line)
                left.remove(line)
        parts.append(Part(group, tuple(mine)))
    return tuple(parts), tuple(line for line in told.lines if line.tiles is None or line in left)


def _ready(asked: Asked, entry: Entry) -> Answer:
    lost = None
    if asked.rules.losers:
        lost = explain(score(entry.text, rules=asked.rules, seat=asked.seat, round=asked.round))
    contradictions = [p.message for p in entry.contradictions(asked.situation)]
    if contradictions:
        return _refused(asked, entry, contradictions)
    try:
        found = waits(entry.text, rules=asked.rules, **asked.arguments())
    except TenboError as error:
        return _refused(asked, entry, [p.message for p in error.problems])
    waiting = []
    for wait in found:
        hand = f"{entry.text} +{wait.tile}"
        prices = []
        for by, outcome in zip(BY, (wait.discard, wait.self_draw), strict=True):
            text, said = price(outcome, by)
            query = asked.query(hand=hand, by=by, **({"from_": None} if by != BY[0] else {}))
            prices.append(Price(by, text, f"{asked.rules.words.get(by, by)}: {said}", query, hand))
        waiting.append(Waiting(tiles.CODES[wait.tile], wait.left, tuple(prices)))
    many = plural(len(waiting), "tile")
    sub = f"{many} {'completes' if len(waiting) == 1 else 'complete'} it" if waiting else "no tile completes it"
    if lost is not None:
        sub += f"; as it lies {points(lost.score)}"
    return Answer(asked, entry, "ready", "1 tile short", sub, waiting=tuple(waiting), lost=lost)


def price(outcome: Outcome, by: str) -> tuple[str, str]:
    """What a wait is worth in a few characters, and in words."""
    if not isinstance(outcome, Score):
        return "none", plain(str(outcome), None)
    if outcome.ruleset.payment.collected and by != BY[0]:
        shares = outcome.shares or {}
        if "dealer" in shares:
            text = f"{points(shares['others'])}/{points(shares['dealer'])}"
            return text, f"{points(shares['others'])}, and {points(shares['dealer'])} from the dealer"
        return f"{points(shares['others'])} each", f"{points(shares['others'])} from each"
    return points(outcome.score), points(outcome.score)


# ---------------------------------------------------------------------------------------------------------------- flags


@lru_cache(maxsize=64)
def flag_labels(rules: Ruleset) -> dict[str, str]:
    """What the rules call each flag: the short name of the entry that it alone decides, else plain words."""
    named = {entry.when.text: entry.name for entry in reversed(rules.entries) if entry.scope == "hand"}
    if rules.words.get("names") == "ja":  # players know them by tenbo's own names
        named = {}
    short = {flag: name for flag, name in named.items() if len(name) <= _SHORT}
    return {flag: short.get(flag) or first_up(flag_word(rules, flag)) for flag in rules.flags}


def chips(asked: Asked) -> tuple[tuple[Chip, ...], tuple[Chip, ...]]:
    """The flags that the rules know: those with room beside the keyboard's own, and the others."""
    entry = asked.entry.completed()
    situation = {**asked.situation, "by": asked.by}
    before = entry.contradictions(situation)
    labels = flag_labels(asked.rules)
    out = []
    for flag in asked.rules.flags:
        on = flag in asked.flags
        if on:
            why = [p for p in before if p.at == flag]
        else:
            added = entry.contradictions({**situation, "flags": [*asked.flags, flag]})
            why = [p for p in added if p not in before]
        message = plain(why[0].message, asked.rules) if why else ""
        out.append(Chip(flag, labels[flag], on, message))
    room = _ROOM - (_TAKEN_WITH_DORA if asked.rules.dora else _TAKEN)
    main = []
    for chip in out:
        room -= 22 + 7 * len(chip.label)
        if room < 0:
            break
        main.append(chip)
    return tuple(main), tuple(out[len(main) :])


def plain(message: str, rules: Ruleset | None) -> str:
    """A message with the page's own words for the names of flags and ways to win."""
    known = {flag: first_up(flag.replace("_", " ")) for flag in FLAGS}
    known |= flag_labels(rules) if rules is not None else {}
    by: dict[str, str] = {way: rules.words.get(way, way) if rules is not None else way for way in BY}

    def word(match: re.Match[str]) -> str:
        name = match[1]
        return known.get(name) or by.get(name) or match[0]

    for said, better in _PAGE_WORDS:
        message = message.replace(said, better)
    return first_up(re.sub(r"'(\w+)'", word, message))
