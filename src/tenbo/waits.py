"""A hand one tile short: every tile that completes it, and what it would then score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from tenbo import tiles as t
from tenbo.engine import Engine, engine, waiting
from tenbo.errors import Problem, TenboError, error_for
from tenbo.facts import FORMS
from tenbo.hand import Hand
from tenbo.notation import parse
from tenbo.ruleset import Ruleset, load_rules
from tenbo.score import Score, score_hand

Outcome = Score | TenboError


@dataclass(frozen=True, slots=True)
class Wait:
    """A tile that completes a hand.

    Attributes:
        tile: The tile, as text.
        left: Copies that are neither in the hand nor among the indicators (0-4).
        discard: The score when it is claimed, or the error that says why it scores nothing.
        self_draw: The score when it is drawn, likewise.
    """

    tile: str
    left: int
    discard: Outcome
    self_draw: Outcome

    def record(self) -> dict[str, Any]:
        """As in the answer of `tenbo waits`."""
        return {
            "tile": self.tile,
            "left": self.left,
            "discard": outcome_record(self.discard),
            "self_draw": outcome_record(self.self_draw),
        }


def outcome_record(outcome: Outcome, id: Any = None) -> dict[str, Any]:
    """A score record, or an error record."""
    return outcome.record(id) if isinstance(outcome, Score) else error_record(outcome, id)


def error_record(error: TenboError, id: Any = None) -> dict[str, Any]:
    """The record of something that could not be scored: all that is wrong with it, in order."""
    found = [{"code": p.code, "message": p.message, "at": p.at} for p in error.problems]
    return {"id": id, "error": error.code, "errors": found}


def waits(
    hand: Hand | str,
    *,
    rules: str | Ruleset,
    options: Mapping[str, object] | None = None,
    seat: Any = None,
    round: Any = None,
    from_: Any = None,
    flags: Iterable[str] | None = (),
    dora: Any = "",
    ura: Any = "",
    honba: Any = 0,
    sticks: Any = 0,
) -> tuple[Wait, ...]:
    """Every tile that completes a hand one tile short, in tile order.

    Args:
        hand: The hand without its winning tile.
        rules: A preset's name, a ruleset file, or a `Ruleset`.
        options: House-rule values laid over the rules.
        seat: The player's seat, "E" "S" "W" "N".
        round: The round, likewise.
        from_: The discarder's seat.
        flags: As for `score`.
        dora: Indicators, as text.
        ura: The indicators underneath, as text.
        honba: Counters.
        sticks: Bets on the table.

    Returns:
        The waits; none for a hand that is not ready. A tile that cannot come any more is listed with 0 left.

    Raises:
        ReadError: Something cannot be read, or the hand has its winning tile (`bad_value`).
        HandError: The tiles are impossible.

    >>> [(wait.tile, wait.left) for wait in waits("3457899p [777z] [2222z]", rules="basic", seat="S", round="E")]
    [('6p', 4), ('9p', 2)]
    """
    ruleset = load_rules(rules, options)
    e = engine(ruleset)
    said = {
        "seat": seat,
        "round": round,
        "from_": from_,
        "flags": () if flags is None else flags,
        "dora": dora,
        "ura": ura,
        "honba": honba or 0,
        "sticks": sticks or 0,
    }
    try:
        bare = hand if isinstance(hand, Hand) else parse(hand)
    except TenboError as error:
        found = [problem for problem in error.problems if problem.at != "by"]  # which is not asked for
        raise error_for([*found, *_problems(e, _ANY, said)]) from None
    problems = _problems(e, bare, said) if bare.win is None else _problems(e, _ANY, said)
    if bare.win is not None:
        message = f"give the hand without its winning tile: leave +{t.TEXTS[bare.win]} out"
        problems.insert(0, Problem("bad_value", message, "hand"))
    if problems:
        raise error_for(problems)
    indicators = (parse_indicators(dora), parse_indicators(ura))
    if any(indicators):
        _see_copies(bare, *indicators)
    shapes = ruleset.shapes
    every, _ = waiting(bare, pairs=FORMS[1] in shapes, orphans=FORMS[2] in shapes)
    out = []
    for kind in sorted(every):
        seen = list(bare.concealed)
        for meld in bare.melds:
            seen += meld.tiles
        left = 4 - sum(t.kind(code) == kind for code in (*seen, *indicators[0], *indicators[1]))
        drawn = {key: value for key, value in said.items() if key != "from_"}
        out.append(
            Wait(
                t.TEXTS[kind],
                max(left, 0),
                _complete(ruleset, bare, kind, "discard", said),
                _complete(ruleset, bare, kind, "self_draw", drawn),
            )
        )
    return tuple(out)


def _see_copies(bare: Hand, dora: tuple[int, ...], ura: tuple[int, ...]) -> None:
    """Refuses too many copies of a tile in a hand and its indicators."""
    try:
        bare.replace(dora=dora, ura=ura)
    except TenboError as error:  # indicators beside a hand that did not go out are another matter
        found = [problem for problem in error.problems if problem.code == "too_many_copies"]
        if found:
            raise error_for(found) from None


def parse_indicators(*texts: Any) -> tuple[int, ...]:
    """The codes of indicators given as texts that are known to be good."""
    from tenbo.notation import parse_tiles

    return tuple(code for text in texts if text for code in parse_tiles(text))


def _complete(rules: Ruleset, bare: Hand, kind: int, by: str, said: Mapping[str, Any]) -> Outcome:
    try:
        return score_hand(rules, parse(f"{bare.text} +{t.TEXTS[kind]}", by=by, **said))  # type: ignore[arg-type]
    except TenboError as error:
        return error


_ANY: Final = parse("1112345678999m")


def _problems(e: Engine, bare: Hand, said: Mapping[str, Any]) -> list[Problem]:
    """What is wrong with a situation whatever tile comes."""
    held = [0] * 34
    for code in (*bare.concealed, *(code for meld in bare.melds for code in meld.tiles)):
        held[t.kind(code)] += 1
    tile = t.TEXTS[held.index(min(held))]
    problems: list[Problem] = []
    for by in ("self_draw", "discard"):
        given = dict(said)
        if by == "self_draw":
            given["from_"] = None
        try:
            hand = parse(f"{bare.text} +{tile}", by=by, **given)
        except TenboError as error:
            found = [p for p in error.problems if p.code in ("bad_value", "bad_text")]
            problems += found + e.beside(given, found)
        else:
            problems += [p for p in e.problems(hand) if p.code in ("bad_value", "missing_field")]
    return list(dict.fromkeys(problems))
