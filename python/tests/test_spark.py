"""Runs in parts on a local Spark cluster of two executors, one of which is killed in each stage.
`./dev spark` installs Spark (500 MB) and runs this test. CI leaves this slow test out."""

import os
import shutil
import sys

import pytest

from duomap import parts, spark

PROGRAM = os.environ.get("DUOMAP") or shutil.which("duomap")
sql = pytest.importorskip("pyspark.sql")
pytestmark = pytest.mark.skipif(not PROGRAM, reason="the program duomap is not there: set DUOMAP to its path")
SORTED = ["--sort", "key"]


@pytest.fixture(scope="module")
def context():
    os.environ["PYSPARK_PYTHON"] = sys.executable
    packages = [os.path.dirname(os.path.dirname(parts.__file__)), os.environ.get("PYTHONPATH", "")]
    session = (sql.SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
               .config("spark.executorEnv.PYTHONPATH", os.pathsep.join(packages)).getOrCreate())
    yield session.sparkContext
    session.stop()


def run_over(path, program=PROGRAM):
    return parts.RunInParts("wordcount", [path], execution=["--threads", "1"], program=str(program))


def rows_of(paths):
    return b"".join(sorted(line for path in paths for line in open(path, "rb")))


def test_answers(texts, context, tmp_path_factory):
    path, rows = texts
    assert spark.run(context, run_over(path), SORTED, parts=5) == rows
    assert spark.run(context, run_over(path), SORTED, part_bytes=500_000) == rows
    saved = spark.save(context, run_over(path), str(tmp_path_factory.mktemp("result")), files=3, parts=4)
    assert [os.path.basename(one) for one in saved] == [f"keys-{number}-of-3" for number in (1, 2, 3)]
    assert rows_of(saved) == b"".join(sorted(rows.splitlines(keepends=True)))
    with pytest.raises(Exception, match="missing"):
        spark.run(context, run_over(path + "/missing"), parts=2)


# Shell patterns that recognise the stage from the program's arguments.
STAGES = {"map": "map\\ *", "merge": "merge\\ *--partial*", "save": "merge\\ *--keys*"}


@pytest.mark.parametrize("stage", STAGES)
def test_an_executor_that_is_killed(texts, context, tmp_path_factory, stage):
    """The program kills its executor by SIGKILL in that stage, once."""
    path, rows = texts
    folder = tmp_path_factory.mktemp("bin")
    program = folder / "duomap"
    program.write_text(f"""#!/bin/sh
case "$*" in {STAGES[stage]})
  mkdir '{folder}/killed' 2>/dev/null && kill -9 $(pgrep -f 'CoarseGrainedExecutorBackend.*{context.applicationId}' | tail -n 1);;
esac
exec '{PROGRAM}' "$@"
""")
    program.chmod(0o755)
    if stage == "save":
        saved = spark.save(context, run_over(path, program), str(tmp_path_factory.mktemp("result")), files=2, parts=6)
        assert rows_of(saved) == b"".join(sorted(rows.splitlines(keepends=True)))
    else:
        assert spark.run(context, run_over(path, program), SORTED, parts=6) == rows
    assert (folder / "killed").is_dir()
