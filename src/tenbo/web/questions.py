"""Questions to learn from: a random hand that scores, the same for the same seed."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, Final

from tenbo import tiles
from tenbo.errors import TenboError
from tenbo.explain import words
from tenbo.meld import Meld
from tenbo.ruleset import Ruleset
from tenbo.score import Score, score
from tenbo.situation import BY, WINDS

ASKS: Final = ("points", "doubles", "score")
MOST_SEEDS: Final = 1_000_000
_SUITED: Final = range(27)
_HONOURS: Final = range(27, 34)
_TRIES: Final = 2_000


@dataclass(frozen=True, slots=True)
class Question:
    """A question: a scored hand, and what is asked of it.

    Attributes:
        score: The hand with its score.
        ask: "points", "doubles" or "score".
        seed: What it was made from.
        text: The question in words.
        answer: The number that answers it.
    """

    score: Score
    ask: str
    seed: int
    text: str
    answer: int


def question(rules: Ruleset, seed: int, ask: str) -> Question:
    """Makes a question.

    Args:
        rules: The ruleset.
        seed: Any whole number; the same one makes the same hand.
        ask: What is asked: "points", "doubles" or "score"; of a limit hand always the score.
    """
    rng = random.Random(f"{rules.name} {seed}")
    for _ in range(_TRIES):
        found = _hand(rules, rng)
        if found is not None:
            break
    else:  # pragma: no cover
        raise RuntimeError("no hand was found")
    if found.points is None or found.doubles is None:
        ask = "score"
    said = words(rules)
    if ask == "points":
        return Question(found, ask, seed, f"How many {said.points} has this hand?", found.points or 0)
    if ask == "doubles":
        return Question(found, ask, seed, f"How many {said.doubles} has this hand?", (found.doubles or 0) - said.less)
    return Question(found, ask, seed, _asked_score(found), found.score)


def _asked_score(found: Score) -> str:
    if found.ruleset.payment.collected:
        return "What does the winner collect in all?"
    return "What is this hand's score?"


def _hand(rules: Ruleset, rng: random.Random) -> Score | None:
    """A random complete hand in a random situation; None where it does not score."""
    suits = rng.choices((1, 2, 3), (2, 3, 5))[0]
    kinds = [k for k in _SUITED if k // 9 in rng.sample(range(3), suits)]
    if rng.random() < 0.3:
        kinds = [k for k in _SUITED if k // 9 < suits]
    honours = list(_HONOURS) * (1 if rng.random() < 0.8 else 0)
    held = [0] * 34
    groups: list[list[int]] = []
    runs = rng.choice((0.2, 0.5, 0.8))
    while len(groups) < 4:
        group = _group(rng, kinds, honours, runs)
        if all(held[kind] + group.count(kind) <= 4 for kind in set(group)):
            groups.append(group)
            for kind in group:
                held[kind] += 1
    pairs = [kind for kind in (*kinds, *honours) if held[kind] <= 2]
    if not pairs:
        return None
    pair = rng.choice(pairs)
    exposure = rng.choice((0.0, 0.0, 0.3, 0.7))
    melds, concealed = [], [pair, pair]
    for group in groups:
        if len(group) == 4:
            melds.append(Meld(tuple(group), rng.random() < 0.6))
        elif rng.random() < exposure:
            melds.append(Meld(tuple(group)))
        else:
            concealed += group
    win = rng.choice(concealed)
    concealed.remove(win)
    return _scored(rules, rng, concealed, melds, win)


def _group(rng: random.Random, kinds: list[int], honours: list[int], runs: float) -> list[int]:
    if rng.random() < runs:
        first = rng.choice([kind for kind in kinds if kind % 9 < 7])
        return [first, first + 1, first + 2]
    kind = rng.choice([*kinds, *honours, *honours])
    return [kind] * (4 if rng.random() < 0.12 else 3)


def _scored(rules: Ruleset, rng: random.Random, concealed: list[int], melds: list[Meld], win: int) -> Score | None:
    by = rng.choice(BY)
    seat = rng.choice(WINDS)
    closed = not any(meld.exposed for meld in melds)
    situation: dict[str, Any] = {"by": by, "seat": seat, "round": rng.choice(WINDS[:2])}
    if by == BY[0]:
        situation["from_"] = rng.choice([wind for wind in WINDS if wind != seat])
    if rules.dora:
        situation["flags"] = ["riichi"] if closed and rng.random() < 0.5 else []
        situation["dora"] = tiles.TEXTS[rng.choice((*_SUITED, *_HONOURS))]
    parts = [tiles.write(tiles.in_order(concealed)), *(meld.text for meld in melds)]
    if rules.bonus_tiles:
        parts.append(tiles.write(sorted(rng.sample(range(34, 42), rng.choice((0, 1, 2))))))
    try:
        return score(f"{' '.join(parts)} +{tiles.TEXTS[win]}", rules=rules, **situation)
    except TenboError:
        return None
