"""Tests that code on pages is compiled code. A block below `<!-- example: FILE -->` must be a part
of FILE (NAME is the file's name). An example in a header's comment must be a part of such a block,
of a block that make_examples.py compiles, or of a source. Blanks, line ends and comments may
differ."""

import pathlib
import re
import sys

import pages

FOLDERS = ("core", "cpu", "gpu", "scheduler", "apps", "numeric", "bench", "tests")
SOURCES = ("*.hpp", "*.cpp", "*.cuh", "*.cu")
# Three blanks begin code in a comment. Words in a column behind it make the lines a list.
CODE = re.compile(r"\s*//+ {3,}(\S.*)$")
LIST = re.compile(r"\S {2,}(?!//)\S")


def shown_in(header):
    """(line number, code) of each example in the comments of a header."""
    part, first = [], 0
    for number, line in enumerate(header.read_text().splitlines() + [""], 1):
        code = CODE.match(line)
        if code:
            first = first if part else number
            part.append(code[1])
        elif part:
            text = "\n".join(part)
            if re.search(r"[;{}]( *//.*)?$", text, re.MULTILINE) and not LIST.search(text):
                yield first, text
            part = []


def main():
    problems, marked = [], 0
    blocks = [block for block in pages.all_blocks() if block.language == "cpp"]
    for block in blocks:
        file = re.fullmatch(r"\s*example: (\S+)\s*", block.comment)
        if not file:
            continue
        marked += 1
        source = pages.ROOT / file[1]
        code = pages.without_layout(block.code.replace("NAME", source.stem))
        if code not in pages.without_layout(source.read_text()):
            problems.append(f"{block.page}:{block.line}: {file[1]} has other code")
    sources = [path for folder in FOLDERS for kind in SOURCES for path in sorted((pages.ROOT / folder).rglob(kind))]
    compiled = "\n".join(pages.without_layout(text) for text in
                         [block.code for block in blocks] + [path.read_text() for path in sources])
    headers = [path for path in sources + [pages.ROOT / "duomap.hpp"] if path.suffix in (".hpp", ".cuh")]
    examples = [(header, line, code) for header in headers for line, code in shown_in(header)]
    problems += [f"{header.relative_to(pages.ROOT)}:{line}: neither a page nor a source has this code:\n{code}"
                 for header, line, code in examples if pages.without_layout(code) not in compiled]
    program = (pages.ROOT / "apps/examples/wordcount.cpp").read_text().splitlines()[1:]
    if len([line for line in program if line.strip()]) > 30:
        problems.append("apps/examples/wordcount.cpp: a complete word count should stay near 25 lines")
    if problems:
        sys.exit("\n".join(problems))
    print(f"{marked} blocks of files, {len(examples)} examples in headers")


if __name__ == "__main__":
    main()
