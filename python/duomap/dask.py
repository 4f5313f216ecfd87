"""A job in parts on a Dask cluster, and data that stays in its workers between steps.

    from dask.distributed import Client
    from duomap import dask, parts

    with Client("scheduler:8786") as client:
        rows = dask.run(client, parts.Job("wordcount", ["books/"]), ["--top", "20"])

Start one worker with one thread on each machine (`dask worker --nthreads 1`): a part uses all cores and GPUs there. What a
lost worker had done is done again by others; a part that is done twice is counted once.
"""

from __future__ import annotations

import functools
import operator
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from duomap.parts import Job

if TYPE_CHECKING:
    from distributed import Client, Future

State = TypeVar("State")
Part = TypeVar("Part")


def submit(client: Client, job: Job, rows: Sequence[str] = (), *, parts: int | None = None,
           split_bytes: int | None = None, fan_in: int = 8, retries: int = 3) -> Future[bytes]:
    """Begins a job; the future's result is the bytes of the rows.

    parts: of the input; or split_bytes: about so many each; the default is four for each worker. fan_in: partials that one task merges. retries: of a part
    that fails. Partials are merged in a tree. A PartError, such as that of an input that is missing, is the future's
    exception.
    """
    _check(fan_in)
    count = _count(client, job, parts, split_bytes)
    level = client.map(job.map, range(count), parts=count, retries=retries, pure=False)
    while len(level) > fan_in:
        level = [client.submit(job.merge, level[first:first + fan_in], retries=retries, pure=False)
                 for first in range(0, len(level), fan_in)]
    return client.submit(job.finish, level, rows, retries=retries, pure=False)


def run(client: Client, job: Job, rows: Sequence[str] = (), *, parts: int | None = None, split_bytes: int | None = None,
        fan_in: int = 8, retries: int = 3) -> bytes:
    """submit(), and waits for the rows."""
    future = submit(client, job, rows, parts=parts, split_bytes=split_bytes, fan_in=fan_in, retries=retries)
    result: bytes = future.result()
    return result


def save(client: Client, job: Job, folder: str, rows: Sequence[str] = (), *, files: int | None = None,
         parts: int | None = None, split_bytes: int | None = None, retries: int = 3) -> list[str]:
    """The rows in files, each with its part of the keys, for a result that is larger than a machine. Gives their paths.

    folder: one that all workers see. files: the default is one for each worker. Each worker is sent its part of the keys
    of all partials and merges nothing else. `rows` are options of each file: --top 10 gives ten rows of each.
    """
    count, made = _count(client, job, parts, split_bytes), files or _workers(client)
    pieces = client.map(job.map_pieces, range(count), parts=count, pieces=made, retries=retries, pure=False)
    saved = []
    for number in range(made):
        mine = [client.submit(operator.getitem, one, number, pure=False) for one in pieces]
        path = os.path.join(folder, f"keys-{number + 1}-of-{made}")
        saved.append(client.submit(job.save, mine, number, made, path, rows, retries=retries, pure=False))
    return [str(one.result()) for one in saved]


class Resident:
    """Slices of data that stay in the memory of the workers between the steps of a job that iterates.

        slices = dask.Resident(client, load, 64)        # load(0) to load(63), an array each, are called on the workers
        found = iterative.kmeans(slices.step, centres)

    A slice whose worker is lost is loaded again by another: load(i) must give the same again. The slices are let go with
    the object.
    """

    def __init__(self, client: Client, load: Callable[[int], Any], parts: int, *, retries: int = 3) -> None:
        if parts < 1:
            raise ValueError(f"parts is {parts}; there is at least 1 slice")
        self._client, self._retries = client, retries
        self._slices = client.map(load, range(parts), retries=retries, pure=False)

    def step(self, compute: Callable[[Any, State], Part], state: State, *, fan_in: int = 8) -> Part:
        """compute(slice, state) of all slices, added up by `+` in a tree whose shape does not depend on the workers."""
        _check(fan_in)
        level = self._client.map(_of_slice, self._slices, compute=compute, state=state, retries=self._retries, pure=False)
        while len(level) > 1:
            level = [self._client.submit(_sum, level[first:first + fan_in], retries=self._retries, pure=False)
                     for first in range(0, len(level), fan_in)]
        total: Part = level[0].result()
        return total


def _workers(client: Client) -> int:
    return max(1, len(client.scheduler_info()["workers"]))


def _count(client: Client, job: Job, parts: int | None, split_bytes: int | None) -> int:
    if parts and split_bytes:
        raise ValueError("give parts or split_bytes, not both")
    return parts or (job.parts_of(split_bytes) if split_bytes else 4 * _workers(client))


def _check(fan_in: int) -> None:
    if fan_in < 2:
        raise ValueError(f"fan_in is {fan_in}; at least 2 partials are merged at a time")


def _of_slice(held: Any, compute: Callable[[Any, State], Part], state: State) -> Part:
    return compute(held, state)


def _sum(terms: Sequence[Any]) -> Any:
    return functools.reduce(operator.add, terms)
