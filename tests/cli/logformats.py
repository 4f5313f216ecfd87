"""Logs of every format: the same visits in each, whichever way the format is known; and what is refused."""

import gzip
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness

# Client, URL, agent. Two visitors of /a, one that comes twice.
VISITS = [("192.0.2.1", "/a", "M"), ("192.0.2.2", "/a", "M"), ("192.0.2.1", "/a", "M"), ("2001:db8::1", "/b", "N")]
ROWS = b"/a\t2\n/b\t1\n"
TIME = "10/Oct/2000:13:55:36 -0700"


def log_of(kind):
    lines = {"w3c": ["#Version: 1.0", "#Fields: date time c-ip cs-method cs-uri-stem cs-uri-query sc-status cs(User-Agent)"],
             "cloudfront": ["#Version: 1.0", "#Fields: date time c-ip cs-method cs-uri-stem cs-uri-query sc-status cs(User-Agent)"]
             }.get(kind, [])
    for client, url, agent in VISITS:
        w3c = ["2020-01-02", "03:04:05", client, "GET", url, "-", "200", agent]
        lines.append({
            "combined": f'{client} - - [{TIME}] "GET {url} HTTP/1.1" 200 5 "-" "{agent}"',
            "vhost_combined": f'example.org:80 {client} - - [{TIME}] "GET {url} HTTP/1.1" 200 5 "-" "{agent}"',
            "w3c": " ".join(w3c),
            "cloudfront": "\t".join(w3c),
            "alb": f'http 2018-07-02T22:23:00Z app/x [{client}]:28 - -1 -1 -1 200 - 34 366 "GET {url} HTTP/1.1" "{agent}" - -',
            "json": json.dumps({"remote_addr": client, "request": f"GET {url} HTTP/1.1", "status": "200",
                                "http_user_agent": agent}),
            "%h;%r;%>s;%{User-Agent}i": f"{client};GET {url} HTTP/1.1;200;{agent}",
        }[kind])
    return ("\n".join(lines) + "\n").encode()


KINDS = ["combined", "vhost_combined", "w3c", "cloudfront", "alb", "json"]
DESCRIBED = "%h;%r;%>s;%{User-Agent}i"


class LogFormats(harness.ProgramTest):
    def rows(self, *arguments, **options):
        ended = self.run_program("run", "pageviewcount", "--sort", "key", *arguments, **options)
        self.assertEqual(ended.status, 0, ended.err)
        return ended.out

    def test_every_format_has_the_same_visits(self):
        for kind in KINDS + [DESCRIBED]:
            with self.subTest(kind=kind):
                log = log_of(kind)
                self.write("log", log)
                self.write("log.gz", gzip.compress(log))
                recognised = [] if kind == DESCRIBED else [[]]
                for choice in recognised + [["--log-format", kind]]:
                    self.assertEqual(self.rows(*choice, "log"), ROWS)
                    self.assertEqual(self.rows(*choice, "log.gz", "log"), ROWS)
                    self.assertEqual(self.rows(*choice, "-", data=log), ROWS)
                    self.assertEqual(self.rows(*choice, "--unique", "none", "log"), b"/a\t3\n/b\t1\n")
                ranked = self.run_program("run", "pageviewrank", "--log-format", kind, "log")
                self.assertEqual(ranked.out, ROWS)

    def test_long_visits(self):
        url = "/" + "x" * 2000
        log = log_of("vhost_combined").replace(b"/b", url.encode())
        self.assertEqual(self.rows("-", data=log * 2), b"/a\t2\n" + url.encode() + b"\t1\n")

    def test_a_log_that_fits_no_format(self):
        self.write("log", b"\n[Wed Oct 11 14:32:52 2000] [error] it \xe2\x88\x92 broke\n")
        for options in ([], ["--quiet"]):
            ended = self.run_program("run", "pageviewcount", *options, "log")
            self.assert_failed(ended, 5, "'log', line 2: '[Wed Oct 11 14:32:52 2000] [error] it", "fits none of the log formats common",
                               "--log-format")
            self.assertEqual(ended.out, b"")
        self.assert_failed(self.run_program("run", "pageviewcount", "--log-format", "w3c", "log"), 5, "is no line #Fields:")

    def test_a_log_of_which_most_lines_do_not_fit(self):
        good = log_of("combined")
        self.write("log", good + b"bad\n" * 5)
        for options in ([], ["--quiet"], ["--unique", "none"]):
            self.assert_failed(self.run_program("run", "pageviewcount", *options, "log"), 5,
                               "5 of 9 lines are in neither the common nor the combined log format",
                               "'log', line 5, byte %d: 'bad': it does not begin with a client" % len(good))
        self.write("log", good + b"bad\n" * 4)
        self.assertEqual(self.rows("log"), ROWS)
        self.write("log", log_of("json"))
        self.assert_failed(self.run_program("run", "pageviewcount", "--log-format", "alb", "log"), 5,
                           "4 of 4 lines are not in the log format alb", "'log', line 1, byte 0: '{")
        self.assert_failed(self.run_program("run", "pageviewcount", "--log-format", "alb", "-", data=log_of("json")), 5,
                           "4 of 4 lines")

    def test_logs_of_two_formats(self):
        self.write("a", log_of("combined"))
        self.write("b", log_of("vhost_combined"))
        self.assert_failed(self.run_program("run", "pageviewcount", "a", "b"), 5,
                           "a is a log in the format combined, and b one in the format vhost_combined")

    def test_fields_that_change_within_a_log(self):
        before = log_of("w3c")
        lines = before.decode().splitlines()
        same = before + (lines[1] + "\r\n").encode() + before
        self.write("same", same)
        self.assertEqual(self.rows("same"), ROWS)
        self.write("log", before + b"#Fields: date time cs-method cs-uri-stem sc-status c-ip\n2020-01-02 03:04:05 GET /a 200 192.0.2.3\n")
        for options in ([], ["--quiet"], ["--log-format", "w3c"], ["--unique", "none"]):
            self.assert_failed(self.run_program("run", "pageviewcount", *options, "log"), 5,
                               "a line #Fields: names other fields than the first one", "at byte %d of 'log'" % len(before))

    def test_names_of_json_count_from_the_outside(self):
        log = (b'{"why":{"request":"GET /no HTTP/1.1","status":500},"all":[1,{"status":3}],"remote_addr":"192.0.2.1",'
               b'"status":"200","request":"GET /a HTTP/1.1"}\n')
        self.assertEqual(self.rows("-", data=log), b"/a\t1\n")

    def test_visits_need_a_client(self):
        self.write("log", b"GET /a HTTP/1.0;200\n")
        self.assert_failed(self.run_program("run", "pageviewcount", "--log-format", "%r;%s", "log"), 2, "has no client")
        self.assertEqual(self.rows("--log-format", "%r;%s", "--unique", "none", "log"), b"/a\t1\n")

    def test_strict_names_the_line(self):
        log = log_of("json")
        self.write("log", log + b'{"status": 1}\n')
        self.assert_failed(self.run_program("run", "pageviewcount", "--strict", "log"), 5, "'log', line 5, byte %d" % len(log),
                           "it has no status of three digits")


if __name__ == "__main__":
    harness.main()
