"""A hand while it is being entered: any number of tiles, in any state, with whatever is wrong so far."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from tenbo import tiles
from tenbo.checks import Draft, find_problems
from tenbo.errors import Problem, TenboError
from tenbo.meld import Meld
from tenbo.notation import parse_meld, parse_tiles

LONGEST: Final = 400
_SHOWN: Final = 24
_NOTHING: Final = {"seat": None, "round": None, "from": None, "honba": 0, "sticks": 0}
_PARTS: Final = re.compile(r"\[[^\]]*\]?|\([^)]*\)?|\+\s*(?:\d\s*[a-z]|\D)?|[^\[(+]+")
_HALF_TYPED: Final = re.compile(r"[\[(+\s]*[\d\s]*$|[\[(][^\])]*$")


@dataclass(frozen=True, slots=True)
class Entry:
    """What has been entered.

    Attributes:
        concealed: The concealed tiles' codes in the order entered, without the winning tile.
        melds: The sets on the table.
        bonus: Flowers and seasons.
        win: The winning tile's code.
        problems: What cannot be read.
    """

    concealed: tuple[int, ...] = ()
    melds: tuple[Meld, ...] = ()
    bonus: tuple[int, ...] = ()
    win: int | None = None
    problems: tuple[Problem, ...] = ()

    @property
    def missing(self) -> int:
        """How many tiles a complete hand has more, a kong counting as three; negative where there are too many."""
        return 14 - 3 * len(self.melds) - len(self.concealed) - (self.win is not None)

    @property
    def empty(self) -> bool:
        """Whether nothing has been entered."""
        return not (self.concealed or self.melds or self.bonus or self.win is not None or self.problems)

    @property
    def text(self) -> str:
        """As canonical hand text."""
        parts = [tiles.write(tiles.in_order(self.concealed)), *(meld.text for meld in self.melds)]
        parts.append(tiles.write(tiles.in_order(self.bonus)))
        if self.win is not None:
            parts.append(f"+{tiles.TEXTS[self.win]}")
        return " ".join(filter(None, parts))

    def completed(self) -> Entry:
        """The same; where the tiles make a whole hand and none is the winning tile, the last one entered is."""
        if self.missing == 0 and self.win is None and self.concealed:
            *rest, last = self.concealed
            return Entry(tuple(rest), self.melds, self.bonus, last, self.problems)
        return self

    def wrong(self, situation: dict[str, Any]) -> list[Problem]:
        """What is wrong so far, whatever tiles still come; see `contradictions` for flags."""
        return [p for p in self._problems(situation) if p.code not in ("contradictory_flags", "missing_field")]

    def contradictions(self, situation: dict[str, Any]) -> list[Problem]:
        """Flags that contradict the hand so far or each other."""
        return [p for p in self._problems(situation) if p.code == "contradictory_flags"]

    def _problems(self, situation: dict[str, Any]) -> list[Problem]:
        problems = list(self.problems)
        concealed, win = self.concealed, self.win
        flags = list(situation.get("flags") or ())
        if win is None and concealed:  # any tile will do, but for what asks which one it is
            concealed, win = concealed[1:], concealed[0]
            flags = [flag for flag in flags if flag != "robbing_kong"]
        said = {**_NOTHING, **situation, "flags": flags, "by": situation.get("by") or "discard"}
        indicators = {key: _indicators(situation.get(key), key, problems) for key in ("dora", "ura")}
        draft = Draft(
            tiles.in_order(concealed),
            self.melds,
            tiles.in_order(self.bonus),
            win,
            indicators["dora"],
            indicators["ura"],
            said,
            whole=self.missing <= 0,
            problems=problems,
        )
        found = find_problems(draft)
        if self.win is None:
            found = [p for p in found if p.code != "wrong_tile_count" or self.missing < 0]
        return found


def _indicators(text: object, key: str, problems: list[Problem]) -> tuple[int, ...]:
    """The indicators that a text names; one fault for all that is no tile, with what would be one."""
    if not isinstance(text, str) or not text:
        return ()
    what = {"dora": "dora indicators", "ura": "under-dora indicators"}[key]
    try:
        codes = parse_tiles(text)
    except TenboError as error:
        wrong = next((p.at for p in error.problems if isinstance(p.at, str) and p.at not in ("tiles", "")), text)
        said = (
            f"‘{wrong[:_SHOWN]}’ is no tile" if wrong == text else f"in ‘{text[:_SHOWN]}’, ‘{wrong[:_SHOWN]}’ is none"
        )
        message = f"{what}: {said}; write each as number and letter, such as 4m, 0p or 7z"
        problems.append(Problem("bad_text", message, key))
        return ()
    if any(map(tiles.is_bonus, codes)):
        message = f"{what}: flowers and seasons are none; write tiles such as 4m, 0p or 7z"
        problems.append(Problem("bad_value", message, key))
    return tuple(code for code in codes if not tiles.is_bonus(code))


def read_entry(text: str) -> Entry:
    """Reads hand text that may be far from a whole hand, and may end in the middle of a tile or set.

    >>> entry = read_entry("99m23m [345p] [55")
    >>> entry.text, entry.missing
    ('2399m [345p]', 7)
    """
    if len(text) > LONGEST:
        message = f"the hand is {len(text)} characters long; no hand needs {LONGEST}"
        return Entry(problems=(Problem("bad_text", message, "hand"),))
    problems: list[Problem] = []
    codes: list[int] = []
    melds: list[Meld] = []
    win: int | None = None
    for part in _parts(_HALF_TYPED.sub("", text)):
        try:
            if part[0] in "[(":
                melds.append(parse_meld(part))
            elif part[0] == "+":
                found = parse_tiles(part[1:])
                if win is not None:
                    codes.append(win)
                win = found[0] if found else None
            else:
                codes += parse_tiles(part)
        except TenboError as error:
            problems += [Problem(p.code, p.message.removeprefix("'tiles': "), p.at) for p in error.problems]
    concealed = tuple(code for code in codes if not tiles.is_bonus(code))
    bonus = tuple(code for code in codes if tiles.is_bonus(code))
    if win is not None and tiles.is_bonus(win):
        bonus, win = (*bonus, win), None
    return Entry(concealed, tuple(melds), bonus, win, tuple(problems))


def _parts(text: str) -> Iterator[str]:
    for match in _PARTS.finditer(text):
        if part := match[0].strip():
            yield part
