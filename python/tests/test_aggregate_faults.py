"""Grouping of Arrow columns that no library would write, valid and malformed. A guard page follows each buffer."""

import collections
import os
import signal
import struct
import threading
import time

import arrow_structs as arrow
import numpy
import pytest

import duomap
from duomap._errors import InputError, UsageError

NUMBERS = {"c": "i1", "C": "u1", "s": "i2", "S": "u2", "i": "i4", "I": "u4", "l": "i8", "L": "u8"}
OFFSETS = {"u": "i4", "z": "i4", "U": "i8", "Z": "i8"}
FORMATS = [*NUMBERS, *OFFSETS, "vu", "vz", "b", "n"]


@pytest.fixture(autouse=True)
def memory():
    yield
    arrow.forget()


def bits(flags):
    return numpy.packbits(numpy.array(flags, bool), bitorder="little").tobytes()


def texts_of(random, total):
    return [bytes(random.integers(97, 99, random.integers(20)).astype("u1")) for _ in range(total)]


def views_of(random, texts, valid):
    """The buffers of views: short texts inside, long texts in two stores, anything where a row is null."""
    stores, views = [b"", b""], []
    for text, there in zip(texts, valid):
        at = int(random.integers(2))
        if not there:
            views.append(bytes(random.integers(0, 256, 16).astype("u1")))
        elif len(text) <= 12:
            views.append(struct.pack("<i12s", len(text), text))
        else:
            views.append(struct.pack("<i4sii", len(text), text[:4], at, len(stores[at])))
            stores[at] += text
    return [b"".join(views), *stores, struct.pack("<2q", *map(len, stores))]


def made(random, format, before, count, behind):
    """An array of random rows behind `before` others, its schema, and the keys that the rows must have."""
    total = before + count + behind
    valid = random.random(total) < 0.7
    if format in NUMBERS:
        values = random.integers(0, 5, total).astype(NUMBERS[format])
        buffers, keys = [values.tobytes()], values.tolist()
    elif format == "b":
        values = random.random(total) < 0.5
        buffers, keys = [bits(values)], values.tolist()
    elif format == "n":
        one = arrow.array(count, [], null_count=count, offset=before)
        return one, arrow.schema(b"n"), [None] * count
    else:
        texts = texts_of(random, total)
        keys = [text.decode() for text in texts]
        ends = numpy.cumsum([0, *map(len, texts)]).astype(OFFSETS.get(format, "i4"))
        buffers = [ends.tobytes(), b"".join(texts)] if format in OFFSETS else views_of(random, texts, valid)
    one = arrow.array(count, [bits(valid), *buffers], null_count=-1, offset=before)
    return one, arrow.schema(format.encode()), [key if there else None for key, there in zip(keys, valid)][before : before + count]


def table(columns, schemas, count, offset=0, **changed):
    return arrow.Column(arrow.schema(b"+s", schemas), arrow.array(count, [None], columns, offset=offset, **changed))


@pytest.mark.parametrize("format", FORMATS)
def test_rows_are_those_of_the_slice_whatever_stands_around_it(random, format):
    for _ in range(50):
        count = int(random.integers(30))
        before, behind = (int(one) for one in random.integers(0, 20, 2))
        array, schema, keys = made(random, format, before, count, behind)
        # The table has an offset, too, if its columns have as many rows more.
        offset = int(random.integers(before + 1))
        array.offset -= offset
        array.length += offset
        array.null_count = array.length if format == "n" else -1
        found = duomap.aggregate(table([array], [schema], count, offset), "x", where=None)
        assert collections.Counter(dict(found.rows())) == collections.Counter(keys)


def test_dictionaries(random):
    for _ in range(50):
        words, schema_of_words, texts = made(random, str(random.choice(["u", "U", "vu"])), 3, 4, 2)
        places = random.integers(0, 4, 20).astype("i1")
        valid = random.random(20) < 0.7
        places[~valid] = 77  # of a null row nothing is read
        indices = arrow.array(17, [bits(valid), places.tobytes()], null_count=-1, offset=3)
        indices.dictionary = arrow.pointers([arrow.ctypes.pointer(words)], arrow.ctypes.POINTER(arrow.Array))[0]
        schema = arrow.schema(b"c")
        schema.dictionary = arrow.pointers([arrow.ctypes.pointer(schema_of_words)], arrow.ctypes.POINTER(arrow.Schema))[0]
        expected = collections.Counter(texts[place] if there else None for place, there in zip(places[3:], valid[3:]))
        found = duomap.aggregate(table([indices], [schema], 17), "x")
        assert collections.Counter(dict(found.rows())) == expected


