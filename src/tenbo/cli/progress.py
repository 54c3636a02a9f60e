"""How far a long command is: a bar on standard error where that is a terminal, else nothing."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any

from tenbo.cli.paper import in_colour


class Progress:
    """A progress bar with rate and time left; to be used with `with`.

    Args:
        unit: What is counted: "files".
    """

    def __init__(self, unit: str) -> None:
        self._unit = unit
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Progress:
        """Starts the bar."""
        if in_colour(sys.stderr):
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            columns = (
                *(BarColumn(), MofNCompleteColumn(), TextColumn(self._unit), TextColumn("{task.fields[rate]}")),
                TimeRemainingColumn(),
            )
            self._bar = Bar(*columns, console=Console(file=sys.stderr), transient=True)
            self._task = self._bar.add_task(self._unit, total=None, rate="")
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Takes the bar away."""
        if self._bar is not None:
            self._bar.stop()

    def at(self, done: int, of: int | None) -> None:
        """Shows how much is done.

        Args:
            done: How many are done.
            of: How many there are; None where that is not known.
        """
        if self._bar is not None:
            speed = self._bar.tasks[0].speed
            self._bar.update(self._task, completed=done, total=of, rate=f"{speed:,.0f}/s" if speed else "")

    def tell(self, line: str) -> None:
        """Says something on standard error, above the bar."""
        if self._bar is not None:
            self._bar.console.print(line, markup=False, highlight=False, soft_wrap=True)
        else:
            print(line, file=sys.stderr)
