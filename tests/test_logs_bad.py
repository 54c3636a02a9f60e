"""Damaged and hostile files end in one clear line, never in anything else."""

from __future__ import annotations

import gzip
import io
import json
import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from log_scenarios import FOLDER, SCENARIOS, Start
from log_writer import mjai, mjlog, tenhou_json
from tenbo.logs import Game, LogError, read_file, read_games, run_check
from tenbo.logs.detect import MAX_GAME

DEAL = SCENARIOS["robbed_kong"](Start())
XML, JSON, LINES = mjlog([DEAL]), tenhou_json([DEAL]), mjai([DEAL], detailed=True)


def errors(data: bytes) -> list[LogError]:
    """What is wrong with some content."""
    try:
        return [game for game in read_games(data) if isinstance(game, LogError)]
    except LogError as error:
        return [error]


def bomb(levels: int) -> str:
    entities = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, levels))
    return f'<?xml version="1.0"?><!DOCTYPE mjloggm [<!ENTITY a0 "ha">{entities}]><mjloggm>&a{levels - 1};</mjloggm>'


HOSTILE: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "empty"),
    "blank": (b" \n\n", "empty"),
    "text": (b"Hello", "neither XML nor JSON"),
    "binary": (bytes(range(256)) * 10, "binary"),
    "zeros": (bytes(5000), "binary"),
    "UTF-16": (XML.encode("utf-16"), "UTF-16"),
    "UTF-16 JSON": (b"\xfe\xff" + JSON.encode("utf-16-be"), "UTF-16"),
    "Latin-1": (XML.replace('n0="A"', 'n0="\xc4"').encode("latin-1"), "not UTF-8"),
    "Latin-1, declared": (b'<?xml version="1.0" encoding="latin-1"?><mjloggm n0="\xc4"/>', "not UTF-8"),
    "cut XML": (XML[: len(XML) // 2].encode(), "damaged"),
    "cut JSON": (JSON[: len(JSON) // 2].encode(), "not JSON"),
    "cut gzip": (gzip.compress(XML.encode())[:-20], "cut off"),
    "damaged gzip": (b"\x1f\x8b" + bytes(100), "gzip data are damaged"),
    "gzip twice": (gzip.compress(gzip.compress(XML.encode())), "twice"),
    "entity bomb": (bomb(9).encode(), "document type or entities"),
    "external entity": (
        b'<!DOCTYPE mjloggm [<!ENTITY x SYSTEM "file:///etc/passwd">]><mjloggm>&x;</mjloggm>',
        "document type or entities",
    ),
    "document type": (b'<!DOCTYPE mjloggm SYSTEM "http://localhost/x.dtd"><mjloggm/>', "document type or entities"),
    "other XML": (b"<svg><g/></svg>", "not of a game log"),
    "deep XML": (b"<mjloggm>" + b"<a>" * 500_000, "damaged"),
    "deep JSON": (b'{"log":' + b"[" * 500_000, "nested too deeply"),
    "deep objects": (b'{"log":' * 200_000, "nested too deeply"),
    "huge number": (b'{"log": ' + b"9" * 10_000 + b"}", "not JSON"),
    "huge game": (b'{"log": "' + b"x" * (MAX_GAME + 1) + b'"}', "larger than"),
    "huge XML": (b"<mjloggm>" + b" " * (MAX_GAME + 1) + b"</mjloggm>", "larger than"),
    "infinity": (b'{"log": Infinity}', "not a list of deals"),
    "other JSON": (b'{"name": "tenbo"}', "no part of a game log"),
    "a list of numbers": (b"[1, 2, 3]", "no part of a game log"),
    "no events": (b'{"type": 1}\n{"type": 2}', "no 'type'"),
    "tile out of range": (XML.replace('hai1="', 'hai1="136,').encode(), "'136' is not one of 0 to 135"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_content_is_refused_quickly_in_one_line(name: str, tmp_path: Path) -> None:
    data, words = HOSTILE[name]
    path = tmp_path / "log"
    path.write_bytes(data)
    out, lines = io.StringIO(), []
    begin = time.process_time()
    status = run_check([path], 1, False, out, messages=lines.append)
    assert time.process_time() - begin < 5
    assert status == 1
    assert all("\n" not in line for line in lines)
    line = lines[0]
    assert line.startswith(f"{path}")
    assert words in line
    assert len(line) < 400 + len(str(path))


def test_a_gigabyte_of_zeros_is_refused_quickly(tmp_path: Path) -> None:
    packed = gzip.compress(bytes(1 << 26), 1) * 16
    begin = time.process_time()
    (error,) = errors(packed)
    assert time.process_time() - begin < 2
    assert "unpacks to more than" in str(error)
    plain = tmp_path / "zeros"
    with plain.open("wb") as file:
        file.truncate(1 << 30)
    with pytest.raises(LogError, match="binary"):
        read_file(plain)


def test_many_small_gzip_parts_do_not_hang() -> None:
    begin = time.process_time()
    (error,) = errors(gzip.compress(b"") * 100_000)
    assert time.process_time() - begin < 2
    assert "too many parts" in str(error)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are POSIX's")
def test_what_is_no_regular_file_is_not_opened(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(LogError, match="not a file"):
        read_file(pipe)


def test_a_damaged_game_does_not_spoil_its_neighbours() -> None:
    broken = LINES.replace('"pai": "8s"', '"pai": "9z"', 1)
    games = list(read_games((LINES + broken + LINES).encode()))
    assert [isinstance(game, Game) for game in games] == [True, False, True]
    assert "'9z' is not a tile" in str(games[1])
    games = list(read_games(f"{JSON}\n{JSON[:100]}\n{JSON}".encode()))
    assert [isinstance(game, Game) for game in games] == [True, False, True]
    assert str(games[1]).startswith("line 2 is not JSON")
    lines = LINES.splitlines()
    cut = "\n".join([*lines, *lines[:9], lines[9][:20], *lines[10:], *lines])
    games = list(read_games(cut.encode()))
    assert [isinstance(game, Game) for game in games] == [True, False, True]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("<D", "<E"), "South acts out of turn"),
        (('who="2" step="1"', 'who="9" step="1"'), "who is 9"),
        (('step="2"', 'step="2" /><REACH who="2" step="2"'), "lays a bet without riichi, or twice"),
        (('step="1"', 'step="1" /><REACH who="2" step="1"'), "declares riichi twice"),
        (('oya="0" hai0', 'oya="7" hai0'), "oya is 7"),
        (('ten="250,250,250,250"', 'ten="250,250,250"'), "four numbers"),
        (('ten="250,250,250,250"', 'ten="250,250,x,250"'), "'250,250,x,250' where whole numbers belong"),
        (('hai1="', 'hai1="0,'), "dealt 14 tiles"),
        (("<AGARI ", '<RYUUKYOKU sc="0,0,0,0,0,0,0,0"/><AGARI '), "ends twice"),
        (('fromWho="1"', 'fromWho="0"'), "did not just give"),
        (('machi="', 'machi="1'), "tile"),
        (('yaku="1,1', 'yaku="99,1'), "not Tenhou's"),
        (('sc="', 'sc="1,'), "eight numbers"),
        (("<INIT", "<X"), "outside a deal"),
        (("<N who", "<N who1"), "who has ''"),
    ],
)
def test_contradictions_in_an_mjlog_are_named(change: tuple[str, str], words: str) -> None:
    changed = XML.replace(*change, 1)
    assert changed != XML
    (error,) = errors(changed.encode())
    assert words in str(error)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (('"和了"', '"??"'), "is no end"),
        (("[[0, 0, 0]", "[[0, 0]"), "not three numbers"),
        (("[[0, 0, 0]", "[[16, 0, 0]"), "0 to 15"),
        (("[[0, 0, 0]", "[[true, 0, 0]"), "a whole number"),
        (("[25000, ", "[2.5, "), "2.5"),
        (("[11, ", "[10, "), "is not a tile"),
        (('"p', '"q'), "is not a call"),
        (("60", "61"), "is not a tile"),
        (("60", "null"), "is not a tile"),
        (('"r60"', '"r61"'), "is not a tile"),
        ((", 60", ", 60, 60"), "do not fit together"),
    ],
)
def test_contradictions_in_tenhou_json_are_named(change: tuple[str, str], words: str) -> None:
    changed = JSON.replace(*change, 1)
    if changed == JSON:
        pytest.fail(f"{change[0]} is not in the log")
    (error,) = errors(changed.encode())
    assert str(error).startswith("deal 1: ")
    assert words in str(error)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (('"actor": 0', '"actor": 4'), "'actor' is 4"),
        (('"actor": 0', '"actor": true'), "'actor' is true"),
        (('"tehais"', '"hands"'), "'tehais' is not a list of four hands"),
        (('"bakaze": "E"', '"bakaze": "EE"'), "not a round wind"),
        (('"kyoku": 1', '"kyoku": 5'), "'kyoku' is 5"),
        (('"type": "kakan"', '"type": "ankan"'), "without holding it"),
        (('"type": "pon"', '"type": "chi"'), "not a chow"),
        (('"type": "pon"', '"type": "daiminkan"'), "with 2 tiles"),
        (('"target": 0', '"target": 3'), "not just thrown away"),
        (('"fan": 4', '"fan": "4"'), "'fan' is '4'"),
        (('"deltas": [', '"deltas": ["'), ""),
        (('{"type": "end_kyoku"}', '{"actor": 0, "type": "tsumo", "pai": "1m"}'), "after the end of the deal"),
    ],
)
def test_contradictions_in_mjai_are_named(change: tuple[str, str], words: str) -> None:
    changed = LINES.replace(*change, 1)
    assert changed != LINES
    found = errors(changed.encode())
    assert words in str(found[0])


