"""The questions that docs/results answers: a page each. An answer is computed from what was measured. Its first sentence is
short, because it is the first line of the page."""

import dataclasses
import json
import typing

from saved import FOLDER, cells, mean, measured, number, row, rows, span, tables_of


@dataclasses.dataclass
class Question:
    page: str
    question: str
    answer: typing.Callable[[], str]
    tables: list           # (run, table), the first is shown whole if there is no summary, the others are folded
    details: tuple = ()    # pages of bench/results/ with more
    summary: typing.Callable[[], str] | None = None  # a short table of several runs, in place of the first table


def word_count():
    two, sixteen = (row(run, "wordcount", program="duomap") for run in ("wordcount", "wordcount-16-cores"))
    gpu = row("wordcount-h200", "wordcount-gpu", program="duomap, file kept open", device="gpu")
    return (f"Two cores count words at {two.rate}, {two.over:.0f} times as fast as a plain loop. 16 cores count at {sixteen.rate}, "
            f"and one H200 at {gpu.rate} from the page cache.")


def string_match():
    def rates(program, threads):
        return [cells("stringmatch-cpu.md", table, "throughput", program=program, threads=threads)[0] for table in (0, 1)]
    one, two, other = rates("duomap", "1"), rates("duomap", "2"), rates("ripgrep", "1")
    gpu = cells("stringmatch-h200.md", 0, "throughput", run="GPU")[0]
    return (f"One core looks for a word at {one[0]} (ripgrep: {other[0]}), and for ten words at {one[1]} (ripgrep: {other[1]}). "
            f"Two cores do it at {two[0]} and {two[1]}. One H200 looks for a word at {gpu}.")


COMPRESSED = [("compressed-2-cores", "compressed-wordcount"), ("compressed-2-cores", "compressed-stringmatch"),
              ("compressed-h100", "compressed-wordcount-gpu")]


def compressed_text():
    words = {one.program: one.figures["times the plain file"] for one in rows(*COMPRESSED[0]) if one.program != "plain file"}
    alone = {one.workload: one.figures["times decompression"] for one in rows(*COMPRESSED[1], program="duomap")}
    gpu = {one.program: one.rate for one in rows(*COMPRESSED[2], device="gpu")}
    frames = ".zst, frames of 8 MiB"
    return (f"Two cores count the words of one .gz in {words['one .gz']:.2f} times the time of the plain file, of bgzip in "
            f"{words['bgzip']:.2f}, and of zstd in frames in {words[frames]:.2f}. String match takes {alone['one .gz']:.2f}, "
            f"{alone['bgzip']:.2f} and {alone[frames]:.2f} times as long as decompression alone. One H100 beside 16 cores, which "
            f"decompress for it, counts words of bgzip at {gpu['bgzip']}, and of zstd in frames at {gpu[frames]}. Cores "
            "of another host fed a GPU faster: [decision 18](../decisions/0018-reading-input.md).")


def page_views():
    over = [cells("pageviews-cpu.md", 0, "over_the_first", program="duomap", threads="2")[at] for at in (0, -1)]
    duck = cells("pageviews-cpu.md", 1, "ratio_median_of_the_rounds", threads="2")[0]
    gpu = cells("pageviews-h200.md", 0, "throughput", run="GPU")
    return (f"Two cores count requests {number(over[0]):.1f} times as fast as gawk, and {number(duck):.1f} times as fast as DuckDB. They count "
            f"unique views {number(over[1]):.1f} times as fast as gawk. One H200 counts {gpu[0]} of requests and {gpu[1]} of unique views.")


def inverted_index():
    one, two = (row("cpu-2-cores", "invertedindex", threads=threads).rate for threads in (1, 2))
    measured = dict((line[0], line[3]) for line in tables_of("invertedindex-h200.md")[1][1:])
    return (f"One core of an EPYC indexes links at {one}, two at {two}. 16 cores of a Xeon do it at "
            f"{measured['CPU, 16 threads']}, and one H200 at {measured['GPU']}.")


