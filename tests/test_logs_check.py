"""Checking logs: what the clients paid against the engine."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cases import logs_dir
from log_scenarios import FOLDER, SCENARIOS, Start, chained
from log_writer import mjai, mjlog, tenhou_json
from tenbo.logs import (
    DealCheck,
    Game,
    LogError,
    Summary,
    WinCheck,
    check_game,
    check_paths,
    files_of,
    read_file,
    read_games,
    run_check,
    to_game_file,
)
from tenbo.records import settle_record

SITUATION = {1: "riichi", 21: "double_riichi", 2: "ippatsu", 3: "robbing_kong", 4: "after_kong", 37: "first_turn"}


def checked(paths: list[Path], **how: Any) -> tuple[int, str, list[str]]:
    """Exit status, report and messages of a check."""
    out, messages = io.StringIO(), list[str]()
    status = run_check(paths, how.pop("workers", 1), how.pop("json_lines", False), out, messages=messages.append, **how)
    return status, out.getvalue(), messages


def summary_of(folder: Path) -> tuple[Summary, list[WinCheck | DealCheck]]:
    summary, checks = Summary(), []
    for result in check_paths(files_of([folder]), 1):
        summary.add(result)
        checks += result.checks
    return summary, checks


def the_game(text: str) -> Game:
    (game,) = read_games(text.encode())
    assert isinstance(game, Game)
    return game


# ---------------------------------------------------------------- our own samples


def test_every_sample_agrees() -> None:
    summary, _ = summary_of(FOLDER)
    assert summary.differences == {}
    assert summary.skips == {"nagashi mangan, which these rules do not know": 4}
    assert summary.wins == summary.wins_agree > 50
    assert summary.deals == summary.deals_agree + 4
    assert summary.three_player == 1
    assert summary.clean


def test_the_summary_for_a_person() -> None:
    status, out, messages = checked([FOLDER / "game.xml", FOLDER / "three-player.xml.gz", FOLDER / "first_draw.mjson"])
    assert (status, messages) == (0, [])
    assert out.splitlines() == [
        "3 files, 2 games checked, 1 three-player game skipped",
        "14 wins: 14 agree, 0 differ",
        "22 deals: 21 agree, 0 differ, 1 not compared",
        "not compared: nagashi mangan, which these rules do not know 1",
    ]


def test_a_difference_is_explained_from_both_sides(tmp_path: Path) -> None:
    path = tmp_path / "game.xml"
    path.write_text(
        mjlog([SCENARIOS["last_discard"](Start())]).replace('ten="30,2000,0" yaku="6,1', 'ten="40,2600,0" yaku="6,3')
    )
    status, out, _ = checked([path])
    assert status == 1
    lines = out.splitlines()
    assert lines[0] == f"{path}, deal 1, D as North by discard of South: han, fu, points"
    assert "    fu: client 40, tenbo 30" in lines
    assert "    hand    234567m67899p34s +5s" in lines
    assert "    client  4 han, 40 fu, 2600 points: last tile, discarded 3; pinfu 1" in lines
    (ours,) = (line for line in lines if line.startswith("    tenbo"))
    assert ours.startswith("    tenbo   2 han, 30 fu, 2000 points: ")
    assert ours.count(";") >= 2
    assert "1 win: 0 agree, 1 differ" in lines
    assert "differences: fu 1, han 1, points 1" in lines


def test_json_gives_a_line_a_win(tmp_path: Path) -> None:
    status, out, messages = checked([FOLDER / "game.jsonl"], json_lines=True)
    lines = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert len(lines) == 13
    first = lines[0]
    assert first["file"] == str(FOLDER / "game.jsonl")
    assert (first["game"], first["deal"], first["player"], first["name"], first["status"]) == (1, 1, 1, "B", "agree")
    assert (first["client"]["han"], first["client"]["payments"]) == (5, [0, 9000, -8000, 0])
    assert (first["score"]["han"], first["score"]["fu"], first["score"]["score"]) == (5, 30, 8000)
    assert first["record"]["hand"] == "234567m67899p34s +5s"
    assert messages[0] == "1 file, 1 game checked"
    path = tmp_path / "draw.json"
    deal = SCENARIOS["two_ready"](Start())
    deal.drawn = ("exhaustive", [0, 2], [3000, -1500, 0, -1500])
    path.write_text(tenhou_json([deal]))
    status, out, _ = checked([path], json_lines=True)
    (line,) = map(json.loads, out.splitlines())
    assert status == 1
    assert line["differences"] == [
        {"name": "payments", "client": [2000, -1500, 0, -1500], "tenbo": [2000, -1000, -1000, -1000]}
    ]
    assert line["settlement"]["dealer_stays"] is True


@pytest.mark.parametrize(
    ("change", "name"),
    [
        (lambda deals: deals[1].points.__setitem__(0, 0), "next points"),
        (lambda deals: setattr(deals[1], "honba", 3), "next honba"),
        (lambda deals: setattr(deals[2], "sticks", 2), "next sticks"),
        (lambda deals: deals[0].drawn[2].__setitem__(0, 1000), "payments"),
        (lambda deals: setattr(deals[1].wins[0], "score", 12000), "points"),
        (lambda deals: setattr(deals[1].wins[0], "yaku", [(38, 0)]), "limit"),
        (lambda deals: deals[1].wins[0].payments.__setitem__(1, 0), "contradiction in the log"),
    ],
)
def test_every_difference_has_a_name(change: Any, name: str) -> None:
    deals = chained([SCENARIOS["two_ready"], SCENARIOS["after_kong"], SCENARIOS["two_ready"]])
    change(deals)
    found = {difference.name for check in check_game(the_game(mjlog(deals))) for difference in check.differences}
    assert name in found


def test_a_hand_that_the_rules_refuse_is_named() -> None:
    deal = SCENARIOS["last_discard"](Start())
    deal.hands[3] = deal.hands[3].replace("99p", "19p")
    win, whole = check_game(the_game(tenhou_json([deal])))
    assert [difference.name for difference in win.differences] == ["error"]
    assert [difference.name for difference in whole.differences] == ["error"]
    assert "not_winning" in json.dumps(win.score if isinstance(win, WinCheck) else None)


def test_exit_status_and_messages(tmp_path: Path) -> None:
    good, bad, note = tmp_path / "a" / "good.xml", tmp_path / "b.xml", tmp_path / "a" / "note.txt"
    good.parent.mkdir()
    good.write_text(mjlog([SCENARIOS["first_draw"](Start())]))
    bad.write_text("<mjloggm>")
    note.write_text("Hello")
    status, out, messages = checked([good.parent])
    assert (status, messages) == (0, [f"{note}: it is not a game log: neither XML nor JSON; passed over"])
    assert "1 file of other kinds passed over" in out
    assert checked([note])[0] == 1
    status, _, messages = checked([tmp_path])
    assert status == 1
    assert messages[0].startswith(f"{bad}: the XML is damaged")
    status, out, messages = checked([tmp_path / "nothing", good])
    assert (status, out) == (2, "")
    assert messages == [f"{tmp_path / 'nothing'} does not exist; give files or folders of game logs"]
    assert checked([])[0] == 0


def test_names_of_files_and_players_cannot_forge_lines(tmp_path: Path) -> None:
    path = tmp_path / "a\nb\x1b[2J.xml"
    path.write_text(
        mjlog([SCENARIOS["first_draw"](Start())], names=["%1B%0A", "\x00", "x" * 500, ""]).replace("\x00", "B")
    )
    path.write_text(path.read_text().replace(",32000,0", ",1,0"))
    _, out, _ = checked([path])
    assert "\x1b" not in out
    assert out.splitlines()[0].endswith("B as South by self-draw: points")
    (game,) = read_file(path)
    assert isinstance(game, Game)
    assert game.players == ("\N{REPLACEMENT CHARACTER}" * 2, "B", "x" * 80, "")


def test_the_report_does_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    for number in range(20):
        names = [path for path in sorted(FOLDER.iterdir()) if path.suffix in (".xml", ".json")]
        source = names[number % len(names)]
        (tmp_path / f"{number:02}-{source.name}").write_bytes(source.read_bytes())
    (tmp_path / "05-broken").write_text("{")
    calls: list[tuple[int, int]] = []
    alone = checked([tmp_path], json_lines=True, progress=lambda done, total: calls.append((done, total)))
    assert calls == [(done, 21) for done in range(1, 22)]
    assert checked([tmp_path], json_lines=True, workers=2) == alone


def test_files_of_folders_are_found_once_and_in_order(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    for name in ("z", "b/y", "a"):
        (tmp_path / name).write_text("")
    found = files_of([tmp_path / "z", tmp_path])
    assert found == [(str(tmp_path / "z"), True), (str(tmp_path / "a"), False), (str(tmp_path / "b" / "y"), False)]


# ---------------------------------------------------------------- game files


def events_of(game: Game) -> list[dict[str, Any]]:
    return [json.loads(line) for line in to_game_file(game).splitlines()]


@pytest.mark.parametrize("write", [mjlog, tenhou_json, mjai])
def test_a_game_file_leads_to_the_same_points(write: Any) -> None:
    deals = chained(list(SCENARIOS.values()))
    events = events_of(the_game(write(deals)))
    assert events[0]["event"] == "started"
    assert events[0]["players"] == ["A", "B", "C", "D"]
    assert "points" not in events[0]
    kinds = [event["event"] for event in events[1:] if event["event"] in ("won", "drawn")]
    assert kinds == ["won" if deal.wins else "drawn" for deal in deals]
    points = [events[0]["start"]] * 4
    starts = iter(deals)
    deal = deals[0]
    for event in events[1:]:
        if event["event"] == "adjusted":
            changes = event["points"]
        elif event["event"] == "finished":
            continue
        else:
            deal = next(starts)
            changes = _settled(event, deal.number, deal.honba, deal.sticks, events[0]["options"])
        points = [old + change for old, change in zip(points, changes, strict=True)]
    assert points == deals[-1].after()
    whys = [event["why"] for event in events if event["event"] == "adjusted"]
    assert whys == ["nagashi mangan"]


def _settled(event: dict[str, Any], number: int, honba: int, sticks: int, options: dict[str, Any]) -> list[int]:
    """The payments of an event, by player."""

    def seat(player: int) -> str:
        return "ESWN"[(player - number) % 4]

    given: dict[str, Any] = {"rules": "riichi", "options": options, "round": "ESWN"[number // 4]}
    given |= {"honba": honba, "sticks": sticks, "bets": [seat(player) for player in event["bets"]]}
    if event["event"] == "drawn":
        given["draw"] = {"kind": event["kind"]}
        if event["kind"] == "exhaustive":
            given["draw"]["ready"] = [seat(player) for player in event["ready"]]
    else:
        given["winners"] = []
        for winner in event["winners"]:
            turned = {"seat": seat(winner.pop("player")), **winner}
            if "from" in turned:
                turned["from"] = seat(turned["from"])
            for liable in turned.get("liable", []):
                liable["seat"] = seat(liable.pop("player"))
            given["winners"].append(turned)
    payments = settle_record(given)["payments"]
    return [payments[seat(player)] for player in range(4)]


def test_a_game_file_may_begin_in_the_middle() -> None:
    deal = SCENARIOS["first_draw"](Start(5, 2, 1, [20000, 30000, 24000, 25000]))
    started = events_of(the_game(tenhou_json([deal], "鳳東赤")))[0]
    assert (started["points"], started["dealer"], started["round"]) == ([20000, 30000, 24000, 25000], 1, "S")
    assert (started["honba"], started["sticks"]) == (2, 1)
    assert started["options"]["open_all_simples"] is False
    assert started["options"]["rounds"] == 1
    assert started["ruleset"].strip()


def test_what_cannot_be_a_table_is_refused() -> None:
    for text in (mjlog([], kind=185), mjlog([])):
        with pytest.raises(LogError):
            to_game_file(the_game(text))
    deal = SCENARIOS["last_discard"](Start())
    deal.hands[3] = deal.hands[3].replace("99p", "19p")
    with pytest.raises(LogError, match="deal 1 cannot be settled"):
        to_game_file(the_game(tenhou_json([deal])))


# ---------------------------------------------------------------- real games


def real_games() -> Iterator[tuple[Path, Game]]:
    for name, _ in files_of([logs_dir()]):
        if name.endswith(".md"):
            continue
        for game in read_file(name):
            assert isinstance(game, Game), f"{name}: {game}"
            yield Path(name), game


def test_every_real_win_agrees() -> None:
    """Two hand-made logs among the samples contradict themselves; all else agrees in whatever the client tells."""
    wins = odd = 0
    for path, game in real_games():
        for check in check_game(game):
            wins += isinstance(check, WinCheck)
            names = [difference.name for difference in check.differences]
            if names and isinstance(check, WinCheck) and check.win.contradiction:
                assert names == ["contradiction in the log"]
                odd += 1
                continue
            assert not check.differences, f"{path}, deal {check.deal}: {check.differences}"
            assert check.skipped in (None, "a win that contradicts itself")
    assert wins > 400
    assert odd <= 2


def test_real_situations_are_as_the_client_says() -> None:
    """Flags come from the play; where the client lists its yaku they must be the same."""
    from tenbo.logs.tenhou import YAKU

    flags = {YAKU[number]: flag for number, flag in SITUATION.items()}
    flags |= {YAKU[5]: "last_tile", YAKU[6]: "last_tile", YAKU[38]: "first_turn"}
    compared = 0
    for path, game in real_games():
        for deal in game.deals if game.format == "mjlog" else ():
            for win in deal.wins:
                assert win.record is not None
                told = {flags[name] for name, _ in win.client.yaku if name in flags}
                if not win.client.limit_hands:  # which silence everything else
                    assert told == set(win.record["flags"]), f"{path}: {win}"
                    compared += 1
                assert told <= set(win.record["flags"])
    assert compared > 300


def test_real_three_player_games_are_skipped() -> None:
    names = {path.name.split("-")[0] for path, game in real_games() if game.three_player}
    assert names == {"three"}


def test_real_games_open_as_tables() -> None:
    opened = 0
    for _, game in real_games():
        if game.deals and not any(win.contradiction for deal in game.deals for win in deal.wins):
            kinds = [event["event"] for event in events_of(game)]
            assert kinds[0] == "started"
            assert "adjusted" not in kinds
            opened += 1
    assert opened > 60
