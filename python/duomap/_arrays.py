"""What functions over numbers take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from duomap._arrow import is_arrow, matrix_of
from duomap._errors import UsageError
from duomap._gpu_arrays import gpu_matrix, is_gpu

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike, NDArray


def matrix(values: ArrayLike, name: str, dtype: DTypeLike | None = None, *, gpu: bool = False) -> Any:
    """Rows of float32 or float64 in C order. Such an array is taken where it lies. Any other is copied: booleans and
    integers of up to 16 bits to float32, all else to float64, so that no value changes below 2**53. Of Arrow's data one
    column in one batch lies as such an array does; other columns are copied.

    `dtype`: of the result; float64 is then rounded to float32. `gpu`: an array in the memory of a GPU stays there.
    """
    import numpy

    if is_gpu(values):
        if not gpu:
            raise UsageError(f"{name} is in GPU memory, which this function does not read; copy it to host memory")
        return gpu_matrix(values, name)
    if hasattr(values, "toarray"):
        raise UsageError(f"{name} is sparse ({type(values).__name__}); take its toarray()")
    array = matrix_of(values, name) if is_arrow(values) else _as_array(values, name)
    if array.ndim == 0 and not hasattr(values, "ndim"):
        raise UsageError(f"{name} is {type(values).__name__}; give an array, a list of rows, or a table of Arrow")
    if array.ndim != 2:
        raise UsageError(f"{name} has {array.ndim} dimensions; rows and columns are 2")
    if dtype is None:
        dtype = numpy.float32 if numpy.can_cast(array.dtype, numpy.float32) else numpy.float64
    if not numpy.can_cast(array.dtype, numpy.float64, "same_kind"):
        raise UsageError(f"{name} holds {array.dtype}, which are no numbers of float64; convert it, for example by astype('float64')")
    with numpy.errstate(over="ignore"):  # what is too large for float32 is infinite, and the run names its row
        return numpy.ascontiguousarray(array, dtype)


def _as_array(values: ArrayLike, name: str) -> NDArray[Any]:
    import numpy

    if numpy.ma.is_masked(values):
        raise UsageError(f"{name} has masked values; fill them, or leave their rows out")
    try:
        return numpy.asarray(values)
    except ValueError as problem:  # lists of different lengths
        raise UsageError(f"{name} is no array: {problem}") from problem


def label_of_each(labels: ArrayLike, rows: int) -> NDArray[Any]:
    """One label for each row."""
    array = _as_array(labels, "labels")
    if array.shape != (rows,):
        raise UsageError(f"there are {rows} rows and labels of the shape {array.shape}; each row needs one")
    return array


def pair(first: ArrayLike, first_name: str, second: ArrayLike, second_name: str) -> tuple[Any, Any]:
    """Two of one type: float64 if one of them is. Both may be in the memory of a GPU."""
    import numpy

    if is_gpu(first) or is_gpu(second):
        if not (is_gpu(first) and is_gpu(second)):
            there, here = (first_name, second_name) if is_gpu(first) else (second_name, first_name)
            raise UsageError(f"{there} is in GPU memory and {here} is not; both need to be on the same side")
        views = gpu_matrix(first, first_name), gpu_matrix(second, second_name)
        if type(views[0]) is not type(views[1]):
            raise UsageError(f"{first_name} and {second_name} are in GPU memory, one float32 and one float64; convert one there")
        return views
    one, other = matrix(first, first_name), matrix(second, second_name)
    both = numpy.promote_types(one.dtype, other.dtype)
    return matrix(one, first_name, both), matrix(other, second_name, both)
