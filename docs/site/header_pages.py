"""A page for each public header: what Doxygen reads in its comments, as Markdown. The sentence above each page is the
header's first line."""

import re
import subprocess
import textwrap
import xml.etree.ElementTree as xml

import public_headers

DOXYFILE = """INPUT = {headers}
OUTPUT_DIRECTORY = {folder}
STRIP_FROM_PATH = {folder}/read
GENERATE_XML = YES
GENERATE_HTML = NO
GENERATE_LATEX = NO
XML_PROGRAMLISTING = NO
EXTRACT_ALL = YES
EXTENSION_MAPPING = cuh=C++
MACRO_EXPANSION = YES
EXPAND_ONLY_PREDEF = YES
PREDEFINED = DUOMAP_HD= __device__= __host__= __global__=
QUIET = YES
WARN_LOGFILE = {folder}/doxygen.log
"""


def as_doxygen_reads(text):
    """A header in whose comments nothing but @throws is a command, and code, which has three blanks before it, is code."""
    shown, code = [], False
    for line in text.splitlines():
        comment = re.match(r"(\s*)///(?!/)(<?)(.*)", line)
        begins = bool(comment and not comment[2] and comment[3].startswith("   "))
        if begins != code:
            blanks = comment[1] if comment else re.match(r"\s*", line)[0]
            shown.append(f"{blanks}/// @{'code{.unparsed}' if begins else 'endcode'}")
            code = begins
        if comment and not code:
            said = re.sub(r"([\\#])", r"\\\1", comment[3])
            # A line that begins with a number and a dot is no list.
            said = re.sub(r"^(\s*\d+)\.", r"\1\\.", said)
            line = f"{comment[1]}///{comment[2]}{said}"
        shown.append(line)
    return "\n".join(shown) + "\n"


def escaped(text):
    return re.sub(r"([\\`*_\[\]<>$|])", r"\\\1", re.sub(r"\s+", " ", text))


def code_span(text):
    text = re.sub(r"\s+", " ", text).strip()
    return f"`{text}`" if "`" not in text else f"`` {text} ``"


def plain(node):
    return re.sub(r"\s+", " ", "".join(node.itertext())).strip() if node is not None else ""


def tidied(declaration):
    """Doxygen's blanks as the sources have them."""
    declaration = re.sub(r" ([&*]+)(?=\s*[\w.),>]|$)", r"\1 ", declaration)
    declaration = re.sub(r"([&*]) (?=[),>])", r"\1", declaration)
    declaration = re.sub(r"(?<![< ])< (?=\S)", "<", re.sub(r"(?<=\S) >(?!=)", ">", declaration))
    declaration = re.sub(r"(?<=\w)=(?=[\w{\"'-])", " = ", declaration)
    declaration = re.sub(r"\)(?=&)", ") ", declaration)
    return re.sub(r" {2,}", " ", declaration).strip()


