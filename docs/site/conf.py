"""Settings of Sphinx for the site of the documents. make_site.py calls it and says where things are."""

import os
import pathlib
import re

from docutils import nodes

import source_pages

ROOT = pathlib.Path(__file__).resolve().parents[2]

project = "duomap"
author = "the duomap developers"
release = version = os.environ["DUOMAP_SITE_VERSION"]
html_title = f"duomap {version}"
language = "en"

extensions = ["myst_parser", "autoapi.extension"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
root_doc = "index"
default_role = "code"
smartquotes = False  # two hyphens are an option's
highlight_language = "text"
suppress_warnings = [
    "autoapi.python_import_resolution",  # of the module that is compiled
    "myst.header",  # questions have headings of the third level below the title
]

myst_heading_anchors = 6
myst_enable_extensions = ["deflist"]
myst_url_schemes = ("http", "https", "mailto", "source")

# Python, read and not imported: the package need not be built.
autoapi_dirs = [os.environ["DUOMAP_SITE_PYTHON"]]
autoapi_root = "python"
autoapi_options = ["members", "undoc-members", "show-inheritance", "show-module-summary", "imported-members"]
autoapi_add_toctree_entry = False
autoapi_keep_files = True  # in the build folder, for error messages to lead somewhere
autoapi_python_class_content = "class"
autoapi_member_order = "groupwise"
python_use_unqualified_type_names = True
add_module_names = False

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_show_sphinx = False
html_show_copyright = False
html_copy_source = False
templates_path = ["templates"]
html_sidebars = {"**": ["sidebar/brand.html", "versions.html", "sidebar/search.html", "sidebar/scroll-start.html",
                        "sidebar/navigation.html", "sidebar/scroll-end.html"]}


def as_restructured_text(app, what, name, obj, options, lines):
    """Docstrings are plain text: an indented block is code, and lines `name: what it is` are a list."""
    shown, code, listed = [], False, False
    for before, line in zip(["", *lines], lines):
        indented = line.startswith("    ")
        item = what not in ("module", "package") and re.match(r"([a-z_]+): (.+)", line)
        if item:
            shown += [""] * (not listed) + [f"- `{item[1]}`: {item[2]}"]
            code, listed = False, True
        elif listed and indented:
            shown.append("  " + line.strip())
        elif indented and not code and not before.strip():
            shown += [".. code-block:: python", "", line]
            code = True
        else:
            code = code and (indented or not line.strip())
            listed = listed and bool(line.strip() and before.strip())
            shown.append("  " + line if listed else line)
    lines[:] = shown


def link_sources(app, doctree, name):
    """Makes links `source:FILE` of copy_pages.py links to the pages of source_pages.py."""
    for link in doctree.findall(nodes.reference):
        target = link.get("refuri", "")
        if target.startswith("source:"):
            path, _, anchor = target.removeprefix("source:").partition("#")
            anchor = re.sub(r"^L(\d+).*", r"#L-\1", anchor)
            there = source_pages.place_of(path, ROOT)
            link["refuri"] = os.path.relpath(there, os.path.dirname(name) or ".") + anchor


def setup(app):
    app.connect("autodoc-process-docstring", as_restructured_text)
    app.connect("doctree-resolved", link_sources)
