"""Rulesets found by name, read from files and texts, with options laid over them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from tenbo import rulefile
from tenbo.options import OptionValue
from tenbo.ruleset.build import build
from tenbo.ruleset.model import Ruleset


@lru_cache(maxsize=256)
def with_values(rules: Ruleset, values: tuple[tuple[str, OptionValue], ...]) -> Ruleset:
    """The same rules with these option values instead of their own."""
    return build(rulefile.parse_text(rules.text), rules.name, dict(values))


def unpickle(text: str, name: str, values: tuple[tuple[str, OptionValue], ...]) -> Ruleset:
    """Makes a pickled ruleset again from its text."""
    rules = _preset(name) if name in rulefile.PRESETS and _preset(name).text == text else _from_text(text, name)
    return with_values(rules, values) if values else rules


@lru_cache(maxsize=16)
def _preset(name: str) -> Ruleset:
    return build(rulefile.parse_text(rulefile.preset_text(name)), name, {})


@lru_cache(maxsize=64)
def _from_text(text: str, name: str | None) -> Ruleset:
    return build(rulefile.parse_text(text), name, {})


def load_rules(rules: str | Path | Ruleset, options: Mapping[str, object] | None = None) -> Ruleset:
    """Loads a ruleset.

    Args:
        rules: A preset's name (`reach`, `riichi`, `basic`, `simplified`), the path of a ruleset file, or a ruleset.
        options: House-rule values to lay over it.

    Raises:
        ReadError: There are no such rules (`unknown_rules`), or an option is not known or cannot have that value.
        RulesetError: The file cannot be used; every fault is named.

    >>> load_rules("reach").option("honba_value")
    300
    """
    if isinstance(rules, Ruleset):
        found = rules
    elif isinstance(rules, str) and rules in rulefile.PRESETS:
        found = _preset(rules)
    elif isinstance(rules, Path) or (isinstance(rules, str) and (rules.endswith(".toml") or "/" in rules)):
        found = _file(Path(rules))
    else:
        raise rulefile.unknown_rules(rules)
    return found.with_options(options) if options else found


def _file(path: Path) -> Ruleset:
    return build(rulefile.read_file(path), None, {})


def parse_rules(text: str, name: str | None = None) -> Ruleset:
    """Reads a ruleset from its text; it may extend presets, never files.

    Args:
        text: TOML.
        name: What records call the rules; the file's title where none is given.

    Raises:
        RulesetError: The text cannot be used; every fault is named.
    """
    return _from_text(text, name)
