"""Suits seen every way, for one way of going out, one seat and one round; everything made is kept."""

from __future__ import annotations

from typing import Final

from tenbo import decompose as d
from tenbo.engine.tilefacts import TileFacts
from tenbo.facts import FORMS, WAITS
from tenbo.program import Line, Program, group_facts, line_of, set_facts, set_worth
from tenbo.ruleset import Entry
from tenbo.tally import Tally

# Bounds of the caches: what they hold stays under some 30 MB a ruleset.
_SUIT_LIMIT: Final = 6_000
_HONOURS: Final = 3
_LETTERS: Final = "mpsz"

PAIR_BIT: Final = 1 << 60
"""In a suit's key: the suit holds the pair."""

_NOT_TWO: Final = 0o555555555  # bits of counts that are neither 0 nor 2

STANDARD, SEVEN_PAIRS, THIRTEEN_ORPHANS, LOOSE = range(len(FORMS))


class Split:
    """One way to see a suit.

    Attributes:
        facts: Its packed facts.
        runs: Which chows (bits 0-6) and pungs (bits 7-15) stand in it.
        codes: Its group codes.
        points, doubles: The lines that its groups earn; None until they are asked for.
        five: Whether fives are among the tiles of these lines, so that red ones may have to be shown.
        text: Its concealed groups as text, without red fives; None until asked for.
    """

    __slots__ = ("codes", "doubles", "facts", "five", "points", "runs", "text")

    def __init__(self, facts: int, runs: int, codes: d.Codes) -> None:
        self.facts, self.runs, self.codes = facts, runs, codes
        self.points: tuple[Line, ...] | None = None
        self.doubles: tuple[Line, ...] | None = None
        self.five = False
        self.text: str | None = None


Splits = tuple[Split, ...]
Lines = tuple[tuple[Line, ...], tuple[Line, ...]]
Reading = tuple[int, Split, Split, Split, Split]
"""A form and the four suits."""

_NO_LINES: Final[Lines] = ((), ())


class Groups:
    """What is known of a suit's groups, by group code, filled as they are met.

    Attributes:
        facts: Packed facts; None for a group not met yet.
        runs: The bit among chows (0-6) and pungs (7-15).
        worth: The set entries that hold, with their values.
        lines: By group code and tiles, red fives among them: the lines they earn, of points and of doubles.
    """

    __slots__ = ("facts", "lines", "runs", "worth")

    def __init__(self) -> None:
        self.facts: list[int | None] = [None] * d.CODES
        self.runs = [0] * d.CODES
        self.worth: list[tuple[tuple[Entry, int], ...]] = [()] * d.CODES
        self.lines: dict[tuple[int, str], Lines] = {}


class Suited:
    """A suit's caches: its groups, and its tiles and sets seen every way.

    Attributes:
        groups: What is known of its groups.
        ways: By the suit's key, with `PAIR_BIT` where a pair is among them: every way to see the suit.
    """

    __slots__ = ("groups", "ways")

    def __init__(self) -> None:
        self.groups = Groups()
        self.ways: dict[int, Splits] = {}


