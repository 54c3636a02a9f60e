"""What is drawn on a tile, in a box of 60 by 80; a tile's index stands in its upper left corner."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from tools.draw_tiles.glyphs import GREEN, INDEX, NUMERALS, RED, TEN_THOUSAND, WINDS

INK, R, G, B, Y, FACE = (f"var(--t-{name})" for name in ("ink", "red", "green", "blue", "gold", "face"))


def number(value: float) -> str:
    """A number as short as can be."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def placed(path: str, x: float, y: float, sx: float, sy: float) -> str:
    """Path data moved and scaled; knows absolute M L H V Q."""
    out = []
    for command, numbers in re.findall(r"([MLHVQ])([^MLHVQ]*)", path):
        values = [float(n) for n in numbers.split()]
        for i in range(len(values)):
            vertical = command == "V" or (command != "H" and i % 2)
            values[i] = y + values[i] * sy if vertical else x + values[i] * sx
        out.append(command + " ".join(map(number, values)))
    return "".join(out).replace(" -", "-")


def line(path: str, colour: str, width: float, *, cap: str = "round") -> str:
    """A stroke of one width."""
    caps = f' stroke-linecap="{cap}" stroke-linejoin="round"' if cap else ""
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{number(width)}"{caps}/>'


def fill(path: str, colour: str) -> str:
    """A filled shape."""
    return f'<path d="{path}" fill="{colour}"/>'


def disc(x: float, y: float, radius: float, colour: str) -> str:
    """A filled circle."""
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{colour}"/>'


def ring(x: float, y: float, radius: float, width: float, colour: str) -> str:
    """A circle's line."""
    place = f'cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"'
    return f'<circle {place} fill="none" stroke="{colour}" stroke-width="{number(width)}"/>'


def glyph(
    strokes: Iterable[str], x: float, y: float, size: float, colour: str, *, height: float = 0, bold: float = 1
) -> str:
    """A character: thin strokes, then thick ones."""
    sy = (height or size) / 100
    out = ""
    for thick in (False, True):
        paths = [placed(s.lstrip("!"), x, y, size / 100, sy) for s in strokes if s.startswith("!") == thick]
        if paths:
            out += line("".join(paths), colour, (3.9 if thick else 3.1) * bold)
    return out


def index(text: str, colour: str) -> str:
    """The corner index."""
    out, x = "", 4.5
    for letter in text:
        out += placed(INDEX[letter], x, 4.5, 0.135, 0.165)
        x += 16 if letter == "W" else 13
    return line(out, colour, 3.1)


def character(rank: int, colour: str = INK, width: float = 33) -> str:
    """A numeral over the mark of ten thousand."""
    return glyph(NUMERALS[rank - 1], 20, 8, width, colour, height=27) + '<use href="#wan"/>'


def wan() -> str:
    """The mark below the numerals."""
    return glyph(TEN_THOUSAND, 11, 40, 38, R, height=35, bold=0.78)


def coin(x: float, y: float, radius: float, colour: str) -> str:
    """A dot: a ring around a centre."""
    return ring(x, y, radius - 1.5, 3, colour) + disc(x, y, radius * 0.36, colour)


def great_coin() -> str:
    """The one of dots."""
    x, y = 30, 48
    petals = "".join(
        disc(x + 12.6 * math.cos(a), y + 12.6 * math.sin(a), 2.1, G) for a in (math.tau * i / 12 for i in range(12))
    )
    return ring(x, y, 20.2, 3.6, G) + petals + ring(x, y, 7.6, 2.6, R) + disc(x, y, 3.4, R)


def dots(rank: int, red: bool = False) -> str:
    """Dots in their traditional order and colours."""
    places: dict[int, list[tuple[float, float, float, str]]] = {
        2: [(31, 31, 12, G), (31, 61, 12, B)],
        3: [(17, 34, 9.4, B), (31, 49.5, 9.4, R), (45, 65, 9.4, G)],
        4: [(17, 36, 10.4, B), (43, 36, 10.4, G), (17, 63, 10.4, G), (43, 63, 10.4, B)],
        5: [(15, 33.5, 9, B), (45, 33.5, 9, G), (30, 49.5, 9, R), (15, 65.5, 9, G), (45, 65.5, 9, B)],
        6: [(x, y, 8.4, G if y < 40 else R) for y in (31.5, 49.5, 67.5) for x in (19, 41)],
        7: [(13.5, 30, 7, G), (30, 35, 7, G), (46.5, 40, 7, G)] + [(x, y, 7.6, R) for y in (55, 71) for x in (21, 39)],
        8: [(x, y, 7, B) for y in (27.6, 42.2, 56.8, 71.4) for x in (21, 41)],
        9: [(x, y, 7.6, c) for y, c in ((31, G), (49.5, R), (68, B)) for x in (12.5, 30, 47.5)],
    }
    if rank == 1:
        return great_coin()
    return "".join(coin(x, y, radius, R if red else colour) for x, y, radius, colour in places[rank])


