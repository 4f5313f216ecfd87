"""What the Python package costs beside the command and C++: prints a table.

    build/venv/bin/python bench/results/measure_python.py PROGRAM TEXT [ROUNDS]
    build/venv/bin/python bench/results/measure_python.py tasks [ROUNDS]

PROGRAM is duomap of the same build settings, TEXT a file of some 400 MB; "tasks" measures the tasks over rows alone. Runs take turns,
and a ratio is the median of those of the rounds. Times are those of the processor where the machine's other work would else be measured, too.
"""

import os
import resource
import signal
import statistics
import subprocess
import sys
import threading
import time

import numpy

import duomap

CPP = """
struct by_group {
  using format = rows<float>;
  using key = std::uint32_t;
  using reduce = sum<double>;
  rows<float> records() const { return {.width = 2}; }
  DUOMAP_HD void map(const row<float>& r, auto& emit) const { emit(std::uint32_t(r[0]), double(r[1]) * 2.0); }
};
"""
CPP_DENSE = CPP.replace("std::uint32_t;", "dense;", 1).replace("rows<float> records", "std::uint64_t key_count() const { return 1000; }\n  rows<float> records")


@duomap.task(format=duomap.rows("f4", 2), key="u4", reduce=duomap.sum("f8"))
def by_group(row):
    return numpy.uint32(row[0]), row[1] * 2.0


@duomap.task(format=duomap.rows("f4", 2), key=duomap.dense(1000), reduce=duomap.sum("f8"))
def by_dense_group(row):
    return numpy.uint32(row[0]), row[1] * 2.0


def seconds(call, clock=time.perf_counter):
    begin = clock()
    call()
    return clock() - begin


def compare(ours, theirs, rounds, clock=time.perf_counter):
    """Medians of both, and of their ratio."""
    ours(), theirs()
    pairs = []
    for i in range(rounds):
        if i % 2:
            pairs.append((seconds(ours, clock), seconds(theirs, clock)))
        else:
            their = seconds(theirs, clock)
            pairs.append((seconds(ours, clock), their))
    return tuple(statistics.median(column) for column in zip(*((a, b, a / b) for a, b in pairs)))


def python(code):
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


def processor_seconds(code):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    python(code)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def interrupted_after(points):
    """From the signal to the exception."""
    sent = []

    def send():
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Timer(0.3, send).start()
    try:
        duomap.kmeans(points, 200, max_iter=10**6, tol=0)
    except KeyboardInterrupt:
        return time.perf_counter() - sent[0]


def row(*cells):
    print("|", " | ".join(cells), "|", flush=True)


def tasks(rounds):
    """Tasks in Python beside the same in C++, on the CPU; gives the rows."""
    random = numpy.random.default_rng(1)
    pairs = numpy.empty((32_000_000, 2), "f4")
    pairs[:, 0] = random.integers(0, 1000, len(pairs))
    pairs[:, 1] = random.random(len(pairs))
    without_one = pairs.copy()
    without_one[without_one[:, 0] == 7, 0] = 8
    for name, function, source, rows in (
        ("hashed keys", by_group, CPP, pairs),
        ("dense keys", by_dense_group, CPP_DENSE, pairs),
        ("dense keys, one of which never comes", by_dense_group, CPP_DENSE, without_one),
    ):
        task = duomap.cpp_task(source)
        ours, theirs, ratio = compare(
            lambda: duomap.run(function, rows, device="cpu"), lambda: duomap.run(task, rows, device="cpu"), rounds, time.process_time
        )
        row(f"a Python task over 32,000,000 rows, {name}, {1e3 * ours:.0f} ms of the processor", f"{ratio:.2f}", f"the same in C++, {1e3 * theirs:.0f} ms")
    return pairs


def main(program, text, rounds=7):
    imports = statistics.median(processor_seconds("import duomap") - processor_seconds("pass") for _ in range(20))
    row("`import duomap`, of the processor", f"{1e3 * imports:.1f} ms", "15 ms at most")
    short = min(seconds(lambda: [duomap.wordcount(b"to be or no") for _ in range(1000)], time.process_time) for _ in range(10))
    row("word count of 11 bytes, of the processor", f"{1e3 * short:.1f} us", "20 us at most")

    command = [program, "run", "wordcount", "--quiet", "--output", "/dev/null", text]
    ours, theirs, ratio = compare(lambda: duomap.wordcount(text), lambda: subprocess.run(command, check=True), rounds)
    size = os.path.getsize(text) // 10**6
    row(f"word count of {size} MB by path, {1e3 * ours:.0f} ms", f"{ratio:.2f}", f"the command, {1e3 * theirs:.0f} ms")

    pairs = tasks(rounds)

    code = f"import duomap, time; t = time.perf_counter(); duomap.cpp_task({CPP!r}); print(time.perf_counter() - t)"
    second = [float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout) for _ in range(10)]
    row("`cpp_task` in a second process", f"{1e3 * statistics.median(second):.1f} ms", "50 ms at most")
    signal.signal(signal.SIGINT, signal.default_int_handler)
    after = [interrupted_after(pairs[:200_000]) for _ in range(10)]
    row("from Ctrl-C to `KeyboardInterrupt`, median and worst of 10", f"{1e3 * statistics.median(after):.0f} and {1e3 * max(after):.0f} ms", "100 ms at most")


if __name__ == "__main__":
    row("what", "measured", "beside")
    row("---", "---:", "---")
    if sys.argv[1] == "tasks":
        tasks(*map(int, sys.argv[2:3] or [7]))
    else:
        main(*sys.argv[1:3], *map(int, sys.argv[3:4]))
