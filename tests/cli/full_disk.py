"""Tests that a full disk gives an error with a reason, and no truncated result."""

import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness


@harness.unittest.skipUnless(os.path.exists("/dev/full"), "there is no /dev/full here")
class FullDisk(harness.ProgramTest):
    def on_full_disk(self, *arguments):
        with open("/dev/full", "wb") as full:
            return self.run_program(*arguments, stdout=full)

    def test_standard_output(self):
        self.write("t.txt", b"a b a\n")
        self.assert_failed(self.on_full_disk("run", "wordcount", "t.txt"), 1, "standard output",
                           "No space left on device", "incomplete")

    def test_a_named_target(self):
        self.write("t.txt", b"a b a\n")
        self.assert_failed(self.word_count("--output", "/dev/full", "t.txt"), 1, "/dev/full",
                           "No space left on device")

    def test_the_summary_as_json(self):
        self.write("t.txt", b"a b a\n")
        with open("/dev/full", "wb") as full:
            process = self.start("run", "wordcount", "--json", "t.txt", stderr=full)
        process.communicate(timeout=harness.LIMIT_SECONDS)
        self.assertEqual(process.returncode, 1)

    def test_other_commands(self):
        for command in (["list"], ["describe", "wordcount"], ["doctor"], ["--help"], ["--version"]):
            with self.subTest(command=command):
                self.assert_failed(self.on_full_disk(*command), 1, "No space left on device")


if __name__ == "__main__":
    harness.main()
