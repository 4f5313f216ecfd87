"""Runs the notebooks of python/examples. `python notebooks.py` writes the outputs of the cells.

The output of a cell is the value of its last expression, as in Jupyter, which is not needed here.
"""

import ast
import json
from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "examples"


def outputs(notebook):
    """Runs the notebook. Gives each code cell with the text of its last expression, or with None."""
    known = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "cell", "exec"), known)
        yield cell, None if last is None else repr(eval(compile(ast.Expression(last.value), "cell", "eval"), known))


def write(path):
    notebook = json.loads(path.read_text())
    for number, (cell, text) in enumerate(outputs(notebook), 1):
        cell["execution_count"] = number
        result = {"data": {"text/plain": [text]}, "execution_count": number, "metadata": {}, "output_type": "execute_result"}
        cell["outputs"] = [] if text is None else [result]
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    for each in sorted(EXAMPLES.glob("*.ipynb")):
        write(each)
