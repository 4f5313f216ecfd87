"""Aggregates of columns that need different values: distinct, mode, median, quantiles, variance and standard deviation."""

import collections
import decimal
import fractions
import math
import statistics

import numpy
import pytest

import duomap

pa = pytest.importorskip("pyarrow")
from arrow_tables import DAY, KEYS, MOMENT, VALUES, WORDS, drawn, in_chunks, plain  # noqa: E402  # after importorskip

NUMBERS = ["distinct", "mode", "median", "quantile(0.3)", "var", "std", "count", "sum"]


def values_by_key(table, column):
    groups = collections.defaultdict(list)
    for key, value in zip(table["k"].to_pylist(), table[column].to_pylist()):
        groups[key].append(value)
    return {key: [one for one in values if one is not None] for key, values in groups.items()}


def most_frequent(values):
    counts = collections.Counter(values)
    return min(one for one in counts if counts[one] == max(counts.values()))


def quantile(numbers, at):
    numbers = sorted(numbers)
    position = at * (len(numbers) - 1)
    low, high = numbers[int(position)], numbers[math.ceil(position)]
    return low if low == high else low + (high - low) * (position - int(position))


def is_none(cell):
    return cell is None or cell != cell


@pytest.mark.parametrize(("kind", "choice"), VALUES, ids=lambda one: str(one) if isinstance(one, pa.DataType) else "")
def test_numbers(random, kind, choice):
    table = pa.table({"k": drawn(random, pa.string(), WORDS, 2000), "v": drawn(random, kind, choice, 2000)})
    for rows in (table, in_chunks(random, table), table[:0], table[:9]):
        expected = values_by_key(rows, "v")
        found = duomap.aggregate(rows, "k", {"v": NUMBERS})
        assert len(found) == len(expected)
        for key, distinct, mode, median, third, variance, deviation, count, total in found.rows():
            values = expected[key]
            finite = all(abs(float(one)) < 1e200 for one in values)
            numbers = [fractions.Fraction(float(one) if isinstance(one, (float, numpy.floating)) else one) for one in values] if finite else []
            assert (distinct, count) == (len(set(values)), len(values))
            if not values:
                assert all(is_none(one) for one in (mode, median, third, variance, deviation, total))
                continue
            assert mode == pytest.approx(float(most_frequent(values)), rel=1e-15)
            if not finite:
                continue
            assert median == pytest.approx(float(quantile(numbers, fractions.Fraction(1, 2))), rel=1e-14)
            assert third == pytest.approx(float(quantile(numbers, fractions.Fraction(3, 10))), rel=1e-14)
            if len(values) < 2:
                assert is_none(variance) and is_none(deviation)
            else:
                right = statistics.variance(numbers)
                assert variance == pytest.approx(float(right), rel=1e-12) and deviation**2 == pytest.approx(float(right), rel=1e-12)


@pytest.mark.parametrize(("kind", "choice"), [*KEYS, *VALUES], ids=lambda one: str(one) if isinstance(one, pa.DataType) else "")
def test_distinct_and_mode_of_any_type(random, kind, choice):
    keys = drawn(random, pa.int8(), [1, 2, 3, 4, 5, 6, 7, 8], 800)
    table = pa.table({"k": keys, "v": drawn(random, kind, choice, 800), "n": drawn(random, kind, choice, 800)})
    table = pa.concat_tables([table, pa.table({"k": pa.array([99], pa.int8()), "v": pa.nulls(1, kind), "n": pa.nulls(1, kind)})])
    for rows in (table, in_chunks(random, table)):
        expected = values_by_key(rows, "v")
        found = duomap.aggregate(rows, "k", {"v": ["distinct", "mode"], "n": "distinct"})
        again = {key: [plain(one) for one in values] for key, values in expected.items()}
        others = values_by_key(rows, "n")
        for key, distinct, mode, of_other in found.rows():
            assert (distinct, of_other) == (len(set(expected[key])), len(set(others[key])))
            if not again[key]:
                assert is_none(mode)
            elif kind == pa.date64():
                assert plain(mode).date() == DAY
            elif isinstance(mode, (float, numpy.floating)):
                assert mode == pytest.approx(float(most_frequent(again[key])), rel=1e-15)
            elif isinstance(mode, str):
                counts = collections.Counter(again[key])
                ties = [one for one in counts if counts[one] == max(counts.values())]
                assert plain(mode) == min(ties, key=lambda one: one.encode("utf-8", "surrogateescape"))
            else:
                assert plain(mode) == most_frequent(again[key])


