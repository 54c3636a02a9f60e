"""Options that commands share: the rules, and the situation of a hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from cyclopts import Parameter

from tenbo.cli.streams import given_options


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
    honba: Annotated[int | None, Parameter(help="Counters.")] = None
    sticks: Annotated[int | None, Parameter(help="Bets lying on the table.")] = None

    def record(self) -> dict[str, Any]:
        """As keys of a hand record; what was not given is not among them."""
        said = {
            "seat": self.seat,
            "round": self.round,
            "from": self.from_,
            "flags": list(self.flag) or None,
            "dora": self.dora,
            "ura": self.ura,
            "honba": self.honba,
            "sticks": self.sticks,
        }
        return {key: value for key, value in said.items() if value is not None}


AsJson = Annotated[bool, Parameter(name="--json", help="Print JSON.")]
