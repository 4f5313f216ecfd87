"""Grouping of columns: types of Arrow, nulls, slices, several batches, streams, conditions, pandas, Polars, Parquet."""

import collections
import datetime
import decimal
import math
import pickle

import numpy
import pytest

import duomap

pa = pytest.importorskip("pyarrow")
pa.compute = pytest.importorskip("pyarrow.compute")
from arrow_tables import DAY, KEYS, MOMENT, VALUES, WORDS, drawn, in_chunks, plain  # noqa: E402  # after importorskip


def groups_of(table, by, value):
    groups = collections.defaultdict(list)
    for row in table.select([*by, value]).to_pylist():
        cells = [DAY if isinstance(row[one], datetime.datetime) and table.schema.field(one).type == pa.date64() else plain(row[one]) for one in by]
        groups[tuple(cells)].append(row[value])
    return groups


def check(found, table, by, value):
    """Compares count, sum, min, max, mean and the number of rows of each group with Python's own."""
    expected = groups_of(table, by, value)
    rows = found.rows()
    assert len(rows) == len(expected)
    for row in rows:
        key = tuple(plain(one) for one in row[: len(by)])
        key = tuple(one.date() if isinstance(one, datetime.datetime) and table.schema.field(name).type == pa.date64() else one
                    for name, one in zip(by, key))
        values = expected.pop(key)
        there = [float(one) if isinstance(one, (decimal.Decimal, numpy.floating)) else one for one in values if one is not None]
        size, count, total, least, greatest, mean = row[len(by) :]
        assert (size, count) == (len(values), len(there))
        if not there:
            assert all(math.isnan(one) for one in (total, least, greatest, mean))
            continue
        assert (least, greatest) == (min(there), max(there))
        assert total == pytest.approx(sum(there), rel=1e-9) and mean == pytest.approx(sum(there) / len(there), rel=1e-9)
    assert not expected


ALL = ["count", "sum", "min", "max", "mean"]


@pytest.mark.parametrize(("kind", "choice"), KEYS, ids=lambda one: str(one) if isinstance(one, pa.DataType) else "")
def test_keys(random, kind, choice):
    table = pa.table({"k": drawn(random, kind, choice, 3000), "v": drawn(random, pa.int64(), [1, 2, -5], 3000),
                      "l": drawn(random, pa.string(), WORDS, 3000)})
    for rows in (table, in_chunks(random, table), table[:0], table[7:8]):
        for by in (["k"], ["k", "l"], ["l", "k"], ["k", "l", "k"]):
            check(duomap.aggregate(rows, by, {"v": ALL}, count=True), rows, by, "v")


@pytest.mark.parametrize(("kind", "choice"), VALUES, ids=lambda one: str(one) if isinstance(one, pa.DataType) else "")
def test_values(random, kind, choice):
    table = pa.table({"k": drawn(random, pa.string(), WORDS, 3000), "v": drawn(random, kind, choice, 3000)})
    for rows in (table, in_chunks(random, table), table[:0]):
        check(duomap.aggregate(rows, "k", {"v": ALL}, count=True), rows, ["k"], "v")


def test_keys_keep_their_types():
    table = pa.table({"i": pa.array([1, 1], pa.int8()), "u": pa.array([2**64 - 1] * 2, pa.uint64()), "b": [True, True], "d": [DAY, DAY],
                      "t": pa.array([MOMENT] * 2, pa.timestamp("us", "UTC")), "s": ["x", "x"]})
    found = duomap.aggregate(table, table.column_names)
    assert found["i"].dtype == numpy.int64 and found["u"].dtype == numpy.uint64 and found["b"].dtype == bool
    assert found["d"].dtype == "datetime64[D]" and found["t"].dtype == "datetime64[us]" and found["s"] == ["x"]
    assert found.rows() == [(1, 2**64 - 1, True, numpy.datetime64(DAY), numpy.datetime64(MOMENT, "us"), "x", 2)] == list(found)
    again = pa.table(found)
    assert [again.schema.field(name).type for name in "budts"] == [pa.bool_(), pa.uint64(), pa.date32(), pa.timestamp("us", "UTC"), pa.large_string()]
    assert again.column("d").to_pylist() == [DAY] and again.column("b").to_pylist() == [True]


