"""Hands that went out: from columns to the readings of each, with their facts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tenbo.batch.columns import NONE, SETS, WIN, Hands
from tenbo.batch.compiled import Compiled
from tenbo.batch.copies import copies
from tenbo.batch.facts import Facts
from tenbo.batch.splits import (
    FILLED,
    ORPHANS_BIT,
    PAIRS_BIT,
    ROW_AT,
    ROW_MASK,
    TWO_BIT,
    WAYS_MASK,
    Suits,
)
from tenbo.batch.waits import waiting
from tenbo.batch.weights import (
    CODE_BITS,
    COUNT_AT,
    VARIANTS,
    WIN_CODES,
    kind_shifts,
    meld_pairs,
    tile_pairs,
    tile_words,
)
from tenbo.engine import SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS
from tenbo.facts import FORMS
from tenbo.situation import ALWAYS, EXPOSED, HELD, MOST_COUNTERS, NO_KONG, ON_TABLE

I64 = npt.NDArray[np.int64]
Column = npt.NDArray[Any]


@dataclass(slots=True)
class Readings:
    """Readings of hands: first one of each hand, then the others.

    Attributes:
        at: By suit, where each reading's row lies in the suit's tables for its place; empty for losers.
        form: Each reading's form.
        others: The hands of the readings beyond the first of each, in order but for the last `special`.
        special: How many of these are of another form than the hand's first.
        facts: Their facts.
        bad: Hands that are faulty by themselves, or perhaps; what else is said of these is without meaning.
        none: Hands without a reading.
        payer: Each hand's payer index (see `money`).
        laid: Where the sets on the table are looked up, as in `Table`.
        entries: The set entries of losers' concealed tiles; None for those who went out.
    """

    at: list[Column]
    form: Column
    others: Column
    special: int
    facts: Facts
    bad: Column
    none: Column
    payer: Column
    laid: list[tuple[Column | None, Column]]
    entries: Column | None = None


def fields(hands: Hands, winner: bool) -> tuple[list[Column], Column]:
    """By suit the code and, above it, the variant of the concealed tiles (see `weights`); and how many they are."""
    pairs, last = tile_pairs()
    *plain, won = np.ascontiguousarray(hands.tiles.view("<u2").T)
    total = (last if winner else pairs).take(won, axis=0)
    more = np.empty_like(total)
    for each in plain:
        np.take(pairs, each, axis=0, out=more, mode="clip")
        total += more
    found = [np.ascontiguousarray(total.view(np.int32)[:, suit]) for suit in range(4)]
    count = found[3] >> COUNT_AT
    found[3] &= (1 << COUNT_AT) - 1
    return found, count


def _slots(suits: list[Suits], fields: list[Column]) -> tuple[list[Column], list[Column], Column]:
    """Each suit's slot number and slot, met if they were not, and the bits that all four slots have."""

    def look() -> tuple[list[Column], list[Column], Column]:
        at = []
        for suit, field, bits in zip(suits, fields, CODE_BITS, strict=True):
            number = suit.numbers.shifted.take(field & (1 << bits) - 1)
            number |= field >> bits
            at.append(number)
        found = [suit.slots.take(number, mode="clip") for suit, number in zip(suits, at, strict=True)]
        return at, found, found[0] & found[1] & found[2] & found[3]

    at, found, common = look()
    if len(common) and common.min() < FILLED:
        for suit, field, bits, slot, number in zip(suits, fields, CODE_BITS, found, at, strict=True):
            new = np.unique(field[(slot == 0) | (number >> VARIANTS == 0)])
            suit.meet((new & (1 << bits) - 1).tolist(), (new >> bits).tolist())
        for suit in suits:
            suit.fit()
        at, found, common = look()
    return at, found, common


@dataclass(slots=True)
class Table:
    """What lies on the table.

    Attributes:
        facts: Its facts, as 64-bit numbers.
        words: Its words, as in `weights.meld_pairs`.
        sets, exposed, kongs: How many sets, exposed ones and kongs.
        places: Where tables by place and set are looked up: for the first set of every hand, and for the second, third
            and fourth where there are, which hands these are.
    """

    facts: Column
    words: I64
    sets: Column
    exposed: Column
    kongs: Column
    places: list[tuple[Column | None, Column]]


