"""The option gpus, which names the GPUs that may take part."""

import numpy
import pytest

import duomap
from duomap import iterative

ROWS = numpy.arange(24, dtype="f4").reshape(12, 2) % 7
LABELS = numpy.arange(12) % 2
NOWHERE = 10_000  # no machine has this GPU number

MODEL = duomap.svmtrain(ROWS, LABELS)
CARS = duomap.naivebayes(b"red,yes\nblue,no\n")

CALLS = {
    "wordcount": lambda **how: duomap.wordcount(b"a", **how),
    "stringmatch": lambda **how: duomap.stringmatch(b"a", "a", **how),
    "invertedindex": lambda **how: duomap.invertedindex(b"<a href='/x'>x</a>", **how),
    "pageviewcount": lambda **how: duomap.pageviewcount(b"", **how),
    "similarity of words": lambda **how: duomap.similarity({"a": b"a", "b": b"b"}, words=True, **how),
    "similarity": lambda **how: duomap.similarity(ROWS, **how),
    "kmeans": lambda **how: duomap.kmeans(ROWS, 2, **how),
    "knn": lambda **how: duomap.knn(ROWS, ROWS, 1, **how),
    "pca": lambda **how: duomap.pca(ROWS, **how),
    "matmul": lambda **how: duomap.matmul(ROWS, ROWS.T, **how),
    "svmtrain": lambda **how: duomap.svmtrain(ROWS, LABELS, **how),
    "SvmModel.classify": lambda **how: MODEL.classify(ROWS, **how),
    "SvmModel.decisions": lambda **how: MODEL.decisions(ROWS, **how),
    "naivebayes": lambda **how: duomap.naivebayes(b"red,yes\nblue,no\n", **how),
    "NaiveBayesModel.classify": lambda **how: CARS.classify(b"red\n", **how),
}
ESTIMATORS = {
    "KMeans": ((2,), (ROWS,)),
    "PCA": ((1,), (ROWS,)),
    "SVC": ((), (ROWS, LABELS)),
    "CategoricalNB": ((), (ROWS.astype(int), LABELS)),
}


@pytest.mark.parametrize("name", CALLS)
def test_every_function_takes_it(name):
    call = CALLS[name]
    with pytest.raises(duomap.UsageError, match="gpus names GPUs.*none takes part"):
        call(device="cpu", gpus=[0])
    call(device="cpu", gpus=None)
    # With device="auto" a missing GPU is no error.
    call(gpus=[NOWHERE])


@pytest.mark.parametrize("name", ["wordcount", "kmeans", "knn", "pca", "matmul", "svmtrain"])
@pytest.mark.parametrize("device", ["gpu", "cpu+gpu"])
def test_a_gpu_that_is_not_there_is_an_error_where_gpus_are_demanded(name, device):
    # Without GPUs, or without GPU code, the message says so.
    with pytest.raises(duomap.DeviceUnavailable, match=f"there is no gpu {NOWHERE}|no GPU can be used"):
        CALLS[name](device=device, gpus=[NOWHERE])


@pytest.mark.parametrize("number", [0, 1])
def test_a_gpu_that_is_named_does_the_work_alone(number):
    try:
        found = duomap.kmeans(ROWS, 2, device="gpu", gpus=[number])
    except duomap.DeviceUnavailable as problem:
        pytest.skip(str(problem))
    said = found.report.explain()
    assert f"gpu {number}" in said and f"gpu {1 - number}" not in said


@pytest.mark.parametrize("wrong", [[], [-1], "0,1", 0, [0.5], [2**31], ["0"]])
def test_what_is_no_list_of_numbers_is_refused(wrong):
    with pytest.raises(duomap.UsageError, match=r"gpus is .*give numbers of GPUs"):
        duomap.wordcount(b"a", gpus=wrong)


def test_any_whole_numbers_will_do():
    for given in ((NOWHERE,), {NOWHERE}, numpy.array([NOWHERE]), range(NOWHERE, NOWHERE + 2)):
        assert len(duomap.wordcount(b"a b", gpus=given)) == 2


@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_estimator_takes_it(name):
    ours = pytest.importorskip("duomap.sklearn", exc_type=ImportError)
    arguments, data = ESTIMATORS[name]
    estimator = getattr(ours, name)(*arguments, device="cpu", gpus=[0])
    assert estimator.get_params()["gpus"] == [0]
    with pytest.raises(duomap.UsageError, match="none takes part"):
        estimator.fit(*data)
    estimator.set_params(gpus=None).fit(*data)


def test_neighbours_take_it():
    ours = pytest.importorskip("duomap.sklearn", exc_type=ImportError)
    for found in (ours.NearestNeighbors(1, device="cpu", gpus=[0]).fit(ROWS), ours.KNeighborsClassifier(1, device="cpu", gpus=[0]).fit(ROWS, LABELS)):
        with pytest.raises(duomap.UsageError, match="none takes part"):
            found.kneighbors(ROWS)


def test_jobs_over_slices_take_it():
    def step(compute, state):
        return compute(ROWS, state)

    assert iterative.kmeans(step, ROWS[:2], gpus=[NOWHERE]).sizes.sum() == len(ROWS)
    with pytest.raises(duomap.UsageError, match="give numbers of GPUs"):
        iterative.kmeans(step, ROWS[:2], gpus=[-1])
    with pytest.raises(duomap.UsageError, match="give numbers of GPUs"):
        iterative.logistic_regression(lambda compute, state: compute((ROWS, LABELS), state), 2, gpus=[-1])
