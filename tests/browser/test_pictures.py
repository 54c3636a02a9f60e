"""The README's pictures. `TENBO_PICTURES=docs/images scripts/test tests/browser/test_pictures.py` draws them anew."""

from __future__ import annotations

import os
from pathlib import Path

from playwright.sync_api import Page, expect

from browser.conftest import Open

HAND = "hand=3457899p%20[777z]%20[2222z]%20%2B6p"
EVENTS = [
    {"event": "won", "winners": [{"player": 1, "by": "discard", "from": 2, "hand": "3457899p [777z] [2222z] +6p"}]},
    {
        "event": "won",
        "winners": [{"player": 3, "by": "self_draw", "score": 64}],
        "losers": [{"player": 0, "score": 12}],
    },
    {"event": "drawn", "kind": "exhaustive"},
    {"event": "won", "winners": [{"player": 0, "by": "discard", "from": 1, "score": 192}]},
]


def keep(page: Page, name: str, tmp_path: Path) -> None:
    folder = Path(os.environ.get("TENBO_PICTURES") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    picture = page.screenshot(path=folder / f"{name}.png")
    assert 20_000 < len(picture) < 400_000


def test_a_scored_hand(open_page: Open, tmp_path: Path) -> None:
    page = open_page(f"/?rules=basic&{HAND}", 390, 844, device_scale_factor=2)
    expect(page.locator("#line .score")).to_have_text("320")
    keep(page, "score", tmp_path)


def test_a_table(open_page: Open, address: str, tmp_path: Path) -> None:
    page = open_page("/t", 390, 844, device_scale_factor=2, dark=True)
    made = page.request.post(
        f"{address}/api/tables", data={"rules": "basic", "players": ["Ann", "Bea", "Cid", "Dan"]}
    ).json()
    for version, event in enumerate(EVENTS, 1):
        answer = page.request.post(
            f"{address}/api/tables/{made['score']['token']}/events", data=event, headers={"If-Match": f'"{version}"'}
        )
        assert answer.status == 201
    page.goto(address + made["score"]["path"])
    expect(page.locator(".board")).to_be_visible()
    keep(page, "table", tmp_path)
