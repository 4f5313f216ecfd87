"""Maps and merges parts of an application's input, each on the machine of its caller, by calling the program `duomap`.

    run = RunInParts("wordcount", ["books/"], ["--lower"])
    partials = [run.map(part, 8) for part in range(8)]      # anywhere, in any order, more than once
    rows = run.finish(partials, ["--top", "20"])

A partial is bytes (docs/reference/partials.md). duomap.dask and duomap.spark carry out such runs on a cluster.
"""

from __future__ import annotations

import ctypes
import dataclasses
import os
import pathlib
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from duomap import _objects
from duomap._errors import Error
from duomap._old_names import old_keywords, old_name
from duomap._pieces import Piece, cut


class PartError(Error, RuntimeError):
    """The program failed. Has the program's message and exit status (2 wrong usage, 4 out of memory, 5 bad input)."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status

    def __reduce__(self) -> tuple[type[PartError], tuple[str, int]]:
        return PartError, (str(self), self.status)


def _end_with_parent() -> None:
    # PR_SET_PDEATHSIG: the kernel kills the program when the worker that started it ends.
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


@dataclasses.dataclass(frozen=True)
class RunInParts:
    """One run of an application over an input, in parts.

    app: the application's name, or the path of a header with your own task.
    paths: the whole input, by names under which every machine sees it. Addresses such as s3://bucket/books are read through
        fsspec: a part fetches an object in full if some of the object's bytes belong to the part.
    options: options of the application, as on the command line.
    execution: options that say how it runs on each machine, such as ["--threads", "4"] or ["--device", "cpu"].
    program: the path or name of `duomap` on each machine.
    storage: options for fsspec.
    """

    app: str
    paths: Sequence[str]
    options: Sequence[str] = ()
    execution: Sequence[str] = ()
    program: str = "duomap"
    storage: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    @old_keywords("split_bytes")
    def parts_of(self, part_bytes: int) -> int:
        """The number of parts if each has about `part_bytes` stored bytes of the input."""
        if part_bytes < 1:
            raise ValueError(f"part_bytes is {part_bytes}; a part has at least 1 byte")
        if any(map(_objects.is_remote, self.paths)):
            total = sum(one.size for one in _objects.find(self.paths, self.storage))
        else:
            total = sum(_stored_bytes(path) for path in self.paths)
        return max(1, -(-total // part_bytes))

    def map(self, part: int, parts: int) -> bytes:
        """Maps part number `part`, from 0 to parts - 1, of the input. Returns the stored partial.

        Raises PartError.
        """
        with tempfile.TemporaryDirectory(prefix="duomap-") as folder:
            made, where, paths = pathlib.Path(folder, "partial"), None, self.paths
            if any(map(_objects.is_remote, paths)):
                where = os.path.join(folder, "objects")
                paths = _objects.fetch(_objects.find(paths, self.storage), part, parts, where)
            self._call("map", "--slice", f"{part + 1}/{parts}", "-o", str(made), *self.execution, *self.options,
                       "--", *paths, where=where)
            return made.read_bytes()

    def map_pieces(self, part: int, parts: int, pieces: int) -> list[Piece]:
        """Maps a part as map() does and cuts the partial by keys: the pieces i of all parts make file i of the result.

        Raises PartError, and ValueError for an application whose rows are in the order of the input: its partials have no
        partitions by key.
        """
        return cut(self.map(part, parts), pieces)

    def merge(self, partials: Iterable[bytes]) -> bytes:
        """Merges several partials into one. A part of the input that several partials hold is counted once.

        Raises PartError for a partial that is damaged or belongs to another run.
        """
        with tempfile.TemporaryDirectory(prefix="duomap-") as folder:
            made = pathlib.Path(folder, "partial")
            self._call("merge", "--partial", "-o", str(made), *self.options, "--", *_stored(partials, folder, _write))
            return made.read_bytes()

    def save(self, pieces: Iterable[Piece], piece: int, of: int, path: str, rows: Sequence[str] = ()) -> str:
        """Merges the pieces number `piece`, from 0 to of - 1, of all parts and writes their rows to a file. Returns its path.

        The file appears when it is complete. Raises PartError.
        """
        with tempfile.TemporaryDirectory(prefix="duomap-") as folder:
            stored = _stored(pieces, folder, lambda one, to: one.write(to))
            self._call("merge", "--keys", f"{piece + 1}/{of}", "-o", path, *rows, *self.options, "--", *stored)
            return path

    def finish(self, partials: Iterable[bytes], rows: Sequence[str] = ()) -> bytes:
        """Merges the partials of all parts and returns the rows. `rows` are options of rows, such as ["--top", "10", "--format",
        "csv"].

        Raises PartError, also when a part of the input is missing.
        """
        with tempfile.TemporaryDirectory(prefix="duomap-") as folder:
            return self._call("merge", *rows, *self.options, "--", *_stored(partials, folder, _write))

    def _call(self, stage: str, *arguments: str, where: str | None = None) -> bytes:
        ended = subprocess.run([self.program, stage, self.app, "--quiet", *arguments], stdin=subprocess.DEVNULL,
                               capture_output=True, check=False, preexec_fn=_end_with_parent, cwd=where)
        if ended.returncode != 0:
            said = ended.stderr.decode("utf-8", "backslashreplace").strip()
            raise PartError(said or f"{self.program} ended with {ended.returncode}", ended.returncode)
        return ended.stdout


def _write(partial: bytes, path: str) -> None:
    pathlib.Path(path).write_bytes(partial)


def _stored(partials: Iterable[Any], folder: str, write: Callable[[Any, str], None]) -> list[str]:
    paths = []
    for number, partial in enumerate(partials):
        paths.append(os.path.join(folder, f"part {number}"))
        write(partial, paths[-1])
    return paths


def _stored_bytes(path: str) -> int:
    if not os.path.isdir(path):
        return os.path.getsize(path)
    return sum(os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(path) for name in names)


if not TYPE_CHECKING:  # a type checker that saw __getattr__ would accept every name

    def __getattr__(name: str) -> object:
        return old_name(__name__, name)
