"""Valid and malformed Arrow data of each type: duomap gives the right answer or an exception.

A guard page follows each buffer of the generated arrays. A read past a buffer ends the test.
"""

import itertools
import struct

import arrow_structs as arrow
import numpy
import pytest

from duomap._arrays import matrix
from duomap._arrow import matrix_of, text_of
from duomap._errors import InputError, UsageError

NUMBERS = {"c": "i1", "C": "u1", "s": "i2", "S": "u2", "i": "i4", "I": "u4", "l": "i8", "L": "u8", "f": "f4", "g": "f8"}
OFFSETS = {"u": "i4", "z": "i4", "U": "i8", "Z": "i8"}
VIEWS = ("vu", "vz")
LISTS = [f"+w:{length}{number}" for length in (1, 3) for number in NUMBERS]
TAKEN = [*NUMBERS, *OFFSETS, *VIEWS, *LISTS]
REFUSED = ["n", "b", "e", "d:10,2", "w:5", "tdD", "ttu", "tsn:UTC", "tDs", "tiM", "+l", "+L", "+vl", "+m", "+s", "+us:0", "+ud:0", "+r", "?",
           "", "ii", "+w", "+w:", "+w:x", "+w:-1", "+w:99999999999999999999"]


@pytest.fixture(autouse=True)
def memory():
    yield
    arrow.forget()


def bitmap(valid):
    return numpy.packbits(numpy.array(valid, bool), bitorder="little").tobytes()


class Made:
    """An Arrow array of `count` random rows, and the same rows as Python values.

    `before` and `behind` count rows outside of the array, which may be null. Its own rows are null
    only with `nulls`. A null row has any bytes.
    """

    def __init__(self, random, format, before=0, count=5, behind=0, nulls=False):
        self.format, self.random, self.count = format, random, count
        total = before + count + behind
        valid = random.random(total) < 0.7
        valid[before : before + count] = True
        if nulls:
            valid[before + random.integers(count)] = False
        self.nulls = int((~valid[before : before + count]).sum())
        self.valid = valid
        self.offset = before
        bits = bitmap(valid) if nulls or not valid.all() or random.random() < 0.5 else None
        null_count = -1 if random.random() < 0.5 else int((~valid).sum())
        self.children, self.inner = [], []
        if format in NUMBERS:
            values = random.integers(0, 100, total).astype(NUMBERS[format])
            buffers = [bits, values.tobytes()]
        elif format in OFFSETS:
            values = [bytes(random.integers(97, 100, random.integers(20)).astype("u1")) for _ in range(total)]
            ends = numpy.cumsum([0] + [len(one) for one in values]).astype(OFFSETS[format])
            buffers = [bits, ends.tobytes(), b"".join(values)]
        elif format in VIEWS:
            buffers, values = self._views(random, total, valid, bits)
        else:
            length, number = int(format[3:-1]), format[-1]
            inner = random.integers(0, 100, (total, length)).astype(NUMBERS[number])
            valid_inside = numpy.repeat(valid, length)  # the numbers of a null list are null, too
            null_inside = valid_inside.all()
            self.children = [arrow.array(total * length, [None if null_inside else bitmap(valid_inside), inner.tobytes()],
                                         null_count=0 if null_inside else -1)]
            self.inner = [arrow.schema(number.encode())]
            values, buffers = inner, [bits]
        self.values = values[before : before + count]
        self.buffers = buffers
        self.array = arrow.array(count, buffers, self.children, null_count if bits else 0, before)
        self.array.null_count = -1 if self.array.null_count > count else self.array.null_count

    def _views(self, random, total, valid, bits):
        stores = [b"", b""]
        views, values = [], []
        for row in range(total):
            text = bytes(random.integers(97, 100, random.integers(30)).astype("u1"))
            values.append(text)
            if not valid[row]:
                views.append(bytes(random.integers(0, 256, 16).astype("u1")))
            elif len(text) <= 12:
                views.append(struct.pack("<i12s", len(text), text))
            else:
                at = int(random.integers(2))
                views.append(struct.pack("<i4sii", len(text), text[:4], at, len(stores[at])))
                stores[at] += text
        return [bits, b"".join(views), *stores, struct.pack("<2q", *map(len, stores))], values

    def schema(self):
        return arrow.schema(self.format[:-1].encode() if self.inner else self.format.encode(), self.inner)

    def column(self):
        return arrow.Column(self.schema(), self.array)


