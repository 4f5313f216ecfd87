"""Tables of columns: recognises them, and hands them to the module as capsules of Arrow."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, Union

from duomap import _core
from duomap._errors import InputError, UsageError
from duomap._options import Options, settings
from duomap._table import Report, Table
from duomap._texts import ArrowStream


class ArrowBatch(Protocol):
    """A batch of Arrow, such as pyarrow.RecordBatch."""

    def __arrow_c_array__(self, requested_schema: object = None) -> object: ...


class BatchReader(Protocol):
    """An object that makes a reader of batches, such as pyarrow.dataset.Scanner."""

    def to_reader(self) -> ArrowStream: ...


class Dataset(Protocol):
    """pyarrow.dataset.Dataset."""

    def scanner(self) -> BatchReader: ...


ColumnTable = Union[ArrowStream, ArrowBatch, BatchReader, Dataset]
Columns = Union[ColumnTable, Iterable[ColumnTable]]

_OF_TABLES = ("__arrow_c_stream__", "__arrow_c_array__", "to_reader", "scanner")
_ROWS_OF_A_BATCH = 1 << 17


def _is_frame(given: object) -> bool:
    """Whether `given` is a DataFrame of pandas."""
    return type(given).__module__.partition(".")[0] == "pandas" and type(given).__name__ == "DataFrame"


def _is_parquet(given: object) -> bool:
    return isinstance(given, (str, bytes, os.PathLike)) and os.fsencode(given).lower().endswith(b".parquet")


def _is_table(given: object) -> bool:
    return _is_frame(given) or any(hasattr(given, one) for one in _OF_TABLES)


def _has_columns(given: object) -> bool:
    return _is_table(given) or (not isinstance(given, bytes) and _is_parquet(given))


def columns_or_texts(tables: Any) -> tuple[Iterator[Any] | None, Any]:
    """(the tables, None) for tables of columns, (None, the texts) for texts."""
    if _has_columns(tables):
        return iter([tables]), None
    single = (str, bytes, bytearray, memoryview, os.PathLike, Mapping)
    if isinstance(tables, single) or not isinstance(tables, Iterable) or any(hasattr(tables, one) for one in ("read", "__array__")):
        return None, tables
    parts = iter(tables)
    begin = list(itertools.islice(parts, 1))
    every = itertools.chain(begin, parts)
    return (every, None) if begin and _has_columns(begin[0]) else (None, every)


def aggregate_columns(
    tables: Iterator[Any], by: Sequence[str], asked: Sequence[tuple[str, str]], where: str, refused: Mapping[str, object], options: Options
) -> Table:
    """aggregate() for tables of columns. `refused`: arguments that only texts take, and whether they were given."""
    for name, given in refused.items():
        if given:
            raise UsageError(f"{name} is for text; the columns of this table have names and types of their own")
    needed = [*by, *(column for _, column in asked if column), *(_core.condition_columns(where) if where else ())]
    with settings(options) as how:
        columns, report = _core.aggregate_columns(_capsules(tables, needed), list(by), list(asked), where, how)
    return Table(columns, Report(report))


def _capsules(tables: Iterator[Any], needed: Sequence[str]) -> Iterator[tuple[object, ...]]:
    """The capsules of each table: a stream, or a schema and an array."""
    for table in tables:
        if not _has_columns(table):
            raise UsageError(f"{table!r:.60} is among tables of columns and has none; give tables, or texts, in one call")
        if _is_parquet(table):
            yield from _parquet(table, needed)
            continue
        if hasattr(table, "scanner"):
            table = _scan(table, needed)
        if _is_frame(table):
            table = _arrow_of_frame(table, needed)
        elif not hasattr(table, "__arrow_c_stream__") and hasattr(table, "to_reader"):
            table = table.to_reader()
        if hasattr(table, "__arrow_c_stream__"):
            yield (table.__arrow_c_stream__(),)
        else:
            yield tuple(table.__arrow_c_array__())


def _wanted(names: Sequence[str], needed: Sequence[str]) -> list[str] | None:
    """The columns to read; None is all: a column's number counts all columns, and errors list them."""
    if any(list(names).count(one) != 1 for one in needed):
        return None
    return [name for name in names if name in needed]


def _arrow_of_frame(frame: Any, needed: Sequence[str]) -> Any:
    try:
        import pyarrow
    except ImportError:
        raise UsageError("a DataFrame of pandas is read through pyarrow; install pyarrow") from None
    wanted = _wanted(list(frame.columns), needed)
    try:
        if wanted is not None:
            return pyarrow.Table.from_pandas(frame, columns=wanted, preserve_index=False)
        return pyarrow.Table.from_pandas(frame)
    except pyarrow.ArrowException as problem:
        raise UsageError(f"pyarrow makes no columns of the DataFrame: {problem}") from problem


def _scan(dataset: Any, needed: Sequence[str]) -> Any:
    """A reader of a dataset that holds few batches at once."""
    wanted = _wanted(dataset.schema.names, needed)
    return dataset.scanner(columns=wanted, batch_size=_ROWS_OF_A_BATCH, batch_readahead=2, fragment_readahead=1)


def _parquet(path: Any, needed: Sequence[str]) -> Iterator[tuple[object, ...]]:
    name = os.fsdecode(path)
    try:
        import pyarrow
        import pyarrow.dataset
        import pyarrow.parquet
    except ImportError:
        raise UsageError(f"{name!r} is a file of Parquet, which is read by pyarrow; install pyarrow") from None
    try:
        if os.path.isdir(name):
            yield from _capsules(iter([pyarrow.dataset.dataset(name, format="parquet")]), needed)
            return
        with pyarrow.parquet.ParquetFile(name) as file:
            wanted = _wanted(file.schema_arrow.names, needed)
            # A file without rows has no batches, but has columns.
            empty = file.schema_arrow.empty_table()
            yield ((empty if wanted is None else empty.select(wanted)).__arrow_c_stream__(),)
            for batch in file.iter_batches(batch_size=_ROWS_OF_A_BATCH, columns=wanted):
                yield tuple(batch.__arrow_c_array__())
    except (OSError, pyarrow.ArrowException) as problem:
        raise InputError(f"{name!r} cannot be read as Parquet: {problem}") from problem
