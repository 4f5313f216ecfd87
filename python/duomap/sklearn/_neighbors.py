"""NearestNeighbors and KNeighborsClassifier."""

from __future__ import annotations

from typing import Any

import numpy
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

import duomap

_FLOATS = [numpy.float64, numpy.float32]


class _Neighbours(BaseEstimator):  # type: ignore[misc]
    """Rows that were seen, and the search in them."""

    def __init__(self, n_neighbors: int = 5, *, device: str = "auto", gpus: Any = None, threads: int = 0) -> None:
        self.n_neighbors = n_neighbors
        self.device = device
        self.gpus = gpus
        self.threads = threads

    def _keep(self, X: Any) -> None:
        self._fit_X = X
        self.n_samples_fit_ = X.shape[0]

    def _search(self, X: Any, k: int) -> duomap.Neighbours:
        options: Any = {"device": self.device, "gpus": self.gpus, "threads": self.threads}
        return duomap.knn(self._fit_X, X, k, **options)

    def kneighbors(self, X: Any = None, n_neighbors: int | None = None, return_distance: bool = True) -> Any:
        """Distances and rows of the nearest, or the rows alone. Without X those of each row that was seen, but itself."""
        check_is_fitted(self)
        k = self.n_neighbors if n_neighbors is None else n_neighbors
        if X is not None:
            X = validate_data(self, X, reset=False, dtype=_FLOATS, order="C")
            found = self._search(X, k)
            distances, rows = found.distances, found.indices
        else:
            found = self._search(self._fit_X, k + 1)
            own = found.indices == numpy.arange(self.n_samples_fit_)[:, None]
            # A row with more than k copies may not be among its own neighbours: then the last one goes.
            own[~own.any(1), -1] = True
            distances = found.distances[~own].reshape(-1, k)
            rows = found.indices[~own].reshape(-1, k)
        return (distances, rows) if return_distance else rows


class NearestNeighbors(_Neighbours):
    """sklearn.neighbors.NearestNeighbors by duomap.knn: exact, Euclidean. Not taken: other metrics, radii, sparse data."""

    def fit(self, X: Any, y: Any = None) -> NearestNeighbors:
        self._keep(validate_data(self, X, dtype=_FLOATS, order="C"))
        return self


class KNeighborsClassifier(ClassifierMixin, _Neighbours):  # type: ignore[misc]
    """sklearn.neighbors.KNeighborsClassifier by duomap.knn: exact, Euclidean, equal votes; of classes with as many votes
    the first in classes_. Not taken: other metrics and weights, several outputs, sparse data.
    """

    def fit(self, X: Any, y: Any) -> KNeighborsClassifier:
        X, y = validate_data(self, X, y, dtype=_FLOATS, order="C")
        check_classification_targets(y)
        self.classes_, self._codes = numpy.unique(y, return_inverse=True)
        self._keep(X)
        return self

    def predict(self, X: Any) -> Any:
        check_is_fitted(self)
        return self.classes_[self.predict_proba(X).argmax(1)]

    def predict_proba(self, X: Any) -> Any:
        """The share of the neighbours that have each class."""
        rows = self.kneighbors(X, return_distance=False)
        votes = numpy.zeros((len(rows), len(self.classes_)))
        numpy.add.at(votes, (numpy.arange(len(rows))[:, None], self._codes[rows]), 1)
        return votes / rows.shape[1]
