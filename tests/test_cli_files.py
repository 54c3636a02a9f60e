"""The command line: rulesets, game files, logs and batches."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import tenbo
from cases import logs_dir
from clikit import RECORD, invoke, run

# --------------------------------------------------------------------------------------------------------------- rules


def test_rules_list_and_facts() -> None:
    assert [line.split()[0] for line in invoke("rules", "list").out.splitlines()] == list(tenbo.rulefile.PRESETS)
    facts = invoke("rules", "facts").out
    for scope in tenbo.facts.FACTS.values():
        for fact in scope:
            assert re.search(rf"^  {fact.name} ", facts, re.MULTILINE), fact.name


@pytest.mark.parametrize("name", tenbo.rulefile.PRESETS)
def test_rules_show(name: str) -> None:
    rules = tenbo.load_rules(name)
    said = " ".join(invoke("rules", "show", name).out.split())
    for option in rules.options:
        assert f" {option} " in said
    for limit in rules.limits:
        assert limit.name in said
    for penalty in rules.penalties:
        assert f"({penalty})" in said
    for entry in rules.entries:
        assert " ".join(entry.name.split()[:2]) in said
    toml = invoke("rules", "show", name, "--toml")
    assert tenbo.parse_rules(toml.out).text == rules.text


def test_rules_show_with_options() -> None:
    plain, other = (invoke("rules", "show", "reach", *more).out for more in ([], ["--option", "big_wheels=false"]))
    assert re.search(r"Big Wheels +limit", plain)
    assert re.search(r"Big Wheels +off", other)
    assert "with big_wheels = false" in other


HOUSE = 'extends = "reach"\ntitle = "Our Reach"\n[hand.peace]\ndoubles = 2\n'


def test_rules_check_says_what_scores_differently(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text(HOUSE, encoding="utf-8")
    (tmp_path / "theirs.toml").write_text('extends = "house.toml"\ntitle = "Theirs"\n', encoding="utf-8")
    done = invoke("rules", "check", str(tmp_path / "house.toml"))
    assert done.status == 0
    found = re.search(r"(\d+) of (\d+) example hands score differently from Reach Mahjong:", done.out)
    assert found
    assert 0 < int(found[1]) < int(found[2])
    assert done.out.count("\n    Our Reach ") == int(found[1])
    assert "without Peace 1" in done.out
    assert "with Peace 2" in done.out
    same = invoke("rules", "check", str(tmp_path / "theirs.toml"))
    assert re.search(r"\b0 of \d+ example hands score differently from Our Reach\.", same.out)


def test_rules_check_names_every_fault(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(HOUSE + 'doubels = 3\nwhen = "clsoed"\n[penalty.x]\ndeal = "stops"\n', encoding="utf-8")
    done = invoke("rules", "check", str(path))
    assert (done.status, done.out) == (1, "")
    assert "3 faults" in done.err
    assert "hand.peace.doubels: unknown key; did you mean 'doubles'?" in done.err
    assert "did you mean 'closed'?" in done.err


def test_rules_check_of_a_file_that_stands_alone(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(tenbo.load_rules("simplified").text, encoding="utf-8")
    done = invoke("rules", "check", str(path))
    assert done.status == 0
    assert "extends nothing" in done.out


def test_a_ruleset_file_stands_where_a_preset_may(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text(HOUSE, encoding="utf-8")
    situation = ["--by", "self_draw", "--seat", "S", "--round", "E", "--json"]
    hands = [
        invoke("score", "234m567p2234567s+8s", "--rules", rules, *situation).json for rules in ("reach", str(path))
    ]
    assert hands[1]["doubles"] == hands[0]["doubles"] + 1
    assert hands[1]["rules"] == "Our Reach"


# ------------------------------------------------------------------------------------------------------ games and logs


@pytest.fixture
def log() -> Path:
    return next(path for path in sorted((logs_dir() / "mjai").rglob("*")) if path.is_file())


def test_a_log_becomes_a_game_that_replays(log: Path, tmp_path: Path) -> None:
    game = tmp_path / "game.jsonl"
    assert invoke("game", "import", str(log), "--out", str(game)).status == 0
    assert invoke("game", "import", str(log), "--out", "-").out == game.read_text(encoding="utf-8")
    record = invoke("game", "replay", str(game), "--json")
    assert record.status == 0
    assert all(row["problem"] is None for row in record.json["deals"])
    said = invoke("game", "replay", str(game)).out
    first = record.json["ranking"][0]
    assert re.search(rf"1\. .* {first['points']} ", said)
    piped = run("game", "replay", "-", "--json", stdin=game.read_bytes())
    assert json.loads(piped.stdout) == record.json


def test_a_log_opens_as_a_table(log: Path, tmp_path: Path) -> None:
    store = pytest.importorskip("tenbo.ledger.store")
    database = str(tmp_path / "tables.sqlite")
    done = invoke("game", "import", str(log), "--database", database, "--address", "http://tenbo.example/")
    assert done.status == 0
    tokens = re.findall(r"^(?:keep score|watch) +http://tenbo\.example/t/(\S+)$", done.out, re.MULTILINE)
    opened = store.open_store(database)
    try:
        access = [opened.access(token) for token in tokens]
        assert [one.role for one in access] == ["score", "watch"]
        assert len(opened.game(access[0]).lines) > 2
    finally:
        opened.close()


def test_a_game_file_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text('{"event": "note", "text": "x"}\n', encoding="utf-8")
    done = invoke("game", "replay", str(path), "--json")
    assert done.status == 1
    assert "error" in done.json
    said = invoke("game", "replay", str(path))
    assert (said.status, said.out) == (1, "")
    assert said.err.startswith("tenbo: ")


def test_an_event_that_makes_no_sense_is_shown(tmp_path: Path) -> None:
    from tenbo.ledger import started_event

    events = [started_event("reach", ["Ann", "Bea", "Cid", "Dan"]), {"event": "penalty", "kind": "nope", "player": 1}]
    path = tmp_path / "game.jsonl"
    path.write_text("".join(json.dumps(event) + "\n" for event in events), encoding="utf-8")
    done = invoke("game", "replay", str(path))
    assert done.status == 0
    assert "knows no penalty" in " ".join(done.out.split())


def test_what_is_no_log(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text("hello", encoding="utf-8")
    done = invoke("game", "import", str(path))
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("tenbo: ")
    checked = invoke("check", str(path))
    assert checked.status == 1
    assert "not a game log" in checked.err


def test_check(log: Path) -> None:
    done = invoke("check", str(log), "--workers", "1")
    assert (done.status, done.err) == (0, "")
    assert re.search(r"[1-9]\d* wins: [1-9]\d* agree, 0 differ", done.out)
    lines = invoke("check", str(log), "--json").out.splitlines()
    assert {json.loads(line)["status"] for line in lines} == {"agree"}


def test_batch(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    source, target = tmp_path / "hands.jsonl", tmp_path / "scores.jsonl"
    records = [{"id": 1, **RECORD}, {"id": 2, **RECORD, "hand": "1x"}]
    source.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    done = invoke("batch", str(source), str(target), "--rules", "basic")
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("2 records: 1 scored")
    assert "refused: bad_text 1" in done.err
    first, second = (json.loads(line) for line in target.read_text(encoding="utf-8").splitlines())
    assert (first["score"], second["error"]) == (320, "bad_text")
    assert invoke("batch", str(source), str(target), "--rules", "basic", "--keep", "seat", "--restart").status == 1
    assert json.loads(target.read_text(encoding="utf-8").splitlines()[0])["seat"] == "S"
    assert invoke("batch", str(tmp_path / "none.csv"), str(target), "--rules", "basic").status == 2
    assert invoke("batch", str(source), str(tmp_path / "scores.txt"), "--rules", "basic").status == 2


def test_rules_check_names_an_option_that_nothing_uses(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text('extends = "basic"\n[options.limitt]\ndefault = 300\nmin = 100\nmax = 900\n')
    done = invoke("rules", "check", str(path))
    assert done.status == 1
    assert "options.limitt: no rule uses this option; did you mean 'limit'?" in done.err
    hand = ("3457899p [777z] [2222z] +6p", "--by", "discard", "--seat", "S", "--round", "E")
    assert "no rule uses this option" in invoke("score", *hand, "--rules", str(path)).err
    path.write_text('extends = "reach"\n[hand.all_simples]\noff = true\n')  # the only one that used an option
    assert invoke("rules", "check", str(path)).status == 0