def test_modes_keep_their_types():
    table = pa.table({"k": [1, 1, 2], "u": pa.array([2**64 - 1, 2**64 - 1, None], pa.uint64()), "b": [True, True, None], "d": [DAY, DAY, None],
                      "t": pa.array([MOMENT, MOMENT, None], pa.timestamp("us", "UTC")), "s": ["", "", None], "i": pa.array([3, 3, 4], pa.int16()),
                      "x": pa.array([decimal.Decimal("1.5"), decimal.Decimal("1.5"), None], pa.decimal128(9, 3))})
    found = duomap.aggregate(table, "k", {name: "mode" for name in "ubdtsix"}).sorted()
    assert found.rows() == [(1, 2**64 - 1, True, numpy.datetime64(DAY), numpy.datetime64(MOMENT, "us"), "", 3, 1.5),
                            (2, None, None, None, None, None, 4, pytest.approx(math.nan, nan_ok=True))]
    schema = pa.table(found).schema
    types = [pa.uint64(), pa.bool_(), pa.date32(), pa.timestamp("us", "UTC"), pa.large_string(), pa.int64(), pa.float64()]
    assert [schema.field(f"mode({name})").type for name in "ubdtsix"] == types
    assert duomap.aggregate(table, "k", {"u": "distinct"}).sorted()["distinct(u)"].tolist() == [1, 0]


def test_equal_doubles_are_one_value():
    table = pa.table({"k": ["a"] * 5, "v": [0.0, -0.0, math.nan, -math.nan, None]})
    distinct, mode, median = duomap.aggregate(table, "k", {"v": ["distinct", "mode", "quantile(0)"]}).rows()[0][1:]
    assert (distinct, mode, median) == (2, 0.0, 0.0) and math.copysign(1, mode) == 1


def test_several_columns_of_a_stream():
    batches = [pa.record_batch({"k": [i % 3] * 4, "v": [i, i, i + 1, None], "w": ["x", str(i), None, "x"]}) for i in range(90)]
    reader = pa.RecordBatchReader.from_batches(batches[0].schema, batches)
    found = duomap.aggregate(reader, "k", {"w": ["distinct", "mode"], "v": ["median", "sum"]}, where="v is not null", count=True)
    rows = [(k, 90, 31, "x", float(statistics.median([v for i in range(k, 90, 3) for v in (i, i, i + 1)])), sum(3 * i + 1 for i in range(k, 90, 3)))
            for k in range(3)]
    assert found.sorted().rows() == rows
    assert found.report.as_dict()["units"] == 360


def test_numbers_beyond_64_bits():
    table = pa.table({"k": ["a", "a"], "u": pa.array([1, 2**63], pa.uint64()), "d": pa.array([1, decimal.Decimal(10) ** 20], pa.decimal128(38, 2))})
    with pytest.raises(duomap.InputError, match="row 1, counted from 0: the number in column 'u' is beyond 64 bits"):
        duomap.aggregate(table, "k", {"u": "median"})
    with pytest.raises(duomap.InputError, match="row 1, counted from 0: the number in column 'd' is beyond 64 bits"):
        duomap.aggregate(table, "k", {"d": "distinct"})


def test_eight_keys():
    table = pa.table({name: [1, 1, 2] for name in "abcdefgh"} | {"v": [5, 6, 7]})
    assert duomap.aggregate(table, list("abcdefgh"), {"v": ["distinct", "median"]}).sorted().rows() == [(1,) * 8 + (2, 5.5), (2,) * 8 + (1, 7.0)]
