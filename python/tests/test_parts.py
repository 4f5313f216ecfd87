"""Jobs in parts, by hand."""

import os
import shutil

import pytest

from duomap import _pieces, parts

PROGRAM = os.environ.get("DUOMAP") or shutil.which("duomap")
pytestmark = pytest.mark.skipif(not PROGRAM, reason="the program duomap is not there: set DUOMAP to its path")


def job_over(path, **changes):
    return parts.Job("wordcount", [path], execution=["--threads", "1"], program=PROGRAM, **changes)


SORTED = ["--sort", "key"]


def test_parts_in_any_order_and_twice(texts):
    path, rows = texts
    job = job_over(path)
    partials = [job.map(part, 5) for part in (3, 0, 4, 1, 2, 1)]
    assert job.finish(partials, SORTED) == rows
    merged = job.merge(partials[:3])
    assert job.finish([*partials, merged], SORTED) == rows


def test_errors_say_what_is_wrong(texts):
    path, _ = texts
    job = job_over(path)
    partials = [job.map(part, 3) for part in range(3)]
    with pytest.raises(parts.PartError, match="do not cover") as missing:
        job.finish(partials[:2])
    assert missing.value.status == 5
    damaged = bytearray(partials[1])
    damaged[len(damaged) // 2] ^= 1
    with pytest.raises(parts.PartError, match="damaged"):
        job.finish([partials[0], bytes(damaged), partials[2]])
    with pytest.raises(parts.PartError, match="--lower"):
        job_over(path, options=["--lower"]).finish(partials)
    with pytest.raises(parts.PartError, match="missing") as absent:
        job_over(path + "/missing").map(0, 1)
    assert absent.value.status == 5


def test_pieces_are_parts_of_the_keys(texts, tmp_path_factory):
    path, rows = texts
    job = job_over(path)
    pieces = [job.map_pieces(part, 3, 4) for part in (0, 1, 2, 1)]
    whole = len(job.map(0, 3))
    assert sum(len(one.body) for one in pieces[0]) < whole
    folder = str(tmp_path_factory.mktemp("result"))
    saved = [job.save([of[number] for of in pieces], number, 4, os.path.join(folder, str(number)), SORTED)
             for number in range(4)]
    lines = [line for one in saved for line in open(one, "rb")]
    assert sorted(lines) == sorted(rows.splitlines(keepends=True))
    # A piece that is taken for another is an error, not a smaller result.
    with pytest.raises(parts.PartError, match="damaged"):
        job.save([of[0] for of in pieces], 1, 4, os.path.join(folder, "wrong"), SORTED)
    assert not os.path.exists(os.path.join(folder, "wrong"))
    with pytest.raises(ValueError, match="too few"):
        job.map_pieces(0, 1, 1000)


def test_bytes_that_are_no_partial_are_not_cut():
    for damaged in (b"", b"words", b"\x93duomap\n" * 4):
        with pytest.raises(ValueError, match="no stored partial"):
            _pieces.cut(damaged, 2)


def test_objects_of_a_remote_store(texts):
    path, rows = texts
    fsspec = pytest.importorskip("fsspec")
    with fsspec.open("memory://books/deep/a.gz", "wb", compression="gzip") as to, open(os.path.join(path, "a"), "rb") as file:
        to.write(file.read())
    with fsspec.open("memory://books/b", "wb") as to, open(os.path.join(path, "b"), "rb") as file:
        to.write(b"\xef\xbb\xbf" + file.read())
    with fsspec.open("memory://books/empty", "wb"):
        pass
    for count in (1, 2, 7):
        job = job_over("memory://books")
        assert job.finish([job.map(part, count) for part in range(count)], SORTED) == rows
    match = parts.Job("stringmatch", ["memory://books/b"], ["--pattern", "w2999"], program=PROGRAM)
    found = match.finish([match.map(part, 2) for part in range(2)])
    assert found.startswith(b"memory:///books/b\t")
    assert len(found.splitlines()) > 50
    assert job.parts_of(10**9) == 1
    with pytest.raises(ValueError, match="addresses only"):
        parts.Job("wordcount", ["memory://books/b", path], program=PROGRAM).map(0, 1)
    with pytest.raises(FileNotFoundError):
        job_over("memory://books/missing").map(0, 1)
