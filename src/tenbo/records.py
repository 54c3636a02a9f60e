"""Records as the command line, REST and batches read and write them: JSON values in, JSON values out, never raising.

A record that cannot be used is answered by an error record that lists all that is wrong with it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import isinf
from typing import Any, Final

from tenbo.engine import engine
from tenbo.errors import Problem, ReadError, TenboError, error_for, shown, unknown_keys
from tenbo.hand import Hand
from tenbo.notation import parse
from tenbo.quick import value
from tenbo.rulefile import PRESETS, unknown_rules
from tenbo.ruleset import Ruleset, load_rules
from tenbo.score import Score, score_hand
from tenbo.settle import DEAL_KEYS, read_deal, settle_deal
from tenbo.waits import Wait, error_record, waits

RULES_KEYS: Final = ("id", "rules", "options")
SITUATION_KEYS: Final = ("by", "from", "seat", "round", "flags", "dora", "ura", "honba", "sticks")
HAND_KEYS: Final = (*RULES_KEYS, "hand", *SITUATION_KEYS)
_HAND_KEYS: Final = frozenset(HAND_KEYS)
WAITS_KEYS: Final = tuple(key for key in HAND_KEYS if key != "by")
VALUE_KEYS: Final = (
    *RULES_KEYS,
    *("doubles", "points", "hp", "bp", "han", "fu", "limit"),
    *("by", "from", "seat", "honba", "sticks"),
)
SETTLE_KEYS: Final = (*RULES_KEYS, *DEAL_KEYS)
MAX_LINE: Final = 4_000_000

Record = dict[str, Any]


def record_rules(
    record: Mapping[str, Any], default: str | Ruleset | None, paths: bool, problems: list[Problem]
) -> Ruleset | None:
    """The ruleset a record asks for, with its options; faults are added to the problems.

    Args:
        record: A record with `rules` and `options`.
        default: The rules of the call.
        paths: Whether a record may name a file.
        problems: Where faults are added.
    """
    name = record.get("rules")
    if name is None:
        name = default
    try:
        if name is None:
            message = f"say which rules: one of {', '.join(PRESETS)}" + (", or a ruleset file" if paths else "")
            problems.append(Problem("missing_field", message, "rules"))
            return None
        if isinstance(name, str) and not paths and name is not default and name not in PRESETS:
            raise unknown_rules(name)
        if not isinstance(name, str | Ruleset):
            problems.append(Problem("bad_value", "'rules' must be the name of a ruleset", "rules"))
            return None
        rules = load_rules(name)
    except TenboError as error:
        problems.extend(error.problems)
        return None
    try:
        return rules.with_options(record.get("options"))
    except TenboError as error:
        problems.extend(error.problems)
        return rules


def record_hand(
    record: Mapping[str, Any], rules: Ruleset | None, problems: list[Problem], *, at: str = "hand"
) -> Hand | None:
    """The hand of a record; faults, those that depend on the rules too, are added to the problems."""
    text = record.get("hand")
    if text is None:
        problems.append(Problem("missing_field", "say the hand, as in '3457899p [777z] [2222z] +6p'", at))
        text = ""
        missing = True
    else:
        missing = False
    said = {key if key != "from" else "from_": record[key] for key in SITUATION_KEYS if record.get(key) is not None}
    hand = None
    try:
        hand = parse(text, **said)
    except TenboError as error:
        found = error.problems
        if missing:
            found = tuple(p for p in found if p.code == "bad_value")
        problems.extend(found)
    if rules is None:
        return hand
    if hand is not None:
        problems.extend(engine(rules).problems(hand))
    else:
        problems.extend(engine(rules).beside(said, problems))
    return hand


def read_hand(record: Mapping[str, Any], default: str | Ruleset | None, paths: bool) -> tuple[Ruleset, Hand]:
    """A record's ruleset and hand. What the rules alone have against such a hand, scoring it says.

    Raises:
        TenboError: Something is wrong with the record; all of it is named.
    """
    problems: list[Problem] = []
    if not record.keys() <= _HAND_KEYS:
        unknown_keys(record, HAND_KEYS, problems)
    rules = record_rules(record, default, paths, problems)
    if rules is not None and not problems:
        get = record.get
        try:
            return rules, parse(
                get("hand", ""),  # an empty hand is refused, as a missing one is
                by=get("by"),
                seat=get("seat"),
                round=get("round"),
                from_=get("from"),
                flags=get("flags"),
                dora=get("dora"),
                ura=get("ura"),
                honba=get("honba"),
                sticks=get("sticks"),
            )
        except TenboError:
            pass  # the rules may have something against it as well
    hand = record_hand(record, rules, problems)
    if problems or rules is None or hand is None:
        raise error_for(problems)
    return rules, hand


def answer(record: Any, work: Callable[[Mapping[str, Any]], Record], line: int | None = None) -> Record:
    """What `work` makes of a record, or the error record of what it raises; a record must be an object."""
    if not isinstance(record, dict):
        message = f"a record is a JSON object, not {shown(record)}"
        return error_record(ReadError([Problem("bad_json", message, line)]))
    try:
        return work(record)
    except TenboError as error:
        return error_record(error, record.get("id"))


def score_record(
    record: Any, *, rules: str | Ruleset | None = None, paths: bool = True, line: int | None = None
) -> Record:
    """Scores a hand record.

    Args:
        record: A hand record, as from JSON.
        rules: The rules where the record names none.
        paths: Whether the record may name a ruleset file.
        line: Its line in a batch, for errors.

    Returns:
        A score record or an error record.

    >>> score_record({"hand": "3457899p [777z] [2222z] +6p", "by": "discard", "seat": "S", "round": "E"},
    ...              rules="basic")["score"]
    320
    """

    def work(given: Mapping[str, Any]) -> Record:
        ruleset, hand = read_hand(given, rules, paths)
        return score_hand(ruleset, hand).record(given.get("id"))

    return answer(record, work, line)


def score_of(record: Mapping[str, Any], rules: str | Ruleset | None = None) -> Score:
    """The score of a hand record, raising what is wrong with it.

    Raises:
        TenboError: As for `score`.
    """
    return score_hand(*read_hand(record, rules, True))


def waits_record(record: Any, *, rules: str | Ruleset | None = None, paths: bool = True) -> Record:
    """The waits of a hand record without winning tile: `{"waits": [...]}` or an error record."""

    def work(given: Mapping[str, Any]) -> Record:
        problems: list[Problem] = []
        unknown_keys(given, HAND_KEYS, problems)
        if given.get("by") is not None:
            problems.append(Problem("bad_value", "waits are shown for both ways of winning: leave 'by' out", "by"))
        ruleset = record_rules(given, rules, paths, problems)
        text = given.get("hand")
        if text is None:
            problems.append(Problem("missing_field", "say the hand without its winning tile", "hand"))
        said = {key if key != "from" else "from_": given.get(key) for key in SITUATION_KEYS if key != "by"}
        found: tuple[Wait, ...] = ()
        if ruleset is not None:
            try:
                found = waits("1112345678999m" if text is None else text, rules=ruleset, **said)
            except TenboError as error:
                problems.extend(error.problems)
        if problems:
            raise error_for(problems)
        return {"id": given.get("id"), "waits": [wait.record() for wait in found]}

    return answer(record, work)


def value_record(record: Any, *, rules: str | Ruleset | None = None, paths: bool = True) -> Record:
    """The worth of points and doubles, or of a limit, as a score record; or an error record."""

    def work(given: Mapping[str, Any]) -> Record:
        problems: list[Problem] = []
        unknown_keys(given, VALUE_KEYS, problems)
        ruleset = record_rules(given, rules, paths, problems)
        said = {key if key != "from" else "from_": given.get(key) for key in VALUE_KEYS[3:]}
        if ruleset is None:
            raise error_for(problems)
        try:
            found = value(rules=ruleset, **said)
        except TenboError as error:
            problems.extend(error.problems)
        if problems:
            raise error_for(problems)
        return found.record(given.get("id"))

    return answer(record, work)


def settle_record(record: Any, *, rules: str | Ruleset | None = None, paths: bool = True) -> Record:
    """Settles a deal: a settlement's record, or an error record.

    Args:
        record: What happened, as from JSON; seats are this deal's winds.
        rules: The rules where the record names none.
        paths: Whether the record may name a ruleset file.

    >>> settle_record({"rules": "basic", "penalty": {"kind": "kitty", "seat": "E"}})["payments"]
    {'E': -100, 'S': 0, 'W': 0, 'N': 0}
    """

    def work(given: Mapping[str, Any]) -> Record:
        problems: list[Problem] = []
        unknown_keys(given, SETTLE_KEYS, problems)
        ruleset = record_rules(given, rules, paths, problems)
        deal = read_deal(given, ruleset, problems) if ruleset is not None else None
        if problems or ruleset is None or deal is None:
            raise error_for(problems)
        return settle_deal(ruleset, deal).record(given.get("id"))

    return answer(record, work)


# ---------------------------------------------------------------------------------------------------------- JSON lines


def _refuse_constant(text: str) -> Any:
    raise ValueError(f"{text} is not JSON")


def _finite(text: str) -> float:
    number = float(text)
    if isinf(number):  # it could not be written back as JSON
        raise ValueError(f"{text[:20]} is too large a number")
    return number


_decoder: Final = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite)
_decode, _decode_first = _decoder.decode, _decoder.raw_decode
_encode: Final = json.JSONEncoder(ensure_ascii=False).encode


def read_json(text: str | bytes) -> Any:
    """One JSON value.

    Raises:
        ReadError: `bad_json`.
    """
    if len(text) > MAX_LINE:
        raise ReadError([Problem("bad_json", f"a record of more than {MAX_LINE} characters is not read", None)])
    try:
        if isinstance(text, bytes):
            text = text.decode()
        try:
            value, end = _decode_first(text)
            if end == len(text):
                return value
        except json.JSONDecodeError:
            pass
        return _decode(text.removeprefix("\ufeff"))  # with spaces around it; or it is no JSON, and this says why
    except UnicodeDecodeError:
        message = "the record is not UTF-8 text"
    except RecursionError:
        message = "the record is nested too deeply"
    except ValueError as error:
        too_long = "Exceeds the limit" in str(error)  # of digits; Python's words are for programmers
        message = "a number in the record has too many digits" if too_long else f"the record is not JSON: {error}"
    raise ReadError([Problem("bad_json", message, None)])


def answer_lines(lines: Iterable[str | bytes], work: Callable[[Any, int], Record]) -> Iterator[Record]:
    """Answers records, one a line, in order; blank lines are skipped.

    Args:
        lines: JSON texts.
        work: Answers a record, given its line number (1-based).
    """
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = read_json(line)
        except ReadError as error:
            yield error_record(ReadError([Problem("bad_json", error.problems[0].message, number)]))
            continue
        yield work(record, number)


def write_json(record: Any) -> str:
    """A record as one line of JSON; text that is no text (lone surrogates) stays escaped."""
    text = _encode(record)
    return text if text.isascii() or _encodable(text) else json.dumps(record)


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
