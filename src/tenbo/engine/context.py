"""Suits seen every way, for one way of going out, one seat and one round; everything made is kept."""

from __future__ import annotations

from typing import Final

from tenbo import decompose as d
from tenbo.facts import FORMS, WAITS
from tenbo.program import Program, group_facts, set_facts, set_worth
from tenbo.ruleset import Entry
from tenbo.tally import Line, Tally

# Bounds of the caches: what they hold stays under some 30 MB a ruleset.
_SUIT_LIMIT: Final = 6_000
_HONOURS: Final = 3
_LETTERS: Final = "mpsz"
_TILE_FACTS: Final = ("characters", "dots", "bamboos", "honours")

STANDARD, SEVEN_PAIRS, THIRTEEN_ORPHANS, LOOSE = range(len(FORMS))


class Split:
    """One way to see a suit.

    Attributes:
        facts: Its packed facts.
        runs: Which chows (bits 0-6) and pungs (bits 7-15) stand in it.
        codes: Its group codes.
        points, doubles: The lines that its groups earn; None until they are asked for.
        text: Its concealed groups as text, without red fives; None until asked for.
    """

    __slots__ = ("codes", "doubles", "facts", "points", "runs", "text")

    def __init__(self, facts: int, runs: int, codes: d.Codes) -> None:
        self.facts, self.runs, self.codes = facts, runs, codes
        self.points: tuple[Line, ...] | None = None
        self.doubles: tuple[Line, ...] | None = None
        self.text: str | None = None


class Suit:
    """A suit's tiles and sets seen every way.

    Attributes:
        sets: As sets alone.
        sets_and_pair: As sets and a pair.
        pairs: As pairs alone, for seven pairs; None where it cannot be.
        orphans: As part of thirteen orphans, likewise.
        loose: As the tiles of a player who did not go out.
    """

    __slots__ = ("loose", "orphans", "pairs", "sets", "sets_and_pair")

    def __init__(
        self,
        sets: tuple[Split, ...],
        sets_and_pair: tuple[Split, ...],
        pairs: Split | None,
        orphans: Split | None,
        loose: Split,
    ) -> None:
        self.sets, self.sets_and_pair = sets, sets_and_pair
        self.pairs, self.orphans, self.loose = pairs, orphans, loose


Group = tuple[int, int, tuple[tuple[Entry, int], ...]]
"""A group's packed facts, its bit among chows and pungs, and the set entries that hold for it with their values."""

Reading = tuple[int, Split, Split, Split, Split]
"""A form and the four suits."""


