"""Tasks of one's own in C++, compiled at first use and kept in a cache on disk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from duomap import _core


class CppTask:
    """A compiled task, for run(). Pickles as its source."""

    def __init__(self, core: _core.Task, name: str, source: str, flags: Sequence[str], gpu: bool, without_gpu: str) -> None:
        self._core = core
        self.name = name
        self.without_gpu = without_gpu  #: why there is no code for GPUs; nothing if there is
        self._gpu = gpu
        self._source = source
        self._flags = tuple(flags)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return _compiled_again, (self._source, self.name, self._flags, self._gpu)

    def __repr__(self) -> str:
        return f"<duomap.CppTask {self.name}>"

    def _task(self, device: str = "cpu") -> _core.Task:
        return self._core

    def _gpu_obstacle(self) -> str:
        return self.without_gpu

    _takes_rows = True  # whether its format is rows is known to the compiler alone

    def _texts(self, texts: Any) -> Any:
        return texts

    def _columns(self) -> list[str]:
        return []


def cpp_task(source: str, *, name: str | None = None, flags: Sequence[str] = (), gpu: bool = True) -> CppTask:
    """Compiles a task: a C++ struct with format, key, reduce and map, as docs/reference/task.md has it. The namespace
    duomap is open; `name` is that of the struct, the last one of the source unless it is said.

    Takes a few seconds, with g++ or $CXX. Where the machine has GPUs and CUDA's compiler (on PATH, in /usr/local/cuda, or
    nvidia-cuda-nvcc of PyPI), and duomap was built with GPU code, the task gets code for these GPUs, too, which takes longer;
    `gpu`=False leaves it out, for a map that only the CPU can run. `flags` are for the CPU's compiler. What was compiled is kept in ~/.cache/duomap/python-tasks, or below
    $XDG_CACHE_HOME, by source, flags, compiler and build of duomap, and loads in milliseconds.

    Raises CompileError with the compiler's errors, which show the lines of the source.
    """
    # What compiles is imported here: with it the import of duomap would take twice as long.
    from duomap._compile import compiled

    library, found, without_gpu = compiled(source, name, flags, gpu)
    return CppTask(_core.Task(library), found, source, flags, gpu, without_gpu)


def _compiled_again(source: str, name: str, flags: Sequence[str], gpu: bool) -> CppTask:
    return cpp_task(source, name=name, flags=flags, gpu=gpu)
