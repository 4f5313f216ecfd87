#!/usr/bin/env python3
"""Tests that files of NumPy and scikit-learn, in every format, are read as the same tables.

`kmeans` starts with each row as a centre of its own, and so writes the rows that it read."""

import gzip
import os
import pathlib
import resource
import shutil
import struct
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tests/support"))
import cli_harness as harness  # noqa: E402

try:
    import numpy
    from sklearn.datasets import dump_svmlight_file
except ImportError as missing:
    print(f"skipped: {missing}; install python3-numpy and python3-sklearn")
    sys.exit(77)

DATA = pathlib.Path(os.environ.get("DUOMAP_DATA", "/nonexistent"))


class TablesTest(harness.ProgramTest):
    def setUp(self):
        super().setUp()
        self.seed = harness.seed()
        self.random = numpy.random.default_rng(self.seed)

    def kmeans(self, *arguments):
        return self.run_program("run", "kmeans", "--float64", "--device", "cpu", *arguments)

    def assert_reads(self, path, rows, *arguments):
        """The program reads `rows` from `path`."""
        rows = numpy.asarray(rows, dtype=numpy.float64)
        numpy.save(self.folder / "start.npy", rows)
        ended = self.kmeans("--k", len(rows), "--init", "start.npy", "--max-iter", 1, *arguments, path)
        self.assertEqual(ended.status, 0, f"seed {self.seed}, {path}: {ended.err}")
        read = numpy.array([line.split("\t")[2:] for line in ended.out.decode().splitlines()], dtype=numpy.float64)
        self.assertEqual(read.shape, rows.shape, f"seed {self.seed}, {path}")
        # kmeans adds up exactly on a grid of 2^-33 of a column's range.
        difference = numpy.abs(read - rows).max()
        self.assertLessEqual(difference, 2.0**-30 * numpy.ptp(rows), f"seed {self.seed}, {path}")

    def synthetic(self):
        return self.random.normal(size=(37, 5)) * 10.0 ** self.random.integers(-3, 4)

    def test_delimited_text(self):
        rows = self.synthetic()
        for name, how in {
            "rows.csv": {"delimiter": ","},
            "header.csv": {"delimiter": ",", "header": "a,b,c,d,e", "comments": ""},
            "rows.tsv": {"delimiter": "\t"},
            "rows.txt": {"delimiter": " "},
            "semicolons.data": {"delimiter": ";", "newline": "\r\n"},
        }.items():
            numpy.savetxt(self.folder / name, rows, fmt="%.17g", **how)
            self.assert_reads(name, rows)
        compressed = self.write("rows.csv.gz", gzip.compress((self.folder / "rows.csv").read_bytes()))
        self.assert_reads(compressed, rows)

    @unittest.skipUnless(shutil.which("zstd"), "no zstd to compress with")
    def test_zstd(self):
        rows = self.synthetic()
        numpy.savetxt(self.folder / "rows.csv", rows, delimiter=",", fmt="%.17g")
        subprocess.run(["zstd", "-q", "rows.csv"], cwd=self.folder, check=True)
        self.assert_reads("rows.csv.zst", rows)

    def test_columns_by_name_and_number(self):
        rows = self.synthetic()
        numpy.savetxt(self.folder / "rows.csv", rows, delimiter=",", fmt="%.17g", header="a,b,c,d,e", comments="")
        self.assert_reads("rows.csv", rows[:, [1, 3]], "--columns", "b,4")
        self.assert_reads("rows.csv", rows[:, [0, 1, 2]], "--leave-out", "last,d")

    def test_arrays_of_numpy(self):
        for kind in ("<f4", ">f4", "<f8", ">f8", "<i2", ">i4", "<i8", "u1", "<u2", ">u8"):
            for shape in ((23,), (23, 4), (5, 3, 2)):
                # All rows differ, because two clusters cannot begin at one place.
                rows = numpy.arange(numpy.prod(shape)).reshape(shape).astype(kind)
                for order in "CF" if rows.ndim < 3 else "C":
                    numpy.save(self.folder / "rows.npy", numpy.asarray(rows, order=order))
                    self.assert_reads("rows.npy", rows.reshape(len(rows), -1))
        rows = numpy.array([[False, True], [True, False], [True, True]])
        numpy.save(self.folder / "rows.npy", rows)
        self.assert_reads("rows.npy", rows)

    def test_libsvm_text(self):
        rows = self.synthetic()
        rows[self.random.random(rows.shape) < 0.4] = 0
        rows[:, 0] = numpy.arange(len(rows)) + 1
        rows[0, -1] = 1
        dump_svmlight_file(rows, numpy.arange(len(rows)) % 3, str(self.folder / "rows.libsvm"), zero_based=False)
        written = numpy.zeros_like(rows)
        for row, line in enumerate((self.folder / "rows.libsvm").read_text().splitlines()):
            for feature in line.split()[1:]:
                index, value = feature.split(":")
                written[row, int(index) - 1] = float(value)
        self.assert_reads("rows.libsvm", written)

    def test_idx(self):
        rows = self.random.permutation(256)[:60].reshape(10, 2, 3).astype(numpy.uint8)
        self.write("rows-idx3-ubyte", struct.pack(">BBBBIII", 0, 0, 8, 3, *rows.shape) + rows.tobytes())
        self.assert_reads("rows-idx3-ubyte", rows.reshape(10, 6))

    def test_symbols_of_real_rows(self):
        path = DATA / "numeric/kddcup.data_10_percent.gz"
        if not path.exists():
            self.skipTest(f"no {path}: set DUOMAP_DATA")
        with gzip.open(path, "rt") as lines:
            # All rows differ, because two clusters cannot begin at one place.
            fields = numpy.array(sorted({tuple(next(lines).split(",")[:-1]) for _ in range(400)}))
        self.write("kdd.csv", "".join(",".join(row) + "\n" for row in fields).encode())
        columns = [numpy.unique(column, return_inverse=True)[1] if index in (1, 2, 3) else column.astype(float)
                   for index, column in enumerate(fields.T)]
        self.assert_reads("kdd.csv", numpy.array(columns).T, "--symbols", "encode")

    def test_bad_rows(self):
        self.write("bad.csv", b"x,y\n1,2\n3,?\n4,5,6\n7,8\n")
        self.assert_failed(self.kmeans("--k", 1, "bad.csv"), 5, "'bad.csv', line 3: column 2 ('y'): the value is missing")
        self.assert_reads("bad.csv", [[1, 2], [7, 8]], "--bad-rows", "drop")
        ended = self.kmeans("--k", 1, "--bad-rows", "drop", "bad.csv")
        self.assertIn("2 rows were left out; the first for line 3", ended.err)

    @unittest.skipIf(harness.QUICK, "sanitizers need more addresses")
    def test_memory_that_is_not_there(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))

        with open(self.folder / "rows.npy", "wb") as file:
            file.write(b"\x93NUMPY")
            file.truncate(6 << 30)  # a file without stored bytes: one hole
        ended = self.run_program("run", "kmeans", "--device", "cpu", "rows.npy", preexec_fn=limit)
        self.assert_failed(ended, 4, "'rows.npy', which needs at least 6145 MiB; free memory", "ulimit -v")
        self.assertNotIn("uncompressed", ended.err)

    def test_options_that_make_no_sense(self):
        self.write("rows.csv", b"1,2\n3,4\n")
        numpy.save(self.folder / "rows.npy", numpy.ones((2, 2)))
        self.assert_failed(self.kmeans("--k", 1, "--delimiter", "ab", "rows.csv"), 2, "--delimiter is 'ab'")
        self.assert_failed(self.kmeans("--k", 1, "--columns", "3", "rows.csv"), 2, "has no column '3'; it has 2")
        self.assert_failed(self.kmeans("--k", 1, "--columns", "1", "rows.npy"), 2, "'rows.npy', which is a NumPy array")
        self.assert_failed(self.kmeans("--k", 1, "--input-format", "npy", "rows.csv"), 5, "does not begin as one")
        self.assert_failed(self.kmeans("--k", 1, "none.csv"), 5, "none.csv")


if __name__ == "__main__":
    harness.main()
