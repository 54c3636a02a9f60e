"""What roles pay, and what seats get and give, for one hand."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from tenbo.engine import Context
from tenbo.facts import SEATS
from tenbo.tally import Tally, pays

_KEPT: Final = 8192  # answers: hands that are worth the same pay the same


def shares(context: Context, tally: Tally, from_: str | None) -> dict[str, int] | None:
    """What each role pays, without counters; None for a loser's hand.

    Args:
        context: How the hand went out.
        tally: What it is worth.
        from_: The discarder's seat, where it is known.
    """
    if context.by is None:
        return None
    return dict(_shares(context, *_worth(tally), from_))


def counters(context: Context, payer: int, discarder: int | None) -> int:
    """What one payer pays for one counter, in points."""
    return _counters(context, discarder)[payer]


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
    program = context.program
    unknown = context.by == "discard" and from_ is None
    if unknown and (program.pay_asks_discarder or (honba and program.counter_asks_discarder)):
        return None
    a, b, c, d = _changes(context, *_worth(tally), from_, honba, sticks)
    return {"E": a, "S": b, "W": c, "N": d}


@lru_cache(_KEPT)
def _changes(
    context: Context, base: int, points: int, doubles: int, from_: str | None, honba: int, sticks: int
) -> tuple[int, ...]:
    """What each seat gets."""
    program, seat = context.program, context.seat
    discarder = SEATS.index(from_) if from_ is not None else None
    out = _paid(context, base, points, doubles, discarder)
    if honba:
        out = tuple(paid + honba * more for paid, more in zip(out, _counters(context, discarder), strict=True))
    gained = sum(out) + sticks * program.bet_value
    return tuple(gained if payer == seat else -paid for payer, paid in enumerate(out))


def _worth(tally: Tally) -> tuple[int, int, int]:
    """Base, points and doubles as payments ask for them; the last two are 0 for a limit hand."""
    if tally.doubles is None:
        return tally.base, 0, 0
    return tally.base, tally.points or 0, tally.doubles


@lru_cache(_KEPT)
def _shares(context: Context, base: int, points: int, doubles: int, from_: str | None) -> tuple[tuple[str, int], ...]:
    program = context.program
    discarder, dealer, others = pays(program, context.by, context.seat, base, points, doubles)
    out = []
    if context.by == "discard" and program.pay_asks_discarder:
        if from_ == SEATS[0]:
            discarder, dealer = _one(context, base, points, doubles, True, True), 0
        out.append(("discarder", discarder))
    if dealer and dealer != others:
        out.append(("dealer", dealer))
    if others:
        out.append(("others", others))
    return tuple(out)


def _paid(context: Context, base: int, points: int, doubles: int, discarder: int | None) -> tuple[int, ...]:
    """What each seat pays; the winner nothing."""
    return tuple(
        0 if payer == context.seat else _one(context, base, points, doubles, payer == 0, payer == discarder)
        for payer in range(4)
    )


@lru_cache(_KEPT)
def _counters(context: Context, discarder: int | None) -> tuple[int, ...]:
    """What each seat pays for one counter; the winner nothing."""
    counter, by, seat = context.program.counter, context.by, context.seat
    if counter is None:
        return (0, 0, 0, 0)
    drawn, claimed = by == "self_draw", by == "discard"
    return tuple(
        0 if payer == seat else counter(0, 0, 0, drawn, claimed, seat == 0, payer == 0, payer == discarder)
        for payer in range(4)
    )


def _one(context: Context, base: int, points: int, doubles: int, payer_dealer: bool, payer_discards: bool) -> int:
    """What one payer pays for a hand, in points."""
    by, step = context.by, context.program.rules.payment.round_up
    roles = (by == "self_draw", by == "discard", context.seat == 0, payer_dealer, payer_discards)
    paid = context.program.pay(base, points, doubles, *roles)
    return -(-paid // step) * step
