"""From a hand to its best reading: suits split through a cache, facts summed, the ruleset's function asked once."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from tenbo import decompose as d
from tenbo.errors import HandError, NotScoredError, Problem, error_for
from tenbo.facts import FORMS, SEATS, WAITS
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
from tenbo.ruleset import Entry, Ruleset
from tenbo.tally import Line, Tally, tally

# Bounds of the caches: what they hold stays under some 30 MB a ruleset.
_SUIT_LIMIT: Final = 6_000
_MEMO_LIMIT: Final = 12_000
_TALLY_LIMIT: Final = 4_000
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


class Engine:
    """Scores hands by one ruleset. Safe to use from threads: its caches only ever gain equal entries."""

    __slots__ = ("caches", "contexts", "program", "refused", "rules", "strict")

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.program = program(rules)
        self.contexts: dict[tuple[str | None, str | None, str | None], Context] = {}
        self.caches: dict[tuple[object, ...], dict[int, Any]] = {}
        self.strict = not (rules.dora and rules.counters)
        self.refused = sum(1 << i for i, flag in enumerate(FLAGS) if flag not in rules.flags)

    def context(self, hand: Hand) -> Context:
        """The context of a hand.

        Raises:
            ReadError: The hand's situation lacks what the rules need, or has what they do not know.
            NotScoredError: The hand did not go out, and the rules do not score losers.
        """
        if (
            hand.by is None
            or hand.seat is None
            or hand.round is None
            or hand._flag_bits & self.refused
            or hand.bonus
            or (self.strict and (hand.dora or hand.ura or hand.honba or hand.sticks))
        ):
            self.check(hand)
        return self.contexts.get((hand.by, hand.seat, hand.round)) or self.context_of(hand.by, hand.seat, hand.round)

    def context_of(self, by: str | None, seat: str | None, round_: str | None) -> Context:
        """The context of a way of going out, a seat and a round; a missing one counts as East."""
        key = (by, seat, round_)
        found = self.contexts.get(key)
        if found is None:
            own, prevailing = (SEATS.index(wind) if wind else 0 for wind in (seat, round_))
            # Suited tiles are worth the same in every seat; what hand entries say depends on the seat or only on East.
            suited = tuple(self.caches.setdefault((by, suit), {}) for suit in range(_HONOURS))
            groups = tuple(self.caches.setdefault((by, suit, "groups"), {}) for suit in range(_HONOURS))
            same = (by, own if self.program.seat_matters else own > 0, prevailing if self.program.round_matters else 0)
            memo, tallies = (self.caches.setdefault((*same, kind), {}) for kind in ("memo", "tallies"))
            found = Context(self.program, by, own, prevailing, (*groups, {}), (*suited, {}), memo, tallies)
            self.contexts[key] = found
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
            message = f"{rules.title} is played without flowers and seasons: take them out"
            out.append(Problem("bad_value", message, "hand"))
        if hand.win is None and not rules.losers and not out:
            message = f"{rules.title} does not score a hand that did not go out; mark the winning tile with +"
            out.append(Problem("not_scored", message, "hand"))
        return out

    def check(self, hand: Hand) -> None:
        """Refuses a hand that these rules have something against.

        Raises:
            ReadError: The hand's situation lacks what the rules need, or has what they do not know.
            NotScoredError: The hand did not go out, and the rules do not score losers.
        """
        problems = self.problems(hand)
        if problems:
            raise error_for(problems)


def readings(hand: Hand, context: Context) -> list[tuple[int, Reading]]:
    """Every reading of a hand, with its packed facts and situation."""
    suits = context.suits
    k = hand._keys
    k0, k1, k2, k3 = k
    a = suits[0].get(k0) or context.suit(0, k0)
    b = suits[1].get(k1) or context.suit(1, k1)
    c = suits[2].get(k2) or context.suit(2, k2)
    z = suits[3].get(k3) or context.suit(3, k3)
    facts = hand._flag_bits | hand._dora << DORA_SHIFT | hand._ura << URA_SHIFT | hand._red << RED_SHIFT
    if hand.bonus:
        for tile in hand.bonus:
            facts |= 1 << BONUS_SHIFT + tile - 34
    if hand.win is None:
        facts += context.loose_form + a.loose.facts + b.loose.facts + c.loose.facts + z.loose.facts
        return [(facts, (LOOSE, a.loose, b.loose, c.loose, z.loose))]
    if context.program.needs_waits:
        facts += _waiting(hand, context)
    out: list[tuple[int, Reading]] = []
    pair = hand._pair_suit
    if pair >= 0:
        zs = z.sets_and_pair if pair == 3 else z.sets
        cs = c.sets_and_pair if pair == 2 else c.sets
        bs = b.sets_and_pair if pair == 1 else b.sets
        for x in a.sets_and_pair if pair == 0 else a.sets:
            for y in bs:
                two, runs = facts + x.facts + y.facts, x.runs & y.runs
                for w in cs:
                    three = two + w.facts
                    if runs & w.runs:
                        if runs & w.runs & 127:
                            three += context.three_chows
                        if runs & w.runs > 127:
                            three += context.three_pungs
                    for v in zs:
                        out.append((three + v.facts, (STANDARD, x, y, w, v)))
    if not hand.melds:
        if a.pairs and b.pairs and c.pairs and z.pairs:
            total = facts + context.pairs_form + a.pairs.facts + b.pairs.facts + c.pairs.facts + z.pairs.facts
            out.append((total, (SEVEN_PAIRS, a.pairs, b.pairs, c.pairs, z.pairs)))
        elif a.orphans and b.orphans and c.orphans and z.orphans:
            total = facts + context.orphans_form
            total += a.orphans.facts + b.orphans.facts + c.orphans.facts + z.orphans.facts
            out.append((total, (THIRTEEN_ORPHANS, a.orphans, b.orphans, c.orphans, z.orphans)))
    return out


def worth(context: Context, facts: int) -> Tally:
    """What a reading with these packed facts is worth."""
    found = context.memo.get(facts)
    if found is None:
        key = context.evaluate(facts, context.seat, context.round)
        found = context.tallies.get(key)
        if found is None:
            found = tally(context.program, context.by, context.seat, key)
            if len(context.tallies) >= _TALLY_LIMIT:
                context.tallies.clear()
            context.tallies[key] = found
        if len(context.memo) >= _MEMO_LIMIT:
            context.memo.clear()
        context.memo[facts] = found
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
