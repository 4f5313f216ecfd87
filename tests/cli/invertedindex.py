"""Tests the inverted index against Python's html.parser, on real pages (also compressed) and on
generated pages without mistakes. Hostile pages are compared with a plain reading of the index's
rules, tag by tag. html5.py compares with html5lib."""

import base64
import gzip
import html
import html.entities
import html.parser
import json
import lzma
import os
import pathlib
import random
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness

REFERENCE = re.compile(r"&(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[0-9A-Za-z]+;?)")


def decoded(value):
    """Decodes character references like browsers in attributes; html.unescape() decodes texts
    only."""

    def one(match):
        found = match.group(0)
        if found[1] == "#":
            return html.unescape(found)
        if not found.endswith(";") and value[match.end():match.end() + 1] == "=":
            return found
        return html.entities.html5.get(found[1:], found)

    return REFERENCE.sub(one, value)


html.parser.unescape = decoded


class Parser(html.parser.HTMLParser):
    """Lists (href, line, column) of a and area tags. Only the first href of a tag counts."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        if tag in ("a", "area"):
            hrefs = [value for name, value in attrs if name == "href"]
            if hrefs and hrefs[0] is not None:
                self.found.append((hrefs[0], *self.getpos()))


def links_by_html_parser(data):
    """(target, offset) of each link of a page in UTF-8, in order."""
    text = as_text(data)
    starts = [0] + [match.end() for match in re.finditer("\n", text)]
    parser = Parser()
    parser.feed(text)
    parser.close()
    links, at, offset = [], 0, 0
    for href, line, column in parser.found:
        place = starts[line - 1] + column
        offset += len(as_bytes(text[at:place]))
        at = place
        links.append((as_bytes(href), offset))
    return links


NAME = re.compile(rb"[^ \t\n\f\r/>]*")
BETWEEN = re.compile(rb"[ \t\n\f\r/]*")
ATTRIBUTE = re.compile(rb"([^ \t\n\f\r/>][^ \t\n\f\r/=>]*)[ \t\n\f\r]*(=[ \t\n\f\r]*)?")
UNQUOTED = re.compile(rb"[^ \t\n\f\r>]*")
MOST_ACROSS = 16384
HIDING = [b"script", b"style", b"xmp", b"iframe", b"noembed", b"noframes", b"title", b"textarea"]
IN_SCRIPT = re.compile(rb"<!--|-->|(</?)script(?=[ \t\n\f\r/>])", re.IGNORECASE)


def read_tag(data):
    """The end and the first href of a tag without its '<'. The end is None if `data` ends first."""
    slash = data.startswith(b"/")
    if not data[slash:slash + 1].isalpha():
        end = data.find(b">")
        return (None if end < 0 else end + 1), None
    at, href = NAME.match(data, slash).end(), None
    while True:
        at = BETWEEN.match(data, at).end()
        if at == len(data):
            return None, None
        if data[at:at + 1] == b">":
            return at + 1, href
        attribute = ATTRIBUTE.match(data, at)
        at = attribute.end()
        value = b""
        if attribute.group(2) is not None:
            if data[at:at + 1] in (b'"', b"'"):
                close = data.find(data[at:at + 1], at + 1)
                if close < 0:
                    return None, None
                value, at = data[at + 1:close], close + 1
            else:
                unquoted = UNQUOTED.match(data, at)
                value, at = unquoted.group(0), unquoted.end()
        if href is None and attribute.group(1).lower() == b"href":
            href = value


def end_of_script(data, at):
    escaped = 0
    while True:
        found = IN_SCRIPT.search(data, at)
        if not found:
            return len(data)
        at = found.end()
        if found.group(0) == b"<!--":
            escaped = max(escaped, 1)
            at -= 2
        elif found.group(0) == b"-->":
            escaped = 0
        elif found.group(1) == b"<":
            escaped = 2 if escaped else 0
        elif escaped == 2:
            escaped = 1
        else:
            return found.start()


def links_by_rules(data):
    """(target, offset) of each link, by the rules of `duomap describe invertedindex`."""
    links, at = [], 0
    while True:
        place = data.find(b"<", at)
        if place < 0:
            return links
        at = place + 1
        if data.startswith(b"!--", at):
            whole = re.compile(rb"-?>").match(data, at + 3) or re.compile(rb"--!?>").search(data, at + 3)
            at = whole.end() if whole else len(data)
        elif data[at:at + 1].isalpha() or data[at:at + 1] in (b"/", b"!", b"?"):
            inner = data.find(b"<", at)
            window = data[at:] if inner < 0 else data[at:max(inner, at + MOST_ACROSS)]
            end, href = read_tag(window) if b">" in window else (None, None)
            if end is None and at + len(window) < len(data):
                continue  # the tag has a '<' inside and is too long
            if end is None:
                return links
            name = NAME.match(data, at).group(0).lower()
            at += end
            if name in (b"a", b"area") and href is not None:
                links.append((decoded_value(href), place))
            elif name == b"script":
                at = end_of_script(data, at)
            elif name in HIDING:
                close = re.compile(rb"</" + name + rb"[ \t\n\f\r/>]", re.IGNORECASE).search(data, at)
                at = close.start() if close else len(data)
            elif name == b"plaintext":
                return links


def decoded_value(value):
    return as_bytes(decoded(as_text(value.replace(b"\r\n", b"\n").replace(b"\r", b"\n").replace(b"\0", b"\xef\xbf\xbd"))))


SEED = int(os.environ.get("DUOMAP_TEST_SEED", random.randrange(2**32)))

HOSTILE = [
    b'<a href="x.html">', b"<a href='y'>", b"<A HREF=z>", b'<area href="m">', b"<a ", b' href="', b"href='", b'"',
    b"'", b">", b"<", b"<!--", b"-->", b"--!>", b"<!-->", b"<script>", b"</script>", b"</SCRIPT >", b"</scriptx>",
    b'<SCRIPT src="a<b">', b"<script/>", b"<style>", b"</style\t>", b"/>", b'<p title="<a href=q>">', b"text", b" ",
    b"\n", b"=", b"&amp;", b"&copy=1", b"&lt;&#65;&#x41;", b"&notin;&not", b"\x00", b"\xff\xfe", b"\xc3\xa9",
    b'<a href="', b"</a>", b'<div class="k">', b"don't", b"<!DOCTYPE html>", b"<?php ?>", b"<a href>", b'<a href href="second">', b"<a HREF id=x href=y>", b'<a href="">',
    b'<abbr href="no">', b'<a title=">" href=h1 href=h2>', b"<b data-x='", b'<a\nhref\n=\n"two\nlines"\n>',
]
LONG = [b'"', b"'", b"z", b" ", b"<", b"&"]


def hostile(choose, size):
    parts, length = [], 0
    while length < size:
        part = choose.choice(HOSTILE)
        if not parts and part == b"\xff\xfe":
            continue  # a file with this beginning is UTF-16
        if choose.random() < 0.002:
            part = choose.choice(LONG) * choose.choice([20, 3000, 16380, 20000])
        elif choose.random() < 0.0005:
            part = b"<a <" * choose.choice([20, 300])
        parts.append(part)
        length += len(part)
    return b"".join(parts)


def orderly(choose, size):
    """A page that html.parser and browsers read alike."""
    quotes = ['"', "'"]
    words = ["page", "caf\u00e9", "x y", "a&amp;b", "&lt;i&gt;", "?a=1&copy=2", "&#8364;", "&notin;", "", "<b>", "#top"]
    parts = ["<!DOCTYPE html><html><body>"]
    length = 0
    while length < size:
        quote = choose.choice(quotes)
        value = "/".join(choose.choice(words) for _ in range(choose.randrange(4)))
        blank = choose.choice([" ", "\n", "  ", "\t"])
        tag = choose.choice(["a", "A", "area", "img", "abbr", "aside"])
        parts.append(choose.choice([
            f"<{tag}{blank}title={quote}{value}{quote}{blank}HREF = {quote}{value}{quote}>text</{tag}>",
            f"<{tag}{blank}href=plain{length}.html class=k>", f"<{tag}{blank}href={quote}{value}{quote}/>",
            f"<!-- <a href=no> {value} -->", f"<script>var a = {quote}<a href=no>{quote};</script>",
            f"<style>{value}</style>", f"<p{blank}data-x={quote}{value}{quote}>", "don't 1 < 2 > 0 \n",
        ]))
        length += len(parts[-1])
    return "".join(parts).encode()


def as_text(data):
    return data.decode("utf-8", "surrogateescape")


def as_bytes(text):
    return text.encode("utf-8", "surrogateescape")


def rows_of(files, links):
    """The program's rows for {file: data}, as [(target, file, offset)]."""
    rows = []
    for number, (name, data) in enumerate(files.items()):
        rows += [(target, number, offset, name) for target, offset in links(data)]
    return [(target, name, offset) for target, _, offset, name in sorted(rows)]


