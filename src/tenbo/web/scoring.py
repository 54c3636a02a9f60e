"""Scoring over REST: the same records as the command line's and the library's."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from itertools import islice
from typing import Any, Final

from anyio import to_thread
from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse

from tenbo.chart import chart_record
from tenbo.errors import Problem, ReadError, TenboError
from tenbo.lines import score_lines
from tenbo.records import (
    read_json,
    score_record,
    settle_record,
    value_record,
    waits_record,
    write_json,
)
from tenbo.rulefile import PRESETS
from tenbo.ruleset import load_rules
from tenbo.schemas import all_schemas, schema
from tenbo.waits import error_record
from tenbo.web.body import read_body
from tenbo.web.openapi import BATCH, CHART, SCHEMA, SCORE, SETTLE, VALUE, WAITS
from tenbo.web.problems import ProblemError

JSON: Final = "application/json"
NDJSON: Final = "application/x-ndjson"
MOST_BYTES: Final = 64 * 1024
MOST_BATCH_BYTES: Final = 32 * 1024 * 1024
MOST_RECORDS: Final = 10_000
_SLICE: Final = 1_000

router = APIRouter(prefix="/api", tags=["scoring"])
Record = dict[str, Any]


async def _answered(request: Request, work: Callable[[Any], Record]) -> Response:
    """The answer to one record: 200 with what it is worth, 422 with all that is wrong with it."""
    body = await read_body(request, MOST_BYTES)
    try:
        answer = work(read_json(body))
    except TenboError as error:
        answer = error_record(error)
    text = _written(answer)
    return Response(text, 200 if "errors" not in answer else 422, media_type=JSON)


@router.post("/score", summary="Score a hand", openapi_extra=SCORE, response_class=Response)
async def score(request: Request) -> Response:
    """Takes a hand record and answers with its score record; 422 with an error record where it cannot be scored."""
    return await _answered(request, lambda record: score_record(record, paths=False))


@router.post("/waits", summary="What completes a hand", openapi_extra=WAITS, response_class=Response)
async def waits(request: Request) -> Response:
    """Takes a hand record without winning tile and answers with every tile that completes it and what it scores."""
    return await _answered(request, lambda record: waits_record(record, paths=False))


@router.post("/value", summary="Value points and doubles", openapi_extra=VALUE, response_class=Response)
async def value(request: Request) -> Response:
    """Takes points and doubles (or Hand Points and Base Points, han and fu, a limit) and answers who pays what."""
    return await _answered(request, lambda record: value_record(record, paths=False))


@router.post("/settle", summary="Settle a deal", openapi_extra=SETTLE, response_class=Response)
async def settle(request: Request) -> Response:
    """Takes the end of a deal (winners, a draw or a penalty) and answers with every payment and transfer."""
    return await _answered(request, lambda record: settle_record(record, paths=False))


@router.post("/score/batch", summary="Score up to 10,000 hands", openapi_extra=BATCH, response_class=Response)
async def batch(request: Request) -> Response:
    """Takes hand records, one a line, and answers with a score or error record for each, in order."""
    body = await read_body(request, MOST_BATCH_BYTES)
    lines = body.split(b"\n")
    count = sum(1 for line in lines if line.strip())
    if count > MOST_RECORDS:
        raise ProblemError(413, f"a batch here has {MOST_RECORDS:,} records at most, and this one has {count:,}")
    return StreamingResponse(_batch(lines), media_type=NDJSON)


async def _batch(lines: list[bytes]) -> AsyncIterator[bytes]:
    """The answers a slice at a time, so that others are served in between."""
    answers = score_lines([lines], paths=False)

    def some() -> bytes:
        return "".join(text + "\n" for text, _ in islice(answers, _SLICE)).encode()

    while part := await to_thread.run_sync(some):
        yield part


def _written(answer: Record) -> str:
    try:
        return write_json(answer)
    except RecursionError:
        return write_json(error_record(ReadError([Problem("bad_json", "the record is nested too deeply", None)])))


@router.get("/chart/{name}", summary="A score chart", openapi_extra=CHART, response_class=Response)
async def chart(name: str) -> Response:
    """The printed score chart of a ruleset, every row and column."""
    if name not in PRESETS:
        raise ProblemError(404, f"there are no rules {name[:40]!r} (there are: {', '.join(PRESETS)})")
    try:
        found = chart_record(load_rules(name))
    except TenboError as error:
        raise ProblemError(404, str(error)) from None
    return Response(write_json(found), headers={"Cache-Control": "max-age=3600"}, media_type=JSON)


@router.get("/schema", summary="JSON Schemas of all records", openapi_extra=SCHEMA, response_class=Response)
async def schemas() -> Response:
    """The schemas of everything that goes in and comes out, with their version."""
    return Response(write_json(all_schemas()), headers={"Cache-Control": "max-age=3600"}, media_type=JSON)


@router.get("/schema/{name}", summary="JSON Schema of a record", openapi_extra=SCHEMA, response_class=Response)
async def one_schema(name: str) -> Response:
    """One schema, by the record's name."""
    try:
        found = schema(name)
    except TenboError as error:
        raise ProblemError(404, str(error)) from None
    return Response(write_json(found), headers={"Cache-Control": "max-age=3600"}, media_type="application/schema+json")
