"""Compiles tasks in C++ to shared libraries, which it keeps in the cache of `duomap run HEADER`."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from duomap import _core
from duomap._errors import UsageError
from duomap._toolkit import DEVICE_CODE, Toolkit, find_toolkit

_FLAGS = ("-std=c++20", "-O2", "-DNDEBUG", "-fPIC", "-fvisibility=hidden", "-fmax-errors=5")
_LINK_FLAGS = ("-shared", "-Wl,--exclude-libs,ALL")

_TASK = """#include "duomap.hpp"
using namespace duomap;
#include "task.hpp"
{promise}
"""
_PROMISE = """#include <gpu/engines/can_run.hpp>
template <>
inline constexpr bool duomap::gpu::has_code<::{name}> = duomap::gpu::has_engine<::{name}>;
template <>
inline constexpr bool duomap::gpu::code_is_optional<::{name}> = true;
"""
_AROUND = """#include "python/src/own_task.hpp"
DUOMAP_PYTHON_TASK({name})
"""


def compiled(source: str, name: str | None, flags: Sequence[str], gpu: bool) -> tuple[_core.Task, str, str]:
    """Compiles and loads the task. Returns it, its name, and the reason why it has no code for GPUs (empty if it has)."""
    if name is None:
        names = re.findall(r"^\s*(?:struct|class)\s+(\w+)", source, re.M)
        if not names:
            raise UsageError("the source has no struct at the beginning of a line; a task is a struct")
        name = names[-1]
    compiler = shutil.which(os.environ.get("CXX", "g++"))
    if compiler is None:
        raise UsageError(f"{os.environ.get('CXX', 'g++')!r} is not there; a task in C++ needs a compiler: install g++, or set CXX")
    kit = find_toolkit() if gpu else Toolkit("", (), "gpu=False leaves it out")
    return _compile(source, name, compiler, [*_FLAGS, *flags], kit), name, kit.problem


def _loaded_libraries() -> list[str]:
    """The module's shared libraries. The task calls their functions, so it is linked with them."""
    found: dict[str, str] = {}
    with open("/proc/self/maps") as maps:
        for line in maps:
            path = line[line.find("/") :].strip() if "/" in line else ""
            match = re.match(r"lib(tbb|hwloc|z|zstd|lzma|lz4|isal)[-.]", os.path.basename(path))
            if match:
                found.setdefault(match[1], path)
    return list(found.values())


def _compile(source: str, name: str, compiler: str, flags: Sequence[str], kit: Toolkit) -> _core.Task:
    build = Path(__file__).parent / "_build"
    if not build.is_dir():
        raise UsageError(f"{build} is missing: the installation of duomap is broken")
    definitions = (build / "flags").read_text().split()
    # The compiler gets relative paths, so that its messages say task.hpp:LINE.
    folders = ["-I.", f"-I{build / 'include'}"]
    task = _TASK.format(promise=_PROMISE.format(name=name) if kit.nvcc else "")
    files = [("task.hpp", source), ("around.cpp", task + _AROUND.format(name=name))]
    commands = [[compiler, *flags, *definitions, *folders, "-MD", "-MF", "around.d", "-c", "around.cpp", "-o", "around.o"]]
    objects, dependencies = ["around.o"], ["around.d"]
    if kit.nvcc:
        files.append(("device.cu", task + DEVICE_CODE.format(name=name)))
        objects.append("device.o")
        dependencies.append("device.d")
        command = [*kit.command(compiler), *definitions, *folders, "-MD", "-MF", "device.d", "-c", "device.cu", "-o", "device.o"]
        commands.append(command)
    archives = sorted(str(path) for path in (build / "lib").glob("*.a"))
    link = [compiler, *_LINK_FLAGS, *objects, "-o", "product", "-Wl,--start-group", *archives, "-Wl,--end-group", "-Wl,--as-needed"]
    return _core.compile_task(
        name=name,
        files=[(file, text.encode()) for file, text in files],
        steps=[[_bytes(one) for one in commands], [_bytes(link)]],
        libraries=_bytes([*_loaded_libraries(), "-ldl", "-lrt", "-pthread"]),
        dependencies=dependencies,
        stamped=_bytes([_core.__file__]),
        facts="\n".join(kit.gpus),
        duomap_headers=os.fsencode(build / "include"),
        hint="The CPU's compiler takes it; gpu=False leaves the code for GPUs out.",
    )


def _bytes(words: Sequence[str]) -> list[bytes]:
    return [os.fsencode(word) for word in words]
