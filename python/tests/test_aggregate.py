"""Grouping of table rows: compared with pandas, column types, missing values, bad rows."""

import gzip

import numpy
import pytest

import duomap

TABLE = b"station,temp,qty\nHam,12.5,3\nBer,-1.25,4\nHam,,5\nBer,3,-9\n"


def rows(table):
    return sorted(table.rows())


def test_counts_and_sums(tmp_path):
    assert rows(duomap.aggregate(TABLE, by="station")) == [("Ber", 2), ("Ham", 2)]
    found = duomap.aggregate(TABLE, "station", {"temp": ["sum", "mean", "count"], "qty": "sum"}, count=True)
    assert found.columns == ["station", "count", "sum(temp)", "mean(temp)", "count(temp)", "sum(qty)"]
    assert rows(found) == [("Ber", 2, 1.75, 0.875, 2, -5), ("Ham", 2, 12.5, 12.5, 1, 8)]
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(TABLE))
    assert rows(duomap.aggregate(path, by=[1], agg={3: "max"}, header=True)) == [("Ber", 4), ("Ham", 5)]
    assert rows(duomap.aggregate(b"a;1\na;2\n", by=1, agg={2: "sum"}, delimiter=";", threads=2)) == [("a", 3)]


def test_types_of_columns():
    found = duomap.aggregate(b"k,v\na,\nb,1\n", "k", {"v": ["sum", "count"]})
    values = dict(zip(found["k"], zip(found["sum(v)"].tolist(), found["count(v)"].tolist())))
    assert found["sum(v)"].dtype == numpy.float64 and numpy.isnan(values["a"][0]) and values["b"] == (1.0, 1)
    assert duomap.aggregate(b"k,v\nb,1\n", "k", {"v": "sum"})["sum(v)"].dtype == numpy.int64
    assert rows(duomap.aggregate(b"k,0.1\n" * 30, 1, {2: "sum"}))[0][1] == 3.0
    assert rows(duomap.aggregate(b"k,0.1\n" * 3, 1, {2: "sum"}, types={2: "real"}))[0][1] == 0.1 + 0.1 + 0.1
    assert rows(duomap.aggregate(TABLE, "station", where="temp > -2 and qty != 5")) == [("Ber", 2), ("Ham", 1)]
    large = duomap.aggregate(b"k,9223372036854775807\nk,1\nj,5\n", 1, {2: ["sum", "mean"]})
    assert large["sum(2)"].dtype == numpy.float64 and rows(large) == [("j", 5.0, 5.0), ("k", 2.0**63, 2.0**62)]


def test_against_pandas():
    pandas = pytest.importorskip("pandas")
    random = numpy.random.default_rng(1)
    frame = pandas.DataFrame({"a": random.choice(["x", "y,z", 'q"', ""], 5000), "b": random.integers(0, 50, 5000),
                              "v": random.integers(-1000, 1000, 5000) / 100, "w": random.integers(-10**12, 10**12, 5000)})
    found = duomap.aggregate(frame.to_csv(index=False).encode(), ["a", "b"], {"v": ["sum", "min"], "w": ["max", "mean"]}, count=True)
    expected = frame.groupby(["a", "b"]).agg(n=("v", "size"), s=("v", "sum"), m=("v", "min"), x=("w", "max"), y=("w", "mean"))
    assert len(found) == len(expected)
    for a, b, n, s, m, x, y in found.rows():
        right = expected.loc[a, int(b)]
        assert (n, m, x) == (right.n, right.m, right.x)
        assert s == pytest.approx(right.s, abs=1e-9) and y == pytest.approx(right.y, rel=1e-12, abs=1e-3)


