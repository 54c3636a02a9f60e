"""Tables followed live: who follows which, and the stream of server-sent events.

`GET /api/tables/{table}/live` streams, for every change, an event `table` whose `id` is the version and whose data is

    {"version": 8, "since": 7, "table": {...}, "events": [...]}

`table` is where the game stands (see `tenbo.ledger.history.summary`), `events` the history from version `since` on, so
that nobody misses anything who says the last version seen: in `Last-Event-ID` (as browsers do when they reconnect) or
as `?since=VERSION`. Without either the stream begins with the table as it is. An event `ping` says every 15 seconds
that the line is up; `deleted` is the last event of a table that was deleted.

Changes booked by this process are told at once; those of other servers on the same database are seen by looking twice a
second.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Annotated, Final

import anyio
from anyio import to_thread
from fastapi import APIRouter, Path, Query, Request
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.responses import Response

from tenbo.ledger.game import Game
from tenbo.ledger.history import history, summary
from tenbo.ledger.store import Access, NoTableError, Store, UnavailableError
from tenbo.records import write_json
from tenbo.web.access import Tables, at_table
from tenbo.web.problems import ProblemError
from tenbo.web.tabledocs import LIVE

LOOK: Final = 0.5
"""Seconds between looks at what other servers booked."""

PING: Final = 15
MOST_FOLLOWERS: Final = 5_000
MOST_AT_A_TABLE: Final = 200
_RETRY: Final = 1000  # milliseconds after which a browser reconnects
_KEPT: Final = 500
_AGAIN: Final = 1.0
_SEND: Final = 30  # seconds after which a follower who takes nothing any more is given up
_GRACE: Final = 2  # seconds for the last messages when the server is stopped

router = APIRouter(prefix="/api/tables", tags=["tables"])


class Follower:
    """Somebody who waits for a table to change; belongs to one event loop."""

    __slots__ = ("_loop", "_woken", "deleted", "version")

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._woken = asyncio.Event()
        self.version = 0  # the newest that is known to be there
        self.deleted = False

    def tell(self, version: int | None) -> None:
        """Says, from any thread, that the table is at a version, or gone."""
        if version is None:
            self.deleted = True
        elif version <= self.version:
            return
        else:
            self.version = version
        with suppress(RuntimeError):  # the loop was closed, and with it whoever waited
            self._loop.call_soon_threadsafe(self._woken.set)

    def wake(self) -> None:
        """Ends the waiting, from the same event loop."""
        self._woken.set()

    async def wait(self) -> None:
        """Waits until something was told since the last time."""
        await self._woken.wait()
        self._woken.clear()


class Hub:
    """Who follows which table.

    Args:
        tables: The store.
        look: Seconds between looks at what others booked.
    """

    def __init__(self, tables: Tables, look: float = LOOK) -> None:
        self._tables = tables
        self._look = look
        self._followers: dict[str, set[Follower]] = {}
        self._count = 0
        self._lock = threading.Lock()
        self._looking = False
        self._hears: Store | None = None
        self._messages: OrderedDict[tuple[str, int, int], str] = OrderedDict()

    def follow(self, store: Store, table: str) -> Follower:
        """Begins to follow a table.

        Raises:
            ProblemError: Too many do (503).
        """
        follower = Follower()
        with self._lock:
            there = self._followers.get(table, set())
            if self._count >= MOST_FOLLOWERS or len(there) >= MOST_AT_A_TABLE:
                raise ProblemError(503, "too many follow tables here at the moment", {"Retry-After": "30"})
            self._followers.setdefault(table, there).add(follower)
            self._count += 1
            if self._hears is not store:
                store.on_booked(self.tell)
                self._hears = store
            if not self._looking:
                self._looking = True
                threading.Thread(target=self._look_on, name="tenbo-live", daemon=True).start()
        return follower

    def leave(self, table: str, follower: Follower) -> None:
        """Ends following."""
        with self._lock:
            there = self._followers.get(table, set())
            if follower in there:
                there.remove(follower)
                self._count -= 1
            if not there:
                self._followers.pop(table, None)

    @property
    def count(self) -> int:
        """How many follow a table."""
        return self._count

    def tell(self, table: str, version: int | None) -> None:
        """Tells all followers of a table its version, None where it was deleted."""
        with self._lock:
            there = tuple(self._followers.get(table, ()))
        for follower in there:
            follower.tell(version)

    def message(self, table: str, game: Game, since: int) -> str:
        """What followers are told who have seen a version; the same text for all of them."""
        key = (table, since, game.version)
        text = self._messages.get(key)
        if text is None:
            events = history(game, since, scores=False) if since else []
            record = {"version": game.version, "since": since, "table": summary(game), "events": events}
            text = write_json(record)
            with self._lock:
                self._messages[key] = text
                while len(self._messages) > _KEPT:
                    self._messages.popitem(last=False)
        return text

    def _look_on(self) -> None:
        """Looks what other servers booked, for as long as somebody follows."""
        while True:
            time.sleep(self._look)
            with self._lock:
                followed = list(self._followers)
                if not followed:
                    self._looking = False
                    return
            try:
                found = self._tables.store().versions(followed)
            except UnavailableError:
                continue  # the database may come back
            for table in followed:
                self.tell(table, found.get(table))


async def stream(
    hub: Hub, store: Store, access: Access, since: int, closing: anyio.Event
) -> AsyncIterator[ServerSentEvent]:
    """What a follower of a table is sent.

    Args:
        hub: Who follows which table.
        store: The store.
        access: The table.
        since: The version that was seen last; 0 for none.
        closing: Is set when the server is stopped.
    """
    table = access.table.id
    follower = hub.follow(store, table)
    seen = since
    closed = asyncio.ensure_future(closing.wait())
    closed.add_done_callback(lambda _: follower.wake())
    try:
        while not closing.is_set():
            game = store.kept(table, max(follower.version, access.table.version))
            if game is None:
                try:
                    game = await to_thread.run_sync(store.game_of, table)
                except NoTableError:
                    follower.deleted = True
                except UnavailableError:
                    await asyncio.sleep(_AGAIN)
                    continue
            if follower.deleted or game is None:
                yield ServerSentEvent("{}", event="deleted")
                return
            if seen > game.version:  # of another life of the database
                seen = 0
            if game.version > seen:
                text = hub.message(table, game, seen)
                seen = game.version
                yield ServerSentEvent(text, event="table", id=str(seen), retry=_RETRY)
            await follower.wait()
    finally:
        closed.cancel()
        hub.leave(table, follower)


def _ping() -> ServerSentEvent:
    return ServerSentEvent("{}", event="ping")


def _version(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else 0


@router.get("/{table}/live", summary="Follow a table", openapi_extra=LIVE, response_class=Response)
async def live(
    request: Request,
    table: Annotated[str, Path(description="The table's id, or a token.")],
    since: Annotated[int, Query(ge=0, le=10**9, description="The version seen last.")] = 0,
) -> Response:
    """Streams every change of a table as server-sent events."""
    store, access = await at_table(request, table, lambda store, access: (store, access))
    last = request.headers.get("last-event-id")
    closing = anyio.Event()
    events = stream(request.app.state.hub, store, access, _version(last) if last is not None else since, closing)
    return EventSourceResponse(
        events,
        ping=PING,
        ping_message_factory=_ping,
        send_timeout=_SEND,
        shutdown_event=closing,
        shutdown_grace_period=_GRACE,
    )
