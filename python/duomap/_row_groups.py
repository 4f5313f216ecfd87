"""Finds the row groups of a file of Parquet in which a condition may be true, from the statistics in the file."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from duomap import _core


def row_groups(file: Any, where: str) -> list[int]:
    """The row groups of a pyarrow.parquet.ParquetFile that may have rows that fulfil the condition.

    The condition leaves out the other rows of these groups. Without statistics that decide, a group is read.
    """
    metadata = file.metadata
    every = list(range(metadata.num_row_groups))
    if not where:
        return every
    comparisons, steps = _core.condition_parts(where)
    names = [metadata.schema.column(i).path for i in range(metadata.num_columns)]
    columns = [_place(names, file.schema_arrow.names, column) for column, _, _ in comparisons]

    def may_hold(group: Any) -> bool:
        results = [place is None or _may_compare(group.column(place), operator, constants)
                   for place, (_, operator, constants) in zip(columns, comparisons)]
        stack: list[bool] = []
        for step in steps:
            if isinstance(step, int):
                stack.append(results[step])
            else:
                both = (stack.pop(), stack.pop())
                stack.append(all(both) if step == "and" else any(both))
        return stack[-1]

    return [i for i in every if may_hold(metadata.row_group(i))]


def _place(names: list[str], of_table: list[str], column: str) -> int | None:
    """The place of a column among those of the file; None if it has parts, or is not unique."""
    if of_table.count(column) == 0 and column.isdigit() and 1 <= int(column) <= len(of_table):
        column = of_table[int(column) - 1]
    return names.index(column) if names.count(column) == 1 and of_table.count(column) == 1 else None


def _may_compare(chunk: Any, operator: str, constants: list[Any]) -> bool:
    """Whether a row of a column chunk may fulfil a comparison."""
    statistics = chunk.statistics
    if statistics is None:
        return True
    nulls = statistics.null_count if statistics.has_null_count else None
    if operator == "is null":
        return nulls != 0
    if nulls is not None and nulls == chunk.num_values:
        return False  # all rows are null, and no comparison is true of null
    if operator == "is not null" or not statistics.has_min_max:
        return True
    least, most = _ordered(statistics.min), _ordered(statistics.max)
    if least is None or most is None or type(least) is not type(most):
        return True
    wanted = [_constant(one) for one in constants]
    if any(type(one) is not type(least) for one in wanted):
        return True
    first = wanted[0]
    if operator in ("=", "in"):
        return any(least <= one <= most for one in wanted)
    if operator in ("!=", "not in"):
        return not (least == most and least in wanted)
    if operator == "like" and isinstance(first, bytes):
        prefix = first.replace(b"_", b"%").partition(b"%")[0]
        return bool(least[: len(prefix)] <= prefix <= most[: len(prefix)])
    holds: dict[str, bool] = {"<": least < first, "<=": least <= first, ">": most > first, ">=": most >= first}
    return holds.get(operator, True)


def _ordered(bound: Any) -> Any:
    """A bound as an exact number or as bytes. Statistics of doubles leave NaN out, which is the largest number here: None."""
    if isinstance(bound, str):
        return bound.encode()
    if isinstance(bound, bytes):
        return bound
    if isinstance(bound, bool) or isinstance(bound, float) or not hasattr(bound, "__int__") or not hasattr(bound, "__lt__"):
        return None
    try:
        return Fraction(bound)
    except (TypeError, ValueError):
        return None


def _constant(constant: Any) -> Any:
    if isinstance(constant, tuple):
        return Fraction(constant[0], 10 ** constant[1])
    return Fraction(constant) if isinstance(constant, float) else constant
