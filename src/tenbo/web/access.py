"""Who may do what at a table: tokens taken from requests, kept out of logs."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from threading import Lock
from typing import Any, Final, TypeVar

from anyio import CapacityLimiter, to_thread
from anyio.lowlevel import RunVar
from starlette.requests import Request

from tenbo.errors import TenboError
from tenbo.ledger.history import history, summary
from tenbo.ledger.store import (
    Access,
    ConflictError,
    KeyReusedError,
    NoSpaceError,
    NoTableError,
    NotAllowedError,
    Store,
    StoreError,
    TableFullError,
    UnavailableError,
    open_store,
)
from tenbo.ledger.store.tokens import is_id
from tenbo.web.problems import NO_TABLE, ProblemError

T = TypeVar("T")
_THREADS: Final = 8  # at work with the store at once: more would only stand in each other's way
_limiter: RunVar[CapacityLimiter] = RunVar("tenbo_tables")  # one for each event loop
_RETRY: Final = {"Retry-After": "2"}
_WATCHING: Final = (
    "it shows everything and changes nothing: to keep score, open the other link, which whoever made the table has"
)
_NO_LINK: Final = "this is a table's number, not a link to it: ask for the link to keep score, or for the one to watch"
_KEY_USED: Final = "this page has booked something else already: go back to the table and look at what is booked"
_NO_TOKEN: Final = "this needs the token of a link to the table, as 'Authorization: Bearer TOKEN'"
_TOKEN_IN_PATH: Final = re.compile(r"(/t/|/api/tables/)[^/?\s\"]+")


class Tables:
    """The store an application works on, opened when it is first asked for.

    Args:
        store: The store; None opens the default one.
    """

    def __init__(self, store: Store | None = None) -> None:
        self._store = store
        self._lock = Lock()

    def store(self) -> Store:
        """The store.

        Raises:
            UnavailableError: It cannot be opened.
        """
        with self._lock:
            if self._store is None:
                self._store = open_store()
            return self._store


def problem_of(error: StoreError | TenboError) -> ProblemError:
    """The problem that an error of the store, or of an event, is over HTTP.

    A `ConflictError` (409) brings what happened: `version`, `events` (history since the expected version) and `table`
    (where it stands now). Events and rules that cannot be used (422) bring `error`, the first code, and `errors`.
    """
    match error:
        case TenboError():
            found = [{"code": one.code, "message": one.message, "at": one.at} for one in error.problems]
            return ProblemError(422, str(error), error=error.code, errors=found)
        case ConflictError():
            game, expected = error.game, error.expected
            happened = history(game, expected, scores=False) if 0 < expected <= game.version else []
            more: dict[str, Any] = {
                "version": game.version,
                "expected": expected,
                "events": happened,
                "table": summary(game),
            }
            return ProblemError(409, str(error), {"ETag": etag(game.version)}, **more)
        case NoTableError():
            return ProblemError(404, NO_TABLE)
        case NotAllowedError():
            return ProblemError(403, str(error), page=_WATCHING)
        case KeyReusedError():
            return ProblemError(422, str(error), page=_KEY_USED)
        case TableFullError():
            return ProblemError(422, str(error))
        case NoSpaceError():
            return ProblemError(507, str(error))
        case UnavailableError():
            return ProblemError(503, str(error), _RETRY)
    return ProblemError(500, str(error))


def token_of(request: Request, table: str) -> tuple[str, str | None]:
    """The token of a request, and the identity that the table must have.

    A token stands in the header `Authorization: Bearer TOKEN`, and the address has the table's identity; or it stands
    in the address itself, where the identity would.

    Raises:
        ProblemError: There is none (401).
    """
    header = request.headers.get("authorization")
    if header is not None:
        scheme, _, token = header.partition(" ")
        if scheme.lower() != "bearer" or not token.strip():
            raise unauthorised(_NO_TOKEN)
        return token.strip(), table
    if is_id(table):
        raise unauthorised(_NO_TOKEN)
    return table, None


def unauthorised(detail: str) -> ProblemError:
    """The problem of a request without a token that opens the table."""
    return ProblemError(401, detail, {"WWW-Authenticate": 'Bearer realm="tenbo table"'}, page=_NO_LINK)


async def in_thread(work: Callable[[], T]) -> T:
    """Does work with the store where it holds nobody up; its errors become problems."""
    try:
        limiter = _limiter.get()
    except LookupError:
        limiter = CapacityLimiter(_THREADS)
        _limiter.set(limiter)
    try:
        return await to_thread.run_sync(work, limiter=limiter)
    except (StoreError, TenboError) as error:
        raise problem_of(error) from error
    except RecursionError:
        raise ProblemError(422, "what was sent is nested too deeply") from None


async def at_table(request: Request, table: str, work: Callable[[Store, Access], T], *, scoring: bool = False) -> T:
    """Does work at the table that a request has a token for.

    Args:
        request: The request.
        table: The table's identity, or a token, as the address says.
        work: What is to be done, in a thread.
        scoring: Whether it needs the token for scoring.

    Raises:
        ProblemError: There is no token (401), it opens nothing (401 or 404), it is for watching only (403), or the
            work failed.
    """
    token, identity = token_of(request, table)
    tables: Tables = request.app.state.tables

    def opened() -> T:
        store = tables.store()
        access = store.access(token)
        if access is None or (identity not in (None, access.table.id)):
            raise (
                ProblemError(404, NO_TABLE) if identity is None else unauthorised("this token does not open the table")
            )
        if scoring and not access.may_score:
            raise NotAllowedError
        return work(store, access)

    return await in_thread(opened)


def etag(version: int) -> str:
    """A version as an entity tag."""
    return f'"{version}"'


def expected_version(request: Request) -> int | None:
    """The version in `If-Match`; None for `*`, any version.

    Raises:
        ProblemError: There is none (428), or it is no version (400).
    """
    given = request.headers.get("if-match")
    if given is None:
        raise ProblemError(428, "say which version you have seen: 'If-Match: \"VERSION\"', or 'If-Match: *' for any")
    if given.strip() == "*":
        return None
    found = re.fullmatch(r'\s*(?:W/)?"?([0-9]{1,9})"?\s*', given)
    if found is None:
        raise ProblemError(400, "If-Match must be one version, such as '\"7\"', or *")
    return int(found[1])


class NoTokens(logging.Filter):
    """Takes tokens out of what is logged."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Hides the part of each address that can be a token; keeps every record."""
        record.msg = without_tokens(record.msg) if isinstance(record.msg, str) else record.msg
        if isinstance(record.args, tuple):
            record.args = tuple(without_tokens(one) if isinstance(one, str) else one for one in record.args)
        return True


def without_tokens(text: str) -> str:
    """A text without the tokens of the addresses in it.

    >>> without_tokens("GET /t/4xQ0_secret/history HTTP/1.1")
    'GET /t/.../history HTTP/1.1'
    """
    return _TOKEN_IN_PATH.sub(r"\1...", text)


def hide_tokens() -> None:
    """Keeps tokens out of the server's logs."""
    for name in ("uvicorn.access", "uvicorn.error", "uvicorn"):
        log: Any = logging.getLogger(name)
        if not any(isinstance(one, NoTokens) for one in log.filters):
            log.addFilter(NoTokens())
