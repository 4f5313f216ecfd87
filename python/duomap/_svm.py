"""Support vector machines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from duomap import _core
from duomap._arrays import matrix
from duomap._options import Options, settings
from duomap._table import Report, Table

if TYPE_CHECKING:
    from typing import Literal

    import numpy
    from numpy.typing import ArrayLike, NDArray
    from typing_extensions import Unpack


class SvmModel:
    """A trained support vector machine. Pickles as LIBSVM's text."""

    def __init__(self, core: _core.SvmModel, pairs: Table | None = None) -> None:
        self._core = core
        self.pairs = pairs  #: what training each pair of classes took; None of a model that was read

    @classmethod
    def from_libsvm(cls, text: str, name: str = "the model") -> SvmModel:
        """A model of LIBSVM's svm-train or of to_libsvm(). Raises InputError naming the line."""
        return cls(_core.SvmModel.from_libsvm(text, name))

    def to_libsvm(self) -> str:
        """The model as LIBSVM's programs read it."""
        return self._core.to_libsvm()

    def classify(self, rows: ArrayLike, **options: Unpack[Options]) -> NDArray[numpy.float64]:
        """The label of each row: that of most pairs of classes, of equal ones the first."""
        return self._classify(rows, options)[0]

    def decisions(self, rows: ArrayLike, **options: Unpack[Options]) -> NDArray[numpy.float64]:
        """(rows, pairs): above 0 for the first class of the pair; pairs are (0, 1), (0, 2), ..., (1, 2), ..."""
        return self._classify(rows, options)[1]

    def _classify(
        self, rows: ArrayLike, options: Options
    ) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64]]:
        import numpy

        with settings(options) as how:
            answer = self._core.classify(matrix(rows, "rows", numpy.float32), how)
        return answer[0], answer[1]

    @property
    def classes(self) -> NDArray[numpy.float64]:
        """The labels."""
        classes: NDArray[numpy.float64] = self._core.classes()
        return classes

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return SvmModel.from_libsvm, (self.to_libsvm(),)


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

    with settings(options) as how:
        core, pairs, report = _core.svm_train(
            matrix(rows, "rows", numpy.float32),
            numpy.ascontiguousarray(labels, numpy.float64),
            c, kernel, gamma, coef0, degree, epsilon, dict(weights or {}), max_iterations, cache_bytes, how,
        )  # fmt: skip
    return SvmModel(core, Table(pairs, Report(report)))
