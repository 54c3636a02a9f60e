"""Conditions and values of a ruleset file: a small, safe, typed subset of Python's expression grammar.

A ruleset says when a rule applies and what it is worth as text, for instance ``suits == 1 and honours >= 1``. This
module reads such text, checks it, and turns it into Python source (for one hand) or NumPy source (for columns of
hands). Nothing in the text is ever run as it stands: it is parsed, checked on the syntax tree, and printed anew.

What may be written:

* names of symbols (facts), constants (option values) and definitions; integers; ``True`` and ``False``
* ``and or not`` between conditions; ``a if c else b``
* ``+ - *`` between numbers, a condition counting as 1 or 0; ``//`` by a constant other than zero; unary minus
* ``< <= > >=`` between numbers, ``== !=`` between two of one type, chained as in Python
* a word in quotes, only beside ``==`` or ``!=`` with something that declares this word
* ``none``, only beside ``==`` or ``!=`` with an option

Everything is pure, so the parts of an ``and`` have no order: constants are folded wherever they stand, and a part that
constants switch off is gone from the result.

    >>> symbols = {"suits": Symbol("suits", INT), "closed": Symbol("closed", BOOL)}
    >>> rule = parse("suits == 1 and (closed or open_allowed)", symbols, constants={"open_allowed": True})
    >>> rule.python(), sorted(rule.names)
    ('(suits == 1)', ['suits'])
    >>> parse("suit == 1", symbols)
    Traceback (most recent call last):
    tenbo.condition.parser.ConditionError: unknown name 'suit'; did you mean 'suits'? (in "suit == 1")
"""

from tenbo.condition.expression import Expr
from tenbo.condition.nodes import BOOL, INT, WORD, Symbol, Type
from tenbo.condition.parser import MAX_DEPTH, MAX_TEXT, ConditionError, Value, parse

__all__ = ["BOOL", "INT", "MAX_DEPTH", "MAX_TEXT", "WORD", "ConditionError", "Expr", "Symbol", "Type", "Value", "parse"]