def sums_by_key():
    resident = [number(cell) for cell in cells("aggregate-h200.md", 0, "over_the_floor", where="resident", sum="int32")]
    mapped = [number(cell) for cell in cells("aggregate-h200.md", 0, "GB/s", where="from a mapped file")]
    return (f"In the memory of an H200, 32-bit sums take {span(resident)} times as long as reading the pairs (10 to 10,000,000 "
            f"keys). From a mapped file they run at {span(mapped, 0)} GB/s.")


def tables():
    def longer(program, *keys):
        return span([number(cell) for one in keys for cell in cells("groups-cpu.md", 0, "times_duomap's", program=program, keys=one)])
    few, many = ("10", "10,000"), tables_of("groups-cpu.md")[0][-1][0]
    on_gpu = {line[0]: line for line in tables_of("groups-h200.md")[0][1:]}
    lines = next(line for name, line in on_gpu.items() if name.startswith("1,000,000,000 lines"))
    json = [number(line[-1]) for name, line in on_gpu.items() if name.startswith("JSON Lines")]
    return (f"With up to 10,000 keys DuckDB takes {longer('DuckDB', *few)} times as long as duomap on two cores, Polars {longer('Polars', *few)}. "
            f"ClickHouse takes {longer('ClickHouse', *few)} times as long, datamash {longer('datamash', *few)} and Miller {longer('Miller', *few)}. With {many} "
            f"keys DuckDB takes {longer('DuckDB', many)} times as long, Polars {longer('Polars', many)}. One H200 groups a billion lines, "
            f"{lines[1]}, in {lines[4]} s with CUDA's start, and maps JSON Lines at {span(json, 0)} GB/s.")


def dense_keys():
    few, many = ([1 / one.over for one in measured("dense-h200", "dense-sums")
                  if one.program != "reading the GPU's memory" and (number(one.workload) >= 65_536) == is_many] for is_many in (False, True))
    return (f"Sums under up to 16,384 dense keys in an H200's memory take {span(few, 2)} times as long as reading the pairs. Under 65,536 to "
            f"1,000,000 keys they take {span(many, 1)} times as long.")


def same_bits():
    ratios = {}
    for line in tables_of("deterministic-h200.md")[0][1:]:
        pairs = [cell.split("/") for cell in line[1:] if "/" in cell]
        place = "host" if "host memory" in line[0] else "cores" if "CPU" in line[0] else "gpu"
        ratios.setdefault(place, []).extend(float(slow) / float(plain) for slow, plain in pairs)
    return (f"Sums of floats from host memory on an H200 take {span(ratios['host'])} times as long if they have the same bits everywhere. "
            f"They take {span(ratios['gpu'])} times as long in the memory of the H200, and {span(ratios['cores'])} times on 16 cores.")


def scheduling_rows(**wanted):
    return [one for run in SCHEDULING_RUNS for one in rows(run, "scheduling", **wanted)]


def cpu_and_gpu():
    automatic = scheduling_rows(device="auto")
    near = sum(1 for one in automatic if one.over >= 0.98)
    both = scheduling_rows(device="cpu+gpu")
    locked = max(one.over for one in both if "page-locked" in one.workload)
    pageable = [one for one in rows("scheduling-4gb-h200", "scheduling", device="cpu+gpu") if "page-locked" not in one.workload]
    return (f"From page-locked memory, CPU and GPU together are up to {locked:.2f} times as fast as the better device. From pageable memory "
            f"(4 GB) they are {span([one.over for one in pageable], 2)} times as fast. `auto` is at most 2 % behind the better device in "
            f"{near} of {len(automatic)} cells.")


