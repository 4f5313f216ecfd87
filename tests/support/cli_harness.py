"""What the scripts in tests/cli share: running the program that $DUOMAP names, and judging how it ended."""

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
# A program that takes longer hangs; slow enough for sanitizers.
LIMIT_SECONDS = 120
SKIPPED = 77
# Under sanitizers and in torture builds a part of the real data is enough (tests/CMakeLists.txt).
QUICK = "DUOMAP_QUICK" in os.environ


def has_benchmarks():
    """Whether the program that measures is beside the one that is tested."""
    return pathlib.Path(PROGRAM).with_name("duomap-bench").exists()


def numbered_word(number):
    """One hundred bytes; a higher number sorts later."""
    return b"word%06d%s" % (number, b"x" * 90)


# Far more rows than a pipe holds or the program gathers before it writes. Long words rather than many: where all
# hashes are equal, time grows with the square of their number (170 s for the runs of output_file.py with ten
# times as many words of ten bytes, 3 s now).
MANY_WORDS = b"".join(numbered_word(number) + b"\n" for number in range(10000))


def seed():
    """A new seed for synthetic input, which is printed: with it in this place a failure comes again."""
    drawn = random.SystemRandom().randrange(2**32)
    print("seed", drawn)
    return drawn


class Ended:
    """How one run of the program ended: its status and everything it wrote."""

    def __init__(self, status, out, err):
        self.status = status
        self.out = out
        self.err = err


def figures_of(ended):
    """The figures of a run with --json, whose summary is the last line: slow runs tell of their progress before it."""
    return json.loads(ended.err.splitlines()[-1])["figures"]


def default_signals():
    """Undoes what a test runner may ignore, in the child between fork and exec."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


class ProgramTest(unittest.TestCase):
    """Each test has a folder of its own, which is also where the program runs."""

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
        """This process's environment without what changes colours, and without profiles, with `changes`."""
        result = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        result["DUOMAP_PROFILE"] = "off"
        result.update(changes)
        return result

    def start(self, *arguments, **options):
        """Starts the program with pipes for what `options` does not give; the caller ends it."""
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
        """Runs word count and expects success."""
        ended = self.word_count(*arguments, **options)
        self.assertEqual(ended.status, 0, ended.err)
        return ended

    def assert_failed(self, ended, status, *parts):
        """One line of message that has all `parts`, the status, and no data."""
        self.assertEqual(ended.status, status, ended.err)
        self.assertTrue(ended.err.startswith("duomap: error: "), ended.err)
        self.assertEqual(ended.err.count("\n"), 1, ended.err)
        for part in parts:
            self.assertIn(part, ended.err)

    def names(self):
        """The names in the test's folder, sorted; unfinished results would be among them."""
        return sorted(entry.name for entry in self.folder.iterdir())


def main():
    if not PROGRAM or not os.access(PROGRAM, os.X_OK):
        sys.exit("set DUOMAP to the path of the program")
    ended = unittest.main(exit=False, verbosity=2).result
    if not ended.wasSuccessful():
        sys.exit(1)
    sys.exit(SKIPPED if ended.testsRun == len(ended.skipped) else 0)
