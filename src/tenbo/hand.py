"""A mahjong hand and the situation in which it went out: one frozen value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from typing import Any, NoReturn, final

from tenbo import tiles
from tenbo.checks import Draft, find_problems
from tenbo.errors import Problem, TenboError, error_for, shown
from tenbo.meld import Meld
from tenbo.packing import BONUS, CONCEALED, INDICATOR, WINNING
from tenbo.prepared import Prepared, prepare
from tenbo.situation import FLAGS, WINDS, By, Wind
from tenbo.tiles import KNOWN, in_order, kind

__all__ = ["FLAGS", "WINDS", "By", "Hand", "Meld", "Wind"]


@final
class Hand(Prepared):
    """Tiles and situation; a value that cannot be changed, compared and hashed by what it holds.

    Args:
        concealed: Codes of the concealed tiles without the winning tile, in any order: 13, less 3 for each set.
        melds: The sets on the table.
        bonus: Codes of the flowers and seasons, in any order.
        win: Code of the winning tile; `None` for a hand that did not go out.
        by: `"discard"` or `"self_draw"`; `None` for a hand that did not go out. A hand with a winning tile may be made
            without it, but has the problem `missing_field` and cannot be scored.
        seat: The player's seat, `"E" "S" "W" "N"`.
        round: The round, likewise.
        from_: The seat of the discarder, or of the player whose kong was robbed.
        flags: Any of `FLAGS`, in any order.
        dora: Codes of the dora indicators.
        ura: Codes of the under-dora indicators.
        honba: Counters, 0 to 1000.
        sticks: Bets lying on the table, 0 to 1000.

    Raises:
        ReadError: A value cannot be used (`bad_value`), with all other problems.
        HandError: `too_many_copies`, `wrong_tile_count` or `contradictory_flags`, all of them.

    >>> hand = Hand((27, 27, 3, 2), (Meld((9, 9, 9)), Meld((0, 1, 2)), Meld((24, 25, 26))), win=1, by="discard")
    >>> hand
    Hand('34m11z [111p] [123m] [789s] +2m', by='discard')
    >>> hand.win = 4
    Traceback (most recent call last):
        ...
    AttributeError: a Hand cannot be changed; hand.replace(win=...) makes another
    """

    __slots__ = ()

    def __new__(
        cls,
        concealed: Iterable[int],
        melds: Iterable[Meld] = (),
        bonus: Iterable[int] = (),
        win: int | None = None,
        *,
        by: By | None = None,
        seat: Wind | None = None,
        round: Wind | None = None,
        from_: Wind | None = None,
        flags: Iterable[str] = (),
        dora: Iterable[int] = (),
        ura: Iterable[int] = (),
        honba: int = 0,
        sticks: int = 0,
    ) -> Hand:
        """Check everything and make the hand."""
        if concealed.__class__ is not tuple:  # perhaps an iterator, which can be read only once
            concealed = as_tuple(concealed)
        if melds.__class__ is not tuple:
            melds = as_tuple(melds)
        if bonus.__class__ is not tuple:
            bonus = as_tuple(bonus)
        if dora.__class__ is not tuple:
            dora = as_tuple(dora)
        if ura.__class__ is not tuple:
            ura = as_tuple(ura)
        if flags.__class__ is not tuple:
            flags = as_tuple(flags)
        fields = (concealed, melds, bonus, win, by, seat, round, from_, flags, dora, ura, honba, sticks)
        try:
            made: Any = _weigh(fields)
        except _WRONG:
            made = None
        if made is None:
            raise error_for(find_problems(_draft(fields)))
        made.__class__ = Hand
        hand: Hand = made
        return hand

    @classmethod
    def from_tiles(
        cls, texts: Iterable[str], melds: Iterable[Meld] = (), *, win: str | None = None, **situation: Any
    ) -> Hand:
        """Make a hand from texts of tiles, as in hand text; flowers and seasons may be among them.

        Args:
            texts: The concealed tiles without the winning tile, and the flowers and seasons: `"3m"`, `"0p"`, `"1f"`.
            melds: The sets on the table.
            win: The winning tile.
            **situation: As for `Hand`; `dora` and `ura` are texts of tiles too.

        Raises:
            ReadError: A text is no tile (`bad_text`), or as for `Hand`.
            HandError: As for `Hand`.

        >>> Hand.from_tiles("3p 4p 5p 7p 8p 9p 9p 2m 2m 2m 7z 7z 7z".split(), win="6p", by="self_draw", dora=["2p"])
        Hand('222m3457899p777z +6p', by='self_draw', dora='2p')
        """
        return cls._from(_from_text, texts, melds, win, situation)

    @classmethod
    def from_ids(
        cls, ids: Iterable[int], melds: Iterable[Meld] = (), *, win: int | None = None, **situation: Any
    ) -> Hand:
        """Make a hand from ids 0..135, which name every single tile: four of each kind, 16, 52 and 88 the red fives.

        Args:
            ids: The concealed tiles without the winning tile.
            melds: The sets on the table.
            win: The winning tile's id.
            **situation: As for `Hand`; `dora` and `ura` are ids too.

        Raises:
            ReadError: An id is not 0..135 (`bad_value`), or as for `Hand`.
            HandError: As for `Hand`.

        >>> Hand.from_ids([0, 4, 8, 52, 53, 54, 72, 73, 108, 109], [Meld((31, 31, 31))], win=110, by="discard")
        Hand('123m055p11s11z [555z] +1z', by='discard')
        """
        return cls._from(_from_id, ids, melds, win, situation)

    @classmethod
    def from_counts(
        cls, counts: Iterable[int], melds: Iterable[Meld] = (), *, win: int | None = None, **situation: Any
    ) -> Hand:
        """Make a hand from the number of concealed tiles of each of the 34 kinds.

        Args:
            counts: 34 numbers in the order 1m..9m 1p..9p 1s..9s 1z..7z, without the winning tile.
            melds: The sets on the table.
            win: The winning tile's code.
            **situation: As for `Hand`.

        Raises:
            ReadError: Not 34 whole numbers from 0 to 14 (`bad_value`), or as for `Hand`.
            HandError: As for `Hand`.

        >>> Hand.from_counts([3, 1, 1, 1, 1, 1, 1, 1, 3] + [0] * 25, win=4, by="discard")
        Hand('1112345678999m +5m', by='discard')
        """
        numbers = list(counts)
        if len(numbers) != 34 or any(type(number) is not int or not 0 <= number <= 14 for number in numbers):
            message = "counts of concealed tiles are 34 whole numbers, for 1m..9m 1p..9p 1s..9s 1z..7z"
            raise error_for([Problem("bad_value", message, "concealed")])
        return cls([kind for kind, number in enumerate(numbers) for _ in range(number)], melds, (), win, **situation)

    @classmethod
    def _from(
        cls,
        read: Callable[[object], int],
        items: Iterable[Any],
        melds: Iterable[Meld],
        win: Any,
        situation: dict[str, Any],
    ) -> Hand:
        problems: list[Problem] = []

        def read_all(values: Iterable[object]) -> list[int]:
            codes = []
            for value in values:
                try:
                    codes.append(read(value))
                except TenboError as error:
                    problems.extend(error.problems)
            return codes

        codes = read_all(items)
        wins = [] if win is None else read_all([win])
        for key in ("dora", "ura"):
            if situation.get(key):
                situation[key] = read_all(situation[key])
        if problems:
            raise error_for(problems)
        concealed = [code for code in codes if not tiles.is_bonus(code)]
        return cls(concealed, melds, filter(tiles.is_bonus, codes), wins[0] if wins else None, **situation)

    @property
    def text(self) -> str:
        """The canonical hand text; `parse` with the same situation reads it back as an equal hand."""
        parts = [tiles.write(self.concealed), *(meld.text for meld in self.melds), tiles.write(self.bonus)]
        if self.win is not None:
            parts.append(f"+{tiles.TEXTS[self.win]}")
        return " ".join(filter(None, parts))

    def problems(self) -> list[Problem]:
        """What keeps the hand from being scored by any rules.

        Returns:
            `missing_field` where there is a winning tile but no `by`; nothing for every other hand that could be made.
        """
        return find_problems(_draft(self._fields()))

    def replace(self, **changes: Any) -> Hand:
        """Make another hand that differs in some of the arguments of `Hand`.

        Raises:
            ReadError: As for `Hand`.
            HandError: As for `Hand`.
            TypeError: There is no such argument.

        >>> hand = Hand.from_counts([3, 1, 1, 1, 1, 1, 1, 1, 3] + [0] * 25)
        >>> hand.replace(win=0, by="self_draw")
        Hand('1112345678999m +1m', by='self_draw')
        """
        return Hand(**dict(zip(_ARGUMENTS, self._fields(), strict=True)) | changes)

    def _fields(self) -> tuple[Any, ...]:
        return _get_fields(self)

    def __eq__(self, other: object) -> bool:
        """Whether everything is the same."""
        return self._fields() == other._fields() if isinstance(other, Hand) else NotImplemented

    def __hash__(self) -> int:
        """A hash of everything."""
        return hash(self._fields())

    def __str__(self) -> str:
        """The hand text."""
        return self.text

    def __repr__(self) -> str:
        """The hand as the call of `parse` that makes it, less the name."""
        words = [repr(self.text)]
        for key, value in zip(_ARGUMENTS[4:], self._fields()[4:], strict=True):
            if value:
                words.append(f"{key}={tiles.write(value) if key in ('dora', 'ura') else value!r}")
        return f"Hand({', '.join(words)})"

    def __reduce__(self) -> tuple[Callable[..., Hand], tuple[Any, ...]]:
        """Pickle by the arguments; reading checks them again."""
        return _from_fields, self._fields()

    def __copy__(self) -> Hand:
        """The same hand, since it cannot change."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Hand:
        """The same hand, since it cannot change."""
        return self

    def __setattr__(self, name: str, value: object) -> NoReturn:
        """Refuse."""
        raise AttributeError(f"a Hand cannot be changed; hand.replace({name.lstrip('_')}=...) makes another")

    def __delattr__(self, name: str) -> NoReturn:
        """Refuse."""
        raise AttributeError("a Hand cannot be changed")


