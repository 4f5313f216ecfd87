"""The applications over arrays of numbers."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from duomap import _core
from duomap._arrays import label_of_each, matrix, pair
from duomap._gpu_arrays import address_of_room, is_gpu, require_float32, results
from duomap._errors import UsageError
from duomap._options import Options, character, flag, one_of, real, settings, whole, word, words
from duomap._table import Report, Table

if TYPE_CHECKING:
    import numpy
    from numpy.typing import ArrayLike, NDArray
    from typing_extensions import Unpack

    from duomap._texts import Path


#: Of arrays that a function returns: "numpy", or "same" as the array that it got, in the same memory.
Output = Literal["numpy", "same"]


class Clusters(NamedTuple):
    """What kmeans() found."""

    centres: NDArray[numpy.float64]  #: (k, d)
    sizes: NDArray[numpy.uint64]  #: (k,): points whose nearest centre it is
    labels: NDArray[numpy.uint32] | None  #: (n,): the row of each point's centre, if asked for
    inertia: float  #: squared distances of all points to their centres, added up
    iterations: int
    converged: bool  #: before the largest number of iterations
    report: Report


def kmeans(
    points: ArrayLike,
    k: int = 8,
    *,
    init: Literal["k-means++", "random"] | ArrayLike = "k-means++",
    max_iter: int = 300,
    tol: float = 1e-4,
    seed: int = 0,
    labels: bool = True,
    output: Output = "numpy",
    **options: Unpack[Options],
) -> Clusters:
    """Divides points, (n, d), into k clusters, each point in that of the nearest centre (Lloyd's algorithm).

    `init` is how the centres begin, or an array (k, d) of them. The end is reached when the squares of what the centres
    moved by add up to at most `tol` times the mean of the columns' variances, or after `max_iter` iterations. The answer
    has the same bits for any threads, devices and split. float64 is computed on the CPU alone.

    Points in the memory of a GPU (float32, of PyTorch or CuPy) stay there, and that GPU does all of it. output="same" makes
    the arrays of the result as `points` is.

    Raises InputError naming the first row with NaN or infinity; UsageError for fewer points than clusters.
    Source: Lloyd, IEEE Transactions on Information Theory 28, 1982; Arthur & Vassilvitskii, SODA 2007.
    """
    import numpy

    given = None
    if isinstance(init, str):
        one_of("init", init, ("k-means++", "random"))
    else:
        given = matrix(init, "init", numpy.float64)
    made = results(output, points)
    data = matrix(points, "points", gpu=True)
    require_float32(data, "points", "k-means")
    room = made.room([data.rows], "uint32") if labels and is_gpu(points) else None
    with settings(options) as how:
        centres, sizes, of_row, inertia, iterations, converged, report = _core.kmeans(
            data, whole("k", k, most=2**32 - 1), given, isinstance(init, str) and init == "random",
            whole("max_iter", max_iter, most=2**32 - 1), real("tol", tol), whole("seed", seed), flag("labels", labels),
            address_of_room(room), how,
        )
    found = of_row if room is None else room
    return Clusters(
        made.of(centres), made.of(sizes), found if labels else None, inertia, iterations, converged, Report(report)
    )


class Neighbours(NamedTuple):
    """What knn() found. Nearest first; of equally near rows the one with the smaller index."""

    distances: NDArray[numpy.float64]  #: (queries, k), Euclidean
    indices: NDArray[numpy.int64]  #: (queries, k), rows of the training set
    predicted: NDArray[Any] | None  #: (queries,): the label that most neighbours have, if there are labels
    report: Report


def knn(
    training: ArrayLike,
    queries: ArrayLike,
    k: int = 5,
    *,
    labels: ArrayLike | None = None,
    output: Output = "numpy",
    **options: Unpack[Options],
) -> Neighbours:
    """The k rows of `training`, (n, d), that are nearest to each row of `queries`, (m, d), and what they vote for.

    Exact: the same bits on every device. `labels`, (n,), may be of any type that sorts. Of labels with as many votes
    the one with the nearest neighbour wins. float64 is computed on the CPU alone.

    Rows in the memory of a GPU, both float32, stay there, and that GPU does all of it. output="same" makes the arrays of the
    result as `queries` is; `labels`, and what they vote for, stay in host memory.

    Raises InputError naming a row with NaN or infinity, UsageError when squared distances are too large for float64.
    Source: Chen & Agrawal, HPDC 2012, section 5.
    """
    import numpy

    made = results(output, queries)
    known, asked = pair(training, "training", queries, "queries")
    require_float32(known, "training", "nearest neighbours")
    names: Any = None
    codes: NDArray[numpy.uint32] | None = None
    if is_gpu(labels):
        raise UsageError("labels is in GPU memory, and votes are counted on the host; copy it to host memory")
    if labels is not None:
        given = label_of_each(labels, known.rows if is_gpu(training) else len(known))
        try:
            names, inverse = numpy.unique(given, return_inverse=True)
        except TypeError as problem:
            raise UsageError(f"labels cannot be sorted: {problem}; give numbers or texts, and no None") from problem
        codes = numpy.ascontiguousarray(inverse, numpy.uint32)
    with settings(options) as how:
        distances, indices, votes, report = _core.knn(known, asked, whole("k", k, most=2**32 - 1), codes, how)
    return Neighbours(made.of(distances), made.of(indices), None if names is None else names[votes], Report(report))


class Components(NamedTuple):
    """What pca() found, in float64."""

    axes: NDArray[numpy.float64]  #: (k, d): axes of length 1, of the largest variance first
    variance: NDArray[numpy.float64]  #: (k,): along each axis; the eigenvalues
    share: NDArray[numpy.float64]  #: (k,): of the variance of all columns
    mean: NDArray[numpy.float64]  #: (d,): of each column
    deviation: NDArray[numpy.float64]  #: (d,): what each column is divided by: 1 unless correlation=True
    covariance: NDArray[numpy.float64]  #: (d, d): divided by rows - 1
    report: Report


def pca(
    rows: ArrayLike, components: int = 0, *, correlation: bool = False, output: Output = "numpy", **options: Unpack[Options]
) -> Components:
    """The axes along which rows, (n, d), vary most; `components` of them, or all if it is 0.

    correlation=True divides each column by its standard deviation first. deterministic=True gives the same bits for any
    threads, devices and split. Rows in the memory of a GPU stay there; output="same" makes the arrays of the result as
    `rows` is.

    Raises InputError naming a row with NaN or infinity. Source: Pearson 1901; Hotelling 1933.
    """
    made = results(output, rows)
    with settings(options) as how:
        *arrays, report = _core.pca(matrix(rows, "rows", gpu=True), whole("components", components, most=2**32 - 1), flag("correlation", correlation), how)
    axes, variance, share, mean, deviation, covariance = map(made.of, arrays)
    return Components(axes, variance, share, mean, deviation, covariance, Report(report))


def matmul(
    left: ArrayLike, right: ArrayLike, *, tf32: bool = False, output: Output = "numpy", **options: Unpack[Options]
) -> NDArray[Any]:
    """The product of two matrices, (m, k) and (k, n), float32 or, if one of them is, float64.

    An element of k terms is wrong by at most about k * 2**-24 (2**-53) times the sum of their sizes.
    deterministic=True adds in the same order on CPUs and GPUs. tf32=True lets GPUs round the factors to 11 bits.
    Factors in the memory of a GPU stay there; output="same" makes the product as `left` is, in that memory.

    Raises UsageError for shapes that do not fit. Source: Mars; He et al., PACT 2008, section 5.
    """
    made = results(output, left)
    first, second = pair(left, "left", right, "right")
    with settings(options) as how:
        if not is_gpu(left):
            product: NDArray[Any] = _core.matmul(first, second, flag("tf32", tf32), how)[0]
            return product
        dtype = "float64" if isinstance(first, _core.GpuDoubles) else "float32"
        room = made.room([first.rows, second.columns], dtype)
        product = _core.gpu_matmul(first, second, flag("tf32", tf32), address_of_room(room), how)[0]
        return product if room is None else room


def similarity(
    vectors: ArrayLike, *, threshold: float | None = None, top: int = 10, **options: Unpack[Options]
) -> Table:
    """Which rows of `vectors`, (n, d), point in nearly the same direction. Computed in float32.

    With `threshold` each pair of at least that cosine, first < second; else for each row the `top` others of the largest
    cosine, best first. A row of zeros has the cosine 0 with every other.

    Columns: first, second (rows, from 0), cosine.
    Raises InputError naming a row with NaN or infinity. Source: Mars; He et al., PACT 2008, section 5.
    """
    import numpy

    least = None if threshold is None else real("threshold", threshold)
    with settings(options) as how:
        columns, report = _core.similarity(matrix(vectors, "vectors", numpy.float32), least, whole("top", top), how)
    return Table(columns, Report(report))


class Numbers(NamedTuple):
    """What read_table() read."""

    values: NDArray[Any]  #: (rows, columns), read-only; over the file's own pages where it is .npy
    names: list[str]  #: of the columns, if the file has some
    classes: list[str]  #: the different labels
    label_of_row: NDArray[numpy.uint32]  #: (rows,): the index of each row's label in `classes`
    dropped: int  #: rows that were left out
    first_dropped: str  #: where the first of them is, and why


def read_table(
    path: Path,
    *,
    dtype: Literal["float32", "float64"] = "float32",
    label: str = "",
    columns: Sequence[str] = (),
    leave_out: Sequence[str] = (),
    header: bool | None = None,
    delimiter: str | None = None,
    bad_rows: Literal["error", "drop"] = "error",
    encode: bool = False,
    **options: Unpack[Options],
) -> Numbers:
    """Reads numbers with all cores: CSV, TSV, .npy, LIBSVM text, IDX, each also compressed.

    A column is named by its name in the header, its number from 1 on, or "last". `label` is the column of the labels.
    `encode` makes texts numbers. `bad_rows` with a missing value or a wrong length are an error that names the line, or
    dropped and counted.

    Raises InputError naming file, line and column.
    """
    one_of("dtype", dtype, ("float32", "float64"))
    drop = one_of("bad_rows", bad_rows, ("error", "drop")) == "drop"
    read = _core.read_table_float32 if dtype == "float32" else _core.read_table_float64
    with settings(options) as how:
        return Numbers(
            *read(os.fsencode(path), word("label", label), words("columns", columns), words("leave_out", leave_out),
                None if header is None else flag("header", header), character("delimiter", delimiter), drop, flag("encode", encode), how)
        )
