"""Every reading of a hand, and what each is worth."""

from __future__ import annotations

from typing import Final

from tenbo import decompose as d
from tenbo.combos import combos
from tenbo.engine.context import LOOSE, SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS, Context, Reading
from tenbo.engine.waiting import waiting
from tenbo.hand import Hand
from tenbo.program import BONUS_SHIFT, DORA_SHIFT, RED_SHIFT, URA_SHIFT
from tenbo.tally import Tally, tally

_MEMO_LIMIT: Final = 12_000
_TALLY_LIMIT: Final = 4_000


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
    every, left = waiting(hand, pairs=context.pairs, orphans=context.orphans)
    return context.layout.pack({"waiting_kinds": min(len(every), 15), "waiting_kinds_left": len(left)})
