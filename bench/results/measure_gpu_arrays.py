"""What the Python package does with arrays in the memory of a GPU: prints tables.

    build/venv/bin/python bench/results/measure_gpu_arrays.py [ROWS [ROUNDS]]

Needs a GPU, PyTorch and a duomap with GPU code; scikit-learn takes part where it is. Runs take turns, and times are medians with the least and the
largest. What travelled is from PyTorch's profiler, which sees all copies of the process.
"""

import json
import os
import statistics
import sys
import tempfile
import time

import numpy
import torch

import duomap

DIMENSIONS, CLUSTERS, ITERATIONS = 32, 20, 10


def torch_kmeans(points, centres, iterations):
    """Lloyd's algorithm as one writes it in PyTorch, a part of the points at a time."""
    for _ in range(iterations):
        sums, counts = torch.zeros_like(centres), torch.zeros(len(centres), device=points.device)
        labels = []
        for part in points.split(1 << 20):
            nearest = torch.addmm((centres**2).sum(1) / 2, part, centres.T, alpha=-1).argmin(1)
            sums.index_add_(0, nearest, part)
            counts += torch.bincount(nearest, minlength=len(centres))
            labels.append(nearest)
        centres = sums / counts.clamp(min=1)[:, None]
    return centres, torch.cat(labels)


def seconds(call):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    call()
    torch.cuda.synchronize()
    return time.perf_counter() - begin


def travelled(call):
    """Copies between host and GPU: for each way their number and bytes."""
    torch.cuda.synchronize()
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]) as profile:
        call()
        torch.cuda.synchronize()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace.json")
        profile.export_chrome_trace(path)
        with open(path) as trace:
            events = json.load(trace)["traceEvents"]
    copies = [one for one in events if one.get("cat") == "gpu_memcpy"]
    return {
        way: (len(found), sum(one["args"].get("bytes", 0) for one in found))
        for way in ("HtoD", "DtoH", "DtoD")
        for found in [[one for one in copies if way in one["name"]]]
    }


def in_turn(calls, rounds):
    for call in calls.values():
        call()
    times = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            times[name].append(seconds(call))
    return times


def show(title, times):
    print(f"\n| {title} | median | least | most |\n|---|---:|---:|---:|")
    for name, all_of in times.items():
        print(f"| {name} | {statistics.median(all_of) * 1e3:.1f} ms | {min(all_of) * 1e3:.1f} | {max(all_of) * 1e3:.1f} |", flush=True)


def main():
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1 << 24
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    print(torch.cuda.get_device_name(), "torch", torch.__version__, "duomap", duomap.__version__)
    random = torch.Generator("cuda").manual_seed(1)
    x = torch.rand(rows, DIMENSIONS, device="cuda", generator=random)
    host = x.cpu().numpy()
    start = host[:CLUSTERS].astype(numpy.float64)
    how = {"init": start, "max_iter": ITERATIONS, "tol": 0.0}
    centres = torch.from_numpy(host[:CLUSTERS]).cuda()
    calls = {
        "duomap.kmeans of the tensor, output='same'": lambda: duomap.kmeans(x, CLUSTERS, output="same", **how),
        "duomap.kmeans of the tensor, no labels": lambda: duomap.kmeans(x, CLUSTERS, labels=False, **how),
        "Lloyd in PyTorch": lambda: torch_kmeans(x, centres, ITERATIONS),
        "duomap.kmeans of the array in host memory, device gpu": lambda: duomap.kmeans(host, CLUSTERS, device="gpu", labels=False, **how),
    }
    found = duomap.kmeans(x, CLUSTERS, **how)
    theirs = torch_kmeans(x, centres, ITERATIONS)[0].cpu().numpy()
    print(f"largest difference of a centre to PyTorch's: {abs(found.centers - theirs).max():.2g}; iterations {found.iterations}")
    print(*(note for note in found.report.explain().splitlines() if "came from the host" in note), sep="\n")
    show(f"k-means, {rows} x {DIMENSIONS} float32, {CLUSTERS} clusters, {ITERATIONS} iterations", in_turn(calls, rounds))

    try:
        from sklearn.cluster import KMeans as Theirs

        from duomap.sklearn import KMeans as Ours
    except ImportError as missing:
        print(f"\nno estimators: {missing}")
    else:
        arguments = {"init": start.astype("f4"), "max_iter": ITERATIONS, "tol": 0.0}
        some = host[: rows // 16]
        there = x[: rows // 16]
        show(f"KMeans.fit, {len(some)} rows of them", in_turn({
            "duomap, the tensor": lambda: Ours(CLUSTERS, **arguments).fit(there),
            "duomap, the array": lambda: Ours(CLUSTERS, **arguments).fit(some),
            "scikit-learn, the array": lambda: Theirs(CLUSTERS, n_init=1, **arguments).fit(some),
        }, 3))

    few = x[: 1 << 15]
    square = torch.rand(8192, 8192, device="cuda", generator=random)
    show("others, of tensors", in_turn({
        "knn, 8192 queries, k=5, output='same'": lambda: duomap.knn(x[: 1 << 20], few[:8192], 5, output="same"),
        "pca": lambda: duomap.pca(x),
        "matmul 8192^3, output='same'": lambda: duomap.matmul(square, square, output="same"),
        "torch.matmul 8192^3": lambda: torch.matmul(square, square),
    }, rounds))
    print("\n| what travelled | host to GPU | GPU to host | within the GPU |\n|---|---:|---:|---:|")
    for name, call in {
        "kmeans of the tensor, output='same'": calls["duomap.kmeans of the tensor, output='same'"],
        "kmeans of the tensor, k-means++": lambda: duomap.kmeans(x, CLUSTERS, max_iter=3, output="same"),
        "kmeans of the array in host memory": calls["duomap.kmeans of the array in host memory, device gpu"],
        "knn": lambda: duomap.knn(x[: 1 << 20], few[:8192], 5, output="same"),
        "pca": lambda: duomap.pca(x),
        "matmul, output='same'": lambda: duomap.matmul(square, square, output="same"),
    }.items():
        ways = travelled(call)
        print(f"| {name} | " + " | ".join(f"{count} copies, {size} bytes" for count, size in ways.values()) + " |", flush=True)


if __name__ == "__main__":
    main()
