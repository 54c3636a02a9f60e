"""Sets on the table: exposed chows, pungs and kongs, and concealed kongs."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
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
        form = _FORMS.get(codes) if self.exposed and not self.added else None
        if form is None:
            why = fault(codes, exposed=self.exposed, added=self.added)
            if why:
                text = _write(codes, self.exposed, self.added)
                raise error_for([Problem("bad_meld", f"'{text}' is not a set: {why}", text)])
            form = _FORMS[codes] = _form(codes)
        kind, suit, rank = form
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

    @property
    def text(self) -> str:
        """The set as hand text: `[345s]`, `(1111m)`, `[222+2z]`."""
        return _write(self.tiles, self.exposed, self.added)

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


_FORMS: dict[tuple[int, ...], tuple[MeldKind, int, int]] = {}  # of every set met; there are about a hundred


def _form(codes: tuple[int, ...]) -> tuple[MeldKind, int, int]:
    """Kind, suit and first rank of a set."""
    kind: MeldKind = "kong" if len(codes) == 4 else "pung" if tiles.kind(codes[0]) == tiles.kind(codes[2]) else "chow"
    return kind, tiles.suit(codes[0]), tiles.rank(codes[0])


def fault(codes: tuple[int, ...], *, exposed: bool, added: bool) -> str | None:
    """What is wrong with tiles as a set on the table.

    Args:
        codes: The tiles in canonical order.
        exposed: As for `Meld`.
        added: As for `Meld`.

    Returns:
        What is wrong and what would mend it, or `None`.
    """
    suits, ranks = set(map(tiles.suit, codes)), [tiles.rank(code) for code in codes]
    alike = len(set(ranks)) == 1
    if any(map(tiles.is_bonus, codes)):
        return "flowers and seasons make no sets; they stand outside brackets, as in '15f'"
    if len(codes) not in (3, 4):
        return f"a set has 3 tiles, or 4 for a kong, not {len(codes)}"
    if len(suits) > 1:
        return "its tiles are not of one suit"
    if not alike and len(codes) == 4:
        return "four tiles make a set only where they are alike"
    if not alike and suits == {3}:
        return "winds and dragons make sets only where they are alike"
    if not alike and ranks != [ranks[0], ranks[0] + 1, ranks[0] + 2]:
        return "three tiles make a set where they are alike or follow one another"
    if not exposed and (len(codes) == 3 or added):
        return "a concealed set on the table is a kong, as in '(1111m)'; other concealed tiles stand outside brackets"
    if added and len(codes) == 3:
        return "only a kong has an added tile, as in '[222+2z]'"
    return None


@lru_cache(512)  # more than there are sets
def _write(codes: tuple[int, ...], exposed: bool, added: bool) -> str:
    text = tiles.write(codes)
    if added:
        text = f"{text[:-2]}+{text[-2:]}"
    return f"[{text}]" if exposed else f"({text})"
