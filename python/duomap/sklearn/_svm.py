"""The estimator SVC."""

from __future__ import annotations

import warnings
from typing import Any

import numpy
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import _ovr_decision_function, check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

import duomap
from duomap._svm import convergence_problem


class SVC(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """sklearn.svm.SVC, computed by duomap.svmtrain.

    `model_` is the duomap.SvmModel; its labels are indices of `classes_`. `n_iter_` counts duomap's own steps; `probA_` and
    `probB_` are missing. If classes tie in votes and decision_function_shape="ovr", the class with the largest
    decision_function() wins, as with scikit-learn's break_ties=True. Not supported: probabilities, sample weights, sparse
    data, kernels that are functions.
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
        X, y = validate_data(self, X, y, dtype=(numpy.float64, numpy.float32), order="C")
        check_classification_targets(y)
        self.classes_, codes = numpy.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"The number of classes has to be greater than one; got {len(self.classes_)} class")
        self.class_weight_ = compute_class_weight(self.class_weight, classes=self.classes_, y=y)
        kernel: Any = {"poly": "polynomial"}.get(self.kernel, self.kernel)
        options: Any = {"device": self.device, "gpus": self.gpus, "threads": self.threads}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", duomap.ConvergenceWarning)  # scikit-learn's ConvergenceWarning follows below
            self.model_ = duomap.svmtrain(
                X,
                codes,
                c=self.C,
                kernel=kernel,
                gamma=self._gamma_of(X),
                coef0=self.coef0,
                degree=self.degree,
                tol=self.tol,
                class_weight=dict(enumerate(self.class_weight_)),
                **options,
            )
        problem = convergence_problem(self.model_, self.tol)
        self.fit_status_ = int(bool(problem))
        if problem:
            warnings.warn(problem, ConvergenceWarning, stacklevel=2)
        self.shape_fit_ = X.shape
        pairs: Any = self.model_.pairs
        self.n_iter_ = pairs["iterations"].astype(numpy.int32)[self._pairs()[0]]
        assert self.model_.support is not None
        self.support_ = self.model_.support[self._vectors()[0]].astype(numpy.int32)
        return self

    def _gamma_of(self, X: Any) -> float:
        if self.gamma == "scale":
            variance = float(X.var(dtype=numpy.float64))
            return 1 / (X.shape[1] * variance) if variance else 1.0
        return 1 / X.shape[1] if self.gamma == "auto" else float(self.gamma)

    # The model has the classes in the order of their first rows, as LIBSVM; scikit-learn has not.

    def _positions(self) -> Any:
        """For each class of classes_ its number in the model."""
        check_is_fitted(self)
        return numpy.argsort(self.model_.classes)

    def _pairs(self) -> tuple[Any, Any]:
        """For each pair of classes_, (0, 1), (0, 2), ..., its number in the model and its sign. The
        sign is -1 if the model has the opposite pair, else 1."""
        positions = self._positions()
        n = len(positions)
        first, second = numpy.triu_indices(n, 1)
        one, other = positions[first], positions[second]
        low, high = numpy.minimum(one, other), numpy.maximum(one, other)
        return low * (2 * n - low - 1) // 2 + high - low - 1, numpy.where(one < other, 1, -1)

    def _vectors(self) -> tuple[Any, Any]:
        """The order of the model's support vectors by class of classes_, and the number of vectors
        of each class."""
        positions = self._positions()
        counts = self.model_._core.support_vectors_of_class().astype(numpy.int32)
        ends = numpy.cumsum(counts)
        return numpy.concatenate([numpy.arange(ends[p] - counts[p], ends[p]) for p in positions]), counts[positions]

    @property
    def n_support_(self) -> Any:
        return self._vectors()[1]

    @property
    def support_vectors_(self) -> Any:
        vectors = numpy.zeros((len(self._vectors()[0]), self.n_features_in_))
        known = self.model_._core.support_vectors()
        vectors[:, : known.shape[1]] = known[self._vectors()[0]]
        return vectors

    @property
    def dual_coef_(self) -> Any:
        positions = self._positions()
        order, counts = self._vectors()
        sizes = numpy.abs(self.model_._core.coefficients())[:, order]
        own = numpy.repeat(numpy.arange(len(positions)), counts)
        found = numpy.empty_like(sizes)
        # dual_coef_ has one row for each other class.
        for row in range(len(sizes)):
            other = row + (row >= own)
            of_model = positions[other] - (positions[other] > positions[own])
            found[row] = sizes[of_model, numpy.arange(len(own))] * numpy.where(own < other, 1, -1)
        return -found if len(positions) == 2 else found

    @property
    def intercept_(self) -> Any:
        places, signs = self._pairs()
        intercepts = -self.model_._core.rho()[places] * signs
        return -intercepts if len(self.classes_) == 2 else intercepts

    @property
    def coef_(self) -> Any:
        if self.kernel != "linear":
            raise AttributeError("coef_ is only available with the linear kernel")
        vectors, coefficients = self.support_vectors_, self.dual_coef_
        own = numpy.repeat(numpy.arange(len(self.classes_)), self.n_support_)
        pairs = zip(*numpy.triu_indices(len(self.classes_), 1))
        return numpy.array([coefficients[b - 1, own == a] @ vectors[own == a] + coefficients[a, own == b] @ vectors[own == b] for a, b in pairs])

    def _decisions(self, X: Any) -> Any:
        """Decision values, (rows, pairs of classes_). Above 0 they vote for the pair's first class."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=(numpy.float64, numpy.float32), order="C")
        options: Any = {"device": self.device, "gpus": self.gpus, "threads": self.threads}
        places, signs = self._pairs()
        return self.model_.decisions(X, **options)[:, places] * signs

    def predict(self, X: Any) -> Any:
        values = self._decisions(X)
        n = len(self.classes_)
        if self.decision_function_shape == "ovr" and n > 2:
            return self.classes_[_ovr_decision_function(values < 0, -values, n).argmax(1)]
        votes = numpy.zeros((len(values), n))
        for value, first, second in zip(values.T, *numpy.triu_indices(n, 1)):
            votes[numpy.arange(len(values)), numpy.where(value > 0, first, second)] += 1
        return self.classes_[votes.argmax(1)]

    def decision_function(self, X: Any) -> Any:
        """The decision values: one for each class, or for each pair with decision_function_shape="ovo". Two classes have a
        single value, above 0 for the second class."""
        values = self._decisions(X)
        n = len(self.classes_)
        if n == 2:
            return -values[:, 0]
        return values if self.decision_function_shape == "ovo" else _ovr_decision_function(values < 0, -values, n)
