"""The order of the pages in the site: headings, and below each its pages, with a title if not their own. A page of docs that is in no list fails the build."""

ROOT = (
    ("Begin", ("docs/tutorial", "docs/howto/install", "docs/howto/write-a-task", "docs/howto/python", "docs/howto/see-a-run", "docs/questions")),
    ("Do more", ("docs/howto/from-sql", "docs/howto/tune", "docs/howto/profile", "docs/howto/debug-a-wrong-answer", "docs/howto/several-machines")),
    ("Reference", ("docs/reference/command-line", "docs/reference/commands", "docs/reference/formats", "docs/reference/report",
                   "docs/reference/task", "docs/reference/numeric", "docs/reference/partials",
                   "docs/reference/bench-commands", "cpp/index", "Python reference </python/duomap/index>", "docs/glossary")),
    ("Results", ("docs/results/README",)),
    ("How it works", ("docs/concepts/data-path", "docs/concepts/scheduling", "docs/concepts/engines", "docs/concepts/failures",
                      "docs/concepts/threat-model", "docs/concepts/many-machines")),
    ("Work on duomap", ("CONTRIBUTING", "docs/howto/test", "docs/howto/benchmark", "docs/howto/add-an-application",
                        "docs/howto/add-an-engine", "docs/howto/add-a-kind-of-executor", "docs/decisions/README")),
    ("Project", ("CHANGELOG", "SECURITY")),
)

# Pages that have all others of their folder below them.
FOLDERS = ("docs/decisions/README", "docs/results/README")


def toctree(pages, caption=""):
    heading = f":caption: {caption}\n" if caption else ""
    return "\n```{toctree}\n:hidden:\n" + heading + "\n" + "\n".join(page if "<" in page else f"/{page}" for page in pages) + "\n```\n"
