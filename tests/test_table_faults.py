"""Limits of tables over REST, and databases that fail."""

from __future__ import annotations

from typing import Any

import pytest

from tableclient import make, problem
from tablekit import DRAWN, NAMES, WON, note
from tenbo.ledger.store import open_store
from tenbo.web.app import create_app
from tenbo.web.ratelimit import RateLimit, caller_of
from webclient import Client


def test_tables_are_made_at_a_measured_pace(tmp_path: Any) -> None:
    store = open_store(str(tmp_path / "tables.db"))
    client = Client(create_app(store, tables_per_hour=3))
    table = make(client)
    file = table.get("/export.jsonl").content
    assert client.post("/api/tables/import", content=file).status_code == 201
    assert table.post("/rematch", {}).status_code == 201
    for answer in (
        client.post("/api/tables", json={"rules": "riichi", "players": NAMES}),
        client.post("/api/tables/import", content=file),
        table.post("/rematch", {}),
    ):
        problem(answer, 429)
        assert 1000 < int(answer.headers["retry-after"]) <= 1200
    assert store.count() == 3
    assert table.book(WON, 1).status_code == 201, "playing goes on"
    store.close()


def test_a_bucket_fills_evenly() -> None:
    now = [0.0]
    limit = RateLimit(60, clock=lambda: now[0])
    assert [limit.take("a") for _ in range(60)] == [0] * 60
    assert limit.take("a") == pytest.approx(60)
    assert limit.take("b") == 0
    now[0] = 61
    assert limit.take("a") == 0
    assert limit.take("a") == pytest.approx(59)
    now[0] = 100_000
    assert [limit.take("a") for _ in range(60)] == [0] * 60
    assert limit.take("a") > 0
    for i in range(10_001):
        limit.take(f"caller {i}")
    assert len(limit._buckets) == 10_000
    assert RateLimit(0).take("a") == 0
    assert caller_of("::ffff:192.0.2.1") == "192.0.2.1"
    assert caller_of("fe80::1%eth0") == "fe80:0:0:0"


def test_a_store_is_opened_when_it_is_needed(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENBO_DATABASE_URL", f"sqlite:///{tmp_path / 'new' / 'tables.db'}")
    monkeypatch.setenv("TENBO_TABLES_PER_HOUR", "1")
    client = Client(create_app())
    assert client.get("/api/openapi.json").status_code == 200
    assert not (tmp_path / "new").exists()
    make(client)
    assert (tmp_path / "new" / "tables.db").exists()
    problem(client.post("/api/tables", json={"rules": "riichi", "players": NAMES}), 429)
    client.app.state.tables.store().close()


def test_a_database_that_fails_is_said_to(tmp_path: Any) -> None:
    path = tmp_path / "tables.db"
    store = open_store(str(path))
    client = Client(create_app(store, tables_per_hour=0))
    table = make(client, WON)
    path.rename(tmp_path / "away.db")
    for answer in (
        client.post("/api/tables", json={"rules": "riichi", "players": NAMES}),
        table.get(),
        table.get("/history"),
        table.get("/live"),
        table.post("/preview", DRAWN),
        table.book(DRAWN, 2),
    ):
        problem(answer, 503)
        assert answer.headers["retry-after"] == "2"
        assert str(tmp_path) not in answer.text
    (tmp_path / "away.db").rename(path)
    assert table.book(DRAWN, 2).json()["version"] == 3
    store.close()


def test_a_full_disk_is_said_to_be(tmp_path: Any) -> None:
    from sqlalchemy import event

    store = open_store(str(tmp_path / "tables.db"))
    client = Client(create_app(store, tables_per_hour=0))
    table = make(client)
    with store.engine.connect() as db:
        pages = int(db.exec_driver_sql("pragma page_count").scalar_one())
    store.engine.dispose()
    event.listen(store.engine, "connect", lambda made, _: made.execute(f"pragma max_page_count = {pages + 2}"))
    answers = [table.book(note("x" * 1900), key=f"key{i}") for i in range(20)]
    booked = [answer for answer in answers if answer.status_code == 201]
    assert booked
    for answer in answers[len(booked) :]:
        assert "full" in problem(answer, 507)["detail"]
    assert table.get().json()["version"] == 1 + len(booked)
    store.close()


def test_a_default_store_that_cannot_be_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENBO_DATABASE_URL", "mysql://x")
    client = Client(create_app())
    problem(client.post("/api/tables", json={"rules": "riichi", "players": NAMES}), 503)
