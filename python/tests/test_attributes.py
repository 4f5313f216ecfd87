"""Every attribute and method of every estimator, compared with scikit-learn on many tables.

The names come from the estimators. The test fails for a name that has no reference here.
"""

import itertools
import warnings

import numpy
import pytest

pytest.importorskip("sklearn", minversion="1.6")

from sklearn import cluster, decomposition, naive_bayes, neighbors, svm
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning

import duomap.sklearn as ours
from reference_tables import CASES, ERROR, labels_of, require_same, squared_distances, tables

COMMON = {*dir(BaseEstimator()), "fit", "set_output"}


def names_of(estimator):
    """The names of a fitted estimator, without parameters and names that all estimators have."""
    names = [name for name in dir(estimator) if not name.startswith("_") and hasattr(estimator, name)]
    return {name for name in names if not (name in COMMON or name in estimator.get_params() or name.endswith("_request"))}


class Comparison:
    """Compares a duomap estimator with scikit-learn's. Both are fitted to the same rows."""

    #: The fitted attributes of scikit-learn that duomap's estimator lacks.
    absent = frozenset()

    def __init__(self, mine, theirs, rows, labels, error):
        self.mine, self.theirs, self.rows, self.labels, self.error = mine, theirs, rows, labels, error
        self.of = type(mine).__name__
        #: The rows for which methods are called: the training rows, in float32 and in float64.
        self.asked = [rows, rows.astype({"f4": "f8", "f8": "f4"}.get(rows.dtype.str[1:], "f8"))]

    def same(self, name, *arguments, error=None):
        """Compares an attribute, or the return value of a method."""
        mine, theirs = (getattr(one, name) for one in (self.mine, self.theirs))
        if callable(mine):
            mine, theirs = mine(*arguments), theirs(*arguments)
        require_same(mine, theirs, error or self.error, f"{self.of}.{name}")

    def same_of_rows(self, name, *arguments, error=None):
        """Compares a method's return values for the rows in float32 and in float64."""
        for rows in self.asked:
            self.same(name, rows, *arguments, error=error)

    def every_name(self):
        """Compares each name, by this class's method of that name if there is one."""
        seen = names_of(self.mine)
        for name in sorted(seen):
            if hasattr(self, name):
                getattr(self, name)()
            else:
                assert not callable(getattr(self.mine, name)), f"{self.of}.{name}() has no reference in this file"
                assert hasattr(self.theirs, name), f"{self.of}.{name} has no reference in this file"
                self.same(name)
        missing = {name for name in names_of(self.theirs) if name.endswith("_")} - seen
        assert missing <= self.absent, f"{self.of} lacks attributes of scikit-learn's"

    def report_(self):
        assert self.mine.report_["units"] == self.rows.nbytes

    def get_feature_names_out(self):
        assert self.mine.get_feature_names_out().tolist() == self.theirs.get_feature_names_out().tolist()

    def predict(self):
        self.same_of_rows("predict")

    def predict_proba(self):
        self.same_of_rows("predict_proba")

    def score(self):
        self.same_of_rows("score", self.labels)

    def transform(self):
        self.same_of_rows("transform")

    def fit_transform(self):
        again = self.mine.fit_transform(self.rows)
        numpy.testing.assert_allclose(again, self.mine.transform(self.rows), atol=1e-6 * max(1, numpy.abs(again).max()))


