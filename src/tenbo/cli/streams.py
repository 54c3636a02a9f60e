"""Standard streams as the commands use them: UTF-8 whatever the locale says, JSON Lines in and out without end."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO, Final, NoReturn, TextIO

from tenbo.records import MAX_LINE, write_json

_CHUNK: Final = 1 << 16


class CallError(Exception):
    """The call itself is wrong; its text says how, and what would mend it. The exit status is then 2."""


def prepare() -> None:
    """Makes the standard streams UTF-8; what cannot be written is escaped. Closed ones are empty, or take anything."""
    # In the order of their numbers, so that each gets its own.
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def tell(message: str) -> None:
    """Says something on standard error."""
    print(f"tenbo: {printable(message)}", file=sys.stderr)


def printable(text: str) -> str:
    r"""A text without what could move a terminal's cursor or cannot be encoded.

    >>> printable("a\x1b[31mb") == "a\N{REPLACEMENT CHARACTER}[31mb"
    True
    """
    return "".join(c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in text)


def put_json(record: Any) -> None:
    """Writes one JSON value as a line on standard output."""
    sys.stdout.write(write_json(record) + "\n")


def read_text(path: str) -> str:
    """The text of a small file, or of standard input for "-".

    Raises:
        CallError: It cannot be read.
    """
    with open_input(path) as file:
        data = file.read()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CallError(f"{_called(path)} is not UTF-8 text") from None


def open_input(path: str) -> BinaryIO:
    """A file opened for reading, or standard input for "-".

    Raises:
        CallError: It cannot be opened.
    """
    if path == "-":
        return os.fdopen(os.dup(sys.stdin.fileno()), "rb")
    try:
        return open(path, "rb")  # noqa: PTH123  the caller closes it; a text may not be a path at all
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise CallError(f"cannot read {_called(path)}: {why[:1].lower()}{why[1:]}") from None


def _called(path: str) -> str:
    return "standard input" if path == "-" else printable(path)


def blocks_of(file: BinaryIO, idle: Callable[[], None]) -> Iterator[list[bytes | None]]:
    """The lines of a file as they come.

    Args:
        file: The file.
        idle: Called before waiting for more of it.

    Yields:
        The lines that came together; None for one that is longer than any record may be.
    """
    rest, skipping = b"", False
    read = file.read1 if hasattr(file, "read1") else file.read
    while chunk := read(_CHUNK):
        lines: list[bytes | None] = [*chunk.split(b"\n")]
        last = lines.pop() or b""
        if lines:
            lines[0] = None if skipping else rest + (lines[0] or b"")
            rest, skipping = b"", False
            yield lines
        if not skipping:
            rest += last
            if len(rest) > MAX_LINE:
                rest, skipping = b"", True
        idle()
    if skipping:
        yield [None]
    elif rest:
        yield [rest]


def put_answers(path: str, answers: Callable[[Iterator[list[bytes | None]]], Iterator[tuple[str, bool]]]) -> int:
    """Answers JSON Lines from a file or standard input on standard output, in constant memory.

    What was answered is written before waiting for more, so that a program may ask record by record.

    Args:
        path: The file, or "-".
        answers: Makes answers of blocks of lines: a JSON text, and whether it is an error record.

    Returns:
        1 where some answer is an error record, else 0.
    """
    out: TextIO = sys.stdout
    status = 0
    with open_input(path) as file:
        for text, refused in answers(blocks_of(file, out.flush)):
            status |= refused
            out.write(text + "\n")
    out.flush()
    return int(status)


def json_or_word(text: str) -> Any:
    """A value as JSON where it can be read so, else as the word it is.

    >>> json_or_word("2"), json_or_word("null"), json_or_word("exact"), json_or_word("NaN")
    (2, None, 'exact', 'NaN')
    """
    try:
        return json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return text


def _no_constant(text: str) -> NoReturn:
    raise ValueError(text)


def given_options(pairs: Iterable[str]) -> dict[str, Any]:
    """House rules from `NAME=VALUE` texts.

    Raises:
        CallError: A text has no `=`.

    >>> given_options(["limit=300", "claimed_last_set=concealed"])
    {'limit': 300, 'claimed_last_set': 'concealed'}
    """
    out = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise CallError(f"--option {printable(pair)!r}: write a name and a value, as in --option limit=300")
        out[name] = json_or_word(value)
    return out
