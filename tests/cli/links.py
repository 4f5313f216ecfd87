"""Tests the *.md pages: every relative link and anchor exists, the pages that everybody reads first
are short, answers have at most three lines, and CITATION.cff names the version. Needs neither git
nor the program."""

import os
import pathlib
import re
import sys
import unicodedata

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_COLUMNS = 160
MOST_README_LINES = 180
MOST_CONTRIBUTING_LINES = 120
ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)  # such as https:


def all_pages():
    """The *.md files of the sources, without those of builds and hidden folders."""
    for folder, folders, files in os.walk(ROOT):
        folders[:] = sorted(one for one in folders if not one.startswith(".") and one != "build")
        yield from (pathlib.Path(folder) / file for file in sorted(files) if file.endswith(".md"))


def prose_lines(text):
    """(number, line) of the text outside code."""
    fence = None
    for number, line in enumerate(text.splitlines(), 1):
        opened = re.match(r" {0,3}(```+|~~~+)", line)
        if opened and fence is None:
            fence = opened[1]
        elif fence and re.fullmatch(re.escape(fence[0]) + "{%d,}" % len(fence), line.strip()):
            fence = None
        elif fence is None:
            yield number, line


def links_of(text):
    """(line number, target) of each link: [text](target), ![picture](target) and [name]: target."""
    for number, line in prose_lines(text):
        line = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", line)
        # A link's text may be a picture in brackets, so the pattern looks only for its end.
        for target in re.findall(r"\]\(\s*<?([^)\s>]*)>?[^)]*\)", line):
            yield number, target
        reference = re.match(r" {0,3}\[[^\]]+\]:\s*<?([^\s>]+)", line)
        if reference:
            yield number, reference[1]


def anchors_of(text):
    """The names of places in a page on GitHub or GitLab: headings and explicit anchors."""
    names = set()
    for _, line in prose_lines(text):
        names.update(re.findall(r"<a\s+(?:id|name)=\"([^\"]+)\"", line))
        heading = re.match(r" {0,3}#{1,6}\s+(.*?)\s*#*\s*$", line)
        if not heading:
            continue
        shown = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading[1])
        kept = (c for c in shown.lower() if c in " -_" or unicodedata.category(c)[0] in "LNM")
        name = "".join(kept).replace(" ", "-")
        again = 0
        while f"{name}-{again}" in names if again else name in names:
            again += 1
        names.add(f"{name}-{again}" if again else name)
    return names


def problem_of(page, target, texts):
    """The fault of a link, or None."""
    if not target:
        return "leads nowhere"
    if ADDRESS.match(target) or target.startswith("//"):
        return None
    path, _, anchor = target.partition("#")
    there = pathlib.Path(os.path.normpath(page.parent / path)) if path else page
    if there != ROOT and ROOT not in there.parents:
        return "leads out of the sources"
    if not there.exists():
        return "does not exist"
    if anchor and there.suffix == ".md" and anchor not in anchors_of(texts.get(there) or there.read_text()):
        return "has no such heading"
    return None


def length_problems(name, most_lines):
    lines = (ROOT / name).read_text().splitlines()
    if len(lines) > most_lines:
        return [f"{name}: {len(lines)} lines; at most {most_lines} are wanted"]
    return [f"{name}:{number}: {len(line)} characters; at most {MOST_COLUMNS} are wanted"
            for number, line in enumerate(lines, 1) if len(line) > MOST_COLUMNS]


def question_problems(name, most_lines=3):
    for question in (ROOT / name).read_text().split("\n### ")[1:]:
        title, *answer = [line for line in question.splitlines() if line]
        if len(answer) > most_lines or "](" not in question:
            yield f"{name}: '{title}' is to be answered in {most_lines} lines, with a link"


def citation_problems():
    version = re.search(r'version = "([^"]+)"', (ROOT / "core/version.hpp").read_text())[1]
    if f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text():
        return []
    return [f"CITATION.cff: the version is {version} (core/version.hpp)"]


def main():
    texts = {page: page.read_text() for page in all_pages()}
    problems = [f"{page.relative_to(ROOT)}:{number}: {target} {problem}"
                for page, text in texts.items()
                for number, target in links_of(text)
                if (problem := problem_of(page, target, texts))]
    problems += length_problems("README.md", MOST_README_LINES)
    problems += length_problems("CONTRIBUTING.md", MOST_CONTRIBUTING_LINES)
    problems += question_problems("docs/questions.md")
    problems += citation_problems()
    if problems:
        sys.exit("\n".join(problems))
    print(f"{len(texts)} pages, {sum(len(list(links_of(text))) for text in texts.values())} links")


if __name__ == "__main__":
    main()
