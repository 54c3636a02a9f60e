"""Rows that arrays leave to the scalar engine: faulty ones, and what a ruleset asks for that arrays cannot do."""

from __future__ import annotations

from typing import Any, Final

from tenbo.batch.columns import Hands
from tenbo.batch.compiled import Compiled
from tenbo.batch.result import ERRORS, NO_VALUE, OUT_OF_RANGE, Result
from tenbo.errors import Problem, ReadError, TenboError
from tenbo.facts import SEATS
from tenbo.records import read_hand
from tenbo.score import Score, score_hand

_MOST: Final = (1 << 63) - 1


def score_row(c: Compiled, hands: Hands, row: int, out: Result) -> str | None:
    """Scores one row with the scalar engine and writes it to the result.

    Returns:
        The chosen reading as text; None where there is an error.
    """
    try:
        try:
            record = {key: value for key, value in hands.record(row).items() if key not in ("rules", "options")}
        except ValueError as error:
            raise ReadError([Problem("bad_value", str(error), None)]) from None
        score = score_hand(*read_hand(record, c.rules, False))
    except TenboError as error:
        out.clear(_one(row), ERRORS.index(error.code))
        return None
    paid = score.payments
    if max(abs(score.score), *map(abs, (paid or {}).values()), 0) > _MOST:
        out.clear(_one(row), ERRORS.index(OUT_OF_RANGE))
        return None
    _write(c, score, row, out)
    out.paid[row] = paid is not None
    out.payments[row] = [paid[seat] for seat in SEATS] if paid else 0
    return score.reading


def _one(row: int) -> Any:
    return slice(row, row + 1)


def _write(c: Compiled, score: Score, row: int, out: Result) -> None:
    def number(value: int | None) -> int:
        return NO_VALUE if value is None else value

    out.clear(_one(row), 0)
    out.score[row] = score.score
    out.points[row], out.points_raw[row] = number(score.points), number(score.points_raw)
    out.doubles[row] = number(score.doubles)
    out.limit[row] = out.limits.index(score.limit)
    words = [0] * c.words
    for line in score.lines:
        place = c.bits.get(line.key)
        unit = "points" if line.points is not None else "doubles" if line.doubles is not None else "limit"
        if place is not None and c.units[line.key] == unit:
            words[place // 64] |= 1 << place % 64
    out.entries[row] = words
