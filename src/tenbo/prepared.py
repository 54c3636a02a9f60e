"""The slots of a hand, and how they are filled once its tiles are sorted and weighed."""

from __future__ import annotations

from typing import Any

from tenbo.meld import Meld
from tenbo.packing import MELDS_AT, OVER, ROOM, SHAPES, SIZE, unpack
from tenbo.situation import (
    ALWAYS,
    CLASHES,
    EXPOSED,
    FLAG_SETS,
    HELD,
    MOST_COUNTERS,
    NO_KONG,
    ON_TABLE,
    WINDS,
    By,
    Wind,
    flag_set,
)
from tenbo.tiles import DORA, KINDS


class Prepared:
    """What a `Hand` holds. Its slots can be filled; then it becomes a `Hand`, which cannot be changed."""

    __slots__ = (
        "_closed",
        "_flag_bits",
        "_keys",
        "_pair_suit",
        "_red",
        "_situation",
        "bonus",
        "by",
        "concealed",
        "dora",
        "flags",
        "from_",
        "honba",
        "melds",
        "round",
        "seat",
        "sticks",
        "ura",
        "win",
    )
    concealed: tuple[int, ...]
    melds: tuple[Meld, ...]
    bonus: tuple[int, ...]
    win: int | None
    by: By | None
    seat: Wind | None
    round: Wind | None
    from_: Wind | None
    flags: tuple[str, ...]
    dora: tuple[int, ...]
    ura: tuple[int, ...]
    honba: int
    sticks: int
    # For the engine:
    # by suit, 3 bits a rank with its concealed tiles and the winning tile, from bit 27 the winning tile's rank if it is
    # of the suit, from bit 31 the codes of the suit's sets, ascending, 6 bits each
    _keys: tuple[int, int, int, int]
    _pair_suit: int  # the suit whose concealed tiles with the winning tile are 2 mod 3, all others' 0 mod 3; else -1
    _flag_bits: int  # bit i for FLAGS[i]
    # the flags' bits, from bit 8 how many tiles the indicators make dora, from bit 16 likewise for the under-dora, from
    # bit 24 the red fives, from bit 30 a bit for each flower and season
    _situation: int
    _red: int  # red fives
    _closed: bool  # whether no set is exposed


_BONUS_AT = 4  # code 34, the first flower, is bit 30

_SEATS: dict[Any, Wind | None] = {wind: wind for wind in (*WINDS, None)}


def prepare(
    weight: int,
    indicators: int,
    concealed: tuple[int, ...],
    melds: tuple[Meld, ...],
    bonus: tuple[int, ...],
    win: int | None,
    by: Any,
    seat: Any,
    round_: Any,
    from_: Any,
    flags: Any,
    dora: tuple[int, ...],
    ura: tuple[int, ...],
    honba: Any,
    sticks: Any,
) -> Prepared | None:
    """Check a hand whose tiles are sorted and weighed, and fill its slots.

    This is the quick way: it only says whether something is wrong. `checks.find_problems` says what.

    `weight` is the sum of the weights of all tiles and sets, `indicators` that of the indicators. The rest is as `Hand`
    keeps it; but what follows `win`, other than `dora` and `ura`, may be of any value.

    Returns:
        What has become of it, or `None` where something is wrong.

    Raises:
        TypeError: A value is of the wrong type.
        LookupError: A value is not one of its choices.
        OverflowError: There are far too many tiles.
    """
    if (weight + indicators + ROOM) & OVER:
        return None
    packed = weight.to_bytes(SIZE, "little")
    shape, exposed, kongs, red, m, p, s, z = unpack(packed)
    pair_suit = SHAPES[shape]
    bits, flags = FLAG_SETS.get(flags) or flag_set(flags)
    clash = CLASHES[by][bits]
    if clash and (
        clash & ALWAYS
        or (clash & EXPOSED and exposed)
        or (clash & ON_TABLE and melds)
        or (clash & NO_KONG and not kongs)
        or (clash & HELD and win is not None and packed[KINDS[win]] != 1)
    ):
        return None
    if from_ is not None and (by == "self_draw" or from_ == seat):
        return None
    if honba.__class__ is not int or sticks.__class__ is not int:
        return None
    if (honba or sticks) and not (0 <= honba <= MOST_COUNTERS and 0 <= sticks <= MOST_COUNTERS):
        return None
    if win is None and (by is not None or from_ is not None or bits or indicators or honba or sticks):
        return None
    situation = bits | red << 24
    for code in dora:
        situation += packed[DORA[code]] << 8
    for code in ura:
        situation += packed[DORA[code]] << 16
    if len(melds) == 1:
        order = melds[0]._order
        suit, order = order >> 6, (order & 63) << MELDS_AT
        if suit == 0:
            m |= order
        elif suit == 1:
            p |= order
        elif suit == 2:
            s |= order
        else:
            z |= order
    elif melds:
        keys, at = [m, p, s, z], [MELDS_AT, MELDS_AT, MELDS_AT, MELDS_AT]
        orders = [meld._order for meld in melds]
        orders.sort()
        for order in orders:
            suit = order >> 6
            keys[suit] |= (order & 63) << at[suit]
            at[suit] += 6
        m, p, s, z = keys

    hand = Prepared()
    hand.concealed = concealed
    hand.melds = melds
    hand.bonus = bonus
    hand.win = win
    hand.by = by
    hand.seat = _SEATS[seat]
    hand.round = _SEATS[round_]
    hand.from_ = _SEATS[from_]
    hand.flags = flags
    hand.dora = dora
    hand.ura = ura
    hand.honba = honba
    hand.sticks = sticks
    hand._keys = (m, p, s, z)
    hand._pair_suit = pair_suit
    hand._flag_bits = bits
    hand._situation = situation
    if bonus:
        for code in bonus:
            hand._situation |= 1 << code - _BONUS_AT
    hand._red = red
    hand._closed = not exposed
    return hand
