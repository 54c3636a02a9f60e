"""Tables over REST: made, read, booked, previewed."""

from __future__ import annotations

import json
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from cases import read_cases
from tableclient import make, problem
from tablekit import DRAWN, NAMES, WON, note, started
from tenbo.ledger.store import open_store
from tenbo.web.app import create_app
from webclient import Client

SEATS = "ESWN"


def test_making_a_table_answers_with_two_links(client: Client) -> None:
    answer = client.post("/api/tables", json={"rules": "riichi", "players": NAMES, "name": "Thursday"})
    assert answer.status_code == 201
    made = answer.json()
    assert answer.headers["location"] == f"/api/tables/{made['id']}"
    assert answer.headers["etag"] == '"1"'
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["referrer-policy"] == "no-referrer"
    tokens = {made[role]["token"] for role in ("score", "watch")}
    assert len(tokens) == 2
    for role in ("score", "watch"):
        token = made[role]["token"]
        assert re.fullmatch(r"[\w-]{22}", token)
        assert made[role]["path"] == f"/t/{token}"
        assert made[role]["link"] == f"http://tenbo.test/t/{token}"
        read = client.get(f"/api/tables/{token}").json()
        assert (read["role"], read["id"], read["name"]) == (role, made["id"], "Thursday")
        assert client.get(f"/api/tables/{made['id']}", headers={"Authorization": f"Bearer {token}"}).json() == read
        assert not [token for token in tokens if token in json.dumps(read)]
    assert made["table"]["points"] == [25000] * 4


def test_a_table_that_begins_in_the_middle_with_house_rules(client: Client) -> None:
    more = {"points": [30000, 20000, 26000, 22000], "dealer": 2, "round": "S", "honba": 1, "sticks": 2, "stake": "0.50"}
    table = make(client, options={"honba_value": 600}, start=25000, **more)
    read = table.get().json()
    assert {key: read[key] for key in more if key != "sticks"} == {key: more[key] for key in more if key != "sticks"}
    assert (read["sticks"], read["options"], read["seats"]) == (2, {"honba_value": 600}, ["W", "N", "E", "S"])
    booked = table.book({"event": "won", "winners": [{"player": 2, "by": "discard", "from": 0, "han": 1, "fu": 30}]}, 1)
    assert booked.json()["row"]["payments"] == [-2100, 0, 4100, 0]


def test_a_table_with_rules_of_its_own(client: Client) -> None:
    text = 'extends = "riichi"\ntitle = "House"\n[options.honba_value]\ndefault = 900\n'
    table = make(client, rules=None, ruleset=text, honba=1)
    read = table.get().json()
    assert (read["rules"], read["title"]) == ("House", "House")
    assert table.book(WON, 1).json()["row"]["payments"] == [0, 6100, -6100, 0]


@pytest.mark.parametrize(
    ("given", "code", "at"),
    [
        ({}, "missing_field", "rules"),
        ({"rules": "richi", "players": NAMES}, "unknown_rules", "rules"),
        ({"rules": "/etc/passwd", "players": NAMES}, "unknown_rules", "rules"),
        ({"rules": "./house.toml", "players": NAMES}, "unknown_rules", "rules"),
        ({"rules": ["riichi"], "players": NAMES}, "unknown_rules", "rules"),
        ({"rules": "riichi"}, "missing_field", "players"),
        ({"rules": "riichi", "players": NAMES[:3]}, "bad_value", "players"),
        ({"rules": "riichi", "players": ["a" * 81, *NAMES[1:]]}, "bad_value", "players"),
        ({"rules": "riichi", "players": NAMES, "name": "a" * 81}, "bad_value", "name"),
        ({"rules": "riichi", "players": NAMES, "name": 7}, "bad_value", "name"),
        ({"rules": "riichi", "players": NAMES, "nam": "x"}, "unknown_field", "nam"),
        ({"rules": "riichi", "players": NAMES, "options": {"honba": 1}}, "unknown_option", "honba"),
        ({"rules": "riichi", "players": NAMES, "start": "many"}, "bad_value", "start"),
        ({"ruleset": 'extends = "/etc/passwd"\n', "players": NAMES}, "bad_value", "extends"),
        ({"ruleset": "x = " + "[" * 60 + "]" * 60, "players": NAMES}, "bad_value", "rules"),
        ({"ruleset": "title = ", "players": NAMES}, "bad_value", "rules"),
        ({"ruleset": ["x"], "players": NAMES}, "bad_value", "ruleset"),
        ({"ruleset": 'extends = "basic"\n', "rules": 7, "players": NAMES}, "bad_value", "rules"),
        (
            {"ruleset": 'extends = "basic"\n[hand.x]\npoints = 1\nwhen = "__import__(1)"\n', "players": NAMES},
            "bad_value",
            None,
        ),
    ],
)
def test_what_cannot_be_a_table(light: Client, given: dict[str, Any], code: str, at: str | None) -> None:
    body = problem(light.post("/api/tables", json=given), 422)
    assert body["error"] == body["errors"][0]["code"]
    assert code in [one["code"] for one in body["errors"]]
    if at is not None:
        assert at in [one["at"] for one in body["errors"]], body
    assert light.app.state.tables.store().count() == 0


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"7", b"\xff", b'"x"', b"NaN", b"[" * 5000, b'{"a":' * 900 + b"1" + b"}" * 900]
)
def test_bodies_that_are_no_object(light: Client, body: bytes) -> None:
    table = make(light)
    for path, headers in (
        ("/api/tables", {}),
        ("/api/tables/import", {}),
        (f"/api/tables/{table.score}/events", {"If-Match": "*"}),
        (f"/api/tables/{table.score}/preview", {}),
        (f"/api/tables/{table.score}/rematch", {}),
    ):
        problem(light.post(path, content=body, headers=headers), 422)
    assert table.get().json()["version"] == 1
    assert light.app.state.tables.store().count() == 1


