"""Sets on the table: exposed chows, pungs and kongs, and concealed kongs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from tenbo import packing, tiles
from tenbo.errors import Problem, error_for

MeldKind = Literal["chow", "pung", "kong"]

_FIRST_CODE = {"chow": 0, "pung": 7, "kong": 16}
_CONCEALED_KONG, _ADDED_KONG = 25, 34


@dataclass(frozen=True, slots=True)
class Meld:
    """A set that lies on the table.

    Args:
        tiles: The tiles' codes, in any order; kept in canonical order.
        exposed: Whether it was claimed; `False` for a concealed kong, the only concealed set on the table.
        added: Whether it is a kong made by adding the fourth tile to an exposed pung.

    Attributes:
        kind: `"chow"`, `"pung"` or `"kong"`.
        suit: 0..3 for m p s z.
        code: What set of its suit it is: the first rank of a chow; 7 + rank of an exposed pung, 16 + rank of an
            exposed kong, 25 + rank of a concealed kong, 34 + rank of an added kong. Red fives count as fives.

    Raises:
        ReadError: The tiles are no set (`bad_meld`), or no tiles (`bad_value`).

    >>> Meld((26, 24, 25)).text, Meld((0, 0, 0, 0), exposed=False).text, Meld((28, 28, 28, 28), added=True).text
    ('[789s]', '(1111m)', '[222+2z]')
    """

    tiles: tuple[int, ...]
    exposed: bool = True
    added: bool = False
    kind: MeldKind = field(init=False, compare=False, repr=False)
    suit: int = field(init=False, compare=False, repr=False)
    code: int = field(init=False, compare=False, repr=False)
    _order: int = field(init=False, compare=False, repr=False)
    _weight: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Sort the tiles, find out what set they are, and prepare the packed sums."""
        try:
            codes = tiles.in_order(self.tiles)
        except (TypeError, LookupError):
            message = "a set is made from tile codes, as in Meld((24, 25, 26)); parse_meld reads text such as '[789s]'"
            raise error_for([Problem("bad_value", message, "melds")]) from None
        kind, wrong = self._recognise(codes)
        if wrong:
            text = self._write(codes, self.exposed, self.added)
            raise error_for([Problem("bad_meld", f"'{text}' is not a set: {wrong}", text)])
        suit, rank = tiles.suit(codes[0]), min(map(tiles.rank, codes))
        code = rank + (_ADDED_KONG if self.added else _FIRST_CODE[kind] if self.exposed else _CONCEALED_KONG)
        set_ = object.__setattr__
        set_(self, "tiles", codes)
        set_(self, "exposed", bool(self.exposed))
        set_(self, "added", bool(self.added))
        set_(self, "kind", kind)
        set_(self, "suit", suit)
        set_(self, "code", code)
        set_(self, "_order", suit << 6 | code)
        set_(self, "_weight", packing.of_meld(codes, exposed=self.exposed, kong=kind == "kong"))

    def _recognise(self, codes: tuple[int, ...]) -> tuple[MeldKind, str]:
        """The kind of set that the tiles make, and what is wrong with it (else empty)."""
        suits, ranks = set(map(tiles.suit, codes)), [tiles.rank(code) for code in codes]
        kind: MeldKind = "kong" if len(codes) == 4 else "pung" if len(set(ranks)) == 1 else "chow"
        wrong = ""
        if any(map(tiles.is_bonus, codes)):
            wrong = "flowers and seasons make no sets; they stand outside brackets, as in '15f'"
        elif len(codes) not in (3, 4):
            wrong = f"a set has 3 tiles, or 4 for a kong, not {len(codes)}"
        elif len(suits) > 1:
            wrong = "its tiles are not of one suit"
        elif kind == "kong" and len(set(ranks)) > 1:
            wrong = "four tiles make a set only where they are alike"
        elif kind == "chow" and suits == {3}:
            wrong = "winds and dragons make no chows, only three or four alike"
        elif kind == "chow" and ranks != [ranks[0], ranks[0] + 1, ranks[0] + 2]:
            wrong = "three tiles make a set where they are alike or follow one another"
        elif not self.exposed and (kind != "kong" or self.added):
            wrong = "a concealed set on the table is a kong, as in '(1111m)'; write others among the concealed tiles"
        elif self.added and kind != "kong":
            wrong = "only a kong has an added tile, as in '[222+2z]'"
        return kind, wrong

    @staticmethod
    def _write(codes: tuple[int, ...], exposed: bool, added: bool) -> str:
        text = tiles.write(codes)
        if added:
            text = f"{text[:-2]}+{text[-2:]}"
        return f"[{text}]" if exposed else f"({text})"

    @property
    def text(self) -> str:
        """The set as hand text: `[345s]`, `(1111m)`, `[222+2z]`."""
        return self._write(self.tiles, self.exposed, self.added)

    def __str__(self) -> str:
        """The set as hand text."""
        return self.text

    def __repr__(self) -> str:
        """How to make the set: `Meld((26, 24, 25))`."""
        more = "" if self.exposed else ", exposed=False"
        return f"Meld({self.tiles!r}{more}{', added=True' if self.added else ''})"

    def __reduce__(self) -> tuple[type[Meld], tuple[tuple[int, ...], bool, bool]]:
        """Pickle and copy by what it was made from."""
        return Meld, (self.tiles, self.exposed, self.added)


def meld_tiles(melds: Iterable[Meld]) -> list[int]:
    """The codes of all tiles in some sets."""
    return [code for meld in melds for code in meld.tiles]
