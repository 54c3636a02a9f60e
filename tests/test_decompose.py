"""Suits taken apart, held against a plain search that knows nothing of packing."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tenbo import decompose as d

Groups = frozenset[tuple[tuple[int, ...], int]]


def plain_search(counts: list[int], honours: bool, pair: bool) -> set[Groups]:
    """Every way to see the tiles as sets (and a pair), by trying everything."""
    out: set[Groups] = set()

    def go(left: list[int], found: tuple[tuple[int, ...], ...], pair_due: bool) -> None:
        if not any(left):
            if not pair_due:
                out.add(frozenset(Counter(found).items()))
            return
        first = next(i for i, n in enumerate(left) if n)
        shapes = [
            (first,) * 3,
            *([] if honours else [(first, first + 1, first + 2)]),
            *([(first,) * 2] if pair_due else []),
        ]
        for shape in shapes:
            after = list(left)
            if all(i < 9 for i in shape):
                for i in shape:
                    after[i] -= 1
                if min(after) >= 0:
                    go(after, (*found, tuple(i + 1 for i in shape)), pair_due and len(shape) == 3)

    go(counts, (), pair)
    return out


def packed(counts: list[int]) -> int:
    return sum(n << 3 * i for i, n in enumerate(counts))


def as_groups(ways: tuple[d.Codes, ...]) -> list[Groups]:
    return [frozenset(Counter(tuple(d.group_tiles(code)) for code in way).items()) for way in ways]


def random_counts(rng: random.Random, honours: bool, size: int) -> list[int]:
    counts = [0] * 9
    kinds = 7 if honours else 9
    low = rng.randrange(kinds)
    while sum(counts) < size:
        rank = min(kinds - 1, max(0, low + rng.randint(-3, 3)))
        if counts[rank] < 4:
            counts[rank] += 1
        else:
            low = rng.randrange(kinds)
    return counts


def complete_counts(rng: random.Random, honours: bool, pair: bool) -> list[int]:
    """Tiles that make sets (and a pair), close together, so that many can be seen in several ways."""
    while True:
        counts = [0] * 9
        start = rng.randrange(5)
        for _ in range(rng.randint(1, 4)):
            rank = start + rng.randint(0, 2)
            chow = not honours and rng.random() < 0.6
            for step in (0, 1, 2) if chow else (0, 0, 0):
                counts[rank + step] += 1
        counts[start + rng.randint(0, 2)] += 2 * pair
        if max(counts) <= 4:
            return counts


@pytest.mark.parametrize("honours", [False, True])
@pytest.mark.parametrize("pair", [False, True])
def test_every_way_is_found_once(honours: bool, pair: bool) -> None:
    rng = random.Random(f"{honours}{pair}")
    seen = 0
    for _ in range(3000):
        counts = complete_counts(rng, honours, pair)
        if rng.random() < 0.3:
            counts = random_counts(rng, honours, 3 * rng.randint(0, 4) + 2 * pair)
        ways = as_groups((d.sets_and_pair if pair else d.sets)(packed(counts), honours))
        assert len(ways) == len(set(ways))
        assert set(ways) == plain_search(counts, honours, pair)
        seen += len(ways) > 1
    assert honours or seen > 50


@pytest.mark.parametrize("honours", [False, True])
@pytest.mark.parametrize("pair", [False, True])
def test_fills_are_the_ranks_that_complete(honours: bool, pair: bool) -> None:
    rng = random.Random(5)
    for _ in range(1500):
        counts = random_counts(rng, honours, 3 * rng.randint(0, 3) + (1 if pair else 2))
        bits = d.fills(packed(counts), honours, pair)
        for rank in range(7 if honours else 9):
            more = [n + (i == rank) for i, n in enumerate(counts)]
            assert bool(bits >> rank & 1) == bool(plain_search(more, honours, pair))


def test_the_winning_tile_is_put_in_every_place() -> None:
    way = (d.CHOW + 1, d.CHOW + 2, d.PUNG + 3, d.PAIR + 3)
    placed = d.with_win(way, 4)
    assert [codes for codes in placed if sum(d.WIN_CHOW <= code < d.MELD for code in codes) != 1] == []
    assert len(placed) == 4
    assert {tuple(sorted(d.group_tiles(code))) for codes in placed for code in codes if code >= d.WIN_CHOW} == {
        (2, 3, 4),
        (3, 4, 5),
        (4, 4, 4),
        (4, 4),
    }


def test_caches_stay_small() -> None:
    rng = random.Random(1)
    for _ in range(3000):
        d.sets_and_pair(packed(random_counts(rng, False, 14)), False)
    assert len(d._sets) <= d._LIMIT
    assert len(d._pairs) <= d._LIMIT
