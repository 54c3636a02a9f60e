"""Tables followed live, over servers in processes of their own."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest

from tablekit import DRAWN, NAMES, WON, Follower, Postgres, Server, following, note, started
from tenbo.ledger.store import open_store
from tenbo.web import live
from tenbo.web.access import Tables
from tenbo.web.problems import ProblemError

SOON = 2.0
"""Seconds within which everybody sees a change."""


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def servers(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Server, Server]]:
    """Two servers on one database."""
    folder = tmp_path_factory.mktemp("servers")
    database = f"sqlite:///{folder / 'tables.db'}"
    if request.param == "postgres":
        server: Postgres = request.getfixturevalue("postgres")
        database = server.database()
    first = Server(database, folder)
    second = Server(database, folder)
    yield first, second
    first.close()
    second.close()
    for one in (first, second):
        said = one.log.read_text(errors="replace")
        assert "Traceback" not in said, said
        assert "ERROR" not in said, said


@pytest.fixture
def http() -> Iterator[httpx.Client]:
    with httpx.Client(trust_env=False, timeout=30) as client:
        yield client


def make(http: httpx.Client, server: Server) -> Any:
    answer = http.post(f"{server.url}/api/tables", json={"rules": "riichi", "players": NAMES})
    assert answer.status_code == 201, answer.text
    return answer.json()


def book(http: httpx.Client, server: Server, made: Any, event: Any) -> Any:
    path = f"{server.url}/api/tables/{made['score']['token']}/events"
    answer = http.post(path, json=event, headers={"If-Match": "*"})
    assert answer.status_code == 201, answer.text
    return answer.json()


def stream(server: Server, made: Any, role: str = "watch") -> str:
    return f"{server.url}/api/tables/{made[role]['token']}/live"


def test_everybody_follows(servers: tuple[Server, Server], http: httpx.Client) -> None:
    first, second = servers
    made = make(http, first)
    here, there = Follower(stream(first, made)), Follower(stream(second, made, "score"))
    with following(here, there):
        for one in (here, there):
            (beginning,) = one.wait(1)
            assert (beginning["version"], beginning["since"], beginning["events"]) == (1, 0, [])
        for count, (server, event) in enumerate(((first, WON), (second, DRAWN), (first, note())), 2):
            began = time.monotonic()
            booked = book(http, server, made, event)
            for one in (here, there):
                latest = one.wait(count, SOON)[-1]
                assert latest["version"] == booked["version"] == count
                assert latest["table"] == booked["table"]
                assert [line["seq"] for line in latest["events"]] == [count]
                assert latest["events"][0]["event"]["event"] == event["event"]
            assert time.monotonic() - began < SOON


def test_who_was_away_catches_up(servers: tuple[Server, Server], http: httpx.Client) -> None:
    first, second = servers
    made = make(http, first)
    away = Follower(stream(first, made))
    with following(away):
        away.wait(1)
    for event in (WON, DRAWN, {"event": "revised", "seq": 2, "by": None}):
        booked = book(http, first, made, event)
    for server in servers:
        back = Follower(stream(server, made), last=1)
        rendered = Follower(stream(server, made) + "?since=2")
        level = Follower(stream(server, made), last=4)
        ahead = Follower(stream(server, made), last=99)
        with following(back, rendered, level, ahead):
            (missed,) = back.wait(1, SOON)
            assert [line["seq"] for line in missed["events"]] == [2, 3, 4]
            assert (missed["since"], missed["version"], missed["table"]) == (1, 4, booked["table"])
            assert [line["seq"] for line in rendered.wait(1, SOON)[0]["events"]] == [3, 4]
            assert (ahead.wait(1, SOON)[0]["since"], level.messages) == (0, [])
    assert second.process.poll() is None


def test_a_deleted_table_ends_the_stream(servers: tuple[Server, Server], http: httpx.Client) -> None:
    first, second = servers
    made = make(http, first)
    here, there = Follower(stream(first, made)), Follower(stream(second, made))
    with following(here, there):
        here.wait(1)
        there.wait(1)
        path = f"{first.url}/api/tables/{made['score']['token']}?confirm={made['id']}"
        assert http.delete(path, headers={"If-Match": '"1"'}).status_code == 204
        for one in (here, there):
            assert one.wait(2, SOON)[-1] == {}
            assert one.messages[-1][1] == "deleted"
        again = http.get(stream(second, made))
        assert again.status_code == 404


def test_who_may_follow(servers: tuple[Server, Server], http: httpx.Client) -> None:
    first, _ = servers
    made, other = make(http, first), make(http, first)
    path = f"{first.url}/api/tables/{made['id']}/live"
    assert http.get(path).status_code == 401
    for wrong in ("Bearer " + "A" * 22, f"Bearer {other['score']['token']}", "Basic x"):
        assert http.get(path, headers={"Authorization": wrong}).status_code == 401
    assert http.get(f"{first.url}/api/tables/{'A' * 22}/live").status_code == 404
    with http.stream("GET", path, headers={"Authorization": f"Bearer {made['watch']['token']}"}) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-accel-buffering"] == "no"
        assert answer.headers["referrer-policy"] == "no-referrer"


def test_no_token_is_in_the_servers_log(servers: tuple[Server, Server], http: httpx.Client) -> None:
    first, _ = servers
    made = make(http, first)
    book(http, first, made, WON)
    http.get(f"{first.url}/t/{made['watch']['token']}")
    follower = Follower(stream(first, made))
    with following(follower):
        follower.wait(1)
    said = first.log.read_text(errors="replace")
    assert "/api/tables/.../events" in said, "requests are in the log at this level"
    for role in ("score", "watch"):
        assert made[role]["token"] not in said


# ------------------------------------------------------------------------------------------------------ in this process


async def heard(hub: live.Hub, store: Any, token: str, since: int, count: int) -> list[Any]:
    """The first events of a stream."""
    access = store.access(token)
    out = []
    events = live.stream(hub, store, access, since, anyio.Event())
    async for event in events:
        out.append(event)
        if len(out) == count:
            break
    await events.aclose()  # type: ignore[attr-defined]
    return out


def test_followers_are_counted_and_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(str(tmp_path / "tables.db"))
    made = store.create([started()])
    hub = live.Hub(Tables(store), look=0.01)

    async def run() -> None:
        (first,) = await heard(hub, store, made.watch, 0, 1)
        assert (first.id, first.event) == ("1", "table")
        assert hub.count == 0
        monkeypatch.setattr(live, "MOST_AT_A_TABLE", 2)
        followers = [hub.follow(store, made.table.id) for _ in range(2)]
        with pytest.raises(ProblemError) as caught:
            await heard(hub, store, made.watch, 0, 1)
        assert caught.value.status == 503
        for one in followers:
            hub.leave(made.table.id, one)
            hub.leave(made.table.id, one)
        assert hub.count == 0

    asyncio.run(run())
    store.close()


def test_a_database_that_comes_back_is_followed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "_AGAIN", 0.05)
    path, away = tmp_path / "tables.db", tmp_path / "away.db"
    store, other = open_store(str(path)), open_store(str(path))
    made = store.create([started()])
    access = other.access(made.score)
    assert access is not None
    hub = live.Hub(Tables(store), look=0.02)

    async def run() -> None:
        following = asyncio.create_task(heard(hub, store, made.watch, 1, 1))
        await asyncio.sleep(0.1)
        other.append(access, WON, 1)
        path.rename(away)
        await asyncio.sleep(0.3)
        away.rename(path)
        (event,) = await asyncio.wait_for(following, 5)
        assert event.id == "2"

    asyncio.run(run())
    store.close()
    other.close()


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_when_the_server_is_killed(database: str) -> None:
    script = Path(__file__).resolve().parents[1] / "benchmarks" / "kill.py"
    command = [sys.executable, str(script), "--kills", "3", "--tables", "8", "--database", database]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "lost 0, booked twice 0, tables that do not balance 0" in done.stdout
