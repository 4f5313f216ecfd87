"""Tests that an interrupt ends the program with status 130, without a result or temporary file."""

import os
import pathlib
import signal
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness


class Interrupt(harness.ProgramTest):
    """Opening an input FIFO for writing waits for the program, so signals come at a known time."""

    def setUp(self):
        super().setUp()
        os.mkfifo(self.folder / "fifo")
        self.write("result", b"old")

    def start_reading(self, *arguments):
        process = self.start("run", "wordcount", *arguments, "fifo")
        writer = open(self.folder / "fifo", "wb", buffering=0)
        self.addCleanup(writer.close)
        return process, writer

    def assert_interrupted(self, ended):
        self.assert_failed(ended, 130, "interrupted")
        self.assertEqual(ended.out, b"")
        self.assertEqual((self.folder / "result").read_bytes(), b"old")
        self.assertEqual(self.names(), ["fifo", "result"])

    def test_while_reading_much(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(signal=number):
                process, writer = self.start_reading("--output", "result")

                def feed():
                    try:
                        while True:
                            writer.write(b"many words and ever more words\n" * 2000)
                    except OSError:
                        pass

                feeder = threading.Thread(target=feed)
                feeder.start()
                process.send_signal(number)
                ended = self.finish(process)
                feeder.join()
                self.assert_interrupted(ended)

    def test_while_waiting_for_input(self):
        process, writer = self.start_reading("--output", "result")
        writer.write(b"a few words ")
        process.send_signal(signal.SIGINT)
        self.assert_interrupted(self.finish(process))

    def test_twice(self):
        process, writer = self.start_reading("--output", "result")
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        self.assert_interrupted(self.finish(process))

    def test_result_on_standard_output(self):
        process, writer = self.start_reading()
        process.send_signal(signal.SIGINT)
        self.assert_interrupted(self.finish(process))

    def test_while_the_reader_of_the_result_stalls(self):
        self.write("t.txt", harness.MANY_WORDS)
        process = self.start("run", "wordcount", "--sort", "key", "t.txt")
        self.assertEqual(process.stdout.readline(), harness.numbered_word(0) + b"\t1\n")
        process.send_signal(signal.SIGINT)
        process.wait(harness.LIMIT_SECONDS)
        message = process.stderr.read().decode()
        self.assert_failed(harness.Ended(process.returncode, b"", message), 130, "interrupted", "result")

    def test_while_opening_the_target(self):
        os.mkfifo(self.folder / "target")
        process = self.start("run", "wordcount", "--output", "target", "result")
        # The program waits in open(), which nobody can see. An earlier signal has the same effect.
        while b"wordcount" not in pathlib.Path(f"/proc/{process.pid}/cmdline").read_bytes():
            pass
        while signal.SIGINT not in self.caught(process):
            pass
        process.send_signal(signal.SIGINT)
        self.assert_failed(self.finish(process), 130, "interrupted")

    @staticmethod
    def caught(process):
        """The signals for which the process has handlers."""
        for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines():
            if line.startswith("SigCgt:"):
                mask = int(line.split()[1], 16)
                return {number for number in signal.valid_signals() if mask >> (number - 1) & 1}
        return set()

    def test_ignored_interrupts_stay_ignored(self):
        self.write("t.txt", b"a")
        process = self.start("run", "wordcount", "--output", "result", "fifo",
                             preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        with open(self.folder / "fifo", "wb", buffering=0) as writer:
            process.send_signal(signal.SIGINT)
            writer.write(b"word")
        ended = self.finish(process)
        self.assertEqual(ended.status, 0, ended.err)
        self.assertEqual((self.folder / "result").read_bytes(), b"word\t1\n")


if __name__ == "__main__":
    harness.main()
