"""The score page as fingers meet it."""

from __future__ import annotations

import re
from statistics import median
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from browser.conftest import Open, settled, too_small

THREE: dict[str, tuple[str, list[str], int, str]] = {
    "closed": (
        "/?rules=riichi",
        [
            *["2m", "3m", "4m", "5p", "6p", "7p", "2s", "2s", "3s", "4s", "5s", "6s", "7s"],
            *("!dora", "1m", "?riichi", "=8s discard"),
        ],
        18,
        "7,700",
    ),
    "open": (
        "/?rules=riichi",
        ["9m", "9m", "2m", "3m", "6s", "7s", "8s", "!set", "3p", "4p", "5z", "=4m self_draw"],
        13,
        "1,100",
    ),
    "classical": (
        "/?rules=basic",
        ["3p", "4p", "5p", "7p", "8p", "9p", "9p", "!set", "7z", "2z", "2z", "=6p discard"],
        12,
        "320",
    ),
}


def tap(page: Page, what: str) -> None:
    """One tap: a key by its tile, a mode "!set", a flag "?riichi", a price "=8s discard"."""
    if what[0] == "!":
        target = page.locator(f".mode[data-mode={what[1:]}]")
    elif what[0] == "?":
        target = page.locator(f"label.chip:has(input[value={what[1:]}])")
    elif what[0] == "=":
        tile, by = what[1:].split()
        target = page.locator(f".price[data-by={by}][data-hand$='+{tile}']")
    else:
        target = page.locator(f"[data-key='{what}']")
    seen = target.bounding_box()
    size = page.viewport_size
    assert seen is not None
    assert size is not None
    assert seen["y"] >= 0, f"{what} is above the screen"
    assert seen["y"] + seen["height"] <= size["height"] + 0.5, f"{what} is below the screen"
    page.touchscreen.tap(seen["x"] + seen["width"] / 2, seen["y"] + seen["height"] / 2)


@pytest.mark.parametrize("size", [(320, 640), (390, 844)])
@pytest.mark.parametrize("name", THREE)
def test_three_hands_by_few_taps_and_no_scrolling(open_page: Open, name: str, size: tuple[int, int]) -> None:
    path, taps, most, score = THREE[name]
    page = open_page(path, *size)
    for what in taps:
        if what[0] == "=":
            page.locator(".price").first.wait_for()
            settled(page)
            result = page.locator("#result").bounding_box()
            price = page.locator(f".price[data-by={what.split()[1]}][data-hand$='+{what[1:3]}']").bounding_box()
            assert result is not None
            assert price is not None
            assert price["y"] + price["height"] <= result["y"] + result["height"] + 1, (
                "the price is scrolled out of sight"
            )
        tap(page, what)
    expect(page.locator("#line .score")).to_have_text(score)
    # the addresses give rules; seat South and the East round are what a new page starts with
    assert len(taps) <= most
    assert page.evaluate("document.scrollingElement.scrollHeight - innerHeight") <= 0
    assert page.evaluate("document.scrollingElement.scrollTop") == 0


@pytest.mark.parametrize(("width", "height", "least"), [(320, 640, 34), (360, 640, 40), (390, 844, 40), (412, 915, 40)])
@pytest.mark.parametrize("rules", ["riichi", "simplified"])
def test_keys_are_large_enough(open_page: Open, width: int, height: int, least: int, rules: str) -> None:
    page = open_page(f"/?rules={rules}", width, height)
    boxes = page.locator("#keys button").evaluate_all("all => all.map(one => one.getBoundingClientRect().toJSON())")
    assert len(boxes) == 36 + 8 * (rules == "simplified")
    for box in boxes:
        assert box["width"] >= least
        assert box["height"] >= 44
        assert box["right"] <= width + 0.01
        assert box["bottom"] <= height + 0.01
    chips = page.locator(".situation label, .situation button, .situation summary")
    seen = "all => all.filter(one => one.checkVisibility()).map(one => one.getBoundingClientRect().toJSON())"
    for box in chips.evaluate_all(seen):
        assert box["height"] >= 44
        assert box["right"] <= width


