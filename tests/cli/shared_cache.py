"""Tests the folder of compiled tasks with several processes: first starts, another user who
exchanges folders, and interrupts. $DUOMAP_STARTS is the number of starts of each (default: 24)."""

import collections
import ctypes
import itertools
import os
import pathlib
import random
import shutil
import signal
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness
import small_toolkit

STARTS = int(os.environ.get("DUOMAP_STARTS", "24"))
AT_ONCE = 8
NOBODY = 65534
AT_FDCWD, RENAME_EXCHANGE = -100, 2
exchange = ctypes.CDLL(None, use_errno=True).renameat2  # exchanges both at once, so that the path always exists


def start_exchanging(here, there):
    """Starts a process of another user, which exchanges two folders until it is killed."""
    here, there = os.fsencode(here), os.fsencode(there)
    process = os.fork()
    if process == 0:
        os.setuid(NOBODY)
        while exchange(AT_FDCWD, here, AT_FDCWD, there, RENAME_EXCHANGE) == 0:
            pass
        os._exit(1)
    return process


class SharedCache(small_toolkit.SmallToolkitTest):
    def test_first_starts_at_once(self):
        said = collections.Counter()
        for group in range(max(1, STARTS // AT_ONCE)):
            self.write("near.hpp", b'#define NEAR "%d"\n' % group)
            if group % 2:
                shutil.rmtree(self.folder / "cache")  # the next start has to make the folder
            started = [self.start("run", "./task.hpp", "input") for _ in range(AT_ONCE)]
            for ended in map(self.finish, started):
                self.assertEqual((ended.status, ended.out), (0, b"%d\n" % group), ended.err)
                said["compiled"] += "duomap: compiling " in ended.err
                said["starts"] += 1
            self.assertEqual(self.left_over(), [])
        print(dict(said))
        self.assertEqual(said["compiled"], max(1, STARTS // AT_ONCE))

    @unittest.skipIf(os.geteuid() != 0, "becoming another user takes root")
    def test_a_second_user_who_may_rename_above_it(self):
        above = self.folder / "above"
        self.folder.chmod(0o755)
        here, there = above / "cache", above / "other"
        environment = self.environment(XDG_CACHE_HOME=str(here))
        right = self.run_program("run", "./task.hpp", "input", env=environment)
        self.assertEqual((right.status, right.out), (0, b"one\n"), right.err)
        shutil.copytree(here, there)
        foreign, = there.glob("duomap/tasks/*/product")
        foreign.write_bytes(b"#!/bin/sh\necho foreign\n")
        for one in [above, there, *there.rglob("*")]:
            os.chown(one, NOBODY, NOBODY)
        user = start_exchanging(here, there)
        self.addCleanup(os.waitpid, user, 0)
        self.addCleanup(os.kill, user, signal.SIGKILL)
        tally = collections.Counter()
        for _ in range(STARTS):
            ended = self.run_program("run", "./task.hpp", "input", env=environment)
            tally[ended.out.decode(), ended.status] += 1
            if ended.status != 0:
                self.assert_failed(ended, 2, "belongs to another user")
        print(dict(tally))
        self.assertEqual(tally["one\n", 0] + tally["", 2], STARTS, tally)
        self.assertEqual(os.waitpid(user, os.WNOHANG), (0, 0), "it has stopped")

    def write_slow_compiler(self, obeys):
        self.write("wrapper", b"#!/bin/sh\n%s\nfor word in %s/own 2; do sleep 600 & done\ntouch started\nwait\n"
                   % (b"" if obeys else b"trap '' INT TERM HUP", str(self.folder).encode()))
        (self.folder / "wrapper").chmod(0o755)
        self.write_toolkit(compiler=self.folder / "wrapper")

    @staticmethod
    def members_of(group):
        """The processes of a group that still run."""
        found = []
        for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                state, _, its_group = path.read_text().rpartition(")")[2].split()[:3]
            except OSError:
                continue  # the process has ended
            if int(its_group) == group and state != "Z":
                found.append(path.parent.name)
        return found

    def wait_until(self, condition):
        for _ in range(harness.LIMIT_SECONDS * 100):
            if condition():
                return
            time.sleep(0.01)
        self.fail("it does not happen")

    def test_interrupts_end_the_compiler_and_who_waits_for_it(self):
        for obeys, number, times in itertools.product((True, False), (signal.SIGINT, signal.SIGTERM, signal.SIGHUP), (1, 2)):
            with self.subTest(obeys=obeys, signal=number, times=times):
                self.write_slow_compiler(obeys)
                (self.folder / "started").unlink(missing_ok=True)
                process = self.start("run", "./task.hpp", "input")
                self.wait_until((self.folder / "started").exists)
                waiting = self.start("run", "./task.hpp", "input")
                self.assertIn(b"waiting for another duomap", waiting.stderr.readline())
                group = os.getpgid(self.compilers()[0])
                self.assertNotEqual(group, os.getpgid(process.pid))
                waiting.send_signal(number)
                self.assertEqual(self.finish(waiting).status, 130)
                for _ in range(times):
                    process.send_signal(number)
                self.assertEqual(self.finish(process).status, 130)
                self.wait_until(lambda: not self.members_of(group))
        self.write_toolkit()
        self.assertEqual(self.run_program("run", "./task.hpp", "input").out, b"one\n")
        self.assertEqual(self.left_over(), [])

    def test_interrupts_at_any_moment(self):
        """After an interrupt, the next start works, and no compiler or temporary file is left."""
        drawn = random.Random(harness.seed())
        (self.folder / "temporary").mkdir()
        tally = collections.Counter()
        for number in range(STARTS):
            self.write("near.hpp", b'#include <map>\n#include <string>\n#define NEAR "%d"\n' % number)
            environment = self.environment(TMPDIR=str(self.folder / "temporary"))
            process = self.start("run", "./task.hpp", "input", env=environment)
            time.sleep(drawn.random() * 0.5)
            process.send_signal(drawn.choice((signal.SIGINT, signal.SIGTERM, signal.SIGKILL)))
            status = self.finish(process).status
            tally[status] += 1
            if status != -signal.SIGKILL:
                self.assertIn(status, (0, 130, -signal.SIGINT, -signal.SIGTERM))
            self.wait_until(lambda: not self.compilers())  # the compiler of a killed process ends by itself
            ended = self.run_program("run", "./task.hpp", "input", env=environment)
            self.assertEqual((ended.status, ended.out), (0, b"%d\n" % number), ended.err)
            self.assertEqual(self.left_over(), [])
            self.assertEqual(list((self.folder / "temporary").iterdir()), [])
        print(dict(tally))

    def test_what_is_used_stays_and_the_rest_makes_room(self):
        self.assertEqual(self.run_program("run", "./task.hpp", "input").out, b"one\n")
        first, = self.cache.glob("*/product")
        for number in range(2, 5):  # each takes a third of the cache's room
            self.write("near.hpp", b'#define NEAR "%d"\n[[gnu::used]] static const char much[80000000] = {1};\n' % number)
            self.assertEqual(self.run_program("run", "./task.hpp", "input").out, b"%d\n" % number)
        self.assertEqual(self.run_program("cache").out.count(b"task.hpp"), 1)


if __name__ == "__main__":
    harness.main()
