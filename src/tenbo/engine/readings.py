"""Every reading of a hand, and what each is worth."""

from __future__ import annotations

from typing import Final

from tenbo import decompose as d
from tenbo.combos import combos
from tenbo.engine.context import LOOSE, PAIR_BIT, SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS, Context, Reading, Splits
from tenbo.engine.text import before
from tenbo.engine.waiting import waiting_counts
from tenbo.hand import Hand
from tenbo.tally import Tally, tally

_MEMO_LIMIT: Final = 12_000
_TALLY_LIMIT: Final = 4_000
_ODD: Final = 0o111111111  # the lowest bits of counts


def _ways(context: Context, keys: tuple[int, int, int, int], pair: int) -> tuple[Splits, Splits, Splits, Splits]:
    """Every way to see each suit, the suit `pair` with the pair in it."""
    k0, k1, k2, k3 = keys
    a, b, c, z = context.ways
    if pair == 0:
        k0 |= PAIR_BIT
    elif pair == 1:
        k1 |= PAIR_BIT
    elif pair == 2:
        k2 |= PAIR_BIT
    else:
        k3 |= PAIR_BIT
    xs = a.get(k0) or context.seen(0, k0)
    ys = b.get(k1) or context.seen(1, k1)
    ws = c.get(k2) or context.seen(2, k2)
    vs = z.get(k3) or context.seen(3, k3)
    return xs, ys, ws, vs


def _any_odd(keys: tuple[int, int, int, int]) -> int:
    """Whether there is an odd number of some concealed tile: then the hand is not all pairs."""
    k0, k1, k2, k3 = keys
    return (k0 | k1 | k2 | k3) & _ODD


def best(hand: Hand, context: Context) -> tuple[Tally | None, Reading | None, bool]:
    """The reading that is worth most, of equals the first by its text; and whether there is no other.

    Returns:
        Its worth, the reading, and whether it is the only one; None twice where the tiles make no complete hand.
    """
    pair = hand._pair_suit
    if pair >= 0 and not context.special:
        # The common case without any list: sets and a pair, seen in one way. Anything else goes the long way below.
        xs, ys, ws, vs = _ways(context, hand._keys, pair)
        if len(xs) * len(ys) * len(ws) * len(vs) == 1 and (hand.melds or _any_odd(hand._keys)):
            x, y, w, v = xs[0], ys[0], ws[0], vs[0]
            facts = hand._situation + x.facts + y.facts + w.facts + v.facts
            runs = x.runs & y.runs & w.runs
            if runs:
                facts += (context.three_chows if runs & 127 else 0) + (context.three_pungs if runs > 127 else 0)
            if context.needs_waits:
                facts += _waiting(hand, context)
            return context.memo.get(facts) or worth(context, facts), (STANDARD, x, y, w, v), True
    found = readings(hand, context)
    if not found:
        return None, None, True
    memo = context.memo
    facts, chosen = found[0]
    most = memo.get(facts) or worth(context, facts)
    order = most.order
    for facts, reading in found[1:]:
        tally = memo.get(facts) or worth(context, facts)
        if tally.order >= order and (tally.order > order or before(hand, reading, chosen)):
            chosen, most, order = reading, tally, tally.order
    return most, chosen, len(found) == 1


def readings(hand: Hand, context: Context) -> list[tuple[int, Reading]]:
    """Every reading of a hand, with its packed facts and situation."""
    keys = hand._keys
    facts = hand._situation
    if hand.win is None:
        loose = [context.loose(suit, key) for suit, key in enumerate(keys)]
        return [(facts + context.loose_form + sum(split.facts for split in loose), (LOOSE, *loose))]  # type: ignore[list-item]
    if context.needs_waits:
        facts += _waiting(hand, context)
    out: list[tuple[int, Reading]] = []
    pair = hand._pair_suit
    if pair >= 0:
        xs, ys, ws, vs = _ways(context, keys, pair)
        for x in xs:
            for y in ys:
                two, runs = facts + x.facts + y.facts, x.runs & y.runs
                for w in ws:
                    three = two + w.facts
                    if runs & w.runs:
                        if runs & w.runs & 127:
                            three += context.three_chows
                        if runs & w.runs > 127:
                            three += context.three_pungs
                    for v in vs:
                        out.append((three + v.facts, (STANDARD, x, y, w, v)))
    if not hand.melds:
        if context.pairs and not _any_odd(keys):
            pairs = context.all_pairs(keys)
            if pairs:
                total = facts + context.pairs_form + sum(split.facts for split in pairs)
                out.append((total, (SEVEN_PAIRS, *pairs)))  # type: ignore[arg-type]
        if context.orphans and not out:
            orphans = context.all_orphans(keys)
            if orphans:
                total = facts + context.orphans_form + sum(split.facts for split in orphans)
                out.append((total, (THIRTEEN_ORPHANS, *orphans)))  # type: ignore[arg-type]
    if context.program.combos:
        return [(facts + _combo_facts(context, reading), reading) for facts, reading in out]
    return out


def _combo_facts(context: Context, reading: Reading) -> int:
    """The packed points and doubles of a reading's combination entries."""
    found = combos(context.program, group_codes(reading), context.by is not None)
    return context.layout.pack(
        {
            "set_points": sum(value for entry, value, _ in found if entry.unit == "points"),
            "set_doubles": sum(value for entry, value, _ in found if entry.unit == "doubles"),
        }
    )


def group_codes(reading: Reading) -> tuple[d.Codes, ...]:
    """The group codes of a reading's four suits."""
    _, a, b, c, z = reading
    return a.codes, b.codes, c.codes, z.codes


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


def _waiting(hand: Hand, context: Context) -> int:
    """The packed facts about the kinds that would have completed the hand."""
    every, left = waiting_counts(hand, pairs=context.pairs, orphans=context.orphans)
    return min(every, 15) * context.unit_waits + left * context.unit_waits_left
