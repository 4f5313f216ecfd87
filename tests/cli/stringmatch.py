#!/usr/bin/env python3
"""Tests that stringmatch finds what Python and grep find: overlaps, hostile lines, many
patterns."""

import gzip
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness  # noqa: E402


def lowered(text):
    """Makes ASCII capital letters small, like bytes.lower()."""
    return text.lower()


def occurrences(text, patterns, ignore_case=False):
    """(offset, line, pattern) of every match. Matches of one pattern may overlap."""
    seen = lowered(text) if ignore_case else text
    found = []
    for pattern in dict((lowered(p) if ignore_case else p, p) for p in reversed(patterns)).items():
        compared, shown = pattern
        at = seen.find(compared)
        while at >= 0:
            found.append((at, len(compared), shown))
            at = seen.find(compared, at + 1)
    rows = []
    lines, counted = 1, 0
    for at, _, shown in sorted(found):
        lines += text.count(b"\n", counted, at)
        counted = at
        rows.append((at, lines, shown))
    return rows


def unescaped(cell):
    named = {b"t": b"\t", b"n": b"\n", b"r": b"\r", b"\\": b"\\"}
    parts = cell.split(b"\\")
    text = parts[0]
    at = 1
    while at < len(parts):
        if parts[at] == b"":
            text += b"\\" + (parts[at + 1] if at + 1 < len(parts) else b"")
            at += 2
        else:
            text += named[parts[at][:1]] + parts[at][1:]
            at += 1
    return text


