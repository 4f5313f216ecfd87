"""Compiles tasks in C++ to shared libraries, which a cache on disk keeps."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from duomap import _core
from duomap._errors import CompileError, UsageError
from duomap._toolkit import DEVICE_CODE, Toolkit, find_toolkit

_FLAGS = ("-std=c++20", "-O2", "-DNDEBUG", "-fPIC", "-fvisibility=hidden", "-fmax-errors=5")
_LINK_FLAGS = ("-shared", "-Wl,--exclude-libs,ALL")

_TASK = """#include "duomap.hpp"
using namespace duomap;
#include "task.hpp"
{promise}
"""
_PROMISE = """template <>
inline constexpr bool duomap::gpu::has_code<::{name}> = true;
"""
_AROUND = """#include "python/src/own_task.hpp"
DUOMAP_PYTHON_TASK({name})
"""


def compiled(source: str, name: str | None, flags: Sequence[str], gpu: bool) -> tuple[bytes, str, str]:
    """The path of the library, the name of the task, and why it has no code for GPUs: nothing if it has."""
    if name is None:
        names = re.findall(r"^\s*(?:struct|class)\s+(\w+)", source, re.M)
        if not names:
            raise UsageError("the source has no struct at the beginning of a line; a task is a struct")
        name = names[-1]
    compiler = shutil.which(os.environ.get("CXX", "g++"))
    if compiler is None:
        raise UsageError(f"{os.environ.get('CXX', 'g++')!r} is not there; a task in C++ needs a compiler: install g++, or set CXX")
    kit = find_toolkit() if gpu else Toolkit("", (), "gpu=False leaves it out")
    used = [*_FLAGS, *flags]
    folder = cache_folder() / _key(source, name, compiler, used, kit)
    library = folder / "task.so"
    if not library.exists():
        _compile(source, name, compiler, used, kit, folder)
    return os.fsencode(library), name, kit.problem


def cache_folder() -> Path:
    """The folder of compiled tasks: this user's own, because what is in it is run."""
    above = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(above):  # the specification of XDG passes over others
        above = os.path.expanduser("~/.cache")
    folder = Path(above, "duomap", "python-tasks")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    facts = folder.stat()
    if facts.st_uid != os.getuid() or stat.S_IMODE(facts.st_mode) & 0o077:
        raise UsageError(f"{folder} is not this user's alone (mode {stat.S_IMODE(facts.st_mode):o}); chmod 700 it, or set XDG_CACHE_HOME")
    return folder


def _key(source: str, name: str, compiler: str, flags: Sequence[str], kit: Toolkit) -> str:
    facts = [os.path.realpath(path) for path in (compiler, kit.nvcc, _core.__file__) if path]
    seen = [(path, os.stat(path).st_size, os.stat(path).st_mtime_ns) for path in facts]
    return hashlib.sha256(repr((source, name, flags, seen, kit.gpus, _core.version)).encode()).hexdigest()[:32]


def _loaded_libraries() -> list[str]:
    """The shared libraries that the module has loaded, whose functions the task calls too."""
    found: dict[str, str] = {}
    with open("/proc/self/maps") as maps:
        for line in maps:
            path = line[line.find("/") :].strip() if "/" in line else ""
            match = re.match(r"lib(tbb|hwloc|z|zstd|lzma|lz4|isal)[-.]", os.path.basename(path))
            if match:
                found.setdefault(match[1], path)
    return list(found.values())


def _compile(source: str, name: str, compiler: str, flags: Sequence[str], kit: Toolkit, folder: Path) -> None:
    build = Path(__file__).parent / "_build"
    if not build.is_dir():
        raise UsageError(f"{build} is missing: the installation of duomap is broken")
    definitions = (build / "flags").read_text().split()
    # Paths of the folder are relative, so that messages say task.hpp:LINE.
    folders = ["-I.", f"-I{build / 'include'}"]
    task = _TASK.format(promise=_PROMISE.format(name=name) if kit.nvcc else "")
    with tempfile.TemporaryDirectory(dir=folder.parent) as made:
        here = Path(made)
        (here / "task.hpp").write_text(source)
        (here / "around.cpp").write_text(task + _AROUND.format(name=name))
        objects = ["around.o"]
        commands = [[compiler, *flags, *definitions, *folders, "-c", "around.cpp", "-o", "around.o"]]
        if kit.nvcc:
            (here / "device.cu").write_text(task + DEVICE_CODE.format(name=name))
            objects.append("device.o")
            commands.append([*kit.command(compiler), *definitions, *folders, "-c", "device.cu", "-o", "device.o"])
        archives = sorted(str(path) for path in (build / "lib").glob("*.a"))
        link = [compiler, *_LINK_FLAGS, *objects, "-o", "task.so"]
        link += ["-Wl,--start-group", *archives, "-Wl,--end-group", "-Wl,--as-needed", *_loaded_libraries(), "-ldl", "-lrt", "-pthread"]
        _run(commands, name, here)
        _run([link], name, here)
        for spent in objects:
            (here / spent).unlink()
        try:
            here.rename(folder)
        except OSError:  # another process was first
            if not folder.is_dir():
                raise
        here.mkdir(exist_ok=True)


def _run(commands: Sequence[Sequence[str]], name: str, here: Path) -> None:
    """Runs commands beside each other. What the first one says about an error is shown, and not again by the next."""
    running = [subprocess.Popen(one, cwd=here, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) for one in commands]
    said = [one.communicate()[0] for one in running]
    for number, (one, text) in enumerate(zip(running, said, strict=True)):
        if one.returncode != 0:
            hint = "\nThe CPU's compiler takes it; gpu=False leaves the code for GPUs out." if number > 0 else ""
            raise CompileError(f"{name} does not compile:\n{text.strip()}{hint}")
