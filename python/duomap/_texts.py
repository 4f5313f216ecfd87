"""Turns the arguments of functions over texts into paths or buffers that the module reads."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, Protocol, Union

from duomap import _core
from duomap._arrow import is_arrow, text_of
from duomap._errors import UsageError


class ArrowStream(Protocol):
    """A table, an array or a stream of Arrow."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


class Readable(Protocol):
    """A file that is open for reading bytes."""

    def read(self) -> bytes: ...


Path = Union[str, "os.PathLike[str]", "os.PathLike[bytes]"]
Buffer = Union[bytes, bytearray, memoryview]
Text = Union[Path, Buffer, Readable, ArrowStream]
Texts = Union[Text, Iterable[Text], Mapping[str, Union[Buffer, Readable, ArrowStream]]]


_SINGLE = ("read", "__array__")


def _require_bytes(kind: str, size: int, what: str, name: str) -> None:
    if kind not in "iu" or size != 1:
        raise UsageError(f"{name} is an array of {what}; give a list of bytes, or a column of Arrow, such as pyarrow.array(...)")


def _buffer(text: Any, name: str, rows: bool) -> tuple[str, Any]:
    if not isinstance(name, str):
        raise UsageError(f"the name of a text is a str, not {name!r}")
    if hasattr(text, "read"):
        read = text.read()
        if not isinstance(read, (bytes, bytearray, memoryview)):
            raise UsageError(f"the file {getattr(text, 'name', name)!r} gives {type(read).__name__}, not bytes; open it with 'rb'")
        return str(getattr(text, "name", name)), read
    if is_arrow(text):
        return name, text_of(text, name)
    if isinstance(text, (bytearray, memoryview)):
        view = memoryview(text)
        if not rows:
            _require_bytes("u" if view.format in ("B", "b", "c") else view.format, view.itemsize, view.format, name)
        return name, view.cast("B") if view.c_contiguous else view.tobytes()
    if hasattr(text, "__array__"):
        import numpy

        array = numpy.ascontiguousarray(text).reshape(-1)
        if not rows or array.dtype.kind in "OSTU":  # such arrays hold pointers, or texts padded with zeros
            _require_bytes(array.dtype.kind, array.dtype.itemsize, str(array.dtype), name)
        return name, array.view(numpy.uint8)
    if not isinstance(text, bytes):
        raise UsageError(f"{name} is {type(text).__name__}, which is no text in memory; texts are bytes, as str.encode() gives them")
    return name, text


def _is_path(text: object) -> bool:
    return isinstance(text, (str, os.PathLike))


def open_texts(texts: Texts, *, rows: bool = False) -> _core.Texts:
    """The texts of a call, as the module reads them: either paths, or named buffers, which it reads in place.

    With `rows` the texts may be rows of numbers of any type.
    """
    if isinstance(texts, Mapping):
        return _core.Texts([], [_buffer(text, name, rows) for name, text in texts.items()])
    if _is_path(texts) or isinstance(texts, (bytes, bytearray, memoryview)) or any(hasattr(texts, one) for one in _SINGLE) or is_arrow(texts):
        every: list[Any] = [texts]
    else:
        parts: Any = texts
        if not isinstance(parts, Iterable):
            raise UsageError(f"the texts are {type(texts).__name__}; give a path, bytes, an open file, a column of Arrow, or several of them")
        every = list(parts)
    if all(_is_path(text) for text in every):
        return _core.Texts([os.fsencode(text) for text in every], [])
    if any(_is_path(text) for text in every):
        raise UsageError("paths and texts in memory in one call; give one kind (a str is a path, a text is bytes)")
    if len(every) == 1:
        return _core.Texts([], [_buffer(every[0], "memory", rows)])
    return _core.Texts([], [_buffer(text, f"memory[{i}]", rows) for i, text in enumerate(every)])
