"""Compares matmul with NumPy: types, sizes and formats. Also tests what matmul refuses."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tests/support"))
import cli_harness as harness

try:
    import numpy
except ImportError:
    print("skipped, there is no NumPy (Debian package python3-numpy)")
    sys.exit(harness.SKIPPED)


class Matmul(harness.ProgramTest):
    def setUp(self):
        super().setUp()
        self.random = numpy.random.default_rng(harness.seed())

    def matrix(self, rows, columns, kind="float32"):
        return (self.random.random((rows, columns)) * 2 - 1).astype(kind)

    def save(self, name, numbers):
        numpy.save(self.folder / name, numbers)

    def multiply(self, left, right, *options, output="c.npy"):
        self.save("a.npy", left)
        self.save("b.npy", right)
        ended = self.run_program("run", "matmul", "--output", output, *options, "a.npy", "b.npy")
        self.assertEqual(ended.status, 0, ended.err)
        return numpy.load(self.folder / output) if output.endswith(".npy") else ended

    def assert_near(self, product, left, right, unit):
        exact = left.astype("float64") @ right.astype("float64")
        allowed = (left.shape[1] + 1) * unit * (abs(left).astype("float64") @ abs(right).astype("float64"))
        self.assertEqual(product.shape, exact.shape)
        self.assertTrue((abs(product - exact) <= allowed + 1e-300).all())

    def test_sizes(self):
        for rows, terms, columns in ((1, 1, 1), (3, 5, 2), (127, 33, 65), (700, 129, 257), (1, 1000, 1), (500, 1, 3)):
            with self.subTest(rows=rows, terms=terms, columns=columns):
                left, right = self.matrix(rows, terms), self.matrix(terms, columns)
                product = self.multiply(left, right)
                self.assertEqual(product.dtype, numpy.float32)
                self.assert_near(product, left, right, 2.0**-24)

    def test_missing_values_are_refused_and_nan_is_a_number(self):
        self.write("b.csv", b"1\n1\n")
        for missing in (b"", b"?", b"NA", b"null"):
            self.write("a.csv", b"1," + missing + b"\n2,3\n")
            self.assert_failed(self.run_program("run", "matmul", "a.csv", "b.csv"), 5,
                               "'a.csv', line 1: column 2: the value is missing")
        self.write("a.csv", b"1,nan\n2,inf\n")
        self.assertEqual(self.run_program("run", "matmul", "a.csv", "b.csv").out, b"nan\ninf\n")

    def test_double(self):
        left, right = self.matrix(61, 47, "float64"), self.matrix(47, 93, "float64")
        product = self.multiply(left, right, "--float64")
        self.assertEqual(product.dtype, numpy.float64)
        self.assert_near(product, left, right, 2.0**-53)

    def test_deterministic(self):
        left, right = self.matrix(301, 70), self.matrix(70, 41)
        products = [
            self.multiply(left, right, "--deterministic", "--threads", threads).tobytes() for threads in (1, 2, 7)
        ]
        self.assertEqual(len(set(products)), 1)
        self.assert_near(self.multiply(left, right, "--deterministic"), left, right, 2.0**-24)

    def test_whole_numbers_are_exact(self):
        left = self.random.integers(-9, 9, (50, 60)).astype("float32")
        right = self.random.integers(-9, 9, (60, 70)).astype("float32")
        self.assertTrue((self.multiply(left, right) == left @ right).all())

    def test_products_of_integers_are_exact(self):
        for kind in ("bool", "uint8", "int8", "uint16", "int16", "int32"):
            most = 1 if kind == "bool" else min(numpy.iinfo(kind).max, 40000)
            with self.subTest(kind=kind):
                left = self.random.integers(0, most + 1, (9, 700)).astype(kind)
                right = self.random.integers(0, most + 1, (700, 5)).astype(kind)
                product = self.multiply(left, right)
                self.assertTrue((product.astype("int64") == left.astype("int64") @ right.astype("int64")).all())
                self.assertEqual(product.dtype, "float32" if kind in ("bool", "int8") else "float64")
        # Above 2^24, float32 does not even hold the factors.
        large = numpy.array([[2**24 + 1, 2**24 + 3]], "int32")
        self.assertEqual(int(self.multiply(large, large.T)[0, 0]), (2**24 + 1) ** 2 + (2**24 + 3) ** 2)
        small = self.random.integers(0, 9, (9, 70)).astype("uint8")
        self.assertEqual(self.multiply(small, small.T).dtype, "float32")
        # A note warns of sums above 2^53, and above 2^24 of whole numbers stored as float32.
        self.save("a.npy", numpy.array([[2**30, 1]], "int32"))
        self.save("b.npy", numpy.array([[2**30], [1]], "int32"))
        self.assertIn("above 2^53, where float64 rounds", self.run_program("run", "matmul", "a.npy", "b.npy").err)
        self.save("a.npy", numpy.array([[4097]], "float32"))
        self.assertIn("above 2^24, where float32 rounds", self.run_program("run", "matmul", "a.npy", "a.npy").err)
        self.assertEqual(self.run_program("run", "matmul", "--float64", "a.npy", "a.npy").out, b"16785409\n")

    def test_text(self):
        left = numpy.array([[1, 0.5], [2, 3]], "float32")
        right = numpy.array([[0.1], [4]], "float32")
        self.save("a.npy", left)
        (self.folder / "b.csv").write_text("0.1\n4\n")
        ended = self.run_program("run", "matmul", "a.npy", "b.csv")
        self.assertEqual((ended.status, ended.out), (0, b"2.1\n12.2\n"), ended.err)
        ended = self.run_program("run", "matmul", "--format", "csv", "a.npy", "a.npy")
        self.assertEqual(ended.out.splitlines()[:2], [b"c1,c2", b"2,2"])

    def test_refused(self):
        self.save("a.npy", self.matrix(3, 4))
        self.save("b.npy", self.matrix(5, 6))
        for arguments, said in (
            (("a.npy", "b.npy"), "3 x 4"),
            (("a.npy",), "two files"),
            (("a.npy", "b.npy", "a.npy"), "two files"),
            (("--top", "3", "a.npy", "b.npy"), "--top"),
            (("--tf32", "--deterministic", "a.npy", "b.npy"), "--tf32"),
            (("--tf32", "--float64", "a.npy", "b.npy"), "--tf32"),
        ):
            with self.subTest(arguments=arguments):
                self.assert_failed(self.run_program("run", "matmul", *arguments), 2, said)


if __name__ == "__main__":
    harness.main()
