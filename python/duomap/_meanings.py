"""Gives integers of a result the type that they stand for: booleans, dates, times and durations."""

from __future__ import annotations

from typing import Any

_UNITS = {"s": "s", "m": "ms", "u": "us", "n": "ns"}


def _moment(meaning: str) -> str:
    """NumPy's type for an Arrow format of moments; empty for other meanings."""
    if meaning == "tdD":
        return "datetime64[D]"
    if meaning == "tdm":
        return "datetime64[ms]"
    kind = {"ts": "datetime64", "tD": "timedelta64"}.get(meaning[:2])
    return f"{kind}[{_UNITS[meaning[2]]}]" if kind else ""


def values_with(meaning: str, values: Any) -> Any:
    """A column of the module as users see it."""
    if isinstance(values, list) or not meaning:
        return values
    if meaning == "b":
        booleans = values.astype(bool)
        booleans.flags.writeable = False
        return booleans
    return values.view(_moment(meaning))


def rows_with(meanings: list[str], rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Rows of the module as users see them. The module has made the booleans."""
    moments = [_moment(meaning) for meaning in meanings]
    if not any(moments):
        return rows
    import numpy

    types = [numpy.dtype(moment).type if moment else None for moment in moments]
    units = [moment[moment.find("[") + 1 : -1] for moment in moments]
    return [tuple(cell if kind is None or cell is None else kind(cell, unit) for cell, kind, unit in zip(row, types, units)) for row in rows]
