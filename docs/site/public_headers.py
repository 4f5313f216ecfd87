"""Which headers the C++ reference has, and what each says of itself."""

import re

LISTS = "cmake/public_headers.cmake"
REFERENCE = "docs/reference/task.md"


def included_by(root, header):
    included = re.findall(r'^#include "([^"]+)"', (root / header).read_text(), re.MULTILINE)
    return [one for one in included if (root / one).exists()]


def with_included(root, header):
    """The header and all of the project that it includes, itself or through others."""
    found, waiting = set(), [header]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += included_by(root, one)
    return found


def grouped(root):
    """[(heading, headers)]: those that CMake lists, those that duomap.hpp includes, and those of core that the page of tasks
    links to. The first group is what comes with duomap.hpp."""
    lists = {}
    for name, files in re.findall(r"set\((duomap_public_\w+)\n?([^)]+)\)", (root / LISTS).read_text()):
        lists[name] = re.findall(r"\S+\.(?:hpp|cuh)", files)
    others = lists["duomap_public_headers"]
    brought = with_included(root, "duomap.hpp")
    linked = re.findall(r"\]\(\.\./\.\./(core/[^)#]+\.hpp)", (root / REFERENCE).read_text())
    named = [*included_by(root, "duomap.hpp"), *linked]
    main = ["duomap.hpp", *sorted({one for one in named if one in brought})]
    more = sorted({one for one in [*others, *named] if one not in main})
    return [
        ("What `duomap.hpp` brings", main),
        ("More of the library", [one for one in more if not one.startswith("gpu/")]),
        ("GPUs", [one for one in more if one.startswith("gpu/")]),
        ("Numeric applications", lists["duomap_public_numeric_headers"]),
        ("Programs of a task", lists["duomap_public_program_headers"]),
    ]


def first_comment(text):
    """What a header says of itself in its first lines; and whether code of GPUs must not include it."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        lines.append(line[2:].strip())
    host_only = "host only" in lines
    return " ".join(line for line in lines if line and line != "host only"), host_only