class StringMatch(harness.ProgramTest):
    def match(self, *arguments, **options):
        ended = self.run_program("run", "stringmatch", *arguments, **options)
        self.assertEqual(ended.status, 0, ended.err)
        rows = []
        for row in ended.out.split(b"\n")[:-1]:
            name, offset, line, pattern = row.split(b"\t")
            rows.append((unescaped(name).decode(), int(offset), int(line), unescaped(pattern)))
        return rows

    def check(self, text, patterns, *arguments, ignore_case=False, name="text"):
        self.write(name, text)
        self.write("patterns", b"".join(p + b"\n" for p in patterns))
        more = ["--ignore-case"] if ignore_case else []
        rows = self.match("--patterns", "patterns", *more, *arguments, name)
        self.assertEqual(rows, [(name, *row) for row in occurrences(text, patterns, ignore_case)])
        return len(rows)

    def test_overlapping_matches(self):
        self.assertEqual(self.check(b"aaaa\nbaab", [b"aa", b"a", b"aaa"]), 12)

    def test_input_order_over_several_files(self):
        self.write("b", b"x\ny x")
        self.write("a", b"\n\nx")
        self.assertEqual(
            self.match("--pattern", "x", "b", "a"),
            [("b", 0, 1, b"x"), ("b", 4, 2, b"x"), ("a", 2, 3, b"x")],
        )

    def test_case(self):
        text = b"Whale WHALE whale [\\]^_` {|}~ \xc3\x84 \xe4"
        self.assertEqual(self.check(text, [b"whale", b"[", b"{", b"\xc3\x84"]), 4)
        self.assertEqual(self.check(text, [b"wHaLe", b"[", b"{", b"\xc3\x84", b"\xc4"], ignore_case=True), 6)

    def test_a_pattern_given_twice_counts_once(self):
        self.assertEqual(self.check(b"one two one", [b"one", b"one"]), 2)

    def test_patterns_of_options_and_files_together(self):
        self.write("text", b"-v here and there\r\n")
        self.write("more", b"there\r\nere")
        rows = self.match("--pattern=-v", "--patterns", "more", "--pattern", "and", "text")
        self.assertEqual([row[3] for row in rows], [b"-v", b"ere", b"and", b"there", b"ere"])

    def test_patterns_and_texts_from_standard_input(self):
        self.write("text", b"abc")
        self.assertEqual(self.match("--patterns", "-", "text", data=b"b\n"), [("text", 1, 1, b"b")])
        self.assertEqual(
            self.match("--pattern", "b", "-", data=b"\nabc"), [("standard input", 2, 2, b"b")]
        )
        ended = self.run_program("run", "stringmatch", "--patterns", "-", "-", data=b"b\n")
        self.assert_failed(ended, 2, "standard input")

    def test_hostile_lines(self):
        longest = b"x" * 10_000_000
        for text in (
            b"",
            b"\n",
            b"no newline at the end",
            b"\0newline\0\n\0end\0",
            b"end \xff\xfe end \xc3\n\xc3\xa9nd end",
            b"end\r\nend\r\n",
            longest + b"end" + longest + b"\nend",
        ):
            self.check(text, [b"end", b"\xc3", b"\0", b"newline"])
            self.check(text, [b"end"])

    def test_random_texts(self):
        seed = random.randrange(1 << 32)
        print("seed", seed)
        random.seed(seed)
        for round_number in range(40):
            letters = [bytes([c]) for c in random.sample(range(256), random.choice([2, 3, 30]))]
            letters = [c for c in letters if c not in b"\n\r"] + [b"q"]
            size = random.choice([1, 5, 63, 64, 65, 4095, 4096, 4097, 70_000, 200_000])
            # The "qq" keeps the text from looking like UTF-16 or beginning with a byte order mark.
            text = (b"qq" + b"".join(random.choice([*letters, b"\n"]) for _ in range(size)))[:size]
            patterns = [
                b"".join(random.choices(letters, k=random.choice([1, 2, 3, 4, 5, 8, 9, 30])))
                for _ in range(random.choice([1, 1, 2, 40]))
            ]
            self.check(text, patterns, ignore_case=round_number % 2 == 1)

    def test_every_vector_path(self):
        text = b"".join(b"line %d of the text, the end\n" % i for i in range(5000))
        self.write("text", text)
        for path in ("portable", "avx2", "avx512"):
            for patterns in ([b"the end"], [b"e"], [b"the", b"text", b"9 of"]):
                given = [f"--pattern={p.decode()}" for p in patterns]
                ended = self.run_program(
                    "run", "stringmatch", *given, "text", env=self.environment(DUOMAP_VECTOR=path)
                )
                if ended.status == 2 and "this CPU supports at most" in ended.err:
                    continue
                self.assertEqual(ended.status, 0, ended.err)
                rows = [tuple(row.split(b"\t")[1:]) for row in ended.out.split(b"\n")[:-1]]
                expected = [(b"%d" % at, b"%d" % line, p) for at, line, p in occurrences(text, patterns)]
                self.assertEqual(rows, expected)

    def test_compressed_and_formats(self):
        self.write("text.gz", gzip.compress(b"first\nsecond first\n"))
        out = self.run_program("run", "stringmatch", "--pattern", "first", "--format", "jsonl", "text.gz").out
        self.assertEqual(
            [json.loads(row) for row in out.splitlines()],
            [
                {"file": "text.gz", "offset": 0, "line": 1, "pattern": "first"},
                {"file": "text.gz", "offset": 13, "line": 2, "pattern": "first"},
            ],
        )

    def test_as_grep(self):
        """Compares with grep -b -o -F on real text, for a pattern that cannot overlap itself."""
        grep = shutil.which("grep")
        folder = pathlib.Path(os.environ.get("DUOMAP_DATA", "/nonexistent")) / "text"
        texts = sorted(folder.glob("*.txt.gz"))
        if grep is None or not texts:
            self.skipTest(f"no grep, or no texts in {folder}")
        self.write("text", gzip.decompress(texts[0].read_bytes()))
        for pattern in ("the", "Jerusalem", "LORD", ","):
            expected = subprocess.run(
                [grep, "-b", "-o", "-n", "-F", "-a", "--", pattern, "text"],
                cwd=self.folder, env={"LC_ALL": "C"}, stdout=subprocess.PIPE, check=True,
            ).stdout
            rows = self.match("--pattern", pattern, "text")
            self.assertGreater(len(rows), 0)
            lines = b"".join(b"%d:%d:%s\n" % (line, at, p) for _, at, line, p in rows)
            self.assertTrue(lines == expected, pattern)

    def test_thousands_of_patterns(self):
        """Compares with Python's search for each pattern, on real text if there is some."""
        folder = pathlib.Path(os.environ.get("DUOMAP_DATA", "/nonexistent")) / "text"
        texts = sorted(folder.glob("tinyshakespeare.txt.gz"))
        if texts:
            text = gzip.decompress(texts[0].read_bytes())[:200_000]
        else:
            print("no text in", folder, "- an invented one is used")
            text = b"\n".join(b"word%d and more" % (i * i % 7919) for i in range(10_000))
        words = sorted(set(text.split()))
        random.Random(1).shuffle(words)
        self.assertGreater(self.check(text, words[:3000]), 3000)

    def test_wrong_usage(self):
        self.write("text", b"abc")
        self.write("empty", b"")
        self.write("blank", b"a\n\nb\n")
        run = lambda *arguments: self.run_program("run", "stringmatch", *arguments)  # noqa: E731
        self.assert_failed(run("text"), 2, "at least one pattern")
        self.assert_failed(run("--pattern", "", "text"), 2, "is empty")
        self.assert_failed(run("--pattern", "x", "--pattern", "", "text"), 2, "pattern 2 of 2 is empty")
        self.assert_failed(run("--patterns", "blank", "text"), 2, "pattern 2 of 3 is empty")
        self.assert_failed(run("--patterns", "empty", "text"), 2, "no pattern")
        self.assert_failed(run("--pattern", "a\nb", "text"), 2, "newline")
        self.assert_failed(run("--patterns", "missing", "text"), 5, "missing")
        self.assert_failed(run("--pattern", "a", "--top", "3", "text"), 2, "--top")
        self.assert_failed(run("--pattern", "a", "--sort", "key", "text"), 2, "--sort")
        self.assert_failed(run("--pattern", "a"), 2, "PATH")

    def test_more_matches_than_memory_for_them(self):
        """Too little memory gives an error with the limit and a cure, enough memory all rows."""
        self.write("text", b"a" * 200_000)
        for arguments in (("--pattern", "a"), ("--pattern", "a", "--pattern", "aa")):
            for threads in ("1", "2"):
                ended = self.run_program(
                    "run", "stringmatch", *arguments, "--threads", threads, "--memory", "3M", "-o", "rows", "text"
                )
                self.assert_failed(ended, 4, "3000000 bytes", "--memory")
                self.assertEqual(self.names(), ["text"])
        ended = self.run_program("run", "stringmatch", "--pattern", "a", "--memory", "20M", "text")
        self.assertEqual((ended.status, ended.out.count(b"\n")), (0, 200_000), ended.err)
        self.assert_failed(
            self.run_program("run", "stringmatch", "--pattern", "a", "--memory", "much", "text"), 2, "--memory"
        )

    @unittest.skipUnless(harness.has_benchmarks(), "this build has no benchmarks")
    def test_benchmark(self):
        self.write("text", b"".join(b"words number %d\n" % i for i in range(3000)))
        ended = self.run_program(
            "bench", "stringmatch", "--rounds", "1", "--bytes", "1", "--counts", "1,2", "text"
        )
        self.assertEqual(ended.status, 0, ended.err)
        head, *table = [row.split(b" | ") for row in ended.out.splitlines() if row.startswith(b"| ")]
        program, rows = head.index(b"program"), head.index(b"rows |")
        for row in table:
            if row[program] == b"duomap":
                self.assertEqual(row[rows], b"6,000 |" if b"2 words" in row[0] else b"3,000 |")
        self.assertGreaterEqual(sum(row[program] == b"duomap" for row in table), 2)

    def test_verify(self):
        self.write("text", b"one two\nthree one")
        ended = self.run_program("run", "stringmatch", "--verify", "--pattern", "one", "text")
        self.assertEqual(ended.status, 0, ended.err)
        self.assertIn("pure map", ended.err)


if __name__ == "__main__":
    harness.main()
