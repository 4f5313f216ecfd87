"""The classes of errors, and the names and places in error messages."""

import inspect
import os
from pathlib import Path

import numpy
import pytest

import duomap
from duomap import parts

PAGE = Path(__file__).parents[2] / "docs/howto/python.md"


def test_the_tree():
    assert issubclass(duomap.InputError, duomap.Error) and issubclass(duomap.InputError, ValueError)
    assert issubclass(duomap.UsageError, duomap.Error) and issubclass(duomap.UsageError, ValueError)
    assert issubclass(duomap.OutOfMemory, duomap.Error) and issubclass(duomap.OutOfMemory, MemoryError)
    kinds = [kind for _, kind in inspect.getmembers(duomap, inspect.isclass) if issubclass(kind, BaseException)]
    errors = [kind for kind in kinds if not issubclass(kind, Warning)]
    assert len(errors) == 9 and all(issubclass(kind, duomap.Error) for kind in [*errors, parts.PartError])
    page = PAGE.read_text()
    for kind in kinds:
        assert kind.__doc__ and f"{kind.__name__}`" in page


APPLICATIONS = ["invertedindex", "kmeans", "knn", "matmul", "naivebayes", "pageviewcount",
                "pca", "similarity", "stringmatch", "svmtrain", "wordcount"]  # fmt: skip


@pytest.mark.parametrize("name", APPLICATIONS)
def test_what_an_application_raises_and_where_it_is_from_is_said(name):
    said = inspect.getdoc(getattr(duomap, name))
    assert "Raises " in said and "Source: " in said


def test_a_file_that_is_missing_is_named():
    with pytest.raises(duomap.InputError, match="/no/such/file"):
        duomap.wordcount("/no/such/file")


def test_a_name_that_is_no_utf8_is_shown():
    with pytest.raises(duomap.InputError, match=r"\\xff"):
        duomap.wordcount(os.fsdecode(b"/no/\xff"))


def test_a_damaged_file_is_named(tmp_path):
    path = tmp_path / "a.gz"
    path.write_bytes(b"\x1f\x8b\x08 and then nothing")
    with pytest.raises(duomap.InputError, match="a.gz"):
        duomap.wordcount(path)


def test_wrong_options():
    with pytest.raises(TypeError, match="devise"):
        duomap.wordcount(b"a", devise="cpu")
    with pytest.raises(duomap.UsageError, match="tpu"):
        duomap.wordcount(b"a", device="tpu")
    with pytest.raises(duomap.UsageError, match="share"):
        duomap.wordcount(b"a", share="what")
    with pytest.raises(duomap.UsageError, match="one kind"):
        duomap.wordcount(["a.txt", b"a"])
    with pytest.raises(duomap.UsageError, match="'rb'"):
        with open(__file__) as file:
            duomap.wordcount(file)


@pytest.mark.parametrize("threads", [-1, 1.5, "2"])
def test_threads_are_a_whole_number(threads):
    with pytest.raises(duomap.UsageError, match="threads is .*; give a whole number of at least 0"):
        duomap.wordcount(b"a", threads=threads)


@pytest.mark.parametrize(
    "texts, said",
    [
        (numpy.array(["ab cd"]), "array of <U5; give a list of bytes"),
        (numpy.array([b"ab", b"c"]), r"array of \|S2; give a list of bytes"),
        (numpy.array(["ab", None]), "array of object; give a list of bytes"),
        ({"a.txt": "ab"}, "a.txt is str, which is no text in memory"),
        ([b"ab", 5], r"memory\[1\] is int, which is no text in memory"),
        (None, "the texts are NoneType; give a path, bytes"),
    ],
)
def test_what_is_no_text_is_refused(texts, said):
    with pytest.raises(duomap.UsageError, match=said):
        duomap.wordcount(texts)


def test_what_is_no_task_is_refused():
    for call in (duomap.run, duomap.verify):
        with pytest.raises(duomap.UsageError, match="is no task; make one of a function by duomap.task"):
            call(len, b"a")


