"""Runs the code of docs/howto/python.md and compares its output with the comments there."""

import ast
import re
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/howto/python.md"


def test_the_page(tmp_path, monkeypatch):
    pytest.importorskip("sklearn", minversion="1.6")
    pytest.importorskip("pyarrow")
    if shutil.which("g++") is None:
        pytest.skip("no g++, which compiles the page's task")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(ROOT / "tests/docs")
    import sample_files

    sample_files.write(tmp_path)
    monkeypatch.chdir(tmp_path)
    known: dict = {}
    compared = 0
    for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S):
        lines = block.splitlines()
        for statement in ast.parse(block).body:
            code = ast.get_source_segment(block, statement)
            _, _, said = lines[statement.end_lineno - 1].partition("# ")
            said = said.rpartition(": ")[2]
            if isinstance(statement, ast.Expr) and said and not code.startswith("print"):
                assert repr(eval(code, known)) == said, code
                compared += 1
            else:
                exec(compile(ast.Module([statement], []), str(PAGE), "exec"), known)
    assert compared > 15
