"""Tests the warnings for a header's task that emits nothing or nonsense: an empty broadcast, lines
with CR LF, rows without a width, texts read as numbers, numbers read behind a row."""

import json
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness

TASK = """#include <duomap.hpp>
struct {name} {{
  using format = duomap::{format};
  using key = {key};
  using reduce = duomap::sum<double>;
  {members}
  DUOMAP_HD void map({record}, auto& emit) const {{ {body} }}
}};
"""
OF_ROWS = {"format": "rows<float>", "key": "duomap::no_key", "record": "const duomap::row<float>& row"}
WIDTH = "duomap::rows<float> records() const { return {.width = 2}; }"


class Silence(harness.ProgramTest):
    def environment(self, **changes):
        return super().environment(**{"XDG_CACHE_HOME": str(self.folder / "cache"), **changes})

    def run_task(self, name, *arguments, **parts):
        self.write(name + ".hpp", TASK.format(name=name, **parts).encode())
        return self.run_program("run", f"./{name}.hpp", *arguments)

    def test_a_broadcast_that_nothing_fills(self):
        self.write("t.txt", b"one two\n")
        ended = self.run_task(
            "weighted", "t.txt", format="words", key="duomap::byte_view", record="duomap::byte_view word",
            members="duomap::broadcast<double> weights; DUOMAP_HD void visit_broadcast(auto&& visit) { visit(weights); }",
            body="if (word.size < weights.size) emit(word, weights[word.size]);")
        self.assertEqual((ended.status, ended.out), (2, b""))
        self.assertIn("nothing fills broadcast 1 of the task", ended.err)

    def test_lines_that_end_with_cr_lf(self):
        self.write("t.txt", b"yes\r\nyes\r\n")
        parts = {"format": "lines", "key": "duomap::byte_view", "record": "const duomap::line& line", "members": "",
                 "body": 'if (line.text.size == 3) emit(line.text, 1);'}
        ended = self.run_task("three", "t.txt", **parts)
        note = "no record emitted anything; the first of 't.txt' is \"yes\\x0d\", with the carriage return of lines that end with CR LF"
        self.assertEqual((ended.status, ended.out), (0, b""))
        self.assertIn(note, ended.err)
        ended = self.run_task("three", "t.txt", "--json", **parts)
        self.assertIn(note, json.loads(ended.err.splitlines()[-1])["notes"])
        self.write("t.txt", b"yes\nyes\n")
        ended = self.run_task("three", "t.txt", **parts)
        self.assertEqual(ended.out, b"yes\t2\n")
        self.assertNotIn("no record", ended.err)

    def test_rows_without_a_width(self):
        self.write("t.bin", struct.pack("<4f", 1, 2, 3, 4))
        ended = self.run_task("narrow", "t.bin", members="", body="emit(row[0]);", **OF_ROWS)
        self.assertNotEqual(ended.status, 0)
        self.assertEqual(ended.out, b"")
        self.assertIn("the task does not say how many numbers a row has", ended.err)

    def test_numbers_behind_a_row_and_a_text_for_numbers(self):
        self.write("t.bin", struct.pack("<200f", *range(200)))
        self.write("t.csv", b"1,2\n3,4\n")
        parts = {"members": WIDTH, "body": "emit(row[5]);", **OF_ROWS}
        ended = self.run_task("beside", "t.bin", "--verify", **parts)
        self.assertNotEqual(ended.status, 0)
        self.assertIn("pure map", ended.err)
        self.assert_failed(self.run_program("run", "./beside.hpp", "t.csv"), 5, "cannot read binary numbers from 't.csv'", "it is a text")


if __name__ == "__main__":
    harness.main()
