"""The pages without a browser: what they say, and that they say it whatever they are asked."""

from __future__ import annotations

import html
import re
import tomllib
from html.parser import HTMLParser
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbo import tiles
from tenbo.examples import examples
from tenbo.records import score_record
from tenbo.rulefile import PRESETS
from tenbo.ruleset import load_rules, parse_rules
from tenbo.web import create_app
from tenbo.web.asked import read_value
from tenbo.web.assets import assets
from tenbo.web.entry import read_entry
from tenbo.web.house import choices, house_file
from tenbo.web.questions import ASKS, question
from tenbo.web.rulepages import hand_query
from tenbo.web.serving import addresses
from webclient import Client


@pytest.fixture(scope="module")
def client() -> Client:
    return Client(create_app())


class Seen(HTMLParser):
    """Everything in a page that loads or runs something."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.inline: list[str] = []
        self.ids: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("src", "href", "action"):
                self.links.append(value or "")
            if name == "style" or name.startswith("on"):
                self.inline.append(f"{tag} {name}")
            if name == "id":
                self.ids.append(value or "")
        if tag == "style" or (tag == "script" and not dict(attrs).get("src")):
            self.inline.append(tag)


PAGES = [
    "/",
    "/?hand=234m567p2234567s%2B8s&flag=riichi&dora=1m&from=W",
    "/?hand=234m567p2234567s",
    "/?rules=basic&hand=3457899p[777z](2222z)",
    "/?rules=simplified&hand=5p123s15f[222p][444z](7777z)%2B5p&by=self_draw",
    "/rules",
    *(f"/rules/{name}" for name in PRESETS),
    "/rules/basic?o.limit=300&o.only_place=shape&title=Ours",
    *(f"/learn?rules={name}&seed=3&ask={ask}" for name in PRESETS for ask in ASKS),
    "/learn?rules=reach&seed=3&answer=30",
]


@pytest.mark.parametrize("path", PAGES)
def test_pages_load_nothing_from_elsewhere_and_run_nothing_inline(client: Client, path: str) -> None:
    answer = client.get(path, headers={"Accept": "text/html"})
    assert answer.status_code == 200
    seen = Seen(answer.text)
    assert seen.inline == []
    assert all(link.startswith(("/", "#")) and not link.startswith("//") for link in seen.links)
    assert len(seen.ids) == len(set(seen.ids))
    for link in set(seen.links):
        if link.startswith("/static/"):
            assert client.get(link.split("#")[0]).status_code == 200


def test_links_of_the_rules_lead_somewhere(client: Client) -> None:
    page = client.get("/?rules=reach&hand=234m567p2234567s%2B8s&flag=riichi").text
    for path, key in set(re.findall(r'href="(/rules/\w+)#(\w+)"', page)):
        assert key in Seen(client.get(path).text).ids


@pytest.mark.parametrize("name", PRESETS)
def test_the_page_says_what_the_library_says(client: Client, name: str) -> None:
    rules = load_rules(name)
    for record in examples(name)[:40]:
        page = client.get(f"/?{hand_query(record, rules)}").text
        twin = client.get(f"/score.json?{hand_query(record, rules)}").json()
        expected = score_record(record, rules=name)
        if record.get("by") is None:
            assert f"As it lies: {expected['score']:,}" in page
        else:
            assert f'<span class="score">{expected["score"]:,}</span>' in page
        assert twin["answer"] == expected


def test_what_is_missing_is_said_in_words(client: Client) -> None:
    def line(query: str) -> str:
        return client.get(f"/score/live?{query}").json()["line"]

    assert "13 tiles short" in line("hand=1m")
    assert "1 tile short" in line("hand=234m567p2234567s")
    assert "3 tiles complete it" in line("hand=234m567p2234567s")
    assert "no tile completes it" in line("hand=147m258p369s1234z")
    assert "2 of" in line("rules=reach&hand=99m23m678s[345p][111s]%2B4m")
    assert "5 copies" in line("hand=11111m")
    assert "needs a concealed hand" in line("hand=99m[345p]&flag=riichi")
    assert "the winning tile is drawn" in line("hand=234m567p2234567s%2B8s&flag=after_kong")
    for flag in ("after_kong", "robbing_kong", "first_turn", "ippatsu", "last_tile"):
        for by in ("discard", "self_draw"):
            said = html.unescape(line(f"hand=99m[345p]2234567s%2B8s&flag={flag}&flag=riichi&by={by}"))
            assert not re.search(r"'by'|flag", said), said


def test_names_and_texts_are_shown_as_text(client: Client) -> None:
    evil = "<script>alert(1)</script>\"'>"
    for path in ("/", "/rules/basic", "/learn"):
        for key in ("hand", "title", "answer", "rules", "dora", "o.limit", "o.x"):
            answer = client.get(f"{path}?{urlencode({key: evil, 'seed': 1})}", headers={"Accept": "text/html"})
            assert answer.status_code == 200
            assert "<script>alert" not in answer.text
    answer = client.get("/rules/%3Cscript%3Ealert(1)", headers={"Accept": "text/html"})
    assert answer.status_code == 404
    assert "<script>alert" not in answer.text


DROPPED = {
    "rules=nope": "There are no rules ‘nope’; Riichi is used instead",
    "by=x": "by ‘x’: it is discard or self-draw; discard is used instead",
    "seat=X": "seat ‘X’: it is E, S, W or N; South is used instead",
    "round=east": "round ‘east’: it is E, S, W or N; East is used instead",
    "from=S": "South as discarder: that is who won",
    "from=W&by=self_draw": "West as discarder: the tile was drawn",
    "flag=richi": "‘richi’: no rules have it; did you mean ‘riichi’?",
    "rules=basic&flag=riichi": "‘riichi’: Basic",
    "rules=basic&dora=1m": "dora indicators ‘1m’: Basic",
    "rules=basic&honba=1": "counters ‘1’: Basic",
    "honba=-1": "honba ‘-1’: it is a whole number from 0 to 1000",
    "sticks=1001": "‘1001’: it is a whole number from 0 to 1000",
    "flags=riichi": "‘flags’: there is no such thing to say; did you mean ‘flag’?",
    "rules=basic&o.limit=zz": "‘limit’ must be a whole number from 1 to 1000000000, or none",
    "rules=basic&o.x=1": "These rules have no house rule ‘x’",
}


@pytest.mark.parametrize("query", DROPPED)
def test_what_a_link_says_and_cannot_be_used_is_said_on_top(client: Client, query: str) -> None:
    page = html.unescape(client.get(f"/?hand=234m567p2234567s%2B8s&{query}").text)
    notice = page.partition('<div id="dropped"')[2].partition("</div>")[0]
    assert DROPPED[query].lower() in notice.lower(), notice
    assert page.index('id="dropped"') < page.index('id="line"')
    twin = client.get(f"/score.json?hand=234m567p2234567s%2B8s&{query}").json()
    assert len(twin["left_out"]) == 1


def test_a_link_that_can_be_used_says_nothing_on_top(client: Client) -> None:
    for query in ("", "hand=234m567p2234567s%2B8s&flag=riichi&honba=2&from=W&utm_source=x", "rules=basic&o.limit=300"):
        assert 'id="dropped"' not in client.get(f"/?{query}").text
        assert "left_out" not in client.get(f"/score.json?{query}").json()


@pytest.mark.parametrize(
    ("dora", "said"),
    [
        ("xx", "dora indicators: ‘xx’ is no tile; write each as number and letter, such as 4m, 0p or 7z"),
        ("3z8z", "dora indicators: in ‘3z8z’, ‘8z’ is none; write each as number and letter"),
        ("5f", "dora indicators: flowers and seasons are none"),
    ],
)
def test_dora_that_is_none_says_what_would_be(client: Client, dora: str, said: str) -> None:
    for key in ("dora", "ura"):
        query = urlencode({"hand": "234m567p2234567s +8s", "flag": "riichi", key: dora})
        line = html.unescape(client.get(f"/score/live?{query}").json()["line"])
        assert said in line.replace("Under-dora", "dora").replace("Dora", "dora")
        assert "'tiles'" not in line


def test_powers_stand_high(client: Client) -> None:
    page = client.get("/?rules=basic&hand=3457899p[777z][2222z]%2B6p").text
    assert "40 × 2<sup>3</sup> = 320" in page
    assert "2^" not in page
    assert "× 2<sup>3 + 2</sup>" in client.get("/?rules=riichi&hand=234m567p2234567s%2B8s&flag=riichi").text


@given(st.text(max_size=60) | st.text("0123456789mpszf[]()+ ", max_size=60))
def test_any_text_can_stand_in_the_box(text: str) -> None:
    entry = read_entry(text)
    again = read_entry(entry.text)
    assert again.text == entry.text
    assert sorted(again.concealed) == sorted(entry.concealed)


@given(
    st.dictionaries(
        st.sampled_from(
            [
                "rules",
                "hand",
                "by",
                "seat",
                "round",
                "from",
                "flag",
                "dora",
                "ura",
                "honba",
                "sticks",
                "o.limit",
                "answer",
            ]
        ),
        st.text(max_size=20)
        | st.sampled_from([*PRESETS, "E", "S", "riichi", "first_turn", "234m567p2234567s+8s", "12m"]),
    )
)
def test_any_address_is_answered(query: dict[str, str]) -> None:
    client = Client(create_app())
    for path in ("/", "/score/live", "/score.json", "/rules/basic", "/learn.json"):
        assert client.get(f"{path}?{urlencode(query)}").status_code == 200


def test_static_files_are_kept_forever_and_compressed(client: Client) -> None:
    found = assets()
    for name in found.files:
        address = found.address(name)
        answer = client.get(address, headers={"Accept-Encoding": "gzip"})
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.headers["content-encoding"] == "gzip"
        assert answer.content == found.files[name].plain
        plain = client.get(address, headers={"Accept-Encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert plain.content == found.files[name].plain
    old = client.get("/static/0123/app.css")
    assert old.headers["cache-control"] == "no-cache"
    assert client.get("/static/0123/none.css").status_code == 404
    assert client.get("/static/0123/..%2Fapp.py").status_code == 404


def test_every_tile_is_in_the_sprite() -> None:
    sprite = assets().files["tiles.svg"].plain.decode()
    for text in (*tiles.TEXTS, "back"):
        assert f'id="t-{text}"' in sprite


def test_the_sprite_is_what_the_tool_draws() -> None:
    from tools.draw_tiles.__main__ import sprite

    assert assets().files["tiles.svg"].plain.decode() == sprite()


@pytest.mark.parametrize("name", PRESETS)
def test_house_rules_as_a_file_are_the_same_rules(client: Client, name: str) -> None:
    own = load_rules(name)
    for choice in choices(own):
        for value, _ in choice.choices or (("[1, 0, 0, -1]", ""),) * bool(choice.option.length):
            page = client.get(f"/rules/{name}.toml?{urlencode({choice.name: value, 'title': 'Ours'})}")
            table = tomllib.loads(page.text)
            assert table["extends"] == name
            assert table["title"] == "Ours"
            rules = parse_rules(page.text)
            given = own.with_options({choice.option.name: read_value(value)})
            assert rules.option(choice.option.name) == given.option(choice.option.name)
    assert client.get(f"/rules/{name}.toml").text == own.text


def test_no_limit_as_a_file() -> None:
    rules = load_rules("simplified", {"limit": None})
    assert parse_rules(house_file(rules, "No cap")).option("limit") is None


def test_house_rules_show_the_hands_they_change(client: Client) -> None:
    page = client.get("/rules/basic?o.limit=300").text
    assert "example hands change" in page
    assert re.search(r"<s class=\"what\">[\d,]+</s> <b>300</b>", page)
    same = client.get("/rules/riichi?o.open_self_draw_bp=0").text  # paid alike, but no fu for the draw
    assert re.search(r"<s class=\"what\">[^<]*Self-drawn win 2[^<]*</s> <b>[^<]*</b>", same)
    for before, after in re.findall(r"<s class=\"what\">(.*?)</s> <b>(.*?)</b>", same):
        assert before != after
    refused = html.unescape(client.get("/rules/basic?o.limit=-3&o.east_double=maybe&o.none=1").text)
    for field, said in (("o.limit", "‘limit’ must be a whole number from 1"), ("o.east_double", "yes or no")):
        assert said in refused.partition(f'id="fault-{field}"')[2].partition("</p>")[0]
        assert f'fault-{field}" aria-invalid="true"' in refused
    assert 'name="o.limit" value="-3"' in refused
    assert "These rules have no house rule ‘none’" in refused.partition('id="wrong"')[2].partition("</div>")[0]
    assert "aria-invalid" not in page
    assert client.get("/rules/basic.toml?o.limit=-3").status_code == 422


@pytest.mark.parametrize("name", PRESETS)
def test_questions_come_from_their_seed(name: str) -> None:
    rules = load_rules(name)
    answers = set()
    opened = 0
    for seed in range(30):
        for ask in ASKS:
            one, two = question(rules, seed, ask), question(rules, seed, ask)
            assert one.score.hand == two.score.hand
            assert one.answer == two.answer
        answers.add(one.answer)
        opened += any(meld.exposed for meld in one.score.hand.melds)
    assert len(answers) > 5
    assert 3 < opened < 27


def test_learning(client: Client) -> None:
    asked = client.get("/learn.json?rules=reach&seed=7&ask=points").json()
    right = client.get(f"/learn?rules=reach&seed=7&ask=points&answer={asked['answer']}").text
    assert "Right." in right
    wrong = client.get("/learn?rules=reach&seed=7&ask=points&answer=1").text
    assert f"Not 1: {asked['answer']}." in wrong
    for answer in ("forty", "4o", "1.5", "-3", "1,2"):
        asked_again = client.get(
            f"/learn?{urlencode({'rules': 'reach', 'seed': 7, 'ask': 'points', 'answer': answer})}"
        ).text
        assert "Answer with a number" in asked_again
        assert "Not " not in asked_again
        assert 'data-right="' not in asked_again
        assert f'value="{answer}"' in asked_again
    fresh = client.get("/learn?rules=basic", follow_redirects=False)
    assert fresh.status_code == 303
    assert "rules=basic" in fresh.headers["location"]


def test_where_the_server_is() -> None:
    assert addresses("127.0.0.1", 80) == ["http://127.0.0.1:80/"]
    assert addresses("::1", 80) == ["http://[::1]:80/"]
    assert addresses("0.0.0.0", 80)[-1] == "http://localhost:80/"


@pytest.mark.parametrize("rules", ["reach", "riichi", "basic", "simplified"])
def test_the_example_is_a_hand(client: Client, rules: str) -> None:
    found = re.search(r'href="/\?(rules=[^"]*hand=[^"]*)"', client.get(f"/?rules={rules}").text)
    assert found is not None
    assert client.get(f"/score.json?{html.unescape(found[1])}").json()["answer"]["score"] > 0


@pytest.mark.parametrize("uma", ["20,10,-10,-20", "[20, 10, -10, -20]", "20 10 −10 −20"])
def test_numbers_in_a_row_are_read_as_people_write_them(client: Client, uma: str) -> None:
    page = client.get(f"/rules/riichi?{urlencode({'o.uma': uma})}").text
    assert 'value="[20,10,-10,-20]"' in page
    assert "aria-invalid" not in page
