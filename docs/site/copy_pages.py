"""The pages as the generator reads them: copies of the *.md files in their places, README.md as index.md, and links to files
that are no pages marked `source:`, which conf.py makes links to pages of sources."""

import pathlib
import re
import shutil
import sys

import navigation

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/cli"))
import links  # the rules by which the pages' links are checked

PICTURES = (".svg", ".png")
# The end of a link's text, and its target; and the target of a reference.
TARGETS = (re.compile(r"(\]\(\s*<?)([^)\s>]+)"), re.compile(r"^( {0,3}\[[^\]]+\]:\s*<?)([^\s>]+)"))


class Copier:
    """Copies pages into a folder, and remembers in `sources` which files and folders they link to."""

    def __init__(self, folder):
        self.folder = folder
        self.sources = set()

    def target_of(self, page, target):
        if links.ADDRESS.match(target) or target.startswith(("#", "//")):
            return target
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve()
        anchor = "#" + anchor if anchor else ""
        if there.is_dir() and (there / "README.md").exists():
            return f"{path.rstrip('/')}/{'index' if there == ROOT else 'README'}.md{anchor}"
        if there == ROOT / "README.md":
            return path.removesuffix("README.md") + "index.md" + anchor
        if there.suffix == ".md":
            return target
        place = there.relative_to(ROOT)
        if there.suffix in PICTURES:
            copy = self.folder / place
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(there, copy)
            return target
        self.sources.add(place)
        return f"source:{place}{anchor}"

    def copy(self, page):
        name = page.relative_to(ROOT).with_suffix("")
        text = page.read_text()
        lines = text.splitlines()
        for number, line in links.prose_lines(text):
            # What is shown as code is no link.
            parts = re.split(r"((`+)(?!`).*?(?<!`)\2(?!`))", line)
            del parts[2::3]
            for at in range(0, len(parts), 2):
                for pattern in TARGETS:
                    if pattern is TARGETS[1] and at > 0:
                        continue
                    parts[at] = pattern.sub(lambda found: found[1] + self.target_of(page, found[2]), parts[at])
            lines[number - 1] = "".join(parts)
        text = "\n".join(lines) + "\n"
        listed = {one for _, pages in navigation.ROOT for one in pages}
        if name == pathlib.Path("README"):
            name = pathlib.Path("index")
            text += "".join(navigation.toctree(pages, caption) for caption, pages in navigation.ROOT)
        elif str(name) in navigation.FOLDERS:
            below = sorted(str(one.relative_to(ROOT).with_suffix("")) for one in page.parent.glob("*.md") if one != page)
            text += navigation.toctree(below)
        elif name.parts[0] != "docs" and str(name) not in listed:
            text = "---\norphan: true\n---\n" + text
        copy = self.folder / name.with_name(name.name + ".md")
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text)

    def copy_all(self):
        for page in links.all_pages():
            self.copy(page)
