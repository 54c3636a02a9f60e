"""The printed charts, cell for cell."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tenbo
from tenbo.chart import chart_record, charts

COLUMNS = (20, 25, 30, 40, 50, 60, 70)

PRINT = (Path(__file__).parent / "data/reach_charts.txt").read_text(encoding="utf-8")
OTHERS, DEALERS = (block.strip() for block in PRINT.removeprefix("Non-dealer\n").split("\nDealer\n"))
MISPRINT = (True, 6, 25)  # 6400 in print; 25 x 2^6 is 1600, and the dealer gets six times that
CELL = re.compile(r"N/A(?: \([\d/*]+\))?|\d+\*? \([\d/*]+\)")


def printed() -> dict[tuple[bool, int, int], str]:
    """Dealer, hand points and base points to the cell's text; rows for several hand points are taken apart."""
    out = {}
    for dealer, text in ((False, OTHERS), (True, DEALERS)):
        for line in text.splitlines():
            head, _, rest = line.partition(" HP")
            cells = CELL.findall(rest)
            assert len(cells) == len(COLUMNS), line
            for hp in map(int, head.split("/")):
                for column, cell in zip(COLUMNS, cells, strict=True):
                    out[(dealer, hp, column)] = cell
    return out


def test_all_126_printed_cells_are_held() -> None:
    assert sum(len(CELL.findall(line)) for text in (OTHERS, DEALERS) for line in text.splitlines()) == 126
    assert len(printed()) == 182
    assert sum(cell.count("*") for cell in printed().values()) == 8


@pytest.mark.parametrize("option", ["formula", "as_printed"])
def test_charts_agree_with_print(option: str) -> None:
    expected = printed()
    if option == "formula":
        expected[MISPRINT] = expected[MISPRINT].replace("6400", "9600")
    found = {}
    for dealer, rows in zip((False, True), charts(tenbo.load_rules("reach", {"chart": option})), strict=True):
        for row in rows:
            for hp in row.doubles:
                for column, cell in zip(COLUMNS, row.cells, strict=True):
                    found[(dealer, hp, column)] = cell.text
    assert found == expected


def test_rows_are_those_printed() -> None:
    heads = [line.partition(" HP")[0] for line in OTHERS.splitlines()]
    for rows in charts(tenbo.load_rules("reach")):
        assert ["/".join(map(str, row.doubles)) for row in rows] == heads


def test_the_record_has_every_figure() -> None:
    rules = tenbo.load_rules("reach", {"chart": "as_printed"})
    found = {}
    for row in chart_record(rules)["rows"]:
        figures = "N/A" if row["discard"] is None else str(row["discard"])
        if row["self_draw"]:
            shares = [row["self_draw"]["others"], row["self_draw"]["dealer"]]
            assert (shares[1] is None) == row["dealer"]
            figures += f" ({'/'.join(str(share) for share in shares if share is not None)})"
        found[(row["dealer"], row["hp"], row["points"])] = figures
    assert found == {key: cell.replace("*", "") for key, cell in printed().items()}


def test_blanks_are_those_that_cannot_be() -> None:
    rows = {(r["dealer"], r["hp"], r["points"]): r for r in chart_record(tenbo.load_rules("reach"))["rows"]}
    for (_dealer, hp, points), row in rows.items():
        assert (row["discard"] is None) == (points == 20 or (hp == 3 and points == 25))
        assert (row["self_draw"] is None) == (hp == 3 and points in (20, 25))
    assert rows[(False, 4, 25)]["self_draw"] == {"dealer": 800, "others": 400}  # printed, though no hand is worth it


def test_rounding_the_starred_cells_leaves_no_star() -> None:
    plain, rounded = (charts(tenbo.load_rules("reach", {"round_up_starred": value})) for value in (False, True))
    assert rounded[0][2].cells[5].text == "8000 (2000/4000)"
    assert rounded[1][3].cells[2].text == "12000 (4000)"
    assert plain[0][2].cells[5].text == "7700* (2000/3900*)"
    assert not any(any(cell.starred) for rows in rounded for row in rows for cell in row.cells)


def test_every_figure_is_that_of_the_quick_value() -> None:
    rules = tenbo.load_rules("reach")
    for row in chart_record(rules)["rows"]:
        seat = "E" if row["dealer"] else "W"
        for by in ("discard", "self_draw"):
            said = {"hp": row["hp"], "bp": row["points"], "seat": seat, "by": by}
            if row[by] is None:
                with pytest.raises(tenbo.ReadError, match=r"cannot be|points|Points"):
                    tenbo.value(rules=rules, **said)
                continue
            value = tenbo.value(rules=rules, **said)
            if by == "discard":
                assert value.score == row[by]
            else:
                assert value.shares == {key: share for key, share in row[by].items() if share is not None}


def test_rules_without_a_chart_say_so() -> None:
    with pytest.raises(tenbo.ReadError, match="no printed chart"):
        chart_record(tenbo.load_rules("basic"))
