"""make_pages.py PARTS ROOT: writes docs/results and the table of README.md below ROOT, from PARTS, which `duomap bench
--docs PARTS` has written, and from the answers of questions.py. `./dev docs` calls it; nothing is measured."""

import pathlib
import re
import shutil
import sys
import textwrap

from questions import GROUPS
from saved import FOLDER

MOST_COLUMNS = 160
MOST_NOTE = 60   # characters of a note in a table: longer ones make it unreadable
MOST_NOTES = 8   # long notes below a table
NOT_EDITED = "\n<!-- Written by ./dev docs; not to be edited. -->\n"
LEGEND = """Times are medians of runs that took turns with the other programs of their table; p10 and p90 say how far they lay apart. "over" is how many
times as fast a program was, round by round, as the one that it names. "cold" is the first run, before caches, threads and GPUs were warm.
"memory" is what a run needed at its peak beside the files that it mapped; of the papers' experiments with what comparing its answer took.
"in the paper" is a claim, on hardware of its time. What a machine could not measure says so.
"""


def broken(text):
    """With lines that are not too long, but for rows of tables and commands."""
    return "\n".join(line if line.startswith("|") or len(line) <= MOST_COLUMNS or line.startswith("duomap ")
                     else textwrap.fill(line, MOST_COLUMNS, break_long_words=False, break_on_hyphens=False)
                     for line in text.splitlines()) + "\n"


def with_short_notes(text, run):
    """The text of a table with numbers in place of long notes, which stand below it; many of them stay in the saved run."""
    lines = text.splitlines()
    at = [number for number, line in enumerate(lines) if line.startswith("|")]
    if not at or not lines[at[0]].endswith("| note |"):
        return text
    notes = {number: re.search(r"\| ([^|]*)\|$", lines[number])[1].strip() for number in at[2:]}
    long = list(dict.fromkeys(note for note in notes.values() if len(note) > MOST_NOTE))
    few = len(long) <= MOST_NOTES
    for number in at if not few else notes:
        shown = f" [{long.index(notes[number]) + 1}] |" if few and notes[number] in long else None
        if shown or not few:
            lines[number] = re.sub(r"[^|]*\|$", shown or "", lines[number])
    below = [f"{place}. {note}" for place, note in enumerate(long, 1)] if few else [
        f"[{run}.json](../../bench/results/runs/{run}.json) has a note for each row."]
    lines[at[-1] + 1:at[-1] + 1] = ["", *below] if long else []
    return "\n".join(lines) + "\n"


class Parts:
    """What `duomap bench --docs` wrote, by run and table."""

    def __init__(self, folder):
        self.folder = folder
        self.shown = set()
        self.pictures = set()

    def path(self, run, table):
        found = [path for path in self.folder.glob(f"{run}-*-{table}.md")
                 if re.fullmatch(rf"{re.escape(run)}-\d+-{re.escape(table)}\.md", path.name)]
        if len(found) != 1:
            raise LookupError(f"{len(found)} tables of {run} are called {table}")
        return found[0]

    def text(self, run, table):
        path = self.path(run, table)
        self.shown.add(path.name)
        text = broken(with_short_notes(path.read_text(), run))
        picture = path.with_suffix(".svg")
        if picture.exists():
            self.pictures.add(picture)
            text += f"\n![{table} of {run}](plots/{picture.name})\n"
        return text


def answer_of(question):
    """The answer; its first sentence is the first line."""
    first, more = re.fullmatch(r"(.*?\.)(?: (.*))?", question.answer()).groups()
    if len(first) > MOST_COLUMNS:
        raise ValueError(f"{question.page}: the first sentence of the answer has {len(first)} characters")
    return first + "\n" + (broken(more) if more else "")


def page_of(question, parts):
    text = f"# {question.question}\n\n{answer_of(question)}"
    if question.summary:
        text += f"\n{question.summary()}"
    for at, (run, table) in enumerate(question.tables):
        shown = parts.text(run, table)
        whole = at == 0 and not question.summary
        text += f"\n{shown}" if whole else f"\n<details><summary>{run}: {table}</summary>\n\n{shown}\n</details>\n"
    if not question.tables and question.details:
        lines = (FOLDER / question.details[0]).read_text().splitlines()
        first = next(at for at, line in enumerate(lines) if line.startswith("|"))
        last = next((at for at in range(first, len(lines)) if not lines[at].startswith("|")), len(lines))
        text += "\n" + "\n".join(lines[first:last]) + "\n"
    if question.details:
        links = ", ".join(f"[{name}](../../bench/results/{name})" for name in question.details)
        text += f"\nHow it was measured, and what falls short: {links}.\n"
    return text + NOT_EDITED


def index_of():
    text = "# Results\n\nHow fast duomap is: a page for each question. Each page names its machines and days.\n"
    for group, questions in GROUPS.items():
        text += f"\n## {group}\n\n| question | answer |\n|---|---|\n"
        text += "".join(f"| [{one.question}]({one.page}.md) | {one.answer()} |\n" for one in questions)
    others = sorted(path.name for path in FOLDER.glob("*.md"))
    return (text + f"\n## How to read the tables\n\n{LEGEND}"
            + "\nThe folder [bench/results/runs](../../bench/results/runs) has the saved runs as JSON. `duomap bench --from FILE` shows one, and\n"
              "`duomap bench NAME --compare FILE` measures against one. The pages of [results](../../bench/results) have the details:\n"
            + "\n".join(f"[{name}](../../bench/results/{name})" + ("," if name != others[-1] else ".") for name in others) + "\n"
            + NOT_EDITED)


def filled(page, parts):
    """A page whose tables between `<!-- bench: RUN -->` and `<!-- end of bench -->` are those of the saved runs."""
    def table(mark):
        run = mark[1]
        return f"<!-- bench: {run} -->\n{broken(parts.path(run, 'wordcount').read_text())}<!-- end of bench -->"
    return re.sub(r"<!-- bench: (\S+) -->\n.*?<!-- end of bench -->", table, page, flags=re.DOTALL)


def main():
    parts, root = Parts(pathlib.Path(sys.argv[1])), pathlib.Path(sys.argv[2])
    pages = {f"{one.page}.md": page_of(one, parts) for questions in GROUPS.values() for one in questions}
    pages["README.md"] = index_of()
    left_out = sorted({path.name for path in parts.folder.glob("*.md")} - parts.shown)
    if left_out:
        sys.exit("no question of bench/results/questions.py shows " + ", ".join(left_out))
    readme = filled((FOLDER.parents[1] / "README.md").read_text(), parts)

    target = root / "docs/results"
    shutil.rmtree(target, ignore_errors=True)  # of questions that are no longer asked
    (target / "plots").mkdir(parents=True)
    for name, text in pages.items():
        (target / name).write_text(text)
    for picture in parts.pictures:
        shutil.copy(picture, target / "plots" / picture.name)
    (root / "README.md").write_text(readme)


if __name__ == "__main__":
    main()
