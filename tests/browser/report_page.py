"""Tests a run's report in a real browser (Debian's Chromium, by Playwright): opened from a file
without network, it shows the summary's numbers, zooms, searches, passes axe-core, and runs no
script from a name. Screenshots go to $DUOMAP_SCREENSHOTS. `./dev report-test` runs this test."""

import json
import os
import pathlib
import re
import shutil
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness

CHROMIUM = shutil.which("chromium")
if CHROMIUM is None:
    print("skipped: there is no chromium; ./dev setup browser installs it")
    sys.exit(harness.SKIPPED)

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

SCREENSHOTS = pathlib.Path(os.environ.get("DUOMAP_SCREENSHOTS", "build/report-test"))
# This script must not run. As a file name, its "/" makes it a folder and a file.
EVIL = "</script><script>window.hacked=1</script>"
NAMES = [EVIL, "<!--<script>", "<img src=x onerror=window.hacked=1>", "\"'`\\", "\u2028\u202e\x01", "{{data}}"]
DATA = re.compile(r'(<script type="application/json" id="data">)(.*?)(</script>)', re.DOTALL)
OPENS_IN_SECONDS = 2


def data_of(page):
    return json.loads(DATA.search(page)[2])


def with_data(page, data):
    text = json.dumps(data).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    return DATA.sub(lambda found: found[1] + text + found[3], page)


def mixed_timeline(data, events):
    """Data like that of a run of 16 workers and a GPU with `events` events; made without a GPU."""
    lanes = [f"cpu worker {i}" for i in range(16)] + ["gpu 0: A", "gpu 0: A copies", "gpu 0: A kernels"]
    kinds = ["map", "wait", "submit", "copy", "commit", "finish", "start"]
    each = events // len(lanes)
    data["timeline"] = {"seconds": each * 1e-4 + 0.001, "events": each * len(lanes), "kinds": kinds, "lanes": [
        {"name": name, "spans": [number for i in range(each)
                                 for number in (i % 7 if lane == 16 else 3 if lane == 17 else 0 if i % 9 else 1,
                                                100 if i else 0, 60 + (i * 7 + lane) % 37, 60, 1, 1 << 20)]}
        for lane, name in enumerate(lanes)]}
    gpu = dict(data["summary"]["executors"][0], name="gpu 0: A", workers=1)
    data["summary"]["executors"] = [data["summary"]["executors"][0], gpu]
    data["summary"]["executors"][0]["units"] = data["summary"]["units"] * 18 // 100
    gpu["units"] = data["summary"]["units"] * 82 // 100
    data["speed"] = {"part_seconds": each * 1e-4 / 160,
                     "units": [[1000 + i % 13 for i in range(160)], [0] * 20 + [5000 - i % 17 for i in range(140)]]}
    data["has_account"] = True
    return data


def wait_until(tab, condition, argument=None):
    """Waits until a JavaScript expression or function is true, for 10 s at most.
    Playwright's wait_for_function() calls eval() if its first look fails, and the page's policy
    forbids eval()."""
    for _ in range(200):
        if tab.evaluate(condition, argument):
            return
        tab.wait_for_timeout(50)
    raise AssertionError(f"not true after 10 s: {condition}")


