"""`tenbo value`: the worth of points and doubles, or of a limit, without tiles."""

from __future__ import annotations

from typing import Annotated, Any

from cyclopts import Parameter

from tenbo.cli.situation import AsJson, RulesChoice, whole
from tenbo.cli.streams import put_json
from tenbo.quick import value as work_out
from tenbo.records import value_record

_NO_RULES = RulesChoice()


def value(
    *,
    choice: RulesChoice = _NO_RULES,
    doubles: Annotated[
        int | None, Parameter(help="Doubles, with the 2 for going out where the rules give them.", converter=whole)
    ] = None,
    points: Annotated[int | None, Parameter(help="Points; beside --doubles.", converter=whole)] = None,
    hp: Annotated[int | None, Parameter(help="Hand Points, with the 2 for going out.", converter=whole)] = None,
    bp: Annotated[int | None, Parameter(help="Base Points; beside --hp.", converter=whole)] = None,
    han: Annotated[int | None, Parameter(help="Han, without the 2 for going out.", converter=whole)] = None,
    fu: Annotated[int | None, Parameter(help="Fu; beside --han.", converter=whole)] = None,
    limit: Annotated[str | None, Parameter(help="A limit by its name, such as mangan or 'limit hand'.")] = None,
    by: Annotated[str | None, Parameter(help="discard or self_draw.")] = None,
    seat: Annotated[str | None, Parameter(help="The winner's seat: E, S, W or N.")] = None,
    from_: Annotated[str | None, Parameter(name="--from", help="The seat of the discarder.")] = None,
    honba: Annotated[int | None, Parameter(help="Counters.", converter=whole)] = None,
    sticks: Annotated[int | None, Parameter(help="Bets lying on the table.", converter=whole)] = None,
    as_json: AsJson = False,
) -> int:
    """Works out what points and doubles are worth, and who pays what, without tiles."""
    worth = {"doubles": doubles, "points": points, "hp": hp, "bp": bp, "han": han, "fu": fu, "limit": limit}
    said = {"by": by, "seat": seat, "from": from_, "honba": honba, "sticks": sticks}
    record = choice.record() | {key: given for key, given in (worth | said).items() if given is not None}
    if as_json:
        answer = value_record(record)
        put_json(answer)
        return int("error" in answer)
    return _explain(record)


def _explain(record: dict[str, Any]) -> int:
    from tenbo.cli.pages import explanation_page, problems_page
    from tenbo.cli.paper import show
    from tenbo.explain import explain_value

    answer = value_record(record)
    if "error" in answer:
        problems_page(answer["errors"])
        return 1
    said = {key if key != "from" else "from_": given for key, given in record.items()}
    show(explanation_page(explain_value(work_out(**said))))
    return 0
