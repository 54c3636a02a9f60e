"""Everything that can be wrong with a hand before any rules are asked, found all at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tenbo import tiles
from tenbo.errors import Problem, nearest, printable, shown
from tenbo.meld import Meld
from tenbo.situation import BY, FLAGS, MOST_COUNTERS, MOST_FLAGS, WINDS


@dataclass(slots=True)
class Draft:
    """What is said to be a hand.

    Attributes:
        concealed: Codes of the concealed tiles, without the winning tile.
        melds: The sets on the table.
        bonus: Codes of the flowers and seasons.
        win: Code of the winning tile, or `None`.
        dora: Codes of the indicators.
        ura: Codes of the under-dora indicators.
        situation: The keys `by seat round from flags honba sticks` to any values.
        whole: Whether these are all the tiles; where some could not be read, nothing is said about missing ones.
        problems: What is already known to be wrong.
    """

    concealed: tuple[int, ...]
    melds: tuple[Meld, ...]
    bonus: tuple[int, ...]
    win: int | None
    dora: tuple[int, ...]
    ura: tuple[int, ...]
    situation: Mapping[str, object]
    whole: bool = True
    problems: list[Problem] = field(default_factory=list)


def find_problems(draft: Draft) -> list[Problem]:
    """Find everything that is wrong with a hand, apart from what depends on rules.

    Returns:
        The problems, those already known first; empty for a hand that can be scored.
    """
    known = _Known(draft)
    found = [*draft.problems, *known.problems]
    found += _copies(draft)
    if draft.whole:
        found += _tile_count(draft)
    if draft.win is not None:
        if known.by is None and "by" not in known.bad:
            message = (
                "'by' is missing: say 'discard' or 'self_draw', or write the hand without '+' if it did not go out"
            )
            found.append(Problem("missing_field", message, "by"))
        found += _contradictions(draft, known)
    elif draft.whole and draft.situation["by"] is not None:
        message = "the hand has no winning tile: mark it with '+', as in '+6p', or leave out 'by' if it did not go out"
        found.append(Problem("missing_field", message, "hand"))
    elif draft.whole:
        found += _loser(draft, known)
    return found


class _Known:
    """The values of a situation that are of the right form, and problems for those that are not."""

    def __init__(self, draft: Draft) -> None:
        self.problems: list[Problem] = []
        self.bad: set[str] = set()
        self._values = draft.situation
        self.by = self._word("by", BY)
        self.seat = self._word("seat", WINDS)
        self.round = self._word("round", WINDS)
        self.from_ = self._word("from", WINDS)
        self.flags = self._flags()
        self.honba = self._number("honba")
        self.sticks = self._number("sticks")

    def _refuse(self, key: str, message: str, at: str | None = None) -> None:
        self.bad.add(key)
        problem = Problem("bad_value", message, at or key)
        if problem not in self.problems:
            self.problems.append(problem)

    def _word(self, key: str, choices: tuple[str, ...]) -> str | None:
        value = self._values[key]
        if value is None or (isinstance(value, str) and value in choices):
            return value
        *most, last = map(repr, choices)
        message = f"'{key}' is {shown(value)}; it is {', '.join(most)} or {last}"
        if isinstance(value, str):
            if len(choices[0]) == 1:  # winds: "east", "e"
                guess = value[:1].upper() if value[:1].upper() in choices else None
            else:
                guess = nearest(value, choices)
            message += f"; did you mean '{guess}'?" if guess else ""
        self._refuse(key, message)
        return None

    def _flags(self) -> set[str]:
        value = self._values["flags"]
        if not isinstance(value, list | tuple | set | frozenset):
            self._refuse("flags", f"'flags' is {shown(value)}; it is a list such as ['riichi', 'ippatsu']")
            return set()
        if len(value) > MOST_FLAGS:
            self._refuse("flags", f"'flags' has {len(value)} entries; there are only {len(FLAGS)} flags")
            return set()
        good = set()
        for flag in value:
            if isinstance(flag, str) and flag in FLAGS:
                good.add(flag)
                continue
            guess = nearest(flag, FLAGS) if isinstance(flag, str) else None
            hint = f"did you mean '{guess}'?" if guess else f"the flags are {', '.join(FLAGS)}"
            at = printable(flag) if isinstance(flag, str) else ""
            self._refuse("flags", f"'flags' holds {shown(flag)}, which is no flag; {hint}", at or "flags")
        return good

    def _number(self, key: str) -> int:
        value = self._values[key]
        if type(value) is int and 0 <= value <= MOST_COUNTERS:
            return value
        self._refuse(key, f"'{key}' is {shown(value)}; it is a whole number from 0 to {MOST_COUNTERS}")
        return 0


def _copies(draft: Draft) -> Iterator[Problem]:
    """Too many copies of a tile."""
    places = [
        ("concealed", draft.concealed),
        *((meld.text, meld.tiles) for meld in draft.melds),
        ("flowers and seasons", draft.bonus),
        ("winning tile", () if draft.win is None else (draft.win,)),
        ("dora", draft.dora),
        ("ura", draft.ura),
    ]
    counts = [(place, Counter(map(tiles.kind, codes)), codes) for place, codes in places]
    for kind, number in sorted(sum((count for _, count, _ in counts), Counter[int]()).items()):
        most = 1 if tiles.is_bonus(kind) else 4
        if number <= most:
            continue
        text = tiles.TEXTS[kind]
        where = ", ".join(f"{place} {count[kind]}" for place, count, _ in counts if count[kind])
        red = any(tiles.is_red(code) and tiles.kind(code) == kind for _, _, codes in counts for code in codes)
        with_red = f" with '0{text[1]}'" if red else ""
        message = f"{number} copies of '{text}'{with_red} ({where}), but there {'is 1' if most == 1 else 'are only 4'}"
        yield Problem("too_many_copies", message, text)


def _tile_count(draft: Draft) -> Iterator[Problem]:
    """Too many or too few tiles or sets."""
    melds, number = len(draft.melds), len(draft.concealed)
    if melds > 4:
        yield Problem("wrong_tile_count", f"there are {melds} sets on the table; a hand has at most 4", "hand")
        return
    want = 13 - 3 * melds
    if number == want:
        return
    forgot_plus = draft.win is None and number == want + 1
    if forgot_plus and draft.situation["by"] is not None:
        return  # the missing winning tile is reported already
    beside = f" beside {melds} set{'s' if melds > 1 else ''} on the table" if melds else ""
    message = (
        f"{number} concealed tile{'' if number == 1 else 's'} without the winning tile{beside}; there must be {want}"
    )
    if forgot_plus:
        message += "; if the hand is complete, mark its winning tile with '+', as in '+6p'"
    elif draft.win is not None and number == want + 1:
        message += f"; write the winning tile once, as '+{tiles.TEXTS[draft.win]}', and not among the others as well"
    yield Problem("wrong_tile_count", message, "hand")


def _loser(draft: Draft, known: _Known) -> Iterator[Problem]:
    """What a hand that did not go out may not have."""
    values = {
        "from": known.from_,
        "flags": known.flags,
        "dora": draft.dora,
        "ura": draft.ura,
        "honba": known.honba,
        "sticks": known.sticks,
    }
    for key in [key for key, value in values.items() if value]:
        message = (
            f"a hand that did not go out takes no '{key}'; leave it out, or mark the winning tile with '+' and say 'by'"
        )
        yield Problem("bad_value", message, key)


def _contradictions(draft: Draft, known: _Known) -> Iterator[Problem]:
    """Flags, `from` and sets that cannot be true together."""
    flags, by = known.flags, known.by
    exposed = next((meld.text for meld in draft.melds if meld.exposed), None)
    riichi = [flag for flag in FLAGS[:2] if flag in flags]

    def wrong(flag: str, why: str) -> Problem:
        return Problem("contradictory_flags", f"'{flag}' {why}", flag)

    for flag in riichi:
        if exposed:
            yield wrong(flag, f"needs a concealed hand, but {exposed} is exposed; drop the flag or the set")
    if "ippatsu" in flags:
        if not riichi and "flags" not in known.bad:
            yield wrong("ippatsu", "needs 'riichi' or 'double_riichi' beside it; add one or drop it")
        if "after_kong" in flags:
            yield wrong("ippatsu", "cannot stand with 'after_kong', since the kong ends it; drop one of them")
    if "after_kong" in flags:
        if by == "discard":
            yield wrong("after_kong", "is a win on the replacement tile, which is drawn: 'by' is 'self_draw'")
        if draft.whole and not any(meld.kind == "kong" for meld in draft.melds):
            yield wrong("after_kong", "needs a kong on the table; write it, as in '(1111m)', or drop the flag")
    if "robbing_kong" in flags:
        if by == "self_draw":
            yield wrong("robbing_kong", "takes another's tile: 'by' is 'discard'")
        kind = tiles.kind(draft.win) if draft.win is not None else -1
        held = Counter(map(tiles.kind, draft.concealed + sum((meld.tiles for meld in draft.melds), ())))
        if held[kind]:
            text = tiles.TEXTS[kind]
            yield wrong("robbing_kong", f"takes the fourth '{text}' of another's kong, but the hand holds '{text}' too")
    for flag in ("after_kong", "robbing_kong"):
        if "last_tile" in flags and flag in flags:
            yield wrong("last_tile", f"cannot stand with '{flag}'; drop one of them")
    if "first_turn" in flags:
        if by == "discard":
            yield wrong("first_turn", "is a hand complete on the first draw: 'by' is 'self_draw'")
        if draft.melds:
            yield wrong("first_turn", f"comes before any set is on the table, but there is {draft.melds[0].text}")
        for flag in FLAGS:
            if flag in flags and flag != "first_turn":
                yield wrong("first_turn", f"stands alone, but '{flag}' is beside it; drop one of them")
    if known.from_ is not None:
        if by == "self_draw":
            yield wrong("from", "names a discarder, but the winning tile was drawn; leave it out, or 'by' is 'discard'")
        if known.from_ == known.seat:
            yield wrong("from", f"names the winner's own seat '{known.seat}'; it is the seat that discarded")
