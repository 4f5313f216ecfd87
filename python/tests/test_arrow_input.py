"""Arrow data as input: read in place, copied, or refused."""

import numpy
import pytest

import duomap
from duomap import _core
from duomap._arrays import matrix
from duomap._texts import open_texts

pyarrow = pytest.importorskip("pyarrow")


def lists(values, width):
    return pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(values), width)


def test_one_column_in_one_batch_is_taken_where_it_lies(random):
    for dtype in ("f4", "f8"):
        numbers = pyarrow.array(random.normal(size=600).astype(dtype))
        address = numbers.buffers()[1].address
        assert _core.address(matrix(numbers, "rows")) == address
        points = lists(numbers, 3)
        assert matrix(points, "rows").shape == (200, 3)
        assert _core.address(matrix(points, "rows")) == address
        assert _core.address(matrix(pyarrow.table({"points": points}), "rows")) == address
        part = matrix(pyarrow.table({"points": points}).slice(10, 5), "rows")
        assert part.shape == (5, 3)
        assert part.ctypes.data == address + 10 * 3 * numbers.type.bit_width // 8
    # duomap copies a text that ends where its page ends. This text ends five bytes into a page.
    memory = numpy.full(3 * 4096, ord(" "), "u1")
    begin = -memory.ctypes.data % 4096
    text = pyarrow.array(memory[begin : begin + 4096 + 5])
    memory[begin : begin + 5] = numpy.frombuffer(b"a b a", "u1")
    assert open_texts(text).addresses() == [memory.ctypes.data + begin]
    assert duomap.wordcount(text).sorted().rows() == [("a", 2), ("b", 1)]


def test_the_memory_outlives_the_table(random):
    values = random.normal(size=(1000, 4)).astype("f4")
    taken = matrix(lists(values.reshape(-1).copy(), 4), "rows")
    assert (taken == values).all()


def test_columns_and_batches_are_copied(random):
    values = random.normal(size=(100, 3)).astype("f4")
    table = pyarrow.table({name: values[:, i] for i, name in enumerate("xyz")})
    assert (matrix(table, "rows") == values).all()
    assert (matrix(pyarrow.concat_tables([table, table.slice(0, 0), table]), "rows") == numpy.concatenate([values, values])).all()
    assert (matrix(table.to_batches()[0], "rows") == values).all()
    assert (matrix(pyarrow.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=30)), "rows") == values).all()
    mixed = pyarrow.table({"a": pyarrow.array([1, 2], "i8"), "b": pyarrow.array([0.5, 1.5], "f4")})
    assert matrix(mixed, "rows").dtype == numpy.float64
    assert matrix(mixed, "rows").tolist() == [[1, 0.5], [2, 1.5]]
    found = duomap.kmeans(table, 3, seed=1)
    assert found.inertia == duomap.kmeans(values, 3, seed=1).inertia


def test_columns_of_texts_are_lines():
    words = ["to be or not to be", "that is", "", "the question"]
    for kind in (pyarrow.string(), pyarrow.large_string(), pyarrow.binary()):
        column = pyarrow.array([word.encode() for word in words] if kind == pyarrow.binary() else words, kind)
        expected = duomap.wordcount("\n".join(words).encode()).sorted().rows()
        assert duomap.wordcount(column).sorted().rows() == expected
        assert duomap.wordcount(pyarrow.table({"text": column})).sorted().rows() == expected
        assert duomap.wordcount(pyarrow.chunked_array([column[:1], column[1:]])).sorted().rows() == expected
        assert duomap.stringmatch(column[1:], "question").rows() == [("memory", 13, 3, "question")]
    assert duomap.wordcount({"a": column, "b": b"x"}).sorted().rows() == sorted([*expected, ("x", 1)])
    assert len(duomap.wordcount(pyarrow.array([], "string"))) == 0


def test_polars_and_duckdb(random):
    polars = pytest.importorskip("polars")
    values = random.normal(size=(50, 2))
    frame = polars.DataFrame(values, schema=["x", "y"])
    assert (matrix(frame, "rows") == values).all()
    assert duomap.wordcount(polars.Series(["a b", "a"])).sorted().rows() == [("a", 2), ("b", 1)]
    duckdb = pytest.importorskip("duckdb")
    assert (matrix(duckdb.sql("SELECT * FROM frame"), "rows") == values).all()


def test_pandas_is_numpy(random):
    pandas = pytest.importorskip("pandas")
    values = random.normal(size=(50, 2))
    assert (matrix(pandas.DataFrame(values), "rows") == values).all()


def test_what_is_refused():
    for given, match in [
        (pyarrow.table({"x": pyarrow.array([1.0, None])}), "'x' of points has 1 nulls"),
        (pyarrow.table({"x": ["a"]}), "texts"),
        (pyarrow.table({"x": pyarrow.array([True])}), "format b"),
        (pyarrow.table({"x": pyarrow.array(["a"]).dictionary_encode()}), "dictionary"),
        (pyarrow.table({}), "no columns"),
    ]:
        with pytest.raises(duomap.UsageError, match=match):
            duomap.kmeans(given, 1)
    for given, match in [
        (pyarrow.table({"x": ["a"], "y": ["b"]}), "2 columns"),
        (pyarrow.array([1.0]), "float64"),
        (pyarrow.array(["a", None]), "1 nulls"),
    ]:
        with pytest.raises(duomap.UsageError, match=match):
            duomap.wordcount(given)

    def broken():
        yield pyarrow.record_batch({"x": [1.0]})
        raise OSError("gone")

    schema = pyarrow.schema({"x": pyarrow.float64()})
    with pytest.raises(duomap.InputError, match="gone"):
        duomap.kmeans(pyarrow.RecordBatchReader.from_batches(schema, broken()), 1)
