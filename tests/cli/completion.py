"""Tests what the program tells a shell that completes a command line."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness


class Completion(harness.ProgramTest):
    def candidates(self, *words):
        ended = self.run_program("__complete", *words)
        self.assertEqual((ended.status, ended.err), (0, ""))
        return [line.split("\t")[0] for line in ended.out.decode().splitlines()]

    def test_names_of_commands_and_applications(self):
        self.assertEqual(self.candidates("des"), ["describe"])
        self.assertEqual(self.candidates("run", "word"), ["wordcount"])
        self.assertEqual(self.candidates("describe", "word"), ["wordcount"])
        self.assertEqual(self.candidates("calibrate", "word"), ["wordcount"])
        self.assertIn("kmeans", self.candidates("run", ""))
        self.assertEqual([name for name in self.candidates("") if name.startswith("_")], [])

    def test_options(self):
        self.assertEqual(self.candidates("run", "wordcount", "--low"), ["--lower"])
        self.assertIn("-o", self.candidates("run", "wordcount", "book.txt", "-"))
        self.assertNotIn("--lower", self.candidates("run", "kmeans", "--"))
        self.assertEqual(self.candidates("run", "wordcount", "--", "-"), [])

    def test_values_of_options(self):
        self.assertEqual(self.candidates("run", "wordcount", "--format", ""), ["auto", "tsv", "csv", "jsonl"])
        self.assertEqual(self.candidates("run", "wordcount", "--format=j"), ["--format=jsonl"])
        self.assertEqual(self.candidates("run", "svmtrain", "-t", "po"), ["polynomial"])
        self.assertEqual(self.candidates("run", "wordcount", "--format", "csv", "--dev"), ["--device"])

    def test_where_a_file_stands_there_is_nothing(self):
        for words in (("run", "wordcount", ""), ("run", "wordcount", "-o", ""), ("run", "wordcount", "k"),
                      ("run", "wordcount", "kmeans", "--cl"), ("list", ""), ("nonsense", "run", "--x=")):
            with self.subTest(words=words):
                self.assertEqual(self.candidates(*words), [])

    def test_every_candidate_says_what_it_means(self):
        ended = self.run_program("__complete", "run", "wordcount", "--")
        for line in ended.out.decode().splitlines():
            self.assertRegex(line, r"^--[a-z-]+\t[^\t]+$")


class Manual(harness.ProgramTest):
    def test_a_page_for_every_application(self):
        pages = self.folder / "man"
        ended = self.run_program("__manual", str(pages))
        self.assertEqual((ended.status, ended.out, ended.err), (0, b"", ""))
        names = self.run_program("__complete", "run", "").out.decode().splitlines()
        self.assertGreater(len(names), 10)
        for name in (line.split()[0] for line in names):
            text = (pages / f"duomap-run-{name}.1").read_text()
            for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "EXIT STATUS", "SEE ALSO"):
                self.assertIn(f"\n.SH {section}\n", text)
            self.assertIn("\\-\\-device", text)
        main = (pages / "duomap.1").read_text()
        for page in pages.iterdir():
            if page.name != "duomap.1":
                self.assertIn(page.stem.replace("-", "\\-"), main)


if __name__ == "__main__":
    harness.main()
