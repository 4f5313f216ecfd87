"""Tests the wording: no old name anywhere, few "who", one glossary of at most 45 words and no other
list of words, no long line of prose, the answer in the first line of each page of results, at most
one measured figure in a comment. Needs neither git nor the program."""

import os
import re
import sys

import pages

# Names from before version 0.1, with the field's term for each.
OLD_NAMES = {
    r"(run|task|machine)_memory": "..._history",
    r"participants?|contenders?": "executor_config, executor_state, finish_estimate",
    r"crews?|crew_\w+": "device_set, executor_set_history",
    r"stand(s|ing)? aside|stood aside": "throttled",
    r"stand(s|ing)? by|stood by": "held back",
    r"first look": "solo warm-up",
    r"interference": "contention",
    r"device_trial": "calibration ramp",
    r"bell": "event count",
    r"host_part|take_partial": "host_partial, release_partial",
    r"contests?|run_contest": "comparison",
    r"made[-_]up(_\w+)?": "synthetic",
    r"run_apart": "subprocess",
    r"reduction[-_]object": "hash",
    r"alone_(?:seconds_per_grain|per_grain|until|share|chunks|rate)|(?:seen|measured|own|pools|plan_devices)_alone": "solo",
}
ANY_OLD_NAME = re.compile(r"(?<![\w-])(?:" + "|".join(OLD_NAMES) + r")(?![\w-])")
# Places that may have an old name: they tell its new name, or the name is another project's.
ALLOWED = {
    "CHANGELOG.md", "docs/decisions", "core/member_names.hpp", "core/engine_kind.hpp", "gpu/engines/dense/row_unit.hpp", "tests",
    "core/engine_kind.cpp", "CITATION.cff",
}
MOST_WHO = 40
MOST_WORDS = 45
MOST_COLUMNS = 160
CODE = (".hpp", ".cpp", ".cuh", ".cu", ".inc", ".py", ".js", ".html", ".css", ".cmake", ".txt", ".sh")
GLOSSARY = "docs/glossary.md"
GENERATED = ("docs/results/", "docs/reference/commands.md", "docs/reference/bench-commands.md", "docs/concepts/many-machines.md")
# "0.46 ms", "33 to 45 %", "1.3 times": a range is one figure.
FIGURE = re.compile(r"(?<![\w.^\"])\d[\d,.]*(?: (?:to|and|or) \d[\d,.]*)*\s?"
                    r"(?:%|[nmu]?s|[GMT]B/s|[GT]FLOP/s|times|(?:micro|milli)?seconds)(?!\w)")
WORD = re.compile(r"^- \*\*([^*]+)\*\*: ", re.MULTILINE)
COMMENT = re.compile(r"\s*//[/!]?(.*)$")


def files():
    """(path from the root, text) of all sources and documents, without builds and test data."""
    for folder, folders, names in os.walk(pages.ROOT):
        folders[:] = sorted(one for one in folders if not one.startswith(".") and one not in ("build", "seeds", "plots"))
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name), pages.ROOT)
            if name.endswith((".md", ".json", ".tsv", *CODE)) or name == "dev":
                yield path, (pages.ROOT / path).read_text(errors="replace")


def is_allowed(path):
    return any(path == one or path.startswith(one + "/") for one in ALLOWED)


def old_names(path, text):
    for found in ANY_OLD_NAME.finditer(text):
        number = text.count("\n", 0, found.start()) + 1
        new = next(new for old, new in OLD_NAMES.items() if re.fullmatch(old, found[0]))
        yield f"{path}:{number}: '{found[0]}' is called {new}"


def comment_blocks(text):
    """(line, text) of each block of comment lines."""
    part, first = [], 0
    for number, line in enumerate(text.splitlines() + [""], 1):
        comment = COMMENT.match(line)
        if comment:
            first = first if part else number
            part.append(comment[1].strip())
        elif part:
            yield first, " ".join(part)
            part = []


def figures(path, text):
    for number, comment in comment_blocks(text):
        found = FIGURE.findall(re.sub(r'"[^"]*"', "", comment))
        if len(found) > 1:
            yield f"{path}:{number}: a comment has one measured figure at most, not {', '.join(found)}; a decision record has room"


def spoken(path, text):
    """The prose of a file: all of a page, or the comments of code."""
    if path.endswith(".md"):
        return text
    if path.endswith((".hpp", ".cpp", ".cuh", ".cu")):
        return "\n".join(comment for _, comment in comment_blocks(text))
    return "\n".join(line for line in text.splitlines() if line.lstrip().startswith("#")) if path.endswith(".py") else ""


def words_elsewhere(path, text):
    """Lists of words outside the glossary."""
    if path != GLOSSARY:
        for found in WORD.finditer(text):
            yield f"{path}:{text.count(chr(10), 0, found.start()) + 1}: '{found[1]}' belongs into {GLOSSARY}, or is to be a plain word"


def long_lines(path, text):
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        fenced ^= line.startswith("```")
        if not fenced and not line.startswith("|") and len(line) > MOST_COLUMNS:
            yield f"{path}:{number}: {len(line)} characters; at most {MOST_COLUMNS} are wanted"


def unanswered(path, text):
    """A page of results must answer its question in one line, which ends with the sentence."""
    answer = text.splitlines()[2]
    if len(answer) > MOST_COLUMNS or not answer.endswith("."):
        yield f"{path}: the first line is no answer: {answer}"


def main():
    problems, who = [], 0
    for path, text in files():
        if not is_allowed(path):
            problems += old_names(path, text)
        if path.endswith((".hpp", ".cpp", ".cuh", ".cu")) and "tests" not in path.split("/"):
            problems += figures(path, text)
        if path.endswith(".md") and not path.startswith(GENERATED):
            problems += long_lines(path, text)
        if path.endswith(".md"):
            problems += words_elsewhere(path, text)
        if path.startswith("docs/results/") and not path.endswith("README.md"):
            problems += unanswered(path, text)
        who += len(re.findall(r"\bwho\b", spoken(path, text), re.IGNORECASE))
    words = WORD.findall((pages.ROOT / GLOSSARY).read_text())
    if who > MOST_WHO:
        problems.append(f"documents and comments say 'who' {who} times; at most {MOST_WHO} are wanted")
    if not 0 < len(words) <= MOST_WORDS:
        problems.append(f"{GLOSSARY}: {len(words)} words; at most {MOST_WORDS} are wanted")
    if words != sorted(words):
        problems.append(f"{GLOSSARY}: the words are not in alphabetical order")
    if problems:
        sys.exit("\n".join(problems))
    print(f"'who' {who} times, {len(words)} words in the glossary")


if __name__ == "__main__":
    main()
