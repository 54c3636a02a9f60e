"""A table's pages as plain forms: what people do there without scripts, and what they may not."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest

from tenbo.ledger import Game
from tenbo.ledger.store import Store, open_store
from tenbo.ruleset import load_rules
from tenbo.web import create_app
from tenbo.web.tableview import quick_words
from webclient import Client, sent

NAMES = ["Ann", "Bea", "Cid", "Dan"]
PAGE = {"Accept": "text/html"}
FORM = {**PAGE, "Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(f"sqlite:///{tmp_path}/tables.db")
    yield store
    store.close()


@pytest.fixture
def client(store: Store) -> Client:
    return Client(create_app(store, tables_per_hour=0))


class Table:
    """A table used through its pages."""

    def __init__(self, client: Client, rules: str = "riichi", **more: str) -> None:
        self.client = client
        fields = {"rules": rules, **{f"player{i}": name for i, name in enumerate(NAMES)}, **more}
        made = follow(client, client.post("/t", content=urlencode(fields), headers=FORM))
        assert made.status_code == 200
        self.score, self.watch = re.findall(r'data-(?:score|watch)="/t/([^"]+)"', made.text)

    def get(self, path: str = "", token: str = "") -> httpx.Response:
        return self.client.get(f"/t/{token or self.score}{path}", headers=PAGE)

    def post(self, path: str, fields: Any, token: str = "") -> httpx.Response:
        to = f"/t/{token or self.score}{path}"
        page = self.client.post(to, content=urlencode(fields, doseq=True), headers=FORM)
        there = page.headers.get("location", "")
        return self.client.get(there, headers=PAGE) if there.startswith(f"{to}?") else page  # a form shown by address

    def book(self, page: httpx.Response, token: str = "") -> httpx.Response:
        """Presses the page's button that books."""
        return self.post("/book", sent(page, "/book"), token)

    def quick(self, seat: str, how: str, **worth: Any) -> httpx.Response:
        return self.post("/deal", {"quick": 1, "seat": seat, "how": how} | {f"q.{k}": v for k, v in worth.items()})

    @property
    def record(self) -> dict[str, Any]:
        return self.client.get(f"/api/tables/{self.score}").json()


def follow(client: Client, page: httpx.Response) -> httpx.Response:
    """Where a page sends on to."""
    return client.get(page.headers["location"], headers=PAGE) if page.status_code == 303 else page


def hidden(page: httpx.Response, action: str) -> dict[str, list[str]]:
    """The hidden fields of the form with an action."""
    form = next(part for part in page.text.split("<form")[1:] if f'{action}"' in part.partition(">")[0])
    found: dict[str, list[str]] = {}
    for tag in re.findall(r"<input[^>]*>", form.partition("</form>")[0]):
        name, value = re.search(r'name="([^"]*)"', tag), re.search(r'value="([^"]*)"', tag)
        if 'type="hidden"' in tag and name:
            found.setdefault(name[1], []).append(html.unescape(value[1] if value else ""))
    return found


def test_a_win_by_quick_entry(client: Client) -> None:
    table = Table(client)
    shown = table.quick("S", "W", han=3, fu=40)
    assert shown.status_code == 200
    assert "5,200" in shown.text
    assert table.record["points"] == [25000] * 4
    done = table.book(shown)
    assert done.status_code == 303
    assert done.headers["location"] == f"/t/{table.score}"
    assert table.record["points"] == [25000, 30200, 19800, 25000]
    assert "30,200" in table.get().text
    assert "Bea wins, ron from Cid" in table.get().text


def test_a_win_by_tiles_with_bets_counters_and_flags(client: Client, store: Store) -> None:
    table = Table(client)
    table.book(table.post("/event", {"event": "drawn", "kind": "exhaustive", "ready": [0], "bet": [0]}))
    page = table.get("/win?bet=1&hand=234m567p2234567s%2B8s&seat=S&how=W&flag=riichi&dora=1m")
    assert ">7,700<" in page.text
    fields = {**hidden(page, "/win"), "seat": "S", "how": "W", "flag": "riichi", "dora": "1m"}
    shown = table.post("/deal", {**fields, "hand": "234m567p2234567s +8s"})
    assert "7,700" in shown.text
    assert "bets on the table" in shown.text
    table.book(shown)
    event = store.game(store.access(table.score)).lines[-1]  # type: ignore[arg-type]
    assert event["winners"] == [
        {"player": 1, "by": "discard", "hand": "234m567p2234567s +8s", "from": 2, "flags": ["riichi"], "dora": "1m"}
    ]
    assert event["bets"] == [1]
    assert table.record["points"][1] == 24000 + 7700 + 300 + 1000


def test_several_winners_and_liability(client: Client) -> None:
    table = Table(client)
    one = table.quick("S", "E", han=2, fu=30)
    again = table.post("/deal", {**hidden(one, "/deal"), "do": "add"})
    assert again.status_code == 303
    carried = hidden(client.get(again.headers["location"], headers=PAGE), "/win")
    assert len(carried["winner"]) == 1
    assert table.get("/deal").headers["location"].startswith(f"/t/{table.score}/win")  # no winner is told
    both = table.post("/deal", {**carried, "quick": 1, "seat": "W", "how": "E", "q.limit": "limit hand"})
    assert "Winners" in both.text
    fields = hidden(both, "/deal") | {"liable.1": 3, "liable.1.hands": 1}
    shown = table.post("/deal", fields)
    assert "liability" in shown.text
    fewer = table.post("/deal", fields | {"do": "drop.0"})
    assert "Winners" not in fewer.text
    table.book(shown)
    assert table.record["points"] == [25000 - 2000 - 16000, 27000, 25000 + 32000, 25000 - 16000]


