"""`tenbo completion`: a script that lets a shell complete tenbo's commands and options."""

from __future__ import annotations

import sys
from typing import Annotated, Literal

from cyclopts import Parameter


def completion(
    shell: Annotated[Literal["bash", "zsh", "fish", "powershell"], Parameter(help="The shell it is for.")] = "bash",
    /,
) -> int:
    """Prints a completion script.

    For bash: `tenbo completion bash > ~/.local/share/bash-completion/completions/tenbo`.
    """
    from tenbo.cli.commands import make_app

    sys.stdout.write(make_app().generate_completion(prog_name="tenbo", shell=shell))
    return 0
