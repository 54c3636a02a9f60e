"""Writes the sprite of tiles: 42 kinds, three red fives and the back, each a symbol of 60 by 80."""

from __future__ import annotations

from pathlib import Path

from tools.draw_tiles.bonus import FLOWERS
from tools.draw_tiles.parts import FACE, INK, B, G, R, bamboo, character, disc, dots, dragon, index, line, wan, wind

SPRITE = Path(__file__).resolve().parents[2] / "src/tenbo/web/static/tiles.svg"


def symbol(name: str, inside: str) -> str:
    """A symbol; a tile's is named t- and its text."""
    return f'<symbol id="{name}" viewBox="0 0 60 80">{inside}</symbol>'


def back() -> str:
    """The back: a lattice on felt."""
    lattice = "".join(f"M{x} {y}l6 8l-6 8l-6-8z" for y in (16, 32, 48) for x in (18, 30, 42))
    return line("M12 8H48Q52 8 52 12V68Q52 72 48 72H12Q8 72 8 68V12Q8 8 12 8Z", FACE, 1.6) + line(lattice, FACE, 1)


def sprite() -> str:
    """The whole sprite."""
    out = [f'<g id="wan">{wan()}</g>']
    red = disc(53, 7.2, 4, R)
    for rank in range(1, 10):
        out.append(symbol(f"t-{rank}m", index(str(rank), INK) + character(rank)))
    out.append(symbol("t-0m", index("5", R) + character(5, R, 27) + red))
    for suit, draw in (("p", dots), ("s", bamboo)):
        for rank in range(1, 10):
            out.append(symbol(f"t-{rank}{suit}", index(str(rank), INK) + draw(rank)))
        out.append(symbol(f"t-0{suit}", index("5", R) + draw(5, True) + red))
    for i, letter in enumerate("ESWN"):
        out.append(symbol(f"t-{i + 1}z", index(letter, INK) + wind(i)))
    for i, (letters, colour) in enumerate((("Wh", B), ("G", G), ("R", R))):
        out.append(symbol(f"t-{i + 5}z", index(letters, colour) + dragon(i)))
    for i, draw_flower in enumerate(FLOWERS):
        out.append(symbol(f"t-{i + 1}f", index(str(i % 4 + 1), R if i < 4 else B) + draw_flower()))
    out.append(symbol("t-back", back()))
    return '<svg xmlns="http://www.w3.org/2000/svg">' + "\n".join(["<defs>", *out, "</defs>"]) + "</svg>\n"


if __name__ == "__main__":
    SPRITE.write_text(sprite(), encoding="utf-8")
