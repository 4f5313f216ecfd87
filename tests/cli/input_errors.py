"""Tests that an unreadable input ends a run with status 5, a message with its name, and no
result."""

import gzip
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness


class InputErrors(harness.ProgramTest):
    def refused(self, *paths, parts):
        self.write("result", b"old")
        ended = self.word_count("--output", "result", *paths)
        self.assert_failed(ended, 5, *parts)
        self.assertEqual(ended.out, b"")
        self.assertEqual((self.folder / "result").read_bytes(), b"old")
        self.assertEqual([name for name in self.names() if name.startswith(".duomap")], [])

    def test_missing_path(self):
        self.write("here.txt", b"a b c\n")
        self.refused("here.txt", "missing.txt", parts=["missing.txt", "No such file"])

    def test_broken_link(self):
        (self.folder / "link").symlink_to("nowhere")
        self.refused("link", parts=["link"])

    def test_folder_without_files(self):
        (self.folder / "empty" / "deeper").mkdir(parents=True)
        self.refused("empty", parts=["empty"])

    def test_unreadable_file(self):
        if os.geteuid() == 0:
            self.skipTest("root may read everything")
        self.write("secret.txt", b"a").chmod(0)
        self.refused("secret.txt", parts=["secret.txt", "Permission denied"])

    def test_truncated_gzip(self):
        text = os.urandom(300000).hex().encode()
        whole = gzip.compress(text)
        for size in (5, 20, len(whole) // 2, len(whole) - 1):
            with self.subTest(size=size):
                self.write("cut.gz", whole[:size])
                self.refused("cut.gz", parts=["cut.gz", str(size)])

    def test_corrupt_gzip(self):
        whole = bytearray(gzip.compress(b"some words " * 10000))
        whole[-6] ^= 1
        self.write("bad.gz", bytes(whole))
        self.refused("bad.gz", parts=["bad.gz"])

    def test_not_gzip(self):
        self.write("text.gz", b"plain words\n")
        self.refused("text.gz", parts=["text.gz"])

    def test_names_cannot_command_the_terminal(self):
        ended = self.word_count("\033[2Jx")
        self.assert_failed(ended, 5, "\\x1b[2Jx")
        ended = self.word_count("a\nduomap: all is well\u009b2J")
        self.assert_failed(ended, 5, "'a\\x0aduomap: all is well\\xc2\\x9b2J'")

    def test_closed_standard_input(self):
        ended = self.word_count("-", preexec_fn=lambda: (harness.default_signals(), os.close(0)))
        self.assert_failed(ended, 5, "standard input")


if __name__ == "__main__":
    harness.main()
