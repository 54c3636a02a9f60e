"""Writes the guides that come from data: `python -m tools.rules_pages` writes docs/rules/ and docs/facts.md.

`--check` writes nothing and names the pages that are not up to date.
"""
