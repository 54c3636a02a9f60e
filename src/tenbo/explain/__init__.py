"""A score in words: the tiles as they were read, every line with its rule, and the arithmetic down to who pays what.

Nothing here knows how it will be shown: the command line prints an `Explanation`, a page can show the same one.

>>> from tenbo.score import score
>>> told = explain(score("3457899p [777z] [2222z] +6p", rules="basic", by="discard", seat="S", round="E"))
>>> for step in told.steps:
...     print(step.text)
20 + 4 + 16 = 40
40 × 2^3 = 320
>>> [(line.name, line.tiles, line.amount) for line in told.lines if line.unit == "doubles"][-1]
('Three or four of own wind', '2222z', 1)
>>> told.payments[0]
Paid(who='E', name='East', change=-640, text='320 × 2 = 640')
"""

from tenbo.explain.explain import explain, explain_value
from tenbo.explain.groups import read_groups
from tenbo.explain.sums import arithmetic
from tenbo.explain.told import Amount, Explanation, Group, Paid, Step, Words
from tenbo.explain.words import SEATS, flag_word, option_text, words

__all__ = [
    "SEATS",
    "Amount",
    "Explanation",
    "Group",
    "Paid",
    "Step",
    "Words",
    "arithmetic",
    "explain",
    "explain_value",
    "flag_word",
    "option_text",
    "read_groups",
    "words",
]