def axe(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = Axe().run(page).response["violations"]
    return [{"id": one["id"], "nodes": [node["html"][:200] for node in one["nodes"]]} for one in found]


HAND = "hand=234m567p2234567s%2B8s&flag=riichi&dora=1m"


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(
    "query",
    [
        "",
        f"?{HAND}",
        "?hand=234m567p2234567s",
        "?rules=basic&hand=3457899p[777z](2222z)%2B6p",
        "?hand=99m[345p]&flag=riichi",
        "?hand=234m567p2234567s%2B8s&seat=Q&flag=richi&rules=basic&dora=1m",
    ],
)
@pytest.mark.parametrize("width", [320, 1280])
def test_axe_finds_nothing(open_page: Open, query: str, width: int, dark: bool) -> None:
    page = open_page(f"/{query}", width, 800, dark=dark)
    assert axe(page) == []
    assert width > 400 or too_small(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_axe_finds_nothing_with_everything_open(open_page: Open) -> None:
    page = open_page(f"/?{HAND}", 360, 740)
    page.locator(".more summary").tap()
    assert axe(page) == []
    page.locator(".more summary").tap()
    page.locator("#result .rule summary").first.tap()
    page.locator(".menu summary").tap()
    assert axe(page) == []


def test_a_reload_keeps_everything(open_page: Open) -> None:
    page = open_page("/?rules=riichi")
    for what in ("2m", "3m", "0", "!dora", "1m", "?riichi", "!set", "5z"):
        if what != "0":
            tap(page, what)
    expect(page.locator("#text")).to_have_value("23m [555z]")
    settled(page)
    before = page.evaluate("location.href")
    page.reload()
    expect(page).to_have_url(before)
    expect(page.locator("#text")).to_have_value("23m [555z]")
    expect(page.locator("#hand [data-tile]")).to_have_count(2)
    expect(page.locator("#hand [data-set]")).to_have_count(1)
    expect(page.locator("[data-mode=dora] .tile")).to_have_count(1)
    expect(page.locator("input[value=riichi]")).to_be_checked()


def test_a_new_visit_finds_the_hand_left_behind(open_page: Open, address: str) -> None:
    page = open_page("/?rules=basic")
    for what in ("2m", "3m"):
        tap(page, what)
    expect(page.locator("#text")).to_have_value("23m")
    settled(page)
    page.goto("about:blank")
    page.goto(f"{address}/")
    expect(page.locator("#hand [data-tile]")).to_have_count(2)
    expect(page.locator("[name=rules]")).to_have_value("basic")


def test_undo_and_redo(open_page: Open) -> None:
    page = open_page("/?rules=riichi")
    for what in ("2m", "3m", "4m"):
        tap(page, what)
    tap(page, "?riichi")
    page.locator("#undo").tap()
    expect(page.locator("input[value=riichi]")).not_to_be_checked()
    page.locator("#undo").tap()
    expect(page.locator("#text")).to_have_value("23m")
    page.locator("#redo").tap()
    page.locator("#redo").tap()
    expect(page.locator("#text")).to_have_value("234m")
    expect(page.locator("input[value=riichi]")).to_be_checked()
    expect(page.locator("#redo")).to_be_disabled()
    page.locator("#hand [data-tile='3m']").tap()
    expect(page.locator("#text")).to_have_value("24m")


def test_sets_in_two_or_three_taps(open_page: Open) -> None:
    page = open_page("/?rules=basic")
    tap(page, "!set")
    said = {
        "3p 5p": "[345p]",
        "8s 9s": "[789s]",
        "1m 2m 3m": "[123m]",
        "4m 4m": "[444m]",
        "6s 6s 6s": "[6666s]",
        "5z": "[555z]",
        "2z 2z": "[2222z]",
        "3z 3z 3z": "[333z]",
    }
    for taps, text in said.items():
        for what in taps.split():
            tap(page, what)
        expect(page.locator("#text")).to_have_value(text)
        page.locator("#clear").tap()
        tap(page, "!set")


def test_a_tap_on_a_set_turns_it(open_page: Open) -> None:
    page = open_page("/?rules=basic&hand=[2222z][345p]")
    page.locator("#hand [data-set]").first.tap()
    expect(page.locator("#text")).to_have_value("(2222z) [345p]")
    page.locator("#hand [data-set]").last.tap()
    expect(page.locator("#text")).to_have_value("345p (2222z)")
    page.locator("#hand [data-set]").first.tap()
    expect(page.locator("#text")).to_have_value("345p")


def test_any_tile_can_be_the_winning_one(open_page: Open) -> None:
    page = open_page(f"/?{HAND}")
    tap(page, "!win")
    page.locator("#hand [data-tile='3s']").tap()
    expect(page.locator("#text")).to_have_value("234m567p2245678s +3s")


def test_red_fives_and_indicators(open_page: Open) -> None:
    page = open_page("/?rules=riichi")
    for what in ("!red", "5p", "5p", "!dora", "4p"):
        tap(page, what)
    expect(page.locator("#text")).to_have_value("05p")
    settled(page)
    expect(page).to_have_url(re.compile("dora=4p"))
    tap(page, "!dora")
    tap(page, "!dora")
    settled(page)
    expect(page).not_to_have_url(re.compile("dora"))


def test_a_flag_that_contradicts_the_hand_says_why(open_page: Open) -> None:
    page = open_page("/?rules=riichi&hand=99m[345p]")
    tap(page, "?riichi")
    expect(page.locator("input[value=riichi]")).not_to_be_checked()
    expect(page.locator("#say")).to_contain_text("needs a concealed hand")


def test_used_up_tiles_are_dimmed(open_page: Open) -> None:
    page = open_page("/?rules=basic")
    for _ in range(4):
        tap(page, "1m")
    expect(page.locator("[data-key='1m']")).to_have_class("key gone")
    tap(page, "1m")
    expect(page.locator("#text")).to_have_value("1111m")
    expect(page.locator("#say")).to_contain_text("used")


def test_what_was_wrong_with_a_link_is_gone_with_the_first_tap(open_page: Open) -> None:
    page = open_page("/?rules=basic&hand=23m&flag=richi&seat=Q", 320, 640)
    expect(page.locator("#dropped")).to_contain_text("richi")
    expect(page.locator("#dropped")).to_contain_text("South is used instead")
    tap(page, "4m")
    settled(page)
    expect(page.locator("#dropped")).to_have_count(0)
    expect(page).not_to_have_url(re.compile("richi"))
    expect(page).to_have_url(re.compile("seat=S"))


def test_text_typed_is_the_hand(open_page: Open) -> None:
    page = open_page("/?rules=basic", 1280, 800)
    expect(page.locator("#text")).to_be_focused()
    page.keyboard.type("3457899p [777z] [2222z] +6p")
    expect(page.locator("#line .score")).to_have_text("320")
    expect(page.locator("#hand [data-set]")).to_have_count(2)
    expect(page.locator("#hand [data-win='6p']")).to_have_count(1)


def test_a_hand_by_keyboard_alone(open_page: Open) -> None:
    page = open_page("/?rules=basic", 1280, 800)

    def reach(selector: str, key: str = "Tab") -> None:
        for _ in range(120):
            if page.evaluate("s => document.activeElement.matches(s)", selector):
                return
            page.keyboard.press(key)
        raise AssertionError(f"{selector} is not reached")

    reach("[data-key='1m']")
    for tile in ("1m", "2m", "3m", "4m", "5m"):
        reach(f"[data-key='{tile}']", "ArrowRight")
        page.keyboard.press("Enter")
    expect(page.locator("#text")).to_have_value("12345m")
    reach("[data-key='5p']", "ArrowDown")
    page.keyboard.press("Space")
    page.keyboard.press("Control+z")
    expect(page.locator("#text")).to_have_value("12345m")
    reach("#hand [data-tile='1m']", "Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#text")).to_have_value("2345m")


def test_the_weight_of_the_page(open_page: Open) -> None:
    page = open_page("about:blank".replace("about:blank", "/api/openapi.json"))
    answers: list[tuple[str, int]] = []

    def heard(response: Any) -> None:
        sizes = response.request.sizes()
        answers.append((response.url, sizes["responseBodySize"] + sizes["responseHeadersSize"]))

    page.on("requestfinished", lambda request: heard(request.response()))
    page.goto(page.url.replace("/api/openapi.json", f"/?{HAND}"))
    page.wait_for_load_state("networkidle")
    assert len(answers) <= 6, answers
    assert sum(size for _, size in answers) <= 150_000, answers


def test_first_paint_on_a_slow_network(open_page: Open) -> None:
    page = open_page("/api/openapi.json")
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    slow = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 750e3 / 8}
    session.send("Network.emulateNetworkConditions", slow)
    page.goto(page.url.replace("/api/openapi.json", f"/?{HAND}"))
    # not wait_for_function: it polls with eval, which the pages' security policy forbids
    paint = page.evaluate(
        """() => new Promise(done => new PerformanceObserver(list => {
            const paint = list.getEntriesByName("first-contentful-paint")[0];
            if (paint) done(paint.startTime);
        }).observe({type: "paint", buffered: true}))"""
    )
    assert paint < 1300


