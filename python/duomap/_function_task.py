"""Tasks whose map is a Python function of the user's."""

from __future__ import annotations

import functools
import importlib.util
import inspect
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from duomap import _core
from duomap._errors import DeviceUnavailable, UsageError
from duomap._options import whole

if TYPE_CHECKING:
    from typing import Literal

    from numpy.typing import DTypeLike

_KEY_TYPES = ("i4", "u4", "i8", "u8")
_VALUE_TYPES = ("i8", "u8", "f8")


class Format:
    """The kind of records that a task maps, made by rows(), words() or lines()."""

    def __init__(self, name: str, dtype: Any = None, width: int = 0) -> None:
        self._name = name
        self._dtype = dtype
        self._width = width

    def __repr__(self) -> str:
        return f"duomap.rows({self._dtype.str[1:]!r}, {self._width})" if self._name == "rows" else f"<duomap.Format {self._name}>"


def _type_of_numbers(given: DTypeLike) -> Any:
    import numpy

    try:
        return numpy.dtype(given)
    except TypeError:
        raise UsageError(f"{given!r} is no type of NumPy; give one such as 'f8'") from None


def rows(dtype: DTypeLike, width: int) -> Format:
    """Rows of `width` numbers, from an array (n, width) or from binary files without a header. The function gets an array."""
    import numpy

    kind = _type_of_numbers(dtype)
    if kind.kind not in "biuf" or not kind.isnative or kind == numpy.float16:
        raise UsageError(f"rows are of numbers in the machine's byte order, of no more than 64 bits, not of {kind}")
    return Format("rows", kind, whole("width", width, 1))


def words(*, lower: bool = False) -> Format:
    """Words, as wordcount() defines them. The function gets the bytes of a word as an array of uint8."""
    return Format("words in small letters" if lower else "words")


def lines() -> Format:
    """Lines without their line ends. The function gets the bytes of a line as an array of uint8."""
    return Format("lines")


class Dense:
    """The keys 0 to count - 1, made by dense()."""

    def __init__(self, count: int) -> None:
        self.count = whole("count", count, 1)


def dense(count: int) -> Dense:
    """The keys 0 to count - 1. duomap keeps their values in an array, which is faster than a hash table."""
    return Dense(count)


class Reduction:
    """How a task combines the values of a key, made by sum(), minimum() or maximum()."""

    def __init__(self, operation: str, value: DTypeLike) -> None:
        kind = _type_of_numbers(value)
        if kind.str[1:] not in _VALUE_TYPES or not kind.isnative:
            raise UsageError(f"values are of type {', '.join(_VALUE_TYPES)}, not {kind}")
        self._operation = operation
        self._value = kind.str[1:]


def sum(value: DTypeLike) -> Reduction:
    """Adds up the values of a key, in "i8", "u8" or "f8". The last bits of "f8" depend on the order of the additions."""
    return Reduction("sum", value)


def minimum(value: DTypeLike) -> Reduction:
    """The smallest value of a key, in "i8", "u8" or "f8". Ignores NaN if the key has any number, as numpy.fmin does."""
    return Reduction("minimum", value)


def maximum(value: DTypeLike) -> Reduction:
    """The largest value of a key, in "i8", "u8" or "f8". Ignores NaN if the key has any number, as numpy.fmax does."""
    return Reduction("maximum", value)


