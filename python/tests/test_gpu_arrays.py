"""Arrays in GPU memory: read in place, after their stream has finished. Most tests need a GPU."""

import numpy
import pytest

import duomap
from duomap import _core
from duomap._arrays import matrix


def no_gpu():
    """The reason why these tests cannot use a GPU; empty if they can."""
    if _core.toolkit_version == 0:
        return "this duomap was built without GPU code"
    return "" if _core.gpu_capabilities() else "this machine has no GPU"


NO_GPU = no_gpu()


class Scripted:
    """An array in host memory that claims to be in GPU memory, by DLPack."""

    def __init__(self, values, streams):
        self.values, self.streams = values, streams

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, *, stream):
        self.streams.append(stream)
        return self.values.__dlpack__()


class Interface:
    def __init__(self, values, **changes):
        self.__cuda_array_interface__ = {**values.__array_interface__, "version": 3, "stream": None, **changes}


ROWS = numpy.arange(12, dtype="f4").reshape(6, 2)


@pytest.mark.skipif(_core.toolkit_version != 0, reason="what a build without GPU code says")
@pytest.mark.parametrize("call", [duomap.kmeans, duomap.pca, lambda rows: duomap.knn(rows, rows, 1), lambda rows: duomap.matmul(rows, rows)])
def test_a_build_without_gpu_code_says_so(call):
    streams = []
    for rows in (Scripted(ROWS, streams), Interface(ROWS)):
        with pytest.raises(duomap.DeviceUnavailable, match="built without GPU code.*copy them to host memory"):
            call(rows)
    # duomap asked the library to finish its work before stream 1 continues.
    assert set(streams) == {1}


@pytest.mark.skipif(_core.toolkit_version == 0, reason="this duomap was built without GPU code")
@pytest.mark.skipif(_core.toolkit_version != 0 and bool(NO_GPU), reason=NO_GPU)
def test_what_only_says_that_it_is_a_gpus_is_refused():
    with pytest.raises(duomap.UsageError, match="CUDA says that it is not"):
        duomap.pca(Interface(ROWS))


@pytest.mark.parametrize("make", [lambda values: Scripted(values, []), Interface])
def test_what_cannot_be_read_is_refused(make):
    def refused(says, values):
        with pytest.raises(duomap.UsageError, match=says):
            duomap.kmeans(make(values))

    refused("3 dimensions", numpy.zeros((1, 2, 3), "f4"))
    refused("no numbers", numpy.zeros((0, 3), "f4"))
    refused("neither float32 nor float64", ROWS.astype("i4"))
    refused("neither float32 nor float64", ROWS.astype("f2"))
    refused("not in C order", numpy.asfortranarray(ROWS))
    refused("not in C order", ROWS[::2])


def test_what_an_interface_says_wrong_is_refused():
    for says, changes in {"a mask": {"mask": ROWS}, "stream of points is 0": {"stream": 0}}.items():
        with pytest.raises(duomap.UsageError, match=says):
            duomap.kmeans(Interface(ROWS, **changes))


def test_an_array_that_its_library_does_not_export_is_refused():
    class Refuses(Scripted):
        def __dlpack__(self, *, stream):
            raise BufferError("it has a gradient")

    with pytest.raises(duomap.UsageError, match="points is not exported: it has a gradient"):
        duomap.kmeans(Refuses(ROWS, []))


@pytest.mark.parametrize("call", [lambda rows: duomap.similarity(rows), lambda rows: duomap.svmtrain(rows, [0] * 6)])
def test_functions_that_read_no_such_arrays_say_so(call):
    with pytest.raises(duomap.UsageError, match="in GPU memory, which this function does not read"):
        call(Scripted(ROWS, []))


def test_both_factors_are_on_one_side():
    for first, second in ((Scripted(ROWS, []), ROWS), (ROWS, Interface(ROWS))):
        with pytest.raises(duomap.UsageError, match="is in GPU memory and .* is not"):
            duomap.matmul(first, second)


def test_output():
    with pytest.raises(duomap.UsageError, match="output is 'numpy' or 'same', not 'torch'"):
        duomap.pca(ROWS, output="torch")
    with pytest.raises(duomap.UsageError, match="arrays of PyTorch and CuPy, not of"):
        duomap.pca(Scripted(ROWS, []), output="same")
    assert isinstance(duomap.pca(ROWS, output="same").axes, numpy.ndarray)