def test_functions_of_keys():
    text = b"at,ip,x\n2024-05-06T07:08:09,10.1.2.3,0.3\n2024-05-07,10.1.9.9,-0.1\n,10.1.2.4,12\n"
    found = duomap.aggregate(text, ["month(at)", "prefix(ip, 24)"], {"x": "sum"})
    assert found.columns == ["month(at)", "prefix(ip, 24)", "sum(x)"]
    assert rows(found) == [("", "10.1.2.0/24", 12.0), ("2024-05", "10.1.2.0/24", 0.3), ("2024-05", "10.1.9.0/24", -0.1)]
    assert rows(duomap.aggregate(text, "floor(x, 0.1)")) == [("-0.1", 1), ("0.3", 1), ("12.0", 1)]
    with pytest.raises(duomap.InputError, match=r"line 2: day\(ip\) cannot read '10.1.2.3'"):
        duomap.aggregate(text, "day(ip)")
    with pytest.raises(duomap.UsageError, match=r"write it as left\(name, 3\)"):
        duomap.aggregate(text, "left(ip)")
    pyarrow = pytest.importorskip("pyarrow")
    with pytest.raises(duomap.UsageError, match="functions make keys of text only"):
        duomap.aggregate(pyarrow.table({"at": ["2024-05-06"]}), "day(at)")


def test_approximate_aggregates():
    text = b"k,v,w\n" + b"".join(b"%d,%d,id%d\n" % (i % 2, i % 1000, i) for i in range(20_000))
    found = duomap.aggregate(text, "k", {"w": "approx_distinct", "v": ["approx_quantile(0.25)", "quantile(0.25)"]}, threads=2)
    assert found.columns == ["k", "approx_distinct(w)", "approx_quantile(v,0.25)", "quantile(v,0.25)"]
    assert found["approx_distinct(w)"].dtype == numpy.int64
    for _, distinct, about, right in rows(found):
        assert distinct == pytest.approx(10_000, rel=5 * 0.0163) and about == pytest.approx(right, rel=0.01)
    assert rows(duomap.aggregate(b"k,v\na,\n", "k", {"v": "approx_distinct"})) == [("a", 0)]
    with pytest.raises(duomap.UsageError, match="approx_quantile"):
        duomap.aggregate(text, "k", {"v": "approx_quantile"})
    pyarrow = pytest.importorskip("pyarrow")
    with pytest.raises(duomap.UsageError, match=r"approx_distinct\(v\) is found in text only"):
        duomap.aggregate(pyarrow.table({"k": ["a"], "v": [1]}), "k", {"v": "approx_distinct"})


def test_json_lines(tmp_path):
    text = b'{"k":"a","n":{"v":1.5,"w":null}}\n{"n":{"v":2},"k":"\\u00e4"}\n\n{"k":"a","n":{"v":-4,"w":7}}\n'
    assert rows(duomap.aggregate(text, "k", {"n.v": "sum", "n.w": ["count", "max"]})) == [("a", -2.5, 1, 7), ("\u00e4", 2, 0, pytest.approx(numpy.nan, nan_ok=True))]
    path = tmp_path / "t.jsonl.gz"
    path.write_bytes(gzip.compress(text))
    assert rows(duomap.aggregate(path, "k", where="n.w is null", input_format="jsonl")) == [("a", 1), ("\u00e4", 1)]
    assert rows(duomap.aggregate(b"{x;1}\n{x;2}\n", 1, input_format="delimited", header=False)) == [("{x", 2)]
    with pytest.raises(duomap.InputError, match="line 2: it is no JSON object: there is no value, at byte 6 of the line"):
        duomap.aggregate(b'{"k":1}\n{"k":}\n', "k")
    with pytest.raises(duomap.UsageError, match="no row with the member 'x'; its first row has: k, n"):
        duomap.aggregate(text, "x")


def test_forms_of_text():
    lined = b'k,v\n"a\nb",1\nc,2\n"a\nb",3\n'
    for quoted_lines in (None, True):
        found = duomap.aggregate(lined, "k", {"v": "sum"}, quoted_lines=quoted_lines)
        assert rows(found) == [("a\nb", 4), ("c", 2)]
    assert rows(duomap.aggregate(lined, "k", where="k = 'a\nb'")) == [("a\nb", 2)]
    with pytest.raises(duomap.InputError, match="odd number of quotes"):
        duomap.aggregate(lined, "k", {"v": "sum"}, quoted_lines=False)
    assert rows(duomap.aggregate(b"k,v\ra,1\ra,2\r", "k", {"v": "sum"})) == [("a", 3)]
    text = b"#\n# x\nk;v\na;1,5\n#a;7\na;NA\nNA;-2,25\n"
    assert rows(duomap.aggregate(text, "k", {"v": ["sum", "count"]}, comment="#", decimal_comma=True, null=["NA", "-"])) == [("", -2.25, 1), ("a", 1.5, 1)]
    assert rows(duomap.aggregate(b"sep=|\nk|v\na,b|1\n", "k", {"v": "sum"})) == [("a,b", 1)]
    assert rows(duomap.aggregate(b'{"k":"a\\nb"}\n', "k")) == [("a\nb", 1)]
    for options, problem in (({"comment": ","}, "same character"), ({"null": ["x"] * 9}, "at most 8 words"), ({"null": [1]}, "null is 1"), ({"quoted_lines": "x"}, "quoted_lines")):
        with pytest.raises(duomap.UsageError, match=problem):
            duomap.aggregate(b"k,v\na,1\n", "k", delimiter=",", **options)


