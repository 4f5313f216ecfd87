"""Tests --sort and --top: which rows come, in which order, with ties decided by the key."""

import collections
import pathlib
import random
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness


TEXT = b"pear fig apple fig pear Zoo apple fig zoo apple date\n"


def rows(ended):
    return [tuple(line.split(b"\t")) for line in ended.out.splitlines()]


class Order(harness.ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("t.txt", TEXT)

    def test_any_order(self):
        expected = {b"pear": b"2", b"fig": b"3", b"apple": b"3", b"Zoo": b"1", b"zoo": b"1", b"date": b"1"}
        self.assertEqual(dict(rows(self.count("t.txt"))), expected)
        self.assertEqual(sorted(rows(self.count("t.txt", "--sort", "none"))), sorted(expected.items()))

    def test_by_key(self):
        self.assertEqual(self.count("--sort", "key", "t.txt").out,
                         b"Zoo\t1\napple\t3\ndate\t1\nfig\t3\npear\t2\nzoo\t1\n")

    def test_by_value(self):
        self.assertEqual(self.count("--sort", "value", "t.txt").out,
                         b"apple\t3\nfig\t3\npear\t2\nZoo\t1\ndate\t1\nzoo\t1\n")

    def test_top(self):
        by_value = self.count("--sort", "value", "t.txt").out.splitlines(keepends=True)
        for top in range(1, 9):
            with self.subTest(top=top):
                chosen = by_value[:top]
                for order in ([], ["--sort", "value"]):
                    self.assertEqual(self.count("--top", top, *order, "t.txt").out, b"".join(chosen))
                by_key = self.count("--top", top, "--sort", "key", "t.txt").out
                self.assertEqual(by_key, b"".join(sorted(chosen)))
                unordered = self.count("--top", top, "--sort", "none", "t.txt").out.splitlines(keepends=True)
                self.assertEqual(sorted(unordered), sorted(chosen))

    def test_lower(self):
        self.assertEqual(self.count("--lower", "--sort", "key", "t.txt").out,
                         b"apple\t3\ndate\t1\nfig\t3\npear\t2\nzoo\t2\n")

    def test_keys_are_ordered_as_bytes(self):
        self.write("t.txt", "é a Z z ab aa \xff 9 'b".encode() + b" \x80 \xff")
        keys = [row[0] for row in rows(self.count("--sort", "key", "t.txt"))]
        self.assertEqual(keys, sorted(keys))
        self.assertEqual(len(keys), 11)

    def test_random_text(self):
        seed = random.randrange(2**32)
        print("seed", seed)
        generator = random.Random(seed)
        letters = b"abAB'0 \xc3\xa9\n-"
        text = bytes(generator.choice(letters) for _ in range(20000))
        self.write("t.txt", text)
        counts = collections.Counter(re.findall(rb"[0-9A-Za-z'\x80-\xff]+", text))
        expected = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
        for arguments, size in ((["--sort", "value"], len(expected)), (["--top", "50"], 50)):
            found = [(key, int(value)) for key, value in rows(self.count(*arguments, "t.txt"))]
            self.assertEqual(found, expected[:size])

    def test_files_are_counted_together(self):
        self.write("more/a.txt", b"fig")
        self.write("more/b.txt", b"fig fi")
        self.write("c.txt", b"g")
        self.assertEqual(self.count("--sort", "key", "more", "c.txt").out, b"fi\t1\nfig\t2\ng\t1\n")

    def test_rows_with_an_order_of_their_own_are_not_ordered(self):
        self.write("t.csv", b"1,2\n3,4\n")
        for application, arguments in (("kmeans", ["--k", "1", "t.csv"]), ("knn", ["--train", "t.csv", "--test", "t.csv"]),
                                       ("matmul", ["t.csv", "t.csv"]), ("naivebayes", ["--train", "t.csv"]),
                                       ("pca", ["t.csv"]), ("similarity", ["t.csv"]),
                                       ("stringmatch", ["--pattern", "1", "t.csv"]),
                                       ("svmclassify", ["t.csv", "t.csv"]), ("svmtrain", ["t.csv", "model"])):
            help_text = self.run_program("run", application, "--help").out.decode()
            for option, value in (("--top", "3"), ("--sort", "key"), ("--sort", "value")):
                if (application, option) == ("similarity", "--top"):
                    continue
                self.assertNotIn(f"  {option} ", help_text)
                self.assert_failed(self.run_program("run", application, option, value, *arguments), 2, "error: " + option + ": ", "order")
        self.assertEqual(self.run_program("run", "kmeans", "--sort", "none", "--k", "1", "t.csv").status, 0)


if __name__ == "__main__":
    harness.main()
