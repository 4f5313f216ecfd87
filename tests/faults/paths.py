"""Tests runs that write a result while a call that looks at a path fails, with each error: through
links or not, to old files or new ones. The answer is right, or the run is refused and overwrites
nothing. Only ENOENT means that a file is missing; every other error about the result's path is
refused.

$DUOMAP_FAIL_CALLS is the library of fail_calls.cpp."""

import collections
import errno
import itertools
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness

LIBRARY = os.environ.get("DUOMAP_FAIL_CALLS", "")
ERRORS = ("ENOENT", "EACCES", "ELOOP", "ENAMETOOLONG", "ENOTDIR", "EIO", "ENOMEM", "EOVERFLOW")
CALLS = ("stat", "lstat", "fstat", "fstatat", "readlink", "access", "faccessat")
STATUSES = {1, 2, 4, 5}
OLD = b"old\n"
LINES = b"".join(b"%d,%d,%d,%s\n" % (i % 7, i * i % 11, i % 5, b"ab"[i % 2:i % 2 + 1]) for i in range(60))
COUNT = ["run", "wordcount", "--quiet", "--sort", "key"]
# The command, and the file of its result.
RUNS = {
    "to a file": ([*COUNT, "-o", "there/file", "t.txt"], "there/file"),
    "to a new file": ([*COUNT, "-o", "there/new", "t.txt"], "there/new"),
    "through a link": ([*COUNT, "-o", "link", "t.txt"], "there/file"),
    "through two links": ([*COUNT, "-o", "second", "t.txt"], "there/file"),
    "through a link to nothing": ([*COUNT, "-o", "to-new", "t.txt"], "there/new"),
    "to standard output, which is a file": ([*COUNT, "-o", "/dev/stdout", "t.txt"], "out"),
    "a summary through a link": ([*COUNT, "--summary", "link", "-o", "there/new", "t.txt", "in"], "there/new"),
    "map through a link": (["map", "wordcount", "--quiet", "--slice", "1/2", "-o", "link", "t.txt"], "there/file"),
    "a model through a link": (["run", "naivebayes", "--quiet", "--train", "rows.csv", "--label", "4", "--output", "link"],
                               "there/file"),
    "standard input": ([*COUNT, "-o", "link", "-"], "there/file"),
}


class Paths(harness.ProgramTest):
    def setUp(self):
        super().setUp()
        shutil.copy(LIBRARY, self.folder / "fail_calls.so")
        self.write("t.txt", b"the cat saw the dog\n" * 60)
        self.write("in/more.txt", b"the end\n")
        self.write("rows.csv", LINES)
        (self.folder / "there").mkdir()

    def files(self):
        """The content of every file, and the target of every link."""
        found = {}
        for path in self.folder.rglob("*"):
            name = str(path.relative_to(self.folder))
            if path.is_symlink():
                found[name] = os.readlink(path)
            elif path.is_file() and name not in ("failed", "out"):
                found[name] = path.read_bytes()
        return found

    def run_once(self, arguments, **fault):
        """The status, the message, and all files afterwards."""
        links = {"link": "there/file", "second": "link", "to-new": "there/new"}
        for path in [*(self.folder / name for name in ("there/new", "failed", *links)), *self.folder.rglob(".duomap-*")]:
            path.unlink(missing_ok=True)
        for name, target in links.items():
            (self.folder / name).symlink_to(target)
        self.write("there/file", OLD)
        self.write("out", OLD)
        variables = {"DUOMAP_FAIL_" + name.upper(): str(value) for name, value in fault.items()}
        if fault:
            variables.update(LD_PRELOAD="./fail_calls.so", DUOMAP_FAIL_MARK=str(self.folder / "failed"))
        with open(self.folder / "t.txt", "rb") as given, open(self.folder / "out", "ab") as out:
            process = subprocess.run([harness.PROGRAM, *arguments], cwd=self.folder, stdin=given, stdout=out,
                                     stderr=subprocess.PIPE, env=self.environment(**variables), timeout=harness.LIMIT_SECONDS,
                                     check=False)
        return process.returncode, process.stderr.decode("utf-8", "backslashreplace"), self.files()

    def judge(self, arguments, before, right, ended, error):
        """The fault of a run's end, or None. If the system says that an unfinished file is gone, no
        run looks for it again."""
        status, message, found = ended
        out = (self.folder / "out").read_bytes()
        found = {name: content for name, content in found.items() if error != "ENOENT" or ".duomap-" not in name}
        failed = (self.folder / "failed").read_text()
        if status == 0:
            of_result = failed.removeprefix(f"{self.folder}/") in ("link", "second", "to-new", "there/file", "there/new")
            if error != "ENOENT" and of_result:
                return "not refused"
            expected, expected_out = right
            if "--summary" in arguments:  # the summary has times
                expected, found = ({**one, "there/file": b""} for one in (expected, found))
            return "" if found == expected and out == expected_out else "wrong result"
        if status not in STATUSES:
            return f"status {status}"
        if not message.startswith("duomap: error: ") or "internal error" in message:
            return "no message"
        if out != OLD:
            return "standard output is not as it was"
        if {**found, "there/new": b""} != {**before, "there/new": b""} or found.get("there/new", b"") not in (
                b"", right[0].get("there/new")):
            return "files are not as they were"
        return ""

    def test_paths(self):
        tally = collections.Counter()
        problems = []
        for name, (arguments, result) in RUNS.items():
            self.run_once(["--version"])
            (self.folder / "out").write_bytes(OLD)
            before = self.files()
            status, message, found = self.run_once(arguments)
            self.assertEqual(status, 0, message)
            right = found, (self.folder / "out").read_bytes()
            if result != "out":
                self.assertNotEqual(found[result], OLD)
            for call in CALLS:
                for number in itertools.count(1):
                    for error in ERRORS:
                        ended = self.run_once(arguments, call=call, at=number, errno=getattr(errno, error))
                        if not (self.folder / "failed").exists():
                            break
                        problem = self.judge(arguments, before, right, ended, error)
                        tally["faults"] += 1
                        tally[call] += 1
                        tally["right" if ended[0] == 0 else "refused"] += not problem
                        if problem:
                            path = (self.folder / "failed").read_text()
                            problems.append(f"{name}: {call} {number} ({path}) {error}: {problem}; {ended[1].strip()[-300:]}")
                    if not (self.folder / "failed").exists():
                        break
            print(name, dict(tally), flush=True)
        self.assertGreater(tally["refused"], 0)
        self.assertEqual(problems, [], "\n".join(["", *problems]))


if __name__ == "__main__":
    if not LIBRARY:
        sys.exit("set DUOMAP_FAIL_CALLS to the library of fail_calls.cpp")
    harness.main()
