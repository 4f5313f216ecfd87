"""Tasks of one's own in C++, compiled at first use and kept in a cache on disk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from duomap import _core


class CppTask:
    """A compiled task, for run(). Pickles as its source."""

    def __init__(self, core: _core.Task, name: str, source: str, flags: Sequence[str]) -> None:
        self._core = core
        self.name = name
        self._source = source
        self._flags = tuple(flags)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return _compiled_again, (self._source, self.name, self._flags)

    def __repr__(self) -> str:
        return f"<duomap.CppTask {self.name}>"

    def _task(self) -> _core.Task:
        return self._core

    def _texts(self, texts: Any) -> Any:
        return texts

    def _columns(self) -> list[str]:
        return []


def cpp_task(source: str, *, name: str | None = None, flags: Sequence[str] = ()) -> CppTask:
    """Compiles a task: a C++ struct with format, key, reduce and map, as docs/reference/task.md has it. The namespace
    duomap is open; `name` is that of the struct, the last one of the source unless it is said.

    Takes a few seconds, with g++ or $CXX. What was compiled is kept in ~/.cache/duomap/python-tasks, or below
    $XDG_CACHE_HOME, by source, flags, compiler and build of duomap, and loads in milliseconds.

    Raises CompileError with the compiler's errors, which show the lines of the source.
    """
    # What compiles is imported here: with it the import of duomap would take twice as long.
    from duomap._compile import compiled

    library, found = compiled(source, name, flags)
    return CppTask(_core.Task(library), found, source, flags)


def _compiled_again(source: str, name: str, flags: Sequence[str]) -> CppTask:
    return cpp_task(source, name=name, flags=flags)
