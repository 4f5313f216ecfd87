"""Tests `duomap map` and `duomap merge`: parts merged in any order give the answer for the
whole."""

import os
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness


class Parts(harness.ProgramTest):
    def ok(self, *arguments):
        ended = self.run_program(*arguments)
        self.assertEqual(ended.status, 0, ended.err)
        return ended

    def map_parts(self, count, app, *arguments):
        for part in range(1, count + 1):
            self.ok("map", app, "--slice", f"{part}/{count}", "-o", f"{part}.part", *arguments)
        return [f"{part}.part" for part in range(1, count + 1)]

    def check(self, app, own, paths, rows=()):
        """`own` are options of the application, `rows` are options for the output."""
        whole = self.ok("run", app, *own, *rows, *paths)
        for count in (1, 2, 7):
            parts = self.map_parts(count, app, *own, *paths)
            random.shuffle(parts)
            self.assertEqual(self.ok("merge", app, *own, *rows, *parts).out, whole.out)
        # A partial of several parts replaces those parts.
        self.ok("merge", app, *own, "--partial", "-o", "some.part", *parts[:4])
        merged = self.ok("merge", app, *own, *rows, *parts[3:], "some.part", *parts[:2])
        self.assertEqual(merged.out, whole.out)
        self.assertIn("is left out: others hold its part of the input", merged.err)

    def texts(self):
        """Writes mapped, streamed, compressed and empty files."""
        seed = harness.seed()
        words = [b"w%d" % number for number in range(200)] + [b"a word of more than sixteen bytes".replace(b" ", b"x")]
        draw = random.Random(seed)
        def text(lines):
            return b"".join(b" ".join(draw.choices(words, k=8)) + b"\n" for _ in range(lines))
        import gzip
        self.write("texts/a", text(20000))
        self.write("texts/b", text(50))
        self.write("texts/c.gz", gzip.compress(text(300)))
        self.write("texts/d", b"")
        return ["texts"]

    def test_word_count(self):
        self.check("wordcount", ["--lower"], self.texts(), ["--sort", "key"])

    def test_string_match(self):
        self.check("stringmatch", ["--pattern", "w17", "--pattern", "9 w"], self.texts())

    def test_aggregate(self):
        self.write("pairs", random.Random(harness.seed()).randbytes(300000))
        self.check("aggregate", [], ["pairs"], ["--sort", "key"])
        self.check("aggregate", ["--values", "float32", "--deterministic"], ["pairs"], ["--sort", "key"])

    def test_some_of_the_keys(self):
        paths = self.texts()
        whole = self.ok("run", "wordcount", *paths)
        parts = self.map_parts(3, "wordcount", *paths)
        rows = [self.ok("merge", "wordcount", "--keys", f"{part}/5", *parts).out for part in range(1, 6)]
        self.assertEqual(sorted(b"".join(rows).splitlines()), sorted(whole.out.splitlines()))
        # In builds where all hashes are equal, one share of the keys has all of them.
        self.assertTrue(all(rows) or harness.QUICK)
        self.assert_failed(self.run_program("merge", "wordcount", "--keys", "1/257", *parts), 2, "--keys", "256")
        self.ok("map", "stringmatch", "--pattern", "w", "-o", "part", *paths)
        self.assert_failed(self.run_program("merge", "stringmatch", "--pattern", "w", "--keys", "1/2", "part"), 2,
                           "input order")
        # A partial has no rows, so options for rows make no sense.
        for of_rows in (("--keys", "1/5"), ("--top", "3"), ("--sort", "key"), ("--format", "csv")):
            self.assert_failed(self.run_program("merge", "wordcount", "--partial", *of_rows, "-o", "merged", *parts), 2,
                               of_rows[0], "--partial")

    def test_other_task_or_options(self):
        self.write("text", b"one two\n")
        self.ok("map", "wordcount", "-o", "a", "text")
        self.ok("map", "wordcount", "--lower", "-o", "b", "text")
        self.assert_failed(self.run_program("merge", "wordcount", "--lower", "a"), 5, "'a'", "--lower")
        self.assert_failed(self.run_program("merge", "wordcount", "a", "b"), 5, "'b'", "what its task was given")
        self.assert_failed(self.run_program("merge", "aggregate", "a"), 5, "its task is 'wordcount' and not 'aggregate'")
        self.assert_failed(self.run_program("merge", "wordcount", "text"), 5, "'text'", "no stored partial")
        self.assert_failed(self.run_program("merge", "wordcount", "missing"), 5, "'missing'")

    def test_other_sums(self):
        self.write("pairs", random.Random(harness.seed()).randbytes(80))
        floats = ["--values", "float32"]
        self.ok("map", "aggregate", *floats, "-o", "a", "pairs")
        self.ok("map", "aggregate", *floats, "--deterministic", "-o", "b", "pairs")
        same = "map all parts with the same options"
        self.assert_failed(self.run_program("merge", "aggregate", *floats, "a", "b"), 5, "'b'",
                           "'--values float32 --deterministic' and not '--values float32'", same)
        self.assert_failed(self.run_program("merge", "aggregate", *floats, "--deterministic", "a"), 5, "'a'",
                           "'--values float32' and not '--values float32 --deterministic'", same)
        # Integer sums are exact in either mode, so the partial fits.
        self.ok("map", "aggregate", "--deterministic", "-o", "c", "pairs")
        self.assertEqual(self.ok("merge", "aggregate", "--sort", "key", "c").out,
                         self.ok("run", "aggregate", "--sort", "key", "pairs").out)

    def test_input_that_is_not_whole(self):
        self.write("text", b"one two three four\n" * 20000)
        self.map_parts(3, "wordcount", "text")
        self.assert_failed(self.run_program("merge", "wordcount", "1.part", "3.part"), 5, "do not cover", "'text'")
        self.write("text", b"one two three four\n" * 20001)
        self.ok("map", "wordcount", "--slice", "2/3", "-o", "2.part", "text")
        self.assert_failed(self.run_program("merge", "wordcount", "1.part", "2.part", "3.part"), 5,
                           "partials of different inputs")

    def test_damage(self):
        self.write("text", b"one two three four\n" * 100)
        self.map_parts(2, "wordcount", "text")
        good = (self.folder / "1.part").read_bytes()
        place = random.Random(harness.seed()).randrange(len(good))
        self.write("1.part", good[:place] + bytes([good[place] ^ 4]) + good[place + 1:])
        self.assert_failed(self.run_program("merge", "wordcount", "1.part", "2.part"), 5, "'1.part'")
        self.write("1.part", good[:-1])
        self.assert_failed(self.run_program("merge", "wordcount", "1.part", "2.part"), 5, "'1.part'")

    def test_usage(self):
        self.write("text", b"one\n")
        for slice_text in ("0/3", "4/3", "1", "1/", "/2", "a/b", "1/3/5", "-1/3"):
            self.assert_failed(self.run_program("map", "wordcount", f"--slice={slice_text}", "-o", "part", "text"), 2,
                               "--slice")
        self.assert_failed(self.run_program("map", "wordcount", "text"), 2, "-o FILE")
        self.assert_failed(self.run_program("merge", "wordcount"), 2, "PARTIAL")
        self.assert_failed(self.run_program("merge", "wordcount", "--partial", "part"), 2, "-o FILE")
        for stage in ("map", "merge"):
            for whole in ("kmeans", "matmul"):
                self.assert_failed(self.run_program(stage, whole, "text"), 2,
                                   f"{whole} cannot be mapped in parts; these can: aggregate, ", "wordcount",
                                   f"'duomap run {whole}'")
            self.assert_failed(self.run_program(stage, "nothing", "text"), 2, "unknown application 'nothing'")
        self.assertEqual(self.names(), ["text"])


if __name__ == "__main__":
    harness.main()
