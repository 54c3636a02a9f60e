"""Hands as columns of small unsigned integers: one row a hand, one array a property.

======== ============== ================================================================================
column   shape, type    meaning
======== ============== ================================================================================
tiles    (n, 14) uint8  codes (see `tenbo.tiles`) of the concealed tiles in any order, `NONE` where there
                        is none; the last place is the winning tile's, `NONE` for a hand that did not go out
melds    (n, 4) uint8   sets on the table by their number in `MELDS`, 0 where there is none
bonus    (n,) uint8     flowers and seasons: bit 0 for `1f` ... bit 7 for `8f`
by       (n,) uint8     0 discard, 1 self_draw, `NONE` for a hand that did not go out
seat     (n,) uint8     0 to 3 for E S W N, `NONE` where it is not said
round    (n,) uint8     likewise
from_    (n,) uint8     the discarder's seat, likewise
flags    (n,) uint8     bit i for `tenbo.hand.FLAGS[i]`
dora     (n, 8) uint8   codes of the indicators, `NONE` where there is none
ura      (n, 8) uint8   likewise
honba    (n,) uint16    counters
sticks   (n,) uint16    bets on the table
======== ============== ================================================================================

Rows that do not fit this form (text that cannot be read, nine indicators and the like) keep their hand record in `odd`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tenbo import tiles as t
from tenbo.hand import FLAGS, WINDS, By, Hand, Meld

U8 = npt.NDArray[np.uint8]
U16 = npt.NDArray[np.uint16]
Record = dict[str, Any]

NONE: Final = 255
"""Stands for a tile, seat or way of going out that is not there."""

BY: Final[tuple[By, ...]] = ("discard", "self_draw")
PLACES: Final = 14
WIN: Final = 13
SETS: Final = 4
INDICATORS: Final = 8


def _melds() -> Iterator[Meld | None]:
    """Every set that can lie on a table, red fives told apart."""
    yield None

    def tiles(suit: int, ranks: Sequence[int], reds: int) -> tuple[int, ...]:
        out = []
        for rank in ranks:
            red = rank == 5 and reds > 0
            reds -= red
            out.append(t.FIRST_RED + suit if red else 9 * suit + rank - 1)
        return tuple(out)

    for suit in range(4):
        ranks = 7 if suit == 3 else 9
        if suit < 3:
            for start in range(1, 8):
                for reds in range(2 if 3 <= start <= 5 else 1):
                    yield Meld(tiles(suit, (start, start + 1, start + 2), reds))
        for count, exposed, added in ((3, True, False), (4, True, False), (4, False, False), (4, True, True)):
            for rank in range(1, ranks + 1):
                for reds in range(count + 1 if rank == 5 and suit < 3 else 1):
                    yield Meld(tiles(suit, (rank,) * count, reds), exposed, added)


MELDS: Final[tuple[Meld | None, ...]] = tuple(_melds())
"""The sets by number; 0 is none."""

MELD_NUMBER: Final[Mapping[Meld, int]] = {meld: i for i, meld in enumerate(MELDS) if meld is not None}
"""The number of a set."""


@dataclass(slots=True, eq=False)
class Hands:
    """Hands in columns; see the module for what each holds.

    Attributes:
        odd: Row to the hand record of a row that does not fit; its columns are without meaning.
    """

    tiles: U8
    melds: U8
    bonus: U8
    by: U8
    seat: U8
    round: U8
    from_: U8
    flags: U8
    dora: U8
    ura: U8
    honba: U16
    sticks: U16
    odd: Mapping[int, Record] = field(default_factory=dict)

    def __post_init__(self) -> None:
        count = len(self.by)
        for name, (shape, kind, _) in _FORM.items():
            given = getattr(self, name)
            if not isinstance(given, np.ndarray) or given.dtype != kind or given.shape != (count, *shape):
                size = " x ".join(map(str, (count, *shape)))
                raise ValueError(f"column '{name}' must be a NumPy array of {size} {np.dtype(kind).name}")

    def __len__(self) -> int:
        """The number of hands."""
        return len(self.by)

    @classmethod
    def empty(cls, count: int) -> Hands:
        """Columns for so many hands, nothing said in any."""
        columns: Any = {name: np.full((count, *shape), fill, kind) for name, (shape, kind, fill) in _FORM.items()}
        return cls(**columns)

    def part(self, start: int, stop: int) -> Hands:
        """Rows `start` to `stop` (without it); the columns are views, not copies."""
        odd = {row - start: record for row, record in self.odd.items() if start <= row < stop} if self.odd else {}
        columns: Any = {name: getattr(self, name)[start:stop] for name in _FORM}
        return Hands(**columns, odd=odd)

    def take(self, rows: npt.NDArray[Any]) -> Hands:
        """The rows at these places, in this order."""
        odd = {i: self.odd[row] for i, row in enumerate(rows.tolist()) if row in self.odd} if self.odd else {}
        columns: Any = {name: getattr(self, name)[rows] for name in _FORM}
        return Hands(**columns, odd=odd)

    @classmethod
    def concat(cls, parts: Sequence[Hands]) -> Hands:
        """All rows of several, one after another."""
        if not parts:
            return cls.empty(0)
        odd, at = {}, 0
        for part in parts:
            odd.update({at + row: record for row, record in part.odd.items()})
            at += len(part)
        columns: Any = {name: np.concatenate([getattr(part, name) for part in parts]) for name in _FORM}
        return cls(**columns, odd=odd)

    @classmethod
    def from_hands(cls, hands: Iterable[Hand]) -> Hands:
        """Columns of hands, one by one (much slower than from text)."""
        all_ = list(hands)
        out, odd = cls.empty(len(all_)), {}
        for i, hand in enumerate(all_):
            if max(len(hand.dora), len(hand.ura)) > INDICATORS:
                odd[i] = _record(hand)
                continue
            out.tiles[i, : len(hand.concealed)] = hand.concealed
            if hand.win is not None:
                out.tiles[i, WIN] = hand.win
            out.melds[i, : len(hand.melds)] = [MELD_NUMBER[meld] for meld in hand.melds]
            out.bonus[i] = sum(1 << code - t.FIRST_BONUS for code in hand.bonus)
            out.by[i] = NONE if hand.by is None else BY.index(hand.by)
            for name in ("seat", "round", "from_"):
                wind = getattr(hand, name)
                getattr(out, name)[i] = NONE if wind is None else WINDS.index(wind)
            out.flags[i] = sum(1 << FLAGS.index(flag) for flag in hand.flags)
            out.dora[i, : len(hand.dora)] = hand.dora
            out.ura[i, : len(hand.ura)] = hand.ura
            out.honba[i], out.sticks[i] = hand.honba, hand.sticks
        out.odd = odd
        return out

    @classmethod
    def from_records(cls, records: Sequence[Any]) -> Hands:
        """Columns of hand records; `id`, `rules` and `options` are passed over.

        Rows whose record is faulty are in `odd`.
        """
        from tenbo.batch.text import from_records

        return from_records(records)

    @classmethod
    def from_text(cls, texts: Sequence[str | None], **situation: Any) -> Hands:
        """Columns of hand text; rows that cannot be read are in `odd`.

        Args:
            texts: Hand text, one a hand.
            **situation: By the keys of a hand record (`from_` for `from`): a value for all hands, or a list of values.
        """
        from tenbo.batch.text import from_text

        return from_text(texts, **situation)

    def record(self, row: int) -> Record:
        """The hand record of a row; keys that say nothing are left out.

        Raises:
            ValueError: The row holds a number that stands for nothing.
        """
        if row in self.odd:
            return dict(self.odd[row])
        return _record_of(self, row)

    def records(self) -> list[Record]:
        """The hand records of all rows."""
        return [self.record(row) for row in range(len(self))]

    def texts(self) -> list[str]:
        """The hand texts of all rows; canonical, but for rows in `odd`, whose text is as it was given."""
        return [str(self.record(row).get("hand", "")) for row in range(len(self))]


_FORM: Final[Mapping[str, tuple[tuple[int, ...], type, int]]] = {
    "tiles": ((PLACES,), np.uint8, NONE),
    "melds": ((SETS,), np.uint8, 0),
    "bonus": ((), np.uint8, 0),
    "by": ((), np.uint8, NONE),
    "seat": ((), np.uint8, NONE),
    "round": ((), np.uint8, NONE),
    "from_": ((), np.uint8, NONE),
    "flags": ((), np.uint8, 0),
    "dora": ((INDICATORS,), np.uint8, NONE),
    "ura": ((INDICATORS,), np.uint8, NONE),
    "honba": ((), np.uint16, 0),
    "sticks": ((), np.uint16, 0),
}
assert tuple(_FORM) == tuple(f.name for f in fields(Hands))[:-1]


def _record(hand: Hand) -> Record:
    record: Record = {"hand": hand.text, "by": hand.by, "from": hand.from_, "seat": hand.seat, "round": hand.round}
    record |= {"flags": list(hand.flags), "dora": t.write(hand.dora), "ura": t.write(hand.ura)}
    record |= {"honba": hand.honba, "sticks": hand.sticks}
    return {key: value for key, value in record.items() if value}


def _record_of(hands: Hands, row: int) -> Record:
    def word(name: str, words: Sequence[str]) -> str | None:
        number = int(getattr(hands, name)[row])
        if number == NONE:
            return None
        if number >= len(words):
            raise ValueError(f"row {row}: {number} in column '{name}' stands for nothing")
        return words[number]

    def text(name: str, codes: Iterable[int]) -> str:
        codes = [code for code in codes if code != NONE]
        if any(code >= len(t.TEXTS) for code in codes):
            raise ValueError(f"row {row}: a number in column '{name}' is no tile's code")
        return t.write(codes)

    codes = hands.tiles[row].tolist()
    melds = [number for number in hands.melds[row].tolist() if number]
    if any(number >= len(MELDS) for number in melds):
        raise ValueError(f"row {row}: a number in column 'melds' is no set's")
    plain = [code for code in codes[:WIN] if code < len(t.TEXTS)]
    text("tiles", codes)
    bonus = [t.FIRST_BONUS + i for i in range(8) if hands.bonus[row] >> i & 1]
    parts = [t.write(t.in_order(plain)), *(str(MELDS[number]) for number in melds), t.write(bonus)]
    if codes[WIN] != NONE:
        parts.append(f"+{text('tiles', codes[WIN:])}")
    record: Record = {"hand": " ".join(filter(None, parts)), "by": word("by", BY), "from": word("from_", WINDS)}
    record |= {"seat": word("seat", WINDS), "round": word("round", WINDS)}
    bits = int(hands.flags[row])
    if bits >> len(FLAGS):
        raise ValueError(f"row {row}: {bits} in column 'flags' stands for nothing")
    record["flags"] = [flag for i, flag in enumerate(FLAGS) if bits >> i & 1]
    record |= {"dora": text("dora", hands.dora[row].tolist()), "ura": text("ura", hands.ura[row].tolist())}
    record |= {"honba": int(hands.honba[row]), "sticks": int(hands.sticks[row])}
    return {key: value for key, value in record.items() if value}
