"""Tables over REST: exported, imported, played again, deleted; what holds for any sequence of events."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tableclient import Table, make, problem
from tablekit import DRAWN, WON, note, started
from tenbo.ledger import Game
from tenbo.ledger.sheet import safe
from webclient import Client


def test_an_export_opens_again(client: Client) -> None:
    table = make(client, WON, DRAWN, {"event": "revised", "seq": 2, "by": None}, note("發 =1+1"), name="Thursday")
    for form in ("jsonl", "json"):
        answer = table.get(f"/export.{form}", table.watch)
        assert answer.headers["content-disposition"] == f'attachment; filename="tenbo-{table.id}.{form}"'
        assert answer.headers["etag"] == '"5"'
        made = client.post("/api/tables/import", content=answer.content)
        assert made.status_code == 201, made.text
        again = Table(client, made.json())
        assert again.id != table.id
        assert again.get("/export.jsonl").text == table.get("/export.jsonl").text
        assert again.get("/export.json").text == table.get("/export.json").text
        assert again.get("/export.csv").text == table.get("/export.csv").text
        mine = ("id", "name", "created")
        one, two = (each.get().json() for each in (table, again))
        assert {k: v for k, v in one.items() if k not in mine} == {k: v for k, v in two.items() if k not in mine}
        assert again.get("/history").json() == table.get("/history").json()
    assert json.loads(table.get("/export.json").text)["game"]["points"] == table.get().json()["points"]


def test_events_that_make_no_sense_are_imported_without_effect(light: Client) -> None:
    lines = [started(), WON, {"event": "won"}, {"event": "revised", "seq": 77, "by": None}, DRAWN]
    made = light.post("/api/tables/import", content="\n\n".join(map(json.dumps, lines)) + "\n")
    table = Table(light, made.json())
    read = table.get().json()
    assert [deal["problem"] is not None for deal in read["deals"]] == [False, True, True, False]
    assert "no effect" in table.get("/export.csv").text
    assert table.book(WON, 5).status_code == 201
    again = light.post("/api/tables/import", content=table.get("/export.jsonl").content)
    assert Table(light, again.json()).get().json()["deals"] == table.get().json()["deals"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "missing_field"),
        (b"\n \n", "missing_field"),
        (b"Dear Ann", "bad_json"),
        (b'{"event": "won"}', "bad_value"),
        (b'{"events": []}', "missing_field"),
        (b'{"events": [7]}', "bad_json"),
        (b'{"events": 7}', "missing_field"),
        (b'{"game": {}}', "missing_field"),
        (json.dumps(started("house.toml")).encode(), "unknown_rules"),
        (json.dumps(started("../../etc/passwd")).encode(), "unknown_rules"),
        ((json.dumps(started()) + "\n{").encode(), "bad_json"),
    ],
)
def test_files_that_are_no_game(light: Client, body: bytes, code: str) -> None:
    assert problem(light.post("/api/tables/import", content=body), 422)["error"] == code
    assert light.app.state.tables.store().count() == 0


def test_a_sheet_holds_no_formula(light: Client) -> None:
    names = ["=cmd|'/C calc'!A0", "+1", "-2", "@x"]
    won = {"event": "won", "winners": [{"player": 0, "by": "self_draw", "hand": "234m567p2234567s +8s"}]}
    table = make(
        light,
        won,
        {"event": "won", "winners": [{"player": 1, "by": "discard", "from": 2, "han": 3, "fu": 40}]},
        DRAWN,
        {"event": "penalty", "kind": "chombo", "player": 3},
        {"event": "adjusted", "points": [100, -100, 0, 0], "why": "=HYPERLINK(1)"},
        note(' =1+1,"quoted"\nnext'),
        {"event": "renamed", "player": 2, "name": "\u00a0=2"},
        players=names,
    )
    answer = table.get("/export.csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"), newline="")))
    assert len(rows) == 8
    assert {len(row) for row in rows} == {16}
    for row in rows:
        for cell in row:
            assert re.fullmatch(r"-?\d+", cell) or not cell.lstrip(" \u00a0").startswith(
                ("=", "+", "-", "@", "\t", "\r")
            ), cell
    assert [int(cell) for cell in rows[1][5:13]] == [3900, -1300, -1300, -1300, 28900, 23700, 23700, 23700]
    assert rows[6][15] == '\' =1+1,"quoted"\nnext'


@given(st.text(max_size=8))
def test_no_text_is_a_formula(text: str) -> None:
    assert not safe(text).startswith(("=", "+", "-", "@", "\t", "\r"))
    assert safe(text).removeprefix("'") == text.removeprefix("'") or safe(text) == "'" + text


def test_a_rematch_is_another_table(client: Client) -> None:
    table = make(
        client, WON, {"event": "renamed", "player": 0, "name": "Eve"}, name="Thursday", options={"uma": [5, 0, 0, -5]}
    )
    made = table.post("/rematch", {"seats": "turned"})
    assert made.status_code == 201
    again = Table(client, made.json())
    read = again.get().json()
    assert (read["players"], read["name"], read["version"]) == (["Bea", "Cid", "Dan", "Eve"], "Thursday", 1)
    assert read["options"] == {"uma": [5, 0, 0, -5]}
    assert len({table.score, table.watch, again.score, again.watch}) == 4
    drawn = Table(client, table.post("/rematch", {"seats": "drawn", "name": "Friday"}).json()).get().json()
    assert (sorted(drawn["players"]), drawn["name"]) == (["Bea", "Cid", "Dan", "Eve"], "Friday")
    assert Table(client, table.post("/rematch", {}).json()).get().json()["players"] == ["Eve", "Bea", "Cid", "Dan"]
    for wrong in ({"seats": "shuffled"}, {"seats": ["kept"]}, {"name": 7}, {"seat": "kept"}):
        problem(table.post("/rematch", wrong), 422)
    assert table.get().json()["version"] == 3


def test_deleting_asks_first(client: Client) -> None:
    table = make(client, WON)
    path = f"/api/tables/{table.score}"
    asked = problem(client.request("DELETE", path), 428)
    assert asked["export"] == f"/api/tables/{table.id}/export.jsonl"
    assert (asked["confirm"], asked["version"]) == (table.id, 2)
    token = {"Authorization": f"Bearer {table.score}"}
    assert client.get(asked["export"], headers=token).status_code == 200
    problem(client.request("DELETE", path, headers={"If-Match": '"2"'}), 428)
    problem(client.request("DELETE", f"{path}?confirm={table.id}"), 428)
    problem(client.request("DELETE", f"{path}?confirm=yes", headers={"If-Match": '"2"'}), 428)
    problem(client.request("DELETE", f"{path}?confirm={table.id}", headers={"If-Match": "*"}), 400)
    table.book(DRAWN)
    problem(client.request("DELETE", f"{path}?confirm={table.id}", headers={"If-Match": '"2"'}), 409)
    assert table.get().json()["version"] == 3
    gone = client.request("DELETE", f"{path}?confirm={table.id}", headers={"If-Match": '"3"'})
    assert (gone.status_code, gone.content) == (204, b"")
    for token_ in (table.score, table.watch):
        problem(table.get(token=token_), 404)
    problem(table.book(WON, 3), 404)


WORTH = [{"han": 1, "fu": 30}, {"han": 3, "fu": 60}, {"limit": "mangan"}, {"limit": "limit hand"}]
players = st.integers(0, 3)


@st.composite
def events(draw: st.DrawFn) -> dict[str, Any]:
    """An event; now and then one that makes no sense."""
    kind = draw(st.sampled_from(["won", "won", "drawn", "drawn", "revised", "adjusted", "note", "renamed", "odd"]))
    if kind == "won":
        player, from_ = draw(players), draw(players)
        way: dict[str, Any] = {"by": "self_draw"} if player == from_ else {"by": "discard", "from": from_}
        worth = draw(st.sampled_from(WORTH))
        return {
            "event": "won",
            "winners": [{"player": player, **way, **worth}],
            "bets": draw(st.sets(players).map(sorted)),
        }
    if kind == "drawn":
        ready = draw(st.sets(players).map(sorted))
        return {"event": "drawn", "kind": draw(st.sampled_from(["exhaustive", "abortive"])), "ready": ready}
    if kind == "revised":
        return {"event": "revised", "seq": draw(st.integers(1, 12)), "by": draw(st.none() | events())}
    if kind == "adjusted":
        change = draw(st.integers(-999, 999))
        return {"event": "adjusted", "points": [change, 0, -change, 0]}
    if kind == "note":
        return {"event": "note", "text": draw(st.text(max_size=9))}
    if kind == "renamed":
        return {"event": "renamed", "player": draw(players), "name": draw(st.text(max_size=9))}
    return {"event": draw(st.sampled_from(["won", "finish", "", "started"]))}


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(sequence=st.lists(events(), max_size=10))
def test_any_sequence_of_events(light: Client, sequence: list[dict[str, Any]]) -> None:
    """Points plus table stay; answers are what a game by itself says; a retry books nothing; files open again."""
    table = make(light)
    game: Game | None = None
    version = 1
    for i, event in enumerate(sequence):
        answer = table.book(event, version, f"key{i}")
        assert answer.status_code in (201, 422), answer.text
        if answer.status_code == 422:
            continue
        version += 1
        body = answer.json()
        assert body["version"] == body["seq"] == version
        assert sum(body["table"]["points"]) + 1000 * body["table"]["sticks"] == 100_000
        assert table.book(event, version - 1, f"key{i}").text == answer.text
        lines = [json.loads(line) for line in table.get("/export.jsonl").text.splitlines()]
        game = Game.replay(lines)
        read = table.get().json()
        assert {key: read[key] for key in game.record()} == json.loads(json.dumps(game.record()))
        inverse = game.inverse(version)
        if inverse is not None:
            tried = table.post("/preview", inverse)
            assert tried.status_code in (200, 422)
    again = light.post("/api/tables/import", content=table.get("/export.jsonl").content)
    copy = Table(light, again.json())
    assert copy.get("/export.jsonl").text == table.get("/export.jsonl").text
    assert copy.get().json()["points"] == table.get().json()["points"]
    assert game is None or game.version == version
