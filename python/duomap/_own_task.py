"""Runs tasks of one's own, and tries the laws that they promise."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Union

from duomap import _core
from duomap._cpp_task import CppTask
from duomap._errors import UsageError
from duomap._function_task import FunctionTask
from duomap._options import Options, settings, words
from duomap._table import Report, Table
from duomap._texts import Texts, open_texts

if TYPE_CHECKING:
    from typing_extensions import Unpack

Task = Union[CppTask, FunctionTask]


def _require_task(task: Task) -> None:
    if not isinstance(task, (CppTask, FunctionTask)):
        raise UsageError(f"{task!r} is no task; make one of a function by duomap.task, or of C++ by duomap.cpp_task")


def run(task: Task, texts: Texts, *, columns: Sequence[str] = (), **options: Unpack[Options]) -> Table:
    """Runs a task over texts, or over bytes of rows where its format is rows.

    `columns` are the names of the key, if there is one, and of each number of the value. Those of a task in Python are
    else key and value, those of a task in C++ column_1 and so on.

    Raises MapFailed naming the place if the task's map fails.
    """
    _require_task(task)
    core = task._task(options.get("device", "auto"))
    names = words("columns", columns) or task._columns()
    with settings(options) as how:
        found, report = _core.run_task(core, open_texts(task._texts(texts), rows=task._takes_rows), names, task.name, how)
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
    and commutative, that keys are in their range, and that GPUs, where the task may use them, give the same. A law that
    holds here is not proved; one that fails does fail.

    Raises MapFailed if map fails.
    """
    _require_task(task)
    core = task._task()
    with settings(options) as how:
        laws = [Law(*one) for one in _core.verify_task(core, open_texts(task._texts(texts), rows=task._takes_rows), how)]
    if task._gpu_obstacle():
        return laws
    return [*laws, _same_on_gpus(task, texts)]


def _same_on_gpus(task: Task, texts: Texts) -> Law:
    """Sums of floating point depend on their order: half of the digits of float32 must be the same."""
    on_cpu, on_gpus = (run(task, texts, device=device).sorted().rows() for device in ("cpu", "gpu"))
    for one, other in itertools.zip_longest(on_cpu, on_gpus):
        if one is None or other is None or not all(map(_is_same, one, other)):
            return Law("same on CPU and GPU", len(on_cpu), "", f"CPU and GPU give {one or 'no row'} and {other or 'no row'}")
    return Law("same on CPU and GPU", len(on_cpu), "", "")


def _is_same(one: object, other: object) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=3e-4) or (math.isnan(one) and math.isnan(other))
    return one == other
