"""Tests --device: asking for a missing device is an error; auto gives the reason for its choice."""

import glob
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness


HAS_GPU = bool(glob.glob("/dev/nvidia[0-9]*"))


class Device(harness.ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("t.txt", b"a b a\n")

    def test_cpu(self):
        self.assertEqual(self.count("--device", "cpu", "--sort", "key", "t.txt").out, b"a\t2\nb\t1\n")

    def test_auto_gives_the_same(self):
        self.assertEqual(self.count("--device", "auto", "--sort", "key", "t.txt").out, b"a\t2\nb\t1\n")

    @harness.unittest.skipIf(HAS_GPU, "this machine has a GPU")
    def test_gpu_without_a_gpu(self):
        for device in ("gpu", "cpu+gpu"):
            with self.subTest(device=device):
                ended = self.word_count("--device", device, "--output", "result", "t.txt")
                self.assert_failed(ended, 3, "GPU")
                self.assertEqual(self.names(), ["t.txt"])

    @harness.unittest.skipIf(HAS_GPU, "this machine has a GPU")
    def test_a_share_without_a_gpu(self):
        ended = self.word_count("--share", "gpu=0.8", "--output", "result", "t.txt")
        self.assert_failed(ended, 3, "GPUs were given a share, and none takes part: ", "leave out the share (--share)")
        self.write("points.csv", b"1,2\n3,4\n")
        ended = self.run_program("run", "kmeans", "--k", "2", "--share", "gpu=0.8", "points.csv")
        self.assert_failed(ended, 3, "GPUs were given a share, and none takes part: ")
        ended = self.word_count("--share", "gpu=0.8", "--device", "cpu", "t.txt")
        self.assert_failed(ended, 2, "GPUs were given a share, and take no part in this run")
        self.assertEqual(self.count("--share", "gpu=0", "--sort", "key", "t.txt").out, b"a\t2\nb\t1\n")
        self.assertEqual(self.names(), ["points.csv", "t.txt"])

    def test_a_split_that_there_is_not(self):
        ended = self.word_count("--share", "mars", "--output", "result", "t.txt")
        self.assert_failed(ended, 2, "the share is 'mars'; give one of auto, gpu=SHARE")
        self.assertEqual(self.names(), ["t.txt"])

    @harness.unittest.skipIf(HAS_GPU, "this machine has a GPU")
    def test_auto_says_why_once(self):
        notes = json.loads(self.count("--json", "t.txt").err.splitlines()[-1])["notes"]
        self.assertEqual(len([note for note in notes if "GPU" in note]), 1, notes)
        said = self.count("t.txt").err.splitlines()
        self.assertEqual(len([line for line in said if "GPU" in line]), 1, said)

    def test_gpus_that_may_take_part(self):
        self.assertEqual(self.count("--gpus", "0,1", "--sort", "key", "t.txt").out, b"a\t2\nb\t1\n")

    @harness.unittest.skipIf(HAS_GPU, "this machine has a GPU")
    def test_gpus_demanded_without_a_gpu(self):
        self.assert_failed(self.word_count("--device", "gpu", "--gpus", "0", "--output", "result", "t.txt"), 3, "GPU")

    def test_engine(self):
        for engine in ("auto", "hash"):
            self.assertEqual(self.count("--gpu-engine", engine, "--sort", "key", "t.txt").out, b"a\t2\nb\t1\n")

    def test_engine_that_cannot_run_the_task(self):
        ended = self.word_count("--gpu-engine", "dense", "--output", "result", "t.txt")
        self.assert_failed(ended, 2, "the engine dense cannot run this task", "hash")
        self.assertEqual(self.names(), ["t.txt"])

    def test_threads(self):
        for threads in (1, 2, 7):
            self.assertEqual(self.count("--threads", threads, "--sort", "key", "t.txt").out, b"a\t2\nb\t1\n")


if __name__ == "__main__":
    harness.main()
