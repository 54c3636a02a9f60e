"""Quick entry: a winner by what the hand is worth, read from a form and looked through."""

from __future__ import annotations

from typing import Any, Final

from tenbo.explain import words
from tenbo.ledger.standing import Standing
from tenbo.quick import KEYS, MAX_DOUBLES, MAX_POINTS, MAX_SCORE
from tenbo.ruleset import Ruleset
from tenbo.situation import BY, WINDS
from tenbo.web.dealdraft import DealDraft, Form
from tenbo.web.faults import Faults, add, whole
from tenbo.web.pages import first_up
from tenbo.web.tableview import named

_PREFIX: Final = "q."
_PAIRS: Final = (("doubles", "points"), ("hp", "bp"), ("han", "fu"))


def pair_of(rules: Ruleset) -> tuple[str, str]:
    """What a hand's worth is given by under these rules: doubles and points, HP and BP, or han and fu."""
    if rules.payment.han is None:
        return _PAIRS[0]
    return _PAIRS[2] if words(rules).less else _PAIRS[1]


def only_one(standing: Standing, draft: DealDraft) -> str:
    """Why nobody wins beside the draft's winners where the rules have one winner alone."""
    winners = " and ".join(named(standing, one["player"]) for one in draft.winners if "player" in one)
    return f"in these rules one player alone wins, the first in turn order after the discarder: not {winners} together"


def way_of(form: Form, standing: Standing, draft: DealDraft, rules: Ruleset, faults: Faults) -> dict[str, Any]:
    """Who won, and how, as a form says it: `player`, `by` and `from` of a winner.

    Args:
        form: The form, with the winner's `seat`, and in `how` the discarder's or that the tile was drawn.
        standing: Who sits where.
        draft: The deal so far: nobody wins beside a self-draw, and several win on one discard.
        rules: The rules, some of which have one winner alone.
        faults: Where it is said what is wrong.
    """
    seat, how = str(form.get("seat") or ""), str(form.get("how") or "")
    out: dict[str, Any] = {"by": BY[1] if how == BY[1] else BY[0]}
    if seat not in WINDS:
        add(faults, "seat", "say who won")
    else:
        out["player"] = standing.player(WINDS.index(seat))
    first = next((one for one in draft.winners if one.get("player") != out.get("player")), None)
    if first is not None and rules.payment.winners == "first":
        add(faults, "seat", only_one(standing, draft.added(out)))
    if how in WINDS:
        out["from"] = standing.player(WINDS.index(how))
        if how == seat:
            name = named(standing, out["player"])
            add(
                faults,
                "how",
                f"{name} cannot win on their own discard: say who else discarded the tile, or that it was drawn",
            )
        elif first is not None and first.get("from") not in (None, out["from"]):
            others = f"{named(standing, first['player'])} wins from {named(standing, first['from'])}"
            add(
                faults, "how", f"{others}: who else wins on this discard wins from {named(standing, first['from'])} too"
            )
    elif how != BY[1]:
        add(faults, "how", "say how it was won: drawn, or from whom")
    elif first is not None:
        add(
            faults,
            "how",
            f"{named(standing, first['player'])} wins on a discard: nobody can win by a drawn tile beside",
        )
    return out


def worth_of(form: Form, rules: Ruleset, faults: Faults) -> dict[str, Any]:
    """What the hand is worth, as a form says it: some of `tenbo.quick.KEYS`.

    Args:
        form: The form, with fields such as `q.han`.
        rules: The rules.
        faults: Where it is said what is wrong.
    """
    said = words(rules)
    pair = pair_of(rules)
    typed = {key: str(form.get(_PREFIX + key) or "").strip()[:40] for key in KEYS}
    typed = {key: text for key, text in typed.items() if text}
    asked = {pair[0]: (said.doubles, 0, MAX_DOUBLES), pair[1]: (said.points, 0, MAX_POINTS)}
    asked["score"] = ("the score", 0, MAX_SCORE)
    ways = _ways(rules)
    if not typed:
        add(faults, _PREFIX + pair[0], f"say what the hand is worth: {ways}")
    elif len(typed) == 1 and (one := next(iter(typed))) in pair:
        other = pair[1 - pair.index(one)]
        add(faults, _PREFIX + other, f"the {asked[other][0]} are missing: {said.doubles} and {said.points} go together")
    elif len(typed) > 1 and set(typed) != set(pair):
        add(faults, _PREFIX + next(key for key in reversed(KEYS) if key in typed), f"give one of them: {ways}")
    out: dict[str, Any] = {}
    for key, text in typed.items():
        if key in asked:
            what, least, most = asked[key]
            out[key] = whole(text, _PREFIX + key, first_up(what), least, most, faults)
        else:
            out[key] = text
    return out


def _ways(rules: Ruleset) -> str:
    said = words(rules)
    ways = [f"{said.doubles} and {said.points}"]
    if rules.limits or rules.limit_base is not None:
        ways.append("a limit")
    if not rules.payment.collected:
        ways.append("the score")
    return ", or ".join(ways)
