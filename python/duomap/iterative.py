"""Jobs that compute over the same data again and again: k-means and logistic regression over slices of points.

A step computes an answer for each slice with duomap's functions and adds up the answers. Their sum gives the state with
which the next step begins. The caller provides `step(compute, state)`, which does one step over all slices wherever they
are; on a cluster it is the method of duomap.dask.Resident. `threads` and `gpus` are those of duomap.Options, on each
machine that computes a slice. The caller's thread calls `progress(steps, most steps)` after each step; an exception in it
ends the job.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from duomap._number_functions import knn, matmul
from duomap._old_names import old_attribute, old_keywords, old_name

if TYPE_CHECKING:
    import numpy
    from numpy.typing import ArrayLike, NDArray

    Step = Callable[[Callable[[Any, Any], "Sums"], Any], "Sums"]
    Progress = Callable[[int, int], object]

_BLOCK = 1 << 16


class Sums(tuple[Any, ...]):
    """A tuple of numbers and arrays. `+` adds two such tuples element by element."""

    def __add__(self, other: tuple[Any, ...]) -> Sums:
        return Sums(one + two for one, two in zip(self, other, strict=True))


class Centers(NamedTuple):
    """The result of kmeans(). `sizes` and `inertia` belong to the centers before their last move."""

    centers: NDArray[numpy.float64]  #: (k, d)
    sizes: NDArray[numpy.int64]  #: (k,)
    inertia: float
    iterations: int
    converged: bool  #: whether the job reached `tol` within `max_iter` steps

    @property
    def centres(self) -> NDArray[numpy.float64]:
        """The old name of `centers`."""
        return old_attribute(self, "centres", self.centers)


@old_keywords("centres")
def cluster_sums(
    points: ArrayLike, centers: NDArray[numpy.float64], threads: int = 0, gpus: Sequence[int] | None = None
) -> Sums:
    """For the points (n, d) of a slice: their sums (k, d) and numbers (k,) by nearest center, and their inertia."""
    import numpy

    rows = numpy.asarray(points)
    nearest = knn(centers.astype(rows.dtype), rows, 1, threads=threads, gpus=gpus)
    labels, count = nearest.indices[:, 0], len(centers)
    sums = [numpy.bincount(labels, weights=column, minlength=count) for column in rows.T]
    return Sums((numpy.stack(sums, 1), numpy.bincount(labels, minlength=count), float((nearest.distances**2).sum())))


def kmeans(step: Step, init: ArrayLike, *, max_iter: int = 300, tol: float = 0.0, threads: int = 0,
           gpus: Sequence[int] | None = None, progress: Progress | None = None) -> Centers:
    """Lloyd's algorithm over slices that are arrays (n, d). The first centers are `init`, (k, d).

    It ends after `max_iter` steps, or when the sum of the squared movements of all centers is at most `tol`. A center
    without points stays in its place. The same slices give the same bits, even if some were computed twice.
    """
    import numpy

    centers = numpy.array(init, numpy.float64)
    compute = functools.partial(cluster_sums, threads=threads, gpus=gpus)
    for iteration in range(1, max_iter + 1):
        sums, sizes, inertia = step(compute, centers)
        moved = numpy.where(sizes[:, None] > 0, sums / numpy.maximum(sizes, 1)[:, None], centers)
        distance = float(((moved - centers) ** 2).sum())
        centers = moved
        if progress is not None:
            progress(iteration, max_iter)
        if distance <= tol:
            return Centers(centers, sizes, float(inertia), iteration, True)
    return Centers(centers, sizes, float(inertia), max_iter, False)


class Logistic(NamedTuple):
    """The result of logistic_regression(). The probability of label 1 is 1 / (1 + exp(-(x @ weights + intercept)))."""

    weights: NDArray[numpy.float64]  #: (d,)
    intercept: float
    loss: float  #: the sum of the losses of all rows and of the penalty
    iterations: int
    converged: bool


def logistic_sums(rows: tuple[ArrayLike, ArrayLike], weights: NDArray[numpy.float64], threads: int = 0,
                  gpus: Sequence[int] | None = None) -> Sums:
    """Loss, gradient and second derivatives for a slice: points (n, d) and labels 0 or 1. `weights` are d weights and the
    intercept."""
    import numpy

    points, labels = (numpy.asarray(part) for part in rows)
    loss, gradient, curvature = 0.0, numpy.zeros(len(weights)), numpy.zeros((len(weights), len(weights)))
    product = functools.partial(matmul, deterministic=True, threads=threads, gpus=gpus)
    for first in range(0, len(points), _BLOCK):
        block = points[first:first + _BLOCK]
        x = numpy.column_stack([block, numpy.ones(len(block))])
        y = labels[first:first + _BLOCK]
        z = product(x, weights[:, None])[:, 0]
        p = numpy.exp(-numpy.logaddexp(0.0, -z))
        loss += float((numpy.logaddexp(0.0, z) - y * z).sum())
        gradient += product((p - y)[None, :], x)[0]
        curvature += product((x * (p * (1 - p))[:, None]).T, x)
    return Sums((loss, gradient, curvature))


def logistic_regression(step: Step, columns: int, *, penalty: float = 1.0, max_iter: int = 100, tol: float = 1e-8,
                        threads: int = 0, gpus: Sequence[int] | None = None, progress: Progress | None = None) -> Logistic:
    """Newton's method over slices that are pairs: points (n, columns) and labels 0 or 1.

    The loss includes `penalty` times half the sum of the squared weights; the intercept has no penalty. A step that
    increases the loss is halved. The job ends after `max_iter` steps, or when the largest component of the gradient is at
    most `tol` times that of the first gradient. The same slices give the same bits, even if some were computed twice.
    """
    import numpy

    ridge = numpy.append(numpy.full(columns, penalty), 0.0)
    compute = functools.partial(logistic_sums, threads=threads, gpus=gpus)
    best = weights = numpy.zeros(columns + 1)
    lowest, target = numpy.inf, 0.0
    for iteration in range(1, max_iter + 1):
        loss, gradient, curvature = step(compute, weights)
        if progress is not None:
            progress(iteration, max_iter)
        loss = float(loss + (ridge * weights**2).sum() / 2)
        if loss > lowest * (1 + 1e-12):
            weights = (weights + best) / 2
            continue
        best, lowest = weights, loss
        gradient = gradient + ridge * weights
        largest = float(numpy.abs(gradient).max())
        target = target or tol * largest
        if largest <= target:
            return Logistic(best[:-1], float(best[-1]), lowest, iteration, True)
        weights = best - numpy.linalg.lstsq(curvature + numpy.diag(ridge), gradient, rcond=None)[0]
    return Logistic(best[:-1], float(best[-1]), lowest, max_iter, False)


if not TYPE_CHECKING:  # a type checker that saw __getattr__ would accept every name

    def __getattr__(name: str) -> object:
        return old_name(__name__, name)
