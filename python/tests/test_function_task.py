"""Tasks whose map is a Python function, compared with NumPy and plain Python."""

import collections
import re
import threading

import numpy
import pytest

import duomap

pytest.importorskip("numba")

PAIRS = duomap.rows("f4", 2)


@duomap.task(format=PAIRS, key="u4", reduce=duomap.sum("f8"))
def by_group(row):
    return numpy.uint32(row[0]), row[1] * 2.0


@pytest.fixture
def pairs(random):
    return numpy.stack([random.integers(0, 50, 100_000), random.integers(0, 10, 100_000)], 1).astype("f4")


def groups(pairs):
    return pairs[:, 0].astype(int)


def test_rows_under_numbers(pairs):
    table = duomap.run(by_group, pairs).sorted()
    assert table.columns == ["key", "value"]
    assert table["key"].dtype == numpy.uint32
    assert table["key"].tolist() == sorted(set(groups(pairs)))
    assert table["value"].tolist() == numpy.bincount(groups(pairs), pairs[:, 1] * 2).tolist()
    assert table.report.as_dict()["task"] == "by_group"
    assert by_group(pairs[0]) == (pairs[0, 0], pairs[0, 1] * 2)
    assert len(duomap.run(by_group, pairs[:0])) == 0
    assert duomap.run(by_group, pairs[:3], threads=1, columns=["group", "total"]).columns == ["group", "total"]


def test_rows_of_a_file_and_memory_that_ends_a_page(pairs, tmp_path):
    pairs.tofile(tmp_path / "pairs.bin")
    expected = duomap.run(by_group, pairs).sorted().rows()
    assert duomap.run(by_group, tmp_path / "pairs.bin").sorted().rows() == expected
    page = numpy.zeros(3 * 1024, "f4")
    begin = -page.ctypes.data % 4096 // 4
    rows = page[begin : begin + 1024].reshape(-1, 2)
    assert duomap.run(by_group, rows).rows() == [(0, 0.0)]


@pytest.mark.parametrize("operation, expected", [("minimum", numpy.minimum), ("maximum", numpy.maximum), ("sum", numpy.add)])
@pytest.mark.parametrize("value", ["i8", "f8"])
def test_dense_keys_signed_keys_and_none(random, operation, expected, value):
    numbers = random.integers(-1000, 1000, (30_000, 1)).astype("i4")
    reduce = getattr(duomap, operation)(value)
    form = duomap.rows("i4", 1)
    flat = numbers[:, 0].astype(value)

    @duomap.task(format=form, key=duomap.dense(7), reduce=reduce)
    def dense(row):
        return row[0] % 7, row[0]

    @duomap.task(format=form, key="i4", reduce=reduce)
    def signed(row):
        return row[0] // 100, row[0]

    @duomap.task(format=form, key=None, reduce=reduce)
    def whole(row):
        return row[0]

    assert duomap.run(dense, numbers).sorted()["value"].tolist() == [expected.reduce(flat[flat % 7 == key]) for key in range(7)]
    keys = numbers[:, 0] // 100
    assert duomap.run(signed, numbers).sorted().rows() == [(key, expected.reduce(flat[keys == key])) for key in range(-10, 10)]
    assert duomap.run(whole, numbers).rows() == [(expected.reduce(flat),)]


@pytest.mark.parametrize("key", [None, "i4", duomap.dense(40)])
@pytest.mark.parametrize("operation, expected", [("minimum", numpy.fmin), ("maximum", numpy.fmax)])
def test_nan_gives_way_to_numbers(random, operation, expected, key):
    rows = random.random((300_000, 2)) - 0.5
    rows[:, 0] = random.integers(0, 40, len(rows))
    rows[random.random(len(rows)) < 0.6, 1] = numpy.nan
    rows[:100, 1] = rows[-100:, 1] = rows[rows[:, 0] == 7, 1] = numpy.nan
    if key is None:
        found, keys = (lambda row: row[1]), numpy.zeros(len(rows))
    else:
        found, keys = (lambda row: (int(row[0]), row[1])), rows[:, 0]
    one = duomap.task(format=duomap.rows("f8", 2), key=key, reduce=getattr(duomap, operation)("f8"))(found)
    values = [expected.reduce(rows[keys == key, 1]) for key in numpy.unique(keys)]
    for threads in (0, 1, 2):
        table = duomap.run(one, rows, threads=threads)
        numpy.testing.assert_array_equal(table["value"] if key is None else table.sorted()["value"], values)
    nothing = duomap.run(one, rows[:3], threads=1)["value"]
    assert numpy.isnan(nothing).all() and len(nothing) > 0