def test_until_it_is_said_who_won_the_hand_is_nobodys(client: Client) -> None:
    table = Table(client)
    hand = "&hand=234m567p2234567s%2B8s"
    assert "Whoever" in main_of(table.get(f"/win?how=W{hand}"))
    assert "Whoever" not in main_of(table.get(f"/win?how=W&seat=S{hand}"))
    one = table.quick("E", "S", han=2, fu=30)  # the discarder is the one for whom a hand is shown otherwise
    for count in (2, 1, 0):
        again = table.post("/deal", {**hidden(one, "/deal"), "do": "add"}).headers["location"]
        page = main_of(client.get(f"{again}{hand}", headers=PAGE))
        assert len(re.findall(r"Whoever\s+wins", page)) == (count == 2)  # the last who can have won is named
        assert page.count("Whoever") == (count == 2)
        if count:
            carried = hidden(client.get(again, headers=PAGE), "/win")
            more = {"quick": 1, "seat": "W" if count == 2 else "N", "how": "S", "q.han": 2, "q.fu": 30}
            one = table.post("/deal", {**carried, **more})


def test_another_winner_starts_with_the_indicators_that_lie_there(client: Client) -> None:
    table = Table(client)
    hand = {"hand": "234m567p2234567s +8s", "flag": "riichi", "dora": "1m", "ura": "9s"}
    one = table.post("/deal", {"seat": "S", "how": "E", **hand})
    again = table.post("/deal", {**hidden(one, "/deal"), "do": "add"})
    page = client.get(again.headers["location"], headers=PAGE)
    assert (value_of(page, "dora"), value_of(page, "ura")) == ("1m", "9s")
    silent = {"seat": "W", "how": "E", "hand": "234567m33p67s[777z] +8s", "dora": "1m", "ura": "9s"}
    both = table.post("/deal", {**hidden(page, "/win"), **silent})  # whoever is not in riichi has no use for ura
    assert both.status_code == 200, main_of(both)
    assert "Winners" in both.text


def test_going_back_after_booking_says_what_was_booked(client: Client) -> None:
    table = Table(client)
    fields = {"quick": 1, "seat": "S", "how": "W", "q.han": 3, "q.fu": 40}
    sent = client.post(f"/t/{table.score}/deal", content=urlencode(fields), headers=FORM)
    assert sent.status_code == 303
    address = sent.headers["location"]
    table.book(client.get(address, headers=PAGE))
    back = client.get(address, headers=PAGE)
    assert back.status_code == 200
    assert "Booked meanwhile" in back.text
    assert table.record["version"] == 2


def test_losers_score_in_classical_games(client: Client) -> None:
    table = Table(client, "basic")
    shown = table.quick("N", "S", score=64)
    fields = hidden(shown, "/deal")
    shown = table.post("/deal", fields | {"loser.0.score": 12, "loser.1.score": "8", "loser.2.score": 48})
    table.book(shown)
    assert table.record["points"] == [2000 - 192, 2000 - 112, 2000 + 48, 2000 + 256]


def test_undo_takes_back_an_edit_and_what_was_taken_out_is_put_back(client: Client) -> None:
    table = Table(client)
    table.book(table.quick("S", "W", han=3, fu=40))
    table.book(table.quick("E", "self_draw", han=2, fu=30))
    before = table.record["points"]
    table.book(table.get("/remove/2"))
    assert table.record["points"] != before
    undo = table.get("/undo")
    assert "Undo: taking out Bea wins, ron from Cid" in undo.text
    table.book(undo)
    assert table.record["points"] == before
    undo = table.get("/undo")
    assert "Undo: Bea wins, tsumo: 2 han 30 fu (East 2, deal 2)" in undo.text
    table.book(table.get("/remove/2"))
    back, *_ = re.findall(r'href="/t/[^/]+(/restore/\d+)"', table.get("/history").text)
    shown = table.get(back)
    assert "Put back: Bea wins, ron from Cid" in shown.text
    table.book(shown)
    assert table.record["points"] == before
    assert "/restore/" not in table.get("/history").text
    assert table.get(back).status_code == 303
    assert table.get("/restore/99").status_code == 303
    assert table.get(back, table.watch).status_code == 403


def test_an_undo_that_another_phone_overtook_says_so(client: Client) -> None:
    table = Table(client)
    table.book(table.quick("S", "W", han=3, fu=40))
    undo = table.get("/undo")
    table.book(table.post("/event", {"event": "drawn", "kind": "exhaustive", "version": 2}))
    asked = follow(client, table.book(undo))
    assert "Booked meanwhile" in asked.text
    assert "Drawn deal" in asked.text
    assert "Undo all the same" in asked.text
    assert table.record["version"] == 3


def test_what_was_refused_has_an_address_that_can_be_gone_back_to(client: Client) -> None:
    table = Table(client)
    wrong = [
        ("/event", {"event": "penalty", "kind": "free", "version": 1}),
        ("/event", {"event": "adjusted", "change0": 5, "version": 1}),
        ("/deal", {"quick": 1, "seat": "S", "how": "W", "q.han": 1, "q.fu": 25}),
    ]
    for path, fields in wrong:
        sent_ = client.post(f"/t/{table.score}{path}", content=urlencode(fields), headers=FORM)
        assert sent_.status_code == 303
        assert follow(client, sent_).status_code == 422
    begun = client.post("/t", content=urlencode({"rules": "basic", "start": "abc", "player0": "Ann"}), headers=FORM)
    again = follow(client, begun)
    assert again.status_code == 422
    assert value_of(again, "player0") == "Ann"
    assert value_of(again, "start") == "abc"