def read(given, format):
    return text_of(given, "given") if format in OFFSETS or format in VIEWS else matrix_of(given, "given")


def expected(parts):
    format = parts[0].format
    if format in OFFSETS or format in VIEWS:
        return b"".join(text + b"\n" for part in parts for text in part.values)
    return numpy.concatenate([part.values.reshape(part.count, int(format[3:-1]) if format in LISTS else 1) for part in parts])


def agrees(found, want):
    if isinstance(want, bytes):
        return found.dtype == numpy.uint8 and found.tobytes() == want
    return found.dtype == want.dtype and found.shape == want.shape and (found == want).all()


def some(random, most):
    return int(random.integers(most))


@pytest.mark.parametrize("format", TAKEN)
def test_rows_are_those_of_the_slice_whatever_stands_around_it(random, format):
    for _ in range(100):
        made = Made(random, format, some(random, 20), 1 + some(random, 20), some(random, 20))
        assert agrees(read(made.column(), format), expected([made]))


@pytest.mark.parametrize("format", TAKEN)
def test_batches_of_tables_and_of_columns(random, format):
    for _ in range(20):
        parts = [Made(random, format, some(random, 10), some(random, 10), some(random, 10)) for _ in range(1 + some(random, 4))]
        column = arrow.Batches(parts[0].schema(), [part.array for part in parts])
        assert agrees(read(column, format), expected(parts))
        # A sliced table: the table and its column each have an offset.
        before = some(random, 5)
        parts = [Made(random, format, before + some(random, 10), 1 + some(random, 10), some(random, 10)) for _ in range(2)]
        batches = []
        for part in parts:
            part.array.offset -= before
            part.array.length += before
            part.array.null_count = min(part.array.null_count, 0) if part.buffers[0] is None else -1
            batches.append(arrow.array(part.count, [None], [part.array], offset=before))
        table = arrow.Batches(arrow.schema(b"+s", [parts[0].schema()]), batches)
        assert agrees(read(table, format), expected(parts))


@pytest.mark.parametrize("format", TAKEN)
def test_nothing_of_a_null_is_read(random, format):
    for _ in range(50):
        made = Made(random, format, some(random, 20), 1 + some(random, 20), some(random, 20), nulls=True)
        with pytest.raises(UsageError, match=r" nulls"):
            read(made.column(), format)


def test_types_that_are_not_taken_are_not_read():
    for format in REFUSED:
        for children in ([], [arrow.schema(b"i")], [arrow.schema(b"i"), arrow.schema(b"u")]):
            wild = arrow.array(1 << 50, [b"", None, b"\x07"], null_count=3)
            with pytest.raises((UsageError, InputError)):
                text_of(arrow.Column(arrow.schema(b"+s", [arrow.schema(format.encode(), children)]), arrow.array(1 << 50, [None], [wild])), "given")
            if format != "+s":
                with pytest.raises((UsageError, InputError)):
                    matrix_of(arrow.Column(arrow.schema(format.encode(), children), wild), "given")
    of_dictionary = arrow.schema(b"i")
    of_dictionary.dictionary = arrow.pointers([arrow.schema(b"u")], arrow.Schema)
    with pytest.raises(UsageError, match="a dictionary"):
        matrix_of(arrow.Column(of_dictionary, arrow.array(1 << 50, [None, None])), "given")


def change(member, value):
    return lambda made: setattr(made.array, member, value)


def without_buffer(index):
    def apply(made):
        if made.array.buffers:
            made.array.buffers[index] = None
    return apply


def put(buffer, at, bytes_):
    """Overwrites bytes of a buffer of the array."""
    def apply(made):
        content = bytearray(made.buffers[buffer])
        content[at : at + len(bytes_)] = bytes_
        if made.array.buffers:
            made.array.buffers[buffer] = arrow.guarded(bytes(content))
    return apply


def of_child(member, value):
    return lambda made: setattr(made.children[0], member, value)


def no_child(made):
    if made.array.children:
        made.array.children[0] = None


