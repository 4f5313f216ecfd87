"""What parts cost: word count of a large text in two parts, beside one process with as many cores.

    python bench/results/measure_parts.py build/cpu/duomap novels_20mb.txt.gz [ROUNDS]

The text is repeated to 4 GB and is in the page cache. Rounds are taken in turn. The processor's time is that of the programs:
it changes little with other work on the machine, as the times of a clock do. Dask's own time is that of a clock, of a cluster
that is there.
"""

import concurrent.futures
import gzip
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import distributed

from duomap import dask, parts

BYTES, WORKERS, ROWS = 4_000_000_000, 2, ["--sort", "key"]


def make_text(source, path):
    with (gzip.open if source.endswith(".gz") else open)(source, "rb") as file:
        text = file.read()
    with open(path, "wb") as file:
        for _ in range(-(-BYTES // len(text))):
            file.write(text)


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(program, source, rounds="5"):
    program = os.path.abspath(program)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "text")
        make_text(source, path)
        run = parts.RunInParts("wordcount", [path], execution=["--threads", "1"], program=program)

        def one_process():
            return subprocess.run([program, "run", "wordcount", "--threads", str(WORKERS), "--quiet", *ROWS, path],
                                  check=True, stdout=subprocess.PIPE).stdout

        def in_parts():
            with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
                partials = list(pool.map(lambda part: run.map(part, WORKERS), range(WORKERS)))
            before = processor_seconds()
            rows = run.finish(partials, ROWS)
            took["finish, processor"].append(processor_seconds() - before)
            return rows

        took = {"finish, processor": []}
        expected = None
        with distributed.LocalCluster(n_workers=WORKERS, threads_per_worker=1, dashboard_address=None) as cluster, \
             distributed.Client(cluster) as client:
            ways = {"one process": one_process, "parts": in_parts,
                    "Dask": lambda: dask.run(client, run, ROWS, parts=WORKERS)}
            for _ in range(int(rounds)):
                for name, way in ways.items():
                    begin, used = time.perf_counter(), processor_seconds()
                    rows = way()
                    took.setdefault(name + ", clock", []).append(time.perf_counter() - begin)
                    if name != "Dask":  # whose workers have not ended yet
                        took.setdefault(name + ", processor", []).append(processor_seconds() - used)
                    expected = expected or rows
                    if rows != expected:
                        sys.exit(f"{name}: another answer")
                print(json.dumps(took), flush=True)
    for name, seconds in took.items():
        print(f"{name}: median {statistics.median(seconds):.3f} s, {min(seconds):.3f} s to {max(seconds):.3f} s")
    for kind, name in (("processor", "parts"), ("clock", "Dask")):
        more = [other / one - 1 for one, other in zip(took["one process, " + kind], took[f"{name}, {kind}"], strict=True)]
        print(f"{name} beside one process, {kind}: {100 * statistics.median(more):+.1f} %, "
              f"{100 * min(more):+.1f} % to {100 * max(more):+.1f} %")


if __name__ == "__main__":
    main(*sys.argv[1:])
