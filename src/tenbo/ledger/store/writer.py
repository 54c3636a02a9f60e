"""Writing: many at once share one wait for the disk."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any, Final, Generic, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import IntegrityError

from tenbo.ledger.store.database import for_writing
from tenbo.ledger.store.faults import faults

T = TypeVar("T")
_MOST: Final = 50


class _Ticket(Generic[T]):
    """One piece of work that waits for its turn."""

    __slots__ = ("done", "error", "value", "work")

    def __init__(self, work: Callable[[Connection], T]) -> None:
        self.work = work
        self.done = False
        self.error: BaseException | None = None
        self.value: T

    def result(self) -> T:
        if self.error is not None:
            raise self.error
        return self.value


class Writer:
    """Runs work in transactions that are on the disk when it returns.

    SQLite has one writer at a time, and each transaction waits for the disk. So whoever has its turn takes along all
    who wait: each in a savepoint of its own, all in one transaction. PostgreSQL does the like by itself.

    Args:
        engine: The database.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = for_writing(engine)
        self._together = engine.dialect.name == "sqlite"
        self._turn = Lock()
        self._lock = Lock()
        self._waiting: list[_Ticket[Any]] = []

    def run(self, work: Callable[[Connection], T]) -> T:
        """Runs work in a transaction and commits it.

        Args:
            work: May raise what it likes: then nothing of it stays.

        Raises:
            IntegrityError: A constraint does not hold.
            UnavailableError: The database failed; nothing of the work stays.
        """
        if not self._together:
            with faults(), self._engine.begin() as db:
                return work(db)
        ticket = _Ticket(work)
        with self._lock:
            self._waiting.append(ticket)
        with self._turn:
            while not ticket.done:
                with self._lock:
                    tickets, self._waiting = self._waiting[:_MOST], self._waiting[_MOST:]
                self._commit(tickets)
        return ticket.result()

    def _commit(self, tickets: list[_Ticket[Any]]) -> None:
        """Runs several pieces of work in one transaction; where that fails, all of them have failed."""
        try:
            with faults(), self._engine.begin() as db:
                for ticket in tickets:
                    _try(db, ticket, alone=len(tickets) == 1)
        except BaseException as error:
            for ticket in tickets:
                ticket.error = ticket.error or error
        finally:
            for ticket in tickets:
                ticket.done = True


def _try(db: Connection, ticket: _Ticket[Any], *, alone: bool) -> None:
    """Runs one piece of work. A constraint that does not hold is its own affair; any other failure is everybody's."""
    if alone:
        ticket.value = ticket.work(db)
        return
    try:
        with db.begin_nested():
            ticket.value = ticket.work(db)
    except IntegrityError as error:
        ticket.error = error