def test_a_deal_changed_after_its_preview_is_shown_before_it_is_booked(client: Client) -> None:
    table = Table(client, "basic")
    fields = sent(table.quick("S", "W", score=20), "/book")
    changed = [(key, "12" if key == "loser.0.score" else value) for key, value in fields]
    assert changed != fields
    again = table.post("/book", changed)
    assert again.status_code == 303
    shown = client.get(again.headers["location"], headers=PAGE)
    assert "What was changed last is worked out now" in shown.text
    assert table.record["version"] == 1
    assert table.book(shown).status_code == 303
    game = client.get(f"/api/tables/{table.score}/history").json()["events"][-1]
    assert game["event"]["losers"] == [{"player": 0, "score": 12}]


def test_what_an_event_would_do_has_an_address_that_can_be_gone_back_to(client: Client) -> None:
    table = Table(client)
    fields = {"event": "drawn", "kind": "exhaustive", "ready": [0, 2], "version": 1}
    sent_ = client.post(f"/t/{table.score}/event", content=urlencode(fields, doseq=True), headers=FORM)
    assert sent_.status_code == 303
    address = sent_.headers["location"]
    for _ in range(2):
        shown = client.get(address, headers=PAGE)
        assert shown.status_code == 200
        assert "1,500" in shown.text
    assert client.get(address.replace(table.score, table.watch), headers=PAGE).status_code == 403
    table.book(shown)
    assert table.record["points"] == [26500, 23500, 26500, 23500]
    assert "Booked meanwhile" in client.get(address, headers=PAGE).text


def test_a_note_too_long_for_an_address_is_booked_all_the_same(client: Client) -> None:
    table = Table(client)
    text = "雨" * 2000
    shown = table.post("/event", {"event": "note", "text": text, "version": 1})
    assert shown.status_code == 200
    table.book(shown)
    assert client.get(f"/api/tables/{table.score}/history").json()["events"][-1]["event"]["text"] == text


def test_a_losers_hand_by_tiles(client: Client) -> None:
    table = Table(client, "basic")
    shown = table.quick("N", "S", score=64)
    asked = table.post("/deal", hidden(shown, "/deal") | {"do": "tiles.0"})
    assert asked.status_code == 303
    address = asked.headers["location"]
    page = client.get(address + "&" + urlencode({"hand": "111m222p333s4445z"}), headers=PAGE)
    assert "A hand that did not go out" in page.text
    assert 'class="score"' in page.text
    carried = hidden(page, "/win") | {"seat": "E", "hand": "111m222p333s4445z"}
    back = table.post("/deal", carried)
    assert 'value="111m222p333s4445z"' in back.text
    table.book(back)
    game = client.get(f"/api/tables/{table.score}/history").json()["events"][-1]
    assert game["event"]["losers"] == [{"player": 0, "hand": "111m222p333s4445z"}]


@pytest.mark.parametrize("rules", ["basic", "riichi"])
def test_penalties_adjustments_names_notes_and_the_end(client: Client, rules: str) -> None:
    table = Table(client, rules)
    kind = {"basic": "false_mahjong", "riichi": "chombo"}[rules]
    table.book(table.post("/event", {"event": "penalty", "kind": kind, "player": 1}))
    free = {"event": "penalty", "kind": "free", "player": 0, "points": 300, "to": [2, 3]}
    table.book(table.post("/event", free))
    table.book(table.post("/event", {"event": "adjusted", "change0": 600, "change2": "-600", "why": "a mistake"}))
    table.book(table.post("/event", {"event": "renamed", "player": 3, "name": "Eve", "substitute": 1}))
    table.book(table.post("/event", {"event": "note", "text": "rain"}))
    table.book(table.post("/event", {"event": "finished"}))
    record = table.record
    assert record["finished"]
    assert record["players"][3] == "Eve"
    assert "Final ranking" in table.get().text
    history = table.get("/history").text
    for text in ("Note: rain", "Adjusted: a mistake", "Eve takes the seat of Dan", "Free penalty: Ann"):
        assert text in history
    again = follow(client, table.post("/rematch", {"seats": "turned"}))
    assert "The table is ready" in again.text


def test_a_booked_hand_is_explained_to_whoever_looks(client: Client) -> None:
    table = Table(client, "basic")
    shown = table.post("/deal", {"seat": "S", "how": "W", "hand": "3457899p [777z] [2222z] +6p"})
    table.book(table.post("/deal", {**hidden(shown, "/deal"), "loser.0.hand": "111m222p333s4445z"}))
    table.book(table.quick("S", "W", score=20))
    for token in (table.score, table.watch):
        history = table.get("/history", token).text
        assert f'href="/t/{token}/deal/2"' in history
        assert f'href="/t/{token}/deal/3"' not in history  # there are no tiles to explain
        assert f'href="/t/{token}/deal/2"' in table.get("", token).text
        page = table.get("/deal/2", token)
        assert page.status_code == 200
        for text in ("Bea: 320", "Ann: 24", "40 × 2<sup>3</sup> = 320", "Who paid whom", "One suit and honours"):
            assert text in page.text, text
        assert (f"/t/{token}/edit/2" in page.text) == (token == table.score)
    for seq in (1, 9):
        assert table.get(f"/deal/{seq}").status_code == 303


