"""Ruleset files: found, read, merged with what they extend, and printed back.

A ruleset is a table of tables. ``extends`` names a preset, or another file beside this one; what a file says replaces
what it extends key by key, and ``off = true`` takes an entry out.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final

from tenbo.errors import Problem, ReadError, RulesetError, nearest, shown

PRESETS: Final = ("reach", "riichi", "basic", "simplified")
MAX_BYTES: Final = 256 * 1024
_FOLDER: Final = Path(__file__).parent / "rulesets"  # importlib.resources would take longer to load than a ruleset
_MAX_EXTENDS: Final = 8
_MAX_NESTING: Final = 40

Table = dict[str, Any]


def refuse(message: str, at: str | None = None, code: str = "bad_value") -> RulesetError:
    """The error for one fault of a ruleset file."""
    return RulesetError([Problem(code, message, at)])


_LONGEST_PATH: Final = 80


def unknown_rules(name: object) -> ReadError:
    """The error for a name that no ruleset has."""
    near = nearest(name, PRESETS) if isinstance(name, str) else None
    hint = f"; did you mean '{near}'?" if near else ""
    known = ", ".join(PRESETS)
    message = f"there are no rules {shown(name)}{hint} (there are: {known})"
    return ReadError([Problem("unknown_rules", message, "rules")])


def _no_file(path: Path, error: OSError | ValueError) -> ReadError:
    """The error for a ruleset file that cannot be read."""
    why = getattr(error, "strerror", None) or "no such file"
    name = str(path)
    name = name if len(name) <= _LONGEST_PATH else f"...{name[-_LONGEST_PATH:]}"
    message = f"cannot read the ruleset file {name!r}: {why} (presets are: {', '.join(PRESETS)})"
    return ReadError([Problem("unknown_rules", message, "rules")])


@cache
def preset_text(name: str) -> str:
    """The text of a preset's file.

    Raises:
        ReadError: There is no such preset (`unknown_rules`).
    """
    if name not in PRESETS:
        raise unknown_rules(name)
    return (_FOLDER / f"{name}.toml").read_text(encoding="utf-8")


def parse_text(text: str, *, folder: Path | None = None) -> Table:
    """Reads a ruleset text and merges it with what it extends.

    Args:
        text: TOML.
        folder: Where files that it extends may lie; None allows presets only.

    Raises:
        RulesetError: The text is not TOML, too large, nested too deeply, or extends in a loop.
    """
    return _merged(text, folder, ())


def read_file(path: Path) -> Table:
    """Reads a ruleset file, merged with what it extends.

    Raises:
        ReadError: There is no such file (`unknown_rules`).
        RulesetError: The file cannot be used.
    """
    return _merged(_file_text(path), path.parent, (str(path.resolve()),))


def _file_text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        text = data.decode("utf-8-sig")  # editors on Windows write a mark at the start
    except (OSError, ValueError) as error:
        if isinstance(error, UnicodeDecodeError):
            raise refuse(f"{path.name} is not UTF-8 text", "rules") from None
        raise _no_file(path, error) from None
    return text


def _merged(text: str, folder: Path | None, seen: tuple[str, ...]) -> Table:
    if len(text) > MAX_BYTES:
        raise refuse(f"a ruleset file of more than {MAX_BYTES // 1024} KB is not read", "rules")
    if re.search(rf"[\[{{]\s*(?:[\[{{]\s*){{{_MAX_NESTING}}}", text):
        raise refuse("the ruleset file is nested too deeply", "rules")
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise refuse(f"not a TOML file: {error}", "rules") from None
    parent = table.pop("extends", None)
    if parent is None:
        return _without_off(table)
    if not isinstance(parent, str):
        raise refuse("'extends' must be the name of a ruleset", "extends")
    if parent in PRESETS:
        base = _merged(preset_text(parent), None, (*seen, parent))
    elif folder is None:
        raise refuse(f"'extends' must name one of {', '.join(PRESETS)}, not {parent[:60]!r}", "extends")
    else:
        path = folder / parent
        name = str(path.resolve())
        if name in seen:
            raise refuse(f"'extends' goes in a loop: {' -> '.join(Path(s).name for s in (*seen, name))}", "extends")
        if len(seen) >= _MAX_EXTENDS:
            raise refuse(f"'extends' goes over more than {_MAX_EXTENDS} files", "extends")
        try:
            base = _merged(_file_text(path), path.parent, (*seen, name))
        except RulesetError:
            raise
        except ReadError:
            raise refuse(f"there is no ruleset {parent[:60]!r} to extend", "extends", "unknown_rules") from None
    problems = _misspelt_off(base, table)
    if len(seen) < 2:  # the file itself: one that it extends may have options for it to use
        problems += _misspelt_options(base, table)
    if problems:
        raise RulesetError(problems)
    return _without_off(_overlay(base, table))


def _overlay(base: Table, over: Table) -> Table:
    out = dict(base)
    for key, value in over.items():
        below = out.get(key)
        out[key] = _overlay(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return out


_SCOPES: Final = ("set", "hand", "bonus", "combo", "last", "shape", "penalty")


def _misspelt_off(base: Table, over: Table) -> list[Problem]:
    """Entries to take out that are not there."""
    problems = []
    for scope in _SCOPES:
        known, given = base.get(scope, {}), over.get(scope, {})
        if not isinstance(given, dict):
            continue
        for key, entry in given.items():
            if isinstance(entry, dict) and entry.get("off") is True and key not in known:
                near = nearest(key, known)
                hint = f"; did you mean '{near}'?" if near else ""
                message = f"there is no entry {scope}.{key[:60]} to take out{hint}"
                problems.append(Problem("unknown_field", message, f"{scope}.{key[:60]}"))
    return problems


def _misspelt_options(base: Table, over: Table) -> list[Problem]:
    """Options that a file adds to what it extends and no rule uses: a value for them would change nothing."""
    known, given = base.get("options", {}), over.get("options", {})
    new = [name for name in given if name not in known] if isinstance(given, dict) else []
    rest = [{key: value for key, value in table.items() if key != "options"} for table in (base, over)]
    used = set(re.findall(r"\w+", str(rest))) if new else set()
    problems = []
    for name in new:
        if name not in used:
            near = nearest(name, known)
            hint = f"; did you mean '{near}'?" if near else ""
            message = f"options.{name[:60]}: no rule uses this option{hint}"
            problems.append(Problem("unknown_option", message, f"options.{name[:60]}"))
    return problems


def _without_off(table: Table) -> Table:
    for scope in _SCOPES:
        entries = table.get(scope)
        if isinstance(entries, dict):
            table[scope] = {k: v for k, v in entries.items() if not (isinstance(v, dict) and v.get("off") is True)}
    return table


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    text = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return '"' + re.sub(r"[\x00-\x1f\x7f]", lambda m: f"\\u{ord(m.group()):04x}", text) + '"'


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _value(key)


def to_text(table: Table) -> str:
    """Prints a merged ruleset as a TOML text that reads as the same ruleset."""
    lines: list[str] = []

    def write(path: str, inner: Table) -> None:
        plain = {k: v for k, v in inner.items() if not isinstance(v, dict) and not _is_tables(v)}
        if path and (plain or not inner):
            lines.append(f"\n[{path}]")
        lines.extend(f"{_key(k)} = {_value(v)}" for k, v in plain.items())
        for key, value in inner.items():
            name = f"{path}.{_key(key)}" if path else _key(key)
            if isinstance(value, dict):
                write(name, value)
            elif _is_tables(value):
                for item in value:
                    lines.append(f"\n[[{name}]]")
                    lines.extend(f"{_key(k)} = {_value(v)}" for k, v in item.items())

    write("", table)
    return "\n".join(lines).strip() + "\n"


def _is_tables(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)
