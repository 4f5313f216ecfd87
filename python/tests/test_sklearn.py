"""The estimators pass scikit-learn's own checks and give scikit-learn's answers."""

import pickle
import warnings

import numpy
import pytest

pytest.importorskip("sklearn", minversion="1.6")

from sklearn import cluster, datasets, decomposition, naive_bayes, neighbors, svm
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import duomap.sklearn as ours

ESTIMATORS = [getattr(ours, name) for name in ours.__all__]
IRIS, SPECIES = datasets.load_iris(return_X_y=True)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda estimator: estimator.__name__)
def test_check_estimator(estimator):
    results = check_estimator(estimator(), on_skip=None, on_fail=None)
    failed = {one["check_name"]: repr(one["exception"]) for one in results if one["status"] == "failed"}
    assert not failed
    assert sum(one["status"] == "passed" for one in results) >= 40


def test_kmeans():
    found = ours.KMeans(3, random_state=1).fit(IRIS)
    theirs = cluster.KMeans(3, init=found.cluster_centers_, n_init=1).fit(IRIS)
    assert found.inertia_ == pytest.approx(theirs.inertia_, rel=1e-4)
    assert (found.predict(IRIS) == theirs.predict(IRIS)).all()
    assert found.transform(IRIS) == pytest.approx(theirs.transform(IRIS))
    assert found.score(IRIS) == pytest.approx(theirs.score(IRIS))
    assert found.labels_.dtype == theirs.labels_.dtype
    assert ours.KMeans(3, random_state=1).fit(IRIS).inertia_ == found.inertia_


@pytest.mark.parametrize("whiten", [False, True])
def test_pca(whiten):
    found = ours.PCA(2, whiten=whiten).fit(IRIS)
    theirs = decomposition.PCA(2, whiten=whiten, svd_solver="full").fit(IRIS)
    for name in ("explained_variance_", "explained_variance_ratio_", "singular_values_", "mean_", "noise_variance_"):
        assert getattr(found, name) == pytest.approx(getattr(theirs, name)), name
    sign = numpy.sign((found.components_ * theirs.components_).sum(1))
    assert found.components_ == pytest.approx(theirs.components_ * sign[:, None])
    assert found.transform(IRIS) == pytest.approx(theirs.transform(IRIS) * sign, abs=1e-9)
    assert found.inverse_transform(found.transform(IRIS)) == pytest.approx(
        theirs.inverse_transform(theirs.transform(IRIS))
    )


def test_neighbours():
    found = ours.NearestNeighbors(4).fit(IRIS)
    theirs = neighbors.NearestNeighbors(n_neighbors=4).fit(IRIS)
    assert found.kneighbors(IRIS + 0.01)[0] == pytest.approx(theirs.kneighbors(IRIS + 0.01)[0])
    assert found.kneighbors()[0] == pytest.approx(theirs.kneighbors()[0])
    classifier = ours.KNeighborsClassifier(7).fit(IRIS, SPECIES)
    other = neighbors.KNeighborsClassifier(7).fit(IRIS, SPECIES)
    assert (classifier.predict(IRIS) == other.predict(IRIS)).mean() > 0.98
    # If rows are equally near, scikit-learn may choose other neighbours.
    assert numpy.isclose(classifier.predict_proba(IRIS), other.predict_proba(IRIS)).mean() > 0.95


@pytest.mark.parametrize("kernel", ["rbf", "linear", "poly"])
@pytest.mark.parametrize("shape", ["ovr", "ovo"])
def test_svc(kernel, shape):
    names = numpy.array(["virginica", "setosa", "versicolor"])[SPECIES]
    found = ours.SVC(kernel=kernel, decision_function_shape=shape, tol=1e-4).fit(IRIS, names)
    theirs = svm.SVC(kernel=kernel, decision_function_shape=shape, tol=1e-4).fit(IRIS, names)
    assert (found.predict(IRIS) == theirs.predict(IRIS)).mean() > 0.99
    assert found.decision_function(IRIS) == pytest.approx(theirs.decision_function(IRIS), abs=0.02)
    two = SPECIES < 2
    binary = ours.SVC(kernel=kernel).fit(IRIS[two], names[two])
    expected = svm.SVC(kernel=kernel).fit(IRIS[two], names[two]).decision_function(IRIS[two])
    assert binary.decision_function(IRIS[two]) == pytest.approx(expected, abs=0.02)


def test_svc_with_weights_of_classes():
    few = numpy.concatenate([numpy.arange(50), numpy.arange(50, 60)])
    for weight in ("balanced", {0: 1.0, 1: 5.0}):
        found = ours.SVC(class_weight=weight, C=0.1).fit(IRIS[few], SPECIES[few])
        theirs = svm.SVC(class_weight=weight, C=0.1).fit(IRIS[few], SPECIES[few])
        assert found.decision_function(IRIS[few]) == pytest.approx(theirs.decision_function(IRIS[few]), abs=0.01)


def test_svc_on_columns_without_scaling():
    rows, labels = datasets.load_breast_cancer(return_X_y=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = ours.SVC(kernel="linear").fit(rows, labels)
    assert found.fit_status_ == 0
    weights = found.model_._core.coefficients()[0]
    vectors = found.model_._core.support_vectors()
    objective = 0.5 * ((weights @ vectors) ** 2).sum() - abs(weights).sum()
    assert found.model_.pairs["objective"][0] == pytest.approx(objective, rel=1e-6)
    theirs = svm.SVC(kernel="linear").fit(rows, labels)
    other = 0.5 * (theirs.coef_**2).sum() - abs(theirs.dual_coef_).sum()
    assert objective < other + 1e-3 * abs(other)


def test_categorical_naive_bayes(random):
    rows, classes = random.integers(0, 5, (500, 4)), random.integers(0, 12, 500) * 3
    for arguments in ({}, {"min_categories": 7, "alpha": 0.5}):
        found = ours.CategoricalNB(**arguments).fit(rows, classes)
        theirs = naive_bayes.CategoricalNB(**arguments).fit(rows, classes)
        for mine, other in zip(found.category_count_, theirs.category_count_):
            assert (mine == other).all()
        assert (found.class_count_ == theirs.class_count_).all()
        assert (found.predict_proba(rows) == theirs.predict_proba(rows)).all()
    weights = random.random(500)
    found = ours.CategoricalNB().fit(rows, classes, sample_weight=weights)
    theirs = naive_bayes.CategoricalNB().fit(rows, classes, sample_weight=weights)
    assert (found.predict_proba(rows) == theirs.predict_proba(rows)).all()


def test_pipelines_grid_search_and_pickles():
    search = GridSearchCV(make_pipeline(StandardScaler(), ours.PCA(2), ours.SVC()), {"svc__C": [0.1, 10]}, cv=3)
    search.fit(IRIS, SPECIES)
    assert search.score(IRIS, SPECIES) > 0.9
    again = pickle.loads(pickle.dumps(search.best_estimator_))
    assert (again.predict(IRIS) == search.best_estimator_.predict(IRIS)).all()
