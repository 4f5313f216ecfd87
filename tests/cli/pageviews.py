"""Tests pageviewcount and pageviewrank against a few lines of Python, on real and hostile logs."""

import collections
import gzip
import os
import pathlib
import random
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness
import log_model as model

QUOTED = rb'"((?:[^"\\]|\\.)*)"'
LINE = re.compile(rb"([^ ]+(?:(?<=,) [^ ]+)*) ([^ ]+) ((?!\[)(?:(?! \[).)+) \[[^\[\]]*\] " + QUOTED + rb" (\d{3}) (?:-|\d+)(?: " + QUOTED +
                  rb" " + QUOTED + rb"(?: .*)?)?", re.DOTALL)


def count_views(log, unique=2, wanted=lambda method, status: True, query=True):
    """The views of each page, the malformed lines, and the entries left out. `unique` counts the
    fields that make a visitor: client, then agent."""
    seen, malformed, left_out = collections.Counter(), 0, 0
    for line in log.split(b"\n"):
        line = line[:-1] if line.endswith(b"\r") else line
        entry = LINE.fullmatch(line)
        client = model.client(entry[1]) if entry else None
        if not line:
            continue
        if not client or model.looks_like_client(entry[2]) or not model.is_user(entry[3], client[0]):
            malformed += 1
            continue
        asked, status, _, agent = entry.groups()[3:]
        named = model.request(asked)
        if named and wanted(named[0], status) and (query or named[1][:1] != b"?"):
            page = model.page(model.unescaped(named[1] if query else named[1].split(b"?")[0]))
            seen[(page, *(client[1], model.unescaped(agent or b""))[:unique])] += 1
        else:
            left_out += 1
    views = collections.Counter()
    for visit, requests in seen.items():
        views[visit[0]] += 1 if unique else requests
    return views, malformed, left_out


def tsv(pages):
    def escaped(page):
        for plain, text in ((b"\\", b"\\\\"), (b"\t", b"\\t"), (b"\r", b"\\r")):
            page = page.replace(plain, text)
        return page
    return b"".join(b"%s\t%d\n" % (escaped(page), views) for page, views in pages)


def hostile_log(seed):
    """Lines that are almost right, with bytes that break parsers."""
    generator = random.Random(seed)
    pick = generator.choice

    def rubbish():
        return bytes(generator.randrange(256) for _ in range(generator.randrange(12))).replace(b"\n", b"")

    def line():
        client = pick([b"10.0.0.%d" % generator.randrange(3), b"::1", b"2001:db8::%x" % generator.randrange(3), b"h", b"",
                       b"10.0.0.1:8%d" % generator.randrange(9), b"[2001:DB8:0::1]:80", b"::ffff:10.0.0.1", b"H.example.", b"10.0.0.1, h"])
        user = pick([b"- -", b"- -", b"- fr ank", b"- a[b", b"- ", b"-", b"x [y", b"- h.example", b"10.0.0.9 -", b"x - y", rubbish()])
        url = pick([b"/", b"/a?b=c", b"/a", b"?q", b"/sp ace", b"*", b'/q\\"uote', b"/\xff\xfe", b"/n\0ul", b"", rubbish(),
                    b"/%61", b"/b/../a", b"/%2E/a", b"/%2fa", b"/%2Fa", b"/\\x61", b"http://H:80/a", b"http://h/a", b"a", b"/..",
                    b"/" + b"l" * generator.randrange(1100)])
        request = pick([b"GET %s HTTP/1.1", b"GET %s HTTP/1.1", b"HEAD %s HTTP/2", b"GET %s", b"%s", b"P\xc3\x96ST %s HTTP/1.0",
                        b"GET %s HTTP/x", b"GET %s HTTP/1_1", b"GET  %s", b"GET%.0s HTTP/1.1", b"-%.0s", b"GET %s HTTP/11"]) % url
        agent = pick([b"Mozilla/5.0 (X)", b"a\\\\", b'say \\"hi\\"', b"", b"-", b"never closes", rubbish(), b"u" * 500])
        text = client + b" " + user + b" [10/Oct/2000:13:55:36 -0700] " + b'"' + request + b'" '
        text += pick([b"200 12", b"200 -", b"404 0", b"304 7", b"20 1", b"200", b"2000 1", b"200 1x"])
        text += pick([b"", b"", b' "-" "' + agent + b'"', b' "-" "' + agent + b'" 17', b' "-" "' + agent, b' "-"', b" "])
        if generator.random() < 0.1:
            at = generator.randrange(len(text))
            text = text[:at] + rubbish() + text[at + generator.randrange(3):]
        return text + pick([b"\n", b"\n", b"\n", b"\r\n", b"\n\n"])
    # A log is refused if most of its lines do not fit.
    good = b'10.0.0.1 - - [10/Oct/2000:13:55:36 -0700] "GET /good HTTP/1.1" 200 1\n'
    return b"".join(line() + good for _ in range(3000))


