"""Tasks that users write in C++. duomap compiles each at its first use and keeps it in a cache on disk."""

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

    _takes_rows = True  # it may: only the compiler knows whether the task's format is rows

    def _texts(self, texts: Any) -> Any:
        return texts

    def _columns(self) -> list[str]:
        return []


def cpp_task(source: str, *, name: str | None = None, flags: Sequence[str] = (), gpu: bool = True) -> CppTask:
    """Compiles a task: a C++ struct with format, key, reduce and map (docs/reference/task.md). The namespace duomap is open
    in the source. `name` is the struct's name; without it the last struct of the source is the task.

    Compiling takes a few seconds with g++, or with the compiler that $CXX names. The task also gets code for the machine's
    GPUs if duomap was built with GPU code and CUDA's compiler is on PATH, in /usr/local/cuda, or installed as
    nvidia-cuda-nvcc from PyPI; this takes longer. gpu=False leaves the GPU code out, for a map that only the CPU can run.
    `flags` go to the CPU's compiler; paths in them must be absolute.

    The compiled task is kept in ~/.cache/duomap/tasks, or below $XDG_CACHE_HOME, and loads in milliseconds. It is
    compiled again when the source, a header that it includes, a flag, the compiler or duomap has changed. `duomap cache`
    lists the compiled tasks and removes them.

    Raises CompileError with the compiler's errors, which show the lines of the source.
    """
#Imported here, because at the top of the file it would double the time to import duomap.
    from duomap._compile import compiled

    core, found, without_gpu = compiled(source, name, flags, gpu)
    return CppTask(core, found, source, flags, gpu, without_gpu)


def _compiled_again(source: str, name: str, flags: Sequence[str], gpu: bool) -> CppTask:
    return cpp_task(source, name=name, flags=flags, gpu=gpu)