class PcaComparison(Comparison):
    def __init__(self, *given):
        super().__init__(*given)
        variance = self.theirs.explained_variance_
        # The rows do not vary along the other axes, so the directions of those axes are arbitrary.
        self.clear = variance > 1e-5 * max(variance[0], 1e-3)

    def components_(self):
        mine, theirs = self.mine.components_, self.theirs.components_
        require_same(mine[self.clear], theirs[self.clear], 10 * self.error, "PCA.components_")
        require_same(mine @ mine.T, numpy.eye(len(mine), dtype=mine.dtype), self.error, "products of PCA.components_")
        assert (mine.shape, mine.dtype) == (theirs.shape, theirs.dtype)

    def explained_variance_ratio_(self):
        if self.clear.any():
            self.same("explained_variance_ratio_")
        else:  # scikit-learn divides 0 by 0
            assert self.mine.explained_variance_ratio_.tolist() == [0] * len(self.clear)

    def singular_values_(self):
        # Rounding leaves a variance near 0 where it should be 0. The root makes the error larger.
        self.same("singular_values_", error=self.error**0.5)

    def noise_variance_(self):
        mine, theirs = self.mine.noise_variance_, self.theirs.noise_variance_
        assert mine >= 0
        assert abs(mine - theirs) <= self.error * max(1, self.theirs.explained_variance_[0])

    def transform(self):
        for rows in self.asked:
            mine, theirs = (one.transform(rows) for one in (self.mine, self.theirs))
            assert (mine.shape, mine.dtype) == (theirs.shape, theirs.dtype)
            require_same(mine[:, self.clear], theirs[:, self.clear], 10 * self.error, "PCA.transform")

    def inverse_transform(self):
        mine, theirs = (one.inverse_transform(one.transform(self.rows)) for one in (self.mine, self.theirs))
        require_same(mine, theirs, 10 * self.error, "PCA.inverse_transform")

    def get_covariance(self):
        self.same("get_covariance")

    def has_density(self):
        """Whether the covariance matrix can be inverted accurately."""
        return numpy.linalg.cond(self.theirs.get_covariance().astype("f8")) < 1e3

    def get_precision(self):
        if self.has_density():
            self.same("get_precision", error=1000 * self.error)

    def score_samples(self):
        if self.has_density():
            self.same_of_rows("score_samples", error=1000 * self.error)

    def score(self):
        if self.has_density():
            self.same_of_rows("score", error=1000 * self.error)


class KMeansComparison(Comparison):
    def fit_predict(self):
        self.same("fit_predict", self.rows)

    def transform(self):
        for points in self.asked:
            exact = numpy.sqrt(squared_distances(points, self.mine.cluster_centers_))  # scikit-learn loses digits near a center
            require_same(self.mine.transform(points), exact.astype(self.theirs.transform(points).dtype), self.error, "KMeans.transform")

    # predict() and score() get only the training rows: scikit-learn requires their type.

    def predict(self):
        self.same("predict", self.rows)

    def score(self):
        self.same("score", self.rows)


class NeighboursComparison(Comparison):
    def kneighbors(self):
        """Sorts by distance and row: if rows tie, duomap takes the first and scikit-learn any."""
        for queries in (*self.asked, self.rows[::3] + 0.25):
            distances, rows = self.mine.kneighbors(queries)
            require_same(distances, self.theirs.kneighbors(queries)[0], self.error, f"{self.of}.kneighbors")
            assert (self.mine.kneighbors(queries, return_distance=False) == rows).all()
            nearest = squared_distances(queries, self.rows).argsort(1, kind="stable")[:, : self.mine.n_neighbors]
            require_same(rows, nearest, 0, f"{self.of}.kneighbors")
        others = len(self.rows) - 1
        if others >= self.mine.n_neighbors:
            distances, rows = self.mine.kneighbors()
            require_same(distances, self.theirs.kneighbors()[0], self.error, f"{self.of}.kneighbors of the others")
            assert (rows != numpy.arange(len(rows))[:, None]).all()
        if others:
            require_same(self.mine.kneighbors(None, 1)[0], self.theirs.kneighbors(None, 1)[0], self.error, f"{self.of}.kneighbors of one other")


