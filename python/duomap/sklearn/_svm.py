"""SVC."""

from __future__ import annotations

from typing import Any

import numpy
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import _ovr_decision_function, check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

import duomap


class SVC(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """sklearn.svm.SVC by duomap.svm_train, in float32.

    `model_` is the duomap.SvmModel, whose labels are indices of classes_. Not taken: probabilities, sample weights,
    sparse data, kernels that are functions.
    """

    def __init__(
        self,
        *,
        C: float = 1.0,
        kernel: str = "rbf",
        degree: int = 3,
        gamma: Any = "scale",
        coef0: float = 0.0,
        tol: float = 1e-3,
        class_weight: Any = None,
        decision_function_shape: str = "ovr",
        device: str = "auto",
        gpus: Any = None,
        threads: int = 0,
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.class_weight = class_weight
        self.decision_function_shape = decision_function_shape
        self.device = device
        self.gpus = gpus
        self.threads = threads

    def fit(self, X: Any, y: Any) -> SVC:
        X, y = validate_data(self, X, y, dtype=numpy.float32, order="C")
        check_classification_targets(y)
        self.classes_, codes = numpy.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"The number of classes has to be greater than one; got {len(self.classes_)} class")
        kernel: Any = {"poly": "polynomial"}.get(self.kernel, self.kernel)
        options: Any = {"device": self.device, "gpus": self.gpus, "threads": self.threads}
        self.model_ = duomap.svm_train(
            X,
            codes,
            c=self.C,
            kernel=kernel,
            gamma=self._gamma_of(X),
            coef0=self.coef0,
            degree=self.degree,
            epsilon=self.tol,
            weights=self._weights(codes),
            **options,
        )
        pairs: Any = self.model_.pairs
        self.n_iter_ = pairs["iterations"].astype(numpy.int32)
        return self

    def _gamma_of(self, X: Any) -> float:
        if self.gamma == "scale":
            variance = float(X.var(dtype=numpy.float64))
            return 1 / (X.shape[1] * variance) if variance else 1.0
        return 1 / X.shape[1] if self.gamma == "auto" else float(self.gamma)

    def _weights(self, codes: Any) -> dict[float, float]:
        if self.class_weight is None:
            return {}
        if self.class_weight == "balanced":
            counts = numpy.bincount(codes)
            return {float(i): len(codes) / (len(counts) * count) for i, count in enumerate(counts)}
        return {float(i): self.class_weight.get(label, 1.0) for i, label in enumerate(self.classes_.tolist())}

    def _rows(self, X: Any) -> Any:
        check_is_fitted(self)
        return validate_data(self, X, reset=False, dtype=numpy.float32, order="C")

    def predict(self, X: Any) -> Any:
        X = self._rows(X)
        if self.decision_function_shape == "ovr" and len(self.classes_) > 2:
            # What decision_function() says, which also decides between classes with as many votes.
            return self.classes_[self.decision_function(X).argmax(1)]
        options: Any = {"device": self.device, "gpus": self.gpus, "threads": self.threads}
        return self.classes_[self.model_.classify(X, **options).astype(int)]

    def decision_function(self, X: Any) -> Any:
        """Of two classes above 0 for the second; of more by class, or with decision_function_shape="ovo" by pair."""
        X = self._rows(X)
        options: Any = {"device": self.device, "gpus": self.gpus, "threads": self.threads}
        values = self.model_.decisions(X, **options)
        if len(self.classes_) == 2:
            return values[:, 0] * (1 if self.model_.classes[0] == 1 else -1)
        ordered = numpy.empty_like(values)
        n = len(self.classes_)
        places = {pair: i for i, pair in enumerate((a, b) for a in range(n) for b in range(a + 1, n))}
        # LIBSVM numbers the classes as they come.
        coming = self.model_.classes.astype(int).tolist()
        pairs = ((a, b) for i, a in enumerate(coming) for b in coming[i + 1 :])
        for i, (a, b) in enumerate(pairs):
            ordered[:, places[min(a, b), max(a, b)]] = values[:, i] if a < b else -values[:, i]
        if self.decision_function_shape == "ovo":
            return ordered
        return _ovr_decision_function(ordered < 0, -ordered, n)
