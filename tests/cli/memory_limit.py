"""Tests that a run keeps its own memory limit, its cgroup's and its process's: it gives the right
rows, or status 4 with a message, but no signal ends it."""

import hashlib
import pathlib
import random
import resource
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness  # noqa: E402
from memory_cgroup import MemoryCgroup  # noqa: E402

MIB = 1 << 20
KEYS = 600_000
THREADS = ("--threads", "2")

OWN_ROWS = b"""#pragma once
#include <duomap.hpp>
struct own_rows {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::collect<duomap::byte_view>;
  DUOMAP_HD void map(duomap::byte_view word, auto& emit) const { emit(word, word); }
};
"""
OWN_DENSE = b"""#pragma once
#include <duomap.hpp>
struct own_dense {
  using format = duomap::words;
  using key = duomap::dense;
  using reduce = duomap::sum<std::uint64_t>;
  std::uint64_t key_count() const { return 20'000'000; }
  DUOMAP_HD void map(duomap::byte_view word, auto& emit) const { emit(word.size, 1); }
};
"""
OWN_FIRST = b"""#pragma once
#include <duomap.hpp>
struct first_of {
  using value_type = std::uint64_t;
  static constexpr bool associative = true;
  static constexpr bool commutative = false;
  DUOMAP_HD value_type operator()(value_type a, value_type) const { return a; }
};
struct own_first {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = first_of;
  DUOMAP_HD void map(duomap::byte_view word, auto& emit) const { emit(word, word.size); }
};
"""


def limited_address_space(size):
    def enter():
        harness.default_signals()
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
    return enter


class MemoryLimit(harness.ProgramTest):
    def write_inputs(self):
        draw = random.Random(55)
        order = list(range(KEYS))
        draw.shuffle(order)
        self.write("short", b"".join(b"%09d\n" % number for number in order))
        self.write("long", b"".join(b"%09d-of-a-long-word-that-lies-in-an-arena\n" % number for number in order))
        self.write("pairs", b"".join(struct.pack("<QQ", number, number) for number in order))
        self.write("links", b"".join(b"<a href='/page/%d/of/a/site'>x</a>\n" % number for number in order))
        self.write("matches", b"a" * KEYS)
        self.write("log", b"".join(b'10.%d.%d.%d - - [10/Oct/2000:13:55:36 -0700] "GET /%d HTTP/1.0" 200 23\n' %
                                   (number >> 16, number >> 8 & 255, number & 255, number) for number in order))

    def commands(self):
        """Commands that hold memory in different forms, such as tables, key arenas, rows and an index."""
        yield "words", ("run", "wordcount", "short")
        yield "long words", ("run", "wordcount", "long")
        yield "words in order", ("run", "wordcount", "--sort", "key", "short")
        yield "sums", ("run", "aggregate", "pairs")
        yield "largest sums", ("run", "aggregate", "--top", "10", "pairs")
        yield "links", ("run", "invertedindex", "links")
        yield "matches", ("run", "stringmatch", "--pattern", "a", "matches")
        yield "page views", ("run", "pageviewcount", "log")

    def rows_of(self, command):
        """The rows without a limit, sorted, because most tasks promise no order."""
        ended = self.run_program(*command, *THREADS)
        self.assertEqual(ended.status, 0, ended.err)
        return self.digest(ended.out)

    @staticmethod
    def digest(rows):
        return hashlib.sha256(b"\n".join(sorted(rows.split(b"\n")))).digest()

    def judge(self, ended, expected, case):
        """Whether the memory was enough."""
        if ended.status == 0:
            self.assertEqual(self.digest(ended.out), expected, case)
            return True
        self.assert_failed(ended, 4)
        self.assertEqual(ended.out, b"", case)
        return False

    def sweep(self, limits, run, command, case):
        """Runs with growing limits. The first must be too small, the last must be enough."""
        expected = self.rows_of(command)
        enough = []
        for limit in limits:
            with self.subTest(case=case, limit=limit):
                ended = run(command, limit)
                enough.append(self.judge(ended, expected, (case, limit)))
                if not enough[-1]:
                    self.assertRegex(ended.err, r"memory|limit")
        self.assertEqual(enough[:1] + enough[-1:], [False, True], (case, list(zip(limits, enough))))

    def test_option(self):
        self.write_inputs()
        for case, command in self.commands():
            def run(command, limit):
                ended = self.run_program(*command, *THREADS, "--memory", limit)
                if ended.status != 0:
                    self.assert_failed(ended, 4, f"{limit} bytes of memory", "are taken", "would take", "--memory")
                return ended
            self.sweep([300_000, *(size * MIB for size in (2, 8, 16, 32, 64, 128, 512))], run, command, case)

    def test_address_space(self):
        self.write_inputs()
        for case, command in self.commands():
            def run(command, limit):
                return self.run_program(*command, *THREADS, preexec_fn=limited_address_space(limit))
            self.sweep([size * MIB for size in (32, 48, 64, 96, 128, 192, 256, 1024)], run, command, case)

    def test_cgroup(self):
        group = MemoryCgroup()
        if group.refused:
            self.skipTest(group.refused)
        self.addCleanup(group.remove)
        self.write_inputs()

        def enter():
            harness.default_signals()
            group.enter()

        def run(command, limit):
            group.limit(limit)
            return self.run_program(*command, *THREADS, preexec_fn=enter)

        limits = [size * MIB for size in (32, 48, 64, 96, 128, 192, 256, 512)]
        for case, command in self.commands():
            self.sweep(limits, run, command, case)
        # Merges two parts of a run.
        for name, part in (("p1", "1/2"), ("p2", "2/2")):
            mapped = self.run_program("map", "wordcount", "--slice", part, "--output", name, "long", *THREADS)
            self.assertEqual(mapped.status, 0, mapped.err)
        self.sweep(limits, run, ("merge", "wordcount", "p1", "p2"), "merge")

    @harness.unittest.skipIf(harness.QUICK, "compiles tasks")
    def test_own_tasks_in_a_cgroup(self):
        group = MemoryCgroup()
        if group.refused:
            self.skipTest(group.refused)
        self.addCleanup(group.remove)
        self.write_inputs()

        def enter():
            harness.default_signals()
            group.enter()

        def run(command, limit):
            group.limit(limit)
            return self.run_program(*command, *THREADS, preexec_fn=enter)

        for name, header in (("own_rows", OWN_ROWS), ("own_dense", OWN_DENSE), ("own_first", OWN_FIRST)):
            self.write(f"{name}.hpp", header)
            for order in ((), ("--sort", "key")):
                command = ("run", f"{name}.hpp", "short", *order)
                self.sweep([size * MIB for size in (16, 32, 64, 128, 1024)], run, command, (name, order))


if __name__ == "__main__":
    harness.main()
