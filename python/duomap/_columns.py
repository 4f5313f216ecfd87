"""Tables of columns: recognises them, and hands them to the module as capsules of Arrow."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, Union

from duomap import _core
from duomap._column_files import ROWS_OF_A_BATCH, batches_of_array, batches_of_file, is_array, is_column_file, wanted_columns
from duomap._errors import UsageError
from duomap._options import Options, settings
from duomap._table import Report, Table
from duomap._texts import ArrowStream

if TYPE_CHECKING:
    from numpy.typing import NDArray


class ArrowBatch(Protocol):
    """A batch of Arrow, such as pyarrow.RecordBatch."""

    def __arrow_c_array__(self, requested_schema: object = None) -> object: ...


class BatchReader(Protocol):
    """An object that makes a reader of batches, such as pyarrow.dataset.Scanner."""

    def to_reader(self) -> ArrowStream: ...


class Dataset(Protocol):
    """pyarrow.dataset.Dataset."""

    def scanner(self) -> BatchReader: ...


ColumnTable = Union[ArrowStream, ArrowBatch, BatchReader, Dataset, "NDArray[Any]"]
Columns = Union[ColumnTable, Iterable[ColumnTable]]

_OF_TABLES = ("__arrow_c_stream__", "__arrow_c_array__", "to_reader", "scanner")


def _is_frame(given: object) -> bool:
    """Whether `given` is a DataFrame of pandas."""
    return type(given).__module__.partition(".")[0] == "pandas" and type(given).__name__ == "DataFrame"


def _is_table(given: object) -> bool:
    return _is_frame(given) or any(hasattr(given, one) for one in _OF_TABLES)


def _has_columns(given: object) -> bool:
    return _is_table(given) or is_array(given) or (not isinstance(given, bytes) and is_column_file(given))


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
        columns, report = _core.aggregate_columns(_capsules(tables, needed, where), list(by), list(asked), where, how)
    return Table(columns, Report(report))


def _capsules(tables: Iterator[Any], needed: Sequence[str], where: str) -> Iterator[tuple[object, ...]]:
    """The capsules of each table: a stream, or a schema and an array."""
    for table in tables:
        if not _has_columns(table):
            raise UsageError(f"{table!r:.60} is among tables of columns and has none; give tables, or texts, in one call")
        if is_array(table):
            yield from map(_capsules_of, batches_of_array(table, needed))
            continue
        if is_column_file(table):
            yield from map(_capsules_of, batches_of_file(table, needed, where))
            continue
        if hasattr(table, "scanner"):
            table = _scan(table, needed)
        if _is_frame(table):
            table = _arrow_of_frame(table, needed)
        elif not hasattr(table, "__arrow_c_stream__") and hasattr(table, "to_reader"):
            table = table.to_reader()
        yield _capsules_of(table)


def _capsules_of(table: Any) -> tuple[object, ...]:
    # A batch of pyarrow has both. As an array it needs no stream around it.
    return tuple(table.__arrow_c_array__()) if hasattr(table, "__arrow_c_array__") else (table.__arrow_c_stream__(),)


def _arrow_of_frame(frame: Any, needed: Sequence[str]) -> Any:
    try:
        import pyarrow
    except ImportError:
        raise UsageError("a DataFrame of pandas is read through pyarrow; install pyarrow") from None
    wanted = wanted_columns(list(frame.columns), needed)
    try:
        if wanted is not None:
            return pyarrow.Table.from_pandas(frame, columns=wanted, preserve_index=False)
        return pyarrow.Table.from_pandas(frame)
    except pyarrow.ArrowException as problem:
        raise UsageError(f"pyarrow makes no columns of the DataFrame: {problem}") from problem


def _scan(dataset: Any, needed: Sequence[str]) -> Any:
    """A reader of a dataset that holds few batches at once."""
    wanted = wanted_columns(dataset.schema.names, needed)
    return dataset.scanner(columns=wanted, batch_size=ROWS_OF_A_BATCH, batch_readahead=2, fragment_readahead=1)
