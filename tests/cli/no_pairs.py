"""Tests that aggregate refuses inputs other than binary pairs, unless an option says otherwise."""

import bz2
import gzip
import io
import lzma
import pathlib
import struct
import sys
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness

PAIRS = struct.pack("<IiIiIi", 7, 1, 9, -2, 7, 4)
CSV = b"key,value\n7,1\n9,-2\n"
NPY = b"\x93NUMPY\x01\x00\x76\x00" + b"{'descr': '<i4', 'fortran_order': False, 'shape': (3, 2), }".ljust(117) + b"\n" + PAIRS


def zipped():
    to = io.BytesIO()
    with zipfile.ZipFile(to, "w") as archive:
        archive.writestr("pairs.bin", PAIRS)
    return to.getvalue()


REFUSED = {
    "pairs.csv": (CSV, "it is a text"),
    "crlf.csv": (CSV.replace(b"\n", b"\r\n"), "it is a text"),
    "long.csv": (CSV * 10000, "it is a text"),
    "mark.csv": (b"\xef\xbb\xbf" + CSV, "it is a text"),
    "wide.csv": (b"\xff\xfe" + CSV.decode().encode("utf-16-le"), "it is a text"),
    "pairs.json": (b'[{"key": 7, "value": 1}]\n', "it is a text"),
    "pairs.npy": (NPY, "an .npy array"),
    "gzip": (gzip.compress(PAIRS), "compressed by gzip"),
    "large gzip": (gzip.compress(bytes(range(256)) * 4000, 0), "compressed by gzip"),
    "zstd": (b"\x28\xb5\x2f\xfd\x20\x18\xc1\x00\x00" + PAIRS, "compressed by zstd"),
    "xz": (lzma.compress(PAIRS), "compressed by xz"),
    "lz4": (b"\x04\x22\x4d\x18\x64\x40\xa7\x18\x00\x00\x80" + PAIRS, "compressed by lz4"),
    "bzip2": (bz2.compress(PAIRS), "compressed by bzip2"),
    "zip": (zipped(), "a ZIP archive"),
    "parquet": (b"PAR1\x15\x04\x15" + PAIRS * 10, "a Parquet file"),
    "arrow": (b"ARROW1\0\0\xff\xff\xff\xff" + PAIRS * 10, "a file of Arrow"),
    "csv.gz": (gzip.compress(CSV), "it is a text"),
}


class NoPairs(harness.ProgramTest):
    def test_refused(self):
        for name, (content, part) in REFUSED.items():
            with self.subTest(name):
                self.write(name, content)
                self.assert_failed(self.run_program("run", "aggregate", name), 5, "cannot read binary numbers from '" + name, part, "--no-decompress")
                self.write("pairs.bin", PAIRS)
                self.assert_failed(self.run_program("run", "aggregate", "pairs.bin", name), 5, name, part)
                if name == "csv.gz":
                    continue  # such a file does not show that it is compressed
                with open(self.folder / name, "rb") as file:
                    self.assert_failed(self.run_program("run", "aggregate", "-", stdin=file), 5, "standard input", part)
                self.assert_failed(self.run_program("run", "aggregate", "-", data=content), 5, "standard input", part)
                self.assert_failed(self.run_program("map", "aggregate", name, "-o", "partial"), 5, name, part)

    def test_read_if_it_is_told_to(self):
        for name, (content, _) in REFUSED.items():
            with self.subTest(name):
                self.write(name, content)
                ended = self.run_program("run", "aggregate", "--no-decompress", "--quiet", name)
                self.assertEqual((ended.status, ended.err), (0, ""))
                pairs = struct.iter_unpack("<Ii", content[:len(content) // 8 * 8])
                self.assertEqual(sum(int(line.split(b"\t")[1]) for line in ended.out.splitlines()), sum(value for _, value in pairs))

    def test_pairs(self):
        self.write("pairs.bin", PAIRS)
        self.write("pairs.bin.gz", gzip.compress(PAIRS))
        for ended in (self.run_program("run", "aggregate", "--sort", "key", "pairs.bin"), self.run_program("run", "aggregate", "--sort", "key", "pairs.bin.gz"),
                      self.run_program("run", "aggregate", "--sort", "key", "-", data=PAIRS)):
            self.assertEqual(ended.out, b"7\t5\n9\t-2\n", ended.err)


if __name__ == "__main__":
    harness.main()