LEAST, MOST = -(1 << 63), (1 << 63) - 1
ANY_TYPE = [
    *(change("length", value) for value in (-1, LEAST, MOST, 1 << 62)),
    *(change("offset", value) for value in (-1, -100, LEAST, MOST)),
    *(change("null_count", value) for value in (-2, 6, LEAST, MOST)),
    *(change("n_buffers", value) for value in (-1, 0, LEAST)),
    *(change("n_children", value) for value in (-1, 2, 5, MOST, LEAST)),
    change("buffers", None),
    change("release", arrow.RELEASE_ARRAY()),
]


def malformed(format):
    """Changes that make an array of five rows malformed. The array has no null rows."""
    yield from ANY_TYPE
    if format in NUMBERS:
        yield from (change("n_buffers", 1), change("n_buffers", 3), change("n_children", 1), without_buffer(1))
    if format in OFFSETS:
        yield from (change("n_buffers", 2), change("n_buffers", 4), change("n_children", 1), without_buffer(1), without_buffer(2))
        size = numpy.dtype(OFFSETS[format]).itemsize
        for row, value in itertools.product(range(6), (-1, -(1 << 31), (1 << 31) - 1)):
            if row < 5 or value < 0:  # the end of the last text cannot be checked, because Arrow gives no buffer sizes
                yield put(1, row * size, value.to_bytes(size, "little", signed=True))
    if format in VIEWS:
        yield from (change("n_buffers", 2), change("n_children", 1), without_buffer(1), without_buffer(2), without_buffer(4))
        for row in range(5):
            for length, buffer, offset in ((-1, 0, 0), (LEAST >> 32, 0, 0), (13, -1, 0), (13, 2, 0), (13, 1 << 30, 0), (13, 0, -1), (13, 0, 1 << 30),
                                           ((1 << 31) - 1, 0, 0), ((1 << 31) - 1, 1, (1 << 31) - 1)):
                yield put(1, row * 16, struct.pack("<i4sii", length, b"abcd", buffer, offset))
    if format in LISTS:
        yield from (change("n_children", 0), change("n_children", 2), change("n_buffers", 2), change("children", None), no_child)
        yield from (of_child("length", value) for value in (-1, 0, 4 if format.startswith("+w:1") else 14, LEAST))
        yield from (of_child("offset", value) for value in (-1, LEAST, MOST))
        yield from (of_child("n_buffers", value) for value in (-1, 0, 1, 3))
        yield from (of_child("null_count", value) for value in (-2, 1 << 40))
        yield from (of_child("n_children", 1), of_child("buffers", None), of_child("release", arrow.RELEASE_ARRAY()))


def with_long_texts(random, format):
    """An array in which some texts are too long for their views, so that each buffer is used."""
    while True:
        made = Made(random, format)
        if format not in VIEWS or (made.buffers[2] and made.buffers[3]):
            return made


@pytest.mark.parametrize("format", TAKEN)
def test_arrays_that_are_malformed(random, format):
    for apply in malformed(format):
        for nested in (False, True):
            made = with_long_texts(random, format)
            apply(made)
            table = arrow.Column(arrow.schema(b"+s", [made.schema()]), arrow.array(5, [None], [made.array]))
            with pytest.raises((InputError, UsageError)):
                read(table if nested else made.column(), format)


@pytest.mark.parametrize("format", TAKEN)
def test_arrays_with_several_changes_are_right_or_refused(random, format):
    changes = [*malformed(format), change("null_count", -1), change("null_count", 0), without_buffer(0), change("length", 1), change("length", 0)]
    for _ in range(100):
        made = with_long_texts(random, format)
        for one in random.choice(len(changes), 1 + some(random, 3), replace=False):
            changes[one](made)
        left = made.array.length
        try:
            found = read(made.column(), format)
        except (InputError, UsageError):
            continue
        made.values, made.count = made.values[:left], left
        assert agrees(found, expected([made]))


