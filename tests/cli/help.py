"""Tests that help and explanations go to standard output and end with status 0."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness


class Help(harness.ProgramTest):
    def shown(self, *arguments):
        ended = self.run_program(*arguments)
        self.assertEqual((ended.status, ended.err), (0, ""))
        return ended.out.decode()

    def test_help_of_every_command(self):
        benchmarks = (("bench",), ("bench", "wordcount")) if harness.has_benchmarks() else ()
        for command in ((), ("run",), ("run", "wordcount"), ("list",), ("describe",), ("new",), ("doctor",),
                        *benchmarks):
            with self.subTest(command=command):
                text = self.shown(*command, "--help")
                self.assertIn("Usage: duomap" + "".join(" " + word for word in command), text)
                self.assertEqual([line for line in text.splitlines() if len(line) > 100], [])

    def test_run_help_has_options_and_examples(self):
        text = self.shown("run", "wordcount", "--help")
        for part in ("--device", "--gpu-engine", "--threads", "--top", "--sort", "--format", "--output", "--json",
                     "--summary", "--quiet", "--share", "--strict", "--deterministic", "--explain", "--trace",
                     "--report", "--profile", "--verify", "--lower", "Examples:", "duomap run wordcount"):
            self.assertIn(part, text)

    def test_run_help_has_the_examples_of_the_description(self):
        for line in self.shown("list").splitlines():
            name = line.split()[0]
            with self.subTest(application=name):
                examples = self.shown("describe", name).split("\nExamples\n")[1].split("\n\n")[0]
                self.assertIn(f"duomap run {name} ", examples)
                self.assertIn("Examples:\n" + examples + "\n", self.shown("run", name, "--help"))

    def test_version(self):
        self.assertRegex(self.shown("--version"), r"^duomap \d+\.\d+\.\d+\n$")

    def test_list_and_describe(self):
        lines = self.shown("list").splitlines()
        self.assertTrue(any(line.startswith("wordcount ") for line in lines), lines)
        for line in lines:
            self.assertIn(line.split(maxsplit=1)[1], self.shown("describe", line.split()[0]))

    def test_definitions_have_the_words_of_the_reference(self):
        def plain(text):
            return " ".join(text.replace("`", "").replace("**", "").split()).lower()
        reference = plain((pathlib.Path(__file__).resolve().parents[2] / "docs" / "reference" / "formats.md").read_text())
        for name, words in [
                ("wordcount", "a maximal run of ASCII letters, digits, apostrophes and bytes >= 0x80"),
                ("stringmatch", "at one offset the shorter pattern comes first"),
                ("pageviewcount", "a request has a method that is a token of RFC 9110, and a URL; HTTP/0.9 sends no protocol"),
                ("pageviewcount", "a URL that is nothing but a query names no page with --no-query"),
                ("kmeans", "the first c with the smallest |c|^2 / 2 - c x"),
                ("similarity", "ln((1 + D) / (1 + d)) + 1"),
                ("invertedindex", "decoded as in browsers")]:
            with self.subTest(name=name):
                self.assertIn(plain(words), plain(self.shown("describe", name)))
                self.assertIn(plain(words), reference)

    def test_doctor(self):
        text = self.shown("doctor")
        self.assertIn("GPU", text)
        self.assertEqual([line for line in text.splitlines() if len(line) > 100], [])


if __name__ == "__main__":
    harness.main()
