"""The store of tables, on SQLite and on PostgreSQL."""

from __future__ import annotations

import json
import sqlite3
import stat
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, create_engine, event, text
from sqlalchemy.exc import IntegrityError

import tablekit
from clikit import invoke
from tablekit import DRAWN, NAMES, WON, Postgres, note, started
from tenbo import TenboError, parse_rules
from tenbo.ledger import Game, replay, started_event
from tenbo.ledger.store import (
    Access,
    BackupError,
    ConflictError,
    KeyReusedError,
    NoSpaceError,
    NoTableError,
    NotAllowedError,
    Store,
    StoreError,
    TableFullError,
    UnavailableError,
    backup,
    open_store,
    restore,
)
from tenbo.ledger.store.database import data_folder, database_url
from tenbo.ledger.store.games import Games
from tenbo.ledger.store.migrate import migrate, newest
from tenbo.ledger.store.schema import METADATA


def table(store: Store, *events: dict[str, Any]) -> Access:
    """A new table with these events, opened for scoring."""
    made = store.create([started(), *events], name="Thursday")
    found = store.access(made.score)
    assert found is not None
    return found


def together(works: list[Callable[[], Any]]) -> list[Any]:
    """What works return, or the errors that they raise, all begun at once."""
    gate = threading.Barrier(len(works))

    def one(work: Callable[[], Any]) -> Any:
        gate.wait()
        try:
            return work()
        except (StoreError, TenboError) as error:
            return error

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(one, works))


@pytest.fixture
def other(store: Store, database: str) -> Iterator[Store]:
    """A store on the same database, as another server has it."""
    opened = open_store(database)
    yield opened
    opened.close()


# ----------------------------------------------------------------------------------------------------------- new tables


def test_tokens_open_what_they_should(store: Store) -> None:
    made = store.create([started()], name="Thursday")
    score, watch = store.access(made.score), store.access(made.watch)
    assert score is not None
    assert watch is not None
    assert (score.role, watch.role) == ("score", "watch")
    assert score.table == watch.table == made.table
    assert (made.table.name, made.table.rules, made.table.version) == ("Thursday", "Riichi", 1)
    assert store.access(made.table.id) is None
    assert store.access("") is None
    assert store.access(made.score[:-1]) is None
    assert store.access("\ud800") is None
    assert len({made.score, made.watch, *(token for _ in range(20) for token in tokens(store))}) == 42


def tokens(store: Store) -> tuple[str, str]:
    made = store.create([started()])
    assert len(made.score) == len(made.watch) == 22  # 128 bits, in letters of 6 bits
    return made.score, made.watch


def test_no_token_is_kept(store: Store) -> None:
    made = store.create([started()], name="Thursday")
    with store.engine.connect() as db:
        kept = [
            str(tuple(row))
            for name in ("tables", "links", "events")
            for row in db.execute(text(f"select * from {name}"))
        ]
    assert len(kept) == 4
    assert not [row for row in kept if made.score in row or made.watch in row]


def test_what_cannot_be_a_table(store: Store) -> None:
    for events, name in (
        ([], ""),
        ([DRAWN], ""),
        ([started(), started()], ""),
        ([started("nonsense")], ""),
        ([started()], "a\x00"),
        ([started()], "a" * 81),
    ):
        with pytest.raises(TenboError):
            store.create(events, name=name)
    assert store.count() == 0


def test_a_table_carries_its_own_rules(store: Store) -> None:
    game = store.game(table(store))
    assert game.lines[0]["ruleset"] == game.rules.text
    rules = parse_rules('extends = "riichi"\ntitle = "House"\n[options.honba_value]\ndefault = 600\n')
    made = store.create([started_event(rules, NAMES)])
    assert made.table.rules == "House"
    assert made.game.lines[0]["ruleset"] == rules.text


def test_whatever_strangers_write_is_kept_as_it_is(store: Store) -> None:
    odd = "\u0000\ud800'\"; drop table events --  \U0001f004"
    events = [
        started(),
        note("發 \U0001f004 \n ' \" \\ %s {}"),
        {"event": "won", "winners": odd, odd: [odd, None, 1.5]},
    ]
    made = store.create(events)
    store._games.drop(made.table.id)
    lines = store.game_of(made.table.id).lines
    assert list(lines[1:]) == events[1:]


