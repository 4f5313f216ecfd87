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

from collections.abc import Sequence
from typing import TYPE_CHECKING

from duomap.parts import Job

if TYPE_CHECKING:
    from pyspark import SparkContext


def run(context: SparkContext, job: Job, rows: Sequence[str] = (), *, parts: int | None = None, depth: int = 2) -> bytes:
    """The bytes of the rows.

    parts: of the input; the default is four for each of spark.default.parallelism. depth: of the tree in which executors
    merge partials; the driver finishes what they leave. A PartError of an executor ends the job, as Spark reports it.
    """
    count = parts or 4 * context.defaultParallelism
    partials = context.parallelize(range(count), count).map(lambda part: job.map(part, count))
    merged = partials.treeReduce(lambda one, other: job.merge([one, other]), depth)
    return job.finish([merged], rows)
