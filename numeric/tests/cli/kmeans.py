#!/usr/bin/env python3
"""Tests that `duomap run kmeans` finds what scikit-learn's Lloyd finds from the same centres."""

import gzip
import json
import os
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tests/support"))
import cli_harness as harness  # noqa: E402

try:
    import numpy
    from sklearn.cluster import KMeans
except ImportError as missing:
    print(f"skipped: {missing}; install python3-numpy and python3-sklearn")
    sys.exit(77)

DATA = pathlib.Path(os.environ.get("DUOMAP_DATA", "/nonexistent"))


class KMeansTest(harness.ProgramTest):
    def cluster(self, *arguments):
        ended = self.run_program("run", "kmeans", "--json", *arguments)
        self.assertEqual(ended.status, 0, ended.err)
        rows = [line.split("\t") for line in ended.out.decode().splitlines()]
        centres = numpy.array([[float(cell) for cell in row[2:]] for row in rows])
        sizes = [int(row[1]) for row in rows]
        self.assertEqual([int(row[0]) for row in rows], list(range(len(rows))))
        summary = json.loads(ended.err.splitlines()[-1])
        note = next(note for note in summary["notes"] if note.startswith("inertia "))
        return centres, sizes, float(note.split()[1]), int(note.split()[3])

    def compare(self, points, clusters, path, *arguments, seed=1, iterations=25, reference=numpy.float32):
        """Compares with scikit-learn, computing in `reference`: the same start and most iterations,
        no tolerance."""
        points = points.astype(numpy.float32)
        rows = random.Random(seed).sample(range(len(points)), clusters)
        start = points[rows].astype(numpy.float64)
        numpy.save(self.folder / "start.npy", start)
        model = KMeans(clusters, init=start.astype(reference), n_init=1, max_iter=iterations, tol=0,
                       algorithm="lloyd").fit(points.astype(reference))
        labels = self.folder / "labels.npy"
        centres, sizes, inertia, done = self.cluster(
            "--k", str(clusters), "--init", str(self.folder / "start.npy"), "--max-iter", str(iterations),
            "--tol", "0", "--assignments", str(labels), *arguments, str(path))
        found = numpy.load(labels)
        self.assertEqual(sum(sizes), len(points))
        self.assertEqual(numpy.bincount(found, minlength=clusters).tolist(), sizes)
        # Computes the inertia of the program's labels and centres in float64.
        exact = ((points.astype(numpy.float64) - centres[found]) ** 2).sum()
        self.assertLess(abs(inertia - exact), 1e-6 * exact)
        self.assertLess(abs(inertia - model.inertia_), 1e-5 * model.inertia_)
        # By rounding, a point that is about as near to two centres may get another label than in
        # scikit-learn. That moves the centres a little.
        self.assertGreater((found == model.labels_).mean(), 0.9995)
        spread = points.astype(numpy.float64).std(axis=0).max()
        self.assertLess(numpy.abs(centres - model.cluster_centers_).max(), 1e-3 * spread)
        self.assertLessEqual(done, iterations)
        return model

    def test_centres_are_the_shortest_texts(self):
        self.write("two.csv", b"2\n8\n")
        self.write("three.csv", b"1,1\n2,2\n8,2\n")
        for precision in ([], ["--float64"]):
            run = lambda *arguments: self.run_program("run", "kmeans", *precision, *arguments).out
            self.assertEqual(run("--k", "1", "two.csv"), b"0\t2\t5\n")
            self.assertEqual(sorted(row.split(b"\t")[2:] for row in run("--k", "3", "three.csv").splitlines()),
                             [[b"1", b"1"], [b"2", b"2"], [b"8", b"2"]])

    def test_distances_too_small(self):
        self.write("tiny.csv", b"1e-24\n2e-24\n9e-24\n")
        run = ("run", "kmeans", "--k", "2", "tiny.csv")
        self.assert_failed(self.run_program(*run), 2, "squared distances", "too small for float32", "--float64")
        sizes = [row.split(b"\t")[1] for row in self.run_program(*run, "--float64").out.splitlines()]
        self.assertEqual(sorted(sizes), [b"1", b"2"])
        self.write("zeros.csv", b"1e-50\n2e-50\n9e-50\n")
        self.assertIn("float32 makes 1e-50 and 2e-50 equal", self.run_program("run", "kmeans", "--k", "2", "zeros.csv").err)
        self.assertNotIn("float32", self.run_program("run", "kmeans", "--k", "2", "zeros.csv", "--float64").err)

    def test_one_point_far_away(self):
        """Two blobs stay two clusters, and the inertia is exact, wherever another point is."""
        generator = numpy.random.default_rng(harness.seed())
        blobs = numpy.concatenate([generator.normal(0, 0.5, (800, 2)), generator.normal(100, 0.5, (800, 2))])
        for far in (1e9, 1e13, 1e14, 1e15, 1e40, 1e150):
            for precision in (["--float64"], []) if far < 1e17 else (["--float64"],):
                with self.subTest(far=far, precision=precision):
                    points = numpy.concatenate([blobs, [[far, far]]]).astype("f8" if precision else "f4")
                    numpy.save(self.folder / "far.npy", points)
                    ended = self.run_program("run", "kmeans", *precision, "--k", 3, "--json", "--assignments", "labels.npy", "far.npy")
                    self.assertEqual(ended.status, 0, ended.err)
                    labels = numpy.load(self.folder / "labels.npy").reshape(-1)
                    self.assertEqual(sorted(numpy.bincount(labels)), [1, 800, 800])
                    centres = numpy.array([points[labels == label].astype("f8").mean(0) for label in range(3)])
                    exact = ((points.astype("f8") - centres[labels]) ** 2).sum()
                    inertia = json.loads(ended.err.splitlines()[-1])["figures"]["inertia"]
                    self.assertLess(abs(inertia - exact), (1e-12 if precision else 1e-5) * exact)

    def test_what_float32_cannot_tell_has_a_note(self):
        self.write("far.csv", b"x,y\n1,123456789\n1,123456791\n2,123456789\n")
        run = ("run", "kmeans", "--k", 2, "--json", "far.csv")
        note = "column 2 ('y'): float32 makes 123456789 and 123456791 equal; use float64 (--float64)"
        self.assertIn(note, json.loads(self.run_program(*run).err.splitlines()[-1])["notes"])
        self.assertNotIn("float32", self.run_program(*run, "--float64").err)
        # float32 holds these numbers near 3000, but not their squared distances.
        numpy.save(self.folder / "near.npy", numpy.array([[3000], [-3000], [3000.25], [-3000.25]] * 9, "f4"))
        run = ("run", "kmeans", "--k", 4, "near.npy")
        self.assertIn("centres lie too close together", self.run_program(*run).err)
        self.assertNotIn("centres lie too close together", self.run_program(*run, "--float64").err)

    def test_summary_has_the_figures(self):
        self.write("two.csv", b"2\n8\n")
        ended = self.run_program("run", "kmeans", "--json", "--k", "1", "two.csv")
        figures = json.loads(ended.err.splitlines()[-1])["figures"]
        self.assertEqual(figures["inertia"], 18)
        self.assertIsInstance(figures["iterations"], int)

    def test_synthetic_points_of_any_width(self):
        generator = numpy.random.default_rng(7)
        for width, offset in ((1, 0), (2, 0), (3, 1e4), (5, 0), (32, -1e4), (70, 0)):
            places = generator.uniform(-20, 20, (6, width))
            points = places[generator.integers(0, 6, 4001)] + generator.normal(0, 2, (4001, width)) + offset
            path = self.folder / "points.npy"
            numpy.save(path, points.astype(numpy.float32))
            with self.subTest(width=width, offset=offset):
                self.compare(points, 9, path)

    def test_skin(self):
        packed = DATA / "numeric" / "Skin_NonSkin.txt.gz"
        if not packed.exists():
            self.skipTest("no DUOMAP_DATA/numeric/Skin_NonSkin.txt.gz")
        points = numpy.loadtxt(gzip.open(packed), delimiter="\t", dtype=numpy.float32)[:, :3]
        self.compare(points, 12, packed, "--leave-out", "last")

    def test_digits(self):
        packed = DATA / "images" / "t10k-images-idx3-ubyte.gz"
        if not packed.exists():
            self.skipTest(f"no {packed.name} in DUOMAP_DATA/images")
        raw = gzip.open(packed).read()
        points = numpy.frombuffer(raw, numpy.uint8, offset=16).reshape(-1, 784)
        self.compare(points, 10, packed, iterations=10)

    def test_connections(self):
        """Columns of KDD Cup 99 whose ranges differ by nine orders of magnitude."""
        packed = DATA / "numeric" / "kddcup.data_10_percent.gz"
        if not packed.exists():
            self.skipTest("no DUOMAP_DATA/numeric/kddcup.data_10_percent.gz")
        lines = gzip.open(packed, "rt").read().splitlines()[:60000]
        columns = [c for c in range(41) if c not in (1, 2, 3)]
        rows = [line.split(",") for line in lines]
        points = numpy.array([[row[c] for c in columns] for row in rows], numpy.float32)
        path = self.folder / "connections.npy"
        numpy.save(path, points)
        self.compare(points, 8, path, reference=numpy.float64)

    def test_float64_is_as_good(self):
        generator = numpy.random.default_rng(3)
        points = generator.normal(0, 1, (2000, 4)) + 1e7
        path = self.folder / "points.npy"
        numpy.save(path, points)
        start = points[:5]
        numpy.save(self.folder / "start.npy", start)
        model = KMeans(5, init=start, n_init=1, max_iter=8, tol=0, algorithm="lloyd").fit(points)
        centres, _, inertia, _ = self.cluster("--float64", "--k", "5", "--init", str(self.folder / "start.npy"),
                                              "--max-iter", "8", "--tol", "0", str(path))
        self.assertLess(abs(inertia - model.inertia_), 1e-8 * model.inertia_)
        self.assertLess(numpy.abs(centres - model.cluster_centers_).max(), 1e-6)

    def test_own_starts_are_no_worse(self):
        """k-means++ finds well separated places, and a --seed gives the same result again."""
        generator = numpy.random.default_rng(11)
        places = generator.uniform(-100, 100, (8, 3))
        points = (places[generator.integers(0, 8, 5000)] + generator.normal(0, 0.1, (5000, 3))).astype(numpy.float32)
        path = self.folder / "points.npy"
        numpy.save(path, points)
        best = KMeans(8, n_init=10, random_state=0).fit(points).inertia_
        tries = [self.cluster("--k", "8", "--seed", str(seed), str(path)) for seed in range(10)]
        self.assertLess(min(one[2] for one in tries), best * 1.001)
        again = self.cluster("--k", "8", "--seed", "4", "--threads", "1", str(path))
        self.assertTrue((again[0] == tries[4][0]).all())
        self.assertEqual(again[1:], tries[4][1:])

    def test_text_with_names_and_bad_values(self):
        path = self.folder / "points.csv"
        path.write_text("height,width\n1,2\n3,4\n1,2.5\n3,4.5\n")
        ended = self.run_program("run", "kmeans", "--k", "2", "--format", "csv", str(path))
        self.assertEqual(ended.status, 0, ended.err)
        self.assertEqual(ended.out.splitlines()[0], b"cluster,size,height,width")
        lines = self.folder / "labels.txt"
        self.assertEqual(self.run_program("run", "kmeans", "--k", "2", "--assignments", str(lines), str(path)).status, 0)
        labels = lines.read_text().split()
        self.assertEqual(labels[0], labels[2])
        self.assertNotEqual(labels[0], labels[1])
        path.write_text("1,2\n3,nan\n")
        ended = self.run_program("run", "kmeans", "--k", "1", str(path))
        self.assertEqual(ended.status, 5, ended.err)
        numpy.save(self.folder / "bad.npy", numpy.array([[1, 2], [3, numpy.inf]], numpy.float32))
        ended = self.run_program("run", "kmeans", "--k", "1", str(self.folder / "bad.npy"))
        self.assertEqual(ended.status, 5, ended.err)
        for start in ("k-means++", "kmeans++", "random"):
            ended = self.run_program("run", "kmeans", "--k", "1", "--init", start, "points.csv", "--bad-rows", "drop")
            self.assertEqual(ended.status, 0, ended.err)
        for arguments in (["--k", "3"], ["--init", "nowhere.npy"], ["--sort", "key"], ["--top", "1"]):
            path.write_text("1,2\n3,4\n")
            ended = self.run_program("run", "kmeans", "--k", "2", *arguments, str(path))
            self.assertIn(ended.status, (2, 5), arguments)

    def test_initial_centres_of_other_names(self):
        self.write("points.csv", b"height,width\n1,2\n3,4\n")
        self.write("start.csv", b"width,height\n2,1\n")
        ended = self.run_program("run", "kmeans", "--k", "1", "--init", "start.csv", "points.csv")
        self.assert_failed(ended, 5, "column 'width' of 'start.csv' stands where 'points.csv' has 'height'")
        for start in (b"height,width\n1,2\n", b"1,2\n"):
            self.write("start.csv", start)
            ended = self.run_program("run", "kmeans", "--k", "1", "--init", "start.csv", "points.csv")
            self.assertEqual((ended.status, ended.out), (0, b"0\t2\t2\t3\n"), ended.err)


if __name__ == "__main__":
    harness.main()
