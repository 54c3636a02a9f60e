"""The PyPI package mahjax (0.1.6): its judge of a whole hand, vmapped and compiled, for a batch of hands without sets.

Started with a file of hand records and the size of a batch; answers with the seconds that a batch took.
"""

from __future__ import annotations

import json
import re
import sys
import time
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from mahjax.red_mahjong.constants import DORA_ARRAY
from mahjax.red_mahjong.meld import EMPTY_MELD
from mahjax.red_mahjong.yaku import Yaku

SUITS = "mpsz"


def tiles(text: str) -> list[int]:
    """Tiles 0 to 33, red fives 34 to 36."""
    out = []
    for digits, letter in re.findall(r"(\d+)([mpsz])", text):
        suit = SUITS.index(letter)
        out += [34 + suit if digit == "0" else 9 * suit + int(digit) - 1 for digit in digits]
    return out


def kind(tile: int) -> int:
    return 9 * (tile - 34) + 4 if tile >= 34 else tile


def arrays(records: list[dict[str, Any]], count: int) -> tuple[Any, ...]:
    """What the judge takes, for hands drawn at random."""
    rows = []
    following = np.asarray(DORA_ARRAY)
    for record in records:
        concealed, _, win = record["hand"].partition("+")
        hand = np.zeros(37, np.int8)
        for tile in tiles(concealed):
            hand[tile] += 1
        dora = np.zeros((2, 34), np.int8)
        for i, key in enumerate(("dora", "ura")):
            for tile in tiles(record.get(key) or ""):
                dora[i, following[kind(tile)]] += 1
        winds = ["ESWN".index(record[key]) for key in ("round", "seat")]
        riichi = bool({"riichi", "double_riichi"} & set(record.get("flags") or []))
        rows.append((hand, tiles(win)[0], riichi, record["by"] == "discard", *winds, dora))
    which = np.random.default_rng(1).integers(0, len(rows), count)
    return tuple(jnp.asarray(np.stack([rows[i][column] for i in which])) for column in range(7))


def main() -> None:
    records = [json.loads(line) for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()]
    closed = [record for record in records if "[" not in record["hand"] and "(" not in record["hand"]]
    given = arrays(closed, int(sys.argv[2]))
    none = jnp.full(4, EMPTY_MELD)

    def one(hand: Any, win: Any, riichi: Any, ron: Any, prevailing: Any, seat: Any, dora: Any) -> Any:
        yaku, fan, fu = Yaku.judge_hand_related(
            hand, none, jnp.int8(0), win, riichi, ron, prevailing, seat, dora, jnp.bool_(True)
        )
        return yaku, fan, fu, Yaku.score(fan, fu)

    judge = jax.jit(jax.vmap(one))
    jax.block_until_ready(judge(*given))
    print(json.dumps(len(closed)), flush=True)
    for line in sys.stdin:
        start = time.process_time()
        found = jax.block_until_ready(judge(*given))
        seconds = time.process_time() - start
        print(json.dumps(seconds), flush=True)
        if line.strip() == "check":
            print(json.dumps([np.asarray(found[1])[:20].tolist(), np.asarray(found[2])[:20].tolist()]), flush=True)


if __name__ == "__main__":
    main()