def test_bodies_that_are_too_large(light: Client) -> None:
    table = make(light)
    for path, most, headers in (
        ("/api/tables", 128 * 1024, {}),
        ("/api/tables/import", 4_000_000, {}),
        (f"/api/tables/{table.score}/events", 64 * 1024, {"If-Match": "*"}),
        (f"/api/tables/{table.score}/preview", 64 * 1024, {}),
        (f"/api/tables/{table.score}/rematch", 64 * 1024, {}),
    ):
        problem(light.post(path, content=b" " * (most + 1), headers=headers), 413)


def test_a_version_that_was_seen_is_not_sent_again(light: Client) -> None:
    table = make(light)
    first = table.get()
    assert first.headers["etag"] == '"1"'
    assert "authorization" in first.headers["vary"].lower()
    again = table.get(headers={"If-None-Match": '"1"'})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", '"1"')
    table.book(WON, 1)
    assert table.get(headers={"If-None-Match": '"1"'}).json()["version"] == 2


# -------------------------------------------------------------------------------------------------------------- booked


def test_an_event_is_booked(client: Client) -> None:
    table = make(client)
    answer = table.book(
        {"event": "won", "winners": [{"player": 1, "by": "discard", "from": 2, "hand": "234m567p2234567s +8s"}]}, 1
    )
    assert answer.status_code == 201
    assert answer.headers["etag"] == '"2"'
    body = answer.json()
    assert (body["version"], body["seq"], body["problems"]) == (2, 2, [])
    assert body["row"]["transfers"] == [{"from": 2, "to": 1, "amount": 2000, "why": "hand"}]
    (score,) = body["row"]["scores"]
    assert (score["player"], score["score"]["han"], score["score"]["fu"]) == (1, 2, 30)
    assert body["table"]["points"] == [25000, 27000, 23000, 25000]
    assert body["table"]["undo"] == {"event": "revised", "seq": 2, "by": None}
    read = table.get().json()
    assert {key: read[key] for key in body["table"]} == body["table"]
    assert [deal["payments"] for deal in read["deals"]] == [[0, 2000, -2000, 0]]


def test_the_second_is_shown_what_happened(client: Client) -> None:
    table = make(client)
    assert table.book(WON, 1).status_code == 201
    body = problem(table.book(WON, 1), 409)
    assert (body["version"], body["expected"]) == (2, 1)
    (happened,) = body["events"]
    assert happened["seq"] == 2
    assert happened["row"]["payments"] == [0, 5200, -5200, 0]
    assert body["table"]["points"] == [25000, 30200, 19800, 25000]
    assert problem(table.book(WON, 9), 409)["events"] == []
    assert table.book(WON, body["version"]).status_code == 201


def test_of_two_who_book_at_once_one_is_booked(client: Client) -> None:
    table = make(client)
    for version in range(1, 5):
        gate = threading.Barrier(4)

        def book(_: int, version: int = version, gate: threading.Barrier = gate) -> int:
            gate.wait()
            return table.book(WON, version).status_code

        with ThreadPoolExecutor(4) as pool:
            assert sorted(pool.map(book, range(4))) == [201, 409, 409, 409]
    assert table.get().json()["version"] == 5


