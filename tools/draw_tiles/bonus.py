"""The flowers and the seasons."""

from __future__ import annotations

import math

from tools.draw_tiles.parts import FACE, B, G, R, Y, disc, fill, line, number


def _petals(count: int, x: float, y: float, inner: float, outer: float, width: float, turn: float = -90) -> str:
    """Petals around a centre, as one shape."""
    out = ""
    for i in range(count):
        a = math.radians(turn + 360 * i / count)
        ux, uy, vx, vy = math.cos(a), math.sin(a), -math.sin(a), math.cos(a)

        def at(r: float, s: float, ux: float = ux, uy: float = uy, vx: float = vx, vy: float = vy) -> str:
            return f"{number(x + r * ux + s * vx)} {number(y + r * uy + s * vy)}"

        reach = inner + (outer - inner) * 0.62
        out += f"M{at(inner, 0)}Q{at(reach, width)} {at(outer, width * 0.35)}"
        out += f"Q{at(outer + 1, 0)} {at(outer, -width * 0.35)}Q{at(reach, -width)} {at(inner, 0)}Z"
    return out


def plum() -> str:
    """Five round petals on a branch."""
    branch = line("M10 74Q26 66 30 48M44 76Q36 66 30 58", "var(--t-ink)", 3)
    petals = "".join(
        disc(31 + 9.5 * math.cos(a), 42 + 9.5 * math.sin(a), 7.4, R)
        for a in (math.radians(-90 + 72 * i) for i in range(5))
    )
    stamens = "".join(
        disc(31 + 6.6 * math.cos(a), 42 + 6.6 * math.sin(a), 1.2, FACE)
        for a in (math.radians(-90 + 72 * i) for i in range(5))
    )
    bud = disc(47, 66, 4, R) + disc(14, 64, 3.4, R)
    return branch + bud + petals + disc(31, 42, 4.2, Y) + stamens


def orchid() -> str:
    """Long leaves and two light flowers."""
    leaves = line("M30 76Q26 50 8 36M30 76Q30 44 50 26M30 76Q40 56 54 52M30 76Q24 66 8 62", G, 3.2)
    flower = fill(_petals(5, 31, 37, 1.5, 11.5, 6.5), B) + disc(31, 37, 2.6, Y)
    small = fill(_petals(5, 41, 60, 1, 7.5, 4.4, -60), B) + disc(41, 60, 1.8, Y)
    return leaves + flower + small


def chrysanthemum() -> str:
    """Many narrow petals."""
    stem = line("M31 58Q31 68 28 77M30 70Q22 62 13 66M30 72Q40 62 49 68", G, 3)
    outer = fill(_petals(12, 31, 43, 3, 18, 4.6), Y)
    inner = fill(_petals(8, 31, 43, 1, 9, 3.2, -67), FACE)
    return stem + outer + inner + disc(31, 43, 3.4, R)


def bamboo_plant() -> str:
    """A stalk with leaves."""
    stalk = "".join(line(f"M{x} 77V62M{x} 58V43M{x} 39V25", G, w, cap="butt") for x, w in ((24, 5), (38, 4)))
    knots = line("M20.5 60H27.5M20.5 41H27.5M35 60H41M35 41H41", G, 2)
    leaves = [
        "M26 41Q34 28 52 28Q44 40 26 41Z",
        "M40 52Q48 42 56 46Q50 54 40 52Z",
        "M22 58Q14 46 5 48Q10 60 22 58Z",
        "M24 34Q22 27 12 27Q16 35 24 34Z",
    ]
    return stalk + knots + "".join(fill(leaf, G) for leaf in leaves)


def spring() -> str:
    """A sprout."""
    ground = line("M10 74Q30 68 50 74", "var(--t-ink)", 3)
    stem = line("M30 71Q31 56 30 42", G, 3.4)
    leaves = ["M30 58Q14 58 10 42Q28 42 30 58Z", "M31 52Q32 36 52 34Q50 52 31 52Z"]
    return (
        ground
        + stem
        + "".join(fill(leaf, G) for leaf in leaves)
        + fill(_petals(5, 30, 35, 1, 9.5, 6), R)
        + disc(30, 35, 2.6, Y)
    )


def summer() -> str:
    """The sun."""
    rays = ""
    for i in range(12):
        a = math.radians(30 * i)
        r = 22 if i % 2 == 0 else 20
        rays += f"M{number(30 + 15.5 * math.cos(a))} {number(51 + 15.5 * math.sin(a))}"
        rays += f"L{number(30 + r * math.cos(a))} {number(51 + r * math.sin(a))}"
    return line(rays, Y, 3.2) + disc(30, 51, 11.5, R) + disc(30, 51, 7.4, Y)


def autumn() -> str:
    """A maple leaf."""
    half = [
        (30, 26),
        (34.5, 36),
        (40, 32),
        (39.5, 41),
        (53, 37),
        (48.5, 46),
        (54, 52),
        (45, 55),
        (46, 62),
        (36, 59),
        (31.2, 64),
    ]
    other = [(60 - x, y) for x, y in reversed(half)]
    outline = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in (*half, *other)) + "Z"
    return fill(outline, Y) + line("M30 34V77M30 59L43 44M30 59L17 44", R, 2.6)


def winter() -> str:
    """A crystal of snow."""
    arms = ""
    for i in range(6):
        a = math.radians(60 * i - 90)

        def at(r: float, s: float, a: float = a) -> str:
            x, y = 30 + r * math.cos(a) - s * math.sin(a), 51 + r * math.sin(a) + s * math.cos(a)
            return f"{number(x)} {number(y)}"

        arms += f"M30 51L{at(22, 0)}M{at(19, 6.5)}L{at(13.5, 0)}L{at(19, -6.5)}"
    return line(arms, B, 3)


FLOWERS = (plum, orchid, chrysanthemum, bamboo_plant, spring, summer, autumn, winter)
