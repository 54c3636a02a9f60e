"""Whether anything acknowledged is ever lost: the server is killed again and again in the middle of its work.

    .venv/bin/python benchmarks/kill.py [--kills 20] [--tables 20] [--rate 20] [--database URL]

Scorers book deals all the time, each with an idempotency key, and send a deal again, with the same key, until it is
acknowledged. At moments of chance the server gets SIGKILL and is started again. At the end every acknowledged deal must
be at its line, no deal twice, and every table's points and bets must add up. All of it on 127.0.0.1.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import httpx

from serving import NAMES, Server, deal, machine, spread


@dataclass
class Table:
    """A table, and what its scorer was told.

    Attributes:
        token: The token for scoring.
        version: The version last acknowledged.
        acknowledged: Each line that was acknowledged, and the mark of its deal.
        again: How many deals were sent more than once.
    """

    token: str
    version: int = 1
    acknowledged: dict[int, str] = field(default_factory=dict)
    again: int = 0


async def request(client: httpx.AsyncClient, table: Table, method: str, path: str, **more: Any) -> httpx.Response:
    """Sends a request again and again until it is answered."""
    for attempt in range(10_000):
        try:
            answer = await client.request(method, f"/api/tables/{table.token}{path}", **more)
        except httpx.TransportError:
            table.again += method == "POST" and attempt == 0
        else:
            if answer.status_code != 503:
                return answer
        await asyncio.sleep(0.1)
    raise SystemExit("the server does not come back")


async def book(client: httpx.AsyncClient, table: Table, event: dict[str, Any], key: str) -> httpx.Response:
    """Books an event, however often it has to be sent."""
    headers = {"If-Match": f'"{table.version}"', "Idempotency-Key": key}
    answer = await request(client, table, "POST", "/events", json=event, headers=headers)
    if answer.status_code == 201:
        table.version = int(answer.json()["seq"])
    return answer


async def score(client: httpx.AsyncClient, table: Table, number: int, pause: float, over: asyncio.Event) -> None:
    """Books deals at a table until it is over; a game that ends loses its last deal and goes on."""
    random = Random(number)
    count = 0
    while not over.is_set():
        await asyncio.sleep(pause * random.uniform(0.5, 1.5))
        count += 1
        mark = f"2025-01-01T00:00:00.{number:03d}{count % 1000:03d}+00:{count // 1000:02d}"  # a time no other deal has
        answer = await book(client, table, {**deal(random), "when": mark}, mark)
        if answer.status_code == 201:
            table.acknowledged[table.version] = mark
        elif answer.status_code == 422 and "the game is over" in answer.text:
            undo = (await request(client, table, "GET", "")).json()["undo"]
            answer = await book(client, table, undo, f"undo-{mark}")
        if answer.status_code != 201:
            raise SystemExit(f"{answer.status_code}: {answer.text[:300]}")


async def run(server: Server, kills: int, tables: int, rate: float) -> bool:
    """Runs it all and prints what came out.

    Returns:
        Whether nothing was lost.
    """
    random = Random(7)
    async with httpx.AsyncClient(base_url=server.url, timeout=30, trust_env=False) as client:
        made = []
        for _ in range(tables):
            answer = await client.post("/api/tables", json={"rules": "riichi", "players": NAMES})
            made.append(Table(answer.json()["score"]["token"]))
        over = asyncio.Event()
        pause = tables / rate
        scoring = [asyncio.create_task(score(client, table, i, pause, over)) for i, table in enumerate(made)]
        down: list[float] = []
        for _ in range(kills):
            await asyncio.sleep(random.uniform(0.5, 2.5))
            server.kill()
            began = time.monotonic()
            await asyncio.to_thread(server.start)
            down.append(time.monotonic() - began)
        await asyncio.sleep(1)
        over.set()
        await asyncio.gather(*scoring)
        return await judge(client, made, down)


async def judge(client: httpx.AsyncClient, made: list[Table], down: list[float]) -> bool:
    """Compares what is there with what was acknowledged."""
    lost = twice = unbalanced = booked = 0
    for table in made:
        file = (await client.get(f"/api/tables/{table.token}/export.jsonl")).text
        lines: list[dict[str, Any]] = [json.loads(line) for line in file.splitlines()]
        marks = [line["when"] for line in lines if line["event"] in ("won", "drawn")]
        twice += len(marks) - len(set(marks))
        for seq, mark in table.acknowledged.items():
            lost += not (seq <= len(lines) and lines[seq - 1].get("when") == mark)
        booked += len(table.acknowledged)
        read = (await client.get(f"/api/tables/{table.token}")).json()
        again = await client.post("/api/tables/import", content=file)
        good = sum(read["points"]) + 1000 * read["sticks"] == 100_000
        unbalanced += not (good and again.json()["table"]["points"] == read["points"])
    again_sent = sum(table.again for table in made)
    print(f"killed {len(down)} times on {machine()}; up again after: {spread(down)}")
    print(f"acknowledged {booked} deals, {again_sent} of them sent again")
    print(f"lost {lost}, booked twice {twice}, tables that do not balance {unbalanced}")
    return not (lost or twice or unbalanced) and booked > 0


def main() -> int:
    """The command.

    Returns:
        0 where nothing was lost.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--rate", type=float, default=20, help="deals a second")
    parser.add_argument("--database")
    said = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(said.database or f"sqlite:///{Path(folder) / 'tables.db'}")
        server.start()
        try:
            good = asyncio.run(run(server, said.kills, said.tables, said.rate))
        finally:
            server.stop()
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
