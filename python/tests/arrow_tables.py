"""Random columns of Arrow: types, values, slices and batches."""

import datetime
import decimal
import math

import numpy
import pytest

pa = pytest.importorskip("pyarrow")

DAY = datetime.date(2020, 2, 29)
MOMENT = datetime.datetime(2020, 2, 29, 1, 2, 3)
WORDS = ["a", "", "b\nc", "\0", "\xff", "a text of more than fifteen bytes", "a\n"]
BYTES = [b"a", b"", b"\xff", b"\xff\xff", b"\xffa", b"\n", b"\0" * 20]
INTEGERS = {"int8": (-128, 127), "uint8": (0, 255), "int16": (-(2**15), 2**15 - 1), "uint16": (0, 2**16 - 1), "int32": (-(2**31), 2**31 - 1),
            "uint32": (0, 2**32 - 1), "int64": (-(2**63), 2**63 - 1), "uint64": (0, 2**64 - 1)}
KEYS = [
    *[(pa.type_for_alias(name), [low, high, 0, 1, 7]) for name, (low, high) in INTEGERS.items()],
    *[(kind, WORDS) for kind in (pa.string(), pa.large_string(), pa.string_view())],
    *[(kind, BYTES) for kind in (pa.binary(), pa.large_binary(), pa.binary_view())],
    (pa.dictionary(pa.int8(), pa.string()), WORDS), (pa.dictionary(pa.uint32(), pa.large_string()), WORDS),
    (pa.bool_(), [True, False]), (pa.date32(), [DAY, datetime.date(1900, 1, 1)]), (pa.date64(), [DAY]),
    (pa.timestamp("us"), [MOMENT, datetime.datetime(1969, 1, 1)]), (pa.timestamp("s"), [MOMENT]), (pa.duration("ms"), [datetime.timedelta(0, 5)]),
    (pa.null(), [None]),
]
VALUES = [
    *[(pa.type_for_alias(name), [low, high, 0, 1, 7]) for name, (low, high) in INTEGERS.items() if high < 2**63 - 1],
    (pa.int64(), [-(2**40), 2**40, 3]), (pa.uint64(), [0, 2**40]), (pa.float16(), [numpy.float16(one) for one in (0.5, -2, 65504, 6e-8)]),
    (pa.float32(), [0.5, -1e30]), (pa.float64(), [0.25, -1e300, math.inf]),
    (pa.decimal128(12, 2), [decimal.Decimal("1.25"), decimal.Decimal("-99.01")]), (pa.null(), [None]),
]


def drawn(random, kind, choice, rows):
    """An array with nulls. It begins in the middle of its buffers."""
    picked = [choice[i] if i < len(choice) else None for i in random.integers(0, len(choice) + 1, rows + 13)]
    if pa.types.is_dictionary(kind):
        made = pa.array(picked, kind.value_type).dictionary_encode().cast(kind)
    else:
        made = pa.array(picked, kind)
    return made[13:]


def in_chunks(random, table):
    """The same rows in slices, some of them empty."""
    cuts = sorted(int(cut) for cut in random.integers(0, len(table) + 1, 4))
    cuts = [0, cuts[0], *cuts, len(table)]
    return pa.Table.from_batches([batch for a, b in zip(cuts, cuts[1:]) for batch in table.slice(a, b - a).to_batches()], table.schema)


def plain(cell):
    if isinstance(cell, bytes):
        return cell.decode("utf-8", "surrogateescape")
    if isinstance(cell, (numpy.datetime64, numpy.timedelta64)):
        return cell.item()
    return cell