def malformed():
    good = struct.pack("<4i", 0, 1, 2, 3)
    text = arrow.schema(b"u")
    words = arrow.array(3, [None, good, b"abc"])
    yield "a text begins at 2 and ends at 1", text, lambda: arrow.array(3, [None, struct.pack("<4i", 0, 2, 1, 3), b"abc"])
    yield "a text begins at -1", text, lambda: arrow.array(3, [None, struct.pack("<4i", -1, 2, 2, 3), b"abc"])
    yield "buffer of values is missing", text, lambda: arrow.array(3, [None, None, b"abc"])
    yield "buffer of values is missing", text, lambda: arrow.array(3, [None, good, None])
    yield "number of buffers", text, lambda: arrow.array(3, [None, good])
    yield "nulls, and does not say", text, lambda: arrow.array(3, [None, good, b"abc"], null_count=1)
    yield "fewer than its parent", text, lambda: arrow.array(2, [None, good, b"abc"])
    yield "the offset -1", text, lambda: arrow.array(3, [None, good, b"abc"], offset=-1)
    yield "too large", text, lambda: arrow.array(3, [None, good, b"abc"], offset=2**62)
    yield "buffer of values is missing", arrow.schema(b"l"), lambda: arrow.array(3, [None, None])
    long = struct.pack("<i4sii", 20, b"abcd", 0, 5) * 3
    yield "outside its buffer", arrow.schema(b"vu"), lambda: arrow.array(3, [None, long, b"x" * 24, struct.pack("<q", 24)])
    yield "outside its buffer", arrow.schema(b"vu"), lambda: arrow.array(3, [None, long, struct.pack("<q", 0)])
    yield "the length -20", arrow.schema(b"vu"), lambda: arrow.array(3, [None, struct.pack("<4i", -20, 0, 0, 0) * 3, struct.pack("<q", 0)])
    places = arrow.schema(b"c")
    places.dictionary = arrow.pointers([arrow.ctypes.pointer(text)], arrow.ctypes.POINTER(arrow.Schema))[0]
    yield "the dictionary of an array is missing", places, lambda: arrow.array(3, [None, b"\0\1\2"])
    for wrong in (b"\0\1\3", b"\0\1\xff"):
        def with_words(wrong=wrong):
            one = arrow.array(3, [None, wrong])
            one.dictionary = arrow.pointers([arrow.ctypes.pointer(words)], arrow.ctypes.POINTER(arrow.Array))[0]
            return one
        yield "a place in a dictionary of 3 is", places, with_words


def test_malformed_columns_are_refused():
    for problem, schema, make in malformed():
        with pytest.raises(InputError, match=problem):
            duomap.aggregate(table([make()], [schema], 3), "x")
    one = arrow.array(3, [None, b"abc"])
    with pytest.raises(InputError, match="number of children"):
        duomap.aggregate(table([one, one], [arrow.schema(b"c")], 3), "x")
    with pytest.raises(UsageError, match="rows of the Arrow table are null"):
        whole = arrow.Column(arrow.schema(b"+s", [arrow.schema(b"c")]), arrow.array(3, [b"\5"], [one], null_count=1))
        duomap.aggregate(whole, "x")
    with pytest.raises(InputError, match="the Arrow stream cannot be read: broken"):
        batch = arrow.array(3, [None], [one])
        duomap.aggregate(arrow.Batches(arrow.schema(b"+s", [arrow.schema(b"c")]), [batch, 5]), "x")


def test_the_iterable_runs_on_the_calling_thread_and_an_interrupt_ends_it():
    pa = pytest.importorskip("pyarrow")
    threads, batch = set(), pa.record_batch({"k": ["a"] * 1000})

    def batches():
        while True:
            threads.add(threading.get_ident())
            yield batch

    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell makes background programs ignore SIGINT
    for source in (batches(), pa.RecordBatchReader.from_batches(batch.schema, batches())):
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        start = time.monotonic()
        with pytest.raises((KeyboardInterrupt, InputError)):
            duomap.aggregate(source, "k")
        assert time.monotonic() - start < 30 and threads == {threading.get_ident()}
    assert duomap.aggregate(batch, "k").rows() == [("a", 1000)]


def test_progress_of_several_runs():
    pa = pytest.importorskip("pyarrow")
    seen = []
    batch = pa.record_batch({"k": pa.array(["a key of many bytes"] * 200_000)})
    duomap.aggregate((batch for _ in range(50)), "k", progress=lambda done, total: seen.append((done, total)))
    assert seen and max(done for done, _ in seen) == 50 * 200_000 and all(total == 0 or done <= total for done, total in seen)