def test_logs():
    log = b'192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a?x=1 HTTP/1.1" 200 23\n::1 - - [11/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 404 -\n'
    assert rows(duomap.aggregate(log, "path", {"bytes": ["sum", "count"]}, input_format="combined")) == [("/a", 23, 1)]
    assert rows(duomap.aggregate(log, ["host", "day(time)"], where="status >= 400", input_format="common")) == [("::1", "2000-10-11", 1)]
    with pytest.raises(duomap.UsageError, match="a log has no column 'x'"):
        duomap.aggregate(log, "x", input_format="combined")


def test_different_values():
    table = b"k,v,w\na,1,x\na,2,x\na,2.0,y\nb,5,\nc,,z\nc,,z\n"
    found = duomap.aggregate(table, "k", {"v": ["distinct", "median", "quantile(0.9)", "mode", "var", "std", "sum"]})
    assert found.columns == ["k", "distinct(v)", "median(v)", "quantile(v,0.9)", "mode(v)", "var(v)", "std(v)", "sum(v)"]
    values = dict(zip(found["k"], zip(*(found[name].tolist() for name in found.columns[1:]))))
    assert values["a"] == (2, 2.0, 2.0, 2.0, pytest.approx(1 / 3, rel=1e-15), pytest.approx(3**-0.5, rel=1e-15), 5.0)
    assert values["b"][:4] == (1, 5.0, 5.0, 5.0) and numpy.isnan(values["b"][4:6]).all()
    assert values["c"][0] == 0 and numpy.isnan(values["c"][1:]).all()
    assert found["distinct(v)"].dtype == numpy.int64 and found["median(v)"].dtype == numpy.float64
    several = duomap.aggregate(table, "k", {"w": ["distinct", "mode"], "v": ["median", "count"]})
    assert several.columns == ["k", "distinct(w)", "mode(w)", "median(v)", "count(v)"]
    assert rows(several) == [("a", 2, "x", 2.0, 3), ("b", 0, "", 5.0, 1), ("c", 1, "z", pytest.approx(numpy.nan, nan_ok=True), 0)]
    assert any("the input was read 2 times" in note for note in several.report.as_dict()["notes"])
    assert duomap.aggregate(b"k,v\na,1\na,3\n", "k", {"v": ["mode", "median"]})["mode(v)"].dtype == numpy.int64
    texts = duomap.aggregate(table, "k", {"w": ["distinct", "mode"], "v": "count"})
    assert rows(texts) == [("a", 2, "x", 3), ("b", 0, "", 1), ("c", 1, "z", 0)]


def test_different_values_against_pandas():
    pandas = pytest.importorskip("pandas")
    random = numpy.random.default_rng(2)
    frame = pandas.DataFrame({"a": random.choice(["x", "y,z", ""], 5000), "b": random.integers(0, 20, 5000),
                              "v": 10**9 + random.integers(-1000, 1000, 5000) / 100, "w": random.integers(0, 50, 5000)})
    found = duomap.aggregate(frame.to_csv(index=False).encode(), ["a", "b"],
                             {"v": ["distinct", "median", "quantile(0.05)", "var", "std"], "w": "sum"}, threads=2)
    groups = frame.groupby(["a", "b"])
    assert len(found) == len(groups)
    for a, b, distinct, median, low, variance, deviation, total in found.rows():
        right = groups.get_group((a, int(b)))
        assert (distinct, total) == (right.v.nunique(), right.w.sum())
        assert median == pytest.approx(right.v.median(), rel=1e-15) and low == pytest.approx(right.v.quantile(0.05), rel=1e-15)
        shifted = right.v - 10**9  # loses digits of v, so the variance is only as good as these
        assert variance == pytest.approx(shifted.var(), rel=1e-6) and deviation == pytest.approx(shifted.std(), rel=1e-6)


