"""Compares knn with exact NumPy and with scikit-learn on real data, and tests what knn refuses."""

import gzip
import json
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tests/support"))
import cli_harness as harness

try:
    import numpy
except ImportError:
    numpy = None
try:
    from sklearn.neighbors import NearestNeighbors
except ImportError:
    NearestNeighbors = None

DATA = pathlib.Path(os.environ.get("DUOMAP_DATA", "")) if os.environ.get("DUOMAP_DATA") else None


def nearest(training, queries, k):
    """Squared distances and rows of the k nearest rows, exact for whole numbers; of equal ones, the
    first."""
    squares, rows = [], []
    for query in queries:
        distances = ((training - query) ** 2).sum(axis=1)
        order = numpy.argsort(distances, kind="stable")[:k]
        squares.append(distances[order])
        rows.append(order)
    return numpy.array(squares), numpy.array(rows)


def vote(classes):
    """The class with most neighbours; of equal classes, the one that comes first."""
    names = list(dict.fromkeys(classes))
    return max(names, key=classes.count)


@unittest.skipIf(numpy is None, "NumPy is not installed")
class NearestNeighboursTest(harness.ProgramTest):
    def knn(self, *arguments, **options):
        ended = self.run_program("run", "knn", "--json", *arguments, **options)
        self.assertEqual(ended.status, 0, ended.err)
        ended.rows = [line.split("\t") for line in ended.out.decode().splitlines()]
        ended.notes = json.loads(ended.err.splitlines()[-1])["notes"]
        return ended

    def assert_neighbours(self, ended, training, queries, k):
        squares, rows = nearest(training, queries, k)
        found = numpy.array([[float(text) for text in row[:4]] for row in ended.rows])
        self.assertEqual(found.shape, (len(queries) * k, 4))
        self.assertTrue((found[:, 0] == numpy.repeat(numpy.arange(len(queries)), k)).all())
        self.assertTrue((found[:, 1] == numpy.tile(numpy.arange(1, k + 1), len(queries))).all())
        self.assertTrue((found[:, 2] == rows.ravel()).all())
        self.assertTrue((found[:, 3] == numpy.sqrt(squares.ravel().astype(float))).all())
        if NearestNeighbors is None:
            self.skipTest("as NumPy finds them; scikit-learn is not installed")
        model = NearestNeighbors(n_neighbors=k, algorithm="brute").fit(training.astype(float))
        distances, _ = model.kneighbors(queries.astype(float))
        numpy.testing.assert_allclose(found[:, 3], distances.ravel(), rtol=1e-9, atol=1e-6)

    def save(self, name, rows):
        numpy.save(self.folder / name, rows)
        return name

    def test_synthetic_rows(self):
        generator = numpy.random.default_rng(6)
        for columns, k in ((1, 3), (3, 20), (50, 7), (200, 10)):
            training = generator.integers(-50, 50, (3001, columns))
            queries = generator.integers(-50, 50, (23, columns))
            self.save("training.npy", training.astype(numpy.float32))
            self.save("queries.npy", queries.astype(numpy.float64))
            with self.subTest(columns=columns):
                ended = self.knn("--k", k, "--train", "training.npy", "--test", "queries.npy")
                self.assert_neighbours(ended, training, queries, k)

    def test_float64(self):
        generator = numpy.random.default_rng(6)
        training = generator.normal(size=(2003, 11)) + 1e9
        queries = generator.normal(size=(17, 11)) + 1e9
        self.save("training.npy", training)
        self.save("queries.npy", queries)
        files = ("--k", 9, "--train", "training.npy", "--test", "queries.npy", "--float64")
        found = numpy.array(self.knn(*files).rows, float)
        squares, rows = nearest(training, queries, 9)
        self.assertTrue((found[:, 2] == rows.ravel()).all())
        numpy.testing.assert_allclose(found[:, 3], numpy.sqrt(squares.ravel()), rtol=1e-14)
        self.assertEqual({self.knn(*files, "--threads", threads).out for threads in (1, 2)}, {self.knn(*files).out})
        self.assert_failed(self.run_program("run", "knn", "--device", "gpu", *files), 2, "32-bit floats", "--device cpu")

    def test_classes_of_text(self):
        self.write("training.csv", b"x,y,kind\n0,0,near\n1,0,near\n9,9,far\n10,9,far\n9,10,far\n")
        self.write("queries.csv", b"x,y,kind\n0,1,near\n8,8,far\n5,4,odd\n")
        ended = self.knn("--k", 3, "--train", "training.csv", "--label", "kind", "--test", "queries.csv")
        self.assertEqual(ended.rows, [["0", "near", "near"], ["1", "far", "far"], ["2", "near", "odd"]])
        self.assertIn("accuracy: 66.67 %, 2 of 3 rows", " ".join(ended.notes))
        self.assertIn("1 query has a label that the training set does not have", " ".join(ended.notes))
        self.write("unlabelled.csv", b"x,y\n0,1\n")
        ended = self.knn("--k", 2, "--train", "training.csv", "--label", "kind", "--test", "unlabelled.csv",
                         "--unlabelled", "--neighbours", "--format", "csv")
        self.assertEqual(ended.out, b"query,rank,row,distance,class\n0,1,0,1,near\n0,2,1,1.4142135623730951,near\n")
        ended = self.run_program("run", "knn", "--train", "training.csv", "--label", "last", "--test", "unlabelled.csv")
        self.assert_failed(ended, 2, "'unlabelled.csv' has one column less than 'training.csv'", "--unlabelled")

    def test_equal_votes(self):
        self.write("training.csv", b"1 b\n2 a\n3 a\n4 b\n")
        self.write("queries.csv", b"0\n5\n")
        ended = self.knn("--k", 4, "--train", "training.csv", "--label", "last", "--test", "queries.csv", "--unlabelled")
        self.assertEqual(ended.rows, [["0", "b"], ["1", "b"]])
        ended = self.knn("--k", 2, "--train", "training.csv", "--label", "last", "--test", "queries.csv", "--unlabelled")
        self.assertEqual(ended.rows, [["0", "b"], ["1", "b"]])

    def test_symbols_mean_the_same_in_both_files(self):
        self.write("training.csv", b"udp,1\ntcp,2\nicmp,3\n")
        self.write("queries.csv", b"udp,1\n")
        ended = self.knn("--k", 1, "--train", "training.csv", "--test", "queries.csv", "--symbols", "encode")
        self.assertEqual(ended.rows, [["0", "1", "0", "0"]])

    def test_refusals(self):
        self.write("rows.csv", b"1,2\n3,4\n")
        self.write("wide.csv", b"1,2,3\n")
        self.write("holes.csv", b"1,2\n3,nan\n")
        run = ("run", "knn", "--test", "rows.csv")
        self.assert_failed(self.run_program(*run), 2, "--train FILE")
        self.assert_failed(self.run_program("run", "knn", "--train", "rows.csv"), 2, "--test FILE")
        self.assert_failed(self.run_program(*run, "--train", "rows.csv", "--k", 3), 2, "only 2 training rows")
        self.assert_failed(self.run_program(*run, "--train", "wide.csv", "--k", 1), 2, "queries have 2 columns")
        self.assert_failed(self.run_program(*run, "--train", "holes.csv", "--k", 1), 5, "holes.csv", "2")
        self.assert_failed(self.run_program(*run, "--train", "rows.csv", "--k", 1, "--top", 3), 2, "--top")
        self.assert_failed(self.run_program(*run, "--train", "none.csv", "--k", 1), 5, "none.csv")

    def test_columns_of_other_names(self):
        self.write("training.csv", b"height,weight,kind\n180,80,m\n160,50,f\n")
        self.write("swapped.csv", b"weight,height\n80,180\n50,160\n")
        self.write("unnamed.csv", b"180,80\n")
        run = ("run", "knn", "--k", 1, "--train", "training.csv", "--label", "kind", "--unlabelled", "--test")
        for columns in ((), ("--columns", "height,weight")):
            self.assert_failed(self.run_program(*run, "swapped.csv", *columns), 5,
                               "column 'weight' of 'swapped.csv' stands where 'training.csv' has 'height'")
        self.assertEqual(self.run_program(*run, "unnamed.csv").out, b"0\tm\n")

    def test_distances_whose_squares_are_too_large_or_too_small(self):
        run = ("run", "knn", "--float64", "--train", "rows.csv", "--test", "rows.csv", "--k")
        for exponent in (160, 300, -160, -300):
            self.write("rows.csv", "".join(f"{digit}e{exponent}\n" for digit in (1, 2, 5)).encode())
            rows = self.knn(*run[2:], 2).rows
            self.assertEqual([row[2] for row in rows], ["0", "1", "1", "0", "2", "1"])
            for row, digit in zip(rows, (0, 1, 0, 1, 0, 3)):
                self.assertAlmostEqual(float(row[3]), digit * 10.0**exponent, delta=1e-15 * digit * 10.0**exponent)
        self.write("rows.csv", b"1e300\n0\n1e-300\n")
        self.assert_failed(self.run_program(*run, 2), 2, "so far away and others so close together")
        # A row that is no neighbour may be at any distance.
        self.write("rows.csv", b"1e300\n0\n1\n")
        self.assertEqual([row[2] for row in self.knn(*run[2:], 1).rows], ["0", "1", "2"])
        self.write("rows.csv", b"1e30\n2e30\n5e30\n")
        self.assertEqual([row[2] for row in self.knn(*run[3:], 2).rows], ["0", "1", "1", "0", "2", "1"])

    def test_laws_hold(self):
        self.write("rows.csv", b"1,2\n3,4\n5,6\n")
        ended = self.run_program("run", "knn", "--train", "rows.csv", "--test", "rows.csv", "--k", 2, "--verify")
        self.assertEqual(ended.status, 0, ended.err)

    @unittest.skipIf(DATA is None, "there is no real data beside the source tree")
    def test_digits(self):
        def images(name, count):
            with gzip.open(DATA / "images" / name) as file:
                return numpy.frombuffer(file.read()[16:16 + 784 * count], numpy.uint8).reshape(count, 784).astype(numpy.int64)

        def labels(name):
            with gzip.open(DATA / "images" / name) as file:
                return numpy.frombuffer(file.read()[8:], numpy.uint8)

        training, queries = images("train-images-idx3-ubyte.gz", 6000), images("t10k-images-idx3-ubyte.gz", 40)
        self.save("training.npy", training.astype(numpy.uint8))
        self.save("labels.npy", labels("train-labels-idx1-ubyte.gz")[:6000])
        self.save("queries.npy", queries.astype(numpy.uint8))
        self.save("query_labels.npy", labels("t10k-labels-idx1-ubyte.gz")[:40])
        files = ("--train", "training.npy", "--labels", "labels.npy", "--test", "queries.npy",
                 "--test-labels", "query_labels.npy", "--k", 10)
        self.assert_neighbours(self.knn(*files, "--neighbours"), training, queries, 10)
        _, rows = nearest(training, queries, 10)
        classes = labels("train-labels-idx1-ubyte.gz")
        expected = [vote([str(classes[row]) for row in best]) for best in rows]
        ended = self.knn(*files)
        self.assertEqual([row[1] for row in ended.rows], expected)
        right = sum(row[1] == row[2] for row in ended.rows)
        self.assertIn("%d of 40 rows" % right, " ".join(ended.notes))
        self.assertGreater(right, 30)

    def test_files_of_labels_are_inputs(self):
        self.save("rows.npy", numpy.array([[1, 2], [3, 4]], "f4"))
        self.save("labels.npy", numpy.array([7, 8]))
        run = ("run", "knn", "--train", "rows.npy", "--test", "rows.npy", "--k", "1", "--labels")
        self.assertEqual(self.run_program(*run, "labels.npy").out, b"0\t7\n1\t8\n")
        self.assert_failed(self.run_program(*run, "labels.npy", "--trace", "labels.npy"), 2, "--trace is 'labels.npy'")
        self.assert_failed(self.run_program(*run, "-", "--test-labels", "-"), 2, "standard input (-) is given more than once")
        self.assertNotIn("standard output", self.run_program(*run, "-").err)

    @unittest.skipIf(DATA is None, "there is no real data beside the source tree")
    def test_files_of_images_and_labels(self):
        path = DATA / "images"
        known, asked, queries = ("t10k", "train", 100) if harness.QUICK else ("train", "t10k", 300)
        with gzip.open(path / f"{asked}-images-idx3-ubyte.gz") as file:
            images = file.read(16 + 784 * queries)[16:]
            self.save("queries.npy", numpy.frombuffer(images, numpy.uint8).reshape(queries, 784))
        with gzip.open(path / f"{asked}-labels-idx1-ubyte.gz") as file:
            self.save("query_labels.npy", numpy.frombuffer(file.read(8 + queries)[8:], numpy.uint8))
        ended = self.knn("--train", path / f"{known}-images-idx3-ubyte.gz", "--labels",
                         path / f"{known}-labels-idx1-ubyte.gz",
                         "--test", "queries.npy", "--test-labels", "query_labels.npy", "--k", 3)
        self.assertEqual(len(ended.rows), queries)
        self.assertGreater(sum(row[1] == row[2] for row in ended.rows), 0.9 * queries)

    @unittest.skipIf(DATA is None, "there is no real data beside the source tree")
    def test_skin_and_its_many_equal_rows(self):
        with gzip.open(DATA / "numeric" / "Skin_NonSkin.txt.gz", "rt") as file:
            table = numpy.loadtxt(file, dtype=numpy.int64)
        queries = table[::9001]
        self.write("queries.tsv", "".join("\t".join(map(str, row)) + "\n" for row in queries).encode())
        ended = self.knn("--train", DATA / "numeric" / "Skin_NonSkin.txt.gz", "--label", "last", "--test", "queries.tsv",
                         "--k", 25, "--neighbours")
        self.assert_neighbours(ended, table[:, :3], queries[:, :3], 25)

    @unittest.skipIf(DATA is None, "there is no real data beside the source tree")
    def test_cover_types(self):
        with gzip.open(DATA / "numeric" / "covtype_20k.data.gz", "rt") as file:
            table = numpy.loadtxt(file, dtype=numpy.int64, delimiter=",")
        queries = table[::499]
        self.write("queries.csv", "".join(",".join(map(str, row)) + "\n" for row in queries).encode())
        ended = self.knn("--train", DATA / "numeric" / "covtype_20k.data.gz", "--label", "last", "--test", "queries.csv",
                         "--k", 8, "--neighbours")
        self.assert_neighbours(ended, table[:, :-1], queries[:, :-1], 8)


if __name__ == "__main__":
    harness.main()