class ClassifierComparison(NeighboursComparison):
    def predict_proba(self):
        """The votes of duomap's neighbours. If rows tie, scikit-learn may choose other neighbours."""
        rows = self.mine.kneighbors(self.rows, return_distance=False)
        shares = (self.labels[rows][..., None] == self.theirs.classes_).mean(1)
        require_same(self.mine.predict_proba(self.rows), shares, self.error, "KNeighborsClassifier.predict_proba")
        if (rows == self.theirs.kneighbors(self.rows, return_distance=False)).all():
            self.same_of_rows("predict_proba")

    def predict(self):
        shares = self.mine.predict_proba(self.rows)
        require_same(self.mine.predict(self.rows), self.theirs.classes_[shares.argmax(1)], 0, "KNeighborsClassifier.predict")

    def score(self):
        assert self.mine.score(self.rows, self.labels) == (self.mine.predict(self.rows) == self.labels).mean()


class SvcComparison(Comparison):
    """Both solvers stop near the same optimum, but their multipliers differ."""

    absent = {"probA_", "probB_"}
    near = 0.02

    def model_(self):
        assert self.mine.model_.classes.astype(int).tolist() == list(dict.fromkeys(numpy.unique(self.labels, return_inverse=True)[1]))

    def n_iter_(self):
        assert (self.mine.n_iter_.shape, self.mine.n_iter_.dtype) == (self.theirs.n_iter_.shape, self.theirs.n_iter_.dtype)

    def support_(self):
        """The support rows are sorted by class, and by row number within a class."""
        rows = self.mine.support_
        assert rows.dtype == self.theirs.support_.dtype
        assert (numpy.lexsort((rows, self.labels[rows])) == numpy.arange(len(rows))).all()

    def n_support_(self):
        counts = [(self.labels[self.mine.support_] == label).sum() for label in self.mine.classes_]
        require_same(self.mine.n_support_, numpy.array(counts, self.theirs.n_support_.dtype), 0, "SVC.n_support_")

    def support_vectors_(self):
        require_same(self.mine.support_vectors_, self.rows[self.mine.support_].astype("f8"), 1e-6, "SVC.support_vectors_")

    def decided(self):
        """Whether each pair has a support vector between 0 and C, which fixes the boundary."""
        limits = self.theirs.C * self.theirs.class_weight_[numpy.unique(self.labels, return_inverse=True)[1][self.theirs.support_]]
        sizes = numpy.abs(self.theirs.dual_coef_)
        free = (sizes > 0.01 * limits) & (sizes < 0.99 * limits)
        own = self.labels[self.theirs.support_]
        pairs = itertools.combinations(range(len(self.theirs.classes_)), 2)
        classes = self.theirs.classes_
        return all(free[b - 1, own == classes[a]].any() or free[a, own == classes[b]].any() for a, b in pairs)

    def sums(self, estimator):
        """The sums of the coefficients over equal rows. The optimum fixes only the sums."""
        of_row = numpy.zeros((len(estimator.dual_coef_), len(self.rows)))
        of_row[:, estimator.support_] = estimator.dual_coef_
        group = numpy.unique(numpy.column_stack([self.rows, self.labels == self.labels[0], self.labels == "a"]), axis=0, return_inverse=True)[1]
        return numpy.array([numpy.bincount(group.ravel(), one) for one in of_row])

    def dual_coef_(self):
        mine, theirs = self.mine.dual_coef_, self.theirs.dual_coef_
        assert (len(mine), mine.dtype) == (len(theirs), theirs.dtype)
        if self.mine.kernel == "rbf":  # other kernels: coef_ is compared instead
            require_same(self.sums(self.mine), self.sums(self.theirs), self.near, "SVC.dual_coef_")
        if self.mine.decision_function_shape == "ovo":
            decisions = self.decisions_of_coefficients()
            require_same(self.mine.decision_function(self.rows).reshape(decisions.shape), decisions, 1e-3, "SVC.dual_coef_ and .intercept_")

    def decisions_of_coefficients(self):
        """Decision values, computed from the definition of scikit-learn's attributes."""
        vectors, counts = self.mine.support_vectors_, self.mine.n_support_
        kernel = self.rows.astype("f8") @ vectors.T
        if self.mine.kernel == "rbf":
            gamma = 1 / (self.rows.shape[1] * (self.rows.astype("f8").var() or 1 / self.rows.shape[1]))
            kernel = numpy.exp(-gamma * squared_distances(self.rows, vectors))
        own = numpy.repeat(numpy.arange(len(counts)), counts)
        found = []
        for i, (a, b) in enumerate(itertools.combinations(range(len(counts)), 2)):
            coefficients = numpy.where(own == a, self.mine.dual_coef_[b - 1], 0) + numpy.where(own == b, self.mine.dual_coef_[a], 0)
            found.append(kernel @ coefficients + self.mine.intercept_[i])
        return numpy.array(found).T

    def intercept_(self):
        assert (self.mine.intercept_.shape, self.mine.intercept_.dtype) == (self.theirs.intercept_.shape, self.theirs.intercept_.dtype)
        if self.decided():
            self.same("intercept_", error=self.near)

    def coef_(self):
        self.same("coef_", error=self.near)

    def decision_function(self):
        mine, theirs = (one.decision_function(self.rows) for one in (self.mine, self.theirs))
        assert (mine.shape, mine.dtype) == (theirs.shape, theirs.dtype)
        if self.decided():
            # Near a boundary, rounding decides the vote, so rows near a boundary are left out.
            voted = numpy.abs(self.decisions_of_coefficients()).min(1) > self.near
            require_same(mine[voted], theirs[voted], self.near, "SVC.decision_function")

    def predict(self):
        sure = numpy.abs(self.theirs.decision_function(self.rows))
        if sure.ndim == 2:  # more than two classes: the distance of the best class from the second best
            sure = numpy.sort(sure, 1)[:, -1] - numpy.sort(sure, 1)[:, -2]
        mine, theirs = (one.predict(self.rows) for one in (self.mine, self.theirs))
        assert mine.dtype == theirs.dtype
        if self.decided():
            assert (mine == theirs)[sure > 2 * self.near].all()

    def score(self):
        assert self.mine.score(self.rows, self.labels) == (self.mine.predict(self.rows) == self.labels).mean()


