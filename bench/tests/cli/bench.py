"""Tests `duomap bench`: its tables, saved runs, comparisons and pages. Judges no time."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tests/support"))
import cli_harness as harness

TINY = ("--bytes", "20000", "--rounds", "3")


def saved_run(seconds):
    """A saved run, as if another machine had measured it."""
    row = {"workload": "a text", "device": "cpu", "threads": 1, "checked": True}
    return {
        "duomap_bench": 1, "date": "2026-11-21T00:00:00Z", "command": "duomap bench wordcount",
        "machine": {"cpu": "a <processor>", "cores": 1000}, "build": {"version": "0.0.1"},
        "tables": [{
            "name": "wordcount", "title": "Words & more", "plot": "bars", "plotted": "seconds",
            "rows": [{**row, "program": "duomap <1>", "seconds": seconds},
                     {**row, "program": "grep", "not_measured": "not installed"}],
        }],
    }


class Bench(harness.ProgramTest):
    def bench(self, *arguments):
        ended = self.run_program("bench", *arguments, env=self.environment(TMPDIR=str(self.folder)))
        if "torture build" in ended.err:
            self.skipTest("a torture build measures nothing")
        return ended

    def done(self, *arguments):
        ended = self.bench(*arguments)
        self.assertEqual(ended.status, 0, ended.err)
        return ended.out.decode()

    def save(self, name, run):
        return self.write(name, json.dumps(run).encode())

    def test_alone_it_lists_what_there_is(self):
        lines = self.done().splitlines()
        for name in ("wordcount ", "knn ", "scheduling "):
            self.assertTrue(any(line.startswith(name) for line in lines), lines)

    def test_several_are_measured_saved_and_shown_again(self):
        self.write("page.html", b'<a href="there">x</a>\n' * 100)
        out = self.done("wordcount", *TINY, "invertedindex", "page.html", "--bytes", "1", "--rounds", "1",
                        "--export-json", "run.json", "--export-markdown", "run.md", "--report", "run.html")
        self.assertEqual(self.names(), ["page.html", "run.html", "run.json", "run.md"])  # nothing is left of what was made
        self.assertEqual((self.folder / "run.md").read_text(), out)
        page = (self.folder / "run.html").read_text("utf-8")
        self.assertEqual(page.count("<section>"), 2)
        self.assertLess(len(page), 600_000)
        run = json.loads((self.folder / "run.json").read_text())
        self.assertEqual([table["name"] for table in run["tables"]], ["wordcount", "invertedindex"])
        self.assertIn("wordcount --bytes 20000", run["command"])
        self.assertGreater(run["machine"]["cores"], 0)
        for row in run["tables"][0]["rows"]:
            self.assertEqual((len(row["seconds"]), row["checked"]), (3, True))
            self.assertGreater(row["speed_up"], 0)
            self.assertIn("| " + row["program"] + " |", out)
        self.assertEqual(self.done("--from", "run.json"), out)
        self.assertIn("within noise", self.done("--from", "run.json", "--compare", "run.json"))

    def test_quick(self):
        self.done("wordcount", "--bytes", "200000", "--rounds", "9", "--quick", "--export-json", "run.json")
        run = json.loads((self.folder / "run.json").read_text())
        self.assertTrue(run["quick"])
        self.assertEqual(len(run["tables"][0]["rows"][0]["seconds"]), 3)
        self.assertLess(run["tables"][0]["rows"][0]["work"]["amount"], 2e6)

    def test_without_a_gpu_of_several_one_row_says_so(self):
        if "without CUDA" not in self.run_program("doctor").out.decode():
            self.skipTest("this build has CUDA")
        for name in ("dense", "gpus"):
            self.assert_failed(self.bench(name), 3, "CUDA")
        out = self.done("dense", "wordcount", *TINY)
        self.assertRegex(out, r"\| duomap \|.*not measured: .*CUDA")
        self.assertIn("Word count", out)

    def test_comparing(self):
        self.save("old.json", saved_run([2.0, 2.01, 2.02]))
        self.save("new.json", {**saved_run([1.0, 1.01, 1.02]), "machine": {"cpu": "a <processor>", "cores": 2}})
        out = self.done("--from", "new.json", "--compare", "old.json")
        self.assertIn("cores: 1000 before, 2 now", out)
        self.assertIn("| 0.502 | **faster** |", out)
        self.assertIn("**slower**", self.done("--from", "old.json", "--compare", "new.json"))
        out = self.done("wordcount", *TINY, "--compare", "old.json")
        self.assertIn("Only before: wordcount: a text, duomap <1>", out)
        self.assertIn("Only now: wordcount: ", out)

    def test_pages(self):
        self.save("one.json", saved_run([2.0, 2.01, 2.02]))
        self.save("two.json", saved_run([1.0]))
        arguments = ("--from", "one.json", "--from", "two.json", "--docs", "docs")
        self.assertEqual(self.done(*arguments), "")
        files = sorted(path.relative_to(self.folder).as_posix() for path in (self.folder / "docs").rglob("*.*"))
        self.assertEqual(files, ["docs/one-1-wordcount.md", "docs/one-1-wordcount.svg", "docs/two-1-wordcount.md",
                                 "docs/two-1-wordcount.svg"])
        written = [(self.folder / file).read_bytes() for file in files]
        for text in written[::2]:
            self.assertEqual(text.decode().count("| duomap <1> |"), 1)
            self.assertEqual(text.decode().count("not measured: not installed"), 1)
        for text in written[1::2]:
            root = xml.etree.ElementTree.fromstring(text)
            shown = ["".join(element.itertext()) for element in root.iter("{http://www.w3.org/2000/svg}text")]
            self.assertIn("duomap <1>", shown)
            self.assertIn("Words & more", shown)
        self.done(*arguments)
        self.assertEqual([(self.folder / file).read_bytes() for file in files], written)

    def test_the_pages_of_this_tree_are_those_of_its_saved_runs(self):
        root = pathlib.Path(__file__).resolve().parents[3]
        runs = sorted((root / "bench" / "results" / "runs").glob("*.json"))
        self.done(*(part for run in runs for part in ("--from", run)), "--docs", "parts")
        made = subprocess.run([sys.executable, root / "bench" / "results" / "make_pages.py", self.folder / "parts", self.folder],
                              capture_output=True, text=True, check=False)
        self.assertEqual(made.returncode, 0, made.stderr)

        def pages(folder):
            return {path.relative_to(folder): path.read_text()
                    for path in (folder / "README.md", *(folder / "docs" / "results").rglob("*.*"))}
        kept, now = pages(root), pages(self.folder)
        self.assertEqual(sorted(now), sorted(kept), "run ./dev docs")
        for path, text in now.items():
            self.assertEqual(text, kept[path], f"{path}: run ./dev docs")

    def test_an_interrupt_leaves_nothing(self):
        # The rounds would take minutes. Like a terminal, the test interrupts the whole process group.
        process = self.start("bench", "wordcount", "--bytes", "2000000", "--rounds", "1000", "--export-json", "run.json",
                             env=self.environment(TMPDIR=str(self.folder)), start_new_session=True)
        first = process.stderr.readline()
        if b"torture build" in first:
            self.finish(process)
            self.skipTest("a torture build measures nothing")
        self.assertIn(b"preparing", first)
        self.assertIn(b"running", process.stderr.readline())
        os.killpg(process.pid, signal.SIGINT)
        ended = self.finish(process)
        self.assert_failed(ended, 130, "interrupted")
        self.assertEqual((ended.out, self.names()), (b"", []))

    def test_what_is_refused(self):
        self.assert_failed(self.bench("sorting"), 2, "sorting", "wordcount")
        self.assert_failed(self.bench("--docs", "docs"), 2, "--from")
        self.assert_failed(self.bench("--export-json", "x"), 2, "duomap bench")
        self.save("one.json", saved_run([1.0]))
        self.assert_failed(self.bench("wordcount", "--from", "one.json"), 2, "--from")
        self.assert_failed(self.bench("--from", "one.json", "wordcount"), 2, "--from")
        self.assert_failed(self.bench("--from", "missing.json"), 5, "missing.json")
        self.write("bad.json", b'{"duomap_bench": 1, "tables": 3}')
        self.assert_failed(self.bench("--from", "bad.json"), 5, "bad.json", "--export-json")
        self.assert_failed(self.bench("wordcount", "--compare", "bad.json"), 5, "bad.json")
        self.assert_failed(self.bench("wordcount", *TINY, "--export-json", "no/folder"), 1, "no/folder")
        self.assertEqual(self.names(), ["bad.json", "one.json"])


if __name__ == "__main__":
    harness.main()