class Context:
    """A program for one way of going out, one seat and one round, with its caches."""

    __slots__ = (
        "by",
        "evaluate",
        "groups",
        "layout",
        "loose_form",
        "memo",
        "orphans",
        "orphans_form",
        "pairs",
        "pairs_form",
        "program",
        "round",
        "seat",
        "suits",
        "tallies",
        "three_chows",
        "three_pungs",
    )

    def __init__(
        self,
        program_: Program,
        by: str | None,
        seat: int,
        round_: int,
        groups: tuple[dict[int, Group], ...],
        suits: tuple[dict[int, Suit], ...],
        memo: dict[int, Tally],
        tallies: dict[int, Tally],
    ) -> None:
        self.program = program_
        self.by, self.seat, self.round = by, seat, round_
        self.layout = layout = program_.layout
        self.evaluate = program_.evaluator(by)
        self.groups, self.suits, self.memo, self.tallies = groups, suits, memo, tallies
        forms = program_.rules.shapes
        self.pairs, self.orphans = FORMS[SEVEN_PAIRS] in forms, FORMS[THIRTEEN_ORPHANS] in forms
        self.pairs_form = layout.pack({"form": SEVEN_PAIRS})
        self.orphans_form = layout.pack({"form": THIRTEEN_ORPHANS})
        self.loose_form = layout.pack({"form": LOOSE})
        self.three_chows = layout.pack({"three_suit_chows": 1})
        self.three_pungs = layout.pack({"three_suit_pungs": 1})

    def group(self, suit: int, code: int) -> Group:
        """What is known of a group."""
        found = self.groups[suit].get(code)
        if found is None:
            facts = group_facts(suit, code, self.by, self.seat, self.round)
            worth = tuple(set_worth(self.program, set_facts(suit, code, self.by, self.seat, self.round)))
            facts["set_points"] = sum(value for entry, value in worth if entry.unit == "points")
            facts["set_doubles"] = sum(value for entry, value in worth if entry.unit == "doubles")
            facts["scoring_sets"] = facts["set_points"] > 0
            rank = min(d.group_tiles(code))
            run = 0
            if facts["chows"]:
                run = 1 << rank - 1
            elif facts["pungs"] or facts["kongs"]:
                run = 1 << rank + 6
            found = self.groups[suit][code] = (self.layout.pack(facts), run if suit < _HONOURS else 0, worth)
        return found

    def group_lines(self, suit: int, code: int, tiles: str) -> tuple[list[Line], list[Line]]:
        """The lines that a group of these tiles earns: those of points, those of doubles."""
        worth = self.group(suit, code)[2]
        points = [Line(e.name, tiles, value, None, None, e.key) for e, value in worth if e.unit == "points"]
        doubles = [Line(e.name, tiles, None, value, None, e.key) for e, value in worth if e.unit == "doubles"]
        return points, doubles

    def write_lines(self, suit: int, split: Split) -> None:
        """Works out a split's lines."""
        points: list[Line] = []
        doubles: list[Line] = []
        for code in split.codes:
            tiles = "".join(map(str, sorted(d.group_tiles(code)))) + _LETTERS[suit]
            more_points, more_doubles = self.group_lines(suit, code, tiles)
            points += more_points
            doubles += more_doubles
        split.doubles = tuple(doubles)
        split.points = tuple(points)

    def suit(self, suit: int, key: int) -> Suit:
        """A suit seen every way, made and kept."""
        known = self.suits[suit]
        found = known.get(key)
        if found is None:
            found = self._suit(suit, key)
            if len(known) >= _SUIT_LIMIT:
                known.clear()
            known[key] = found
        return found

    def _suit(self, suit: int, key: int) -> Suit:
        honours = suit == _HONOURS
        counts, win = key & d.COUNT_MASK, key >> d.WIN_SHIFT & 15
        melds: list[int] = []
        rest = key >> d.MELD_SHIFT
        while rest:
            melds.append(d.MELD + (rest & 63))
            rest >>= 6
        group = self.group
        laid, laid_runs, laid_chows = 0, 0, []
        for code in melds:
            facts, run, _ = group(suit, code)
            laid += facts
            laid_runs |= run
            if code <= d.MELD + 7:
                laid_chows.append(code - d.MELD - 1)
        laid += self.layout.pack(_tile_facts(suit, counts, win, melds))
        equal_unit = self.layout.pack({"equal_chow_pairs": 1})
        straight_unit = self.layout.pack({"straights": 1})
        tail = tuple(melds)

        def split(ways: tuple[d.Codes, ...]) -> tuple[Split, ...]:
            out = []
            for way in ways:
                base = laid
                if not honours and (equal_unit or straight_unit):
                    chows = [code for code in way if code < d.PUNG] + laid_chows
                    if len(chows) > 1:
                        base += equal_unit * sum(chows.count(start) // 2 for start in set(chows))
                        if 0 in chows and 3 in chows and 6 in chows:
                            base += straight_unit
                for placed in d.with_win(way, win) if win else (way,):
                    total, runs = base, laid_runs
                    for code in placed:
                        facts, run, _ = group(suit, code)
                        total += facts
                        runs |= run
                    out.append(Split(total, runs, (*placed, *tail)))
            return tuple(out)

        pairs = orphans = None
        if not melds:
            if self.pairs and counts & 0o555555555 == 0 and not counts & 0o444444444:
                way = tuple(d.PAIR + r for r in range(9) if counts >> 3 * r & 7)
                pairs = split((way,))[0]
            if self.orphans:
                orphans = self._orphans(suit, counts, laid, win)
        return Suit(
            split(d.sets(counts, honours)),
            split(d.sets_and_pair(counts, honours)),
            pairs,
            orphans,
            self._loose(suit, counts, laid, laid_runs, tail),
        )

    def _orphans(self, suit: int, counts: int, laid: int, win: int) -> Split | None:
        wanted = range(7) if suit == _HONOURS else (0, 8)
        if any(not counts >> 3 * r & 7 for r in wanted) or counts & ~sum(7 << 3 * r for r in wanted):
            return None
        wait = self.layout.pack({"wait": WAITS.index("single")}) if win else 0
        return Split(laid + wait, 0, tuple(d.PAIR + r for r in wanted if counts >> 3 * r & 7 == 2))

    def _loose(self, suit: int, counts: int, laid: int, runs: int, tail: d.Codes) -> Split:
        codes = []
        for rank in range(9):
            held = counts >> 3 * rank & 7
            if held >= 3:
                codes.append(d.PUNG + rank)
            elif held == 2:
                codes.append(d.PAIR + rank)
        for code in codes:
            laid += self.group(suit, code)[0]
        return Split(laid, runs, (*codes, *tail))


def _tile_facts(suit: int, counts: int, win: int, melds: list[int]) -> dict[str, int]:
    """The facts of a suit that its tiles decide, however they are grouped."""
    held = [counts >> 3 * rank & 7 for rank in range(9)]
    alone = list(held)
    for code in melds:
        for rank in d.group_tiles(code):
            held[rank - 1] += 1
    kongs = {min(d.group_tiles(code)) for code in melds if len(d.group_tiles(code)) == 4}
    total = sum(held)
    out = {
        _TILE_FACTS[suit]: total,
        "tiles": total,
        "kinds": sum(1 for n in held if n),
        "twos": held.count(2),
        "unkonged_fours": sum(1 for i, n in enumerate(held) if n == 4 and i + 1 not in kongs),
    }
    if suit == _HONOURS:
        out["wind_tiles"], out["dragon_tiles"] = sum(held[:4]), sum(held[4:7])
        out["green_tiles"] = held[5]
        return out
    out["suits"] = int(total > 0)
    out["terminals"] = held[0] + held[8]
    out["simples"] = total - out["terminals"]
    if suit == 2:
        out["green_tiles"] = held[1] + held[2] + held[3] + held[5] + held[7]
    if sum(alone) == 14 and alone[0] >= 3 and alone[8] >= 3 and all(alone):
        out["nine_gates"] = 1
        out["nine_gates_wait"] = int(win > 0 and alone[win - 1] in (2, 4))
    return out
