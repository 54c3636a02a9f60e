"""Checking files and folders of logs, side by side, in an order that does not depend on how many work at it."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from tenbo.logs.check import DealCheck, WinCheck, check_game
from tenbo.logs.detect import read_file
from tenbo.logs.model import Game, LogError

__all__ = ["Checked", "Summary", "check_file", "check_paths", "files_of"]

_CHUNK: Final = 8  # files that a worker takes at a time
_FEW: Final = 24  # so many files are done before other processes have started


@dataclass(frozen=True, slots=True)
class Checked:
    """What became of one game, or of a file that could not be read.

    Attributes:
        path: The file.
        number: Which game of the file, from 1.
        game: The game, or what is wrong with it.
        checks: Its checks; empty for three-player games.
        given: Whether the file was named itself, not found in a folder.
        last: Whether it is the last of its file.
    """

    path: str
    number: int
    game: Game | LogError
    checks: tuple[WinCheck | DealCheck, ...]
    given: bool
    last: bool


@dataclass(slots=True)
class Summary:
    """Counts over all that was checked.

    Attributes:
        files: Files looked at.
        games: Four-player games checked.
        three_player: Three-player games, skipped.
        unreadable: Games or files that are damaged or hostile.
        foreign: Files found in folders that are no game logs.
        unfinished: Games that break off within a deal.
        wins: Wins found.
        wins_agree: Wins that agree in everything the client tells.
        wins_skipped: Wins that could not be compared.
        deals: Deals found.
        deals_agree: Deals whose payments agree and carry on.
        deals_skipped: Deals that could not be compared.
        differences: How often each kind of difference was found, by name.
        skips: How often each reason not to compare was found, by name.
    """

    files: int = 0
    games: int = 0
    three_player: int = 0
    unreadable: int = 0
    foreign: int = 0
    unfinished: int = 0
    wins: int = 0
    wins_agree: int = 0
    wins_skipped: int = 0
    deals: int = 0
    deals_agree: int = 0
    deals_skipped: int = 0
    differences: dict[str, int] = field(default_factory=dict)
    skips: dict[str, int] = field(default_factory=dict)

    @property
    def clean(self) -> bool:
        """Whether everything could be read and agrees."""
        return not self.unreadable and not self.differences

    def add(self, checked: Checked) -> None:
        """Count one game."""
        self.files += checked.last
        game = checked.game
        if isinstance(game, LogError):
            if game.foreign and not checked.given:
                self.foreign += 1
            else:
                self.unreadable += 1
            return
        if game.three_player:
            self.three_player += 1
            return
        self.games += 1
        self.unfinished += game.unfinished
        for check in checked.checks:
            agrees = not check.differences and check.skipped is None
            skipped = not check.differences and check.skipped is not None
            if isinstance(check, WinCheck):
                self.wins += 1
                self.wins_agree += agrees
                self.wins_skipped += skipped
            else:
                self.deals += 1
                self.deals_agree += agrees
                self.deals_skipped += skipped
            for difference in check.differences:
                self.differences[difference.name] = self.differences.get(difference.name, 0) + 1
            if check.skipped is not None:
                self.skips[check.skipped] = self.skips.get(check.skipped, 0) + 1


def files_of(paths: Iterable[str | Path]) -> list[tuple[str, bool]]:
    """All files of some files and folders.

    Args:
        paths: Files, and folders that are searched with all that is in them; links to folders are not followed.

    Returns:
        Each file once, those of a folder sorted, and whether it was named itself.

    Raises:
        FileNotFoundError: A path does not exist.
    """
    found: dict[str, bool] = {}
    for path in map(Path, paths):
        if path.is_dir():
            for folder, folders, names in os.walk(path):
                folders.sort()
                for name in sorted(names):
                    found.setdefault(str(Path(folder, name)), False)
        elif path.exists():
            found[str(path)] = True
        else:
            raise FileNotFoundError(str(path))
    return list(found.items())


def check_file(path: str, given: bool = True, *, records: bool = False) -> list[Checked]:
    """Check all games of one file.

    Args:
        path: The file.
        given: Whether the file was named itself, not found in a folder.
        records: Whether score records are wanted also of wins that agree.
    """
    try:
        games = read_file(path)
    except LogError as error:
        games = [error]
    if not games:
        games = [LogError("it holds no game", "file")]
    return [
        Checked(
            path,
            number,
            game,
            () if isinstance(game, LogError) else tuple(check_game(game, records=records)),
            given,
            number == len(games),
        )
        for number, game in enumerate(games, 1)
    ]


def _check_chunk(files: Sequence[tuple[str, bool]], records: bool) -> list[Checked]:
    return [checked for path, given in files for checked in check_file(path, given, records=records)]


def check_paths(
    files: Sequence[tuple[str, bool]], workers: int | None = None, *, records: bool = False
) -> Iterator[Checked]:
    """Check files, in their order.

    Args:
        files: From `files_of`.
        workers: Processes to work with; `None` for as many as the machine has processors, or one for few files.
        records: Whether score records are wanted also of wins that agree.

    Yields:
        Each game, or what is wrong with it.
    """
    if workers is None:
        workers = 1 if len(files) <= _FEW else _processors()
    if workers <= 1:
        for path, given in files:
            yield from check_file(path, given, records=records)
        return
    chunks = iter([files[start : start + _CHUNK] for start in range(0, len(files), _CHUNK)])
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        waiting: deque[Future[list[Checked]]] = deque()
        try:
            # Never more than a few chunks ahead, so that memory does not grow with the folder.
            waiting.extend(pool.submit(_check_chunk, chunk, records) for chunk in islice(chunks, 4 * workers))
            while waiting:
                yield from waiting.popleft().result()
                waiting.extend(pool.submit(_check_chunk, chunk, records) for chunk in islice(chunks, 1))
        finally:
            for future in waiting:
                future.cancel()


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
