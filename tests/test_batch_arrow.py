"""Arrow tables in, Arrow tables out."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import polars as pl
import pyarrow as pa
import pytest

import tenbo
from tenbo.batch import Scorer

RECORDS: list[dict[str, Any]] = [
    {"hand": "3457899p [777z] [2222z] +6p", "by": "discard", "seat": "S", "round": "E", "from": "E"},
    {
        "hand": "1112345678999m +5m",
        "by": "self_draw",
        "seat": "E",
        "round": "E",
        "flags": ["riichi", "ippatsu"],
        "dora": "3m",
    },
    {"hand": "123m456p78s1122z +9s", "by": "discard", "seat": "W", "round": "S", "flags": [], "honba": 2, "sticks": 1},
    {"hand": "what", "by": "discard", "seat": "S", "round": "E"},
    {"hand": None, "by": "discard", "seat": "S", "round": "E"},
    {"hand": "19m19p19s1234567z +1m", "by": "self_draw", "seat": "S", "round": "E", "dora": "123456789m"},
    {"hand": "19m19p19s1234567z +1m", "by": "self_draw", "seat": "S", "round": "E", "dora": "1z", "ura": ""},
    {"hand": "1199m22p3377s445z +5z", "by": "Discard", "seat": "S", "round": "E"},
    {"hand": "1199m22p3377s445z +5z", "by": "discard", "seat": "S", "round": "E", "flags": ["riichi"], "ura": "4z"},
]


def table(records: list[dict[str, Any]] = RECORDS) -> pa.Table:
    keys = ("hand", "by", "seat", "round", "from", "flags", "dora", "ura", "honba", "sticks")
    return pa.table({key: [record.get(key) for record in records] for key in keys})


def wanted(records: list[dict[str, Any]] = RECORDS, rules: str = "riichi") -> list[dict[str, Any]]:
    out = []
    for record in records:
        found = tenbo.records.score_record(record, rules=rules)
        if "error" in found:
            out.append({"score": None, "error": found["error"]})
        else:
            paid = found["payments"] or dict.fromkeys("ESWN")
            keys = ("score", "points", "points_raw", "doubles", "limit", "reading")
            out.append(
                {key: found[key] for key in keys} | {f"pay_{seat}": paid[seat] for seat in "ESWN"} | {"error": None}
            )
    return out


def check(found: list[dict[str, Any]], want: list[dict[str, Any]]) -> None:
    assert len(found) == len(want)
    for got, expected in zip(found, want, strict=True):
        assert {key: got[key] for key in expected} == expected


def test_rows_come_back_in_order_with_the_schema() -> None:
    scorer = Scorer("riichi")
    found = scorer(table())
    assert found.schema == scorer.schema
    check(found.to_pylist(), wanted())


def test_each_kind_of_thing_comes_back_as_it_is() -> None:
    scorer = Scorer("riichi")
    want = wanted()
    batch = scorer(table().combine_chunks().to_batches()[0])
    assert isinstance(batch, pa.RecordBatch)
    check(batch.to_pylist(), want)
    reader = scorer(pa.RecordBatchReader.from_batches(table().schema, table().to_batches()))
    assert isinstance(reader, pa.RecordBatchReader)
    check(reader.read_all().to_pylist(), want)
    frame = scorer(pl.from_arrow(table()))
    assert isinstance(frame, pl.DataFrame)
    check(frame.to_dicts(), want)

    class Stream:
        def __init__(self, inner: pa.Table) -> None:
            self._inner = inner

        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            return self._inner.__arrow_c_stream__(requested_schema)

    check(pa.table(scorer(Stream(table()))).to_pylist(), want)


def test_columns_may_have_other_types() -> None:
    scorer = Scorer("riichi")
    plain = table()
    as_dictionary = plain.set_column(0, "hand", plain["hand"].combine_chunks().dictionary_encode())
    large = plain.cast(
        pa.schema([(f.name, pa.large_string() if pa.types.is_string(f.type) else f.type) for f in plain.schema])
    )
    flags = [None if record.get("flags") is None else ",".join(record["flags"]) for record in RECORDS]
    as_text = plain.set_column(plain.schema.get_field_index("flags"), "flags", pa.array(flags))
    sliced = pa.concat_tables([plain, plain]).combine_chunks().slice(3, len(plain))
    for given in (as_dictionary, large, as_text):
        check(scorer(given).to_pylist(), wanted())
    check(scorer(sliced).to_pylist(), wanted()[3:] + wanted()[:3])
    views = pa.table(
        {name: plain[name].cast(pa.string_view()) for name in ("hand", "by", "seat", "round", "dora", "ura")}
    )
    assert scorer(views).column("score").to_pylist()[0] == 3900 or scorer(views).num_rows == len(RECORDS)


def test_values_of_the_wrong_type_are_errors_of_their_rows() -> None:
    hands = pa.table(
        {"hand": ["3457899p [777z] [2222z] +6p"] * 2, "by": ["discard"] * 2, "seat": ["S"] * 2, "round": [1, None]}
    )
    assert Scorer("basic")(hands)["error"].to_pylist() == ["bad_value", "missing_field"]
    hands = hands.set_column(3, "round", pa.array(["E", "E"])).append_column("honba", pa.array([0.5, None]))
    assert Scorer("basic")(hands)["error"].to_pylist() == ["bad_value", None]
    hands = pa.table({"hand": [1, 2], "by": ["discard"] * 2, "seat": ["S"] * 2, "round": ["E"] * 2})
    assert Scorer("basic")(hands)["error"].to_pylist() == ["bad_value"] * 2


def test_rows_may_ask_for_other_rules_and_options() -> None:
    hand = {"hand": "3457899p [777z] [2222z] +6p", "by": "discard", "seat": "S", "round": "E"}
    asked = [
        (None, None),
        ("basic", None),
        ("basic", '{"limit": 100}'),
        ("simplified", None),
        ("basik", None),
        ("basic", '{"limt": 100}'),
        (None, "[1]"),
        (None, "{"),
    ]
    given = pa.Table.from_pylist([{**hand, "rules": rules, "options": options} for rules, options in asked])
    found = Scorer("reach")(given)
    assert found["error"].to_pylist() == [
        *(None, None, None, None),
        *("unknown_rules", "unknown_option", "bad_value", "bad_value"),
    ]
    assert found["score"].to_pylist()[:4] == [
        tenbo.score(hand["hand"], rules=rules or "reach", options=options, by="discard", seat="S", round="E").score
        for rules, options in ((None, None), ("basic", None), ("basic", {"limit": 100}), ("simplified", None))
    ]
    assert found["limit"].to_pylist()[2] == "cap"


def test_the_legend_names_the_bits() -> None:
    scorer = Scorer("basic")
    bits = scorer(table(RECORDS[:1]))["entries"][0].as_py()
    lines = tenbo.records.score_of(RECORDS[0], "basic").lines
    assert {key for i, key in enumerate(scorer.legend) if bits >> i & 1} == {line.key for line in lines}


def test_a_scorer_can_be_pickled_with_its_rules_and_options() -> None:
    scorer = pickle.loads(pickle.dumps(Scorer("basic", {"limit": 100})))
    assert scorer(table(RECORDS[:1]))["score"].to_pylist() == [100]
    assert scorer.rules.option("limit") == 100
    assert scorer.fallback == ()


def test_threads_share_a_scorer() -> None:
    scorer = Scorer("reach", {"honba_value": 600})
    big = pa.concat_tables([table()] * 50)
    with ThreadPoolExecutor(4) as pool:
        tables = list(pool.map(scorer, [big] * 8))
    assert all(found.equals(tables[0]) for found in tables)


@pytest.mark.parametrize("given", [pa.table({"hands": ["1m"]}), [1], "1m", pa.table({})])
def test_what_is_no_table_of_hands_is_refused(given: Any) -> None:
    with pytest.raises(TypeError, match=r"column 'hand'|Arrow tables"):
        Scorer("basic")(given)


def test_no_rows() -> None:
    scorer = Scorer("basic")
    assert scorer(table().slice(0, 0)).num_rows == 0
    assert scorer(table().schema.empty_table()).schema == scorer.schema
    assert scorer(pa.RecordBatch.from_pylist([], schema=table().schema)).num_rows == 0


def test_rows_without_any_reading_stay_rows() -> None:
    records = [
        {"hand": "12m", "by": "discard", "seat": "S", "round": "E"},
        RECORDS[0],
        {"hand": "1m +2z", "by": "discard", "seat": "S", "round": "E"},
        {"hand": "147m147p147s1234z +5z", "by": "discard", "seat": "S", "round": "E"},
    ]
    for given in (records, records[:1], records[2:]):
        check(Scorer("riichi")(table(given)).to_pylist(), wanted(given))


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("hand", pl.Categorical),
        ("seat", pl.Enum(["E", "S", "W", "N", "Discard"])),
        ("by", pl.Categorical),
        ("dora", pl.Categorical),
        ("flags", pl.List(pl.Categorical)),
        ("honba", pl.Float64),
    ],
)
def test_the_types_of_polars(name: str, kind: Any) -> None:
    frame = pl.DataFrame(table())
    wanted = Scorer("riichi")(frame)
    assert Scorer("riichi")(frame.with_columns(pl.col(name).cast(kind))).equals(wanted)


def test_lists_of_one_length_and_runs() -> None:
    given = pa.table({key: [RECORDS[1].get(key)] * 3 for key in RECORDS[1]})
    wanted = Scorer("riichi")(given)
    fixed = given.set_column(4, "flags", given["flags"].cast(pa.list_(pa.string(), 2)))
    assert Scorer("riichi")(fixed).equals(wanted)
    runs = pa.chunked_array([pa.compute.run_end_encode(given["round"].combine_chunks())])
    assert Scorer("riichi")(given.set_column(3, "round", runs)).equals(wanted)


def text_of(*values: bytes) -> pa.Array:
    """A column of text that nobody looked at: its bytes may be anything."""
    return pa.Array.from_buffers(pa.string(), len(values), [None, *pa.array(values, pa.binary()).buffers()[1:]])


@pytest.mark.parametrize("column", ["hand", "by", "flags", "dora"])
def test_bytes_that_are_no_text_spoil_one_row(column: str) -> None:
    given = {"hand": ["123m456p78s11222z +9s"] * 2, "by": ["discard"] * 2, "seat": ["S"] * 2, "round": ["E"] * 2}
    good = {"hand": b"123m456p78s11222z +9s", "by": b"discard", "flags": b"riichi", "dora": b"1m"}[column]
    found = Scorer("riichi")(pa.table({**given, column: text_of(good, b"\xff\xfe")}))["error"].to_pylist()
    assert found == [None, "bad_text" if column in ("hand", "dora") else "bad_value"]


def test_counters_as_fractions() -> None:
    given = {"hand": ["123m456p78s11222z +9s"] * 4, "by": ["discard"] * 4, "seat": ["S"] * 4, "round": ["E"] * 4}
    found = Scorer("riichi")(pa.table({**given, "honba": [2.0, None, 2.5, float("nan")], "from": ["E"] * 4}))
    assert found["error"].to_pylist() == [None, None, "bad_value", "bad_value"]
    assert found["pay_S"].to_pylist()[0] == found["pay_S"].to_pylist()[1] + 600


def test_a_column_twice_is_refused() -> None:
    one = table()
    twice = pa.Table.from_arrays([*one.columns, one["by"]], names=[*one.column_names, "by"])
    with pytest.raises(TypeError, match="2 of 'by'"):
        Scorer("riichi")(twice)
