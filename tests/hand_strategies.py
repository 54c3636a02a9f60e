"""Hands for property tests: right ones, and ones that may be wrong in any way."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

from tenbo.hand import FLAGS, WINDS, Meld

RED = {4: 42, 13: 43, 22: 44}
WIND = st.sampled_from(WINDS)


def _melds(rng: Random, pool: list[int], number: int) -> list[Meld]:
    """Sets of tiles taken out of the pool."""
    melds: list[Meld] = []
    while len(melds) < number:
        first, form = rng.choice(pool), rng.choice(["chow", "pung", "kong", "concealed", "added"])
        if form == "chow":
            codes = [first, first + 1, first + 2]
            if first >= 27 or first % 9 > 6:
                continue
        else:
            codes = [first] * (3 if form == "pung" else 4)
        if any(codes.count(code) > pool.count(code) for code in codes):
            continue
        for code in codes:
            pool.remove(code)
        codes = _some_red(rng, codes)
        melds.append(Meld(tuple(codes), form != "concealed", form == "added"))
    return melds


def _some_red(rng: Random, codes: list[int]) -> list[int]:
    return [RED[code] if code in RED and rng.random() < 0.3 else code for code in codes]


def _tiles(rng: Random, *, narrow: bool) -> dict[str, Any]:
    kinds = rng.sample(range(34), 11) if narrow else range(34)
    pool = [kind for kind in kinds for _ in range(4)]
    melds = _melds(rng, pool, rng.choice([0, 0, 1, 2, 3, 4]))
    rng.shuffle(pool)
    number = 13 - 3 * len(melds)
    concealed, rest = _some_red(rng, pool[:number]), _some_red(rng, pool[number:])
    return {
        "concealed": tuple(concealed),
        "melds": tuple(melds),
        "bonus": tuple(rng.sample(range(34, 42), rng.choice([0, 0, 1, 3, 8]))),
        "win": rest[0],
        "dora": tuple(rest[1 : 1 + rng.choice([0, 1, 1, 2, 5])]),
        "ura": tuple(rest[6 : 6 + rng.choice([0, 0, 1, 5])]),
    }


def contradictory(arguments: dict[str, Any]) -> bool:
    """Whether the flags of a hand that went out cannot be true, word by word after the interface."""
    flags, by, melds = set(arguments["flags"]), arguments["by"], arguments["melds"]
    riichi = flags & {"riichi", "double_riichi"}
    held = [arguments["concealed"], *(meld.tiles for meld in melds)]
    plain = {red: five for five, red in RED.items()}
    held_kinds = {plain.get(code, code) for codes in held for code in codes}
    return bool(
        ("ippatsu" in flags and (not riichi or "after_kong" in flags))
        or (riichi and any(meld.exposed for meld in melds))
        or ("after_kong" in flags and (by == "discard" or not any(meld.kind == "kong" for meld in melds)))
        or (
            "robbing_kong" in flags
            and (by == "self_draw" or plain.get(arguments["win"], arguments["win"]) in held_kinds)
        )
        or ("last_tile" in flags and flags & {"after_kong", "robbing_kong"})
        or ("first_turn" in flags and (by == "discard" or melds or len(flags) > 1))
        or (arguments["from_"] is not None and (by == "self_draw" or arguments["from_"] == arguments["seat"]))
    )


@st.composite
def wins(draw: st.DrawFn) -> dict[str, Any]:
    """Arguments of a complete number of tiles, with flags that may contradict one another."""
    rng = Random(draw(st.integers(0, 2**32)))  # far quicker than st.randoms
    return _tiles(rng, narrow=draw(st.booleans())) | {
        "by": draw(st.sampled_from(["discard", "self_draw"])),
        "seat": draw(st.none() | WIND),
        "round": draw(st.none() | WIND),
        "from_": draw(st.none() | WIND),
        "flags": tuple(draw(st.lists(st.sampled_from(FLAGS), max_size=3))),
        "honba": draw(st.integers(0, 1000)),
        "sticks": draw(st.integers(0, 1000)),
    }


@st.composite
def right_hands(draw: st.DrawFn) -> dict[str, Any]:
    """Arguments of a hand with nothing wrong with it; one in four did not go out."""
    arguments = draw(wins())
    if draw(st.integers(0, 3)) == 0:
        kept = {key: arguments[key] for key in ("concealed", "melds", "bonus", "seat", "round")}
        return kept | {
            "win": None,
            "by": None,
            "from_": None,
            "flags": (),
            "dora": (),
            "ura": (),
            "honba": 0,
            "sticks": 0,
        }
    if contradictory(arguments):
        arguments |= {"flags": (), "from_": None}
    return arguments


ODD = st.sampled_from([None, True, -1, 45, 34, 1.5, "", "E", "east", "1m", [], {}, (), (1,), [None], "riichi", 10**30])


@st.composite
def any_arguments(draw: st.DrawFn) -> dict[str, Any]:
    """Arguments of which some are of any kind."""
    arguments = draw(right_hands())
    for key in draw(st.lists(st.sampled_from(sorted(arguments)), max_size=3)):
        if isinstance(arguments[key], tuple) and draw(st.booleans()):
            arguments[key] += tuple(draw(st.lists(st.integers(-2, 46), max_size=4)))
        else:
            arguments[key] = draw(ODD)
    return arguments
