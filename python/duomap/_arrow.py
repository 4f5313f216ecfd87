"""Arrow's tables, arrays and streams as input: pyarrow, Polars and DuckDB have them."""

from __future__ import annotations

from typing import Any

from duomap import _core
from duomap._errors import UsageError


def is_arrow(values: object) -> bool:
    """Whether Arrow's C interface gives it. pandas has NumPy arrays inside, which are taken instead."""
    if type(values).__module__.partition(".")[0] == "pandas":
        return False
    return hasattr(values, "__arrow_c_stream__") or hasattr(values, "__arrow_c_array__")


def _columns(values: Any, name: str) -> list[tuple[str, str, list[Any]]]:
    """Name, kind and the arrays of all batches of each column. Empty batches are left out, unless all are."""
    read = _core.columns_of_stream(values.__arrow_c_stream__()) if hasattr(values, "__arrow_c_stream__") else None
    found = []
    for column, parts in read if read is not None else _core.columns_of_array(*values.__arrow_c_array__()):
        for kind, nulls, arrays in parts:
            if nulls:
                raise UsageError(f"column {column!r} of {name} has {nulls} nulls; fill or drop them")
            if arrays is None:
                raise UsageError(f"column {column!r} of {name} is of Arrow's {kind}, which is not taken; cast it")
        found.append((column, parts[0][0] if parts else "numbers", [arrays for _, _, arrays in parts]))
    if not found:
        raise UsageError(f"{name} has no columns")
    return found


def _one(arrays: list[Any]) -> Any:
    """An array by itself stays where it is."""
    import numpy

    filled = [one for one in arrays if len(one)] or arrays[:1] or [numpy.empty(0, numpy.float32)]
    return filled[0] if len(filled) == 1 else numpy.concatenate(filled)


def matrix_of(values: Any, name: str) -> Any:
    """A column of lists of one length is the matrix; numbers are its columns.

    One column in one batch stays where it lies. Several columns, or batches, are copied.
    """
    import numpy

    columns = _columns(values, name)
    kinds = {kind for _, kind, _ in columns}
    if kinds == {"lists"} and len(columns) == 1:
        arrays = columns[0][2]
        return _one([array for _, array in arrays]).reshape(-1, arrays[0][0])
    if kinds != {"numbers"}:
        raise UsageError(f"{name} has columns of {' and '.join(sorted(kinds))}; it takes numbers, or one column of lists of one length")
    every = [_one(arrays) for _, _, arrays in columns]
    return every[0].reshape(-1, 1) if len(every) == 1 else numpy.column_stack(every)


def text_of(values: Any, name: str) -> Any:
    """The bytes of a column: of uint8 in one batch where they lie; of texts copied, each with an end of line behind it."""
    import numpy

    columns = _columns(values, name)
    if len(columns) != 1:
        raise UsageError(f"{name} has {len(columns)} columns; give the one with the texts, for example table.select(['text'])")
    column, kind, parts = columns[0]
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

    lengths = numpy.diff(offsets) + 1
    lines = numpy.empty(int(lengths.sum()), numpy.uint8)
    ends = numpy.cumsum(lengths) - 1
    kept = numpy.ones(len(lines), bool)
    kept[ends] = False
    lines[ends] = ord("\n")
    lines[kept] = content[offsets[0] : offsets[-1]]
    return lines
