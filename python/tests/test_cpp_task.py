"""Tasks in C++: compiling once, running, and error messages with the user's lines."""

import glob
import gzip
import os
import pickle
import shutil
import signal
import stat
import subprocess
import sys
import time

import numpy
import pytest

import duomap

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")

LONG_WORDS = """
struct long_words {
  using format = words;
  using key = byte_view;
  using reduce = sum<std::uint64_t>;
  DUOMAP_HD void map(byte_view word, auto& emit) const { if (word.size > 4) emit(word, 1); }
};
"""
BY_GROUP = """
struct by_group {
  using format = rows<float>;
  using key = std::uint32_t;
  using reduce = sum<double>;
  rows<float> records() const { return {.width = 2}; }
  DUOMAP_HD void map(const row<float>& r, auto& emit) const { emit(std::uint32_t(r[0]), double(r[1])); }
};
"""
LONGEST = """#include <core/text_place.hpp>
struct longest {
  using format = lines;
  using key = no_key;
  using reduce = longest_text;
  DUOMAP_HD void map(const line& one, auto& emit) const { emit(place_of(one)); }
};
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def cache(home, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(home))
    return home / "duomap/tasks"


def test_a_task_over_words_is_compiled_once(cache, book, monkeypatch):
    task = duomap.cpp_task(LONG_WORDS)
    expected = [row for row in duomap.wordcount(book[0]).sorted() if len(row[0].encode()) > 4]
    found = duomap.run(task, book[0], columns=["word"])
    assert found.columns == ["word", "column_2"]
    assert found.sorted().rows() == expected
    assert found.report.as_dict()["task"] == "long_words"
    assert duomap.run(task, b"letters", threads=1).rows() == [("letters", 1)]
    assert stat.S_IMODE(cache.stat().st_mode) == 0o700
    # Loading a task from the cache needs no folder for temporary files.
    monkeypatch.setenv("TMPDIR", "/no/such")
    kept = stamps(cache)
    # A pickle holds the task's source.
    assert duomap.run(pickle.loads(pickle.dumps(task)), b"letters").rows() == [("letters", 1)]
    assert duomap.run(duomap.cpp_task(LONG_WORDS), b"letters").rows() == [("letters", 1)]
    assert stamps(cache) == kept


def test_rows_have_texts_by_their_places(tmp_path):
    (tmp_path / "lines.gz").write_bytes(gzip.compress(b"one\nthe longest line of all\n"))
    task = duomap.cpp_task(LONGEST, gpu=False)
    (tmp_path / "short").write_bytes(b"another\n")
    found = duomap.run(task, [tmp_path / "lines.gz", tmp_path / "short"], columns=["line"])
    assert (found.columns, found.rows()) == (["line"], [("the longest line of all",)])


def stamps(cache):
    """The state of each compiled task in the cache. Compiling a task again changes its state."""
    return {path: path.stat().st_ino for path in cache.glob("*/product")}


COUNT_BY = """
#include "weight.hpp"
struct count_by {
  using format = words;
  using key = no_key;
  using reduce = sum<std::uint64_t>;
  DUOMAP_HD void map(byte_view, auto& emit) const { emit(WEIGHT); }
};
"""


def test_each_input_of_a_build_is_seen(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))  # a cache of its own, because a full cache removes old entries
    cache = tmp_path / "duomap/tasks"
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
    (tmp_path / "b/weight.hpp").write_text('#include "number.hpp"\n#define WEIGHT NUMBER\n')
    (tmp_path / "b/number.hpp").write_text("#define NUMBER 2\n")
    flags = [f"-I{tmp_path}/a", f"-I{tmp_path}/b"]

    def answer(compiled, **how):
        time.sleep(0.02)  # the cache does not trust a header that is as new as the build
        before = stamps(cache)
        rows = duomap.run(duomap.cpp_task(COUNT_BY, gpu=False, **{"flags": flags, **how}), b"one").rows()
        assert (stamps(cache) != before) == compiled
        return rows

    assert answer(True) == [(2,)]
    assert answer(False) == [(2,)]
    (tmp_path / "b/number.hpp").write_text("#define NUMBER 3\n")
    assert answer(True) == [(3,)]
    (tmp_path / "a/weight.hpp").write_text("#define WEIGHT 4\n")
    assert answer(True) == [(4,)]
    monkeypatch.setenv("CPLUS_INCLUDE_PATH", str(tmp_path / "b"))
    assert answer(True, flags=[]) == [(3,)]
    compiler = tmp_path / "compiler"
    compiler.write_text('#!/bin/sh\nexec g++ "$@"\n')
    compiler.chmod(0o755)
    monkeypatch.setenv("CXX", str(compiler))
    assert answer(True) == [(4,)]
    assert answer(False) == [(4,)]


def test_processes_that_start_at_once_compile_once(tmp_path):
    script = f"import duomap; print(duomap.run(duomap.cpp_task({LONG_WORDS!r}), b'letters').rows())"
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    started = [subprocess.Popen([sys.executable, "-c", script], env=environment, stdout=subprocess.PIPE, text=True) for _ in range(8)]
    assert [one.communicate()[0] for one in started] == ["[('letters', 1)]\n"] * 8
    assert sorted(path.name for path in (tmp_path / "duomap/tasks").iterdir() if path.name != "lock") == [
        path.parent.name for path in stamps(tmp_path / "duomap/tasks")
    ]


def test_an_interrupt_ends_the_compiler(tmp_path):
    compiler, mark = tmp_path / "compiler", tmp_path / "group"
    compiler.write_text(f"#!/bin/sh\nsleep 60 &\necho $$ > {mark}.new\nmv {mark}.new {mark}\nwait\n")
    compiler.chmod(0o755)
    # A shell makes its background programs ignore SIGINT, so the script sets the handler itself.
    handler = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    script = f"{handler}; import duomap; duomap.cpp_task({LONG_WORDS!r})"
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "CXX": str(compiler)}
    process = subprocess.Popen([sys.executable, "-c", script], env=environment, stderr=subprocess.PIPE, text=True)
    while not mark.exists():
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    assert "KeyboardInterrupt" in process.communicate()[1]
    group = mark.read_text().strip()
    while any(
        fields[2] == group and fields[0] != "Z"
        for path in glob.glob("/proc/[0-9]*/stat")
        if (fields := read_if_any(path).rpartition(")")[2].split())
    ):
        time.sleep(0.01)
    assert [path.name for path in (tmp_path / "duomap/tasks").iterdir()] == ["lock"]


def read_if_any(path):
    try:
        with open(path) as file:
            return file.read()
    except OSError:  # the process has ended
        return ""


def test_the_command_lists_and_clears_what_is_kept(cache, tmp_path, monkeypatch):
    program = os.environ.get("DUOMAP")
    if not program:
        pytest.skip("no program")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    duomap.cpp_task(LONG_WORDS)
    said = subprocess.run([program, "cache"], capture_output=True, text=True, check=True).stdout
    assert "1 compiled task" in said and "long_words, of duomap.cpp_task" in said
    subprocess.run([program, "cache", "--clear"], check=True, capture_output=True)
    assert list((tmp_path / "duomap/tasks").iterdir()) == []
    assert duomap.run(duomap.cpp_task(LONG_WORDS), b"letters").rows() == [("letters", 1)]


def test_a_task_over_rows_of_an_array(random):
    rows = numpy.stack([random.integers(0, 50, 100_000), random.integers(0, 10, 100_000)], 1).astype("f4")
    found = duomap.run(duomap.cpp_task(BY_GROUP), rows, columns=["group", "total"]).sorted()
    assert found["total"].tolist() == numpy.bincount(rows[:, 0].astype(int), rows[:, 1]).tolist()
    with pytest.raises(duomap.UsageError, match="3 columns"):
        duomap.run(duomap.cpp_task(BY_GROUP), rows, columns=["a", "b", "c"])


def test_where_cuda_is_the_task_runs_on_gpus(book):
    task = duomap.cpp_task(LONG_WORDS)
    if task.without_gpu:
        with pytest.raises(duomap.DeviceUnavailable):
            duomap.run(task, book[0], device="gpu")
        pytest.skip(task.without_gpu)
    found = duomap.run(task, book[0], device="gpu")
    assert found.sorted().rows() == duomap.run(task, book[0], device="cpu").sorted().rows()
    assert "gpu 0" in found.report.explain()
    with pytest.raises(duomap.CompileError, match=r"gpu=False leaves"):
        duomap.cpp_task(LONG_WORDS.replace("word.size > 4", "std::to_string(word.size).size() > 0"))
    assert len(duomap.run(duomap.cpp_task(LONG_WORDS, gpu=False), book[0])) == len(found)


def test_only_a_compiler_of_the_version_that_duomap_was_built_with_is_taken(tmp_path, monkeypatch):
    from duomap import _toolkit

    monkeypatch.setattr(_toolkit._core, "toolkit_version", 13000)
    monkeypatch.setattr(_toolkit, "_gpus", lambda: ("Model: one",))
    found = []
    for version in (12080, 13010):
        made = tmp_path / str(version)
        for folder in ("bin", "include"):
            (made / folder).mkdir(parents=True)
        (made / "include/cuda.h").write_text(f"#define CUDA_VERSION {version}\n")
        found.append(str(made / "bin/nvcc"))
    monkeypatch.setattr(_toolkit, "_compilers", lambda: iter(found))
    assert _toolkit.find_toolkit() == (found[1], ("Model: one",), "")
    found.pop()
    assert "of another version" in _toolkit.find_toolkit().problem
    monkeypatch.setattr(_toolkit, "_gpus", lambda: ())
    assert _toolkit.find_toolkit().problem == "this machine has no GPU"


def test_errors(cache, monkeypatch):
    task = duomap.cpp_task(LONG_WORDS)
    kept = set(cache.iterdir())
    with pytest.raises(duomap.InputError, match="/no/such"):
        duomap.run(task, "/no/such")
    with pytest.raises(duomap.CompileError, match=r"(?s)task.hpp:6:.*emit\(word, 1\) oops"):
        duomap.cpp_task(LONG_WORDS.replace("emit(word, 1);", "emit(word, 1) oops;"))
    with pytest.raises(duomap.UsageError, match="struct"):
        duomap.cpp_task("int x;")
    assert set(cache.iterdir()) == kept
    cache.chmod(0o755)
    with pytest.raises(duomap.UsageError, match="chmod 700"):
        duomap.cpp_task(LONG_WORDS)
    cache.chmod(0o700)
