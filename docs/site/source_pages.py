"""Pages of the source files that the documents link to: the text with colours and numbered lines; of a folder its files."""

import html
import os
import pathlib

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TextLexer, get_lexer_for_filename
from pygments.util import ClassNotFound

STYLE = """body { font: 15px system-ui, sans-serif; margin: 1.5rem; color: #1a1c1e; background: #fff }
pre { font: 13px/1.45 ui-monospace, monospace; tab-size: 8 } a { color: #0a4bff } .highlight a { color: #767676; text-decoration: none }
@media (prefers-color-scheme: dark) { body { background: #131416; color: #cfd0d0 } a { color: #8ab4ff } }
"""
# What knows no lexer by its own name.
LANGUAGES = {".cu": "x.cu", ".cuh": "x.cu", ".cff": "x.yaml", ".tsv": "x.txt"}


def place_of(path, root):
    """Where the page of a file or folder is, relative to the site."""
    return f"source/{path}/index.html" if (root / path).is_dir() else f"source/{path}.html"


def text_page(text, name, formatter):
    lexer = TextLexer()
    try:
        lexer = get_lexer_for_filename(LANGUAGES.get(pathlib.Path(name).suffix, name), text)
    except ClassNotFound:
        pass
    return highlight(text, lexer, formatter)


def folder_page(path, root, sources):
    """The files below a folder, with links to those that have a page."""
    rows = []
    for folder, folders, files in os.walk(root / path):
        folders[:] = sorted(one for one in folders if one != "__pycache__")
        for file in sorted(files):
            below = (pathlib.Path(folder) / file).relative_to(root)
            shown = html.escape(str(below.relative_to(path)))
            if below in sources:
                there = os.path.relpath(place_of(below, root), f"source/{path}")
                shown = f'<a href="{html.escape(there)}">{shown}</a>'
            rows.append(f"<li>{shown}</li>")
    return "<ul>\n" + "\n".join(rows) + "\n</ul>"


def write(site, root, sources):
    light = HtmlFormatter(linenos="inline", lineanchors="L", anchorlinenos=True)
    dark = HtmlFormatter(style="github-dark").get_style_defs(".highlight")
    colours = light.get_style_defs(".highlight") + "\n@media (prefers-color-scheme: dark) {\n" + dark + "\n}\n"
    (site / "_static" / "source.css").write_text(STYLE + colours)
    for path in sorted(sources):
        page = site / place_of(path, root)
        page.parent.mkdir(parents=True, exist_ok=True)
        if (root / path).is_dir():
            body = folder_page(path, root, sources)
        else:
            body = text_page((root / path).read_text(), path.name, light)
        up = os.path.relpath(site, page.parent)
        page.write_text(f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(str(path))} - duomap</title><link rel="stylesheet" href="{up}/_static/source.css"></head>
<body><p><a href="{up}/index.html">duomap</a> / {html.escape(str(path))}</p>
{body}
</body></html>
""")
