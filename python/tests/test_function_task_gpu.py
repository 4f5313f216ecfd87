"""Tasks in Python on GPUs, compared with the CPU. Tests that need a GPU are skipped without one."""

import os
import subprocess
import sys

import numpy
import pytest

import duomap
from duomap import _core

pytest.importorskip("numba")

PAIRS = duomap.rows("f4", 2)


@duomap.task(format=PAIRS, key="u4", reduce=duomap.sum("f8"))
def by_group(row):
    return numpy.uint32(row[0]), row[1] * 2.0


def no_gpu():
    """The reason why tasks in Python cannot run on a GPU; empty if they can."""
    return by_group._gpu_obstacle()


NO_GPU = no_gpu()
needs_gpu = pytest.mark.skipif(bool(NO_GPU), reason=NO_GPU or "there is one")


@pytest.fixture
def pairs(random):
    return numpy.stack([random.integers(0, 50, 300_000), random.integers(0, 10, 300_000)], 1).astype("f4")


@pytest.fixture(autouse=True)
def cache(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))


def same_on_both(task, rows):
    found = duomap.run(task, rows, device="gpu")
    expected = duomap.run(task, rows, device="cpu")
    assert "gpu 0" in found.report.explain()
    assert [found[name].dtype for name in found.columns] == [expected[name].dtype for name in expected.columns]
    assert found.sorted().rows() == expected.sorted().rows()
    return found


def test_what_cannot_run_on_a_gpu_says_why(pairs):
    @duomap.task(format=duomap.words(), key="bytes", reduce=duomap.sum("u8"))
    def whole(word):
        return word, 1

    assert "words and lines run on the CPU" in whole.without_gpu
    with pytest.raises(duomap.DeviceUnavailable, match="whole has no code for GPUs: functions over words and lines"):
        duomap.run(whole, b"a b", device="gpu")
    if NO_GPU:
        assert by_group.without_gpu == NO_GPU
        with pytest.raises(duomap.DeviceUnavailable, match="by_group has no code for GPUs: "):
            duomap.run(by_group, pairs, device="cpu+gpu")


def test_what_is_missing_is_said(monkeypatch):
    from duomap import _function_task

    monkeypatch.setattr(_core, "toolkit_version", 13000)
    monkeypatch.setattr(_core, "gpu_capabilities", lambda: [(9, 0)])
    monkeypatch.setattr(_function_task, "_is_installed", lambda name: name != "cuda.bindings.nvjitlink")
    assert by_group._gpu_obstacle() == "the package of cuda.bindings.nvjitlink is missing; pip install numba-cuda[cu13]"
    monkeypatch.setattr(_function_task, "_is_installed", lambda name: True)
    assert by_group._gpu_obstacle() == ""


@pytest.mark.parametrize("key", ["i4", "dense", None])
def test_a_function_is_linked_for_a_gpu_that_need_not_be_there(key, monkeypatch):
    from duomap._function_task import _is_installed

    if not (_is_installed("numba.cuda") and _is_installed("cuda.bindings.nvjitlink")):
        pytest.skip("the packages of duomap[cuda] are not installed")
    from duomap import _link

    if not _link.kernels().exists():
        pytest.skip("this duomap was built without GPU code")
    from duomap._gpu_function import ltoir

    if NO_GPU:
        from types import SimpleNamespace

        from numba.cuda import dispatcher

        monkeypatch.setattr(dispatcher, "get_current_device", lambda: SimpleNamespace(compute_capability=(9, 0)))

    def some(row, emit):
        for i in range(len(row)):
            if row[i] > 0:
                emit(row[i]) if key is None else emit(int(i), row[i])

    def value(row):
        return row[0]

    code = ltoir(value if key is None else some, numpy.dtype("f4"), 3, key, "f8", (9, 0))
    cubin = _link.linked("some", code, "none" if key is None else "dense" if key == "dense" else "hashed", (9, 0))
    assert cubin[:4] == b"\x7fELF"
    monkeypatch.setattr(_link, "_link", None)
    assert _link.linked("some", code, "none" if key is None else "dense" if key == "dense" else "hashed", (9, 0)) == cubin
    with pytest.raises(duomap.CompileError, match="does not compile for GPUs"):
        ltoir(lambda row: row.nothing, numpy.dtype("f4"), 3, None, "f8", (9, 0))


@needs_gpu
@pytest.mark.parametrize("operation", ["sum", "minimum", "maximum"])
@pytest.mark.parametrize("value", ["i8", "u8", "f8"])
@pytest.mark.parametrize("key", ["i4", duomap.dense(70), None])
def test_all_types(random, operation, value, key):
    rows = random.integers(0, 64, (200_000, 3)).astype("i4")
    if key == "i4":
        rows[:, 0] -= 30
    reduce = getattr(duomap, operation)(value)
    if key is None:

        @duomap.task(format=duomap.rows("i4", 3), key=None, reduce=reduce)
        def one(row):
            return row[1] + row[-1]
    else:

        @duomap.task(format=duomap.rows("i4", 3), key=key, reduce=reduce)
        def one(row):
            return None if row[1] == 7 else (row[0], row[2])

    same_on_both(one, rows)


