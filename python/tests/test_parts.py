"""Runs in parts, without a cluster."""

import os
import shutil

import pytest

from duomap import _pieces, parts

PROGRAM = os.environ.get("DUOMAP") or shutil.which("duomap")
pytestmark = pytest.mark.skipif(not PROGRAM, reason="the program duomap is not there: set DUOMAP to its path")


def run_over(path, **changes):
    return parts.RunInParts("wordcount", [path], execution=["--threads", "1"], program=PROGRAM, **changes)


SORTED = ["--sort", "key"]


def test_parts_in_any_order_and_twice(texts):
    path, rows = texts
    run = run_over(path)
    partials = [run.map(part, 5) for part in (3, 0, 4, 1, 2, 1)]
    assert run.finish(partials, SORTED) == rows
    merged = run.merge(partials[:3])
    assert run.finish([*partials, merged], SORTED) == rows


def test_errors_say_what_is_wrong(texts):
    path, _ = texts
    run = run_over(path)
    partials = [run.map(part, 3) for part in range(3)]
    with pytest.raises(parts.PartError, match="do not cover") as missing:
        run.finish(partials[:2])
    assert missing.value.status == 5
    damaged = bytearray(partials[1])
    damaged[len(damaged) // 2] ^= 1
    with pytest.raises(parts.PartError, match="damaged"):
        run.finish([partials[0], bytes(damaged), partials[2]])
    with pytest.raises(parts.PartError, match="--lower"):
        run_over(path, options=["--lower"]).finish(partials)
    with pytest.raises(parts.PartError, match="missing") as absent:
        run_over(path + "/missing").map(0, 1)
    assert absent.value.status == 5


def test_pieces_are_parts_of_the_keys(texts, tmp_path_factory):
    path, rows = texts
    run = run_over(path)
    pieces = [run.map_pieces(part, 3, 4) for part in (0, 1, 2, 1)]
    whole = len(run.map(0, 3))
    assert sum(len(one.body) for one in pieces[0]) < whole
    folder = str(tmp_path_factory.mktemp("result"))
    saved = [run.save([of[number] for of in pieces], number, 4, os.path.join(folder, str(number)), SORTED)
             for number in range(4)]
    lines = [line for one in saved for line in open(one, "rb")]
    assert sorted(lines) == sorted(rows.splitlines(keepends=True))
    # Merging the wrong pieces is an error and gives no incomplete result.
    with pytest.raises(parts.PartError, match="damaged"):
        run.save([of[0] for of in pieces], 1, 4, os.path.join(folder, "wrong"), SORTED)
    assert not os.path.exists(os.path.join(folder, "wrong"))
    with pytest.raises(ValueError, match="too few"):
        run.map_pieces(0, 1, 1000)


def test_bytes_that_are_no_partial_are_not_cut():
    for damaged in (b"", b"words", b"\x93duomap\n" * 4):
        with pytest.raises(ValueError, match="no stored partial"):
            _pieces.cut(damaged, 2)


def test_headers_that_are_changed_are_cut_as_before_or_refused(texts):
    path, _ = texts
    partial = run_over(path).map(0, 3)
    header = int.from_bytes(partial[-24:-16], "little")
    refused = 0
    for at in range(header, len(partial) - 24, 7):
        for other in (0, 127, 255):
            changed = partial[:at] + bytes([other]) + partial[at + 1:]
            try:
                pieces = _pieces.cut(changed, 2)
            except ValueError:
                refused += 1
            else:
                assert b"".join(one.body for one in pieces) == partial[16:header]
    assert refused > 0


TASK = """#include <duomap.hpp>
#include <core/text_place.hpp>
struct longest {
  using format = duomap::lines;
  using key = duomap::no_key;
  using reduce = duomap::longest_text;
  DUOMAP_HD void map(const duomap::line& line, auto& emit) const { emit(duomap::place_of(line)); }
};
"""


def test_texts_travel_in_the_partials(tmp_path):
    (tmp_path / "longest.hpp").write_text(TASK)
    for name, text in (("a", "one\nthe longest line\n"), ("b", "another\n")):
        (tmp_path / name).write_text(text)
    run = parts.RunInParts(str(tmp_path / "longest.hpp"), [str(tmp_path / "a"), str(tmp_path / "b")], program=PROGRAM)
    partials = [run.map(part, 2) for part in range(2)]
    (tmp_path / "a").unlink()
    (tmp_path / "b").write_text("a line that was not there and is longer\n")
    assert run.finish([run.merge(partials)]) == b"the longest line\n"


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
        run = run_over("memory://books")
        assert run.finish([run.map(part, count) for part in range(count)], SORTED) == rows
    match = parts.RunInParts("stringmatch", ["memory://books/b"], ["--pattern", "w2999"], program=PROGRAM)
    found = match.finish([match.map(part, 2) for part in range(2)])
    assert found.startswith(b"memory:///books/b\t")
    assert len(found.splitlines()) > 50
    assert run.parts_of(10**9) == 1
    with pytest.raises(ValueError, match="addresses only"):
        parts.RunInParts("wordcount", ["memory://books/b", path], program=PROGRAM).map(0, 1)
    with pytest.raises(FileNotFoundError):
        run_over("memory://books/missing").map(0, 1)
