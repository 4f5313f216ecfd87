"""What a task in Python takes on a GPU: prints a table.

    build/venv/bin/python bench/results/measure_gpu_functions.py [ROWS [ROUNDS]]

Needs a GPU, duomap[cuda] and a duomap with GPU code. Runs take turns, and times are medians. The rows are in host memory.
"""

import statistics
import sys
import time

import numpy

import duomap

ROWS = duomap.rows("f4", 2)
KEYS = 1000


@duomap.task(format=ROWS, key=duomap.dense(KEYS), reduce=duomap.sum("f8"))
def dense_sums(row):
    return int(row[0]), row[1] * 2.0


@duomap.task(format=ROWS, key=duomap.dense(KEYS), reduce=duomap.sum("i8"))
def dense_counts(row):
    return int(row[0]), 1


@duomap.task(format=ROWS, key="u4", reduce=duomap.sum("f8"))
def hashed_sums(row):
    return int(row[0]), row[1] * 2.0


@duomap.task(format=ROWS, key=None, reduce=duomap.maximum("f8"))
def largest(row):
    return row[0] * row[1]


def seconds(call):
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1 << 28
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    random = numpy.random.default_rng(1)
    block = numpy.stack([random.integers(0, KEYS, 1 << 20), random.integers(0, 10, 1 << 20)], 1).astype("f4")
    rows = numpy.tile(block, (-(-count >> 20), 1))[:count]
    print(f"{len(rows)} rows of 2 float32, {rows.nbytes / 1e9:.1f} GB in host memory")
    print("| task | first run with gpu on 1000 rows | cpu | gpu | cpu+gpu | GB/s of gpu | cpu / gpu | same |\n|---|---:|---:|---:|---:|---:|---:|---|")
    for task in (dense_sums, dense_counts, hashed_sums, largest):
        duomap.run(task, rows[:1000], device="cpu")
        first = seconds(lambda: duomap.run(task, rows[:1000], device="gpu"))
        found, times = {}, {}
        for device in ("cpu", "gpu", "cpu+gpu") * (rounds + 1):
            begin = time.perf_counter()
            found[device] = duomap.run(task, rows, device=device)
            times.setdefault(device, []).append(time.perf_counter() - begin)
        cpu, gpu, both = (statistics.median(times[device][1:]) for device in ("cpu", "gpu", "cpu+gpu"))
        same = all(found["cpu"].sorted().rows() == found[device].sorted().rows() for device in ("gpu", "cpu+gpu"))
        print(f"| {task.name} | {first:.2f} s | {cpu * 1e3:.0f} ms | {gpu * 1e3:.0f} ms | {both * 1e3:.0f} ms "
              f"| {rows.nbytes / gpu / 1e9:.1f} | {cpu / gpu:.2f} | {'yes' if same else 'NO'} |", flush=True)


if __name__ == "__main__":
    main()
