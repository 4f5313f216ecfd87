"""The notebooks of python/examples run and give the outputs that they show."""

import json
import shutil

import pytest
from notebooks import EXAMPLES, outputs

NEEDED = {"words": ["polars"], "clusters": ["sklearn"], "own_tasks": ["numba"]}


@pytest.mark.parametrize("name", NEEDED)
def test_a_notebook(name, tmp_path, monkeypatch):
    for package in NEEDED[name]:
        pytest.importorskip(package)
    if name == "own_tasks" and shutil.which("g++") is None:
        pytest.skip("no g++, which compiles the notebook's task")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for cell, text in outputs(json.loads((EXAMPLES / f"{name}.ipynb").read_text())):
        shown = [line for one in cell["outputs"] for line in one["data"]["text/plain"]]
        assert shown == ([] if text is None else [text]), "".join(cell["source"])


def test_every_notebook_is_tested():
    assert {path.stem for path in EXAMPLES.glob("*.ipynb")} == set(NEEDED)
