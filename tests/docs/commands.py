"""Tests the commands on the pages: bash runs every line of a ```sh block, and every line after `$ `
of a ```console block, which shows the output. A block below a comment `<!-- file: NAME -->` is that
file. not_run.txt lists the commands that are not run, and why."""

import fnmatch
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import pages
import sample_files

NOT_RUN = pathlib.Path(__file__).with_name("not_run.txt")
LIMIT_SECONDS = 120


def commands():
    """(place, command, expected output or None) of all pages; a file becomes a command."""
    for block in pages.all_blocks():
        lines = block.code.splitlines()
        if block.comment.strip().startswith("file:"):
            name = block.comment.strip().removeprefix("file:").strip()
            yield f"{block.page}:{block.line}", f"cat > {name} <<'END OF FILE'\n{block.code}END OF FILE\n", None
        elif block.language == "sh":
            for number, line in enumerate(lines, block.line):
                if line.strip() and not line.startswith("#"):
                    yield f"{block.page}:{number}", line.strip(), None
        elif block.language == "console":
            for number, line in enumerate(lines):
                if line.startswith("$ "):
                    shown = []
                    for below in lines[number + 1:]:
                        if below.startswith("$ "):
                            break
                        shown.append(below)
                    yield f"{block.page}:{block.line + number}", line[2:], "\n".join(shown)


def not_run():
    """[pattern, reason, whether a command matches it]"""
    reason, found = "", []
    for line in NOT_RUN.read_text().splitlines():
        if line.startswith("# "):
            reason = line[2:]
        elif line.strip():
            found.append([line.strip(), reason, False])
    return found


def problem_of(command, shown, ended):
    """The fault of a command's end, or None."""
    said = ended.stdout + ended.stderr
    if re.search(r"--device (gpu|cpu\+gpu)\b", command):
        # The page shows the message of a program without CUDA. Other programs say something else.
        if shown and "built without CUDA" not in said:
            return None
        # Without a GPU, saying that there is none is right.
        if not shown and ended.returncode == 3 and "no GPU can be used" in said:
            return None
    if "--share gpu=" in command and ended.returncode == 3 and "GPUs were given a share, and none takes part" in said:
        return None
    if shown and shown.strip():
        return None if said.split() == shown.split() else f"printed\n{said}where the page shows\n{shown}"
    # A library and the program of the benchmarks may be missing.
    if ended.returncode != 0 and ("libopenblas" in said or "there is no 'duomap-bench'" in said):
        return None
    return None if ended.returncode == 0 else f"ended with {ended.returncode}\n{said}"


def main():
    skipped, problems, ran = not_run(), [], 0
    with tempfile.TemporaryDirectory(prefix="duomap-test-") as folder:
        programs = pathlib.Path(folder, "bin")
        programs.mkdir()
        (programs / "duomap").symlink_to(os.environ["DUOMAP"])
        work = pathlib.Path(folder, "work")
        work.mkdir()
        sample_files.write(work)
        environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "HOME": folder}
        environment = {name: value for name, value in environment.items() if name not in ("DUOMAP_PROFILE", "NO_COLOR", "XDG_CACHE_HOME")}
        for place, command, shown in commands():
            known = [one for one in skipped if fnmatch.fnmatchcase(re.sub(r"\s+#.*", "", command), one[0])]
            if known:
                for one in known:
                    one[2] = True
                continue
            ran += 1
            # Pages show errors, but not the summary of a run.
            quiet = {"DUOMAP_PROFILE": "off"} if shown is not None else {}
            text = re.sub(r"(duomap run \S+)", r"\1 --quiet", command, count=1) if shown is not None else command
            ended = subprocess.run(["bash", "-c", text], cwd=work, env={**environment, **quiet}, capture_output=True,
                                   text=True, errors="replace", stdin=subprocess.DEVNULL, timeout=LIMIT_SECONDS,
                                   check=False)
            problem = problem_of(command, shown, ended)
            if problem:
                problems.append(f"{place}: {command}\n{problem}")
    problems += [f"{NOT_RUN.name}: no page has the command {pattern}" for pattern, _, found in skipped if not found]
    if problems:
        sys.exit("\n".join(problems))
    print(f"{ran} commands ran")


if __name__ == "__main__":
    main()
