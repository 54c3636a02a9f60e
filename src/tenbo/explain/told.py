"""What an explanation is made of: plain values, with no word about how they will be shown."""

from __future__ import annotations

from typing import NamedTuple

from tenbo.score import OtherReading


class Group(NamedTuple):
    """One set, pair or other group of the chosen reading.

    Attributes:
        text: The group as in the reading.
        tiles: The tiles' codes, in the order of the text.
        win: The place of the winning tile among them; None where the group does not hold it.
        kind: "chow", "pung", "kong", "pair" or "tiles" (orphans, or what a loser could not use).
        word: What the rules call it.
        table: It lies on the table: "exposed" or "concealed"; empty for tiles in the hand.
    """

    text: str
    tiles: tuple[int, ...]
    win: int | None
    kind: str
    word: str
    table: str


class Amount(NamedTuple):
    """One line of the score with the rule behind it.

    Attributes:
        name: What the rules call it; `ja` is the Japanese name, where the rules want it beside.
        tiles: The tiles of the set that earned it, as text; None where the whole hand did.
        what: Those tiles in words, where they are alike: "Red Dragon".
        unit: "points", "doubles" or "limit".
        amount: How much; None for a limit.
        limit: The limit's name, with its share where that is not one.
        rule: The rule in plain words; `source` is its place in the rule text. Either may be empty.
        key: The entry's key in the ruleset.
    """

    name: str
    ja: str
    tiles: str | None
    what: str
    unit: str
    amount: int | None
    limit: str | None
    rule: str
    source: str
    key: str


class Step(NamedTuple):
    """One step of the arithmetic.

    Attributes:
        kind: "sum", "round", "floor", "doubling", "limit" or "collected".
        text: The step: "30 × 2^4 = 480".
        note: Why, where the figures do not say so: "rounded up to the next 10". May be empty.
        value: What comes out.
    """

    kind: str
    text: str
    note: str
    value: int


class Paid(NamedTuple):
    """What one player, or one role where the players are not known, gets or pays.

    Attributes:
        who: The seat "E" "S" "W" "N", or the role "discarder" "dealer" "others" "winner".
        name: The same in words.
        change: The change, in points; negative for who pays. For "others" that of each of them.
        text: The arithmetic.
    """

    who: str
    name: str
    change: int
    text: str


class Words(NamedTuple):
    """How the rules speak of points and doubles.

    Attributes:
        points: The word for points.
        doubles: The word for doubles, without what `less` says.
        less: How many doubles everybody has that the word leaves out: riichi's han are the doubles less 2.
    """

    points: str
    doubles: str
    less: int = 0

    def doubled(self, doubles: int) -> str:
        """Some doubles in words: "3 Hand Points", "1 double", "5 han + 2"."""
        if self.less and doubles >= self.less:
            return f"{doubles - self.less} {self.doubles} + {self.less}"
        word = self.doubles[:-1] if doubles == 1 and self.doubles.endswith("s") else self.doubles
        return f"{doubles} {word}"


class Explanation(NamedTuple):
    """Everything there is to say about a score.

    Attributes:
        rules: The preset's name or the file's title; `title` is what people read.
        options: The option values that differ from the ruleset's own.
        hand: The hand as text; empty for a value without tiles.
        situation: Labels and what they say: ("Seat", "South"), ("Won", "river, from West").
        groups: The chosen reading.
        lines: What earned the score, points first.
        words: How the rules speak of points and doubles.
        points, doubles, limit, score: As in a score record.
        steps: The arithmetic from the lines to the score.
        payments: Who gets and pays what; the winner last.
        others: The readings not chosen, best first.
    """

    rules: str
    title: str
    options: tuple[tuple[str, str], ...]
    hand: str
    situation: tuple[tuple[str, str], ...]
    groups: tuple[Group, ...]
    lines: tuple[Amount, ...]
    words: Words
    points: int | None
    doubles: int | None
    limit: str | None
    score: int
    steps: tuple[Step, ...]
    payments: tuple[Paid, ...]
    others: tuple[OtherReading, ...]

    @property
    def verdict(self) -> str:
        """The worth in a few words: "40 points, 3 doubles", "limit hand"."""
        parts = []
        if self.doubles is not None and self.points is not None:
            parts += [f"{self.points} {self.words.points}", self.words.doubled(self.doubles)]
        if self.limit is not None:
            parts.append(self.limit)
        return ", ".join(parts)
