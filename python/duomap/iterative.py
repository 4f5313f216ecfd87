"""Jobs that compute over the same data again and again: k-means and logistic regression over slices of points.

A step computes something of each slice with duomap's functions, and adds the answers up; the next step begins with what
came of it. `step(compute, state)` does one over all slices, wherever they are: that of duomap.dask.Resident on a cluster.
`threads` and `gpus` are those of duomap.Options, wherever a slice is computed. The caller's thread calls
`progress(steps, most steps)` after each step; an exception in it ends the job.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from duomap._number_functions import knn, matmul

if TYPE_CHECKING:
    import numpy
    from numpy.typing import ArrayLike, NDArray

    Step = Callable[[Callable[[Any, Any], "Sums"], Any], "Sums"]
    Progress = Callable[[int, int], object]

_BLOCK = 1 << 16


class Sums(tuple[Any, ...]):
    """Numbers and arrays that are added up one by one."""

    def __add__(self, other: tuple[Any, ...]) -> Sums:
        return Sums(one + two for one, two in zip(self, other, strict=True))


class Centres(NamedTuple):
    """What kmeans() found. `sizes` and `inertia` are those of the centres before the last move."""

    centres: NDArray[numpy.float64]  #: (k, d)
    sizes: NDArray[numpy.int64]  #: (k,)
    inertia: float
    iterations: int
    converged: bool  #: before the largest number of iterations


def cluster_sums(
    points: ArrayLike, centres: NDArray[numpy.float64], threads: int = 0, gpus: Sequence[int] | None = None
) -> Sums:
    """Of the points (n, d) of a slice by their nearest centre: sums (k, d) and numbers (k,), and the inertia."""
    import numpy

    rows = numpy.asarray(points)
    nearest = knn(centres.astype(rows.dtype), rows, 1, threads=threads, gpus=gpus)
    labels, count = nearest.indices[:, 0], len(centres)
    sums = [numpy.bincount(labels, weights=column, minlength=count) for column in rows.T]
    return Sums((numpy.stack(sums, 1), numpy.bincount(labels, minlength=count), float((nearest.distances**2).sum())))


def kmeans(step: Step, init: ArrayLike, *, max_iter: int = 300, tol: float = 0.0, threads: int = 0,
           gpus: Sequence[int] | None = None, progress: Progress | None = None) -> Centres:
    """Lloyd's algorithm from the centres `init`, (k, d), over slices that are arrays (n, d).

    It ends when the squares of what the centres moved by add up to at most `tol`, or after `max_iter` steps. A centre
    without points stays where it is. The same slices give the same bits, whatever was computed twice.
    """
    import numpy

    centres = numpy.array(init, numpy.float64)
    compute = functools.partial(cluster_sums, threads=threads, gpus=gpus)
    for iteration in range(1, max_iter + 1):
        sums, sizes, inertia = step(compute, centres)
        moved = numpy.where(sizes[:, None] > 0, sums / numpy.maximum(sizes, 1)[:, None], centres)
        distance = float(((moved - centres) ** 2).sum())
        centres = moved
        if progress is not None:
            progress(iteration, max_iter)
        if distance <= tol:
            return Centres(centres, sizes, float(inertia), iteration, True)
    return Centres(centres, sizes, float(inertia), max_iter, False)


class Logistic(NamedTuple):
    """What logistic_regression() found: the probability of label 1 is 1 / (1 + exp(-(x @ weights + intercept)))."""

    weights: NDArray[numpy.float64]  #: (d,)
    intercept: float
    loss: float  #: the sum of all rows' and the penalty
    iterations: int
    converged: bool


def logistic_sums(rows: tuple[ArrayLike, ArrayLike], weights: NDArray[numpy.float64], threads: int = 0,
                  gpus: Sequence[int] | None = None) -> Sums:
    """Of a slice, points (n, d) and labels 0 or 1, with d weights and the intercept: loss, gradient and second derivatives."""
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

    `penalty` times half the weights' squares is added to the loss; the intercept is free. A step that makes the loss
    larger is halved. It ends when no part of the gradient is larger than `tol` times the first one's largest, or after
    `max_iter` steps. The same slices give the same bits, whatever was computed twice.
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