@needs_gpu
def test_several_emits_of_a_row(pairs):
    for key in ("u8", duomap.dense(60)):

        @duomap.task(format=PAIRS, key=key, reduce=duomap.sum("i8"))
        def several(row, emit):
            for i in range(int(row[1])):
                emit(int(row[0]) + i, i)
            if row[0] > row[1]:
                emit(0, 1)

        same_on_both(several, pairs)


@needs_gpu
@pytest.mark.parametrize("key", ["u8", duomap.dense(3_000_000), duomap.dense(40_000)])
def test_many_keys(random, key):
    count = 40_000 if key != "u8" and key.count == 40_000 else 3_000_000
    rows = random.integers(0, count, (2_000_000, 1)).astype("u4")

    @duomap.task(format=duomap.rows("u4", 1), key=key, reduce=duomap.sum("u8"))
    def count_of(row):
        return row[0], 1

    assert same_on_both(count_of, rows)["value"].sum() == len(rows)


@needs_gpu
@pytest.mark.parametrize("dtype", ["u1", "i2", "f8", "i8"])
def test_types_of_rows(random, dtype):
    rows = random.integers(0, 100, (50_000, 5)).astype(dtype)

    @duomap.task(format=duomap.rows(dtype, 5), key=duomap.dense(100), reduce=duomap.sum("i8"))
    def last(row):
        return int(row[4]), int(row[row.size - 2]) + row.shape[0]

    same_on_both(last, rows)


@needs_gpu
def test_what_fails_on_a_gpu_is_named_by_the_cpu(pairs):
    pairs[12_345, 0] = 50

    @duomap.task(format=PAIRS, key=duomap.dense(50), reduce=duomap.sum("f8"))
    def too_large(row):
        return int(row[0]), row[1]

    @duomap.task(format=PAIRS, key="i8", reduce=duomap.sum("f8"))
    def behind(row):
        return 0, row[int(row[0]) // 25]

    for task, says in ((too_large, "the key 50"), (behind, "row 12345")):
        with pytest.raises(duomap.MapFailed, match=says):
            duomap.run(task, pairs, device="gpu")


@needs_gpu
def test_cpu_and_gpu_together_and_auto_afterwards(pairs, tmp_path):
    @duomap.task(format=PAIRS, key=duomap.dense(50), reduce=duomap.sum("i8"))
    def counted(row):
        return int(row[0]), 1

    rows = numpy.tile(pairs, (40, 1))
    expected = duomap.run(counted, rows, device="cpu").rows()
    assert 'device="gpu"' in duomap.run(counted, rows).report.explain()
    assert duomap.run(counted, rows, device="cpu+gpu").rows() == expected
    assert counted.without_gpu == ""
    assert duomap.run(counted, rows).rows() == expected
    pairs.tofile(tmp_path / "pairs.bin")
    assert duomap.run(counted, tmp_path / "pairs.bin", device="gpu").rows() == duomap.run(counted, pairs, device="cpu").rows()


def test_a_numba_cuda_that_does_not_start_is_named(pairs, monkeypatch):
    @duomap.task(format=PAIRS, key="u4", reduce=duomap.sum("f8"))
    def fresh(row):
        return numpy.uint32(row[0]), row[1]

    monkeypatch.setattr(type(fresh), "_gpu_obstacle", lambda task: "")
    monkeypatch.setitem(sys.modules, "duomap._gpu_function", None)
    with pytest.raises(duomap.DeviceUnavailable, match="fresh has no code for GPUs: numba-cuda does not start here: Mod"):
        duomap.run(fresh, pairs, device="gpu")


@needs_gpu
def test_verify_compares(pairs):
    laws = {one.law: one for one in duomap.verify(by_group, pairs)}
    assert laws["same on CPU and GPU"].holds and laws["same on CPU and GPU"].trials == 50


@needs_gpu
def test_what_is_linked_is_kept(tmp_path, monkeypatch):
    script = tmp_path / "script.py"
    script.write_text(
        "import duomap, numpy\n"
        "@duomap.task(format=duomap.rows('i4', 1), key=duomap.dense(3), reduce=duomap.sum('i8'))\n"
        "def one(row):\n    return row[0], 1\n"
        "print(duomap.run(one, numpy.array([[1], [2], [1]], 'i4'), device='gpu').rows())\n"
    )
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("PYTHONHASHSEED", "0")  # the hash seed decides the order of numba-cuda's functions
    for _ in range(2):
        said = subprocess.run([sys.executable, script], capture_output=True, text=True, env=os.environ)
        assert said.stdout.strip() == "[(1, 2), (2, 1)]", said.stderr
    assert len(list((tmp_path / "duomap/tasks").glob("*/product"))) == 1
