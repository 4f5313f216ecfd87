"""check_examples.py PROGRAM: runs the program of make_examples.py, and compares its output with the
```text block below each example."""

import subprocess
import sys
import tempfile

import pages


def main():
    with tempfile.TemporaryDirectory(prefix="duomap-test-") as folder:
        ended = subprocess.run([sys.argv[1]], cwd=folder, capture_output=True, text=True, check=False)
    printed = {}
    for part in ended.stdout.split("== ")[1:]:
        place, _, text = part.partition("\n")
        printed[place] = text
    if ended.returncode != 0:
        sys.exit(f"{list(printed)[-1:]}: ended with {ended.returncode}\n{ended.stdout[-500:]}{ended.stderr}")
    problems = []
    for block in pages.all_blocks():
        place = f"{block.page}:{block.line}"
        if place not in printed:
            continue
        shown = block.follower.code if block.follower and block.follower.language == "text" else ""
        if printed[place] != shown:
            problems.append(f"{place}: printed\n{printed[place]}where the page shows\n{shown}")
    if problems:
        sys.exit("\n".join(problems))
    print(f"{len(printed)} examples ran")


if __name__ == "__main__":
    main()
