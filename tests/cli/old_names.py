"""Tests that an option accepts its old name for one version: same answer, and a note with the new
name. Help and completion hide the old name."""

import json
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness

# (arguments in which @ stands for the option, its old name, its new name)
CASES = [
    (["wordcount", "--sort", "key", "@", "50M", "words"], "--limit", "--memory"),
    (["knn", "--k", "1", "--train", "rows.csv", "--label", "last", "@", "rows.csv"], "--query", "--test"),
    (["knn", "--k", "1", "--train", "rows.npy", "--labels", "labels", "--test", "rows.npy", "@", "labels"], "--query-labels",
     "--test-labels"),
    (["kmeans", "--k", "2", "@", "clusters", "rows.csv"], "--labels", "--assignments"),
    (["svmtrain", "@", "0.5", "rows.svm", "model"], "--epsilon", "--tol"),
    (["svmtrain", "@", "1", "rows.svm", "model"], "--iterations", "--max-iter"),
]


class OldNames(harness.ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("words", b"to be or not to be\n")
        self.write("rows.csv", b"1,2,0\n1,3,0\n7,9,1\n8,9,1\n")
        self.write("rows.svm", b"0 1:1 2:2\n0 1:1 2:3\n1 1:7 2:9\n1 1:8 2:9\n")
        header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (4, 2), }".ljust(117) + b"\n"
        self.write("rows.npy", b"\x93NUMPY\x01\0" + struct.pack("<H", len(header)) + header +
                   struct.pack("<8f", 1, 2, 1, 3, 7, 9, 8, 9))
        self.write("labels", b"0\n0\n1\n1\n")

    def answer(self, arguments, *names):
        """The output, files and summary notes of a run, with a name in place of each @."""
        line = [word for one in arguments for word in (names if one == "@" else [one])]
        for name in ("clusters", "model"):
            (self.folder / name).unlink(missing_ok=True)
        ended = self.run_program("run", *line, "--json", "--device", "cpu")
        self.assertEqual(ended.status, 0, ended.err)
        files = {name: (self.folder / name).read_bytes() for name in ("clusters", "model") if (self.folder / name).exists()}
        return ended.out, files, json.loads(ended.err.splitlines()[-1])["notes"]

    def test_same_answer_and_a_note(self):
        for arguments, old, new in CASES:
            with self.subTest(old=old):
                note = f"{old} is called {new} now"
                out, files, notes = self.answer(arguments, new)
                self.assertNotIn(note, notes)
                old_out, old_files, old_notes = self.answer(arguments, old)
                self.assertEqual((old_out, old_files), (out, files))
                self.assertEqual(old_notes.count(note), 1)
                line = [old if word == "@" else word for word in arguments]
                ended = self.run_program("run", *line, "--device", "cpu")
                self.assertIn(f"duomap: {note}\n", ended.err)
                self.assertEqual(self.run_program("run", *line, "--device", "cpu", "--quiet").err, "")

    def test_the_last_of_both_names_counts(self):
        words = self.answer(["wordcount", "--sort", "key", "words"])[0]
        self.assertEqual(self.answer(["wordcount", "--sort", "key", "--memory", "1", "--limit=50M", "words"])[0], words)
        self.assertEqual(self.answer(["wordcount", "--sort", "key", "--limit", "1", "--memory=50M", "words"])[0], words)

    def test_a_wrong_value_is_told_by_the_new_name(self):
        self.assert_failed(self.run_program("run", "wordcount", "--limit", "much", "words"), 2, "--memory is 'much'")
        self.assert_failed(self.run_program("run", "svmtrain", "--epsilon", "0", "rows.svm"), 2, "--tol")
        self.assert_failed(self.run_program("run", "wordcount", "words", "--limit"), 2, "the last option needs a value")

    def test_other_commands(self):
        self.assertEqual(self.run_program("map", "wordcount", "--limit", "50M", "-o", "part", "words").status, 0)
        ended = self.run_program("merge", "wordcount", "--limit", "50M", "part")
        self.assertEqual(ended.status, 0, ended.err)
        self.assertIn("duomap: --limit is called --memory now\n", ended.err)

    def test_neither_help_nor_completion_shows_it(self):
        for arguments, old, new in CASES:
            with self.subTest(old=old):
                shown = self.run_program("run", arguments[0], "--help").out.decode()
                self.assertNotRegex(shown, rf"(?m)^ +(-\w,)?{old}\b(?!-)")
                self.assertRegex(shown, rf"(?m)^ +(-\w,)?{new}\b")
                offered = self.run_program("__complete", "run", arguments[0], old).out.decode()
                self.assertNotIn(old, [line.split("\t")[0] for line in offered.splitlines()])


if __name__ == "__main__":
    harness.main()
