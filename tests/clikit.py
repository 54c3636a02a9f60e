"""Calling the command line from tests."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import Any
from unittest import mock

import pytest

from tenbo.cli import main

HAND = "3457899p [777z] [2222z] +6p"
BASIC = ["--rules", "basic", "--by", "discard", "--seat", "S", "--round", "E"]
RECORD = {"hand": HAND, "rules": "basic", "by": "discard", "seat": "S", "round": "E"}


class Ended:
    """How a call ended: its exit status and what it printed."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def invoke(*arguments: str, columns: int = 80) -> Ended:
    """Calls the command within this process."""
    out, err = (io.TextIOWrapper(io.BytesIO(), write_through=True) for _ in range(2))
    with mock.patch.dict(os.environ, {"COLUMNS": str(columns)}), redirect_stdout(out), redirect_stderr(err):
        status = main(arguments)
    said = [stream.buffer.getvalue().decode() for stream in (out, err)]  # type: ignore[attr-defined]
    return Ended(status, *said)


def run(*arguments: str | bytes, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Calls the command as a process of its own."""
    command = [sys.executable, "-m", "tenbo", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, env={**os.environ, **environment}, timeout=60)


def terminal(*arguments: str, **environment: str) -> str:
    """What the command prints on a terminal."""
    pty = pytest.importorskip("pty")
    leader, follower = pty.openpty()
    env = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}
    env |= {"TERM": "xterm-256color", **environment}
    with subprocess.Popen(
        [sys.executable, "-m", "tenbo", *arguments], stdout=follower, stderr=follower, env=env
    ) as process:
        os.close(follower)
        out = b""
        while True:
            try:
                chunk = os.read(leader, 4096)
            except OSError:
                break
            if not chunk:
                break
            out += chunk
        process.wait(60)
    os.close(leader)
    return out.decode().replace("\r\n", "\n")
