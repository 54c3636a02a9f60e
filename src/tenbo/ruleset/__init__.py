"""A rule system as data: loaded, checked and frozen."""

from tenbo.ruleset.load import load_rules, parse_rules
from tenbo.ruleset.model import (
    LIMIT_UNIT,
    SCOPES,
    SYMBOLS,
    Chart,
    Entry,
    Liability,
    Limit,
    Payment,
    Penalty,
    Ruleset,
    Shape,
    Table,
    limit_share,
)

__all__ = [
    "LIMIT_UNIT",
    "SCOPES",
    "SYMBOLS",
    "Chart",
    "Entry",
    "Liability",
    "Limit",
    "Payment",
    "Penalty",
    "Ruleset",
    "Shape",
    "Table",
    "limit_share",
    "load_rules",
    "parse_rules",
]
