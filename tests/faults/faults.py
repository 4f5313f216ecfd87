"""Tests each application with a failing system call: if the n-th call of a function fails, the
answer is right or the status is a documented one, old files are unchanged, nothing is left over,
and nothing hangs.

$DUOMAP_FAIL_CALLS is the library of fail_calls.cpp, $DUOMAP_POOL_PROGRAM the program of
pool_program.cpp. $DUOMAP_FAULTS is the number of faults for each application and function (default:
12; 0: all): the first faults, then some spread over the others."""

import collections
import gzip
import itertools
import lzma
import os
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness

LIBRARY = os.environ.get("DUOMAP_FAIL_CALLS", "")
POOL_PROGRAM = os.environ.get("DUOMAP_POOL_PROGRAM", "")
FAULTS = int(os.environ.get("DUOMAP_FAULTS", "12"))
HANGS_AFTER_SECONDS = 20
CALLS = ("malloc", "mmap", "open", "read", "pread", "write", "close", "fsync", "rename", "flock", "fchmod", "fchown", "mkdir",
         "pthread_create")
# Failed, out of memory, bad input (docs/concepts/failures.md). A fault is never a usage error.
STATUSES = {1, 4, 5}
# Messages of libraries that abort or crash a process without memory: libgfortran, which OpenBLAS
# needs, and the C library. The next run removes what they leave over.
ABORTED_BY_A_LIBRARY = ("Operating system error: Cannot allocate memory", "Fatal glibc error: ")

LINES = b"".join(b"%d,%d,%d,%s\n" % (i % 7, i * i % 11, i % 5, b"ab"[i % 2:i % 2 + 1]) for i in range(60))
SPARSE = b"".join(b"%d 1:%d 2:%d\n" % (1 - i % 2 * 2, i % 7 + i % 2 * 5, i * i % 11) for i in range(60))
LOG = b"".join(b'10.0.0.%d - - [10/Oct/2000:13:55:36 -0700] "GET /%d.html HTTP/1.0" 200 9 "-" "agent"\n' % (i % 9, i % 4)
               for i in range(60))
FILES = {
    "t.txt": b"the cat saw the dog\n" * 60,
    "large.txt": b"".join(harness.numbered_word(i % 500) + b"\n" for i in range(12000)),
    "rows.csv": LINES,
    "pairs.bin": b"".join(struct.pack("<II", i % 9, i) for i in range(60)),
    "a.csv": b"1,2\n3,4\n",
    "train.svm": SPARSE,
    "page.html": b'<a href="x.html">x</a> <a href="y.html">y</a>\n' * 30,
    "access.log": LOG,
    # A run writes this file beside its result.
    "report.html": b"old",
    "summary.json": b"old",
    "trace.json": b"old",
}
# The arguments of `duomap run`, or of another command. Each run has only one order of rows.
RUNS = {
    "wordcount": ["wordcount", "--sort", "key", "t.txt"],
    "wordcount, two workers": ["wordcount", "--sort", "key", "--threads", "2", "large.txt"],
    "wordcount, gzip": ["wordcount", "--sort", "key", "t.txt.gz"],
    "wordcount, xz": ["wordcount", "--sort", "key", "t.txt.xz"],
    "wordcount, four workers, many files": ["wordcount", "--sort", "key", "--threads", "4", *["large.txt", "t.txt"] * 4],
    "wordcount, report": ["wordcount", "--sort", "key", "--report", "report.html", "--summary", "summary.json", "--trace",
                          "trace.json", "large.txt"],
    "map": ["map", "wordcount", "--slice", "1/2", "large.txt"],
    "merge": ["merge", "wordcount", "--sort", "key", "first.partial", "second.partial"],
    "stringmatch": ["stringmatch", "--pattern", "cat", "t.txt"],
    "aggregate": ["aggregate", "--sort", "key", "pairs.bin"],
    "invertedindex": ["invertedindex", "page.html"],
    "pageviewcount": ["pageviewcount", "--sort", "key", "access.log"],
    "pageviewrank": ["pageviewrank", "--top", "2", "access.log"],
    "kmeans": ["kmeans", "--k", "2", "--leave-out", "4", "rows.csv"],
    "knn": ["knn", "--train", "rows.csv", "--test", "rows.csv", "--label", "4"],
    "naivebayes": ["naivebayes", "--train", "rows.csv", "--label", "4", "--output", "result"],
    "pca": ["pca", "--leave-out", "4", "rows.csv"],
    "svmtrain": ["svmtrain", "train.svm", "result"],
    "svmclassify": ["svmclassify", "train.svm", "model", "result"],
    "matmul": ["matmul", "a.csv", "a.csv"],
    "similarity": ["similarity", "--leave-out", "4", "rows.csv"],
}


