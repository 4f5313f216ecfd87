"""Functions over numbers, against NumPy and scikit-learn."""

import numpy
import pytest

import duomap
from duomap import _core
from duomap._arrays import matrix


def test_arrays_of_floats_in_c_order_are_taken_where_they_lie(random):
    for dtype in ("f4", "f8"):
        rows = random.normal(size=(50, 3)).astype(dtype)
        rows.setflags(write=False)
        assert _core.address(matrix(rows, "rows")) == rows.ctypes.data
        part = rows[10:20]
        assert _core.address(matrix(part, "part")) == part.ctypes.data


@pytest.mark.parametrize(
    "given, expected",
    [("i1", "f4"), ("u2", "f4"), ("?", "f4"), ("f2", "f4"), ("i4", "f8"), ("i8", "f8"), (">f8", "f8"), (">f4", "f4")],
)
def test_other_types_are_copied_to_what_holds_them(given, expected):
    rows = numpy.array([[0, 1], [1, 0]], given)
    assert matrix(rows, "rows").dtype == numpy.dtype(expected)
    assert matrix(rows, "rows").tolist() == [[0, 1], [1, 0]]


def test_other_layouts_are_copied(random):
    rows = random.normal(size=(20, 4))
    for given in (numpy.asfortranarray(rows), rows[::2], rows[:, ::-1], rows.tolist()):
        assert (matrix(given, "rows") == numpy.asarray(given)).all()
    with pytest.raises(TypeError):
        _core.address(numpy.asfortranarray(rows))


def test_numbers_of_things_are_whole():
    for call in (
        lambda: duomap.kmeans([[1, 2]], k=1.5),
        lambda: duomap.kmeans([[1, 2]], k=1, seed=-1),
        lambda: duomap.kmeans([[1, 2]], k=1, max_iter="5"),
        lambda: duomap.knn([[1, 2]], [[1, 2]], k=-1),
        lambda: duomap.pca([[1, 2]], -1),
        lambda: duomap.similarity([[1, 2]], top=2.5),
    ):
        with pytest.raises(duomap.UsageError, match="give a whole number of at least 0"):
            call()


def test_what_would_be_read_wrongly_is_refused():
    class Sparse:
        def toarray(self):
            return numpy.zeros((2, 2))

    with pytest.raises(duomap.UsageError, match=r"points is sparse \(Sparse\); take its toarray\(\)"):
        duomap.kmeans(Sparse(), k=1)
    with pytest.raises(duomap.UsageError, match="points has masked values"):
        duomap.kmeans(numpy.ma.array([[1.0, 2], [99, 4]], mask=[[0, 0], [1, 0]]), k=1)
    assert duomap.kmeans(numpy.ma.array([[1.0, 2], [3, 4]]), k=1).centres.tolist() == [[2, 3]]


def test_what_is_no_matrix_is_refused():
    for given in ([1, 2], [[["a"]]], [["a"]], [[1j]], [[numpy.datetime64("2026-01-01")]]):
        with pytest.raises(duomap.UsageError, match="points"):
            duomap.kmeans(given, 1)


def test_what_is_no_array_is_named():
    for given, said in ((iter([[1, 2]]), "is list_iterator; give"), ("points.csv", "is str; give"), ({"a": [1]}, "is dict; give"),
                        ([[1, 2], [3]], "is no array: .*inhomogeneous"), ([[1, None]], "holds object.*astype")):  # fmt: skip
        with pytest.raises(duomap.UsageError, match=f"points {said}"):
            duomap.kmeans(given, 1)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_kmeans(random, dtype):
    middles = numpy.array([[0, 0], [10, 0], [0, 10]])
    points = (middles[random.integers(0, 3, 3000)] + random.normal(size=(3000, 2))).astype(dtype)
    found = duomap.kmeans(points, 3, seed=1)
    distances = ((points[:, None, :] - found.centres) ** 2).sum(-1)
    assert (distances.argmin(1) == found.labels).mean() > 0.999
    assert found.inertia == pytest.approx(distances.min(1).sum(), rel=1e-4)
    assert found.sizes.tolist() == numpy.bincount(found.labels).tolist()
    assert found.converged
    again = duomap.kmeans(points, 3, init=found.centres, max_iter=1, labels=False, threads=1)
    assert again.labels is None
    assert again.centres == pytest.approx(found.centres, abs=1e-3)
    assert found.report.as_dict()["figures"]["iterations"] == found.iterations


