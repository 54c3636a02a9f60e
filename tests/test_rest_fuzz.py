"""Whatever the OpenAPI description allows, and much that it does not, is answered without a server error."""

from __future__ import annotations

import json
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import content_type_conformance, status_code_conformance

from tablekit import NAMES, WON
from tenbo.ledger.store import Store, open_store
from tenbo.web import create_app
from webclient import Client

STREAMS = "/api/tables/{table}/live"  # never ends: tests/test_live.py
BOUNDED = settings(
    max_examples=30,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
OPERATIONS = [
    (method, path) for path, item in create_app().openapi()["paths"].items() for method in item if path != STREAMS
]
MODES = {"allowed": GenerationMode.POSITIVE, "not allowed": GenerationMode.NEGATIVE}


@schemathesis.serializer("application/x-ndjson")
def lines(_: Any, value: Any) -> bytes:
    """A body of lines: what was made up, as it is or as JSON."""
    return value if isinstance(value, bytes) else (value if isinstance(value, str) else json.dumps(value)).encode()


class World:
    """An application with a table in it."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.app = create_app(store, tables_per_hour=0)
        self.client = Client(self.app)
        self.schema = schemathesis.openapi.from_asgi("/api/openapi.json", self.app)
        made = self.client.post("/api/tables", json={"rules": "riichi", "players": NAMES}).json()
        self.token: str = made["score"]["token"]
        self.client.post(f"/api/tables/{self.token}/events", json=WON, headers={"If-Match": "*"})


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Any:
    store = open_store(str(tmp_path_factory.mktemp("fuzz") / "tables.db"))
    yield World(store)
    store.close()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("method", "path"), OPERATIONS, ids=[f"{method} {path}" for method, path in OPERATIONS])
def test_no_server_error(world: World, method: str, path: str, mode: str) -> None:
    """At a table that is there, with the token that may do everything, and at tables that are not there."""
    operation = world.schema[path][method.upper()]
    checks = [not_a_server_error, content_type_conformance]
    if mode == "allowed":
        checks.append(status_code_conformance)
    tried = 0

    @BOUNDED
    @given(case=operation.as_strategy(generation_mode=MODES[mode]))
    def run(case: Any) -> None:
        nonlocal tried
        tried += 1
        if tried % 2 and "table" in (case.path_parameters or {}):
            case.path_parameters["table"] = world.token
            if method == "post":
                case.headers["If-Match"] = "*"
        case.validate_response(case.call(), checks=checks)

    try:
        run()
    except Unsatisfiable:  # whatever is sent there is allowed
        assert mode == "not allowed"
        return
    assert tried


def test_the_table_is_still_in_order(world: World) -> None:
    """After all that: the table replays to what it says, and its points are all there."""
    read = world.client.get(f"/api/tables/{world.token}").json()
    assert sum(read["points"]) + 1000 * read["sticks"] == 100_000
    file = world.client.get(f"/api/tables/{world.token}/export.jsonl").text
    assert json.loads(file.splitlines()[0])["event"] == "started"
    again = world.client.post("/api/tables/import", content=file.encode()).json()
    assert again["table"]["points"] == read["points"]
    assert again["version"] == read["version"] > 2
