import collections
import random as chance

import numpy
import pytest


@pytest.fixture
def random():
    return numpy.random.default_rng(20260101)


@pytest.fixture
def book(tmp_path):
    """A file large enough to be mapped, and its bytes."""
    text = b"It was the best of times, it was the worst of times.\nthe age of caf\xc3\xa9s\n" * 8000
    path = tmp_path / "book.txt"
    path.write_bytes(text)
    return path, text


@pytest.fixture
def texts(tmp_path):
    """A folder of texts of 2 MB, and the rows of their words in the order of their bytes."""
    draw = chance.Random(7)
    words = [f"w{number}" for number in range(3000)]
    counts = collections.Counter()
    for name in ("a", "b"):
        chosen = draw.choices(words, k=200_000)
        counts.update(chosen)
        (tmp_path / name).write_text(" ".join(chosen) + "\n")
    rows = "".join(f"{word}\t{counts[word]}\n" for word in sorted(counts)).encode()
    return str(tmp_path), rows


@pytest.fixture
def client():
    """A client of a Dask cluster of two processes."""
    distributed = pytest.importorskip("distributed")
    config = pytest.importorskip("dask.config")
    # 15 s after a loss LocalCluster would close a worker that is just starting again.
    with config.set({"distributed.deploy.lost-worker-timeout": "1 hour"}), \
         distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, \
         distributed.Client(cluster) as one:
        yield one