class Pages:
    def __init__(self, folder):
        self.labels = set()    # of what has a heading
        self.files = {}        # header: its label
        self.by_header = {}    # header: [(line, heading, label, node)]
        for compound in xml.parse(folder / "xml/index.xml").getroot().findall("compound"):
            file = folder / "xml" / (compound.get("refid") + ".xml")
            self.add(xml.parse(file).getroot().find("compounddef"))

    def add(self, compound):
        name, kind = compound.findtext("compoundname", ""), compound.get("kind")
        if "detail" in name.split("::"):
            return
        if kind in ("class", "struct", "union", "concept"):
            # A struct inside a struct is shown there, by its members' names.
            self.entry(compound, name)
        if kind == "file":
            self.files[compound.find("location").get("file")] = compound.get("id")
            self.labels.add(compound.get("id"))
        if kind in ("namespace", "file"):
            for member in compound.iter("memberdef"):
                if member.get("prot") == "public" and member.get("kind") in ("function", "enum", "typedef", "variable"):
                    self.entry(member, member.findtext("qualifiedname") or member.findtext("name"))

    def entry(self, node, name):
        place = node.find("location")
        shown = name.removeprefix("duomap::")
        if place is None or "@" in name or not shown or node.get("id") in self.labels:
            return
        self.labels.add(node.get("id"))
        self.by_header.setdefault(place.get("file"), []).append((int(place.get("line")), shown, node))

    # What comments say.

    def inline(self, node):
        parts = [escaped(node.text or "")]
        for child in node:
            parts.append(self.inline_of(child))
            parts.append(escaped(child.tail or ""))
        return "".join(parts)

    def inline_of(self, node):
        if node.tag == "ref" and node.get("refid") in self.labels:
            shown = escaped(plain(node)) if node.get("refid") in self.files.values() else code_span(plain(node))
            return f"[{shown}](#{label_of(node.get('refid'))})"
        if node.tag == "computeroutput":
            return code_span(plain(node))
        if node.tag in ("emphasis", "bold"):
            return f"*{self.inline(node)}*"
        return self.inline(node)

    def blocks(self, node):
        """The paragraphs and lists of a description."""
        found, line = [], [escaped(node.text or "")]

        def end():
            text = "".join(line).strip()
            if text:
                found.append(text)
            line.clear()

        for child in node:
            if child.tag == "para":
                end()
                found += self.blocks(child)
            elif child.tag in ("itemizedlist", "orderedlist"):
                end()
                items = [" ".join(self.blocks(item)) for item in child.findall("listitem")]
                found.append("\n".join(f"- {item}" for item in items))
            elif child.tag == "programlisting":
                end()
                for blank in child.iter("sp"):
                    blank.text = " "
                code = textwrap.dedent("\n".join("".join(one.itertext()) for one in child.iter("codeline")))
                found.append(f"```cpp\n{code.strip()}\n```")
            elif child.tag == "parameterlist":
                end()
                found += self.thrown(child)
            else:
                line.append(self.inline_of(child))
            line.append(escaped(child.tail or ""))
        end()
        return found

    def thrown(self, node):
        heading = {"exception": "Throws", "param": "Parameters", "templateparam": "Template parameters"}[node.get("kind")]
        for item in node.findall("parameteritem"):
            names = [self.inline(one).strip() for one in item.iter("parametername")]
            said = " ".join(" ".join(self.blocks(one)) for one in item.findall("parameterdescription"))
            # A list of names that goes on in words.
            joined = ", ".join(names[:-1]) + " and" if names[-1] == "and" else ", ".join(names)
            yield f"{heading}: {joined} {said}".rstrip()

    def description(self, node):
        return [block for tag in ("briefdescription", "detaileddescription") if node.find(tag) is not None
                for block in self.blocks(node.find(tag))]

    # Declarations.

    def template_of(self, node):
        parameters = node.find("templateparamlist")
        if parameters is None:
            return ""
        shown = []
        for one in parameters.findall("param"):
            name, default = plain(one.find("declname")), plain(one.find("defval"))
            kind = plain(one.find("type"))
            shown.append((f"{kind} {name}" if name and not kind.endswith(name) else kind) + (f" = {default}" if default else ""))
        return "template <" + tidied(", ".join(shown)) + ">\n"

    def declaration(self, node):
        kind, name = node.get("kind"), node.findtext("name") or node.findtext("compoundname", "").removeprefix("duomap::")
        template = self.template_of(node)
        if kind in ("class", "struct", "union"):
            bases = ", ".join(f"{plain(one)}" for one in node.findall("basecompoundref"))
            return f"{template}{kind} {name.split('::')[-1]}" + (f" : {tidied(bases)}" if bases else "")
        if kind == "concept":
            return concept_of("".join(node.find("initializer").itertext()))
        if kind == "enum":
            return f"enum class {name}" if node.get("strong") == "yes" else f"enum {name}"
        of_type, rest = plain(node.find("type")), node.findtext("argsstring") or ""
        if kind == "typedef":
            return f"{template}using {name} = {tidied(of_type)}"
        if kind == "variable":
            value = plain(node.find("initializer"))
            static = "static " if node.get("static") == "yes" and not of_type.startswith("static") else ""
            return template + tidied(f"{static}{of_type} {name}{rest} {value if len(value) < 60 else ''}")
        rest = re.sub(r"\s*=\s*(default|delete)$", r" = \1", rest)
        static = "static " if node.get("static") == "yes" else ""
        shown = static + tidied(f"{of_type} {name}{rest}")
        if len(shown) > 100:
            # A parameter on a line each.
            shown = re.sub(r", (?=(?:const |std::|[a-z_]+[ &*<:]))", ",\n    ", shown)
        return template + shown

    def entry_text(self, nodes, heading):
        text = [f"({label_of(node.get('id'))})=" for node in nodes]
        text.append(f"## {escaped(heading)}\n")
        for node in nodes:
            text.append("```cpp\n" + self.declaration(node) + "\n```\n")
            text += [block + "\n" for block in self.description(node)]
            for value in node.findall("enumvalue"):
                text.append(defined(f"{value.findtext('name')} {plain(value.find('initializer'))}", self.description(value)))
            if node.tag == "compounddef":
                text += [self.member_text(one) for section in node.findall("sectiondef")
                         for one in section.findall("memberdef") if self.shown(one)]
        return "\n".join(text)

    def shown(self, member):
        return member.get("prot") == "public" and member.get("kind") != "friend" and not member.findtext("name", "").startswith("~")

    def member_text(self, member):
        return defined(self.declaration(member), self.description(member))

    def page(self, header, include, root):
        text = (root / header).read_text()
        said, host_only = public_headers.first_comment(text)
        parts = [f"({label_of(self.files[header])})=\n# {escaped(header)}\n", (escaped(said) + "\n") if said else "",
                 f"```cpp\n#include <{include}>\n```\n"]
        parts.append(f"[The header itself](source:{header})" + (": for code of the host only." if host_only else ".") + "\n")
        by_name = {}
        for _, name, node in sorted(self.by_header.get(header, []), key=lambda one: one[0]):
            by_name.setdefault(name, []).append(node)
        parts += [self.entry_text(nodes, name) for name, nodes in by_name.items()]
        return "\n".join(part for part in parts if part)


