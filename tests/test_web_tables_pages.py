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
from tenbo.web import create_app
from webclient import Client

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
        made = client.post("/t", content=urlencode(fields), headers=FORM)
        assert made.status_code == 200
        self.score, self.watch = re.findall(r'data-(?:score|watch)="/t/([^"]+)"', made.text)

    def get(self, path: str = "", token: str = "") -> httpx.Response:
        return self.client.get(f"/t/{token or self.score}{path}", headers=PAGE)

    def post(self, path: str, fields: Any, token: str = "") -> httpx.Response:
        return self.client.post(f"/t/{token or self.score}{path}", content=urlencode(fields, doseq=True), headers=FORM)

    def book(self, page: httpx.Response, token: str = "") -> httpx.Response:
        """Presses the page's button that books."""
        return self.post("/book", hidden(page, "/book"), token)

    def quick(self, seat: str, how: str, **worth: Any) -> httpx.Response:
        return self.post("/deal", {"quick": 1, "seat": seat, "how": how} | {f"q.{k}": v for k, v in worth.items()})

    @property
    def record(self) -> dict[str, Any]:
        return self.client.get(f"/api/tables/{self.score}").json()


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
    both = table.post("/deal", {**carried, "quick": 1, "seat": "W", "how": "E", "q.limit": "limit hand"})
    assert "Winners" in both.text
    fields = hidden(both, "/deal") | {"liable.1": 3, "liable.1.hands": 1}
    shown = table.post("/deal", fields)
    assert "liability" in shown.text
    fewer = table.post("/deal", fields | {"do": "drop.0"})
    assert "Winners" not in fewer.text
    table.book(shown)
    assert table.record["points"] == [25000 - 2000 - 16000, 27000, 25000 + 32000, 25000 - 16000]


def test_losers_score_in_classical_games(client: Client) -> None:
    table = Table(client, "basic")
    shown = table.quick("N", "S", score=64)
    fields = hidden(shown, "/deal")
    shown = table.post("/deal", fields | {"loser.0.score": 12, "loser.1.score": "8", "loser.2.score": 48})
    table.book(shown)
    assert table.record["points"] == [2000 - 192, 2000 - 112, 2000 + 48, 2000 + 256]


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
    again = table.post("/rematch", {"seats": "turned"})
    assert "The table is ready" in again.text


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
    asked = table.book(second)
    assert asked.status_code == 409
    assert "Somebody booked meanwhile" in asked.text
    assert "Bea wins, ron from Cid" in asked.text
    assert table.record["version"] == 2
    late = table.post("/deal", {**fields, "version": opened[1]})  # told before, sent after
    assert "Somebody booked meanwhile" in late.text
    assert table.record["version"] == 2
    assert table.book(asked).status_code == 303  # it was another deal after all
    assert table.record["version"] == 3


def test_a_form_sent_twice_books_once(client: Client) -> None:
    table = Table(client)
    shown = table.quick("S", "W", han=3, fu=40)
    assert [table.book(shown).status_code for _ in range(2)] == [303, 303]
    assert table.record["version"] == 2


CHANGES = ["/event", "/book", "/deal", "/rematch", "/delete"]
SCORING = ["/win", "/win/live", "/quick", "/draw", "/penalty", "/undo", "/more", "/edit/2", "/remove/2"]


def test_the_watching_link_changes_nothing(client: Client) -> None:
    table = Table(client)
    shown = table.quick("S", "W", han=3, fu=40)
    for path in CHANGES:
        assert table.post(path, hidden(shown, "/book"), table.watch).status_code == 403
        assert table.post(path, hidden(shown, "/book"), "A" * 22).status_code == 404
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
        (table.score, "/deal", 405, f'href="/t/{table.score}"'),
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
    for path in ("/nothing", "/rules/none"):
        page = client.get(path, headers=PAGE)
        assert page.status_code == 404
        assert API_WORDS.search(main_of(page)) is None
        assert 'href="/"' in page.text


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
    for fields in ({}, {"event": "{}"}, {"event": "{}", "version": 1, "key": "x"}, {"event": "1", "version": "x"}):
        assert table.post("/book", fields).status_code in (422, 409)
    assert table.record["version"] == 1


def test_a_table_cannot_start_wrong(client: Client) -> None:
    answer = client.post("/t", content=urlencode({"rules": "nope"}), headers=FORM)
    assert answer.status_code == 422
    assert "there are no rules" in answer.text.lower()
    answer = client.post("/t", content=urlencode({"rules": "basic", "o.limit": 300, "start": "many"}), headers=FORM)
    assert answer.status_code == 422


def test_house_rules_come_along(client: Client) -> None:
    table = Table(client, "basic", **{"o.limit": "300"})
    assert table.record["options"] == {"limit": 300}


def test_a_file_opens_as_the_same_game(client: Client) -> None:
    table = Table(client)
    table.book(table.quick("S", "W", han=3, fu=40))
    text = client.get(f"/api/tables/{table.score}/export.jsonl").text
    made = client.post("/t/open", files={"file": ("game.jsonl", text)}, headers=PAGE)
    token = re.search(r'data-score="/t/([^"]+)"', made.text)
    assert token is not None
    other = client.get(f"/api/tables/{token[1]}").json()
    assert other["points"] == table.record["points"]
    assert other["id"] != table.record["id"]
    bad = client.post("/t/open", files={"file": ("game.jsonl", "nonsense")}, headers=PAGE)
    assert bad.status_code == 422
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
    made = client.post("/t/open", files={"file": ("game.jsonl", text)}, headers=PAGE)
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
    assert table.post("/delete", {"version": version, "confirm": "no"}).status_code == 303
    table.book(table.quick("S", "W", han=3, fu=40))
    assert table.post("/delete", {"version": version, "confirm": "delete"}).status_code == 409
    version = hidden(table.get("/more"), "/delete")["version"]
    assert table.post("/delete", {"version": version, "confirm": "delete"}).status_code == 200
    assert table.get().status_code == 404


def test_links_made_on_the_server_itself_are_for_other_phones(client: Client, store: Store) -> None:
    app = create_app(store, tables_per_hour=0)
    app.state.address = "http://192.0.2.7:8000/"
    made = Client(app).post("/t", content=urlencode({"rules": "basic"}), headers={**FORM, "Host": "localhost:8000"})
    assert 'value="http://192.0.2.7:8000/t/' in made.text
    other = Client(app).post("/t", content=urlencode({"rules": "basic"}), headers={**FORM, "Host": "tenbo.example"})
    assert 'value="http://tenbo.example/t/' in other.text


def test_whoever_bet_is_offered_with_riichi_and_asked_about_it_where_it_is_missing(client: Client) -> None:
    table = Table(client)
    riichi = re.compile(r'name="flag" value="riichi"( checked)?>')
    assert riichi.findall(table.get("/win?bet=1").text) == [" checked"]
    assert riichi.findall(table.get("/win?bet=2").text) == [""]
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
