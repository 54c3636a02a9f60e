"""Options that commands share: the rules, and the situation of a hand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from cyclopts import Parameter, Token

from tenbo.cli.scoring import hand_record
from tenbo.cli.streams import CallError, given_options
from tenbo.ruleset import Ruleset, load_rules


def whole(_: Any, tokens: Sequence[Token]) -> int:
    """Reads a whole number as it is written: nothing is rounded.

    Raises:
        ValueError: It is none.
    """
    text = tokens[0].value
    if not re.fullmatch(r"[+-]?[0-9]{1,18}", text):
        raise ValueError(f"it must be a whole number, not {text}")
    return int(text)


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class RulesChoice:
    """Which rules.

    Attributes:
        rules: A preset (`reach`, `riichi`, `basic`, `simplified`) or the path of a ruleset file.
        option: A house rule laid over the rules, `NAME=VALUE`; may be repeated.
    """

    rules: Annotated[str | None, Parameter(help="Preset, or path of a ruleset file.")] = None
    option: Annotated[
        tuple[str, ...], Parameter(negative=(), help="House rule laid over the rules, NAME=VALUE; may be repeated.")
    ] = ()

    def record(self) -> dict[str, Any]:
        """As keys of a record.

        Raises:
            CallError: An option is not NAME=VALUE.
        """
        options = given_options(self.option)
        return {"rules": self.rules} | ({"options": options} if options else {})

    def ruleset(self) -> Ruleset | None:
        """The ruleset for records that name none.

        Raises:
            CallError: An option is not NAME=VALUE, or there are options without rules.
            TenboError: The rules cannot be used, or an option is not one of theirs.
        """
        options = given_options(self.option)
        if self.rules is not None:
            return load_rules(self.rules, options)
        if options:
            raise CallError("--option is laid over --rules; say which rules")
        return None


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class Situation:
    """The situation of a hand, beside how it was won."""

    seat: Annotated[str | None, Parameter(help="The player's seat: E, S, W or N.")] = None
    round: Annotated[str | None, Parameter(help="The round: E, S, W or N.")] = None
    from_: Annotated[str | None, Parameter(name="--from", help="The seat of the discarder.")] = None
    flag: Annotated[
        tuple[str, ...],
        Parameter(
            negative=(),
            help="riichi, double_riichi, ippatsu, last_tile, after_kong, robbing_kong or first_turn; may be repeated.",
        ),
    ] = ()
    dora: Annotated[str | None, Parameter(help="Dora indicators, such as 3m7z.")] = None
    ura: Annotated[str | None, Parameter(help="Indicators underneath.")] = None
    honba: Annotated[int | None, Parameter(help="Counters.", converter=whole)] = None
    sticks: Annotated[int | None, Parameter(help="Bets lying on the table.", converter=whole)] = None

    def hand_record(self, hand: str, choice: RulesChoice, by: str | None = None) -> dict[str, Any]:
        """The hand record that a call says.

        Raises:
            CallError: An option is not NAME=VALUE.
        """
        said = {
            "by": by,
            "seat": self.seat,
            "round": self.round,
            "from": self.from_,
            "dora": self.dora,
            "ura": self.ura,
            "honba": self.honba,
            "sticks": self.sticks,
        }
        return hand_record(hand, choice.rules, choice.option, self.flag, said)


AsJson = Annotated[bool, Parameter(name="--json", help="Print JSON.")]
