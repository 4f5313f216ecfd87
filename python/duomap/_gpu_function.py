"""Compiles Python functions over rows to LTO-IR for GPUs, with numba-cuda."""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable
from typing import Any

import numpy
from numba import cuda
from numba.core.errors import NumbaError
from numba.cuda import types
from numba.cuda.extending import intrinsic, lower_builtin, overload, overload_attribute, overload_method, register_model
from numba.cuda.models import StructModel

from duomap._emit_found import emit_found_by
from duomap._errors import CompileError

_POINTER = types.voidptr
# python/gpu/row_function.cu defines these beside the kernels.
_emit_word = cuda.declare_device("duomap_emit_word", types.void(_POINTER, types.uint64, types.uint64))
_emit_double = cuda.declare_device("duomap_emit_double", types.void(_POINTER, types.uint64, types.float64))
_fail = cuda.declare_device("duomap_fail", types.void(_POINTER))


class _RowType(types.Type):
    """A row: the address of its numbers, and the sink to report a read outside the row.
    Numba-cuda's own arrays do not check indices."""

    def __init__(self, element: Any, width: int) -> None:
        self.element, self.width = element, width
        super().__init__(f"row({element}, {width})")


class _EmitType(types.Type):
    def __init__(self, key: Any, value: Any) -> None:
        self.of_key, self.of_value = key, value  # key is None or a number
        super().__init__(f"emit({key}, {value})")


@register_model(_RowType)
class _RowModel(StructModel):
    def __init__(self, manager: Any, row: Any) -> None:
        super().__init__(manager, row, [("data", _POINTER), ("sink", _POINTER)])


@register_model(_EmitType)
class _EmitModel(StructModel):
    def __init__(self, manager: Any, emit: Any) -> None:
        super().__init__(manager, emit, [("sink", _POINTER)])


@intrinsic
def _sink_of(typing: Any, of: Any) -> Any:
    number = 1 if isinstance(of, _RowType) else 0

    def take(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.extract_value(arguments[0], number)

    return _POINTER(of), take


@intrinsic
def _number_at(typing: Any, row: Any, index: Any) -> Any:
    def load(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = builder.extract_value(arguments[0], 0)
        stored = context.get_data_type(row.element).as_pointer()
        place = builder.gep(builder.bitcast(data, stored), [arguments[1]])
        return context.unpack_value(builder, row.element, place)

    return row.element(row, types.int64), load


@overload(operator.getitem, target="cuda", strict=False)
def _item(row: Any, index: Any) -> Any:
    if not isinstance(row, _RowType) or not isinstance(index, (types.Integer, types.Boolean)):
        return None
    width = row.width

    def item(row: Any, index: Any) -> Any:
        wanted = numpy.int64(index)
        at = wanted + width if wanted < 0 else wanted
        if at < 0 or at >= width:
            _fail(_sink_of(row))
            return _number_at(row, 0)
        return _number_at(row, at)

    return item


@overload(len, target="cuda", strict=False)
def _length(row: Any) -> Any:
    if not isinstance(row, _RowType):
        return None
    width = row.width
    return lambda row: width


@overload_attribute(_RowType, "size", target="cuda", strict=False)
def _size(row: Any) -> Any:
    width = row.width
    return lambda row: width


@overload_attribute(_RowType, "shape", target="cuda", strict=False)
def _shape(row: Any) -> Any:
    width = row.width
    return lambda row: (width,)


def _widened(kind: Any) -> tuple[Any, Any]:
    """Two types to cast to, one after the other: the type that the user named, and its 64-bit form."""
    return getattr(numpy, str(kind)), numpy.int64 if kind.signed else numpy.uint64


def _store(emit: Any) -> Any:
    """Makes store(sink, key, value), with the same casts as on the CPU (_compile_function.py)."""
    key_type, key_wide = (numpy.uint64, numpy.uint64) if emit.of_key is None else _widened(emit.of_key)
    if emit.of_value == types.float64:

        def store_double(sink: Any, key: Any, value: Any) -> None:
            _emit_double(sink, numpy.uint64(key_wide(key_type(key))), numpy.float64(value))

        return cuda.jit(device=True)(store_double)
    value_type, value_wide = _widened(emit.of_value)

    def store_word(sink: Any, key: Any, value: Any) -> None:
        _emit_word(sink, numpy.uint64(key_wide(key_type(key))), numpy.uint64(value_wide(value_type(value))))

    return cuda.jit(device=True)(store_word)


@overload_method(_EmitType, "__call__", target="cuda")
def _type_of_call(emit, *arguments):  # type: ignore[no-untyped-def]  # Numba compares the parameters with the lambda's
    return lambda emit, *arguments: None


@lower_builtin(_EmitType, _EmitType, types.VarArg(types.Any))
def _call(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    emit = signature.args[0]  # the second argument is a tuple of the call's arguments
    store = _store(emit)
    if emit.of_key is None:
        return context.compile_internal(builder, lambda emit, given: store(_sink_of(emit), 0, given[0]), signature, arguments)
    return context.compile_internal(builder, lambda emit, given: store(_sink_of(emit), given[0], given[1]), signature, arguments)


_emit_found = emit_found_by(types, intrinsic, functools.partial(overload, target="cuda", strict=False))


def _entry(function: Callable[..., Any], row_type: Any, emit_type: Any) -> Any:
    """Makes map_row(data, sink), which maps one row. row_function.hpp declares it."""

    @intrinsic
    def as_row(typing: Any, data: Any, sink: Any) -> Any:
        def make(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            made = context.get_value_type(row_type)(None)
            return builder.insert_value(builder.insert_value(made, arguments[0], 0), arguments[1], 1)

        return row_type(data, sink), make

    @intrinsic
    def as_emit(typing: Any, sink: Any) -> Any:
        def make(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.insert_value(context.get_value_type(emit_type)(None), arguments[0], 0)

        return emit_type(sink), make

    inner = cuda.jit(device=True)(function)
    if len(inspect.signature(function).parameters) == 2:

        def map_row(data: Any, sink: Any) -> int:
            inner(as_row(data, sink), as_emit(sink))
            return 0
    else:

        def map_row(data: Any, sink: Any) -> int:
            _emit_found(as_emit(sink), inner(as_row(data, sink)))
            return 0

    return map_row


def _type_of(dtype: Any) -> Any:
    name = numpy.dtype(dtype).name
    return types.boolean if name == "bool" else getattr(types, name)


def ltoir(function: Callable[..., Any], dtype: Any, width: int, key: str | None, value: str, capability: tuple[int, int]) -> bytes:
    """Compiles the function to LTO-IR as duomap_map_row, which row_function.hpp declares. Raises CompileError."""
    of_key = None if key is None else types.uint64 if key == "dense" else _type_of(key)
    entry = _entry(function, _RowType(_type_of(dtype), width), _EmitType(of_key, _type_of(value)))
    named = {"abi": "c", "abi_info": {"abi_name": "duomap_map_row"}}
    try:
        code, _ = cuda.compile(entry, types.int32(_POINTER, _POINTER), device=True, cc=capability, output="ltoir", **named)
    except NumbaError as problem:
        raise CompileError(f"{function.__name__} does not compile for GPUs:\n{problem}") from None
    return bytes(code)
