"""Pages: templates filled in, compressed, with what every page needs."""

from __future__ import annotations

import gzip
import re
from functools import cache
from typing import Any, Final
from unicodedata import bidirectional

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import Response

from tenbo import tiles
from tenbo.explain import read_groups
from tenbo.rulefile import PRESETS
from tenbo.ruleset import load_rules
from tenbo.web.assets import assets, takes_gzip
from tenbo.web.entry import read_entry

SEATS: Final = {"E": "East", "S": "South", "W": "West", "N": "North"}
_SMALL: Final = 1000
_TO_THE_LEFT: Final = frozenset(("R", "AL", "AN", "RLE", "RLO", "RLI", "LRE", "LRO", "LRI", "FSI", "PDF"))
_POWER: Final = re.compile(r"\^(?:\(([^)]*)\)|(\d+))")


def points(value: int, *, sign: bool = False) -> str:
    """A number of points as people write it: "12,000"; with a sign where it is a change: "−500".

    >>> points(12000), points(-500, sign=True), points(500, sign=True)
    ('12,000', '−500', '+500')
    """
    text = f"{abs(value):,}"
    return "−" + text if value < 0 else "+" + text if sign and value else text


def way(change: int) -> str:
    """Which way points go, as a class of the style sheet: "in", "out", or nothing where none do."""
    return "in" if change > 0 else "out" if change < 0 else ""


def powers(text: str) -> Markup:
    """Arithmetic with its powers set high.

    >>> powers("30 × 2^(4 + 2) = 1920"), powers("40 × 2^3 = 320")
    (Markup('30 × 2<sup>4 + 2</sup> = 1920'), Markup('40 × 2<sup>3</sup> = 320'))
    """
    return Markup(_POWER.sub(lambda found: f"<sup>{found[1] or found[2]}</sup>", str(escape(text))))


def first_up(text: str) -> str:
    """A text that begins with a capital letter."""
    return text[:1].upper() + text[1:]


def isolated(text: str) -> str:
    """A name between other words: one with right-to-left letters leaves what stands beside it in order.

    Isolating characters rather than `<bdi>`, as names stand in titles, labels and lists to choose from too.

    >>> isolated("Bea"), isolated("אב") == "\u2068אב\u2069"
    ('Bea', True)
    """
    return f"\u2068{text}\u2069" if any(bidirectional(one) in _TO_THE_LEFT for one in text) else text


def said(codes: tuple[int, ...]) -> str:
    """Tiles in words, for a screen reader.

    >>> said((11, 12, 43))
    'three of dots, four of dots, red five of dots'
    """
    return ", ".join(tiles.NAMES[code] for code in codes)


def art(text: str) -> Markup:
    """The drawing of a tile, by its text; it says nothing to a screen reader."""
    sprite = assets().address("tiles.svg")
    return Markup('<svg viewBox="0 0 60 80" aria-hidden="true"><use href="{}#t-{}"/></svg>').format(sprite, text)


def preset_titles() -> dict[str, str]:
    """The presets and what people call them."""
    return {name: load_rules(name).title for name in PRESETS}


@cache
def environment() -> Environment:
    """The templates with what they may use; everything put into them is escaped."""
    env = Environment(
        loader=PackageLoader("tenbo.web"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.globals.update(asset=assets().address, art=art, said=said, groups_of=read_groups, in_order=tiles.in_order)
    env.globals.update(read_entry=read_entry, presets=PRESETS, seats=SEATS, texts=tiles.TEXTS, names=tiles.NAMES)
    env.filters["points"] = points
    env.filters["first_up"] = first_up
    env.filters["powers"] = powers
    env.filters["way"] = way
    env.filters["isolated"] = isolated
    return env


def render(template: str, **values: Any) -> str:
    """A template filled in."""
    return environment().get_template(template).render(values)


def page(request: Request, template: str, status: int = 200, *, private: bool = False, **values: Any) -> Response:
    """A page; compressed where the client reads that.

    Args:
        request: The request.
        template: The template's name.
        status: The HTTP status.
        private: Nobody may keep it: it belongs to a table.
        **values: What the template needs.
    """
    body = render(template, path=request.url.path, **values).encode()
    return compressed(request, body, "text/html; charset=utf-8", status, private=private)


def compressed(request: Request, body: bytes, media_type: str, status: int = 200, *, private: bool = False) -> Response:
    """An answer that is made for each request and not kept."""
    headers = {"Cache-Control": "private, no-store" if private else "no-cache", "Vary": "Accept-Encoding"}
    if len(body) > _SMALL and takes_gzip(request):
        body = gzip.compress(body, 5, mtime=0)
        headers["Content-Encoding"] = "gzip"
    return Response(body, status, headers, media_type)
