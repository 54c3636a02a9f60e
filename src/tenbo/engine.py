"""From a hand to its best reading: suits split through a cache, facts summed, the ruleset's function asked once."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from tenbo import decompose as d
from tenbo.errors import HandError, NotScoredError, Problem, error_for
from tenbo.facts import FORMS, SEATS
from tenbo.hand import FLAGS, Hand
from tenbo.program import (
    BONUS_SHIFT,
    DORA_SHIFT,
    RED_SHIFT,
    URA_SHIFT,
    Program,
    group_facts,
    program,
    set_facts,
    set_worth,
)
from tenbo.ruleset import Ruleset
from tenbo.tally import Line, Tally, tally

_SUIT_LIMIT: Final = 8_000
_MEMO_LIMIT: Final = 20_000
_HONOURS: Final = 3
_LETTERS: Final = "mpsz"
_TILE_FACTS: Final = ("characters", "dots", "bamboos", "honours")

STANDARD, SEVEN_PAIRS, THIRTEEN_ORPHANS, LOOSE = range(len(FORMS))


class Split(NamedTuple):
    """One way to see a suit: its packed facts, which chows and pungs stand in it (as bits), its group codes."""

    facts: int
    runs: int
    codes: d.Codes


class Suit(NamedTuple):
    """A suit's tiles and sets seen every way: as sets, as sets and a pair, as pairs, as orphans, as a loser's tiles."""

    sets: tuple[Split, ...]
    sets_and_pair: tuple[Split, ...]
    pairs: Split | None
    orphans: Split | None
    loose: Split


Reading = tuple[Split, Split, Split, Split]


class Context:
    """A program for one way of going out, one seat and one round, with its caches."""

    __slots__ = (
        "by",
        "evaluate",
        "groups",
        "layout",
        "lines",
        "memo",
        "orphan_form",
        "orphans",
        "pairs",
        "pairs_form",
        "program",
        "round",
        "seat",
        "suits",
        "tallies",
        "three_chows",
        "three_pungs",
        "waits_shift",
    )

    def __init__(self, program_: Program, by: str | None, seat: int, round_: int) -> None:
        self.program = program_
        self.by, self.seat, self.round = by, seat, round_
        self.layout = layout = program_.layout
        self.evaluate = program_.evaluator(by)
        self.groups: tuple[dict[int, tuple[int, int]], ...] = ({}, {}, {}, {})
        self.lines: tuple[dict[int, tuple[tuple[Line, ...], tuple[Line, ...]]], ...] = ({}, {}, {}, {})
        self.suits: tuple[dict[int, Suit], ...] = ({}, {}, {}, {})
        self.memo: dict[int, Tally] = {}
        self.tallies: dict[int, Tally] = {}
        forms = program_.rules.shapes
        self.pairs, self.orphans = FORMS[SEVEN_PAIRS] in forms, FORMS[THIRTEEN_ORPHANS] in forms
        self.pairs_form = layout.pack({"form": SEVEN_PAIRS})
        self.orphan_form = layout.pack({"form": THIRTEEN_ORPHANS})
        self.three_chows = layout.pack({"three_suit_chows": 1})
        self.three_pungs = layout.pack({"three_suit_pungs": 1})

    def group(self, suit: int, code: int) -> tuple[int, int]:
        """A group's packed facts and its bit among chows (0-6) and pungs (7-15)."""
        found = self.groups[suit].get(code)
        if found is None:
            facts = group_facts(suit, code, self.by, self.seat, self.round)
            worth = set_worth(self.program, set_facts(suit, code, self.by, self.seat, self.round))
            facts["set_points"] = sum(value for entry, value in worth if entry.unit == "points")
            facts["set_doubles"] = sum(value for entry, value in worth if entry.unit == "doubles")
            facts["scoring_sets"] = facts["set_points"] > 0
            rank = min(d.group_tiles(code))
            run = 0
            if facts["chows"]:
                run = 1 << rank - 1
            elif facts["pungs"] or facts["kongs"]:
                run = 1 << rank + 6
            found = self.groups[suit][code] = (self.layout.pack(facts), run if suit < _HONOURS else 0)
        return found

    def group_lines(self, suit: int, code: int) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
        """The lines that a group earns: those of points, those of doubles."""
        found = self.lines[suit].get(code)
        if found is None:
            worth = set_worth(self.program, set_facts(suit, code, self.by, self.seat, self.round))
            tiles = "".join(map(str, sorted(d.group_tiles(code)))) + _LETTERS[suit]
            points = tuple(
                Line(entry.name, tiles, value, None, None, entry.key) for entry, value in worth if entry.unit == "points"
            )
            doubles = tuple(
                Line(entry.name, tiles, None, value, None, entry.key) for entry, value in worth if entry.unit == "doubles"
            )
            found = self.lines[suit][code] = (points, doubles)
        return found

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
            facts, run = group(suit, code)
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
                        facts, run = group(suit, code)
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
        wait = self.layout.pack({"wait": 6}) if win else 0
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