class Links(harness.ProgramTest):
    def indexed(self, *arguments, **options):
        ended = self.run_program("run", "invertedindex", "--format", "jsonl", *arguments, **options)
        self.assertEqual(ended.status, 0, ended.err)
        rows = []
        for line in ended.out.splitlines():
            row = json.loads(line)
            target = row["target"].encode() if "target" in row else base64.b64decode(row["target_base64"])
            rows.append((target, row["file"], row["offset"]))
        return rows

    def compare(self, files, links, *arguments):
        for name, data in files.items():
            self.write(name, data)
        found, expected = self.indexed(*arguments, *files), rows_of(files, links)
        for row, wanted in zip(found, expected):
            self.assertEqual(row, wanted, f"seed {SEED}")
        self.assertEqual(len(found), len(expected), f"seed {SEED}")

    def test_a_page(self):
        page = b"<p><a href=b>1</a> <A HREF='a&amp;b'>2</A><!-- <a href=c> --><area href=\"b\"><script>'<a href=d>'</script>"
        self.assertEqual(links_by_html_parser(page), links_by_rules(page))
        self.compare({"page.html": page}, links_by_rules)

    def test_hostile_pages(self):
        choose = random.Random(SEED)
        sizes = [0, 1, 2, 3, 5, 20, 100, 1000, 5000, 66000, 300000, 1100000, 2500000]
        self.compare({f"{size}.html": hostile(choose, size) for size in sizes}, links_by_rules, "--verify")

    def test_orderly_pages(self):
        choose = random.Random(SEED)
        files = {f"{size}.html": orderly(choose, size) for size in [100, 3000, 70000, 1500000]}
        self.compare(files, links_by_html_parser)
        self.compare(files, links_by_rules, "--threads", "1")

    def test_a_line_of_ten_megabytes(self):
        long = b"x" * 10_000_000
        self.compare({"text.html": b"<a href=1>" + long + b"<a href=2>", "target.html": b'<a href="' + long + b'">',
                      "open.html": b'<a href="' + long + b"<a href=3>", "quotes.html": b"<a href=" + b'"' * 10_000_000},
                     links_by_rules)

    def test_all_names_of_references(self):
        names = sorted(html.entities.html5)
        page = "".join(f"<a href=\"x&{name}\"><a href='&{name}=1'><a href=&{name}x>" for name in names).encode()
        self.assertGreater(len(names), 2200)
        self.compare({"names.html": page}, links_by_html_parser)

    def test_compressed(self):
        choose = random.Random(SEED)
        page = hostile(choose, 3_000_000)
        self.write("page.html", page)
        self.write("page.html.gz", gzip.compress(page, 1))
        plain = [(target, offset) for target, _, offset in self.indexed("page.html")]
        self.assertEqual([(target, offset) for target, _, offset in self.indexed("page.html.gz")], plain)
        self.assertEqual([(target, offset) for target, _, offset in self.indexed("-", data=page)], plain)

    def test_no_values_to_rank_by(self):
        self.write("page.html", b"<a href=x>")
        for arguments in (["--top", "3"], ["--sort", "value"]):
            self.assert_failed(self.run_program("run", "invertedindex", *arguments, "page.html"), 2, arguments[0], "no value")

    def test_real_pages(self):
        folder = pathlib.Path(os.environ.get("DUOMAP_DATA", "/nonexistent")) / "html"
        names = sorted(folder.glob("*.html.cat.xz")) if folder.is_dir() else []
        if not names:
            self.skipTest("no pages in DUOMAP_DATA/html")
        joined = lzma.decompress(names[0].read_bytes())
        index = gzip.decompress((folder / names[0].name.replace(".html.cat.xz", ".html.idx.tsv.gz")).read_bytes())
        files = {}
        lines = index.decode().splitlines()
        if harness.QUICK:
            lines = lines[:len(lines) // 20]
            joined = joined[:sum(int(line.split("\t")[2]) for line in lines)]
        for line in lines:
            name, offset, size = line.split("\t")
            files["pages/" + name] = joined[int(offset):int(offset) + int(size)]
        self.compare(files, links_by_html_parser)
        self.assertEqual(self.indexed("pages"), rows_of(dict(sorted(files.items())), links_by_html_parser))
        self.compare({"joined.html": joined}, links_by_html_parser)
        self.assertGreater(sum(len(data) for data in files.values()), 1_000_000 if harness.QUICK else 50_000_000)


if __name__ == "__main__":
    harness.main()
