"""A job in parts on a Spark cluster.

    from pyspark.sql import SparkSession
    from duomap import parts, spark

    session = SparkSession.builder.getOrCreate()
    rows = spark.run(session.sparkContext, parts.Job("wordcount", ["books/"]), ["--top", "20"])

Give each executor one core (spark.executor.cores=1) and one executor to each machine: a part uses all cores and GPUs there.
What a lost executor had done is done again by others; with spark.speculation a slow part is also done elsewhere, and
counted once.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from duomap._pieces import Piece
from duomap.parts import Job

if TYPE_CHECKING:
    from pyspark import SparkContext


def run(context: SparkContext, job: Job, rows: Sequence[str] = (), *, parts: int | None = None,
        split_bytes: int | None = None, depth: int = 2) -> bytes:
    """The bytes of the rows.

    parts: of the input; or split_bytes: about so many each; the default is four for each of spark.default.parallelism.
    A part is tried spark.task.maxFailures times. depth: of the tree in which executors
    merge partials; the driver finishes what they leave. A PartError of an executor ends the job, as Spark reports it.
    """
    count = _count(context, job, parts, split_bytes)
    partials = context.parallelize(range(count), count).map(lambda part: job.map(part, count))
    merged = partials.treeReduce(lambda one, other: job.merge([one, other]), depth)
    return job.finish([merged], rows)


def save(context: SparkContext, job: Job, folder: str, rows: Sequence[str] = (), *, files: int | None = None,
         parts: int | None = None, split_bytes: int | None = None) -> list[str]:
    """The rows in files, each with its part of the keys, for a result that is larger than a machine. Gives their paths.

    folder: one that all executors see. files: the default is spark.default.parallelism. Pieces of partials go through
    Spark's shuffle: each executor merges its part of the keys and nothing else.
    """
    count, made = _count(context, job, parts, split_bytes), files or context.defaultParallelism
    pieces = context.parallelize(range(count), count).flatMap(lambda part: enumerate(job.map_pieces(part, count, made)))

    def write(one: tuple[int, Iterable[Piece]]) -> str:
        number, mine = one
        return job.save(mine, number, made, os.path.join(folder, f"keys-{number + 1}-of-{made}"), rows)

    return sorted(pieces.groupByKey(made).map(write).collect())


def _count(context: SparkContext, job: Job, parts: int | None, split_bytes: int | None) -> int:
    if parts and split_bytes:
        raise ValueError("give parts or split_bytes, not both")
    return parts or (job.parts_of(split_bytes) if split_bytes else 4 * context.defaultParallelism)
