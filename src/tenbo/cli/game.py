"""`tenbo game`: game files replayed, and made from the logs of other programs."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

from cyclopts import Parameter

from tenbo.cli.paper import Cell, Line, paragraph, show, table, terminal_width
from tenbo.cli.situation import AsJson, whole
from tenbo.cli.streams import CallError, open_input, printable, put_json, tell
from tenbo.errors import TenboError

_LONGEST_NAME: Final = 60
_ANY_WIDTH: Final = 10_000  # a link is never folded


def replay(
    file: Annotated[str, Parameter(allow_leading_hyphen=True, help="A game file; - reads it from standard input.")],
    /,
    *,
    as_json: AsJson = False,
) -> int:
    """Replays a game file: what each deal paid, how everybody stands, and who is ahead."""
    from tenbo.ledger import read_game
    from tenbo.waits import error_record

    with open_input(file) as lines:
        try:
            game = read_game(lines)
        except TenboError as error:
            if as_json:
                put_json(error_record(error))
            else:
                for problem in error.problems:
                    tell(problem.message)
            return 1
    record = game.record()
    if as_json:
        put_json(record)
    else:
        show(_page(record, game.standing.names, game.rules.title))
    return 0


def _page(record: dict[str, Any], players: Sequence[str], title: str) -> list[Line]:
    width = terminal_width()
    names = [printable(name) for name in players]
    page: list[Line] = [[(title, "head")], []]
    rows: list[Sequence[Cell] | None] = [[[], *([(name, "head")] for name in names), []]]
    for row in record["deals"]:
        if row["problem"] is not None:
            rows.append([[(f"{row['seq']}", "dim")], [], [], [], [], [(printable(row["problem"]), "wrong")]])
            continue
        label = _dealt(row) if row["deal"] is not None else ""
        cells = [_change(row["payments"][player], row["points"][player]) for player in range(4)]
        rows.append([[(label, "dim")], *cells, [(_on_table(row), "dim")]])
    page += table(rows, "lrrrrl", width=width, wide=(5,))
    page += [[], *_ranking(record, names, width)]
    if not record["finished"]:
        said = f"Next: {_dealt(record)}, deal {record['deal']}, {names[record['dealer']]} deals. {_on_table(record)}"
        page += [[], *paragraph([(said.strip(), "")], width, 2)]
    return page


def _dealt(row: dict[str, Any]) -> str:
    """The round and whose deal in it: "E3"."""
    return f"{row['round']}{row['dealer'] + 1}"


def _change(change: int, points: int) -> Cell:
    style = "gain" if change > 0 else "pay" if change < 0 else "dim"
    return [(f"{change:+d} " if change else "", style), (str(points), "")]


def _on_table(row: dict[str, Any]) -> str:
    said = [f"counters {row['honba']}"] if row["honba"] else []
    if row["sticks"]:
        said.append(f"bets {row['sticks']}")
    if row["kitty"]:
        said.append(f"kitty {sum(stake['points'] for stake in row['kitty'])}")
    return ", ".join(said)


def _ranking(record: dict[str, Any], names: Sequence[str], width: int) -> Iterable[Line]:
    rows = []
    for one in record["ranking"]:
        result = one["result"]
        said = f"{result:+.1f}" if result != one["points"] else ""
        rows.append(
            [
                [(f"{one['place']}.", "dim")],
                [(names[one["player"]], "")],
                [(str(one["points"]), "head")],
                [(said, "dim")],
            ]
        )
    return table(rows, "rlrr", width=width, wide=(1,))


def import_log(
    log: Annotated[str, Parameter(help="A game log of Tenhou or mjai.")],
    /,
    *,
    game: Annotated[
        int, Parameter(help="Which game of the log, where it holds several; the first is 1.", converter=whole)
    ] = 1,
    out: Annotated[
        str | None, Parameter(allow_leading_hyphen=True, help="Write a game file instead; - is standard output.")
    ] = None,
    address: Annotated[str, Parameter(help="Where tenbo serve is, for the links.")] = "http://localhost:8000",
    database: Annotated[
        str | None,
        Parameter(help="Where tables are kept, as for tenbo serve; else TENBO_DATABASE_URL, else at home."),
    ] = None,
) -> int:
    """Opens a game log as a table with its history, and prints its links; or makes a game file of it."""
    from tenbo.logs import LogError, read_file, to_game_file

    open_input(log).close()
    try:
        games = read_file(log)
        if not 1 <= game <= len(games):
            raise CallError(f"the log holds {len(games)} game{'s' if len(games) != 1 else ''}; there is no game {game}")
        found = games[game - 1]
        if isinstance(found, LogError):
            raise found
        text = to_game_file(found)
    except LogError as error:
        tell(f"{log}: {error}")
        return 1
    if out == "-":
        sys.stdout.write(text)
    elif out is not None:
        try:
            Path(out).write_text(text, encoding="utf-8")
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise CallError(f"cannot write {printable(out)}: {why[:1].lower()}{why[1:]}") from None
    else:
        _open_table(text, Path(log).name, address.rstrip("/"), database)
    return 0


def _open_table(text: str, name: str, address: str, database: str | None) -> None:
    """Makes a table of a game file, and prints its links."""
    try:
        from tenbo.ledger.store import StoreError, open_store
    except ModuleNotFoundError as error:
        raise CallError(
            f"tables need the package {error.name}: pip install 'tenbo[web]'; --out FILE makes a game file without it"
        ) from None
    from tenbo.ledger import read_events

    try:
        store = open_store(database)
        try:
            made = store.create(read_events(text.splitlines()), name=printable(name)[:_LONGEST_NAME])
        finally:
            store.close()
    except StoreError as error:
        raise CallError(str(error)) from None
    rows = [
        [[("keep score", "dim")], [(f"{address}/t/{made.score}", "name")]],
        [[("watch", "dim")], [(f"{address}/t/{made.watch}", "name")]],
    ]
    show(table(rows, "ll", width=_ANY_WIDTH, indent=0))
    tell("the game is a table now; tenbo serve opens it")
