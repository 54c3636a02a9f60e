"""Tables in a browser: whole games, phones that follow, two who score at once."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from browser.conftest import Open, goes, settled, too_small
from tenbo.ledger import Game

NAMES = ["Ann", "Bea", "Cid", "Dan"]


def start(open_page: Open, rules: str, **more: Any) -> Page:
    """A new table, seen by its scorer."""
    page = open_page("/t", **more)
    page.locator("[name=rules]").select_option(rules)
    for i, name in enumerate(NAMES):
        page.locator(f"[name=player{i}]").fill(name)
    goes(page, page.get_by_role("button", name="Start"))
    goes(page, page.get_by_role("link", name="To the table"))
    return page


def press(page: Page, name: str) -> None:
    button, link = (page.get_by_role(role, name=name, exact=True) for role in ("button", "link"))
    goes(page, button.or_(link).first)


def book(page: Page) -> None:
    goes(page, page.get_by_role("button", name="Book", exact=True))
    expect(page.locator(".board")).to_be_visible()


def quick(page: Page, who: str, how: str, **worth: object) -> None:
    """A win by quick entry, up to its preview."""
    press(page, "Win")
    press(page, "Quick entry")
    page.locator("fieldset", has_text="Who won").get_by_text(who).click()
    page.locator("fieldset", has_text="How").get_by_text(how).click()
    for key, value in worth.items():
        field = page.locator(f"[name='q.{key}']")
        if key == "limit":
            field.select_option(str(value))
        else:
            field.fill(str(value))
    press(page, "Next")


def by_tiles(page: Page, who: str, how: str, hand: str) -> None:
    """A win by the hand's text in the page's own box, up to its preview."""
    press(page, "Win")
    page.locator(".who").get_by_text(who).click()
    page.locator(".how").get_by_text(how, exact=True).click()
    page.locator("#text").evaluate(
        "(box, text) => { box.value = text; box.dispatchEvent(new Event('input', {bubbles: true})) }", hand
    )
    goes(page, page.locator(".book"))


def record(page: Page) -> dict[str, Any]:
    """The table as REST has it."""
    token = page.url.split("/t/")[1].split("/")[0].split("?")[0]
    return page.request.get(f"{page.url.split('/t/')[0]}/api/tables/{token}").json()


def riichi(page: Page) -> None:
    page.locator("label.bet").nth(2).click()
    by_tiles(page, "Bea", "Cid", "234m567p2234567s +8s")
    book(page)
    quick(page, "Cid", "Tsumo", han=3, fu=30)
    book(page)
    press(page, "Draw")
    page.locator("fieldset", has_text="Ready").get_by_text("Dan").click()
    page.locator("fieldset", has_text="Bet in").get_by_text("Dan").click()
    press(page, "Next")
    book(page)
    press(page, "Penalty")
    page.locator("fieldset", has_text="Whose").get_by_text("Ann").click()
    press(page, "Next")
    book(page)
    quick(page, "Ann", "Ron: Bea", han=2, fu=40)
    press(page, "Another winner")
    press(page, "Quick entry")
    page.locator("fieldset", has_text="Who won").get_by_text("Dan").click()
    page.locator("fieldset", has_text="How").get_by_text("Ron: Bea").click()
    page.locator("[name='q.limit']").select_option("mangan")
    press(page, "Next")
    expect(page.locator(".problems")).to_have_count(0)  # whoever is told of first, they are paid in turn
    book(page)


def reach(page: Page) -> None:
    page.locator("label.bet").nth(1).click()
    by_tiles(page, "Bea", "Self-draw", "234m567p2234567s +8s")
    book(page)
    quick(page, "Ann", "River: Cid", hp=4, bp=30)
    book(page)


def basic(page: Page) -> None:
    by_tiles(page, "Bea", "Cid", "3457899p [777z] [2222z] +6p")
    page.locator("[name='loser.0.hand']").fill("111m222p333s4445z")
    page.locator("[name='loser.2.score']").fill("48")
    page.locator("[name='loser.2.score']").press("Tab")
    expect(page.locator("#shown")).to_contain_text("losers")
    book(page)
    press(page, "Penalty")
    page.get_by_text("Improper declaration").click()
    page.locator("fieldset", has_text="Whose").get_by_text("Cid").click()
    press(page, "Next")
    book(page)
    expect(page.locator(".middle")).to_contain_text("in the kitty")
    quick(page, "Dan", "Drawn", score=64)
    page.locator("fieldset", has_text="Dead hands").get_by_text("Ann").click()
    settled(page)
    book(page)
    press(page, "Draw")
    press(page, "Next")
    book(page)


def simplified(page: Page) -> None:
    by_tiles(page, "Bea", "Cid", "5p123s15f [222p] [444z] (7777z) +5p")
    book(page)
    quick(page, "Ann", "From the wall", doubles=3, points=40)
    book(page)
    press(page, "Draw")
    press(page, "Next")
    book(page)
    press(page, "Penalty")
    page.get_by_text("Free").first.click()
    page.locator("fieldset", has_text="Whose").get_by_text("Dan").click()
    page.locator("[name=points]").fill("100")
    expect(page.locator("fieldset.to").get_by_text("Dan")).to_be_hidden()
    page.locator("fieldset", has_text="To").last.get_by_text("Ann").click()
    press(page, "Next")
    book(page)


@pytest.mark.parametrize(
    ("rules", "play"), [("riichi", riichi), ("reach", reach), ("basic", basic), ("simplified", simplified)]
)
def test_a_whole_game_is_the_same_through_page_rest_and_ledger(
    open_page: Open, address: str, rules: str, play: Any, tmp_path: Path
) -> None:
    page = start(open_page, rules)
    play(page)
    # an early deal is edited, the last one undone, and the game ended
    before = record(page)["points"]
    version = record(page)["version"]
    press(page, "History")
    goes(page, page.get_by_role("link", name="Edit").last)
    expect(page.locator("h1")).to_contain_text("Edit a deal")
    book(page)
    assert record(page)["points"] == before
    assert record(page)["version"] == version + 1
    for _ in range(2):  # the edit, then the deal before it
        press(page, "Undo")
        press(page, "Undo")
    assert record(page)["version"] == version + 3
    press(page, "More")
    press(page, "End the game")
    book(page)
    expect(page.get_by_role("heading", name="Final ranking")).to_be_visible()
    there = record(page)
    # exported, the file replays to the same standing, and opens as the same table
    with page.expect_download() as download:
        page.get_by_role("link", name="game file").click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    lines = [json.loads(line) for line in text.splitlines()]
    assert list(Game.replay(lines).standing.points) == there["points"]
    file = tmp_path / "game.jsonl"
    file.write_text(text, encoding="utf-8")
    page.goto(f"{address}/t")
    page.locator("[name=file]").set_input_files(file)
    press(page, "Open")
    press(page, "To the table")
    assert record(page)["ranking"] == there["ranking"]
    # the same events through REST
    made = page.request.post(
        f"{address}/api/tables", data={k: v for k, v in lines[0].items() if k not in ("event", "when")}
    ).json()
    for version, line in enumerate(lines[1:], 1):
        answer = page.request.post(
            f"{address}/api/tables/{made['score']['token']}/events", data=line, headers={"If-Match": f'"{version}"'}
        )
        assert answer.status == 201
    again = page.request.get(f"{address}/api/tables/{made['score']['token']}").json()
    for key in ("points", "ranking", "round", "dealer", "deal", "honba", "sticks", "kitty", "finished"):
        assert again[key] == there[key]


@pytest.fixture
def pair(open_page: Open, address: str) -> tuple[Page, Page]:
    """A scorer, and somebody who watches."""
    scorer = start(open_page, "riichi")
    tables = scorer.evaluate("JSON.parse(localStorage.getItem('tenbo.tables'))")
    (links,) = tables.values()
    return scorer, open_page(links["watch"])


def test_two_phones_follow_within_two_seconds(pair: tuple[Page, Page]) -> None:
    scorer, watcher = pair
    expect(watcher.locator(".acts")).to_have_count(0)
    expect(watcher.locator(".s1 .pts")).to_have_text("25,000")
    quick(scorer, "Bea", "Ron: Cid", han=3, fu=40)
    book(scorer)
    expect(watcher.locator(".s1 .pts")).to_have_text("30,200", timeout=2000)
    press(scorer, "Undo")
    press(scorer, "Undo")
    expect(watcher.locator(".s1 .pts")).to_have_text("25,000", timeout=2000)


def test_a_phone_that_was_cut_off_catches_up(pair: tuple[Page, Page]) -> None:
    scorer, watcher = pair
    watcher.context.set_offline(True)
    for _ in range(2):
        quick(scorer, "Bea", "Ron: Cid", han=3, fu=40)
        book(scorer)
    expect(watcher.locator(".s1 .pts")).to_have_text("25,000")
    watcher.context.set_offline(False)
    expect(watcher.locator(".s1 .pts")).to_have_text("37,900", timeout=10_000)


def test_two_scorers_never_book_a_deal_twice(open_page: Open, address: str) -> None:
    one = start(open_page, "riichi")
    two = open_page(one.url.removeprefix(address))
    for page in (one, two):
        quick(page, "Bea", "Ron: Cid", han=3, fu=40)
    book(one)
    press(two, "Book")
    expect(two.get_by_role("alert").first).to_contain_text("Bea wins, ron from Cid")
    assert record(one)["version"] == 2
    press(two, "Do not book")
    expect(two.locator(".s1 .pts")).to_have_text("30,200")


PATHS = [
    "",
    "/win",
    "/win?hand=234m567p2234567s%2B8s&seat=S&how=W",
    "/quick",
    "/draw",
    "/penalty",
    "/history",
    "/links",
    "/more",
    "/undo",
    "/edit/2",
    "/deal/2",
]


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [320, 1280])
def test_axe_finds_nothing_at_a_table(open_page: Open, width: int, dark: bool) -> None:
    page = start(open_page, "basic", width=width, height=800, dark=dark)
    home = page.url
    by_tiles(page, "Bea", "Cid", "3457899p [777z] [2222z] +6p")
    assert axe(page) == []
    book(page)
    for path in PATHS:
        page.goto(home + path)
        assert axe(page) == [], path
        assert width > 400 or too_small(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    page.goto(home + "/quick")
    page.locator(".who").get_by_text("Bea").click()
    page.locator(".how").get_by_text("Cid").click()
    press(page, "Next")
    expect(page.locator(".fault:visible")).to_have_count(1)
    assert axe(page) == []
    assert width > 400 or too_small(page) == []
    page.goto(home.split("/t/")[0] + "/t")
    assert axe(page) == []
    assert width > 400 or too_small(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_longest_names_push_nothing_off_the_screen(open_page: Open, address: str) -> None:
    page = open_page("/t", 320, 640)
    names = ["W" * 80, "Wolfeschlegelsteinhausenbergerdorff", "i i " * 20, "Dan"]
    made = page.request.post(
        f"{address}/api/tables", data={"rules": "basic", "players": names, "name": "T" * 80}
    ).json()
    hand = {"player": 1, "by": "discard", "from": 0, "hand": "3457899p [777z] [2222z] +6p"}
    events = [
        {"event": "won", "winners": [hand], "losers": [{"player": 0, "hand": "111m222p333s4445z"}]},
        {"event": "adjusted", "points": [-1_000_000_000, 1_000_000_000, 0, 0], "why": "w" * 300},
    ]
    for version, event in enumerate(events, 1):
        answer = page.request.post(
            f"{address}/api/tables/{made['score']['token']}/events", data=event, headers={"If-Match": f'"{version}"'}
        )
        assert answer.status == 201
    home = address + made["score"]["path"]
    for path in (*PATHS, "/edit/3", "/win?hand=3457899p[777z](2222z)%2B6p&seat=E&how=S"):
        page.goto(home + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, path
        ends = page.locator("b.n, td.n, .pts").evaluate_all("all => all.map(one => one.getBoundingClientRect().right)")
        assert max(ends, default=0) <= 320, path


def axe(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = Axe().run(page).response["violations"]
    return [{"id": one["id"], "nodes": [node["html"][:200] for node in one["nodes"]]} for one in found]


def test_without_scripts_a_deal_is_booked(open_page: Open) -> None:
    page = start(open_page, "riichi", java_script_enabled=False)
    press(page, "Win")
    page.locator(".who").get_by_text("Bea").click()
    page.locator(".how").get_by_text("Cid").click()
    page.locator("[name=hand]").fill("234m567p2234567s +8s")
    press(page, "Score")
    goes(page, page.locator(".book"))
    book(page)
    assert record(page)["points"] == [25000, 26000 + 1000, 23000, 25000]


def test_a_deal_by_keyboard_alone(open_page: Open) -> None:
    page = start(open_page, "riichi", width=1280, height=800)

    def reach_(text: str) -> None:
        for _ in range(150):
            page.keyboard.press("Tab")
            if text in page.evaluate(
                "document.activeElement.textContent + '|' + (document.activeElement.ariaLabel ?? '')"
            ):
                return
        raise AssertionError(f"{text} is not reached")

    reach_("Win")
    page.keyboard.press("Enter")
    page.wait_for_url("**/win**")
    expect(page.locator("#text")).to_be_focused()
    page.keyboard.type("234m567p2234567s +8s")
    expect(page.locator(".book")).to_be_visible()
    for asked in ("seat", "how"):
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.name") == asked:
                break
        page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[name=how]:checked")).to_have_count(1)
    if page.locator("[name=how]:checked").get_attribute("value") == page.locator("[name=seat]:checked").get_attribute(
        "value"
    ):
        page.keyboard.press("ArrowRight")
    settled(page)
    for _ in range(150):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.classList.contains('book')"):
            break
    page.keyboard.press("Enter")
    page.wait_for_url("**/deal?**")
    reach_("Book")
    page.keyboard.press("Enter")
    expect(page.locator(".board")).to_be_visible()
    assert record(page)["version"] == 2


def test_a_half_entered_hand_waits_until_it_is_booked(open_page: Open) -> None:
    page = start(open_page, "riichi")
    home = page.url
    press(page, "Win")
    for tile in ("2m", "3m", "4m"):
        page.locator(f"[data-key='{tile}']").tap()
    expect(page.locator("#text")).to_have_value("234m")
    settled(page)
    page.goto(home)
    press(page, "Win")
    expect(page.locator("#hand [data-tile]")).to_have_count(3)
    page.goto(home)
    quick(page, "Bea", "Ron: Cid", han=3, fu=40)
    book(page)
    press(page, "Win")
    settled(page)
    expect(page.locator("#hand [data-tile]")).to_have_count(0)


@pytest.mark.parametrize("scripts", [True, False])
def test_nobody_is_offered_as_their_own_discarder(open_page: Open, scripts: bool) -> None:
    page = start(open_page, "riichi", java_script_enabled=scripts)
    home = page.url
    for path in ("/quick", "/win"):
        page.goto(home + path)
        if scripts:
            settled(page)
        who, how = page.locator(".who"), page.locator(".how")
        who.get_by_text("Bea").click()
        expect(how.get_by_text("Bea")).to_be_hidden()
        how.get_by_text("Cid").click()
        who.get_by_text("Cid").click()
        expect(how.get_by_text("Cid")).to_be_hidden()
        expect(how.get_by_text("Bea")).to_be_visible()
        expect(how.locator(":checked")).to_have_count(0 if scripts else 1)
    page.goto(home + "/quick")
    page.locator(".who").get_by_text("Bea").click()
    page.locator(".how").get_by_text("Cid").click()
    page.locator(".who").get_by_text("Cid").click()
    page.locator("[name='q.han']").fill("3")
    page.locator("[name='q.fu']").fill("40")
    if not scripts:  # what is not seen any more is still sent
        press(page, "Next")
        expect(page.locator("#fault-how")).to_contain_text("Cid cannot win on their own discard")
        expect(page.locator("[name='q.han']")).to_have_value("3")
    page.locator(".how").get_by_text("Dan").click()
    press(page, "Next")
    expect(page.locator("#shown")).to_contain_text("5,200")


def test_what_is_wrong_with_a_losers_hand_is_said_while_it_is_typed(open_page: Open) -> None:
    page = start(open_page, "basic")
    quick(page, "Dan", "Drawn", score=64)
    field = page.locator("[name='loser.0.score']")
    field.fill("many")
    field.press("Tab")
    expect(page.locator("[id='fault-loser.0.score']")).to_contain_text("not ‘many’")
    expect(page.get_by_role("button", name="Book", exact=True)).to_have_count(0)
    field.fill("12")
    field.press("Tab")
    expect(page.locator("[id='fault-loser.0.score']")).to_be_hidden()
    book(page)


@pytest.mark.parametrize("scripts", [True, False])
def test_what_is_told_last_is_seen_before_it_is_booked(open_page: Open, scripts: bool) -> None:
    page = start(open_page, "basic", java_script_enabled=scripts)
    quick(page, "Dan", "Drawn", score=64)
    page.locator("[name='loser.0.score']").fill("12")  # and Book is pressed before its preview can come
    press(page, "Book")
    expect(page.locator("#shown")).to_contain_text("is worked out now")
    expect(page.locator("#shown")).to_contain_text("losers")
    assert record(page)["version"] == 1
    book(page)
    assert record(page)["version"] == 2


def test_a_deal_told_without_a_network_is_worked_out_when_it_is_back(open_page: Open) -> None:
    page = start(open_page, "basic")
    quick(page, "Dan", "Drawn", score=64)
    page.context.set_offline(True)
    page.locator("[name='loser.0.score']").fill("12")
    page.locator("[name='loser.0.score']").press("Tab")
    expect(page.locator("#shown")).to_contain_text("No connection")
    page.context.set_offline(False)
    expect(page.locator("#shown")).to_contain_text("losers")
    expect(page.locator("#shown")).not_to_contain_text("No connection")


def test_what_was_typed_is_there_after_a_reload(open_page: Open, address: str) -> None:
    page = open_page("/t")
    page.locator("[name=player1]").fill("Bea")
    page.locator("[name=rules]").select_option("basic")
    page.reload()
    expect(page.locator("[name=player1]")).to_have_value("Bea")
    expect(page.locator("[name=rules]")).to_have_value("basic")
    page.goto(f"{address}/t")  # a new visit
    expect(page.locator("[name=player1]")).to_have_value("")
    page = start(open_page, "riichi")
    page.goto(f"{page.url}/quick")
    page.locator(".who").get_by_text("Cid").click()
    page.locator("[name='q.fu']").fill("40")
    page.reload()
    expect(page.locator("[name='q.fu']")).to_have_value("40")
    expect(page.locator("[name=seat][value=W]")).to_be_checked()


def test_enter_in_a_field_books_nothing(open_page: Open) -> None:
    page = start(open_page, "basic")
    quick(page, "Dan", "Drawn", score=64)
    page.locator("[name='loser.0.score']").fill("12")
    with page.expect_navigation():
        page.locator("[name='loser.0.score']").press("Enter")
    expect(page.locator("#shown")).to_contain_text("losers")
    assert record(page)["version"] == 1


def test_bets_stay_until_the_deal_is_booked(open_page: Open) -> None:
    page = start(open_page, "riichi")
    page.locator("label.bet").nth(2).click()
    page.reload()
    expect(page.locator("[name=bet]").nth(2)).to_be_checked()
    quick(page, "Bea", "Ron: Cid", han=3, fu=40)
    expect(page.locator("#shown")).to_contain_text("bet")
    book(page)
    expect(page.locator("[name=bet]").nth(2)).not_to_be_checked()


def test_a_scored_hand_goes_to_the_table_by_one_tap(open_page: Open, address: str) -> None:
    page = start(open_page, "riichi")
    page.goto(f"{address}/?rules=riichi&hand=234m567p2234567s%2B8s&flag=riichi&from=W&seat=S")
    press(page, "To the table")
    goes(page, page.locator(".book"))
    expect(page.locator("#shown")).to_contain_text("Cid")
    book(page)
    assert record(page)["points"] == [25000, 28900, 21100, 25000]


def test_a_winner_is_changed_before_booking(open_page: Open) -> None:
    page = start(open_page, "riichi")
    by_tiles(page, "Bea", "Cid", "234m567p2234567s +8s")
    press(page, "Change")
    page.locator("label.chip:has(input[value=riichi])").tap()
    expect(page.locator("#line .score")).to_have_text("3,900")
    goes(page, page.locator(".book"))
    book(page)
    assert record(page)["points"] == [25000, 28900, 21100, 25000]


def typed(page: Page, hand: str) -> None:
    page.locator("#text").evaluate(
        "(box, text) => { box.value = text; box.dispatchEvent(new Event('input', {bubbles: true})) }", hand
    )


def test_the_first_players_losing_hand_by_tiles(open_page: Open) -> None:
    page = start(open_page, "basic")
    by_tiles(page, "Bea", "Cid", "3457899p [777z] [2222z] +6p")
    goes(page, page.locator("[name=do][value='tiles.0']"))
    expect(page.locator("h1")).to_contain_text("did not go out")
    typed(page, "111m222p333s4445z")
    settled(page)
    expect(page.locator(".book")).to_have_text("Take it")
    expect(page).to_have_url(re.compile("loser=0"))
    page.reload()
    goes(page, page.locator(".book"))
    expect(page.locator("[name='loser.0.hand']")).to_have_value("111m222p333s4445z")
    book(page)
    page.go_back()
    expect(page.locator("#shown")).to_contain_text("Booked meanwhile")


def test_bets_given_later_go_with_the_hand_left_behind(open_page: Open) -> None:
    page = start(open_page, "riichi")
    home = page.url
    by_tiles(page, "Ann", "Cid", "234m567p2234567s +8s")
    expect(page.locator("#shown")).to_be_visible()
    page.goto(home)
    page.locator("label.bet").nth(0).click()
    press(page, "Win")
    expect(page.locator("#text")).to_have_value("234m567p2234567s +8s")
    expect(page.locator("[name=flag][value=riichi]")).to_be_checked()
    page.locator(".how").get_by_text("Dan", exact=True).click()
    settled(page)
    page.reload()
    expect(page).to_have_url(re.compile("bet=0"))
    goes(page, page.locator(".book"))
    expect(page.locator("[name=bet][value='0']")).to_be_checked()
    expect(page.locator("#shown")).to_contain_text("bet")


@pytest.mark.parametrize("width", [320, 360])
def test_without_scripts_a_short_phone_can_type_the_hand(open_page: Open, width: int) -> None:
    page = start(open_page, "riichi", width=width, height=640, java_script_enabled=False)
    press(page, "Win")
    expect(page.locator("#text")).to_be_visible()


@pytest.mark.parametrize("rules", ["riichi", "reach", "basic", "simplified"])
def test_how_it_was_won_is_readable_on_the_narrowest_phone(open_page: Open, rules: str) -> None:
    page = start(open_page, rules, width=320, height=640)
    press(page, "Win")
    label = page.locator(".how .drawn > span")
    assert label.evaluate("one => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight")
    spill = """one => { const range = document.createRange(); range.selectNodeContents(one);
      const [text, box] = [range.getBoundingClientRect(), one.getBoundingClientRect()];
      return text.left < box.left || text.right > box.right || text.top < box.top || text.bottom > box.bottom }"""
    assert not label.evaluate(spill)
