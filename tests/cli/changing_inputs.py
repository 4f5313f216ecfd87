"""Tests inputs that change during a run. A file that grew is read to its size at opening, with a
note. A file that was cut, rewritten or replaced ends the run: status 5, its name, no result."""

import gzip
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness

# The small file is read as a stream, the large one is mapped.
SIZES = (1 << 16, (2 << 20) + 100)
LONG_AGO = 1_000_000_000


class ChangingInputs(harness.ProgramTest):
    def texts(self):
        return [(b"one two three\n" * (size // 14 + 1))[:size - 1] + b"\n" for size in SIZES]

    def count_while(self, name, content, change, **options):
        """Counts the words of a file that changes after the program has opened it. The program
        opens a FIFO after all files, which tells the time of the change."""
        path = self.write(name, content)
        os.utime(path, (LONG_AGO, LONG_AGO))
        os.mkfifo(self.folder / "fifo")
        source = path.name if "stdin" not in options else "-"
        process = self.start("run", "wordcount", "--sort", "key", "--output", "result", source, "fifo", **options)
        with open(self.folder / "fifo", "wb") as gate:
            change(path)
            gate.write(b"end\n")
        ended = self.finish(process)
        (self.folder / "fifo").unlink()
        return ended

    def result_of(self, content):
        counts = {}
        for word in content.split() + [b"end"]:
            counts[word] = counts.get(word, 0) + 1
        return b"".join(b"%s\t%d\n" % (word, counts[word]) for word in sorted(counts))

    def assert_refused(self, ended, *parts):
        self.assert_failed(ended, 5, *parts)
        self.assertNotIn("result", self.names())
        self.assertEqual([name for name in self.names() if name.startswith(".duomap")], [])

    def test_grown(self):
        def grow(path):
            with open(path, "ab") as file:
                file.write(b"more words\n")
        for content in self.texts():
            ended = self.count_while("log", content, grow)
            self.assertEqual(ended.status, 0, ended.err)
            self.assertEqual((self.folder / "result").read_bytes(), self.result_of(content))
            self.assertIn(f"'log' grew by 11 bytes while it was being read; the first {len(content)} bytes", ended.err)

    def test_grown_compressed(self):
        text = os.urandom(200000).hex().encode() + b"\n"
        def grow(path):
            with open(path, "ab") as file:
                file.write(gzip.compress(b"more words\n"))
        ended = self.count_while("log.gz", gzip.compress(text), grow)
        self.assertEqual(ended.status, 0, ended.err)
        self.assertEqual((self.folder / "result").read_bytes(), self.result_of(text))
        self.assertIn("'log.gz' grew by", ended.err)

    def test_grown_standard_input(self):
        for content in self.texts():
            path = self.write("log", content)
            def grow(path):
                with open(path, "ab") as file:
                    file.write(b"more words\n")
            with open(path, "rb") as file:
                ended = self.count_while("log", content, grow, stdin=file)
            self.assertEqual(ended.status, 0, ended.err)
            self.assertEqual((self.folder / "result").read_bytes(), self.result_of(content))
            self.assertIn("standard input grew by 11 bytes", ended.err)

    def test_rewritten_in_place(self):
        def rewrite(path):
            with open(path, "r+b") as file:
                file.seek(100)
                file.write(b"X")
        for content in self.texts():
            self.assert_refused(self.count_while("log", content, rewrite), "'log' was rewritten", "run again")

    def test_rewritten_and_longer(self):
        def rewrite(path):
            with open(path, "r+b") as file:
                file.write(path.read_bytes().replace(b"one", b"ten") + b"more\n")
        for content in self.texts():
            self.assert_refused(self.count_while("log", content, rewrite), "'log' was rewritten")

    def test_cut(self):
        for content in self.texts():
            # The cut is within the last page, where a mapping reads zeros and does not fault.
            cut = lambda path: os.truncate(path, len(content) - 20)
            self.assert_refused(self.count_while("log", content, cut),
                                f"'log' was cut from {len(content)} to {len(content) - 20} bytes")

    def test_replaced(self):
        for content in self.texts():
            self.write("new", content)
            self.assert_refused(self.count_while("log", content, lambda path: os.replace(self.folder / "new", path)),
                                "'log' was replaced by another file")

    def test_deleted(self):
        # A mapped file stays complete after its name is removed.
        content = self.texts()[-1]
        ended = self.count_while("log", content, os.unlink)
        self.assertEqual(ended.status, 0, ended.err)
        self.assertEqual((self.folder / "result").read_bytes(), self.result_of(content))

    def test_table_that_is_used_where_it_is(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("no NumPy")
        rows = numpy.arange(1 << 19, dtype=numpy.float32).reshape(-1, 4)
        path = self.folder / "rows.npy"
        numpy.save(path, rows)
        os.utime(path, (LONG_AGO, LONG_AGO))
        os.mkfifo(self.folder / "fifo")
        process = self.start("run", "knn", "--train", "rows.npy", "--test", "fifo", "--output", "result")
        with open(self.folder / "fifo", "wb") as gate:
            with open(path, "r+b") as file:
                file.seek(1000)
                file.write(b"XXXX")
            gate.write(b"1 2 3 4\n")
        self.assert_refused(self.finish(process), "'rows.npy' was rewritten")


if __name__ == "__main__":
    harness.main()
