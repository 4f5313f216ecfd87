"""Each old name works like its new name, and gives a warning at the caller's line."""

import re

import numpy
import pytest

import duomap
from duomap import _old_names, dask, iterative, parts, spark

ROWS = numpy.array([[0.0, 0], [0, 1], [8, 9], [9, 9]])
LABELS = [0, 0, 1, 1]
LOG = b'1.2.3.4 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.0" 200 1 "-" "x"\n'
TEXTS = {"a": b"red green", "b": b"red green", "c": b"blue"}


def told(said):
    return pytest.warns(DeprecationWarning, match="^" + re.escape(said) + "$")


def told_here(warnings):
    return {one.filename for one in warnings} == {__file__}


# For each old function a call and the part of its answer to compare with the new function.
ANSWERS = {
    "inverted_index": lambda call: call(b"<a href='/x'>x</a>").rows(),
    "naive_bayes": lambda call: call(b"red,yes\nblue,no\n").to_json(),
    "page_views": lambda call: call(LOG).rows(),
    "string_match": lambda call: call(b"one two one", "one").rows(),
    "svm_train": lambda call: call(ROWS, LABELS).to_libsvm(),
    "word_count": lambda call: call(b"a b a").sorted().rows(),
}


@pytest.mark.parametrize("old", ANSWERS)
def test_functions(old):
    new = _old_names.NAMES["duomap"][old]
    with told(f"duomap.{old} is called duomap.{new} now") as warnings:
        function = getattr(duomap, old)
    assert told_here(warnings)
    assert ANSWERS[old](function) == ANSWERS[old](getattr(duomap, new))


def test_text_similarity():
    for options in ({}, {"threshold": 0.5}, {"documents": "lines", "weights": "tf-idf", "most_words": 2, "top": 1, "device": "cpu"}):
        with told("duomap.text_similarity is called duomap.similarity(..., words=True) now"):
            found = duomap.text_similarity(texts=TEXTS, **options)
        assert found.rows() == duomap.similarity(TEXTS, words=True, **options).rows()


def test_classes():
    with told("duomap.Neighbours is called duomap.Neighbors now"):
        assert duomap.Neighbours is duomap.Neighbors
    with told("duomap.iterative.Centres is called duomap.iterative.Centers now"):
        assert iterative.Centres is iterative.Centers
    with told("duomap.parts.Job is called duomap.parts.RunInParts now") as warnings:
        assert parts.Job("wordcount", ["a"]) == parts.RunInParts("wordcount", ["a"])
    assert told_here(warnings)


def test_every_old_name_is_tested():
    assert {*ANSWERS, "Neighbours", "text_similarity"} == set(_old_names.NAMES["duomap"])
    for module, name in (("iterative", "Centres"), ("parts", "Job")):
        assert list(_old_names.NAMES[f"duomap.{module}"]) == [name]
    assert len(_old_names.NAMES) == 3


def test_old_names_are_imported_by_from_and_not_listed():
    with told("duomap.word_count is called duomap.wordcount now") as warnings:
        from duomap import word_count
    assert told_here(warnings)
    assert word_count is duomap.wordcount
    assert not set(_old_names.NAMES["duomap"]) & {*duomap.__all__, *dir(duomap), *vars(duomap)}
    for module in (duomap, parts, iterative):
        with pytest.raises(AttributeError, match=f"module '{module.__name__}' has no attribute 'nothing'"):
            module.nothing


@pytest.mark.parametrize("old, new, value", [("epsilon", "tol", 0.5), ("max_iterations", "max_iter", 1000), ("weights", "class_weight", {0: 0.5})])
def test_arguments_of_svmtrain(old, new, value):
    with told(f"{old}= of svmtrain() is called {new}= now") as warnings:
        found = duomap.svmtrain(ROWS, LABELS, **{old: value})
    assert told_here(warnings)
    assert found.to_libsvm() == duomap.svmtrain(ROWS, LABELS, **{new: value}).to_libsvm()
    with pytest.raises(duomap.UsageError, match=f"got {old}= and {new}=, .*; give only {new}="):
        duomap.svmtrain(ROWS, LABELS, **{old: value, new: value})


def test_the_option_split():
    with told("split= of the options is called share= now") as warnings:
        found = duomap.wordcount(b"a b a", split="auto", device="cpu")
    assert told_here(warnings)
    assert found.sorted().rows() == duomap.wordcount(b"a b a", share="auto", device="cpu").sorted().rows()
    with pytest.raises(duomap.UsageError, match="got split= and share=, .*; give only share="):
        duomap.wordcount(b"a b a", split="auto", share="auto")


def test_an_old_argument_of_another_function_is_none():
    with pytest.raises(TypeError, match="epsilon"):
        duomap.kmeans(ROWS, 2, epsilon=0.5)