@pytest.fixture(params=["torch", "cupy", "interface"])
def library(request):
    """A function that copies an array to the GPU, and a function that copies it back."""
    if NO_GPU:
        pytest.skip(NO_GPU)
    if request.param == "torch":
        torch = pytest.importorskip("torch")
        return lambda values: torch.from_numpy(values).cuda(), lambda array: array.cpu().numpy()
    cupy = pytest.importorskip("cupy")
    if request.param == "cupy":
        return cupy.asarray, cupy.asnumpy

    class Only:
        """CuPy's array without DLPack: it has only __cuda_array_interface__."""

        def __init__(self, values):
            self.array = cupy.asarray(values)
            self.shape = self.array.shape

        @property
        def __cuda_array_interface__(self):
            return self.array.__cuda_array_interface__

    return Only, None


def same_bits(found, expected):
    for name, value in expected._asdict().items():
        if isinstance(value, numpy.ndarray):
            assert numpy.array_equal(getattr(found, name), value), name
        elif name != "report":
            assert getattr(found, name) == value, name


def test_it_is_read_where_it_lies(library, random):
    there, back = library
    array = there(random.random((1000, 4), "f4"))
    address = array.data_ptr() if hasattr(array, "data_ptr") else array.__cuda_array_interface__["data"][0]
    assert matrix(array, "rows", gpu=True).address == address


@pytest.mark.parametrize("dimensions", [1, 2, 3, 4, 7, 16, 33, 70])
def test_kmeans(library, random, dimensions):
    there, back = library
    points = random.normal(1e3, 1, (20_011, dimensions)).astype("f4")
    expected = duomap.kmeans(points, 9, seed=3, max_iter=6, device="cpu")
    found = duomap.kmeans(there(points), 9, seed=3, max_iter=6)
    same_bits(found, expected)
    assert "the points lay in its memory; 0 bytes of them came from the host" in found.report.explain()
    if back is not None:
        same = duomap.kmeans(there(points), 9, seed=3, max_iter=6, output="same")
        for name in ("centers", "sizes", "labels"):
            assert type(getattr(same, name)) is type(there(points))
            assert numpy.array_equal(back(getattr(same, name)), getattr(expected, name)), name


def test_kmeans_gives_points_to_clusters_without_any(library, random):
    there, back = library
    points = random.normal(0, 1, (5_000, 5)).astype("f4")
    start = numpy.concatenate([points[:3], numpy.full((2, 5), 1e4)])
    expected = duomap.kmeans(points, 5, init=start, device="cpu", max_iter=3)
    same_bits(duomap.kmeans(there(points), 5, init=start, max_iter=3), expected)


def test_kmeans_of_points_that_are_not_aligned(random):
    if NO_GPU:
        pytest.skip(NO_GPU)
    torch = pytest.importorskip("torch")
    values = random.random(4 * 3000 + 1, "f4")
    expected = duomap.kmeans(values[1:].reshape(-1, 4), 3, device="cpu")
    same_bits(duomap.kmeans(torch.from_numpy(values).cuda()[1:].reshape(-1, 4), 3), expected)


def test_a_number_that_is_not_finite_is_named(library, random):
    there, back = library
    points = random.random((3000, 4), "f4")
    points[1234, 2] = numpy.nan
    array = there(points)
    for call in (lambda: duomap.kmeans(array, 3), lambda: duomap.knn(array, array, 2), lambda: duomap.pca(array)):
        with pytest.raises(duomap.InputError, match=r"row 1234 .*column 3: the value is NaN"):
            call()


