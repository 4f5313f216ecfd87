"""Support vector machines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from duomap import _core
from duomap._arrays import label_of_each, matrix
from duomap._errors import ConvergenceWarning, UsageError, warn
from duomap._old_names import old_keywords
from duomap._options import Options, real, settings, whole, word
from duomap._table import Report, Table

if TYPE_CHECKING:
    from typing import Literal

    import numpy
    from numpy.typing import ArrayLike, NDArray
    from typing_extensions import Unpack


class SvmModel:
    """A trained support vector machine. It pickles as LIBSVM's text."""

    def __init__(
        self,
        core: _core.SvmModel,
        pairs: Table | None = None,
        columns: int | None = None,
        support: NDArray[numpy.uint32] | None = None,
    ) -> None:
        self._core = core
        self._columns = columns  # number of columns of the training rows; None if the model came from LIBSVM's text, which lacks it
        self.pairs = pairs  #: objective, iterations and gap of the training of each pair of classes; None for a model that was read
        self.support = support  #: the training row of each support vector, in the order of `classes`; None for a model that was read

    @classmethod
    def from_libsvm(cls, text: str, name: str = "the model") -> SvmModel:
        """Reads a model that LIBSVM's svm-train or to_libsvm() wrote. Raises InputError, which names the line."""
        return cls(_core.SvmModel.from_libsvm(text, name))

    def to_libsvm(self) -> str:
        """The model in the text format of LIBSVM's programs."""
        return self._core.to_libsvm()

    def classify(self, rows: ArrayLike, **options: Unpack[Options]) -> NDArray[numpy.float64]:
        """Predicts the label of each row: the class that wins the most pairs, and the first of the classes that tie.

        Raises InputError for NaN and infinity; UsageError if the rows do not have the width of the training rows. A model
        read from LIBSVM's text does not know that width: its rows need at least as many columns as its support vectors.
        """
        return self._classify(rows, options)[0]

    def decisions(self, rows: ArrayLike, **options: Unpack[Options]) -> NDArray[numpy.float64]:
        """The decision values, (rows, pairs). A value above 0 is a vote for the first class of its pair. The pairs are (0, 1),
        (0, 2), ..., (1, 2), ..."""
        return self._classify(rows, options)[1]

    def _classify(
        self, rows: ArrayLike, options: Options
    ) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64]]:
        given = matrix(rows, "rows")
        width = given.shape[1]
        if self._columns is not None and width != self._columns:
            raise UsageError(f"rows has {width} columns, those of the training had {self._columns}; both need the same")
        if width < self._core.columns():
            raise UsageError(f"rows has {width} columns, the support vectors have {self._core.columns()}; give no fewer")
        with settings(options) as how:
            answer = self._core.classify(given, how)
        return answer[0], answer[1]

    @property
    def classes(self) -> NDArray[numpy.float64]:
        """The labels of the classes."""
        classes: NDArray[numpy.float64] = self._core.classes()
        return classes

    def __reduce__(self) -> tuple[object, tuple[str, int | None]]:
        return _unpickled, (self.to_libsvm(), self._columns)


def _unpickled(text: str, columns: int | None) -> SvmModel:
    return SvmModel(_core.SvmModel.from_libsvm(text, "the model"), columns=columns)


def _numbers_of_labels(labels: ArrayLike, rows: int) -> NDArray[numpy.float64]:
    """The labels as float64. Raises UsageError if two labels would become the same number."""
    import numpy

    array = label_of_each(labels, rows)
    if array.dtype.kind not in "biufO":
        raise UsageError(f"labels holds {array.dtype}; give numbers, such as numpy.unique(labels, return_inverse=True)[1]")
    try:
        numbers = numpy.ascontiguousarray(array, numpy.float64)
    except (TypeError, ValueError, OverflowError) as problem:
        raise UsageError(f"labels holds what is no number: {problem}") from problem
    if array.dtype.kind in "iu" and rows > 0 and numpy.abs(numbers).max() >= 2.0**53:
        raise UsageError("labels holds whole numbers of 2**53 or more, which float64 does not keep apart; number the classes from 0 on")
    return numbers


@old_keywords("epsilon", "max_iterations", "weights")
def svmtrain(
    rows: ArrayLike,
    labels: ArrayLike,
    *,
    c: float = 1.0,
    kernel: Literal["linear", "polynomial", "rbf", "sigmoid"] = "rbf",
    gamma: float | None = None,
    coef0: float = 0.0,
    degree: int = 3,
    tol: float = 1e-3,
    class_weight: Mapping[float, float] | None = None,
    max_iter: int = 0,
    cache_bytes: int = 0,
    **options: Unpack[Options],
) -> SvmModel:
    """Trains C-SVC on rows, (n, d), with labels, (n,), which may be any finite numbers, one classifier for each pair of
    classes.

    The defaults are LIBSVM's. `gamma` None is 1 / d. `tol`, LIBSVM's epsilon, is the largest accepted violation of the
    optimum. `class_weight` multiplies `c` for the rows of a label. `cache_bytes` 0 is a quarter of the free memory.

    Training computes kernel values in float32. At the end it computes objective, rho and gap of `pairs` in float64 from
    the given rows, so that they are right whatever the scale of the columns. A ConvergenceWarning says that the gap of a
    pair stayed above `tol`, because `max_iter` iterations (0: LIBSVM's limit, 10,000,000 or 100 a row) were not enough.

    Raises InputError for NaN and infinity. Source: Fan, Chen & Lin 2005; Catanzaro, Sundaram & Keutzer, ICML 2008.
    """
    given = matrix(rows, "rows")
    with settings(options) as how:
        core, support, pairs, report = _core.svmtrain(
            given,
            _numbers_of_labels(labels, len(given)),
            real("c", c), word("kernel", kernel), None if gamma is None else real("gamma", gamma), real("coef0", coef0),
            whole("degree", degree, most=2**31 - 1), real("tol", tol), dict(class_weight or {}),
            whole("max_iter", max_iter), whole("cache_bytes", cache_bytes), how,
        )  # fmt: skip
    model = SvmModel(core, Table(pairs, Report(report)), given.shape[1], support)
    if problem := convergence_problem(model, tol):
        warn(problem, ConvergenceWarning)
    return model


def convergence_problem(model: SvmModel, tol: float) -> str:
    """The text of a warning if the training of a pair did not converge; empty if all pairs did."""
    pairs: Any = model.pairs
    left = pairs["gap"] >= tol
    if not left.any():
        return ""
    return (
        f"{int(left.sum())} of {len(left)} pairs of classes did not converge: the largest gap is {pairs['gap'].max():.3g} instead"
        f" of {tol:g} after {int(pairs['iterations'].max())} iterations; scale the columns, or allow more iterations"
    )