def _check_valid(data: bytes) -> None:
    """Whatever the content is, it gives games or a clear error; the games can be compared and shown."""
    for error in errors(data):
        text = str(error)
        assert text
        assert len(text) < 500
        json.dumps(text).encode()
        assert len(error.problems) == 1


SAMPLES = sorted(path.name for path in FOLDER.glob("*") if path.stat().st_size < 20_000)


@given(st.sampled_from(SAMPLES), st.data())
def test_cut_files_are_games_or_errors(name: str, data: st.DataObject) -> None:
    content = (FOLDER / name).read_bytes()
    _check_valid(content[: data.draw(st.integers(0, len(content)))])


@given(st.sampled_from(SAMPLES), st.data())
def test_flipped_bytes_are_games_or_errors(name: str, data: st.DataObject) -> None:
    content = bytearray((FOLDER / name).read_bytes())
    if name.endswith(".gz") and data.draw(st.booleans()):
        content = bytearray(gzip.decompress(content))
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place] = data.draw(st.one_of(st.sampled_from(b'0123456789"<>{}[],ckpmr-'), st.integers(0, 255)))
    _check_valid(bytes(content))


@given(st.binary(max_size=200))
def test_any_bytes_are_games_or_errors(content: bytes) -> None:
    _check_valid(content)


_JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 70) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


@given(st.data())
def test_any_value_in_any_place_is_a_game_or_an_error(data: st.DataObject) -> None:
    lines = data.draw(st.booleans())
    item = data.draw(st.sampled_from([json.loads(line) for line in LINES.splitlines()])) if lines else json.loads(JSON)
    inside = item
    while True:
        keys = list(inside) if isinstance(inside, dict) else list(range(len(inside)))
        key = data.draw(st.sampled_from(keys))
        if isinstance(inside[key], dict | list) and inside[key] and data.draw(st.integers(0, 3)):
            inside = inside[key]
            continue
        inside[key] = data.draw(_JSON_VALUES)
        break
    text = json.dumps(item)
    _check_valid((LINES + text + "\n" + LINES if lines else text).encode())
