"""Files and arrays as columns: Arrow files and streams, .npy files, arrays of NumPy, and the row groups of Parquet that a condition leaves."""

import datetime
import decimal
import math

import numpy
import pytest

import duomap

pa = pytest.importorskip("pyarrow")
from arrow_tables import WORDS, drawn  # noqa: E402  # after importorskip

pa.feather = pytest.importorskip("pyarrow.feather")
pa.parquet = pytest.importorskip("pyarrow.parquet")


def groups(source, by="k", **options):
    return sorted(duomap.aggregate(source, by, {"v": ["sum", "max", "distinct"]}, count=True, **options).rows(), key=str)


@pytest.fixture
def table(random):
    return pa.table({"unread": [[1]] * 900, "k": drawn(random, pa.string(), WORDS, 900), "v": drawn(random, pa.int64(), [1, 2, 3], 900)})


def write_file(table, path, **options):
    with pa.ipc.new_file(path, table.schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
        writer.write_table(table, max_chunksize=100)


def write_stream(table, path):
    with pa.ipc.new_stream(path, table.schema) as writer:
        writer.write_table(table, max_chunksize=100)


def test_arrow_files_and_streams(table, tmp_path):
    expected = groups(table)
    write_file(table, tmp_path / "t.arrow")
    write_file(table, tmp_path / "compressed.arrow", compression="zstd")
    write_stream(table, tmp_path / "t.arrows")
    write_stream(table, tmp_path / "stream.ARROW")
    pa.feather.write_feather(table, tmp_path / "t.feather")
    for name in ("t.arrow", "compressed.arrow", "t.arrows", "stream.ARROW", "t.feather"):
        assert groups(tmp_path / name) == expected == groups(str(tmp_path / name), by=2)
    assert groups([tmp_path / "t.arrow", tmp_path / "t.arrows"]) == groups(pa.concat_tables([table, table]))
    assert groups([table, tmp_path / "t.feather"]) == groups(pa.concat_tables([table, table]))
    (tmp_path / "old.feather").write_bytes(b"FEA1" + b"\0" * 60)
    with pytest.raises(duomap.InputError, match="old.feather' is a Feather file of version 1; write it again"):
        groups(tmp_path / "old.feather")
    for write in (write_file, write_stream):
        write(table[:0], tmp_path / "empty.arrow")
        assert groups(tmp_path / "empty.arrow") == []
    assert groups(tmp_path / "t.arrow", where="v in (1, 3)") == groups(table, where="v <> 2")


def test_arrow_files_are_not_copied(tmp_path):
    rows = 2_000_000
    write_file(pa.table({"k": numpy.zeros(rows, "i4"), "v": numpy.arange(rows)}), tmp_path / "t.arrow")
    before = pa.total_allocated_bytes()
    assert groups(tmp_path / "t.arrow") == [(0, rows, rows * (rows - 1) // 2, rows - 1, rows)]
    assert pa.total_allocated_bytes() - before < 1 << 20


@pytest.mark.parametrize(("name", "kind"), [("bad.arrow", "Arrow"), ("bad.arrows", "Arrow"), ("bad.feather", "Arrow"), ("bad.parquet", "Parquet"), ("bad.npy", "an array")])
def test_files_that_are_something_else(name, kind, tmp_path):
    path = tmp_path / name
    for text in (b"", b"no such format at all", b"ARROW1\0\0" + b"\xff" * 60):
        path.write_bytes(text)
        with pytest.raises(duomap.InputError, match=f"{name}' cannot be read as {kind}"):
            duomap.aggregate(path, "k")
    path.unlink()
    with pytest.raises(duomap.InputError, match=name):
        duomap.aggregate(path, "k")


def test_arrays_of_records(random, tmp_path):
    rows = 700
    array = numpy.zeros(rows, [("k", "U5"), ("b", "S3"), ("v", ">i8"), ("f", "f4"), ("d", "M8[D]"), ("t", "M8[us]"), ("o", "?"), ("pair", "i4", 2)])
    array["k"] = random.choice(["a", "\u00e4b", ""], rows)
    array["b"] = random.choice([b"x", b"", b"yyy"], rows)
    array["v"], array["f"] = random.integers(-9, 9, rows), random.choice([0.5, 1.5], rows)
    array["d"], array["t"] = numpy.datetime64("2020-02-29"), numpy.datetime64("2020-02-29T01:02:03")
    array["o"] = random.integers(0, 2, rows)
    columns = {name: array[name].tolist() for name in "kbvfdto"}
    table = pa.table({**columns, "b": pa.array(columns["b"], pa.binary()), "f": pa.array(columns["f"], pa.float32())})
    numpy.save(tmp_path / "t.npy", array)
    for by in ("k", "b", "d", "t", "o", ["k", "o"]):
        expected = groups(table, by=by)
        for source in (array, array.view(numpy.recarray), tmp_path / "t.npy", [array[:100], array[100:]]):
            assert groups(source, by=by) == expected
    assert groups(array[::2], where="f > 1") == groups(table.take(list(range(0, rows, 2))), where="f > 1")
    assert duomap.aggregate(array, 1, {"f": "mean"}, where="k = 'a'").rows() == [("a", pytest.approx(float(array["f"][array["k"] == "a"].mean())))]
    assert groups(array[:0]) == []
    with pytest.raises(duomap.UsageError, match="no column 'pair'"):
        duomap.aggregate(array, "pair")
    with pytest.raises(duomap.UsageError, match="column 'z' has the type complex128"):
        duomap.aggregate(numpy.zeros(3, [("z", "c16")]), "z")


def test_arrays_with_rows_and_columns(tmp_path):
    array = numpy.array([[1, 5], [2, 6], [1, 7]])
    numpy.save(tmp_path / "two.npy", array)
    numpy.save(tmp_path / "one.npy", array[:, 0])
    numpy.save(tmp_path / "three.npy", array.reshape(1, 3, 2))
    for source in (array, numpy.asfortranarray(array), tmp_path / "two.npy"):
        assert duomap.aggregate(source, 1, {2: ["sum", "median"]}, where="2 > 4").sorted().rows() == [(1, 12, 6.0), (2, 6, 6.0)]
    assert duomap.aggregate(tmp_path / "one.npy", 1).sorted().rows() == [(1, 2), (2, 1)]
    with pytest.raises(duomap.UsageError, match="an array of 3 dimensions"):
        duomap.aggregate(tmp_path / "three.npy", 1)
    nan = numpy.array([[1.0, math.nan], [1.0, 2.0]])
    assert duomap.aggregate(numpy.rec.fromarrays([[1, 1], nan[:, 1]], names="k,v"), "k", {"v": ["count", "distinct"]}).rows() == [(1, 2, 2)]
    with pytest.raises(duomap.UsageError, match="has the type double, which is no key"):
        duomap.aggregate(nan, 1)


CONDITIONS = ["day between 10 and 20", "day = 7", "not day > 3", "day in (1, 99, 2.5)", "day not in (5) and text = 'k30'", "text like 'k2_'", "text like 'k9%' or day < 2",
              "price >= 40.5", "price = 7.25", "none is null and day < 5", "none is not null", "part is null", "not (part = 1 or day < 60)", "f > 50", "not f <= 50", "f = 3",
              "day > 1e30", "3 > 90", "same = 5", "same <> 5", "not same in (5, 6)", "wide > 18446744073709551614", "wide > 9000000000000000000", "text > 'k98'"]


@pytest.mark.parametrize("condition", CONDITIONS)
def test_row_groups_that_a_condition_leaves(condition, tmp_path):
    numbers = list(range(100)) * 2
    table = pa.table({
        "k": ["a", "b"] * 100, "text": [f"k{i:02}" for i in sorted(numbers)], "day": sorted(numbers), "v": numbers,
        "price": pa.array([decimal.Decimal(i) + decimal.Decimal("0.25") for i in sorted(numbers)], pa.decimal128(9, 2)),
        "none": pa.nulls(200, pa.int32()), "part": pa.array([None] * 150 + [1] * 50), "same": [5] * 200,
        "f": [math.nan if i % 20 == 0 else float(i) for i in sorted(numbers)], "wide": pa.array([2**63 + i for i in sorted(numbers)], pa.uint64())})
    pa.parquet.write_table(table, tmp_path / "t.parquet", row_group_size=10)
    pa.parquet.write_table(table, tmp_path / "without.parquet", row_group_size=10, write_statistics=False)
    expected = groups(table, where=condition)
    assert groups(tmp_path / "t.parquet", where=condition) == expected == groups(tmp_path / "without.parquet", where=condition)


def test_row_groups_are_left_out(tmp_path):
    table = pa.table({"k": ["a"] * 1000, "day": list(range(1000)), "time": [datetime.date(2020, 1, 1)] * 1000})
    folder = tmp_path / "days.parquet"
    folder.mkdir()
    for i in range(2):
        pa.parquet.write_table(table[i * 500 : i * 500 + 500], folder / f"{i}.parquet", row_group_size=100)
    for condition, rows in {"day between 150 and 250": 200, "day = 999": 100, "day in (0, 999)": 200, "k > 'a'": 0, "time is not null": 1000, "2 < 0": 0}.items():
        found = duomap.aggregate(folder, "k", where=condition)
        assert found.report.as_dict()["units"] == rows, condition
