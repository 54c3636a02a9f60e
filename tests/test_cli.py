"""The command line: what it prints where, and how it ends."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tenbo
from cases import logs_dir, read_cases
from tenbo.cli import app, scoring
from tenbo.cli.app import main, spread
from tenbo.cli.straight import read_score
from tenbo.records import score_record, settle_record, value_record, waits_record

HAND = "3457899p [777z] [2222z] +6p"
BASIC = ["--rules", "basic", "--by", "discard", "--seat", "S", "--round", "E"]
RECORD = {"hand": HAND, "rules": "basic", "by": "discard", "seat": "S", "round": "E"}


class Ended:
    """How a call ended: its exit status and what it printed."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def tenbo_(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Calls the command within this process."""
    monkeypatch.setenv("COLUMNS", "80")

    def call(*arguments: str) -> Ended:
        status = main(arguments)
        out, err = capsys.readouterr()
        return Ended(status, out, err)

    return call


def run(*arguments: str | bytes, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Calls the command as a process of its own."""
    command = [sys.executable, "-m", "tenbo", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, env={**os.environ, **environment}, timeout=60)


# --------------------------------------------------------------------------------------------------------------- score


def test_score_as_json_is_the_score_record(tenbo_: Any) -> None:
    done = tenbo_("score", HAND, *BASIC, "--json")
    assert (done.status, done.err) == (0, "")
    assert done.json == score_record(RECORD)


def test_a_refused_hand_is_an_error_record_and_status_1(tenbo_: Any) -> None:
    done = tenbo_("score", "123m", "--rules", "reach", "--json")
    assert (done.status, done.err) == (1, "")
    assert done.json == score_record({"hand": "123m", "rules": "reach"})
    assert [error["code"] for error in done.json["errors"]][:2] == ["missing_field", "missing_field"]


def test_the_explanation_has_every_step(tenbo_: Any) -> None:
    done = tenbo_("score", HAND, *BASIC)
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
def test_no_line_is_wider_than_the_terminal(tenbo_: Any, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from tenbo.cli.paper import cell_width

    monkeypatch.setenv("COLUMNS", str(width))
    calls = [
        ("score", HAND, *BASIC),
        ("score", "15f(1111z)11p22333444z+2z", *BASIC[2:], "--rules", "simplified", "--from", "N"),
        ("waits", "123m456p789s2233z", "--rules", "reach", "--seat", "S", "--round", "E"),
        ("value", "--rules", "riichi", "--han", "3", "--fu", "40", "--seat", "E", "--by", "discard", "--honba", "2"),
        ("rules", "show", "basic"),
        ("rules", "facts"),
    ]
    for call in calls:
        done = tenbo_(*call)
        assert done.status == 0
        assert max(map(cell_width, done.out.splitlines())) <= width, call


def test_what_was_not_scored_is_said_on_standard_error(tenbo_: Any) -> None:
    done = tenbo_("score", "123m456p789s2223z+3z", "--rules", "reach", "--by", "discard", "--seat", "W", "--round", "E")
    assert (done.status, done.out) == (1, "")
    assert "Not scored: 123m456p789s2223z+3z" in done.err
    assert "2 of 3 Hand Points" in done.err
    several = tenbo_("score", "123x", "--rules", "reech")
    assert "did you mean 'reach'" in several.err
    assert several.err.count("\n  - ") >= 2


def test_other_readings_are_shown_in_short(tenbo_: Any) -> None:
    hand = "1122223333444s +4s"
    done = tenbo_("score", hand, "--rules", "reach", "--by", "self_draw", "--seat", "N", "--round", "W")
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
def test_flags_are_given_in_every_way(tenbo_: Any, flags: list[str]) -> None:
    situation = ["--rules", "reach", "--by", "discard", "--seat", "S", "--round", "E", "--json"]
    expected = ["Reach", "First Turn Win"]
    for call in (
        ["score", "234m567p2234567s+8s", *situation, *flags],
        ["score", *flags, "234m567p2234567s+8s", *situation],
    ):
        done = tenbo_(*call)
        assert done.status == 0, done.out
        assert [line["name"] for line in done.json["lines"] if line["name"] in expected] == expected


def test_every_option_reaches_the_record(tenbo_: Any) -> None:
    hand = "234m567p2234567s+8s"
    said = {"from": "W", "seat": "S", "round": "E", "dora": "1m", "ura": "2m", "honba": 2, "sticks": 3, "by": "discard"}
    call = [f"--{key}={value}" for key, value in said.items()]
    call += ["--option", "honba_value=600", "--option", "one_tile_wait=shape", "--flag", "riichi", "--rules", "reach"]
    options = {"honba_value": 600, "one_tile_wait": "shape"}
    expected = score_record({"hand": hand, "rules": "reach", "options": options, "flags": ["riichi"], **said})
    assert "error" not in expected
    assert tenbo_("score", hand, *call, "--json").json == expected


def test_a_losers_hand_and_a_robbed_kong(tenbo_: Any) -> None:
    loser = tenbo_("score", "11z258m147p39s [555z]", "--rules", "basic", "--seat", "E", "--round", "E", "--json")
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
def test_the_straight_way_and_the_other_read_alike(tokens: list[str]) -> None:
    tokens = spread(["score", *tokens])
    straight = read_score(tokens)
    if straight is None:
        return
    seen: list[Any] = []
    kept = scoring.score_hand
    try:
        import tenbo.cli.score as command

        command.score_hand = lambda *call: seen.append(call) or 0
        assert app._dispatch(tokens) == 0
    finally:
        command.score_hand = kept
    assert seen == [straight]


# ----------------------------------------------------------------------------------------------------------- JSON lines


def test_jsonl_scores_in_order_and_goes_on(tmp_path: Path) -> None:
    cases = read_cases("random_basic")[:40] + read_cases("bad")[:10]
    records = [case["record"] for case in cases]
    path = tmp_path / "hands.jsonl"
    path.write_text("".join(json.dumps(record) + "\n\n" for record in records), encoding="utf-8")
    done = run("score", "--jsonl", str(path))
    assert (done.returncode, done.stderr) == (1, b"")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert answers == [score_record(record, line=2 * i + 1) for i, record in enumerate(records)]


def test_jsonl_reads_standard_input_with_the_rules_of_the_call() -> None:
    record = {key: value for key, value in RECORD.items() if key != "rules"}
    own = RECORD | {"rules": "simplified", "id": "ü"}
    lines = "\n".join([json.dumps(record), json.dumps(own, ensure_ascii=False)]).encode()
    done = run("score", "--jsonl", "-", "--rules", "basic", "--option", "limit=300", stdin=lines, LC_ALL="C")
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert done.returncode == 0
    assert (first["score"], first["options"]) == (300, {"limit": 300})
    assert (second["rules"], second["id"]) == ("simplified", "ü")


def test_jsonl_answers_each_record_as_it_comes() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "tenbo", "score", "--jsonl", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        for number in range(3):
            process.stdin.write(json.dumps(RECORD | {"id": number}).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == number
        process.stdin.close()
        assert process.wait(30) == 0


def test_a_record_of_a_megabyte_is_refused_quickly() -> None:
    lines = [
        json.dumps(RECORD | {"hand": "1m" * 500_000}),
        json.dumps(RECORD | {"hand": "[111m]" * 170_000}),
        json.dumps(RECORD | {"flags": ["riichi"] * 100_000}),
        json.dumps({str(i): i for i in range(80_000)}),
        "[" * 1_000_000,
        "1" * 1_000_000,
        json.dumps(RECORD),
    ]
    begun = time.perf_counter()
    done = run("score", "--jsonl", "-", stdin="\n".join(lines).encode())
    took = time.perf_counter() - begun
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert ["error" in answer for answer in answers] == [True] * 6 + [False]
    assert len(done.stdout) < 100_000
    assert took < 20


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc/self/status to read the memory from")
def test_memory_does_not_grow_with_the_lines(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    with path.open("w", encoding="utf-8") as file:
        file.write("x" * 30_000_000 + "\n")
        file.write((json.dumps(RECORD) + "\n") * 20_000)
    code = (
        "import re, sys; from tenbo.cli import main; main(['score', '--jsonl', sys.argv[1]]);"
        "print(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True)
    assert done.stdout.count("\n") == 20_001
    assert json.loads(done.stdout.splitlines()[0])["errors"][0]["at"] == 1
    assert int(done.stderr) < 100_000  # kB


# ------------------------------------------------------------------------------------------- values, waits, settlements


def test_value_as_json(tenbo_: Any) -> None:
    done = tenbo_("value", "--rules", "reach", "--hp", "4", "--bp", "30", "--seat", "S", "--by", "self_draw", "--json")
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
def test_values_that_cannot_be(tenbo_: Any, worth: list[str]) -> None:
    call = ["value", "--rules", "reach", "--seat", "S", "--by", "discard", *worth]
    done = tenbo_(*call, "--json")
    assert (done.status, done.json["error"], done.err) == (1, "bad_value", "")
    said = tenbo_(*call)
    assert (said.status, said.out) == (1, "")
    assert done.json["errors"][0]["message"][:20] in said.err


def test_value_explained(tenbo_: Any) -> None:
    done = tenbo_("value", "--rules", "riichi", "--han", "2", "--fu", "30", "--seat", "S", "--by", "self_draw")
    assert "30 × 2^(2 + 2) = 480" in done.out
    assert re.search(r"East +-1000 +480 × 2 = 960 → 1000$", done.out, re.MULTILINE)


def test_waits(tenbo_: Any) -> None:
    call = ["waits", "123m456p789s2233z", "--rules", "reach", "--seat", "S", "--round", "E"]
    done = tenbo_(*call, "--json")
    record = {"hand": "123m456p789s2233z", "rules": "reach", "seat": "S", "round": "E"}
    assert (done.status, done.json) == (0, waits_record(record))
    said = tenbo_(*call).out
    assert re.search(r"2z +South Wind +2 +1300", said)
    assert "2 of 3 Hand Points" in said


def test_waits_of_a_hand_that_is_not_ready(tenbo_: Any) -> None:
    call = ["waits", "159m159p159s1234z", "--rules", "reach", "--seat", "S", "--round", "E"]
    assert tenbo_(*call, "--json").json["waits"] == []
    done = tenbo_(*call)
    assert done.status == 0
    assert "not ready" in done.out


def test_waits_refuses_a_winning_tile(tenbo_: Any) -> None:
    done = tenbo_("waits", HAND, "--rules", "basic", "--seat", "S", "--round", "E", "--json")
    assert (done.status, done.json["error"]) == (1, "bad_value")


DEAL = {
    "rules": "riichi",
    "honba": 1,
    "bets": ["W"],
    "winners": [{"seat": "W", "by": "discard", "from": "E", "han": 3, "fu": 40}],
}


def test_settle_one_deal(tenbo_: Any) -> None:
    done = tenbo_("settle", json.dumps(DEAL), "--json")
    assert (done.status, done.json) == (0, settle_record(DEAL))
    said = tenbo_("settle", json.dumps(DEAL))
    assert re.search(r"East → West +5200 +hand$", said.out, re.MULTILINE)
    assert re.search(r"West +\+5500$", said.out, re.MULTILINE)
    assert "The deal passes on." in said.out
    draw = tenbo_("settle", '{"draw": {"kind": "exhaustive"}}', "--rules", "basic")
    assert "Nothing changes hands." in draw.out
    kitty = tenbo_("settle", '{"penalty": {"kind": "kitty", "seat": "S"}}', "--rules", "basic")
    assert "The deal goes on. In the kitty: 100 from South." in kitty.out


def test_settle_line_by_line() -> None:
    inputs = [case["input"] for case in read_cases("settle")]
    done = run("settle", "--jsonl", "-", stdin="\n".join(map(json.dumps, inputs)).encode())
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert answers == [settle_record(one) for one in inputs]
    assert done.returncode == int(any("error" in answer for answer in answers))


def test_a_deal_that_is_refused(tenbo_: Any) -> None:
    done = tenbo_("settle", '{"rules": "riichi"}')
    assert (done.status, done.out) == (1, "")
    assert "'winners', 'draw' or 'penalty'" in done.err


# ----------------------------------------------------------------------------------------------- charts, schemas, rules


ROW = ((1000, "300/500"), (1300, "400/700"), (1600, "400/800"), (2000, "500/1000"), (2300, "600/1200"))


def test_chart(tenbo_: Any) -> None:
    done = tenbo_("chart", "reach")
    assert done.status == 0
    lines = done.out.splitlines()
    cells = ["N/A", "N/A", *(f"{score} ({paid})" for score, paid in ROW)]
    assert re.split(r" {2,}", lines[3]) == ["3 HP", *cells]
    assert lines[5].startswith("5 HP")
    assert "7700* (2000/3900*)" in lines[5]
    assert "9600 (3200)" in done.out
    assert "6400 (3200)" in tenbo_("chart", "reach", "--option", "chart=as_printed").out
    assert len(tenbo_("chart", "reach", "--json").json["rows"]) == 182
    assert tenbo_("chart", "basic").status == 2


def test_schema(tenbo_: Any) -> None:
    assert tenbo_("schema").json["version"] == 1
    assert tenbo_("schema", "score").json["title"] == "Score record"
    done = tenbo_("schema", "scoer")
    assert (done.status, done.out) == (2, "")
    assert "did you mean 'score'" in done.err


def test_rules_list_and_facts(tenbo_: Any) -> None:
    assert [line.split()[0] for line in tenbo_("rules", "list").out.splitlines()] == list(tenbo.rulefile.PRESETS)
    facts = tenbo_("rules", "facts").out
    for scope in tenbo.facts.FACTS.values():
        for fact in scope:
            assert re.search(rf"^  {fact.name} ", facts, re.MULTILINE), fact.name


@pytest.mark.parametrize("name", tenbo.rulefile.PRESETS)
def test_rules_show(tenbo_: Any, name: str) -> None:
    rules = tenbo.load_rules(name)
    said = " ".join(tenbo_("rules", "show", name).out.split())
    for option in rules.options:
        assert f" {option} " in said
    for limit in rules.limits:
        assert limit.name in said
    for penalty in rules.penalties:
        assert f"({penalty})" in said
    for entry in rules.entries:
        assert " ".join(entry.name.split()[:2]) in said
    toml = tenbo_("rules", "show", name, "--toml")
    assert tenbo.parse_rules(toml.out).text == rules.text


def test_rules_show_with_options(tenbo_: Any) -> None:
    plain, other = (tenbo_("rules", "show", "reach", *more).out for more in ([], ["--option", "big_wheels=false"]))
    assert re.search(r"Big Wheels +limit", plain)
    assert re.search(r"Big Wheels +off", other)
    assert "with big_wheels = false" in other


HOUSE = 'extends = "reach"\ntitle = "Our Reach"\n[hand.peace]\ndoubles = 2\n'


def test_rules_check_says_what_scores_differently(tenbo_: Any, tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text(HOUSE, encoding="utf-8")
    (tmp_path / "theirs.toml").write_text('extends = "house.toml"\ntitle = "Theirs"\n', encoding="utf-8")
    done = tenbo_("rules", "check", str(tmp_path / "house.toml"))
    assert done.status == 0
    found = re.search(r"(\d+) of (\d+) example hands score differently from Reach Mahjong:", done.out)
    assert found
    assert 0 < int(found[1]) < int(found[2])
    assert done.out.count("\n    Our Reach ") == int(found[1])
    assert "without Peace 1" in done.out
    assert "with Peace 2" in done.out
    same = tenbo_("rules", "check", str(tmp_path / "theirs.toml"))
    assert re.search(r"\b0 of \d+ example hands score differently from Our Reach\.", same.out)


def test_rules_check_names_every_fault(tenbo_: Any, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(HOUSE + 'doubels = 3\nwhen = "clsoed"\n[penalty.x]\ndeal = "stops"\n', encoding="utf-8")
    done = tenbo_("rules", "check", str(path))
    assert (done.status, done.out) == (1, "")
    assert "3 faults" in done.err
    assert "hand.peace.doubels: unknown key; did you mean 'doubles'?" in done.err
    assert "did you mean 'closed'?" in done.err


def test_rules_check_of_a_file_that_stands_alone(tenbo_: Any, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(tenbo.load_rules("simplified").text, encoding="utf-8")
    done = tenbo_("rules", "check", str(path))
    assert done.status == 0
    assert "extends nothing" in done.out


def test_a_ruleset_file_stands_where_a_preset_may(tenbo_: Any, tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text(HOUSE, encoding="utf-8")
    situation = ["--by", "self_draw", "--seat", "S", "--round", "E", "--json"]
    hands = [
        tenbo_("score", "234m567p2234567s+8s", "--rules", rules, *situation).json for rules in ("reach", str(path))
    ]
    assert hands[1]["doubles"] == hands[0]["doubles"] + 1
    assert hands[1]["rules"] == "Our Reach"


# ------------------------------------------------------------------------------------------------------- games and logs


@pytest.fixture
def log() -> Path:
    return next(path for path in sorted((logs_dir() / "mjai").rglob("*")) if path.is_file())


def test_a_log_becomes_a_game_that_replays(tenbo_: Any, log: Path, tmp_path: Path) -> None:
    game = tmp_path / "game.jsonl"
    assert tenbo_("game", "import", str(log), "--out", str(game)).status == 0
    assert tenbo_("game", "import", str(log), "--out", "-").out == game.read_text(encoding="utf-8")
    record = tenbo_("game", "replay", str(game), "--json")
    assert record.status == 0
    assert all(row["problem"] is None for row in record.json["deals"])
    said = tenbo_("game", "replay", str(game)).out
    first = record.json["ranking"][0]
    assert re.search(rf"1\. .* {first['points']} ", said)
    piped = run("game", "replay", "-", "--json", stdin=game.read_bytes())
    assert json.loads(piped.stdout) == record.json


def test_a_log_opens_as_a_table(tenbo_: Any, log: Path, tmp_path: Path) -> None:
    store = pytest.importorskip("tenbo.ledger.store")
    database = str(tmp_path / "tables.sqlite")
    done = tenbo_("game", "import", str(log), "--database", database, "--address", "http://tenbo.example/")
    assert done.status == 0
    tokens = re.findall(r"^(?:keep score|watch) +http://tenbo\.example/t/(\S+)$", done.out, re.MULTILINE)
    opened = store.open_store(database)
    try:
        access = [opened.access(token) for token in tokens]
        assert [one.role for one in access] == ["score", "watch"]
        assert len(opened.game(access[0]).lines) > 2
    finally:
        opened.close()


def test_a_game_file_that_cannot_be_read(tenbo_: Any, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text('{"event": "note", "text": "x"}\n', encoding="utf-8")
    done = tenbo_("game", "replay", str(path), "--json")
    assert done.status == 1
    assert "error" in done.json
    said = tenbo_("game", "replay", str(path))
    assert (said.status, said.out) == (1, "")
    assert said.err.startswith("tenbo: ")


def test_an_event_that_makes_no_sense_is_shown(tenbo_: Any, tmp_path: Path) -> None:
    from tenbo.ledger import started_event

    events = [started_event("reach", ["Ann", "Bea", "Cid", "Dan"]), {"event": "penalty", "kind": "nope", "player": 1}]
    path = tmp_path / "game.jsonl"
    path.write_text("".join(json.dumps(event) + "\n" for event in events), encoding="utf-8")
    done = tenbo_("game", "replay", str(path))
    assert done.status == 0
    assert "knows no penalty" in " ".join(done.out.split())


def test_what_is_no_log(tenbo_: Any, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text("hello", encoding="utf-8")
    done = tenbo_("game", "import", str(path))
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("tenbo: ")
    checked = tenbo_("check", str(path))
    assert checked.status == 1
    assert "not a game log" in checked.err


def test_check(tenbo_: Any, log: Path) -> None:
    done = tenbo_("check", str(log), "--workers", "1")
    assert (done.status, done.err) == (0, "")
    assert re.search(r"[1-9]\d* wins: [1-9]\d* agree, 0 differ", done.out)
    lines = tenbo_("check", str(log), "--json").out.splitlines()
    assert {json.loads(line)["status"] for line in lines} == {"agree"}


def test_batch(tenbo_: Any, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    source, target = tmp_path / "hands.jsonl", tmp_path / "scores.jsonl"
    records = [{"id": 1, **RECORD}, {"id": 2, **RECORD, "hand": "1x"}]
    source.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    done = tenbo_("batch", str(source), str(target), "--rules", "basic")
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("2 records: 1 scored")
    assert "refused: bad_text 1" in done.err
    first, second = (json.loads(line) for line in target.read_text(encoding="utf-8").splitlines())
    assert (first["score"], second["error"]) == (320, "bad_text")
    assert tenbo_("batch", str(source), str(target), "--rules", "basic", "--keep", "seat", "--restart").status == 1
    assert json.loads(target.read_text(encoding="utf-8").splitlines()[0])["seat"] == "S"
    assert tenbo_("batch", str(tmp_path / "none.csv"), str(target), "--rules", "basic").status == 2
    assert tenbo_("batch", str(source), str(tmp_path / "scores.txt"), "--rules", "basic").status == 2


# -------------------------------------------------------------------------------------------------------- wrong calls


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (["nope"], "nope"),
        (["scoer", HAND], "scoer"),
        (["score", HAND, "--nope"], "--nope"),
        (["score", HAND, "--seat"], "--seat"),
        (["score", HAND, "--honba", "x"], "honba"),
        (["score"], "--jsonl"),
        (["score", HAND, HAND, *BASIC], HAND),
        (["score", HAND, "--option", "limit"], "a name and a value"),
        (["score", HAND, "--jsonl", "-"], "--jsonl"),
        (["score", "--jsonl", "-", "--seat", "S"], "--jsonl"),
        (["score", "--jsonl", "/nowhere/x.jsonl"], "/nowhere/x.jsonl"),
        (["score", "--jsonl", "/"], "directory"),
        (["score", "--jsonl", "-", "--rules", "reech"], "did you mean 'reach'"),
        (["score", "--jsonl", "-", "--rules", "reach", "--option", "limt=3"], "limt"),
        (["score", "--jsonl", "-", "--option", "limit=3"], "--rules"),
        (["settle"], "--jsonl"),
        (["settle", "[]"], "JSON object"),
        (["settle", "{"], "JSON object"),
        (["waits"], "HAND"),
        (["chart"], "RULES"),
        (["rules", "show", "reech"], "did you mean 'reach'"),
        (["rules", "check", "/nowhere.toml"], "/nowhere.toml"),
        (["rules", "nope"], "nope"),
        (["check"], "game logs"),
        (["check", "/nowhere"], "/nowhere"),
        (["check", "/", "--workers", "0"], "--workers"),
        (["game", "replay", "/nowhere"], "/nowhere"),
        (["batch", "a.csv", "b.csv"], "--rules"),
        (["batch", "a.csv", "b.csv", "--rules", "reach", "--workers", "0"], "--workers"),
        (["batch", "a.csv"], "OUT"),
        (["game", "import", "/nowhere"], "/nowhere"),
        (["completion", "tcsh"], "tcsh"),
    ],
    ids=" ".join,
)
def test_a_wrong_call_is_status_2_with_a_message(tenbo_: Any, call: list[str], says: str) -> None:
    done = tenbo_(*call)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("tenbo: ") or call[0] == "check"
    assert says.lower() in done.err.lower()
    assert "Traceback" not in done.err


def test_help_and_version(tenbo_: Any) -> None:
    assert tenbo_("--version").out.strip() == f"tenbo {tenbo.__version__}"
    for call in (["--help"], [], ["score", "--help"], ["rules"], ["rules", "show", "-h"]):
        done = tenbo_(*call)
        assert done.status == 0
        assert "Usage" in done.out


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_completion(tenbo_: Any, shell: str) -> None:
    script = tenbo_("completion", shell).out
    for word in ("score", "--sticks", "rules", "replay", "--toml"):
        assert word.lstrip("-") in script
    if shell == "bash":
        assert subprocess.run(["bash", "-n"], input=script, text=True, check=False).returncode == 0


# ------------------------------------------------------------------------------------------------ streams and signals


def test_text_that_is_no_text_ends_in_no_traceback() -> None:
    for call in (
        [b"score", b"\xe4\xff", b"--rules", b"\xff.toml"],
        [b"rules", b"show", b"\xe4"],
        [b"score", b"\x1b[31m"],
    ):
        for more in ([], [b"--json"]):
            done = run(*call, *more, LC_ALL="C")
            assert done.returncode in (1, 2)
            assert b"Traceback" not in done.stderr
            assert b"\x1b" not in done.stderr + done.stdout
            (done.stdout + done.stderr).decode()


@given(
    st.lists(st.text(st.characters(), max_size=12), max_size=5), st.sampled_from(["score", "waits", "settle", "value"])
)
def test_no_argument_ends_in_a_traceback(arguments: list[str], command: str) -> None:
    assert main([command, *(argument for argument in arguments if "jsonl" not in argument)]) in (0, 1, 2)


def test_output_is_utf8_whatever_the_locale() -> None:
    for locale in ("C", "en_US.ISO-8859-1"):
        done = run("score", HAND, *BASIC, LC_ALL=locale, PYTHONIOENCODING="latin-1")
        assert "40 × 2^3 = 320" in done.stdout.decode()


def test_a_reader_that_goes_away_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    path.write_text((json.dumps(RECORD) + "\n") * 3000, encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, "-m", "tenbo", "score", "--jsonl", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 141


def test_a_full_disk_is_said() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full")
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "tenbo", "score", HAND, *BASIC], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 2
    assert done.stderr.startswith(b"tenbo: cannot write: ")
    assert done.stderr.count(b"\n") == 1


def test_an_interrupt_ends_cleanly() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "tenbo", "score", "--jsonl", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(json.dumps(RECORD).encode() + b"\n")
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
        assert process.stderr
        assert process.stderr.read() == b""


def terminal(*arguments: str, **environment: str) -> str:
    """What the command prints on a terminal."""
    pty = pytest.importorskip("pty")
    leader, follower = pty.openpty()
    env = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}
    env |= {"TERM": "xterm-256color", **environment}
    with subprocess.Popen(
        [sys.executable, "-m", "tenbo", *arguments], stdout=follower, stderr=follower, env=env
    ) as process:
        os.close(follower)
        out = b""
        while True:
            try:
                chunk = os.read(leader, 4096)
            except OSError:
                break
            if not chunk:
                break
            out += chunk
        process.wait(60)
    os.close(leader)
    return out.decode().replace("\r\n", "\n")


def test_colour_only_on_a_terminal_that_may_have_it() -> None:
    call = ("score", HAND, *BASIC)
    plain = run(*call, COLUMNS="80").stdout.decode()
    coloured = terminal(*call, COLUMNS="80")
    assert "\x1b[1;32m 320\x1b[0m" in coloured or "\x1b[1;32m320\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == plain
    assert terminal(*call, COLUMNS="80", NO_COLOR="1") == plain
    assert terminal(*call, COLUMNS="80", TERM="dumb") == plain
    assert "\x1b" not in plain


def test_a_narrow_terminal_gets_the_chart_in_blocks() -> None:
    said = re.sub(r"\x1b\[[\d;]*m", "", terminal("chart", "reach", COLUMNS="80"))
    assert max(map(len, said.splitlines())) <= 80
    assert said.count("15 HP") > 2


def test_python_m_tenbo_and_the_script_are_one() -> None:
    script = Path(sys.executable).with_name("tenbo")
    if not script.exists():
        pytest.skip("tenbo is not installed as a script")
    done = subprocess.run([script, "score", HAND, *BASIC, "--json"], capture_output=True, check=True)
    assert done.stdout == run("score", HAND, *BASIC, "--json").stdout


# --------------------------------------------------------------------------------------------------------------- layout


@given(st.text(st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]) | st.just(" ")), st.integers(8, 40))
def test_wrapping_loses_nothing(text: str, width: int) -> None:
    from tenbo.cli.paper import cell_width, wrap

    lines = wrap([(text, "")], width)
    joined = "".join(span for line in lines for span, _ in line)
    assert joined.replace(" ", "") == text.replace(" ", "")
    assert all(sum(cell_width(span) for span, _ in line) <= 2 * width for line in lines)


def test_tables_align_right_and_across_wide_letters() -> None:
    from tenbo.cli.paper import table

    lines = table([[[("立直", "")], [("1", "")]], None, [[("Reach", "")], [("10", "")]]], "lr", width=40, indent=0)
    assert ["".join(text for text, _ in line) for line in lines] == ["立直    1", "─────────", "Reach  10"]


# ------------------------------------------------------------------------------------------------------------ the guide


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


def test_what_the_readme_shows_is_what_comes_out(tenbo_: Any) -> None:
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    shown = re.findall(r"^    \$ tenbo (.+)\n((?:(?:    .*)?\n)+)", readme, re.MULTILINE)
    assert len(shown) >= 3
    for call, text in shown:
        done = tenbo_(*shlex.split(call))
        expected = [line.removeprefix("    ").rstrip() for line in text.rstrip().splitlines()]
        assert (done.status, done.out.rstrip().splitlines()) == (0, expected), call
