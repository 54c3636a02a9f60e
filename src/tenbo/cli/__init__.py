"""The command line: `tenbo`.

Each command has a module of its own, loaded when it is called. Exit status: 0 all is well, 1 something was refused or
differs, 2 the call itself is wrong.
"""

from tenbo.cli.app import main

__all__ = ["main"]