def test_schemas_that_are_malformed():
    def deep(levels):
        one = arrow.schema(b"i")
        for _ in range(levels):
            one = arrow.schema(b"+s", [one])
        return one

    def changed(member, value, format=b"+s"):
        one = arrow.schema(format, [arrow.schema(b"i")] if format == b"+s" else [])
        setattr(one, member, value)
        return one

    cycle = arrow.schema(b"+s", [arrow.schema(b"i")])
    cycle.children[0].contents = cycle
    cycle.children = arrow.pointers([arrow.ctypes.pointer(cycle)], arrow.ctypes.POINTER(arrow.Schema))
    for wrong in [cycle, deep(1000), changed("format", None), changed("format", None, b"i"), changed("n_children", -1), changed("n_children", LEAST),
                  changed("children", None), changed("release", arrow.RELEASE_SCHEMA(), b"i"), arrow.schema(b"+s", [None]),
                  changed("n_children", 0), arrow.schema(b"+s", [changed("format", None, b"i")])]:
        for function in (text_of, matrix_of):
            batch = arrow.array(1, [None], [arrow.array(1, [None, b"abcd"])])
            with pytest.raises((InputError, UsageError)):
                function(arrow.Batches(wrong, [batch]), "given")
            with pytest.raises((InputError, UsageError)):
                function(arrow.Column(wrong, batch), "given")
    number = arrow.array(1, [None, b"abcd"])
    for children in ([], [number, number]):
        with pytest.raises(InputError, match="children"):
            matrix_of(arrow.Column(arrow.schema(b"+s", [arrow.schema(b"i")]), arrow.array(1, [None], children)), "given")
    assert matrix_of(arrow.Column(arrow.schema(b"i", name=None), arrow.array(1, [None, b"\1\0\0\0"])), "given").tolist() == [[1]]
    with pytest.raises(UsageError, match=r"'\\\\xff' of given has 1 nulls"):
        matrix_of(arrow.Column(arrow.schema(b"i", name=b"\xff"), arrow.array(1, [b"\0", b"abcd"], null_count=-1)), "given")


def test_capsules_of_another_name_and_data_that_was_taken(random):
    array_names, stream_names = (b"arrow_schema", b"arrow_array"), [b"arrow_array_stream"]
    every = [*array_names, *stream_names, b"used_dltensor", b"", None, b"arrow_array_stream2"]
    for names in itertools.product(every, every):
        if names == array_names:
            continue
        with pytest.raises(UsageError, match="capsule"):
            made = Made(random, "i")
            matrix_of(arrow.Column(made.schema(), made.array, names), "given")
    for name in every:
        if name in stream_names:
            continue
        with pytest.raises(UsageError, match="capsule"):
            matrix_of(arrow.Batches(arrow.schema(b"i"), [], name=name), "given")
    for format in TAKEN:
        column = Made(random, format).column()
        read(column, format)
        with pytest.raises(UsageError, match="taken before"):
            read(column, format)
        stream = arrow.Batches(Made(random, format).schema(), [Made(random, format).array])
        read(stream, format)
        with pytest.raises(UsageError, match="taken before"):
            read(stream, format)
    column = Made(random, "i").column()
    column.schema.release = arrow.RELEASE_SCHEMA()
    with pytest.raises(UsageError, match="taken before"):
        matrix_of(column, "given")


def test_objects_that_give_something_else():
    class Gives:
        def __init__(self, what):
            self.__dict__["what"] = what

        def __arrow_c_array__(self, requested_schema=None):
            return self.what

    class Streams(Gives):
        def __arrow_c_stream__(self, requested_schema=None):
            return self.what

    for what in (None, 1, "ab", (), (1,), (1, 2), (1, 2, 3), object(), (Made, Made)):
        for kind in (Gives, Streams):
            with pytest.raises((TypeError, UsageError)):
                matrix_of(kind(what), "given")


def test_streams_that_fail(random):
    made = Made(random, "i")
    for stream, why in [
        (arrow.Batches(5, []), "broken"),
        (arrow.Batches(made.schema(), [5]), "broken"),
        (arrow.Batches(made.schema(), [Made(random, "i").array, 7]), "broken"),
        (arrow.Batches(made.schema(), [7], why=None), "error 7"),
        (arrow.Batches(made.schema(), [7], get_last_error=arrow.LAST_ERROR()), "error 7"),
        (arrow.Batches(made.schema(), [], get_schema=arrow.GET_SCHEMA()), "malformed"),
        (arrow.Batches(made.schema(), [], get_next=arrow.GET_NEXT()), "malformed"),
        (arrow.Batches(arrow.Schema(), []), "malformed"),
    ]:
        with pytest.raises(InputError, match=why):
            matrix_of(stream, "given")


