"""Random hand records that legal tables could see, of every kind that rules ask about, and some that are faulty."""

from __future__ import annotations

import random
from typing import Any

from tenbo import tiles as t
from tenbo.ruleset import Ruleset

Record = dict[str, Any]

WINDS = "ESWN"
_ORPHANS = (0, 8, 9, 17, 18, 26, *range(27, 34))


class Hands:
    """An endless source of records.

    Args:
        rules: Only what these rules know is said, but for faulty records.
        seed: The same seed gives the same records.
        faulty: The share of records that are spoilt.
    """

    def __init__(self, rules: Ruleset, seed: int, faulty: float = 0.02) -> None:
        self.rules, self.rng, self.faulty = rules, random.Random(seed), faulty

    def record(self) -> Record:
        """The next record."""
        while True:
            made = self._made()
            if made is not None:
                if self.rng.random() < self.faulty:
                    self._spoil(made)
                return made

    # ---------------------------------------------------------------------------------------------------- tiles

    def _made(self) -> Record | None:
        rng = self.rng
        self.left = [4] * 34 + [1] * 8
        self.reds = {4: rng.choice((0, 1, 1, 2, 4)), 13: rng.choice((0, 1, 1, 4)), 22: rng.choice((0, 1, 1, 3))}
        if self.rules.losers and rng.random() < 0.3:
            return self._loser()
        if rng.random() < 0.02:
            sets = [[kind] for kind in _ORPHANS]
            sets[rng.randrange(13)] *= 2
            for group in sets:
                for kind in group:
                    self.left[kind] -= 1
            return self._won(sets, 0)
        if rng.random() < 0.04:
            sets = [[kind] * 2 for kind in self._kinds(7)]
            for group in sets:
                self.left[group[0]] -= 2
            return self._won(sets, 0)
        found = self._sets(4)
        pair = self._same(2)
        if found is None or pair is None:
            return None
        return self._won([*found, pair], rng.choice((0, 0, 0, 1, 1, 2, 3, 4)))

    def _kinds(self, count: int) -> list[int]:
        """Different kinds of tiles: of all, of one suit and honours, of honours and ends, or near one another."""
        rng = self.rng
        suit = rng.randrange(3)
        near = [9 * suit + i for i in range(9)]
        pools = (range(34), range(34), [*near, *range(27, 34)], near, _ORPHANS, [1, 2, 3, *range(18, 26), 32])
        pool = list(rng.choice(pools))
        return rng.sample(pool, count) if len(pool) >= count else rng.sample(range(34), count)

    def _sets(self, count: int) -> list[list[int]] | None:
        rng = self.rng
        style = rng.random()
        suits = [rng.randrange(3)] if style < 0.25 else [rng.randrange(3), 3] if style < 0.4 else [0, 1, 2, 0, 1, 2, 3]
        low, high = rng.choice(((0, 8), (0, 8), (0, 8), (1, 7), (0, 4)))
        chows = rng.choice((0.05, 0.5, 0.7, 0.95))
        same_rank = rng.random() < 0.15
        start = rng.randrange(7)
        out: list[list[int]] = []
        for _ in range(60):
            suit = rng.choice(suits)
            if suit < 3 and rng.random() < chows:
                first = start if same_rank else rng.randrange(low, max(high - 1, low + 1))
                group = [9 * suit + min(first, 6) + i for i in range(3)]
            else:
                rank = rng.randrange(7) if suit == 3 else start if same_rank else rng.randrange(low, high + 1)
                group = [9 * suit + rank] * (4 if rng.random() < 0.15 else 3)
            if all(self.left[kind] >= group.count(kind) for kind in group):
                for kind in group:
                    self.left[kind] -= 1
                out.append(group)
                if len(out) == count:
                    return out
        return None

    def _same(self, count: int) -> list[int] | None:
        kinds = [kind for kind in range(34) if self.left[kind] >= count]
        if not kinds:
            return None
        kind = self.rng.choice(kinds)
        self.left[kind] -= count
        return [kind] * count

    def _code(self, kind: int) -> int:
        """A kind's tile: a red five while there are some, and now and then."""
        if self.reds.get(kind, 0) and self.rng.random() < 0.5:
            self.reds[kind] -= 1
            return t.FIRST_RED + kind // 9
        return kind

    # ---------------------------------------------------------------------------------------------------- situation

    def _won(self, sets: list[list[int]], table: int) -> Record:
        rng = self.rng
        melds: list[str] = []
        concealed: list[int] = []
        exposed = kongs = 0
        rng.shuffle(sets)
        for group in sets:
            codes = t.in_order(self._code(kind) for kind in group)
            if len(group) == 4 or (len(group) == 3 and len(melds) < table):
                form = rng.choice(("[]", "[+]", "()", "()")) if len(group) == 4 else "[]"
                text = t.write(codes)
                if form == "[+]":
                    text = f"{text[:-2]}+{text[-2:]}"
                melds.append(f"{form[0]}{text}{form[-1]}")
                exposed += form != "()"
                kongs += len(group) == 4
            else:
                concealed += codes
        win = concealed.pop(rng.randrange(len(concealed)))
        by = rng.choice(("discard", "self_draw"))
        seat = rng.choice(WINDS)
        record: Record = {"by": by, "seat": seat, "round": rng.choice(WINDS)}
        if by == "discard" and rng.random() < 0.8:
            record["from"] = rng.choice([wind for wind in WINDS if wind != seat])
        flags = self._flags(by, exposed, kongs, bool(melds), concealed, melds, win)
        if flags:
            record["flags"] = flags
        if self.rules.dora:
            for name, share in (("dora", 0.9), ("ura", 0.5)):
                if rng.random() < share:
                    count = rng.choices((1, 2, 3, 5, 8, 9), (60, 20, 8, 8, 2, 2))[0]
                    record[name] = t.write(code for _ in range(count) if (code := self._indicator()) is not None)
        if self.rules.counters and rng.random() < 0.3:
            record["honba"], record["sticks"] = rng.choice((0, 1, 7, 1000)), rng.choice((0, 1, 4, 1000))
        record["hand"] = self._text(concealed, melds, win)
        return record

    def _indicator(self) -> int | None:
        kinds = [kind for kind in range(34) if self.left[kind]]
        if not kinds:
            return None
        kind = self.rng.choice(kinds)
        self.left[kind] -= 1
        return kind

    def _flags(
        self, by: str, exposed: int, kongs: int, table: bool, concealed: list[int], melds: list[str], win: int
    ) -> list[str]:
        rng, known = self.rng, self.rules.flags
        flags = []
        if by == "self_draw" and not table and rng.random() < 0.05:
            flags = ["first_turn"]
        else:
            if not exposed and rng.random() < 0.5:
                flags = rng.choice((["riichi"], ["riichi"], ["double_riichi"], ["riichi", "double_riichi"]))
                flags = flags + (["ippatsu"] if rng.random() < 0.3 else [])
            kind = t.kind(win)
            if by == "self_draw" and kongs and "ippatsu" not in flags and rng.random() < 0.4:
                flags = [*flags, "after_kong"]
            elif by == "discard" and rng.random() < 0.1 and self._alone(kind, concealed, melds):
                flags = [*flags, "robbing_kong"]
            elif rng.random() < 0.1:
                flags = [*flags, "last_tile"]
        return [flag for flag in flags if flag in known and (flag != "ippatsu" or "riichi" in known)]

    @staticmethod
    def _alone(kind: int, concealed: list[int], melds: list[str]) -> bool:
        """Whether a tile of the kind is nowhere else in the hand (in a set of its suit it might be)."""
        letter = t.SUITS[kind // 9]
        return all(t.kind(code) != kind for code in concealed) and all(letter not in meld for meld in melds)

    def _text(self, concealed: list[int], melds: list[str], win: int | None) -> str:
        rng = self.rng
        parts = [t.write(t.in_order(concealed)), *melds]
        if self.rules.bonus_tiles and rng.random() < 0.5:
            parts.append(t.write(sorted(rng.sample(range(34, 42), rng.randrange(1, 9)))))
        if win is not None:
            parts.append(f"+{t.TEXTS[win]}")
        return " ".join(filter(None, parts))

    def _loser(self) -> Record | None:
        rng = self.rng
        melds = []
        for _ in range(rng.choice((0, 0, 1, 2, 3, 4))):
            found = self._sets(1)
            if found is None:
                return None
            text = t.write(t.in_order(self._code(kind) for kind in found[0]))
            melds.append(f"({text})" if len(found[0]) == 4 and rng.random() < 0.5 else f"[{text}]")
        concealed = []
        pool = [kind for kind in range(34) if self.left[kind]]
        pool = rng.sample(pool, rng.choice((6, 13, len(pool))))
        for _ in range(13 - 3 * len(melds)):
            kinds = [kind for kind in pool if self.left[kind]] or [kind for kind in range(34) if self.left[kind]]
            kind = rng.choice(kinds)
            self.left[kind] -= 1
            concealed.append(self._code(kind))
        return {"hand": self._text(concealed, melds, None), "seat": rng.choice(WINDS), "round": rng.choice(WINDS)}

    # ---------------------------------------------------------------------------------------------------- faults

    def _spoil(self, record: Record) -> None:
        """Makes a record faulty, or at least unusual, in one of many ways."""
        rng = self.rng
        text = record["hand"]
        match rng.randrange(12):
            case 0:
                record.pop("seat", None)
            case 1:
                record.pop("round", None)
            case 2:
                record.pop("by", None)
            case 3:
                record["flags"] = rng.sample(
                    ("riichi", "double_riichi", "ippatsu", "last_tile", "after_kong", "robbing_kong", "first_turn"), 2
                )
            case 4:
                record["from"] = record["seat"]
            case 5:
                at = rng.randrange(len(text))
                record["hand"] = text[:at] + text[at + 1 :]
            case 6:
                at = rng.randrange(len(text))
                record["hand"] = text[:at] + rng.choice("0123456789mpszf[]()+ x") + text[at:]
            case 7:
                at = rng.randrange(len(text))
                record["hand"] = text[:at] + rng.choice("0123456789mpszf[]()+ x") + text[at + 1 :]
            case 8:
                record["dora"] = rng.choice(("", "1m", "5m5m5m5m", "11112222z", "1f", "1x", "123456789m123p"))
            case 9:
                record["honba"] = rng.choice((0, 1, 1001, -1, "1", 2.0, True))
            case 10:
                record["hand"] = text.replace("+", "+ ").replace("m", "m  ", 1)
            case 11:
                record["hand"] = text.translate(str.maketrans("123456789", rng.choice(("223456789", "123356789"))))
