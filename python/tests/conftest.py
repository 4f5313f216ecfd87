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
