"""House rules: named options of a ruleset and the values laid over them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tenbo.errors import Problem, nearest

OptionValue = bool | int | str | None | tuple[int, ...]

_MAX: Final = 1_000_000_000
_MOST: Final = 200


@dataclass(frozen=True, slots=True)
class Option:
    """A named choice that a ruleset leaves to the table.

    Attributes:
        name: Its key.
        default: Its value where nothing is laid over it; points are plain numbers.
        values: The values it can take, where they are few.
        minimum: The least number allowed.
        maximum: The greatest number allowed.
        multiple_of: What numbers must be a multiple of.
        null: Whether it may be none (JSON ``null``).
        length: How many numbers a list has; 0 for no list.
        text: What it changes.
        source: The place in the rule text.
    """

    name: str
    default: OptionValue
    values: tuple[OptionValue, ...] = ()
    minimum: int = 0
    maximum: int = _MAX
    multiple_of: int = 1
    null: bool = False
    length: int = 0
    text: str = ""
    source: str = ""

    @property
    def type(self) -> str:
        """Its type in conditions: "bool", "int", "word", or "list" (which conditions cannot name)."""
        if self.length:
            return "list"
        if isinstance(self.default, bool):
            return "bool"
        return "word" if isinstance(self.default, str) else "int"

    def allowed(self) -> str:
        """What it can be, in words."""
        if self.length:
            return f"a list of {self.length} whole numbers from {self.minimum} to {self.maximum}"
        if self.type == "bool":
            return "true or false"
        if self.values:
            return " or ".join(str(value) for value in self.values)
        step = f", a multiple of {self.multiple_of}" if self.multiple_of > 1 else ""
        return f"a whole number from {self.minimum} to {self.maximum}{step}" + (", or null" if self.null else "")

    def accepts(self, value: object) -> bool:
        """Whether the value is one that the option can take."""
        if value is None:
            return self.null
        if self.length:
            return isinstance(value, list | tuple) and len(value) == self.length and all(map(self._number, value))
        if self.type == "bool":
            return isinstance(value, bool)
        if self.values:
            return any(type(value) is type(known) and value == known for known in self.values)
        return self._number(value)

    def _number(self, value: object) -> bool:
        return type(value) is int and self.minimum <= value <= self.maximum and value % self.multiple_of == 0


def lay_over(options: dict[str, Option], values: object, problems: list[Problem]) -> dict[str, OptionValue]:
    """Checks values to be laid over a ruleset's options.

    Args:
        options: The options, by name.
        values: What a record or a call gives; anything but a mapping from names to values is a problem.
        problems: Where faults are added: `bad_value` and `unknown_option`.

    Returns:
        The values that differ from the defaults and can be used.
    """
    if values is None:
        return {}
    if not isinstance(values, dict):
        problems.append(Problem("bad_value", "'options' must be an object of names and values", "options"))
        return {}
    out: dict[str, OptionValue] = {}
    if len(values) > _MOST:
        message = f"'options' has {len(values)} values, these rules have only {len(options)} options"
        problems.append(Problem("bad_value", message, "options"))
        return out
    for name, value in values.items():
        option = options.get(name) if isinstance(name, str) else None
        if option is None:
            near = nearest(name, options) if isinstance(name, str) else None
            hint = f"; did you mean '{near}'?" if near else f" (there are: {', '.join(options)})"
            problems.append(
                Problem("unknown_option", f"these rules have no option '{str(name)[:60]}'{hint}", str(name))
            )
        elif not option.accepts(value):
            problems.append(Problem("bad_value", f"option '{name}' must be {option.allowed()}", name))
        else:
            kept: OptionValue = tuple(value) if isinstance(value, list) else value
            if kept != option.default:
                out[name] = kept
    return out