# --------------------------------------------------------------------------------------------------------------- events


def test_events_are_booked_in_turn(store: Store, other: Store) -> None:
    access = table(store)
    first = store.append(access, WON, 1)
    assert (first.seq, first.again) == (2, False)
    assert first.game.standing.points == (25000, 30200, 19800, 25000)
    second = store.append(access, DRAWN, 2)
    third = store.append(access, {"event": "revised", "seq": 2, "by": None}, None)
    assert (second.seq, third.seq) == (3, 4)
    game = other.game_of(access.table.id)
    assert game.record() == store.game_of(access.table.id).record() == third.game.record()
    assert [line["event"] for line in game.lines] == ["started", "won", "drawn", "revised"]
    assert all("when" in line for line in game.lines[1:])
    assert store.game_of(access.table.id) is third.game, "what is kept is not played again"


def test_what_makes_no_sense_is_not_booked(store: Store) -> None:
    access = table(store)
    for wrong in ({"event": "wonn"}, {"event": "won"}, started(), {"event": "revised", "seq": 9, "by": None}):
        with pytest.raises(TenboError):
            store.append(access, wrong, 1)
    assert store.game_of(access.table.id).version == 1
    assert store.versions([access.table.id]) == {access.table.id: 1}


def test_somebody_was_first(store: Store) -> None:
    access = table(store)
    store.append(access, WON, 1)
    for version in (1, 3, 0):
        with pytest.raises(ConflictError) as caught:
            store.append(access, DRAWN, version)
        assert caught.value.game.version == 2
    assert store.game_of(access.table.id).version == 2


def test_the_same_key_books_once(store: Store, other: Store) -> None:
    access = table(store)
    first = store.append(access, WON, 1, "key")
    store.append(access, DRAWN, 2, "other")
    again = store.append(access, WON, 1, "key")
    assert again.again
    assert again.seq == first.seq
    assert again.game.lines == first.game.lines
    assert again.game.record() == first.game.record()
    assert other.append(access, WON, 1, "key").seq == 2
    assert other.append(access, WON, None, "key").seq == 2
    for different in (DRAWN, {**WON, "bets": [1]}, {**WON, "when": "2025-01-31"}):
        with pytest.raises(KeyReusedError):
            store.append(access, different, 3, "key")
    elsewhere = table(store)
    assert store.append(elsewhere, DRAWN, 1, "key").seq == 2, "keys belong to a table"
    timed = {**DRAWN, "when": "2025-01-31"}
    assert store.append(access, timed, 3, "timed").seq == store.append(access, timed, 3, "timed").seq == 4
    assert store.game_of(access.table.id).version == 4


def test_a_key_says_nothing_of_what_was_refused(store: Store) -> None:
    access = table(store)
    with pytest.raises(TenboError):
        store.append(access, {"event": "won"}, 1, "key")
    assert store.append(access, WON, 1, "key").seq == 2


def test_of_two_writers_one_is_booked(store: Store, other: Store) -> None:
    access = table(store)
    for version in range(1, 9):
        answers = together([lambda s=s, v=version: s.append(access, WON, v) for s in (store, other, store, other)])
        booked = [one for one in answers if not isinstance(one, Exception)]
        assert len(booked) == 1, answers
        conflicts = [one for one in answers if isinstance(one, ConflictError)]
        assert len(conflicts) == 3, answers
        assert {one.game.version for one in conflicts} == {version + 1}
    assert store.game_of(access.table.id).version == 9


def test_of_many_writers_with_one_key_one_is_booked(store: Store, other: Store) -> None:
    access = table(store)
    answers = together([lambda s=s: s.append(access, WON, 1, "key") for s in (store, other) * 4])
    assert [one.seq for one in answers] == [2] * 8
    assert sum(not one.again for one in answers) == 1
    assert store.game_of(access.table.id).version == 2


def test_writers_who_take_what_comes_are_all_booked(store: Store, other: Store) -> None:
    access = table(store)
    works = [lambda s=s, i=i: s.append(access, note(i), None, f"key {i}") for i, s in enumerate((store, other) * 6)]
    answers = together(works)
    assert sorted(one.seq for one in answers) == list(range(2, 14)), answers
    game = other.game_of(access.table.id)
    assert sorted(line["text"] for line in game.lines[1:]) == sorted(str(i) for i in range(12))
    assert game.record() == store.game_of(access.table.id).record()


