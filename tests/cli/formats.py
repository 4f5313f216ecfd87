"""Tests that other programs can read the output formats."""

import base64
import csv
import io
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness


# The last two words are not UTF-8.
TEXT = b"it's it's caf\xc3\xa9 x \xff\xfe \xff\xfe \xff\xfe y\xc3\n"
COUNTS = {b"it's": 2, b"caf\xc3\xa9": 1, b"x": 1, b"\xff\xfe": 3, b"y\xc3": 1}


class Formats(harness.ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("t.txt", TEXT)

    def test_tsv(self):
        for arguments in ((), ("--format", "tsv")):
            rows = [line.split(b"\t") for line in self.count(*arguments, "t.txt").out.splitlines()]
            self.assertEqual({key: int(value) for key, value in rows}, COUNTS)

    def test_csv(self):
        text = self.count("--format", "csv", "t.txt").out.decode("utf-8", "surrogateescape")
        rows = list(csv.reader(io.StringIO(text, newline="")))
        self.assertEqual(rows[0], ["word", "count"])
        counts = {key.encode("utf-8", "surrogateescape"): int(value) for key, value in rows[1:]}
        self.assertEqual(counts, COUNTS)

    def test_jsonl(self):
        counts = {}
        for line in self.count("--format", "jsonl", "t.txt").out.decode("utf-8").splitlines():
            row = json.loads(line)
            self.assertEqual(len(row), 2)
            text = row.get("word")
            word = base64.b64decode(row["word_base64"], validate=True) if text is None else text.encode()
            counts[word] = row["count"]
        self.assertEqual(counts, COUNTS)

    def test_an_empty_input_gives_an_empty_table(self):
        self.write("t.txt", b" .,\n")
        self.assertEqual(self.count("t.txt").out, b"")
        self.assertEqual(self.count("--format", "csv", "t.txt").out, b"word,count\n")
        self.assertEqual(self.count("--format", "jsonl", "t.txt").out, b"")
        self.write("t.txt", b"")
        self.assertEqual(self.count("t.txt").out, b"")

    def test_standard_input(self):
        self.assertEqual(self.count("--sort", "key", "-", data=b"b a b").out, b"a\t1\nb\t2\n")


if __name__ == "__main__":
    harness.main()
