"""The kinds that complete a hand one tile short."""

from __future__ import annotations

from typing import Final

from tenbo import decompose as d
from tenbo.hand import Hand

_HONOURS: Final = 3
_LIMIT: Final = 20_000
_ODD: Final = 0o111111111  # the lowest bits of counts
_MANY: Final = 0o444444444


def waiting(hand: Hand, *, pairs: bool, orphans: bool) -> tuple[set[int], set[int]]:
    """The kinds that complete a hand one tile short.

    Args:
        hand: A hand; its winning tile, if it has one, is left out.
        pairs: Whether seven pairs complete a hand.
        orphans: Whether thirteen orphans do.

    Returns:
        All those kinds (0-33), and those of which the player does not hold all four.
    """
    counts, held = [], []
    for key in hand._keys:
        win = key >> d.WIN_SHIFT & 15
        inner = key & d.COUNT_MASK
        if win:
            inner -= 1 << 3 * (win - 1)
        counts.append(inner)
        outer = [inner >> 3 * rank & 7 for rank in range(9)]
        rest = key >> d.MELD_SHIFT
        while rest:
            for rank in d.group_tiles(d.MELD + (rest & 63)):
                outer[rank - 1] += 1
            rest >>= 6
        held += outer
    found: set[int] = set()
    sizes = [sum(inner >> 3 * rank & 7 for rank in range(9)) % 3 for inner in counts]
    lone = [i for i in range(4) if sizes[i] == 1]
    twos = [i for i in range(4) if sizes[i] == 2]
    if len(lone) == 1 and not twos:
        _fill(found, counts, lone[0], True, ())
    elif len(twos) == 2 and not lone:
        _fill(found, counts, twos[0], False, (twos[1],))
        _fill(found, counts, twos[1], False, (twos[0],))
    if not hand.melds:
        all_ = [inner >> 3 * rank & 7 for inner in counts for rank in range(9)]
        if pairs and all(n <= 2 for n in all_) and sum(n == 2 for n in all_) == 6:
            found.add(next(i for i, n in enumerate(all_) if n == 1))
        if orphans:
            wanted = [0, 8, 9, 17, 18, 26, *range(27, 34)]
            have = [i for i in wanted if all_[i]]
            if sum(all_[i] for i in wanted) == 13 and len(have) >= 12:
                found |= set(wanted) if len(have) == 13 else set(wanted) - set(have)
    return found, {kind for kind in found if held[kind] < 4}


def _fill(found: set[int], counts: list[int], suit: int, pair: bool, with_pair: tuple[int, ...]) -> None:
    """Adds the kinds of one suit that complete it, if all other suits are complete."""
    for other in range(4):
        if other != suit:
            ways = d.sets_and_pair if other in with_pair else d.sets
            if not ways(counts[other], other == _HONOURS):
                return
    bits = d.fills(counts[suit], suit == _HONOURS, pair)
    found |= {9 * suit + rank for rank in range(9) if bits >> rank & 1}


_filled: dict[int, tuple[int, int]] = {}


def _fill_count(key: int, honours: bool, pair: bool) -> tuple[int, int]:
    """How many ranks complete a suit, all of them and those not held four times; kept.

    Args:
        key: The suit's key; its winning tile, if it has one, is left out.
        honours: Whether it is the honours.
        pair: Whether the completed suit holds the pair.
    """
    place = key << 2 | honours << 1 | pair
    found = _filled.get(place)
    if found is None:
        win = key >> d.WIN_SHIFT & 15
        inner = key & d.COUNT_MASK
        if win:
            inner -= 1 << 3 * (win - 1)
        ranks = d.fills(inner, honours, pair)
        for code in d.melds_of(key):
            inner += d.TILES[code]
        left = sum(1 for rank in range(9) if ranks >> rank & 1 and inner >> 3 * rank & 7 < 4)
        if len(_filled) >= _LIMIT:
            _filled.clear()
        found = _filled[place] = ranks.bit_count(), left
    return found


def waiting_counts(hand: Hand, *, pairs: bool, orphans: bool) -> tuple[int, int]:
    """How many kinds would have completed a complete hand: all of them, and those not held four times.

    Args:
        hand: A complete hand.
        pairs: Whether seven pairs complete a hand.
        orphans: Whether thirteen orphans do.
    """
    keys = hand._keys
    pair = hand._pair_suit
    if pair < 0 or (not hand.melds and pairs and _six_pairs(keys)):
        every, left = waiting(hand, pairs=pairs, orphans=orphans)
        return len(every), len(left)
    won = next(suit for suit in range(4) if keys[suit] >> d.WIN_SHIFT & 15)
    key = keys[won]
    if won == pair:
        return _fill_count(key, won == _HONOURS, True)
    total, left_total = _fill_count(key, won == _HONOURS, False)
    inner = (key & d.COUNT_MASK) - (1 << 3 * ((key >> d.WIN_SHIFT & 15) - 1))
    if d.sets_and_pair(inner, won == _HONOURS):  # the pair may be here, and the other suit be the one to complete
        more, more_left = _fill_count(keys[pair], pair == _HONOURS, False)
        return total + more, left_total + more_left
    return total, left_total


def _six_pairs(keys: tuple[int, ...]) -> bool:
    """Whether the tiles before the win may be six pairs and one tile more: at most two kinds are odd, none is many."""
    odd = 0
    for key in keys:
        if key & d.COUNT_MASK & _MANY:
            return False
        odd += (key & _ODD).bit_count()
    return odd <= 2
