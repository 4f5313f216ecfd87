"""PCA."""

from __future__ import annotations

from typing import Any

import numpy
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

import duomap

_FLOATS = [numpy.float64, numpy.float32]


class PCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """sklearn.decomposition.PCA by duomap.pca, with the full covariance matrix. The component of each axis with the
    largest magnitude is positive.

    `n_components` is a number, or None for all. Not taken: shares of the variance, other solvers, sparse data.
    """

    def __init__(self, n_components: int | None = None, *, whiten: bool = False, device: str = "auto", gpus: Any = None, threads: int = 0) -> None:
        self.n_components = n_components
        self.whiten = whiten
        self.device = device
        self.gpus = gpus
        self.threads = threads

    def fit(self, X: Any, y: Any = None) -> PCA:
        X = validate_data(self, X, dtype=_FLOATS, order="C", ensure_min_samples=2)
        most = min(X.shape)
        k = most if self.n_components is None else self.n_components
        if not 1 <= k <= most:
            raise ValueError(f"n_components={k} must be between 1 and min(n_samples, n_features)={most}")
        options: Any = {"device": self.device, "gpus": self.gpus, "threads": self.threads}
        found = duomap.pca(X, k, **options)
        self.components_ = found.axes
        self.explained_variance_ = found.variance
        self.explained_variance_ratio_ = found.share
        self.singular_values_ = numpy.sqrt(found.variance * (X.shape[0] - 1))
        self.mean_ = found.mean
        self.n_components_ = k
        self.n_samples_ = X.shape[0]
        rest = X.shape[1] - k
        self.noise_variance_ = float((found.covariance.trace() - found.variance.sum()) / rest) if rest else 0.0
        self.report_ = found.report.as_dict()
        self._n_features_out = k
        return self

    def transform(self, X: Any) -> Any:
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=_FLOATS)
        reduced = (X - self.mean_) @ self.components_.T
        return (reduced / self._scale() if self.whiten else reduced).astype(X.dtype)

    def inverse_transform(self, X: Any) -> Any:
        check_is_fitted(self)
        X = numpy.asarray(X)
        return (X * self._scale() if self.whiten else X) @ self.components_ + self.mean_

    def _scale(self) -> Any:
        least = numpy.finfo(self.explained_variance_.dtype).eps
        return numpy.sqrt(numpy.maximum(self.explained_variance_, least))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