class Context:
    """A program for one way of going out, one seat and one round, with its caches.

    Attributes:
        program: The compiled ruleset.
        by, seat, round: How the hand went out; seat and round are 0 for East.
        suits: The caches of the four suits; `ways` are their ways again.
        special: Readings need more than the sum of their suits' facts.
        memo: Packed facts to their worth.
        tallies: Keys to their worth.
    """

    __slots__ = (
        "by",
        "evaluate",
        "layout",
        "loose_form",
        "memo",
        "needs_waits",
        "orphans",
        "orphans_form",
        "pairs",
        "pairs_form",
        "program",
        "round",
        "seat",
        "special",
        "suits",
        "tallies",
        "three_chows",
        "three_pungs",
        "tile_facts",
        "unit_equal",
        "unit_straight",
        "unit_waits",
        "unit_waits_left",
        "ways",
    )

    def __init__(
        self,
        program_: Program,
        by: str | None,
        seat: int,
        round_: int,
        suits: tuple[Suited, ...],
        memo: dict[int, Tally],
        tallies: dict[int, Tally],
    ) -> None:
        self.program = program_
        self.by, self.seat, self.round = by, seat, round_
        self.layout = layout = program_.layout
        self.evaluate = program_.evaluator(by)
        self.suits, self.memo, self.tallies = suits, memo, tallies
        self.ways = tuple(suited.ways for suited in suits)
        self.special = bool(program_.combos) or by is None
        self.needs_waits = program_.needs_waits
        forms = program_.rules.shapes
        self.pairs, self.orphans = FORMS[SEVEN_PAIRS] in forms, FORMS[THIRTEEN_ORPHANS] in forms
        self.pairs_form = layout.pack({"form": SEVEN_PAIRS})
        self.orphans_form = layout.pack({"form": THIRTEEN_ORPHANS})
        self.loose_form = layout.pack({"form": LOOSE})
        self.three_chows = layout.pack({"three_suit_chows": 1})
        self.three_pungs = layout.pack({"three_suit_pungs": 1})
        self.unit_equal = layout.pack({"equal_chow_pairs": 1})
        self.unit_straight = layout.pack({"straights": 1})
        self.unit_waits = layout.pack({"waiting_kinds": 1})
        self.unit_waits_left = layout.pack({"waiting_kinds_left": 1})
        self.tile_facts = TileFacts(layout)

    def group(self, suit: int, code: int) -> int:
        """A group's packed facts; what else is known of it is kept beside them."""
        groups = self.suits[suit].groups
        rank = min(d.group_tiles(code))
        # What an honour is worth depends on whether it is the own or the prevailing wind, no more on seat and round.
        own, prevailing = suit == _HONOURS and rank == self.seat + 1, suit == _HONOURS and rank == self.round + 1
        key = (self.by, suit, code, own, prevailing)
        found = self.program.groups.get(key)
        if found is None:
            found = self.program.groups[key] = self._group(suit, code)
        packed, groups.worth[code] = found
        if suit < _HONOURS and not d.PAIR <= code < d.WIN_CHOW and not d.WIN_PAIR <= code < d.MELD:
            chow = d.TILES[code] & 7 << 3 * (rank - 1) == 1 << 3 * (rank - 1)
            groups.runs[code] = 1 << (rank - 1 if chow else rank + 6)
        groups.facts[code] = packed
        return packed

    def _group(self, suit: int, code: int) -> tuple[int, tuple[tuple[Entry, int], ...]]:
        known = set_facts(suit, code, self.by, self.seat, self.round)
        worth = tuple(set_worth(self.program, known))
        facts = group_facts(code, known)
        facts["set_points"] = sum(value for entry, value in worth if entry.unit == "points")
        facts["set_doubles"] = sum(value for entry, value in worth if entry.unit == "doubles")
        facts["scoring_sets"] = facts["set_points"] > 0
        return self.layout.pack(facts), worth

    def lines_of(self, suit: int, code: int, tiles: str) -> Lines:
        """The lines that a group of these tiles earns: those of points, those of doubles."""
        kept = self.suits[suit].groups
        if not kept.worth[code]:
            return _NO_LINES
        found = kept.lines.get((code, tiles))
        if found is None:
            lines = [line_of(entry, value, tiles) for entry, value in kept.worth[code]]
            found = kept.lines[code, tiles] = (
                tuple([line for line in lines if line.points is not None]),
                tuple([line for line in lines if line.doubles is not None]),
            )
        return found

    def write_lines(self, suit: int, split: Split) -> None:
        """Works out a split's lines."""
        points: tuple[Line, ...] = ()
        doubles: tuple[Line, ...] = ()
        for code in split.codes:
            tiles = "".join(map(str, sorted(d.group_tiles(code)))) + _LETTERS[suit]
            found = self.lines_of(suit, code, tiles)
            if found is not _NO_LINES:
                points += found[0]
                doubles += found[1]
        split.doubles = doubles
        split.five = suit < _HONOURS and any("5" in (line.tiles or "") for line in points + doubles)
        split.points = points

    def seen(self, suit: int, key: int) -> Splits:
        """A suit seen every way as sets, with `PAIR_BIT` in its key as sets and a pair; made and kept."""
        kept = self.ways[suit]
        if len(kept) >= _SUIT_LIMIT:
            kept.clear()
        found = kept[key] = self._seen(suit, key)
        return found

    def _seen(self, suit: int, key: int) -> Splits:
        split = d.sets_and_pair if key & PAIR_BIT else d.sets
        ways = split(key & d.COUNT_MASK, suit == _HONOURS)
        if not ways:
            return ()
        key &= ~PAIR_BIT
        groups = self.suits[suit].groups
        facts, runs, win = groups.facts, groups.runs, key >> d.WIN_SHIFT & 15
        laid, laid_runs, tail = self._laid(suit, key)
        chows_matter = suit < _HONOURS and (self.unit_equal or self.unit_straight)
        out = []
        for way in ways:
            total, stand = laid, laid_runs
            for code in way:
                fact = facts[code]
                total += self.group(suit, code) if fact is None else fact
                stand |= runs[code]
            if chows_matter:
                total += self._chow_facts([code for code in way + tail if code < d.PUNG or d.MELD < code <= d.MELD + 7])
            if not win:
                out.append(Split(total, stand, way + tail))
                continue
            last = -1
            for i, code in enumerate(way):
                won = d.WON[code][win]
                if won >= 0 and code != last:
                    fact = facts[won]
                    if fact is None:
                        fact = self.group(suit, won)
                    without = facts[code]
                    assert without is not None
                    out.append(Split(total - without + fact, stand, (*way[:i], won, *way[i + 1 :], *tail)))
                last = code
        return tuple(out)

    def _laid(self, suit: int, key: int) -> tuple[int, int, d.Codes]:
        """The facts that hold of a suit however its concealed tiles are grouped; its sets on the table."""
        melds = d.melds_of(key)
        groups = self.suits[suit].groups
        laid, stand = self.tile_facts.of(suit, key, melds), 0
        for code in melds:
            fact = groups.facts[code]
            laid += self.group(suit, code) if fact is None else fact
            stand |= groups.runs[code]
        return laid, stand, melds

    def _chow_facts(self, chows: list[int]) -> int:
        """The packed facts about equal chows and straights, from the codes of a suit's chows."""
        if len(chows) < 2:
            return 0
        starts = [code if code < d.PUNG else code - d.MELD - 1 for code in chows]
        equal = len(starts) - len(set(starts))
        out = 0
        if equal:
            out = self.unit_equal * sum(starts.count(start) // 2 for start in set(starts))
        if 0 in starts and 3 in starts and 6 in starts:
            out += self.unit_straight
        return out

    def all_pairs(self, keys: tuple[int, ...]) -> tuple[Split, ...] | None:
        """The suits seen as different pairs alone, for seven pairs; None where they are not."""
        out = []
        for suit, key in enumerate(keys):
            counts = key & d.COUNT_MASK
            if counts & _NOT_TWO:
                return None
            codes = tuple(d.PAIR + rank for rank in range(9) if counts >> 3 * rank & 7)
            out.append(self._one(suit, key, d.with_win(codes, key >> d.WIN_SHIFT & 15) or [codes]))
        return tuple(out)

    def all_orphans(self, keys: tuple[int, ...]) -> tuple[Split, ...] | None:
        """The suits seen as parts of thirteen orphans; None where they are not."""
        out = []
        for suit, key in enumerate(keys):
            counts = key & d.COUNT_MASK
            wanted = range(7) if suit == _HONOURS else (0, 8)
            if any(not counts >> 3 * r & 7 for r in wanted) or counts & ~sum(7 << 3 * r for r in wanted):
                return None
            single = self.layout.pack({"wait": WAITS.index("single")}) if key >> d.WIN_SHIFT & 15 else 0
            twice = tuple(d.PAIR + r for r in wanted if counts >> 3 * r & 7 == 2)
            split = Split(self.tile_facts.of(suit, key, ()) + single, 0, twice)
            split.points = split.doubles = ()  # a pair among the orphans is no set and earns nothing
            out.append(split)
        return tuple(out)

    def loose(self, suit: int, key: int) -> Split:
        """A suit of a hand that did not go out: threes and pairs of a kind among the concealed tiles."""
        codes: d.Codes = ()
        for rank in range(9):
            held = key >> 3 * rank & 7
            if held >= 2:
                codes += (d.PUNG + rank if held >= 3 else d.PAIR + rank,)
        return self._one(suit, key, [codes])

    def _one(self, suit: int, key: int, ways: list[d.Codes]) -> Split:
        laid, stand, tail = self._laid(suit, key)
        facts = self.suits[suit].groups.facts
        for code in ways[0]:
            fact = facts[code]
            laid += self.group(suit, code) if fact is None else fact
        return Split(laid, stand, ways[0] + tail)
