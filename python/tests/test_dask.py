"""Runs in parts on a local Dask cluster of processes: answers, lost workers and errors.

Each test of a killed worker is repeated DUOMAP_DASK_KILLS times, by default once.
"""

import os
import shutil
import time

import pytest

from duomap import dask, parts

PROGRAM = os.environ.get("DUOMAP") or shutil.which("duomap")
pytestmark = pytest.mark.skipif(not PROGRAM, reason="the program duomap is not there: set DUOMAP to its path")
KILLS = int(os.environ.get("DUOMAP_DASK_KILLS", "1"))
SORTED = ["--sort", "key"]


def run_over(path, program=PROGRAM, **changes):
    return parts.RunInParts("wordcount", [path], execution=["--threads", "1"], program=program, **changes)


@pytest.fixture
def script(tmp_path_factory):
    """A shell script that runs `lines` and then duomap. $seen is a folder of its own."""
    def make(lines):
        folder = tmp_path_factory.mktemp("bin")
        path = folder / "duomap"
        path.write_text(f"#!/bin/sh\nseen='{folder}'\n{lines}\nexec '{PROGRAM}' \"$@\"\n")
        path.chmod(0o755)
        return str(path)
    return make


def test_answer(texts, client):
    path, rows = texts
    for count, fan_in in ((None, 8), (1, 2), (13, 3)):
        assert dask.run(client, run_over(path), SORTED, parts=count, fan_in=fan_in) == rows


def rows_of(paths):
    return b"".join(sorted(line for path in paths for line in open(path, "rb")))


def test_a_file_for_each_part_of_the_keys(texts, client, tmp_path_factory):
    path, rows = texts
    for files, parts_of_input in ((None, None), (1, 1), (5, 3)):
        folder = str(tmp_path_factory.mktemp("result"))
        saved = dask.save(client, run_over(path), folder, files=files, parts=parts_of_input)
        assert [os.path.basename(one) for one in saved] == [f"keys-{i + 1}-of-{files or 2}" for i in range(files or 2)]
        assert rows_of(saved) == b"".join(sorted(rows.splitlines(keepends=True)))
        assert min(os.path.getsize(one) for one in saved) > 0
    with pytest.raises(parts.PartError, match="missing"):
        dask.save(client, run_over(path + "/missing"), folder, parts=2, retries=0)


def test_parts_of_so_many_bytes(texts, client):
    path, rows = texts
    run = run_over(path)
    assert run.parts_of(10**9) == 1
    assert run.parts_of(200_000) == -(-sum(os.path.getsize(os.path.join(path, name)) for name in "ab") // 200_000)
    assert dask.run(client, run, SORTED, part_bytes=500_000) == rows
    with pytest.raises(ValueError, match="part_bytes"):
        run.parts_of(0)
    with pytest.raises(ValueError, match="not both"):
        dask.run(client, run, parts=2, part_bytes=10)


def test_a_part_that_is_delivered_twice(texts, client):
    path, rows = texts
    run = run_over(path)
    level = client.map(run.map, range(4), parts=4)
    merged = client.submit(run.merge, [level[0], level[0], level[1]])
    assert client.submit(run.finish, [merged, *level, level[3]], SORTED).result(timeout=60) == rows


# Shell patterns that recognise the stage from the program's arguments.
STAGES = {"map": "map\\ *", "merge": "merge\\ *--partial*", "finish": "merge\\ *--sort*"}


def test_a_worker_that_is_killed_while_it_saves(texts, client, script, tmp_path_factory):
    path, rows = texts
    for _ in range(KILLS):
        program = script('case "$*" in merge\\ *--keys*) mkdir "$seen/killed" 2>/dev/null && kill -9 $PPID;; esac')
        folder = str(tmp_path_factory.mktemp("result"))
        saved = dask.save(client, run_over(path, program), folder, files=3, parts=6)
        assert rows_of(saved) == b"".join(sorted(rows.splitlines(keepends=True)))
        assert os.path.isdir(os.path.join(os.path.dirname(program), "killed"))


@pytest.mark.parametrize("stage", STAGES)
def test_a_worker_that_is_killed(texts, client, script, stage):
    """The program kills its worker by SIGKILL in that stage."""
    path, rows = texts
    for _ in range(KILLS):
        program = script(f'case "$*" in {STAGES[stage]}) mkdir "$seen/killed" 2>/dev/null && kill -9 $PPID;; esac')
        assert dask.submit(client, run_over(path, program), SORTED, parts=8, fan_in=3).result(timeout=60) == rows
        assert os.path.isdir(os.path.join(os.path.dirname(program), "killed"))


SHORT = "ulimit -v 160000"  # KiB; counting two million words needs 300,000 KiB


def test_a_program_that_runs_out_of_memory(client, script, tmp_path):
    (tmp_path / "words").write_text(" ".join(map(str, range(2_000_000))))
    path = str(tmp_path / "words")
    with pytest.raises(parts.PartError, match="memory|more than the system has") as short:
        dask.submit(client, run_over(path, script(SHORT)), parts=2, retries=1).result(timeout=60)
    assert short.value.status == 4
    once = run_over(path, script(f'mkdir "$seen/short" 2>/dev/null && {SHORT}'))
    top = dask.submit(client, once, ["--top", "1", "--sort", "key"], parts=2).result(timeout=60)
    assert top == b"0\t1\n"


def hoard(part, once):
    """Takes more memory than the worker's limit, unless the folder `once` exists already."""
    try:
        os.mkdir(once)
    except FileExistsError:
        return part
    held = b"x" * 700_000_000
    time.sleep(30)
    return len(held)


def test_a_worker_that_runs_out_of_memory(tmp_path):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None,
                                  memory_limit="500MB") as cluster, distributed.Client(cluster) as client:
        slices = dask.Resident(client, lambda part: hoard(part, str(tmp_path / "once")), 4)
        assert slices.step(lambda part, state: part + state, 10) == 10 + 11 + 12 + 13
        with distributed.Client(cluster) as other:
            hungry = dask.Resident(other, lambda part: hoard(part, str(tmp_path / "once" / str(time.time_ns()))), 1)
            with pytest.raises(distributed.KilledWorker, match="memory|died"):
                hungry.step(lambda part, state: part, 0)


def test_a_worker_that_is_ten_times_slower(texts, client, script):
    """The worker that first asks for a part is slow. The other worker then does most parts."""
    path, rows = texts
    program = script('echo $PPID >> "$seen/workers"\n'
                     'test $PPID = $(head -n 1 "$seen/workers") && sleep 2 || sleep 0.2')
    assert dask.submit(client, run_over(path, program), SORTED, parts=24, fan_in=24).result(timeout=60) == rows
    with open(os.path.join(os.path.dirname(program), "workers")) as calls:
        workers = calls.read().split()
    assert workers.count(workers[0]) <= 6


def test_errors_come_from_the_worker(texts, client):
    path, _ = texts
    with pytest.raises(parts.PartError, match="missing"):
        dask.run(client, run_over(path + "/missing"), parts=2, retries=0)
    with pytest.raises(ValueError, match="fan_in"):
        dask.submit(client, run_over(path), fan_in=1)