def test_who_waits_shares_one_wait_for_the_disk(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "tables.db"))
    access = table(store)
    writer = store._writer
    commits: list[Any] = []
    event.listen(store.engine, "commit", lambda connection: commits.append(connection))
    inside, go_on = threading.Event(), threading.Event()

    def slow(db: Connection) -> str:
        inside.set()
        assert go_on.wait(10)
        return "slow"

    def insert(seq: int) -> Callable[[Connection], int]:
        line = f"insert into events values ('{access.table.id}', {seq}, '{{}}', null, 'now')"
        return lambda db: db.execute(text(line)).rowcount

    with ThreadPoolExecutor(9) as pool:
        first = pool.submit(writer.run, slow)
        assert inside.wait(10)
        others = [pool.submit(writer.run, insert(seq)) for seq in (2, 3, 4, 4, 1, 5)]
        while len(writer._waiting) < len(others):
            time.sleep(0.01)
        go_on.set()
        assert first.result() == "slow"
        errors = [one.exception() for one in others]
    assert len(commits) == 2
    assert [type(error) for error in errors].count(IntegrityError) == 2, "each line is there once"
    assert isinstance(errors[4], IntegrityError)
    with store.engine.connect() as db:
        assert list(db.execute(text("select seq from events order by 1")).scalars()) == [1, 2, 3, 4, 5]

    inside.clear()
    go_on.clear()
    with ThreadPoolExecutor(9) as pool:
        first = pool.submit(writer.run, slow)
        assert inside.wait(10)
        works: list[Callable[[Connection], Any]] = [insert(6), lambda db: db.execute(text("nonsense")), insert(7)]
        failing = [pool.submit(writer.run, work) for work in works]
        while len(writer._waiting) < len(works):
            time.sleep(0.01)
        go_on.set()
        assert first.result() == "slow"
        assert [type(one.exception()) for one in failing] == [UnavailableError] * 3, "all or none"
    with store.engine.connect() as db:
        assert db.execute(text("select max(seq) from events")).scalar() == 5
    store.close()


def test_watching_changes_nothing(store: Store) -> None:
    made = store.create([started()])
    watch = store.access(made.watch)
    assert watch is not None
    with pytest.raises(NotAllowedError):
        store.append(watch, WON, 1)
    with pytest.raises(NotAllowedError):
        store.delete(watch, 1)
    assert store.game_of(watch.table.id).version == 1


def test_a_table_is_full_at_last(database: str) -> None:
    store = open_store(database, most_events=3)
    access = table(store, WON)
    store.append(access, DRAWN, 2)
    with pytest.raises(TableFullError, match="3 events"):
        store.append(access, DRAWN, 3)
    with pytest.raises(TableFullError):
        store.create([started(), WON, WON, WON])
    store.close()


def test_deleted_is_gone(store: Store, other: Store) -> None:
    access, kept = table(store, WON), table(store)
    assert other.game_of(access.table.id).version == 2
    told: list[tuple[str, int | None]] = []
    store.on_booked(lambda id, version: told.append((id, version)))
    with pytest.raises(ConflictError):
        store.delete(access, 1)
    assert store.game_of(access.table.id).version == 2
    store.delete(access, 2)
    assert told == [(access.table.id, None)]
    for one in (store, other):
        with pytest.raises(NoTableError):
            one.game_of(access.table.id)
        with pytest.raises(NoTableError):
            one.append(access, WON, 2)
        with pytest.raises(NoTableError):
            one.delete(access, 2)
        assert one.versions([access.table.id, kept.table.id]) == {kept.table.id: 1}
        assert one.count() == 1
    with store.engine.connect() as db:
        assert db.execute(text("select count(*) from events")).scalar() == 1
        assert db.execute(text("select count(*) from links")).scalar() == 2


