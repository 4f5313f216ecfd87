"""Results, reports, tasks and errors are the same after pickling."""

import concurrent.futures
import multiprocessing
import pickle

import numpy
import pytest

import duomap
from duomap import _core

PAIRS = numpy.array([[0, 1], [1, 2], [0, 3]], "f4")


@duomap.task(format=duomap.rows("f4", 2), key="u4", reduce=duomap.sum("f8"))
def by_group(row):
    """Adds up the second column."""
    return int(row[0]), row[1]


def again(one):
    return pickle.loads(pickle.dumps(one))


def what_ran(report):
    """The lines of the report without the memory figures, which change from call to call."""
    return [line for line in report.explain().splitlines() if "memory" not in line]


@pytest.mark.parametrize("table", [
    duomap.wordcount(b"to be or not to be caf\xe9 \xff"),
    duomap.wordcount(b""),
    duomap.stringmatch({"a\n": b"xy", "b": b"yx"}, ["x", "y"]),
    duomap.similarity(PAIRS),
], ids=["words", "no rows", "matches", "numbers"])
def test_tables(table):
    copy = again(table)
    assert copy.rows() == table.rows() and copy.columns == table.columns
    assert copy.sorted().rows() == table.sorted().rows() and copy.top(1).rows() == table.top(1).rows()
    for name in table.columns:
        assert type(copy[name]) is type(table[name])
        assert getattr(copy[name], "dtype", None) == getattr(table[name], "dtype", None)
    assert what_ran(copy.report) == what_ran(table.report)
    assert copy.report.as_dict()["task"] == table.report.as_dict()["task"]
    assert again(copy).report.to_html() == copy.report.to_html()


def test_what_was_found_in_numbers():
    for found in (duomap.kmeans(PAIRS, 2), duomap.knn(PAIRS, PAIRS, 1), duomap.pca(PAIRS)):
        copy = again(found)
        for one, other in zip(found[:-1], copy[:-1], strict=True):
            assert numpy.array_equal(one, other)
        assert what_ran(copy.report) == what_ran(found.report)


@pytest.mark.parametrize("state", [
    [("a", numpy.array([0, 5]), b"abc")], [("a", numpy.array([0, 2, 1, 3]), b"abc")], [("a", numpy.array([], "i8"), b"")],
    [("a", numpy.array([1.0])), ("b", numpy.array([1.0, 2.0]))], [("a", numpy.array(["x"], object))],
], ids=["behind the end", "backwards", "no ends", "unequal", "no numbers"])
def test_a_table_that_no_table_was_stored_as(state):
    with pytest.raises((duomap.InputError, TypeError)):
        _core.columns_of_state(state)


def test_tasks_in_python_go_by_name():
    assert again(by_group) is by_group
    assert by_group.__doc__ == "Adds up the second column." and by_group.__name__ == "by_group"


def test_tasks_of_a_notebook_go_by_value():
    cloudpickle = pytest.importorskip("cloudpickle")
    pytest.importorskip("numba")
    scope = {"duomap": duomap, "__name__": "__main__"}
    exec("@duomap.task(format=duomap.rows('f4', 2), key=None, reduce=duomap.maximum('f8'))\n"  # noqa: S102
         "def largest(row):\n    return row[1] * 2.0", scope)
    assert duomap.run(pickle.loads(cloudpickle.dumps(scope["largest"])), PAIRS).rows() == [(6.0,)]


def test_a_task_runs_in_a_process_of_its_own():
    pytest.importorskip("numba")
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        table = pool.submit(duomap.run, by_group, PAIRS).result()
    assert table.sorted().rows() == [(0, 4.0), (1, 2.0)]


@pytest.mark.parametrize("by", ["pickle", "tblib"])
def test_errors(by):
    if by == "tblib":  # Dask pickles errors with tblib
        pytest.importorskip("tblib.pickling_support").install()
    for name in duomap.__all__:
        kind = getattr(duomap, name)
        if isinstance(kind, type) and issubclass(kind, duomap.Error):
            assert repr(again(kind("a.txt: line 3"))) == repr(kind("a.txt: line 3"))
