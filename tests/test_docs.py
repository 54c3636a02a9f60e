"""The guides are true: every example in them is run, and the pages made from data are up to date.

In README.md and docs/, a fenced block

- `toml title="name.toml"` is a ruleset file, which has to load and which the page's other examples may use (one with
  another ending is only there to be used, since it is meant to be refused);
- `toml` without a title is a part of one: it has to load when laid over the last file before it;
- `pycon`, or an indented one, is run as a doctest, one session a page;
- `console` is a shell's session: what follows `$ tenbo ...` is what that call prints;
- `json` has to be JSON, one value or one a line.
"""

from __future__ import annotations

import doctest
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import tenbo
from tenbo import Ruleset, load_rules
from tenbo.examples import examples
from tenbo.facts import FACTS
from tenbo.rulefile import PRESETS
from tenbo.ruleset import SCOPES
from tenbo.ruleset.schema import KEYS, TOP

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
BLOCK = re.compile(r"^```(\w+)(?: title=\"(.*?)\")?\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)
SITUATION = ("by", "seat", "round")
WITH_EXAMPLES = [page for page in PAGES if BLOCK.search(page.read_text(encoding="utf-8"))]


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def blocks(page: Path, language: str) -> Iterator[tuple[str, str, int]]:
    """The blocks of a language: title, text, line."""
    text = page.read_text(encoding="utf-8")
    for match in BLOCK.finditer(text):
        if match[1] == language:
            yield match[2] or "", match[3], text.count("\n", 0, match.start()) + 1


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


def write_files(page: Path, folder: Path) -> list[str]:
    """Writes the page's ruleset files."""
    out = []
    for title, text, _ in blocks(page, "toml"):
        if title:
            (folder / title).write_text(text, encoding="utf-8")
            out += [title] if title.endswith(".toml") else []
    return out


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=name)
def test_ruleset_files_load(page: Path, folder: Path) -> None:
    files = write_files(page, folder)
    last = ""
    for title, text, line in blocks(page, "toml"):
        if title in files:
            last, file = title, folder / title
        elif not title:
            assert last, f"{name(page)}:{line}: a part of a ruleset file, but there is no file before it"
            file = folder / f"line-{line}.toml"
            file.write_text(f'extends = "{last}"\ntitle = "Part"\n{text}', encoding="utf-8")
        else:
            continue
        unearned = _new_entries(text) - _earned(load_rules(file))
        assert not unearned, f"{name(page)}:{line}: no example hand earns these"


def _new_entries(text: str) -> set[str]:
    table = tomllib.loads(text)
    entries = (item for scope in SCOPES for item in table.get(scope, {}).items())
    return {key for key, entry in entries if not entry.get("off")}


def _earned(rules: Ruleset) -> set[str]:
    """The entries that some hand earns, of all presets' example hands and a few more."""
    out: set[str] = set()
    more = ["123m456p78s11z [222s] 1f +9s", "123m456p78s11z [456s] 2f +9s", "44p [9999p] (1111s) [666z] 888m +4p"]
    for record in (*(hand for preset in PRESETS for hand in examples(preset)), *({"hand": text} for text in more)):
        said = {"by": "discard", "seat": "S", "round": "E"} | {k: record[k] for k in record if k in SITUATION}
        said["flags"] = [flag for flag in record.get("flags", ()) if flag in rules.flags]
        try:
            out |= {line.key for line in tenbo.score(record["hand"], rules=rules, **said).lines}
        except tenbo.TenboError:
            continue
    return out


@pytest.mark.parametrize("page", [p for p in PAGES if ">>> " in p.read_text(encoding="utf-8")], ids=name)
def test_python_examples(page: Path, folder: Path) -> None:
    write_files(page, folder)
    text = re.sub(r"^```.*$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    test = doctest.DocTestParser().get_doctest(text, {"__name__": "docs"}, name(page), str(page), 0)
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    out: list[str] = []
    runner.run(test, out=out.append)
    assert test.examples
    assert not out, "".join(out)


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=name)
def test_shell_examples(page: Path, folder: Path) -> None:
    write_files(page, folder)
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    for _, text, line in blocks(page, "console"):
        for call in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            command, _, expected = call.partition("\n")
            while command.endswith("\\"):
                more, _, expected = expected.partition("\n")
                command = command[:-1] + more.lstrip("> ")
            words = shlex.split(command)
            if words[0].removeprefix("scripts/") != "tenbo" or words[1] == "serve":
                continue
            done = subprocess.run(
                [sys.executable, "-m", "tenbo", *words[1:]], capture_output=True, text=True, env=environment, cwd=folder
            )
            printed = "\n".join(row.rstrip() for row in (done.stdout + done.stderr).strip("\n").splitlines())
            assert _like(printed, expected.strip("\n")), f"{name(page)}:{line}: $ {command}\n{printed}"


def _like(printed: str, expected: str) -> bool:
    """Whether a text is as expected, where `...` on a line of its own stands for any lines."""
    parts = re.split(r"(?:^|\n)[ ]*\.\.\.(?=\n|$)", expected)
    return bool(re.fullmatch(r"[\s\S]*".join(map(re.escape, parts)), printed))


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=name)
def test_json_examples(page: Path) -> None:
    for _, text, line in blocks(page, "json"):
        try:
            json.loads(text)
        except ValueError:
            for row in filter(None, text.splitlines()):
                json.loads(row)
        assert text.strip(), f"{name(page)}:{line}"


# --------------------------------------------------------------------------------------------- what is made from data


def test_pages_of_rules_and_facts_are_up_to_date() -> None:
    command = [sys.executable, "-m", "tools.rules_pages", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("rules", PRESETS)
def test_every_entry_says_its_rule_and_its_place(rules: str) -> None:
    """They are shown to players who ask why."""
    loaded = load_rules(rules)
    for entry in (*loaded.entries, *loaded.shapes.values()):
        assert entry.text, entry.key
        assert entry.source, entry.key
        assert entry.text.endswith((".", ")")), entry.key
    for limit in loaded.limits:
        assert limit.text, limit.name
        assert limit.source, limit.name


def test_the_guide_to_own_rules_names_every_key() -> None:
    text = (DOCS / "own-rules.md").read_text(encoding="utf-8")
    known = {*TOP, *(key for keys in KEYS.values() for key in keys), "extends"}
    assert {key for key in known if not re.search(rf"[`\[.]{key}\b", text)} == set()


def test_facts_are_all_on_their_page() -> None:
    text = (DOCS / "facts.md").read_text(encoding="utf-8")
    assert all(f"| `{fact.name}` |" in text for facts in FACTS.values() for fact in facts)


def test_every_page_is_in_the_navigation() -> None:
    text = (ROOT / "zensical.toml").read_text(encoding="utf-8")
    named = set(re.findall(r'"([\w/-]+\.md)"', text))
    assert named == {str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md")}


LINK = re.compile(r"\]\(([^)#\s]*)(#[^)\s]+)?\)")


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target, anchor in LINK.findall(text):
        if "://" in target:
            continue
        file = page if not target else (page.parent / target)
        assert file.exists(), f"{name(page)}: {target}"
        if anchor and file.suffix == ".md":
            heads = re.findall(r"^#+ (.+)$", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
            slugs = {re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", head.lower()).strip()) for head in heads}
            assert anchor[1:] in slugs, f"{name(page)}: {target}{anchor}"
