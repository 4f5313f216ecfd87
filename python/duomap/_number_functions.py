"""The applications over arrays of numbers."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, overload

from duomap import _core
from duomap._arrays import label_of_each, matrix, pair, warn_of_loss
from duomap._gpu_arrays import address_of_room, is_gpu, require_float32, results
from duomap._errors import UsageError
from duomap._old_names import old_attribute
from duomap._options import Options, character, flag, one_of, real, settings, whole, word, words
from duomap._table import Report, Table
from duomap._texts import open_texts

if TYPE_CHECKING:
    import numpy
    from numpy.typing import ArrayLike, NDArray
    from typing_extensions import Unpack

    from duomap._texts import Path, Texts


#: Where results go: "numpy", or "same" for the library and memory of the input.
Output = Literal["numpy", "same"]


class Clusters(NamedTuple):
    """The result of kmeans()."""

    centers: NDArray[numpy.float64]  #: (k, d)
    sizes: NDArray[numpy.uint64]  #: (k,): the number of points in each cluster
    labels: NDArray[numpy.uint32] | None  #: (n,): the index of each point's center; None if the call set labels=False
    inertia: float  #: the sum of the squared distances of all points to their centers
    iterations: int
    converged: bool  #: whether the run reached `tol` within `max_iter` iterations
    report: Report

    @property
    def centres(self) -> NDArray[numpy.float64]:
        """The old name of `centers`."""
        return old_attribute(self, "centres", self.centers)


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
    """Divides points, (n, d), into k clusters, so that each point is in the cluster of its nearest center (Lloyd's algorithm).

    `init` names the method that chooses the first centers, or is an array (k, d) of them. Iteration ends after `max_iter`
    iterations, or when the sum of the squared movements of all centers is at most `tol` times the mean of the columns'
    variances. The result has the same bits for any threads, devices and shares. Only the CPU computes float64.

    Points in GPU memory (float32, of PyTorch or CuPy) stay there, and that GPU does all the work. output="same" returns
    arrays of the library and memory of `points`.

    Raises InputError, which names the first row with NaN or infinity; UsageError for fewer points than clusters.
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
        centers, sizes, of_row, inertia, iterations, converged, loss, report = _core.kmeans(
            data, whole("k", k, 1, 2**32 - 1), given, isinstance(init, str) and init == "random",
            whole("max_iter", max_iter, most=2**32 - 1), real("tol", tol), whole("seed", seed), flag("labels", labels),
            address_of_room(room), how,
        )
    warn_of_loss("points", loss)
    found = of_row if room is None else room
    return Clusters(
        made.of(centers), made.of(sizes), found if labels else None, inertia, iterations, converged, Report(report)
    )


class Neighbors(NamedTuple):
    """The result of knn(). The nearest neighbour comes first. If rows are equally near, the row with the smaller index comes
    first."""

    distances: NDArray[numpy.float64]  #: (queries, k), Euclidean
    indices: NDArray[numpy.int64]  #: (queries, k), row numbers of the training set
    predicted: NDArray[Any] | None  #: (queries,): the most frequent label among the neighbours; None without labels
    report: Report


def knn(
    training: ArrayLike,
    queries: ArrayLike,
    k: int = 5,
    *,
    labels: ArrayLike | None = None,
    output: Output = "numpy",
    **options: Unpack[Options],
) -> Neighbors:
    """Finds the k rows of `training`, (n, d), that are nearest to each row of `queries`, (m, d), and the label they vote for.

    The search is exact, with the same bits on every device. `labels`, (n,), may be of any type that sorts. If labels tie,
    the label of the nearest neighbour among them wins. Only the CPU computes float64.

    Rows in GPU memory, both arrays float32, stay there, and that GPU does all the work. output="same" returns arrays of
    the library and memory of `queries`; `labels` and predicted labels stay in host memory.

    Raises InputError, which names a row with NaN or infinity; UsageError if float64 cannot hold the squares of both the
    largest and the smallest distances.
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
        distances, indices, votes, report = _core.knn(known, asked, whole("k", k, 1, 2**32 - 1), codes, how)
    return Neighbors(made.of(distances), made.of(indices), None if names is None else names[votes], Report(report))


class Components(NamedTuple):
    """The result of pca(), in float64."""

    axes: NDArray[numpy.float64]  #: (k, d): axes of length 1, by descending variance
    variance: NDArray[numpy.float64]  #: (k,): the variance along each axis, which is its eigenvalue
    share: NDArray[numpy.float64]  #: (k,): each axis's share of the variance of all columns
    mean: NDArray[numpy.float64]  #: (d,): the mean of each column
    deviation: NDArray[numpy.float64]  #: (d,): the divisor of each column: 1 unless correlation=True
    covariance: NDArray[numpy.float64]  #: (d, d): the covariance matrix, with the divisor n - 1
    noise_variance: float  #: the mean variance along the axes, of min(n, d), that were left out; 0 if none was
    report: Report


def pca(
    rows: ArrayLike, components: int = 0, *, correlation: bool = False, output: Output = "numpy", **options: Unpack[Options]
) -> Components:
    """Finds the axes along which rows, (n, d), vary most: `components` axes, or all if it is 0.

    correlation=True first divides each column by its standard deviation. deterministic=True gives the same bits for any
    threads, devices and split. Rows in GPU memory stay there; output="same" returns arrays of the library and memory of
    `rows`.

    Raises InputError, which names a row with NaN or infinity. Source: Pearson 1901; Hotelling 1933.
    """
    made = results(output, rows)
    with settings(options) as how:
        *arrays, noise, loss, report = _core.pca(matrix(rows, "rows", gpu=True), whole("components", components, most=2**32 - 1), flag("correlation", correlation), how)
    warn_of_loss("rows", loss)
    axes, variance, share, mean, deviation, covariance = map(made.of, arrays)
    return Components(axes, variance, share, mean, deviation, covariance, noise, Report(report))


def matmul(
    left: ArrayLike, right: ArrayLike, *, tf32: bool = False, output: Output = "numpy", **options: Unpack[Options]
) -> NDArray[Any]:
    """Multiplies two matrices, (m, k) and (k, n), in float64 if one of them is float64, else in float32.

    The error of an element is at most about k * 2**-24 (float64: 2**-53) times the sum of the magnitudes of its k terms.
    The product of integers is exact: it is float64 if its sums may exceed 2**24, which float32 could not hold, and a
    PrecisionWarning says that they may exceed 2**53, which float64 could not hold.

    deterministic=True adds in the same order on CPUs and GPUs. tf32=True lets GPUs round the factors to 11 bits. Factors in
    GPU memory stay there; output="same" returns the product in the library and memory of `left`.

    Raises UsageError for shapes that do not fit. Source: Mars; He et al., PACT 2008, section 5.
    """
    made = results(output, left)
    first, second = pair(left, "left", right, "right")
    if not is_gpu(left) and _all_integers(left, right):
        first, second = _wide_enough(first, second)
    with settings(options) as how:
        if not is_gpu(left):
            product: NDArray[Any] = _core.matmul(first, second, flag("tf32", tf32), how)[0]
            return product
        dtype = "float64" if isinstance(first, _core.GpuDoubles) else "float32"
        room = made.room([first.rows, second.columns], dtype)
        product = _core.gpu_matmul(first, second, flag("tf32", tf32), address_of_room(room), how)[0]
        return product if room is None else room


def _all_integers(*arrays: ArrayLike) -> bool:
    import numpy

    return all(numpy.asarray(one).dtype.kind in "biu" for one in arrays)


def _wide_enough(first: NDArray[Any], second: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Both factors, as float64 if float32 might not hold the sums of their whole numbers."""
    import numpy

    largest = float(abs(first).max(initial=0)) * float(abs(second).max(initial=0)) * first.shape[1]
    if largest > 2**53:
        warn_of_loss("the product", "sums of products of whole numbers may be above 2**53, where float64 rounds them")
    if largest > 2**24:
        return numpy.ascontiguousarray(first, numpy.float64), numpy.ascontiguousarray(second, numpy.float64)
    return first, second


@overload
def similarity(
    vectors: ArrayLike,
    *,
    words: Literal[False] = False,
    threshold: float | None = None,
    top: int = 10,
    **options: Unpack[Options],
) -> Table: ...


@overload
def similarity(
    texts: Texts,
    /,
    *,
    words: Literal[True],
    documents: Literal["files", "lines"] | None = None,
    weights: Literal["counts", "tf-idf"] | None = None,
    most_words: int | None = None,
    threshold: float | None = None,
    top: int = 10,
    **options: Unpack[Options],
) -> Table: ...


def similarity(
    vectors: Any,
    *,
    words: bool = False,
    documents: Literal["files", "lines"] | None = None,
    weights: Literal["counts", "tf-idf"] | None = None,
    most_words: int | None = None,
    threshold: float | None = None,
    top: int = 10,
    **options: Unpack[Options],
) -> Table:
    """Finds rows of `vectors`, (n, d), that point in nearly the same direction. With words=True the first argument is texts
    instead, and the function finds documents that use nearly the same words. Capital letters count as small.

    With `threshold` the table has each pair whose cosine is at least that, with first < second. Without it the table has
    for each row the `top` other rows with the largest cosine, best first. Cosines are computed in float32; cosines near 1
    or near the threshold in float64, so that equal rows have exactly 1. A row of zeros has the cosine 0 with every row.

    Three options belong to words=True. A document is a file, or a line with documents="lines". Its vector has the counts
    of its words. weights="tf-idf" multiplies counts by ln((1 + D) / (1 + d)) + 1 for a word in d of the D documents.
    `most_words` limits the words to those that occur in the most documents; None and 0 keep all words. The run needs 4
    bytes of memory for each pair of a document and a distinct word.

    Columns: first, second (row numbers, from 0; of texts FILE, or FILE:LINE), cosine.
    Raises InputError, which names a row with NaN or infinity, or a file that cannot be read; UsageError for an option of
    texts without words=True.
    Source: Mars; He et al., PACT 2008, section 5; Salton & Buckley, Information Processing & Management 24, 1988.
    """
    least = None if threshold is None else real("threshold", threshold)
    if flag("words", words):
        lines = one_of("documents", "files" if documents is None else documents, ("files", "lines")) == "lines"
        tf_idf = one_of("weights", "counts" if weights is None else weights, ("counts", "tf-idf")) == "tf-idf"
        kept = whole("most_words", 0 if most_words is None else most_words)
        with settings(options) as how:
            columns, report = _core.similarity(open_texts(vectors), lines, tf_idf, kept, least, whole("top", top), how)
        return Table(columns, Report(report))

    import numpy

    for name, given in (("documents", documents), ("weights", weights), ("most_words", most_words)):
        if given is not None:
            raise UsageError(f"{name} is an option of texts; give words=True with texts, or leave out {name} with vectors")
    if isinstance(vectors, (str, bytes, os.PathLike, dict)):
        raise UsageError(f"vectors is {type(vectors).__name__}; give an array, or words=True to compare texts")
    with settings(options) as how:
        columns, report = _core.similarity(matrix(vectors, "vectors", numpy.float32), least, whole("top", top), how)
    return Table(columns, Report(report))


class Numbers(NamedTuple):
    """The result of read_table()."""

    values: NDArray[Any]  #: (rows, columns), read-only; for a .npy file the array is over the mapped pages of the file
    columns: list[str]  #: the names of the columns, if the file has names
    classes: list[str]  #: the distinct labels
    label_of_row: NDArray[numpy.uint32]  #: (rows,): the index of each row's label in `classes`
    dropped: int  #: the number of rows that were left out
    first_dropped: str  #: the place of the first row that was left out, and the reason

    @property
    def names(self) -> list[str]:
        """The old name of `columns`."""
        return old_attribute(self, "names", self.columns)


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
    """Reads numbers with all cores from CSV, TSV, .npy, LIBSVM text or IDX, compressed or not.

    A column is named by its name in the header, its number from 1 on, or "last". `label` is the column of the labels.
    `encode` turns texts into numbers. A bad row misses a value or has a wrong length: bad_rows="error" raises an error
    that names its line, bad_rows="drop" leaves it out and counts it.

    Raises InputError, which names file, line and column. Gives a PrecisionWarning if float32 makes numbers of a column
    equal, or rounds them by a large part of the column's range.
    """
    one_of("dtype", dtype, ("float32", "float64"))
    drop = one_of("bad_rows", bad_rows, ("error", "drop")) == "drop"
    read = _core.read_table_float32 if dtype == "float32" else _core.read_table_float64
    with settings(options) as how:
        *found, loss = read(
            os.fsencode(path), word("label", label), words("columns", columns), words("leave_out", leave_out),
            None if header is None else flag("header", header), character("delimiter", delimiter), drop, flag("encode", encode), how,
        )  # fmt: skip
    warn_of_loss(os.fsdecode(path), loss)
    return Numbers(*found)
