"""What is wrong with a form, field by field, in the words that its page has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from tenbo.errors import Problem
from tenbo.explain import words
from tenbo.ledger.events import LONGEST_NAME, LONGEST_TEXT, EventFields
from tenbo.ledger.standing import Standing
from tenbo.ruleset import Ruleset
from tenbo.web.answered import plain
from tenbo.web.pages import SEATS, first_up, isolated, points

Faults = dict[str, str]
"""What is wrong by the field's name; under "" what is wrong with the form as a whole."""

_MINUS: Final = str.maketrans({"−": "-", "–": "-", ",": "", " ": "", "\u00a0": "", "\u202f": "", "'": "", "’": ""})
_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,12}")
_SENTENCES: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(pattern), text)
    for pattern, text in (
        (r"say who won: 'winners'", "say who won"),
        (r"say 'player': a player's number, 0 to 3", "say who it is"),
        (r"say who discarded: 'from'", "say who discarded"),
        (r"say how the hand went out: by discard or self_draw", "say how it was won: drawn, or from whom"),
        (r"'from' names the winner.*", "nobody wins from their own discard: say who else discarded it"),
        (r"nobody discards for a self-draw: leave 'from' out", "nobody discards for a self-draw"),
        (r"(several winners win on one discard): they need the same 'from'", r"\1, so all from the same player"),
        (r"say for how many limit hands: 'limit_hands'", "say for how many limit hands"),
        (r"'limit_hands' must be", "the limit hands that somebody is liable for must be"),
        (r"say who is paid: a list of seats in 'to'", "say who is paid"),
        (r"to themselves: leave the seat out of 'to'", "to themselves: take them out of those who are paid"),
        (r"say how many points: 'points'", "say how many points"),
        (r": leave '\w+' out$", ""),
        (r"say the note's 'text'", "say what is to be noted"),
        (r"what the hand is worth: .*", "what the hand is worth"),
        (r"these rules have no option '([^']*)'.*", r"these rules have no house rule ‘\1’"),
        (r"option '(\w+)'", r"‘\1’"),
        (r", or null\b", ", or none"),
        (r"\btrue or false\b", "yes or no"),
        (r"^'tiles': ", ""),
        (
            r"'stake' must be money per hundred points, such as '0.50', not ('?)(.*)\1$",
            r"money for 100 points, such as 0.50, not ‘\2’",
        ),
        (r"there are no rules '([^']*)'", r"there are no rules ‘\1’"),
        (r"'event'", "what happened"),
        (r"'started'", "its start"),
    )
)
_OF: Final = re.compile(r"^(?:winner|loser) ([ESWN]): ")
_WINNER: Final = re.compile(r"^winner ([ESWN]) ")
_SEAT_FIRST: Final = re.compile(r"^([ESWN]) is a winner")
_QUOTED: Final = re.compile(r"'(\w+)'")


def plainly(problem: Problem, rules: Ruleset | None = None, standing: Standing | None = None) -> str:
    """A problem in the words of a page: no names of fields, players instead of seats.

    Args:
        problem: The problem, as programs are told.
        rules: The rules, whose words are used.
        standing: Who sits where; None where it does not matter.
    """
    text = problem.message
    for pattern, better in _SENTENCES:
        text = pattern.sub(better, text)
    for pattern, better in ((_OF, "{}: "), (_WINNER, "{} won, but "), (_SEAT_FIRST, "{} is a winner")):
        text = pattern.sub(lambda found, better=better: better.format(_who(found[1], standing)), text)  # type: ignore[misc]
    text = text.replace("won, but is among the losers too", "won, and is among the other hands too")
    text = text.replace("won, but cannot have a dead hand", "won, and cannot have a dead hand")
    if rules is not None:
        said = words(rules)
        text = re.sub(r"\b(?:hp|han)\b", said.doubles, text)
        text = re.sub(r"\b(?:bp|fu)\b", said.points, text)
        known = {"hp": said.doubles, "han": said.doubles, "doubles": said.doubles, "score": "the score"}
        known |= {"bp": said.points, "fu": said.points, "points": said.points, "dora": "a dora indicator"}
        known |= {"ura": "an under-dora indicator", "hand": "the hand"}
        text = _QUOTED.sub(lambda found: known.get(found[1], found[0]), text)
    return plain(text, rules)


def _who(seat: str, standing: Standing | None) -> str:
    if standing is None:
        return SEATS[seat]
    player = standing.player(tuple(SEATS).index(seat))
    return isolated(standing.names[player].strip()) or f"Player {player + 1}"


def told(found: Iterable[Problem], rules: Ruleset, standing: Standing | None = None) -> list[str]:
    """Problems in the words of a page, each once."""
    return list(dict.fromkeys(plainly(problem, rules, standing) for problem in found))


def placed(
    found: Iterable[Problem],
    fields: Mapping[object, str],
    rules: Ruleset | None = None,
    standing: Standing | None = None,
) -> Faults:
    """Problems at the fields of a form.

    Args:
        found: The problems.
        fields: The form's field by what a problem is `at`; what is nowhere else is of the whole form.
        rules: The rules.
        standing: Who sits where.
    """
    out: Faults = {}
    for problem in found:
        add(out, fields.get(problem.at, ""), plainly(problem, rules, standing))
    return out


def add(faults: Faults, field: str, message: str) -> None:
    """Adds what is wrong with a field to what is known to be."""
    known = faults.get(field)
    if known is None:
        faults[field] = first_up(message)
    elif first_up(message) not in known:
        faults[field] = f"{known}. {first_up(message)}"


def number(text: str) -> int | str:
    """A whole number as people write it: "1,000", "−500", "+500"; other text as it is.

    >>> number("−1,500"), number(" +20 "), number("many")
    (-1500, 20, 'many')
    """
    digits = text.translate(_MINUS)
    return int(digits) if _WHOLE.fullmatch(digits) else text


def whole(text: str, field: str, what: str, least: int, most: int, faults: Faults) -> int:
    """A whole number that a form asks for.

    Args:
        text: What was typed.
        field: The field's name.
        what: What it is, to begin a sentence with.
        least: The least that it may be.
        most: The most that it may be.
        faults: Where it is said what is wrong.
    """
    value = number(text)
    if isinstance(value, int) and least <= value <= most:
        return value
    given = f"‘{text[:20]}{'…' if len(text) > 20 else ''}’"
    add(faults, field, f"{what}: a whole number from {points(least)} to {points(most)}, not {given}")
    return 0


def name(text: str, field: str, faults: Faults) -> str:
    """A name that a form asks for; it may be empty."""
    if len(text) > LONGEST_NAME:
        add(faults, field, f"a name has at most {LONGEST_NAME} characters; this one has {len(text)}: shorten it")
    else:
        _text(text, field, "name", faults)
    return text


def note(text: str, field: str, faults: Faults) -> str:
    """A text of several lines that a form asks for; it may be empty."""
    if len(text) > LONGEST_TEXT:
        add(faults, field, f"at most {points(LONGEST_TEXT)} characters, not {points(len(text))}: shorten it")
    else:
        _text(text, field, "note", faults)
    return text


def _text(text: str, field: str, what: str, faults: Faults) -> None:
    found: list[Problem] = []
    EventFields(found).text(text, field, LONGEST_TEXT, lines=what == "note")
    if found:
        add(faults, field, f"this {what} has a character that cannot be kept: type it anew")
