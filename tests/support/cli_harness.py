"""Shared by the scripts in tests/cli: runs the program $DUOMAP, and checks how it ended."""

import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ.get("DUOMAP", "")
# A program that takes longer hangs; long enough for sanitizers.
LIMIT_SECONDS = 120
SKIPPED = 77
# With sanitizers and in torture builds, a part of the real data is enough (tests/CMakeLists.txt).
QUICK = "DUOMAP_QUICK" in os.environ


def has_benchmarks():
    """Whether the program of the benchmarks is beside the tested program."""
    return pathlib.Path(PROGRAM).with_name("duomap-bench").exists()


def numbered_word(number):
    """A word of 100 bytes; words of higher numbers sort later."""
    return b"word%06d%s" % (number, b"x" * 90)


# Many more rows than a pipe or the program's buffer holds. Long words instead of more words: where
# all hashes are equal, time grows with the square of the number of words (3 s instead of 170 s in
# output_file.py).
MANY_WORDS = b"".join(numbered_word(number) + b"\n" for number in range(10000))


def seed():
    """Prints and returns a new seed for synthetic input. Put a seed here to repeat a failure."""
    drawn = random.SystemRandom().randrange(2**32)
    print("seed", drawn)
    return drawn


class Ended:
    """How a run of the program ended: its status and all output."""

    def __init__(self, status, out, err):
        self.status = status
        self.out = out
        self.err = err


def figures_of(ended):
    """The summary of a run with --json: the last line, behind the progress of slow runs."""
    return json.loads(ended.err.splitlines()[-1])["figures"]


def default_signals():
    """Resets signals that a test runner may ignore; runs in the child before exec."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


class ProgramTest(unittest.TestCase):
    """Gives each test its own folder, and runs the program there."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="duomap-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return path

    def environment(self, **changes):
        """This process's environment with `changes`, without colours and profiles."""
        result = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        result["DUOMAP_PROFILE"] = "off"
        result.update(changes)
        return result

    def start(self, *arguments, **options):
        """Starts the program, with pipes unless `options` gives other files. The caller ends it."""
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        settings = {"cwd": self.folder, "env": self.environment(), "preexec_fn": default_signals}
        process = subprocess.Popen([PROGRAM, *map(str, arguments)], **{**pipes, **settings, **options})
        self.addCleanup(self.discard, process)
        return process

    @staticmethod
    def discard(process):
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()

    def finish(self, process, data=None):
        out, err = process.communicate(data, timeout=LIMIT_SECONDS)
        return Ended(process.returncode, out, err.decode("utf-8", "backslashreplace"))

    def run_program(self, *arguments, data=None, **options):
        if data is not None:
            options["stdin"] = subprocess.PIPE
        return self.finish(self.start(*arguments, **options), data)

    def word_count(self, *arguments, **options):
        return self.run_program("run", "wordcount", *arguments, **options)

    def count(self, *arguments, **options):
        """Runs word count, which must succeed."""
        ended = self.word_count(*arguments, **options)
        self.assertEqual(ended.status, 0, ended.err)
        return ended

    def assert_failed(self, ended, status, *parts):
        """Checks the status, the message (one line with all `parts`), and that there is no
        output."""
        self.assertEqual(ended.status, status, ended.err)
        self.assertTrue(ended.err.startswith("duomap: error: "), ended.err)
        self.assertEqual(ended.err.count("\n"), 1, ended.err)
        for part in parts:
            self.assertIn(part, ended.err)

    def names(self):
        """The names in the test's folder, sorted. An unfinished result would be among them."""
        return sorted(entry.name for entry in self.folder.iterdir())


def main():
    if not PROGRAM or not os.access(PROGRAM, os.X_OK):
        sys.exit("set DUOMAP to the path of the program")
    ended = unittest.main(exit=False, verbosity=2).result
    if not ended.wasSuccessful():
        sys.exit(1)
    sys.exit(SKIPPED if ended.testsRun == len(ended.skipped) else 0)
