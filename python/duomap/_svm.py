"""Support vector machines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from duomap import _core
from duomap._arrays import label_of_each, matrix
from duomap._errors import UsageError
from duomap._options import Options, real, settings, whole, word
from duomap._table import Report, Table

if TYPE_CHECKING:
    from typing import Literal

    import numpy
    from numpy.typing import ArrayLike, NDArray
    from typing_extensions import Unpack


class SvmModel:
    """A trained support vector machine. Pickles as LIBSVM's text."""

    def __init__(self, core: _core.SvmModel, pairs: Table | None = None, columns: int | None = None) -> None:
        self._core = core
        self._columns = columns  # of the rows it was trained on; LIBSVM's text does not say it
        self.pairs = pairs  #: what training each pair of classes took; None of a model that was read

    @classmethod
    def from_libsvm(cls, text: str, name: str = "the model") -> SvmModel:
        """A model of LIBSVM's svm-train or of to_libsvm(). Raises InputError naming the line."""
        return cls(_core.SvmModel.from_libsvm(text, name))

    def to_libsvm(self) -> str:
        """The model as LIBSVM's programs read it."""
        return self._core.to_libsvm()

    def classify(self, rows: ArrayLike, **options: Unpack[Options]) -> NDArray[numpy.float64]:
        """The label of each row: that of most pairs of classes, of equal ones the first.

        Raises InputError for NaN and infinity; UsageError for rows of another width than those of the training. Of a
        model in LIBSVM's text only the support vectors are known: rows have no fewer columns than these.
        """
        return self._classify(rows, options)[0]

    def decisions(self, rows: ArrayLike, **options: Unpack[Options]) -> NDArray[numpy.float64]:
        """(rows, pairs): above 0 for the first class of the pair; pairs are (0, 1), (0, 2), ..., (1, 2), ..."""
        return self._classify(rows, options)[1]

    def _classify(
        self, rows: ArrayLike, options: Options
    ) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64]]:
        import numpy

        given = matrix(rows, "rows", numpy.float32)
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
        """The labels."""
        classes: NDArray[numpy.float64] = self._core.classes()
        return classes

    def __reduce__(self) -> tuple[object, tuple[str, int | None]]:
        return _unpickled, (self.to_libsvm(), self._columns)


def _unpickled(text: str, columns: int | None) -> SvmModel:
    return SvmModel(_core.SvmModel.from_libsvm(text, "the model"), columns=columns)


def _numbers_of_labels(labels: ArrayLike, rows: int) -> NDArray[numpy.float64]:
    """Of two different labels the numbers are different, too."""
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


def svm_train(
    rows: ArrayLike,
    labels: ArrayLike,
    *,
    c: float = 1.0,
    kernel: Literal["linear", "polynomial", "rbf", "sigmoid"] = "rbf",
    gamma: float | None = None,
    coef0: float = 0.0,
    degree: int = 3,
    epsilon: float = 1e-3,
    weights: Mapping[float, float] | None = None,
    max_iterations: int = 0,
    cache_bytes: int = 0,
    **options: Unpack[Options],
) -> SvmModel:
    """Trains C-SVC on rows, (n, d), computed in float32, with labels, (n,), any finite numbers; pairs of classes one
    against one. The names and defaults are LIBSVM's: `gamma` None is 1 / d, `epsilon` is how much the optimum may be
    violated, `weights` multiply `c` for the rows of a label. `cache_bytes` 0 is a quarter of the free memory.

    Raises InputError for NaN and infinity. Source: Fan, Chen & Lin 2005; Catanzaro, Sundaram & Keutzer, ICML 2008.
    """
    import numpy

    given = matrix(rows, "rows", numpy.float32)
    with settings(options) as how:
        core, pairs, report = _core.svm_train(
            given,
            _numbers_of_labels(labels, len(given)),
            real("c", c), word("kernel", kernel), None if gamma is None else real("gamma", gamma), real("coef0", coef0),
            whole("degree", degree, most=2**31 - 1), real("epsilon", epsilon), dict(weights or {}),
            whole("max_iterations", max_iterations), whole("cache_bytes", cache_bytes), how,
        )  # fmt: skip
    return SvmModel(core, Table(pairs, Report(report)), given.shape[1])