class Faults(harness.ProgramTest):
    def setUp(self):
        super().setUp()
        # LD_PRELOAD takes no path with a space, so the library is copied.
        shutil.copy(LIBRARY, self.folder / "fail_calls.so")
        for name, content in FILES.items():
            self.write(name, content)
        self.write("t.txt.gz", gzip.compress(FILES["t.txt"]))
        self.write("t.txt.xz", lzma.compress(FILES["t.txt"]))
        for command in (["run", "svmtrain", "train.svm", "model"],
                        ["map", "wordcount", "--slice", "1/2", "--output", "first.partial", "large.txt"],
                        ["map", "wordcount", "--slice", "2/2", "--output", "second.partial", "large.txt"]):
            subprocess.run([harness.PROGRAM, *command, "--quiet"], cwd=self.folder, env=self.environment(), check=True,
                           stdout=subprocess.DEVNULL)

    def run_with(self, arguments, **fault):
        """Runs with an old result in place. Returns the status, the message and the new result."""
        self.write("result", b"old")
        if "result" not in arguments:
            arguments = [*arguments, "--output", "result"]
        variables = {"DUOMAP_" + name.upper(): str(value) for name, value in fault.items()}
        if fault:
            variables.update(LD_PRELOAD="./fail_calls.so", DUOMAP_FAIL_MARK=str(self.folder / "failed"))
        command = arguments if arguments[0] in ("map", "merge") else ["run", *arguments]
        process = subprocess.run([harness.PROGRAM, *command], cwd=self.folder, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=HANGS_AFTER_SECONDS,
                                 env=self.environment(DUOMAP_PROFILE=str(self.folder / "profiles"), **variables))
        result = (self.folder / "result").read_bytes()
        if arguments[0] == "map" and result != b"old":
            # A file that cannot be mapped becomes a stream, so the test compares the merged parts.
            result = subprocess.run([harness.PROGRAM, "merge", "wordcount", "--quiet", "--sort", "key", "result", "second.partial"],
                                    cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                    env=self.environment(), check=False).stdout
        return process.returncode, process.stderr.decode("utf-8", "backslashreplace"), result

    def judge(self, right, before, status, message, result):
        """The fault of a run's end, or None."""
        left = [name for name in self.names() if name not in before | {"failed", "profiles"}]
        left += [str(path) for path in self.folder.glob("profiles/**/.duomap-*")]
        if status == 0 and result != right:
            return "wrong answer"
        if status == -signal.SIGABRT and any(text in message for text in ABORTED_BY_A_LIBRARY):
            for name in left:
                (self.folder / name).unlink()
            return "" if result in (b"old", right) else "result changed"
        if status != 0 and status not in STATUSES:
            return f"status {status}"
        if "internal error" in message or "terminate" in message:
            return "internal error"
        if status != 0 and result != b"old" and result != right:
            return "result changed"
        if left:
            return f"left over: {left}"
        return ""

    def test_the_name_of_a_result_is_on_the_disk(self):
        """The second fsync is for the directory, after the result has got its name."""
        arguments = RUNS["wordcount"]
        right = self.run_with(arguments)[2]
        status, message, result = self.run_with(arguments, fail_call="fsync", fail_at=2)
        self.assertTrue((self.folder / "failed").exists())
        self.assertEqual((status, result), (0, right), message)

    def test_memory_that_ends_inside_onetbb(self):
        """Every allocation fails once. The program still ends, without oneTBB if that is lost."""
        tally = collections.Counter()
        for number in itertools.count(1):
            (self.folder / "failed").unlink(missing_ok=True)
            environment = self.environment(LD_PRELOAD="./fail_calls.so", DUOMAP_FAIL_CALL="malloc", DUOMAP_FAIL_AT=str(number),
                                           DUOMAP_FAIL_MARK=str(self.folder / "failed"))
            ended = subprocess.run([POOL_PROGRAM], cwd=self.folder, timeout=HANGS_AFTER_SECONDS, env=environment, check=False)
            if not (self.folder / "failed").exists():
                break
            self.assertIn(ended.returncode, (0, 4), f"malloc {number}")
            tally[ended.returncode] += 1
        print(dict(tally))
        self.assertGreater(tally[0], 0)

    @staticmethod
    def numbers(drawn):
        """The numbers of the calls to fail, without end."""
        number = 1
        while True:
            yield number
            step = 1 if FAULTS == 0 or number < FAULTS // 2 else drawn.randint(1, number)
            number += step

    def test_faults(self):
        drawn = random.Random(harness.seed())
        tally = collections.Counter()
        problems = []
        for name, arguments in RUNS.items():
            status, message, right = self.run_with(arguments)
            self.assertEqual(status, 0, message)
            self.assertEqual(self.run_with(arguments)[2], right, name)
            before = set(self.names())
            for call in CALLS:
                for number in self.numbers(drawn):
                    (self.folder / "failed").unlink(missing_ok=True)
                    try:
                        ended = self.run_with(arguments, fail_call=call, fail_at=number)
                        problem = self.judge(right, before, *ended)
                    except subprocess.TimeoutExpired:
                        ended, problem = (None, "", b""), "hangs"
                    if not (self.folder / "failed").exists():
                        break
                    tally["faults"] += 1
                    tally[call] += 1
                    tally["right" if ended[0] == 0 else "refused"] += not problem
                    if problem:
                        problems.append(f"{name}: {call} {number}: {problem}; {ended[1].strip()[-300:]}")
            # Prints progress, because all faults of all runs take hours.
            print(name, dict(tally), flush=True)
        self.assertGreater(tally["faults"], len(RUNS))
        self.assertEqual(problems, [], "\n".join(["", *problems]))


if __name__ == "__main__":
    if not LIBRARY or not POOL_PROGRAM:
        sys.exit("set DUOMAP_FAIL_CALLS to the library of fail_calls.cpp, DUOMAP_POOL_PROGRAM to the program of pool_program.cpp")
    harness.main()
