"""Finds CUDA's compiler, which compiles the GPU code of a task in C++."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from glob import glob
from pathlib import Path
from typing import NamedTuple

from duomap import _core

#: The end of the file for CUDA's compiler, behind the task.
DEVICE_CODE = """#include <gpu/engines/all.cuh>
#include <gpu/gpu_backend.cuh>
namespace duomap::gpu {{
template backends_of<::{name}> make_backends(const ::{name}&, const std::vector<int>&, const backend_options&);
}}
"""


class Toolkit(NamedTuple):
    nvcc: str  #: the compiler's path; empty if no GPU code is made
    gpus: tuple[str, ...]  #: the models of the machine's GPUs; part of the cache's key, because code for other GPUs does not run
    problem: str  #: the reason why no GPU code is made; empty if it is

    def command(self, host_compiler: str) -> list[str]:
        """The beginning of the compiler's command. It compiles only for the machine's GPUs: all GPUs would take minutes."""
        capabilities = sorted(set(_core.gpu_capabilities()))
        numbers = [f"{major}{minor}" for major, minor in capabilities]
        codes = [f"-gencode=arch=compute_{number},code=sm_{number}" for number in numbers]
        flags = ["-std=c++20", "-O3", "-DNDEBUG", "--expt-relaxed-constexpr", "-Werror=cross-execution-space-call"]
        folders = [f"-I{folder}" for folder in glob(str(Path(self.nvcc).parents[1] / "include" / "cccl"))]
        return [self.nvcc, "-ccbin", host_compiler, *codes, *flags, *folders, "-Xcompiler=-fPIC,-fvisibility=hidden"]


def find_toolkit() -> Toolkit:
    built = _core.toolkit_version // 1000
    if built == 0:
        return Toolkit("", (), "this duomap was built without GPU code")
    gpus = _gpus()
    if not gpus:
        return Toolkit("", (), "this machine has no GPU")
    found = list(_compilers())
    for nvcc in found:
        if _release(nvcc) == built:
            return Toolkit(nvcc, gpus, "")
    others = f" (not {', '.join(found)}, of another version)" if found else ""
    return Toolkit("", (), f"there is no nvcc of CUDA {built}{others}; install CUDA's toolkit, or nvidia-cuda-nvcc by pip")


def _gpus() -> tuple[str, ...]:
    # Reads the driver's list: asking CUDA for its GPUs takes longer than loading a compiled task.
    listed = sorted(glob("/proc/driver/nvidia/gpus/*/information"))
    models = [line for path in listed for line in Path(path).read_text().splitlines() if line.startswith("Model:")]
    return tuple(models) or tuple(map(str, _core.gpu_capabilities()))


def _compilers() -> Iterator[str]:
    """Candidates for CUDA's compiler: on PATH, in NVIDIA's usual folder, and in packages from PyPI."""
    on_path = shutil.which("nvcc")
    places = [os.path.realpath(on_path)] if on_path else []
    places.append("/usr/local/cuda/bin/nvcc")
    packages = importlib.util.find_spec("nvidia")
    for folder in (packages.submodule_search_locations or []) if packages else []:
        places += sorted(glob(f"{folder}/cu*/bin/nvcc"))
    yield from (one for one in dict.fromkeys(places) if os.access(one, os.X_OK))


def _release(nvcc: str) -> int:
    """The major version of CUDA, such as 13. Reads a header: starting the compiler takes 20 ms."""
    try:
        header = (Path(nvcc).parents[1] / "include" / "cuda.h").read_text()
    except OSError:
        said = subprocess.run([nvcc, "--version"], capture_output=True, text=True).stdout
        found = re.search(r"release (\d+)", said)
        return int(found[1]) if found else 0
    version = re.search(r"#define CUDA_VERSION (\d+)", header)
    return int(version[1]) // 1000 if version else 0
