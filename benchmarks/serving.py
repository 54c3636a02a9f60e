"""What the benchmarks of the server share: a server in a process of its own, hands and events to send."""

from __future__ import annotations

import contextlib
import os
import platform
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import httpx

NAMES = ["Ann", "Bea", "Cid", "Dan"]
HANDS = (
    "234m567p2234567s +8s",
    "345m40567p2345s5z +5z",
    "99m23m678s345s555z +4m",
    "123m456m789m11p23s +1s",
    "1122m5566p7788s3z +3z",
    "234m345p45678s22m +3s",
    "111m222p333s44s78p +9p",
)
_HIGH = 0.99


class Server:
    """`tenbo serve`, on 127.0.0.1 only.

    Args:
        database: The database's address.
        core: The processor that it may use, where the system lets one say so; None for any.
    """

    def __init__(self, database: str, core: int | None = None) -> None:
        self._database, self._core = database, core
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> float:
        """Starts it and waits until it answers.

        Returns:
            The seconds it took.
        """
        began = time.monotonic()
        environment = {**os.environ, "TENBO_DATABASE_URL": self._database, "TENBO_TABLES_PER_HOUR": "0"}
        command = [sys.executable, "-m", "tenbo", "serve", "--port", str(self.port), "--log-level", "error"]
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
        if self._core is not None and hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(self.process.pid, {self._core})
        with httpx.Client(trust_env=False) as client:
            while time.monotonic() - began < 60:
                with contextlib.suppress(httpx.TransportError):
                    client.get(f"{self.url}/api/openapi.json")
                    return time.monotonic() - began
                if self.process.poll() is not None:
                    break
                time.sleep(0.05)
        raise SystemExit("the server does not start")

    def kill(self) -> None:
        """Ends it as a power cut would."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """Ends it in good order."""
        assert self.process is not None
        self.process.terminate()
        self.process.wait(30)

    def memory(self) -> int:
        """The bytes of memory it holds; 0 where the system does not say."""
        assert self.process is not None
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
                if line.startswith("VmRSS:"):
                    return int(line.split()[1]) * 1024
        return 0

    def seconds(self) -> float:
        """The processor time it has used."""
        assert self.process is not None
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return 0.0


def deal(random: Random) -> dict[str, Any]:
    """The end of a deal, as it comes at a riichi table."""
    winner = random.randrange(4)
    if random.random() < 0.2:
        return {"event": "drawn", "kind": "exhaustive", "ready": sorted(random.sample(range(4), random.randrange(5)))}
    way: dict[str, Any] = {"by": "self_draw"}
    if random.random() < 0.6:
        way = {"by": "discard", "from": random.choice([player for player in range(4) if player != winner])}
    if random.random() < 0.5:
        worth: dict[str, Any] = {"hand": HANDS[0], "flags": ["riichi"], "dora": "1m"}
    else:
        worth = {"han": random.choice([1, 2, 3]), "fu": random.choice([30, 40, 50])}
    return {"event": "won", "winners": [{"player": winner, **way, **worth}]}


def percent(values: list[float], part: float) -> float:
    """The value that a part of all does not pass."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else 0.0


def spread(values: list[float]) -> str:
    """Times in milliseconds: the median, p99 and the longest."""
    figures = (percent(values, 0.5), percent(values, _HIGH), max(values, default=0.0))
    return "median {:.1f} ms, p99 {:.1f} ms, longest {:.1f} ms".format(*(1000 * figure for figure in figures))


def machine() -> str:
    """What it was measured on, and how busy that was."""
    load = ", ".join(f"{figure:.1f}" for figure in os.getloadavg()) if hasattr(os, "getloadavg") else "unknown"
    return f"{os.cpu_count()} cores, load {load}, Python {platform.python_version()}, {platform.system()}"
