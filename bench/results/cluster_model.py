"""What word count over 100 TB and k-means over 10^11 points would take on 1,000 machines: a model, no measurement.

    python3 bench/results/cluster_model.py > docs/concepts/many-machines.md

Measured constants come from the saved runs and from parts-cpu.md beside this; assumed ones are said to be so.
"""

import dataclasses
import math

from saved import cells, number, row, scaled

GPUS = 8
FAN_IN = 8
PARTS_OF_A_MACHINE = 4  # as duomap.dask takes

# Assumed: neither network nor disks have been measured.
NETWORK = 25e9   # bytes a second of a machine: a link of 200 Gbit/s
DISKS = 20e9     # bytes a second of a machine: four NVMe drives
MEMORY_OF_A_GPU = 141e9  # bytes, as NVIDIA says of an H200

CONSTANTS = "parts-cpu.md"


def constant(what):
    return number(cells(CONSTANTS, 0, "figure", what=what)[0])


def growth():
    """Distinct words of n bytes are a * n^b (Heaps' law), through the smallest and the largest text that were counted."""
    sizes = [number(text) for text in cells(CONSTANTS, 1, "bytes_of_text")]
    words = [number(text) for text in cells(CONSTANTS, 1, "distinct_words")]
    b = math.log(words[-1] / words[0]) / math.log(sizes[-1] / sizes[0])
    return words[-1] / sizes[-1]**b, b


@dataclasses.dataclass
class WordCount:
    text: float
    machines: int
    gpus: int = GPUS
    grows: bool = True  # the vocabulary, by Heaps' law; else it is that of the novels

    @property
    def parts(self):
        return PARTS_OF_A_MACHINE * self.machines if self.machines > 1 else 1

    def partial(self, covered):
        """Bytes of a partial of so many bytes of text."""
        a, b = growth()
        words = a * covered**b if self.grows else number(cells(CONSTANTS, 1, "distinct_words")[-1])
        return words * constant("bytes of a partial for each word")

    @property
    def map_rate(self):
        """Of a machine, whose text is in memory: its GPUs, or what the host's cores read from memory."""
        gpu = row("wordcount-h200", "wordcount-gpu", program="duomap, file kept open", device="gpu")
        memory = number(cells("machine-h200.md", 0, "16_threads", memory="reading memory")[0]) * 1e9
        return min(self.gpus * number(gpu.rate) * 1e9, memory)

    @property
    def map(self):
        return self.text / self.machines / self.map_rate

    @property
    def read(self):
        """From disks of the machine."""
        return self.text / self.machines / DISKS

    @property
    def engine(self):
        """Tasks, which a scheduler hands out one by one."""
        return 0 if self.machines == 1 else tasks(self.parts) * constant("seconds of Dask for a task")

    def merging(self, partials, covered):
        """A machine takes so many partials, and merges them on one core."""
        taken = partials * self.partial(covered)
        return taken / NETWORK + taken / (constant("MB/s of a merge") * 1e6)

    @property
    def tree(self):
        """Each level merges FAN_IN partials into one; the last one has all words."""
        seconds, left, covered = 0.0, self.parts, self.text / self.parts
        while left > 1:
            together = min(FAN_IN, left)
            seconds += self.merging(together, covered)
            left, covered = math.ceil(left / FAN_IN), min(self.text, covered * FAN_IN)
        return seconds

    @property
    def by_keys(self):
        """Each machine reads its part of the keys of all partials: duomap merge --keys i/machines."""
        return 0 if self.machines == 1 else self.merging(self.parts, self.text / self.parts) / self.machines

    @property
    def seconds(self):
        """As duomap.dask does it: text from disks while it is mapped, and a tree."""
        return max(self.map, self.read) + self.engine + self.tree

    @property
    def seconds_by_keys(self):
        return max(self.map, self.read) + self.engine + self.by_keys


def tasks(parts):
    total = parts
    while parts > 1:
        parts = math.ceil(parts / FAN_IN)
        total += parts
    return total