def test_undo_edit_and_taking_out(client: Client) -> None:
    table = Table(client)
    table.book(table.quick("S", "W", han=3, fu=40))
    table.book(table.quick("E", "self_draw", han=2, fu=30))
    undo = table.get("/undo")
    assert "Undo: Bea wins, tsumo" in undo.text
    table.book(undo)
    assert table.record["points"] == [25000, 30200, 19800, 25000]
    edit = table.get("/edit/2")
    assert "Edit a deal" in edit.text
    fields = hidden(edit, "/deal")
    winner = json.loads(fields["winner"][0]) | {"han": 4, "fu": 30}
    table.book(table.post("/deal", fields | {"winner": json.dumps(winner)}))
    assert table.record["points"] == [25000, 32700, 17300, 25000]
    history = table.get("/history").text
    assert "edited" in history
    assert "What was changed" in history
    table.book(table.get("/remove/2"))
    assert table.record["points"] == [25000] * 4
    told = main_of(table.get("/history")).partition("What was changed")[2]
    was, now = "Bea wins, ron from Cid: 3 han 40 fu", "Bea wins, ron from Cid: 4 han 30 fu"
    expected = [f"Taken out: {now}", f"Changed: {was} → {now}", "Taken out: Bea wins, tsumo: 2 han 30 fu"]
    assert [" ".join(one.split()) for one in re.findall(r"(?:Taken out|Changed|Put back): .*", told)] == expected
    assert len(re.findall(r"\d{1,2} \w+ \d{4}, \d\d:\d\d UTC", told)) == 3
    assert not re.search(r"\d{4}-\d\d|revised|\bLine\b", told)


def test_an_edit_that_makes_later_events_senseless_says_so(client: Client) -> None:
    table = Table(client, "basic")
    table.book(table.quick("S", "W", score=20))
    table.book(table.post("/event", {"event": "finished"}))
    game = client.get(f"/api/tables/{table.score}").json()
    assert game["finished"]
    late = table.quick("S", "W", score=20)
    assert late.status_code == 422
    assert "game is over" in late.text


def test_two_scorers_never_book_a_deal_twice(client: Client) -> None:
    table = Table(client)
    opened = [hidden(table.get(), "/win")["version"][0] for _ in range(2)]
    fields = {"quick": 1, "seat": "S", "how": "W", "q.han": 3, "q.fu": 40}
    first, second = (table.post("/deal", {**fields, "version": version}) for version in opened)
    assert table.book(first).status_code == 303
    asked = follow(client, table.book(second))
    assert "all the same" in asked.text
    assert "Booked meanwhile" in asked.text
    assert "Bea wins, ron from Cid" in asked.text
    assert table.record["version"] == 2
    late = table.post("/deal", {**fields, "version": opened[1]})  # told before, sent after
    assert "Booked meanwhile" in late.text
    assert table.record["version"] == 2
    assert table.book(asked).status_code == 303  # it was another deal after all
    assert table.record["version"] == 3


def test_a_form_sent_twice_books_once(client: Client) -> None:
    table = Table(client)
    shown = table.quick("S", "W", han=3, fu=40)
    assert [table.book(shown).status_code for _ in range(2)] == [303, 303]
    assert table.record["version"] == 2


CHANGES = ["/event", "/book", "/deal", "/rematch", "/delete"]
SCORING = ["/win", "/win/live", "/quick", "/deal", "/draw", "/penalty", "/undo", "/more", "/edit/2", "/remove/2"]


def test_the_watching_link_changes_nothing(client: Client) -> None:
    table = Table(client)
    shown = table.quick("S", "W", han=3, fu=40)
    for path in CHANGES:
        assert table.post(path, sent(shown, "/book"), table.watch).status_code == 403
        assert table.post(path, sent(shown, "/book"), "A" * 22).status_code == 404
    for path in SCORING:
        assert table.get(path, table.watch).status_code == 403
    assert table.record["version"] == 1
    page = table.get("", table.watch)
    assert page.status_code == 200
    assert table.score not in page.text
    for text in (">Win<", ">Undo<", "/more"):
        assert text not in page.text
    assert table.get("/history", table.watch).status_code == 200
    assert table.score not in table.get("/links", table.watch).text


def faults_of(page: httpx.Response) -> dict[str, str]:
    """What a page says beside its fields."""
    found = re.findall(r'<p class="fault" id="fault-([^"]*)">(.*?)</p>', page.text)
    return {name: html.unescape(text) for name, text in found}


def value_of(page: httpx.Response, name: str) -> str | None:
    """What a page's text field, or what of a group of choices, holds."""
    held = []
    for tag in re.findall(r"<input[^>]*>", page.text):
        if f'name="{name}"' not in tag or 'type="hidden"' in tag:
            continue
        value = re.search(r'value="([^"]*)"', tag)
        if not re.search(r'type="(?:radio|checkbox)"', tag) or " checked" in tag:
            held.append(html.unescape(value[1]) if value else "")
    area = re.search(rf'<textarea name="{name}"[^>]*>(.*?)</textarea>', page.text, re.S)
    chosen = re.search(rf'<select name="{name}".*?value="([^"]*)" selected.*?</select>', page.text, re.S)
    held += [html.unescape(found[1]) for found in (area, chosen) if found]
    return ",".join(held) if held else None


API_WORDS = re.compile(
    r"If-Match|Idempotency|\b4\d\d\b|JSON object|token|Unprocessable|Forbidden|method|loc\b|Bearer"
    r"|'(?:by|from|to|kind|player|players|points|change\d|seat|winners|losers|dead|bets|ready|text|name|why|start|stake|rules|limit"
    r"|hand|score|han|fu|hp|bp|doubles|dora|ura|honba|sticks|limit_hands|self_draw|discard|event|version|tiles)'"
)
"""What programs are told and players are not."""


def main_of(page: httpx.Response) -> str:
    """What a page shows between its head and its end, as text."""
    body = page.text.partition("<main")[2].partition(">")[2].partition("</main>")[0]
    return html.unescape(re.sub(r"<[^>]*>", " ", body))


