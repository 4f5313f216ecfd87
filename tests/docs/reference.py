"""Tests that the reference is complete: the page of commands equals the program's help, the page of
reports has every field, and the page of tasks has an example of every format, key, reduction,
option and result call."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import pages

REFERENCE = pages.ROOT / "docs/reference"
PROGRAM = pathlib.Path(os.environ["DUOMAP"])


def same_commands(page, program):
    said = subprocess.run([program, "__reference"], capture_output=True, text=True, check=True).stdout
    if (REFERENCE / page).read_text().partition("\n\n")[2] != said:
        yield f"docs/reference/{page}: not what {program.name} says; run ./dev docs"


def keys_of(value):
    if isinstance(value, dict):
        return set(value) | {key for one in value.values() for key in keys_of(one)}
    return {key for one in value for key in keys_of(one)} if isinstance(value, list) else set()


def fields_of_reports():
    page = (REFERENCE / "report.md").read_text()
    named = set(re.findall(r"^\| `(\w+)` \|", page.split("## A saved benchmark")[0], re.MULTILINE))
    with tempfile.TemporaryDirectory(prefix="duomap-test-") as folder:
        pathlib.Path(folder, "text").write_text("to be or not to be")
        ended = subprocess.run([PROGRAM, "run", "wordcount", "--json", "text"], cwd=folder, capture_output=True, text=True,
                               check=True)
    said = keys_of(json.loads(ended.stderr.splitlines()[-1]))
    for name in sorted(named ^ said):
        yield f"docs/reference/report.md: {name} is " + ("not there" if name in said else "no field")
    for path in sorted((pages.ROOT / "bench/results/runs").glob("*.json")):
        for name in sorted(keys_of(json.loads(path.read_text()))):
            if f"`{name}`" not in page:
                yield f"docs/reference/report.md: {name} of {path.name} is not there"


def shown_in_tasks():
    """The names in the headers that docs/reference/task.md must show."""
    def names(file, pattern):
        return re.findall(pattern, (pages.ROOT / file).read_text(), re.MULTILINE)
    for header in sorted((pages.ROOT / "core/record").glob("*.hpp")):
        yield from re.findall(r"^struct (\w+) \{\n  using record\b", header.read_text(), re.MULTILINE)
    yield from ("byte_view", *names("core/key.hpp", r"^struct (dense|no_key)\b"))
    reductions = names("core/reduce.hpp", r"^struct (\w+) \{")
    yield from (name for name in reductions if name not in ("scored", "checked_reduction"))
    yield from names("core/run_options.hpp", r"^  [\w:<>]+\*? (\w+) = [^;]+;$")
    for header in sorted((pages.ROOT / "core/result").glob("*.hpp")):
        yield from re.findall(r"^  \[\[nodiscard\]\] [\w:<>&, ]+ (\w+)\(", header.read_text(), re.MULTILINE)


def examples_of_tasks():
    code = "\n".join(block.code for block in pages.blocks_of(REFERENCE / "task.md") if block.language == "cpp")
    for name in dict.fromkeys(shown_in_tasks()):
        # The internal type of a chained run needs no example.
        if name != "reduced" and not re.search(rf"\b{name}(_for)?\b", code):
            yield f"docs/reference/task.md: no example has {name}"


def main():
    problems = [*same_commands("commands.md", PROGRAM), *fields_of_reports(), *examples_of_tasks()]
    bench = PROGRAM.with_name("duomap-bench")
    if bench.exists():
        problems += same_commands("bench-commands.md", bench)
    if problems:
        sys.exit("\n".join(problems))
    print(f"{len(set(shown_in_tasks()))} names have examples")


if __name__ == "__main__":
    main()
