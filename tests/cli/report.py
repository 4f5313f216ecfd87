"""Tests --report: one file holds the run's numbers. A path that cannot be written is refused before
the work, and the run is otherwise the same."""

import json
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness

DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.DOTALL)
SPAN_NUMBERS = 6
MOST_BYTES = 600_000


class Report(harness.ProgramTest):
    def data_of(self, name="r.html"):
        return json.loads(DATA.search((self.folder / name).read_text("utf-8"))[1])

    def test_it_holds_the_numbers_of_the_summary(self):
        self.write("t.txt", harness.MANY_WORDS * 8)
        plain = self.count("--sort", "key", "t.txt")
        ended = self.count("--sort", "key", "--report", "r.html", "--json", "--summary", "s.json", "t.txt")
        self.assertEqual(ended.out, plain.out)
        self.assertEqual(self.names(), ["r.html", "s.json", "t.txt"])
        data = self.data_of()
        summary = json.loads((self.folder / "s.json").read_text())
        self.assertEqual(data["summary"], summary)
        self.assertEqual(json.loads(ended.err.splitlines()[-1]), summary)
        self.assertEqual(data["command"], "duomap run wordcount --sort key --report r.html --json --summary s.json t.txt")
        self.assertTrue(any(line.startswith("cpu: ") for line in data["explained"]), data["explained"])
        # A worker's lane has mapped every unit once. A span of joined events has the name of its
        # longest kind, which may not be the map.
        lanes = data["timeline"]["lanes"]
        self.assertIn("map", data["timeline"]["kinds"])
        spans = [one["spans"][i:i + SPAN_NUMBERS] for one in lanes for i in range(0, len(one["spans"]), SPAN_NUMBERS)]
        self.assertEqual(sum(span[5] for span in spans), summary["units"])
        self.assertEqual(sum(span[4] for span in spans), data["timeline"]["events"])
        self.assertLess(abs(sum(map(sum, data["speed"]["units"])) - summary["units"]), 160)
        self.assertTrue(all(one["name"].startswith("cpu") for one in lanes), lanes)

    def test_one_file_of_text_without_other_places(self):
        self.write("t.txt", b"a b a")
        self.count("--report", "r.html", "t.txt")
        page = (self.folder / "r.html").read_bytes()
        self.assertLess(len(page), MOST_BYTES)
        page.decode("utf-8")
        self.assertNotRegex(page, rb"(?:src|href)=")
        self.assertIn(b"default-src 'none'", page)

    def test_names_stay_text(self):
        evil = b"</script><script>alert(1)</script>\xff\x01"
        self.write(os.fsdecode(evil), b"a b")
        self.count("--report", "r.html", os.fsdecode(evil))
        page = (self.folder / "r.html").read_text("utf-8")
        self.assertNotIn("<script>alert", page)
        self.assertIn("</script><script>alert(1)</script>\ufffd\x01", self.data_of()["command"])

    def test_every_application_takes_it(self):
        self.write("p.csv", b"1,2\n3,4\n9,9\n8,8\n")
        ended = self.run_program("run", "kmeans", "--k", "2", "--report", "k.html", "p.csv")
        self.assertEqual(ended.status, 0, ended.err)
        data = self.data_of("k.html")
        self.assertEqual(data["summary"]["task"], "kmeans")
        self.assert_lanes_of_steps(data, {"merge", "k-means"})
        self.assertEqual(data["explained"][0].split()[1], "steps")
        self.write("rows", b"1 1:1\n2 1:9\n" * 200)
        for arguments in (("svmtrain", "rows", "model"), ("svmtrain", "--method", "second-order", "rows", "model"),
                          ("svmclassify", "rows", "model")):
            ended = self.run_program("run", arguments[0], "--report", "v.html", *arguments[1:])
            self.assertEqual(ended.status, 0, ended.err)
            self.assert_lanes_of_steps(self.data_of("v.html"), set())
        for line in self.run_program("list").out.decode().splitlines():
            help_text = self.run_program("run", line.split()[0], "--help").out
            self.assertIn(b"--report FILE", help_text, line)

    def assert_lanes_of_steps(self, data, others):
        """Checks that lanes belong to workers, which have mapped something, or are in `others`."""
        names = {one["name"] for one in data["timeline"]["lanes"]}
        self.assertLessEqual(others, names)
        self.assertTrue(all(name.startswith("cpu") for name in names - others), names)
        self.assertGreater(sum(map(sum, data["speed"]["units"])), 0)
        executor, = data["summary"]["executors"]
        self.assertEqual(executor["units"], data["summary"]["units"])

    def test_passes_of_one_job_follow_one_another(self):
        line = '10.0.0.%d - - [10/Oct/2000:13:55:36 -0700] "GET /%d HTTP/1.0" 200 2326\n'
        self.write("log", "".join(line % (i % 200, i % 50) for i in range(20_000)).encode())
        ended = self.run_program("run", "pageviewrank", "--report", "p.html", "log")
        self.assertEqual(ended.status, 0, ended.err)
        data = self.data_of("p.html")
        # The rank is a second pass after the count.
        self.assertGreater(data["timeline"]["seconds"], data["summary"]["map_seconds"] + data["summary"]["merge_seconds"])

    def test_bad_targets_are_refused_before_the_work(self):
        # The FIFO has no writer, so a program that opened it would wait for ever.
        os.mkfifo(self.folder / "fifo")
        for target, status, reason in (("-", 2, "standard output is for the result"),
                                       ("/dev/stdout", 2, "standard output is for the result"),
                                       ("", 2, "needs the name of a file"), (".", 1, "directory"),
                                       ("missing/r.html", 1, "directory does not exist")):
            with self.subTest(target=target):
                self.assert_failed(self.word_count("--report", target, "fifo"), status, reason)
        for other in ("--output", "--summary", "--trace"):
            with self.subTest(other=other):
                self.assert_failed(self.word_count("--report", "x", other, "x", "fifo"), 2, "give two files")
        self.assertEqual(self.names(), ["fifo"])

    def test_a_failed_run_leaves_the_old_report(self):
        self.write("r.html", b"old")
        self.assert_failed(self.word_count("--report", "r.html", "missing.txt"), 5, "missing.txt")
        self.assertEqual((self.folder / "r.html").read_bytes(), b"old")
        self.assertEqual(self.names(), ["r.html"])


if __name__ == "__main__":
    harness.main()
