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
from collections.abc import Iterable, Sequence

from duomap._errors import Error


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
    these names. options: those of the application, as on the command line. execution: how it runs there, such as
    ["--threads", "4"] or ["--device", "cpu"]. program: path or name of `duomap` on each machine.
    """

    app: str
    paths: Sequence[str]
    options: Sequence[str] = ()
    execution: Sequence[str] = ()
    program: str = "duomap"

    def map(self, part: int, parts: int) -> bytes:
        """Part `part`, counted from 0, of so many of the input, as a stored partial.

        Raises PartError.
        """
        with tempfile.TemporaryDirectory(prefix="duomap-") as folder:
            made = pathlib.Path(folder, "partial")
            self._call("map", "--slice", f"{part + 1}/{parts}", "-o", str(made), *self.execution, *self.options,
                       "--", *self.paths)
            return made.read_bytes()

    def merge(self, partials: Iterable[bytes]) -> bytes:
        """Several partials as one; a part of the input that several of them hold is counted once.

        Raises PartError for one that is damaged, or of another job.
        """
        with tempfile.TemporaryDirectory(prefix="duomap-") as folder:
            made = pathlib.Path(folder, "partial")
            self._call("merge", "--partial", "-o", str(made), *self.options, "--", *_stored(partials, folder))
            return made.read_bytes()

    def finish(self, partials: Iterable[bytes], rows: Sequence[str] = ()) -> bytes:
        """The rows of the result. `rows`: options of rows, such as ["--top", "10", "--format", "csv"].

        Raises PartError, also when a part of the input is missing.
        """
        with tempfile.TemporaryDirectory(prefix="duomap-") as folder:
            return self._call("merge", *rows, *self.options, "--", *_stored(partials, folder))

    def _call(self, stage: str, *arguments: str) -> bytes:
        ended = subprocess.run([self.program, stage, self.app, "--quiet", *arguments], stdin=subprocess.DEVNULL,
                               capture_output=True, check=False, preexec_fn=_end_with_parent)
        if ended.returncode != 0:
            said = ended.stderr.decode("utf-8", "backslashreplace").strip()
            raise PartError(said or f"{self.program} ended with {ended.returncode}", ended.returncode)
        return ended.stdout


def _stored(partials: Iterable[bytes], folder: str) -> list[str]:
    paths = []
    for number, partial in enumerate(partials):
        paths.append(os.path.join(folder, f"part {number}"))
        pathlib.Path(paths[-1]).write_bytes(partial)
    return paths