class ReportPage(harness.ProgramTest):
    @classmethod
    def setUpClass(cls):
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        cls.driver = sync_playwright().start()
        # Chromium's sandbox does not start as root.
        cls.browser = cls.driver.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox"] if os.geteuid() == 0 else [])

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.driver.stop()

    def report(self, name="t.txt"):
        """The page and the JSON summary of a run."""
        self.write(name, b"the cat and the hat\n" * 400_000)
        self.count("--report", "r.html", "--summary", "s.json", "-o", "o.tsv", name)
        page = (self.folder / "r.html").read_text("utf-8")
        return page, json.loads((self.folder / "s.json").read_text("utf-8"))

    def open(self, page, scheme="light", width=1280, ready="html[data-ready]"):
        """Opens the page from a file. Checks at the end that it logged and loaded nothing else."""
        path = self.write("page.html", page.encode("utf-8"))
        context = self.browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900})
        self.addCleanup(context.close)
        tab = context.new_page()
        said, asked = [], []
        tab.on("console", lambda message: said.append(message.text))
        tab.on("pageerror", lambda problem: said.append(str(problem)))
        tab.on("request", lambda request: asked.append(request.url))
        began = time.monotonic()
        tab.goto(path.as_uri())
        tab.wait_for_selector(ready, timeout=10_000)
        tab.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
        self.seconds = time.monotonic() - began

        def check():
            self.assertEqual(said, [])
            self.assertEqual(asked, [path.as_uri()])
            self.assertIsNone(tab.evaluate("window.hacked ?? null"))

        self.addCleanup(check)  # runs before the context is closed
        return tab

    def view(self, tab):
        return tuple(float(tab.get_attribute("#timeline", "data-" + end)) for end in ("begin", "end"))

    def test_it_shows_the_numbers_of_the_summary(self):
        page, summary = self.report()
        tab = self.open(page)
        shown = dict(tab.eval_on_selector_all(
            "#numbers tr", "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"))
        for key in ("task", "units", "results", "sources", "duomap"):
            self.assertEqual(shown[key], str(summary[key]))
        for key in ("wall_seconds", "map_seconds", "merge_seconds", "units_per_second"):
            self.assertEqual(float(shown[key]), summary[key])
        executors = dict((row[0], row[1:]) for row in tab.eval_on_selector_all(
            "#executors tbody tr", "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"))
        self.assertEqual(executors["units"], [str(one["units"]) for one in summary["executors"]])
        self.assertIn("wordcount", tab.title())
        self.assertEqual(tab.inner_text("#command"), data_of(page)["command"])
        self.assertIn("100.0 %", tab.inner_text("#shares"))
        self.assertIn("no GPU used", tab.inner_text("#why"))
        self.assertEqual(sorted(tab.text_content("#preview").splitlines()),
                         ["and\t400000", "cat\t400000", "hat\t400000", "the\t800000"])

    def test_it_zooms_moves_and_is_read_by_the_keyboard(self):
        page, _ = self.report()
        tab = self.open(with_data(page, mixed_timeline(data_of(page), 4000)))
        whole = self.view(tab)
        # The page may be higher than the window, and the mouse reaches only what the window shows.
        tab.evaluate("() => document.querySelector('#timeline').scrollIntoView({block: 'center', behavior: 'instant'})")
        box = tab.locator("#timeline").bounding_box()
        tab.mouse.move(box["x"] + box["width"] * 0.7, box["y"] + 40)
        tab.mouse.wheel(0, -400)
        wait_until(tab, "whole => document.querySelector('#timeline').dataset.end - document.querySelector("
                        "'#timeline').dataset.begin < whole / 2", whole[1] - whole[0])
        zoomed = self.view(tab)
        self.assertGreater(zoomed[0], whole[0])
        tab.mouse.move(box["x"] + box["width"] * 0.7, box["y"] + 40)
        self.assertIn("cpu worker 0", tab.inner_text("#tip"))
        self.assertIn("B/s", tab.inner_text("#tip"))
        tab.mouse.down()
        tab.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + 40)
        tab.mouse.up()
        self.assertGreater(self.view(tab)[0], zoomed[0])
        tab.click("#all")
        self.assertEqual(self.view(tab), whole)
        tab.click("#in")
        self.assertAlmostEqual(self.view(tab)[1] - self.view(tab)[0], (whole[1] - whole[0]) / 2)
        tab.focus("#timeline")
        tab.keyboard.press("0")
        tab.keyboard.press("ArrowRight")
        first = tab.inner_text("#event")
        self.assertIn("cpu worker 0", first)
        self.assertIn("1.05 MB", first)
        tab.keyboard.press("ArrowRight")
        self.assertNotEqual(tab.inner_text("#event"), first)
        tab.keyboard.press("ArrowDown")
        self.assertIn("cpu worker 1", tab.inner_text("#event"))
        tab.keyboard.press("+")
        self.assertLess(self.view(tab)[1] - self.view(tab)[0], whole[1] - whole[0])
        tab.keyboard.press("End")
        self.assertEqual(self.view(tab)[1], whole[1])
        tab.keyboard.press("Escape")
        self.assertEqual(tab.inner_text("#event"), "")

    def test_it_says_why_the_parts_are_as_they_are(self):
        page, _ = self.report()
        data = mixed_timeline(data_of(page), 400)
        cpu, gpu = data["summary"]["executors"]
        cpu["seconds_per_unit"], gpu["seconds_per_unit"], gpu["start_seconds"] = 5e-9, 1e-9, 0.25
        why = self.open(with_data(page, data)).inner_text("#why")
        self.assertIn("cpu would do 16.7 %, and gpu 0: A would do 83.3 % of the input", why)
        self.assertIn("gpu 0: A took 250 ms to start", why)
        self.assertNotIn("Copies to", why)
        seconds = data["summary"]["map_seconds"]
        gpu["copy_seconds"], cpu["copy_seconds"], cpu["wait_seconds"] = 0.9 * seconds, 0, 0.5 * seconds * cpu["workers"]
        why = self.open(with_data(page, data)).inner_text("#why")
        self.assertIn("Copies to gpu 0: A took 90.0 % of the time: its link is the limit.", why)
        self.assertIn("Workers of cpu waited 50.0 % of the time", why)

    def test_it_searches(self):
        page, _ = self.report()
        data = mixed_timeline(data_of(page), 4000)
        spans = data["timeline"]["lanes"][17]["spans"]
        spans[2] = 5000  # one copy takes 5 ms
        tab = self.open(with_data(page, data))
        tab.fill("#search", "copies copy")
        self.assertEqual(tab.inner_text("#found"), f"{len(spans) // 6} spans")
        tab.fill("#search", "copy >2ms")
        self.assertEqual(tab.inner_text("#found"), "1 span")
        tab.press("#search", "Enter")
        self.assertEqual(tab.inner_text("#found"), "1 of 1")
        self.assertIn("gpu 0: A copies; copy; from 0 s, for 5.00 ms", tab.inner_text("#event"))
        tab.fill("#search", "nothing of the kind")
        self.assertEqual(tab.inner_text("#found"), "0 spans")

    def test_names_run_no_script(self):
        folders, _, name = EVIL.rpartition("/")
        page, _ = self.report(folders + "/" + name)
        self.assertIn(EVIL, data_of(page)["command"])
        tab = self.open(page)
        self.assertIn(EVIL, tab.inner_text("#command"))
        for name in NAMES:
            with self.subTest(name=name):
                data = mixed_timeline(data_of(page), 400)
                data["summary"].update(task=name, notes=[name])
                data["lines"] = data["explained"] = [name]
                data["preview"] = name
                data["machine"] = [[name, name]]
                data["timeline"]["kinds"][0] = name
                for one in data["summary"]["executors"] + data["timeline"]["lanes"]:
                    one["name"] = name
                tab = self.open(with_data(page, data))
                self.assertEqual(tab.text_content("#title"), "duomap: " + name)
                self.assertEqual(tab.text_content("#explained li"), name)
                self.assertEqual(tab.text_content("#preview"), name)
                tab.fill("#search", name)
                tab.press("#search", "Enter")
                self.assertIn(name, tab.text_content("#event"))

    def test_everybody_can_read_it(self):
        page, _ = self.report()
        mixed = with_data(page, mixed_timeline(data_of(page), 4000))
        papers = []
        for name, text, scheme, width in (("light", mixed, "light", 1280), ("dark", mixed, "dark", 1280),
                                          ("narrow", mixed, "light", 380), ("cpu", page, "light", 1280)):
            with self.subTest(name=name):
                tab = self.open(text, scheme, width)
                tab.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=True)
                found = Axe().run(tab).response["violations"]
                self.assertEqual([(one["id"], [node["html"] for node in one["nodes"]]) for one in found], [])
                papers.append(tab.evaluate("getComputedStyle(document.body).backgroundColor"))
                self.assertLessEqual(tab.evaluate("document.documentElement.scrollWidth"), width)
                if name == "dark":
                    # A printed page is white, even with a dark screen.
                    tab.emulate_media(media="print", color_scheme="dark")
                    self.assertEqual(tab.evaluate("getComputedStyle(document.body).backgroundColor"), papers[0])
                    # The page redraws a frame after the change of media. A look too early gives a
                    # warning.
                    tab.evaluate("async () => { for (let i = 0; i < 5; ++i) await new Promise(requestAnimationFrame); }")
                    self.assertEqual(tab.evaluate("document.querySelector('#timeline').getContext('2d').getImageData("
                                                  "1, 1, 1, 1).data.join()"), "255,255,255,255")
                    tab.screenshot(path=SCREENSHOTS / "paper.png", full_page=True)
                    tab.pdf(path=SCREENSHOTS / "print.pdf", print_background=True)
        self.assertNotEqual(papers[0], papers[1])

    def test_a_benchmark_is_a_page(self):
        row = {"workload": "a text", "device": "cpu", "threads": 1, "checked": True}
        run = {"duomap_bench": 1, "date": "2026-11-21T00:00:00Z", "command": EVIL, "machine": {"cpu": "a <processor>", "cores": 2},
               "build": {"version": "0.0.1"},
               "tables": [{"name": "words", "title": EVIL, "plot": "bars", "plotted": "speed_up", "notes": [EVIL],
                           "rows": [{**row, "program": "<loop>", "seconds": [4, 5, 6], "speed_up": 1},
                                    {**row, "program": "duomap", "seconds": [1, 1.5, 2], "speed_up": 3.33}]}]}
        self.write("now.json", json.dumps(run).encode())
        run["tables"][0]["rows"][1]["seconds"] = [3, 3.1, 3.2]
        self.write("before.json", json.dumps(run).encode())
        ended = self.run_program("bench", "--from", "now.json", "--compare", "before.json", "--report", "b.html")
        self.assertEqual(ended.status, 0, ended.err)
        page = (self.folder / "b.html").read_text("utf-8")
        for name, scheme, width in (("bench", "light", 1280), ("bench-dark", "dark", 1280), ("bench-narrow", "light", 380)):
            with self.subTest(name=name):
                tab = self.open(page, scheme, width, ready="main")
                tab.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=True)
                self.assertEqual([one["id"] for one in Axe().run(tab).response["violations"]], [])
                self.assertIn("faster", tab.inner_text("main"))
                self.assertIn("1.50 s", tab.inner_text("main"))
                self.assertEqual(tab.inner_text("code"), EVIL)
                # A picture that is not valid XML has no size.
                self.assertEqual(tab.eval_on_selector_all("img", "all => all.filter(one => one.naturalWidth < 300).length"), 0)
                self.assertEqual(tab.locator("img").count(), 3)
                self.assertLessEqual(tab.evaluate("document.documentElement.scrollWidth"), width)

    def test_a_job_in_steps_has_the_same_pictures(self):
        self.write("p.csv", b"".join(b"%d,%d\n" % (i * 7919 % 1000, i * 104729 % 1000) for i in range(20_000)))
        ended = self.run_program("run", "kmeans", "--k", "8", "--tol", "0", "--report", "k.html", "--summary", "s.json", "p.csv")
        self.assertEqual(ended.status, 0, ended.err)
        page = (self.folder / "k.html").read_text("utf-8")
        self.assertLess(len(page), 600_000)
        tab = self.open(page)
        self.assertFalse(tab.is_visible("#no-timeline"))
        self.assertTrue(tab.is_visible("#timeline"))
        self.assertTrue(tab.is_visible("#shares"))
        self.assertTrue(tab.is_visible("#speed svg"))
        self.assertRegex(tab.inner_text("#explained"), "[0-9]+ steps over")
        self.assertIn("100.0 %", tab.inner_text("#shares"))
        # A lane has an event for each iteration, or fewer if another worker did the only grain.
        iterations = json.loads((self.folder / "s.json").read_text("utf-8"))["figures"]["iterations"]
        tab.fill("#search", "merge merge")
        self.assertIn(tab.inner_text("#found"), (f"{iterations} spans", f"{iterations + 1} spans"))
        tab.fill("#search", "k-means first")
        self.assertEqual(tab.inner_text("#found"), "1 span")
        tab.focus("#timeline")
        tab.keyboard.press("ArrowRight")
        self.assertIn("map; from", tab.inner_text("#event"))
        tab.screenshot(path=SCREENSHOTS / "kmeans.png", full_page=True)
        self.assertEqual([one["id"] for one in Axe().run(tab).response["violations"]], [])

    def test_the_account_of_a_job_in_steps(self):
        page, _ = self.report()
        data = dict(data_of(page), has_account=False,
                    step_account={"start_seconds": 0.25, "pool_seconds": 0.125, "started": False})
        tab = self.open(with_data(page, data))
        self.assertIn("250 ms", tab.inner_text("#account"))
        self.assertIn("125 ms", tab.inner_text("#account"))

    def test_a_run_without_timeline_and_an_empty_one(self):
        page, _ = self.report()
        data = data_of(page)
        data["timeline"] = {"seconds": 0, "events": 0, "kinds": [], "lanes": []}
        tab = self.open(with_data(page, data))
        self.assertTrue(tab.is_visible("#no-timeline"))
        self.assertFalse(tab.is_visible("#timeline"))
        self.assertTrue(tab.is_visible("#shares"))
        self.write("rows", b"1 1:1\n2 1:9\n" * 10)
        ended = self.run_program("run", "svmtrain", "--report", "s.html", "rows", "model")
        self.assertEqual(ended.status, 0, ended.err)
        tab = self.open((self.folder / "s.html").read_text("utf-8"))
        self.assertTrue(tab.is_visible("#shares-part"))
        self.assertTrue(tab.is_visible("#timeline"))
        self.write("empty", b"")
        self.count("--report", "e.html", "empty")
        self.open((self.folder / "e.html").read_text("utf-8"))

    def test_a_hundred_thousand_events_open_at_once(self):
        page, _ = self.report()
        tab = self.open(with_data(page, mixed_timeline(data_of(page), 100_000)))
        print(f"100,000 events: open in {self.seconds:.2f} s")
        self.assertLess(self.seconds, OPENS_IN_SECONDS)
        tab.focus("#timeline")
        frame = tab.evaluate("""async () => {
          const canvas = document.querySelector('#timeline');
          const began = performance.now();
          for (let i = 0; i < 30; ++i) {
            canvas.dispatchEvent(new KeyboardEvent('keydown', { key: i % 10 < 7 ? '+' : '-' }));
            await new Promise(requestAnimationFrame);
          }
          return (performance.now() - began) / 30;
        }""")
        print(f"100,000 events: {frame:.1f} ms from one zoomed picture to the next")


if __name__ == "__main__":
    harness.main()
