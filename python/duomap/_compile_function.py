"""Compiles Python functions to the maps of tasks, with Numba."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy

from duomap._errors import CompileError, UsageError

try:
    import numba
except ImportError:
    raise UsageError("a task in Python needs the package numba; install it, or write the task in C++ (duomap.cpp_task)") from None

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models, register_default
from numba.core.errors import NumbaError
from numba.core.imputils import impl_ret_borrowed, lower_builtin
from numba.extending import intrinsic, overload, overload_method

from duomap._emit_found import emit_found_by

# The layout of emit_batch in python/src/emit_batch.hpp.
_CAPACITY = 512
_WORD = ir.IntType(64)
_BYTES = ir.IntType(8).as_pointer()
_WORDS = ir.ArrayType(_WORD, _CAPACITY)
_FLUSH = ir.FunctionType(ir.VoidType(), [_BYTES]).as_pointer()
_BATCH = ir.LiteralStructType([_WORD, _FLUSH, _BYTES, _WORD, _WORD, _WORDS, _WORDS, _WORDS, _BYTES, _BYTES, _WORD]).as_pointer()
_COUNT, _FLUSH_AT, _DATA, _SIZE, _RECORD, _KEYS, _SIZES, _VALUES, _CELLS, _PRESENT, _KEYS_THERE = range(11)


class _EmitType(types.Type):
    """The type of the parameter `emit` of a user's function.

    With dense keys, emit(key, value) reduces the value by `operation` in the worker's own array of values, if that array
    has the key. Otherwise it stores the emit in the batch, and empties the batch when it is full."""

    def __init__(self, key: Any, value: Any, operation: str | None) -> None:
        self.of_key, self.of_value, self.operation = key, value, operation  # key is None, types.Bytes or a number
        super().__init__(f"emit({key}, {value}, {operation})")


@register_default(_EmitType)
class _EmitModel(models.StructModel):
    """The address of the batch, and copies of its fields `cells`, `present` and `keys_there`. The
    compiled function copies the fields once per call. Otherwise it would read them again after each
    write."""

    def __init__(self, manager: Any, emit: Any) -> None:
        pointers = [(name, types.voidptr) for name in ("batch", "cells", "present")]
        super().__init__(manager, emit, [*pointers, ("keys_there", types.uint64)])


def _is_bytes(kind: Any) -> bool:
    return isinstance(kind, types.Bytes) or (
        isinstance(kind, types.Array) and kind.ndim == 1 and kind.layout == "C" and kind.dtype == types.uint8
    )


@overload_method(_EmitType, "__call__")
def _type_of_call(emit, *arguments):  # type: ignore[no-untyped-def]  # Numba compares the parameters with the lambda's
    given = arguments[0] if len(arguments) == 1 and isinstance(arguments[0], tuple) else arguments
    if len(given) != (1 if emit.of_key is None else 2):
        raise CompileError(f"emit takes {'a value, because there is no key' if emit.of_key is None else 'a key and a value'}")
    if emit.of_key is not None:
        key = given[0]
        if isinstance(emit.of_key, types.Bytes):
            if not _is_bytes(key):
                raise CompileError(f"the key is {key}; keys are bytes: the record or a part of it")
        elif not isinstance(key, (types.Integer, types.Boolean)):
            raise CompileError(f"the key is {key}; keys are whole numbers: say int(...)")
    allowed = (types.Integer, types.Boolean, types.Float) if emit.of_value == types.float64 else (types.Integer, types.Boolean)
    if not isinstance(given[-1], allowed):
        raise CompileError(f"the value is {given[-1]}; the reduction takes {emit.of_value}")
    return lambda emit, *arguments: None


def _field(builder: Any, batch: Any, number: int, at: Any = None) -> Any:
    zero = ir.Constant(ir.IntType(32), 0)
    return builder.gep(batch, [zero, ir.Constant(ir.IntType(32), number), *([] if at is None else [at])], inbounds=True)


def _word(context: Any, builder: Any, value: Any, given: Any, kind: Any) -> Any:
    """Casts `value` from `given` to `kind`, and widens a whole number to 64 bits."""
    made = context.cast(builder, value, given, kind)
    wide = kind if kind == types.float64 else types.int64 if kind.signed else types.uint64
    return context.cast(builder, made, kind, wide)


def _store_word(builder: Any, word: Any, to: Any) -> None:
    builder.store(word, builder.bitcast(to, word.type.as_pointer()))


def _parts(context: Any, builder: Any, emit: Any, value: Any) -> Any:
    return cgutils.create_struct_proxy(emit)(context, builder, value=value)


def _batch_of(context: Any, builder: Any, emit: Any, value: Any) -> Any:
    return builder.bitcast(_parts(context, builder, emit, value).batch, _BATCH)


@lower_builtin(_EmitType, _EmitType, types.VarArg(types.Any))
def _emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    emit, *given = signature.args
    values = list(arguments[1:])
    if len(given) == 1 and isinstance(given[0], types.BaseTuple):
        values = [builder.extract_value(values[0], i) for i in range(len(given[0]))]
        given = [*given[0]]
    if emit.operation is None:
        _store_emit(context, builder, emit, arguments[0], given, values)
        return context.get_dummy_value()
    parts = _parts(context, builder, emit, arguments[0])
    key = _word(context, builder, values[0], given[0], emit.of_key)
    with builder.if_else(builder.icmp_unsigned("<", key, parts.keys_there), likely=True) as (there, elsewhere):
        with there:
            _reduce(builder, emit, parts, key, _word(context, builder, values[1], given[1], emit.of_value))
        with elsewhere:
            _store_emit(context, builder, emit, arguments[0], given, values)
    return context.get_dummy_value()


def _reduce(builder: Any, emit: Any, parts: Any, key: Any, value: Any) -> None:
    """Reduces in place, with the operations of function_reduction.hpp, for the same bits."""
    cell = builder.gep(builder.bitcast(parts.cells, value.type.as_pointer()), [key])
    old = builder.load(cell)
    if emit.operation == "sum":
        new = (builder.fadd if emit.of_value == types.float64 else builder.add)(old, value)
    else:
        small, large = (old, value) if emit.operation == "minimum" else (value, old)
        if emit.of_value == types.float64:
            stays = builder.or_(builder.fcmp_unordered("uno", value, value), builder.fcmp_ordered("<", small, large))
        else:
            stays = (builder.icmp_signed if emit.of_value.signed else builder.icmp_unsigned)("<", small, large)
        new = builder.select(stays, old, value)
    with builder.if_else(cgutils.is_null(builder, parts.present)) as (all_present, some):
        with all_present:
            builder.store(new, cell)
        with some:
            flag = builder.gep(parts.present, [key])
            is_first = builder.icmp_unsigned("==", builder.load(flag), ir.Constant(ir.IntType(8), 0))
            builder.store(builder.select(is_first, value, new), cell)
            builder.store(ir.Constant(ir.IntType(8), 1), flag)


def _store_emit(context: Any, builder: Any, emit: Any, to: Any, given: Any, values: Any) -> None:
    batch = _batch_of(context, builder, emit, to)
    count = builder.load(_field(builder, batch, _COUNT))
    one_more = builder.add(count, ir.Constant(_WORD, 1))
    full = builder.icmp_unsigned("==", one_more, ir.Constant(_WORD, _CAPACITY))
    if emit.of_key is not None:
        to = _field(builder, batch, _KEYS, count)
        if isinstance(emit.of_key, types.Bytes):
            key = context.make_array(given[0])(context, builder, values[0])
            address = builder.ptrtoint(key.data, _WORD)
            builder.store(address, to)
            builder.store(key.nitems, _field(builder, batch, _SIZES, count))
            # Numba frees the key's array after the call, so the batch must be emptied before.
            behind = builder.sub(address, builder.ptrtoint(builder.load(_field(builder, batch, _DATA)), _WORD))
            elsewhere = builder.icmp_unsigned(">=", behind, builder.load(_field(builder, batch, _SIZE)))
            full = builder.or_(full, elsewhere)
        else:
            # Stores 64 bits, so that the batch can refuse a key that the key type cannot hold.
            wide = types.int64 if getattr(given[0], "signed", False) else types.uint64
            _store_word(builder, _word(context, builder, values[0], given[0], emit.of_key if emit.operation else wide), to)
    _store_word(builder, _word(context, builder, values[-1], given[-1], emit.of_value), _field(builder, batch, _VALUES, count))
    builder.store(one_more, _field(builder, batch, _COUNT))
    with builder.if_then(full, likely=False):
        builder.call(builder.load(_field(builder, batch, _FLUSH_AT)), [builder.bitcast(batch, _BYTES)])


@intrinsic
def _begin_record(typing: Any, emit: Any, record: Any) -> Any:
    """Stores the number of the present record for error messages."""

    def store(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        number = context.cast(builder, arguments[1], signature.args[1], types.uint64)
        builder.store(number, _field(builder, _batch_of(context, builder, emit, arguments[0]), _RECORD))
        return context.get_dummy_value()

    return types.void(emit, record), store


@intrinsic
def _read_only(typing: Any, array: Any) -> Any:
    """The same array with a read-only type, so that Numba refuses assignments to its elements."""

    def same(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return impl_ret_borrowed(context, builder, signature.return_type, arguments[0])

    return array.copy(readonly=True)(array), same


_emit_found = emit_found_by(types, intrinsic, overload)


def _checked_int(number):  # type: ignore[no-untyped-def]
    return int(number)


@overload(_checked_int)
def _checked_int_of(number):  # type: ignore[no-untyped-def]  # Numba compares the parameters with those of of_float
    if not isinstance(number, types.Float):
        return lambda number: int(number)

    def of_float(number):  # type: ignore[no-untyped-def]
        if not -9223372036854775808.0 <= number < 9223372036854775808.0:
            raise ValueError("int() of NaN, or of a number of more than 64 bits")
        return int(number)

    return of_float


def _with_checked_int(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with an int() that refuses NaN and 1e300. Numba's int() gives -2**63 for both."""
    if "int" in function.__globals__:
        return function
    checked = FunctionType(
        function.__code__, {**function.__globals__, "int": _checked_int}, function.__name__, function.__defaults__, function.__closure__
    )
    return functools.update_wrapper(checked, function)