def cpu_and_gpu_summary():
    """Of each run and kind of memory: how many cells, and how much faster than the better device."""
    text = ("How many times as fast as the better device a run is (geometric mean of the workloads, and the worst of them):\n\n"
            "| saved run | input | workloads | `auto` | `cpu+gpu` |\n|---|---|---:|---:|---:|\n")
    for run in SCHEDULING_RUNS:
        for kind, locked in (("pageable", False), ("page-locked", True)):
            found = {device: [one.over for one in rows(run, "scheduling", device=device) if ("page-locked" in one.workload) == locked]
                     for device in ("auto", "cpu+gpu")}
            if all(found.values()):
                shown = [f"{mean(values):.2f} ({min(values):.2f})" for values in found.values()]
                text += f"| {run} | {kind} | {len(found['auto'])} | {shown[0]} | {shown[1]} |\n"
    return text


FIRST_RUNS = ("scheduling-h200", "scheduling-1gb-h200", "scheduling-4gb-h200")


def first_run():
    over = [one.over for run in FIRST_RUNS for one in rows(run, "scheduling-first-run", program="duomap, first run")]
    return (f"A first run, without a profile, takes {1 / sorted(over)[len(over) // 2]:.2f} times as long as the second (median, without CUDA's "
            f"start). The best takes {min(1 / value for value in over):.2f} times as long, and the worst {max(1 / value for value in over):.2f} times.")


OWN_LOOPS = [(run, table) for run in ("loops-2-cores", "loops-16-cores") for table in ("loops", "loops-two-workers", "loops-arrays")]


def longer_than_tbb(table):
    """Microseconds that sums over arrays take longer, for all sizes but the last, and that last row."""
    arrays = rows(*table, program="duomap")
    plain = rows(*table, program="plain oneTBB")
    return span([1e6 * (row.seconds - its.seconds) for row, its in zip(arrays[:-1], plain)], 0), arrays[-2], arrays[-1]


def own_loops():
    one, two = ({row.workload.split(",")[0]: row.over for row in rows(*table, program="duomap")} for table in OWN_LOOPS[:2])
    sketch, words = one.pop("quantiles"), one.pop("bigrams")
    longer, most, last = longer_than_tbb(OWN_LOOPS[2])
    more_cores, _, last_there = longer_than_tbb(OWN_LOOPS[5])
    two_of_16 = span([one.over for one in rows(*OWN_LOOPS[4], program="duomap")], 2)
    return (f"On one core, in processor time, {len(one)} tasks are {span(one.values(), 2)} times as fast as the loop. Counting pairs of words is "
            f"{words:.1f} times as fast. A sketch of 256 bytes that each record emits as one value is {sketch:.2f} times as fast; the same cells as "
            f"dense keys are {one['quantile-cells']:.2f} times. Two workers are {span(two.values(), 2)} times as fast as two processes, the lowest with "
            f"pairs of words: each worker fills a table of all 318,000 pairs in every pass, and the tables are merged, which two processes with a result "
            f"each need not do. On a host of 16 cores two workers are {two_of_16} times as fast as two processes. Sums over arrays "
            f"in memory of up to {most.workload} take {longer} us longer than with oneTBB on two cores, and {more_cores} us on 16. At {last.workload} they "
            f"are {last.over:.2f} and {last_there.over:.2f} times as fast.")


OWN_TASKS = ("unseen-h100", "unseen")
OWN_TASKS_H200 = ("unseen-80mb-h200", "unseen")


