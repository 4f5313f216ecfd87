"""The option gpus: which GPUs may take part."""

import numpy
import pytest

import duomap
from duomap import iterative

ROWS = numpy.arange(24, dtype="f4").reshape(12, 2) % 7
LABELS = numpy.arange(12) % 2
NOWHERE = 10_000  # no machine has so many

MODEL = duomap.svm_train(ROWS, LABELS)
CARS = duomap.naive_bayes(b"red,yes\nblue,no\n")

CALLS = {
    "word_count": lambda **how: duomap.word_count(b"a", **how),
    "string_match": lambda **how: duomap.string_match(b"a", "a", **how),
    "inverted_index": lambda **how: duomap.inverted_index(b"<a href='/x'>x</a>", **how),
    "page_views": lambda **how: duomap.page_views(b"", **how),
    "text_similarity": lambda **how: duomap.text_similarity({"a": b"a", "b": b"b"}, **how),
    "similarity": lambda **how: duomap.similarity(ROWS, **how),
    "kmeans": lambda **how: duomap.kmeans(ROWS, 2, **how),
    "knn": lambda **how: duomap.knn(ROWS, ROWS, 1, **how),
    "pca": lambda **how: duomap.pca(ROWS, **how),
    "matmul": lambda **how: duomap.matmul(ROWS, ROWS.T, **how),
    "svm_train": lambda **how: duomap.svm_train(ROWS, LABELS, **how),
    "SvmModel.classify": lambda **how: MODEL.classify(ROWS, **how),
    "SvmModel.decisions": lambda **how: MODEL.decisions(ROWS, **how),
    "naive_bayes": lambda **how: duomap.naive_bayes(b"red,yes\nblue,no\n", **how),
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
    # What is not there is no error as long as nothing demands it.
    call(gpus=[NOWHERE])


@pytest.mark.parametrize("name", ["word_count", "kmeans", "knn", "pca", "matmul", "svm_train"])
@pytest.mark.parametrize("device", ["gpu", "cpu+gpu"])
def test_a_gpu_that_is_not_there_is_an_error_where_gpus_are_demanded(name, device):
    # Without any GPU, or without code for GPUs, the message is about that.
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
        duomap.word_count(b"a", gpus=wrong)


def test_any_whole_numbers_will_do():
    for given in ((NOWHERE,), {NOWHERE}, numpy.array([NOWHERE]), range(NOWHERE, NOWHERE + 2)):
        assert len(duomap.word_count(b"a b", gpus=given)) == 2


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