def test_streams_and_columns_without_rows():
    for format in TAKEN:
        inner = [arrow.schema(format[-1].encode())] if format in LISTS else []
        its_schema = arrow.schema((format[:-1] if inner else format).encode(), inner)
        found = read(arrow.Batches(its_schema, []), format)
        assert len(found) == 0
        its_schema = arrow.schema((format[:-1] if inner else format).encode(), inner)
        buffers = {True: [None], False: [None] * (2 if format in NUMBERS else 3)}[bool(inner)]
        children = [arrow.array(0, [None, None])] if inner else []
        assert len(read(arrow.Column(its_schema, arrow.array(0, buffers, children)), format)) == 0
    with pytest.raises(UsageError, match="length 0"):
        matrix_of(arrow.Column(arrow.schema(b"+w:0", [arrow.schema(b"f")]), arrow.array(3, [None], [arrow.array(0, [None, None])])), "given")


def test_numbers_that_are_not_aligned(random):
    for format, dtype in NUMBERS.items():
        values = random.integers(0, 100, 7).astype(dtype)
        memory = arrow.guarded(values.tobytes() + b"x")
        made = arrow.array(7, [None, b""])
        made.buffers[1] = memory
        found = matrix(arrow.Column(arrow.schema(format.encode()), made), "given")
        assert found.flags.aligned and found.reshape(-1).tolist() == values.tolist()
    memory = numpy.zeros(33, "u1")[1:].view("f8").reshape(2, 2)
    assert not memory.flags.aligned and matrix(memory, "given").flags.aligned


def test_pyarrow_is_the_oracle(random):
    pyarrow = pytest.importorskip("pyarrow")
    number_types = [pyarrow.int8(), pyarrow.uint8(), pyarrow.int16(), pyarrow.uint16(), pyarrow.int32(), pyarrow.uint32(), pyarrow.int64(),
                    pyarrow.uint64(), pyarrow.float32(), pyarrow.float64()]
    text_types = [pyarrow.string(), pyarrow.large_string(), pyarrow.binary(), pyarrow.large_binary(), pyarrow.string_view(), pyarrow.binary_view()]
    list_types = [pyarrow.list_(one, 4) for one in number_types]
    for of in itertools.chain.from_iterable(itertools.repeat([*number_types, *text_types, *list_types], 40)):
        def rows(count, of=of):
            if of in text_types:
                return [("x" * some(random, 30) + "é") for _ in range(count)]
            if of in list_types:
                return random.integers(0, 99, (count, 4)).tolist()
            return random.integers(0, 99, count).tolist()

        def values(nulls, of=of, rows=rows):
            some_rows = rows(some(random, 60))
            if of in (pyarrow.binary(), pyarrow.large_binary(), pyarrow.binary_view()):
                some_rows = [one.encode() for one in some_rows]
            return pyarrow.array([None if nulls and random.random() < 0.2 else one for one in some_rows], of)

        whole = [values(random.random() < 0.3) for _ in range(1 + some(random, 3))]
        parts = [one.slice(some(random, 1 + len(one)), some(random, 1 + len(one))) for one in whole]
        for given in (pyarrow.chunked_array(parts, of), pyarrow.table({"x": pyarrow.chunked_array(parts, of)}).slice(some(random, 3)), parts[0]):
            if not isinstance(given, pyarrow.Array):
                given.validate(full=True)
            column = given.column(0) if isinstance(given, pyarrow.Table) else given
            want = column.to_pylist()
            try:
                found = text_of(given, "given") if of in text_types else matrix_of(given, "given")
            except UsageError as problem:
                assert "nulls" in str(problem) and column.null_count > 0
                continue
            assert column.null_count == 0
            if of in text_types:
                assert found.tobytes() == b"".join((one.encode() if isinstance(one, str) else one) + b"\n" for one in want)
            elif of in list_types:
                assert found.tolist() == want
            else:
                assert found.reshape(-1).tolist() == want


def test_a_null_whose_view_is_any_bytes():
    """pyarrow accepts this array. It once ended the process."""
    pyarrow = pytest.importorskip("pyarrow")
    views = struct.pack("<i12s", 5, b"first") + b"\xff" * 16 + struct.pack("<i12s", 5, b"third")
    column = pyarrow.Array.from_buffers(pyarrow.string_view(), 3, [pyarrow.py_buffer(b"\x05"), pyarrow.py_buffer(views)])
    column.validate(full=True)
    with pytest.raises(UsageError, match="1 nulls"):
        text_of(column, "given")
    assert text_of(column.slice(2), "given").tobytes() == b"third\n"
