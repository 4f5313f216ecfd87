"""Tests limits that keep the sources readable: the amount that duomap.hpp and a task's GPU code
include, the length of files, which folders may include which, the number of deciding constants, and
the places of tests. Needs neither git nor the program. --list prints the figures."""

import graphlib
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_HEADERS = 100  # included by duomap.hpp, itself or through others
MOST_TASK_LINES = 8000  # lines of duomap that an application's .cu file includes, without those of its own folder
MOST_FILE_LINES = 400
MOST_NUMBERS = 60  # constants that decide how a run goes
DATA_TABLES = {"core/text/powers_of_five.hpp"}

# A folder may include files of itself and of the folders before it.
LAYERS = ["core", "cpu", "gpu", "scheduler", "duomap.hpp", "apps/report", "apps/build_cache", "apps/tasks", "apps/cli", "apps/commands", "apps",
          "numeric", "bench", "python"]
APART = {"cpu", "gpu", "scheduler"}  # none of these includes another
WITHOUT_CIRCLES = ["scheduler"]  # no folder in these may include another that includes it back

# Test folders without a source folder of the same name, with the reason.
NO_MIRROR = {
    "tests/conformance": "the contract of all backends, which is no source's own",
    "tests/facade": "the promises of duomap.hpp, which stands in no folder",
}
PROGRAMS = {"apps/cli", "apps/commands", "apps", "bench"}  # the Python module includes nothing of these

# A house is built on an installed duomap and the listed houses, none of which includes it.
HOUSES = {"numeric": [], "bench": ["numeric"]}
SHARED_BY_TESTS = ("tests/catch.hpp", "tests/support/", "tests/conformance/", "tests/fuzz/", "tests/core/output/support.hpp")

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
    """The file and all files of the project that it includes, itself or through others."""
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
    """Whether an include leads from a folder to a folder above it."""
    low, high = layer_of(path), layer_of(included)
    if low is None or high is None or low == high:
        return False
    return LAYERS.index(high) > LAYERS.index(low) or {low, high} <= APART or (low == "python" and high in PROGRAMS)


def circle_in(layer):
    """The steps (path, included) that lead from a folder of `layer` back to it, or none."""
    def room_of(path):
        return "/".join(path.split("/")[:2]) if path.count("/") > 1 else layer

    steps = {(room_of(path), room_of(one)): (path, one) for path in sorted(ALL) if path.startswith(layer + "/")
             for one in INCLUDES[path] if one.startswith(layer + "/") and room_of(path) != room_of(one)}
    included = {}
    for low, high in steps:
        included.setdefault(low, []).append(high)
    try:
        graphlib.TopologicalSorter(included).prepare()
    except graphlib.CycleError as found:
        # Of two neighbours in the found circle, the second includes the first.
        return [steps[low, high] for high, low in zip(found.args[1], found.args[1][1:])][::-1]
    return []


def house_of(path):
    return next((house for house in HOUSES if path.startswith(house + "/")), None)


def installed():
    """The headers that cmake --install copies, of the framework and of each house."""
    lists = (ROOT / "cmake/public_headers.cmake").read_text(encoding="utf-8")
    named = [one for one in re.findall(r"[\w./]+\.(?:hpp|cuh)\b", lists) if one in ALL]
    return {seen for one in named for seen in seen_by(one)}


def leaves_house(path, included, below):
    """Whether a house's file includes a file that is neither installed nor of a house below."""
    house, other = house_of(path), house_of(included)
    if house == other or house is None:  # the Python package includes both the framework and numeric
        return other is not None and house is None and not path.startswith("python/")
    if other is not None and other not in HOUSES[house]:
        return True
    if included in below or included.startswith("numeric/tests/"):
        return False
    return not ("/tests/" in path and included.startswith(SHARED_BY_TESTS))


def task_lines(path):
    """The number of lines that a .cu file includes from outside its application."""
    folder = path.rpartition("/")[0]
    return sum(LINES[one] for one in seen_by(path) - DATA_TABLES if one.rpartition("/")[0] != folder)


