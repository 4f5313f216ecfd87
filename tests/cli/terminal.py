"""On a terminal: a bar while a run takes its time, gone at its end; colours unless NO_COLOR is set."""

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
    def on_terminal(self, *arguments, data=None, seconds=0.0, **environment):
        """Runs with standard error on a terminal. Gives what it showed and the data; `data` is fed slowly."""
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
            except OSError:  # the last user has closed the terminal
                pass

        stdin = harness.subprocess.PIPE if data is not None else harness.subprocess.DEVNULL
        process = self.start(*arguments, stdin=stdin, stderr=terminal,
                             env=self.environment(TERM="xterm", **environment))
        os.close(terminal)
        reader = threading.Thread(target=read_terminal)
        reader.start()
        if data is not None:
            process.stdin.write(data)
            process.stdin.flush()
            time.sleep(seconds)
            process.stdin.close()
        out = process.stdout.read()
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

    def test_short_runs_draw_no_bar(self):
        self.write("t.txt", b"a b a")
        shown, _ = self.on_terminal("run", "wordcount", "t.txt")
        self.assertNotIn("\r", shown)

    def test_long_runs_draw_a_bar_and_remove_it(self):
        # The bar comes after half a second and is redrawn ten times a second.
        shown, out = self.on_terminal("run", "wordcount", "--sort", "key", "-", data=b"a b a ", seconds=1.5)
        self.assertEqual(out, b"a\t2\nb\t1\n")
        bar, _, rest = shown.rpartition("\r\033[K")
        self.assertIn("done", bar)
        self.assertTrue(rest.startswith("duomap: wordcount"), rest)

    def test_quiet_draws_nothing(self):
        shown, out = self.on_terminal("run", "wordcount", "--quiet", "--sort", "key", "-", data=b"a b a ",
                                      seconds=1.0)
        self.assertEqual((shown, out), ("", b"a\t2\nb\t1\n"))


if __name__ == "__main__":
    harness.main()
