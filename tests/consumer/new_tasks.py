"""Tests that every combination of options of `duomap new` gives a task; check.cmake builds one."""

import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM, SOURCE, COMPILER = (os.environ[name] for name in ("DUOMAP", "SOURCE", "COMPILER"))


def choices(option):
    text = subprocess.run([PROGRAM, "new", "--help"], capture_output=True, text=True, check=True).stdout
    return re.search(rf"--{option} TEXT:\{{(.*?)\}}", text)[1].split(",")


def main():
    with tempfile.TemporaryDirectory(prefix="duomap-test-") as folder:
        def new(name, *options):
            return subprocess.run([PROGRAM, "new", name, *options], cwd=folder, capture_output=True, text=True, check=False)

        code, made = "#include <duomap.hpp>\n", 0
        for kind, key, reduce in itertools.product(choices("format"), choices("key"), choices("reduce")):
            ended = new("task", "--format", kind, "--key", key, "--reduce", reduce)
            if kind in ("rows", "indices") and key == "bytes":
                if ended.returncode != 2 or "--key bytes is for texts" not in ended.stderr:
                    sys.exit(f"{kind} have no texts, and this says\n{ended.stderr}")
                continue
            if ended.returncode:
                sys.exit(f"--format {kind} --key {key} --reduce {reduce}\n{ended.stderr}")
            path = pathlib.Path(folder, f"{kind}_{key}_{reduce}")
            pathlib.Path(folder, "task").rename(path)
            code += (f"namespace {path.name} {{\n#include \"{path}/task.hpp\"\n}}\n"
                     f"static_assert(duomap::require_task<{path.name}::task>());\n")
            made += 1
        pathlib.Path(folder, "all.cpp").write_text(code)
        subprocess.run([COMPILER, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I", SOURCE, "all.cpp"],
                       cwd=folder, check=True)

        for name, said in (("int", "means something else"), ("index", "C library"), ("a/b", "name of a class"),
                           ("words_bytes_sum", "already")):
            ended = new(name)
            if ended.returncode != 2 or said not in ended.stderr:
                sys.exit(f"'{name}' is refused because of '{said}', and this says\n{ended.stderr}")
    print(f"{made} tasks are tasks")


if __name__ == "__main__":
    main()
