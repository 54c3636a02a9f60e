"""Settling a deal: one function for all rulesets. What differs between them is said in their files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from tenbo.deal import Deal, Fault, Stake, Win
from tenbo.dealreader import DEAL_KEYS, read_deal
from tenbo.errors import Problem, error_for
from tenbo.facts import SEATS
from tenbo.payment import TABLE, Payments, Transfer
from tenbo.program import Program, program
from tenbo.ruleset import Penalty, Ruleset, load_rules
from tenbo.score import Score

__all__ = ["DEAL_KEYS", "Settlement", "read_deal", "settle", "settle_deal"]

FREE: Final = "free"
"""The kind of penalty whose amounts are named each time."""

_DEALER: Final = 0


@dataclass(frozen=True, slots=True)
class Settlement:
    """A deal settled: payments, transfers, and the table of the next deal.

    Attributes:
        rules: The preset's name, or the file's title.
        balance: Each seat's change and the transfers, which balance with what lies on the table.
        sticks: Bets left on the table.
        kitty: What is left in the kitty, by seat number.
        dealer_stays: Whether the dealer stays; None where the deal goes on.
        honba: Counters of the next deal; None where the deal goes on.
        hands: The scores of the hands given, by seat number.
    """

    rules: str
    balance: Payments
    sticks: int
    kitty: tuple[Stake, ...]
    dealer_stays: bool | None
    honba: int | None
    hands: tuple[tuple[int, Score], ...] = ()

    @property
    def payments(self) -> dict[str, int]:
        """Each seat's change in points; with the change of what lies on the table they sum to zero."""
        return dict(zip(SEATS, self.balance.changes, strict=True))

    @property
    def transfers(self) -> tuple[Transfer, ...]:
        """Who pays whom how much and why; they add up to the payments."""
        return self.balance.transfers

    @property
    def scores(self) -> dict[str, Score]:
        """The scores of the hands given, by seat, without counters and bets."""
        return {SEATS[seat]: score for seat, score in self.hands}

    def record(self, id: Any = None) -> dict[str, Any]:
        """The settlement's record, ready for JSON.

        Args:
            id: Anything; it comes back as it was.
        """
        return {
            "id": id,
            "rules": self.rules,
            "payments": self.payments,
            "transfers": [transfer.record() for transfer in self.transfers],
            "sticks": self.sticks,
            "kitty": [{"seat": SEATS[stake.seat], "points": stake.points} for stake in self.kitty],
            "dealer_stays": self.dealer_stays,
            "honba": self.honba,
            "scores": {SEATS[seat]: score.record() for seat, score in self.hands},
        }