def stick(x: float, y: float, height: float, colour: str, turn: float = 0, width: float = 8) -> str:
    """A stick of bamboo: two joints with a light line along them."""
    half, w, waist = height / 2, width / 2, width * 0.27
    n = number
    shape = (
        f"M{n(-w)} {n(-half + 1.6)}Q{n(-w)} {n(-half)} 0 {n(-half)}Q{n(w)} {n(-half)} {n(w)} {n(-half + 1.6)}"
        f"L{n(w - 0.4)} -1.6L{n(waist + 0.4)} 0L{n(w - 0.4)} 1.6L{n(w)} {n(half - 1.6)}"
        f"Q{n(w)} {n(half)} 0 {n(half)}Q{n(-w)} {n(half)} {n(-w)} {n(half - 1.6)}"
        f"L{n(-w + 0.4)} 1.6L{n(-waist - 0.4)} 0L{n(-w + 0.4)} -1.6Z"
    )
    shine = line(f"M0 {n(-half + 2.6)}V-2.6M0 2.6V{n(half - 2.6)}", FACE, 1.2, cap="")
    turned = f" rotate({n(turn)})" if turn else ""
    return f'<g transform="translate({n(x)} {n(y)}){turned}">{fill(shape, colour)}{shine}</g>'


def bamboo(rank: int, red: bool = False) -> str:
    """Sticks in their traditional order and colours; the one is a bird."""
    if rank == 1:
        return bird()
    if rank == 8:
        out = []
        for y, sign in ((36.5, 1), (64.5, -1)):
            out += [stick(10, y, 24, G, 0, 7.2), stick(50, y, 24, G, 0, 7.2)]
            out += [stick(23.4, y, 23, B, 28 * sign, 7.2), stick(36.6, y, 23, B, -28 * sign, 7.2)]
        return "".join(out)
    places: dict[int, list[tuple[float, float, float, str]]] = {
        2: [(30, 33, 26, G), (30, 63, 26, B)],
        3: [(30, 33, 26, B), (17, 63, 26, G), (43, 63, 26, G)],
        4: [(17, 36.5, 24, G), (43, 36.5, 24, B), (17, 64.5, 24, B), (43, 64.5, 24, G)],
        5: [(14, 36.5, 24, G), (46, 36.5, 24, B), (30, 50, 27, R), (14, 64.5, 24, B), (46, 64.5, 24, G)],
        6: [(x, y, 24, G if y < 40 else B) for y in (36.5, 64.5) for x in (13, 30, 47)],
        7: [(30, 23, 17, R)] + [(x, y, 19.5, c) for y in (44, 66.5) for x, c in ((13, G), (30, B), (47, G))],
        9: [(x, y, 16.5, c) for y in (31.5, 50, 68.5) for x, c in ((13, G), (30, R), (47, B))],
    }
    return "".join(stick(x, y, h, R if red else colour) for x, y, h, colour in places[rank])


def bird() -> str:
    """A small bird on a branch."""
    tail = "".join(
        line(f"M34 54Q{a} {b} {c} {d}", G, 3) + disc(c, d, 3.4, R if i % 2 else B)
        for i, (a, b, c, d) in enumerate(((44, 46, 52, 30), (48, 54, 54, 44), (46, 62, 50, 58)))
    )
    body = "M16 37Q14 60 30 65Q42 66 42 55Q40 46 31 42Q29 32 22 31Q17 31 16 37Z"
    wing = "M22 47Q24 60 36 59Q36 50 22 47Z"
    crest = line("M22 30Q22 26 25 24M25 31Q27 28 30 27", R, 2.4)
    beak = "M16.5 35L8 38.5L16.5 40.5Z"
    legs = line("M26 65V71M33 65V71", R, 2.6) + line("M14 73Q30 69 48 74", G, 3.4)
    return tail + fill(body, G) + fill(wing, R) + crest + fill(beak, R) + disc(21.5, 37, 1.9, FACE) + legs


def wind(i: int) -> str:
    """East, South, West, North."""
    return glyph(WINDS[i], 10, 27, 40, INK, height=47, bold=1.12)


def white() -> str:
    """The White Dragon: an empty frame."""
    outer = "M17 26H49Q52 26 52 29V70Q52 73 49 73H11Q8 73 8 70V32"
    inner = "M18 33H45V66H15V38"
    corners = "".join(disc(x, y, 2, B) for x, y in ((45, 33), (45, 66), (15, 66)))
    return line(outer, B, 3.6) + line(inner, B, 1.7) + corners


def dragon(i: int) -> str:
    """White, Green, Red."""
    if i == 0:
        return white()
    return glyph(GREEN if i == 1 else RED, 10, 27, 40, G if i == 1 else R, height=47, bold=1.05 if i == 1 else 1.3)