class FunctionTask:
    """A task for run(). Calling the task calls its function. It pickles by its name, as functions do."""

    def __init__(self, function: Callable[..., Any], form: Format, key: str | None, key_count: int, reduce: Reduction) -> None:
        self.function = function
        self.name: str = function.__name__
        self._format = form
        self._key = key
        self._key_count = key_count
        self._reduce = reduce
        functools.update_wrapper(self, function)
        self._compiled: tuple[_core.FunctionTask, object] | None = None
        self._gpu_problem: str | None = None  # None before the task is compiled for GPUs, or cannot be

    def __reduce__(self) -> str | tuple[object, ...]:
        function: Any = self.function
        module: Any = sys.modules.get(function.__module__)
        there = module
        for name in function.__qualname__.split("."):
            there = getattr(there, name, None)
        # A notebook cannot be imported, so its tasks are pickled by value.
        if there is self and hasattr(module, "__file__"):
            qualified: str = function.__qualname__
            return qualified
        return _task_of_parts, (function, self._format, self._key, self._key_count, self._reduce)

    def __call__(self, *arguments: Any) -> Any:
        return self.function(*arguments)

    def __repr__(self) -> str:
        return f"<duomap.FunctionTask {self.name}>"

    @property
    def without_gpu(self) -> str:
        """The reason why runs do not use GPUs; empty if they do. A run with device="gpu" or "cpu+gpu" compiles the task for GPUs."""
        if self._gpu_problem is None:
            return self._gpu_obstacle() or 'it is compiled for GPUs when it first runs with device="gpu" or "cpu+gpu"'
        return self._gpu_problem

    def _gpu_obstacle(self) -> str:
        if self._format._name != "rows":
            return "functions over words and lines run on the CPU; a task in C++ (duomap.cpp_task) may use GPUs"
        if _core.toolkit_version == 0:
            return "this duomap was built without GPU code"
        if not _core.gpu_capabilities():
            return "this machine has no GPU"
        missing = [name for name in ("numba.cuda", "cuda.bindings.nvjitlink") if not _is_installed(name)]
        return f"the package of {missing[0]} is missing; pip install numba-cuda[cu13]" if missing else ""

    def _link(self) -> str:
        """Compiles the task for GPUs, once. Returns the reason if that is impossible, else ""."""
        if self._gpu_problem is None:
            self._gpu_problem = self._gpu_obstacle() or self._compile_for_gpus()
        return self._gpu_problem

    def _compile_for_gpus(self) -> str:
        try:
            from duomap._gpu_function import ltoir
            from duomap._link import linked
        except Exception as problem:  # NumPy, Numba and numba-cuda raise errors of any type if their versions do not fit
            return f"numba-cuda does not start here: {type(problem).__name__}: {problem}"
        form, keys = self._format, self._key if self._key in ("dense", None) else "hashed"
        images = []
        for kind in sorted(set(_core.gpu_capabilities())):
            code = ltoir(self.function, form._dtype, form._width, self._key, self._reduce._value, kind)
            images.append((10 * kind[0] + kind[1], linked(self.name, code, keys or "none", kind)))
        self._cpu_task().link(images)
        return ""

    def _task(self, device: str = "cpu") -> _core.FunctionTask:
        """The compiled task, with code for `device`. Compiles it at the first call."""
        core = self._cpu_task()
        if device in ("gpu", "cpu+gpu") and self._link():
            raise DeviceUnavailable(f"{self.name} has no code for GPUs: {self._gpu_problem}")
        if device == "auto" and self._format._name == "rows" and _core.toolkit_version != 0 and _core.gpu_capabilities():
            core.set_without_gpu(self.without_gpu and f"no GPU used: {self.name}: {self.without_gpu}")
        return core

    def _cpu_task(self) -> _core.FunctionTask:
        if self._compiled is None:
            from duomap._compile_function import compiled

            form, value = self._format, self._reduce._value
            code = compiled(self.function, form._name, form._dtype, form._width, self._key, value, self._reduce._operation)
            row_bytes = form._width * form._dtype.itemsize if form._name == "rows" else 0
            core = _core.FunctionTask(
                code.address,
                self.name,
                "rows of bytes" if form._name == "rows" and form._dtype.itemsize == 1 else form._name,
                row_bytes,
                "none" if self._key is None else self._key,
                self._key_count,
                value,
                self._reduce._operation,
            )
            self._compiled = core, code
        return self._compiled[0]

    @property
    def _takes_rows(self) -> bool:
        return self._format._name == "rows"

    def _texts(self, texts: Any) -> Any:
        """Returns `texts`. Raises UsageError for an array whose type or width is not the format's."""
        if not self._takes_rows or not hasattr(texts, "__array__"):
            return texts
        import numpy

        array = numpy.asarray(texts)
        dtype, width = self._format._dtype, self._format._width
        if array.dtype != dtype or array.ndim != 2 or array.shape[1] != width:
            raise UsageError(f"the rows of {self.name} are {dtype} of {width} columns; the array is {array.dtype} of the shape {array.shape}")
        return array

    def _columns(self) -> list[str]:
        return ["value"] if self._key is None else ["key", "value"]


def _is_installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ImportError:  # the package that would contain the module is missing
        return False


def _task_of_parts(*parts: Any) -> FunctionTask:
    return FunctionTask(*parts)


def task(
    *, format: Format, key: Literal["bytes", "i4", "u4", "i8", "u8"] | Dense | None, reduce: Reduction
) -> Callable[[Callable[..., Any]], FunctionTask]:
    """Makes a task of a function. Numba compiles the function when the task first runs, and it runs without the interpreter.

    The function gets a record. It returns (key, value), or only the value if the task has no key, or None to emit nothing.
    If it has a second parameter, it instead calls that for each emit: emit(key, value). The function must emit the same
    for the same record. `key` is a NumPy type for whole numbers, dense(count), "bytes" for parts of words and lines, or
    None.

    Needs the package numba. Errors show when the task first runs: CompileError names the code that Numba cannot compile.
    An exception that the function raises ends the run with MapFailed, which names the record.

    With the packages of duomap[cuda] a function over rows also runs on GPUs, with device="gpu" and "cpu+gpu", and after
    such a run with "auto" too; the task's without_gpu names the package that is missing. On a GPU the record is no array:
    the function can read row[i], len(row), row.size and row.shape. GPU code has no exceptions: a division by 0 gives the
    same result as in NumPy, and an exception that the function raises goes unnoticed. Only an index outside the row is
    noticed.
    """
    if not isinstance(format, Format):
        raise UsageError(f"format is {format!r}; give duomap.rows(dtype, width), duomap.words() or duomap.lines()")
    if not isinstance(reduce, Reduction):
        raise UsageError(f"reduce is {reduce!r}; give duomap.sum(type), duomap.minimum(type) or duomap.maximum(type)")
    name = "dense" if isinstance(key, Dense) else key
    if name not in ("dense", "bytes", None, *_KEY_TYPES):
        raise UsageError(f"key is one of {', '.join(_KEY_TYPES)}, 'bytes', duomap.dense(count) or None, not {key!r}")
    if name == "bytes" and format._name == "rows":
        raise UsageError("keys of rows are whole numbers; only words and lines have bytes")
    count = key.count if isinstance(key, Dense) else 0

    def decorate(function: Callable[..., Any]) -> FunctionTask:
        if not inspect.isfunction(function) or inspect.iscoroutinefunction(function):
            raise UsageError(f"{function!r} is no function that Numba compiles; give one that def or lambda makes")
        return FunctionTask(function, format, name, count, reduce)

    return decorate