def own_tasks():
    def over(device, program, run=OWN_TASKS):
        return [one.over for one in rows(*run, device=device) if one.program.startswith(program)]

    def longer(device, program):
        over_best = [1 / one for one in over(device, program, OWN_TASKS_H200)]
        return f"{mean(over_best):.2f} times as long (at most {max(over_best):.2f})"
    first, later = "without a folder", "after a process"
    warm = [one.figures["warm, over the better alone"] for one in rows(*OWN_TASKS, device="cpu+gpu")
            if min(one.figures["warm run"], one.figures["warm run"] * one.figures["warm, over the better alone"]) >= 5e-3]
    return (f"With `auto`, twelve runs of such a task take {1 / mean(over('auto', first)):.2f} times as long as on the better device (mean, one "
            f"H100 with 16 cores). After an earlier process they take {1 / mean(over('auto', later)):.2f} times as long. `cpu+gpu` takes "
            f"{1 / mean(over('cpu+gpu', first)):.2f} times as long ({span([1 / one for one in over('cpu+gpu', first)], 2)}). The time of the better device "
            f"has the start of CUDA in it. When the GPU is ready, a run of 5 ms and more with `cpu+gpu` is {mean(warm):.2f} times as fast as on the better "
            f"device ({span(warm, 2)}). On an H200 with 16 cores, 80 MB, twelve runs with `auto` take {longer('auto', first)}, after an earlier process "
            f"{longer('auto', later)}, and with `cpu+gpu` {longer('cpu+gpu', first)} and {longer('cpu+gpu', later)}.")


def own_tasks_summary():
    first, devices = "without a folder", ("cpu", "gpu", "cpu+gpu", "auto")
    text = ("Time of twelve runs in a process that knows nothing of the task:\n\n"
            "| task | CPU | GPU with its start | `cpu+gpu` | `auto` | `auto` over the better device |\n|---|---:|---:|---:|---:|---:|\n")
    for workload in dict.fromkeys(one.workload for one in rows(*OWN_TASKS)):
        found = [row(*OWN_TASKS, workload=workload, program=first, device=device) for device in devices]
        text += f"| {workload} | " + " | ".join(one.time for one in found) + f" | {1 / found[-1].over:.2f} |\n"
    return text


# A run and its host.
GPUS = {"gpus-4-h200": "A", "gpus-large-4-h200": "A", "gpus-large-2-h200": "B", "gpus-2-h200-slower-host": "C"}


def by_gpus(run):
    """Of each workload its rows on one GPU, on two, and on four or None."""
    found = {}
    for one in rows(run, "gpus"):
        found.setdefault(one.workload, {})[one.program.removeprefix("duomap, ")] = one
    return [(each["one GPU"], each.get("2 GPUs", each["all GPUs"]), each["all GPUs"] if "2 GPUs" in each else None)
            for each in found.values()]


def several_gpus():
    usual, large = (by_gpus(run) for run in list(GPUS)[:2])
    locked = next(each for each in large if each[0].workload == "words, page-locked")
    cached = next(each for each in large if each[0].workload == "words, page cache")
    slower = [two.over for _, two, _ in by_gpus("gpus-2-h200-slower-host")]
    alone = [1000 * one.seconds for one, _, _ in usual]
    return (f"Two H200 count words of {locked[0].size} {locked[1].over:.2f} times as fast as one from page-locked memory, and four "
            f"{locked[2].over:.2f} times. From the page cache two are {cached[1].over:.2f} times as fast, and four {cached[2].over:.2f} times: "
            f"the host's memory is the limit. Tasks that take one of them {span(alone, 0)} ms are {mean([two.over for _, two, _ in usual]):.2f} times "
            f"as fast on two (geometric mean, {span([two.over for _, two, _ in usual], 2)}), and "
            f"{mean([four.over for _, _, four in usual]):.2f} times on four ({span([four.over for _, _, four in usual], 2)}). On a host whose "
            f"processors are slower while data are read and merged two were {mean(slower):.2f} times as fast with an earlier duomap.")


