"""The estimators NearestNeighbors and KNeighborsClassifier."""

from __future__ import annotations

from typing import Any

import numpy
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

import duomap
from duomap._errors import UsageError
from duomap._options import whole

_FLOATS = [numpy.float64, numpy.float32]


class _Neighbors(BaseEstimator):  # type: ignore[misc]
    """The base of both estimators: keeps the rows of fit(), and searches among them."""

    def __init__(self, n_neighbors: int = 5, *, device: str = "auto", gpus: Any = None, threads: int = 0) -> None:
        self.n_neighbors = n_neighbors
        self.device = device
        self.gpus = gpus
        self.threads = threads

    def _keep(self, X: Any) -> None:
        self._fit_X = X
        self.n_samples_fit_ = X.shape[0]
        self.effective_metric_ = "euclidean"
        self.effective_metric_params_: dict[str, Any] = {}

    def _search(self, X: Any, k: int) -> duomap.Neighbors:
        options: Any = {"device": self.device, "gpus": self.gpus, "threads": self.threads}
        return duomap.knn(self._fit_X, X, k, **options)

    def kneighbors(self, X: Any = None, n_neighbors: int | None = None, return_distance: bool = True) -> Any:
        """The distances and row numbers of the nearest neighbours, or the row numbers alone. Without X it searches for the
        neighbours of each row of fit(), other than the row itself."""
        check_is_fitted(self)
        k = whole("n_neighbors", self.n_neighbors if n_neighbors is None else n_neighbors, 1)
        most = self.n_samples_fit_ if X is not None else self.n_samples_fit_ - 1
        if k > most:
            others = f"each row of n_samples_fit = {self.n_samples_fit_} has {most} others" if X is None else f"n_samples_fit = {most}"
            raise UsageError(f"n_neighbors = {k}, but {others}; give a smaller n_neighbors")
        if X is not None:
            X = validate_data(self, X, reset=False, dtype=_FLOATS, order="C")
            found = self._search(X, k)
            distances, rows = found.distances, found.indices
        else:
            found = self._search(self._fit_X, k + 1)
            own = found.indices == numpy.arange(self.n_samples_fit_)[:, None]
            # A row with more than k copies may miss itself among its neighbours. The last is
            # dropped.
            own[~own.any(1), -1] = True
            distances = found.distances[~own].reshape(-1, k)
            rows = found.indices[~own].reshape(-1, k)
        return (distances, rows) if return_distance else rows


class NearestNeighbors(_Neighbors):
    """sklearn.neighbors.NearestNeighbors, computed by duomap.knn: an exact search by Euclidean distance.

    If rows are equally near it takes the first, where scikit-learn takes any. Not supported: other metrics, radii, graphs,
    sparse data.
    """

    def fit(self, X: Any, y: Any = None) -> NearestNeighbors:
        self._keep(validate_data(self, X, dtype=_FLOATS, order="C"))
        return self


class KNeighborsClassifier(ClassifierMixin, _Neighbors):  # type: ignore[misc]
    """sklearn.neighbors.KNeighborsClassifier, computed by duomap.knn: an exact search by Euclidean distance.

    Each neighbour has one vote. If classes tie, the first in `classes_` wins. If rows are equally near, the first are the
    neighbours. Not supported: other metrics and weights, graphs, several outputs, sparse data.
    """

    def fit(self, X: Any, y: Any) -> KNeighborsClassifier:
        X, y = validate_data(self, X, y, dtype=_FLOATS, order="C")
        check_classification_targets(y)
        self.classes_, self._codes = numpy.unique(y, return_inverse=True)
        self.outputs_2d_ = False
        self._keep(X)
        return self

    def predict(self, X: Any) -> Any:
        check_is_fitted(self)
        return self.classes_[self.predict_proba(X).argmax(1)]

    def predict_proba(self, X: Any) -> Any:
        """For each row the share of its neighbours in each class."""
        rows = self.kneighbors(X, return_distance=False)
        votes = numpy.zeros((len(rows), len(self.classes_)))
        numpy.add.at(votes, (numpy.arange(len(rows))[:, None], self._codes[rows]), 1)
        return votes / rows.shape[1]
