"""Jobs in parts, by hand and on a Dask cluster of processes of this machine, some of which are killed."""

import collections
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time

import pytest

from duomap import parts

PROGRAM = os.environ.get("DUOMAP") or shutil.which("duomap")
pytestmark = pytest.mark.skipif(not PROGRAM, reason="the program duomap is not there: set DUOMAP to its path")


@pytest.fixture
def texts(tmp_path):
    """A folder of texts of 2 MB, and the rows of their words in the order of their bytes."""
    draw = random.Random(7)
    words = [f"w{number}" for number in range(3000)]
    counts = collections.Counter()
    for name in ("a", "b"):
        chosen = draw.choices(words, k=200_000)
        counts.update(chosen)
        (tmp_path / name).write_text(" ".join(chosen) + "\n")
    rows = "".join(f"{word}\t{counts[word]}\n" for word in sorted(counts)).encode()
    return str(tmp_path), rows


def job_over(path, **changes):
    return parts.Job("wordcount", [path], execution=["--threads", "1"], program=PROGRAM, **changes)


SORTED = ["--sort", "key"]


def test_parts_in_any_order_and_twice(texts):
    path, rows = texts
    job = job_over(path)
    partials = [job.map(part, 5) for part in (3, 0, 4, 1, 2, 1)]
    assert job.finish(partials, SORTED) == rows
    merged = job.merge(partials[:3])
    assert job.finish([*partials, merged], SORTED) == rows


def test_errors_say_what_is_wrong(texts):
    path, _ = texts
    job = job_over(path)
    partials = [job.map(part, 3) for part in range(3)]
    with pytest.raises(parts.PartError, match="do not cover") as missing:
        job.finish(partials[:2])
    assert missing.value.status == 5
    damaged = bytearray(partials[1])
    damaged[len(damaged) // 2] ^= 1
    with pytest.raises(parts.PartError, match="damaged"):
        job.finish([partials[0], bytes(damaged), partials[2]])
    with pytest.raises(parts.PartError, match="--lower"):
        job_over(path, options=["--lower"]).finish(partials)
    with pytest.raises(parts.PartError, match="missing") as absent:
        job_over(path + "/missing").map(0, 1)
    assert absent.value.status == 5


@pytest.fixture
def client():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as one:
            yield one


def slow_program(tmp_path, seconds):
    """A program that is duomap after a while."""
    path = tmp_path / "slow-duomap"
    path.write_text(f"#!/bin/sh\nsleep {seconds}\nexec '{PROGRAM}' \"$@\"\n")
    path.chmod(0o755)
    return str(path)


def kill_a_worker(client, after):
    """Kills one of the worker processes when `after` tasks have ended, or are under way."""
    def strike():
        time.sleep(after)
        process = random.choice(list(client.run(os.getpid).values()))
        os.kill(process, signal.SIGKILL)
    thread = threading.Thread(target=strike)
    thread.start()
    return thread


def test_dask(texts, client):
    from duomap import dask
    path, rows = texts
    for count, fan_in in ((None, 8), (1, 2), (13, 3)):
        assert dask.run(client, job_over(path), SORTED, parts=count, fan_in=fan_in) == rows


@pytest.mark.parametrize("after", [0.4, 1.2, 2.0])
def test_dask_whose_worker_is_killed(texts, client, tmp_path_factory, after):
    """While parts are mapped, merged or finished: the answer is there, and the same."""
    from duomap import dask
    path, rows = texts
    program = slow_program(tmp_path_factory.mktemp("bin"), 0.3)
    job = parts.Job("wordcount", [path], execution=["--threads", "1"], program=program)
    killer = kill_a_worker(client, after)
    assert dask.submit(client, job, SORTED, parts=8, fan_in=3).result(timeout=60) == rows
    killer.join()


def test_dask_says_what_is_wrong(texts, client):
    from duomap import dask
    path, _ = texts
    with pytest.raises(parts.PartError, match="missing"):
        dask.run(client, job_over(path + "/missing"), parts=2, retries=0)
    with pytest.raises(ValueError, match="fan_in"):
        dask.submit(client, job_over(path), fan_in=1)


def test_spark_whose_executor_is_killed(texts, tmp_path_factory, monkeypatch):
    """Two executors of a local cluster. pip install pyspark, and a Java runtime: CI has neither (500 MB)."""
    sql = pytest.importorskip("pyspark.sql")
    from duomap import spark
    path, rows = texts
    packages = os.path.dirname(os.path.dirname(parts.__file__))
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    session = (sql.SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
               .config("spark.executorEnv.PYTHONPATH", packages).getOrCreate())
    program = slow_program(tmp_path_factory.mktemp("bin"), 0.5)
    job = parts.Job("wordcount", [path], execution=["--threads", "1"], program=program)

    def strike():
        time.sleep(3)
        executors = subprocess.run(["pgrep", "-f", "CoarseGrainedExecutorBackend"], capture_output=True, check=True)
        os.kill(int(executors.stdout.split()[-1]), signal.SIGKILL)

    try:
        assert spark.run(session.sparkContext, job, SORTED, parts=8) == rows
        killer = threading.Thread(target=strike)
        killer.start()
        assert spark.run(session.sparkContext, job, SORTED, parts=12) == rows
        killer.join()
        with pytest.raises(Exception, match="missing"):
            spark.run(session.sparkContext, job_over(path + "/missing"), parts=2)
    finally:
        session.stop()
