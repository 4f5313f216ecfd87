"""Tables, and their exchange with other libraries."""

import html
import json
import re

import numpy
import pytest

import duomap

TEXT = b"b b b a a c d d d caf\xc3\xa9"


@pytest.fixture
def table():
    return duomap.wordcount(TEXT)


def test_rows_and_orders(table):
    assert len(table) == 5
    assert table.columns == ["word", "count"]
    assert table.sorted().rows() == [("a", 2), ("b", 3), ("c", 1), ("café", 1), ("d", 3)]
    assert table.top(3).rows() == [("b", 3), ("d", 3), ("a", 2)]
    assert table.top(99).rows() == table.sorted("count", descending=True).rows()
    assert list(table) == table.rows()
    assert table.top(0).rows() == []


def test_an_order_of_many_rows(random):
    words = [b"w%d" % number for number in random.zipf(1.5, 50_000) if number < 10**9]
    table = duomap.wordcount(b" ".join(words))
    expected = sorted(table.rows(), key=lambda row: (-row[1], row[0].encode()))
    assert table.top(len(table)).rows() == expected
    assert table.top(10).rows() == expected[:10]


def test_a_column_of_numbers_is_the_tables_own_memory(table):
    counts = table["count"]
    assert counts.dtype == numpy.uint64
    assert not counts.flags.writeable
    assert counts.ctypes.data == table["count"].ctypes.data
    del table
    assert sorted(counts.tolist()) == [1, 1, 2, 3, 3]


def test_to_numpy(table):
    columns = table.sorted().to_numpy()
    assert columns["word"].tolist() == ["a", "b", "c", "café", "d"]
    assert columns["count"].tolist() == [2, 3, 1, 1, 3]


def test_bytes_that_are_no_utf8_come_back():
    ((word, count),) = duomap.wordcount(b"\xff\xfe").rows()
    assert (word.encode(errors="surrogateescape"), count) == (b"\xff\xfe", 1)


def test_a_column_that_is_not_there(table):
    with pytest.raises(duomap.UsageError, match="word, count"):
        table["words"]


def test_the_report(table):
    fields = table.report.as_dict()
    assert fields["task"] == "wordcount"
    assert fields["results"] == 5
    assert fields["units"] == len(TEXT)
    assert "cpu" in table.report.explain()
    assert table.explain().splitlines()[0] == table.report.explain().splitlines()[0]


def test_a_report_is_a_page(book):
    path, text = book
    for timeline in (False, True):
        report = duomap.wordcount(str(path), timeline=timeline).report
        page = report.to_html()
        data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.S)[1])
        assert data["summary"]["units"] == len(text)
        assert data["command"] == "duomap in Python: wordcount"
        assert (sum(len(lane["spans"]) for lane in data["timeline"]["lanes"]) > 0) == timeline
        # A notebook shows the page in a sandboxed frame, which cannot reach the notebook.
        frame = report._repr_html_()
        assert frame.startswith("<iframe ") and 'sandbox="allow-scripts"' in frame
        assert frame.count("<") == 2
        shown = html.unescape(re.search(r'srcdoc="([^"]*)"', frame)[1])
        assert json.loads(re.search(r'id="data">(.*?)</script>', shown, re.S)[1])["timeline"] == data["timeline"]


def test_jobs_in_steps_have_a_timeline():
    rows = numpy.random.default_rng(1).random((500, 3), numpy.float32)
    labels = (rows[:, 0] > 0.5).astype(numpy.float64)
    for timeline in (False, True):
        model = duomap.svmtrain(rows, labels, timeline=timeline)
        for report in (duomap.kmeans(rows, 4, timeline=timeline).report, model.pairs.report):
            data = json.loads(re.search(r'id="data">(.*?)</script>', report.to_html(), re.S)[1])
            assert (sum(len(lane["spans"]) for lane in data["timeline"]["lanes"]) > 0) == timeline
            assert " steps over " in data["explained"][0]


def test_pyarrow_shares_the_memory(table):
    pyarrow = pytest.importorskip("pyarrow")
    taken = pyarrow.table(table)
    assert taken.schema.types == [pyarrow.large_string(), pyarrow.uint64()]
    assert taken.column("count").chunk(0).buffers()[1].address == table["count"].ctypes.data
    assert dict(zip(*taken.to_pydict().values())) == dict(table.rows())
    taken.validate(full=True)
    del table
    assert taken.num_rows == 5


def test_texts_that_are_no_utf8_are_binary():
    pyarrow = pytest.importorskip("pyarrow")
    # The two words together are valid UTF-8, each word alone is not.
    table = pyarrow.table(duomap.wordcount(b"\xc3 \xa9"))
    assert table.schema.types[0] == pyarrow.large_binary()
    for text, good in [
        ("ä€😀".encode(), True),
        (b"\xed\xa0\x80", False),
        (b"\xc0\x80", False),
        (b"\xf4\x90\x80\x80", False),
        (b"\xe2\x82", False),
        (b"\x80", False),
    ]:
        kind = pyarrow.table(duomap.wordcount(text)).schema.types[0]
        assert kind == (pyarrow.large_string() if good else pyarrow.large_binary()), text


def test_an_empty_table_and_a_stream_that_is_never_read():
    pyarrow = pytest.importorskip("pyarrow")
    assert pyarrow.table(duomap.wordcount(b"")).num_rows == 0
    duomap.wordcount(b"a").__arrow_c_stream__()


def test_polars_and_pandas(table):
    polars = pytest.importorskip("polars")
    assert dict(polars.DataFrame(table).rows()) == dict(table.rows())
    pandas = pytest.importorskip("pandas", minversion="3")
    assert dict(pandas.DataFrame.from_arrow(table).itertuples(index=False)) == dict(table.rows())


def test_duckdb(table):
    duckdb = pytest.importorskip("duckdb")
    words = table  # noqa: F841 (SQL reads the variable)
    assert dict(duckdb.sql("SELECT * FROM words").fetchall()) == dict(table.rows())