def test_booking_needs_a_version(light: Client) -> None:
    table = make(light)
    problem(table.post("/events", WON), 428)
    for wrong in ("", "x", '"1", "2"', '"-1"', '"1e3"', "99999999999"):
        problem(table.post("/events", WON, if_match=wrong), 400)
    for right, version in (('"1"', 2), ("2", 3), ('W/"3"', 4), ("*", 5)):
        assert table.post("/events", note(), if_match=right).json()["version"] == version


def test_a_request_sent_twice_books_once(client: Client) -> None:
    table = make(client)
    first = table.book(WON, 1, "key-1")
    table.book({"event": "revised", "seq": 2, "by": DRAWN}, 2)
    again = table.book(WON, 1, "key-1")
    assert (again.status_code, again.text, again.headers["etag"]) == (201, first.text, first.headers["etag"])
    assert table.get().json()["version"] == 3
    problem(table.book(DRAWN, 3, "key-1"), 422)
    for wrong in ("", "x" * 201, "two words"):
        problem(table.post("/events", WON, if_match="*", idempotency_key=wrong), 400)


@pytest.mark.parametrize(
    ("event", "code"),
    [
        ({}, "missing_field"),
        ({"event": "wonn"}, "bad_value"),
        ({"event": "won"}, "missing_field"),
        ({"event": "won", "winners": [{"player": 4, "by": "self_draw", "limit": "mangan"}]}, "bad_value"),
        ({"event": "won", "winners": [{"player": 0, "by": "self_draw", "hand": "123m"}]}, "wrong_tile_count"),
        ({"event": "note", "text": "x" * 2001}, "bad_value"),
        ({"event": "note", "text": "\x1b[2J"}, "bad_value"),
        ({"event": "renamed", "player": 0, "name": "x" * 81}, "bad_value"),
        ({"event": "adjusted", "points": [1, 0, 0, 0]}, "bad_value"),
        ({"event": "revised", "seq": 1, "by": None}, "bad_value"),
        (started(), "bad_value"),
    ],
)
def test_what_makes_no_sense_is_not_booked(light: Client, event: Any, code: str) -> None:
    table = make(light)
    for answer in (table.book(event, 1), table.post("/preview", event)):
        body = problem(answer, 422)
        assert code in [one["code"] for one in body["errors"]]
        assert body["error"] == body["errors"][0]["code"]
    assert table.get().json()["version"] == 1


def test_a_preview_says_all_and_books_nothing(client: Client) -> None:
    table = make(client, WON)
    answer = table.post("/preview", DRAWN)
    assert (answer.status_code, answer.headers["etag"]) == (200, '"2"')
    body = answer.json()
    assert {(one["from"], one["to"], one["amount"], one["why"]) for one in body["row"]["transfers"]} == {
        (payer, payee, 750, "ready") for payer in (1, 3) for payee in (0, 2)
    }
    assert body["points"] == [26500, 28700, 21300, 23500]
    assert body["ranking"][0] == {"player": 1, "place": 1, "points": 28700, "result": 28.7}
    assert table.get().json()["version"] == 2
    booked = table.book(DRAWN, 2).json()
    assert booked["row"] == body["row"] | {"seq": 3}
    assert booked["table"]["points"] == body["points"]
    assert table.post("/preview", DRAWN, table.watch).status_code == 200, "looking ahead changes nothing"


def test_a_preview_of_a_revision_names_what_would_no_longer_make_sense(light: Client) -> None:
    table = make(
        light,
        WON,
        {"event": "won", "winners": [{"player": 2, "by": "discard", "from": 0, "han": 1, "fu": 30}]},
        options={"bust_ends": True},
    )
    limit = {"event": "won", "winners": [{"player": 1, "by": "discard", "from": 2, "limit": "limit hand"}]}
    body = table.post("/preview", {"event": "revised", "seq": 2, "by": limit}).json()
    assert [(row["seq"], row["problem"]) for row in body["problems"]] == [(3, "the game is over")]
    assert body["finished"]


