"""Whether bulk scoring agrees with scoring hand by hand, in every field, on very many random hands.

    .venv/bin/python benchmarks/agree.py [--hands 1000000] [--rules riichi reach basic simplified every] [--seed 1]

`every` is a ruleset made up here that has every kind of entry and names every fact. Prints the first differences, and
ends with status 1 where there is one.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import random_hands
from tenbo.batch.columns import Hands
from tenbo.batch.compiled import Compiled, compiled
from tenbo.batch.engine import score
from tenbo.errors import TenboError
from tenbo.facts import HAND_FACTS, SET_FACTS
from tenbo.records import read_hand
from tenbo.ruleset import Ruleset, load_rules, parse_rules
from tenbo.score import score_hand

Record = dict[str, Any]
BLOCK = 20_000


def every_kind(seed: int = 1, combos: bool = False) -> Ruleset:
    """A ruleset with every kind of entry; all its conditions and values are drawn at random from all facts."""
    rng = random.Random(seed)
    numbers = [fact for fact in HAND_FACTS if fact.type == "int"]
    truths = [fact for fact in HAND_FACTS if fact.type == "bool"]
    words = [fact for fact in HAND_FACTS if fact.type == "word"]

    def compared(facts: Any) -> str:
        fact = rng.choice(facts)
        return f"{fact.name} {rng.choice(('==', '!=', '<', '<=', '>', '>='))} {rng.choice((0, 1, 1, 2, 3, 4))}"

    def hand(deep: int = 0) -> str:
        match rng.randrange(6 if deep < 2 else 3):
            case 0:
                return compared(numbers)
            case 1:
                return f"{rng.choice(('', 'not '))}{rng.choice(truths).name}"
            case 2:
                fact = rng.choice(words)
                return f"{fact.name} {rng.choice(('==', '!='))} '{rng.choice(fact.words)}'"
            case 3:
                return f"({hand(deep + 1)} {rng.choice(('and', 'or'))} {hand(deep + 1)})"
            case 5:
                a, b = rng.choice(numbers).name, rng.choice(numbers).name
                return f"{a} {rng.choice(('+', '-', '*'))} {b} {rng.choice(('<', '>=', '=='))} {rng.randrange(9)}"
            case _:
                return f"({hand(deep + 1)} if {hand(deep + 1)} else {hand(deep + 1)})"

    def one(facts: Any) -> str:
        fact = rng.choice(facts)
        if fact.type == "bool":
            return str(fact.name)
        return f"{fact.name} == '{rng.choice(fact.words)}'" if fact.type == "word" else f"{fact.name} > 4"

    lines = ['title = "Every kind"', "[uses]", "dora = true", "counters = true", "bonus_tiles = true"]
    lines.append(
        'flags = ["riichi", "double_riichi", "ippatsu", "last_tile", "after_kong", "robbing_kong", "first_turn"]'
    )
    lines += ["[options.limit]", "default = 90000", "min = 1", "max = 1000000"]
    lines += ['[shape.standard]\nname = "Sets"', '[shape.seven_pairs]\nname = "Pairs"\npoints = 25']
    lines += ['[shape.thirteen_orphans]\nname = "Orphans"\npoints = "none"', '[shape.loose]\nname = "Loose"']
    keys = []

    def entry(scope: str, key: str, *more: str, when: str = "") -> None:
        lines.append(f'[{scope}.{key}]\nname = "{key}"')
        lines.extend(more)
        lines.append(f'who = "{rng.choice(("winner", "winner", "loser", "all"))}"')
        if when:
            lines.append(f'when = "{when}"')
        keys.append(key)

    for i in range(12):
        when = f"{one(SET_FACTS)} and {rng.choice(('', 'not '))}({one(SET_FACTS)})"
        entry("set", f"set{i}", rng.choice(("points = 2", "points = 7", "doubles = 1")), when=when)
    for i, when in enumerate(("flower", "season and own", "own", "number > 2")):
        bonus = ["bonus = true"] if i == 2 else []
        entry("bonus", f"bonus{i}", rng.choice(("points = 4", "doubles = 1")), *bonus, when=when)
    for fact in HAND_FACTS:  # each at least once
        when = fact.name if fact.type == "bool" else f"{fact.name} > 1" if fact.type == "int" else ""
        when = when or f"{fact.name} == '{rng.choice(fact.words)}'"
        entry("hand", f"fact_{fact.name}", rng.choice(("points = 1", "points = 3", "points = 2")), when=when)
    for i in range(40):
        extra = []
        if rng.random() < 0.3:
            extra.append(f"exposed = {rng.randrange(4)}")
        if rng.random() < 0.3:
            extra.append(f'times = "{rng.choice(numbers).name}"')
        if rng.random() < 0.2:
            extra.append("bonus = true")
        if keys and rng.random() < 0.4:
            extra.append(
                f"excludes = {rng.sample([key for key in keys if key[:3] in ('fac', 'han')], 2)}".replace("'", '"')
            )
        value = rng.choice(
            (
                "points = 5",
                "points = 11",
                "doubles = 1",
                "doubles = 2",
                f'points = "{rng.choice(numbers).name} * 3 - {rng.choice(numbers).name} // 2"',
                f'doubles = "{rng.choice(truths).name} + {rng.choice(truths).name}"',
            )
        )
        entry("hand", f"hand{i}", value, *extra, when=hand())
    for i, share in enumerate(("1", "'2'", "'1/2'", "1")):
        more = ["exposed = 500"] if i == 1 else ['times = "kongs"'] if i == 3 else []
        when = rng.choice(("kongs == 3", "suits == 0", "dragon_sets == 3", "first_turn", "nine_gates", "kongs >= 2"))
        entry("hand", f"limit{i}", f"limit = {share}".replace("'", '"'), *more, when=when)
    for i in range(3):
        entry("last", f"last{i}", rng.choice(("points = 9", "doubles = 3")), when=hand())
    if combos:
        entry("combo", "combo", "doubles = 1", 'sets = "chow"', "size = 2", when="suits == 2 and step1 == 0")
    lines += ["[points]", "round_up = 10", "[points.floor]", "value = 30", f'when = "{hand()}"']
    lines += [
        "[minimum]",
        "doubles = 1",
        "[limits]",
        'name = "top"',
        "base = 5000",
        f"add = {rng.choice(('true', 'false'))}",
    ]
    lines += ["[[limit]]", 'name = "cap"', "base = 'limit'".replace("'", '"'), 'when = "base > limit"']
    lines += ["[[limit]]", 'name = "many"', 'base = "base // 2 + points"', 'when = "doubles > 6"']
    lines += ["[payment]", f'score = "{rng.choice(("base", "collected"))}"', "round_up = 10"]
    lines.append(
        'each = "base * (3 if payer_discards else 2 if payer_dealer or winner_dealer else 1)'
        ' + doubles + points * self_draw"'
    )
    lines += ['counter = "100 if self_draw else 300 if payer_discards else 0"', "bet = 1000"]
    return parse_rules("\n".join(lines))


def expected(c: Compiled, record: Record) -> Record:
    """What scoring one hand says, in the words of `Result.record`."""
    try:
        found = score_hand(*read_hand(record, c.rules, False))
    except TenboError as error:
        return {"error": error.code}
    keys = set()
    for line in found.lines:
        unit = "points" if line.points is not None else "doubles" if line.doubles is not None else "limit"
        if c.units.get(line.key) == unit:
            keys.add(line.key)
    return {
        "score": found.score,
        "points": found.points,
        "points_raw": found.points_raw,
        "doubles": found.doubles,
        "limit": found.limit,
        "payments": found.payments,
        "entries": keys,
        "reading": found.reading,
    }


def differences(c: Compiled, records: list[Record], seen: Counter[str] | None = None) -> list[str]:
    """Where bulk and single scoring differ."""
    result = score(c, Hands.from_records(records))
    out = []
    for row, record in enumerate(records):
        want, got = expected(c, record), result.record(row)
        if "entries" in got:
            got["entries"] = set(got["entries"])
        if seen is not None:
            seen.update((want.get("error", "scored"),))
        if want != got:
            wrong = {
                key: (want.get(key), got.get(key)) for key in want.keys() | got.keys() if want.get(key) != got.get(key)
            }
            out.append(f"{record}: {wrong}")
    if seen is not None:
        seen["by the scalar engine"] += result.fallback
    return out


PRESETS = ("riichi", "reach", "basic", "simplified")
RULES: dict[str, Callable[[], Ruleset]] = {
    **{name: partial(load_rules, name) for name in PRESETS},
    "every": every_kind,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=1_000_000)
    parser.add_argument("--rules", nargs="+", default=list(RULES), choices=list(RULES))
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    wrong = 0
    for name in args.rules:
        c = compiled(RULES[name]())
        source = random_hands.Hands(c.rules, args.seed)
        seen: Counter[str] = Counter()
        start, count, differ = time.time(), 0, 0
        while count < args.hands:
            records = [source.record() for _ in range(min(BLOCK, args.hands - count))]
            count += len(records)
            found = differences(c, records, seen)
            for text in found[: max(0, 5 - differ)]:
                print(text, flush=True)
            differ += len(found)
        wrong += differ
        print(
            f"{name}: {count:,} hands, {differ:,} differ, {time.time() - start:.0f} s; {dict(seen.most_common())}",
            flush=True,
        )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
