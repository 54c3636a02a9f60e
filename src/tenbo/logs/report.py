"""The report of a check: for a person, or as JSON Lines."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any, TextIO

from tenbo.logs.check import DealCheck, WinCheck
from tenbo.logs.model import ClientResult, Game, LogError, Win
from tenbo.logs.run import Checked, Summary, check_paths, files_of

__all__ = ["run_check"]

_SEATS = {"E": "East", "S": "South", "W": "West", "N": "North"}


def run_check(
    paths: Sequence[str | Path],
    workers: int | None,
    json_lines: bool,
    out: TextIO,
    progress: Callable[[int, int], None] | None = None,
    messages: Callable[[str], None] | None = None,
) -> int:
    """Check logs and report: the work of `tenbo check`.

    Args:
        paths: Files and folders.
        workers: Processes to work with; `None` for as many as fit.
        json_lines: Write one JSON object for each win, and one for each other deal that differs; else write the
            differences for a person, and a summary.
        out: Where the report goes.
        progress: Called with the number of files done and of all files.
        messages: Called with each line about a file that cannot be used; by default they go to standard error.

    Returns:
        The exit status: 0 where everything could be read and agrees, 1 where not, 2 where a path does not exist.
    """
    tell = messages or _to_stderr
    try:
        files = files_of(paths)
    except FileNotFoundError as error:
        tell(f"{_path(str(error))} does not exist; give files or folders of game logs")
        return 2
    summary = Summary()
    try:
        for checked in check_paths(files, workers, records=json_lines):
            summary.add(checked)
            for line in _complaints(checked):
                tell(line)
            for line in _json_lines(checked) if json_lines else _texts(checked):
                out.write(line + "\n")
            if progress is not None and checked.last:
                progress(summary.files, len(files))
    except BrokenProcessPool:
        tell("a worker process was ended from outside, perhaps for want of memory; try --workers 1")
        return 2
    for line in _summary(summary):
        if json_lines:
            tell(line)
        else:
            out.write(line + "\n")
    return 0 if summary.clean else 1


def _to_stderr(line: str) -> None:
    print(line, file=sys.stderr)


def _path(path: str) -> str:
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in path)


def _where(checked: Checked) -> str:
    alone = checked.number == 1 and checked.last
    return _path(checked.path) + ("" if alone else f", game {checked.number}")


def _complaints(checked: Checked) -> Iterator[str]:
    if isinstance(checked.game, LogError):
        yield f"{_where(checked)}: {_one_line(str(checked.game))}; passed over"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _status(check: WinCheck | DealCheck) -> str:
    return "differ" if check.differences else "skipped" if check.skipped is not None else "agree"


def _json_lines(checked: Checked) -> Iterator[str]:
    game = checked.game
    if isinstance(game, LogError):
        return
    for check in checked.checks:
        line: dict[str, Any] = {"file": _path(checked.path), "game": checked.number, "deal": check.deal}
        if isinstance(check, WinCheck):
            line |= {"player": check.win.player, "name": game.players[check.win.player]}
        elif not check.differences:
            continue
        line |= {
            "status": _status(check),
            "differences": [
                {"name": difference.name, "client": difference.client, "tenbo": difference.ours}
                for difference in check.differences
            ],
            "skipped": check.skipped,
        }
        if isinstance(check, WinCheck):
            line |= {"record": check.win.record, "client": _client(check.win.client), "score": check.score}
        else:
            line |= {"settlement": check.settlement}
        yield json.dumps(line, ensure_ascii=False)


def _client(client: ClientResult) -> dict[str, Any]:
    return {
        "han": client.han,
        "fu": client.fu,
        "score": client.score,
        "limit_hands": client.limit_hands,
        "yaku": [{"name": name, "han": han} for name, han in client.yaku],
        "payments": client.payments,
    }


def _texts(checked: Checked) -> Iterator[str]:
    game = checked.game
    if isinstance(game, LogError):
        return
    for check in checked.checks:
        if not check.differences:
            continue
        names = ", ".join(difference.name for difference in check.differences)
        deal = f"{_where(checked)}, deal {check.deal}"
        if isinstance(check, WinCheck):
            yield f"{deal}, {_winner(game, check.win)}: {names}"
        else:
            yield f"{deal}, as a whole: {names}"
        for difference in check.differences:
            yield f"    {difference.name}: client {_value(difference.client)}, tenbo {_value(difference.ours)}"
        if isinstance(check, WinCheck):
            if check.win.record is not None:
                yield f"    hand    {check.win.record['hand']}"
            yield f"    client  {_client_text(check.win.client)}"
            if check.score is not None and "error" not in check.score:
                yield f"    tenbo   {_score_text(check.score)}"


def _winner(game: Game, win: Win) -> str:
    name = game.players[win.player] or f"player {win.player}"
    if win.record is None:
        return name
    how = "self-draw" if win.source is None else f"discard of {_SEATS[win.record['from']]}"
    return f"{name} as {_SEATS[win.record['seat']]} by {how}"


def _value(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, tuple):
        return " ".join(f"{change:+d}" if change else "0" for change in value)
    return str(value)


def _client_text(client: ClientResult) -> str:
    return _explained(
        client.han, client.fu, client.score, [f"{name} {han}" if han else name for name, han in client.yaku]
    )


def _score_text(score: Mapping[str, Any]) -> str:
    lines = []
    for line in score["lines"]:
        kind = next(kind for kind in ("points", "doubles", "limit") if line[kind] is not None)
        amount = {"points": f"{line[kind]} fu", "doubles": f"{line[kind]}", "limit": "limit"}[kind]
        lines.append(f"{line['name']} {line['tiles'] or ''}".strip() + f" {amount}")
    return _explained(score["han"], score["fu"], score["score"], lines)


def _explained(han: int | None, fu: int | None, score: int | None, lines: Sequence[str]) -> str:
    parts = [f"{han} han" if han is not None else "", f"{fu} fu" if fu is not None else ""]
    parts.append(f"{score} points" if score is not None else "")
    head = ", ".join(part for part in parts if part) or "no han, fu or points told"
    return f"{head}: {'; '.join(lines)}" if lines else head


def _count(number: int, noun: str, nouns: str | None = None) -> str:
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"


def _summary(summary: Summary) -> Iterator[str]:
    parts = [_count(summary.files, "file"), _count(summary.games, "game") + " checked"]
    if summary.unfinished:
        parts.append(f"{summary.unfinished:,} of them unfinished")
    if summary.three_player:
        parts.append(_count(summary.three_player, "three-player game") + " skipped")
    if summary.foreign:
        parts.append(_count(summary.foreign, "file") + " of other kinds passed over")
    if summary.unreadable:
        parts.append(_count(summary.unreadable, "file or game", "files or games") + " unreadable")
    yield ", ".join(parts)
    yield _agreement("win", summary.wins, summary.wins_agree, summary.wins_skipped)
    yield _agreement("deal", summary.deals, summary.deals_agree, summary.deals_skipped)
    for title, counts in (("differences", summary.differences), ("not compared", summary.skips)):
        if counts:
            often = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
            yield f"{title}: " + ", ".join(f"{name} {count:,}" for name, count in often)


def _agreement(noun: str, total: int, agree: int, skipped: int) -> str:
    differ = total - agree - skipped
    line = f"{_count(total, noun)}: {agree:,} agree, {differ:,} differ"
    return f"{line}, {skipped:,} not compared" if skipped else line