@dataclasses.dataclass
class KMeans:
    points: float
    machines: int
    dimensions: int = 32
    clusters: int = 20
    gpus: int = GPUS
    resident: bool = True  # in the memory of GPUs; else each step moves the points there

    def _measured(self, table, program="duomap"):
        return row("kmeans-h200", table, workload=f"16,777,216 x {self.dimensions}, k {self.clusters}", program=program,
                   device="gpu")

    @property
    def of_a_gpu(self):
        return self.points / self.machines / self.gpus

    @property
    def fewest(self):
        """Machines whose GPUs hold the points."""
        return math.ceil(self.points * self.dimensions * 4 / self.gpus / MEMORY_OF_A_GPU)

    @property
    def map(self):
        """A step over the points of a GPU, which takes as many times as long as there are more points."""
        measured = 16_777_216
        seconds = self._measured("kmeans-gpu-step").seconds
        if not self.resident:
            seconds += self._measured("kmeans-gpu-run").figures["moving data, last run"]
        return seconds * self.of_a_gpu / measured

    @property
    def partial(self):
        """Bytes: sums of coordinates, and numbers of points."""
        return self.clusters * (self.dimensions + 1) * 8

    @property
    def levels(self):
        return math.ceil(math.log(self.machines, FAN_IN) - 1e-9) if self.machines > 1 else 0

    @property
    def network(self):
        """The sums go up the tree and the centres down."""
        return self.levels * (FAN_IN + 1) * self.partial / NETWORK

    @property
    def engine(self):
        return 0 if self.machines == 1 else tasks(self.machines) * constant("seconds of Dask for a task")

    @property
    def seconds(self):
        """Of a step."""
        return self.map + self.network + self.engine


def fastest(job, seconds="seconds", fewest=1):
    """The number of machines, of the powers of two, that takes the least time."""
    return min((1 << n for n in range(15) if 1 << n >= fewest), key=lambda machines: getattr(job(machines), seconds))


def time(seconds):
    return f"{seconds:,.0f} s" if seconds >= 100 else scaled(seconds, "s")


