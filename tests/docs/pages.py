"""Finds the code blocks of README.md, CONTRIBUTING.md and docs, without generated pages."""

import dataclasses
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The pages of saved runs name commands of other machines.
GENERATED = ROOT / "docs/results"


@dataclasses.dataclass
class Block:
    page: str            # relative to the root
    line: int            # of the first line of code, counted from 1
    language: str
    code: str
    comment: str = ""    # what a comment directly above it says
    comment_line: int = 0
    follower: "Block | None" = None  # a block directly below it, which may show its output


def pages():
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))):
        if GENERATED not in path.parents:
            yield path


def blocks_of(path):
    """The blocks between ``` of a page, in their order."""
    lines = path.read_text().splitlines()
    found = []
    comment, comment_line, last_end = "", 0, -9
    at = 0
    while at < len(lines):
        line = lines[at]
        fence = re.match(r"```(\w*)\s*$", line)
        if line.startswith("<!--"):
            end = next(i for i in range(at, len(lines)) if lines[i].endswith("-->"))
            comment = "\n".join(lines[at:end + 1])[len("<!--"):-len("-->")]
            comment_line = at + 1
            at = end
        elif fence:
            end = lines.index("```", at + 1)
            block = Block(str(path.relative_to(ROOT)), at + 2, fence[1], "\n".join(lines[at + 1:end]) + "\n",
                          comment, comment_line)
            if found and last_end in (at - 1, at - 2) and not comment:
                found[-1].follower = block
            found.append(block)
            comment, last_end = "", end
            at = end
        elif line.strip():
            comment = ""
        at += 1
    return found


def all_blocks():
    return [block for path in pages() for block in blocks_of(path)]


def without_layout(code):
    """Code without blanks and without comments at the ends of lines, for comparison."""
    return re.sub(r"\s+", "", re.sub(r"(?m)(^|\s)//.*$", "", code))