TAPS = """async () => {
    const times = [];
    for (let i = 0; i < 9; i++) {
        const key = document.querySelector(i % 2 ? "#hand [data-win='8s']" : "[data-key='8s']");
        const line = document.querySelector("#line");
        const start = performance.now();
        const painted = new Promise(done => new MutationObserver((_, seen) => {
            seen.disconnect();
            requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
        }).observe(line, {childList: true, subtree: true}));
        key.click();
        const there = Boolean(document.querySelector("#hand [data-win='8s']")) === (i % 2 === 0);
        const shown = performance.now() - start;
        times.push({there, shown, scored: await painted, says: line.textContent});
        await new Promise(done => setTimeout(done, 50));
    }
    return times;
}"""


def test_a_tap_shows_within_50_ms_and_its_result_within_150(open_page: Open) -> None:
    page = open_page("/?hand=234m567p2234567s")
    settled(page)
    rounds = []
    for _ in range(3):  # the best of three: what else the machine does meanwhile is not the page's doing
        times = page.evaluate(TAPS)
        assert all(one["there"] for one in times)
        assert "2,000" in times[0]["says"]
        assert "1 tile short" in times[1]["says"]
        rounds.append([median(one[key] for one in times) for key in ("scored", "shown")])
        page.evaluate("document.querySelector('#hand [data-win]').click()")
        settled(page)
    scored, shown = min(rounds)
    assert shown < 50, rounds
    assert scored < 150, rounds


