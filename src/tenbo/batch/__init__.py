"""Hands by the million: the same rulesets and the same answers, for columns of hands.

>>> hands = Hands.from_text(["3457899p [777z] [2222z] +6p", "12m"], by="discard", seat="S", round="E")
>>> scores = score(hands, rules="basic")
>>> scores.score.tolist(), scores.readings[0], ERRORS[scores.error[1]]
([320, 0], '345p 78+6p 99p [777z] [2222z]', 'missing_field')

`Scorer` and `run_batch` take and give Arrow tables and files of them; they need PyArrow, the rest only NumPy.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tenbo.batch.columns import MELDS, NONE, Hands
from tenbo.batch.compiled import compiled
from tenbo.batch.engine import score as _score
from tenbo.batch.result import ERRORS, NO_VALUE, Result
from tenbo.ruleset import Ruleset, load_rules

if TYPE_CHECKING:
    from tenbo.batch.arrow import BatchError, Progress, Scorer, Summary, run_batch

__all__ = [
    "ERRORS",
    "MELDS",
    "NONE",
    "NO_VALUE",
    "BatchError",
    "Hands",
    "Progress",
    "Result",
    "Scorer",
    "Summary",
    "run_batch",
    "score",
]


def score(hands: Hands, *, rules: str | Path | Ruleset, options: Mapping[str, object] | None = None) -> Result:
    """Scores hands in columns.

    Args:
        hands: The hands.
        rules: A preset's name, a ruleset file, or a `Ruleset`.
        options: House-rule values laid over the rules.

    Raises:
        ReadError: There are no such rules, or an option is not known or cannot have that value.
        RulesetError: The ruleset file cannot be used.
    """
    return _score(compiled(load_rules(rules, options)), hands)


def __getattr__(name: str) -> Any:
    """What needs PyArrow, loaded when it is first asked for."""
    if name in ("BatchError", "Progress", "Scorer", "Summary", "run_batch"):
        from tenbo.batch import arrow

        return getattr(arrow, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
