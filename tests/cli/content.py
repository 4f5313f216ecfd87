"""Tests that a file's first bytes show its content, in every application and from standard
input."""

import bz2
import gzip
import io
import lzma
import pathlib
import shutil
import struct
import subprocess
import sys
import tarfile
import unittest
import zipfile
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness

COMBINED = b'192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.0" 200 2 "-" "x"\n'
# An application, its input, and its rows.
CASES = [
    (["wordcount", "--sort", "key"], b"ab cd ab\n", b"ab\t2\ncd\t1\n"),
    (["stringmatch", "--pattern", "ab"], b"ab cd\nab\n", None),
    (["pageviewcount"], COMBINED + COMBINED, b"/a\t1\n"),
    (["pageviewrank"], COMBINED, b"/a\t1\n"),
    (["invertedindex"], b'<a href="x">y</a>', None),
    (["naivebayes", "--train"], b"a,y\nb,n\na,y\nb,n\n", None),
    (["kmeans", "--k", "1"], b"1,2\n3,4\n", b"0\t2\t2\t3\n"),
    (["pca", "--components", "1"], b"1,2\n3,4\n5,5\n", None),
    (["similarity"], b"1,2\n3,4\n", None),
]
ENCODINGS = ["utf-8-sig", "utf-16", "utf-32"]


def compressed(kind, content, folder):
    if kind == "gz":
        return gzip.compress(content)
    if kind == "xz":
        return lzma.compress(content)
    program = {"zst": "zstd", "lz4": "lz4"}[kind]
    if not shutil.which(program):
        return None
    return subprocess.run([program, "-q", "-c"], input=content, capture_output=True, check=True).stdout


