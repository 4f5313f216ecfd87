"""Tests inputs that change during a run of each application: mapped, streamed and compressed files
are rewritten, grown, cut, replaced or deleted before the n-th call that is about files. A run that
succeeds has the answer of the old or the new file; any other has status 5 and no result.

$DUOMAP_FAIL_CALLS is the library of fail_calls.cpp. $DUOMAP_CHANGES is the number of moments for
each change (default: 1)."""

import collections
import gzip
import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness

LIBRARY = os.environ.get("DUOMAP_FAIL_CALLS", "")
MOMENTS = int(os.environ.get("DUOMAP_CHANGES", "1"))
LIMIT_SECONDS = 60
LONG_AGO = 1_000_000_000
STREAMED, MAPPED = 100, 300_000  # least sizes in bytes
PAGE = 4096


def csv_row(i, version):
    return b"%d,%d,%d,%s\n" % (i % 7 + version, i * i % 11 + 10, i % 5, b"ab"[i % 2:i % 2 + 1])


# Arguments; a function that makes record `i` of version `v` (0 or 1); whether a large input is also
# tried. The other applications need time that grows with the square of the input.
APPLICATIONS = {
    "wordcount": (["wordcount", "--sort", "key", "INPUT"], lambda i, v: b"word%d x%d\n" % (i % 9, v), True),
    "stringmatch": (["stringmatch", "--pattern", "cat", "INPUT"],
                    lambda i, v: b"a %s %d\n" % ([b"cat", b"dog"][i % 50 == v], i % 10), True),
    "aggregate": (["aggregate", "--sort", "key", "INPUT"], lambda i, v: struct.pack("<II", i % 9, i % 10 + v * 10), True),
    "invertedindex": (["invertedindex", "INPUT"], lambda i, v: b'<a href="%d.html">x</a>\n' % (i % 9 + v), True),
    "pageviewcount": (["pageviewcount", "--sort", "key", "INPUT"],
                      lambda i, v: b'10.0.0.%d - - [10/Oct/2000:13:55:36 -0700] "GET /%d.html HTTP/1.0" 200 9 "-" "agent"\n'
                      % (i % 9, i % 4 + v), True),
    "pageviewrank": (["pageviewrank", "--top", "2", "INPUT"],
                     lambda i, v: b'10.0.0.%d - - [10/Oct/2000:13:55:36 -0700] "GET /%d.html HTTP/1.0" 200 9\n'
                     % (i % 9, i % 4 + v), True),
    "kmeans": (["kmeans", "--k", "2", "--leave-out", "4", "INPUT"], csv_row, True),
    "knn": (["knn", "--train", "INPUT", "--test", "query.csv", "--label", "4"], csv_row, True),
    "naivebayes": (["naivebayes", "--train", "INPUT", "--label", "4"], csv_row, True),
    "pca": (["pca", "--leave-out", "4", "INPUT"], csv_row, True),
    "svmtrain": (["svmtrain", "INPUT", "result"], lambda i, v: b"%d 1:%d 2:%d\n" % (1 - i % 2 * 2, i % 7 + v, i % 5), False),
    "svmclassify": (["svmclassify", "INPUT", "model", "result"],
                    lambda i, v: b"%d 1:%d 2:%d\n" % (1 - i % 2 * 2, i % 9, i % 5 + v), False),
    "matmul": (["matmul", "INPUT", "square.csv"], lambda i, v: b"%d,2,3\n" % (i % 9 + v), False),
    "similarity": (["similarity", "--leave-out", "4", "INPUT"], csv_row, False),
}


