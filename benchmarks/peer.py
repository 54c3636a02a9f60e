"""What the programs that are compared share: reading the hands, and taking turns.

A program is started with the file of hands, prepares them, and then times one of its ways over all hands whenever it is
told to. It imports nothing but the standard library and what it measures: each runs in an environment of its own.
"""

from __future__ import annotations

import gc
import json
import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

RED = {16, 52, 88}
SUITS = "mpsz"


@dataclass
class Set:
    """A set on the table: `chow`, `pung`, `kong` or `added`."""

    form: str
    exposed: bool
    text: str
    ids: list[int]


@dataclass
class Deal:
    """A winning hand in the forms that other packages take: ids 0 to 135, red fives 16, 52 and 88."""

    record: dict[str, Any]
    concealed: list[int] = field(default_factory=list)
    sets: list[Set] = field(default_factory=list)
    win: int = -1
    dora: list[int] = field(default_factory=list)
    ura: list[int] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)

    @property
    def flags(self) -> list[str]:
        """How the hand was won."""
        flags: list[str] = self.record.get("flags") or []
        return flags

    @property
    def drawn(self) -> bool:
        """Whether the winning tile was drawn by the winner."""
        return bool(self.record["by"] == "self_draw")

    def wind(self, key: str) -> int:
        """The seat's or the round's wind, 0 for East to 3 for North."""
        return "ESWN".index(self.record[key])


def read(path: str) -> list[Deal]:
    """The hands of a file, one record a line."""
    return [read_hand(json.loads(line)) for line in Path(path).read_text(encoding="utf-8").splitlines()]


def read_hand(record: dict[str, Any]) -> Deal:
    """One hand; raises ValueError where it cannot be dealt from tiles with one red five in each suit."""
    deal = Deal(record)
    used: set[int] = set()
    for part in re.findall(r"\[[^]]*\]|\([^)]*\)|\+\w+|\w+", record["hand"]):
        if part[0] in "[(":
            words = part[1:-1].replace("+", "")
            ids = _ids(words, used)
            chow = len({tile // 4 for tile in ids}) == 3
            form = "chow" if chow else "pung" if len(ids) == 3 else "added" if "+" in part else "kong"
            deal.sets.append(Set(form, part[0] == "[", words, ids))
        elif part[0] == "+":
            deal.texts["win"] = part[1:]
            deal.win = _ids(part[1:], used)[0]
        else:
            deal.texts["concealed"] = deal.texts.get("concealed", "") + part
            deal.concealed += _ids(part, used)
    for key, into in (("dora", deal.dora), ("ura", deal.ura)):
        deal.texts[key] = record.get(key) or ""
        into += _ids(deal.texts[key], used)
    return deal


def _ids(text: str, used: set[int]) -> list[int]:
    ids = []
    for digits, suit in re.findall(r"(\d+)([mpsz])", text):
        for digit in digits:
            base = 36 * SUITS.index(suit) + 4 * (int(digit or 5) - 1 if digit != "0" else 4)
            free = [base] if digit == "0" else [one for one in range(base, base + 4) if one not in RED]
            ids.append(next((one for one in free if one not in used), -1))
            if ids[-1] < 0:
                raise ValueError(f"no more {digit}{suit} for {text}")
            used.add(ids[-1])
    return ids


def by_suit(text: str) -> dict[str, str]:
    """The digits of a text by suit letter."""
    found: dict[str, str] = {}
    for digits, suit in re.findall(r"(\d+)([mpsz])", text):
        found[suit] = found.get(suit, "") + digits
    return found


Result = dict[str, Any]
Ways = dict[str, tuple[Callable[[Any], object], list[Any]]]


def take_turns(ways: Ways, outcomes: Callable[[], list[Result]]) -> None:
    """Does what each line of standard input says.

    `outcomes` asks how each hand is scored; the name of a way has it timed over all hands, or over a part of them
    (`from text:2000:4000`).

    Args:
        ways: by name, a function and what it is called with, hand by hand.
        outcomes: gives for each hand `limit` (whether it is a limit hand), `han`, `fu` and `score`, or `error`.
    """
    print(json.dumps(list(ways)), flush=True)
    gc.collect()
    gc.freeze()  # what was prepared is nobody's garbage
    for line in sys.stdin:
        word = line.strip()
        if word == "outcomes":
            print(json.dumps(outcomes()), flush=True)
            continue
        way, *part = word.split(":")
        function, items = ways[way]
        items = items[slice(*map(int, part))] if part else items
        start = time.process_time()
        for item in items:
            function(item)
        print(json.dumps(time.process_time() - start), flush=True)
        gc.collect()
