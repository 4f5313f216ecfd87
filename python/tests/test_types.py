"""mypy --strict accepts the package, its stubs and a program that uses duomap."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import duomap

SETTINGS = Path(__file__).parents[2] / "pyproject.toml"

PROGRAM = """
import numpy
import duomap

table: duomap.Table = duomap.wordcount("books", lower=True, device="cpu", progress=print)
found = duomap.kmeans(numpy.ones((4, 2)), 2, gpus=[0, 1])
inertia: float = found.inertia
near: duomap.Table = duomap.similarity(numpy.ones((4, 2)), top=1)
alike: duomap.Table = duomap.similarity("books", words=True, documents="lines")
model: duomap.SvmModel = duomap.svmtrain(numpy.ones((2, 2)), [0, 1], tol=0.1)
duomap.similarity(numpy.ones((4, 2)), documents="lines")  # type: ignore[call-overload]
duomap.svmtrain(numpy.ones((2, 2)), [0, 1], epsilon=0.1)  # type: ignore[call-arg]
duomap.wordcount(b"a", device="tpu")  # type: ignore[arg-type]
duomap.wordcount(b"a", devise="cpu")  # type: ignore[call-arg]
duomap.wordcount(b"a", gpus="0,1")  # type: ignore[arg-type]
"""


def test_mypy(tmp_path):
    pytest.importorskip("mypy")
    # mypy reports no errors inside an installed package, so the test checks a copy.
    package = shutil.copytree(Path(duomap.__file__).parent, tmp_path / "duomap")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file", str(SETTINGS), str(package), str(program)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stdout + done.stderr