class _Terms:
    """What a ruleset says about payments, ready to be asked; all amounts are points."""

    def __init__(self, rules: Ruleset) -> None:
        from tenbo.program import function

        made: Program = program(rules)
        self.rules = rules
        self.limit_base = made.limit_base
        self.bet = made.bet_value
        self.step = rules.payment.round_up
        self.share = rules.liability.share_of_discard if rules.liability else 1
        self.liable_pays_counters = rules.liability is not None and rules.liability.counters == "liable"
        self.pool = int(rules.table.draw_pool.constant or 0) if rules.table.draw_pool else 0
        self._pay, self._counter = made.pay, made.counter
        losers = rules.payment.losers
        self._losers = function(losers, _PAY_ARGUMENTS) if losers else None

    def up(self, points: int) -> int:
        """Rounded up as payments are."""
        return -(-points // self.step) * self.step

    def due(self, win: Win, base: int) -> list[tuple[int, int]]:
        """What each payer pays for a hand, or a part of it: seat and points."""
        drawn, dealer = win.by == "self_draw", win.seat == _DEALER
        out = []
        for payer in range(4):
            if payer != win.seat:
                gives = payer == win.from_
                paid = self._pay(base, win.points, win.doubles, drawn, not drawn, dealer, payer == _DEALER, gives)
                if paid > 0:
                    out.append((payer, self.up(paid)))
        return out

    def counters(self, win: Win, honba: int) -> list[tuple[int, int]]:
        """What each payer pays for the counters: seat and points."""
        out = []
        if honba and self._counter is not None:
            drawn, dealer = win.by == "self_draw", win.seat == _DEALER
            for payer in range(4):
                if payer != win.seat:
                    gives = payer == win.from_
                    paid = honba * self._counter(0, 0, 0, drawn, not drawn, dealer, payer == _DEALER, gives)
                    if paid > 0:
                        out.append((payer, paid))
        return out

    def between_losers(self, payer: int, payee: int, difference: int) -> int:
        """What a loser pays another who has so many points more."""
        if self._losers is None:
            return 0
        return self.up(self._losers(difference, 0, 0, False, False, payee == _DEALER, payer == _DEALER, False))

    def penalty(self, penalty: Penalty, payer: int, payee: int) -> int:
        """What a penalty costs its player to one other."""
        if penalty.amount is not None:
            said = {"offender_dealer": payer == _DEALER, "payee_dealer": payee == _DEALER}
            return int(penalty.amount.evaluate(said))
        if penalty.limit:
            base = next(int(x.base.constant or 0) for x in self.rules.limits if x.name == penalty.limit)
            return self.up(self._pay(base, 0, 0, True, False, payee == _DEALER, payer == _DEALER, False))
        return 0


_PAY_ARGUMENTS: Final = (
    *("base", "points", "doubles", "self_draw", "discard"),
    *("winner_dealer", "payer_dealer", "payer_discards"),
)


@lru_cache(maxsize=128)
def _terms(rules: Ruleset) -> _Terms:
    return _Terms(rules)


class _Book:
    """The transfers of a deal, as they come."""

    __slots__ = ("transfers",)

    def __init__(self) -> None:
        self.transfers: list[Transfer] = []

    def pay(self, payer: int, payee: int, amount: int, why: str) -> None:
        if amount > 0:
            self.transfers.append(Transfer(SEATS[payer], SEATS[payee], amount, why))

    def lay(self, payer: int, amount: int, why: str) -> None:
        """From a player to the table."""
        if amount > 0:
            self.transfers.append(Transfer(SEATS[payer], TABLE, amount, why))

    def take(self, payee: int, amount: int, why: str) -> None:
        """From the table to a player."""
        if amount > 0:
            self.transfers.append(Transfer(TABLE, SEATS[payee], amount, why))


def settle_deal(rules: Ruleset, deal: Deal) -> Settlement:
    """Settles a deal.

    Args:
        rules: The ruleset.
        deal: What happened, checked against these rules (see `tenbo.dealreader.read_deal`).
    """
    terms, book = _terms(rules), _Book()
    penalty = rules.penalties.get(deal.fault.kind) if deal.fault else None
    replayed = penalty is not None and penalty.deal == "replayed"
    bets = () if replayed else deal.bets
    for seat in bets:
        book.lay(seat, terms.bet, "bet")
    sticks, kitty = deal.sticks + len(bets), deal.kitty
    stays: bool | None
    honba: int | None
    if deal.wins:
        stays = _won(terms, book, deal, sticks)
        honba = deal.honba + 1 if stays and rules.counters else 0
        sticks, kitty = 0, ()
    elif deal.draw is not None:
        stays = _drawn(terms, book, deal)
        honba = deal.honba + 1 if rules.counters else 0
        kitty = _returned(book, kitty)
    else:
        assert deal.fault is not None
        kitty += _penalised(terms, book, deal.fault, penalty)
        if penalty is None or penalty.deal == "goes_on":
            stays = honba = None
        else:
            stays, honba = True, deal.honba
            kitty = _returned(book, kitty)
    grown = (sticks - deal.sticks) * terms.bet + sum(s.points for s in kitty) - sum(s.points for s in deal.kitty)
    balance = Payments.of(book.transfers, grown)
    return Settlement(rules.name, balance, sticks, kitty, stays, honba, tuple(deal.scores.items()))


def _returned(book: _Book, kitty: tuple[Stake, ...]) -> tuple[Stake, ...]:
    """Gives the kitty back to who paid it; nothing is left."""
    for seat, points in kitty:
        book.take(seat, points, "kitty returned")
    return ()


def _won(terms: _Terms, book: _Book, deal: Deal, sticks: int) -> bool:
    """Pays winners, the first of them counters, bets and kitty too; says whether the dealer stays."""
    paid = deal.wins if terms.rules.payment.winners == "all" else deal.wins[:1]
    for win in paid:
        honba = deal.honba if win is paid[0] else 0
        if win.liable:
            _pay_liable(terms, book, win, honba)
        else:
            for payer, points in terms.due(win, win.base):
                book.pay(payer, win.seat, points, "hand")
            for payer, points in terms.counters(win, honba):
                book.pay(payer, win.seat, points, "counters")
    first = paid[0].seat
    book.take(first, sticks * terms.bet, "bets")
    book.take(first, sum(stake.points for stake in deal.kitty), "kitty")
    winners = {win.seat for win in paid}
    losers = [seat for seat in range(4) if seat not in winners]
    for payer in losers:
        for payee in losers:
            difference = deal.losing[payee] - deal.losing[payer]
            if difference > 0:
                book.pay(payer, payee, terms.between_losers(payer, payee, difference), "losers")
    return _DEALER in winners


def _pay_liable(terms: _Terms, book: _Book, win: Win, honba: int) -> None:
    """A win for part of which others are liable: they pay a self-draw alone and share a discard win."""
    rest, first = win.base, win.liable[0].seat
    paying: dict[int, None] = {}
    for seat, limit_hands in win.liable:
        part = min(limit_hands * terms.limit_base, rest)
        rest -= part
        if not part:
            continue
        due = sum(points for _, points in terms.due(win, part))
        theirs = due
        if win.from_ is not None and win.from_ != seat:
            theirs = terms.up(-(-due // terms.share))
            book.pay(win.from_, win.seat, due - theirs, "hand")
            paying[win.from_] = None
        book.pay(seat, win.seat, theirs, "liability")
        paying[seat] = None
    if rest:
        for payer, points in terms.due(win, rest):
            book.pay(payer, win.seat, points, "hand")
            paying[payer] = None
    counters = terms.counters(win, honba)
    if terms.liable_pays_counters or (win.from_ is None and len(paying) == 1):
        counters = [(first, sum(points for _, points in counters))]
    for payer, points in counters:
        if payer in paying:
            book.pay(payer, win.seat, points, "counters")


def _drawn(terms: _Terms, book: _Book, deal: Deal) -> bool:
    """Pays those ready in an exhaustive draw; says whether the dealer stays."""
    draw = deal.draw
    assert draw is not None
    if draw.kind != "exhaustive":
        return True
    ready = draw.ready
    others = [seat for seat in range(4) if seat not in ready]
    if ready and others:
        each = terms.pool // (len(ready) * len(others))
        for payer in others:
            for payee in ready:
                book.pay(payer, payee, each, "ready")
    return terms.rules.table.dealer_stays_on_draw == "always" or _DEALER in ready


def _penalised(terms: _Terms, book: _Book, fault: Fault, penalty: Penalty | None) -> tuple[Stake, ...]:
    """Pays a penalty; says what it adds to the kitty."""
    if penalty is None:
        for payee in fault.to:
            book.pay(fault.seat, payee, fault.points, FREE)
        return ()
    for payee in range(4):
        if payee != fault.seat:
            book.pay(fault.seat, payee, terms.penalty(penalty, fault.seat, payee), penalty.key)
    points = int(penalty.kitty.constant or 0) if penalty.kitty else 0
    book.lay(fault.seat, points, penalty.key)
    return (Stake(fault.seat, points),) if points else ()


# ------------------------------------------------------------------------------------------------------ the public call


def settle(
    *,
    rules: str | Ruleset,
    options: Mapping[str, object] | None = None,
    round: str | None = None,
    honba: int = 0,
    sticks: int = 0,
    bets: Iterable[str] = (),
    kitty: Iterable[Mapping[str, Any]] = (),
    winners: Iterable[Mapping[str, Any]] = (),
    losers: Mapping[str, Mapping[str, Any]] | None = None,
    dead: Iterable[str] = (),
    draw: Mapping[str, Any] | None = None,
    penalty: Mapping[str, Any] | None = None,
) -> Settlement:
    """Settles a deal: who pays whom, and what the table looks like afterwards. Seats are this deal's winds.

    Args:
        rules: A preset's name, a ruleset file, or a `Ruleset`.
        options: House-rule values laid over the rules.
        round: The round; needed where a hand is given and the rules look at it.
        honba: Counters.
        sticks: Bets lying on the table from before.
        bets: Seats that bet in this deal.
        kitty: What lies in the kitty: `{"seat", "points"}`, already paid.
        winners: In turn order after the discarder: `{"seat", "by", "from", ...}` with `hand` (text or a `Hand`),
            `flags`, `dora`, `ura`; or `doubles` and `points`; or `han` and `fu`; or `limit`; or `score`. `liable` may
            stand beside it: a list of `{"seat", "limit_hands"}`.
        losers: Seat to `{"hand"}` or `{"score"}`, where losers score.
        dead: Seats with a dead hand.
        draw: `{"kind": "exhaustive", "ready": seats}` or `{"kind": "abortive"}`, instead of winners.
        penalty: `{"kind", "seat"}`, or `{"kind": "free", "seat", "points", "to": seats}`, instead.

    Raises:
        TenboError: Something is wrong; all of it is listed.

    >>> settled = settle(rules="riichi", honba=1, sticks=1, bets="S",
    ...                  winners=[{"seat": "S", "by": "discard", "from": "N", "han": 3, "fu": 40}])
    >>> settled.payments
    {'E': 0, 'S': 6500, 'W': 0, 'N': -5500}
    >>> settled.dealer_stays, settled.honba, settled.sticks
    (False, 0, 0)
    """
    ruleset = load_rules(rules, options)
    given = {
        "round": round,
        "honba": honba,
        "sticks": sticks,
        "bets": _listed(bets),
        "kitty": _listed(kitty),
        "winners": _listed(winners),
        "losers": losers,
        "dead": _listed(dead),
        "draw": draw,
        "penalty": penalty,
    }
    problems: list[Problem] = []
    deal = read_deal(given, ruleset, problems)
    if deal is None:
        raise error_for(problems)
    return settle_deal(ruleset, deal)


def _listed(values: Any) -> Any:
    return list(values) if isinstance(values, Iterable) and not isinstance(values, Mapping) else values
