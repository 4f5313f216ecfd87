"""Tests which text goes to standard output or standard error, and the options for less or more."""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness


class Streams(harness.ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("t.txt", b"a b a\n")

    def test_data_and_talk_are_apart(self):
        ended = self.count("--sort", "key", "t.txt")
        self.assertEqual(ended.out, b"a\t2\nb\t1\n")
        self.assertTrue(ended.err)
        for line in ended.err.splitlines():
            self.assertTrue(line.startswith("duomap: "), line)

    def test_no_colours_and_no_bar_without_a_terminal(self):
        self.assertNotIn("\033", self.count("t.txt").err)
        self.assertNotIn("\r", self.count("t.txt").err)
        self.assertNotIn("\033", self.word_count("missing").err)

    def test_quiet(self):
        ended = self.count("--quiet", "t.txt")
        self.assertEqual(ended.err, "")
        self.assertTrue(ended.out)

    def test_threads_beyond_the_cores_are_cut_and_said_so(self):
        self.assertIn("--threads 60000 is cut to ", self.count("--threads", "60000", "t.txt").err)
        self.assertNotIn("is cut to", self.count("--threads", "1", "t.txt").err)

    def test_quiet_checks_of_laws_say_nothing(self):
        ended = self.count("--quiet", "--verify", "t.txt")
        self.assertEqual(ended.err, "")
        self.assertIn("law '", self.count("--verify", "t.txt").err)

    def test_quiet_still_says_errors(self):
        self.assert_failed(self.word_count("--quiet", "missing"), 5, "missing")

    def check_summary(self, text):
        self.assertTrue(text.endswith("\n"))
        self.assertEqual(text.count("\n"), 1)
        summary = json.loads(text)
        self.assertEqual((summary["task"], summary["sources"], summary["units"], summary["results"]),
                         ("wordcount", 1, 6, 2))
        self.assertGreater(summary["wall_seconds"], 0)
        self.assertGreater(summary["peak_resident_bytes"], 0)
        self.assertGreaterEqual(len(summary["executors"]), 1)
        self.assertEqual(sum(executor["units"] for executor in summary["executors"]), 6)

    def test_json(self):
        for arguments in (["--json"], ["--json", "--quiet"]):
            self.check_summary(self.count(*arguments, "t.txt").err)

    def test_saved_summary(self):
        ended = self.count("--summary", "summary.json", "--quiet", "t.txt")
        self.assertEqual(ended.err, "")
        self.check_summary((self.folder / "summary.json").read_text())
        self.assertEqual(self.names(), ["summary.json", "t.txt"])

    def test_no_summary_of_a_failure(self):
        ended = self.word_count("--json", "--summary", "summary.json", "missing")
        self.assert_failed(ended, 5, "missing")
        self.assertEqual(self.names(), ["t.txt"])

    def test_verify(self):
        self.assertEqual(self.count("--verify", "--sort", "key", "t.txt").out, b"a\t2\nb\t1\n")


if __name__ == "__main__":
    harness.main()
