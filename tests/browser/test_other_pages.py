"""The rules and learn pages in a browser."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from browser.conftest import Open, too_small

PAGES = [
    "/rules",
    "/rules/reach",
    "/rules/basic?o.limit=300",
    "/learn?rules=simplified&seed=3&ask=points",
    "/learn?rules=riichi&seed=3&ask=score&answer=1",
    "/nothing",
]


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [320, 1280])
@pytest.mark.parametrize("path", [page for page in PAGES if page != "/nothing"])
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(
    open_page: Open, path: str, width: int, dark: bool
) -> None:
    page = open_page(path, width, 800, dark=dark)
    found = Axe().run(page).response["violations"]
    assert [{"id": one["id"], "nodes": [node["html"][:200] for node in one["nodes"]]} for one in found] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert width > 400 or too_small(page) == []


def test_house_rules_are_shown_while_they_are_changed(open_page: Open) -> None:
    page = open_page("/rules/basic")
    page.locator("[name='o.limit']").fill("300")
    page.locator("[name='o.limit']").press("Tab")
    expect(page.locator("#changes h3")).to_contain_text("hands change")
    expect(page.locator("#download")).to_have_attribute("href", re.compile(r"o\.limit=300"))
    with page.expect_download() as download:
        page.locator("#download").click()
    assert download.value.suggested_filename == "basic-house.toml"
    assert "default = 300" in download.value.path().read_text(encoding="utf-8")


def test_what_is_pressed_straight_from_a_field_goes_with_what_it_says(open_page: Open) -> None:
    page = open_page("/rules/basic")
    page.locator("[name='o.limit']").fill("300")
    with page.expect_download() as download:
        page.locator("#download").click()
    assert "default = 300" in download.value.path().read_text(encoding="utf-8")
    page.locator("[name='o.limit']").fill("400")
    with page.expect_navigation():
        page.locator("#use").click()
    expect(page.locator("main")).to_contain_text("limit: 400")


def test_house_rules_without_scripts(open_page: Open) -> None:
    page = open_page("/rules/basic", java_script_enabled=False)
    page.locator("[name='o.east_double']").select_option("false")
    page.locator("#options button").click()
    expect(page.locator("#changes")).to_contain_text("hands change")


def test_a_row_of_right_answers_counts_up(open_page: Open, address: str) -> None:
    page = open_page("/learn?rules=reach&seed=1&ask=points")
    for count in (1, 2):
        url = page.url
        answer = page.request.get(url.replace("/learn?", "/learn.json?")).json()["answer"]
        page.locator("#answer").fill(str(answer))
        page.get_by_role("button", name="Answer").click()
        expect(page.locator("#streak")).to_have_text(f"{count} right in a row")
        page.reload()
        expect(page.locator("#streak")).to_have_text(f"{count} right in a row")
        page.get_by_role("link", name="Next hand").click()
        expect(page.locator(".verdict")).to_have_count(0)
    page.locator("#answer").fill("1")
    page.locator("#answer").press("Enter")
    expect(page.locator("#streak")).to_contain_text("0 right in a row")