def test_who_listens_is_told(store: Store) -> None:
    access = table(store)
    told: list[tuple[str, int | None]] = []
    store.on_booked(lambda id, version: told.append((id, version)))
    store.append(access, WON, 1, "key")
    store.append(access, WON, 1, "key")
    with pytest.raises(ConflictError):
        store.append(access, WON, 1)
    assert told == [(access.table.id, 2)]


def test_versions_of_many_tables(store: Store) -> None:
    access = table(store)
    ids = [f"none{i}" for i in range(1200)]
    assert store.versions([*ids, access.table.id]) == {access.table.id: 1}
    assert store.versions([]) == {}


def test_games_that_are_kept_are_few() -> None:
    games = Games(most=10)
    short, long = replay([started(), WON]), replay([started(), *[note()] * 7])
    for name in "abc":
        games.put(name, short)
    games.put("long", long)
    assert [games.get(name) is not None for name in ("a", "b", "c", "long")] == [False, False, True, True]
    games.put("long", short)
    assert games.get("long") is long, "an older game does not take a newer one's place"
    games.drop("long")
    games.drop("long")
    assert games.get("long") is None
    huge = replay([started(), *[note()] * 20])
    games.put("huge", huge)
    assert games.get("huge") is huge


# ------------------------------------------------------------------------------------------------------------ databases


def test_the_database_is_as_the_code_has_it(store: Store) -> None:
    with store.engine.connect() as db:
        assert compare_metadata(MigrationContext.configure(db, opts={"compare_type": True}), METADATA) == []


def test_migrating_once_more_changes_nothing(store: Store, database: str) -> None:
    access = table(store, WON)
    again = open_store(database)
    assert again.game(access).version == 2
    again.close()


def test_several_servers_may_start_at_once(database: str) -> None:
    stores = together([lambda: open_store(database) for _ in range(4)])
    assert [type(one) for one in stores] == [Store] * 4, stores
    for one in stores:
        one.close()


def test_a_database_of_a_newer_version_is_refused(store: Store, database: str) -> None:
    with store.engine.begin() as db:
        db.execute(text("update alembic_version set version_num = '9999'"))
    with pytest.raises(UnavailableError, match="9999"):
        open_store(database)


def test_steps_can_be_taken_back(store: Store) -> None:
    from alembic import command

    from tenbo.ledger.store.migrate import config

    settings = config()
    with store.engine.begin() as db:
        settings.attributes["connection"] = db
        command.downgrade(settings, "base")
        assert db.execute(text("select count(*) from alembic_version")).scalar() == 0
    migrate(store.engine)
    assert store.count() == 0
    assert newest() == "0001"


