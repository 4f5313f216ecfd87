"""Tests the inverted index against html5lib, with generated documents, most of them damaged.
$DUOMAP_DOCUMENTS is their number (default: 2000)."""

import base64
import json
import os
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness

try:
    from html5_links import links_by_html5lib
except ImportError:
    print("html5lib is not installed (python3-html5lib)")
    sys.exit(harness.SKIPPED)

DOCUMENTS = int(os.environ.get("DUOMAP_DOCUMENTS", 300 if harness.QUICK else 2000))
DOCUMENTS_OF_A_RUN = 2000

SPACES = ["", " ", " ", "\n", "\t", "\f", "\r", "\r\n", "  "]
TAGS = ["a", "a", "A", "area", "aReA", "p", "b", "div", "abbr", "svg", "math", "noscript", "template", "select", "a\0", "a:b"]
HIDING = ["script", "script", "script", "style", "xmp", "iframe", "noembed", "noframes", "title", "textarea", "TEXTarea",
          "Script", "plaintext", "plaintex", "scripts", "noscript"]
NAMES = ["href", "href", "HREF", "hRef", "title", "id", "hre", "hrefs", "data-href", "=", "\"", "'", "<", "x<y", "\0", "href\0",
         "xlink:href"]
REFERENCES = ["&amp;", "&amp", "&ampx", "&amp=", "&copy", "&notit;", "&notin;", "&#65;", "&#65", "&#x41;", "&#X41g", "&#0;", "&#128;",
              "&#xD800;", "&#x110000;", "&#13;", "&#", "&#x", "&", "&;", "&unknown;", "&lt;", "&LT", "&gt;", "&quot;", "&NotEqualTilde;"]
PIECES = ["text", " ", "<", ">", "</", "<!", "<?", "/>", "-", "--", "-->", "--!>", "<!--", "<!-->", "<!--->", "<!--!>", "<!---!>", "]]>",
          "<![CDATA[", "</3", "<3", "</>", "<>", "\0", "\r", "\u00e9", "\U0001f600", "'", "\"", "=", "don't", "a < b > c", "<script",
          "</script", "<script ", "</script ", "</script>", "</title>", "</style/", "</plaintext>", "<a href=", "<a href='", "<a href=\"",
          "<p></p title=\"", "<p title='", "\" >", "' >"]
DAMAGE = ["<", ">", "!", "-", "/", "'", "\"", "=", " ", "\t", "\n", "\r", "\f", "\0", "&", ";", "a", "A", "s", "?", "[", "]", "--", "<!--", "-->"]


