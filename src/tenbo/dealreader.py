"""A deal as records give it, checked against the rules: everything that is wrong with it is found at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from tenbo import tiles as t
from tenbo.deal import Deal, Draw, Fault, Liable, Stake, Win
from tenbo.engine import engine
from tenbo.errors import Problem, TenboError, nearest, shown
from tenbo.facts import SEATS
from tenbo.fields import MOST_POINTS, Fields
from tenbo.hand import Hand
from tenbo.notation import parse
from tenbo.quick import KEYS, quick, seat_and_way
from tenbo.ruleset import Ruleset
from tenbo.score import Score, score_hand
from tenbo.tally import Tally

DEAL_KEYS: Final = (
    *("round", "honba", "sticks", "bets", "kitty"),
    *("winners", "losers", "dead", "draw", "penalty"),
)
_WAYS: Final = ("winners", "draw", "penalty")
_HAND_ONLY: Final = ("flags", "dora", "ura")
_WINNER_KEYS: Final = ("seat", "by", "from", "hand", *_HAND_ONLY, *KEYS, "liable")
_DRAWS: Final = ("exhaustive", "abortive")
_FREE: Final = "free"


def read_deal(given: Mapping[str, Any], rules: Ruleset, problems: list[Problem]) -> Deal | None:
    """Reads what happened in a deal.

    Args:
        given: Values for some of `DEAL_KEYS`, as in a record for settling; None is the same as nothing. Other keys are
            not looked at. A hand may be text or a `Hand`.
        rules: The rules, with their options.
        problems: Where faults are added.

    Returns:
        The deal; None where anything was wrong.
    """
    return _Reader(given, rules, problems).deal()


class _Reader(Fields):
    def __init__(self, given: Mapping[str, Any], rules: Ruleset, problems: list[Problem]) -> None:
        super().__init__(problems)
        self.given, self.rules = given, rules
        self.round: Any = given.get("round")
        self.winning: dict[int, Hand] = {}
        self.losing_hands: dict[int, Hand] = {}
        self.scores: dict[int, Score] = {}

    def deal(self) -> Deal | None:
        before = len(self.problems)
        rules, given = self.rules, self.given
        if self.round is not None and not (isinstance(self.round, str) and self.round in SEATS):
            self.wrong(f"'round' must be E, S, W or N, not {shown(self.round)}", "round")
            self.round = None
        honba, sticks = self.counters("honba"), self.counters("sticks")
        bets = self.seats(given.get("bets"), "bets", "the seats that bet")
        if bets and rules.payment.bet is None:
            self.wrong(f"{rules.title} knows no bets: leave 'bets' out", "bets")
        kitty = self.kitty()
        dead = self.seats(given.get("dead"), "dead", "the seats with a dead hand")
        if dead and not rules.table.dead_hands:
            self.wrong(f"{rules.title} knows no dead hands: leave 'dead' out", "dead")
        way = self.way()
        wins = self.winners() if way == "winners" else ()
        draw = self.draw() if way == "draw" else None
        fault = self.penalty() if way == "penalty" else None
        losing = self.losers(dead)
        self.roles(wins, dead)
        self.copies()
        if len(self.problems) > before:
            return None
        made = (wins, losing, draw, fault, self.scores)
        return Deal(honba, sticks, bets, kitty, *made)

    def counters(self, key: str) -> int:
        number = self.counted(self.given.get(key), key)
        if number and not self.rules.counters:
            self.wrong(f"{self.rules.title} knows no counters and bets: leave '{key}' out", key)
        return number

    def kitty(self) -> tuple[Stake, ...]:
        out = []
        for item in self.tables(self.given.get("kitty"), "kitty", ("seat", "points"), "a seat and its points", 1000):
            seat, points = self.seat(item.get("seat"), "seat"), self.points(item.get("points"), "points")
            out.append(Stake(seat or 0, points))
        if out and not self.rules.table.kitty:
            self.wrong(f"{self.rules.title} knows no kitty: leave 'kitty' out", "kitty")
        return tuple(out)

    def way(self) -> str | None:
        """Which one of winners, draw and penalty it is."""
        found = [key for key in _WAYS if self.given.get(key) not in (None, [], ())]
        if not found:
            self.wrong("say what happened: 'winners', 'draw' or 'penalty'", "winners", "missing_field")
        elif len(found) > 1:
            self.wrong(f"a deal ends in one way: give only one of {' and '.join(found)}", found[1])
        else:
            return found[0]
        return None

    def draw(self) -> Draw:
        item = self.table(self.given["draw"], "draw", ("kind", "ready"), "a kind, 'exhaustive' or 'abortive'")
        if item is None:
            return Draw("abortive")
        kind = item.get("kind")
        if kind is None:
            self.wrong("say which draw: 'exhaustive' or 'abortive'", "kind", "missing_field")
        elif kind not in _DRAWS:
            self.wrong(f"a draw is 'exhaustive' or 'abortive', not {shown(kind)}", "kind")
        return Draw(str(kind), self.seats(item.get("ready"), "ready", "the seats that were ready"))

    def penalty(self) -> Fault:
        item = self.table(self.given["penalty"], "penalty", ("kind", "seat", "points", "to"), "a kind and a seat")
        if item is None:
            return Fault(_FREE, 0)
        kinds = (*self.rules.penalties, _FREE)
        kind = item.get("kind")
        if kind is None:
            self.wrong(f"say which penalty: {', '.join(kinds)}", "kind", "missing_field")
        elif not isinstance(kind, str) or kind not in kinds:
            near = nearest(kind, kinds) if isinstance(kind, str) else None
            hint = f"; did you mean '{near}'?" if near else f" (there are: {', '.join(kinds)})"
            self.wrong(f"{self.rules.title} knows no penalty {shown(kind)}{hint}", "kind")
        seat = self.seat(item.get("seat"), "seat")
        if kind != _FREE:
            for key in ("points", "to"):
                if key in item:
                    self.wrong(f"only a free penalty says '{key}'; the rules say what {shown(kind)} costs", key)
            return Fault(str(kind), seat or 0)
        points = self.points(item.get("points"), "points")
        to = self.seats(item.get("to"), "to", "the seats that are paid")
        if not item.get("to"):
            self.wrong("say who is paid: a list of seats in 'to'", "to", "missing_field")
        if seat in to:
            self.wrong("nobody pays a penalty to themselves: leave the seat out of 'to'", "to")
        return Fault(_FREE, seat or 0, points, to)

    # ---------------------------------------------------------------------------------------------- winners and losers

    def winners(self) -> tuple[Win, ...]:
        what = "a winner's seat, by and hand or worth"
        items = self.tables(self.given["winners"], "winners", _WINNER_KEYS, what, 3)
        ways = [(item.get("seat"), item.get("by"), item.get("from")) for item in items]
        if len(items) > 1:
            self.together(ways)
        wins = []
        for item in items:
            said = self.problems
            self.problems = []
            win = self.winner(item, len(items) > 1)
            said += [_of("winner", item.get("seat"), problem) for problem in self.problems]
            self.problems = said
            if win is not None:
                wins.append(win)
        return tuple(wins)

    def together(self, ways: list[tuple[Any, Any, Any]]) -> None:
        """Refuses winners who cannot have won on one tile, or in that order."""
        if any(by == "self_draw" for _, by, _ in ways):
            self.wrong("nobody wins beside a self-draw: several winners win on one discard", "by")
            return
        discarders = {from_ for _, _, from_ in ways if isinstance(from_, str)}
        if len(discarders) > 1:
            self.wrong("several winners win on one discard: they need the same 'from'", "from")
            return
        seats = [seat for seat, _, _ in ways]
        if discarders <= set(SEATS) and discarders and all(isinstance(s, str) and s in SEATS for s in seats):
            discarder = SEATS.index(discarders.pop())
            turns = [(SEATS.index(seat) - discarder) % 4 for seat in seats]
            if len(set(turns)) < len(turns):
                self.wrong("a winner is named twice", "seat")
            elif turns != sorted(turns):
                right = sorted(seats, key=lambda seat: (SEATS.index(seat) - discarder) % 4)
                self.wrong(f"winners stand in turn order after the discarder: {', '.join(right)}", "winners")

    def winner(self, item: Mapping[str, Any], several: bool) -> Win | None:
        rules = self.rules
        by, seat, from_ = item.get("by"), item.get("seat"), item.get("from")
        seat_and_way(rules, by, seat, from_, 0, 0, self.problems)
        if self.problems and by not in ("discard", "self_draw"):
            by = None
        e = engine(rules)
        if by == "discard" and from_ is None and (several or e.program.pay_asks_discarder):
            self.wrong("say who discarded: 'from'", "from", "missing_field")
        worth = [key for key in KEYS if key in item]
        tally: Tally | None = None
        if "hand" in item:
            if worth:
                self.wrong(f"give the hand or what it is worth, not both: leave '{worth[0]}' out", worth[0])
            tally = self.winning_hand(item)
        else:
            for key in _HAND_ONLY:
                if item.get(key):
                    self.wrong(f"'{key}' goes with a hand; without one leave it out", key)
            where = seat if isinstance(seat, str) and seat in SEATS else None
            tally = quick(e.context_of(by, where, None), item, self.problems)
        if tally is None or self.problems:
            self.liable(item, None)
            return None
        counted = tally.doubles is not None
        hands = tally.limit_hands if tally.limit_lines else int(not counted and tally.limit == rules.limit_name)
        liable = self.liable(item, hands)
        return Win(
            SEATS.index(seat),
            str(by),
            SEATS.index(from_) if from_ else None,
            tally.base,
            tally.points or 0 if counted else 0,
            tally.doubles or 0,
            hands,
            liable,
        )

    def winning_hand(self, item: Mapping[str, Any]) -> Tally | None:
        said = {"by": item.get("by"), "seat": item.get("seat"), "from_": item.get("from"), "round": self.round}
        seat = said["seat"]
        known = {problem.at for problem in self.problems}
        found: list[Problem] = []
        hand = self.read(item["hand"], {**said, **{key: item[key] for key in _HAND_ONLY if key in item}}, found)
        if hand is not None:
            if isinstance(seat, str) and seat in SEATS:
                self.winning[SEATS.index(seat)] = hand
            if self.problems:
                found += engine(self.rules).problems(hand)
        else:
            flags, wrong = item.get("flags"), {p.at for p in found if p.code == "bad_value"}
            unknown = engine(self.rules).unknown(flags if isinstance(flags, list | tuple) else (), item)
            found += [p for p in unknown if p.at not in wrong]
        self.problems += [p for p in dict.fromkeys(found) if p.at not in known or p.at == "hand"]
        return self.scored(hand, SEATS.index(seat)) if hand is not None and not self.problems else None

    def scored(self, hand: Hand, seat: int) -> Tally | None:
        try:
            score = self.scores[seat] = score_hand(self.rules, hand)
        except TenboError as error:
            self.problems += error.problems
            return None
        return score._tally

    def read(self, hand: object, said: dict[str, Any], found: list[Problem]) -> Hand | None:
        try:
            if isinstance(hand, Hand):
                return hand.replace(**said, honba=0, sticks=0)
            return parse(hand, **said)  # type: ignore[arg-type]
        except TenboError as error:
            found += error.problems
            return None

    def liable(self, item: Mapping[str, Any], hands: int | None) -> tuple[Liable, ...]:
        """Who is liable; how many limit hands there are is asked only where it is known."""
        out = []
        for one in self.tables(item.get("liable"), "liable", ("seat", "limit_hands"), "a seat and its limit hands", 3):
            seat = self.seat(one.get("seat"), "seat")
            number = one.get("limit_hands")
            if number is None:
                self.wrong("say for how many limit hands: 'limit_hands'", "limit_hands", "missing_field")
            elif type(number) is not int or not 1 <= number <= 100:
                self.wrong(f"'limit_hands' must be a whole number from 1, not {shown(number)}", "limit_hands")
            elif seat is not None:
                out.append(Liable(seat, number))
        if not out:
            return ()
        if self.rules.liability is None:
            self.wrong(f"{self.rules.title} knows no liability: leave 'liable' out", "liable")
        elif hands is not None and sum(one.limit_hands for one in out) > hands:
            message = f"the hand has {hands or 'no'} limit hand{'' if hands == 1 else 's'}"
            self.wrong(f"{message}: nobody can be liable for more", "limit_hands")
        if len({one.seat for one in out}) < len(out):
            self.wrong("a player is liable once: add the limit hands up", "liable")
        return tuple(out)

    def losers(self, dead: tuple[int, ...]) -> tuple[int, int, int, int]:
        rules, given = self.rules, self.given.get("losers")
        scores = [0, 0, 0, 0]
        if given is None:
            return (0, 0, 0, 0)
        if not isinstance(given, Mapping):
            self.wrong('\'losers\' must be an object such as {"E": {"score": 12}}', "losers")
        elif given and not rules.table.losing_hands:
            self.wrong(f"{rules.title} does not look at losers' hands: leave 'losers' out", "losers")
        else:
            for key, value in list(given.items())[:8]:
                if not isinstance(key, str) or key not in SEATS:
                    self.wrong(f"'losers' names seats, E, S, W or N, not {shown(key)}", "losers")
                elif value is not None:
                    said = self.problems
                    self.problems = []
                    scores[SEATS.index(key)] = self.loser(SEATS.index(key), value)
                    said += [_of("loser", key, problem) for problem in self.problems]
                    self.problems = said
            if len(given) > 8:
                self.wrong("'losers' names more than the four seats", "losers")
        if not rules.losers:
            return (0, 0, 0, 0)
        east, south, west, north = (0 if seat in dead else score for seat, score in enumerate(scores))
        return (east, south, west, north)

    def loser(self, seat: int, value: object) -> int:
        item = self.table(value, "losers", ("hand", "score"), "a hand or a score")
        if item is None:
            return 0
        said = [key for key in ("hand", "score") if key in item]
        if len(said) != 1:
            self.wrong("say the loser's hand, or its score", "losers", "bad_value" if said else "missing_field")
            return 0
        if "score" in item:
            score = item["score"]
            if type(score) is not int or not 0 <= score <= MOST_POINTS:
                self.wrong(f"'score' must be a whole number from 0 to {MOST_POINTS}, not {shown(score)}", "score")
                return 0
            return score
        hand = self.read(item["hand"], {"seat": SEATS[seat], "round": self.round}, self.problems)
        if hand is None:
            return 0
        if hand.win is not None:
            self.wrong(f"a loser's hand did not go out: leave +{t.TEXTS[hand.win]} out", "hand")
            return 0
        self.losing_hands[seat] = hand
        if not self.rules.losers:
            return 0
        tally = self.scored(hand, seat)
        return tally.score if tally is not None else 0

    # --------------------------------------------------------------------------------------------------- the whole deal

    def roles(self, wins: tuple[Win, ...], dead: tuple[int, ...]) -> None:
        """Refuses winners who are something else too."""
        losers = self.given.get("losers")
        lost = [seat for seat in SEATS if losers.get(seat) is not None] if isinstance(losers, Mapping) else []
        winners = self.given.get("winners")
        named = [item for item in winners if isinstance(item, Mapping)] if isinstance(winners, list | tuple) else []
        seats = [one for item in named if isinstance(one := item.get("seat"), str) and one in SEATS]
        for seat in seats:
            if seat in lost:
                self.wrong(f"winner {seat} is among the losers too", "losers")
            if SEATS.index(seat) in dead:
                self.wrong(f"winner {seat} cannot have a dead hand: who does may not go out", "dead")
        for win in wins:
            for one in win.liable:
                if SEATS[one.seat] in seats:
                    self.wrong(f"{SEATS[one.seat]} is a winner, who is not liable", "liable")

    def copies(self) -> None:
        """Counts the tiles of all hands together, and compares what winners saw alike."""
        hands = {**self.winning, **self.losing_hands}
        if len(hands) < 2:
            return
        codes: list[int] = []
        seen: dict[str, tuple[int, ...]] = {}
        for seat, hand in hands.items():
            codes += hand.concealed
            codes += hand.bonus
            for meld in hand.melds:
                codes += meld.tiles
            if seat in self.winning and hand.win is not None:
                self.alike(seen, "hand", (hand.win,), "the winning tile")
                self.alike(seen, "dora", hand.dora, "the dora indicators")
                if hand.ura or "riichi" in hand.flags or "double_riichi" in hand.flags:
                    self.alike(seen, "ura", hand.ura, "the under-dora indicators")
        for shared in seen.values():
            codes += shared
        for kind, number in sorted(Counter([t.KINDS[code] for code in codes]).items()):
            most = 1 if t.is_bonus(kind) else 4
            if number > most:
                text = t.TEXTS[kind]
                there = "is 1" if most == 1 else "are only 4"
                message = f"{number} copies of '{text}' in all hands together, but there {there}"
                self.wrong(message, text, "too_many_copies")

    def alike(self, seen: dict[str, tuple[int, ...]], key: str, codes: tuple[int, ...], what: str) -> None:
        known = seen.setdefault(key, codes)
        if sorted(known) != sorted(codes):
            each = " or ".join(t.write(said) or "none" for said in (known, codes))
            self.wrong(f"{what} must be the same for all winners: {each}?", key)


def _of(role: str, seat: object, problem: Problem) -> Problem:
    named = f"{role} {seat}" if isinstance(seat, str) and seat in SEATS else role
    return Problem(problem.code, f"{named}: {problem.message}", problem.at)