@pytest.mark.parametrize("operation, expected, value", [("minimum", numpy.minimum, "u8"), ("sum", numpy.add, "f8")])
def test_dense_keys_that_come_late_or_never(random, operation, expected, value):
    # The rows are sorted, so the first chunks have few of the keys. Keys 7 and 8 never occur.
    rows = numpy.sort(random.integers(0, 7 * 50_000, (400_000, 1)), axis=0).astype("i4")

    @duomap.task(format=duomap.rows("i4", 1), key=duomap.dense(9), reduce=getattr(duomap, operation)(value))
    def by_range(row):
        return row[0] // 50_000, row[0] % 100

    keys, values = rows[:, 0] // 50_000, (rows[:, 0] % 100).astype(value)
    found = [(key, expected.reduce(values[keys == key])) for key in range(7)]
    for threads in (0, 1):
        assert duomap.run(by_range, rows, threads=threads).sorted().rows() == found
    # A key out of range ends the run, even in one of the last rows.
    for wrong in (-1, 9):
        rows[-100] = wrong * 50_000
        with pytest.raises(duomap.MapFailed, match="by_range emitted the key .*its keys are below 9"):
            duomap.run(by_range, rows)


def test_a_function_that_emits_nothing_or_several_times(pairs):
    @duomap.task(format=PAIRS, key="i8", reduce=duomap.sum("i8"))
    def odd(row):
        if row[1] % 2 == 1:
            return int(row[0]), 1
        return None

    @duomap.task(format=PAIRS, key="i8", reduce=duomap.sum("i8"))
    def repeated(row, emit):
        for i in range(int(row[1])):
            emit(i, 1)
        emit(-1, int(row[0]))

    counts = numpy.bincount(groups(pairs)[pairs[:, 1] % 2 == 1])
    assert duomap.run(odd, pairs).sorted()["value"].tolist() == counts.tolist()
    expected = [(-1, int(pairs[:, 0].sum())), *((i, int((pairs[:, 1] > i).sum())) for i in range(9))]
    assert duomap.run(repeated, pairs).sorted().rows() == expected


def test_words(book):
    path, text = book

    @duomap.task(format=duomap.words(), key="bytes", reduce=duomap.sum("u8"))
    def long_words(word):
        if len(word) > 4:
            return word, 1
        return None

    @duomap.task(format=duomap.words(lower=True), key="bytes", reduce=duomap.maximum("i8"))
    def beginnings(word, emit):
        emit(word[:1], len(word))

    @duomap.task(format=duomap.words(), key="bytes", reduce=duomap.sum("i8"))
    def reversed_words(word, emit):
        emit(word[::-1].copy(), 1)

    words = re.findall(rb"[A-Za-z\x80-\xff]+", text)
    found = [(word.decode(), count) for word, count in sorted(collections.Counter(words).items())]
    assert duomap.run(long_words, path).sorted().rows() == [row for row in found if len(row[0].encode()) > 4]
    longest = collections.defaultdict(int)
    for word in words:
        longest[chr(word.lower()[0])] = max(longest[chr(word.lower()[0])], len(word))
    assert duomap.run(beginnings, text).sorted().rows() == sorted(longest.items())
    backwards = collections.Counter(word[::-1] for word in words)
    rows = duomap.run(reversed_words, path).rows()
    assert {(word.encode(errors="surrogateescape"), count) for word, count in rows} == set(backwards.items())


