"""How the server bears a full hall: many tables, each followed by several phones, deals booked all the time.

    .venv/bin/python benchmarks/load.py [--tables 200] [--watchers 4] [--rate 20] [--seconds 60] [--core N]

One server process, SQLite in a temporary folder unless `--database` names another. Deals are booked at fixed
moments whether the earlier ones were answered or not, and a booking's time counts from its moment, so that a server
that stops for a while is not let off. Every follower must be told of every deal. All of it on 127.0.0.1.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import httpx

from serving import NAMES, Server, deal, machine, spread

MOST_P99 = 0.150


@dataclass
class Table:
    """A table, and what is known of it.

    Attributes:
        score: The token for scoring.
        watch: The token for watching.
        version: The version last acknowledged.
        sent: When each version's booking was due.
        seen: For each follower, when each version came.
        turn: One scorer books one deal after the other.
    """

    score: str
    watch: str
    version: int = 1
    sent: dict[int, float] = field(default_factory=dict)
    seen: list[dict[int, float]] = field(default_factory=list)
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


async def watch(port: int, table: Table, connected: asyncio.Semaphore) -> None:
    """Follows a table, with as little effort as can be."""
    seen: dict[int, float] = {}
    table.seen.append(seen)
    async with connected:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**20)
        writer.write(f"GET /api/tables/{table.watch}/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        await writer.drain()
        status = await reader.readline()
        if b" 200 " not in status:
            raise SystemExit(f"cannot follow: {status!r}")
        while not (await reader.readline()).startswith(b"id: "):
            pass
    seen[1] = time.monotonic()
    try:
        while line := await reader.readline():
            if line.startswith(b"id: "):
                seen[int(line[4:])] = time.monotonic()
    finally:
        writer.close()


async def book(client: httpx.AsyncClient, table: Table, due: float, random: Random, times: list[float]) -> str | None:
    """Books a deal; the time it took counts from when it was due.

    Returns:
        What went wrong, if anything did.
    """
    async with table.turn:
        event = deal(random)
        if table.version % 40 == 0:  # games end
            event = {"event": "note", "text": "another game"}
        table.sent[table.version + 1] = due
        headers = {"If-Match": f'"{table.version}"', "Idempotency-Key": f"key-{table.version}"}
        try:
            answer = await client.post(f"/api/tables/{table.score}/events", json=event, headers=headers)
        except httpx.TransportError as error:
            return f"no answer: {error!r}"
        if answer.status_code == 422 and "the game is over" in answer.text:
            return None
        if answer.status_code != 201:
            return f"{answer.status_code}: {answer.text[:200]}"
        table.version = int(answer.json()["version"])
    times.append(time.monotonic() - due)
    return None


async def run(server: Server, tables: int, watchers: int, rate: float, seconds: float) -> bool:
    """Runs it all and prints what came out.

    Returns:
        Whether all is as it should be.
    """
    random = Random(1)
    limits = httpx.Limits(max_connections=64, max_keepalive_connections=64)
    async with httpx.AsyncClient(base_url=server.url, timeout=30, limits=limits, trust_env=False) as client:
        made = []
        for _ in range(tables):
            answer = await client.post("/api/tables", json={"rules": "riichi", "players": NAMES})
            made.append(Table(answer.json()["score"]["token"], answer.json()["watch"]["token"]))
        empty = server.memory()
        connected = asyncio.Semaphore(20)
        following = [
            asyncio.create_task(watch(server.port, table, connected)) for table in made for _ in range(watchers)
        ]
        while sum(1 in seen for table in made for seen in table.seen) < tables * watchers:
            await asyncio.sleep(0.1)
        full = server.memory()
        print(f"{tables} tables, {len(following)} followers on {machine()}")

        times: list[float] = []
        booking: list[asyncio.Task[str | None]] = []
        spent, began = server.seconds(), time.monotonic()
        count = int(rate * seconds)
        for i in range(count):
            due = began + i / rate
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            booking.append(asyncio.create_task(book(client, random.choice(made), due, random, times)))
        errors = [error for error in await asyncio.gather(*booking) if error]
        taken = time.monotonic() - began
        spent = server.seconds() - spent
        await asyncio.sleep(2)
        for task in following:
            task.cancel()
        await asyncio.gather(*following, return_exceptions=True)
        lost = 0
        for table in made:
            read = (await client.get(f"/api/tables/{table.score}")).json()
            lost += read["version"] != table.version or sum(read["points"]) + 1000 * read["sticks"] != 100_000
    missed = sum(
        version not in seen
        for table in made
        for seen in table.seen
        for version in table.sent
        if version <= table.version
    )
    told = [
        seen[version] - table.sent[version] for table in made for seen in table.seen for version in seen if version > 1
    ]
    print(f"booked {len(times)} deals in {taken:.1f} s ({len(times) / taken:.1f} a second): {spread(times)}")
    print(f"told {len(told)} times: {spread(told)}")
    print(f"errors {len(errors)}, tables not as acknowledged {lost}, messages missed {missed}")
    print(f"processor {100 * spent / taken:.0f} % of a core; memory {empty / 2**20:.0f} MB, ", end="")
    print(
        f"with followers {full / 2**20:.0f} MB: {(full - empty) / 1024 / max(1, len(following)):.0f} KB each; ", end=""
    )
    print(f"at the end {server.memory() / 2**20:.0f} MB")
    for error in errors[:5]:
        print("  ", error)
    times.sort()
    slow = times[int(len(times) * 0.99)] > MOST_P99
    return not (errors or lost or missed or slow)


def main() -> int:
    """The command.

    Returns:
        0 where nothing was lost and 99 of 100 bookings took less than 150 ms.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--watchers", type=int, default=4)
    parser.add_argument("--rate", type=float, default=20, help="deals a second")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--database")
    parser.add_argument("--core", type=int, help="the only processor that the server may use, from 0")
    said = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(said.database or f"sqlite:///{Path(folder) / 'tables.db'}", core=said.core)
        server.start()
        try:
            good = asyncio.run(run(server, said.tables, said.watchers, said.rate, said.seconds))
        finally:
            server.stop()
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
