"""Hands by the million: the same rulesets and the same answers, for columns of hands."""

from __future__ import annotations

from tenbo.batch.columns import Hands

__all__ = ["Hands"]
