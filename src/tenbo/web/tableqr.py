"""QR codes as drawings in a page."""

from __future__ import annotations

import segno
from markupsafe import Markup


def qr(text: str) -> Markup:
    """A QR code as SVG, dark on light whatever the page's colours are."""
    code = segno.make(text, error="m", micro=False)
    drawn = code.svg_inline(border=3, omitsize=True, dark="#14201a", light="#ffffff", svgclass="qr", lineclass=None)
    return Markup(drawn.replace("<svg ", '<svg aria-hidden="true" ', 1))
