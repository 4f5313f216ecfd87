"""make_examples.py SOURCE: writes a program that runs the C++ blocks of all pages.

A block's declarations are visible to the later blocks of its page; its statements become a
function. A comment `<!-- frame ... -->` above a block has code that the page hides, and stands
before the block. A block below `<!-- example: FILE -->` is a part of that file (same_text.py); a
block below `<!-- file: NAME -->` is a file for the page's commands (commands.py)."""

import pathlib
import re
import sys

import pages

# A line that begins like this is a declaration; any other line is a statement.
DECLARATION = re.compile(r"(struct|class|enum|template|inline|using|namespace)\b")


def divided(code, line, page):
    """(includes, declarations, statements), with #line so that compiler messages name the page."""
    includes, declarations, statements = [], [], []
    part, kind = [], None
    lines = code.splitlines()
    for number, text in enumerate(lines, line):
        if text.startswith("#include"):
            includes.append(text + "\n")
            continue
        begins = text and not text[0].isspace() and text[0] not in "}/"
        if begins:
            kind = declarations if DECLARATION.match(text) else statements
        if kind is None:
            kind = statements
        kind.append(f'#line {number} "{page}"\n{text}\n')
    return includes, "".join(declarations), "".join(statements)


def main():
    includes, body, calls = [], "", ""
    for number, path in enumerate(pages.pages()):
        page_body = ""
        for block in pages.blocks_of(path):
            if block.language != "cpp" or block.comment.strip().startswith(("example:", "file:")):
                continue
            parts = []
            if block.comment.strip().startswith("frame"):
                frame = block.comment.lstrip().removeprefix("frame")
                parts.append(divided(frame.lstrip("\n"), block.comment_line + 1, block.page))
            parts.append(divided(block.code, block.line, block.page))
            # Only GPUs call visit_broadcast() for tasks with dense keys; the examples run on the
            # CPU.
            if re.search(r"^ *void visit_broadcast", block.code, re.MULTILINE):
                sys.exit(f"{block.page}:{block.line}: visit_broadcast() lacks DUOMAP_HD")
            name = f"example_{block.line}"
            for found, declarations, _ in parts:
                includes += [one for one in found if one not in includes]
                page_body += declarations
            statements = "".join(part[2] for part in parts)
            if statements:
                page_body += f"void {name}() {{\n{statements}}}\n"
                place = f"{block.page}:{block.line}"
                calls += f'  std::printf("== {place}\\n");\n  page_{number}::{name}();\n'
        if page_body:
            body += f"namespace page_{number} {{\n{page_body}}}\n"
    source = ("#include \"duomap.hpp\"\n#include <cassert>\n#include <cstdio>\n#include <string>\n#include <vector>\n"
              + "".join(includes) + body
              + f"int main() {{\n  std::setvbuf(stdout, nullptr, _IONBF, 0);\n{calls}}}\n")
    target = pathlib.Path(sys.argv[1])
    # An unchanged program is not compiled again.
    if not target.exists() or target.read_text() != source:
        target.write_text(source)


if __name__ == "__main__":
    main()
