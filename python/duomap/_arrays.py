"""Turns the arguments of functions over numbers into arrays that the module reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from duomap import _core
from duomap._arrow import is_arrow, matrix_of
from duomap._errors import PrecisionWarning, UsageError, warn
from duomap._gpu_arrays import gpu_matrix, is_gpu

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike, NDArray


def matrix(values: ArrayLike, name: str, dtype: DTypeLike | None = None, *, gpu: bool = False) -> Any:
    """`values` as rows of float32 or float64 in C order.

    An array that already has this form is used in place; any other is copied. The copy of booleans and of integers of
    up to 16 bits is float32, every other copy is float64, so that no value below 2**53 changes. Arrow data is used in
    place if it is one column in one batch, and copied otherwise.

    `dtype` is the type of the result. Rounding float64 to float32 gives a PrecisionWarning where it makes numbers of a
    column equal or moves them by a large part of the column's range. With `gpu` an array in GPU memory stays there.
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
    if dtype == numpy.float32 and not numpy.can_cast(array.dtype, numpy.float32):
        some = array[: max(1, 2**20 // max(1, array.shape[1]))]  # a million numbers are a large enough sample
        warn_of_loss(name, _core.float32_loss(numpy.ascontiguousarray(some, numpy.float64)))
    if array.dtype.kind in "iu" and array.dtype.itemsize == 8 and numpy.any((array > 2**53) | (array < -(2**53) if array.dtype.kind == "i" else False)):
        warn_of_loss(name, "it has whole numbers above 2**53, which float64 rounds")
    with numpy.errstate(over="ignore"):  # a number too large for float32 becomes infinite, and the run names its row
        return numpy.require(numpy.ascontiguousarray(array, dtype), None, ["ALIGNED"])


def warn_of_loss(name: str, loss: str) -> None:
    """Warns that the argument `name` loses digits. `loss` is a sentence about its numbers; empty if none are lost."""
    if loss:
        warn(f"{name}: {loss}", PrecisionWarning)


def _as_array(values: ArrayLike, name: str) -> NDArray[Any]:
    import numpy

    if numpy.ma.is_masked(values):
        raise UsageError(f"{name} has masked values; fill them, or leave their rows out")
    try:
        return numpy.asarray(values)
    except ValueError as problem:  # lists of different lengths
        raise UsageError(f"{name} is no array: {problem}") from problem


def label_of_each(labels: ArrayLike, rows: int) -> NDArray[Any]:
    """The labels as an array. Raises UsageError unless each row has one label."""
    array = _as_array(labels, "labels")
    if array.shape != (rows,):
        raise UsageError(f"there are {rows} rows and labels of the shape {array.shape}; each row needs one")
    return array


def pair(first: ArrayLike, first_name: str, second: ArrayLike, second_name: str) -> tuple[Any, Any]:
    """Both arguments as matrices of one type: float64 if either is float64. Both may be in GPU memory, but not only one."""
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
