"""Reading files: what kind of log they are is told by their content, and nothing in them can do harm.

Sizes are bounded before and after unpacking, XML goes through defusedxml, and whatever is wrong ends in a `LogError`.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tenbo.errors import shown
from tenbo.logs.mjai import read_mjai
from tenbo.logs.model import Game, LogError
from tenbo.logs.tenhou_json import read_tenhou_json

__all__ = ["read_file", "read_games"]

MAX_PACKED: Final = 16 << 20
"""Most bytes of a gzipped file."""
MAX_FILE: Final = 64 << 20
"""Most bytes of a file, after unpacking."""
MAX_GAME: Final = 2 << 20
"""Most characters of one game; a usual one has 15,000 to 100,000."""

_MEMBERS: Final = 1000
_GZIP: Final = b"\x1f\x8b"
_BOMS: Final = ((b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16"), (b"\x00\x00\xfe\xff", "UTF-32"))


def read_file(path: str | Path) -> list[Game | LogError]:
    """Read all games of a file.

    Args:
        path: A regular file, plain or gzipped.

    Returns:
        In their order, each game, or what is wrong with it.

    Raises:
        LogError: The file as a whole cannot be read.
    """
    path = Path(path)
    try:
        if not path.is_file():
            raise LogError("it is not a file that can be read", "file", foreign=True)
        with path.open("rb") as file:
            head = file.read(1024)
            _refuse_binary(head)
            limit = MAX_PACKED if head.startswith(_GZIP) else MAX_FILE
            data = head + file.read(limit + 1 - len(head))
    except OSError as error:
        raise LogError(f"it cannot be opened: {error.strerror or error}", "file") from None
    return list(read_games(data))


def read_games(data: bytes) -> Iterator[Game | LogError]:
    """Read all games in the bytes of a file.

    Args:
        data: The content: mjlog XML, Tenhou's JSON (one game, or one a line), or mjai JSON Lines, plain or gzipped.

    Yields:
        In their order, each game, or what is wrong with it.

    Raises:
        LogError: The content as a whole cannot be read.
    """
    text = _text(_unpacked(data))
    start = text.lstrip()[:1]
    if start == "<":
        yield _mjlog(text)
    elif start and start in "{[":
        yield from _json_games(text)
    else:
        message = "it is not a game log: neither XML nor JSON" if start else "it is empty"
        raise LogError(message, "file", foreign=True)


def _refuse_binary(data: bytes) -> None:
    for mark, name in _BOMS:
        if data.startswith(mark):
            raise LogError(f"its text is {name}; save it as UTF-8", "file")
    if not data.startswith(_GZIP) and b"\0" in data[:1024]:
        raise LogError("it is not a game log: binary data", "file", foreign=True)


def _unpacked(data: bytes) -> bytes:
    if not data.startswith(_GZIP):
        if len(data) > MAX_FILE:
            raise LogError(f"it is larger than {MAX_FILE >> 20} MB", "file")
        return data
    if len(data) > MAX_PACKED:
        raise LogError(f"it is larger than {MAX_PACKED >> 20} MB, gzipped", "file")
    parts: list[bytes] = []
    room = MAX_FILE
    try:
        while data:
            unpacker = zlib.decompressobj(wbits=31)
            part = unpacker.decompress(data, room + 1)
            room -= len(part)
            parts.append(part)
            if room < 0 or len(parts) > _MEMBERS:
                raise LogError(f"it unpacks to more than {MAX_FILE >> 20} MB or too many parts", "file")
            if not unpacker.eof:
                raise LogError("its gzip data are cut off", "file")
            data = unpacker.unused_data.lstrip(b"\0")
    except zlib.error as error:
        raise LogError(f"its gzip data are damaged: {error}", "file") from None
    unpacked = b"".join(parts)
    if unpacked.startswith(_GZIP):
        raise LogError("it is gzipped twice", "file")
    return unpacked


def _text(data: bytes) -> str:
    _refuse_binary(data)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        foreign = data.lstrip()[:1] not in (b"<", b"{", b"[")
        raise LogError(f"its text is not UTF-8 (byte {error.start})", "file", foreign=foreign) from None


def _mjlog(text: str) -> Game | LogError:
    if len(text) > MAX_GAME:
        return LogError(f"the game is larger than {MAX_GAME >> 20} MB", "file")
    try:
        from tenbo.logs.mjlog import read_mjlog  # with defusedxml, which the other formats can do without
    except ModuleNotFoundError:
        return LogError("reading XML needs the package defusedxml: install tenbo[logs]", "file")
    try:
        return read_mjlog(text)
    except LogError as error:
        if "<mjloggm" in text or "<!" in text[:1024]:
            return error
        return LogError(f"it is not a game log: {error}", "file", foreign=True)


def _decoded(text: str, what: str) -> Any:
    if len(text) > MAX_GAME:
        raise LogError(f"{what} is larger than {MAX_GAME >> 20} MB", what)
    try:
        return json.loads(text)
    except RecursionError:
        raise LogError(f"{what} is nested too deeply", what) from None
    except ValueError as error:
        raise LogError(f"{what} is not JSON: {error}", what) from None


def _json_games(text: str) -> Iterator[Game | LogError]:
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if len(lines) > 1 and _is_whole(lines[0][1]):
        yield from _line_games(lines)
        return
    try:
        data = _decoded(text, "the file")
    except LogError as error:
        foreign = '"log"' not in text and '"type"' not in text
        raise LogError(str(error), "file", foreign=foreign) from None
    if isinstance(data, dict):
        data = [data]
    games = _Games()
    for number, item in enumerate(data, 1):
        yield from games.take(item, f"item {number}")
    yield from games.close()


def _is_whole(line: str) -> bool:
    try:
        return isinstance(_decoded(line, "line 1"), dict)
    except LogError:
        return False


def _line_games(lines: list[tuple[int, str]]) -> Iterator[Game | LogError]:
    games = _Games()
    for number, line in lines:
        try:
            item = _decoded(line, f"line {number}")
        except LogError as error:
            yield from games.fail(error)
        else:
            yield from games.take(item, f"line {number}")
    yield from games.close()


class _Games:
    """Sorts decoded objects into games: Tenhou's are one each, mjai's are many events each."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []
        self.spoilt = False  # until the next game starts

    def take(self, item: object, where: str) -> Iterator[Game | LogError]:
        if isinstance(item, dict) and "log" in item:
            yield from self.close()
            try:
                yield read_tenhou_json(item)
            except LogError as error:
                yield error
        elif isinstance(item, dict) and "type" in item:
            if item["type"] == "start_game":
                yield from self.close()
                self.spoilt = False
            if not self.spoilt:
                self.events.append(item)
        elif not self.spoilt:
            kind = "an object without 'log' or 'type'" if isinstance(item, dict) else shown(item)
            foreign = not self.events
            yield from self.fail(LogError(f"{where} is {kind}, which is no part of a game log", where, foreign=foreign))

    def fail(self, error: LogError) -> Iterator[LogError]:
        """Give up the game that is being gathered; what follows up to the next game is passed over."""
        if not self.spoilt:
            yield error
        self.events = []
        self.spoilt = True

    def close(self) -> Iterator[Game | LogError]:
        events, self.events = self.events, []
        if events:
            try:
                yield read_mjai(events)
            except LogError as error:
                yield error
