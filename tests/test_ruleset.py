"""Ruleset files: merged, checked, printed, and refused with every fault named."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from tenbo import ReadError, RulesetError, load_rules, parse_rules, score
from tenbo.rulefile import PRESETS, parse_text, preset_text, to_text

HAND = "3457899p [777z] [2222z] +6p"
TINY = """
title = "Tiny"
[shape.standard]
[hand.win]
name = "Win"
points = 10
[payment]
each = "base"
"""


def faults(text: str) -> str:
    with pytest.raises(RulesetError) as caught:
        parse_rules(text)
    return "\n".join(f"{problem.at}: {problem.message}" for problem in caught.value.problems)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_printed_so_that_it_reads_the_same(name: str) -> None:
    merged = parse_text(preset_text(name))
    assert parse_text(to_text(merged)) == merged
    again = parse_rules(load_rules(name).text)
    assert again.entries == load_rules(name).entries
    assert again.options == load_rules(name).options


@pytest.mark.parametrize("name", PRESETS)
def test_every_option_says_what_it_changes(name: str) -> None:
    assert [option.name for option in load_rules(name).options.values() if not option.text] == []


def test_riichi_is_reach_but_for_a_few_options() -> None:
    reach, riichi = load_rules("reach"), load_rules("riichi")
    differ = {name for name in reach.options if reach.options[name].default != riichi.options[name].default}
    assert differ == {"one_tile_wait", "kings_tile_self_draw_bp", "multiple_limits", "big_wheels"}
    assert [entry.key for entry in reach.entries] == [entry.key for entry in riichi.entries]


def test_house_rules_change_what_they_say(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text(
        'extends = "basic"\ntitle = "Ours"\n'
        "[options.east_double]\ndefault = false\n"
        "[hand.mah_jong]\npoints = 30\n"
        "[set.dragons]\noff = true\n"
        '[hand.all_even]\nname = "Lovely"\ndoubles = 1\nwhen = "kongs >= 1"\n',
        encoding="utf-8",
    )
    found = score(HAND, rules=str(path), by="discard", seat="S", round="E")
    assert found.rules == "Ours"
    assert (found.points, found.doubles) == (50, 3)
    assert "Lovely" in [line.name for line in found.lines]
    assert found.payments == {"E": -400, "S": 1200, "W": -400, "N": -400}


def test_files_extend_files_beside_them_but_never_in_a_loop(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text('extends = "b.toml"\ntitle = "A"\n', encoding="utf-8")
    (tmp_path / "b.toml").write_text(
        'extends = "reach"\ntitle = "B"\n[options.target]\ndefault = 0\n', encoding="utf-8"
    )
    assert load_rules(tmp_path / "a.toml").option("target") == 0
    (tmp_path / "b.toml").write_text('extends = "a.toml"\ntitle = "B"\n', encoding="utf-8")
    with pytest.raises(RulesetError, match="loop"):
        load_rules(tmp_path / "a.toml")
    (tmp_path / "b.toml").write_text('extends = "c.toml"\n', encoding="utf-8")
    with pytest.raises(ReadError, match=r"c\.toml"):
        load_rules(tmp_path / "a.toml")


def test_a_text_never_reads_files(tmp_path: Path) -> None:
    (tmp_path / "b.toml").write_text(TINY, encoding="utf-8")
    with pytest.raises(RulesetError, match="must name one of"):
        parse_rules(f'extends = "{tmp_path / "b.toml"}"\ntitle = "A"\n')


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("[hands.x]\npoints = 1", "unknown key; did you mean 'hand'"),
        ('[hand.x]\nname = "X"\npoint = 1', "did you mean 'points'"),
        ('[hand.x]\nname = "X"\npoints = 1\nwhen = "chow == 0"', "did you mean 'chows'"),
        ('[hand.x]\nname = "X"\npoints = 1\nwhen = "wait == \'edged\'"', "did you mean 'edge'"),
        ('[hand.x]\nname = "X"\npoints = 1\ndoubles = 1', "exactly one of points, doubles and limit"),
        ('[hand.x]\nname = "X"\npoints = 99999', "must be from 0 to"),
        ('[hand.x]\nname = "X"\npoints = 1\nexcludes = ["wim"]', "did you mean 'win'"),
        ('[hand.x]\nname = "X"\nlimit = "1/3"', "fraction"),
        ('[hand.x]\nname = "X"\nlimit = 1', "must say its base"),
        ("[hand.x]\npoints = 1", "needs a name"),
        ('[set.x]\nname = "X"\nlimit = 1', "cannot be a limit"),
        ('[set.x]\nname = "X"\npoints = 1\nexcludes = ["win"]', "only hand and last entries"),
        ('[set.x]\nname = "X"\npoints = "rank"', "must be a number or an option"),
        ('[combo.x]\nname = "X"\npoints = 1\nsets = "pair"\nsize = 9', "must be from 2 to 4"),
        ('[define]\nchows = "pungs == 1"', "already the name of a fact"),
        ('[define]\nx = "nothing == 1"', "unknown name"),
        ("[options.x]\ndefault = 5\nmin = 6", "whole number from 6"),
        ('[options.x]\ntext = "?"', "needs a default"),
        ('[uses]\nflags = ["richi"]', "did you mean 'riichi'"),
        ('[penalty.x]\ndeal = "stops"', "must be ends or goes_on or replayed"),
        ("[table]\nresult_unit = 0", "must be from 1"),
        ("[shape.eight_pairs]", "unknown shape"),
    ],
)
def test_a_fault_is_named_with_its_place_and_the_way_out(change: str, said: str) -> None:
    assert said in faults(TINY + change)


def test_all_faults_are_named_at_once() -> None:
    text = faults(TINY.replace('title = "Tiny"', "") + '[hand.x]\npoints = 1\nwhen = "foo"\n[hand.y]\nname = "Y"\n')
    assert "title" in text
    assert "hand.x.when" in text
    assert "hand.y" in text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "title",
        "title = 1",
        "a = " + "[" * 5000,
        "a" + ".a" * 5000 + " = 1",
        "\x00",
        'title = "x"\nhand = 3',
        "[hand]\nx = 1",
    ],
)
def test_any_text_is_refused_without_a_traceback(text: str) -> None:
    with pytest.raises(RulesetError):
        parse_rules(text)


def test_rulesets_are_pickled_with_their_options() -> None:
    rules = load_rules("reach", {"chart": "as_printed"})
    again = pickle.loads(pickle.dumps(rules))
    assert again.option("chart") == "as_printed"
    assert again.entries == rules.entries


def test_options_laid_twice_and_laid_back() -> None:
    rules = load_rules("basic", {"east_double": False}).with_options({"limit": 300})
    assert dict(rules.values) == {"east_double": False, "limit": 300}
    assert dict(rules.with_options({"east_double": True}).values) == {"limit": 300}
    assert rules.with_options({}) is rules


def test_a_fallback_counts_only_alone() -> None:
    rules = parse_rules(
        'title = "Chicken"\n[shape.standard]\n[hand.pungs]\nname = "All pungs"\npoints = 20\nwhen = "chows == 0"\n'
        '[last.chicken]\nname = "Chicken"\npoints = 8\n[payment]\neach = "base"\n'
    )
    said = {"rules": rules, "by": "self_draw", "seat": "S", "round": "E"}
    assert score("123m456p789s1122z +1z", **said).score == 8  # type: ignore[arg-type]
    assert score("111m444p777s1122z +1z", **said).score == 20  # type: ignore[arg-type]


def test_combinations_of_sets() -> None:
    rules = parse_rules(
        'title = "Combos"\n[shape.standard]\n'
        '[combo.mixed]\nname = "Mixed Straight"\nsets = "chow"\nsize = 3\npoints = 8\n'
        'when = "suits == 3 and rank1 == 1 and step1 == 3 and step2 == 3"\n'
        '[combo.twice]\nname = "Same Chow"\nsets = "chow"\nsize = 2\ndoubles = 1\nrepeat = true\n'
        'when = "suits == 1 and step1 == 0"\n'
        '[combo.neighbours]\nname = "Neighbours"\nsets = "pung"\nsize = 2\npoints = 2\n'
        'when = "suits == 1 and step1 == 1 and not honours"\n'
        '[payment]\neach = "base"\n'
    )
    said = {"rules": rules, "by": "self_draw", "seat": "S", "round": "E"}
    mixed = score("123m456p78s11z [222s] +9s", **said)  # type: ignore[arg-type]
    assert [(line.name, line.tiles, line.points) for line in mixed.lines] == [("Mixed Straight", "123m456p789s", 8)]
    same = score("112233m77889p55s +9p", **said)  # type: ignore[arg-type]
    assert [(line.name, line.tiles, line.doubles) for line in same.lines] == [
        ("Same Chow", "112233m", 1),
        ("Same Chow", "778899p", 1),
    ]
    assert same.doubles == 2
    pungs = score("222333m4p [6666z] [777z] +4p", **said)  # type: ignore[arg-type]
    assert [(line.name, line.tiles) for line in pungs.lines] == [("Neighbours", "222333m")]


def test_shares_of_a_limit() -> None:
    rules = parse_rules(
        'title = "Half"\n[shape.standard]\n[limits]\nname = "limit"\nbase = 1000\n'
        '[hand.half]\nname = "Half"\nlimit = "1/2"\nwhen = "kongs == 1"\n'
        '[hand.two]\nname = "Double"\nlimit = 2\nwhen = "kongs == 2"\n[payment]\neach = "base"\n'
    )
    said = {"rules": rules, "by": "self_draw", "seat": "S", "round": "E"}
    half = score("123m456p78s11z [7777z] +9s", **said)  # type: ignore[arg-type]
    assert (half.score, half.lines[0].limit) == (500, "0.5 x limit")
    double = score("123m56p11z [7777z] (1111s) +4p", **said)  # type: ignore[arg-type]
    assert (double.score, double.lines[0].limit) == (2000, "2 x limit")


def test_absurd_numbers_are_named_faults() -> None:
    assert "hand.win.points" in faults(TINY.replace("points = 10", "points = 99999999999999999999"))


def test_files_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_bytes(b'\xef\xbb\xbfextends = "basic"\r\ntitle = "Ours"\r\n')
    assert load_rules(str(path)).title == "Ours"


def test_excluding_what_is_no_word_is_a_fault() -> None:
    assert "there is no hand entry '[1]'" in faults(TINY.replace("points = 10", "points = 10\nexcludes = [[1]]"))


def test_a_title_may_hold_anything() -> None:
    rules = parse_rules(TINY.replace('"Tiny"', r'"\u0000\u001b"'))
    assert score(HAND, rules=rules, by="discard", seat="S", round="E").score == 10


def test_too_many_entries_are_a_fault_of_no_place() -> None:
    entries = "".join(f'[hand.k{i}]\nname = "{i}"\npoints = 1\n' for i in range(401))
    assert "None: more than 400 entries" in faults(TINY + entries)


@pytest.mark.parametrize(("unit", "value"), [("points", 3000), ("doubles", 15)])
def test_sets_are_worth_no_more_than_can_be_added_up(unit: str, value: int) -> None:
    entry = '[set.x{0}]\nname = "X"\n{1} = {2}\nwhen = "pung"\n'
    parse_rules(TINY + entry.format(1, unit, value))
    assert "add up to" in faults(TINY + entry.format(1, unit, value) + entry.format(2, unit, value))


def test_a_missing_file_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"cannot read .*none.toml': No such file.*presets are: reach"):
        load_rules(tmp_path / "none.toml")


def test_only_entries_that_are_there_are_taken_out() -> None:
    with pytest.raises(RulesetError, match=r"no entry hand.heavn to take out; did you mean 'heaven'"):
        parse_rules('extends = "basic"\ntitle = "x"\n[hand.heavn]\noff = true\n')