def defined(code, blocks):
    """An item of a list of definitions; without a description, its code alone."""
    said = "\n\n  ".join(block.replace("\n", "\n  ") for block in blocks)
    return f"{code_span(code)}\n: {said}\n" if said else f"{code_span(code)}\n"


def concept_of(text):
    lines, depth = [], 0
    for line in (re.sub(r"\s+", " ", line).strip() for line in text.replace("duomap::", "").strip().splitlines()):
        depth -= line.startswith("}")
        lines.append("  " * depth + line)
        depth += line.count("{") - line.count("}") + line.startswith("}")
    return "\n".join(lines)


def label_of(refid):
    return "cpp-" + refid


def write(pages, root, folder):
    """Writes the pages below pages/cpp; gives the headers."""
    groups = public_headers.grouped(root)
    headers = [header for _, group in groups for header in group]
    folder.mkdir(parents=True, exist_ok=True)
    for header in headers:
        read = folder / "read" / header
        read.parent.mkdir(parents=True, exist_ok=True)
        read.write_text(as_doxygen_reads((root / header).read_text()))
    names = " ".join(str(folder / "read" / one) for one in headers)
    (folder / "Doxyfile").write_text(DOXYFILE.format(headers=names, folder=folder))
    subprocess.run(["doxygen", str(folder / "Doxyfile")], check=True)
    made = Pages(folder)
    index = ["# C++ reference", "",
             "A page for each header that programs may include, from its comments. [Tasks](../docs/reference/task.md) has the same in",
             "examples. What these pages do not name is a detail, and changes without a note.", ""]
    for heading, group in groups:
        index += [f"## {heading}", "", "| header | what it has |", "|---|---|"]
        for header in group:
            place = pages / "cpp" / f"{header}.md"
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(made.page(header, group[0] if group[0] == "duomap.hpp" else header, root))
            index.append(f"| [{header}]({header}.md) | {escaped(public_headers.first_comment((root / header).read_text())[0])} |")
        index += ["", "```{toctree}", ":hidden:", "", *group, "```", ""]
    (pages / "cpp/index.md").write_text("\n".join(index))
    return headers
