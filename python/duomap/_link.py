"""Links functions for GPUs with duomap's kernels, by nvJitLink. A cache on disk keeps the linked programs."""

from __future__ import annotations

import hashlib
from pathlib import Path

from cuda.bindings import nvjitlink

from duomap import _core
from duomap._errors import CompileError

#: The kernels that call the function, for each kind of keys.
_KERNELS = {
    "none": ("map_into_registers",),
    "dense": ("map_into_block_cells", "map_into_device_cells", "map_by_range", "partition_by_key"),
    "hashed": ("map_and_reduce",),
}


def kernels() -> Path:
    """The path of the kernels as LTO-IR. The file is missing if duomap was built without GPU code."""
    return Path(__file__).parent / "_build" / "row_function.ltoir"


def linked(name: str, function: bytes, keys: str, capability: tuple[int, int]) -> bytes:
    """A cubin for GPUs of one compute capability: the kernels for this kind of keys, linked with `function` (LTO-IR)."""
    options = [f"-arch=sm_{capability[0]}{capability[1]}", "-lto", *(f"-kernels-used={one}" for one in _KERNELS[keys])]
    around = kernels().read_bytes()
    facts = repr((options, nvjitlink.version())).encode()
    key = hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in (facts, around, function))).hexdigest()
    return _core.cached(f"kernels {key}", f"{name}, linked for GPUs", lambda: _link(name, [around, function], options))


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
