"""CUDA's compiler, which makes the code for GPUs of a task in C++."""

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

#: Behind the task in the file that it compiles.
DEVICE_CODE = """#include <gpu/engines/all.cuh>
#include <gpu/gpu_backend.cuh>
namespace duomap::gpu {{
template backends_of<::{name}> make_backends(const ::{name}&, const std::vector<int>&, const backend_options&);
}}
"""


class Toolkit(NamedTuple):
    nvcc: str  #: its path; nothing when no code for GPUs is made
    gpus: tuple[str, ...]  #: which GPUs the machine has: what is compiled for others does not run on them
    problem: str  #: why there is no code for GPUs; nothing if there is

    def command(self, host_compiler: str) -> list[str]:
        """Its beginning. The code is for the GPUs that are there: for all it would take minutes."""
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
    # The driver's own list: asking CUDA takes longer than loading a task that is compiled.
    listed = sorted(glob("/proc/driver/nvidia/gpus/*/information"))
    models = [line for path in listed for line in Path(path).read_text().splitlines() if line.startswith("Model:")]
    return tuple(models) or tuple(map(str, _core.gpu_capabilities()))


def _compilers() -> Iterator[str]:
    """On PATH, where NVIDIA installs it, and in the packages of PyPI."""
    on_path = shutil.which("nvcc")
    places = [os.path.realpath(on_path)] if on_path else []
    places.append("/usr/local/cuda/bin/nvcc")
    packages = importlib.util.find_spec("nvidia")
    for folder in (packages.submodule_search_locations or []) if packages else []:
        places += sorted(glob(f"{folder}/cu*/bin/nvcc"))
    yield from (one for one in dict.fromkeys(places) if os.access(one, os.X_OK))


def _release(nvcc: str) -> int:
    """13 of CUDA 13.0. From the toolkit's header, because starting the compiler takes 20 ms."""
    try:
        header = (Path(nvcc).parents[1] / "include" / "cuda.h").read_text()
    except OSError:
        said = subprocess.run([nvcc, "--version"], capture_output=True, text=True).stdout
        found = re.search(r"release (\d+)", said)
        return int(found[1]) if found else 0
    version = re.search(r"#define CUDA_VERSION (\d+)", header)
    return int(version[1]) // 1000 if version else 0
