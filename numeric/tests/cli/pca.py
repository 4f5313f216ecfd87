"""Compares pca with NumPy and scikit-learn, on real tables and on degenerate ones."""

import gzip
import io
import json
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tests/support"))
import cli_harness as harness

try:
    import numpy
    import sklearn.datasets
    import sklearn.decomposition
except ImportError as problem:
    print(f"skipped: {problem}; install python3-numpy and python3-sklearn")
    sys.exit(harness.SKIPPED)

DATA = pathlib.Path(os.environ.get("DUOMAP_DATA", "/nonexistent"))


def real_table(name):
    path = DATA / name
    return unittest.skipUnless(path.exists(), f"{path} is not there")


class PcaTest(harness.ProgramTest):
    def pca(self, *arguments):
        """Runs pca; returns variances, shares, cumulative shares, axes, and the ended program."""
        ended = self.run_program("run", "pca", *arguments)
        self.assertEqual(ended.status, 0, ended.err)
        rows = numpy.loadtxt(io.BytesIO(ended.out), delimiter="\t", ndmin=2)
        numpy.testing.assert_array_equal(rows[:, 0], numpy.arange(1, len(rows) + 1))
        return rows[:, 1], rows[:, 2], rows[:, 3], rows[:, 4:], ended

    def save(self, rows, name="rows.npy"):
        numpy.save(self.folder / name, rows)
        return name

    def check(self, rows, arguments, components, tolerance, correlation=False):
        """Compares with scikit-learn in float64, up to the sign of each axis. `tolerance` is
        relative to the largest variance."""
        rows = numpy.asarray(rows, dtype=numpy.float64)
        if correlation:
            deviation = rows.std(axis=0, ddof=1)
            rows = (rows - rows.mean(axis=0)) / numpy.where(deviation > 0, deviation, 1)
        reference = sklearn.decomposition.PCA(n_components=components, svd_solver="full").fit(rows)
        variance, share, cumulative, axes, _ = self.pca("--components", components, *arguments)
        largest = reference.explained_variance_[0]
        numpy.testing.assert_allclose(variance, reference.explained_variance_, rtol=0, atol=tolerance * largest)
        numpy.testing.assert_allclose(share, reference.explained_variance_ratio_, rtol=0, atol=tolerance)
        numpy.testing.assert_allclose(cumulative, numpy.cumsum(share), atol=1e-12)
        numpy.testing.assert_allclose(axes @ axes.T, numpy.eye(components), atol=1e-12)
        numpy.testing.assert_array_less(0, axes[numpy.arange(components), numpy.abs(axes).argmax(axis=1)])
        # An error turns the axes of nearly equal variances far, so these axes are left out.
        every = numpy.append(reference.explained_variance_, reference.explained_variance_[-1])
        for k in range(components - 1):
            gap = min(every[k] - every[k + 1], every[k - 1] - every[k] if k > 0 else numpy.inf)
            if gap > 1000 * tolerance * largest:
                self.assertGreater(abs(axes[k] @ reference.components_[k]), 1 - 1e-5)
        return reference

    @real_table("images/train-images-idx3-ubyte.gz")
    def test_mnist(self):
        with gzip.open(DATA / "images/train-images-idx3-ubyte.gz") as file:
            images = numpy.frombuffer(file.read(), dtype=numpy.uint8, offset=16).reshape(-1, 784)[:3000]
        rows = images.astype(numpy.float32)
        for precision, tolerance in (([], 1e-5), (["--float64"], 1e-10)):
            self.check(rows, [*precision, self.save(rows)], 20, tolerance)

    @real_table("numeric/covtype_20k.data.gz")
    def test_cover_type(self):
        path = DATA / "numeric/covtype_20k.data.gz"
        rows = numpy.loadtxt(path, delimiter=",")[:, :54]
        for correlation in ([], ["--correlation"]):
            for precision, tolerance in (([], 1e-5), (["--float64"], 1e-9)):
                self.check(rows, [*correlation, *precision, "--label", "last", path], 10, tolerance, bool(correlation))

    @real_table("numeric/kddcup.data_10_percent.gz")
    def test_kdd(self):
        columns = [c for c in range(41) if c not in (1, 2, 3)]
        lines = []
        with gzip.open(DATA / "numeric/kddcup.data_10_percent.gz", "rt") as file:
            for line in file:
                fields = line.split(",")
                lines.append(",".join(fields[c] for c in columns))
                if len(lines) == 20000:
                    break
        self.write("kdd.csv", "\n".join(lines).encode() + b"\n")
        rows = numpy.loadtxt(lines, delimiter=",")
        self.check(rows, ["--correlation", "--float64", "kdd.csv"], 5, 1e-9, True)
        self.check(rows, ["--correlation", "kdd.csv"], 5, 1e-4, True)

    @real_table("svm/usps.gz")
    def test_usps(self):
        rows, _ = sklearn.datasets.load_svmlight_file(gzip.open(DATA / "svm/usps.gz"))
        self.check(rows.toarray(), ["--input-format", "libsvm", DATA / "svm/usps.gz"], 12, 1e-5)

    def test_covariance_mean_and_projection(self):
        generator = numpy.random.default_rng(20261121)
        rows = (generator.normal(size=(1237, 7)) @ generator.normal(size=(7, 7)) + 50).astype(numpy.float32)
        reference = self.check(rows, [self.save(rows)], 7, 1e-6)
        *_, axes, _ = self.pca("--components", 3, "--covariance", "covariance.npy", "--mean", "mean.npy", "--axes",
                               "axes.npy", "--project", "points.npy", "rows.npy")
        covariance = numpy.load(self.folder / "covariance.npy")
        exact = numpy.cov(rows.astype(numpy.float64), rowvar=False)
        deviation = numpy.sqrt(numpy.diag(exact))
        self.assertLess(numpy.max(numpy.abs(covariance - exact) / numpy.outer(deviation, deviation)), 3.1e-5)
        numpy.testing.assert_array_equal(covariance, covariance.T)
        numpy.testing.assert_allclose(numpy.load(self.folder / "mean.npy").ravel(), reference.mean_, atol=1e-5)
        numpy.testing.assert_array_equal(numpy.load(self.folder / "axes.npy"), axes)
        points = numpy.load(self.folder / "points.npy")
        self.assertEqual((points.shape, points.dtype), ((1237, 3), numpy.float32))
        numpy.testing.assert_allclose(points, (rows - reference.mean_) @ axes.T, atol=2e-4)

    def test_noise_variance(self):
        generator = numpy.random.default_rng(13)
        for rows, columns in ((10, 100), (100, 10), (12, 12), (5, 1)):
            table = self.save(generator.normal(size=(rows, columns)))
            values = numpy.load(self.folder / table)
            for components in {1, min(2, columns), min(rows, columns)}:
                *_, ended = self.pca("--float64", "--json", "--components", components, table)
                found = json.loads(ended.err.splitlines()[-1])["figures"]["noise_variance"]
                reference = sklearn.decomposition.PCA(n_components=components, svd_solver="full").fit(values)
                self.assertAlmostEqual(found, reference.noise_variance_, delta=1e-9)

    def test_offset(self):
        generator = numpy.random.default_rng(7)
        rows = generator.normal(size=(4000, 3)) + 1e6
        self.check(rows, ["--float64", self.save(rows)], 3, 1e-9)
        rows = rows.astype(numpy.float32)
        self.check(rows, [self.save(rows)], 3, 1e-5)

    def test_threads_and_deterministic(self):
        generator = numpy.random.default_rng(11)
        name = self.save(generator.normal(size=(30000, 20)).astype(numpy.float32))
        answers = {self.run_program("run", "pca", "--deterministic", "--threads", threads, name).out for threads in (1, 2, 3)}
        self.assertEqual(len(answers), 1)
        self.assertEqual(next(iter(answers)).count(b"\n"), 20)

    def test_csv_with_names(self):
        self.write("table.csv", b"kind,width,height\na,1,2\nb,2,4\na,3,6\n")
        ended = self.run_program("run", "pca", "--label", "kind", "--format", "csv", "--components", 1, "table.csv")
        self.assertEqual(ended.status, 0, ended.err)
        head, row = ended.out.decode().splitlines()
        self.assertEqual(head, "component,variance,share,cumulative,width,height")
        numpy.testing.assert_allclose([float(x) for x in row.split(",")], [1, 5, 1, 1, 0.2 ** 0.5, 0.8 ** 0.5], rtol=1e-6)

    def test_dropped_rows_are_told(self):
        self.write("holes.csv", b"1,2\n3,\n5,7\nnan,1\n6,1\n")
        self.assert_failed(self.run_program("run", "pca", "holes.csv"), 5, "holes.csv", "line 2")
        ended = self.run_program("run", "pca", "--bad-rows", "drop", "holes.csv")
        self.assertEqual(ended.status, 0, ended.err)
        self.assertIn("2 rows were left out; the first for line 2", ended.err)

    def test_names_that_cannot_head_a_column(self):
        for header, names in ((b'"a""b",c', b'"a""b",c'), (b"caf\xe9,c", b"c1,c"), (b"component,c", b"c1,c"), (b"c,c", b"c,c2"), (b",c", b"c1,c")):
            self.write("odd.csv", header + b"\n1,2\n3,5\n")
            ended = self.run_program("run", "pca", "--format", "csv", "--axes", "axes.csv", "odd.csv")
            self.assertEqual(ended.status, 0, ended.err)
            self.assertEqual(ended.out.splitlines()[0], b"component,variance,share,cumulative," + names)
            ended = self.run_program("run", "kmeans", "--k", 1, "--format", "jsonl", "odd.csv")
            self.assertEqual(ended.status, 0, ended.err)

    def test_problems(self):
        self.write("one.csv", b"1,2,3\n")
        self.assert_failed(self.run_program("run", "pca", "one.csv"), 5, "one.csv", "one row", "at least two")
        self.write("two.csv", b"1,2\n3,4\n")
        self.assert_failed(self.run_program("run", "pca", "--components", 3, "two.csv"), 2, "3 components", "2 columns")
        self.assert_failed(self.run_program("run", "pca", "two.csv", "one.csv"), 2, "one table")
        self.assert_failed(self.run_program("run", "pca", "--top", 1, "two.csv"), 2, "--components")
        for option in ("--project", "--axes", "--mean", "--covariance"):
            for name in ("rows.parquet", "rows", "rows.csv.gz"):
                ended = self.run_program("run", "pca", option, name, "two.csv")
                self.assert_failed(ended, 2, option, f"'{name}'", ".npy, .csv or .tsv")
                self.assertFalse((self.folder / name).exists())
        rows = numpy.ones((50, 4))
        rows[17, 2] = numpy.nan
        self.assert_failed(self.run_program("run", "pca", self.save(rows)), 5, "rows.npy", "17")
        self.assert_failed(self.run_program("run", "pca", self.save(numpy.array([[1e30], [-1e30]]))), 2, "--float64")
        small = self.save(numpy.array([[1e-24], [-1e-24]]))
        self.assert_failed(self.run_program("run", "pca", small), 2, "rows.npy", "too small for float32", "--float64")
        ended = self.run_program("run", "pca", "--float64", small)
        self.assertAlmostEqual(float(ended.out.split()[1]), 2e-48, delta=1e-57)
        ended = self.run_program("run", "pca", self.save(numpy.array([[1, 1e-24], [2, 3e-24]])))
        self.assertIn("products of column 2 are too small for float32; use float64 (--float64)", ended.err)
        ended = self.run_program("run", "pca", self.save(numpy.array([[1e-50], [2e-50]])))
        self.assertIn("column 1: float32 makes 1e-50 and 2e-50 equal; use float64 (--float64)", ended.err)

    def test_verify(self):
        rows = numpy.random.default_rng(3).normal(size=(900, 3)).astype(numpy.float32)
        ended = self.run_program("run", "pca", "--verify", self.save(rows))
        self.assertEqual(ended.status, 0, ended.err)


if __name__ == "__main__":
    harness.main()