class NaiveBayesComparison(Comparison):
    def partial_fit(self):
        for one in (self.mine, self.theirs):
            one.partial_fit(self.rows, self.labels)
        for name in ("category_count_", "class_count_", "feature_log_prob_"):
            self.same(name)

    def predict_log_proba(self):
        self.same_of_rows("predict_log_proba")

    def predict_joint_log_proba(self):
        self.same_of_rows("predict_joint_log_proba")


class Novel(ours.NearestNeighbors):
    """An estimator with an attribute that has no reference."""

    def fit(self, X, y=None):
        self.novel_ = 1
        return super().fit(X)


class NovelMethod(ours.NearestNeighbors):
    def novel(self):
        return 1


@pytest.mark.parametrize("kind, said", [(Novel, "novel_ has"), (NovelMethod, r"novel\(\) has")])
def test_a_name_without_a_reference_fails(kind, said):
    rows = tables("f8")["tall"]
    theirs = neighbors.NearestNeighbors(n_neighbors=2).fit(rows)
    with pytest.raises(AssertionError, match=f"{said} no reference"):
        NeighboursComparison(kind(2).fit(rows), theirs, rows, None, 1e-6).every_name()


COMPARISONS = {
    ours.CategoricalNB: NaiveBayesComparison,
    ours.KMeans: KMeansComparison,
    ours.KNeighborsClassifier: ClassifierComparison,
    ours.NearestNeighbors: NeighboursComparison,
    ours.PCA: PcaComparison,
    ours.SVC: SvcComparison,
}


def test_every_estimator_is_compared():
    assert set(COMPARISONS) == {getattr(ours, name) for name in ours.__all__}


def compare(mine, theirs, rows, labels, error):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn warns of constant rows
        assert mine.fit(rows, labels) is mine
        theirs.fit(rows, labels)
        COMPARISONS[type(mine)](mine, theirs, rows, labels, error).every_name()


every_case = pytest.mark.parametrize("name, dtype", CASES)
# Far from the origin rounding changes the multipliers, LIBSVM's too (float32 or float64 rows).
case_of_svm = pytest.mark.parametrize("name, dtype", [one for one in CASES if one[0] != "far from the origin"])


