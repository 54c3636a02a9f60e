"""The command line: lines of records, wrong calls, streams, signals, colour and layout."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tenbo
from cases import read_cases
from clikit import BASIC, HAND, RECORD, invoke, run, terminal
from tenbo.cli import main
from tenbo.records import score_record

# ---------------------------------------------------------------------------------------------------------- JSON lines


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


# --------------------------------------------------------------------------------------------------------- wrong calls


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
    ids=lambda part: " ".join(part) if isinstance(part, list) else "",
)
def test_a_wrong_call_is_status_2_with_a_message(call: list[str], says: str) -> None:
    done = invoke(*call)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("tenbo: ") or call[0] == "check"
    assert says.lower() in done.err.lower()
    assert "Traceback" not in done.err


def test_a_port_that_is_taken_is_said_at_once(tmp_path: Path) -> None:
    pytest.importorskip("uvicorn")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = invoke("serve", "--port", port, "--database", str(tmp_path / "tables.sqlite"))
    assert (done.status, done.out) == (2, "")
    assert f"cannot listen at 127.0.0.1, port {port}" in done.err
    for wrong in (["--port", "70000"], ["--host", "no such host"]):
        assert invoke("serve", *wrong).status == 2


def test_help_and_version() -> None:
    assert invoke("--version").out.strip() == f"tenbo {tenbo.__version__}"
    for call in (["--help"], [], ["score", "--help"], ["rules"], ["rules", "show", "-h"]):
        done = invoke(*call)
        assert done.status == 0
        assert "Usage" in done.out


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_completion(shell: str) -> None:
    script = invoke("completion", shell).out
    for word in ("score", "--sticks", "rules", "replay", "--toml"):
        assert word.lstrip("-") in script
    if shell == "bash":
        assert subprocess.run(["bash", "-n"], input=script, text=True, check=False).returncode == 0


# ------------------------------------------------------------------------------------------------- streams and signals


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


# -------------------------------------------------------------------------------------------------------------- layout


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


@pytest.mark.parametrize("closed", ["<&-", ">&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_traceback(closed: str) -> None:
    for call in ("score --jsonl - --rules basic", f"score '{HAND}' --rules basic --by discard --seat S --round E"):
        done = subprocess.run(
            ["sh", "-c", f"{sys.executable} -m tenbo {call} {closed}"], stdin=subprocess.DEVNULL, capture_output=True
        )
        assert (done.returncode, done.stderr) == (0, b"")