def table(hands: Hands, place: Column, melds: Column) -> Table:
    """What lies on the table, looked up in the rows of sets `melds` (see `groups.meld_rows`)."""
    facts, pairs = melds.view(np.uint64), meld_pairs()
    at = place << 8
    numbers = np.ascontiguousarray(hands.melds)
    together, halves = numbers.view("<u4")[:, 0], numbers.view("<u2")
    total = pairs.take(halves[:, 0], axis=0, mode="clip")
    some = (together > 0xFFFF).nonzero()[0]
    merge_rows(total, some, pairs.take(halves[some, 1], axis=0, mode="clip"))
    places: list[tuple[Column | None, Column]] = [(None, at | numbers[:, 0])]
    laid = facts.take(places[0][1], axis=0, mode="clip")
    for i in range(1, SETS):
        some = ((together & np.uint32(255 << 8 * i)) != 0).nonzero()[0]
        if 4 * len(some) > len(at):
            places.append((None, at | numbers[:, i]))
            laid += facts.take(places[-1][1], axis=0, mode="clip")
        elif len(some):
            places.append((some, at[some] | numbers[some, i]))
            merge_rows(laid, some, facts.take(places[-1][1], axis=0, mode="clip"))
    sets, exposed, kongs = (total.view(np.uint8)[:, byte].copy() for byte in (16, 17, 18))
    return Table(laid, total, sets, exposed, kongs, places)


def merge_rows(out: Column, at: Column, rows: Column, merge: np.ufunc = np.add) -> None:
    """Adds rows to some rows of a table; faster than by a list of places, since rows are moved whole."""
    whole = np.dtype((np.void, out.itemsize * out.shape[1]))
    kept = out.view(whole)[:, 0]
    some = kept.take(at).view(out.dtype).reshape(rows.shape)
    merge(some, rows, out=some)
    kept[at] = some.view(whole)[:, 0]


def read(c: Compiled, hands: Hands) -> Readings:
    """Finds every reading of hands that went out.

    Args:
        c: The compiled ruleset.
        hands: Some hands whose `by` is 0 or 1.
    """
    suits, tiles = fields(hands, True)
    numbers, slots, common = _slots(c.suits, suits)
    seat, round_, bad = seats(c, hands)
    by = hands.by & 1
    place = (by << 4 | seat << 2 | round_).astype(np.int32)
    t = table(hands, place, c.melds[0])
    laid = 3 * t.sets
    bad |= tiles + laid != 14
    at, form, extra, special, none = _arrange(c, place, numbers, slots, common, ~bad, t.sets == 0)

    def spread(column: Column) -> Column:
        return np.concatenate([column, column[extra]]) if len(extra) else column

    lanes = _add(c, at, t.facts, extra)
    octal = [suit.numbers.octal.take(number >> VARIANTS) for suit, number in zip(c.suits, numbers, strict=True)]
    octal[1] <<= 27
    octal[3] <<= 27
    first, second = octal[0], octal[2]
    first |= octal[1]
    second |= octal[3]
    first += t.words[:, 0]
    second += t.words[:, 1]
    known = {"by": by, "seat": seat, "round": round_, "flags": hands.flags, "bonus": hands.bonus}
    facts = Facts(c.lanes, c.lanes.turn(lanes), known, spread, form, (first, second))
    bad |= copies(hands, first, second, tiles + (laid + t.kongs), c, known)
    bad |= _situation(c, hands, t, first, second)
    if c.program.needs_waits:
        known |= _waits(c, suits, first, second, hands, t.sets == 0)
    payer = (place >> 2) * 5 + np.minimum(hands.from_, 4)
    return Readings(at, form, extra, special, facts, bad, none, payer, t.places)


def seats(c: Compiled, hands: Hands) -> tuple[Column, Column, Column]:
    """Seats, rounds (East where none is said), and where one is missing or stands for nothing."""
    bad = hands.seat > 3
    seat: Column = hands.seat & 3 if bad.any() else hands.seat
    unsaid = hands.round > 3
    if not unsaid.any():
        return seat, hands.round, bad
    bad |= unsaid & ((hands.round != NONE) | c.program.needs_round)
    return seat, np.where(unsaid, 0, hands.round).astype(np.uint8), bad


def _arrange(
    c: Compiled,
    place: Column,
    numbers: list[Column],
    slots: list[Column],
    common: Column,
    sound: Column,
    bare: Column,
) -> tuple[list[Column], Column, Column, int, Column]:
    """Lists every reading, first one of each hand, then the others.

    Args:
        c: The compiled ruleset.
        place: How each hand went out and where (see `groups`).
        numbers: Each suit's slot number, as from `_slots`.
        slots: Each suit's slot.
        common: The bits that all four slots have.
        sound: Hands without a fault so far; of others only one reading is looked at.
        bare: Hands with nothing on the table.

    Returns:
        As in `Readings`: `at`, `form`, `others`, `special` and `none`.
    """
    total = (slots[0] & WAYS_MASK) * (slots[1] & WAYS_MASK) * (slots[2] & WAYS_MASK) * (slots[3] & WAYS_MASK)
    total *= (common & TWO_BIT) == 0
    form = np.zeros(len(total), np.int8)
    special = np.flatnonzero(common & (PAIRS_BIT | ORPHANS_BIT) != 0)
    special = special[bare[special] & sound[special]]
    forms = np.where(common[special] & PAIRS_BIT, SEVEN_PAIRS, THIRTEEN_ORPHANS).astype(np.int8)
    alone = total[special] == 0
    only = special[alone]
    form[only] = forms[alone]
    special, forms = special[~alone], forms[~alone]
    none = (total == 0) & (form == STANDARD)
    hand, ways = _unfold(slots, np.flatnonzero((total > 1) & sound), total)
    extra = np.concatenate([hand, special])
    form = np.concatenate([form, np.zeros(len(hand), np.int8), forms])
    places, at = np.concatenate([place, place[extra]]), []
    by_places = places >> 4
    for suit, slot, number, way in zip(c.suits, slots, numbers, ways, strict=True):
        first = slot >> ROW_AT
        first &= ROW_MASK
        first[only] = suit.alone.take(number[only])
        rows = np.concatenate([first, first[hand] + way, suit.alone.take(number[special])])
        rows *= np.int32(suit.places)
        rows += places if suit.places > 2 else by_places
        at.append(rows)
    return at, form, extra, len(special), none


