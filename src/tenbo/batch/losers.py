"""Hands that did not go out: from columns to the one reading of each."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tenbo.batch.columns import NONE, SETS, Hands
from tenbo.batch.compiled import Compiled
from tenbo.batch.facts import Facts
from tenbo.batch.lanes import COUNT
from tenbo.batch.loose import HIGH_CODES, LOW_CODES, half_octal
from tenbo.batch.money import LOSERS
from tenbo.batch.weights import CODE_MASKS, COUNT_AT, FIELD, MELD_KONG
from tenbo.batch.winners import Readings, copies, sums, table
from tenbo.engine import LOOSE

Column = npt.NDArray[Any]


def read(c: Compiled, hands: Hands) -> Readings:
    """The reading of each hand that did not go out."""
    assert c.loose is not None
    count = len(hands)
    a, b = sums(hands)
    mask = (1 << FIELD) - 1
    fields = [a & mask, a >> FIELD, b & mask, b >> FIELD & (1 << COUNT_AT - FIELD) - 1]
    codes = [field & low for field, low in zip(fields, CODE_MASKS, strict=True)]
    bad = np.zeros(count, np.bool_)
    for suit, code in enumerate(codes):
        too_many = code >= 5 ** (7 if suit == 3 else 9)
        bad |= too_many
        code[too_many] = 0
    seat, round_ = hands.seat & 3, np.where(hands.round == NONE, 0, hands.round & 3)
    place = (seat << 2).astype(np.int32) | round_
    laid, words, melds, faulty = table(c, hands, place, c.loose.melds)
    bad |= faulty | (b >> COUNT_AT != 13 - 3 * melds.astype(np.int64))
    bad |= (hands.seat > 3) | ((hands.round > 3) & ((hands.round != NONE) | c.program.needs_round))
    bad |= (hands.flags != 0) | (hands.from_ != NONE) | (hands.honba != 0) | (hands.sticks != 0)
    bad |= (hands.dora != NONE).any(axis=1) | (hands.ura != NONE).any(axis=1)
    bad |= (hands.bonus != 0) & (not c.rules.bonus_tiles)
    entries = np.zeros((count, c.words), np.uint64)
    low, high = half_octal()
    octal = []
    for suit, code in enumerate(codes):
        c.loose.add(suit, code, place, laid, entries)
        octal.append(low[code % LOW_CODES] | high[np.minimum(code // LOW_CODES, HIGH_CODES - 1)])
    for i in range(SETS):
        some = np.flatnonzero(hands.melds[:, i])
        entries[some] |= c.loose.melds[1][place[some] << 8 | hands.melds[some, i]]
    rows = laid.view(np.uint8)
    bad |= c.lanes.get(rows, COUNT) != b >> COUNT_AT
    first, second = octal[0] | octal[1] << 27, octal[2] | octal[3] << 27
    first += words[:, 0]
    second += words[:, 1]
    zero = np.zeros(count, np.int8)
    known = {"by": hands.by, "seat": seat, "round": round_, "flags": hands.flags, "bonus": hands.bonus}
    known |= dict.fromkeys(("waiting_kinds", "waiting_kinds_left", "three_suit_chows", "three_suit_pungs"), zero)
    bad |= copies(hands, first, second, b >> COUNT_AT, melds, c, known)
    form = np.full(count, LOOSE, np.int8)
    facts = Facts(c.lanes, rows, known, lambda column: column, form, (first, second))
    none = np.zeros(count, np.bool_)
    nothing = np.zeros(0, np.int64)
    return Readings([], form, nothing, 0, facts, bad, none, LOSERS + seat.astype(np.int32), lambda _: entries)
