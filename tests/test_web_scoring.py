"""Scoring over REST: the same records as everywhere."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks as openapi

import cases
from tenbo.records import score_record, settle_record, value_record, waits_record
from tenbo.web import create_app
from webclient import Client

APP = create_app()
HAND = {"id": [1], "rules": "basic", "hand": "3457899p [777z] [2222z] +6p", "by": "discard", "seat": "S", "round": "E"}


@pytest.fixture(scope="module")
def client() -> Client:
    return Client(APP)


def test_a_hand_is_scored(client: Client) -> None:
    answer = client.post("/api/score", json=HAND)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == score_record(HAND)
    assert answer.json()["score"] == 320


def test_what_is_wrong_is_an_error_record(client: Client) -> None:
    answer = client.post("/api/score", json={**HAND, "seat": "X", "more": 1})
    assert answer.status_code == 422
    assert answer.json()["id"] == [1]
    assert [error["code"] for error in answer.json()["errors"]] == ["bad_value", "unknown_field"]


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[1]", b"1", b"nan", b"\xff", b"[" * 30_000, b'{"id":' * 900 + b"1" + b"}" * 900]
)
@pytest.mark.parametrize("path", ["/api/score", "/api/waits", "/api/value", "/api/settle"])
def test_anything_else_is_refused(client: Client, path: str, body: bytes) -> None:
    answer = client.post(path, content=body)
    assert answer.status_code == 422
    assert answer.json()["error"] in {"bad_json", "unknown_field", "missing_field"}
    assert answer.json()["errors"]


def test_files_are_never_read(client: Client, tmp_path: Any) -> None:
    own = tmp_path / "own.toml"
    own.write_text('extends = "basic"\ntitle = "Own"\n', encoding="utf-8")
    for name in (str(own), "../basic.toml", "/etc/passwd"):
        for path in ("score", "waits", "value", "settle"):
            answer = client.post(f"/api/{path}", json={**HAND, "rules": name})
            assert answer.status_code == 422
            assert "unknown_rules" in [error["code"] for error in answer.json()["errors"]]


def test_twins_of_the_library(client: Client) -> None:
    waits = {key: value for key, value in HAND.items() if key != "by"} | {"hand": "3457899p [777z] [2222z]"}
    value = {"rules": "reach", "hp": 4, "bp": 30, "seat": "S", "by": "self_draw"}
    settle = {"rules": "basic", "round": "E", "winners": [{"seat": "N", "by": "discard", "from": "S", "score": 64}]}
    for path, record, function in (
        ("waits", waits, waits_record),
        ("value", value, value_record),
        ("settle", settle, settle_record),
    ):
        answer = client.post(f"/api/{path}", json=record)
        assert answer.status_code == 200
        assert answer.json() == function(record)


def test_a_batch_is_answered_line_by_line(client: Client) -> None:
    lines = [json.dumps(HAND), "", "nonsense", json.dumps({**HAND, "hand": "1m"}), "[]"]
    answer = client.post("/api/score/batch", content="\n".join(lines))
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/x-ndjson"
    got = [json.loads(line) for line in answer.text.splitlines()]
    assert [one.get("score", one.get("error")) for one in got] == [320, "bad_json", "missing_field", "bad_json"]
    assert [one["errors"][0]["at"] for one in got if "error" in one] == [3, "hand", 5]


def test_a_batch_of_many(client: Client) -> None:
    body = (json.dumps(HAND) + "\n") * 1000
    answer = client.post("/api/score/batch", content=body)
    assert answer.text == (json.dumps(score_record(HAND), separators=(", ", ": ")) + "\n") * 1000


def test_more_than_a_batch_holds_is_refused(client: Client) -> None:
    answer = client.post("/api/score/batch", content="{}\n" * 10_001)
    assert answer.status_code == 413
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["status"] == 413


def test_bodies_are_limited(client: Client) -> None:
    answer = client.post("/api/score", content=b" " * 100_000)
    assert answer.status_code == 413


@pytest.mark.parametrize("name", ["examples", "bad"])
def test_cases(client: Client, name: str) -> None:
    records = [case["record"] for case in cases.read_cases(name)]
    answer = client.post("/api/score/batch", content="\n".join(map(json.dumps, records)))
    got = [json.loads(line) for line in answer.text.splitlines()]
    assert got == [score_record(record, paths=False) for record in records]


def test_charts(client: Client) -> None:
    answer = client.get("/api/chart/reach")
    assert len(answer.json()["rows"]) == 182
    assert client.get("/api/chart/basic").status_code == 404
    assert client.get("/api/chart/nothing").json()["detail"].startswith("there are no rules 'nothing'")


def test_schemas(client: Client) -> None:
    every = client.get("/api/schema").json()
    assert every["version"] >= 1
    assert client.get("/api/schema/score").json() == every["schemas"]["score"]
    assert client.get("/api/schema/nothing").status_code == 404


def test_problems_are_problem_details(client: Client) -> None:
    for method, path, status in (("GET", "/api/nothing", 404), ("GET", "/api/score", 405), ("DELETE", "/", 405)):
        answer = client.request(method, path)
        assert answer.status_code == status
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["status"] == status


def test_security_headers_are_everywhere(client: Client) -> None:
    for path in ("/", "/api/schema", "/nothing", "/static/x/app.css", "/rules", "/score/live"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


@schemathesis.serializer("application/x-ndjson")
def lines(context: object, value: object) -> bytes:
    return str(value).encode("utf-8", "replace")


CHECKS = [
    not_a_server_error,
    openapi.status_code_conformance,
    openapi.content_type_conformance,
    openapi.response_schema_conformance,
]
SCHEMA = schemathesis.openapi.from_asgi("/api/openapi.json", APP)


@SCHEMA.include(tag="scoring").parametrize()
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_description_holds_whatever_comes(case: schemathesis.Case) -> None:
    case.call_and_validate(checks=CHECKS)  # a body of the right form may still be a hand that cannot be scored


@pytest.mark.parametrize("path", ["/api/score", "/api/score/batch", "/t"])
def test_a_client_that_goes_away_is_no_fault_of_the_server(path: str) -> None:
    messages = [{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}]
    sent: list[Any] = []

    async def receive() -> Any:
        return messages.pop(0) if messages else {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"content-type", b"application/x-www-form-urlencoded"), (b"host", b"tenbo.test")]
    scope = {"type": "http", "method": "POST", "path": path, "raw_path": path.encode(), "query_string": b""}
    scope |= {
        "headers": headers,
        "http_version": "1.1",
        "scheme": "http",
        "server": ("tenbo.test", 80),
        "root_path": "",
    }
    asyncio.run(create_app()(scope, receive, send))
    assert sent[0]["status"] == 400