def test_centers():
    found = duomap.kmeans(ROWS, 2, seed=1)
    with told("Clusters.centres is called Clusters.centers now") as warnings:
        assert found.centres is found.centers
    assert told_here(warnings)
    found = iterative.kmeans(lambda compute, state: compute(ROWS, state), ROWS[1:3])
    with told("Centers.centres is called Centers.centers now"):
        assert found.centres is found.centers
    with told("centres= of cluster_sums() is called centers= now"):
        sums = iterative.cluster_sums(ROWS, centres=ROWS[1:3])
    for one, other in zip(sums, iterative.cluster_sums(ROWS, ROWS[1:3]), strict=True):
        assert numpy.array_equal(one, other)
    with pytest.raises(duomap.UsageError, match="give only centers="):
        iterative.cluster_sums(ROWS, centres=ROWS[1:3], centers=ROWS[1:3])


class Told(parts.RunInParts):
    """Calls no program. Its partials are texts that say which part each is."""

    def map(self, part, parts):
        return b"%d/%d " % (part + 1, parts)

    def merge(self, partials):
        return b"".join(partials)

    def finish(self, partials, rows=()):
        return b"".join(partials)

    def map_pieces(self, part, parts, pieces):
        return [self.map(part, parts)] * pieces

    def save(self, pieces, piece, of, path, rows=()):
        return f"{path}: {sorted(pieces)}"


class Value:
    def __init__(self, value):
        self._value = value

    def result(self):
        return self._value


class Client:
    """Stands in for Dask's client: computes every value at once, in this process."""

    def map(self, function, every, retries, pure, **named):
        return [function(one, **named) for one in every]

    def submit(self, function, *arguments, pure, retries=0):
        given = [[getattr(one, "_value", one) for one in argument] if isinstance(argument, list) else argument for argument in arguments]
        return Value(function(*given))

    def scheduler_info(self):
        return {"workers": {}}


class Rows:
    """Stands in for a Spark data set, in this process."""

    def __init__(self, rows, parts=0):
        self._rows = list(rows)

    def map(self, function):
        return Rows(map(function, self._rows))

    def flatMap(self, function):  # noqa: N802
        return Rows(one for row in self._rows for one in function(row))

    def groupByKey(self, parts):  # noqa: N802
        return Rows((key, [value for other, value in self._rows if other == key]) for key in dict(self._rows))

    def treeReduce(self, function, depth):  # noqa: N802
        found = self._rows[0]
        for row in self._rows[1:]:
            found = function(found, row)
        return found

    def collect(self):
        return self._rows


class Context:
    parallelize = Rows
    defaultParallelism = 2  # noqa: N815


@pytest.mark.parametrize("call", [
    lambda run, **how: dask.submit(Client(), **run, **how).result(),
    lambda run, **how: dask.run(Client(), **run, **how),
    lambda run, **how: dask.save(Client(), folder="to", **run, **how),
    lambda run, **how: spark.run(Context(), **run, **how),
    lambda run, **how: spark.save(Context(), folder="to", **run, **how),
], ids=["dask.submit", "dask.run", "dask.save", "spark.run", "spark.save"])  # fmt: skip
def test_runs_in_parts(tmp_path, call):
    (tmp_path / "text").write_text("words " * 100)
    run = Told("wordcount", [str(tmp_path / "text")])
    expected = call({"run": run}, part_bytes=250)
    assert "3/3" in str(expected)
    with pytest.warns(DeprecationWarning, match=r"^job= of \w+\(\) is called run= now$") as warnings:
        assert call({"job": run}, part_bytes=250) == expected
    assert told_here(warnings)
    with pytest.warns(DeprecationWarning, match=r"^split_bytes= of \w+\(\) is called part_bytes= now$"):
        assert call({"run": run}, split_bytes=250) == expected
    with pytest.raises(duomap.UsageError, match="give only part_bytes="):
        call({"run": run}, split_bytes=250, part_bytes=250)


def test_slices():
    def total(**how):
        return dask.Resident(Client(), lambda number: number, **how).step(lambda held, state: held + state, 10)

    with told("parts= of Resident() is called slices= now") as warnings:
        assert total(parts=3) == total(slices=3) == 10 + 11 + 12
    assert told_here(warnings)


def test_names_of_columns(tmp_path):
    (tmp_path / "table.csv").write_text("x,y\n1,2\n")
    table = duomap.read_table(tmp_path / "table.csv")
    with told("Numbers.names is called Numbers.columns now"):
        assert table.names == table.columns == ["x", "y"]


def test_parts_of(tmp_path):
    (tmp_path / "text").write_text("words " * 100)
    run = parts.RunInParts("wordcount", [str(tmp_path / "text")])
    with told("split_bytes= of RunInParts.parts_of() is called part_bytes= now"):
        assert run.parts_of(split_bytes=250) == run.parts_of(250) == 3