def test_a_page_that_goes_wrong_speaks_to_players_and_leads_on(client: Client) -> None:
    table = Table(client)
    number = table.record["id"]
    for token, path, status, way in (
        (table.watch, "/win", 403, f'href="/t/{table.watch}"'),
        (table.watch, "/more", 403, f'href="/t/{table.watch}"'),
        (table.score, "/book", 405, f'href="/t/{table.score}"'),
        (table.score, "/nothing", 404, f'href="/t/{table.score}"'),
        (table.score, "/edit/x", 404, f'href="/t/{table.score}"'),
        ("A" * 22, "/win", 404, 'href="/t"'),
        (number, "", 401, 'href="/t"'),
    ):
        page = table.get(path, token)
        assert page.status_code == status
        assert way in page.text, path
        assert API_WORDS.search(main_of(page)) is None, main_of(page)
        assert page.headers["cache-control"] == "private, no-store"
    page = table.post("/deal", {"quick": 1}, table.watch)
    assert page.status_code == 403
    assert f'href="/t/{table.watch}"' in page.text
    assert 'href="/rules"' in client.get("/rules/none", headers=PAGE).text.partition("<main")[2]
    for path in ("/nothing", "/rules/none"):
        page = client.get(path, headers=PAGE)
        assert page.status_code == 404
        assert API_WORDS.search(main_of(page)) is None
        assert 'href="/"' in page.text


WRONG_FORMS: list[tuple[str, dict[str, Any], dict[str, str]]] = [
    ("riichi", {"event": "penalty", "kind": "chombo"}, {"player": "say whose penalty"}),
    (
        "riichi",
        {"event": "penalty", "kind": "free", "player": 0, "points": "many", "to": [1, 2]},
        {"points": "a whole number from 1 to 1,000,000,000, not ‘many’"},
    ),
    ("riichi", {"event": "penalty", "kind": "free", "player": 0, "points": "-5", "to": [1]}, {"points": "not ‘-5’"}),
    ("riichi", {"event": "penalty", "kind": "free", "player": 0, "to": []}, {"points": "how many points", "to": "who"}),
    (
        "riichi",
        {"event": "penalty", "kind": "free", "player": 0, "points": "300", "to": [0, 1]},
        {"to": "nobody pays a penalty to themselves"},
    ),
    ("basic", {"event": "penalty", "kind": "nothing", "player": 2}, {"kind": "knows no penalty"}),
    ("riichi", {"event": "adjusted", "change0": "500", "why": "rain"}, {"change0": "make +500 together"}),
    ("riichi", {"event": "adjusted", "change0": "x", "change1": "−5"}, {"change0": "not ‘x’"}),
    ("riichi", {"event": "adjusted", "why": "nothing"}, {"change0": "say what changes"}),
    ("riichi", {"event": "adjusted", "change0": "5", "change1": "-5", "why": "w" * 2001}, {"why": "2,000 characters"}),
    ("riichi", {"event": "renamed", "name": "Eve", "substitute": "1"}, {"player": "whose seat"}),
    ("riichi", {"event": "renamed", "player": 1, "name": ""}, {"name": "write the new name"}),
    ("riichi", {"event": "renamed", "player": 1, "name": "é" * 81}, {"name": "at most 80 characters; this one has 81"}),
    ("riichi", {"event": "renamed", "player": 1, "name": "a\x01b"}, {"name": "character that cannot be kept"}),
    ("riichi", {"event": "note", "text": "n" * 2001}, {"text": "at most 2,000 characters, not 2,001"}),
    ("riichi", {"event": "note", "text": " "}, {"text": "write what is to be noted"}),
    ("riichi", {"event": "drawn", "kind": "odd", "ready": [1], "bet": [2]}, {"kind": "odd"}),
]


@pytest.mark.parametrize(("rules", "fields", "expected"), WRONG_FORMS)
def test_a_form_that_is_wrong_comes_back_as_it_was(
    client: Client, rules: str, fields: dict[str, Any], expected: dict[str, str]
) -> None:
    table = Table(client, rules)
    page = table.post("/event", {"version": 1, **fields})
    assert page.status_code == 422
    found = faults_of(page)
    assert set(found) == set(expected)
    for field, text in expected.items():
        assert text.lower() in found[field].lower()
        assert f'aria-describedby="fault-{field}"' in page.text
    for name, value in fields.items():
        if name != "event" and not (name == "kind" and value in ("odd", "nothing")):
            typed = ",".join(map(str, value)) if isinstance(value, list) else str(value).strip()
            assert (value_of(page, name) or "").strip() == typed, name
    assert hidden(page, "/event")["event"] == [fields["event"]]
    assert API_WORDS.search(main_of(page)) is None, main_of(page)
    assert table.record["version"] == 1


QUICK = {"quick": 1, "seat": "S", "how": "W"}
WRONG_QUICK: list[tuple[str, dict[str, Any], dict[str, str]]] = [
    ("riichi", {"quick": 1}, {"seat": "say who won", "how": "say how it was won", "q.han": "han and fu, or a limit"}),
    (
        "riichi",
        {**QUICK, "how": "S", "q.han": "3", "q.fu": "40"},
        {"how": "Bea cannot win on their own discard: say who else discarded the tile, or that it was drawn"},
    ),
    ("riichi", {**QUICK, "q.han": "many", "q.fu": "30"}, {"q.han": "Han: a whole number from 0 to 100, not ‘many’"}),
    ("riichi", {**QUICK, "q.han": "3"}, {"q.fu": "fu are missing"}),
    ("riichi", {**QUICK, "q.han": "3", "q.fu": "33"}, {"q.fu": "fu must be a multiple of 10, or 25, not 33"}),
    ("riichi", {**QUICK, "q.han": "0", "q.fu": "30"}, {"q.han": "at least 1 han"}),
    ("riichi", {**QUICK, "q.han": "2", "q.fu": "30", "q.limit": "mangan"}, {"q.limit": "give one of them"}),
    ("riichi", {**QUICK, "q.han": "1", "q.fu": "20"}, {"q.fu": "20 fu and 1 han cannot be"}),
    ("reach", {**QUICK, "q.hp": "1", "q.bp": "30"}, {"q.hp": "at least 3 Hand Points"}),
    ("basic", {**QUICK, "q.score": "-3"}, {"q.score": "The score: a whole number from 0"}),
    ("simplified", {**QUICK, "q.doubles": "3", "q.points": "1.5"}, {"q.points": "not ‘1.5’"}),
]


