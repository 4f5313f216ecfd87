"""Tests `duomap bench scheduling` on tiny inputs: its tables without a GPU, and bad options."""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tests/support"))
import cli_harness as harness


class BenchScheduling(harness.ProgramTest):
    def bench(self, *arguments):
        return self.run_program("bench", "scheduling", *arguments, env=self.environment(TMPDIR=str(self.folder)))

    def test_on_the_cpu(self):
        ended = self.bench("--largest", "70000", "--parts", "overhead,plain", "--least-rounds", "1",
                           "--most-rounds", "1", "--export-markdown", "t.md", "--export-json", "t.json")
        if "torture build" in ended.err:
            self.skipTest("a torture build measures nothing")
        self.assertEqual(ended.status, 0, ended.err)
        self.assertEqual(self.names(), ["t.json", "t.md"])  # nothing is left of what it made
        self.assertEqual((self.folder / "t.md").read_bytes(), ended.out)
        self.assertIn(b"against plain oneTBB", ended.out)
        tables = {table["name"]: table for table in json.loads((self.folder / "t.json").read_text())["tables"]}
        self.assertEqual(sorted(tables), ["scheduling-overhead", "scheduling-plain", "scheduling-short"])
        rows = tables["scheduling-plain"]["rows"]
        self.assertEqual(sorted({row["work"]["amount"] for row in rows}), [65536, 70000])
        self.assertEqual(len({row["workload"] for row in rows}), 8)  # four tasks
        for row in rows:
            self.assertGreater(row["speed_up"], 0)
            self.assertTrue(row["checked"])

    def test_a_text(self):
        text = self.write("book.txt", b"to be or not to be " * 5000)
        ended = self.bench("--least-rounds", "1", "--most-rounds", "1", "--largest", "65536", "--parts", "plain",
                           "--tasks", "wordcount", text)
        if "torture build" in ended.err:
            self.skipTest("a torture build measures nothing")
        self.assertEqual(ended.status, 0, ended.err)
        self.assertIn("Text: book.txt", ended.out.decode())
        self.assertIn(b"word count, 64 KiB", ended.out)
        self.assertEqual(self.names(), ["book.txt"])

    def test_bad_values(self):
        for option in ("--tasks=sort", "--parts=all", "--largest=1", "--least-rounds=0"):
            with self.subTest(option=option):
                self.assert_failed(self.bench(option), 2, option.split("=")[0])


if __name__ == "__main__":
    harness.main()
