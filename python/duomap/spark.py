"""Carries out a run in parts on a Spark cluster.

    from pyspark.sql import SparkSession
    from duomap import parts, spark

    session = SparkSession.builder.getOrCreate()
    rows = spark.run(session.sparkContext, parts.RunInParts("wordcount", ["books/"]), ["--top", "20"])

Give each machine one executor and each executor one core (spark.executor.cores=1): a part uses all cores and GPUs of its
machine. If an executor is lost, other executors do its parts again. With spark.speculation another executor also does a
slow part; the part is counted once.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from duomap._old_names import old_keywords
from duomap._pieces import Piece
from duomap.parts import RunInParts

if TYPE_CHECKING:
    from pyspark import SparkContext


@old_keywords("job", "split_bytes")
def run(context: SparkContext, run: RunInParts, rows: Sequence[str] = (), *, parts: int | None = None,
        part_bytes: int | None = None, depth: int = 2) -> bytes:
    """Carries out a run and returns the rows of its result, as bytes.

    parts: the number of parts of the input; the default is 4 times spark.default.parallelism. Spark tries a part up to
        spark.task.maxFailures times.
    part_bytes: the approximate bytes of a part, instead of `parts`.
    depth: the depth of the tree in which executors merge partials. The driver merges the last partials and makes the rows.

    A PartError in an executor ends the run with the exception that Spark raises for it.
    """
    count = _count(context, run, parts, part_bytes)
    partials = context.parallelize(range(count), count).map(lambda part: run.map(part, count))
    merged = partials.treeReduce(lambda one, other: run.merge([one, other]), depth)
    return run.finish([merged], rows)


@old_keywords("job", "split_bytes")
def save(context: SparkContext, run: RunInParts, folder: str, rows: Sequence[str] = (), *, files: int | None = None,
         parts: int | None = None, part_bytes: int | None = None) -> list[str]:
    """Writes the rows to several files, each with its part of the keys, for a result that is larger than a machine's memory.
    Returns the paths of the files.

    folder: a folder that all executors see.
    files: the number of files; the default is spark.default.parallelism. Pieces of partials go through Spark's shuffle, so
        that the executor that makes a file merges only the file's part of the keys.
    """
    count, made = _count(context, run, parts, part_bytes), files or context.defaultParallelism
    pieces = context.parallelize(range(count), count).flatMap(lambda part: enumerate(run.map_pieces(part, count, made)))

    def write(one: tuple[int, Iterable[Piece]]) -> str:
        number, mine = one
        return run.save(mine, number, made, os.path.join(folder, f"keys-{number + 1}-of-{made}"), rows)

    return sorted(pieces.groupByKey(made).map(write).collect())


def _count(context: SparkContext, run: RunInParts, parts: int | None, part_bytes: int | None) -> int:
    if parts and part_bytes:
        raise ValueError("give parts or part_bytes, not both")
    return parts or (run.parts_of(part_bytes) if part_bytes else 4 * context.defaultParallelism)