def several_gpus_summary():
    text = ("| task | host | one GPU | two | times as fast | their links | four | times as fast | their links |\n"
            "|---|---|---:|---:|---:|---:|---:|---:|---:|\n")
    for run, host in GPUS.items():
        for one, *others in by_gpus(run):
            text += f"| {one.workload}{', ' + one.size if one.size else ''} | {host} | {one.time} |"
            for each in others:
                text += f" {each.time} | {each.over:.2f} | {each.figures['all links over one']:.2f} |" if each else " | | |"
            text += "\n"
    return text + ("\n'Their links' is how many times as fast copies to so many GPUs are that do nothing else. Host A has "
                   "four GPUs and 64 cores, B and C two and 32; C is the slower one. Only the runs on A are of code that merges the sort engine's "
                   "runs on the GPU, and whose feeding threads write to parts of their own.")


COMMANDS = ("commands-h200", "commands")


def commands():
    over = [one.figures["over the best of the others"] for one in rows(*COMMANDS, device="auto")]
    near = sum(1 for one in over if one <= 1.05)
    both = row(*COMMANDS, workload="wordcount, 4.00 GB", device="cpu+gpu")
    alone = [row(*COMMANDS, workload="wordcount, 4.00 GB", device=device).time for device in ("cpu", "gpu")]
    return (f"Word count of 4 GB takes {both.time} as a command on 16 cores and an H200 ({alone[0]} on the cores, {alone[1]} on the GPU). "
            f"`auto` takes at most 1.05 times as long as the best device in {near} of {len(over)} cells ({span(over, 2)}).")


def commands_summary():
    devices = ("cpu", "gpu", "cpu+gpu", "auto")
    text = ("| command | CPU | GPU | `cpu+gpu` | `auto` | `auto` over the best of the others |\n|---|---:|---:|---:|---:|---:|\n")
    for workload in dict.fromkeys(one.workload for one in rows(*COMMANDS)):
        found = [row(*COMMANDS, workload=workload, device=device) for device in devices]
        text += f"| {workload} | " + " | ".join(one.time for one in found) + f" | {found[-1].figures['over the best of the others']:.2f} |\n"
    return text


def short_runs():
    automatic = rows("scheduling-short-h200", "scheduling-short", program="duomap, auto")
    alone = rows("scheduling-short-h200", "scheduling-short", program="duomap, the CPU alone")
    added = [(one.seconds - other.seconds) * 1e6 for one, other in zip(automatic, alone)]
    claims = [one.figures["of it claims"] for one in rows("scheduling-short-h200", "scheduling-overhead")]
    return (f"`auto` adds {span(added)} microseconds to runs of {automatic[0].time} and {automatic[-1].time}. Claims take "
            f"{span(claims, 2)} % of the processor time of a run.")


def plain_tbb():
    ratios = [[number(line[4]) for line in table[1:]] for table in tables_of("scheduling-cpu.md")[:2]]
    return (f"On 2 cores a run takes {mean(ratios[0]):.2f} times as long as plain oneTBB over the same leaves (geometric mean, "
            f"{span(ratios[0], 2)}). On 16 cores it takes {mean(ratios[1]):.2f} times as long ({span(ratios[1], 2)}).")


def iterative():
    ratios = []
    for line in tables_of("iterative-h200.md")[0][1:]:
        alone = [float(cell) for cell in line[1:3] if cell[0].isdigit()]
        ratios.append(min(alone) / float(line[4]))
    return f"If duomap decides, a step over resident data is {span(ratios, 2)} times as fast as on the better device."


def papers():
    def best(table):
        by_workload = {}
        for one in rows("papers-h200", table, program="duomap"):
            by_workload[one.workload] = max(one.over, by_workload.get(one.workload, 0))
        return by_workload.values()
    return (f"In the experiments of Mars, duomap's best device is {mean(best('mars-table-4')):.0f} times as fast as a sequential program (16 cores, "
            f"one H200). In those of Chen and Agrawal it is {mean(best('chen-agrawal-table-1')):.0f} times as fast, and in the sums of "
            f"Catanzaro et al. {mean(best('catanzaro-table-1')):.1f} times (geometric means).")


