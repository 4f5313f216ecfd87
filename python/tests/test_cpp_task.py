"""Tasks in C++: compiled once, run as any other, and errors that show the lines of the user."""

import pickle
import shutil
import stat

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


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def cache(home, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(home))
    return home / "duomap/python-tasks"


def test_a_task_over_words_is_compiled_once(cache, book, monkeypatch):
    task = duomap.cpp_task(LONG_WORDS)
    expected = [row for row in duomap.word_count(book[0]).sorted() if len(row[0].encode()) > 4]
    found = duomap.run(task, book[0], columns=["word"])
    assert found.columns == ["word", "column_2"]
    assert found.sorted().rows() == expected
    assert found.report.as_dict()["task"] == "long_words"
    assert duomap.run(task, b"letters", threads=1).rows() == [("letters", 1)]
    assert stat.S_IMODE(cache.stat().st_mode) == 0o700
    # What is in the cache needs no compiler that works.
    monkeypatch.setattr("subprocess.Popen", None)
    # Pickled, it is its source.
    assert duomap.run(pickle.loads(pickle.dumps(task)), b"letters").rows() == [("letters", 1)]
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
