"""Hand text: reading it, with everything that is wrong with it, and writing it.

>>> hand = parse("3457899p [777z] [2222z] +6p", by="discard", seat="S", round="E")
>>> hand.win, [meld.kind for meld in hand.melds]
(14, ['pung', 'kong'])
>>> print(parse("+6p [777z] 99p345p78p [2 2 2 2 z]"))
3457899p [777z] [2222z] +6p
>>> parse("123x456p [112s] +55z", by="dicsard")
Traceback (most recent call last):
    ...
tenbo.errors.ReadError: 'by' is 'dicsard'; it is 'discard' or 'self_draw'; did you mean 'discard'?; \
'123x': 'x' is no suit; m are characters, p dots, s bamboo, z winds and dragons, f flowers and seasons; \
'+55z': the winning tile is one tile, as in '+6p'; \
'[112s]' is not a set: three tiles make a set where they are alike or follow one another
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from tenbo import tiles
from tenbo.checks import Draft, find_problems
from tenbo.errors import Problem, error_for, printable, shown
from tenbo.hand import Hand, as_tuple
from tenbo.meld import Meld
from tenbo.packing import BONUS, CONCEALED, INDICATOR, WINNING
from tenbo.prepared import prepare
from tenbo.situation import By, Wind
from tenbo.spelling import LONGEST, Reading, read_tiles, strip

_QUICK = 64  # no clean text is longer

# The quick way: the parts of a clean text, each looked up in `_parts`; anything else falls apart into single
# characters, which are not there.
_split = re.compile(r"[0-9]+[mpszf]|\[[^]]*\]|\([^)]*\)|\+[0-9][mpsz]|\S").findall
_ROLES = {letter: suit for suit, letter in enumerate(tiles.SUITS)}  # of concealed tiles; of other parts:
_MELD, _BONUS, _WIN = 4, 5, 6


class _Parts(dict[str, tuple[int, int, Any]]):
    """Text of a clean part to what it is, its weight and its content; emptied when full, so that it stays small."""

    def __missing__(self, text: str) -> tuple[int, int, Any]:
        part = _part(text)
        if len(self) >= _MOST_PARTS:
            self.clear()
        self[text] = part
        return part


class _Indicators(dict[str | None, tuple[tuple[int, ...], int]]):
    """Text of clean indicator tiles to their codes and weight; emptied when full. `None` is no tiles."""

    def __missing__(self, text: str | None) -> tuple[tuple[int, ...], int]:
        if text is not None and len(text) > _QUICK // 2:
            raise LookupError
        runs: list[str] = [] if text is None else _split(text)
        if any(len(run) == 1 for run in runs):  # one character is nothing clean
            raise LookupError
        codes = tuple([tiles.CODES[digit + run[-1]] for run in runs for digit in run[:-1]])
        found = codes, sum([INDICATOR[code] for code in codes])
        if len(self) >= _MOST_PARTS:
            self.clear()
        self[text] = found
        return found


_MOST_PARTS = 1 << 14
_parts = _Parts()
_indicators = _Indicators()


def _part(text: str) -> tuple[int, int, Any]:
    """What a part is, its weight and its content.

    Raises:
        LookupError: It is not clean.
    """
    if len(text) == 1:
        raise LookupError
    if text[0] in "[(":
        reading = Reading(text)
        if reading.problems or not reading.melds:
            raise LookupError
        meld = reading.melds[0]
        return _MELD, meld._weight, (meld,)
    if text[0] == "+":
        code = tiles.CODES[text[1:]]
        return _WIN, WINNING[code], code
    letter = text[-1]
    codes = tiles.in_order([tiles.CODES[digit + letter] for digit in text[:-1]])
    if letter == "f":
        return _BONUS, sum([BONUS[code] for code in codes]), codes
    return _ROLES[letter], sum([CONCEALED[code] for code in codes]), codes


def parse(
    text: str,
    *,
    by: By | None = None,
    seat: Wind | None = None,
    round: Wind | None = None,
    from_: Wind | None = None,
    flags: Iterable[str] | None = (),
    dora: str | None = "",
    ura: str | None = "",
    honba: int | None = 0,
    sticks: int | None = 0,
) -> Hand:
    """Read a hand.

    Args:
        text: Hand text: concealed tiles `3457899p`, sets `[345s]` `(1111m)` `[222+2z]`, flowers and seasons `15f`, the
            winning tile `+6p`, in any order. White space means nothing. Unicode's tiles are read too.
        by: `"discard"` or `"self_draw"`; `None` for a hand that did not go out.
        seat: The player's seat, `"E" "S" "W" "N"`.
        round: The round, likewise.
        from_: The seat of the discarder, or of the player whose kong was robbed.
        flags: Any of `hand.FLAGS`.
        dora: Text of the dora indicators, such as `"3m7z"`.
        ura: Text of the under-dora indicators.
        honba: Counters, 0 to 1000.
        sticks: Bets lying on the table, 0 to 1000.

    Returns:
        The hand. `None` means the same as leaving an argument out.

    Raises:
        ReadError: `bad_value`, `missing_field`, `bad_text` or `bad_meld`; with all other problems.
        HandError: `too_many_copies`, `wrong_tile_count` or `contradictory_flags`, all of them.
    """
    # The quick way; whatever it cannot do is left to the thorough one, which says why.
    if flags is None:
        flags = ()
    elif flags.__class__ is list:
        flags = tuple(flags)
    honba, sticks = (0 if honba is None else honba), (0 if sticks is None else sticks)
    try:
        if len(text) <= _QUICK:
            concealed: tuple[int, ...] = ()
            melds: tuple[Meld, ...] = ()
            bonus: tuple[int, ...] = ()
            win: int | None = None
            weight, last, parts = 0, -1, _parts
            for token in _split(text):
                what, part, content = parts[token]
                weight += part
                if what < _MELD:
                    last = what if what > last else 9
                    concealed += content
                elif what == _MELD:
                    melds += content
                elif what == _BONUS:
                    bonus = tiles.in_order(bonus + content) if bonus else content
                elif win is None:
                    win = content
                else:
                    raise LookupError
            if last == 9:
                concealed = tiles.in_order(concealed)
            dora_codes, dora_weight = _indicators[dora]
            ura_codes, ura_weight = _indicators[ura]
            made: Any = prepare(
                weight,
                dora_weight + ura_weight,
                concealed,
                melds,
                bonus,
                win,
                by,
                seat,
                round,
                from_,
                flags,
                dora_codes,
                ura_codes,
                honba,
                sticks,
            )
            if made is not None:
                made.__class__ = Hand
                hand: Hand = made
                return hand
    except (TypeError, LookupError, OverflowError):
        pass
    situation: dict[str, Any] = {"by": by, "seat": seat, "round": round, "from": from_}
    situation |= {"flags": as_tuple(flags), "honba": honba, "sticks": sticks}
    return _parse_thoroughly(text, dora, ura, situation)


def _parse_thoroughly(text: object, dora: object, ura: object, situation: dict[str, Any]) -> Hand:
    problems: list[Problem] = []
    reading = Reading("")
    if text is None:
        problems.append(
            Problem("missing_field", "'hand' is missing: the hand's text, such as '34m11z [111p] +2m'", "hand")
        )
    elif not isinstance(text, str):
        problems.append(
            Problem("bad_value", f"'hand' is {shown(text)}; it is text such as '34m11z [111p] +2m'", "hand")
        )
    elif len(text) > LONGEST:
        problems.append(
            Problem("bad_text", f"the hand is {len(text)} characters long; no hand needs {LONGEST}", "hand")
        )
    elif not (stripped := strip(text)):
        problems.append(Problem("bad_text", "the hand is empty; it is text such as '34m11z [111p] +2m'", "hand"))
    else:
        reading = Reading(stripped)
    problems += reading.problems
    whole = not problems
    draft = Draft(
        tiles.in_order(code for code in reading.tiles if not tiles.is_bonus(code)),
        tuple(reading.melds),
        tiles.in_order(filter(tiles.is_bonus, reading.tiles)),
        reading.wins[0] if reading.wins else None,
        _read_indicators("dora", dora, problems),
        _read_indicators("ura", ura, problems),
        situation,
        whole=whole,
        problems=problems,
    )
    if problems:
        raise error_for(find_problems(draft))
    situation["from_"] = situation.pop("from")
    return Hand(draft.concealed, draft.melds, draft.bonus, draft.win, dora=draft.dora, ura=draft.ura, **situation)


def _read_indicators(key: str, value: object, problems: list[Problem]) -> tuple[int, ...]:
    codes = [] if value is None else read_tiles(key, value, problems)
    for text in sorted({tiles.TEXTS[code] for code in codes if tiles.is_bonus(code)}):
        problems.append(Problem("bad_text", f"'{key}': '{text}' is a flower or season, which is no indicator", text))
    return tuple([code for code in codes if not tiles.is_bonus(code)])


def parse_tiles(text: str) -> tuple[int, ...]:
    """Read bare tiles, flowers and seasons among them.

    Args:
        text: Tiles such as `"123m0p55z"`, in hand text or Unicode.

    Returns:
        The tiles' codes in the order written.

    Raises:
        ReadError: `bad_value` where it is no text, else `bad_text`; all of them.

    >>> parse_tiles("31m 0p")
    (2, 0, 43)
    """
    problems: list[Problem] = []
    codes = read_tiles("tiles", text, problems)
    if problems:
        raise error_for(problems)
    return tuple(codes)


def parse_meld(text: str) -> Meld:
    """Read one set on the table.

    Args:
        text: A set such as `"[345s]"`, `"(1111m)"` or `"[222+2z]"`.

    Raises:
        ReadError: `bad_value` where it is no text; `bad_text` or `bad_meld`, all of them.

    >>> parse_meld("[2 0 5 5 p]")
    Traceback (most recent call last):
        ...
    tenbo.errors.ReadError: '[2055p]' is not a set: four tiles make a set only where they are alike
    """
    if not isinstance(text, str):
        raise error_for([Problem("bad_value", f"a set is text such as '[345s]', not {shown(text)}", "meld")])
    reading = Reading(strip(text[: LONGEST + 1]))
    if reading.problems:
        raise error_for(reading.problems)
    if len(reading.melds) != 1 or reading.tiles or reading.wins or len(text) > LONGEST:
        message = f"{shown(text)} is not one set; a set is written '[345s]', '(1111m)' or '[222+2z]'"
        raise error_for([Problem("bad_text", message, printable(text) or "meld")])
    return reading.melds[0]


def format_tiles(codes: Iterable[int]) -> str:
    """Write bare tiles in the order given; neighbours of one suit share its letter.

    >>> format_tiles([0, 1, 2, 43, 31, 31])
    '123m0p55z'
    """
    return tiles.write(codes)


def format_hand(hand: Hand) -> str:
    """Write a hand as canonical hand text, which `parse` reads back.

    >>> format_hand(parse("+6p [777z] 345789p9p [2222z]"))
    '3457899p [777z] [2222z] +6p'
    """
    return hand.text