def page():
    words = [WordCount(1e14, machines) for machines in (10, 100, 1000, 10_000)]
    whole, plain = WordCount(1e14, 1000), WordCount(1e14, 1000, grows=False)
    means = [KMeans(1e11, machines) for machines in (20, 100, 1000, 10_000)]
    k = KMeans(1e11, 1000)
    moved = KMeans(1e11, 1000, resident=False)
    best = [fastest(lambda machines: WordCount(1e14, machines), how) for how in ("seconds", "seconds_by_keys")]
    best_k = fastest(lambda machines: KMeans(1e11, machines), fewest=k.fewest)
    a, b = growth()
    lines = [
        "# A thousand machines, on paper", "",
        "Nobody ran this. The times are computed from figures of one machine, for machines with 8 GPUs each, on Dask.",
        "", "## Word count over 100 TB", "",
        f"{whole.machines:,} machines take {time(whole.seconds)}: {time(max(whole.map, whole.read))} of reading and mapping, "
        f"{time(whole.engine)} of Dask's scheduler,",
        f"{time(whole.tree)} of merging in a tree. Merging by keys would take {time(whole.by_keys)}. Of the powers of two "
        f"{best[0]:,} machines are the fastest",
        f"with a tree, and {best[1]:,} by keys; more are slower.", "",
        "| machines | reading from disks | mapping, text in memory | Dask | merging in a tree | merging by keys | all, tree | all, keys |",
        "|---:|---:|---:|---:|---:|---:|---:|---:|",
        *(f"| {w.machines:,} | {time(w.read)} | {time(w.map)} | {time(w.engine)} | {time(w.tree)} | {time(w.by_keys)} | "
          f"{time(w.seconds)} | {time(w.seconds_by_keys)} |" for w in words), "",
        "- The last two columns add up the longer of reading and mapping, Dask's time, and the time of a merge.",
        f"- The vocabulary grows as the {b:.2f}th power of the text (Heaps' law, fitted to 0.3 to 20 MB of novels). That makes",
        f"  {a * 1e14**b / 1e6:,.0f} million words and a result of {whole.partial(1e14) / 1e9:.1f} GB. The text is 5 million "
        "times that of the fit, so this is a guess.",
        f"- With the vocabulary of the novels, which does not grow, the tree takes {time(plain.tree)} and keys {time(plain.by_keys)}.",
        f"- A partial of one of {whole.parts:,} parts has {whole.partial(1e14 / whole.parts) / 1e6:.0f} MB; the network carries "
        f"{whole.parts * whole.partial(1e14 / whole.parts) / 1e9:,.0f} GB of them.",
        "- Merging by keys divides the work among the machines. A tree ends with all words on one machine, on one core.",
        "  `duomap.dask` has the tree; `duomap merge --keys` does the other from files.",
        "- Dask hands out tasks one by one, so its time grows with the machines while that of all else falls.", "",
        "## k-means over 10^11 points", "",
        f"32 dimensions, 20 centres, `float32`: {k.points * k.dimensions * 4 / 1e12:.1f} TB, "
        f"{k.of_a_gpu * k.dimensions * 4 / 1e9:.1f} GB for each GPU of 1,000 machines. The times are of one step.", "",
        "| machines | GPUs | network | Dask | a step |", "|---:|---:|---:|---:|---:|",
        *(f"| {m.machines:,} | {time(m.map)} | {time(m.network)} | {time(m.engine)} | {time(m.seconds)} |" for m in means), "",
        f"- GPUs hold the points from {k.fewest} machines on. Of the powers of two that are large enough, {best_k} machines are the fastest.",
        f"- More are slower, because the GPUs end before Dask has handed out all tasks. A step on 1,000 machines computes for "
        f"{k.map / k.seconds * 100:.1g} %",
        "  of its time. A reduction without a central scheduler would scale further.",
        f"- The network costs next to nothing: a partial has {k.partial:,} bytes.",
        f"- Points do not stay in GPUs between the steps of `duomap.dask.Resident`, only in host memory. Moving them makes {time(k.map)}",
        f"  of a GPU {time(moved.map)}. Adding the points up by NumPy is not in the model.", "",
        "## The figures of the model", "",
        "| what | figure | from |", "|---|---:|---|",
        f"| words, one GPU | {WordCount(1, 1, gpus=1).map_rate / 1e9:.1f} GB/s | [wordcount-h200](../../bench/results/runs/wordcount-h200.json), "
        "2026-11-22 |",
        f"| words, 8 GPUs: the memory of that host is the limit | {whole.map_rate / 1e9:.1f} GB/s | "
        "[machine-h200.md](../../bench/results/machine-h200.md), 2026-11-21 |",
        "| k-means, a step of 16,777,216 points on one GPU | "
        f"{scaled(k._measured('kmeans-gpu-step').seconds, 's')} | [kmeans-h200](../../bench/results/runs/kmeans-h200.json), 2026-11-22 |",
        f"| merge, one core | {constant('MB/s of a merge'):.0f} MB/s | [parts-cpu.md](../../bench/results/parts-cpu.md), 2026-11-23 |",
        f"| a word of a partial | {constant('bytes of a partial for each word'):.1f} bytes | the same |",
        f"| Dask, a task | {scaled(constant('seconds of Dask for a task'), 's')} | the same |",
        f"| network of a machine | {NETWORK / 1e9:.0f} GB/s | assumed |",
        f"| disks of a machine | {DISKS / 1e9:.0f} GB/s | assumed |",
        f"| parts of a machine, partials of a merge | {PARTS_OF_A_MACHINE}, {FAN_IN} | as `duomap.dask` |", "",
        "It leaves out: machines that fail or are slow, links that are shared, GPUs that share a bus, latencies, copies in Dask's messages, and the",
        "start of programs and workers. The merge is taken to be as fast for large vocabularies as for 58,732.", "",
        "<!-- Written by bench/results/cluster_model.py; not to be edited. -->",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    print(page())
