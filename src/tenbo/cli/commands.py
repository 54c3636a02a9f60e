"""The commands and what they say of themselves. Each is loaded when it is called."""

from __future__ import annotations

from cyclopts import App, Parameter

COMMANDS = (
    ("score", "tenbo.cli.score:score", "Score a hand and say why, or score hand records."),
    ("waits", "tenbo.cli.waits:waits", "Show what a hand waits for, and what each tile would score."),
    ("value", "tenbo.cli.value:value", "Work out points and doubles, or a limit, without tiles."),
    ("chart", "tenbo.cli.chart:chart", "Print the score chart of a ruleset."),
    ("settle", "tenbo.cli.settle:settle", "Settle a deal: who pays whom, and why."),
    ("check", "tenbo.cli.check:check", "Check game logs of other programs against the scoring."),
    ("batch", "tenbo.cli.batch:batch", "Score files of hands by the million."),
    ("serve", "tenbo.cli.serve:serve", "Serve the pages and REST."),
    ("backup", "tenbo.cli.backup:backup", "Copy all tables into a file, while they are being served."),
    ("restore", "tenbo.cli.backup:restore", "Put the tables of a backup into a database that has none."),
    ("schema", "tenbo.cli.schema:schema", "Print the JSON Schemas of records."),
)
"""Commands: name, where the function is, and what it does."""

RULES_COMMANDS = (
    ("list", "tenbo.cli.rules:list_rules", "List the rulesets that come with tenbo."),
    ("show", "tenbo.cli.rules:show_rules", "Show a ruleset in the players' words, or as a file."),
    ("facts", "tenbo.cli.rules:show_facts", "List the facts that conditions in a ruleset file may name."),
    ("check", "tenbo.cli.rules:check_rules", "Check a ruleset file and show which hands it scores differently."),
)

GAME_COMMANDS = (
    ("replay", "tenbo.cli.game:replay", "Replay a game file."),
    ("import", "tenbo.cli.game:import_log", "Open a game log as a table, or make a game file of it."),
)

_HELP = "Scores mahjong hands, says why, and keeps the table."
_EPILOGUE = "Exit status: 0 all is well, 1 something was refused or differs, 2 the call itself is wrong."


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
    for group, about, commands in (
        ("rules", "Show and check rulesets.", RULES_COMMANDS),
        ("game", "Replay and import games.", GAME_COMMANDS),
    ):
        inner = App(name=group, help=about)
        for name, target, text in commands:
            inner.command(target, name=name, help=text)
        app.command(inner)
    app.command("tenbo.cli.completion:completion", name="completion", help="Print a shell's completion script.")
    return app
