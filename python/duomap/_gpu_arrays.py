"""Exchanges arrays in GPU memory with other libraries. Arrays come in by DLPack or __cuda_array_interface__, and results
are made by the library's own functions. This file copies no array that comes in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from duomap import _core
from duomap._errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_CUDA = (2, 13)  # DLPack's device types kDLCUDA and kDLCUDAManaged
_LEGACY_DEFAULT_STREAM = 1  # the stream's number in DLPack and in the array interface


def is_gpu(values: object) -> bool:
    """Whether `values` is an array in GPU memory."""
    device = getattr(values, "__dlpack_device__", None)
    if device is not None:
        return device()[0] in _CUDA
    return hasattr(values, "__cuda_array_interface__")


class _Facts(NamedTuple):
    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...] | None  # counted in elements, not bytes; None means C order
    dtype: str
    stream: int | None  # the stream to wait for before reading


def _facts(values: Any, name: str) -> _Facts:
    if hasattr(values, "__dlpack__"):
        try:
            # The library makes this stream wait until the array is written.
            capsule = values.__dlpack__(stream=_LEGACY_DEFAULT_STREAM)
        except (BufferError, RuntimeError, TypeError, ValueError) as problem:
            raise UsageError(f"{name} is not exported: {problem}") from problem
        address, shape, strides, dtype, _ = _core.dlpack_facts(capsule)
        return _Facts(address, tuple(shape), tuple(strides), dtype, _LEGACY_DEFAULT_STREAM)
    given = values.__cuda_array_interface__
    if given.get("mask") is not None:
        raise UsageError(f"{name} has a mask, and all numbers are needed")
    stream = given.get("stream")
    if stream == 0:
        raise UsageError(f"the stream of {name} is 0, which __cuda_array_interface__ does not allow")
    strides = given.get("strides")
    size = int(given["typestr"][2:])
    return _Facts(
        given["data"][0], tuple(given["shape"]), strides and tuple(one // size for one in strides), given["typestr"], stream
    )


def _require_c_order(facts: _Facts, name: str) -> None:
    if facts.strides is None:
        return
    expected = 1
    for length, stride in zip(reversed(facts.shape), reversed(facts.strides), strict=True):
        if length > 1 and stride != expected:
            raise UsageError(
                f"{name} is in GPU memory and not in C order, its rows one after the other; make a copy there that is "
                f"(contiguous() of PyTorch, ascontiguousarray of CuPy)"
            )
        expected *= length


def gpu_matrix(values: Any, name: str) -> Any:
    """A view of a two-dimensional array in GPU memory. Waits until the GPU has computed the array. The caller must keep
    the array alive."""
    facts = _facts(values, name)
    if len(facts.shape) != 2:
        raise UsageError(f"{name} has {len(facts.shape)} dimensions; rows and columns are 2")
    if 0 in facts.shape:
        raise UsageError(f"{name} is in GPU memory and has no numbers")
    kinds: dict[str, Any] = {"<f4": _core.GpuFloats, "<f8": _core.GpuDoubles}
    if facts.dtype not in kinds:
        raise UsageError(f"{name} is in GPU memory and neither float32 nor float64; convert it there")
    _require_c_order(facts, name)
    view = kinds[facts.dtype](facts.address, *facts.shape, name)
    if facts.stream is not None:
        _core.wait_for_stream(view.gpu, facts.stream)
    return view


def single(values: Any) -> Any:
    """An array of PyTorch or CuPy, converted to float32."""
    return values.float() if hasattr(values, "float") else values.astype("float32")


def require_float32(view: Any, name: str, what: str) -> None:
    if isinstance(view, _core.GpuDoubles):
        raise UsageError(f"{name} is float64, and GPUs compute {what} in float32; convert it, or copy it to host memory")


class Results:
    """Makes the arrays that a function returns. This class makes NumPy's; its subclasses make those of other libraries."""

    def of(self, values: NDArray[Any]) -> Any:
        """The array to return for `values`, a result in host memory."""
        return values

    def room(self, shape: Sequence[int], dtype: str) -> Any:
        """A new array in GPU memory for a GPU to write a result into; None if results are NumPy's."""
        return None


def address_of_room(room: Any) -> int:
    """The address of `room`, for a GPU to write to; 0 if `room` is None. Waits until work queued earlier no longer uses
    that memory."""
    if room is None:
        return 0
    facts = _facts(room, "room for results")
    if facts.stream is not None:
        _core.wait_for_stream(_core.gpu_of(facts.address, "room for results"), facts.stream)
    return facts.address


class _TorchResults(Results):
    # PyTorch has few operations on unsigned types.
    _SIGNED = {"uint32": "int32", "uint64": "int64"}

    def __init__(self, like: Any) -> None:
        self._device = like.device

    def of(self, values: NDArray[Any]) -> Any:
        import torch

        signed = self._SIGNED.get(values.dtype.name)
        return torch.from_numpy(values.astype(signed) if signed else values).to(self._device)

    def room(self, shape: Sequence[int], dtype: str) -> Any:
        import torch

        return torch.empty(tuple(shape), dtype=getattr(torch, self._SIGNED.get(dtype, dtype)), device=self._device)


class _CupyResults(Results):
    def __init__(self, like: Any) -> None:
        self._device = like.device

    def of(self, values: NDArray[Any]) -> Any:
        import cupy

        with self._device:
            return cupy.asarray(values)

    def room(self, shape: Sequence[int], dtype: str) -> Any:
        import cupy

        with self._device:
            return cupy.empty(tuple(shape), dtype)


def results(output: str, like: Any) -> Results:
    """The Results for a call with the argument `output`, whose input array `like` decides the library and the GPU."""
    if output not in ("numpy", "same"):
        raise UsageError(f"output is 'numpy' or 'same', not {output!r}")
    if output == "numpy" or not is_gpu(like):
        return Results()
    library = type(like).__module__.partition(".")[0]
    makers = {"torch": _TorchResults, "cupy": _CupyResults}
    if library not in makers:
        raise UsageError(f"output='same' makes arrays of PyTorch and CuPy, not of {library}; take output='numpy'")
    return makers[library](like)
