"""The hands that speed is measured on: complete winning riichi hands as hand records, all distinct.

*natural*: wins of real games, from the acceptance cases where they are at hand. *hard*: random legal wins, a quarter of
them full flushes, whose tiles can be read in many ways. Both carry their situation: winds, riichi, dora and so on.
"""

from __future__ import annotations

import gzip
import json
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Record = dict[str, Any]

REAL = ("real_tenhou.jsonl.gz", "real_majiang.jsonl.gz")
WINDS = "ESWN"
SUITS = "mpsz"
Tile = tuple[int, int, bool]
"""Suit 0..3, rank 1..9, whether it is a red five."""


def natural(count: int, seed: int = 1) -> tuple[list[Record], str]:
    """Up to `count` wins of real games, shuffled, and a word on where they are from."""
    default = Path(__file__).resolve().parents[2] / "shared" / "cases"
    folder = Path(os.environ.get("TENBO_CASES") or default)
    records = [
        json.loads(line)["record"] for name in REAL if (folder / name).is_file() for line in _lines(folder / name)
    ]
    if not records:
        return list(_random_wins(count, seed, flushes=0.03)), "generated, for lack of the cases"
    records = list(_distinct(_bare(record) for record in records))
    random.Random(seed).shuffle(records)
    return records[:count], "wins of real games"


def hard(count: int, seed: int = 1) -> tuple[list[Record], str]:
    """`count` random legal wins, a quarter of them full flushes."""
    return list(_random_wins(count, seed, flushes=0.25)), "random legal wins, a quarter full flushes"


def _lines(path: Path) -> list[bytes]:
    return gzip.decompress(path.read_bytes()).splitlines()


def _bare(record: Record) -> Record:
    """The record with all that bears on a hand's own value, and nothing else."""
    wanted = ("hand", "by", "seat", "round", "flags", "dora", "ura")
    return {key: record[key] for key in wanted if record.get(key)}


def _distinct(records: Iterator[Record]) -> Iterator[Record]:
    seen = set()
    for record in records:
        if (key := json.dumps(record, sort_keys=True)) not in seen:
            seen.add(key)
            yield record


def _random_wins(count: int, seed: int, flushes: float) -> Iterator[Record]:
    rng = random.Random(seed)

    def endless() -> Iterator[Record]:
        while True:
            yield _random_win(rng, flush=rng.random() < flushes)

    for index, record in enumerate(_distinct(endless())):
        if index == count:
            return
        yield record


