"""The estimator KMeans."""

from __future__ import annotations

import warnings
from typing import Any

import numpy
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

import duomap
from duomap._gpu_arrays import is_gpu, single

_FLOATS = [numpy.float64, numpy.float32]


class KMeans(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """sklearn.cluster.KMeans, computed by duomap.kmeans: float64 on the CPU, float32 also on GPUs.

    For points in GPU memory (float32, of PyTorch or CuPy) centers and labels are arrays in GPU memory too, and predict()
    takes such points.

    A cluster without points takes the point that is farthest from its center. If points tie it takes the first, where
    scikit-learn takes any. A cluster that loses its last point in the last iteration stays empty.

    Not supported: sample weights, sparse data, several initialisations (n_init).
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: Any = "k-means++",
        max_iter: int = 300,
        tol: float = 1e-4,
        random_state: Any = None,
        device: str = "auto",
        gpus: Any = None,
        threads: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.device = device
        self.gpus = gpus
        self.threads = threads

    def fit(self, X: Any, y: Any = None) -> KMeans:
        on_gpu = is_gpu(X)
        if on_gpu:  # duomap.kmeans checks the array; scikit-learn's check would copy it to the host
            self.n_features_in_ = X.shape[-1]
        else:
            X = validate_data(self, X, dtype=_FLOATS, order="C")
        if X.shape[0] < self.n_clusters:
            raise ValueError(f"n_samples={X.shape[0]} should be >= n_clusters={self.n_clusters}.")
        options: Any = {"device": self.device, "gpus": self.gpus, "threads": self.threads}
        seed = int(check_random_state(self.random_state).randint(numpy.iinfo(numpy.int32).max))
        found = duomap.kmeans(
            X, self.n_clusters, init=self.init, max_iter=self.max_iter, tol=self.tol, seed=seed, output="same", **options
        )
        assert found.labels is not None
        different = int((found.sizes > 0).sum())
        if different < self.n_clusters:
            message = f"{different} of {self.n_clusters} clusters have points; are there so many different points?"
            warnings.warn(message, ConvergenceWarning, stacklevel=2)
        self.cluster_centers_ = single(found.centers) if on_gpu else found.centers.astype(X.dtype)
        self.labels_ = found.labels if on_gpu else found.labels.astype(numpy.int32)
        self.inertia_ = found.inertia
        self.n_iter_ = found.iterations
        self.report_ = found.report.as_dict()
        self._n_features_out = self.n_clusters
        return self

    def _rows(self, X: Any) -> Any:
        check_is_fitted(self)
        return X if is_gpu(X) else validate_data(self, X, reset=False, dtype=_FLOATS, order="C")

    def _nearest(self, X: Any, k: int) -> duomap.Neighbors:
        options: Any = {"device": self.device, "gpus": self.gpus, "threads": self.threads}
        return duomap.knn(self.cluster_centers_, X, k, output="same", **options)

    def predict(self, X: Any) -> Any:
        nearest = self._nearest(self._rows(X), 1).indices[:, 0]
        return nearest if is_gpu(X) else nearest.astype(numpy.int32)

    def transform(self, X: Any) -> Any:
        """The distances of each point to all centers, as a NumPy array."""
        if is_gpu(X):
            raise duomap.UsageError("transform() reads no array in GPU memory; copy it to host memory")
        X = self._rows(X)
        nearest = self._nearest(X, self.n_clusters)
        distances = numpy.empty_like(nearest.distances)
        numpy.put_along_axis(distances, nearest.indices, nearest.distances, 1)
        return distances.astype(numpy.promote_types(X.dtype, self.cluster_centers_.dtype))

    def score(self, X: Any, y: Any = None) -> float:
        return -float((self._nearest(self._rows(X), 1).distances ** 2).sum())

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