def papers_summary():
    """Of each experiment with a sequential program: how much faster duomap's best device is."""
    text = ("How many times as fast as a sequential program duomap's best device is (16 cores and one H200):\n\n"
            "| experiment | workloads | geometric mean | least | most |\n|---|---:|---:|---:|---:|\n")
    for name in PAPERS:
        programs = {one.program for one in measured("papers-h200", name)}
        if not {"sequential", "duomap"} <= programs:
            continue
        best = {}
        for one in rows("papers-h200", name, program="duomap"):
            best[one.workload] = max(one.over, best.get(one.workload, 0))
        text += (f"| {name} | {len(best)} | {mean(best.values()):.1f} | {min(best.values()):.2f} | {max(best.values()):.1f} |\n")
    return text


def k_means():
    over = [one.over for one in rows("cpu-2-cores", "kmeans", program="duomap", threads=2)]
    gpu = row("kmeans-h200", "kmeans-gpu-step", workload="16,777,216 x 32, k 20", device="gpu")
    cpu = row("kmeans-h200", "kmeans-gpu-step", workload="16,777,216 x 32, k 20", device="cpu")
    return (f"A step on two cores is {span(over)} times as fast as a plain loop. Over 16,777,216 points of 32 dimensions and 20 "
            f"centres a step takes {gpu.time} on one H200 and {cpu.time} on 16 cores.")


def neighbours():
    over = [one.over for one in rows("cpu-2-cores", "knn", program="duomap", threads=2)]
    gpu = row("knn-h200", "knn-gpu", workload="16,777,216 x 3, 1,000 queries", device="gpu", program="duomap, in the GPU's memory")
    return (f"A distance on two cores takes {span([1 / value for value in over], 2)} of a plain loop's time. An H200 finds the 20 "
            f"nearest of 16,777,216 points of 3 dimensions for 1,000 queries in {gpu.time}.")


def naive_bayes():
    over = [one.over for one in rows("cpu-2-cores", "naivebayes", program="duomap", threads=2)]
    gpu = cells("naivebayes-h200.md", 0, "throughput", run="GPU")
    return (f"Training on two cores is {span(over)} times as fast as a loop over hash maps. One H200 trains at "
            f"{span([number(cell) for cell in gpu])} GB/s.")


def covariance():
    over = [one.over for one in rows("cpu-2-cores", "pca", program="duomap")]
    gpu = row("pca-h200", "pca-gpu", workload="1,048,576 x 32", program="duomap, rows in the GPU's memory")
    return (f"On two cores a covariance takes {span([1 / value for value in over], 2)} of OpenBLAS's time. A covariance of 1,048,576 x 32 takes "
            f"{gpu.time} in the memory of an H200.")


def products():
    def times(run):
        return span([1 / one.over for one in rows(run, "matmul", program="duomap")], 2)
    gpu = row("matmul-h200", "matmul-gpu-resident", workload="8,192", program="duomap")
    library = row("matmul-h200", "matmul-gpu-resident", workload="8,192", program="cuBLAS")
    return (f"A product takes {times('matmul-2-cores')} of OpenBLAS's time on two cores of an EPYC, and {times('matmul-2-cores-intel')} on "
            f"two of a Xeon. A product of 8192 x 8192 takes {gpu.time} on an H200 (cuBLAS in one call: {library.time}).")


def similar():
    cpu, numpy = (row("similarity-h200", "similarity-gpu", workload="n 20,000", program=program, device="cpu")
                  for program in ("duomap", "NumPy"))
    gpu = row("similarity-h200", "similarity-gpu", workload="n 20,000", device="gpu")
    return (f"The 10 most similar others of 20,000 vectors take {cpu.time} on 16 cores (NumPy: {numpy.time}) and {gpu.time} on one "
            f"H200.")


