"""Tests a process that is killed before its n-th call about files, for every n: the result and the
profile are whole, old or new, and the next run removes what the killed process left.

$DUOMAP_FAIL_CALLS is the library of fail_calls.cpp."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness

LIBRARY = os.environ.get("DUOMAP_FAIL_CALLS", "")
# Six million words take three times the 10 ms from which a run stores its profile.
TEXT = b"".join(b"%d\n" % i for i in range(500)) * 12_000
OLD = b"old\n"


def is_whole_profile(text):
    """Whether the last line is the checksum of the lines before it
    (scheduler/history/profile_words.cpp)."""
    found = re.fullmatch(rb"(.*\n)check (\d+)\n", text, re.DOTALL)
    if not found:
        return False
    number = 0xCBF29CE484222325
    for byte in found[1]:
        number = (number ^ byte) * 0x100000001B3 % 2**64
    return number == int(found[2])


class Kills(harness.ProgramTest):
    def setUp(self):
        super().setUp()
        # LD_PRELOAD takes no path with a space, so the library is copied.
        shutil.copy(LIBRARY, self.folder / "fail_calls.so")
        self.write("t.txt", TEXT)

    def run_once(self, **variables):
        return subprocess.run([harness.PROGRAM, "run", "wordcount", "--threads", "1", "--sort", "key",
                               "--output", "result", "t.txt"],
                              cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
                              env=self.environment(DUOMAP_PROFILE=str(self.folder / "profiles"), **variables))

    def profiles(self):
        return sorted(self.folder.glob("profiles/**/*.profile"))

    def unfinished(self):
        return [str(path.relative_to(self.folder)) for path in self.folder.glob("**/.duomap-*")]

    def check_kills(self, with_old):
        """Kills a run at every call, with or without an old result. Returns the number of kills."""
        first = self.run_once()
        self.assertEqual(first.returncode, 0, first.stderr)
        right = (self.folder / "result").read_bytes()
        self.assertEqual([is_whole_profile(path.read_bytes()) for path in self.profiles()], [True])
        kept = self.profiles()[0].read_bytes()
        left = 0
        for number in range(1, 10_000):
            shutil.rmtree(self.folder / "profiles", ignore_errors=True)
            (self.folder / "result").unlink(missing_ok=True)
            if with_old:
                self.write("result", OLD)
                self.write(str(self.profiles_name), kept)
            killed = self.run_once(LD_PRELOAD="./fail_calls.so", DUOMAP_FAIL_CALL="kill", DUOMAP_FAIL_AT=str(number))
            if killed.returncode == 0:
                break
            self.assertEqual(killed.returncode, -signal.SIGKILL, f"{number}: {killed.stderr}")
            result = (self.folder / "result").read_bytes() if (self.folder / "result").exists() else None
            self.assertIn(result, [OLD if with_old else None, right], f"killed before call {number}")
            for path in self.profiles():
                self.assertTrue(is_whole_profile(path.read_bytes()), f"killed before call {number}: {path}")
            self.assertTrue(self.profiles() or not with_old, f"killed before call {number}")
            left += len(self.unfinished())
            again = self.run_once()
            self.assertEqual(again.returncode, 0, again.stderr)
            self.assertEqual((self.folder / "result").read_bytes(), right)
            self.assertEqual(self.unfinished(), [], f"killed before call {number}")
        self.assertGreater(left, 0)
        print(f"killed {number - 1} times, {left} unfinished files left and removed")
        return number - 1

    def test_killed(self):
        self.assertEqual(self.run_once().returncode, 0)
        self.profiles_name = self.profiles()[0].relative_to(self.folder)
        for with_old in (True, False):
            with self.subTest(with_old=with_old):
                self.assertGreater(self.check_kills(with_old), 10)


if __name__ == "__main__":
    if not LIBRARY:
        sys.exit("set DUOMAP_FAIL_CALLS to the library of fail_calls.cpp")
    harness.main()
