"""Parts of an application's input, mapped and merged by the program `duomap` on whatever machine this runs.

    job = Job("wordcount", ["books/"], ["--lower"])
    partials = [job.map(part, 8) for part in range(8)]      # anywhere, in any order, more than once
    rows = job.finish(partials, ["--top", "20"])

A partial is bytes (docs/reference/partials.md). duomap.dask and duomap.spark run the same on a cluster.
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
from typing import Any

from duomap import _objects
from duomap._errors import Error
from duomap._pieces import Piece, cut


class PartError(Error, RuntimeError):
    """The program refused: its message, and its exit status (2 wrong usage, 4 out of memory, 5 bad input)."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status

    def __reduce__(self) -> tuple[type[PartError], tuple[str, int]]:
        return PartError, (str(self), self.status)


def _end_with_parent() -> None:
    # A worker that is killed leaves no program behind (PR_SET_PDEATHSIG).
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


@dataclasses.dataclass(frozen=True)
class Job:
    """One application over one input.

    app: its name, or the path of a header with a task of your own. paths: the whole input; every machine sees it by
    these names. Addresses such as s3://bucket/books are read through fsspec, which `storage` is given to: a part fetches
    each object whole of which it has some bytes. options: those of the application, as on the command line. execution: how it runs there, such as
    ["--threads", "4"] or ["--device", "cpu"]. program: path or name of `duomap` on each machine.
    """

    app: str
    paths: Sequence[str]
    options: Sequence[str] = ()
    execution: Sequence[str] = ()
    program: str = "duomap"
    storage: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def parts_of(self, split_bytes: int) -> int:
        """How many parts of about so many stored bytes the input makes."""
        if split_bytes < 1:
            raise ValueError(f"split_bytes is {split_bytes}; a part has at least 1 byte")
        if any(map(_objects.is_remote, self.paths)):
            total = sum(one.size for one in _objects.find(self.paths, self.storage))
        else:
            total = sum(_stored_bytes(path) for path in self.paths)
        return max(1, -(-total // split_bytes))

    def map(self, part: int, parts: int) -> bytes:
        """Part `part`, counted from 0, of so many of the input, as a stored partial.

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
        """The same cut by keys: piece i of all parts makes file i of the result.

        Raises PartError, and ValueError for rows in the order of the input, which have no partitions by key.
        """
        return cut(self.map(part, parts), pieces)

    def merge(self, partials: Iterable[bytes]) -> bytes:
        """Several partials as one; a part of the input that several of them hold is counted once.

        Raises PartError for one that is damaged, or of another job.
        """
        with tempfile.TemporaryDirectory(prefix="duomap-") as folder:
            made = pathlib.Path(folder, "partial")
            self._call("merge", "--partial", "-o", str(made), *self.options, "--", *_stored(partials, folder, _write))
            return made.read_bytes()

    def save(self, pieces: Iterable[Piece], piece: int, of: int, path: str, rows: Sequence[str] = ()) -> str:
        """Writes the rows of piece `piece` of so many to a file, from the pieces of all parts. Gives its path.

        The file appears when it is complete. Raises PartError.
        """
        with tempfile.TemporaryDirectory(prefix="duomap-") as folder:
            stored = _stored(pieces, folder, lambda one, to: one.write(to))
            self._call("merge", "--keys", f"{piece + 1}/{of}", "-o", path, *rows, *self.options, "--", *stored)
            return path

    def finish(self, partials: Iterable[bytes], rows: Sequence[str] = ()) -> bytes:
        """The rows of the result. `rows`: options of rows, such as ["--top", "10", "--format", "csv"].

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