class Engine:
    """Scores hands by one ruleset. Safe to use from threads: its caches only ever gain equal entries."""

    __slots__ = ("contexts", "program", "refused", "rules")

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.program = program(rules)
        self.contexts: dict[tuple[str | None, str | None, str | None], Context] = {}
        self.refused = sum(1 << i for i, flag in enumerate(FLAGS) if flag not in rules.flags)

    def context(self, hand: Hand) -> Context:
        """The context of a hand.

        Raises:
            ReadError: The hand's situation lacks what the rules need (`missing_field`).
            NotScoredError: The hand did not go out, and the rules do not score losers.
        """
        found = self.contexts.get((hand.by, hand.seat, hand.round))
        if found is None:
            problems = self.problems(hand)
            if problems:
                raise error_for(problems)
            found = self.context_of(hand.by, hand.seat, hand.round)
        return found

    def context_of(self, by: str | None, seat: str | None, round_: str | None) -> Context:
        """The context of a way of going out, a seat and a round; a missing one counts as East."""
        key = (by, seat, round_)
        found = self.contexts.get(key)
        if found is None:
            places = (SEATS.index(wind) if wind else 0 for wind in (seat, round_))
            found = self.contexts[key] = Context(self.program, by, *places)
        return found

    def problems(self, hand: Hand) -> list[Problem]:
        """What these rules have against a hand, beyond what is wrong with it by itself (`Hand.problems`)."""
        out = list(hand.problems())
        rules = self.rules
        if hand.seat is None:
            out.append(Problem("missing_field", "say where the player sits: seat E, S, W or N", "seat"))
        if hand.round is None and self.program.needs_round:
            out.append(Problem("missing_field", "say the round: E, S, W or N", "round"))
        for i, flag in enumerate(FLAGS):
            if self.refused & hand._flag_bits & 1 << i:
                known = ", ".join(rules.flags) or "none"
                out.append(Problem("bad_value", f"{rules.title} knows no flag '{flag}' (it knows: {known})", flag))
        for name in ("dora", "ura"):
            if getattr(hand, name) and not rules.dora:
                out.append(Problem("bad_value", f"{rules.title} knows no dora: leave '{name}' out", name))
        for name in ("honba", "sticks"):
            if getattr(hand, name) and not rules.counters:
                out.append(Problem("bad_value", f"{rules.title} knows no counters and bets: leave '{name}' out", name))
        if hand.bonus and not rules.bonus_tiles:
            out.append(Problem("bad_value", f"{rules.title} is played without flowers and seasons: take them out", "hand"))
        if hand.win is None and not rules.losers and not out:
            message = f"{rules.title} does not score a hand that did not go out; mark the winning tile with +"
            out.append(Problem("not_scored", message, "hand"))
        return out

    def readings(self, hand: Hand, context: Context) -> list[tuple[int, int, Reading]]:
        """Every reading of a hand: its packed facts, its form and its four suits."""
        k = hand._keys
        a, b, c, z = (context.suit(i, k[i]) for i in range(4))
        if hand.win is None:
            loose = (a.loose, b.loose, c.loose, z.loose)
            return [(sum(s.facts for s in loose) + context.layout.pack({"form": LOOSE}), LOOSE, loose)]
        out: list[tuple[int, int, Reading]] = []
        waits = _waiting(hand, context) if context.program.needs_waits else 0
        pair = hand._pair_suit
        if pair >= 0:
            ways = (a[pair == 0], b[pair == 1], c[pair == 2], z[pair == 3])
            for reading in product(*ways):
                x, y, w, v = reading
                facts = x[0] + y[0] + w[0] + v[0] + waits
                runs = x[1] & y[1] & w[1]
                if runs:
                    facts += (context.three_chows if runs & 127 else 0) + (context.three_pungs if runs > 127 else 0)
                out.append((facts, STANDARD, reading))
        if not hand.melds:
            if a.pairs and b.pairs and c.pairs and z.pairs:
                seven = (a.pairs, b.pairs, c.pairs, z.pairs)
                out.append((sum(s.facts for s in seven) + waits + context.pairs_form, SEVEN_PAIRS, seven))
            elif a.orphans and b.orphans and c.orphans and z.orphans:
                all_ = (a.orphans, b.orphans, c.orphans, z.orphans)
                out.append((sum(s.facts for s in all_) + waits + context.orphan_form, THIRTEEN_ORPHANS, all_))
        return out

    def tally(self, context: Context, hand: Hand, facts: int) -> Tally:
        """What a reading is worth."""
        bonus = hand.bonus
        situation = (
            hand._flag_bits | hand._dora << DORA_SHIFT | hand._ura << URA_SHIFT | hand._red << RED_SHIFT
        )
        if bonus:
            for tile in bonus:
                situation |= 1 << BONUS_SHIFT + tile - 34
        key = facts << 36 | situation
        found = context.memo.get(key)
        if found is None:
            k = context.evaluate(facts, situation, context.seat, context.round)
            found = context.tallies.get(k)
            if found is None:
                found = tally(context.program, context.by, context.seat, k)
                if len(context.tallies) >= _MEMO_LIMIT:
                    context.tallies.clear()
                context.tallies[k] = found
            if len(context.memo) >= _MEMO_LIMIT:
                context.memo.clear()
            context.memo[key] = found
        return found