class PageViews(harness.ProgramTest):
    def check(self, log, paths, unique=2, arguments=(), **choice):
        views, malformed, left_out = count_views(log, unique, **choice)
        option = ("none", "client", "client+agent")[unique]
        by_name = sorted(views.items())
        for device in os.environ.get("DUOMAP_TEST_DEVICES", "cpu").split(","):
            ended = self.run_program("run", "pageviewcount", "--unique", option, "--sort", "key", "--device", device,
                                     *arguments, *paths)
            self.assertEqual(ended.status, 0, ended.err)
            self.assertEqual(ended.out, tsv(by_name), device)
            self.assertEqual("neither the common" in ended.err, malformed > 0, ended.err)
            self.assertIn(f"duomap: {malformed:,} line" if malformed else "", ended.err)
            self.assertEqual("not counted: no URL" in ended.err, left_out > 0, ended.err)
            self.assertIn(f"duomap: {left_out:,} entr" if left_out else "", ended.err)
            for top in (10,) if harness.QUICK else (1, 10, len(views) + 1):
                ranked = self.run_program("run", "pageviewrank", "--unique", option, "--top", top, "--device", device,
                                          *arguments, *paths)
                self.assertEqual(ranked.out, tsv(sorted(by_name, key=lambda row: (-row[1], row[0]))[:top]), ranked.err)

    def test_real_logs(self):
        folder = pathlib.Path(os.environ.get("DUOMAP_DATA", "/nowhere")) / "weblog"
        if not folder.is_dir():
            self.skipTest("there are no real logs beside the source tree")
        logs = [gzip.decompress(path.read_bytes()) for path in sorted(folder.glob("*.gz"))]
        if harness.QUICK:
            logs = [b"\n".join(log.split(b"\n")[:1500]) for log in logs]
        self.check(b"\n".join(logs), [self.write(f"{i}.log.gz", gzip.compress(log, 1)) for i, log in enumerate(logs)])
        mapped = [self.write(f"{i}.log", log) for i, log in enumerate(logs)]
        self.check(b"\n".join(logs), mapped, unique=0)
        self.check(logs[0], mapped[:1], unique=1, arguments=("--no-query", "--status", "2xx,304", "--method", "GET"),
                   query=False, wanted=lambda method, status: method == b"GET" and (status[:1] == b"2" or status == b"304"))

    def test_hostile_lines(self):
        seed = random.randrange(2**32)
        print("seed", seed)
        log = hostile_log(seed)
        for unique in (0, 1, 2):
            ends = (b"", b"last - - [x] \"GET /last", b'last - - [x] "GET /last HTTP/1.0" 200 1')
            for end in (ends[unique],) if harness.QUICK else ends:
                self.write("log", log + end)
                self.check(log + end, ["log"], unique)
        self.check(log, [self.write("log", log)], 1, ("--no-query", "--method", "GET,HEAD"), query=False,
                   wanted=lambda method, status: method in (b"GET", b"HEAD"))

    def test_long_lines(self):
        start = b'c - - [t] "GET /'
        length = 1_000_000 if harness.QUICK else 10_000_000
        line = start + b"x" * length + b' HTTP/1.0" 200 1'
        agent = start + b' HTTP/1.0" 200 1 "-" "' + b"a" * 1_000_000 + b'"'
        open_quote = start + b'\\"' * (length // 3)
        log = b"\n".join([line, agent, line + b' "-" ""', open_quote, agent + b" behind", start + b' HTTP/1.0" 200 1'])
        for unique in (0, 2):
            self.check(log, [self.write("log", log)], unique)

    def test_examples_of_malformed_lines(self):
        good = b'c - - [t] "GET / HTTP/1.0" 200 1\n'
        self.write("a.log", good * 3 + b"bad \x1b[31mone\n" + good)
        self.write("b.log", b"bad two\nbad three\n" + good + b"bad four")
        ended = self.run_program("run", "pageviewcount", "a.log", "b.log")
        self.assertIn(f"4 lines are in neither the common nor the combined log format: 'a.log', byte {3 * len(good)}: "
                      "'bad \\x1b[31mone'; 'b.log', byte 0: 'bad two'; 'b.log', byte 8: 'bad three'; and so on", ended.err)
        self.assertEqual(ended.out, b"/\t1\n")
        self.write("result", b"old")
        refused = self.run_program("run", "pageviewcount", "--strict", "--output", "result", "b.log", "a.log")
        self.assert_failed(refused, 5, "'b.log', line 1, byte 0: 'bad two': client, identity, user and [time] do not stand")
        self.assertEqual((self.folder / "result").read_bytes(), b"old")
        piped = self.run_program("run", "pageviewcount", "-", data=good + b"bad")
        self.assertEqual((piped.status, piped.out), (0, b"/\t1\n"))
        self.assertIn("read only once", piped.err)

    def test_strict_names_the_first_malformed_line(self):
        seed = random.randrange(2**32)
        print("seed", seed)
        generator = random.Random(seed)
        good = b'c - - [t] "GET / HTTP/1.0" 200 1\n'
        lines = [good] * 100_000
        wrong = {b"bad\n": "it does not begin with a client", b"c - - [t] GET\n": "no quoted request",
                 b'c - - [t] "GET / HTTP/1.0" 20 1\n': "status of three digits",
                 b'c - - [t] "GET / HTTP/1.0" 200 x\n': "no number of bytes",
                 b'c - - [t] "GET / HTTP/1.0" 200 1 "-" "\n': "no quoted referer and agent"}
        places = sorted(generator.sample(range(len(lines)), 5))
        for place, line in zip(places, generator.sample(sorted(wrong), 5)):
            lines[place] = line
        log = b"".join(lines)
        first, what = places[0], wrong[lines[places[0]]]
        named = f"line {first + 1:,}, byte {len(b''.join(lines[:first])):,}: '"
        self.write("good.log", good * 10)
        self.write("log", log)
        self.write("log.gz", gzip.compress(log, 1))
        for device in os.environ.get("DUOMAP_TEST_DEVICES", "cpu").split(","):
            for name in ("log", "log.gz"):
                refused = self.run_program("run", "pageviewcount", "--strict", "--device", device, "good.log", name, "log")
                self.assert_failed(refused, 5, f"'{name}', {named}", what)
            fine = self.run_program("run", "pageviewrank", "--strict", "--device", device, "good.log")
            self.assertEqual((fine.status, fine.out), (0, b"/\t1\n"), fine.err)
        piped = self.run_program("run", "pageviewcount", "--strict", "--device", "cpu", "-", data=good + b"bad")
        self.assert_failed(piped, 5, f"'standard input', byte {len(good)}: 'bad'")

    def test_nothing(self):
        self.assertEqual(self.run_program("run", "pageviewcount", self.write("log", b"\n\r\n")).out, b"")
        self.assertEqual(self.run_program("run", "pageviewrank", self.write("log", b"")).out, b"")

    def test_usage(self):
        self.write("log", b"")
        for arguments in (["--status", "20"], ["--status", "2x3"], ["--method", "A" * 16], ["--unique", "agent"],
                          ["--method", "A,B,C,D,E,F,G,H,I"], ["--method", "get"], ["--method", "GET,Post"],
                          ["--log-format", "nginx"], ["--log-format", "%h %t"], ["--log-format", "%r%s"]):
            ended = self.run_program("run", "pageviewcount", *arguments, "log")
            self.assert_failed(ended, 2, arguments[0] if arguments[0] != "--log-format" else "log format")


if __name__ == "__main__":
    harness.main()