def test_missing_keys():
    table = pa.table({"s": ["x", None, ""], "i": [None, 1, 1], "b": [None, True, False], "d": [None, DAY, DAY], "n": pa.nulls(3)})
    for name, expected in {"s": ["", None, "x"], "i": [1, None], "b": [False, None, True], "d": [DAY, None], "n": [None]}.items():
        found = duomap.aggregate(table, name)
        assert sorted((plain(one[0]) for one in found.rows()), key=str) == sorted(expected, key=str)
        for one in (found, pickle.loads(pickle.dumps(found)), found.sorted(name, descending=True)):
            assert sorted(pa.table(one).column(name).to_pylist(), key=str) == sorted(expected, key=str)
        assert found.sorted(name).rows()[-1][0] is None and found.sorted(name, descending=True).rows()[-1][0] is None
    assert isinstance(duomap.aggregate(table, "i")["i"], list) and sorted(duomap.aggregate(table, "i")["i"], key=str) == [1, None]
    assert numpy.isnat(duomap.aggregate(table, "d")["d"]).sum() == 1
    assert "None" in repr(duomap.aggregate(table, "s"))


def test_dictionaries_with_equal_and_missing_texts(random):
    words = pa.array(["a", "b", None, "a", ""])
    for rows in (3, 5000):
        places = pa.array(random.integers(0, 5, rows), pa.int8(), mask=random.random(rows) < 0.1)
        keys = pa.DictionaryArray.from_arrays(places, words)
        values = {"v": drawn(random, pa.int64(), [-(2**40), 2**40, 3], rows), "f": drawn(random, pa.float32(), [0.5, -2.0], rows)}
        table = pa.table({"k": keys, **values})
        plain_keys = pa.table({"k": pa.array([None if place is None else words[place].as_py() for place in places.to_pylist()]), **values})
        for column in "vf":
            check(duomap.aggregate(table, "k", {column: ALL}, count=True), plain_keys, ["k"], column)
        check(duomap.aggregate(table, "k", {"v": ALL}, count=True, where="f < 0"), plain_keys.filter(pa.compute.less(plain_keys["f"], 0)), ["k"], "v")


def test_numbers_that_are_none():
    nan = pa.table({"k": ["a"] * 3, "v": pa.array([1.0, -math.nan, None])})
    count, least, greatest = duomap.aggregate(nan, "k", {"v": ["count", "min", "max"]}).rows()[0][1:]
    assert (count, least) == (2, 1.0) and math.isnan(greatest)
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"k": ["a"] * 3, "v": [1.0, math.nan, None]})
    assert duomap.aggregate(frame, "k", {"v": ["count", "max"]}).rows() == [("a", 1, 1.0)]


def test_exact_sums_and_overflow():
    large = pa.table({"k": ["a", "a", "a"], "v": [2**63 - 1, 2**63 - 1, -(2**63 - 1)]})
    assert duomap.aggregate(large, "k", {"v": ["sum", "min", "max"]}).rows() == [("a", 2**63 - 1, -(2**63 - 1), 2**63 - 1)]
    assert duomap.aggregate(large[:2], "k", {"v": "sum"}).rows() == [("a", 2.0**64)]
    wide = pa.table({"k": ["a"] * 5, "v": pa.array([1, 2, 3, 2**63, None], pa.uint64())})
    with pytest.raises(duomap.InputError, match="row 3, counted from 0: the number in column 'v' is beyond 64 bits"):
        duomap.aggregate(wide, "k", {"v": "sum"})
    assert duomap.aggregate(wide, "k", {"v": "sum"}, where="v < 9").rows() == [("a", 6)]
    digits = pa.table({"k": ["a"] * 2, "v": pa.array([decimal.Decimal(10) ** 20, 1], pa.decimal128(38, 2))})
    with pytest.raises(duomap.InputError, match="row 0"):
        duomap.aggregate(digits, "k", {"v": "sum"})


CONDITIONS = {
    "i > 2": lambda r: r["i"] is not None and r["i"] > 2,
    "i >= 2.5 and f < 1e2": lambda r: r["i"] is not None and r["f"] is not None and r["i"] >= 2.5 and r["f"] < 100,
    "s = 'b' or s is null": lambda r: r["s"] in ("b", None),
    "s >= 'a' and (i != 3 or f is not null)": lambda r: r["s"] is not None and r["s"] >= "a" and ((r["i"] is not None and r["i"] != 3) or r["f"] is not None),
    "d <= 1.10": lambda r: r["d"] is not None and r["d"] <= decimal.Decimal("1.10"),
    "d = 1.1 and c = 'y'": lambda r: r["d"] == decimal.Decimal("1.1") and r["c"] == "y",
    "n = 'x'": lambda r: False,
    "i in (1, 2.5, 4, -300)": lambda r: r["i"] in (1, 4, -300),
    "i not in (1, 4) and d in (1, 1.10)": lambda r: r["i"] not in (1, 4, None) and r["d"] in (1, decimal.Decimal("1.1")),
    "not (i > 2 or s = 'b')": lambda r: r["i"] is not None and r["s"] is not None and r["i"] <= 2 and r["s"] != "b",
    "not (i > 2 and s = 'b')": lambda r: (r["i"] is not None and r["i"] <= 2) or (r["s"] is not None and r["s"] != "b"),
    "f not between -3 and 2 or c in ('y', 'z')": lambda r: r["c"] == "y" or (r["f"] is not None and not -3 <= r["f"] <= 2),
    "s like 'b%' or not s like '%'": lambda r: r["s"] is not None and r["s"].startswith("b"),
    "c not like '_' or s not in ('a', 'b')": lambda r: r["s"] in ("", "ba"),
    "n is null and 1 > 0": lambda r: r["i"] is not None and r["i"] > 0,
}


