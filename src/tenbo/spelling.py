"""Hand text taken apart, with every piece that cannot be read."""

from __future__ import annotations

import re

from tenbo import tiles
from tenbo.errors import Problem, printable, shown
from tenbo.meld import Meld, fault

LONGEST = 500
"""Characters beyond which a text is refused; the longest hand needs about 60."""

# Every character belongs to a piece, readable or not.
_PIECES = re.compile(
    r"(?P<plus>\+*)(?:"
    r"(?P<group>[\[(](?P<body>[^][()]*)[\])]?)"
    r"|(?P<digits>[0-9]+)(?P<letter>[^\W\d_]?)"
    r"|(?P<tile>[\U0001F000-\U0001F02B])"
    r"|(?P<junk>[^][()0-9+\U0001F000-\U0001F02B]+|[\])])"
    r"|(?<=\+))"
)
_VARIATIONS = str.maketrans("", "", "\ufe0e\ufe0f")  # ask for text or a picture of the tile before them


def strip(text: str) -> str:
    """The text without white space and the marks that ask for a tile's picture."""
    return "".join(text.translate(_VARIATIONS).split())


class Reading:
    """A text without white space, taken apart; whatever cannot be read becomes a problem.

    Args:
        text: The text.
        key: The key under which it came, where only bare tiles may stand; `None` for hand text.
    """

    def __init__(self, text: str, key: str | None = None) -> None:
        self.tiles: list[int] = []
        self.melds: list[Meld] = []
        self.wins: list[int] = []
        self.problems: list[Problem] = []
        self._key = key
        self._read(text)

    def _refuse(self, at: str, message: str, code: str = "bad_text") -> None:
        problem = Problem(code, f"'{self._key}': {message}" if self._key else message, printable(at))
        if problem not in self.problems:
            self.problems.append(problem)

    def _read(self, text: str) -> None:
        for piece in _PIECES.finditer(text):
            part, group = piece[0], piece["group"]
            if not part:
                continue
            if self._key and (piece["plus"] or group):
                self._refuse(part, f"{shown(part)} is not read: here stand only tiles, as in '3m7z'")
            elif piece["plus"]:
                self._win(piece)
            elif not group:
                self.tiles += self._codes(piece)
            elif len(group) == len(piece["body"]) + 1:
                closed = "'[345s]'" if group[0] == "[" else "'(1111m)'"
                self._refuse(group[0], f"'{group[0]}' is not closed; a set is written {closed}")
                self._read(piece["body"])
            elif group[0] + group[-1] not in ("[]", "()"):
                self._refuse(group, f"{shown(group)} opens with '{group[0]}' but closes with '{group[-1]}'")
            else:
                self._meld(group, piece["body"])

    def _win(self, piece: re.Match[str]) -> None:
        part = piece[0]
        if piece["plus"] != "+" or piece["group"] or part == "+":
            self._refuse(part, f"{shown(part)}: after '+' stands the winning tile, as in '+6p'")
            return
        before = len(self.problems)
        codes = self._codes(piece)
        if len(self.problems) > before:
            return
        if len(codes) != 1:
            self._refuse(part, f"{shown(part)}: the winning tile is one tile, as in '+6p'")
        elif tiles.is_bonus(codes[0]):
            self._refuse(part, f"{shown(part)}: a flower or season is never the winning tile")
        else:
            self.wins += codes
            if len(self.wins) > 1:
                self._refuse(part, f"{shown(part)}: there is a winning tile already, '+{tiles.TEXTS[self.wins[0]]}'")

    def _codes(self, piece: re.Match[str]) -> list[int]:
        """The tiles of a piece that is no set; a tile that is none is refused."""
        if piece["tile"]:
            return self._from_unicode(piece["tile"])
        digits, letter = piece["digits"], piece["letter"]
        if not digits:
            self._junk(piece["junk"] or piece[0])
            return []
        run = shown(f"{digits}{letter}")
        if not letter:
            self._refuse(digits, f"{run} lacks its letter, as in '{digits[0]}m'")
        elif letter in _LETTERS:
            texts = [f"{digit}{letter}" for digit in digits]
            for text in texts:
                if text not in tiles.CODES:
                    self._refuse(text, f"'{text}' is no tile; {_RANKS[letter]}")
            return [tiles.CODES[text] for text in texts if text in tiles.CODES]
        elif letter.lower() in _LETTERS:
            self._refuse(digits + letter, f"{run}: letters are lower case, '{letter.lower()}'")
        else:
            self._refuse(digits + letter, f"{run}: {shown(letter)} is no suit; {_SUITS}")
        return []

    def _from_unicode(self, character: str) -> list[int]:
        code = tiles.FROM_UNICODE.get(character)
        if code is not None:
            return [code]
        self._refuse(character, f"{character} is a joker or a tile's back, which no hand here holds; name the tile")
        return []

    def _junk(self, part: str) -> None:
        hint = "tiles are written '345p', sets '[345s]' or '(1111m)', the winning tile '+6p'"
        if part in ("]", ")"):
            hint = "no bracket is open before it"
        elif part[0].isdigit():
            hint = "digits are 0 to 9"
        self._refuse(part, f"{shown(part)} is not read: {hint}")

    def _meld(self, group: str, body: str) -> None:
        left, plus, right = body.partition("+")
        if left[-1:].isdigit():
            left += right[-1:]  # digits share the letter that follows them, here beyond the '+'
        before = len(self.problems)
        sides = [
            [code for piece in _PIECES.finditer(side) if piece[0] for code in self._codes(piece)]
            for side in (left, right)
        ]
        if len(self.problems) > before:
            return
        codes, exposed, added = tiles.in_order(sides[0] + sides[1]), group[0] == "[", bool(plus)
        why = fault(codes, exposed=exposed, added=added)
        if added and [len(side) for side in sides] != [3, 1]:
            why = "a kong with an added tile is written '[222+2z]'"
        if why:
            self._refuse(group, f"{shown(group)} is not a set: {why}", "bad_meld")
        else:
            self.melds.append(Meld(codes, exposed, added))


_LETTERS = tiles.SUITS + "f"
_SUITS = "m are characters, p dots, s bamboo, z winds and dragons, f flowers and seasons"
_RANKS = {"z": "1z to 4z are the winds, 5z to 7z the dragons", "f": "1f to 4f are the flowers, 5f to 8f the seasons"}


def read_tiles(key: str, value: object, problems: list[Problem]) -> list[int]:
    """Read bare tiles; what is wrong is added to the problems."""
    if not isinstance(value, str):
        problems.append(Problem("bad_value", f"'{key}' is {shown(value)}; it is text of tiles such as '3m7z'", key))
        return []
    if len(value) > LONGEST:
        problems.append(
            Problem("bad_text", f"'{key}' is {len(value)} characters long; at most {LONGEST} are read", key)
        )
        return []
    reading = Reading(strip(value), key)
    problems += reading.problems
    return reading.tiles