def vector_machines():
    over = [one.over for one in rows("svm-2-cores", "svmtrain", program="duomap") if "trained" in one.workload]
    classified = [one.over for one in rows("svm-2-cores", "svmtrain", program="duomap") if "classified" in one.workload]
    gpu = row("svm-h200", "svmtrain", workload="a9a, C = 1, gamma = 0.05, 32,561 rows trained", program="svm_train()", device="gpu")
    return (f"On two cores training is {span(over, 0)} times as fast as LIBSVM, and classifying {span(classified, 0)} times. Objective and "
            f"accuracy are the same. An H200 trains a9a in {gpu.time}.")


def gpu_tests():
    suite = json.loads((FOLDER / "gpu_suite.json").read_text())

    def outcome(kind):
        counts = suite[kind]
        unfinished = counts.get("unfinished", 0)
        passed = counts["cases"] - counts["failed"] - counts["skipped"] - unfinished
        return f"{passed} of {counts['cases']} cases passed, {counts['failed']} failed, {unfinished} did not end in time"

    return (f"On {suite['date'][:10]}, at commit {suite['commit']}, on an {suite['gpu']}: {outcome('tests')}. Under memcheck "
            f"{outcome('memcheck')}; under racecheck {outcome('racecheck')}. "
            + " ".join(f"{kind.capitalize()}: {suite[kind]['outcome']}." for kind in ("tests", "memcheck", "racecheck") if "outcome" in suite[kind]))


SCHEDULING_RUNS = ("scheduling-4gb-h200", "scheduling-1gb-h200", "scheduling-16gb-h200", "scheduling-all-h200")
PAPERS = ["mars-table-4", "mars-figure-4", "mars-figure-5", "mars-figure-9", "chen-agrawal-table-1", "chen-agrawal-figure-3",
          "chen-agrawal-figure-4", "chen-agrawal-figures-5-to-7", "chen-agrawal-figure-8", "chen-agrawal-figure-9",
          "chen-agrawal-figure-10", "catanzaro-table-1", "catanzaro-table-2", "catanzaro-table-3"]
