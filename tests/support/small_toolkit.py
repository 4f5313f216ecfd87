"""Makes a duomap that compiles a header in 0.1 s: beside the program is a toolkit whose task_main()
prints the header's text. The cache works as usual."""

import os
import pathlib
import shutil

import cli_harness as harness

TASK_MAIN = b"""#pragma once
#include <cstdio>
#include <own.hpp>
namespace duomap {
template <class Task>
int task_main(int, char**) { std::printf("%s%s\\n", Task::says(), own); return 0; }
}
"""
HEADER = b"""#include "near.hpp"
struct task { static const char* says() { return NEAR; } };
"""


class SmallToolkitTest(harness.ProgramTest):
    def setUp(self):
        super().setUp()
        self.program = self.folder / "bin/duomap"
        self.program.parent.mkdir()
        shutil.copy(harness.PROGRAM, self.program)
        self.compiler = pathlib.Path(harness.PROGRAM).with_name("task_toolkit").read_text().split("\n")[0].split(" ")[1]
        self.write("own/apps/cli/task_main.hpp", TASK_MAIN)
        self.write("own/own.hpp", b'#pragma once\nconstexpr const char* own = "";\n')
        self.write_toolkit()
        self.write("near.hpp", b'#define NEAR "one"\n')
        self.write("task.hpp", HEADER)
        self.cache = self.folder / "cache/duomap/tasks"

    def write_toolkit(self, *flags, compiler=None):
        lines = [f"compiler {compiler or self.compiler}", "flag -std=c++20", *(f"flag {one}" for one in flags),
                 f"include {self.folder}/own"]
        self.write("bin/task_toolkit", "".join(line + "\n" for line in lines).encode())

    def environment(self, **changes):
        return super().environment(**{"XDG_CACHE_HOME": str(self.folder / "cache"), **changes})

    def start(self, *arguments, **options):
        return super().start(*arguments, executable=str(self.program), **options)

    def left_over(self):
        """What is in the cache and is no whole entry."""
        names = [one.name for one in self.cache.iterdir()] if self.cache.exists() else []
        return [name for name in names if name != "lock" and not (self.cache / name / "identity").exists()]

    def compilers(self):
        """The processes that still compile for this test."""
        found = []
        for one in os.listdir("/proc"):
            try:
                if one.isdigit() and f"{self.folder}/own".encode() in pathlib.Path("/proc", one, "cmdline").read_bytes():
                    found.append(int(one))
            except OSError:
                pass  # the process has ended
        return found
