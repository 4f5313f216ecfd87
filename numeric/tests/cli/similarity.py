"""Compares similarity with NumPy: thresholds, best rows, degenerate rows. Also tests what it
refuses."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tests/support"))
import cli_harness as harness

try:
    import numpy
except ImportError:
    print("skipped, there is no NumPy (Debian package python3-numpy)")
    sys.exit(harness.SKIPPED)


class Similarity(harness.ProgramTest):
    def setUp(self):
        super().setUp()
        self.random = numpy.random.default_rng(harness.seed())

    def vectors(self, rows, columns):
        """Random rows, some of which are zeros, and some equal to the row before."""
        numbers = self.random.normal(size=(rows, columns)).astype("float32")
        numbers[self.random.random(rows) < 0.1] = 0
        for row in numpy.flatnonzero(self.random.random(rows) < 0.1):
            numbers[row] = numbers[row - 1]
        return numbers

    def cosines(self, numbers):
        wide = numbers.astype("float64")
        lengths = numpy.linalg.norm(wide, axis=1)
        lengths[lengths == 0] = 1
        return (wide @ wide.T) / numpy.outer(lengths, lengths)

    def pairs(self, numbers, *options):
        numpy.save(self.folder / "x.npy", numbers)
        ended = self.run_program("run", "similarity", *options, "x.npy")
        self.assertEqual(ended.status, 0, ended.err)
        rows = [line.split(b"\t") for line in ended.out.splitlines()]
        return [(int(first), int(second), float(cosine)) for first, second, cosine in rows]

    def test_threshold(self):
        for rows, columns, threshold in ((2, 1, 0), (9, 3, -1), (150, 4, 0.5), (301, 17, 0.3), (64, 2, 1)):
            with self.subTest(rows=rows, columns=columns, threshold=threshold):
                numbers = self.vectors(rows, columns)
                exact = self.cosines(numbers)
                bound = (columns + 2) * 2.0**-24 + 1e-7
                pairs = self.pairs(numbers, "--threshold", threshold)
                self.assertEqual([pair[:2] for pair in pairs], sorted({pair[:2] for pair in pairs}))
                for first, second, cosine in pairs:
                    self.assertLess(first, second)
                    self.assertLessEqual(abs(cosine - exact[first, second]), bound)
                found = {pair[:2] for pair in pairs}
                upper = numpy.triu(numpy.ones((rows, rows), bool), 1)
                surely = set(zip(*map(numpy.ndarray.tolist, numpy.nonzero(upper & (exact >= threshold + bound)))))
                maybe = set(zip(*map(numpy.ndarray.tolist, numpy.nonzero(upper & (exact >= threshold - bound)))))
                self.assertLessEqual(surely, found)
                self.assertLessEqual(found, maybe)

    def test_best(self):
        for rows, columns, best in ((2, 1, 10), (9, 3, 3), (150, 4, 1), (301, 17, 20)):
            with self.subTest(rows=rows, columns=columns, best=best):
                numbers = self.vectors(rows, columns)
                exact = self.cosines(numbers)
                pairs = self.pairs(numbers, *(("--top", best) if best != 10 else ()))
                each = min(best, rows - 1)
                self.assertEqual([pair[0] for pair in pairs], [row for row in range(rows) for _ in range(each)])
                for row in range(rows):
                    mine = pairs[row * each : (row + 1) * each]
                    self.assertEqual(mine, sorted(mine, key=lambda pair: (-pair[2], pair[1])))
                    others = numpy.delete(exact[row], row)
                    wanted = numpy.sort(others)[::-1][:each]
                    found = [pair[2] for pair in mine]
                    numpy.testing.assert_allclose(found, wanted, rtol=0, atol=(columns + 2) * 2.0**-24 + 1e-7)

    def test_deterministic(self):
        numbers = self.vectors(200, 40)
        for how in (("--threshold", 0.2), ("--top", 7)):
            answers = {tuple(self.pairs(numbers, "--deterministic", "--threads", t, *how)) for t in (1, 2, 5)}
            self.assertEqual(len(answers), 1)

    def test_equal_rows_have_exactly_1(self):
        numbers = numpy.repeat(self.random.normal(size=(60, 37)).astype("float32"), 2, axis=0)
        numpy.save(self.folder / "twice.npy", numbers)
        for how in ((), ("--deterministic",)):
            ended = self.run_program("run", "similarity", "--threshold", 1, *how, "twice.npy")
            self.assertEqual(ended.out.decode(), "".join(f"{2 * i}\t{2 * i + 1}\t1\n" for i in range(60)))
            best = self.run_program("run", "similarity", "--top", 1, *how, "twice.npy").out.splitlines()
            self.assertEqual({row.split(b"\t")[2] for row in best}, {b"1"})
        # A long text with one word more has a cosine of nearly 1 in float32, but is no duplicate.
        words = "".join(f"word{i} " * 3000 for i in range(40))
        (self.folder / "long.txt").write_text(f"{words}\n{words}one\n{words}\n")
        ended = self.run_program("run", "similarity", "--words", "lines", "--threshold", 1, "long.txt")
        self.assertEqual(ended.out, b"long.txt:1\tlong.txt:3\t1\n")

    def test_text_and_formats(self):
        (self.folder / "x.csv").write_text("a,b\n3,4\n6,8\n-3,-4\n")
        ended = self.run_program("run", "similarity", "--threshold", "0.5", "--format", "csv", "x.csv")
        lines = ended.out.decode().splitlines()
        self.assertEqual(lines[0], "first,second,cosine")
        self.assertEqual(lines[1][:4], "0,1,")
        self.assertEqual(len(lines), 2)

    def test_texts(self):
        (self.folder / "texts").mkdir()
        for name, text in (("a", "one two two\n"), ("b", "Two one TWO"), ("c", "three"), ("d", "")):
            (self.folder / "texts" / name).write_text(text)
        ended = self.run_program("run", "similarity", "--words", "files", "--threshold", "0.9", "texts")
        self.assertEqual(ended.status, 0, ended.err)
        self.assertEqual(len(ended.out.splitlines()), 1)
        first, second, cosine = ended.out.split(b"\t")
        self.assertEqual((first, second), (b"texts/a", b"texts/b"))
        self.assertAlmostEqual(float(cosine), 1, places=6)
        (self.folder / "lines.txt").write_text("a b\nb c\nx\n")
        ended = self.run_program("run", "similarity", "--words", "lines", "--threshold", "0.4", "lines.txt")
        first, second, cosine = ended.out.split(b"\t")
        self.assertEqual((first, second), (b"lines.txt:1", b"lines.txt:2"))
        self.assertAlmostEqual(float(cosine), 0.5, places=6)

    def test_refused(self):
        numpy.save(self.folder / "x.npy", numpy.array([[1, 2], [3, numpy.nan]], "float32"))
        self.assert_failed(self.run_program("run", "similarity", "x.npy"), 5, "x.npy", "row 1")
        numpy.save(self.folder / "y.npy", numpy.ones((3, 2), "float32"))
        for arguments, said in (
            (("y.npy", "y.npy"), "one file"),
            (("--weights", "tf-idf", "y.npy"), "--words"),
            (("--words", "lines", "--columns", "1", "y.npy"), "--columns is about tables"),
            (("--words", "files", "--bad-rows", "drop", "y.npy"), "--bad-rows is about tables"),
            (("--threshold", "0.5", "--top", "3", "y.npy"), "--threshold"),
            (("--threshold", "1.5", "y.npy"), "1.5 not in range -1 - 1"),
            (("--threshold", "nan", "y.npy"), "nan not in range"),
        ):
            with self.subTest(arguments=arguments):
                self.assert_failed(self.run_program("run", "similarity", *arguments), 2, said)


if __name__ == "__main__":
    harness.main()
