"""Who may do what at a table over REST, and what logs show."""

from __future__ import annotations

import logging
from collections.abc import Callable

import httpx
import pytest

from tableclient import make, problem
from tablekit import WON
from tenbo.ledger.store import Store
from tenbo.web.access import NoTokens, hide_tokens
from webclient import Client

Call = Callable[[Client, str, dict[str, str]], httpx.Response]
LOOKING: dict[str, Call] = {
    "GET /api/tables/{table}": lambda c, t, h: c.get(f"/api/tables/{t}", headers=h),
    "GET /api/tables/{table}/history": lambda c, t, h: c.get(f"/api/tables/{t}/history", headers=h),
    "GET /api/tables/{table}/export.{form}": lambda c, t, h: c.get(f"/api/tables/{t}/export.jsonl", headers=h),
    "POST /api/tables/{table}/preview": lambda c, t, h: c.post(f"/api/tables/{t}/preview", json=WON, headers=h),
}
CHANGING: dict[str, Call] = {
    "POST /api/tables/{table}/events": lambda c, t, h: c.post(
        f"/api/tables/{t}/events", json=WON, headers={"If-Match": "*", **h}
    ),
    "POST /api/tables/{table}/rematch": lambda c, t, h: c.post(
        f"/api/tables/{t}/rematch", json={"seats": "kept"}, headers=h
    ),
    "DELETE /api/tables/{table}": lambda c, t, h: c.request(
        "DELETE", f"/api/tables/{t}?confirm={h.get('x-id', t)}", headers={"If-Match": '"2"', **h}
    ),
}
ELSEWHERE = {"GET /api/tables/{table}/live"}  # streams need a server: tests/test_live.py
WITHOUT = {"POST /api/tables", "POST /api/tables/import"}  # make a table of their own


def test_every_route_is_tried(light: Client) -> None:
    paths = light.get("/api/openapi.json").json()["paths"]
    routes = {
        f"{method.upper()} {path}" for path, item in paths.items() for method in item if path.startswith("/api/tables")
    }
    assert routes == {*LOOKING, *CHANGING, *ELSEWHERE, *WITHOUT}


@pytest.mark.parametrize("route", [*LOOKING, *CHANGING])
def test_who_has_no_token_gets_nowhere(client: Client, route: str) -> None:
    table, other = make(client, WON), make(client)
    store: Store = client.app.state.tables.store()
    call = {**LOOKING, **CHANGING}[route]
    before = table.get().json()
    wrong = "A" * 22
    for address, headers, status in (
        (table.id, {}, 401),
        (table.id, {"Authorization": f"Bearer {wrong}"}, 401),
        (table.id, {"Authorization": f"Bearer {other.score}"}, 401),
        (table.id, {"Authorization": f"Basic {table.score}"}, 401),
        (table.id, {"Authorization": "Bearer"}, 401),
        (table.id, {"Authorization": table.score}, 401),
        ("aaaaaaaaaa", {"Authorization": f"Bearer {table.score}"}, 401),
        ("aaaaaaaaaa", {}, 401),
        (wrong, {}, 404),
        (table.score[:-1], {}, 404),
        ("%00", {}, 404),
        ("x" * 5000, {}, 404),
    ):
        answer = call(client, address, {**headers, "x-id": table.id})
        problem(answer, status)
        assert ("www-authenticate" in answer.headers) is (status == 401)
        assert table.score not in answer.text
    assert table.get().json() == before
    assert other.get().json()["version"] == 1
    assert store.count() == 2


@pytest.mark.parametrize("route", list(CHANGING))
def test_who_watches_changes_nothing(client: Client, route: str) -> None:
    table = make(client, WON)
    before = table.get().json()
    for address, headers in ((table.watch, {}), (table.id, {"Authorization": f"Bearer {table.watch}"})):
        problem(CHANGING[route](client, address, {**headers, "x-id": table.id}), 403)
    assert table.get().json() == before
    assert client.app.state.tables.store().count() == 1
    headers = {"Authorization": f"bearer {table.score}", "x-id": table.id}
    assert CHANGING[route](client, table.id, headers).status_code in (201, 204), "the other link may"


@pytest.mark.parametrize("route", list(LOOKING))
def test_who_watches_sees_everything(client: Client, route: str) -> None:
    table = make(client, WON)
    scorer, watcher = (LOOKING[route](client, token, {}) for token in (table.score, table.watch))
    assert scorer.status_code == watcher.status_code == 200
    assert watcher.text.replace('"role": "watch"', '"role": "score"') == scorer.text


def test_no_method_but_those_that_are_meant(light: Client) -> None:
    table = make(light)
    for method in ("PUT", "PATCH", "POST"):
        problem(light.request(method, f"/api/tables/{table.score}", json={}), 405)
    assert table.get().json()["version"] == 1


def test_no_token_in_a_log(light: Client, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    table = make(light, WON)
    problem(table.book({"event": "won"}), 422)
    table.get("/history", table.watch)
    said = "\n".join([record.getMessage() for record in caplog.records if not record.name.startswith("httpx")])
    assert table.score not in said
    assert table.watch not in said


def test_the_servers_log_hides_tokens() -> None:
    hide_tokens()
    hide_tokens()
    log = logging.getLogger("uvicorn.access")
    assert sum(isinstance(one, NoTokens) for one in log.filters) == 1
    line = '%s - "%s %s HTTP/%s" %d'
    for path, shown in (
        ("/t/4xQ0secret-_", "/t/..."),
        ("/t/4xQ0secret/history?x=1", "/t/.../history?x=1"),
        ("/api/tables/4xQ0secret/live", "/api/tables/.../live"),
        ("/api/tables/4xQ0secret", "/api/tables/..."),
        ("/api/score", "/api/score"),
    ):
        record = log.makeRecord(log.name, logging.INFO, "", 0, line, ("1.2.3.4:5", "GET", path, "1.1", 200), None)
        assert log.filter(record)
        assert record.getMessage() == f'1.2.3.4:5 - "GET {shown} HTTP/1.1" 200'


SHAPELESS: dict[str, Call] = {
    "without If-Match": lambda c, t, h: c.post(f"/api/tables/{t}/events", json=WON, headers=h),
    "with an If-Match that is none": lambda c, t, h: c.post(
        f"/api/tables/{t}/events", json=WON, headers={**h, "If-Match": "x"}
    ),
    "with a key that is none": lambda c, t, h: c.post(
        f"/api/tables/{t}/events", json=WON, headers={**h, "If-Match": "*", "Idempotency-Key": "a b"}
    ),
    "with no event": lambda c, t, h: c.post(f"/api/tables/{t}/events", content=b"x", headers=h),
    "with too much": lambda c, t, h: c.post(f"/api/tables/{t}/events", content=b" " * 70_000, headers=h),
    "with too much for a rematch": lambda c, t, h: c.post(f"/api/tables/{t}/rematch", content=b" " * 70_000, headers=h),
    "deleting without If-Match": lambda c, t, h: c.request("DELETE", f"/api/tables/{t}", headers=h),
}


@pytest.mark.parametrize("call", SHAPELESS.values(), ids=SHAPELESS)
def test_rights_come_before_anything_else_that_is_wrong(client: Client, call: Call) -> None:
    table = make(client)
    assert problem(call(client, table.watch, {}), 403)["detail"].startswith("this link is for watching")
    assert call(client, table.id, {"Authorization": f"Bearer {table.watch}"}).status_code == 403
    assert call(client, "A" * 22, {}).status_code == 404
    assert call(client, table.score, {}).status_code in (400, 413, 428)