def _mapper(function: Callable[..., Any], record_type: Any, emit_type: Any) -> Any:
    """map_one(record, emit), for a function that returns its emit or calls emit."""
    inner = numba.njit(boundscheck=True)(_with_checked_int(function))
    calls = len(inspect.signature(function).parameters) == 2
    # The function is first compiled alone, so that Numba's messages are about the user's code only.
    inner.compile((record_type, emit_type) if calls else (record_type,))
    if calls:

        def map_one(record: Any, emit: Any) -> None:
            inner(record, emit)
    else:

        def map_one(record: Any, emit: Any) -> None:
            _emit_found(emit, inner(record))

    return numba.njit(map_one)


def compiled(
    function: Callable[..., Any], form: str, dtype: Any, width: int, key: str | None, value: str, operation: str
) -> Any:
    """Compiles a function that maps all records of one call. Its `address` is a compiled_function of emit_batch.hpp."""
    if len(inspect.signature(function).parameters) not in (1, 2):
        raise UsageError(f"{function.__name__} must take a record, or a record and emit")
    of_key = types.Bytes(types.uint8, 1, "C") if key == "bytes" else types.uint64 if key == "dense" else None
    if key not in ("bytes", "dense", None):
        of_key = numba.from_dtype(numpy.dtype(key))
    emit_type = _EmitType(of_key, numba.from_dtype(numpy.dtype(value)), operation if key == "dense" else None)
    element = numba.from_dtype(dtype) if form == "rows" else types.uint8
    try:
        return _entry(_mapper(function, types.Array(element, 1, "C", readonly=True), emit_type), form == "rows", element, width, emit_type)
    except NumbaError as problem:
        raise CompileError(f"{function.__name__} does not compile:\n{problem}") from None


