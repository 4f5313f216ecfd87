"""Arrays of other libraries in the memory of a GPU: in by DLPack or by __cuda_array_interface__, out by the library's own
functions. No byte of them is copied here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from duomap import _core
from duomap._errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_CUDA = (2, 13)  # kDLCUDA and kDLCUDAManaged, devices of DLPack
_LEGACY_DEFAULT_STREAM = 1  # as DLPack and the array interface number it


def is_gpu(values: object) -> bool:
    """Whether an array lies in the memory of a GPU."""
    device = getattr(values, "__dlpack_device__", None)
    if device is not None:
        return device()[0] in _CUDA
    return hasattr(values, "__cuda_array_interface__")


class _Facts(NamedTuple):
    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...] | None  # in numbers; None is C order
    dtype: str
    stream: int | None  # to wait for


def _facts(values: Any, name: str) -> _Facts:
    if hasattr(values, "__dlpack__"):
        try:
            # The library makes this stream wait for what the array still waits for.
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
    """An array of two dimensions, where it lies, when its GPU has computed it. The caller keeps the array."""
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
    """An array of PyTorch or CuPy as float32."""
    return values.float() if hasattr(values, "float") else values.astype("float32")


def require_float32(view: Any, name: str, what: str) -> None:
    if isinstance(view, _core.GpuDoubles):
        raise UsageError(f"{name} is float64, and GPUs compute {what} in float32; convert it, or copy it to host memory")


class Results:
    """What makes the arrays that a function returns."""

    def of(self, values: NDArray[Any]) -> Any:
        """The array for what was computed into host memory."""
        return values

    def room(self, shape: Sequence[int], dtype: str) -> Any:
        """A new array in the memory of the GPU; None where results are NumPy's."""
        return None


def address_of_room(room: Any) -> int:
    """Where a GPU may write, once nothing that was queued before uses that memory; 0 of None."""
    if room is None:
        return 0
    facts = _facts(room, "room for results")
    if facts.stream is not None:
        _core.wait_for_stream(_core.gpu_of(facts.address, "room for results"), facts.stream)
    return facts.address


class _TorchResults(Results):
    # PyTorch computes with few unsigned types.
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
    """For the argument `output` of a function whose first array is `like`."""
    if output not in ("numpy", "same"):
        raise UsageError(f"output is 'numpy' or 'same', not {output!r}")
    if output == "numpy" or not is_gpu(like):
        return Results()
    library = type(like).__module__.partition(".")[0]
    makers = {"torch": _TorchResults, "cupy": _CupyResults}
    if library not in makers:
        raise UsageError(f"output='same' makes arrays of PyTorch and CuPy, not of {library}; take output='numpy'")
    return makers[library](like)
