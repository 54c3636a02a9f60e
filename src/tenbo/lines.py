"""Hand records in and score records out as lines of JSON, many a second.

A score's record is written from parts that are kept: the same lines, payments and rules come again and again.

>>> text, refused = next(score_lines(['{"rules": "reach", "hand": "1m"}']))
>>> refused, text[:37]
(True, '{"id": null, "error": "missing_field"')
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, Final

from tenbo.errors import Problem, ReadError, TenboError
from tenbo.records import MAX_LINE, Record, answer, read_hand, read_json, write_json
from tenbo.ruleset import Ruleset
from tenbo.score import Line, OtherReading, Score, score_hand
from tenbo.waits import error_record

__all__ = ["answer_texts", "score_lines", "score_text"]

_KEPT: Final = 4096
_MOST_KEPT: Final = 16_384


def score_lines(
    lines: Iterable[str | bytes | None], *, rules: str | Ruleset | None = None, paths: bool = True
) -> Iterator[tuple[str, bool]]:
    """Scores hand records, one a line, in order; blank lines are skipped.

    Args:
        lines: JSON texts; None stands for one that is too long to be read.
        rules: The rules where a record names none.
        paths: Whether a record may name a ruleset file.

    Yields:
        The score or error record as JSON, without a line end, and whether it is an error record.
    """

    def scored(record: Any, number: int) -> tuple[str, bool]:
        try:
            if record.__class__ is dict:
                return score_text(score_hand(*read_hand(record, rules, paths)), record.get("id")), False
        except TenboError as error:
            return write_json(error_record(error, record.get("id"))), True
        return write_json(answer(record, dict, number)), True

    return _texts(lines, scored)


def answer_texts(lines: Iterable[str | bytes | None], work: Callable[[Any], Record]) -> Iterator[tuple[str, bool]]:
    """Answers any records, one a line, in order; blank lines are skipped.

    Args:
        lines: As for `score_lines`.
        work: Answers a record.

    Yields:
        As `score_lines`.
    """

    def answered(record: Any, number: int) -> tuple[str, bool]:
        found = answer(record, work, number)
        return write_json(found), "error" in found

    return _texts(lines, answered)


def _texts(
    lines: Iterable[str | bytes | None], work: Callable[[Any, int], tuple[str, bool]]
) -> Iterator[tuple[str, bool]]:
    for number, line in enumerate(lines, 1):
        if line is None:
            yield _unread(f"a record of more than {MAX_LINE} bytes is not read", number)
            continue
        if not line or line.isspace():
            continue
        try:
            yield work(read_json(line), number)
        except ReadError as error:
            yield _unread(error.problems[0].message, number)
        except RecursionError:  # an id that can be read but not written
            yield _unread("the record is nested too deeply", number)


def _unread(message: str, number: int) -> tuple[str, bool]:
    return write_json(error_record(ReadError([Problem("bad_json", message, number)]))), True


def score_text(score: Score, id: Any = None) -> str:
    """A score's record as JSON: what `write_json(score.record(id))` gives, several times as fast.

    Args:
        score: The score.
        id: Anything that JSON can say.
    """
    others = score.other_readings
    worth, paid = _worth_texts(score)
    return (
        f'{{"id": {"null" if id is None else id if id.__class__ is int else write_json(id)}, '
        f"{_rules_text(score.ruleset)}, {worth}, "
        f'"lines": [{", ".join([_lines_text(group) for group in score._line_groups() if group])}], '
        f'"reading": "{score.reading}", '
        f'"other_readings": [{", ".join([_other_text(other) for other in others]) if others else ""}], {paid}}}'
    )


_worths: dict[tuple[Any, ...], tuple[Any, Any, tuple[str, str]]] = {}  # by identity: many hands are worth the same


def _worth_texts(score: Score) -> tuple[str, str]:
    """What a score's record says before the lines, and after the readings."""
    context, tally, hand = score._context, score._tally, score.hand
    key = (id(context), id(tally), hand.from_, hand.honba, hand.sticks)
    known = _worths.get(key)
    if known is not None and known[0] is context and known[1] is tally:
        return known[2]
    record = {name: getattr(score, name) for name in ("score", "points", "points_raw", "doubles", "limit")}
    more = {name: getattr(score, name) for name in ("payments", "shares", "han", "fu")}
    texts = write_json(record)[1:-1], write_json(more)[1:-1]
    if len(_worths) >= _MOST_KEPT:
        _worths.clear()
    _worths[key] = context, tally, texts  # kept with what they are of, so that nothing else gets its identity
    return texts


@lru_cache(256)
def _rules_text(rules: Ruleset) -> str:
    options = {name: list(value) if isinstance(value, tuple) else value for name, value in rules.values.items()}
    return f'"rules": {write_json(rules.name)}, "options": {write_json(options)}'


_line_texts: dict[int, tuple[tuple[Line, ...], str]] = {}  # by identity: the same groups come again and again


def _lines_text(group: tuple[Line, ...]) -> str:
    """Lines as JSON, one at least, without brackets."""
    known = _line_texts.get(id(group))
    if known is not None and known[0] is group:
        return known[1]
    text = ", ".join(map(_line_text, group))
    if len(_line_texts) >= _MOST_KEPT:
        _line_texts.clear()
    _line_texts[id(group)] = group, text  # kept with the group, so that nothing else gets its identity
    return text


@lru_cache(_KEPT)
def _line_text(line: Line) -> str:
    record = {"name": line.name, "tiles": line.tiles, "points": line.points, "doubles": line.doubles}
    return write_json({**record, "limit": line.limit})


def _other_text(other: OtherReading) -> str:
    return write_json(other.record())