def test_history_tells_what_was_changed(client: Client) -> None:
    table = make(
        client,
        WON,
        DRAWN,
        {"event": "revised", "seq": 2, "by": note("was wrong")},
        {"event": "revised", "seq": 2, "by": None},
    )
    body = table.get("/history", table.watch).json()
    assert body["version"] == 5
    first, won, drawn, edited, out = body["events"]
    assert [one["seq"] for one in body["events"]] == [1, 2, 3, 4, 5]
    assert first["event"]["event"] == "started"
    assert (won["event"]["event"], won["now"], won["revised_by"], won["row"]) == ("won", None, [4, 5], None)
    assert (drawn["now"]["event"], drawn["revised_by"], drawn["row"]["payments"]) == (
        "drawn",
        [],
        [1500, -1500, 1500, -1500],
    )
    assert edited["change"]["was"] == won["event"]
    assert edited["change"]["now"]["text"] == "was wrong"
    assert (out["change"]["was"]["text"], out["change"]["now"], out["change"]["seq"]) == ("was wrong", None, 2)
    later = table.get("/history?after=3").json()["events"]
    assert later == body["events"][3:]
    said = problem(table.get("/history?after=-1"), 422)
    assert (said["error"], said["errors"][0]["code"], said["errors"][0]["at"]) == ("bad_value", "bad_value", "after")
    assert "'after' in the address cannot be '-1'" in said["detail"]


def test_undo_restores_the_table(client: Client) -> None:
    table = make(client, WON)
    before = table.get().json()
    table.book(DRAWN)
    table.book(table.get().json()["undo"])
    after = table.get().json()
    changing = ("version", "undo", "deals")
    assert {k: v for k, v in after.items() if k not in changing} == {
        k: v for k, v in before.items() if k not in changing
    }
    assert after["undo"] == before["undo"]


def test_a_table_is_full_at_last(tmp_path: Any) -> None:
    store = open_store(str(tmp_path / "tables.db"), most_events=2)
    client = Client(create_app(store, tables_per_hour=0))
    table = make(client, WON)
    assert "rematch" in problem(table.book(WON), 422)["detail"]
    problem(client.post("/api/tables/import", content=table.get("/export.jsonl").content * 2), 422)
    store.close()


def test_settlements_are_the_same_at_a_table(client: Client) -> None:
    cases = read_cases("settle")
    for case in cases:
        given, want = case["input"], case["expect"]
        table = make(client, **first_of(given))
        answer = table.book(event_of(given), 1)
        assert answer.status_code == 201, (case["id"], answer.text)
        row = answer.json()["row"]
        assert dict(zip(SEATS, row["payments"], strict=True)) == want["payments"], case["id"]
        for key in ("sticks", "kitty", "honba"):
            if want.get(key) is not None:
                got = (
                    [{"seat": SEATS[s["player"]], "points": s["points"]} for s in row["kitty"]]
                    if key == "kitty"
                    else row[key]
                )
                assert got == want[key], (case["id"], key)
    assert cases


def first_of(deal: dict[str, Any]) -> dict[str, Any]:
    keys = ("rules", "options", "round", "honba", "sticks")
    kitty = [{"player": SEATS.index(stake["seat"]), "points": stake["points"]} for stake in deal.get("kitty", [])]
    return {key: deal[key] for key in keys if key in deal} | ({"kitty": kitty} if kitty else {})


def event_of(deal: dict[str, Any]) -> dict[str, Any]:
    """A settlement's input as an event, East being player 0."""

    def renamed(said: dict[str, Any]) -> dict[str, Any]:
        out = {("player" if key == "seat" else key): value for key, value in said.items()}
        for key in ("player", "from"):
            if key in out:
                out[key] = SEATS.index(out[key])
        if "to" in out:
            out["to"] = [SEATS.index(seat) for seat in out["to"]]
        if "liable" in out:
            out["liable"] = [renamed(one) for one in out["liable"]]
        return out

    bets = {"bets": [SEATS.index(seat) for seat in deal["bets"]]} if "bets" in deal else {}
    if "draw" in deal:
        ready = [SEATS.index(seat) for seat in deal["draw"].get("ready", [])]
        return {"event": "drawn", "kind": deal["draw"]["kind"], "ready": ready, **bets}
    if "penalty" in deal:
        return {"event": "penalty", **renamed(deal["penalty"])}
    losers = [{"player": SEATS.index(seat), **said} for seat, said in deal.get("losers", {}).items()]
    dead = [SEATS.index(seat) for seat in deal.get("dead", [])]
    more = {key: value for key, value in (("losers", losers), ("dead", dead)) if value}
    return {"event": "won", "winners": [renamed(one) for one in deal["winners"]], **more, **bets}