_ARGUMENTS = (
    *("concealed", "melds", "bonus", "win"),
    *("by", "seat", "round", "from_", "flags", "dora", "ura", "honba", "sticks"),
)
_get_fields: Callable[[Prepared], tuple[Any, ...]] = attrgetter(*_ARGUMENTS)


def _from_fields(*fields: Any) -> Hand:
    return Hand(**dict(zip(_ARGUMENTS, fields, strict=True)))


def _from_text(text: object) -> int:
    if isinstance(text, str) and text in tiles.CODES:
        return tiles.CODES[text]
    raise error_for(
        [Problem("bad_text", f"{shown(text)} is no tile; a tile is written as in '3m', '0p', '7z'", "hand")]
    )


def _from_id(number: object) -> int:
    if type(number) is int and 0 <= number < 136:
        return {16: 42, 52: 43, 88: 44}.get(number, number // 4)
    raise error_for([Problem("bad_value", f"{shown(number)} is no tile's id; ids are 0 to 135", "hand")])


_WRONG = (TypeError, LookupError, AttributeError, OverflowError)  # what a hand of wrong values may come upon


def as_tuple(values: Any) -> Any:
    """The values as a tuple, or as they are where they are no list. Not public."""
    return tuple(values) if isinstance(values, Iterable) and not isinstance(values, str | Mapping) else values


def _draft(fields: tuple[Any, ...]) -> Draft:
    """What a hand was to be made of; what is of the wrong type becomes a problem."""
    concealed, melds, bonus, win, by, seat, round_, from_, flags, dora, ura, honba, sticks = fields
    problems: list[Problem] = []

    def checked(key: str, values: Any, read: Callable[[object], Any], what: str) -> tuple[Any, ...]:
        items = tuple(map(read, values)) if isinstance(values, tuple) else (None,)
        if None not in items:
            return items
        problems.append(Problem("bad_value", f"'{key}' is no list of {what}", key))
        return ()

    def bonus_code(value: object) -> int | None:
        code = tiles.known(value)
        return code if code is not None and tiles.is_bonus(code) else None

    plain_codes = "tile codes, 0 to 33 or 42 to 44"
    draft = Draft(
        checked("concealed", concealed, tiles.known_plain, plain_codes),
        checked("melds", melds, lambda meld: meld if isinstance(meld, Meld) else None, "Melds, as Meld((24, 25, 26))"),
        checked("bonus", bonus, bonus_code, "codes of flowers and seasons, 34 to 41"),
        tiles.known_plain(win),
        checked("dora", dora, tiles.known_plain, plain_codes),
        checked("ura", ura, tiles.known_plain, plain_codes),
        {"by": by, "seat": seat, "round": round_, "from": from_, "flags": flags, "honba": honba, "sticks": sticks},
        problems=problems,
    )
    if win is not None and draft.win is None:
        problems.append(Problem("bad_value", f"'win' is {shown(win)}; it is one of the {plain_codes}", "win"))
    draft.whole = not {"concealed", "melds", "bonus", "win"} & {problem.at for problem in problems}
    return draft


def _weigh(fields: tuple[Any, ...]) -> Prepared | None:
    """Prepare a hand from arguments as given; `None` (or an exception of a wrong type) where something is wrong."""
    concealed, melds, bonus, win, by, seat, round_, from_, flags, dora, ura, honba, sticks = fields
    for items in (concealed, melds, bonus, dora, ura):
        if items.__class__ is not tuple:
            return None
    if len(concealed) > 13 or len(melds) > 4 or len(bonus) > 8:
        return None
    concealed = in_order(concealed)
    weight = sum([CONCEALED[code] for code in concealed])
    for meld in melds:
        weight += meld._weight
    if win is not None:
        win = KNOWN[win]
        weight += WINNING[win]
    if bonus:
        bonus = in_order(bonus)
        weight += sum([BONUS[code] for code in bonus])
    indicators = 0
    if dora or ura:
        dora, ura = tuple([KNOWN[code] for code in dora]), tuple([KNOWN[code] for code in ura])
        lying = dora + ura
        indicators = sum([INDICATOR[code] for code in lying])
        if len(lying) > 64 and max(Counter(map(kind, lying)).values()) > 4:
            return None  # so many that the packed counts could overflow
    return prepare(
        weight, indicators, concealed, melds, bonus, win, by, seat, round_, from_, flags, dora, ura, honba, sticks
    )
