"""What roles pay, and what seats get and give, for one hand."""

from __future__ import annotations

from tenbo.engine import Context
from tenbo.facts import SEATS
from tenbo.tally import Tally, pays


def shares(context: Context, tally: Tally, from_: str | None) -> dict[str, int] | None:
    """What each role pays, without counters; None for a loser's hand.

    Args:
        context: How the hand went out.
        tally: What it is worth.
        from_: The discarder's seat, where it is known.
    """
    if context.by is None:
        return None
    program, doubles = context.program, tally.doubles
    points = tally.points or 0 if doubles is not None else 0
    discarder, dealer, others = pays(program, context.by, context.seat, tally.base, points, doubles or 0)
    out = {}
    if context.by == "discard" and program.pay_asks_discarder:
        if from_ == SEATS[0]:
            discarder, dealer = _one(context, tally, True, True), 0
        out["discarder"] = discarder
    if dealer and dealer != others:
        out["dealer"] = dealer
    if others:
        out["others"] = others
    return out


def _one(context: Context, tally: Tally, payer_dealer: bool, payer_discards: bool) -> int:
    """What one payer pays for a hand, in points."""
    program, by = context.program, context.by
    doubles = tally.doubles or 0
    points = (tally.points or 0) if tally.doubles is not None else 0
    paid = program.pay(
        tally.base,
        points,
        doubles,
        by == "self_draw",
        by == "discard",
        context.seat == 0,
        payer_dealer,
        payer_discards,
    )
    step = program.rules.payment.round_up
    return -(-paid // step) * step


def counters(context: Context, payer: int, discarder: int | None) -> int:
    """What one payer pays for one counter, in points."""
    counter = context.program.counter
    if counter is None:
        return 0
    by = context.by
    return counter(0, 0, 0, by == "self_draw", by == "discard", context.seat == 0, payer == 0, payer == discarder)


def payments(context: Context, tally: Tally, from_: str | None, honba: int, sticks: int) -> dict[str, int] | None:
    """Each seat's change for one hand; None for a loser's hand and where a payer is unknown.

    Args:
        context: How the hand went out.
        tally: What it is worth.
        from_: The discarder's seat, where it is known.
        honba: Counters.
        sticks: Bets on the table.
    """
    if context.by is None:
        return None
    program, seat = context.program, context.seat
    unknown = context.by == "discard" and from_ is None
    if unknown and (program.pay_asks_discarder or (honba and program.counter_asks_discarder)):
        return None
    discarder = SEATS.index(from_) if from_ is not None else None
    out = [0, 0, 0, 0]
    for payer in range(4):
        if payer == seat:
            continue
        paid = _one(context, tally, payer == 0, payer == discarder)
        if honba:
            paid += honba * counters(context, payer, discarder)
        out[payer] -= paid
        out[seat] += paid
    out[seat] += sticks * program.bet_value
    return dict(zip(SEATS, out, strict=True))
