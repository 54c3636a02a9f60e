"""Where the acceptance cases lie, and how they are read."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


def cases_dir() -> Path:
    """The folder of acceptance cases: `TENBO_CASES`, else `../shared/cases`. Skips the test where there is none."""
    return _folder("TENBO_CASES", SHARED / "cases", "acceptance cases")


def logs_dir() -> Path:
    """The folder of sample game logs: `TENBO_LOGS`, else `../shared/logs`. Skips the test where there is none."""
    return _folder("TENBO_LOGS", SHARED / "logs", "sample game logs")


def seeds_dir() -> Path:
    """The folder of the rule texts: `TENBO_SEEDS`, else `../shared/seeds`. Skips the test where there is none."""
    return _folder("TENBO_SEEDS", SHARED / "seeds", "rule texts")


def read_jsonl(path: Path) -> Iterator[Any]:
    """The JSON values of a `.jsonl` or `.jsonl.gz` file, one a line; blank lines are passed over."""
    data = path.read_bytes()
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    for line in data.splitlines():
        if line.strip():
            yield json.loads(line)


def read_cases(name: str) -> list[Any]:
    """The acceptance cases of a file, by its name without the ending: `read_cases("real_tenhou")`."""
    folder = cases_dir()
    for ending in (".jsonl", ".jsonl.gz"):
        if (path := folder / f"{name}{ending}").is_file():
            return list(read_jsonl(path))
    pytest.skip(f"no {name}.jsonl or {name}.jsonl.gz in {folder}")


def not_here(what: str) -> NoReturn:
    """Skips a test that needs what this machine lacks; where `CI` is set it fails: there, nothing may be lacking."""
    if os.environ.get("CI"):
        pytest.fail(what, pytrace=False)
    pytest.skip(what)


def _folder(variable: str, default: Path, what: str) -> Path:
    given = os.environ.get(variable)
    folder = Path(given) if given else default
    if folder.is_dir():
        return folder
    if given:
        pytest.fail(f"{variable} names {given}, which is not a folder", pytrace=False)
    pytest.skip(f"no {what}: neither {variable} is set nor is there a folder {default}")
