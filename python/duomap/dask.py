"""Carries out a run in parts on a Dask cluster, and keeps data in its workers between the steps of an iterative job.

    from dask.distributed import Client
    from duomap import dask, parts

    with Client("scheduler:8786") as client:
        rows = dask.run(client, parts.RunInParts("wordcount", ["books/"]), ["--top", "20"])

Start one worker with one thread on each machine (`dask worker --nthreads 1`): a part uses all cores and GPUs of its machine.
If a worker is lost, other workers do its parts again; a part that is done twice is counted once.
"""

from __future__ import annotations

import functools
import operator
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from duomap._old_names import old_keywords
from duomap.parts import RunInParts

if TYPE_CHECKING:
    from distributed import Client, Future

State = TypeVar("State")
Part = TypeVar("Part")


@old_keywords("job", "split_bytes")
def submit(client: Client, run: RunInParts, rows: Sequence[str] = (), *, parts: int | None = None,
           part_bytes: int | None = None, fan_in: int = 8, retries: int = 3) -> Future[bytes]:
    """Starts a run. The result of the future is the rows of the run's result, as bytes.

    parts: the number of parts of the input; the default is four for each worker.
    part_bytes: the approximate bytes of a part, instead of `parts`.
    fan_in: the number of partials that one Dask task merges. Partials are merged in a tree.
    retries: how often Dask repeats a part that fails. A PartError, for example for a missing input, is the future's
        exception.
    """
    _check(fan_in)
    count = _count(client, run, parts, part_bytes)
    level = client.map(run.map, range(count), parts=count, retries=retries, pure=False)
    while len(level) > fan_in:
        level = [client.submit(run.merge, level[first:first + fan_in], retries=retries, pure=False)
                 for first in range(0, len(level), fan_in)]
    return client.submit(run.finish, level, rows, retries=retries, pure=False)


@old_keywords("job", "split_bytes")
def run(client: Client, run: RunInParts, rows: Sequence[str] = (), *, parts: int | None = None,
        part_bytes: int | None = None, fan_in: int = 8, retries: int = 3) -> bytes:
    """Starts a run with submit(), waits for its end, and returns the rows."""
    future = submit(client, run, rows, parts=parts, part_bytes=part_bytes, fan_in=fan_in, retries=retries)
    result: bytes = future.result()
    return result


@old_keywords("job", "split_bytes")
def save(client: Client, run: RunInParts, folder: str, rows: Sequence[str] = (), *, files: int | None = None,
         parts: int | None = None, part_bytes: int | None = None, retries: int = 3) -> list[str]:
    """Writes the rows to several files, each with its part of the keys, for a result that is larger than a machine's memory.
    Returns the paths of the files.

    folder: a folder that all workers see.
    files: the number of files; the default is one for each worker. The worker that makes a file is sent only the file's
        part of the keys, from all partials.
    rows: options that apply to each file; --top 10 gives ten rows in each.
    """
    count, made = _count(client, run, parts, part_bytes), files or _workers(client)
    pieces = client.map(run.map_pieces, range(count), parts=count, pieces=made, retries=retries, pure=False)
    saved = []
    for number in range(made):
        mine = [client.submit(operator.getitem, one, number, pure=False) for one in pieces]
        path = os.path.join(folder, f"keys-{number + 1}-of-{made}")
        saved.append(client.submit(run.save, mine, number, made, path, rows, retries=retries, pure=False))
    return [str(one.result()) for one in saved]


class Resident:
    """Slices of data that stay in the memory of the workers between the steps of a job that iterates.

        slices = dask.Resident(client, load, 64)        # load(0) to load(63), an array each, are called on the workers
        found = iterative.kmeans(slices.step, centers)

    If a worker is lost, another worker loads its slices again, so load(i) must always return the same data. The workers
    free the slices when this object is destroyed.
    """

    @old_keywords("parts")
    def __init__(self, client: Client, load: Callable[[int], Any], slices: int, *, retries: int = 3) -> None:
        if slices < 1:
            raise ValueError(f"slices is {slices}; there is at least 1 slice")
        self._client, self._retries = client, retries
        self._slices = client.map(load, range(slices), retries=retries, pure=False)

    def step(self, compute: Callable[[Any, State], Part], state: State, *, fan_in: int = 8) -> Part:
        """Computes compute(slice, state) for all slices and adds up the answers with `+`, in a tree whose shape does not depend
        on the workers."""
        _check(fan_in)
        level = self._client.map(_of_slice, self._slices, compute=compute, state=state, retries=self._retries, pure=False)
        while len(level) > 1:
            level = [self._client.submit(_sum, level[first:first + fan_in], retries=self._retries, pure=False)
                     for first in range(0, len(level), fan_in)]
        total: Part = level[0].result()
        return total


def _workers(client: Client) -> int:
    return max(1, len(client.scheduler_info()["workers"]))


def _count(client: Client, run: RunInParts, parts: int | None, part_bytes: int | None) -> int:
    if parts and part_bytes:
        raise ValueError("give parts or part_bytes, not both")
    return parts or (run.parts_of(part_bytes) if part_bytes else 4 * _workers(client))


def _check(fan_in: int) -> None:
    if fan_in < 2:
        raise ValueError(f"fan_in is {fan_in}; at least 2 partials are merged at a time")


def _of_slice(held: Any, compute: Callable[[Any, State], Part], state: State) -> Part:
    return compute(held, state)


def _sum(terms: Sequence[Any]) -> Any:
    return functools.reduce(operator.add, terms)