def without_source(path):
    """The fault in the place or name of a test, or None. tests/FOLDER/NAME_test.cpp tests
    FOLDER/NAME.*, and HOUSE/tests/FOLDER/NAME_test.cpp tests HOUSE/FOLDER/NAME.*. A test with
    another name must name a source of the folder, or the folder, in its first comment."""
    test = re.fullmatch(r"((?:\w+/)?)tests/(.*_test\.(?:cpp|cu|cuh|hpp))", path)
    if not test or test[1] == "python/" or any(path.startswith(one + "/") for one in NO_MIRROR):
        return None
    folder, _, name = (test[1] + test[2]).rpartition("/")
    if not folder or not any(one.startswith(folder + "/") for one in ALL):
        return f"mirrors no source: there is no folder '{folder}' of sources"
    beside = {one for one in ALL if one.rpartition("/")[0] == folder}
    if {one.partition(".")[0] for one in beside} & {f"{folder}/{name.rpartition('_test.')[0]}"}:
        return None
    comment = re.match(r"(?://.*\n)*", ALL[path])[0]
    if {one.rstrip(".") for one in re.findall(r"[\w./]+", comment)} & (beside | {folder}):
        return None
    return f"has the name of no source in {folder}, and its first comment names none (docs/howto/test.md, Where a test goes)"


def problems():
    below = installed()
    headers = len(seen_by("duomap.hpp")) - 1
    if headers > MOST_HEADERS:
        yield f"duomap.hpp includes {headers} headers; at most {MOST_HEADERS} are read by every program"
    for path in sorted(ALL):
        if path.startswith(("apps/", "numeric/", "bench/")) and "/tests/" not in path and path.endswith(".cu"):
            lines = task_lines(path)
            if lines > MOST_TASK_LINES:
                yield f"{path} sees {lines} lines of duomap; at most {MOST_TASK_LINES} are compiled for a task"
        if LINES[path] > MOST_FILE_LINES and path not in DATA_TABLES:
            yield f"{path} has {LINES[path]} lines; a file has one concept, and at most {MOST_FILE_LINES} lines"
        for included in INCLUDES[path]:
            if leaves_house(path, included, below):
                yield f"{path} includes {included}, which its house does not see (cmake/public_headers.cmake)"
            elif climbs(path, included):
                yield f"{path} may not include {included} (CONTRIBUTING.md, The folders)"
        problem = without_source(path)
        if problem:
            yield f"{path} {problem}"
    for layer in WITHOUT_CIRCLES:
        for path, included in circle_in(layer):
            yield f"{path} includes {included}, one step of a circle of folders of {layer} (CONTRIBUTING.md, The folders)"
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
    tasks = {path: task_lines(path) for path in ALL if path.startswith(("apps/", "numeric/", "bench/")) and "/tests/" not in path and path.endswith(".cu")}
    for path in sorted(tasks, key=tasks.get, reverse=True)[:5]:
        yield f"lines that {path} sees", tasks[path]
    largest = max((path for path in ALL if path not in DATA_TABLES), key=LINES.get)
    yield f"lines of {largest}", LINES[largest]
    for path in THRESHOLDS:
        yield f"numbers in {path}", len(NUMBER.findall(ALL[path]))
    arrows = {(os.path.dirname(path), os.path.dirname(one)) for path in ALL for one in INCLUDES[path]
              if path.startswith("apps/") and one.startswith("apps/")}
    yield "pairs of folders of apps of which one includes the other", sum(a != b for a, b in arrows)
    mirrors = [path for path in ALL if not path.startswith("tests/") and any(
        f"tests/{path.rpartition('.')[0]}_test.{one}" in ALL for one in ("cpp", "cu"))]
    for room in ("core", "cpu", "gpu", "scheduler", "apps"):
        yield f"sources of {room} with a test of their name", sum(one.startswith(room + "/") for one in mirrors)
    yield "includes of python that name a program's room", sum(layer_of(one) in PROGRAMS for path in ALL if layer_of(path) == "python"
                                                               for one in INCLUDES[path])
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