def test_lines(book):
    path, text = book

    @duomap.task(format=duomap.lines(), key="u4", reduce=duomap.sum("i8"))
    def lengths(line):
        return len(line), 1

    expected = collections.Counter(len(line) for line in text.splitlines())
    assert duomap.run(lengths, path).sorted().rows() == sorted(expected.items())


def test_functions_keep_what_they_close_over(pairs):
    def scaled(factor):
        @duomap.task(format=PAIRS, key=None, reduce=duomap.sum("f8"))
        def total(row):
            return row[1] * factor

        return total

    for factor in (1, 3):
        assert duomap.run(scaled(factor), pairs).rows() == [(pairs[:, 1].sum(dtype="f8") * factor,)]


def test_several_threads(pairs):
    expected = duomap.run(by_group, pairs).sorted().rows()
    same = []
    threads = [threading.Thread(target=lambda: same.append(duomap.run(by_group, pairs).sorted().rows() == expected)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert same == [True] * 4


def test_verify(pairs):
    laws = {one.law: one for one in duomap.verify(by_group, pairs)}
    assert all(one.holds for one in laws.values())
    assert laws["pure map"].trials > 0 and laws["associative"].trials > 0

    @duomap.task(format=PAIRS, key=None, reduce=duomap.sum("f8"))
    def unlike(row):
        return numpy.random.random()

    assert [one.law for one in duomap.verify(unlike, pairs) if not one.holds] == ["pure map"]


def test_exceptions_name_the_record(pairs):
    @duomap.task(format=PAIRS, key=None, reduce=duomap.sum("f8"))
    def picky(row):
        if row[0] == -1:
            raise ValueError("negative")
        return row[1]

    @duomap.task(format=duomap.words(), key=None, reduce=duomap.sum("i8"))
    def no_bad(word):
        return 10 // (len(word) - 3)

    @duomap.task(format=PAIRS, key=duomap.dense(3), reduce=duomap.sum("i8"))
    def too_large(row):
        return 3, 1

    @duomap.task(format=PAIRS, key=None, reduce=duomap.sum("f8"))
    def wide(row):
        return row[2]

    pairs[70_001, 0] = -1
    with pytest.raises(duomap.MapFailed, match="picky raised an exception.*row 70001"):
        duomap.run(picky, pairs)
    with pytest.raises(duomap.MapFailed, match="no_bad.*the 3 bytes at 5"):
        duomap.run(no_bad, b"word bad word")
    with pytest.raises(duomap.MapFailed, match="too_large emitted the key 3.*below 3"):
        duomap.run(too_large, pairs)
    with pytest.raises(duomap.MapFailed, match="wide"):
        duomap.run(wide, pairs)


def test_what_does_not_compile_says_why(pairs):
    def run(function, key="u4", form=PAIRS, value="i8"):
        duomap.run(duomap.task(format=form, key=key, reduce=duomap.sum(value))(function), pairs)

    with pytest.raises(duomap.CompileError, match="keys are whole numbers"):
        run(lambda row: (row[0], 1))
    with pytest.raises(duomap.CompileError, match="the reduction takes int64"):
        run(lambda row: (1, row[0]))
    with pytest.raises(duomap.CompileError, match=r"expected \(key, value\)"):
        run(lambda row: 1)
    with pytest.raises(duomap.CompileError, match="emit takes a key and a value"):
        run(lambda row, emit: emit(1))
    with pytest.raises(duomap.CompileError, match="unknown_name"):
        run(lambda row: unknown_name)  # noqa: F821
    with pytest.raises(duomap.CompileError):
        run(lambda row: row.__setitem__(0, 1.0), key=None, value="f8")


def test_wrong_descriptions(pairs):
    with pytest.raises(duomap.UsageError, match="f8 of 2|float64"):
        duomap.run(by_group, pairs.astype("f8"))
    with pytest.raises(duomap.UsageError, match="shape"):
        duomap.run(by_group, pairs.reshape(-1, 4))
    for key, reduce, match in [
        ("f4", duomap.sum("f8"), "key"),
        ("bytes", duomap.sum("f8"), "rows"),
    ]:
        with pytest.raises(duomap.UsageError, match=match):
            duomap.task(format=PAIRS, key=key, reduce=reduce)
    for wrong in (lambda: duomap.sum("f4"), lambda: duomap.rows("c8", 1), lambda: duomap.rows("f4", 0), lambda: duomap.dense(0)):
        with pytest.raises(duomap.UsageError):
            wrong()
    with pytest.raises(duomap.UsageError, match="a record"):
        duomap.run(duomap.task(format=PAIRS, key=None, reduce=duomap.sum("i8"))(lambda: 1), pairs)


def test_what_makes_no_task_is_refused():
    async def later(row):
        return 1, 1.0

    make = duomap.task(format=duomap.rows("f4", 2), key="i8", reduce=duomap.sum("f8"))
    for function in (len, None, "map", later, [].append):
        with pytest.raises(duomap.UsageError, match="is no function that Numba compiles"):
            make(function)
    with pytest.raises(duomap.UsageError, match="^format is 'rows'; give"):
        duomap.task(format="rows", key="i8", reduce=duomap.sum("f8"))
    with pytest.raises(duomap.UsageError, match="^reduce is <built-in function sum>; give"):
        duomap.task(format=duomap.words(), key="bytes", reduce=sum)
    for wrong in (lambda: duomap.rows("f4", 2.0), lambda: duomap.rows("xx", 2), lambda: duomap.dense(1.0), lambda: duomap.sum("x")):
        with pytest.raises(duomap.UsageError, match="; give"):
            wrong()


@duomap.task(format=duomap.rows("f8", 1), key="i8", reduce=duomap.sum("i8"))
def by_whole_number(row):
    return int(row[0]), 1


@duomap.task(format=duomap.rows("f8", 1), key="i8", reduce=duomap.sum("i8"))
def by_numpys_whole_number(row):
    return numpy.int64(row[0]), 1


@duomap.task(format=duomap.rows("f8", 1), key="i4", reduce=duomap.sum("i8"))
def by_small_number(row):
    return int(row[0]), 1


@duomap.task(format=duomap.rows("f8", 1), key="u4", reduce=duomap.sum("i8"))
def by_small_positive_number(row):
    return int(row[0]), 1


@pytest.mark.parametrize("number", [numpy.nan, numpy.inf, -numpy.inf, 1e300, -1e300, 2.0**63])
@pytest.mark.parametrize("task", [by_whole_number, by_numpys_whole_number, by_small_number, by_small_positive_number])
def test_keys_of_what_is_no_whole_number(task, number):
    rows = numpy.array([[1.0], [number], [2.0]])
    with pytest.raises(duomap.MapFailed, match=rf"{task.name} (raised an exception|emitted the key)"):
        duomap.run(task, rows)


@pytest.mark.parametrize(
    ("task", "least", "most"),
    [(by_whole_number, -(2**53), 2**53), (by_small_number, -(2**31), 2**31 - 1), (by_small_positive_number, 0, 2**32 - 1)],
)
def test_keys_beyond_their_type(task, least, most):
    assert sorted(duomap.run(task, numpy.array([[least], [most], [1.0]], "f8"))["key"].tolist()) == [least, 1, most]
    if task is by_whole_number:
        return
    for number in (least - 1, most + 1):
        with pytest.raises(duomap.MapFailed, match=f"emitted the key {number}"):
            duomap.run(task, numpy.array([[number]], "f8"))


def test_a_function_that_emits_nothing_shows_the_first_record(tmp_path):
    @duomap.task(format=duomap.lines(), key="bytes", reduce=duomap.sum("i8"))
    def three(line, emit):
        if len(line) == 3:
            emit(line, 1)

    (tmp_path / "t.txt").write_bytes(b"yes\r\nyes\r\n")
    table = duomap.run(three, tmp_path / "t.txt")
    assert len(table) == 0
    assert any("no record emitted anything" in note and r'"yes\x0d"' in note for note in table.report.as_dict()["notes"])


def test_a_text_is_no_rows(tmp_path):
    (tmp_path / "t.csv").write_text("1,2\n3,4\n")
    with pytest.raises(duomap.InputError, match="it is a text"):
        duomap.run(by_whole_number, tmp_path / "t.csv")