class Documents:
    def __init__(self, choose):
        self.choose = choose
        self.links = 0

    def some(self, parts, most):
        return "".join(part() for part in self.choose.choices(parts, k=self.choose.randrange(most + 1)))

    def space(self):
        return self.choose.choice(SPACES)

    def value(self):
        self.links += 1
        parts = [lambda: f"x{self.links}", lambda: self.choose.choice(REFERENCES), lambda: self.choose.choice(PIECES), self.space, self.tag]
        return self.some(parts, 3 if self.choose.random() < 0.8 else 6)[:80]

    def attribute(self):
        name = self.choose.choice(NAMES)
        kind = self.choose.randrange(8)
        if kind == 0:
            return self.space() + name
        equals = self.space() + "=" + self.space()
        if kind < 4:
            return f"{self.choose.choice(SPACES[1:])}{name}{equals}\"{self.value()}\""
        if kind < 6:
            return f"{self.choose.choice(SPACES[1:])}{name}{equals}'{self.value()}'"
        return f" {name}{equals}{self.value()}"

    def attributes(self):
        return self.some([self.attribute], 2)

    def tag(self):
        return f"<{self.choose.choice(['', '', '', '/'])}{self.choose.choice(TAGS)}{self.attributes()}{self.choose.choice(['', '', ' ', '/'])}>"

    def link(self):
        self.links += 1
        return f"<a href=n{self.links}>"

    def hiding(self):
        name = self.choose.choice(HIDING)
        end = self.choose.choice(["", name, name, name.upper(), name + " x", "script"])
        return f"<{name}{self.attributes()}>{self.some([self.content], 4)}" + (f"</{end}{self.attributes()}>" if end else "")

    def script(self):
        parts = ["<!--", "-->", "<script>", "<script ", "</script>", "</script ", "</script/", "<scripts>", "-", "--", ">", "<", "<!-->",
                 "<a href=no>", "--!>", "</SCRIPT>", "<SCRIPT/"]
        return f"<script>{''.join(self.choose.choices(parts, k=self.choose.randrange(7)))}{self.choose.choice(['', '</script>'])}"

    def comment(self):
        return f"<!--{self.some([self.content], 3)}{self.choose.choice(['-->', '-->', '--!>', '->', '--', ''])}"

    def declaration(self):
        begin = self.choose.choice(["<!doctype", "<!DOCTYPE html PUBLIC", "<?php", "<?", "<!", "</ ", "</3", "<![CDATA[", "<!-", "<!ELEMENT"])
        return f"{begin}{self.some([self.attribute, self.content], 2)}{self.choose.choice(['>', '?>', ']]>', '', '/>'])}"

    def content(self):
        kind = self.choose.randrange(10)
        if kind < 4:
            return self.link()
        return [self.tag, self.tag, self.hiding, self.script, self.comment, self.declaration][kind - 4]() if self.choose.random() < 0.5 \
            else self.choose.choice(PIECES)

    def document(self):
        parts = [self.tag, self.link, self.hiding, self.script, self.comment, self.declaration, lambda: self.choose.choice(PIECES)]
        text = "".join(self.choose.choice(parts)() + self.link() for _ in range(self.choose.randrange(1, 5)))[:600]
        for _ in range(self.choose.choice([0, 0, 1, 2, 5])):
            at = self.choose.randrange(len(text) + 1)
            kind = self.choose.randrange(3)
            to = at + self.choose.randrange(1, 8)
            text = text[:at] + self.choose.choice(DAMAGE) + text[at:] if kind == 0 \
                else text[:at] + text[to:] if kind == 1 \
                else text[:at] + text[at:to] * 2 + text[to:]
        return text


class Html5(harness.ProgramTest):
    def targets(self, files, threads):
        ended = self.run_program("run", "invertedindex", "--device", "cpu", "--quiet", "--format", "jsonl", "--threads", threads, *files)
        self.assertEqual(ended.status, 0, ended.err)
        found = {name: [] for name in files}
        for line in ended.out.splitlines():
            row = json.loads(line)
            target = row["target"].encode() if "target" in row else base64.b64decode(row["target_base64"])
            found[row["file"]].append((row["offset"], target))
        return {name: [target for _, target in sorted(links)] for name, links in found.items()}

    def compare(self, documents, threads=1):
        files = {f"{number}.html": document for number, document in enumerate(documents)}
        for name, document in files.items():
            (self.folder / name).write_bytes(document.encode())
        found = self.targets(files, threads)
        for name, document in files.items():
            expected = [target.encode() for target in links_by_html5lib(document)]
            self.assertEqual(found[name], expected, f"the document {document!r}")

    def test_documents(self):
        choose = random.Random(os.environ.get("DUOMAP_TEST_SEED") or harness.seed())
        generator = Documents(choose)
        links = 0
        for begin in range(0, DOCUMENTS, DOCUMENTS_OF_A_RUN):
            documents = [generator.document() for _ in range(min(DOCUMENTS_OF_A_RUN, DOCUMENTS - begin))]
            self.compare(documents, choose.choice([1, 2]))
            links += sum(len(links_by_html5lib(document)) for document in documents[:100])
        self.assertGreater(links, 0)


if __name__ == "__main__":
    harness.main()
