"""Tables of many shapes, and the comparison of duomap's results with scikit-learn's and NumPy's."""

import numpy

def tables(dtype):
    """Tables of numbers by name. The name says what is special about the table."""
    draw = numpy.random.default_rng(20260102)

    def normal(rows, columns):
        return draw.normal(size=(rows, columns)) * numpy.linspace(1, 3, columns) + draw.normal(size=(rows, 1))

    constant = normal(30, 5)
    constant[:, [1, 4]] = [7, 0]
    found = {
        "tall": normal(150, 4),
        "wide": normal(8, 30),
        "square": normal(12, 12),
        "of rank 2": draw.normal(size=(40, 2)) @ draw.normal(size=(2, 6)) + 1,
        "wide and of rank 2": draw.normal(size=(7, 2)) @ draw.normal(size=(2, 20)),
        "with constant columns": constant,
        "with a column of all others": numpy.hstack([normal(25, 3), numpy.ones((25, 3))]).cumsum(1),
        "each row twice": numpy.repeat(normal(15, 3), 2, 0),
        "all rows equal": numpy.full((8, 3), 2.5),
        "one column": normal(40, 1),
        "one constant column": numpy.full((6, 1), -3.0),
        "one row": normal(1, 5),
        "one number": numpy.array([[4.0]]),
        "two rows": normal(2, 6),
        "far from the origin": normal(60, 4) + 1000,
        "whole numbers": draw.integers(-4, 5, (80, 3)),
        "zeros": numpy.zeros((5, 4)),
    }
    return {name: numpy.ascontiguousarray(rows, dtype) for name, rows in found.items()}


CASES = [(name, dtype) for dtype in ("f4", "f8") for name in tables("f8")]


def labels_of(rows, classes):
    """Labels by the rank of each row's first column. The labels do not sort like the ranks."""
    ranks = rows[:, 0].argsort(kind="stable").argsort() * classes // len(rows)
    return numpy.array(["m", "z", "a"])[ranks]


def squared_distances(rows, others):
    return ((rows[:, None].astype("f8") - others.astype("f8")) ** 2).sum(-1)


#: The largest accepted error of a value of magnitude 1.
ERROR = {"f4": 2e-5, "f8": 1e-9}


def require_same(mine, theirs, error, what):
    """Both have the same type and shape. Numbers may differ by `error` times the largest value."""
    if isinstance(theirs, numpy.ndarray) and theirs.ndim > 0:
        assert isinstance(mine, numpy.ndarray), what
        assert (mine.shape, mine.dtype) == (theirs.shape, theirs.dtype), what
        if theirs.dtype.kind == "f":
            largest = max([1, *numpy.abs(theirs[numpy.isfinite(theirs)])])
            numpy.testing.assert_allclose(mine, theirs, rtol=error, atol=error * largest, err_msg=what)
        else:
            numpy.testing.assert_array_equal(mine, theirs, err_msg=what)
    elif isinstance(theirs, (list, tuple)):
        assert type(mine) is type(theirs) and len(mine) == len(theirs), what
        for i, (one, other) in enumerate(zip(mine, theirs)):
            require_same(one, other, error, f"{what}[{i}]")
    elif isinstance(theirs, (float, numpy.floating)):
        assert isinstance(mine, (float, numpy.floating)), what
        assert abs(mine - theirs) <= error * max(1, abs(theirs)), what
    else:
        assert mine == theirs, what
