"""Makes a Debian changelog from CHANGELOG.md, and prints the version of the packages.

usage: changelog.py VERSION CHANGELOG.md PACKAGE MAINTAINER OUTPUT

Packages of a release have its version. If CHANGELOG.md has unreleased changes, the time of the last
commit follows the version, so that apt knows which packages are newer.
"""

import datetime
import os
import pathlib
import re
import subprocess
import sys
import textwrap


def time_of_source(changelog):
    """The time of the last commit, or without git the time when CHANGELOG.md was written."""
    asked = subprocess.run(["git", "-C", changelog.resolve().parent, "log", "-1", "--format=%ct"], capture_output=True,
                           text=True)
    seconds = asked.stdout.strip() if asked.returncode == 0 else os.stat(changelog).st_mtime
    return datetime.datetime.fromtimestamp(int(seconds), datetime.timezone.utc)


def releases(text):
    """Yields each release: its version, its date (None: unreleased) and its list of changes."""
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        title, _, body = section.partition("\n")
        named = re.fullmatch(r"\[([^]]+)\](?: - (\d{4}-\d\d-\d\d))?", title.strip())
        if not named:
            sys.exit(f"CHANGELOG.md: a release is '## [VERSION] - DATE', not '## {title}'")
        changes = [" ".join(change.split()).replace("`", "")
                   for change in re.findall(r"^- (.*(?:\n  .*)*)", body, flags=re.MULTILINE)]
        yield named[1], named[2], changes


def main(version, changelog, package, maintainer, output):
    changelog = pathlib.Path(changelog)
    found = list(releases(changelog.read_text()))
    if version not in [name for name, _, _ in found]:
        sys.exit(f"CHANGELOG.md does not say what version {version} of core/version.hpp changes")
    committed = time_of_source(changelog)
    entries = []
    for name, date, changes in found:
        if not changes:
            continue
        when = committed if date is None else datetime.datetime.fromisoformat(date + "T00:00:00+00:00")
        full_version = name if date else f"{version}+{committed:%Y%m%d.%H%M%S}"
        lines = [textwrap.fill(change, 79, initial_indent="  * ", subsequent_indent="    ", break_on_hyphens=False,
                               break_long_words=False) for change in changes]
        entries.append((full_version, f"{package} ({full_version}) unstable; urgency=medium\n\n" + "\n".join(lines) +
                        f"\n\n -- {maintainer}  {when:%a, %d %b %Y %H:%M:%S +0000}\n"))
    pathlib.Path(output).write_text("\n".join(entry for _, entry in entries))
    print(entries[0][0])


main(*sys.argv[1:])
