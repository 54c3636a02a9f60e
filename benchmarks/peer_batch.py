"""tenbo's bulk scoring: columns in, columns of scores out.

Started with a file of hand records and how many hands to make. The hands are turned through their suits (characters
become dots and so on), so that there are six times as many different ones, and drawn from these at random.
"""

from __future__ import annotations

import itertools
import json
import sys
import time
from pathlib import Path

import numpy as np

from tenbo import tiles as t
from tenbo.batch import MELDS, Hands, score
from tenbo.batch.columns import MELD_NUMBER
from tenbo.hand import Meld


def turned(hands: Hands, order: tuple[int, ...]) -> Hands:
    """The same hands with suits in another order."""
    code = np.arange(256, dtype=np.uint8)
    for kind in range(27):
        code[kind] = 9 * order[kind // 9] + kind % 9
    for suit in range(3):
        code[t.FIRST_RED + suit] = t.FIRST_RED + order[suit]
    number = np.zeros(256, np.uint8)
    for i, meld in enumerate(MELDS):
        if meld is not None:
            number[i] = MELD_NUMBER[Meld(tuple(int(code[tile]) for tile in meld.tiles), meld.exposed, meld.added)]
    out = hands.part(0, len(hands))
    out.tiles, out.melds = code[hands.tiles], number[hands.melds]
    out.dora, out.ura = code[hands.dora], code[hands.ura]
    return out


def many(records: list[dict[str, object]], count: int, seed: int = 1) -> Hands:
    """Many hands from some."""
    hands = Hands.from_records(records)
    hands.odd = {}
    every = Hands.concat([turned(hands, order) for order in itertools.permutations(range(3))])
    return every.take(np.random.default_rng(seed).integers(0, len(every), count))


def main() -> None:
    records = [json.loads(line) for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()]
    count = int(sys.argv[2])
    hands = many(records, count)
    start = time.process_time()
    score(hands.part(0, min(count, 1000)), rules="riichi")
    first = time.process_time() - start
    score(hands, rules="riichi")
    print(json.dumps(first), flush=True)
    for _ in sys.stdin:
        start = time.process_time()
        found = score(hands, rules="riichi")
        print(json.dumps(time.process_time() - start), flush=True)
        assert not found.error.any()


if __name__ == "__main__":
    main()
