"""How a hand went out: by what, where, and with which flags."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

By = Literal["discard", "self_draw"]
Wind = Literal["E", "S", "W", "N"]

BY: tuple[By, ...] = ("discard", "self_draw")
"""How the winning tile may have come."""

WINDS: tuple[Wind, ...] = ("E", "S", "W", "N")
"""The seats and rounds."""

FLAGS: tuple[str, ...] = (
    "riichi",
    "double_riichi",
    "ippatsu",
    "last_tile",
    "after_kong",
    "robbing_kong",
    "first_turn",
)
"""What may be said about how a hand was won, in the order in which a hand keeps it."""

MOST_COUNTERS = 1000
"""The largest `honba` and `sticks`."""

MOST_FLAGS = 100
"""The longest list of flags that is gone through."""

# What flags may clash with: properties of a hand, as bits.
EXPOSED, NO_KONG, ON_TABLE, HELD, ALWAYS = 1, 2, 4, 8, 16

RIICHI, DOUBLE_RIICHI, IPPATSU, LAST_TILE, AFTER_KONG, ROBBING_KONG, FIRST_TURN = (1 << i for i in range(len(FLAGS)))


def _clash(by: By | None, bits: int) -> int:
    """The properties that a hand with these flags may not have; `ALWAYS` where the flags clash by themselves."""
    riichi = bits & (RIICHI | DOUBLE_RIICHI)
    never = (
        bits & IPPATSU and (not riichi or bits & AFTER_KONG),
        bits & AFTER_KONG and by == "discard",
        bits & ROBBING_KONG and by == "self_draw",
        bits & LAST_TILE and bits & (AFTER_KONG | ROBBING_KONG),
        bits & FIRST_TURN and (by == "discard" or bits != FIRST_TURN),
    )
    return (
        (EXPOSED if riichi else 0)
        | (NO_KONG if bits & AFTER_KONG else 0)
        | (HELD if bits & ROBBING_KONG else 0)
        | (ON_TABLE if bits & FIRST_TURN else 0)
        | (ALWAYS if any(never) else 0)
    )


CLASHES: dict[By | None, tuple[int, ...]] = {
    by: tuple(_clash(by, bits) for bits in range(1 << len(FLAGS))) for by in (*BY, None)
}
"""By what, then by the flags' bits: the properties that clash with them."""

_MOST_SETS = 512
FLAG_SETS: dict[tuple[str, ...], tuple[int, tuple[str, ...]]] = {}
"""Flags as given to what `flag_set` says of them; filled as they come."""


def flag_set(flags: Iterable[str]) -> tuple[int, tuple[str, ...]]:
    """Bring flags into order.

    Args:
        flags: Flags in any order, none of them a stranger's.

    Returns:
        Their bits (bit i for `FLAGS[i]`) and the flags in the order of `FLAGS`, each once.

    Raises:
        LookupError: A flag is unknown.
        TypeError: These are no flags.
    """
    if not isinstance(flags, tuple | list | set | frozenset):
        raise TypeError("flags are a list")
    if len(flags) > MOST_FLAGS:
        raise LookupError("far more flags than there are")
    key = tuple(flags)
    known = FLAG_SETS.get(key)
    if known is None:
        bits = sum({1 << _PLACES[flag] for flag in key})
        known = bits, tuple(flag for i, flag in enumerate(FLAGS) if bits >> i & 1)
        if len(FLAG_SETS) < _MOST_SETS and len(key) <= len(FLAGS):
            FLAG_SETS[key] = known
    return known


_PLACES = {flag: i for i, flag in enumerate(FLAGS)}
