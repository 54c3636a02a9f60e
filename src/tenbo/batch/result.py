"""Scores in columns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tenbo.batch.texts import Texts
from tenbo.errors import CODES

I64 = npt.NDArray[np.int64]
I32 = npt.NDArray[np.int32]
U8 = npt.NDArray[np.uint8]

OUT_OF_RANGE: Final = "out_of_range"
"""The one error that only bulk scoring has: the score does not fit into 64 bits."""

ERRORS: Final[tuple[str | None, ...]] = (None, *CODES, OUT_OF_RANGE)
"""The error codes by number; 0 is none."""

NO_VALUE: Final = -1
"""Stands for points or doubles that a hand does not have."""


@dataclass(slots=True, eq=False)
class Result:
    """The scores of as many hands, in their order.

    Attributes:
        score: What the winner collects, or the score of which payments are multiples; 0 where there is an error.
        points: Base points after rounding; `NO_VALUE` where there are none.
        points_raw: Before rounding, likewise.
        doubles: How often the base was doubled; `NO_VALUE` for a limit hand and where there is an error.
        limit: The number of the limit's name in `limits`; 0 for none.
        payments: (n, 4) each seat's change, counters and bets included, E S W N; 0 where it is not known.
        paid: Whether the payments are known.
        entries: (n, words) the entries that gave a line, as bits: entry i of `legend` is bit i % 64 of word i // 64.
        error: The number of the error's code in `ERRORS`; 0 for none.
        limits: The limits' names; the first is None.
        legend: The entries' keys.
        fallback: How many rows the scalar engine scored.
    """

    score: I64
    points: I32
    points_raw: I32
    doubles: I32
    limit: U8
    payments: I64
    paid: npt.NDArray[np.bool_]
    entries: npt.NDArray[np.uint64]
    error: U8
    limits: tuple[str | None, ...]
    legend: tuple[str, ...]
    fallback: int = 0
    _texts: list[Texts] = field(default_factory=list)
    _readings: list[str | None] | None = None

    def __len__(self) -> int:
        """The number of hands."""
        return len(self.score)

    @classmethod
    def empty(cls, count: int, words: int, limits: tuple[str | None, ...], legend: tuple[str, ...]) -> Result:
        """Room for so many scores; only `error` says something yet."""
        return cls(
            np.empty(count, np.int64),
            np.empty(count, np.int32),
            np.empty(count, np.int32),
            np.empty(count, np.int32),
            np.empty(count, np.uint8),
            np.empty((count, 4), np.int64),
            np.empty(count, np.bool_),
            np.empty((count, words), np.uint64),
            np.zeros(count, np.uint8),
            limits,
            legend,
        )

    def part(self, start: int, stop: int) -> Result:
        """Rows `start` to `stop` (without it), as views."""
        columns: Any = {name: getattr(self, name)[start:stop] for name in COLUMNS}
        return Result(**columns, limits=self.limits, legend=self.legend)

    def into(self, other: Result, rows: npt.NDArray[Any]) -> None:
        """Writes all rows to these rows of another result."""
        for name in COLUMNS:
            getattr(other, name)[rows] = getattr(self, name)

    def clear(self, rows: npt.NDArray[Any], error: int) -> None:
        """Takes all from some rows but an error."""
        self.score[rows] = 0
        self.points[rows] = self.points_raw[rows] = self.doubles[rows] = NO_VALUE
        self.limit[rows] = 0
        self.payments[rows] = 0
        self.paid[rows] = False
        self.entries[rows] = 0
        self.error[rows] = error

    @property
    def readings(self) -> list[str | None]:
        """The chosen arrangement of each hand as text; None where there is an error. Made when first asked for."""
        if self._readings is None:
            self._readings = [text for part in self._texts for text in part.write()]
            self._texts = []
        return self._readings

    def keys(self, row: int) -> list[str]:
        """The keys of the entries that gave a line to a row."""
        words = self.entries[row].tolist()
        return [key for i, key in enumerate(self.legend) if words[i // 64] >> i % 64 & 1]

    def record(self, row: int) -> dict[str, Any]:
        """A row as a JSON object with the keys of the Arrow schema; `payments` by seat, `entries` as a list of keys."""
        error = ERRORS[self.error[row]]
        if error:
            return {"error": error}

        def value(column: I32) -> int | None:
            return None if column[row] == NO_VALUE else int(column[row])

        paid = dict(zip("ESWN", self.payments[row].tolist(), strict=True)) if self.paid[row] else None
        return {
            "score": int(self.score[row]),
            "points": value(self.points),
            "points_raw": value(self.points_raw),
            "doubles": value(self.doubles),
            "limit": self.limits[self.limit[row]],
            "payments": paid,
            "entries": self.keys(row),
            "reading": self.readings[row],
        }

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled with its readings as text."""
        columns = tuple(getattr(self, name) for name in COLUMNS)
        return Result, (*columns, self.limits, self.legend, self.fallback, [], self.readings)


COLUMNS: Final = ("score", "points", "points_raw", "doubles", "limit", "payments", "paid", "entries", "error")
