"""Runs tasks of one's own, and tries the laws that they promise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Union

from duomap import _core
from duomap._cpp_task import CppTask
from duomap._function_task import FunctionTask
from duomap._options import Options, settings
from duomap._table import Report, Table
from duomap._texts import Texts, open_texts

if TYPE_CHECKING:
    from typing_extensions import Unpack

Task = Union[CppTask, FunctionTask]


def run(task: Task, texts: Texts, *, columns: Sequence[str] = (), **options: Unpack[Options]) -> Table:
    """Runs a task over texts, or over bytes of rows where its format is rows.

    `columns` are the names of the key, if there is one, and of each number of the value. Those of a task in Python are
    else key and value, those of a task in C++ column_1 and so on. Runs on the CPU.

    Raises MapFailed naming the place if the task's map fails.
    """
    core = task._task()
    names = list(columns) or task._columns()
    with settings(options) as how:
        found, report = _core.run_task(core, open_texts(task._texts(texts)), names, task.name, how)
    return Table(found, Report(report))


class Law(NamedTuple):
    """A law that a task promises, and what came of trying it."""

    law: str  #: such as "pure map", "associative"
    trials: int  #: 0: the sample gave nothing to try it on
    found: str  #: of "members read": what the task has
    counterexample: str  #: for what it fails; empty if it held

    @property
    def holds(self) -> bool:
        return not self.counterexample


def verify(task: Task, texts: Texts, **options: Unpack[Options]) -> list[Law]:
    """Tries what a task promises on samples of an input: that map gives the same twice, that the reduction is associative
    and commutative, that keys are in their range. A law that holds here is not proved; one that fails does fail.

    Raises MapFailed if map fails.
    """
    core = task._task()
    with settings(options) as how:
        return [Law(*one) for one in _core.verify_task(core, open_texts(task._texts(texts)), how)]
