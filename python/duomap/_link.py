"""Links functions for GPUs with duomap's kernels, by nvJitLink. A cache on disk keeps what came of it."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

from cuda.bindings import nvjitlink

from duomap._compile import cache_folder
from duomap._errors import CompileError

#: The kernels that call a function, by its keys.
_KERNELS = {
    "none": ("map_into_registers",),
    "dense": ("map_into_block_cells", "map_into_device_cells", "map_by_range", "partition_by_key"),
    "hashed": ("map_and_reduce",),
}


def kernels() -> Path:
    """The kernels as LTO-IR. A duomap without GPU code has none."""
    return Path(__file__).parent / "_build" / "row_function.ltoir"


def linked(name: str, function: bytes, keys: str, capability: tuple[int, int]) -> bytes:
    """A cubin of the kernels for such keys with the function (LTO-IR) in them, for GPUs of one compute capability."""
    options = [f"-arch=sm_{capability[0]}{capability[1]}", "-lto", *(f"-kernels-used={one}" for one in _KERNELS[keys])]
    around = kernels().read_bytes()
    facts = repr((options, nvjitlink.version())).encode()
    key = hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in (facts, around, function))).hexdigest()[:32]
    kept = cache_folder() / f"{key}.cubin"
    if kept.exists():
        return kept.read_bytes()
    cubin = _link(name, [around, function], options)
    # Another process may do the same: the last one to rename wins, with the same bytes.
    with tempfile.NamedTemporaryFile(dir=kept.parent, delete=False) as made:
        made.write(cubin)
    os.replace(made.name, kept)
    return cubin


def _link(name: str, parts: list[bytes], options: list[str]) -> bytes:
    handle = nvjitlink.create(len(options), options)
    try:
        for part in parts:
            nvjitlink.add_data(handle, nvjitlink.InputType.LTOIR, part, len(part), name)
        nvjitlink.complete(handle)
        cubin = bytearray(nvjitlink.get_linked_cubin_size(handle))
        nvjitlink.get_linked_cubin(handle, cubin)
        return bytes(cubin)
    except nvjitlink.nvJitLinkError as problem:
        said = bytearray(nvjitlink.get_error_log_size(handle))
        nvjitlink.get_error_log(handle, said)
        text = said.rstrip(b"\0").decode(errors="replace")
        version = ".".join(map(str, nvjitlink.version()))
        raise CompileError(f"{name} is not linked for GPUs by nvJitLink {version}: {problem}\n{text}".rstrip()) from None
    finally:
        nvjitlink.destroy(handle)
