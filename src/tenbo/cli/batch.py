"""`tenbo batch`: files of hands by the million."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from tenbo.cli.progress import Progress
from tenbo.cli.situation import RulesChoice, whole
from tenbo.cli.streams import CallError, printable

if TYPE_CHECKING:
    from tenbo.batch import Summary


_NO_RULES = RulesChoice()


def batch(
    source: Annotated[str, Parameter(name="IN", help="Hand records: .parquet, .csv, .ndjson or .jsonl.")],
    target: Annotated[str, Parameter(name="OUT", help="The file to write, in any of these formats.")],
    /,
    *,
    choice: RulesChoice = _NO_RULES,
    workers: Annotated[int, Parameter(help="Processes that score.", converter=whole)] = 1,
    keep: Annotated[
        tuple[str, ...], Parameter(negative=(), help="A column that is passed through; may be repeated. Else: id.")
    ] = (),
    restart: Annotated[bool, Parameter(help="Begin anew, where an interrupted run could go on.")] = False,
) -> int:
    """Scores a file of hand records into another file, quickly and in little memory.

    Text formats may be compressed: .gz, .zst. A run that was interrupted goes on when it is started again.
    """
    try:
        from tenbo.batch import BatchError, run_batch
    except ModuleNotFoundError as error:
        raise CallError(f"scoring files needs the package {error.name}: pip install 'tenbo[batch]'") from None

    rules = choice.ruleset()
    if rules is None:
        raise CallError("say which rules, as in tenbo batch hands.parquet scores.parquet --rules riichi")
    if workers < 1:
        raise CallError("--workers must be at least 1")
    try:
        with Progress("records") as bar:
            done = run_batch(
                source,
                target,
                rules,
                workers=workers,
                keep=keep or ("id",),
                resume=not restart,
                progress=lambda at: bar.at(at.rows, at.share),
            )
            for line in _said(done):
                bar.tell(line)
    except BatchError as error:
        raise CallError(printable(str(error))) from None
    return int(done.scored < done.rows)


def _said(done: Summary) -> list[str]:
    """What a run did, in lines."""
    rate = f", {(done.rows - done.resumed) / done.seconds:,.0f} a second" if done.seconds > 0 else ""
    lines = [f"{done.rows:,} records: {done.scored:,} scored in {done.seconds:,.1f} s{rate}"]
    if done.resumed:
        lines.append(f"{done.resumed:,} of them by an earlier run")
    if done.errors:
        by_code = ", ".join(f"{code} {count:,}" for code, count in done.errors.most_common())
        lines.append(f"refused: {by_code}")
    if done.fallback:
        why = f" ({'; '.join(done.reasons)})" if done.reasons else ""
        lines.append(f"{done.fallback:,} were scored one by one{why}")
    return lines
