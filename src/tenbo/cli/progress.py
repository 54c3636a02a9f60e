"""How far a long command is: a bar on standard error where that is a terminal, else nothing."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any, Final

from tenbo.cli.paper import in_colour
from tenbo.cli.streams import printable

_WHOLE: Final = 1000


class Progress:
    """A progress bar with rate and time left; to be used with `with`.

    Args:
        unit: What is counted: "files".
    """

    def __init__(self, unit: str) -> None:
        self._unit = unit
        self._bar: Any = None
        self._begun: tuple[float, int] | None = None

    def __enter__(self) -> Progress:
        """Starts the bar."""
        if in_colour(sys.stderr):
            from rich.console import Console
            from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            columns = (BarColumn(), TaskProgressColumn(), TextColumn("{task.fields[said]}"), TimeRemainingColumn())
            self._bar = Bar(*columns, console=Console(file=sys.stderr), transient=True)
            self._bar.add_task("", total=None, said="")
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Takes the bar away."""
        if self._bar is not None:
            self._bar.stop()

    def at(self, count: int, share: float | None) -> None:
        """Shows how much is done.

        Args:
            count: How many are done.
            share: The share of all, from 0 to 1; None where that is not known.
        """
        if self._bar is None:
            return
        now = time.monotonic()
        if self._begun is None:
            self._begun = now, count
        since, before = self._begun
        rate = f", {(count - before) / (now - since):,.0f}/s" if now - since > 1 else ""
        total = None if share is None else _WHOLE
        done = None if share is None else share * _WHOLE
        self._bar.update(self._bar.task_ids[0], total=total, completed=done, said=f"{count:,} {self._unit}{rate}")

    def tell(self, line: str) -> None:
        """Says something on standard error, above the bar."""
        if self._bar is not None:
            self._bar.console.print(printable(line), markup=False, highlight=False, soft_wrap=True)
        else:
            print(printable(line), file=sys.stderr)