class Changes(harness.ProgramTest):
    def setUp(self):
        super().setUp()
        # LD_PRELOAD takes no path with a space, so the library is copied.
        shutil.copy(LIBRARY, self.folder / "fail_calls.so")
        self.write("query.csv", b"".join(csv_row(i, 0) for i in range(3)))
        self.write("square.csv", b"1,2,3\n4,5,6\n7,8,9\n")
        self.write("train.svm", b"".join(b"%d 1:%d 2:%d\n" % (1 - i % 2 * 2, i % 7, i % 5) for i in range(60)))
        subprocess.run([harness.PROGRAM, "run", "svmtrain", "--quiet", "train.svm", "model"], cwd=self.folder,
                       env=self.environment(), stdout=subprocess.DEVNULL, check=True)

    def start_run(self, arguments, **variables):
        (self.folder / "result").unlink(missing_ok=True)
        if "result" not in arguments:
            arguments = [*arguments, "--output", "result"]
        return self.start("run", arguments[0], "--threads", "1", *arguments[1:], stdout=subprocess.DEVNULL,
                          env=self.environment(**variables))

    def result(self):
        path = self.folder / "result"
        return path.read_bytes() if path.exists() else None

    def answer(self, arguments, path, content):
        """The status and result of a run whose input does not change, or is missing."""
        path.unlink(missing_ok=True)
        if content is not None:
            path.write_bytes(content)
        return self.finish(self.start_run(arguments)).status, self.result()

    def run_changed(self, arguments, number, change):
        """Runs, and makes the change before call `number`. False if there are fewer calls."""
        mark = self.folder / "mark"
        mark.unlink(missing_ok=True)
        process = self.start_run(arguments, LD_PRELOAD="./fail_calls.so", DUOMAP_FAIL_CALL="wait",
                                 DUOMAP_FAIL_AT=str(number), DUOMAP_FAIL_MARK=str(mark))
        deadline = time.monotonic() + LIMIT_SECONDS
        while not mark.exists() and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.001)
        changed = mark.exists()
        if changed:
            change()
            mark.unlink()
        return changed, self.finish(process)

    def changes(self, old, new, more, drawn):
        """The name of each change, a function that makes it, and the content afterwards."""
        def write(path, content):
            with open(path, "r+b") as file:
                file.write(content)
        def replace(path, content):
            self.write("new", content)
            os.replace(self.folder / "new", path)
        cuts = [max(1, len(old) - drawn.randrange(1, min(PAGE, len(old)))), len(old) // 2, 0]
        yield "rewritten", lambda path: write(path, new), new
        yield "rewritten and longer", lambda path: write(path, new + more), new + more
        yield "grown", lambda path: write(path, old + more), old + more
        yield "replaced", lambda path: replace(path, new), new
        yield "deleted", os.unlink, None
        for size in cuts:
            yield f"cut to {size} of {len(old)} bytes", lambda path, size=size: os.truncate(path, size), old[:size]

    def test_changes(self):
        drawn = random.Random(harness.seed())
        tally = collections.Counter()
        problems = []
        for name, (arguments, record, is_large_too) in APPLICATIONS.items():
            for size, packed in ((STREAMED, False), (MAPPED, False), (STREAMED, True)):
                if size == MAPPED and not is_large_too:
                    continue
                pack = (lambda text: gzip.compress(text, mtime=0)) if packed else (lambda text: text)
                path = self.folder / ("input.gz" if packed else "input")
                given = [path.name if argument == "INPUT" else argument for argument in arguments]
                count = size // len(record(0, 0)) + 60
                old, new, more = (pack(b"".join(record(i, version) for i in range(rows)))
                                  for version, rows in ((0, count), (1, count), (0, 7)))
                right = self.answer(given, path, old)
                self.assertEqual(right[0], 0, name)
                for kind, change, content in self.changes(old, new, more, drawn):
                    after = self.answer(given, path, content)
                    for _ in range(MOMENTS):
                        path.write_bytes(old)
                        os.utime(path, (LONG_AGO, LONG_AGO))
                        # A run makes about 60 calls. If the number is too high, a lower one
                        # follows.
                        changed, most = False, 60
                        while not changed:
                            number = drawn.randint(1, most)
                            changed, ended = self.run_changed(given, number, lambda: change(path))
                            most = max(1, number - 1)
                        tally["changes"] += 1
                        what = f"{name}, {path.name} of {len(old)} bytes, {kind} before call {number}: "
                        if (ended.status, self.result()) in (right, after):
                            tally["answered"] += 1
                        elif ended.status == 5 and self.result() is None and "duomap: error: " in ended.err:
                            tally["refused"] += 1
                        else:
                            problems.append(what + f"neither the old nor the new answer: status {ended.status}, "
                                            f"{ended.err.strip()[-300:]}")
                        if left := [one for one in self.names() if one.startswith(".duomap")]:
                            problems.append(what + f"left over: {left}")
        print(dict(tally))
        self.assertEqual(problems, [], "\n".join(["", *problems]))


if __name__ == "__main__":
    if not LIBRARY:
        sys.exit("set DUOMAP_FAIL_CALLS to the library of fail_calls.cpp")
    harness.main()
