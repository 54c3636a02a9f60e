"""What databases say when they fail, in words for people."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from tenbo.ledger.store.errors import NoSpaceError, UnavailableError

_FULL: Final = "the disk or the database is full: nothing was booked; make room, then try again"
_BUSY: Final = "the database is busy: nothing was booked; try again"
_GONE: Final = "the database does not answer: nothing was booked; try again in a while"
_DISK_FULL: Final = ("53100", "53200")  # PostgreSQL's disk_full and out_of_memory
_BUSY_STATES: Final = ("55P03", "57014", "40001", "40P01", "53300")


@contextmanager
def faults() -> Iterator[None]:
    """Says what a database's failure means.

    Raises:
        NoSpaceError: The disk is full.
        UnavailableError: Any other failure that is not this program's fault.
    """
    try:
        yield
    except IntegrityError:
        raise
    except PoolTimeout:
        raise UnavailableError(_BUSY) from None
    except DBAPIError as error:
        raise said(error) from error
    except sqlite3.Error as error:  # while connecting, outside of SQLAlchemy
        raise UnavailableError(f"{_GONE} ({error})") from error


def said(error: DBAPIError) -> UnavailableError:
    """What a database's error means."""
    cause = error.orig
    if isinstance(cause, sqlite3.Error):
        code = getattr(cause, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_FULL:
            return NoSpaceError(_FULL)
        return UnavailableError(_BUSY if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) else f"{_GONE} ({cause})")
    state = getattr(cause, "sqlstate", None)
    if state in _DISK_FULL:
        return NoSpaceError(_FULL)
    return UnavailableError(_BUSY if state in _BUSY_STATES else _GONE)
