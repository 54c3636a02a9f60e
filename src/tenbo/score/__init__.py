"""A scored hand: its worth, its lines, its readings as text, and who pays what."""

from tenbo.engine import reading_text
from tenbo.program import Line
from tenbo.score.ask import score
from tenbo.score.score import OtherReading, Score, score_hand
from tenbo.score.shares import counters, payments, shares

__all__ = ["Line", "OtherReading", "Score", "counters", "payments", "reading_text", "score", "score_hand", "shares"]