def _made_of_batch(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    parts = cgutils.create_struct_proxy(signature.return_type)(context, builder)
    batch = builder.bitcast(arguments[0], _BATCH)
    parts.batch = arguments[0]
    for name, number in (("cells", _CELLS), ("present", _PRESENT), ("keys_there", _KEYS_THERE)):
        setattr(parts, name, builder.load(_field(builder, batch, number)))
    return parts._getvalue()


def _entry(map_one: Any, rows_of_numbers: bool, element: Any, width: int, emit_type: Any) -> Any:
    @intrinsic
    def as_emit(typing: Any, batch: Any) -> Any:
        return emit_type(batch), _made_of_batch

    if rows_of_numbers:

        def map_all(data: Any, begins: Any, ends: Any, count: Any, batch: Any) -> None:
            emit = as_emit(batch)
            rows = _read_only(numba.carray(data, (count, width)))
            for i in range(count):
                _begin_record(emit, i)
                map_one(rows[i], emit)
    else:

        def map_all(data: Any, begins: Any, ends: Any, count: Any, batch: Any) -> None:
            emit = as_emit(batch)
            text = _read_only(numba.carray(data, (1 << 62,)))
            for i in range(count):
                _begin_record(emit, i)
                map_one(text[begins[i] : ends[i]], emit)

    inner = numba.njit(map_all)
    places = types.CPointer(types.uint64)

    def call(data: Any, begins: Any, ends: Any, count: Any, batch: Any) -> int:
        try:
            inner(data, begins, ends, count, batch)
        except Exception:  # noqa: BLE001 (Numba knows no other)
            return 1
        return 0

    return numba.cfunc(types.int32(types.CPointer(element), places, places, types.uint64, types.voidptr))(call)
