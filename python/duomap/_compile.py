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

_FLAGS = ("-std=c++20", "-O2", "-DNDEBUG", "-fPIC", "-shared", "-fvisibility=hidden", "-fmax-errors=5", "-Wl,--exclude-libs,ALL")

_AROUND = """#include "duomap.hpp"
using namespace duomap;
#include "task.hpp"
#include "python/src/own_task.hpp"
DUOMAP_PYTHON_TASK({name})
"""


def compiled(source: str, name: str | None, flags: Sequence[str]) -> tuple[bytes, str]:
    """The path of the library, and the name of the task."""
    if name is None:
        names = re.findall(r"^\s*(?:struct|class)\s+(\w+)", source, re.M)
        if not names:
            raise UsageError("the source has no struct at the beginning of a line; a task is a struct")
        name = names[-1]
    compiler = shutil.which(os.environ.get("CXX", "g++"))
    if compiler is None:
        raise UsageError(f"{os.environ.get('CXX', 'g++')!r} is not there; a task in C++ needs a compiler: install g++, or set CXX")
    used = [*_FLAGS, *flags]
    folder = _cache() / _key(source, name, compiler, used)
    library = folder / "task.so"
    if not library.exists():
        _compile(source, name, compiler, used, folder)
    return os.fsencode(library), name


def _cache() -> Path:
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


def _key(source: str, name: str, compiler: str, flags: Sequence[str]) -> str:
    facts = [os.path.realpath(path) for path in (compiler, _core.__file__)]
    seen = [(path, os.stat(path).st_size, os.stat(path).st_mtime_ns) for path in facts]
    return hashlib.sha256(repr((source, name, flags, seen, _core.version)).encode()).hexdigest()[:32]


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


def _compile(source: str, name: str, compiler: str, flags: Sequence[str], folder: Path) -> None:
    build = Path(__file__).parent / "_build"
    if not build.is_dir():
        raise UsageError(f"{build} is missing: this duomap was built with GPU code, or its installation is broken; tasks in C++ need a build without")
    with tempfile.TemporaryDirectory(dir=folder.parent) as made:
        here = Path(made)
        (here / "task.hpp").write_text(source)
        (here / "around.cpp").write_text(_AROUND.format(name=name))
        archives = sorted(str(path) for path in (build / "lib").glob("*.a"))
        # Paths of the folder are relative, so that messages say task.hpp:LINE.
        command = [compiler, *flags, *(build / "flags").read_text().split(), "-I.", f"-I{build / 'include'}", "around.cpp", "-o", "task.so"]
        command += ["-Wl,--start-group", *archives, "-Wl,--end-group", "-Wl,--as-needed", *_loaded_libraries(), "-ldl"]
        done = subprocess.run(command, cwd=here, capture_output=True, text=True)
        if done.returncode != 0:
            raise CompileError(f"{name} does not compile:\n{done.stderr.strip()}")
        try:
            here.rename(folder)
        except OSError:  # another process was first
            if not folder.is_dir():
                raise
        here.mkdir(exist_ok=True)