@pytest.mark.parametrize("condition", CONDITIONS)
def test_conditions(random, condition):
    table = pa.table({
        "i": drawn(random, pa.int16(), [0, 1, 2, 3, 4, -300], 2000), "s": drawn(random, pa.string_view(), ["a", "b", "", "ba"], 2000),
        "f": drawn(random, pa.float64(), [1.5, -3.0, 1e5], 2000), "d": pa.array([decimal.Decimal(int(one)) / 10 for one in random.integers(9, 13, 2000)]),
        "c": drawn(random, pa.dictionary(pa.int32(), pa.string()), ["x", "y"], 2000), "n": pa.nulls(2000), "v": list(range(2000))})
    kept = [row for row in table.to_pylist() if CONDITIONS[condition](row)]
    expected = pa.Table.from_pylist(kept, table.schema)
    check(duomap.aggregate(in_chunks(random, table), "c", {"v": ALL}, where=condition, count=True), expected, ["c"], "v")


def test_sources(random, tmp_path):
    table = pa.table({"unread": [[1]] * 500, "k": drawn(random, pa.string(), WORDS, 500), "v": drawn(random, pa.float64(), [1.0, 2.0], 500)})
    expected = sorted(duomap.aggregate(table, "k", {"v": "sum"}).rows(), key=str)
    batches = table.to_batches(max_chunksize=77)

    def agree(source):
        assert sorted(duomap.aggregate(source, "k", {"v": "sum"}).rows(), key=str) == expected

    agree(pa.RecordBatchReader.from_batches(table.schema, batches))
    agree(batches)
    agree(batch for batch in batches)
    agree([table[:100], table[100:].select(["v", "k"]), batches[0][:0]])
    dataset = pytest.importorskip("pyarrow.dataset")
    agree(dataset.dataset(batches).scanner(columns=["k", "v"]))
    agree(dataset.dataset(batches))
    pa.parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "t.parquet"
    pa.parquet.write_table(table, path, row_group_size=99)
    agree(path)
    agree(str(path))
    agree([path])
    folder = tmp_path / "folder.parquet"
    folder.mkdir()
    for i in range(2):
        pa.parquet.write_table(table[i * 250 : (i + 1) * 250], folder / f"{i}.parquet")
    agree(folder)
    assert sorted(duomap.aggregate(path, by=2, agg={3: "sum"}).rows(), key=str) == expected
    pa.parquet.write_table(table[:0], path)
    assert duomap.aggregate(path, "k").rows() == []
    polars = pytest.importorskip("polars")
    agree(polars.from_arrow(table))
    pandas = pytest.importorskip("pandas")
    agree(table.select(["k", "v"]).to_pandas())
    agree(table.to_pandas().astype({"k": pandas.CategoricalDtype(WORDS)}))
    agree(table.to_pandas(types_mapper=pandas.ArrowDtype))
    duckdb = pytest.importorskip("duckdb")
    agree(duckdb.from_arrow(table))


def test_many_batches_are_not_held():
    """Long keys, so that their bytes must not add up either."""
    alive = []

    def batches():
        for i in range(40):
            keys = pa.array([f"a key of more than fifteen bytes {j % 5000}" for j in range(200_000)])
            alive.append(pa.total_allocated_bytes())
            yield pa.record_batch({"k": keys, "v": pa.array(numpy.full(len(keys), i))})

    found = duomap.aggregate(batches(), "k", {"v": ["sum", "max"]})
    assert len(found) == 5000 and set(found["sum(v)"].tolist()) == {40 * sum(range(40))} and set(found["max(v)"].tolist()) == {39}
    assert max(alive) - alive[0] < 150 << 20
    assert found.report.as_dict()["units"] == 40 * 200_000


