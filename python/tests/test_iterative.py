"""Iterative jobs over slices, in one process and on a Dask cluster whose workers are killed."""

import functools
import os
import signal

import numpy
import pytest

import duomap
from duomap import dask, iterative

PARTS, ROWS = 10, 2000  # more slices than one Dask task adds up (fan_in)
MIDDLES = numpy.array([[0, 0, 0], [9, 0, 0], [0, 9, 0], [0, 0, 9]], float)
START = MIDDLES + [[3, 1, 2], [-1, 2, 3], [2, -2, 2], [4, 3, -1]]


def points_of(part):
    draw = numpy.random.default_rng(part)
    return (MIDDLES[draw.integers(0, 4, ROWS)] + draw.normal(size=(ROWS, 3)) * 2).astype("f4")


def labelled(part):
    points = points_of(part)
    chance = 1 / (1 + numpy.exp(2 - points @ [0.5, -0.3, 0.2]))
    return points, (numpy.random.default_rng(100 + part).random(ROWS) < chance).astype("f8")


def in_this_process(load, parts=PARTS):
    slices = [load(part) for part in range(parts)]
    return lambda compute, state: functools.reduce(lambda one, two: one + two, (compute(s, state) for s in slices))


def test_kmeans_is_that_of_one_process():
    found = iterative.kmeans(in_this_process(points_of), START, max_iter=100, threads=1)
    whole = duomap.kmeans(numpy.concatenate([points_of(part) for part in range(PARTS)]), 4, init=START, tol=0.0, threads=1)
    assert found.converged and found.sizes.sum() == PARTS * ROWS
    assert found.sizes.tolist() == whole.sizes.tolist()
    assert found.centers == pytest.approx(whole.centers, rel=1e-6)
    assert found.inertia == pytest.approx(whole.inertia, rel=1e-6)


def test_each_step_is_told():
    seen = []
    tell = lambda done, total: seen.append((done, total))  # noqa: E731
    found = iterative.kmeans(in_this_process(points_of), START, max_iter=3, threads=1, progress=tell)
    assert seen == [(i, 3) for i in range(1, found.iterations + 1)]
    seen.clear()
    found = iterative.logistic_regression(in_this_process(labelled), 3, threads=1, progress=tell)
    assert seen == [(i, 100) for i in range(1, found.iterations + 1)]


def test_a_center_without_points_stays():
    far = numpy.append(START, [[500.0, 500, 500]], axis=0)
    found = iterative.kmeans(in_this_process(points_of), far, max_iter=3, threads=1)
    assert found.centers[4].tolist() == [500, 500, 500] and found.sizes[4] == 0 and found.iterations == 3


def test_logistic_regression_is_that_of_scikit_learn():
    linear = pytest.importorskip("sklearn.linear_model")
    rows, labels = (numpy.concatenate(column) for column in zip(*map(labelled, range(PARTS)), strict=True))
    for penalty in (1.0, 1000.0):
        found = iterative.logistic_regression(in_this_process(labelled), 3, penalty=penalty, threads=1)
        other = linear.LogisticRegression(C=1 / penalty, solver="newton-cholesky", tol=1e-10).fit(rows.astype("f8"), labels)
        assert found.converged and found.iterations < 12
        assert found.weights == pytest.approx(other.coef_[0], rel=1e-6)
        assert found.intercept == pytest.approx(other.intercept_[0], rel=1e-6)


def test_logistic_regression_of_rows_that_a_plane_divides():
    points = numpy.linspace(-1, 1, 200)[:, None]
    labels = (points[:, 0] > 0).astype("f8")
    found = iterative.logistic_regression(in_this_process(lambda part: (points, labels), 1), 1, penalty=1e-4, threads=1)
    assert found.converged
    assert (((points[:, 0] * found.weights[0] + found.intercept) > 0) == (labels > 0)).all()


class KilledInTheMiddle:
    """Does the steps of a job. Kills a worker before the second and the fourth step."""

    def __init__(self, slices, client):
        self.slices, self.client, self.done = slices, client, 0

    def __call__(self, compute, state):
        self.done += 1
        if self.done in (2, 4):
            os.kill(next(iter(self.client.run(os.getpid).values())), signal.SIGKILL)
        return self.slices.step(compute, state)


@pytest.mark.parametrize("load, job", [
    (points_of, functools.partial(iterative.kmeans, init=START, max_iter=12, threads=1)),
    (labelled, functools.partial(iterative.logistic_regression, columns=3, threads=1)),
], ids=["kmeans", "logistic_regression"])
def test_a_worker_that_is_killed_between_steps(client, load, job):
    """The answer has the same bits as without a lost worker."""
    whole = job(dask.Resident(client, load, PARTS).step)
    lost = KilledInTheMiddle(dask.Resident(client, load, PARTS), client)
    found = job(lost)
    assert lost.done >= 5
    for one, other in zip(whole, found, strict=True):
        assert numpy.array_equal(one, other)


def test_what_is_refused(client):
    with pytest.raises(ValueError, match="at least 1"):
        dask.Resident(client, points_of, 0)
    with pytest.raises(ValueError, match="fan_in"):
        dask.Resident(client, points_of, 3).step(iterative.cluster_sums, START, fan_in=1)
