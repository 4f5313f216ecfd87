"""duomap in a long-lived process: signals, threads, progress, forks."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time

import numpy
import pytest

import duomap


@pytest.fixture(scope="module")
def points():
    return numpy.random.default_rng(0).normal(size=(200_000, 16)).astype("f4")


def long_run(points, **options):
    return duomap.kmeans(points, 200, max_iter=10**6, tol=0, **options)


def test_an_interrupt_ends_a_run_and_leaves_duomap_usable(points):
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell makes background programs ignore SIGINT
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        long_run(points)
    assert len(duomap.kmeans(points[:1000], 5).centers) == 5


def test_other_threads_go_on_during_a_run(points):
    turns = 0
    stop = threading.Event()

    def count():
        nonlocal turns
        while not stop.is_set():
            turns += 1
            time.sleep(0.001)

    def cancel_when_counted(done, total):
        if turns >= 20:
            raise StopIteration

    other = threading.Thread(target=count)
    other.start()
    with pytest.raises(StopIteration):
        long_run(points, progress=cancel_when_counted)
    stop.set()
    other.join()


def test_several_threads_run_at_once(points):
    expected = duomap.kmeans(points[:20_000], 10, seed=3).inertia
    found = []

    def run(i):
        if i % 2 == 0:
            found.append(duomap.kmeans(points[:20_000], 10, seed=3).inertia == expected)
        else:
            found.append(duomap.wordcount(b"a b a " * 100_000).top(1).rows() == [("a", 200_000)])

    threads = [threading.Thread(target=run, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 8


def test_progress_comes_from_the_calling_thread_only(book):
    seen = []
    caller = threading.get_ident()
    duomap.wordcount(book[0], progress=lambda done, total: seen.append((threading.get_ident(), done, total)))
    assert {thread for thread, _, _ in seen} == {caller}
    assert seen[-1][1:] == (len(book[1]), len(book[1]))


def test_kmeans_and_svm_tell_their_progress(points):
    seen = []
    caller = threading.get_ident()

    def tell(done, total):
        assert threading.get_ident() == caller
        seen.append((done, total))

    found = duomap.kmeans(points, 20, tol=0, max_iter=40, labels=False, progress=tell)
    done, total = seen[-1]
    # A last pass after the iterations computes sizes and inertia.
    assert done == total and done // points.nbytes in (found.iterations, found.iterations + 1) and done % points.nbytes == 0
    # The number of iterations is not known in advance.
    assert {total for done, total in seen[:-1]} <= {0, done}
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)

    seen.clear()
    rows, labels = points[:300], numpy.arange(300) % 3
    duomap.svmtrain(rows, labels, progress=tell)
    assert seen[-1] == (2 * rows.nbytes, 2 * rows.nbytes)  # three classes: each row takes part in two pairs


def test_what_is_done_is_never_more_than_all():
    # The run has two stages: it counts words, then it compares vectors.
    seen = []
    texts = {str(i): b"the word%d" % i * 5000 for i in range(20)}
    duomap.similarity(texts, words=True, progress=lambda done, total: seen.append((done, total)))
    assert all(done <= total for done, total in seen if total) and seen[-1][0] == seen[-1][1] > 0


def test_kmeans_tells_its_progress_while_it_runs(points):
    def cancel(done, total):
        if done > 2 * points.nbytes:
            raise StopIteration(total)

    with pytest.raises(StopIteration) as ended:
        long_run(points, progress=cancel)
    assert ended.value.value == 0


def test_a_signal_is_noted_before_the_next_progress(points):
    signal.signal(signal.SIGINT, signal.default_int_handler)
    calls, before = [], []

    def send():
        before.append(len(calls))
        os.kill(os.getpid(), signal.SIGINT)

    def tell(done, total):
        calls.append(done)
        if len(calls) == 3:
            threading.Thread(target=send).start()

    with pytest.raises(KeyboardInterrupt):
        long_run(points, progress=tell)
    # The signal is handled within 50 ms, so at most one more call was made.
    assert len(calls) - before[0] <= 1


def test_an_error_of_the_callback_ends_the_run(points):
    def refuse(done, total):
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        long_run(points, progress=refuse)


def test_a_bar_of_tqdm(book, capsys):
    pytest.importorskip("tqdm")
    duomap.wordcount(book[0], progress=True)
    assert "100%" in capsys.readouterr().err


def count_words(queue):
    try:
        queue.put(len(duomap.wordcount(b"a b")))
    except duomap.ForkedProcess as problem:
        queue.put(str(problem))


def test_a_fork_is_explained():
    script = (
        "import os, duomap\n"
        "if {ran}: duomap.wordcount(b'a')\n"
        "if os.fork() == 0:\n"
        "    try: print(len(duomap.wordcount(b'a b')), flush=True)\n"
        "    except duomap.ForkedProcess as problem: print(problem, flush=True)\n"
        "    os._exit(0)\n"
        "os.wait()\n"
    )
    for ran, said in [(True, "spawn"), (False, "2")]:
        done = subprocess.run([sys.executable, "-c", script.format(ran=ran)], capture_output=True, text=True, timeout=60)
        assert said in done.stdout, done


def test_processes_that_are_spawned_run():
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    process = context.Process(target=count_words, args=(queue,))
    process.start()
    assert queue.get(timeout=60) == 2
    process.join()