class _Wall:
    """The 136 tiles of a game with one red five in each suit, drawn by kind."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.left: dict[tuple[int, int], list[Tile]] = {}
        for suit in range(4):
            for rank in range(1, 8 if suit == 3 else 10):
                self.left[suit, rank] = [(suit, rank, suit < 3 and rank == 5 and copy == 0) for copy in range(4)]

    def take(self, kinds: list[tuple[int, int]]) -> list[Tile] | None:
        """A tile of each kind, or nothing at all where they are not all there."""
        if any(len(self.left[kind]) < kinds.count(kind) for kind in kinds):
            return None
        return [self.left[kind].pop(self.rng.randrange(len(self.left[kind]))) for kind in kinds]

    def any_tile(self) -> Tile:
        kinds = [kind for kind, tiles in self.left.items() for _ in tiles]
        taken = self.take([self.rng.choice(kinds)])
        assert taken is not None
        return taken[0]


def _random_win(rng: random.Random, flush: bool) -> Record:
    """One random win that has a hand point: concealed hands have bet or drawn their tile, open ones have a pattern."""
    while True:
        wall = _Wall(rng)
        suits = [rng.randrange(3)] if flush else [0, 1, 2, 3] if rng.random() < 0.8 else [rng.randrange(3), 3]
        pairs = not flush and rng.random() < 0.04
        sets = _pairs(rng, wall) if pairs else _four_sets_and_pair(rng, wall, suits)
        if sets is None:
            continue
        record = _situation(rng, wall, sets)
        if record is not None:
            return record


def _pairs(rng: random.Random, wall: _Wall) -> list[list[Tile]] | None:
    kinds = rng.sample(sorted(wall.left), 7)
    return [tiles for kind in kinds if (tiles := wall.take([kind] * 2))]


def _four_sets_and_pair(rng: random.Random, wall: _Wall, suits: list[int]) -> list[list[Tile]] | None:
    sets: list[list[Tile]] = []
    for _ in range(40):
        suit = rng.choice(suits)
        form = rng.random()
        if len(sets) == 4:
            form = 2
        if form < 0.62:
            if suit == 3:
                continue
            first = rng.randint(1, 7)
            kinds = [(suit, first + step) for step in range(3)]
        else:
            copies = 2 if form == 2 else 4 if form > 0.97 else 3
            kinds = [(suit, rng.randint(1, 7 if suit == 3 else 9))] * copies
        if taken := wall.take(kinds):
            sets.append(taken)
        if len(sets) == 5:
            return sets
    return None


def _situation(rng: random.Random, wall: _Wall, sets: list[list[Tile]]) -> Record | None:
    """Lays some sets on the table, picks the winning tile and says how it came."""
    melds, concealed = [], []
    calls = rng.choices([0, 1, 2, 3], [60, 18, 14, 8])[0] if len(sets) == 5 else 0
    for index, tiles in enumerate(sets):
        exposed = index < calls
        if len(tiles) == 4:
            melds.append(f"[{_text(tiles)}]" if exposed else f"({_text(tiles)})")
        elif exposed and len(tiles) == 3:
            melds.append(f"[{_text(tiles)}]")
        else:
            concealed += tiles
    kongs = sum(len(tiles) == 4 for tiles in sets)
    win = concealed.pop(rng.randrange(len(concealed)))
    by = "self_draw" if rng.random() < 0.45 else "discard"
    seat, round_wind = rng.choice(WINDS), rng.choice("EES")
    flags = []
    if not calls and rng.random() < 0.7:
        flags.append("double_riichi" if rng.random() < 0.03 else "riichi")
        if rng.random() < 0.15:
            flags.append("ippatsu")
    if kongs and by == "self_draw" and "ippatsu" not in flags and rng.random() < 0.3:
        flags.append("after_kong")
    elif rng.random() < 0.02:
        flags.append("last_tile")
    if not (flags or (not calls and by == "self_draw") or _has_pattern(sets, calls, seat, round_wind)):
        return None
    record: Record = {"hand": " ".join([_text(concealed), *melds, "+" + _text([win])]), "by": by}
    record |= {"seat": seat, "round": round_wind}
    if flags:
        record["flags"] = flags
    record["dora"] = "".join(_text([wall.any_tile()]) for _ in range(1 + kongs))
    if "riichi" in flags or "double_riichi" in flags:
        record["ura"] = "".join(_text([wall.any_tile()]) for _ in range(1 + kongs))
    return record


def _has_pattern(sets: list[list[Tile]], calls: int, seat: str, round_wind: str) -> bool:
    """Whether a hand surely has one of the patterns that are easy to see; those that have others only are left out."""
    tiles = [tile for one in sets for tile in one]
    if len(sets) == 7 or all(suit < 3 and 2 <= rank <= 8 for suit, rank, _ in tiles):
        return True
    if len({suit for suit, _, _ in tiles} - {3}) <= 1:
        return True
    triples = [one for one in sets if len(one) >= 3 and one[0][1] == one[1][1]]
    valued = {5, 6, 7, WINDS.index(seat) + 1, WINDS.index(round_wind) + 1}
    return len(triples) == 4 or any(one[0][0] == 3 and one[0][1] in valued for one in triples)


def _text(tiles: list[Tile]) -> str:
    """Hand text of tiles, sorted, a red five before plain ones."""
    words = []
    for suit in range(4):
        ranks = sorted((rank, not red) for tile_suit, rank, red in tiles if tile_suit == suit)
        if ranks:
            words.append("".join(str(rank if plain else 0) for rank, plain in ranks) + SUITS[suit])
    return "".join(words)
