"""From a hand to its readings and their worth: suits split through a cache, facts summed, the ruleset asked once."""

from tenbo.engine.context import LOOSE, SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS, Context, Reading, Split
from tenbo.engine.engine import Engine, below_minimum, engine, no_reading
from tenbo.engine.readings import best, group_codes, readings, worth
from tenbo.engine.text import groups, reading_text, red_in
from tenbo.engine.waiting import waiting

__all__ = [
    "LOOSE",
    "SEVEN_PAIRS",
    "STANDARD",
    "THIRTEEN_ORPHANS",
    "Context",
    "Engine",
    "Reading",
    "Split",
    "below_minimum",
    "best",
    "engine",
    "group_codes",
    "groups",
    "no_reading",
    "reading_text",
    "readings",
    "red_in",
    "waiting",
    "worth",
]