@pytest.mark.parametrize(("rules", "fields", "expected"), WRONG_QUICK)
def test_a_quick_entry_that_is_wrong_comes_back_as_it_was(
    client: Client, rules: str, fields: dict[str, Any], expected: dict[str, str]
) -> None:
    table = Table(client, rules)
    page = table.post("/deal", {"version": 1, "bet": 3, **fields} if rules == "riichi" else fields)
    assert page.status_code == 422
    found = faults_of(page)
    assert set(found) == set(expected)
    for field, text in expected.items():
        assert text.lower() in found[field].lower()
    for name, value in fields.items():
        if name != "quick":
            assert value_of(page, name) == value, name
    if rules == "riichi":
        assert hidden(page, "/deal")["bet"] == ["3"]
    assert API_WORDS.search(main_of(page)) is None, main_of(page)


def test_one_of_a_thing_is_said_as_one() -> None:
    rules = load_rules("basic")
    assert quick_words({"points": 32, "doubles": 1}, rules) == "1 double 32 points"
    assert quick_words({"points": 1, "doubles": 2}, rules) == "2 doubles 1 point"
    assert quick_words({"hp": 1, "bp": 30}, load_rules("reach")) == "1 Hand Point 30 Base Points"


def test_a_hand_by_tiles_without_a_discarder_comes_back(client: Client) -> None:
    table = Table(client)
    for how, text in (("", "Say how it was won"), ("S", "Bea cannot win on their own discard")):
        page = table.post("/deal", {"seat": "S", "how": how, "hand": "234m567p2234567s +8s", "flag": "riichi"})
        assert page.status_code == 422
        assert text in page.text
        assert value_of(page, "hand") == "234m567p2234567s +8s"
        assert value_of(page, "flag") == "riichi"
        assert API_WORDS.search(main_of(page)) is None
    short = table.post("/deal", {"seat": "S", "how": "W", "hand": "234m567p22345s"})
    assert short.status_code == 422
    assert value_of(short, "hand") == "22345s".join(["234m567p", ""])
    assert "Nobody wins on their own discard" in table.get("/win?seat=S&how=S").text
    assert not re.search(r'name="seat"[^>]* checked', table.get("/win").text)  # who won is asked, never guessed
    untold = table.post("/deal", {"how": "W", "hand": "234m567p2234567s +8s"})
    assert (untold.status_code, "say who won" in untold.text.lower()) == (422, True)


def test_losers_that_are_wrong_are_marked(client: Client) -> None:
    table = Table(client, "basic")
    fields = hidden(table.quick("N", "S", score=64), "/deal")
    page = table.post(
        "/deal",
        fields
        | {"loser.0.score": "many", "loser.1.hand": "123m", "loser.2.hand": "111m222p333s4445z", "loser.2.score": "4"},
    )
    assert page.status_code == 422
    found = faults_of(page)
    assert "not ‘many’" in found["loser.0.score"]
    assert "10 tiles short" in found["loser.1.hand"]
    assert "not both" in found["loser.2.score"]
    assert value_of(page, "loser.0.score") == "many"
    assert value_of(page, "loser.1.hand") == "123m"
    assert API_WORDS.search(main_of(page)) is None, main_of(page)


def test_several_winners_are_told_in_any_order_and_share_the_discarder(client: Client) -> None:
    table = Table(client)
    one = table.quick("E", "S", han=2, fu=40)
    carried = hidden(client.get(table.post("/deal", {**hidden(one, "/deal"), "do": "add"}).headers["location"]), "/win")
    page = table.get("/quick?" + urlencode(carried, doseq=True))
    assert re.findall(r'name="seat" value="(.)"', page.text) == ["W", "N"]
    assert re.findall(r'name="how" value="([^"]*)"( checked)?', page.text) == [("S", " checked")]
    tiles = table.get("/win?" + urlencode(carried, doseq=True))
    assert re.findall(r'name="seat" value="(.)"', tiles.text) == ["W", "N"]
    both = table.post("/deal", {**carried, "quick": 1, "seat": "N", "how": "S", "q.limit": "mangan"})
    assert both.status_code == 200
    table.book(both)
    assert table.record["points"] == [25000 + 3900, 25000 - 3900 - 8000, 25000, 25000 + 8000]
    for how, text in (("W", "wins from Bea too"), ("self_draw", "wins on a discard")):
        wrong = table.post("/deal", {**carried, "quick": 1, "seat": "N", "how": how, "q.limit": "mangan"})
        assert text in faults_of(wrong)["how"]


def test_notes_names_and_corrections_are_edited(client: Client) -> None:
    table = Table(client)
    table.book(table.post("/event", {"event": "adjusted", "change0": "1,500", "change2": "−1500", "why": "rain"}))
    table.book(table.post("/event", {"event": "note", "text": "rian"}))
    edit = table.get("/edit/2")
    assert [value_of(edit, name) for name in ("change0", "change2", "why")] == ["1500", "-1500", "rain"]
    table.book(table.post("/event", {**hidden(edit, "/event"), "change0": 500, "change3": -500}))
    assert table.record["points"] == [25500, 25000, 25000, 24500]
    note = table.get("/edit/3")
    assert value_of(note, "text") == "rian"
    table.book(table.post("/event", {**hidden(note, "/event"), "text": "rain"}))
    assert "Note: rain" in table.get("/history").text
    assert "/edit/2" in table.get("/history").text


