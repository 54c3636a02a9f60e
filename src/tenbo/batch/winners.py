"""Hands that went out: from columns to the readings of each, with their facts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tenbo.batch.columns import INDICATORS, MELDS, NONE, SETS, WIN, Hands
from tenbo.batch.compiled import Compiled
from tenbo.batch.facts import Facts
from tenbo.batch.lanes import COUNT, RUNS
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
    CODE_MASKS,
    COUNT_AT,
    FIELD,
    MELD_CHOW,
    MELD_KONG,
    MELD_OPEN,
    VARIANTS,
    WIN_CODES,
    dora_shifts,
    kind_shifts,
    meld_octal,
    tile_octal,
    tile_pairs,
)
from tenbo.engine import SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS
from tenbo.facts import FORMS
from tenbo.situation import ALWAYS, EXPOSED, HELD, MOST_COUNTERS, NO_KONG, ON_TABLE

I64 = npt.NDArray[np.int64]
Column = npt.NDArray[Any]

_FIELD_MASK = (1 << FIELD) - 1
_ONES, _TWOS, _FOURS = (digit * 0o111111111_111111111_111 for digit in (1, 2, 4))


@dataclass(slots=True)
class Readings:
    """Readings of hands: first one of each hand, then the others.

    Attributes:
        rows: By suit, each reading's row in the suit's tables.
        form: Each reading's form.
        others: The hands of the readings beyond the first of each, in order but for the last `special`.
        special: How many of these are of another form than the hand's first.
        facts: Their facts.
        bad: Hands that are faulty by themselves, or perhaps; what else is said of these is without meaning.
        none: Hands without a reading.
        payer: Each hand's payer index (see `money`).
        entries: Gives the set entries of readings, one of each hand, from their rows.
    """

    rows: list[Column]
    form: Column
    others: Column
    special: int
    facts: Facts
    bad: Column
    none: Column
    payer: Column
    entries: Callable[[list[Column]], Column]


def sums(hands: Hands) -> tuple[I64, I64]:
    """The tiles' two integers, as in `weights`."""
    pairs, last = tile_pairs()
    tiles = hands.tiles.view("<u2")
    total = last.take(tiles[:, 6], axis=0)
    more = np.empty_like(total)
    for i in range(6):
        np.take(pairs, tiles[:, i], axis=0, out=more, mode="clip")
        total += more
    return np.ascontiguousarray(total[:, 0]), np.ascontiguousarray(total[:, 1])


def _slots(suits: list[Suits], fields: list[I64]) -> tuple[list[Column], list[Column], Column]:
    """Each suit's slot number and slot, met if they were not, and the bits that all four slots have."""
    codes = [field & mask for field, mask in zip(fields, CODE_MASKS, strict=True)]
    variants = [(field >> bits).astype(np.int32) for field, bits in zip(fields, CODE_BITS, strict=True)]

    def look() -> tuple[list[Column], list[Column], Column]:
        at = []
        for suit, code, variant in zip(suits, codes, variants, strict=True):
            number = suit.numbers.shifted.take(code)
            number |= variant
            at.append(number)
        found = [suit.slots.take(number, mode="clip") for suit, number in zip(suits, at, strict=True)]
        return at, found, found[0] & found[1] & found[2] & found[3]

    at, found, common = look()
    if len(common) and common.min() < FILLED:
        for suit, slot, code, variant, number in zip(suits, found, codes, variants, at, strict=True):
            new = np.flatnonzero((slot == 0) | (number >> VARIANTS == 0))
            if len(new):
                keys = np.unique(code[new] << VARIANTS | variant[new])
                suit.meet((keys >> VARIANTS).tolist(), (keys & (1 << VARIANTS) - 1).tolist())
        for suit in suits:
            suit.fit()
        at, found, common = look()
    return at, found, common


