"""What a reading is worth: points summed and rounded, doubled, limited and shared out."""

from __future__ import annotations

from typing import Final, NamedTuple

from tenbo.program import (
    BONUS_KEY,
    DOUBLES_SHIFT,
    DYNAMIC_BITS,
    FLOOR_BIT,
    FORM_MASK,
    OPEN_BIT,
    POINTS_SHIFT,
    Line,
    Program,
    Row,
    bonus_worth,
    line_of,
)
from tenbo.ruleset import LIMIT_UNIT, Entry

_MOST_WORTHS: Final = 4_000
_ABOVE_ALL: Final = 1 << 30
_DYNAMIC_MASK: Final = (1 << DYNAMIC_BITS) - 1


class Tally(NamedTuple):
    """The worth of a reading, apart from which sets earned it.

    Attributes:
        score: What the winner collects (points), or the base of which payments are multiples.
        points: After rounding; None where the shape has none.
        points_raw: Before rounding.
        doubles: How often the base is doubled; None for a limit hand.
        base: Points doubled and limited.
        limit: The name of the limit that applied.
        fixed: The sets' points do not count.
        point_lines, double_lines, limit_lines: The lines of the whole hand.
        toward_minimum: Doubles that count for the minimum.
        allowed: Whether the hand may go out.
        limit_hands: How many limit hands the hand has, those that do not add up included.
        order: Sorts readings: those that may go out first, then by score, doubles (a limit hand above all) and points
            before rounding.
    """

    score: int
    points: int | None
    points_raw: int | None
    doubles: int | None
    base: int
    limit: str | None
    fixed: bool
    point_lines: tuple[Line, ...]
    double_lines: tuple[Line, ...]
    limit_lines: tuple[Line, ...]
    toward_minimum: int
    allowed: bool
    order: tuple[int, int, int]
    limit_hands: int = 0


def limited(program: Program, points: int, doubles: int) -> tuple[int, str | None]:
    """The base of points and doubles after limits, and the limit's name."""
    base = points << doubles
    for name, when, value in program.limits:
        if when(points, doubles, base):
            return value(points, doubles, base), name
    return base, None


