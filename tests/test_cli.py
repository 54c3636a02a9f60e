"""The command line: hands, values, waits, settlements, charts and schemas, and that the guide tells all of it."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import tenbo
from cases import read_cases
from clikit import BASIC, HAND, RECORD, invoke, run
from tenbo.cli import app, scoring
from tenbo.cli.app import spread
from tenbo.cli.straight import read_score
from tenbo.cli.streams import CallError
from tenbo.records import score_record, settle_record, value_record, waits_record

# --------------------------------------------------------------------------------------------------------------- score


def test_score_as_json_is_the_score_record() -> None:
    done = invoke("score", HAND, *BASIC, "--json")
    assert (done.status, done.err) == (0, "")
    assert done.json == score_record(RECORD)


def test_a_refused_hand_is_an_error_record_and_status_1() -> None:
    done = invoke("score", "123m", "--rules", "reach", "--json")
    assert (done.status, done.err) == (1, "")
    assert done.json == score_record({"hand": "123m", "rules": "reach"})
    assert [error["code"] for error in done.json["errors"]][:2] == ["missing_field", "missing_field"]


def test_the_explanation_has_every_step() -> None:
    done = invoke("score", HAND, *BASIC)
    assert done.status == 0
    lines = done.out.splitlines()
    assert lines[0] == "Basic Scoring: 320  40 points, 3 doubles"
    assert "  Read as  345p 78+6p 99p [777z] [2222z]" in lines
    assert re.search(r"Four of a kind, winds, exposed +2222z South Wind +16$", done.out, re.MULTILINE)
    assert re.search(r"together +40 +3$", done.out, re.MULTILINE)
    assert "  40 × 2^3 = 320" in lines
    assert re.search(r"East +-640 +320 × 2 = 640$", done.out, re.MULTILINE)
    assert re.search(r"South +\+1280 +640 \+ 320 \+ 320 = 1280$", done.out, re.MULTILINE)
    assert "\x1b" not in done.out


@pytest.mark.parametrize("width", [40, 60, 80, 100])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    from tenbo.cli.paper import cell_width

    calls = [
        ("score", HAND, *BASIC),
        ("score", "15f(1111z)11p22333444z+2z", *BASIC[2:], "--rules", "simplified", "--from", "N"),
        ("waits", "123m456p789s2233z", "--rules", "reach", "--seat", "S", "--round", "E"),
        ("value", "--rules", "riichi", "--han", "3", "--fu", "40", "--seat", "E", "--by", "discard", "--honba", "2"),
        ("rules", "show", "basic"),
        ("rules", "facts"),
    ]
    for call in calls:
        done = invoke(*call, columns=width)
        assert done.status == 0
        assert max(map(cell_width, done.out.splitlines())) <= width, call


def test_what_was_not_scored_is_said_on_standard_error() -> None:
    done = invoke("score", "123m456p789s2223z+3z", "--rules", "reach", "--by", "discard", "--seat", "W", "--round", "E")
    assert (done.status, done.out) == (1, "")
    assert "Not scored: 123m456p789s2223z+3z" in done.err
    assert "2 of 3 Hand Points" in done.err
    several = invoke("score", "123x", "--rules", "reech")
    assert "did you mean 'reach'" in several.err
    assert several.err.count("\n  - ") >= 2


def test_other_readings_are_shown_in_short() -> None:
    hand = "1122223333444s +4s"
    done = invoke("score", hand, "--rules", "reach", "--by", "self_draw", "--seat", "N", "--round", "W")
    others = tenbo.score(hand, rules="reach", by="self_draw", seat="N", round="W").other_readings
    assert len(others) > 3
    assert all(other.reading in done.out for other in others[:3])
    assert f"and {len(others) - 3} more" in done.out


@pytest.mark.parametrize(
    "flags",
    [
        ["--flag", "riichi", "--flag", "ippatsu"],
        ["--flag", "riichi", "ippatsu"],
        ["--flag=riichi", "--flag=ippatsu"],
        ["--flag", "ippatsu", "riichi"],
    ],
)
def test_flags_are_given_in_every_way(flags: list[str]) -> None:
    situation = ["--rules", "reach", "--by", "discard", "--seat", "S", "--round", "E", "--json"]
    expected = ["Reach", "First Turn Win"]
    for call in (
        ["score", "234m567p2234567s+8s", *situation, *flags],
        ["score", *flags, "234m567p2234567s+8s", *situation],
    ):
        done = invoke(*call)
        assert done.status == 0, done.out
        assert [line["name"] for line in done.json["lines"] if line["name"] in expected] == expected


def test_every_option_reaches_the_record() -> None:
    hand = "234m567p2234567s+8s"
    said = {"from": "W", "seat": "S", "round": "E", "dora": "1m", "ura": "2m", "honba": 2, "sticks": 3, "by": "discard"}
    call = [f"--{key}={value}" for key, value in said.items()]
    call += ["--option", "honba_value=600", "--option", "one_tile_wait=shape", "--flag", "riichi", "--rules", "reach"]
    options = {"honba_value": 600, "one_tile_wait": "shape"}
    expected = score_record({"hand": hand, "rules": "reach", "options": options, "flags": ["riichi"], **said})
    assert "error" not in expected
    assert invoke("score", hand, *call, "--json").json == expected


def test_a_losers_hand_and_a_robbed_kong() -> None:
    loser = invoke("score", "11z258m147p39s [555z]", "--rules", "basic", "--seat", "E", "--round", "E", "--json")
    assert (loser.status, loser.json["score"], loser.json["payments"]) == (0, 12, None)


def test_the_straight_way_is_taken_for_a_plain_call() -> None:
    code = f"import sys; from tenbo.cli import main; main({['score', HAND, *BASIC, '--json']!r}); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {"cyclopts", "rich", "tenbo.cli.commands"}.isdisjoint(done.stdout.splitlines()[-1].split())


WORDS = st.sampled_from(
    [
        *(
            "--rules",
            "--by",
            "--seat",
            "--round",
            "--from",
            "--flag",
            "--dora",
            "--ura",
            "--honba",
            "--sticks",
            "--option",
        ),
        *(
            "--json",
            "--rules=basic",
            "--seat=",
            "--honba=-1",
            "--jsonl",
            "--",
            "-",
            "--help",
            "--version",
            "-h",
            "--nope",
        ),
        *(
            "basic",
            "discard",
            "S",
            "E",
            "riichi",
            "ippatsu",
            "123m",
            HAND,
            "limit=300",
            "a=b",
            "2",
            "-2",
            "0x1",
            "",
            "1.0",
        ),
        *("\udce4", "\x00", "--flag=riichi", "--json=true", "--no-json", "007", "1_000", "score"),
    ]
)


@given(st.lists(WORDS, max_size=9))
@example([HAND, "--option", "basic"])
def test_the_straight_way_and_the_other_read_alike(tokens: list[str]) -> None:
    tokens = spread(["score", *tokens])
    straight: Any = None
    refused: str | None = None
    try:
        straight = read_score(tokens)
    except CallError as error:
        refused = str(error)
    if straight is None and refused is None:
        return
    seen: list[Any] = []
    kept = scoring.score_hand
    try:
        import tenbo.cli.score as command

        command.score_hand = lambda *call: seen.append(call) or 0
        if refused is None:
            assert app._dispatch(tokens) == 0
        else:
            with pytest.raises(CallError) as caught:
                app._dispatch(tokens)
            assert str(caught.value) == refused
    finally:
        command.score_hand = kept
    assert seen == ([straight] if refused is None else [])


# ------------------------------------------------------------------------------------------ values, waits, settlements


def test_value_as_json() -> None:
    done = invoke("value", "--rules", "reach", "--hp", "4", "--bp", "30", "--seat", "S", "--by", "self_draw", "--json")
    assert done.status == 0
    assert done.json == value_record({"rules": "reach", "hp": 4, "bp": 30, "seat": "S", "by": "self_draw"})
    assert (done.json["lines"], done.json["points_raw"], done.json["reading"]) == ([], None, None)


@pytest.mark.parametrize(
    "worth",
    [
        ["--hp", "2", "--bp", "30"],
        ["--hp", "4", "--bp", "20"],
        ["--hp", "3", "--bp", "25"],
        ["--hp", "4", "--bp", "33"],
        ["--limit", "yakuman"],
    ],
)
def test_values_that_cannot_be(worth: list[str]) -> None:
    call = ["value", "--rules", "reach", "--seat", "S", "--by", "discard", *worth]
    done = invoke(*call, "--json")
    assert (done.status, done.json["error"], done.err) == (1, "bad_value", "")
    said = invoke(*call)
    assert (said.status, said.out) == (1, "")
    assert done.json["errors"][0]["message"][:20] in said.err


def test_value_explained() -> None:
    done = invoke("value", "--rules", "riichi", "--han", "2", "--fu", "30", "--seat", "S", "--by", "self_draw")
    assert "30 × 2^(2 + 2) = 480" in done.out
    assert re.search(r"East +-1000 +480 × 2 = 960 → 1000$", done.out, re.MULTILINE)


def test_waits() -> None:
    call = ["waits", "123m456p789s2233z", "--rules", "reach", "--seat", "S", "--round", "E"]
    done = invoke(*call, "--json")
    record = {"hand": "123m456p789s2233z", "rules": "reach", "seat": "S", "round": "E"}
    assert (done.status, done.json) == (0, waits_record(record))
    said = invoke(*call).out
    assert re.search(r"2z +South Wind +2 +1300", said)
    assert "2 of 3 Hand Points" in said


def test_waits_of_a_hand_that_is_not_ready() -> None:
    call = ["waits", "159m159p159s1234z", "--rules", "reach", "--seat", "S", "--round", "E"]
    assert invoke(*call, "--json").json["waits"] == []
    done = invoke(*call)
    assert done.status == 0
    assert "not ready" in done.out


def test_waits_refuses_a_winning_tile() -> None:
    done = invoke("waits", HAND, "--rules", "basic", "--seat", "S", "--round", "E", "--json")
    assert (done.status, done.json["error"]) == (1, "bad_value")


DEAL = {
    "rules": "riichi",
    "honba": 1,
    "bets": ["W"],
    "winners": [{"seat": "W", "by": "discard", "from": "E", "han": 3, "fu": 40}],
}


def test_settle_one_deal() -> None:
    done = invoke("settle", json.dumps(DEAL), "--json")
    assert (done.status, done.json) == (0, settle_record(DEAL))
    said = invoke("settle", json.dumps(DEAL))
    assert re.search(r"East → West +5200 +hand$", said.out, re.MULTILINE)
    assert re.search(r"West +\+5500$", said.out, re.MULTILINE)
    assert "The deal passes on." in said.out
    draw = invoke("settle", '{"draw": {"kind": "exhaustive"}}', "--rules", "basic")
    assert "Nothing changes hands." in draw.out
    kitty = invoke("settle", '{"penalty": {"kind": "kitty", "seat": "S"}}', "--rules", "basic")
    assert "The deal goes on. In the kitty: 100 from South." in kitty.out


def test_settle_line_by_line() -> None:
    inputs = [case["input"] for case in read_cases("settle")]
    done = run("settle", "--jsonl", "-", stdin="\n".join(map(json.dumps, inputs)).encode())
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert answers == [settle_record(one) for one in inputs]
    assert done.returncode == int(any("error" in answer for answer in answers))


def test_a_deal_that_is_refused() -> None:
    done = invoke("settle", '{"rules": "riichi"}')
    assert (done.status, done.out) == (1, "")
    assert "'winners', 'draw' or 'penalty'" in done.err


# ---------------------------------------------------------------------------------------------- charts, schemas, rules


ROW = ((1000, "300/500"), (1300, "400/700"), (1600, "400/800"), (2000, "500/1000"), (2300, "600/1200"))


def test_chart() -> None:
    done = invoke("chart", "reach")
    assert done.status == 0
    lines = done.out.splitlines()
    cells = ["N/A", "N/A", *(f"{score} ({paid})" for score, paid in ROW)]
    assert re.split(r" {2,}", lines[3]) == ["3 HP", *cells]
    assert lines[5].startswith("5 HP")
    assert "7700* (2000/3900*)" in lines[5]
    assert "9600 (3200)" in done.out
    assert "6400 (3200)" in invoke("chart", "reach", "--option", "chart=as_printed").out
    assert len(invoke("chart", "reach", "--json").json["rows"]) == 182
    assert invoke("chart", "basic").status == 2


def test_schema() -> None:
    assert invoke("schema").json["version"] == 1
    assert invoke("schema", "score").json["title"] == "Score record"
    done = invoke("schema", "scoer")
    assert (done.status, done.out) == (2, "")
    assert "did you mean 'score'" in done.err


# ----------------------------------------------------------------------------------------------------------- the guide


def test_every_command_and_option_is_in_the_guide() -> None:
    from tenbo.cli.commands import make_app

    guide = (Path(__file__).parents[1] / "docs/cli.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## `tenbo ([a-z ]+)`\n(.*?)(?=^## |\Z)", guide, re.MULTILINE | re.DOTALL))
    known: dict[str, set[str]] = {}

    def walk(inner: Any, path: tuple[str, ...]) -> None:
        for name in inner:
            if name.startswith("-"):
                continue
            found = inner[name]
            if found.default_command is None:
                walk(found, (*path, name))
                continue
            arguments = found.assemble_argument_collection(default_parameter=app.default_parameter)
            known[" ".join((*path, name))] = {
                option for argument in arguments for option in argument.names if option.startswith("--")
            }

    app = make_app()
    walk(app, ())
    assert known.keys() == sections.keys()
    for command, options in known.items():
        written = set(re.findall(r"`(--[a-z-]+)", sections[command]))
        assert options == written, command


def test_what_the_readme_shows_is_what_comes_out() -> None:
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    shown = re.findall(r"^    \$ tenbo (.+)\n((?:(?:    .*)?\n)+)", readme, re.MULTILINE)
    assert len(shown) >= 3
    for call, text in shown:
        done = invoke(*shlex.split(call))
        expected = [line.removeprefix("    ").rstrip() for line in text.rstrip().splitlines()]
        assert (done.status, done.out.rstrip().splitlines()) == (0, expected), call


@pytest.mark.parametrize("number", ["4.5", "0x4", "1_0", "1e1"])
def test_whole_numbers_are_read_as_they_are_written(number: str) -> None:
    for call in (["value", "--rules", "reach", "--hp", number], ["score", HAND, "--rules", "reach", "--honba", number]):
        done = invoke(*call)
        assert done.status == 2
        assert f"it must be a whole number, not {number}" in done.err