def read(c: Compiled, hands: Hands) -> Readings:
    """Finds every reading of hands that went out.

    Args:
        c: The compiled ruleset.
        hands: Some hands whose `by` is 0 or 1.
    """
    count = len(hands)
    a, b = sums(hands)
    fields = [a & _FIELD_MASK, a >> FIELD, b & _FIELD_MASK, b >> FIELD & (1 << COUNT_AT - FIELD) - 1]
    at, slots, common = _slots(c.suits, fields)
    seat, round_ = hands.seat & 3, np.where(hands.round == NONE, 0, hands.round & 3)
    place = ((hands.by & 1).astype(np.int32) << 4) | (seat << 2).astype(np.int32) | round_
    laid, words, melds, bad = table(c, hands, place, c.melds)
    bad |= b >> COUNT_AT != 14 - 3 * melds.astype(np.int64)
    bad |= (hands.seat > 3) | ((hands.round > 3) & ((hands.round != NONE) | c.program.needs_round))
    total = (slots[0] & WAYS_MASK) * (slots[1] & WAYS_MASK) * (slots[2] & WAYS_MASK) * (slots[3] & WAYS_MASK)
    total[(common & TWO_BIT) != 0] = 0
    rows = [slot >> ROW_AT & ROW_MASK for slot in slots]
    form = np.zeros(count, np.int8)
    special = np.flatnonzero((common & (PAIRS_BIT | ORPHANS_BIT) != 0) & (melds == 0) & ~bad)
    more_rows: list[list[Column]] = [[], [], [], []]
    others: list[Column] = []
    if len(special):
        forms = np.where(common[special] & PAIRS_BIT, SEVEN_PAIRS, THIRTEEN_ORPHANS).astype(np.int8)
        alone = total[special] == 0
        only, too = special[alone], special[~alone]
        for suit in range(4):
            rows[suit][only] = c.suits[suit].alone.take(at[suit][only])
        form[only] = forms[alone]
        special, forms = too, forms[~alone]
    none = (total == 0) & (form == STANDARD)
    many = np.flatnonzero((total > 1) & ~bad)
    if len(many):
        hand, offsets = _unfold(slots, many, total)
        others.append(hand)
        for suit in range(4):
            more_rows[suit].append(rows[suit][hand] + offsets[suit])
    form_parts = [form, *(np.zeros(len(hand), np.int8) for hand in others)]
    if len(special):
        others.append(special)
        form_parts.append(forms)
        for suit in range(4):
            more_rows[suit].append(c.suits[suit].alone.take(at[suit][special]))
    extra = np.concatenate(others) if others else np.zeros(0, np.int64)
    if others:
        rows = [np.concatenate([one, *more]) for one, more in zip(rows, more_rows, strict=True)]
        form = np.concatenate(form_parts)

    def spread(column: Column) -> Column:
        return np.concatenate([column, column[extra]]) if len(extra) else column

    lanes = _add(c, rows, laid, place, extra)
    tiles = [c.suits[suit].numbers.octal.take(at[suit] >> VARIANTS) for suit in range(4)]
    first, second = tiles[0] | tiles[1] << 27, tiles[2] | tiles[3] << 27
    first += words[:, 0]
    second += words[:, 1]
    lanes_count = c.lanes.get(lanes[:count], COUNT)
    bad |= (lanes_count != (b >> COUNT_AT)) & ~none
    known = {"by": hands.by, "seat": seat, "round": round_, "flags": hands.flags, "bonus": hands.bonus}
    bad |= copies(hands, first, second, b >> COUNT_AT, melds, c, known)
    bad |= _situation(c, hands, melds, first, second)
    if c.program.needs_waits:
        known |= _waits(c, fields, first, second, hands, melds)
    facts = Facts(c.lanes, lanes, known, spread, form, (first, second))
    _merge_chows(c, hands, facts, rows, extra)
    payer = (place >> 2) * 5 + np.minimum(hands.from_, 4)

    def entries(rows: list[Column]) -> Column:
        out = np.zeros((count, c.words), np.uint64)
        for suit in range(4):
            table = c.suits[suit]
            out |= table.entries.take(rows[suit] * table.places + (place if suit == 3 else place >> 4), axis=0)
        for i in range(SETS):
            some = np.flatnonzero(hands.melds[:, i])
            out[some] |= c.melds[1][place[some] << 8 | hands.melds[some, i]]
        return out

    return Readings(rows, form, extra, len(special), facts, bad, none, payer, entries)


