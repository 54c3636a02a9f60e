"""The `tenbo` command: its commands, what they have in common, and how a call ends."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence

from cyclopts import App, CycloptsError, Parameter

from tenbo.cli.streams import CallError, prepare, tell
from tenbo.errors import TenboError

COMMANDS = (
    ("score", "tenbo.cli.score:score", "Score a hand and say why, or score hand records."),
    ("waits", "tenbo.cli.waits:waits", "Show what a hand waits for, and what each tile would score."),
    ("value", "tenbo.cli.value:value", "Work out points and doubles, or a limit, without tiles."),
    ("chart", "tenbo.cli.chart:chart", "Print the score chart of a ruleset."),
    ("schema", "tenbo.cli.schema:schema", "Print the JSON Schemas of records."),
)
"""Commands: name, where the function is, and what it does."""

RULES_COMMANDS = (
    ("list", "tenbo.cli.rules:list_rules", "List the rulesets that come with tenbo."),
    ("show", "tenbo.cli.rules:show_rules", "Show a ruleset in the players' words, or as a file."),
    ("facts", "tenbo.cli.rules:show_facts", "List the facts that conditions in a ruleset file may name."),
    ("check", "tenbo.cli.rules:check_rules", "Check a ruleset file and show which hands it scores differently."),
)

_HELP = "Scores mahjong hands, says why, and keeps the table."
_EPILOGUE = "Exit status: 0 all is well, 1 something was refused or differs, 2 the call itself is wrong."
_SEVERAL = {"--flag": re.compile(r"[a-z_]+"), "--option": re.compile(r"[a-z_0-9]+=.*", re.DOTALL)}
_INTERRUPTED, _BROKEN_PIPE = 130, 141  # as a shell reports SIGINT and SIGPIPE


def version() -> str:
    """The version, as `tenbo --version` prints it."""
    from tenbo import __version__

    return f"tenbo {__version__}"


def make_app() -> App:
    """The application with all its commands, none of them loaded."""
    app = App(
        name="tenbo",
        help=_HELP,
        help_epilogue=_EPILOGUE,
        version=version,
        default_parameter=Parameter(negative=(), show_default=False),
        result_action="return_value",
        exit_on_error=False,
        print_error=False,
        suppress_keyboard_interrupt=False,
    )
    for name, target, text in COMMANDS:
        app.command(target, name=name, help=text)
    rules = App(name="rules", help="Show and check rulesets.")
    for name, target, text in RULES_COMMANDS:
        rules.command(target, name=name, help=text)
    app.command(rules)
    app.command("tenbo.cli.completion:completion", name="completion", help="Print a shell's completion script.")
    return app


def spread(tokens: Sequence[str]) -> list[str]:
    """Writes `--flag a b` as `--flag a --flag b`, so that a hand may follow; `--option` likewise.

    >>> spread(["--flag", "riichi", "ippatsu", "123m", "--option", "limit=1", "chart=2"])
    ['--flag', 'riichi', '--flag', 'ippatsu', '123m', '--option', 'limit=1', '--option', 'chart=2']
    """
    out: list[str] = []
    option, first = "", False
    for token in tokens:
        if option and not first and _SEVERAL[option].fullmatch(token):
            out += [option, token]
            continue
        if not first:
            option = token if token in _SEVERAL else ""
            first = bool(option)
        else:
            first = False
        out.append(token)
    return out


def run(tokens: Sequence[str]) -> int:
    """Runs one call.

    Returns:
        The exit status.
    """
    try:
        status = make_app()(spread(tokens))
    except CycloptsError as error:
        tell(f"{str(error).strip()}\n(tenbo --help, or tenbo COMMAND --help, says what there is)")
        return 2
    except CallError as error:
        tell(str(error))
        return 2
    except TenboError as error:
        for problem in error.problems:
            tell(problem.message)
        return 2
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
