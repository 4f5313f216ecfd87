"""make_site.py FOLDER: makes the site of the documents in FOLDER/html/VERSION, without a network. Run by `./dev site`.

Pages are copied with README.md as the first (copy_pages.py), the C++ reference comes from the headers (header_pages.py), the
Python reference from docstrings, and Sphinx makes all of it; a warning is an error. Sources that pages link to get a
page each (source_pages.py). FOLDER/html/index.html leads to the version made last, and lists of versions are updated."""

import json
import os
import pathlib
import re
import shutil
import sys
import textwrap

from sphinx.cmd.build import main as sphinx

import copy_pages
import header_pages
import source_pages

ROOT = copy_pages.ROOT


def version_of():
    return re.search(r'version = "([^"]+)"', (ROOT / "core/version.hpp").read_text())[1]


def copy_python(folder):
    """The Python package as autoapi reads it: without imports of the compiled module, which is not there, and for which
    autoapi would take modules to import each other; and with imports for type checkers as plain ones."""
    shutil.copytree(ROOT / "python/duomap", folder, ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.pyi"))
    for file in folder.rglob("*.py"):
        text = re.sub(r"^from duomap import _core$|^from duomap\._core import .*$", "", file.read_text(), flags=re.MULTILINE)
        if file.name == "__init__.py":
            text = re.sub(r"^if TYPE_CHECKING:\n((?:    .*\n)+)", lambda block: textwrap.dedent(block[1]), text, flags=re.MULTILINE)
        file.write_text(text)


def list_versions(html, newest):
    """What every version's list reads, newest first; and the way from the folder to the version made last."""
    def parts(version):
        return [int(part) for part in re.findall(r"\d+", version)]
    versions = sorted((one.parent.name for one in html.glob("*/index.html")), key=parts, reverse=True)
    (html / "versions.js").write_text(f"window.duomapVersions = {json.dumps(versions)};\n")
    (html / "index.html").write_text(f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>duomap</title>
<meta http-equiv="refresh" content="0; url={newest}/index.html"></head>
<body><p><a href="{newest}/index.html">duomap {newest}</a></p></body></html>
""")


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    version = os.environ["DUOMAP_SITE_VERSION"] = version_of()
    pages, site, finished = folder / "pages", folder / "new", folder / "html" / version
    for old in (pages, site, folder / "doctrees", folder / "headers", folder / "python"):
        shutil.rmtree(old, ignore_errors=True)
    copier = copy_pages.Copier(pages)
    copier.copy_all()
    copy_python(folder / "python/duomap")
    os.environ["DUOMAP_SITE_PYTHON"] = str(folder / "python/duomap")
    headers = header_pages.write(pages, ROOT, folder / "headers")
    settings = str(pathlib.Path(__file__).parent)
    if sphinx(["-q", "-W", "--keep-going", "-j", str(min(os.cpu_count() or 1, 4)), "-b", "html", "-c", settings,
               "-d", str(folder / "doctrees"), str(pages), str(site)]):
        sys.exit("make_site.py: the pages have faults, see above")
    source_pages.write(site, ROOT, copier.sources | {pathlib.Path(header) for header in headers})
    # Until here, what was made before stays.
    shutil.rmtree(finished, ignore_errors=True)
    finished.parent.mkdir(parents=True, exist_ok=True)
    site.rename(finished)
    list_versions(folder / "html", version)


if __name__ == "__main__":
    main()