def test_streams_that_fail():
    schema = pa.schema({"k": pa.string()})
    batch = pa.record_batch({"k": ["a"]})

    def batches():
        yield batch
        raise RuntimeError("half way")

    with pytest.raises(RuntimeError, match="half way"):
        duomap.aggregate(batches(), "k")
    with pytest.raises(duomap.InputError, match="the Arrow stream cannot be read: .*half way"):
        duomap.aggregate(pa.RecordBatchReader.from_batches(schema, batches()), "k")
    with pytest.raises(duomap.UsageError, match="different types"):
        duomap.aggregate([batch, pa.record_batch({"k": [1]})], "k")
    with pytest.raises(duomap.UsageError, match="no column 'k'; it has 1: z"):
        duomap.aggregate([batch, pa.record_batch({"z": ["a"]})], "k")
    with pytest.raises(duomap.UsageError, match="among tables of columns"):
        duomap.aggregate([batch, b"k\na\n"], "k")


TABLE = pa.table({"k": ["a"], "v": [1], "f": [1.0], "w": ["b"], "d": [DAY], "l": [[1]], "b": [True],
                  "x": pa.array([1], pa.decimal128(38, 20)), "c": pa.array([1]).dictionary_encode()})


@pytest.mark.parametrize(("arguments", "options", "problem"), [
    (("nope",), {}, "the table has no column 'nope'; it has 9: k, v, f, w, d, l, b, x, c"),
    ((10,), {}, "no column '10'"),
    (("f",), {}, "'f' has the type double, which is no key"),
    (("l",), {}, "'l' has the type '\\+l' of Arrow, which is no key"),
    (("c",), {}, "'c' has the type dictionary of int64, which is no key"),
    (("x",), {}, "'x' has the type decimal.*, which is no key"),
    (("k", {"w": "sum"}), {}, "'w' has the type string, which has no numbers"),
    (("k", {"b": "sum"}), {}, "'b' has the type bool, which has no numbers"),
    (("k", {"d": "min"}), {}, "'d' has the type date32, which has no numbers"),
    (("k", {"x": "min"}), {}, "at most 18 digits"),
    (("k",), {"where": "w > 1"}, "compares it with a number"),
    (("k",), {"where": "v = 'x'"}, "compares it with a text"),
    (("k",), {"where": "d > 1"}, "no condition compares"),
    (("k",), {"where": "l is null"}, "not read here"),
    (("k",), {"where": "x > 1"}, "at most 18 digits"),
    (("k", {"f": "sum"}), {"deterministic": True}, "column 'f'"),
    (("k",), {"types": {"v": "real"}}, "types is for text"),
    (("k",), {"input_format": "jsonl"}, "input_format is for text"),
    (("k", {"w": "median"}), {}, "'w' has the type string, which has no numbers"),
    (("k", {"d": "median"}), {}, "'d' has the type date32, which has no numbers"),
    (("k", {"l": "distinct"}), {}, "'l' has the type '\\+l' of Arrow, which is not read here"),
    (("k", {"x": "mode"}), {}, "at most 18 digits"),
    (("k",), {"delimiter": ";"}, "delimiter is for"),
    (("k",), {"quote": None}, "quote is for"),
    (("k",), {"header": False}, "header is for"),
    (("k",), {"bad_rows": "drop"}, "bad_rows is for"),
])
def test_wrong_use(arguments, options, problem):
    with pytest.raises(duomap.UsageError, match=problem):
        duomap.aggregate(TABLE, *arguments, **options)


def test_wrong_sources(tmp_path):
    with pytest.raises(duomap.UsageError, match="several columns called 'k'"):
        duomap.aggregate(pa.Table.from_arrays([pa.array([1]), pa.array([2])], ["k", "k"]), "k")
    with pytest.raises(duomap.UsageError, match="one column of Arrow"):
        duomap.aggregate(pa.array(["k"]), "k")
    pandas = pytest.importorskip("pandas")
    with pytest.raises(duomap.UsageError, match="no columns of the DataFrame.*k"):
        duomap.aggregate(pandas.DataFrame({"k": ["a", 1]}), "k")
    for path in (tmp_path / "none.parquet", tmp_path / "bad.parquet"):
        if path.name == "bad.parquet":
            path.write_bytes(b"no Parquet at all")
        with pytest.raises(duomap.InputError, match=f"{path.name}' cannot be read as Parquet"):
            duomap.aggregate(path, "k")
    with pytest.raises(duomap.DeviceUnavailable):
        duomap.aggregate(TABLE, "k", device="gpu")