@every_case
@pytest.mark.parametrize("whiten", [False, True])
def test_pca(name, dtype, whiten):
    rows = tables(dtype)[name]
    if len(rows) == 1:
        with pytest.raises(ValueError, match="1 sample.* minimum of 2 is required"):  # scikit-learn's answer is NaN
            ours.PCA().fit(rows)
        return
    for components in sorted({1, (min(rows.shape) + 1) // 2, min(rows.shape)}) + [None]:
        mine = ours.PCA(components, whiten=whiten)
        theirs = decomposition.PCA(components, whiten=whiten, svd_solver="full")
        compare(mine, theirs, rows, None, ERROR[dtype])


@every_case
@pytest.mark.parametrize("tol", [1e-10, 1e-2])
def test_kmeans(name, dtype, tol):
    rows = tables(dtype)[name]
    for k in sorted({1, min(3, len(rows)), min(8, len(rows))}):
        start = rows[:: len(rows) // k][:k] + numpy.linspace(0, 0.1, rows.shape[1], dtype=dtype)  # avoids rows with two nearest centers
        mine = ours.KMeans(k, init=start, tol=tol)
        theirs = cluster.KMeans(k, init=start, tol=tol, n_init=1, algorithm="lloyd")
        compare(mine, theirs, rows, None, ERROR[dtype])


def test_kmeans_warns_of_clusters_without_points():
    for rows, k in ((tables("f8")["all rows equal"], 2), (tables("f4")["each row twice"], 16)):
        for one in (ours.KMeans(k, random_state=1), cluster.KMeans(k, n_init=1, random_state=1)):
            with pytest.warns(ConvergenceWarning):
                one.fit(rows)


@every_case
def test_nearest_neighbours(name, dtype):
    rows = tables(dtype)[name]
    for k in sorted({1, min(4, len(rows)), len(rows)}):
        compare(ours.NearestNeighbors(k), neighbors.NearestNeighbors(n_neighbors=k, algorithm="kd_tree"), rows, None, ERROR[dtype])


@every_case
@pytest.mark.parametrize("classes", [1, 2, 3])
def test_classifier_of_neighbours(name, dtype, classes):
    rows = tables(dtype)[name]
    labels = labels_of(rows, classes)
    for k in sorted({1, min(4, len(rows)), len(rows)}):
        mine, theirs = ours.KNeighborsClassifier(k), neighbors.KNeighborsClassifier(k, algorithm="kd_tree")
        compare(mine, theirs, rows, labels, ERROR[dtype])


@case_of_svm
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("shape", ["ovr", "ovo"])
@pytest.mark.parametrize("kernel", ["rbf", "linear"])
def test_svc(name, dtype, classes, shape, kernel):
    rows = tables(dtype)[name]
    labels = labels_of(rows, classes)
    weights = {"z": 2.0} if len(rows) > 1 else None
    mine = ours.SVC(kernel=kernel, decision_function_shape=shape, tol=1e-4, class_weight=weights)
    theirs = svm.SVC(kernel=kernel, decision_function_shape=shape, tol=1e-6, class_weight=weights, break_ties=shape == "ovr")
    if len(set(labels)) == 1:
        for one in (mine, theirs):
            with pytest.raises(ValueError, match="The number of classes has to be greater than one; got 1 class"):
                one.fit(rows, labels)
        return
    compare(mine, theirs, rows, labels, ERROR[dtype])


@every_case
@pytest.mark.parametrize("classes", [1, 3])
def test_categorical_naive_bayes(name, dtype, classes):
    rows = numpy.abs(tables(dtype)[name] * 2).astype(int) % 5
    labels = labels_of(rows, classes)
    for arguments in ({}, {"min_categories": 7, "alpha": 0.5}, {"fit_prior": False}):
        compare(ours.CategoricalNB(**arguments), naive_bayes.CategoricalNB(**arguments), rows, labels, 0)
