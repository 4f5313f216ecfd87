"""A job in parts on a Dask cluster.

    from dask.distributed import Client
    from duomap import dask, parts

    with Client("scheduler:8786") as client:
        rows = dask.run(client, parts.Job("wordcount", ["books/"]), ["--top", "20"])

Start one worker with one thread on each machine (`dask worker --nthreads 1`): a part uses all cores and GPUs there. What a
lost worker had done is done again by others; a part that is done twice is counted once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from duomap.parts import Job

if TYPE_CHECKING:
    from distributed import Client, Future


def submit(client: Client, job: Job, rows: Sequence[str] = (), *, parts: int | None = None, fan_in: int = 8,
           retries: int = 3) -> Future[bytes]:
    """Begins a job; the future's result is the bytes of the rows.

    parts: of the input; the default is four for each worker. fan_in: partials that one task merges. retries: of a part
    that fails. Partials are merged in a tree. A PartError, such as that of an input that is missing, is the future's
    exception.
    """
    if fan_in < 2:
        raise ValueError(f"fan_in is {fan_in}; at least 2 partials are merged at a time")
    count = parts or 4 * max(1, len(client.scheduler_info()["workers"]))
    level = client.map(job.map, range(count), parts=count, retries=retries, pure=False)
    while len(level) > fan_in:
        level = [client.submit(job.merge, level[first:first + fan_in], retries=retries, pure=False)
                 for first in range(0, len(level), fan_in)]
    return client.submit(job.finish, level, rows, retries=retries, pure=False)


def run(client: Client, job: Job, rows: Sequence[str] = (), *, parts: int | None = None, fan_in: int = 8,
        retries: int = 3) -> bytes:
    """submit(), and waits for the rows."""
    future = submit(client, job, rows, parts=parts, fan_in=fan_in, retries=retries)
    result: bytes = future.result()
    return result