@lru_cache(maxsize=128)
def engine(rules: Ruleset) -> Engine:
    """The engine of a ruleset, made once."""
    return Engine(rules)


# ---------------------------------------------------------------------------------------------------------- the waits


def waiting(hand: Hand, *, pairs: bool, orphans: bool) -> tuple[set[int], set[int]]:
    """The kinds that complete a hand one tile short.

    Args:
        hand: A hand; its winning tile, if it has one, is left out.
        pairs: Whether seven pairs complete a hand.
        orphans: Whether thirteen orphans do.

    Returns:
        All those kinds (0-33), and those of which the player does not hold all four.
    """
    counts, held = [], []
    for key in hand._keys:
        win = key >> d.WIN_SHIFT & 15
        inner = key & d.COUNT_MASK
        if win:
            inner -= 1 << 3 * (win - 1)
        counts.append(inner)
        outer = [inner >> 3 * rank & 7 for rank in range(9)]
        rest = key >> d.MELD_SHIFT
        while rest:
            for rank in d.group_tiles(d.MELD + (rest & 63)):
                outer[rank - 1] += 1
            rest >>= 6
        held += outer
    found: set[int] = set()
    sizes = [sum(inner >> 3 * rank & 7 for rank in range(9)) % 3 for inner in counts]
    lone = [i for i in range(4) if sizes[i] == 1]
    twos = [i for i in range(4) if sizes[i] == 2]
    if len(lone) == 1 and not twos:
        _fill(found, counts, lone[0], True, ())
    elif len(twos) == 2 and not lone:
        _fill(found, counts, twos[0], False, (twos[1],))
        _fill(found, counts, twos[1], False, (twos[0],))
    if not hand.melds:
        all_ = [inner >> 3 * rank & 7 for inner in counts for rank in range(9)]
        if pairs and all(n <= 2 for n in all_) and sum(n == 2 for n in all_) == 6:
            found.add(next(i for i, n in enumerate(all_) if n == 1))
        if orphans:
            wanted = [0, 8, 9, 17, 18, 26, *range(27, 34)]
            have = [i for i in wanted if all_[i]]
            if sum(all_[i] for i in wanted) == 13 and len(have) >= 12:
                found |= set(wanted) if len(have) == 13 else set(wanted) - set(have)
    return found, {kind for kind in found if held[kind] < 4}


def _fill(found: set[int], counts: list[int], suit: int, pair: bool, with_pair: tuple[int, ...]) -> None:
    """Adds the kinds of one suit that complete it, if all other suits are complete."""
    for other in range(4):
        if other != suit:
            ways = d.sets_and_pair if other in with_pair else d.sets
            if not ways(counts[other], other == _HONOURS):
                return
    bits = d.fills(counts[suit], suit == _HONOURS, pair)
    found |= {9 * suit + rank for rank in range(9) if bits >> rank & 1}


def _waiting(hand: Hand, context: Context) -> int:
    """The packed facts about the kinds that would have completed the hand."""
    every, left = waiting(hand, pairs=context.pairs, orphans=context.orphans)
    return context.layout.pack({"waiting_kinds": min(len(every), 15), "waiting_kinds_left": len(left)})


def no_reading(rules: Ruleset) -> HandError:
    """The error for tiles that cannot be seen as a complete hand."""
    shapes = [shape.name.lower() for key, shape in rules.shapes.items() if key != FORMS[LOOSE]]
    message = f"the tiles do not make a complete hand: {rules.title} knows {', or '.join(shapes)}"
    return HandError([Problem("not_winning", message, "hand")])


def below_minimum(rules: Ruleset, best: Tally) -> NotScoredError:
    """The error for a complete hand that may not go out."""
    unit = rules.words.get("doubles", "doubles")
    message = f"this hand may not go out: {best.toward_minimum} of {rules.minimum} {unit}"
    if rules.minimum_text:
        message += f" ({rules.minimum_text})"
    return NotScoredError([Problem("not_scored", message, "hand")])
