"""Emits the return value of a user's function, in code that Numba compiles for CPUs or for GPUs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core.imputils import impl_ret_borrowed

from duomap._errors import CompileError


def emit_found_by(types: Any, intrinsic: Any, overload: Any) -> Callable[[Any, Any], None]:
    """Makes emit_found(emit, found) for compiled functions. All arguments belong to one target, the CPU or the GPU: its
    module of types, and its decorators that extend the compiler."""

    @intrinsic
    def present(typing: Any, optional: Any) -> Any:
        def cast(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return impl_ret_borrowed(context, builder, signature.return_type, context.cast(builder, arguments[0], optional, optional.type))

        return optional.type(optional), cast

    def emit_found(emit: Any, found: Any) -> None:
        raise NotImplementedError("compiled only")

    @overload(emit_found)
    def emit_found_of(emit: Any, found: Any) -> Any:
        if isinstance(found, types.NoneType):
            return lambda emit, found: None
        if isinstance(found, types.Optional):

            def emit_if_present(emit: Any, found: Any) -> None:
                if found is not None:
                    emit_found(emit, present(found))

            return emit_if_present
        if emit.of_key is None:

            def emit_value(emit: Any, found: Any) -> None:
                emit(found)

            return emit_value
        if not isinstance(found, types.BaseTuple) or len(found) != 2:
            raise CompileError(f"the function returns {found}; expected (key, value), or None for nothing")

        def emit_pair(emit: Any, found: Any) -> None:
            emit(found[0], found[1])

        return emit_pair

    return emit_found
