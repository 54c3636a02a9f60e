"""Tenbo scores mahjong hands, says why, and keeps the table.

A rule system is one file that reads like the rule book; `tenbo.score` reads a hand and says what it is worth under it.

>>> import tenbo
>>> score = tenbo.score("3457899p [777z] [2222z] +6p", rules="basic", by="discard", seat="S", round="E")
>>> score.score, score.points, score.doubles, score.payments
(320, 40, 3, {'E': -640, 'S': 1280, 'W': -320, 'N': -320})
"""

from tenbo.errors import HandError, NotScoredError, Problem, ReadError, RulesetError, TenboError
from tenbo.hand import Hand, Meld
from tenbo.notation import parse
from tenbo.payment import Transfer
from tenbo.quick import Value, value
from tenbo.ruleset import Ruleset, load_rules, parse_rules
from tenbo.score import Line, OtherReading, Score, score
from tenbo.settle import Settlement, settle
from tenbo.waits import Wait, waits

__version__ = "0.1.0"

__all__ = [
    "Hand",
    "HandError",
    "Line",
    "Meld",
    "NotScoredError",
    "OtherReading",
    "Problem",
    "ReadError",
    "Ruleset",
    "RulesetError",
    "Score",
    "Settlement",
    "TenboError",
    "Transfer",
    "Value",
    "Wait",
    "load_rules",
    "parse",
    "parse_rules",
    "score",
    "settle",
    "value",
    "waits",
]