def _unfold(slots: list[Column], many: Column, total: Column) -> tuple[Column, list[Column]]:
    """The hands of all readings but the first, and these readings' ways, by suit, in the order of their text."""
    times = total[many] - 1
    hand = np.repeat(many, times)
    ends = np.cumsum(times)
    number = (np.arange(1, len(hand) + 1) - np.repeat(ends - times, times)).astype(np.int32)
    ways: list[Column] = [number] * 4
    for suit in (3, 2, 1):
        size = slots[suit][hand] & WAYS_MASK
        number, ways[suit] = np.divmod(number, size)
    ways[0] = number
    return hand, ways


def _add(c: Compiled, at: list[Column], laid: Column, extra: Column) -> Any:
    """The facts of each reading: the rows of four suits and what lies on the table of its hand."""
    out, more = (np.empty((len(at[0]), laid.shape[1]), laid.dtype) for _ in range(2))
    for suit, place in zip(c.suits, at, strict=True):
        np.take(suit.rows.view(np.uint64), place, axis=0, out=more if suit.suit else out, mode="clip")
        if suit.suit:
            out += more
    out[: len(laid)] += laid
    if len(extra):
        out[len(laid) :] += laid.take(extra, axis=0)
    return out


def _situation(c: Compiled, hands: Hands, t: Table, first: I64, second: I64) -> Column:
    """Where the situation clashes with the hand or with the rules."""
    bad = hands.flags > 127
    clash = c.clashes.take((hands.by & 1) << 7 | hands.flags & 127, mode="clip")
    bad |= (clash & EXPOSED != 0) & (t.exposed != 0)
    at = np.flatnonzero(clash & (~EXPOSED & 255) != 0)
    if len(at):
        have = np.full(len(at), ALWAYS, np.uint8)
        have |= (t.sets[at] != 0).view(np.uint8) * np.uint8(ON_TABLE)
        have |= (t.kongs[at] == 0).view(np.uint8) * np.uint8(NO_KONG)
        win = hands.tiles[at, WIN]
        shift_first, shift_second = kind_shifts()
        copies = (first[at] >> shift_first[win] & 7) + (second[at] >> shift_second[win] & 7)
        have |= (copies != 1).view(np.uint8) * np.uint8(HELD)
        bad[at] |= clash[at] & have != 0
    named = hands.from_ != NONE
    if named.any():
        bad |= named & ((hands.from_ > 3) | (hands.by == 1) | (hands.from_ == hands.seat))
    for column in (hands.honba, hands.sticks):
        if column.any():
            bad |= column > (MOST_COUNTERS if c.rules.counters else 0)
    if not c.rules.bonus_tiles and hands.bonus.any():
        bad |= hands.bonus != 0
    return bad


def _waits(
    c: Compiled, suits: list[Column], first: I64, second: I64, hands: Hands, closed: Column
) -> dict[str, Column]:
    """How many kinds would have completed each hand."""
    win = hands.tiles[:, WIN]
    own = tile_words().take(win, axis=0)
    codes = []
    for field, bits, weights in zip(suits, CODE_BITS, WIN_CODES, strict=True):
        codes.append((field & (1 << bits) - 1) - weights.take(win))
    held_first, held_second = first - own[:, 0], second - own[:, 1]
    half = (1 << 27) - 1
    held = [held_first & half, held_first >> 27, held_second & half, held_second >> 27]
    shapes = c.rules.shapes
    every, left = waiting(c.fills, codes, held, closed, FORMS[SEVEN_PAIRS] in shapes, FORMS[THIRTEEN_ORPHANS] in shapes)
    return {"waiting_kinds": np.minimum(every, 15).astype(np.int8), "waiting_kinds_left": left.astype(np.int8)}
