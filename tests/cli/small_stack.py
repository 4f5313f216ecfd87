"""Tests that a process with a small stack (ulimit -s) gives the same rows."""

import pathlib
import resource
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness  # noqa: E402

KIB = 1024


class SmallStack(harness.ProgramTest):
    def test_each_kind_of_application(self):
        self.write("words", harness.MANY_WORDS)
        self.write("pairs", bytes(range(256)) * 64)
        self.write("page.html", b"<a href='/x'>x</a><a href=y>y</a>" * 500)
        self.write("log", b'10.0.0.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.0" 200 23\n' * 300)
        self.write("points.csv", b"".join(b"%d,%d\n" % (i % 7, i % 11) for i in range(500)))
        for command in (("run", "wordcount", "--sort", "key", "words"), ("run", "aggregate", "--sort", "key", "pairs"),
                        ("run", "invertedindex", "page.html"), ("run", "stringmatch", "--pattern", "word0000", "words"),
                        ("run", "pageviewcount", "log"), ("run", "kmeans", "--k", "3", "points.csv"),
                        ("run", "pca", "--components", "1", "points.csv"), ("list",), ("--help",)):
            usual = self.run_program(*command)
            self.assertEqual(usual.status, 0, usual.err)
            for size in (32, 64, 128, 1024):
                def enter():
                    harness.default_signals()
                    resource.setrlimit(resource.RLIMIT_STACK, (size * KIB, size * KIB))
                with self.subTest(command=command, size=size):
                    ended = self.run_program(*command, preexec_fn=enter)
                    self.assertEqual((ended.status, ended.out), (0, usual.out), ended.err)


if __name__ == "__main__":
    harness.main()
