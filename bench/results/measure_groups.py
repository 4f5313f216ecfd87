"""Groups of the rows of a text table: duomap beside DuckDB, Polars, ClickHouse (chdb), Miller and datamash.

    python bench/results/measure_groups.py build/cpu/duomap [ROWS [ROUNDS]]

Each table has lines "station;temperature". Every program finds the count, least, mean and greatest temperature of each station,
on all cores that the process may use, and takes its turn in each round. The time is that of the whole process, from its start to
its end; Python's own start and the imports of DuckDB, Polars and chdb are measured by themselves and taken off. The input is in the
page cache. Programs that are not installed are left out. The answers are compared.
"""

import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

KEYS = (10, 10_000, 1_000_000)
THREADS = len(os.sched_getaffinity(0))

DUCKDB = """
import duckdb
duckdb.sql("SET threads TO {threads}")
duckdb.sql("COPY (SELECT c0, count(*), min(c1), avg(c1), max(c1) FROM read_csv('{path}', delim=';', header=false,"
           " columns={{'c0': 'VARCHAR', 'c1': 'DECIMAL(5,1)'}}) GROUP BY c0) TO '{out}' (HEADER false, DELIMITER ';')")
"""
POLARS = """
import polars
c = polars.col("t")
(polars.scan_csv("{path}", separator=";", has_header=False, new_columns=["s", "t"])
 .group_by("s").agg(polars.len(), c.min().alias("a"), c.mean().alias("b"), c.max().alias("c"))
 .collect(engine="streaming").write_csv("{out}", separator=";", include_header=False))
"""

CHDB = """
import chdb
chdb.query("INSERT INTO FUNCTION file('{out}', 'CSV') SELECT s, count(), min(t), avg(t), max(t)"
           " FROM file('{path}', 'CSV', 's String, t Decimal(5, 1)') GROUP BY s"
           " SETTINGS format_csv_delimiter=';', max_threads={threads}, engine_file_truncate_on_insert=1")
"""
MODULES = {"DuckDB": ("duckdb", DUCKDB), "Polars": ("polars", POLARS), "ClickHouse": ("chdb", CHDB)}


def make_table(path, rows, keys):
    chance = random.Random(keys)
    names = [f"st{number * 2654435761 % 2**32:x}{'abcdefgh'[:number % 9]}" for number in range(keys)]
    with open(path, "w") as file:
        for begin in range(0, rows, 100_000):
            number = min(100_000, rows - begin)
            picked = chance.choices(names, k=number)
            file.writelines(f"{name};{chance.randrange(-999, 1000) / 10:.1f}\n" for name in picked)


def programs(duomap, path, out):
    aggregates = ["--count", "--min", "2", "--mean", "2", "--max", "2"]
    found = {"duomap": [duomap, "run", "aggregate", "--by", "1", *aggregates, "--delimiter", ";", "--device", "cpu", "--quiet",
                        "--format", "tsv", "-o", out, path]}
    for name, (module, script) in MODULES.items():
        if subprocess.run([sys.executable, "-c", f"import {module}"], stderr=subprocess.DEVNULL).returncode == 0:
            found[name] = [sys.executable, "-c", script.format(path=path, out=out, threads=THREADS)]
    if shutil.which("mlr"):
        found["Miller"] = ["mlr", "--inidx", "--ifs", ";", "--onidx", "--ofs", ";", "stats1", "-a", "count,min,mean,max", "-f", "2", "-g", "1",
                           "then", "put", "-q", 'print $1.";".$2_count.";".$2_min.";".$2_mean.";".$2_max', path]
    if shutil.which("datamash"):
        found["datamash"] = ["datamash", "-t", ";", "--sort", "groupby", "1", "count", "2", "min", "2", "mean", "2", "max", "2"]
    return found


def timed(command, path, out, writes):
    with open(path, "rb") as table, open(os.devnull if writes else out, "wb") as rows:
        begin = time.perf_counter()
        subprocess.run(command, check=True, stdin=table, stdout=rows)
        return time.perf_counter() - begin


def answer(out):
    groups = {}
    with open(out) as file:
        for line in file:
            name, count, *numbers = line.rstrip("\n").replace("\t", ";").replace('"', "").split(";")
            groups[name] = (int(count), *map(float, numbers))
    return groups


def same(a, b):
    """Whether two answers for a station are equal but for the rounding of means."""
    return a is not None and a[0] == b[0] and all(abs(x - y) < 1e-6 for x, y in zip(a[1:], b[1:]))


def start(module):
    return min(timed([sys.executable, "-c", f"import {module}"], os.devnull, os.devnull, True) for _ in range(5))


def main(duomap, rows="20000000", rounds="5"):
    duomap = os.path.abspath(duomap)
    print(f"{int(rows):,} rows, {THREADS} threads; median seconds of {rounds} rounds, and the median of the ratios to duomap\n")
    print("| keys | program | seconds | times duomap's |\n|---:|---|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        path, out = os.path.join(folder, "table"), os.path.join(folder, "out")
        for keys in KEYS:
            make_table(path, int(rows), keys)
            commands = programs(duomap, path, out)
            off = {name: start(MODULES[name][0]) if name in MODULES else 0 for name in commands}
            took = {name: [] for name in commands}
            right = None
            for _ in range(int(rounds)):
                for name, command in commands.items():
                    took[name].append(timed(command, path, out, name == "duomap" or name in MODULES) - off[name])
                    found = answer(out)
                    right = right or found
                    different = sum(not same(found.get(key), value) for key, value in right.items()) + (len(found) != len(right))
                    if different:
                        print(f"{name}: {different} of {len(right)} groups differ", file=sys.stderr)
            for name, seconds in took.items():
                ratio = statistics.median(one / ours for one, ours in zip(seconds, took["duomap"]))
                print(f"| {len(right):,} | {name} | {statistics.median(seconds):.2f} | {ratio:.1f} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