GROUPS = {
    "Text": [
        Question("word-count", "How fast is word count?", word_count,
                 [("wordcount", "wordcount"), ("wordcount-16-cores", "wordcount"), ("wordcount-h200", "wordcount-gpu"),
                  ("cpu-2-cores", "wordcount")], ("wordcount-h200.md",)),
        Question("string-match", "How fast is string match, compared with ripgrep?", string_match, [("cpu-2-cores", "stringmatch")],
                 ("stringmatch-cpu.md", "stringmatch-h200.md")),
        Question("compressed-text", "What does compressed text cost?", compressed_text, COMPRESSED),
        Question("page-views", "How fast is page view count, compared with gawk and DuckDB?", page_views,
                 [("cpu-2-cores", "pageviewcount")], ("pageviews-cpu.md", "pageviews-h200.md")),
        Question("inverted-index", "How fast is the inverted index?", inverted_index, [("cpu-2-cores", "invertedindex")],
                 ("invertedindex-h200.md",)),
    ],
    "Sums": [
        Question("sums-by-key", "How much longer do sums by key take than reading the data?", sums_by_key, [], ("aggregate-h200.md",)),
        Question("tables", "How fast are groups of tables, compared with DuckDB, Polars, ClickHouse, datamash and Miller?", tables, [],
                 ("groups-cpu.md", "groups-h200.md")),
        Question("dense-keys", "How much longer do sums under dense keys take than reading the data?", dense_keys,
                 [("dense-h200", "dense-sums"), ("dense-h200", "dense-kmeans")]),
        Question("same-bits", "What do the same bits everywhere cost?", same_bits, [], ("deterministic-h200.md",)),
    ],
    "CPU and GPU": [
        Question("cpu-and-gpu", "Does it pay to use CPU and GPU together?", cpu_and_gpu,
                 [(run, "scheduling") for run in SCHEDULING_RUNS], ("scheduling-h200.md", "machine-h200.md"), cpu_and_gpu_summary),
        Question("first-run", "How much slower is a first run?", first_run,
                 [(run, "scheduling-first-run") for run in (*FIRST_RUNS, "scheduling-all-h200")]
                 + [(run, "scheduling-start") for run in (*SCHEDULING_RUNS, "scheduling-short-h200", "scheduling-h200")], ("scheduling-h200.md",)),
        Question("own-tasks", "How well does auto divide a task that nobody tuned?", own_tasks, [OWN_TASKS, OWN_TASKS_H200], summary=own_tasks_summary),
        Question("own-loops", "Is a task of your own as fast as the loop that you would write?", own_loops, OWN_LOOPS),
        Question("commands", "How long does a whole command take?", commands, [COMMANDS], summary=commands_summary),
        Question("several-gpus", "How much faster are several GPUs than one?", several_gpus,
                 [(run, table) for run in GPUS for table in ("gpus", "gpus-links")], summary=several_gpus_summary),
        Question("short-runs", "What does the scheduler cost short runs?", short_runs,
                 [(run, table) for run in ("scheduling-short-h200", "scheduling-all-h200")
                  for table in ("scheduling-short", "scheduling-overhead")],
                 ("scheduling-h200.md",)),
        Question("plain-tbb", "What does duomap cost, compared with plain oneTBB?", plain_tbb, [("scheduling-all-h200", "scheduling-plain")], ("scheduling-cpu.md",)),
        Question("iterative-jobs", "How fast are iterative jobs, compared with the better device?", iterative, [], ("iterative-h200.md",)),
        Question("papers", "What do the founding papers' experiments give today?", papers,
                 [("papers-h200", name) for name in PAPERS]
                 + [("papers-quick-2-cores", name) for name in PAPERS], summary=papers_summary),
        Question("gpu-tests", "Do the tests pass on a GPU?", gpu_tests, []),
    ],
    "Numeric applications": [
        Question("k-means", "How fast is k-means?", k_means,
                 [("cpu-2-cores", "kmeans"), ("kmeans-h200", "kmeans-gpu-step"), ("kmeans-h200", "kmeans-gpu-run")],
                 ("numeric-cpu.md", "numeric-h200.md")),
        Question("nearest-neighbours", "How fast are nearest neighbours?", neighbours,
                 [("cpu-2-cores", "knn"), ("knn-h200", "knn-gpu")], ("numeric-cpu.md", "numeric-h200.md")),
        Question("naive-bayes", "How fast is naive Bayes?", naive_bayes, [("cpu-2-cores", "naivebayes")],
                 ("numeric-cpu.md", "naivebayes-h200.md")),
        Question("covariance", "How fast are covariances, compared with OpenBLAS?", covariance,
                 [("cpu-2-cores", "pca"), ("pca-h200", "pca-gpu"), ("pca-h200", "pca-gpu-run")],
                 ("numeric-cpu.md", "numeric-h200.md")),
        Question("matrix-products", "How fast are matrix products, compared with OpenBLAS and cuBLAS?", products,
                 [("matmul-2-cores", "matmul"), ("matmul-2-cores-intel", "matmul"), ("matmul-h200", "matmul-gpu-resident"),
                  ("matmul-h200", "matmul-gpu"), ("cpu-2-cores", "matmul")], ("numeric-cpu.md", "numeric-h200.md")),
        Question("similar-vectors", "How fast are similar vectors, compared with NumPy?", similar,
                 [("similarity-h200", "similarity-gpu"), ("similarity-h200", "similarity-gpu-run"),
                  ("cpu-2-cores", "similarity")], ("numeric-cpu.md", "numeric-h200.md")),
        Question("support-vector-machines", "How fast are support vector machines, compared with LIBSVM?", vector_machines,
                 [(run, "svmtrain") for run in ("svm-2-cores", "svm-usps-2-cores", "svm-h200", "svm-a9a-h200", "svm-images-h200")],
                 ("numeric-cpu.md", "numeric-h200.md")),
    ],
}
