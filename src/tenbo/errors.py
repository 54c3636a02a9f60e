"""What can be wrong with input, and the exceptions that say so.

Nothing here stops at the first fault: a `TenboError` carries every `Problem` that was found, in the order of `CODES`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

CODES: tuple[str, ...] = (
    "bad_json",
    "bad_value",
    "unknown_field",
    "missing_field",
    "unknown_rules",
    "unknown_option",
    "bad_text",
    "bad_meld",
    "too_many_copies",
    "wrong_tile_count",
    "contradictory_flags",
    "not_winning",
    "not_scored",
)
"""Every code of a problem, in the order in which they are reported."""

_ORDER = {code: i for i, code in enumerate(CODES)}
_MOST_UNKNOWN = 20  # unknown keys of a record that are named one by one
_LONGEST = 40  # characters of a stranger's text that a message repeats


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong.

    Attributes:
        code: One of `CODES`.
        message: What is wrong and what would mend it, for a person.
        at: The offending tile, set, flag or key, or the line number of a batch.
    """

    code: str
    message: str
    at: str | int | None = None


class TenboError(ValueError):
    """Input that cannot be used, with everything that is wrong with it.

    Args:
        problems: At least one problem; they are sorted by the order of `CODES`.

    Attributes:
        problems: The problems, sorted.

    >>> error = TenboError([Problem("wrong_tile_count", "one tile is missing"), Problem("bad_text", "what is '1x'?")])
    >>> error.code
    'bad_text'
    >>> print(error)
    what is '1x'?; one tile is missing
    """

    problems: tuple[Problem, ...]

    def __init__(self, problems: Iterable[Problem]) -> None:
        """Keep the problems, sorted by the order of `CODES`."""
        self.problems = tuple(sorted(problems, key=lambda problem: _ORDER[problem.code]))
        if not self.problems:
            raise ValueError("a TenboError needs at least one problem")
        super().__init__(self.problems)

    @property
    def code(self) -> str:
        """The code of the first problem."""
        return self.problems[0].code

    def __str__(self) -> str:
        """All messages, joined."""
        return "; ".join(problem.message for problem in self.problems)


class ReadError(TenboError):
    """Input that cannot be read: its form, its keys, its values or its text."""


class HandError(TenboError):
    """Input that can be read but is no hand: impossible tiles, contradictory flags, or not complete."""


class NotScoredError(TenboError):
    """A complete hand that the rules do not let go out."""


class RulesetError(ReadError):
    """A ruleset file that cannot be loaded."""


_CLASSES: dict[str, type[TenboError]] = {
    "too_many_copies": HandError,
    "wrong_tile_count": HandError,
    "contradictory_flags": HandError,
    "not_winning": HandError,
    "not_scored": NotScoredError,
}


def error_for(problems: Iterable[Problem]) -> TenboError:
    """Make the exception for some problems; its class goes by the first code.

    Args:
        problems: At least one problem, in any order.

    Returns:
        A `ReadError`, `HandError` or `NotScoredError`, not raised.

    >>> type(error_for([Problem("not_winning", "no"), Problem("bad_value", "no")])).__name__
    'ReadError'
    """
    found = tuple(problems)
    first = min((_ORDER[problem.code] for problem in found), default=0)
    return _CLASSES.get(CODES[first], ReadError)(found)


def nearest(word: str, choices: Iterable[str]) -> str | None:
    """Find the choice that a misspelt word most likely meant.

    Args:
        word: What was written.
        choices: What could have been written.

    Returns:
        The nearest choice, or `None` where none is near.

    >>> nearest("richi", ["riichi", "ippatsu"])
    'riichi'
    >>> nearest("tsumo", ["riichi", "ippatsu"])
    """
    from difflib import get_close_matches  # rarely needed, slow to import

    known = list(choices)
    lower = {choice.lower(): choice for choice in reversed(known)}
    found = get_close_matches(word[: 2 * _LONGEST].lower(), list(lower), 1, 0.6)
    return lower[found[0]] if found else None


def shown(value: object) -> str:
    """Write a stranger's value so that it can stand in a message: short, printable, text in quotes, else as in JSON.

    >>> shown("12x"), shown(1.5), shown(None), shown("1" * 1000) == repr("1" * 40) + "..."
    ("'12x'", '1.5', 'null', True)
    """
    if isinstance(value, str):
        return repr(value[:_LONGEST]) + ("..." if len(value) > _LONGEST else "")
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, int):
        return repr(value) if value.bit_length() < 200 else "a very large number"
    kind = "object" if isinstance(value, dict) else type(value).__name__
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"


def unknown_keys(record: Mapping[Any, object], known: Iterable[str], problems: list[Problem]) -> None:
    """Reports keys that a record may not have (`unknown_field`), the first few of them."""
    known = tuple(known)
    extra = [key for key in record if key not in known]
    for key in extra[:_MOST_UNKNOWN]:
        near = nearest(key, known) if isinstance(key, str) else None
        hint = f"; did you mean '{near}'?" if near else f" (known: {', '.join(known)})"
        problems.append(Problem("unknown_field", f"{shown(key)} is not known here{hint}", str(key)[:60]))
    if len(extra) > _MOST_UNKNOWN:
        message = f"and {len(extra) - _MOST_UNKNOWN} more keys that are not known"
        problems.append(Problem("unknown_field", message, None))


def printable(text: str) -> str:
    r"""Write a stranger's text so that it can be what a problem is `at`: short and printable.

    >>> printable("+55z"), printable("\x00")
    ('+55z', '\\x00')
    """
    return repr(text[:_LONGEST])[1:-1]