def test_a_table_that_cannot_start_keeps_what_was_typed(client: Client) -> None:
    fields = {"rules": "basic", "o.limit": "300", "o.east_double": "false", "player0": "A" * 81, "player1": "Bea"}
    fields |= {"start": "-5", "stake": "lots", "name": "Thursday"}
    answer = follow(client, client.post("/t", content=urlencode(fields), headers=FORM))
    assert answer.status_code == 422
    found = faults_of(answer)
    assert found["player0"] == "A name has at most 80 characters; this one has 81: shorten it."
    assert found["start"] == "Start points: a whole number from 0 to 10,000,000, not ‘-5’."
    assert set(found) == {"player0", "start", "stake"}
    for name, value in fields.items():
        if not name.startswith("o."):
            assert value_of(answer, name) == value
    assert hidden(answer, "/t")["o.limit"] == ["300"]
    assert hidden(answer, "/t")["o.east_double"] == ["false"]
    for start in ("10000001", "many", "2.5"):
        assert "start" in faults_of(
            follow(client, client.post("/t", content=urlencode({"rules": "basic", "start": start}), headers=FORM))
        )
    stake = follow(client, client.post("/t", content=urlencode({"rules": "basic", "stake": "lots"}), headers=FORM))
    assert faults_of(stake) == {"stake": "Money for 100 points, such as 0.50, not ‘lots’."}
    other = follow(
        client,
        client.post("/t", content=urlencode(fields | {"player0": "", "start": "", "rules": "riichi"}), headers=FORM),
    )
    assert other.status_code == 422
    assert "house rules below are not of these rules" in faults_of(other)["rules"]
    assert "limit: 300, east double: no" in other.text
    assert 'href="/t?rules=riichi"' in other.text
    assert 'maxlength="80"' in answer.text
    assert 'maxlength="40"' not in answer.text
    few = Client(create_app(client.app.state.tables.store(), tables_per_hour=1))
    assert few.post("/t", content=urlencode({"rules": "basic"}), headers=FORM).status_code == 303
    late = few.post("/t", content=urlencode({"rules": "basic", "player1": "Bea"}), headers=FORM)
    assert late.status_code == 429
    assert late.headers["retry-after"].isdigit()
    assert value_of(late, "player1") == "Bea"


def test_table_pages_are_kept_by_nobody(client: Client) -> None:
    table = Table(client)
    for path in ("", "/history", "/links", "/more", "/win", "/quick", "/draw", "/penalty"):
        answer = table.get(path)
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "private, no-store"
        assert answer.headers["referrer-policy"] == "no-referrer"


def test_names_are_shown_as_text(client: Client) -> None:
    evil = "<img src=x onerror=alert(1)>\"'"
    table = Table(client, player1=evil[:40], name="<b>x</b>")
    table.book(table.quick("S", "W", han=3, fu=40))
    table.book(table.post("/event", {"event": "note", "text": evil}))
    for path in ("", "/history", "/links", "/more", "/win", "/quick", "/draw", "/penalty", "/undo", "/edit/2"):
        text = table.get(path).text
        assert "<img" not in text
        assert "<b>x" not in text


def test_bad_forms_are_answered(client: Client) -> None:
    table = Table(client)
    for fields in (
        {},
        {"seat": "X"},
        {"seat": "S"},
        {"seat": "S", "how": "S", "hand": "1m"},
        {"winner": "nonsense"},
        {"winner": json.dumps({"player": 9})},
        {"winner": "[" * 1000},
        {"quick": 1, "seat": "S", "how": "E"},
        {"quick": 1, "seat": "S", "how": "E", "q.han": "many", "q.fu": "x"},
        {"do": "tiles.7"},
    ):
        assert table.post("/deal", fields).status_code == 422
    for fields in ({}, {"event": "penalty"}, {"event": "adjusted", "change0": 5}, {"event": "renamed"}):
        assert table.post("/event", fields).status_code == 422
    for fields in ({}, {"event": "{}"}, {"event": "{}", "seen": 1, "key": "x"}, {"event": "1", "seen": "x"}):
        assert table.post("/book", fields).status_code in (422, 409)
    assert table.record["version"] == 1


def test_a_table_cannot_start_wrong(client: Client) -> None:
    answer = follow(client, client.post("/t", content=urlencode({"rules": "nope"}), headers=FORM))
    assert answer.status_code == 422
    assert "there are no rules" in answer.text.lower()
    answer = follow(
        client, client.post("/t", content=urlencode({"rules": "basic", "o.limit": 300, "start": "many"}), headers=FORM)
    )
    assert answer.status_code == 422


def test_house_rules_come_along(client: Client) -> None:
    table = Table(client, "basic", **{"o.limit": "300"})
    assert table.record["options"] == {"limit": 300}


def test_a_file_opens_as_the_same_game(client: Client) -> None:
    table = Table(client)
    table.book(table.quick("S", "W", han=3, fu=40))
    text = client.get(f"/api/tables/{table.score}/export.jsonl").text
    made = follow(client, client.post("/t/open", files={"file": ("game.jsonl", text)}, headers=PAGE))
    token = re.search(r'data-score="/t/([^"]+)"', made.text)
    assert token is not None
    other = client.get(f"/api/tables/{token[1]}").json()
    assert other["points"] == table.record["points"]
    assert other["id"] != table.record["id"]
    for content, said in (
        ("nonsense", "This is not a game file: choose one"),
        ("", "Choose the file of a game"),
        (" " * 10 + "x" * 4_000_001, "larger than 4 MB"),
        ('{"event": "started", "rules": "x", "players": ["a", "b", "c", "d"]}', "there are no rules ‘x’"),
    ):
        bad = client.post("/t/open", files={"file": ("game.jsonl", content)}, headers=PAGE)
        assert bad.status_code == 422
        assert said in faults_of(bad)["file"]
    assert Game.replay(map(json.loads, text.splitlines())).standing.points == (25000, 30200, 19800, 25000)