def pays(program: Program, by: str | None, seat: int, base: int, points: int, doubles: int) -> tuple[int, int, int]:
    """What the discarder, East as a bystander, and each other player pay for a hand.

    Args:
        program: The compiled ruleset.
        by: How the hand went out.
        seat: The winner's seat, East 0.
        base: The hand's base, after limits.
        points: Its points after rounding; 0 for a limit hand.
        doubles: Its doubles; 0 for a limit hand.

    Returns:
        Points paid by the discarder (who is not East), by East, by another; 0 where there is no such payer.
    """
    self_draw, discard, dealer = by == "self_draw", by == "discard", seat == 0
    step = program.rules.payment.round_up

    def one(payer_dealer: bool, payer_discards: bool) -> int:
        paid = program.pay(base, points, doubles, self_draw, discard, dealer, payer_dealer, payer_discards)
        return -(-paid // step) * step

    return (
        one(False, True) if discard else 0,
        0 if dealer else one(True, False),
        one(False, False),
    )


def collected(program: Program, by: str | None, seat: int, base: int, points: int, doubles: int) -> int:
    """What the ruleset calls the hand's score: the base, or what the winner collects."""
    if not program.rules.payment.collected:
        return base
    discarder, dealer, other = pays(program, by, seat, base, points, doubles)
    if by == "discard":
        others = 2 * other if seat == 0 else other + dealer
        return discarder + others
    return 3 * other if seat == 0 else dealer + 2 * other


def limit_text(name: str, share: int) -> str:
    """A limit's name with its share where it is not one."""
    if share == LIMIT_UNIT:
        return name
    whole, part = divmod(share, LIMIT_UNIT)
    return f"{whole} x {name}" if not part else f"{share / LIMIT_UNIT:g} x {name}"


def tally(program: Program, by: str | None, seat: int, key: int) -> Tally:
    """Works out what the ruleset's answer for a reading is worth.

    Args:
        program: The compiled ruleset.
        by: How the hand went out.
        seat: The player's seat, East 0.
        key: The evaluator's answer.
    """
    rules = program.rules
    exposed = key & OPEN_BIT
    shape = program.forms[key & FORM_MASK]
    raw = key >> POINTS_SHIFT & 0xFFFF
    doubles = key >> DOUBLES_SHIFT & 0xFF
    toward = doubles
    points: list[Line] = []
    doubled: list[Line] = []
    limits: list[tuple[Entry, int]] = []
    last: list[tuple[Row, int]] = []
    rows = program.rows
    bits = key & program.entry_mask
    while bits:
        bit = bits & -bits
        bits ^= bit
        row = rows[bit]
        value = row.exposed if exposed else row.closed
        if row.shift:
            value *= key >> row.shift & _DYNAMIC_MASK
        if not value:
            continue
        entry = row.entry
        if entry.unit == "limit":
            limits.append((entry, value))
        elif entry.scope == "last":
            last.append((row, value))
        elif entry.unit == "points":
            raw += value
            points.append(row.line(value))
        else:
            doubles += value
            toward += 0 if entry.bonus else value
            doubled.append(row.line(value))
    tiles = key >> BONUS_KEY & 255
    if tiles:
        for tile in range(8):
            if tiles >> tile & 1:
                for entry, value in bonus_worth(program, tile, seat, by is not None):
                    line = line_of(entry, value, f"{tile + 1}f")
                    if line.points is not None:
                        raw += value
                        points.append(line)
                    else:
                        doubles += value
                        toward += 0 if entry.bonus else value
                        doubled.append(line)
    if last and not raw and not doubles and not limits:
        for row, value in last:
            if row.entry.unit == "points":
                raw += value
                points.append(row.line(value))
            else:
                doubles += value
                toward += 0 if row.entry.bonus else value
                doubled.append(row.line(value))
    fixed = silent = False
    if shape is not None and (shape.points is not None or shape.silent):
        fixed, silent, raw = True, shape.silent, shape.points or 0
        points = [] if silent else [Line(shape.name, None, raw, None, None, shape.key)]
    rounded = raw if fixed else -(-raw // rules.round_up) * rules.round_up
    if key & FLOOR_BIT and not fixed:
        rounded = max(rounded, program.floor)
    if limits:
        hands = max(len(limits), sum(value for _, value in limits) // LIMIT_UNIT)
        share = sum(value for _, value in limits) if rules.limits_add else max(value for _, value in limits)
        if not rules.limits_add:
            limits = [next(item for item in limits if item[1] == share)]
        base, name = program.limit_base * share // LIMIT_UNIT, rules.limit_name
        score = collected(program, by, seat, base, 0, 0)
        return Tally(
            score,
            None if silent else rounded,
            None if silent else raw,
            None,
            base,
            name,
            fixed,
            tuple(points),
            (),
            tuple(Line(e.name, None, None, None, limit_text(name, v), e.key) for e, v in limits),
            rules.minimum,
            True,
            (score, _ABOVE_ALL, raw),
            hands,
        )
    allowed = toward >= rules.minimum or by is None
    place = (by, seat == 0, rounded, doubles)
    found = program.worths.get(place)
    if found is None:
        base, limit = limited(program, rounded, doubles)
        found = base, limit, collected(program, by, seat, base, rounded, doubles)
        if len(program.worths) >= _MOST_WORTHS:
            program.worths.clear()
        program.worths[place] = found
    base, limit, score = found
    return Tally(
        score,
        None if silent else rounded,
        None if silent else raw,
        doubles,
        base,
        limit,
        fixed,
        tuple(points),
        tuple(doubled),
        (),
        toward,
        allowed,
        (score if allowed else -1, doubles, raw),
    )