def test_knn(library, random):
    there, back = library
    training, queries = random.random((9000, 6), "f4"), random.random((10_000, 6), "f4")
    labels = random.integers(0, 5, 9000)
    expected = duomap.knn(training, queries, 4, labels=labels, device="cpu")
    known, asked = there(training), there(queries)
    found = duomap.knn(known, asked, 4, labels=labels)
    same_bits(found, expected)
    assert "copies from the host: 0" in found.report.explain()
    if back is not None:
        same = duomap.knn(known, asked, 4, output="same")
        assert type(same.indices) is type(asked)
        assert numpy.array_equal(back(same.indices), expected.indices)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_pca(library, random, dtype):
    there, back = library
    rows = random.normal(0, 1, (50_000, 12)).astype(dtype)
    found = duomap.pca(there(rows), deterministic=True)
    same_bits(found, duomap.pca(rows, deterministic=True, device="cpu"))
    assert "copies from the host: 0" in found.report.explain()
    if back is not None:
        assert numpy.array_equal(back(duomap.pca(there(rows), deterministic=True, output="same").axes), found.axes)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_matmul(library, random, dtype):
    there, back = library
    left, right = random.random((700, 130), dtype), random.random((130, 210), dtype)
    expected = duomap.matmul(left, right, deterministic=True, device="cpu")
    assert numpy.array_equal(duomap.matmul(there(left), there(right), deterministic=True), expected)
    numpy.testing.assert_allclose(duomap.matmul(there(left), there(right)), left @ right, rtol=1e-5)
    if back is not None:
        same = duomap.matmul(there(left), there(right), deterministic=True, output="same")
        assert type(same) is type(there(left))
        assert numpy.array_equal(back(same), expected)


def test_what_the_application_cannot_do_is_refused(library, random):
    there, back = library
    single, double = there(random.random((60, 4), "f4")), there(random.random((60, 4)))
    for call, says in (
        (lambda: duomap.kmeans(double, 2), "float32; convert it"),
        (lambda: duomap.knn(double, double, 2), "float32; convert it"),
        (lambda: duomap.knn(single, double, 2), "one float32 and one float64"),
        (lambda: duomap.kmeans(single, 2, device="cpu"), "CPU does not read points in the memory of gpu 0"),
        (lambda: duomap.pca(single, device="cpu+gpu"), "in the memory of gpu 0"),
        (lambda: duomap.matmul(single, single, gpus=[5]), "other GPUs were chosen|as many columns"),
        (lambda: duomap.knn(single, single, 2, labels=single), "votes are counted on the host"),
    ):
        with pytest.raises(duomap.UsageError, match=says):
            call()


class ByInterfaceOnly:
    """An array without DLPack. It names the stream that writes it."""

    def __init__(self, array, stream):
        self.shape = array.shape
        self.__cuda_array_interface__ = {**array.__cuda_array_interface__, "version": 3, "stream": stream.cuda_stream}


@pytest.mark.parametrize("interface", ["DLPack", "CUDA array interface"])
def test_the_stream_of_an_array_is_waited_for(random, interface):
    if NO_GPU:
        pytest.skip(NO_GPU)
    torch = pytest.importorskip("torch")
    points = torch.from_numpy(random.random((100_000, 8), "f4")).cuda()
    expected = duomap.kmeans(points, 4)
    late = torch.zeros_like(points)
    side = torch.cuda.Stream()
    torch.cuda.synchronize()
    with torch.cuda.stream(side):
        torch.cuda._sleep(400_000_000)  # keeps the stream busy; in clock cycles
        late.copy_(points)
        if interface == "DLPack":
            same_bits(duomap.kmeans(late, 4), expected)
    if interface != "DLPack":
        same_bits(duomap.kmeans(ByInterfaceOnly(late, side), 4), expected)


def test_kmeans_of_scikit_learns_interface(random):
    if NO_GPU:
        pytest.skip(NO_GPU)
    torch = pytest.importorskip("torch")
    estimators = pytest.importorskip("duomap.sklearn", exc_type=ImportError)
    points = random.random((5000, 4), "f4")
    there = torch.from_numpy(points).cuda()
    on_host = estimators.KMeans(3, random_state=1).fit(points)
    on_gpu = estimators.KMeans(3, random_state=1).fit(there)
    assert numpy.array_equal(on_gpu.cluster_centers_.cpu().numpy(), on_host.cluster_centers_)
    assert numpy.array_equal(on_gpu.labels_.cpu().numpy(), on_host.labels_)
    assert numpy.array_equal(on_gpu.predict(there).cpu().numpy(), on_host.predict(points))
