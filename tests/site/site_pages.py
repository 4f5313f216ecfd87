"""site_pages.py FOLDER: checks the documentation site in FOLDER. `./dev site` runs it.

Pages load nothing from a network, and every link leads to a page and a place in it. The navigation
has every page of docs, and the search knows the pages. Every public header has a page, every name
of the Python package a place. A newcomer's first run is at most five clicks away."""

import ast
import collections
import html.parser
import os
import pathlib
import re
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_CLICKS = 5
# The page with this command shows newcomers how to run their own task.
FIRST_RUN = "duomap run stations/stations.hpp"
LOADS = {"script": ("src",), "img": ("src", "srcset"), "iframe": ("src",), "source": ("src", "srcset"), "video": ("src",),
         "audio": ("src",), "object": ("data",), "embed": ("src",), "form": ("action",), "use": ("href",)}


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.loaded, self.names, self.navigation, self.words = [], [], set(), set(), []
        self.in_navigation = 0
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.names.update(attributes[name] for name in ("id", "name") if attributes.get(name))
        self.loaded += [attributes[name] for name in LOADS.get(tag, ()) if attributes.get(name)]
        if tag == "link" and attributes.get("rel") not in ("canonical",):
            self.loaded.append(attributes.get("href", ""))
        if self.in_navigation:
            self.in_navigation += tag == "div"
        elif tag == "div" and "sidebar-tree" in (attributes.get("class") or ""):
            self.in_navigation = 1
        if tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"])
            if self.in_navigation:
                self.navigation.add(attributes["href"])

    def handle_endtag(self, tag):
        if self.in_navigation and tag == "div":
            self.in_navigation -= 1

    def handle_data(self, data):
        self.words.append(data)


def is_elsewhere(address):
    return bool(re.match(r"[a-z][a-z0-9+.-]*:|//", address, re.IGNORECASE)) and not address.startswith("data:")


def loads_nothing_from_elsewhere(site, pages):
    for path, page in pages.items():
        for address in page.loaded:
            if is_elsewhere(address):
                yield f"{path}: loads {address}"
    for style in site.rglob("*.css"):
        for address in re.findall(r"(?:@import\s+|url\(\s*)['\"]?([^'\")\s]+)", style.read_text()):
            if is_elsewhere(address):
                yield f"{style.relative_to(site)}: loads {address}"
    for script in site.rglob("*.js"):
        for address in re.findall(r"(?:import|fetch|importScripts)\s*\(\s*['\"`](https?:)?//[^'\"`]*", script.read_text()):
            yield f"{script.relative_to(site)}: loads {address}"


def target_of(site, path, address):
    """(file relative to the site, anchor) of a link."""
    link = urllib.parse.urlsplit(address)
    there = os.path.normpath(path.parent / urllib.parse.unquote(link.path)) if link.path else str(path)
    return pathlib.Path(there), urllib.parse.unquote(link.fragment)


def links_lead_somewhere(site, pages):
    for path, page in pages.items():
        for address in page.links:
            if is_elsewhere(address):
                continue
            there, name = target_of(site, path, address)
            if there.parts[:1] == ("..",) or not (site / there).is_file():
                yield f"{path}: {address} does not exist"
            elif name and there in pages and name not in pages[there].names:
                yield f"{path}: {address} has no such place"


def documents_are_in_navigation(site, pages):
    first = pathlib.Path("index.html")
    listed = {target_of(site, first, address)[0] for address in pages[first].navigation}
    for page in sorted((ROOT / "docs").rglob("*.md")):
        place = page.relative_to(ROOT).with_suffix(".html")
        if place not in pages:
            yield f"{place}: is not there"
        elif place not in listed:
            yield f"{place}: is not in the navigation of the first page"


def search_knows_pages(site, pages):
    index = site / "searchindex.js"
    text = index.read_text() if index.exists() else ""
    for page in sorted((ROOT / "docs").rglob("*.md")):
        if f'"{page.relative_to(ROOT).with_suffix("")}"' not in text:
            yield f"searchindex.js: does not know {page.relative_to(ROOT)}"


def references_are_complete(site, pages):
    for header in re.findall(r"\S+\.(?:hpp|cuh)", (ROOT / "cmake/public_headers.cmake").read_text().partition("function(")[0]):
        page = pages.get(pathlib.Path("cpp", header + ".html"))
        if page is None or not any(name.startswith("cpp-") for name in page.names):
            yield f"cpp/{header}.html: is not there, or empty"
    python = pathlib.Path("python/duomap/index.html")
    for node in ast.parse((ROOT / "python/duomap/__init__.py").read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            for name in ast.literal_eval(node.value):
                if not name.startswith("__") and f"duomap.{name}" not in pages[python].names:
                    yield f"{python}: has no {name}"


def clicks_to_first_run(site, pages):
    """The fewest clicks from the first page to a page with FIRST_RUN; None if there is no way."""
    first = pathlib.Path("index.html")
    clicks, waiting = {first: 0}, collections.deque([first])
    while waiting:
        path = waiting.popleft()
        if FIRST_RUN in re.sub(r"\s+", " ", "".join(pages[path].words)):
            return clicks[path], path
        for address in pages[path].links:
            there = None if is_elsewhere(address) else target_of(site, path, address)[0]
            if there in pages and there not in clicks:
                clicks[there] = clicks[path] + 1
                waiting.append(there)
    return None


def main():
    site = pathlib.Path(sys.argv[1]).resolve()
    pages = {path.relative_to(site): Page(path.read_text()) for path in sorted(site.rglob("*.html"))}
    problems = [*loads_nothing_from_elsewhere(site, pages), *links_lead_somewhere(site, pages),
                *documents_are_in_navigation(site, pages), *search_knows_pages(site, pages),
                *references_are_complete(site, pages)]
    way = clicks_to_first_run(site, pages)
    if way is None or way[0] > MOST_CLICKS:
        problems.append(f"index.html: no way of at most {MOST_CLICKS} clicks leads to `{FIRST_RUN}`")
    if problems:
        sys.exit("\n".join(problems))
    links = sum(len(page.links) for page in pages.values())
    print(f"{len(pages)} pages, {links} links; {way[0]} click{'s' * (way[0] != 1)} to a first run, on {way[1]}")


if __name__ == "__main__":
    main()
