"""What holds for the project as a whole."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def loaded_by(statement: str) -> set[str]:
    """The top-level modules that a statement loads in a fresh Python, beyond those that Python starts with."""
    code = f"import sys; before = set(sys.modules)\n{statement}\nprint(*(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in done.stdout.split()}


def test_the_core_needs_only_the_standard_library() -> None:
    loaded = loaded_by("import tenbo")
    assert "tenbo" in loaded
    assert loaded - {"tenbo"} <= sys.stdlib_module_names


def test_every_module_is_in_the_map_of_the_house() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^\| `(\w+)(?:\.py|/)`", text, flags=re.MULTILINE))
    there = {
        path.stem for path in (ROOT / "src/tenbo").iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()
    }
    assert there - {"__init__", "__main__"} <= named


def test_the_package_says_that_it_is_typed() -> None:
    assert (ROOT / "src/tenbo/py.typed").is_file()


def test_the_documentation_builds_without_a_warning(tmp_path: Path) -> None:
    for name in ("docs", "zensical.toml"):
        source = ROOT / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, tmp_path / name)
    command = [sys.executable, "-m", "zensical", "build", "--strict"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "site/index.html").is_file()


@pytest.fixture(scope="module")
def shell() -> str:
    found = shutil.which("sh")
    if found is None:
        pytest.skip("no POSIX shell")
    return found


@pytest.mark.parametrize("name", ["tenbo", "test", "check", "docs", "_setup"])
def test_scripts_are_plain_shell(shell: str, name: str) -> None:
    path = ROOT / "scripts" / name
    subprocess.run([shell, "-n", path], check=True)
    assert name == "_setup" or os.access(path, os.X_OK)


def test_dependencies_are_ranges_without_addresses() -> None:
    project = PROJECT["project"]
    extras = project["optional-dependencies"]
    for requirement in [*project["dependencies"], *(one for extra in extras.values() for one in extra)]:
        assert re.fullmatch(r"[\w.\[\]-]+>=[\d.]+(,<[\d.]+)?", requirement), requirement