def test_sqlite_is_set_up_to_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "tables.db"
    store = open_store(str(path))
    with store.engine.connect() as db:
        got = {
            name: db.exec_driver_sql(f"pragma {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    assert got == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    store.close()


@pytest.mark.postgres
def test_postgres_is_set_up_to_lose_nothing(postgres: Postgres) -> None:
    address = postgres.database()
    engine = create_engine(database_url(address))
    with engine.connect() as db:
        name = db.execute(text("select current_database()")).scalar()
        db.execute(text(f"alter database {name} set synchronous_commit = off"))
        db.commit()
    engine.dispose()
    store = open_store(address)
    with store.engine.connect() as db:
        assert db.execute(text("show synchronous_commit")).scalar() == "on"
    store.close()


def test_where_the_database_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TENBO_DATABASE_URL", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert database_url().database == str(data_folder() / "tenbo.db")
    monkeypatch.setenv("TENBO_DATABASE_URL", "postgres://user:secret@host/name")
    assert database_url().drivername == "postgresql+psycopg"
    assert database_url("some file.db").database == "some file.db"
    assert database_url("sqlite:////a/b.db").database == "/a/b.db"
    for wrong in ("mysql://host/name", "sqlite://", "sqlite:///:memory:", "http://x", "://"):
        with pytest.raises(UnavailableError, match="sqlite:///FILE"):
            database_url(wrong)


def test_what_is_no_database(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ann,\n" * 200)
    with pytest.raises(UnavailableError, match="not a database"):
        open_store(str(letter))
    assert letter.read_text().startswith("Dear Ann")
    with pytest.raises(UnavailableError, match="cannot open"):
        open_store(str(letter / "x.db"))
    with pytest.raises(UnavailableError):
        open_store(str(tmp_path))


# --------------------------------------------------------------------------------------------------------------- faults


def test_a_full_disk_loses_nothing_acknowledged(tmp_path: Path) -> None:
    """The database may not grow any more; SQLite says the same as for a disk that is full."""
    path = str(tmp_path / "tables.db")
    store = open_store(path)
    access = table(store)
    with store.engine.connect() as db:
        pages = int(db.exec_driver_sql("pragma page_count").scalar_one())
    store.close()

    small = open_store(path)
    event.listen(small.engine, "connect", lambda made, _: made.execute(f"pragma max_page_count = {pages + 3}"))
    small.engine.dispose()
    booked = 1
    full: NoSpaceError | None = None
    for i in range(100):
        try:
            small.append(access, note("x" * 1500), None, f"key {i}")
        except NoSpaceError as error:
            full = error
            break
        booked += 1
    assert "full" in str(full)
    assert booked > 1
    assert small.game_of(access.table.id).version == booked
    with pytest.raises(NoSpaceError):
        small.create([started()])
    small.close()

    store = open_store(path)
    game = store.game_of(access.table.id)
    assert game.version == booked
    assert game.record() == Game.replay(game.lines).record()
    assert store.append(access, WON, booked).seq == booked + 1, "there is room again"
    store.close()


def test_a_file_that_is_gone_takes_no_more_events(tmp_path: Path) -> None:
    path, away = tmp_path / "tables.db", tmp_path / "away.db"
    store = open_store(str(path))
    access = table(store, WON)
    path.rename(away)
    for _ in range(2):
        with pytest.raises(UnavailableError, match="gone"):
            store.append(access, DRAWN, 2)
        with pytest.raises(UnavailableError, match="gone"):
            store.game_of(access.table.id)
        with pytest.raises(UnavailableError, match="gone"):
            store.create([started()])
    assert not path.exists(), "no empty database takes its place"
    path.write_bytes(b"")
    with pytest.raises(UnavailableError, match="replaced"):
        store.append(access, DRAWN, 2)
    away.rename(path)
    assert store.append(access, DRAWN, 2).seq == 3
    store.close()


def test_a_lock_that_is_held_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tenbo.ledger.store.database._WAIT", 0)
    path = tmp_path / "tables.db"
    store = open_store(str(path))
    access = table(store)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("begin immediate")
    with pytest.raises(UnavailableError, match="busy"):
        store.append(access, WON, 1)
    assert store.game_of(access.table.id).version == 1, "reading goes on"
    other.execute("rollback")
    other.close()
    assert store.append(access, WON, 1).seq == 2
    store.close()


@pytest.mark.postgres
def test_a_server_that_is_gone_loses_nothing_acknowledged() -> None:
    server = Postgres(safe=True)
    try:
        store = open_store(server.database())
        access = table(store)
        store.append(access, WON, 1)
        server.stop()
        for work in (
            lambda: store.append(access, DRAWN, 2),
            lambda: store.game_of(access.table.id),
            lambda: store.create([started()]),
            lambda: store.access("x"),
            lambda: store.versions(["x"]),
        ):
            with pytest.raises(UnavailableError, match="does not answer"):
                work()
        server.start()
        assert store.game_of(access.table.id).version == 2
        assert store.append(access, DRAWN, 2).seq == 3
        store.close()
    finally:
        server.close()


# -------------------------------------------------------------------------------------------------------------- backups


def dump(store: Store) -> dict[str, list[Any]]:
    """All rows of a store."""
    with store.engine.connect() as db:
        return {
            name: sorted(tuple(row) for row in db.execute(text(f"select * from {name} order by 1, 2")))
            for name in ("tables", "links")
        } | {"events": [tuple(row)[:3] for row in db.execute(text("select * from events order by table_id, seq"))]}


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    """Another, empty store."""
    if request.param == "sqlite":
        opened = open_store(str(tmp_path / "empty.db"))
    else:
        opened = open_store(request.getfixturevalue("postgres").database())
    yield opened
    opened.close()


def test_a_backup_is_restored_anywhere(store: Store, empty: Store, tmp_path: Path) -> None:
    made = store.create([started(), WON, note("發")], name="Thursday")
    access = table(store)
    store.append(access, DRAWN, 1, "key")
    path = tmp_path / "backup"
    assert backup(store, path) == 2
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [one.name for one in tmp_path.iterdir() if "backup" in one.name] == ["backup"], "nothing is left lying about"
    assert restore(empty, path) == 2
    assert dump(empty) == dump(store)
    found = empty.access(made.score)
    assert found is not None
    assert empty.game_of(found.table.id).record() == made.game.record()
    assert empty.append(access, DRAWN, 1, "key").again
    with pytest.raises(BackupError, match="tables already"):
        restore(empty, path)
    with pytest.raises(BackupError, match="there already"):
        backup(store, path)
    store.append(access, DRAWN, 2)
    assert backup(store, path, replace=True) == 2


def test_a_backup_while_others_write(store: Store, tmp_path: Path) -> None:
    accesses = [table(store) for _ in range(3)]
    over = threading.Event()

    def write() -> int:
        count = 0
        while not over.is_set():
            for access in accesses:
                store.append(access, note("x" * 200), None)
                count += 1
        return count

    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(write)
        try:
            for i in range(3):
                backup(store, tmp_path / f"backup{i}")
        finally:
            over.set()
        assert writing.result() > 0
    for i in range(3):
        copy = open_store(str(tmp_path / f"copy{i}.db"))
        assert restore(copy, tmp_path / f"backup{i}") == 3
        for access in accesses:
            assert copy.game_of(access.table.id).version == copy.versions([access.table.id])[access.table.id]
        copy.close()


@pytest.mark.postgres
def test_a_backup_that_is_damaged_restores_nothing(postgres: Postgres, tmp_path: Path) -> None:
    store = open_store(postgres.database())
    table(store, WON)
    path, bad = tmp_path / "backup", tmp_path / "bad"
    backup(store, path)
    store.close()
    lines = path.read_text().splitlines()
    empty = open_store(str(tmp_path / "empty.db"))
    head = json.loads(lines[0])
    for wrong, part in (
        ("", "no backup"),
        ("Dear Ann,", "no backup"),
        ("{}", "no backup"),
        ("\n".join(lines[:-1]), "not whole"),
        ("\n".join([*lines[:-2], lines[-1]]), "not whole"),
        ("\n".join([lines[0], '["users", {}]', *lines[1:]]), "damaged"),
        ("\n".join([lines[0], '["tables", {}]', *lines[1:]]), "damaged"),
        ("\n".join([lines[0], "[]", *lines[1:]]), "damaged"),
        ("\n".join([json.dumps({**head, "revision": "9999"}), *lines[1:]]), "another version"),
    ):
        bad.write_text(wrong)
        with pytest.raises(BackupError, match=part):
            restore(empty, bad)
        assert empty.count() == 0
    with pytest.raises(BackupError, match="cannot read"):
        restore(empty, tmp_path / "none")
    empty.close()


def test_databases_that_are_no_backup(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    db = sqlite3.connect(path)
    db.execute("create table letters (id)")
    db.commit()
    db.close()
    empty = open_store(str(tmp_path / "empty.db"))
    with pytest.raises(BackupError, match="no backup"):
        restore(empty, path)
    with pytest.raises(BackupError, match="cannot write"):
        backup(empty, tmp_path / "none" / "backup")
    empty.close()


def test_the_kit_finds_ports() -> None:
    assert 1024 < tablekit.free_port() < 65536


def test_a_database_that_is_not_there_is_not_made_for_a_backup(tmp_path: Path) -> None:
    old, typo = tmp_path / "backup", tmp_path / "typo.db"
    old.write_text("tables of yesterday")
    assert invoke("backup", str(old), "--replace", "--database", f"sqlite:///{typo}").status == 2
    assert old.read_text() == "tables of yesterday"
    assert not typo.exists()
    assert invoke("restore", str(old), "--database", f"sqlite:///{typo}").status == 2
    assert not typo.exists()


def test_a_backup_does_not_take_the_place_of_its_database(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    store = open_store(str(path))
    access = table(store, WON)
    with pytest.raises(BackupError, match="the database itself"):
        backup(store, path, replace=True)
    assert store.game(access).version == 2
    store.close()
