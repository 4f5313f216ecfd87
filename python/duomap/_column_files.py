"""Files and arrays of NumPy as batches of columns: Parquet, Arrow files and streams, .npy files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from duomap._errors import InputError, UsageError
from duomap._row_groups import row_groups

ROWS_OF_A_BATCH = 1 << 17
_MAGIC_OF_FILES = b"ARROW1"


def _ending(given: object) -> str:
    if not isinstance(given, (str, bytes, os.PathLike)):
        return ""
    return os.path.splitext(os.fsdecode(given))[1].lower()


def is_column_file(given: object) -> bool:
    """Whether `given` is the path of a file of columns, by the end of its name."""
    return _ending(given) in _READERS


def is_array(given: object) -> bool:
    """Whether `given` is an array of NumPy whose columns can be read: of records, or with two dimensions."""
    if not type(given).__module__.startswith("numpy") or not hasattr(given, "dtype"):
        return False
    return given.dtype.names is not None or getattr(given, "ndim", 0) == 2


def wanted_columns(names: Sequence[str], needed: Sequence[str]) -> list[str] | None:
    """The columns to read; None is all: a column's number counts all columns, and errors list them."""
    if any(list(names).count(one) != 1 for one in needed):
        return None
    return [name for name in names if name in needed]


def batches_of_file(path: Any, needed: Sequence[str], where: str) -> Iterator[Any]:
    """The batches and readers of Arrow with the columns of a file; at least one, from which the columns are known."""
    name = os.fsdecode(path)
    try:
        import pyarrow
    except ImportError:
        raise UsageError(f"{name!r} is a file of columns, which is read by pyarrow; install pyarrow") from None
    kind, read = _READERS[_ending(path)]
    try:
        yield from read(pyarrow, name, needed, where)
    except (OSError, EOFError, pyarrow.ArrowException) as problem:
        raise InputError(f"{name!r} cannot be read as {kind}: {problem}") from problem


def batches_of_array(array: Any, needed: Sequence[str]) -> Iterator[Any]:
    """The rows of an array of records, or of an array with two dimensions, whose columns are called 1, 2 and so on."""
    try:
        import pyarrow
    except ImportError:
        raise UsageError("the columns of an array are read through pyarrow; install pyarrow") from None
    if array.dtype.names is None:
        columns = {str(i + 1): array[:, i] for i in range(array.shape[1])}
    else:
        columns = {name: array[name].reshape(-1) for name in array.dtype.names if array[name].ndim == array.ndim}
    if not columns:
        raise UsageError("the array has no columns")
    wanted = wanted_columns(list(columns), needed)
    columns = columns if wanted is None else {name: columns[name] for name in wanted}
    rows = len(next(iter(columns.values()))) if columns else 0
    for first in range(0, max(rows, 1), ROWS_OF_A_BATCH):
        yield pyarrow.record_batch({name: _arrow_of(pyarrow, name, one[first : first + ROWS_OF_A_BATCH]) for name, one in columns.items()})


def _arrow_of(pyarrow: Any, name: str, values: Any) -> Any:
    if values.dtype.kind in "Oc":
        raise UsageError(f"the array's column {name!r} has the type {values.dtype}; give numbers, booleans, texts or times")
    if values.dtype.kind == "S":  # pyarrow would keep the zeros behind short ones
        return pyarrow.array(values.tolist(), pyarrow.binary())
    if not values.dtype.isnative:
        values = values.astype(values.dtype.newbyteorder("="))
    # pyarrow would take NaN for null only with from_pandas.
    return pyarrow.array(values)


def _parquet(pyarrow: Any, name: str, needed: Sequence[str], where: str) -> Iterator[Any]:
    from pyarrow import dataset, parquet

    if os.path.isdir(name):
        for file in dataset.dataset(name, format="parquet").files:
            yield from _parquet(pyarrow, file, needed, where)
        return
    with parquet.ParquetFile(name, memory_map=True) as file:
        wanted = wanted_columns(file.schema_arrow.names, needed)
        groups = row_groups(file, where)
        repeated = _repeated_texts(pyarrow, file, wanted)
    with parquet.ParquetFile(name, memory_map=True, read_dictionary=repeated) as file:
        # A file without rows has no batches, but has columns.
        empty = file.schema_arrow.empty_table()
        yield empty if wanted is None else empty.select(wanted)
        yield from file.iter_batches(batch_size=ROWS_OF_A_BATCH, columns=wanted, row_groups=groups)


def _repeated_texts(pyarrow: Any, file: Any, wanted: list[str] | None) -> list[str]:
    """The texts that are stored as places in dictionaries. pyarrow reads them faster if it does not write out each text."""
    metadata, types = file.metadata, pyarrow.types
    found: list[str] = []
    if wanted is None:
        return found
    for field in file.schema_arrow:
        if field.name not in wanted or not (types.is_string(field.type) or types.is_binary(field.type)):
            continue
        place = next(i for i in range(metadata.num_columns) if metadata.schema.column(i).path == field.name)
        chunks = [metadata.row_group(i).column(place) for i in range(metadata.num_row_groups)]
        # A text that is written out takes 4 bytes for its length.
        if all(one.has_dictionary_page for one in chunks) and sum(one.total_uncompressed_size for one in chunks) < 4 * metadata.num_rows:
            found.append(field.name)
    return found


def _arrow_file(pyarrow: Any, name: str, needed: Sequence[str], where: str) -> Iterator[Any]:
    """A file or a stream of Arrow, whatever its name. Columns without compression are read where the file lies in memory."""
    from pyarrow import ipc

    if os.path.isdir(name):
        raise UsageError(f"{name!r} is a folder; give the files in it")
    with pyarrow.memory_map(name) as file:
        begin = file.read(len(_MAGIC_OF_FILES))
        file.seek(0)
        if begin[:4] == b"FEA1":
            raise InputError(f"{name!r} is a Feather file of version 1; write it again with version 2")
        is_file = begin == _MAGIC_OF_FILES
        open_it = ipc.open_file if is_file else ipc.open_stream
        with open_it(file) as reader:
            schema = reader.schema
        wanted = wanted_columns(schema.names, needed)
        options = ipc.IpcReadOptions(included_fields=[] if wanted is None else [schema.names.index(one) for one in wanted])
        file.seek(0)
        with open_it(file, options=options) as reader:
            yield reader.schema.empty_table()
            if is_file:
                for i in range(reader.num_record_batches):
                    yield reader.get_batch(i)
            else:
                yield from reader


def _npy(pyarrow: Any, name: str, needed: Sequence[str], where: str) -> Iterator[Any]:
    import numpy

    try:
        array = numpy.load(name, mmap_mode="r", allow_pickle=False)
    except ValueError as problem:
        raise InputError(f"{name!r} cannot be read as an array: {problem}") from problem
    if array.dtype.names is None and array.ndim == 1:
        array = array.reshape(-1, 1)
    if not is_array(array):
        raise UsageError(f"{name!r} is an array of {array.ndim} dimensions; give records, or rows and columns")
    yield from batches_of_array(array, needed)


_Reader = Callable[[Any, str, Sequence[str], str], Iterator[Any]]
_READERS: dict[str, tuple[str, _Reader]] = {
    ".parquet": ("Parquet", _parquet), ".arrow": ("Arrow", _arrow_file), ".arrows": ("Arrow", _arrow_file), ".feather": ("Arrow", _arrow_file),
    ".ipc": ("Arrow", _arrow_file), ".npy": ("an array", _npy)}
