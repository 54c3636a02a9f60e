"""The examples of the guides to REST and hosting, run as they stand."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from cases import not_here
from tablekit import Server

DOCS = Path(__file__).resolve().parents[1] / "docs"
ANYTHING = "..."


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("guides")
    running = Server(f"sqlite:///{folder / 'tables.db'}", folder)
    yield running
    running.close()


def compare(want: Any, got: Any, known: dict[str, str], at: str = "") -> None:
    """Compares an answer with what a guide shows: `...` is anything, `$NAME` is kept or must be what it was."""
    if want == ANYTHING:
        return
    if isinstance(want, str) and want.startswith("$"):
        assert known.setdefault(want[1:], got) == got, at
    elif isinstance(want, dict):
        assert isinstance(got, dict), at
        if ANYTHING not in want and at:
            assert want.keys() == got.keys(), at
        for key in want.keys() - {ANYTHING}:
            assert key in got, f"{at}.{key}"
            compare(want[key], got[key], known, f"{at}.{key}")
    elif isinstance(want, list):
        assert isinstance(got, list), at
        assert len(want) == len(got), at
        for i, (one, other) in enumerate(zip(want, got, strict=True)):
            compare(one, other, known, f"{at}[{i}]")
    else:
        assert want == got, at


def test_the_examples_of_the_guide_to_rest(server: Server) -> None:
    for program in ("sh", "curl"):
        if shutil.which(program) is None:
            not_here(f"no {program}")
    blocks = re.findall(
        r"^```(\w+)\n(.*?)^```$", (DOCS / "rest.md").read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    known: dict[str, str] = {}
    tried = 0
    for (kind, command), (answers, shown) in pairwise(blocks):
        if kind != "sh":
            continue
        assert answers == "json"
        command = command.replace("http://localhost:8000", server.url)
        done = subprocess.run(
            ["sh", "-c", command], capture_output=True, text=True, env={**os.environ, "no_proxy": "*", **known}
        )
        assert done.returncode == 0, done.stderr
        compare(json.loads(shown), json.loads(done.stdout), known)
        tried += 1
    assert tried > 10
    assert known.keys() == {"ID", "SCORE", "WATCH"}


def test_every_route_is_in_the_guide() -> None:
    from tenbo.web import create_app

    text = (DOCS / "rest.md").read_text(encoding="utf-8")
    for path in create_app().openapi()["paths"]:
        last = path.removeprefix("/api/tables/{table}").replace("{form}", "csv")
        assert last in text, path
