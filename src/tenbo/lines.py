"""Hand records in and score records out as lines of JSON, many a second.

A score's record is written from parts that are kept: the same lines, payments and rules come again and again.

>>> text, refused = next(score_lines([['{"rules": "reach", "hand": "1m"}']]))
>>> refused, text[:37]
(True, '{"id": null, "error": "missing_field"')
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

from tenbo.errors import Problem, ReadError, TenboError
from tenbo.hand import Hand
from tenbo.records import MAX_LINE, Record, answer, read_hand, read_json, write_json
from tenbo.ruleset import Ruleset
from tenbo.score import Line, OtherReading, Score, score_hand
from tenbo.waits import error_record

__all__ = ["answer_texts", "score_lines", "score_text"]

Lines = Sequence[str | bytes | None]
Answer = tuple[str, bool]

_TOGETHER: Final = 32
"""Lines that are read, then scored, then written: each step's code and tables stay in the processor's caches."""
_KEPT: Final = 4096
_MOST_KEPT: Final = 16_384


def score_lines(blocks: Iterable[Lines], *, rules: str | Ruleset | None = None, paths: bool = True) -> Iterator[Answer]:
    """Scores hand records, one a line, in order; blank lines are skipped.

    Args:
        blocks: JSON texts, those together that are there together: they are answered before more is asked for. None
            stands for a line that is too long to be read.
        rules: The rules where a record names none.
        paths: Whether a record may name a ruleset file.

    Yields:
        The score or error record as JSON, without a line end, and whether it is an error record.
    """

    def score_some(read: list[tuple[int, Any]], told: dict[int, Answer]) -> None:
        hands: list[tuple[int, Any, Ruleset, Hand]] = []
        for number, record in read:
            try:
                if record.__class__ is dict:
                    hands.append((number, record.get("id"), *read_hand(record, rules, paths)))
                else:
                    told[number] = write_json(answer(record, dict, number)), True
            except TenboError as error:
                told[number] = _refused(error, record.get("id"), number)
            except RecursionError:
                told[number] = _too_deep(number)
        scores: list[tuple[int, Any, Score]] = []
        for number, id_, ruleset, hand in hands:
            try:
                scores.append((number, id_, score_hand(ruleset, hand)))
            except TenboError as error:
                told[number] = _refused(error, id_, number)
        for number, id_, score in scores:
            try:
                told[number] = score_text(score, id_), False
            except RecursionError:
                told[number] = _too_deep(number)

    return _texts(blocks, score_some)


def answer_texts(blocks: Iterable[Lines], work: Callable[[Any], Record]) -> Iterator[Answer]:
    """Answers any records, one a line, in order; blank lines are skipped.

    Args:
        blocks: As for `score_lines`.
        work: Answers a record.

    Yields:
        As `score_lines`.
    """

    def answer_some(read: list[tuple[int, Any]], told: dict[int, Answer]) -> None:
        for number, record in read:
            try:
                found = answer(record, work, number)
                told[number] = write_json(found), "error" in found
            except RecursionError:
                told[number] = _too_deep(number)

    return _texts(blocks, answer_some)


def _texts(
    blocks: Iterable[Lines], work: Callable[[list[tuple[int, Any]], dict[int, Answer]], None]
) -> Iterator[Answer]:
    number = 0
    for block in blocks:
        for start in range(0, len(block), _TOGETHER):
            first = number + 1
            read: list[tuple[int, Any]] = []
            told: dict[int, Answer] = {}
            for line in block[start : start + _TOGETHER]:
                number += 1
                if line is None:
                    told[number] = _unread(f"a record of more than {MAX_LINE} bytes is not read", number)
                elif line and not line.isspace():
                    try:
                        read.append((number, read_json(line)))
                    except ReadError as error:
                        told[number] = _unread(error.problems[0].message, number)
            work(read, told)
            for at in range(first, number + 1):
                if at in told:
                    yield told[at]


def _refused(error: TenboError, id_: Any, number: int) -> Answer:
    try:
        return write_json(error_record(error, id_)), True
    except RecursionError:
        return _too_deep(number)


def _too_deep(number: int) -> Answer:
    """What can be read, but not written."""
    return _unread("the record is nested too deeply", number)


def _unread(message: str, number: int) -> Answer:
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
