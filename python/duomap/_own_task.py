"""Runs the tasks of users, and tests the laws that they promise."""

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
    """Runs a task over texts, or over the bytes of rows if its format is rows.

    `columns` names the columns of the result: the key, if the task has one, then each number of the value. Without names
    the columns of a task in Python are key and value, and those of a task in C++ are column_1, column_2 and so on.

    Raises MapFailed, which names the place, if the task's map fails.
    """
    _require_task(task)
    core = task._task(options.get("device", "auto"))
    names = words("columns", columns) or task._columns()
    with settings(options) as how:
        found, report = _core.run_task(core, open_texts(task._texts(texts), rows=task._takes_rows), names, task.name, how)
    return Table(found, Report(report))


class Law(NamedTuple):
    """A law that a task promises, and the outcome of its test."""

    law: str  #: such as "pure map", "associative"
    trials: int  #: the number of trials; 0 if the sample had nothing to test the law on
    found: str  #: for the law "members read": the members that the task has
    counterexample: str  #: a case in which the law fails; empty if it held

    @property
    def holds(self) -> bool:
        return not self.counterexample


def verify(task: Task, texts: Texts, **options: Unpack[Options]) -> list[Law]:
    """Tests the promises of a task on samples of an input: map emits the same when it runs twice, the reduction is
    associative and commutative, keys are in their range, and GPUs, if the task can use them, give the CPU's result. A law
    that holds on the samples is not proved; a law that fails is refuted.

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
    """Compares a run on the CPU with a run on GPUs. Half of the digits of float32 must agree,
    because floating-point sums depend on their order."""
    on_cpu, on_gpus = (run(task, texts, device=device).sorted().rows() for device in ("cpu", "gpu"))
    for one, other in itertools.zip_longest(on_cpu, on_gpus):
        if one is None or other is None or not all(map(_is_same, one, other)):
            return Law("same on CPU and GPU", len(on_cpu), "", f"CPU and GPU give {one or 'no row'} and {other or 'no row'}")
    return Law("same on CPU and GPU", len(on_cpu), "", "")


def _is_same(one: object, other: object) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=3e-4) or (math.isnan(one) and math.isnan(other))
    return one == other
