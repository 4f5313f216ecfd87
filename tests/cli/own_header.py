"""Tests `duomap run HEADER`: it compiles a new or changed header, and keeps it in a private
folder."""

import os
import pathlib
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness

HEADER = b"""#pragma once
#include <duomap.hpp>
#include "weight.hpp"
struct weights {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::uint64_t>;
  DUOMAP_HD void map(duomap::byte_view word, auto& emit) const { emit(word, WEIGHT); }
};
"""
OF_INDICES = b"""#include <duomap.hpp>
struct squares {
  using format = duomap::index_range;
  using key = duomap::no_key;
  using reduce = duomap::sum<std::uint64_t>;
  DUOMAP_HD void map(std::uint64_t index, auto& emit) const { emit(index * index); }
};
"""
SAID = "duomap: compiling "


class OwnHeader(harness.ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("tasks/weights.hpp", HEADER)
        self.write("tasks/weight.hpp", b"#define WEIGHT 1\n")
        self.write("t.txt", harness.MANY_WORDS + b"a b a")
        self.cache = self.folder / "cache/duomap/tasks"

    def environment(self, **changes):
        return super().environment(**{"XDG_CACHE_HOME": str(self.folder / "cache"), **changes})

    def weights(self, *options):
        ended = self.run_program("run", "tasks/weights.hpp", "t.txt", "--top", "2", *options)
        self.assertEqual(ended.status, 0, ended.err)
        return ended

    def listed(self):
        ended = self.run_program("cache")
        self.assertEqual(ended.status, 0, ended.err)
        return ended.out.decode()

    def test_compiled_once_and_again_when_something_changes(self):
        first = self.weights()
        self.assertEqual(first.out, b"a\t2\nb\t1\n")
        self.assertIn(SAID + "tasks/weights.hpp; it runs as a program of your own", first.err)
        self.assertEqual(self.cache.stat().st_mode & 0o777, 0o700)

        again = self.weights("--format", "csv")
        self.assertEqual(again.out, b"key,value\na,2\nb,1\n")
        self.assertNotIn(SAID, again.err)
        self.assertIn("1 compiled task", self.listed())
        self.assertIn(str(self.folder / "tasks/weights.hpp"), self.listed())

        for part in ("1", "2"):
            ended = self.run_program("map", "tasks/weights.hpp", "--slice", part + "/2", "-o", part, "t.txt")
            self.assertEqual(ended.status, 0, ended.err)
        merged = self.run_program("merge", "tasks/weights.hpp", "2", "1", "--top", "2")
        self.assertEqual(merged.out, first.out, merged.err)

        # A change of an included file counts too.
        self.write("tasks/weight.hpp", b"#define WEIGHT 5\n")
        changed = self.weights("--quiet")
        self.assertEqual((changed.out, changed.err), (b"a\t10\nb\t5\n", ""))

        # A closed pipe ends the task without a message, like an application.
        process = self.start("run", "tasks/weights.hpp", "--sort", "key", "--quiet", "t.txt")
        self.assertEqual(process.stdout.readline(), b"a\t10\n")
        self.assertEqual(pathlib.Path(f"/proc/{process.pid}/comm").read_text(), "weights\n")
        process.stdout.close()
        self.assertEqual(process.stderr.read(), b"")
        self.assertEqual(process.wait(harness.LIMIT_SECONDS), -signal.SIGPIPE)

        # The error shows the user's own line. The previous program stays in the cache.
        self.write("tasks/weights.hpp", HEADER.replace(b"WEIGHT)", b"HEAVY)"))
        wrong = self.run_program("run", "tasks/weights.hpp", "t.txt")
        self.assertEqual((wrong.status, wrong.out), (6, b""))
        self.assertIn("./tasks/weights.hpp:8:", wrong.err)
        self.assertIn("duomap: error: 'tasks/weights.hpp' is not compiled", wrong.err)
        self.write("tasks/weights.hpp", HEADER)
        self.assertNotIn(SAID, self.weights().err)

        self.assertIn("removed", self.run_program("cache", "--clear").out.decode())
        self.assertEqual(list(self.cache.iterdir()), [])

    def test_indices_in_a_header_of_another_name(self):
        self.write("tasks/of-indices.hpp", OF_INDICES)

        def run(command, *options):
            ended = self.run_program(command, "tasks/of-indices.hpp", *options)
            self.assertEqual(ended.status, 0, ended.err)
            return ended

        whole = run("run", "--indices", "1000", "--verify")
        self.assertEqual(whole.out, b"332833500\n")
        self.assertIn("1,000 indices", whole.err)
        for part in ("1", "2", "3"):
            run("map", "--indices", "1000", "--slice", part + "/3", "-o", part)
        self.assertEqual(run("merge", "3", "1", "2").out, whole.out)

        for command in ("run", "map"):
            ended = self.run_program(command, "tasks/of-indices.hpp", "-o", "none")
            self.assert_failed(ended, 2, "give --indices N", "0 to N - 1")
        for wrong in ("many", "-1", "0"):
            self.assert_failed(self.run_program("run", "tasks/of-indices.hpp", "--indices=" + wrong), 2, "--indices is '" + wrong)
        self.assert_failed(self.run_program("run", "tasks/of-indices.hpp", "--indices", "9", "t.txt"), 2, "t.txt")
        self.assertNotIn("PATH", run("run", "--help").out.decode())

    def refused(self, header="tasks/weights.hpp", **options):
        ended = self.run_program("run", header, "t.txt", **options)
        self.assertEqual(ended.out, b"")
        return ended

    def test_headers_that_are_none(self):
        self.assert_failed(self.refused("tasks/other.hpp"), 5, "tasks/other.hpp", "No such file")
        self.assert_failed(self.refused("./tasks"), 5, "./tasks", "directory")
        self.write("two-words.hpp", HEADER + OF_INDICES)
        self.assert_failed(self.refused("two-words.hpp"), 2, "'two-words.hpp' has several tasks: weights, squares; ")
        self.write("two-words.hpp", b"int x;")
        self.assert_failed(self.refused("two-words.hpp"), 2, "'two-words.hpp' has no task; ")
        self.assert_failed(self.refused("./t.txt"), 2, "'./t.txt' is no header of C++", "duomap list")
        self.write("plain/text", b"no ending, and no code")
        self.assert_failed(self.refused("plain/text"), 2, "'plain/text' is no header of C++")

    def test_a_folder_that_others_may_use(self):
        self.cache.mkdir(parents=True)
        self.cache.chmod(0o750)
        self.assert_failed(self.refused(), 2, "open to other users", "chmod 700")
        self.assert_failed(self.run_program("cache"), 2, "open to other users")
        self.cache.rmdir()
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir(mode=0o700)
        self.cache.symlink_to(elsewhere)
        self.assert_failed(self.refused(), 2, "is no folder")
        self.cache.unlink()
        if os.geteuid() == 0:
            self.cache.mkdir(mode=0o700)
            os.chown(self.cache, 12345, 12345)
            self.assert_failed(self.refused(), 2, "belongs to another user")

    def test_listing_makes_no_folder_and_what_cannot_be_made_is_said(self):
        self.assertIn("0 compiled tasks", self.listed())
        self.assertFalse((self.folder / "cache").exists())
        self.write("cache", b"a file")
        self.assert_failed(self.refused(), 1, "cannot make the folder of compiled tasks '", "Not a directory", "XDG_CACHE_HOME")

    def test_no_folder_at_all(self):
        nowhere = self.environment(XDG_CACHE_HOME="", HOME="")
        self.assert_failed(self.refused(env=nowhere), 2, "HOME or XDG_CACHE_HOME")


if __name__ == "__main__":
    harness.main()