def test_bad_rows():
    with pytest.raises(duomap.InputError, match="line 3: column 'v' is 'x', which is no number; 1 row like this; bad_rows='drop'"):
        duomap.aggregate(b"k,v\na,1\na,x\n", "k", {"v": "sum"})
    found = duomap.aggregate(b"k,v\na,1\na,x\n", "k", {"v": "sum"}, bad_rows="drop")
    assert rows(found) == [("a", 1)] and found.report.as_dict()["figures"]["bad_rows"] == 1


@pytest.mark.parametrize(("arguments", "options", "problem"), [
    (("nope",), {}, "has no column 'nope'"),
    (("k", {"v": "product"}), {}, "'std', .* not 'product'"),
    (("k", {"v": "quantile(2)"}), {}, "the fraction of a quantile is '2'"),
    (("k", {"v": "quantile"}), {}, "not 'quantile'"),
    (("k", {"v": "rows"}), {}, "not 'rows'"),
    (("k", {"v": 1}), {}, "is not iterable|names of aggregates"),
    (("k", {}), {"count": False}, "nothing to find"),
    ((True,), {}, "names of columns"),
    (("k", {"v": "sum"}), {"types": {"v": "float"}}, "no type of numbers"),
    (("k",), {"where": "v > 'x"}, "in the place of"),
    (("k",), {"where": " "}, "where is empty"),
    (("k",), {"where": 1}, "give a str"),
    (("k",), {"delimiter": "ab"}, "one ASCII character"),
    (("k",), {"bad_rows": "skip"}, "bad_rows is"),
    (("k",), {"input_format": "json"}, "input_format is"),
    (("k",), {"input_format": "jsonl", "header": True}, "--header is for delimited text"),
])
def test_wrong_use(arguments, options, problem):
    with pytest.raises((duomap.UsageError, TypeError), match=problem):
        duomap.aggregate(b"k,v\na,1\n", *arguments, **options)


def test_values_of_picked_rows(tmp_path):
    text = b'k,name,price,qty\na,x,3,1\na,"y ""q""",5,2\nb,,9,3\na,z,5,4\nb,w,2,\nb,v,,7\n'
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(text))
    for table in (text, path):
        found = duomap.aggregate(table, "k", {"name": ["first", "last", "any", "argmin(price)", "argmax(price,2)"], "qty": ["first", "argmax(price)"]})
        assert found.columns == ["k", "first(name)", "last(name)", "any(name)", "argmin(name,price)", "argmax(name,price,1)",
                                 "argmax(name,price,2)", "first(qty)", "argmax(qty,price)"]
        assert rows(found) == [("a", "x", "z", "x", "x", 'y "q"', "z", 1, 2), ("b", "", "v", "w", "w", "w", "", 3, 3)]
        assert found["argmax(qty,price)"].dtype == numpy.int64
    missing = duomap.aggregate(text, "k", {"qty": ["last", "argmin(price)"]})
    assert missing["argmin(qty,price)"].dtype == numpy.int64 and sorted(missing["last(qty)"].tolist()) == [4, 7]
    assert numpy.isnan(duomap.aggregate(b"k,v\na,\n", "k", {"v": "first"}, types={"v": "integer"})["first(v)"]).all()


@pytest.mark.parametrize("agg, problem", (
    ({"v": "argmax"}, r"'argmax\(price\)'"),
    ({"v": "argmax()"}, "lacks a column"),
    ({"v": "argmax(w,17)"}, "give 1 to 16"),
    ({"v": "argmin(nope)"}, "has no column 'nope'"),
    ({"v": "first(w)"}, "an aggregate is"),
))
def test_wrong_picks(agg, problem):
    with pytest.raises(duomap.UsageError, match=problem):
        duomap.aggregate(b"k,v,w\na,1,2\n", "k", agg)


def test_picks_of_what_cannot_be_read_again():
    pyarrow = pytest.importorskip("pyarrow")
    with pytest.raises(duomap.UsageError, match=r"first\(v\) is found in tables of text only"):
        duomap.aggregate(pyarrow.table({"k": ["a"], "v": [1]}), "k", {"v": "first"})
