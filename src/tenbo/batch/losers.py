"""Hands that did not go out: from columns to the one reading of each."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tenbo.batch.columns import NONE, Hands
from tenbo.batch.compiled import Compiled
from tenbo.batch.copies import copies
from tenbo.batch.facts import Facts
from tenbo.batch.lanes import REDS
from tenbo.batch.loose import HIGH_CODES, LOW_CODES, half_octal
from tenbo.batch.money import LOSERS
from tenbo.batch.weights import CODE_BITS, WIN_BITS
from tenbo.batch.winners import Readings, fields, seats, table
from tenbo.engine import LOOSE

Column = npt.NDArray[Any]

_NOT_THEIRS: Final = (
    "waiting_kinds",
    "waiting_kinds_left",
    "equal_chow_pairs",
    "straights",
    "three_suit_chows",
    "three_suit_pungs",
)
"""Facts that a hand without a winning tile does not have."""


def read(c: Compiled, hands: Hands) -> Readings:
    """The reading of each hand that did not go out."""
    assert c.loose is not None
    count = len(hands)
    codes, tiles = fields(hands, False)
    seat, round_, bad = seats(c, hands)
    reds = sum(code >> CODE_BITS[suit] + WIN_BITS for suit, code in enumerate(codes[:3]))
    for suit, code in enumerate(codes):
        code &= (1 << CODE_BITS[suit]) - 1
        too_many = code >= 5 ** (7 if suit == 3 else 9)
        bad |= too_many
        code[too_many] = 0
    place = (seat << 2 | round_).astype(np.int32)
    t = table(hands, place, c.loose.melds[0])
    bad |= tiles + 3 * t.sets != 13
    bad |= (hands.flags != 0) | (hands.from_ != NONE) | (hands.honba != 0) | (hands.sticks != 0)
    bad |= (hands.dora != NONE).any(axis=1) | (hands.ura != NONE).any(axis=1)
    bad |= (hands.bonus != 0) & (not c.rules.bonus_tiles)
    entries = np.zeros((count, c.words), np.uint64)
    low, high = half_octal()
    octal = []
    for suit, code in enumerate(codes):
        c.loose.add(suit, code, place, t.facts, entries)
        octal.append(low[code % LOW_CODES] | high[np.minimum(code // LOW_CODES, HIGH_CODES - 1)])
    turned = c.lanes.turn(t.facts)
    first, second = octal[0] | octal[1] << 27, octal[2] | octal[3] << 27
    first += t.words[:, 0]
    second += t.words[:, 1]
    zero = np.zeros(count, np.int8)
    known = {"by": hands.by, "seat": seat, "round": round_, "flags": hands.flags, "bonus": hands.bonus}
    known |= dict.fromkeys(_NOT_THEIRS, zero)
    if REDS in c.lanes.names:
        known[REDS] = (c.lanes.get(turned, REDS) + reds).astype(np.int8)
    bad |= copies(hands, first, second, tiles + 3 * t.sets + t.kongs, c, known)
    form = np.full(count, LOOSE, np.int8)
    facts = Facts(c.lanes, turned, known, lambda column: column, form, (first, second))
    none = np.zeros(count, np.bool_)
    nothing = np.zeros(0, np.int64)
    payer = LOSERS + seat.astype(np.int32)
    return Readings([], form, nothing, 0, facts, bad, none, payer, t.places, entries)
