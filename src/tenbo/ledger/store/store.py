"""The store: tables, their links and their events, in a database.

    store = open_store("sqlite:///tables.db")
    made = store.create([started_event("riichi", names)])      # made.score and made.watch: two tokens, kept nowhere
    access = store.access(made.score)                          # what a token opens, and whether it may score
    game = store.game(access)                                  # a Game: only to be looked at
    booked = store.append(access, event, game.version, "key")  # or ConflictError, which has the game as it is now

All of it may be called from several threads, and by several servers on one database.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import Connection, Engine, delete, func, insert, select
from sqlalchemy.exc import IntegrityError

from tenbo.errors import Problem, ReadError, TenboError
from tenbo.ledger.events import LONGEST_NAME, Event, EventFields
from tenbo.ledger.game import Game
from tenbo.ledger.store import queries
from tenbo.ledger.store.database import database_url, for_reading, make_engine
from tenbo.ledger.store.errors import (
    ConflictError,
    KeyReusedError,
    NoTableError,
    NotAllowedError,
    StoreError,
    TableFullError,
    UnavailableError,
)
from tenbo.ledger.store.faults import faults
from tenbo.ledger.store.games import Games
from tenbo.ledger.store.migrate import migrate
from tenbo.ledger.store.schema import EVENTS, LINKS, TABLES
from tenbo.ledger.store.tokens import ROLES, make_id, make_token, token_hash
from tenbo.ledger.store.values import Access, Booked, Created, Table
from tenbo.ledger.store.writer import Writer

MOST_EVENTS: Final = 5_000
"""Events of one table."""

LONGEST_KEY: Final = 200
_TRIES: Final = 20
_CHUNK: Final = 500


class Store:
    """Tables in a database.

    Args:
        engine: The database, up to date.
        most_events: How many events a table may have.

    Attributes:
        engine: The database.
    """

    def __init__(self, engine: Engine, *, most_events: int = MOST_EVENTS) -> None:
        self.engine = engine
        self.most_events = most_events
        self._games = Games()
        self._writer = Writer(engine)
        self._reader = for_reading(engine)
        self._booked: list[Callable[[str, int | None], None]] = []

    # ------------------------------------------------------------------------------------------------------- new tables

    def create(self, events: Iterable[Event], *, name: str = "") -> Created:
        """Makes a table.

        Args:
            events: Its events so far; the first begins the game, and is given its rules' text where it has none.
            name: What it is called.

        Raises:
            TenboError: The events are none of a game, or the name cannot be one.
            TableFullError: There are too many events.
            UnavailableError: The database failed.
        """
        problems: list[Problem] = []
        EventFields(problems).text(name, "name", LONGEST_NAME)
        if problems:
            raise ReadError(problems)
        lines = list(events)
        if len(lines) > self.most_events:
            raise TableFullError(self.most_events)
        game = Game.replay(lines)
        if lines[0].get("ruleset") is None:  # its rules must stay what they are, whatever becomes of the preset
            lines[0] = {**lines[0], "ruleset": game.rules.text}
            game = Game.replay(lines)
        now = now_text()
        table = Table(make_id(), name, game.rules.title, now, game.version)
        tokens = [make_token() for _ in ROLES]
        row = {"id": table.id, "name": name, "rules": table.rules, "version": table.version}
        links = zip(tokens, ROLES, strict=True)
        rows: dict[Any, list[dict[str, Any]]] = {
            TABLES: [row | {"created": now, "changed": now}],
            LINKS: [{"hash": token_hash(token), "table_id": table.id, "role": role} for token, role in links],
            EVENTS: [
                {"table_id": table.id, "seq": seq, "event": _text(event), "key": None, "created": now}
                for seq, event in enumerate(lines, 1)
            ],
        }

        def write(db: Connection) -> None:
            for where, what in rows.items():
                db.execute(insert(where), what)

        self._writer.run(write)
        self._games.put(table.id, game)
        return Created(table, tokens[0], tokens[1], game)

    # ---------------------------------------------------------------------------------------------------------- looking

    def access(self, token: str) -> Access | None:
        """What a token opens; None where it opens nothing.

        Raises:
            UnavailableError: The database failed.
        """
        with self._reading() as db:
            row = db.execute(queries.ACCESS, {"hash": token_hash(token)}).one_or_none()
        return None if row is None else Access(Table(*row[:-1]), row[-1])

    def game(self, access: Access) -> Game:
        """A table's game, at least as new as when its token was looked up.

        It is only to be looked at: `copy` it to play on.

        Raises:
            NoTableError: The table was deleted.
            UnavailableError: The database failed.
        """
        return self.kept(access.table.id, access.table.version) or self.game_of(access.table.id)

    def game_of(self, table: str) -> Game:
        """The game of the table with this identity, as it is now; see `game`."""
        with self._reading() as db:
            return self._game(db, table)

    def kept(self, table: str, version: int) -> Game | None:
        """The game of a table, if one of at least this version is at hand; asks no database."""
        game = self._games.get(table)
        return game if game is not None and game.version >= version else None

    def versions(self, tables: Collection[str]) -> dict[str, int]:
        """The versions of tables, by identity; those that are no more are left out.

        Raises:
            UnavailableError: The database failed.
        """
        found: dict[str, int] = {}
        ids = list(tables)
        with self._reading() as db:
            for at in range(0, len(ids), _CHUNK):
                some = select(TABLES.c.id, TABLES.c.version).where(TABLES.c.id.in_(ids[at : at + _CHUNK]))
                found.update((row.id, row.version) for row in db.execute(some))
        return found

    def count(self) -> int:
        """How many tables there are.

        Raises:
            UnavailableError: The database failed.
        """
        with self._reading() as db:
            return int(db.execute(select(func.count()).select_from(TABLES)).scalar_one())

    # --------------------------------------------------------------------------------------------------------- changing

    def append(self, access: Access, event: Event, version: int | None, key: str | None = None) -> Booked:
        """Books an event. When this returns, it is on the disk.

        Args:
            access: What a token for scoring opened.
            event: The event; the time is added where it says none.
            version: The version that the caller has seen; None books it after whatever happened meanwhile.
            key: An idempotency key: with the same key, the same event is booked once.

        Raises:
            TenboError: The event makes no sense here.
            NotAllowedError: The token was for watching.
            NoTableError: The table was deleted.
            ConflictError: The table is at another version.
            KeyReusedError: The key came with another event before.
            TableFullError: The table has as many events as it may have.
            UnavailableError: The database failed; nothing was booked, or the same key finds out that it was.
        """
        if not access.may_score:
            raise NotAllowedError
        table = access.table.id
        game = self.kept(table, access.table.version)  # what is at hand will mostly do; the database has the last word
        for _ in range(_TRIES):
            game = game or self.game_of(table)
            now = now_text()
            line = event if event.get("when") is not None else {**event, "when": now}
            try:
                after = self._after(game, line, version)
            except (StoreError, TenboError):
                booked = self._booked_before(table, event, key)
                if booked is not None:
                    return booked
                newer = self.game_of(table)
                if newer.version == game.version:
                    raise
                game = newer
                continue
            if self._put(table, after.version, line, key, now):
                self._games.put(table, after)
                for tell in self._booked:
                    tell(table, after.version)
                return Booked(after.version, after)
            booked = self._booked_before(table, event, key)
            if booked is not None:
                return booked
            game = None
        raise UnavailableError("too many write to this table at once: nothing was booked; try again")

    def delete(self, access: Access, version: int) -> None:
        """Deletes a table with all its events.

        Args:
            access: What a token for scoring opened.
            version: The version that was exported last: what came later would be lost unseen.

        Raises:
            NotAllowedError: The token was for watching.
            NoTableError: It was deleted before.
            ConflictError: The table is at another version.
            UnavailableError: The database failed.
        """
        if not access.may_score:
            raise NotAllowedError
        table = access.table.id
        game = self.game_of(table)
        this = delete(TABLES).where(TABLES.c.id == table, TABLES.c.version == version)
        if not self._writer.run(lambda db: db.execute(this).rowcount):
            raise ConflictError(self.game_of(table) if game.version == version else game, version)
        self._games.drop(table)
        for tell in self._booked:
            tell(table, None)

    def on_booked(self, tell: Callable[[str, int | None], None]) -> None:
        """Has something called after each event booked here.

        Args:
            tell: Called from any thread with the table's identity and its version, or None where it was deleted.
        """
        self._booked.append(tell)

    def close(self) -> None:
        """Lets go of the database."""
        self.engine.dispose()

    # ----------------------------------------------------------------------------------------------------------- inside

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        """Statements each of which sees what was booked before it."""
        with faults(), self._reader.connect() as db:
            yield db

    def _game(self, db: Connection, table: str) -> Game:
        """The game as it is now."""
        version = db.execute(queries.VERSION, {"table": table}).scalar_one_or_none()
        if version is None:
            self._games.drop(table)
            raise NoTableError
        game = self._games.get(table)
        if game is not None and game.version >= version:
            return game  # a newer one was booked here in the meantime: it is on the disk, too
        after = 0 if game is None else game.version
        lines = [json.loads(text) for text in db.execute(queries.LINES, {"table": table, "after": after}).scalars()]
        if game is None:
            game = Game.replay(lines)
        else:
            game = game.copy()
            for line in lines:
                game.take(line)
        self._games.put(table, game)
        return game

    def _after(self, game: Game, line: Event, version: int | None) -> Game:
        """The game with one more event."""
        if version is not None and game.version != version:
            raise ConflictError(game, version)
        if game.version >= self.most_events:
            raise TableFullError(self.most_events)
        after = game.copy()
        after.append(line)
        return after

    def _booked_before(self, table: str, event: Event, key: str | None) -> Booked | None:
        if key is None:
            return None
        with self._reading() as db:
            row = db.execute(queries.KEYED, {"table": table, "key": key}).one_or_none()
        if row is None:
            return None
        stored = json.loads(row.event)
        if "when" not in event or event["when"] is None:
            stored = {**stored, "when": event["when"]} if "when" in event else _without_time(stored)
        if stored != json.loads(_text(event)):
            raise KeyReusedError
        game = self.game_of(table)
        if game.version > row.seq:
            game = Game.replay(game.lines[: row.seq])
        return Booked(row.seq, game, again=True)

    def _put(self, table: str, seq: int, line: Event, key: str | None, now: str) -> bool:
        """Writes an event; says whether nobody else was first."""
        new = {"table_id": table, "seq": seq, "event": _text(line), "key": key, "created": now}

        def write(db: Connection) -> bool:
            moved = db.execute(queries.MOVE, {"table": table, "old": seq - 1, "new": seq, "now": now}).rowcount
            if moved:
                db.execute(queries.INSERT, new)
            return bool(moved)

        try:
            return self._writer.run(write)
        except IntegrityError:  # the key was used in the meantime
            return False


def open_store(url: str | None = None, *, new: bool = True, most_events: int = MOST_EVENTS) -> Store:
    """Opens the database, brings it up to date and makes a store of it.

    Args:
        url: The database's address, or the path of an SQLite file; None: what `TENBO_DATABASE_URL` says, else a file
            in the user's data folder.
        new: Whether an SQLite file that is not there is made.
        most_events: How many events a table may have.

    Raises:
        UnavailableError: The database is not there, or cannot be used.
    """
    engine = make_engine(database_url(url), new=new)
    try:
        with faults():
            migrate(engine)
    except BaseException:
        engine.dispose()
        raise
    return Store(engine, most_events=most_events)


def now_text() -> str:
    """The time as it is kept: ISO 8601, UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _text(event: Event) -> str:
    """An event as it is kept: ASCII, so that no database minds what a stranger wrote."""
    return json.dumps(event, separators=(",", ":"))


def _without_time(event: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in event.items() if key != "when"}
