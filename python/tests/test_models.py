"""Support vector machines and naive Bayes, compared with scikit-learn."""

import pickle

import numpy
import pytest

import duomap


def test_svm(random):
    svm = pytest.importorskip("sklearn.svm")
    rows = random.normal(size=(300, 4)).astype("f4")
    labels = (rows[:, 0] * rows[:, 1] > 0).astype("f8") + 2 * (rows[:, 2] > 1)
    model = duomap.svmtrain(rows, labels, c=5, gamma=0.5)
    theirs = svm.SVC(C=5, gamma=0.5, decision_function_shape="ovo").fit(rows, labels)
    assert (model.classify(rows) == theirs.predict(rows)).mean() > 0.99
    # LIBSVM numbers the classes in the order of their first rows; scikit-learn sorts them.
    ours, decisions = model.classes.tolist(), theirs.decision_function(rows)
    pairs = [(a, b) for i, a in enumerate(ours) for b in ours[i + 1 :]]
    columns = [sorted(pair) for pair in pairs]
    theirs_in_order = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    for i, pair in enumerate(columns):
        sign = 1 if list(pairs[i]) == pair else -1
        assert model.decisions(rows)[:, i] == pytest.approx(sign * decisions[:, theirs_in_order.index(pair)], abs=0.02)
    assert sorted(model.classes) == [0, 1, 2, 3]
    assert model.pairs.columns[:2] == ["class", "against"]
    again = pickle.loads(pickle.dumps(model))
    assert (again.decisions(rows) == model.decisions(rows)).all()
    with pytest.raises(duomap.InputError, match="broken"):
        duomap.SvmModel.from_libsvm("svm_type what\n", "broken")


def test_svm_refuses_labels_that_it_would_confuse():
    rows = numpy.array([[0.0], [1], [8], [9]])
    for labels in ([2**60, 2**60, 2**60 + 1, 2**60 + 1], ["a", "a", "b", "b"], [0, 0, 1], [[0], [0], [1], [1]],
                   numpy.array(["2026-01-01"] * 4, "M8[s]"), [1j, 1j, 0, 0], numpy.ma.array([0, 0, 1, 1], mask=[1, 0, 0, 0]),
                   numpy.array([0, 0, "x", 1], object)):  # fmt: skip
        with pytest.raises(duomap.UsageError, match="labels"):
            duomap.svmtrain(rows, labels)
    assert duomap.svmtrain(rows, [-(2**52), -(2**52), 2**52, 2**52]).classify(rows).tolist() == [-(2.0**52)] * 2 + [2.0**52] * 2


def test_svm_names_the_row_that_it_cannot_classify():
    model = duomap.svmtrain([[0.0], [1], [8], [9]], [0, 0, 1, 1])
    for wrong, shown in ((numpy.nan, "NaN"), (numpy.inf, "infinite"), (1e300, "infinite, or too large for float32")):
        with pytest.raises(duomap.InputError, match=rf"rows, row 2 \(the first is 0\), column 1: the value is {shown}"):
            model.classify([[0.0], [1], [wrong], [-wrong]])
    assert model.classify([[3e38], [3e38]]).shape == (2,)


def test_svm_rows_are_as_wide_as_those_of_the_training():
    # The last column is 0 in all support vectors, so LIBSVM's text does not show it.
    model = duomap.svmtrain([[0.0, 1, 0], [1, 1, 0], [8, 2, 0], [9, 2, 0]], [0, 0, 1, 1])
    for trained in (model, pickle.loads(pickle.dumps(model))):
        assert trained.classify([[0.0, 1, 5]]).shape == (1,)
        for width in (0, 1, 2, 4):
            with pytest.raises(duomap.UsageError, match=f"rows has {width} columns, those of the training had 3"):
                trained.classify(numpy.ones((2, width), "f4"))
    read = duomap.SvmModel.from_libsvm(model.to_libsvm())
    assert read.classify(numpy.ones((2, 4), "f4")).shape == (2,)
    assert read.classify([[0.0, 1]]).tolist() == model.classify([[0.0, 1, 0]]).tolist()
    with pytest.raises(duomap.UsageError, match="rows has 1 columns, the support vectors have 2"):
        read.decisions([[1.0]])


def test_svm_tells_rows_apart_that_float32_does_not(random):
    noise = random.normal(size=(200, 3))
    labels = (noise.sum(axis=1) > 0).astype(int)
    rows = 1e5 + 1e-3 * noise
    model = duomap.svmtrain(rows, labels, kernel="linear", c=1e8)
    assert (model.classify(rows) == labels).mean() > 0.95
    assert (pickle.loads(pickle.dumps(model)).classify(rows) == labels).mean() > 0.95
    seconds = 1.7e9 + numpy.arange(200.0)[:, None]
    labels = numpy.arange(200) // 20 % 2
    assert (duomap.svmtrain(seconds, labels, gamma=0.01, c=10).classify(seconds) == labels).all()


def test_svm_warns_where_it_does_not_converge(random):
    rows = random.normal(size=(100, 2)) * [1e6, 1e-3]
    labels = (random.random(100) > 0.5).astype(int)
    with pytest.warns(duomap.ConvergenceWarning, match="1 of 1 pairs of classes did not converge: the largest gap is "):
        model = duomap.svmtrain(rows, labels, kernel="linear", max_iter=50)
    assert model.pairs["gap"][0] > 1e-3
    assert model.pairs.report.as_dict()["figures"]["unconverged"] == 1


CARS = b"red,fast,yes\nred,slow,yes\nblue,slow,no\nblue,slow,no\nred,slow,no\n"


def test_naivebayes():
    model = duomap.naivebayes(CARS)
    assert model.classes == ["no", "yes"]
    found = model.classify(b"red,fast\nblue,slow\n")
    assert found.predicted == ["yes", "no"]
    # With Laplace's smoothing 3/4 of "yes" are red and 2/4 fast; of "no" 2/5 and 1/5.
    yes, no = 2 / 5 * 3 / 4 * 2 / 4, 3 / 5 * 2 / 5 * 1 / 5
    assert numpy.exp(found.log_probability[0]) == pytest.approx(yes / (yes + no))
    again = pickle.loads(pickle.dumps(model))
    assert again.to_json() == model.to_json()
    assert again.classify(CARS).accuracy == 0.8
    with pytest.raises(duomap.InputError, match="line 2"):
        duomap.naivebayes(b"a,b\nc\n")