def test_a_file_of_senseless_events_is_shown_all_the_same(client: Client) -> None:
    lines: list[dict[str, Any]] = [
        {"event": "started", "rules": "riichi", "players": ["", "", "", ""]},
        {"event": "won", "winners": "x"},
        {"event": "won", "winners": [1, {"player": "a"}, {"player": 1, "by": "discard", "hand": 5, "liable": 3}]},
        {
            "event": "won",
            "winners": [{"player": 1, "by": "discard", "from": 2, "hand": "zzz"}],
            "losers": 4,
            "bets": [9],
        },
        {"event": "won"},
        {"event": "drawn", "ready": 5},
        {"event": "drawn", "kind": [1], "ready": [{}]},
        {"event": "penalty", "kind": [1], "to": 3},
        {"event": "renamed", "player": 7},
        {"event": "adjusted", "why": 3},
        {"event": "note"},
        {"event": "revised"},
        {"event": "revised", "seq": "x", "by": 5},
    ]
    text = "\n".join(map(json.dumps, lines))
    made = follow(client, client.post("/t/open", files={"file": ("game.jsonl", text)}, headers=PAGE))
    token = re.search(r'data-score="/t/([^"]+)"', made.text)
    assert token is not None
    for path in ("", "/history", "/undo", "/more", "/win", "/quick", "/draw", "/penalty"):
        assert client.get(f"/t/{token[1]}{path}", headers=PAGE).status_code in (200, 303, 422)
    for seq in range(20):
        for path in (f"/edit/{seq}", f"/remove/{seq}"):
            assert client.get(f"/t/{token[1]}{path}", headers=PAGE).status_code in (200, 303, 422)


def test_deleting_asks_and_then_does(client: Client) -> None:
    table = Table(client)
    version = hidden(table.get("/more"), "/delete")["version"]
    asked = table.post("/delete", {"version": version, "confirm": "no"})
    assert asked.status_code == 422
    assert "Type the word “delete”" in faults_of(asked)["confirm"]
    assert value_of(asked, "confirm") == "no"
    table.book(table.quick("S", "W", han=3, fu=40))
    late = table.post("/delete", {"version": version, "confirm": "delete"})
    assert late.status_code == 409
    assert "Bea wins, ron from Cid" in faults_of(late)["confirm"]
    version = hidden(table.get("/more"), "/delete")["version"]
    assert table.post("/delete", {"version": version, "confirm": "delete"}).status_code == 200
    assert table.get().status_code == 404


def test_links_made_on_the_server_itself_are_for_other_phones(client: Client, store: Store) -> None:
    app = create_app(store, tables_per_hour=0)
    app.state.address = "http://192.0.2.7:8000/"
    local = {"Host": "localhost:8000"}
    sent_on = Client(app).post("/t", content=urlencode({"rules": "basic"}), headers={**FORM, **local})
    made = Client(app).get(sent_on.headers["location"], headers={**PAGE, **local})
    assert 'value="http://192.0.2.7:8000/t/' in made.text
    other = Client(app).get(sent_on.headers["location"], headers={**PAGE, "Host": "tenbo.example"})
    assert 'value="http://tenbo.example/t/' in other.text


def test_whoever_bet_is_offered_with_riichi_and_asked_about_it_where_it_is_missing(client: Client) -> None:
    table = Table(client)
    riichi = re.compile(r'name="flag" value="riichi"( checked)?>')
    assert riichi.findall(table.get("/win?bet=1").text) == [""]  # nobody has won yet
    assert riichi.findall(table.get("/win?bet=1&seat=S&how=W").text) == [""]
    fields = {"seat": "S", "how": "W", "bet": "1", "hand": "234m567p2234567s +8s"}
    assert "scored without riichi" in table.post("/deal", fields).text
    assert "scored without riichi" not in table.post("/deal", {**fields, "flag": "riichi"}).text


def test_a_quick_entry_is_changed_with_what_it_said(client: Client) -> None:
    table = Table(client)
    fields = {"quick": "1", "seat": "S", "how": "W", "q.han": "3", "q.fu": "40", "do": "change.0"}
    page = client.get(table.post("/deal", fields).headers["location"])
    assert 'name="q.han" inputmode="numeric" value="3"' in page.text
    assert 'name="q.fu" inputmode="numeric" value="40"' in page.text
    assert len(re.findall(r'type="radio"[^>]* checked', page.text)) == 2


def test_points_that_do_not_move_have_no_colour_and_results_no_plus(client: Client) -> None:
    table = Table(client, "basic", player1="Bartholomew the Younger of Nowhere")
    table.book(table.quick("S", "W", score=20))
    history = table.get("/history").text
    colours = re.findall(r'<b class="(\w*)">([^<]*)</b></span>', history)
    assert colours == [("out", "−40"), ("in", "+80"), ("out", "−20"), ("out", "−20")]
    table.book(table.post("/event", {"event": "penalty", "kind": "free", "player": 0, "points": 5, "to": [3]}))
    colours = re.findall(r'<b class="(\w*)">([^<]*)</b></span>', table.get("/history").text)
    assert colours[:4] == [("out", "−5"), ("", "0"), ("", "0"), ("in", "+5")]
    page = table.get().text
    legend = page.partition('<ul class="legend">')[2].partition("</ul>")[0]
    assert re.findall(r"<span>([^<]*)</span>", legend)[0] == "Bartholomew the Younger of Nowhere"
    table.book(table.post("/event", {"event": "finished"}))
    ranking = table.get().text.partition('<ol class="ranking">')[2].partition("</ol>")[0]
    assert "2,080" in ranking
    assert "+" not in ranking
    riichi = Table(client)
    riichi.book(riichi.post("/event", {"event": "finished"}))
    assert "+" not in riichi.get().text.partition('<ol class="ranking">')[2].partition("</ol>")[0]