def table(c: Compiled, hands: Hands, place: Column, melds_: Any) -> tuple[Column, I64, Column, Column]:
    """What lies on the table: facts, copies of each kind, how many sets; and where a number stands for nothing."""
    numbers = hands.melds
    melds = np.zeros(len(hands), np.uint8)
    facts, octal = melds_[0].view(np.uint16), meld_octal()
    laid = np.zeros((len(hands), c.lanes.width // 2), np.uint16)
    words = np.zeros((len(hands), 2), np.int64)
    bad = np.zeros(len(hands), np.bool_)
    for i in range(SETS):
        at = np.flatnonzero(numbers[:, i])
        if len(at):
            number = numbers[at, i]
            melds[at] += 1
            laid[at] += facts[place[at] << 8 | number]
            words[at] += octal[number]
            if number.max() >= len(MELDS):
                bad[at[number >= len(MELDS)]] = True
    return laid, words, melds, bad


def _unfold(slots: list[Column], many: Column, total: Column) -> tuple[Column, list[Column]]:
    """The hands of all readings but the first, and these readings' ways, by suit, in the order of their text."""
    times = total[many] - 1
    hand = np.repeat(many, times)
    ends = np.cumsum(times)
    number = np.arange(1, len(hand) + 1) - np.repeat(ends - times, times)
    ways: list[Column] = [number] * 4
    for suit in (3, 2, 1):
        size = slots[suit][hand] & WAYS_MASK
        number, ways[suit] = np.divmod(number, size)
    ways[0] = number
    return hand, ways


def _add(c: Compiled, rows: list[Column], laid: Column, place: Column, extra: Column) -> Any:
    """The facts of each reading: what lies on the table and the rows of four suits."""
    by = place >> 4
    if len(extra):
        laid, place, by = np.concatenate([laid, laid[extra]]), np.concatenate([place, place[extra]]), None
        by = place >> 4
    out = laid
    more = np.empty_like(out)
    for suit in range(4):
        table, places = c.suits[suit].rows, c.suits[suit].places
        at = rows[suit] * places
        at += place if suit == 3 else by
        np.take(table.view(np.uint16), at, axis=0, out=more, mode="clip")
        out += more
    return out.view(np.uint8)


def copies(
    hands: Hands, first: I64, second: I64, concealed: I64, melds: Column, c: Compiled, known: dict[str, Column]
) -> Column:
    """Where there are too many copies of a kind, the indicators included; also how many tiles are dora."""
    octal, (shift_first, shift_second) = tile_octal(), dora_shifts()
    all_first, all_second = first.copy(), second.copy()
    tiles = concealed + 3 * melds
    for i in range(SETS):
        if hands.melds[:, i].any():
            tiles += MELD_KONG[hands.melds[:, i]]
    bad = np.zeros(len(hands), np.bool_)
    for name in ("dora", "ura"):
        codes = getattr(hands, name)
        dora = np.zeros(len(hands), np.uint8)
        for i in range(INDICATORS):
            column = codes[:, i]
            at = np.flatnonzero(column != NONE)
            if not len(at):
                continue
            if not c.rules.dora:
                bad[at] = True
                continue
            code = column[at]
            added = octal[code]
            all_first[at] += added[:, 0]
            all_second[at] += added[:, 1]
            tiles[at] += 1
            copies = (first[at] >> shift_first[code] & 7) + (second[at] >> shift_second[code] & 7)
            dora[at] += copies.astype(np.uint8)
        known[name] = dora
    digits = np.zeros(len(hands), np.int64)
    for word in (all_first, all_second):
        fours = word & _FOURS
        bad |= fours & (word << 1 | word << 2) != 0
        digits += np.bitwise_count(word & _ONES)
        digits += 2 * np.bitwise_count(word & _TWOS)
        digits += 4 * np.bitwise_count(fours)
    bad |= digits != tiles
    return bad


def _situation(c: Compiled, hands: Hands, melds: Column, first: I64, second: I64) -> Column:
    """Where the situation clashes with the hand or with the rules."""
    bad = hands.flags >> 7 != 0
    clash = c.clashes.take((hands.by & 1).astype(np.int16) << 7 | (hands.flags & 127))
    at = np.flatnonzero(clash)
    if len(at):
        have = np.where(melds[at] > 0, ON_TABLE | ALWAYS, ALWAYS).astype(np.uint8)
        have |= MELD_OPEN[hands.melds[at]].any(axis=1).view(np.uint8) * np.uint8(EXPOSED)
        have |= (~MELD_KONG[hands.melds[at]].any(axis=1)).view(np.uint8) * np.uint8(NO_KONG)
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


def _waits(c: Compiled, fields: list[I64], first: I64, second: I64, hands: Hands, melds: Column) -> dict[str, Column]:
    """How many kinds would have completed each hand."""
    win = hands.tiles[:, WIN]
    weight_first, weight_second = tile_octal()[win].T
    codes = [field & mask for field, mask in zip(fields, CODE_MASKS, strict=True)]
    for suit, code in enumerate(codes):
        code -= WIN_CODES[suit][win]
    held_first, held_second = first - weight_first, second - weight_second
    half = (1 << 27) - 1
    held = [held_first & half, held_first >> 27, held_second & half, held_second >> 27]
    shapes = c.rules.shapes
    every, left = waiting(
        c.fills, codes, held, melds == 0, FORMS[SEVEN_PAIRS] in shapes, FORMS[THIRTEEN_ORPHANS] in shapes
    )
    return {"waiting_kinds": np.minimum(every, 15).astype(np.int8), "waiting_kinds_left": left.astype(np.int8)}


def _merge_chows(c: Compiled, hands: Hands, facts: Facts, rows: list[Column], extra: Column) -> None:
    """Puts right the facts about several chows where some lie on the table."""
    wanted = c.lanes.names & {"equal_chow_pairs", "straights", RUNS[0]}
    if not wanted:
        return
    laid = MELD_CHOW[hands.melds].any(axis=1)
    if not laid.any():
        return
    at = np.flatnonzero(np.concatenate([laid, laid[extra]]) if len(extra) else laid)
    melds = hands.melds[np.where(at < len(hands), at, extra[np.maximum(at - len(hands), 0)]) if len(extra) else at]
    equal = np.zeros(len(at), np.int8)
    straights = np.zeros(len(at), np.int8)
    common: Any = _CHOWS
    for suit in range(3):
        counts = c.suits[suit].chows.take(rows[suit][at])
        for i in range(SETS):
            counts += c.melds[2][melds[:, i], suit]
        pairs = counts >> 1 & _CHOWS
        equal += np.bitwise_count(pairs).view(np.int8)
        equal += np.bitwise_count(counts >> 2 & _CHOWS).view(np.int8) * 2
        present = (counts | counts >> 1 | counts >> 2) & _CHOWS
        straights += (present & _STRAIGHT) == _STRAIGHT
        common = common & present
    if "equal_chow_pairs" in c.lanes.names:
        facts.change("equal_chow_pairs", at, equal)
    if "straights" in c.lanes.names:
        facts.change("straights", at, straights)
    if RUNS[0] in c.lanes.names:
        facts.change("three_suit_chows", at, common != 0)


_CHOWS = np.uint32(0o1111111)
_STRAIGHT = np.uint32(0o1001001)
