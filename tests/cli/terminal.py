"""Tests a run on a terminal: a bar that disappears at the end, a few rows in columns, and colours
by choice. With --json, events replace the bar."""

import json
import os
import pathlib
import pty
import sys
import threading
import time
import tty

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness


class Terminal(harness.ProgramTest):
    def on_terminal(self, *arguments, data=None, seconds=0.0, rows=False, **environment):
        """Runs with standard error, and with `rows` also standard output, on a terminal. Feeds
        `data` slowly. Returns what the terminal showed, and the data."""
        try:
            owner, terminal = pty.openpty()
        except OSError as reason:
            self.skipTest(f"no pseudo terminal: {reason}")
        tty.setraw(terminal)
        shown = []

        def read_terminal():
            try:
                while True:
                    text = os.read(owner, 65536)
                    if not text:
                        return
                    shown.append(text)
            except OSError:  # nobody has the terminal open any more
                pass

        stdin = harness.subprocess.PIPE if data is not None else harness.subprocess.DEVNULL
        process = self.start(*arguments, stdin=stdin, stderr=terminal, stdout=terminal if rows else harness.subprocess.PIPE,
                             env=self.environment(TERM="xterm", **environment))
        os.close(terminal)
        reader = threading.Thread(target=read_terminal)
        reader.start()
        if data is not None:
            process.stdin.write(data)
            process.stdin.flush()
            time.sleep(seconds)
            process.stdin.close()
        out = process.stdout.read() if process.stdout else b""
        process.wait(harness.LIMIT_SECONDS)
        reader.join()
        os.close(owner)
        return b"".join(shown).decode(), out

    def test_errors_are_coloured(self):
        shown, _ = self.on_terminal("run", "wordcount", "missing")
        self.assertIn("\033[", shown)
        self.assertIn("duomap: ", shown)

    def test_no_color(self):
        shown, _ = self.on_terminal("run", "wordcount", "missing", NO_COLOR="1")
        self.assertTrue(shown.startswith("duomap: error: "), shown)
        self.assertNotIn("\033", shown)

    def test_color(self):
        shown, _ = self.on_terminal("run", "wordcount", "--color", "never", "missing")
        self.assertNotIn("\033", shown)
        ended = self.run_program("run", "wordcount", "--color=always", "missing", env=self.environment(NO_COLOR="1"))
        self.assertTrue(ended.err.startswith("duomap: \033[1;31merror:\033[0m "), ended.err)
        self.assert_failed(self.run_program("run", "wordcount", "--color", "blue", "x"), 2, "auto|always|never")

    def test_a_few_rows_stand_in_columns(self):
        self.write("t.txt", b"a longer a a a a a a a a a")
        rows = ("run", "wordcount", "--quiet", "--top", "2", "t.txt")
        self.assertEqual(self.on_terminal(*rows, rows=True)[0], "a       10\nlonger   1\n")
        self.assertEqual(self.on_terminal(*rows, "--format", "tsv", rows=True)[0], "a\t10\nlonger\t1\n")
        self.assertEqual(self.on_terminal(*rows)[1], b"a\t10\nlonger\t1\n")

    def test_no_byte_of_a_text_or_a_name_commands_a_terminal(self):
        name = b"n\x1b[31m\x9b32m\xc2\x9b33m\xc3\xa9"
        (self.folder / os.fsdecode(name)).write_bytes(b"w\x9b34m\xc3\xa9 w\x07\n")
        shown = "n\\x1b[31m\\x9b32m\\xc2\\x9b33m\u00e9"
        found = self.on_terminal("run", "stringmatch", "--quiet", "--pattern", "w", os.fsdecode(name), rows=True)[0]
        self.assertEqual(found, f"{shown}\t0\t1\tw\n{shown}\t8\t1\tw\n")
        words = ("run", "wordcount", "--quiet", os.fsdecode(name))
        for more in ((), ("--top", "2")):
            self.assertEqual({line.split()[0] for line in self.on_terminal(*words, *more, rows=True)[0].splitlines()},
                             {"w\\x9b34m\u00e9", "w"})
        # A named format, or an output that is not a terminal, gets the bytes unchanged.
        self.assertIn(b"w\x9b34m\xc3\xa9\t1\n", self.run_program(*words).out)
        for command in (("run", "wordcount"), ("run", "kmeans", "--k", "1"), ("merge", "wordcount")):
            os.makedirs(self.folder / "empty", exist_ok=True)
            (self.folder / os.fsdecode(b"empty/" + name)).write_bytes(b"\xff")
            said = self.on_terminal(*command, os.fsdecode(b"empty/" + name + b"x"), rows=True)[0]
            self.assertIn(shown, said)
            self.assertNotRegex(said, "[\x07\x1b\x80-\x9f](?!\\[1;31m|\\[0m)")

    def test_short_runs_draw_no_bar(self):
        self.write("t.txt", b"a b a")
        shown, _ = self.on_terminal("run", "wordcount", "t.txt")
        self.assertNotIn("\r", shown)

    def test_long_runs_draw_a_bar_and_remove_it(self):
        # The bar appears after half a second and is redrawn ten times a second.
        shown, out = self.on_terminal("run", "wordcount", "--sort", "key", "-", data=b"a b a ", seconds=1.5)
        self.assertEqual(out, b"a\t2\nb\t1\n")
        bar, _, rest = shown.rpartition("\r\033[K")
        self.assertIn("done", bar)
        self.assertTrue(rest.startswith("duomap: wordcount"), rest)

    def test_json_has_events(self):
        process = self.start("run", "wordcount", "--json", "--sort", "key", "-", stdin=harness.subprocess.PIPE)
        process.stdin.write(b"a b a ")
        process.stdin.flush()
        time.sleep(2.5)
        _, err = process.communicate(timeout=harness.LIMIT_SECONDS)
        lines = [json.loads(line) for line in err.decode().splitlines()]
        self.assertGreaterEqual(len(lines), 2)
        for one in lines[:-1]:
            self.assertEqual(one["event"], "progress")
            self.assertIsNone(one["units_total"])
        self.assertEqual(lines[-1]["results"], 2)

    def test_quiet_draws_nothing(self):
        shown, out = self.on_terminal("run", "wordcount", "--quiet", "--sort", "key", "-", data=b"a b a ",
                                      seconds=1.0)
        self.assertEqual((shown, out), ("", b"a\t2\nb\t1\n"))


if __name__ == "__main__":
    harness.main()
