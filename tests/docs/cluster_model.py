"""Tests the model of many machines: one machine takes the measured times, and its parts add up."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench/results"))
import cluster_model as model
from saved import row


class ClusterModel(unittest.TestCase):
    def test_one_machine_takes_what_was_measured(self):
        words = row("wordcount-h200", "wordcount-gpu", program="duomap, file kept open", device="gpu")
        self.assertAlmostEqual(model.WordCount(12_619_996_214, 1, gpus=1).map / words.seconds, 1, 2)
        points = row("kmeans-h200", "kmeans-gpu-step", workload="16,777,216 x 32, k 20", program="duomap", device="gpu")
        self.assertAlmostEqual(model.KMeans(16_777_216, 1, gpus=1).seconds, points.seconds)

    def test_one_machine_moves_and_schedules_nothing(self):
        words = model.WordCount(1e12, 1)
        self.assertEqual((words.engine, words.tree, words.by_keys), (0, 0, 0))
        self.assertEqual(model.KMeans(1e9, 1).seconds, model.KMeans(1e9, 1).map)

    def test_vocabulary_is_what_was_counted(self):
        partial = model.WordCount(1, 1).partial(19_999_993)
        self.assertAlmostEqual(partial / model.constant("bytes of a partial for each word"), 58_732, 3)

    def test_work_is_divided(self):
        for machines in (10, 100):
            one, more = model.WordCount(1e14, machines), model.WordCount(1e14, 10 * machines)
            self.assertAlmostEqual(one.map, 10 * more.map)
            self.assertAlmostEqual(one.read, 10 * more.read)
        # Twice the text on twice the machines, with a fixed vocabulary, gives equal partials.
        plain = [model.WordCount(text, machines, grows=False) for text, machines in ((1e12, 100), (2e12, 200))]
        self.assertAlmostEqual(*(job.by_keys for job in plain))

    def test_tasks_of_a_tree(self):
        self.assertEqual([model.tasks(parts) for parts in (1, 2, 8, 9, 64)], [1, 3, 9, 12, 73])

    def test_the_page(self):
        page = (ROOT / "docs/concepts/many-machines.md").read_text()
        self.assertEqual(page, model.page() + "\n", "python3 bench/results/cluster_model.py > docs/concepts/many-machines.md")


if __name__ == "__main__":
    unittest.main()
