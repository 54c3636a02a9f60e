"""How a call of `tenbo` begins and ends."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence

from tenbo.cli.scoring import score_hand
from tenbo.cli.straight import read_score
from tenbo.cli.streams import CallError, prepare, tell
from tenbo.errors import TenboError

_SEVERAL = {"--flag": re.compile(r"[a-z_]+"), "--option": re.compile(r"[a-z_0-9]+=.*", re.DOTALL)}
_INTERRUPTED, _BROKEN_PIPE = 130, 141  # as a shell reports SIGINT and SIGPIPE


def spread(tokens: Sequence[str]) -> list[str]:
    """Writes tokens so that each says alone what it belongs to.

    `--flag a b` becomes `--flag a --flag b`, so that a hand may follow; `--option` likewise. `--jsonl -` becomes
    `--jsonl=-`, since a lone - looks like an option.

    >>> spread(["--flag", "riichi", "ippatsu", "123m", "--option", "limit=1", "chart=2"])
    ['--flag', 'riichi', '--flag', 'ippatsu', '123m', '--option', 'limit=1', '--option', 'chart=2']
    >>> spread(["--jsonl", "-"])
    ['--jsonl=-']
    """
    out: list[str] = []
    option = ""  # the option of which more values may follow
    for i, token in enumerate(tokens):
        before = tokens[i - 1] if i else ""
        if token == "-" and before.startswith("--") and "=" not in before and before != "--":
            out[-1] += "=-"
        elif before in _SEVERAL:
            option = before
            out.append(token)
        elif option and _SEVERAL[option].fullmatch(token):
            out += [option, token]
        else:
            option = ""
            out.append(token)
    return out


def run(tokens: Sequence[str]) -> int:
    """Runs one call.

    Returns:
        The exit status.
    """
    tokens = spread(tokens)
    try:
        straight = read_score(tokens)
        return score_hand(*straight) if straight else _dispatch(tokens)
    except CallError as error:
        tell(str(error))
    except TenboError as error:
        for problem in error.problems:
            tell(problem.message)
    return 2


def _dispatch(tokens: Sequence[str]) -> int:
    """Runs any call at all."""
    from cyclopts import CycloptsError

    from tenbo.cli.commands import make_app

    try:
        status = make_app()(tokens)
    except CycloptsError as error:
        raise CallError(f"{str(error).strip()}\n(tenbo --help, or tenbo COMMAND --help, says what there is)") from None
    return status if isinstance(status, int) else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line's entry point.

    Args:
        arguments: The call without the program's name; that of the process, where it is None.

    Returns:
        The exit status.
    """
    prepare()
    try:
        status = run(sys.argv[1:] if arguments is None else arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        _let_go()
        return _INTERRUPTED
    except BrokenPipeError:  # whoever read the output has read enough
        _let_go()
        return _BROKEN_PIPE
    except OSError as error:  # the disk is full, say
        tell(f"cannot write: {error.strerror or error}")
        _let_go()
        return 2
    return status


def _let_go() -> None:
    """Lets nothing be written to standard output any more, not even at the end of the process."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError):
        pass