def test_a_device_that_is_not_there():
    try:
        duomap.wordcount(b"a", device="gpu")
    except duomap.DeviceUnavailable as problem:
        assert "no GPU can be used" in str(problem)


ROWS = numpy.array([[0.0, 0], [1, 1], [8, 8], [9, 9]])


@pytest.mark.parametrize("call", [
    lambda: duomap.kmeans(ROWS, k=2**32),
    lambda: duomap.kmeans(ROWS, k=2, seed=2**64),
    lambda: duomap.kmeans(ROWS, k=2, tol="x"),
    lambda: duomap.kmeans(ROWS, k=2, labels="yes"),
    lambda: duomap.knn(ROWS, ROWS, k=2**64),
    lambda: duomap.pca(ROWS, correlation="no"),
    lambda: duomap.matmul(ROWS, ROWS.T, tf32=1),
    lambda: duomap.similarity(ROWS, threshold="x"),
    lambda: duomap.similarity(ROWS, threshold=float("nan")),
    lambda: duomap.similarity(ROWS, words="yes"),
    lambda: duomap.similarity("books"),
    lambda: duomap.similarity({"a": b"a"}),
    lambda: duomap.svmtrain(ROWS, [0, 0, 1, 1], gamma="scale"),
    lambda: duomap.svmtrain(ROWS, [0, 0, 1, 1], degree=2.5),
    lambda: duomap.wordcount(b"a", lower=None),
    lambda: duomap.wordcount(b"a", threads=2**70),
    lambda: duomap.wordcount(b"a", device=None),
    lambda: duomap.wordcount(b"a", strict="no"),
    lambda: duomap.wordcount(b"a", progress=5),
    lambda: duomap.wordcount(b"a").top("1"),
    lambda: duomap.wordcount(b"a").sorted(descending="no"),
    lambda: duomap.similarity(b"a", words=True, top=2.0),
    lambda: duomap.stringmatch(b"a", None),
    lambda: duomap.stringmatch(b"a", ["a", 1]),
    lambda: duomap.pageviewcount(b"", status=[200]),
    lambda: duomap.pageviewcount(b"", method=None),
    lambda: duomap.naivebayes(b"a,b", delimiter=",,"),
    lambda: duomap.read_table("/no/such/file", label=1),
])  # fmt: skip
def test_a_parameter_of_a_wrong_type_is_named(call):
    with pytest.raises(duomap.UsageError, match=r"^\w+ is .*; give "):
        call()


def test_options_of_texts_are_refused_with_vectors():
    for option in ({"documents": "files"}, {"weights": "counts"}, {"most_words": 0}):
        with pytest.raises(duomap.UsageError, match=f"{min(option)} is an option of texts; give words=True"):
            duomap.similarity(ROWS, **option)


def test_numbers_and_flags_of_numpy_are_taken():
    found = duomap.kmeans(ROWS, numpy.int64(2), tol=numpy.float32(0.1), labels=numpy.True_, deterministic=numpy.False_)
    assert found.sizes.tolist() == [2, 2]
    assert len(duomap.wordcount(b"a b c").top(2**63)) == 3


@duomap.task(format=duomap.rows("f8", 1), key=None, reduce=duomap.sum("f8"))
def all_of_it(row):
    return row[0]


def test_the_same_bits_are_refused_where_nobody_can_promise_them():
    model = duomap.svmtrain(ROWS, [0, 0, 1, 1])
    for call in (
        lambda: duomap.svmtrain(ROWS, [0, 0, 1, 1], deterministic=True),
        lambda: model.classify(ROWS, deterministic=True),
        lambda: duomap.run(all_of_it, ROWS[:, :1], deterministic=True),
    ):
        with pytest.raises(duomap.UsageError, match="leave out deterministic"):
            call()


def test_one_str_is_not_its_letters():
    log = b'1.2.3.4 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.0" 200 1 "-" "x"\n'
    assert duomap.pageviewcount(log, method="GET", status="200").rows() == [("/a", 1)]
