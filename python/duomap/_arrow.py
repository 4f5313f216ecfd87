"""Reads tables, arrays and streams of Arrow, such as those of pyarrow, Polars and DuckDB."""

from __future__ import annotations

from typing import Any

from duomap import _core
from duomap._errors import UsageError


def is_arrow(values: object) -> bool:
    """Whether `values` exports Arrow's C interface. False for pandas: duomap reads the NumPy arrays in its tables instead."""
    if type(values).__module__.partition(".")[0] == "pandas":
        return False
    return hasattr(values, "__arrow_c_stream__") or hasattr(values, "__arrow_c_array__")


def _columns(values: Any, name: str) -> list[tuple[str, str, list[Any]]]:
    """Each column as its name, its kind ("nothing" without batches), and its arrays."""
    read = _core.columns_of_stream(values.__arrow_c_stream__()) if hasattr(values, "__arrow_c_stream__") else None
    found = []
    for column, parts in read if read is not None else _core.columns_of_array(*values.__arrow_c_array__()):
        for kind, nulls, arrays in parts:
            if nulls:
                raise UsageError(f"column {column!r} of {name} has {nulls} nulls; fill or drop them")
            if arrays is None:
                raise UsageError(f"column {column!r} of {name} is of Arrow's {kind}, which is not taken; cast it")
        found.append((column, parts[0][0] if parts else "nothing", [arrays for _, _, arrays in parts]))
    if not found:
        raise UsageError(f"{name} has no columns")
    return found


def _one(arrays: list[Any]) -> Any:
    """The arrays joined into one array. If only one array has elements, it is returned without a copy."""
    import numpy

    filled = [one for one in arrays if len(one)] or arrays[:1] or [numpy.empty(0, numpy.float32)]
    return filled[0] if len(filled) == 1 else numpy.concatenate(filled)


def matrix_of(values: Any, name: str) -> Any:
    """A table as a matrix.

    The table has either columns of numbers, which become the matrix's columns, or one column of lists of equal length,
    which become its rows. One column in one batch is used in place; several columns or batches are copied.
    """
    import numpy

    columns = _columns(values, name)
    kinds = {kind for _, kind, _ in columns}
    if kinds == {"lists"} and len(columns) == 1:
        arrays = columns[0][2]
        length = arrays[0][0]
        if length == 0:
            raise UsageError(f"column {columns[0][0]!r} of {name} holds lists of length 0; a row has at least one number")
        return _one([array for _, array in arrays]).reshape(-1, length)
    if kinds not in ({"numbers"}, {"nothing"}):
        raise UsageError(f"{name} has columns of {' and '.join(sorted(kinds))}; it takes numbers, or one column of lists of one length")
    every = [_one(arrays) for _, _, arrays in columns]
    return every[0].reshape(-1, 1) if len(every) == 1 else numpy.column_stack(every)


def text_of(values: Any, name: str) -> Any:
    """The bytes of a table's only column. uint8 in one batch is used in place; texts are copied, with a newline after each."""
    import numpy

    columns = _columns(values, name)
    if len(columns) != 1:
        raise UsageError(f"{name} has {len(columns)} columns; give the one with the texts, for example table.select(['text'])")
    column, kind, parts = columns[0]
    if kind == "nothing":
        return numpy.empty(0, numpy.uint8)
    if kind == "numbers":
        array = _one(parts)
        if array.dtype != numpy.uint8:
            raise UsageError(f"column {column!r} of {name} holds {array.dtype}; a text is a column of strings, binary or uint8")
        return array
    if kind != "texts":
        raise UsageError(f"column {column!r} of {name} holds {kind}; a text is a column of strings, binary or uint8")
    return _one([_lines(offsets, content) for offsets, content in parts])


def _lines(offsets: Any, content: Any) -> Any:
    import numpy

    lengths = numpy.subtract(offsets[1:], offsets[:-1], dtype=numpy.int64) + 1
    lines = numpy.empty(int(lengths.sum()), numpy.uint8)
    ends = numpy.cumsum(lengths) - 1
    kept = numpy.ones(len(lines), bool)
    kept[ends] = False
    lines[ends] = ord("\n")
    lines[kept] = content[offsets[0] : offsets[-1]]
    return lines
