"""Tasks of one's own in C++, compiled at first use and kept in a cache on disk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from duomap import _core
from duomap._options import Options, settings
from duomap._table import Report, Table
from duomap._texts import Texts, open_texts

if TYPE_CHECKING:
    from typing_extensions import Unpack


class CppTask:
    """A compiled task, for run()."""

    def __init__(self, core: _core.Task, name: str) -> None:
        self._core = core
        self.name = name

    def __repr__(self) -> str:
        return f"<duomap.CppTask {self.name}>"


def cpp_task(source: str, *, name: str | None = None, flags: Sequence[str] = ()) -> CppTask:
    """Compiles a task: a C++ struct with format, key, reduce and map, as docs/reference/task.md has it. The namespace
    duomap is open; `name` is that of the struct, the last one of the source unless it is said.

    Takes a few seconds, with g++ or $CXX. What was compiled is kept in ~/.cache/duomap/python-tasks, or below
    $XDG_CACHE_HOME, by source, flags, compiler and build of duomap, and loads in milliseconds.

    Raises CompileError with the compiler's errors, which show the lines of the source.
    """
    # What compiles is imported here: with it the import of duomap would take twice as long.
    from duomap._compile import compiled

    library, found = compiled(source, name, flags)
    return CppTask(_core.Task(library), found)


def run(task: CppTask, texts: Texts, *, columns: Sequence[str] = (), **options: Unpack[Options]) -> Table:
    """Runs a task over texts, or over bytes of rows where its format is rows.

    `columns` are the names of the key, if there is one, and of each number of the value; those that are left out are
    column_1 and so on. Runs on the CPU.
    """
    with settings(options) as how:
        core, report = _core.run_task(task._core, open_texts(texts), list(columns), task.name, how)
    return Table(core, Report(report))