def test_kmeans_names_the_row_that_is_not_finite():
    points = numpy.ones((10, 2), "f4")
    points[7, 1] = numpy.nan
    with pytest.raises(duomap.InputError, match="row 7"):
        duomap.kmeans(points, 2)
    with pytest.raises(duomap.UsageError, match="clusters"):
        duomap.kmeans(numpy.ones((2, 2)), 3)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_knn(random, dtype):
    training = random.normal(size=(500, 5)).astype(dtype)
    queries = random.normal(size=(40, 5)).astype(dtype)
    found = duomap.knn(training, queries, 4, labels=["even" if i % 2 == 0 else "odd" for i in range(500)])
    distances = numpy.sqrt(((queries[:, None].astype("f8") - training.astype("f8")) ** 2).sum(-1))
    assert (found.indices == distances.argsort(1, kind="stable")[:, :4]).all()
    assert found.distances == pytest.approx(numpy.sort(distances, 1)[:, :4])
    assert set(found.predicted) <= {"even", "odd"}
    assert duomap.knn(training, queries[:1].astype("f8"), 1).predicted is None


def test_knn_of_distances_too_large():
    far = numpy.array([[1e39], [2e39], [5e39]])
    assert duomap.knn(far, far, 2).distances[:, 1] == pytest.approx([1e39, 1e39, 3e39])
    for query in (far * 1e121, numpy.array([[1]], "f4")):
        with pytest.raises(duomap.UsageError, match="squared distances of these points are too large for float64"):
            duomap.knn(far * 1e121, query, 2)


def test_points_too_small():
    near = numpy.array([[1e-24], [2e-24], [9e-24]])
    assert sorted(duomap.kmeans(near, 2).sizes) == [1, 2]
    for call in (lambda rows: duomap.kmeans(rows, 2), duomap.pca):
        call(near)
        with pytest.raises(duomap.Error, match="too small for float32"):
            call(near.astype("f4"))


def test_knn_needs_a_label_for_each_row():
    rows = numpy.arange(8.0).reshape(4, 2)
    for labels in ([], [1, 2, 3], [1, 2, 3, 4, 5], [[1], [2], [3], [4]], 5, "abcd", [[1], [2, 3], [4], [5]]):
        with pytest.raises(duomap.UsageError, match="labels"):
            duomap.knn(rows, rows, 1, labels=labels)
    for labels in (["a", None, "b", "c"], numpy.ma.array([1, 2, 3, 4], mask=[0, 1, 0, 0])):
        with pytest.raises(duomap.UsageError, match="labels (cannot be sorted|has masked)"):
            duomap.knn(rows, rows, 1, labels=labels)


def test_pca(random):
    rows = random.normal(size=(400, 3)) @ random.normal(size=(3, 3))
    found = duomap.pca(rows, 2, deterministic=True)
    assert found.covariance == pytest.approx(numpy.cov(rows.T))
    assert found.variance == pytest.approx(numpy.linalg.eigvalsh(numpy.cov(rows.T))[:0:-1])
    assert found.axes.shape == (2, 3)
    assert found.mean == pytest.approx(rows.mean(0))


@pytest.mark.parametrize("dtype, error", [("f4", 1e-4), ("f8", 1e-12)])
def test_matmul(random, dtype, error):
    left, right = random.normal(size=(70, 30)).astype(dtype), random.normal(size=(30, 50)).astype(dtype)
    product = duomap.matmul(left, right)
    assert product.dtype == numpy.dtype(dtype)
    assert product == pytest.approx(left @ right, abs=error)
    assert duomap.matmul(left, right, deterministic=True) == pytest.approx(left @ right, abs=error)
    with pytest.raises(duomap.UsageError):
        duomap.matmul(left, left)


def test_similarity(random):
    vectors = random.normal(size=(60, 8)).astype("f4")
    length = numpy.linalg.norm(vectors, axis=1)
    cosines = vectors @ vectors.T / length / length[:, None]
    found = duomap.similarity(vectors, threshold=0.5)
    expected = [(i, j) for i in range(60) for j in range(i + 1, 60) if cosines[i, j] >= 0.5]
    assert [(i, j) for i, j, _ in found] == expected
    best = duomap.similarity(vectors, top=3)
    assert len(best) == 180
    assert best["cosine"][0] == pytest.approx(numpy.sort(cosines[0])[-2], abs=1e-5)


def test_read_table(tmp_path, random):
    path = tmp_path / "points.csv"
    path.write_text("x,y,kind\n1,2.5,a\n3,4,b\n5,6,a\n")
    table = duomap.read_table(path, label="kind")
    assert table.values.tolist() == [[1, 2.5], [3, 4], [5, 6]]
    assert (table.names, table.classes, table.label_of_row.tolist()) == (["x", "y"], ["a", "b"], [0, 1, 0])
    assert duomap.read_table(path, label="kind", dtype="float64").values.dtype == numpy.float64
    rows = random.normal(size=(5000, 40))
    numpy.save(tmp_path / "rows.npy", rows)
    assert (duomap.read_table(tmp_path / "rows.npy", dtype="float64").values == rows).all()
    path.write_text("1,2\n3\n")
    with pytest.raises(duomap.InputError, match="points.csv.*line 2"):
        duomap.read_table(path)
    assert duomap.read_table(path, bad_rows="drop").dropped == 1
