"""The estimator CategoricalNB."""

from __future__ import annotations

from typing import Any

import numpy
from sklearn import naive_bayes

from duomap import _core
from duomap._options import Options, settings
from duomap._texts import open_texts


class CategoricalNB(naive_bayes.CategoricalNB):  # type: ignore[misc]
    """sklearn.naive_bayes.CategoricalNB with duomap's counting; everything else is inherited.

    scikit-learn itself counts if the caller gives sample weights, and when partial_fit adds to earlier counts.
    """

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
        min_categories: Any = None,
        device: str = "auto",
        gpus: Any = None,
        threads: int = 0,
    ) -> None:
        super().__init__(
            alpha=alpha, force_alpha=force_alpha, fit_prior=fit_prior, class_prior=class_prior, min_categories=min_categories
        )
        self.device = device
        self.gpus = gpus
        self.threads = threads

    def _count(self, X: Any, Y: Any) -> None:
        # Without weights each row of Y is 0 except for one 1, at its class.
        seen = sum(counts.sum() for counts in self.category_count_)
        if seen or X.shape[0] == 0 or not ((Y == 1).sum(1) == 1).all() or Y.sum() != len(Y):
            super()._count(X, Y)
            return
        self.n_categories_ = self._validate_n_categories(X, self.min_categories)
        classes = Y.argmax(1)
        self.class_count_ += Y.sum(axis=0)
        model = self._learn(X, classes)
        columns = [int(name) for name in model.classes()]
        for i in range(model.attributes()):
            _, categories, counts = model.attribute(i)
            table = numpy.zeros((Y.shape[1], self.n_categories_[i]))
            table[numpy.ix_(columns, [int(name) for name in categories])] = counts.T
            self.category_count_[i] = table

    def _learn(self, X: Any, classes: Any) -> _core.NaiveBayesModel:
        text = _core.category_text(numpy.ascontiguousarray(X, numpy.int64), classes.astype(numpy.int64))
        options: Options = {"device": self.device, "gpus": self.gpus, "threads": self.threads}  # type: ignore[typeddict-item]
        with settings(options) as how:
            model: _core.NaiveBayesModel = _core.naivebayes(
                open_texts(text), "last", [], ",", False, 1.0, False, False, how
            )[0]
        return model
