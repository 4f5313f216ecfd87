"""What keeps the sources readable stays so: how much a program of duomap.hpp and the GPU code of a task read, how long a file
is, which folders may include which, how many numbers decide. Needs neither git nor the program. --list prints the figures."""

import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_HEADERS = 95  # that duomap.hpp includes, itself or through others
MOST_TASK_LINES = 7500  # of duomap that a .cu file of an application sees
MOST_FILE_LINES = 400
MOST_NUMBERS = 60  # that decide how a run goes
DATA_TABLES = {"core/text/powers_of_five.hpp"}

# A folder may include those of the same line and of the lines before.
LAYERS = ["core", "cpu", "gpu", "scheduler", "duomap.hpp", "apps/algorithms", "apps/cli", "apps/tasks", "apps/commands",
          "apps/bench", "apps"]
APART = {"cpu", "gpu", "scheduler"}  # of these, none includes another

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
NUMBER = re.compile(r"^ *(?:inline constexpr )?(?:double|unsigned|std::\w+) (\w+) =", re.MULTILINE)


def sources():
    """The C++ and CUDA files, by their path from the top."""
    found = {}
    for folder, folders, files in os.walk(ROOT):
        folders[:] = sorted(one for one in folders if not one.startswith(".") and one != "build")
        for file in files:
            if file.endswith((".hpp", ".cpp", ".cuh", ".cu")):
                path = pathlib.Path(folder) / file
                found[path.relative_to(ROOT).as_posix()] = path.read_text(encoding="utf-8")
    return found


ALL = sources()
THRESHOLDS = sorted(path for path in ALL if path.endswith(("_thresholds.hpp", "history/learning.hpp")))
LINES = {path: text.count("\n") for path, text in ALL.items()}
INCLUDES = {path: [one for one in INCLUDE.findall(text) if one in ALL] for path, text in ALL.items()}


def seen_by(path):
    """All files of the project that a file includes, itself or through others, and itself."""
    seen, left = set(), [path]
    while left:
        one = left.pop()
        if one not in seen:
            seen.add(one)
            left += INCLUDES[one]
    return seen


def layer_of(path):
    fitting = [one for one in LAYERS if path == one or path.startswith(one + "/")]
    return max(fitting, key=len) if fitting else None


def climbs(path, included):
    """Whether an include leads from a folder to one that stands on it."""
    low, high = layer_of(path), layer_of(included)
    if low is None or high is None or low == high:
        return False
    return LAYERS.index(high) > LAYERS.index(low) or {low, high} <= APART


def problems():
    headers = len(seen_by("duomap.hpp")) - 1
    if headers > MOST_HEADERS:
        yield f"duomap.hpp includes {headers} headers; at most {MOST_HEADERS} are read by every program"
    for path in sorted(ALL):
        if path.startswith("apps/") and path.endswith(".cu"):
            lines = sum(LINES[one] for one in seen_by(path) - DATA_TABLES)
            if lines > MOST_TASK_LINES:
                yield f"{path} sees {lines} lines of duomap; at most {MOST_TASK_LINES} are compiled for a task"
        if LINES[path] > MOST_FILE_LINES and path not in DATA_TABLES:
            yield f"{path} has {LINES[path]} lines; a file has one concept, and at most {MOST_FILE_LINES} lines"
        for included in INCLUDES[path]:
            if climbs(path, included):
                yield f"{path} includes {included}, which stands on it (CONTRIBUTING.md, The folders)"
    numbers = sum(len(NUMBER.findall(ALL[one])) for one in THRESHOLDS)
    if numbers > MOST_NUMBERS:
        yield f"{numbers} numbers decide in {', '.join(THRESHOLDS)}; at most {MOST_NUMBERS} may"
    for path, text in ((one, ALL[one]) for one in THRESHOLDS):
        for at in NUMBER.finditer(text):
            before = text[:at.start()].rstrip("\n").rsplit("\n", 1)[-1].strip()
            if not before.startswith("///"):
                yield f"{path}: {at[1]} has no reason above it"


def figures():
    yield "headers that duomap.hpp includes", len(seen_by("duomap.hpp")) - 1
    yield "their lines, with its own", sum(LINES[one] for one in seen_by("duomap.hpp"))
    tasks = {path: sum(LINES[one] for one in seen_by(path) - DATA_TABLES)
             for path in ALL if path.startswith("apps/") and path.endswith(".cu")}
    for path in sorted(tasks, key=tasks.get, reverse=True)[:5]:
        yield f"lines that {path} sees", tasks[path]
    largest = max((path for path in ALL if path not in DATA_TABLES), key=LINES.get)
    yield f"lines of {largest}", LINES[largest]
    for path in THRESHOLDS:
        yield f"numbers in {path}", len(NUMBER.findall(ALL[path]))
    arrows = {(os.path.dirname(path), os.path.dirname(one)) for path in ALL for one in INCLUDES[path]
              if path.startswith("apps/") and one.startswith("apps/")}
    yield "pairs of folders of apps of which one includes the other", sum(a != b for a, b in arrows)
    products = [path for path in ALL if not path.startswith("tests/") and "/tests/" not in path]
    yield "lines outside tests", sum(LINES[path] for path in products)


if __name__ == "__main__":
    if sys.argv[1:] == ["--list"]:
        for name, figure in figures():
            print(f"{figure:8} {name}")
        sys.exit()
    wrong = list(problems())
    for one in wrong:
        print(one)
    sys.exit(1 if wrong else 0)