def test_a_lost_network_keeps_the_hand(open_page: Open) -> None:
    page = open_page("/?rules=basic")
    tap(page, "1m")
    settled(page)
    page.route("**/score/live?*", lambda route: route.abort())
    tap(page, "2m")
    expect(page.locator("#say")).to_contain_text("No connection")
    expect(page.locator("#hand [data-tile]")).to_have_count(2)
    page.unroute("**/score/live?*")
    expect(page.locator("#line")).to_contain_text("12 tiles short", timeout=10_000)


def test_without_scripts_the_page_is_a_form(open_page: Open) -> None:
    page = open_page("/?rules=basic", 390, 844, java_script_enabled=False)
    page.locator("[name=hand]").fill("3457899p [777z] [2222z] +6p")
    page.locator("button[type=submit]").click()
    expect(page.locator("#line .score")).to_have_text("320")
    expect(page.locator("#keys")).to_be_hidden()
    page.goto(page.url.replace("%2B6p", ""))
    page.locator(".price").first.click()
    expect(page.locator("#line .score")).to_have_text("320")


def test_other_rules_keep_the_hand(open_page: Open) -> None:
    page = open_page(f"/?{HAND}")
    page.locator("[name=rules]").select_option("basic")
    page.wait_for_url("**/?rules=basic**")
    expect(page.locator("#text")).to_have_value("234m567p2234567s +8s")
    expect(page.locator("[data-mode=dora]")).to_have_count(0)
