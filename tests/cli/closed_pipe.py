"""Tests that a closed pipe ends the program like SIGPIPE, and closed standard output is an
error."""

import os
import pathlib
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness


class ClosedPipe(harness.ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("t.txt", harness.MANY_WORDS)

    def test_reader_stops_after_a_line(self):
        process = self.start("run", "wordcount", "--sort", "key", "t.txt")
        self.assertEqual(process.stdout.readline(), harness.numbered_word(0) + b"\t1\n")
        process.stdout.close()
        self.assertEqual(process.stderr.read(), b"")
        self.assertEqual(process.wait(harness.LIMIT_SECONDS), -signal.SIGPIPE)

    def test_who_ignores_the_signal_gets_a_message(self):
        def ignored():
            harness.default_signals()
            signal.signal(signal.SIGPIPE, signal.SIG_IGN)
        process = self.start("run", "wordcount", "--sort", "key", "t.txt", preexec_fn=ignored)
        self.assertEqual(process.stdout.readline(), harness.numbered_word(0) + b"\t1\n")
        process.stdout.close()
        message = process.stderr.read().decode()
        status = process.wait(harness.LIMIT_SECONDS)
        self.assert_failed(harness.Ended(status, b"", message), 1,
                           "the reader of standard output closed it after")

    def test_head(self):
        command = '"$DUOMAP" run wordcount --sort key t.txt | head -n 1; exit "${PIPESTATUS[0]}"'
        ended = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment(),
                               capture_output=True, timeout=harness.LIMIT_SECONDS)
        self.assertEqual(ended.stdout, harness.numbered_word(0) + b"\t1\n")
        self.assertEqual(ended.returncode, 128 + signal.SIGPIPE)
        self.assertEqual(ended.stderr, b"")

    def test_closed_standard_output_is_noticed_before_the_work(self):
        os.mkfifo(self.folder / "never written")
        ended = self.word_count("never written",
                                 preexec_fn=lambda: (harness.default_signals(), os.close(1)))
        self.assert_failed(ended, 1, "standard output", "closed")

    def test_closed_standard_output_is_not_needed_for_a_file(self):
        ended = self.word_count("--top", "1", "--output", "result", "t.txt",
                                 preexec_fn=lambda: (harness.default_signals(), os.close(1)))
        self.assertEqual(ended.status, 0, ended.err)
        self.assertEqual((self.folder / "result").read_bytes(), harness.numbered_word(0) + b"\t1\n")

    def test_closed_standard_error_does_not_get_into_the_result(self):
        self.write("t.txt", b"a b a")
        closed = {"preexec_fn": lambda: (harness.default_signals(), os.close(2))}
        ended = self.word_count("--sort", "key", "--output", "result", "t.txt", **closed)
        self.assertEqual(ended.status, 0)
        self.assertEqual((self.folder / "result").read_bytes(), b"a\t2\nb\t1\n")


if __name__ == "__main__":
    harness.main()
