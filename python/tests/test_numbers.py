"""Functions over numbers, compared with NumPy and scikit-learn."""

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
        with pytest.raises(duomap.UsageError, match="give a whole number of at least [01]"):
            call()


def test_what_would_be_read_wrongly_is_refused():
    class Sparse:
        def toarray(self):
            return numpy.zeros((2, 2))

    with pytest.raises(duomap.UsageError, match=r"points is sparse \(Sparse\); take its toarray\(\)"):
        duomap.kmeans(Sparse(), k=1)
    with pytest.raises(duomap.UsageError, match="points has masked values"):
        duomap.kmeans(numpy.ma.array([[1.0, 2], [99, 4]], mask=[[0, 0], [1, 0]]), k=1)
    assert duomap.kmeans(numpy.ma.array([[1.0, 2], [3, 4]]), k=1).centers.tolist() == [[2, 3]]


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
    distances = ((points[:, None, :] - found.centers) ** 2).sum(-1)
    assert (distances.argmin(1) == found.labels).mean() > 0.999
    assert found.inertia == pytest.approx(distances.min(1).sum(), rel=1e-4)
    assert found.sizes.tolist() == numpy.bincount(found.labels).tolist()
    assert found.converged
    again = duomap.kmeans(points, 3, init=found.centers, max_iter=1, labels=False, threads=1)
    assert again.labels is None
    assert again.centers == pytest.approx(found.centers, abs=1e-3)
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


def test_knn_of_distances_whose_squares_are_too_large_or_too_small():
    far = numpy.array([[1e39], [2e39], [5e39]])
    assert duomap.knn(far, far, 2).distances[:, 1] == pytest.approx([1e39, 1e39, 3e39])
    for scale in (1e121, 1e250, 1e-240, 1e-300):
        assert duomap.knn(far * scale, far * scale, 2).distances[:, 1] == pytest.approx(numpy.array([1, 1, 3]) * 1e39 * scale, rel=1e-12, abs=0)
    assert duomap.knn(far * 1e121, numpy.array([[1]], "f4"), 2).distances == pytest.approx(numpy.array([[1e160, 2e160]]))
    with pytest.raises(duomap.UsageError, match="so far away and others so close together"):
        duomap.knn([[1e300], [0], [1e-300]], [[0], [1e300]], 2)


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


@pytest.mark.parametrize("dtype", ["bool", "u1", "i1", "u2", "i2", "u4", "i4"])
def test_matmul_of_integers_is_exact(random, dtype):
    most = 1 if dtype == "bool" else min(numpy.iinfo(dtype).max, 2**20)
    left = random.integers(0, most + 1, (9, 700)).astype(dtype)
    right = random.integers(0, most + 1, (700, 5)).astype(dtype)
    product = duomap.matmul(left, right)
    assert (product.astype("i8") == left.astype("i8") @ right.astype("i8")).all()
    assert product.dtype == ("f8" if int(left.max()) * int(right.max()) * 700 > 2**24 else "f4")


@pytest.mark.parametrize("call", [
    lambda: duomap.similarity([[123456789], [123456791]], top=1),
    lambda: duomap.matmul([[2**40]], [[2**40]]),
    lambda: duomap.kmeans(numpy.array([[2**53 + 1], [2**53 + 3]]), 2),
    lambda: duomap.svmtrain(numpy.array([[2**53 + 1], [2**53 + 3]]), [0, 1]),
])  # fmt: skip
def test_a_warning_names_the_line_that_called(call):
    with pytest.warns(duomap.PrecisionWarning) as seen:
        call()
    assert {one.filename for one in seen} == {__file__}


def test_what_loses_digits_warns(tmp_path):
    far = [[123456789], [123456791], [123456790], [123456792]]
    with pytest.warns(duomap.PrecisionWarning, match="vectors: column 0: float32 makes 123456789 and 123456791 equal"):
        duomap.similarity(far, top=1)
    with pytest.warns(duomap.PrecisionWarning, match="2\\*\\*53"):
        duomap.matmul([[2**40]], [[2**40]])
    with pytest.warns(duomap.PrecisionWarning, match="points: it has whole numbers above 2\\*\\*53"):
        duomap.kmeans(numpy.array([[2**53 + 1], [2**53 + 3]]), 2)
    path = tmp_path / "far.csv"
    path.write_text("x,y\n" + "".join(f"1,{x}\n" for (x,) in far))
    with pytest.warns(duomap.PrecisionWarning, match=r"column 2 \('y'\): float32 makes 123456789 and 123456791 equal"):
        duomap.read_table(path)
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        duomap.read_table(path, dtype="float64")
        assert duomap.kmeans(numpy.array(far, "f8"), 4).inertia == 0


def test_kmeans_inertia_is_that_of_its_labels_and_centers(random):
    blobs = numpy.concatenate([random.normal(0, 0.5, (800, 2)), random.normal(100, 0.5, (800, 2))])
    for far in (1e9, 1e13, 1e14, 1e15, 1e40, 1e150):
        for dtype in ("f8", "f4") if far < 1e17 else ("f8",):
            points = numpy.concatenate([blobs, [[far, far]]]).astype(dtype)
            found = duomap.kmeans(points, 3, labels=True)
            assert sorted(found.sizes) == [1, 800, 800]
            exact = ((points.astype("f8") - found.centers[found.labels]) ** 2).sum()
            assert found.inertia == pytest.approx(exact, rel=1e-6 if dtype == "f4" else 1e-12)


def test_similarity_of_equal_rows_is_1(random):
    vectors = numpy.repeat(random.normal(size=(40, 37)), 2, axis=0)
    found = duomap.similarity(vectors, threshold=1)
    assert [(i, j) for i, j, _ in found] == [(2 * i, 2 * i + 1) for i in range(40)]
    assert (found["cosine"] == 1).all()
    assert (duomap.similarity(vectors, top=1)["cosine"] == 1).all()


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
    assert (table.columns, table.classes, table.label_of_row.tolist()) == (["x", "y"], ["a", "b"], [0, 1, 0])
    assert duomap.read_table(path, label="kind", dtype="float64").values.dtype == numpy.float64
    rows = random.normal(size=(5000, 40))
    numpy.save(tmp_path / "rows.npy", rows)
    assert (duomap.read_table(tmp_path / "rows.npy", dtype="float64").values == rows).all()
    path.write_text("1,2\n3\n")
    with pytest.raises(duomap.InputError, match="points.csv.*line 2"):
        duomap.read_table(path)
    assert duomap.read_table(path, bad_rows="drop").dropped == 1
