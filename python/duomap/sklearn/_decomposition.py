"""The estimator PCA."""

from __future__ import annotations

from typing import Any

import numpy
from sklearn import decomposition
from sklearn.utils.validation import check_is_fitted, validate_data

import duomap

_FLOATS = [numpy.float64, numpy.float32]


class PCA(decomposition.PCA):  # type: ignore[misc]
    """sklearn.decomposition.PCA, fitted by duomap.pca with the full covariance matrix.

    Each axis has the sign that makes its component of the largest magnitude positive. Attributes have the type of the rows.
    `explained_variance_ratio_` is 0, not NaN, if no column varies. Singular values are computed as roots of variances, so a
    singular value that should be 0 may be 1e-8 of the largest, or 1e-3 in float32.

    `n_components` is a whole number from 1 on, or None for all. Not supported: `n_components` as a share of the variance,
    other solvers, sparse data.
    """

    svd_solver = "full"  # for inherited methods; duomap's answers are those of this solver

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
        self.components_ = found.axes.astype(X.dtype)
        self.explained_variance_ = found.variance.astype(X.dtype)
        self.explained_variance_ratio_ = found.share.astype(X.dtype)
        self.singular_values_ = numpy.sqrt(found.variance * (X.shape[0] - 1)).astype(X.dtype)
        self.mean_ = found.mean.astype(X.dtype)
        self.noise_variance_ = X.dtype.type(found.noise_variance)
        self.n_components_ = k
        self.n_samples_ = X.shape[0]
        self.report_ = found.report.as_dict()
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        return self.fit(X).transform(X)

    def transform(self, X: Any) -> Any:
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=_FLOATS)
        # scikit-learn subtracts the mean last, which loses digits of rows far from the origin.
        reduced = (X - self.mean_) @ self.components_.T
        if self.whiten:
            deviation = numpy.sqrt(self.explained_variance_)
            reduced /= numpy.maximum(deviation, numpy.finfo(deviation.dtype).eps)
        return reduced

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.array_api_support = False
        return tags
