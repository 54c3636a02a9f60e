"""Compiles the scoring core with mypyc where TENBO_COMPILED=1 is set; else it does nothing, and needs nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPILED = ("decompose.py", "program/*.py", "tally.py", "engine/*.py", "score/score.py", "score/shares.py")
"""The modules where most time goes, in the package.

A compiled function refuses an argument of another type than it declares, with a TypeError. So what is called with
whatever a user has, and says what is wrong with it (`parse`, `score`), is not among them.
"""

WANTED = os.environ.get("TENBO_COMPILED", "0") not in ("", "0")


class CompiledCore(BuildHookInterface[Any]):
    """Puts the compiled modules beside their sources into the wheel."""

    def dependencies(self) -> list[str]:
        """What compiling needs beyond a C compiler and Python's headers."""
        return ["mypy>=1.16,<3", "setuptools>=65"] if WANTED else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile in a copy: a compiled module in the source folder would be imported in place of its source."""
        if not WANTED or version == "editable":
            return
        self.folder = Path(tempfile.mkdtemp(prefix="tenbo-"))
        package = self.folder / "tenbo"
        shutil.copytree(Path(self.root, "src", "tenbo"), package, ignore=shutil.ignore_patterns("__pycache__"))
        modules = [str(path.relative_to(self.folder)) for part in COMPILED for path in sorted(package.glob(part))]
        subprocess.run([sys.executable, "-m", "mypyc", *modules], cwd=self.folder, check=True)
        shutil.rmtree(self.folder / "build")
        for path in self.folder.rglob("*"):
            if path.name.endswith(tuple(EXTENSION_SUFFIXES)):
                build_data["force_include"][str(path)] = str(path.relative_to(self.folder))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the copy."""
        if hasattr(self, "folder"):
            shutil.rmtree(self.folder)
