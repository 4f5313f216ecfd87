"""Tests that a mistake on the command line ends with status 2 and a message with the right use."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness


class Usage(harness.ProgramTest):
    def refused(self, *arguments):
        ended = self.run_program(*arguments)
        self.assertEqual(ended.out, b"")
        return ended

    def refused_count(self, *arguments):
        return self.refused("run", "wordcount", *arguments)

    def test_no_command(self):
        self.assert_failed(self.refused(), 2, "run", "bench", "list", "describe", "doctor", "--help")

    def test_unknown_command(self):
        self.assert_failed(self.refused("count"), 2, "unknown command 'count'", "run")
        self.assert_failed(self.refused("wordcount", "file"), 2, "'wordcount' is an application", "'duomap run wordcount'")
        self.assert_failed(self.refused("--fast", "run"), 2, "--fast")

    def test_no_application(self):
        self.assert_failed(self.refused("run"), 2, "wordcount")
        self.assert_failed(self.refused("describe"), 2, "APP")

    def test_unknown_application(self):
        self.assert_failed(self.refused("run", "wordcuont", "file"), 2, "unknown application 'wordcuont'",
                           "wordcount")
        self.assert_failed(self.refused("describe", "x"), 2, "unknown application 'x'", "duomap list")

    def test_no_path(self):
        self.assert_failed(self.refused_count(), 2, "give at least one PATH, or - for standard input")

    def test_options_before_the_application(self):
        self.assert_failed(self.refused("run", "--top", "3", "wordcount", "file"), 2, "--top",
                           "after 'duomap run'")

    def test_bad_values(self):
        for option, value in (("--top", "0"), ("--top", "-3"), ("--top", "many"), ("--threads", "0"),
                              ("--threads", "1.5"), ("--device", "tpu"), ("--sort", "up"),
                              ("--gpus", "0,"), ("--gpus", "-1"), ("--gpus", "all"), ("--gpus", "0 1"),
                              ("--format", "xml")):
            with self.subTest(option=option, value=value):
                self.assert_failed(self.refused_count("file", option + "=" + value), 2, option, value)

    def test_gpus_beside_the_cpu_alone(self):
        self.assert_failed(self.refused_count("file", "--device", "cpu", "--gpus", "0"), 2, "--gpus", "--device cpu")

    def test_unknown_option(self):
        self.assert_failed(self.refused_count("file", "--fast"), 2, "--fast", "run wordcount --help")

    def test_missing_value(self):
        self.assert_failed(self.refused_count("file", "--top"), 2, "--top needs a value")

    def test_value_for_a_switch(self):
        self.assert_failed(self.refused_count("file", "--quiet=yes"), 2, "--quiet takes no value")

    def test_standard_input_twice(self):
        self.assert_failed(self.refused_count("-", "-"), 2, "standard input")
        for command in (("matmul", "-", "-"), ("knn", "--k", "1", "--train", "-", "--test", "-")):
            self.assert_failed(self.run_program("run", *command), 2, "standard input (-) is given more than once")

    def test_seeds(self):
        for seed in ("-1", "18446744073709551616", "one"):
            self.assert_failed(self.run_program("run", "kmeans", "--k", "1", "--seed", seed, "file"), 2, "--seed", f"'{seed}'")

    def test_summary_needs_a_file(self):
        self.assert_failed(self.refused_count("file", "--summary", "-"), 2, "--json")

    def test_nothing_is_created(self):
        self.refused_count("file", "--output", "result", "--top", "0")
        self.assertEqual(self.names(), [])


if __name__ == "__main__":
    harness.main()
