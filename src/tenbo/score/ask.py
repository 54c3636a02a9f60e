"""The common call: from hand text, or a hand, to its score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tenbo.engine.engine import engine
from tenbo.errors import TenboError, error_for
from tenbo.hand import Hand
from tenbo.notation import parse
from tenbo.ruleset import Ruleset, load_rules
from tenbo.score.score import Score, score_hand


def score(
    hand: Hand | str,
    *,
    rules: str | Ruleset,
    options: Mapping[str, object] | None = None,
    by: Any = None,
    seat: Any = None,
    round: Any = None,
    from_: Any = None,
    flags: Iterable[str] = (),
    dora: Any = "",
    ura: Any = "",
    honba: int = 0,
    sticks: int = 0,
) -> Score:
    """Scores a hand.

    Args:
        hand: Hand text, or a `Hand` (which brings its own situation).
        rules: A preset's name, a ruleset file, or a `Ruleset`.
        options: House-rule values laid over the rules.
        by: "discard" or "self_draw"; None for a hand that did not go out.
        seat: The player's seat, "E" "S" "W" "N".
        round: The round, likewise.
        from_: The discarder's seat.
        flags: Some of `riichi double_riichi ippatsu last_tile after_kong robbing_kong first_turn`.
        dora: Indicators, as text.
        ura: The indicators underneath, as text.
        honba: Counters.
        sticks: Bets on the table.

    Raises:
        ReadError: Something cannot be read; all problems are listed.
        HandError: The tiles or the situation are impossible, or not a complete hand.
        NotScoredError: The rules do not let the hand go out.

    >>> score("3457899p [777z] [2222z] +6p", rules="basic", by="discard", seat="S", round="E").score
    320
    """
    if options is None and type(rules) is Ruleset and type(hand) is Hand:
        return score_hand(rules, hand)
    ruleset = load_rules(rules, options) if options or not isinstance(rules, Ruleset) else rules
    if isinstance(hand, Hand):
        return score_hand(ruleset, hand)
    said: dict[str, Any] = {
        "seat": seat,
        "round": round,
        "flags": flags,
        "dora": dora,
        "ura": ura,
        "honba": honba,
        "sticks": sticks,
    }
    try:
        parsed = parse(hand, by=by, from_=from_, **said)
    except TenboError as error:
        raise error_for([*error.problems, *engine(ruleset).beside(said, error.problems)]) from None
    return score_hand(ruleset, parsed)