class Content(harness.ProgramTest):
    def rows(self, command, content, name):
        """The rows from a file called `name`, or from standard input if `name` is "-"."""
        if name == "-":
            ended = self.run_program("run", *command, "-", "--quiet", data=content)
        else:
            self.write(name, content)
            ended = self.run_program("run", *command, name, "--quiet")
        self.assertEqual(ended.status, 0, ended.err)
        return ended.out.replace(b"standard input", b"noext")

    def test_every_application_reads_every_encoding_and_compression(self):
        for command, content, expected in CASES:
            plain = self.rows(command, content, "noext")
            if expected is not None:
                self.assertEqual(plain, expected)
            forms = {encoding: content.decode().encode(encoding) for encoding in ENCODINGS}
            forms |= {kind: compressed(kind, content, self.folder) for kind in ("gz", "zst", "xz", "lz4")}
            forms["utf-16 in gz"] = gzip.compress(forms["utf-16"])
            for form, stored in forms.items():
                # naivebayes reads its table twice, which standard input does not allow.
                for name in ("noext", "-") if command[0] != "naivebayes" else ("noext",):
                    with self.subTest(command=command[0], form=form, name=name):
                        if stored is None:
                            self.skipTest("no program makes " + form)
                        self.assertEqual(self.rows(command, stored, name), plain)

    def test_pattern_file(self):
        self.write("patterns", b"\xef\xbb\xbfab\r\n")
        self.write("t", b"ab\n")
        self.assertEqual(self.run_program("run", "stringmatch", "--patterns", "patterns", "t").out, b"t\t0\t1\tab\n")

    def test_model_with_a_mark(self):
        self.write("t.csv", b"a,y\nb,n\na,y\nb,n\n")
        self.run_program("run", "naivebayes", "--train", "t.csv", "--model-out", "model")
        self.write("marked", b"\xef\xbb\xbf" + (self.folder / "model").read_bytes())
        ended = self.run_program("run", "naivebayes", "--model", "marked", "--test", "t.csv")
        self.assertEqual(ended.status, 0, ended.err)

    def test_what_is_not_read_is_refused_by_name(self):
        with zipfile.ZipFile(self.folder / "a.npz", "w") as archive:
            archive.writestr("x.npy", b"\x93NUMPY")
        for name, stored, what in [("a", bz2.compress(b"text"), "compressed by bzip2"),
                                   ("a.npz", (self.folder / "a.npz").read_bytes(), "a ZIP archive, as .npz")]:
            for command in (["wordcount"], ["kmeans", "--k", "1"]):
                self.write(name, stored)
                self.assert_failed(self.run_program("run", *command, name), 5, "'" + name + "': it is " + what)
                self.assert_failed(self.run_program("run", *command, "-", data=stored), 5,
                                   "standard input: it is " + what)

    def test_what_is_inside_is_looked_at_too(self):
        tar = io.BytesIO()
        with tarfile.open(fileobj=tar, mode="w") as archive:
            archive.addfile(tarfile.TarInfo("a.txt"))
        cases = [("a.gz", gzip.compress(gzip.compress(b"a b")), "what is compressed in it is compressed once more, by gzip"),
                 ("a", gzip.compress(bz2.compress(b"a b")), "what is compressed in it is compressed by bzip2"),
                 ("a.tar.gz", gzip.compress(tar.getvalue()), "what is compressed in it is a tar archive"),
                 ("a", tar.getvalue(), "it is a tar archive, which is not read here; extract its files first with tar -xf"),
                 ("a.tar.xz", lzma.compress(tar.getvalue()), "what is compressed in it is a tar archive")]
        for name, stored, what in cases:
            with self.subTest(what=what):
                self.write(name, stored)
                self.assert_failed(self.run_program("run", "wordcount", name), 5, "'" + name + "': " + what)
                self.assert_failed(self.run_program("run", "wordcount", "-", data=stored), 5, "standard input: " + what)
                self.assertEqual(self.run_program("run", "wordcount", "--no-decompress", name).status, 0)

    def test_frames_that_are_skipped_before_lz4_and_zstd(self):
        for program in ("lz4", "zstd"):
            if not shutil.which(program):
                self.skipTest(f"no {program} here")
            stored = subprocess.run([program, "-q", "-c"], input=b"a b\n", stdout=subprocess.PIPE, check=True).stdout
            for kinds, size in (((0,), 0), ((15,), 255), ((3, 7), 300), ((1,), 100_000)):
                skipped = b"".join(struct.pack("<II", 0x184D2A50 + kind, size) + bytes(size) for kind in kinds)
                with self.subTest(program=program, kinds=kinds, size=size):
                    self.write("a", skipped + stored)
                    self.assertEqual(self.run_program("run", "wordcount", "--sort", "key", "a").out, b"a\t1\nb\t1\n")
                    self.assertEqual(self.run_program("run", "wordcount", "--sort", "key", "-", data=skipped + stored).out, b"a\t1\nb\t1\n")
                    self.write("cut", skipped[:-1])
                    self.assert_failed(self.run_program("run", "wordcount", "cut"), 5, "truncated" if len(skipped) > 6 else "")
        self.write("a", struct.pack("<II", 0x184D2A50, 1 << 30))
        self.assert_failed(self.run_program("run", "wordcount", "a"), 5, "zstd and lz4 skip", "rename it to end in .zst or .lz4")

    def test_reserved_flags_of_gzip(self):
        stored = gzip.compress(b"a b\n")
        for bit in (0x20, 0x40, 0x80):
            for data in (stored[:3] + bytes([bit]) + stored[4:], stored + stored[:3] + bytes([bit]) + stored[4:]):
                self.write("a.gz", data)
                self.assert_failed(self.run_program("run", "wordcount", "a.gz"), 5, "its gzip data is damaged", "RFC 1952")

    def test_a_name_that_promises_another_compression(self):
        self.write("a.gz", lzma.compress(b"a b"))
        self.assert_failed(self.run_program("run", "wordcount", "a.gz"), 5,
                           "it does not begin like gzip at byte 0 but like xz; rename it to end in .xz")
        self.write("a.lz4", b"\x02\x21\x4c\x18" + bytes(20))
        self.assert_failed(self.run_program("run", "wordcount", "a.lz4"), 5, "it is an lz4 file of the legacy format")

    def test_files_that_are_no_text_are_refused_by_name(self):
        for first, what in [(b"%PDF-1.7\n", "a PDF document"), (b"PAR1\x15\x04", "a Parquet file"),
                            (b"ARROW1\0\0", "a file of Arrow"), (b"Obj\x01\x04\x14avro.codec", "a file of Avro"),
                            (b"\xff\x06\0\0sNaPpY\x01", "compressed by Snappy"), (b"\x89LZO\0\r\n\x1a\n\x10", "compressed by lzop"),
                            (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
                            (b"SQLite format 3\0", "a database of SQLite"), (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a document of an older"),
                            (b"\x80\x04\x95", "an object of Python's pickle"), (b"]\0\0\x80", "compressed by lzma")]:
            self.write("a", first + bytes(300))
            self.assert_failed(self.run_program("run", "wordcount", "a"), 5, "'a': it is " + what)
        for level in range(10):
            for window in range(9, 16):
                stored = zlib.compressobj(level, zlib.DEFLATED, window)
                self.write("a", stored.compress(b"some text, some more text\n" * 40) + stored.flush())
                self.assert_failed(self.run_program("run", "wordcount", "a"), 5, "'a': it is compressed by zlib")
        # Texts that begin like a file of another kind.
        for text in (b"PAR1 for the course", b"Obj 1", b"LZO", b"BZhang", b"ARROW1", b"PK", b"] a", b"x^2 + y^2\n", b"x\xc2\x9c", b"h\xc3\x81\t1\n", b"x" * 257 + b"ustar 00"):
            self.write("a", text)
            self.assertEqual(self.run_program("run", "wordcount", "a").status, 0, text)

    def test_no_decompress(self):
        self.assertEqual(self.rows(["wordcount", "--no-decompress", "--sort", "key"], bz2.compress(b""), "noext"),
                         b"BZh9\t1\nrE8P\x90\t1\n")
        self.assertEqual(self.rows(["wordcount", "--no-decompress"], b"\xef\xbb\xbfa", "a.gz"), b"\xef\xbb\xbfa\t1\n")

    def test_records_are_compressed_by_name_only(self):
        record = bytes([0x1F, 0x8B, 8, 0, 1, 0, 0, 0])
        row = b"%d\t1\n" % int.from_bytes(record[:4], "little")
        for name in ("noext", "-"):
            self.assertEqual(self.rows(["aggregate"], record, name), row)
        self.assertEqual(self.rows(["aggregate"], gzip.compress(record), "pairs.GZ"), row)
        marked = b"\xef\xbb\xbf\0\x01\0\0\0"
        self.assertEqual(self.rows(["aggregate"], marked, "noext"), b"%d\t1\n" % 0xBFBBEF)


if __name__ == "__main__":
    harness.main()
