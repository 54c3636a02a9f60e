"""How many hands a second the server scores, one a request and 10,000 a request.

    .venv/bin/python benchmarks/rate.py [--seconds 10] [--connections 8]

One server process on one core; wrk (Debian's package of that name) sends thousands of different wins of real games.
All of it on 127.0.0.1.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import mixes
from serving import Server, machine

SINGLE, BATCH = 1_500, 20_000
_BATCH = 10_000
_ONE = """
local bodies, at = {}, 0
for line in io.lines("%s") do bodies[#bodies + 1] = line end
request = function()
  at = at %% #bodies + 1
  return wrk.format("POST", "%s", {["Content-Type"] = "%s"}, bodies[at])
end
"""
_ALL = """
local file = io.open("%s", "rb")
local body = file:read("*a")
request = function()
  return wrk.format("POST", "%s", {["Content-Type"] = "%s"}, body)
end
"""


def rate(server: Server, script: Path, connections: int, seconds: float) -> tuple[float, str]:
    """Requests a second, and what else wrk says."""
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds:.0f}s", "--timeout", "30s", "--latency"]
    command += ["-s", str(script)]
    done = subprocess.run([*command, server.url], capture_output=True, text=True, check=True)
    found = re.search(r"Requests/sec:\s+([\d.]+)", done.stdout)
    bad = re.search(r"Non-2xx or 3xx responses: (\d+)|Socket errors: (.*)", done.stdout)
    late = re.search(r"99%\s+(\S+)", done.stdout)
    if found is None or bad is not None:
        raise SystemExit(done.stdout + done.stderr)
    return float(found[1]), f"p99 {late[1]}" if late else ""


def _busy(rate: float, spent: float, seconds: float) -> str:
    """How much of its core the server got, and what it would do with all of it."""
    part = spent / seconds
    return f"the server had {100 * part:.0f} % of a core ({rate / part if part else 0:,.0f} with all of it)"


def main() -> int:
    """The command.

    Returns:
        0 where both are as fast as they should be.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--connections", type=int, default=8)
    said = parser.parse_args()
    if shutil.which("wrk") is None:
        raise SystemExit("this needs wrk (as root on Debian: apt-get install wrk)")
    hands, where = mixes.natural(_BATCH)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lines = [json.dumps({"id": i, "rules": "riichi", **hand}) for i, hand in enumerate(hands)]
        (folder / "hands").write_text("\n".join(lines) + "\n")
        for script, text, path, kind in (
            ("one", _ONE, "/api/score", "application/json"),
            ("all", _ALL, "/api/score/batch", "application/x-ndjson"),
        ):
            (folder / script).write_text(text % (folder / "hands", path, kind))
        server = Server(f"sqlite:///{folder / 'tables.db'}", core=0)
        server.start()
        try:
            rate(server, folder / "one", said.connections, 2)
            begun = server.seconds()
            single, late = rate(server, folder / "one", said.connections, said.seconds)
            between = server.seconds()
            batches, _ = rate(server, folder / "all", 1, said.seconds)
            ended = server.seconds()
        finally:
            server.stop()
    batch = batches * len(hands)
    print(f"{len(hands)} {where}, on {machine()}")
    print(f"one a request: {single:,.0f} hands a second, {late}; {_busy(single, between - begun, said.seconds)}")
    print(f"{len(hands):,} a request: {batch:,.0f} hands a second; {_busy(batch, ended - between, said.seconds)}")
    return 0 if single >= SINGLE and batch >= BATCH else 1


if __name__ == "__main__":
    raise SystemExit(main())
