"""Readings added up: the best of each hand, what it is worth and what it pays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tenbo.batch.columns import Hands
from tenbo.batch.compiled import Compiled
from tenbo.batch.evaluator import Counted
from tenbo.batch.money import DOUBLES_BITS, LOSERS, MOST_DOUBLES, MOST_POINTS, TOO_MUCH
from tenbo.batch.result import ERRORS, NO_VALUE, Result
from tenbo.batch.winners import Readings, merge_rows
from tenbo.engine import STANDARD

Column = npt.NDArray[Any]

_LIMIT_DOUBLES: Final = 1 << DOUBLES_BITS + 1
_RAW_BITS: Final = 16
_DOUBLES_ROOM: Final = 9
_NOT_WINNING: Final = ERRORS.index("not_winning")
_NOT_SCORED: Final = ERRORS.index("not_scored")


@dataclass(slots=True)
class Worth:
    """What each reading is worth.

    Attributes:
        raw, points, doubles: Points before and after rounding, doubles; more than any doubles for limit hands.
        places, scores: As from `Money.look_up`.
        allowed: Whether the hand may go out.
        limited: The readings that are limit hands, as places; None where there are none.
        limit_bits: For these, the entries that give a limit.
        over: Readings whose worth is left to the scalar engine; None where there are none.
    """

    raw: Column
    points: Column
    doubles: Column
    places: Column
    scores: Column
    allowed: Column | None
    limited: Column | None
    limit_bits: Column | None
    over: Column | None


def settle(
    c: Compiled, hands: Hands, out: Result, r: Readings, given: Counted, winner: bool
) -> tuple[Column, list[Column], Column]:
    """Writes the best reading of each hand to the result.

    Returns:
        Where a hand is left to the scalar engine, each best reading's places in the suits' tables, and its form.
    """
    count = len(hands)
    w = _worth(c, hands, r, given, winner)
    left = r.bad.copy()
    best = np.arange(count)
    changed = _best(r, w, best, left) if len(r.others) else None
    if w.over is not None:
        over = w.over.copy()
        over[count:] = False
        left |= over[:count]
        left[r.others[w.over[count:]]] = True

    def of_best(column: Column) -> Column:
        if changed is not None:
            column[..., changed] = column[..., best[changed]]
        return column[..., :count]

    silent = None
    form = of_best(r.form)
    odd = np.flatnonzero(form != STANDARD)
    if len(odd):
        silent, fixed = _of_forms(c.silent, form, odd), _of_forms(c.fixed, form, odd)
    out.score[:] = of_best(w.scores)
    places = of_best(w.places)
    np.take(c.money.limits, places, out=out.limit, mode="clip")
    out.points[:] = of_best(w.points)
    out.points_raw[:] = of_best(w.raw)
    out.doubles[:] = of_best(w.doubles)
    _pay(c, hands, out, r.payer, places)
    rows = [of_best(one) for one in r.at]
    entries = _entries(c, r, rows, winner)
    _add_bits(entries, of_best(given.entries))
    if c.rules.bonus_tiles and hands.bonus.any():
        entries |= c.bonus_entries[int(winner)].take((hands.seat & 3).astype(np.int32) << 8 | hands.bonus, axis=0)
    if silent is not None:
        out.points[silent] = out.points_raw[silent] = NO_VALUE
        entries[fixed] &= ~c.point_bits
    if w.limited is not None and w.limit_bits is not None:
        place = np.full(len(r.form), -1, np.int32)
        place[w.limited] = np.arange(len(w.limited))
        which = of_best(place)
        at = np.flatnonzero(which >= 0)
        out.doubles[at] = NO_VALUE
        entries[at] &= c.point_bits
        limits = np.zeros((len(at), c.words), np.uint64)
        _add_bits(limits, w.limit_bits[:, which[at]])
        entries[at] |= limits
    out.entries[:] = entries
    if w.allowed is not None:
        refused = ~of_best(w.allowed)
        if refused.any():
            out.clear(np.flatnonzero(refused), _NOT_SCORED)
    if r.none.any():
        out.clear(np.flatnonzero(r.none), _NOT_WINNING)
    return left, rows, form


def _entries(c: Compiled, r: Readings, at: list[Column], winner: bool) -> Column:
    """The set entries of readings, one of each hand, by where their rows lie."""
    if winner:
        laid = c.melds[1]
        out = laid.take(r.laid[0][1], axis=0, mode="clip")
        for suit, place in zip(c.suits, at, strict=True):
            out |= suit.entries.take(place, axis=0, mode="clip")
    else:
        assert c.loose is not None
        assert r.entries is not None
        laid = c.loose.melds[1]
        out = laid.take(r.laid[0][1], axis=0, mode="clip") | r.entries
    for some, place in r.laid[1:]:
        if some is None:
            out |= laid.take(place, axis=0, mode="clip")
        else:
            merge_rows(out, some, laid.take(place, axis=0, mode="clip"), np.bitwise_or)
    return out


def _worth(c: Compiled, hands: Hands, r: Readings, given: Counted, winner: bool) -> Worth:
    """Adds up what each reading has earned, and looks up what that comes to."""
    rules, every = c.rules, len(r.form)
    raw, doubles = given.points, given.doubles
    raw += r.facts("set_points", "i4")
    doubles += r.facts("set_doubles", "i4")
    helping = doubles if given.bonus is None else doubles - given.bonus
    if rules.bonus_tiles and hands.bonus.any():
        earned = c.bonus[int(winner)].take((hands.seat & 3).astype(np.int32) << 8 | hands.bonus, axis=0)
        earned = _spread(earned, r.others)
        raw += earned[:, 0]
        helping = helping + earned[:, 1] - earned[:, 2]
        doubles += earned[:, 1]
    limited: Any = False
    for _, holds, _ in given.limits:
        limited = limited | holds
    if given.last:
        helping = _last(c, raw, doubles, helping, given, limited)
    points = raw
    step = rules.round_up
    if step > 1:
        points = raw + np.int32(step - 1)
        points //= np.int32(step)
        points *= np.int32(step)
    elif given.floor is not None:
        points = raw.copy()
    if given.floor is not None:
        np.maximum(points, given.floor * np.int32(c.program.floor), out=points)
    odd = np.flatnonzero(r.form != STANDARD)
    if len(odd):
        fixed = _of_forms(c.fixed, r.form, odd)
        raw[fixed] = points[fixed] = c.fixed_points[r.form[fixed]]
    over = None
    if len(points) and (raw.max() > MOST_POINTS or points.max() > MOST_POINTS or doubles.max() > MOST_DOUBLES):
        over = (raw > MOST_POINTS) | (points > MOST_POINTS) | (doubles > MOST_DOUBLES)
        for column in (raw, points, doubles):
            column[over] = 0
    payers = _spread(r.payer, r.others)
    places, scores = c.money.look_up(points, doubles, payers)
    allowed = helping >= rules.minimum if winner and rules.minimum else None
    at = bits = None
    if limited is not False and limited.any():
        at = np.flatnonzero(limited)
        shares, bits = _shares(c, at, given)
        places[at], scores[at] = c.money.look_up_shares(shares, payers[at])
        if allowed is not None:
            allowed[at] = True
        doubles[at] = _LIMIT_DOUBLES
    if len(scores) and scores.min() == TOO_MUCH:
        over = (scores == TOO_MUCH) | (False if over is None else over)
    assert every == len(points)
    return Worth(raw, points, doubles, places, scores, allowed, at, bits, over)


def _of_forms(which: Column, form: Column, odd: Column) -> Column:
    """The readings whose form is one of those for which something holds; `odd` are those of another form than most."""
    return np.flatnonzero(which[form]) if which[STANDARD] else odd[which[form[odd]]]


def _last(c: Compiled, raw: Column, doubles: Column, helping: Column, given: Counted, limited: Any) -> Column:
    """Counts the entries that count when nothing else does."""
    nothing = (raw == 0) & (doubles == 0) & ~np.asarray(limited, np.bool_)
    helping = helping.copy() if helping is doubles else helping
    for i, holds, value in given.last:
        entry = c.program.entries[i]
        worth = np.where(holds & nothing, value, 0).astype(np.int32)
        given.entries[i // 8] |= (worth > 0).view(np.uint8) << np.uint8(i % 8)
        if entry.unit == "points":
            raw += worth
        else:
            doubles += worth
            helping = helping if entry.bonus else helping + worth
    return helping


def _shares(c: Compiled, at: Column, given: Counted) -> tuple[Column, Column]:
    """The share of the limit that each limit hand has, and the bits of the entries that give it."""
    shares = np.zeros(len(at), np.int64)
    bits = np.zeros((len(given.entries), len(at)), np.uint8)
    found = []
    for i, holds, value in given.limits:
        holds = holds[at]
        if holds.any():
            found.append((i, holds, np.broadcast_to(value, len(given.entries[0]))[at]))
    if c.rules.limits_add:
        for i, holds, value in found:
            shares += holds * value
            bits[i // 8] |= holds.view(np.uint8) << np.uint8(i % 8)
        return shares, bits
    for _, holds, value in found:
        np.maximum(shares, np.where(holds, value, 0), out=shares)
    free = np.ones(len(at), np.bool_)
    for i, holds, value in found:
        takes = free & holds & (value == shares)
        bits[i // 8] |= takes.view(np.uint8) << np.uint8(i % 8)
        free &= ~takes
    return shares, bits


def _best(r: Readings, w: Worth, best: Column, left: Column) -> Column:
    """Finds the best reading of hands with several: the best paid, then more doubles, more points, the first by text.

    Returns:
        The hands whose best is not the first.
    """
    count = len(best)

    def order(which: Column | slice) -> Column:
        out = w.scores[which] + 1
        if w.allowed is not None:
            out *= w.allowed[which]
        out <<= _DOUBLES_ROOM
        out |= w.doubles[which]
        out <<= _RAW_BITS
        out |= w.raw[which]
        return out

    plain = len(r.others) - r.special
    if plain:
        hand, mine = r.others[:plain], order(slice(count, count + plain))
        starts = np.flatnonzero(np.concatenate([[True], hand[1:] != hand[:-1]]))
        most = np.maximum.reduceat(mine, starts)
        better = most > order(hand[starts])
        sizes = np.diff(np.append(starts, plain))
        at = np.flatnonzero((mine == np.repeat(most, sizes)) & np.repeat(better, sizes))
        if len(at):
            first = at[np.concatenate([[True], hand[at[1:]] != hand[at[:-1]]])]
            best[hand[first]] = first + count
    if r.special:
        hand, mine = r.others[plain:], order(slice(count + plain, None))
        known = order(best[hand])
        left[hand[mine == known]] = True  # the text decides, which compares differently between forms
        more = np.flatnonzero(mine > known)
        best[hand[more]] = more + count + plain
    return np.flatnonzero(best >= count)


def _pay(c: Compiled, hands: Hands, out: Result, payer: Column, places: Column) -> None:
    """Writes the payments."""
    np.take(c.money.pays, places, axis=0, out=out.payments, mode="clip")
    np.take(c.money.known, payer, out=out.paid, mode="clip")
    at = np.flatnonzero((hands.honba | hands.sticks) != 0)
    if len(at) and c.rules.counters:
        honba = hands.honba[at].astype(np.int64)
        more = c.money.counters[payer[at]] * honba[:, None]
        seat = payer[at] // 5 % 4
        more[np.arange(len(at)), seat] += hands.sticks[at].astype(np.int64) * c.program.bet_value
        known = out.paid[at] & ((honba == 0) | c.money.known_honba[payer[at]]) & (payer[at] < LOSERS)
        out.payments[at] = (out.payments[at] + more) * known[:, None]
        out.paid[at] = known


def _add_bits(entries: Column, bits: Column) -> None:
    """Adds bits by byte to entries by word."""
    bytes_ = entries.view(np.uint8)
    for i in range(len(bits)):
        bytes_[:, i] |= bits[i]


def _spread(column: Column, extra: Column) -> Column:
    return np.concatenate([column, column[extra]]) if len(extra) else column
