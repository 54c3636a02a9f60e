"""`tenbo check`: game logs of other programs, checked against the scoring."""

from __future__ import annotations

import sys
from typing import Annotated

from cyclopts import Parameter

from tenbo.cli.progress import Progress
from tenbo.cli.situation import whole
from tenbo.cli.streams import CallError


def check(
    *paths: Annotated[str, Parameter(help="Game logs, or folders of them.")],
    workers: Annotated[
        int | None, Parameter(help="Processes to work with; as many as fit, where it is left out.", converter=whole)
    ] = None,
    as_json: Annotated[bool, Parameter(name="--json", help="Print one JSON object for each win.")] = False,
) -> int:
    """Scores every win in game logs (Tenhou's, mjai) and compares with what the client paid.

    Files are known by what they hold, not by their names; compressed ones are read too.
    """
    from tenbo.logs import run_check

    if not paths:
        raise CallError("give files or folders of game logs, as in tenbo check logs/")
    if workers is not None and workers < 1:
        raise CallError("--workers must be at least 1")
    with Progress("files") as progress:

        def at(done: int, of: int) -> None:
            progress.at(done, done / of)

        return run_check(paths, workers, as_json, sys.stdout, at, progress.tell)
