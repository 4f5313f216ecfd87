"""Tests that a log has the same visits in every format, and which logs are refused."""

import gzip
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness

# Client, URL and agent. /a has two visitors, one of whom comes twice.
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

    def test_the_client_is_no_word_in_front_of_it(self):
        request = '[10/Oct/2000:13:55:36 -0700] "GET /same HTTP/1.1" 200 2066'
        clients = ["192.0.2.1", "192.0.2.2", "192.0.2.3"]
        for form, options in (("www.example.com %s - - ", []), ("Oct 10 13:55:31 web nginx: %s - - ", []), ("%s, 198.51.100.9 - - ", ["--forwarded", "first"]),
                              ("2001:db8::1, %s:80 - - ", ["--forwarded=-1"]), ("Oct 10 13:55:31 web nginx: www.example.com:80 %s - frank ", [])):
            with self.subTest(form=form):
                self.write("log", "".join(form % client + request + "\n" for client in clients).encode())
                self.assertEqual(self.rows(*options, "log"), b"/same\t3\n")
        self.write("log", "".join(f"{client}, 198.51.100.9 - - {request}\n" for client in clients).encode())
        self.assert_failed(self.run_program("run", "pageviewcount", "log"), 5, "'log', line 1", "has a list of addresses", "--forwarded")
        good = f"198.51.100.9 - - {request}\n" * 9
        self.write("log", (good + f"192.0.2.1, 198.51.100.9 - - {request}\n").encode())
        self.assert_failed(self.run_program("run", "pageviewcount", "--strict", "log"), 5, "a list of addresses stands in the client's place")
        self.write("log", (good + f"www.example.com 192.0.2.1 - - {request}\n" * 8).encode())
        self.assert_failed(self.run_program("run", "pageviewcount", "log"), 5,
                           "'log' has lines in two log formats, combined and vhost_combined (9 and 8 of 17 lines): entry 10 fits")
        self.write("log", f"web1 pc7 ident frank {request}\n".encode())
        self.assert_failed(self.run_program("run", "pageviewcount", "log"), 5, "fits two log formats that read it differently, combined and",
                           "has the client 'web1' or 'pc7'", "name one with --log-format")
        self.assertEqual(self.rows("--log-format", "combined", "log"), b"/same\t1\n")
        for choice in ("0", "", "second", "1000", "1x"):
            self.assert_failed(self.run_program("run", "pageviewcount", "--forwarded=" + choice, "log"), 2, "--forwarded takes first, last")

    def test_a_client_is_the_same_however_it_is_written(self):
        line = '%s - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 2066\n'
        for spellings in (["192.0.2.1", "192.0.2.1:41342", "::ffff:192.0.2.1", "[::FFFF:c000:201]:80"], ["2001:db8::1", "[2001:DB8:0::1]:443"],
                          ["h.example", "H.EXAMPLE.", "h.example:1"]):
            self.write("log", "".join(line % one for one in spellings).encode())
            self.write("json", "".join(json.dumps({"remote_addr": one, "status": 200, "request": "GET /a HTTP/1.1"}) + "\n" for one in spellings).encode())
            self.assertEqual(self.rows("log"), b"/a\t1\n")
            self.assertEqual(self.rows("json"), b"/a\t1\n")

    def test_values_of_json_are_decoded(self):
        requests = [b"GET \\/a HTTP/1.1", b"GET /a HTTP\\/1.1", b"GET /a HTTP/1.1", b"\\u0047ET\\u0020/%61", b"GET /x/../a HTTP/1.1"]
        self.write("log", b"".join(b'{"remote_addr":"192.0.2.1","status":200,"request":"%s"}\n' % one for one in requests))
        self.assertEqual(self.rows("--unique", "none", "--method", "GET", "log"), b"/a\t5\n")
        self.assertEqual(self.rows("log"), b"/a\t1\n")

    def test_what_is_no_request_is_no_page(self):
        none = [r"\x03\x00\x00/*\xE0\x00\x00\x00\x00\x00Cookie: mstshash=Administr", "- - -", "SSH-2.0-Go foo", "-", "", r"\x16\x03\x01"]
        line = '192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "%s" 400 150 "-" "-"\n'
        self.write("log", "".join(line % one for one in [*none, "GET /a HTTP/1.1", "GET /b", "HEAD /b HTTP/1.0"]).encode())
        for unique in ("none", "client"):
            ended = self.run_program("run", "pageviewcount", "--sort", "key", "--json", "--unique", unique, "--method", "GET", "log")
            self.assertEqual(ended.out, b"/a\t1\n/b\t1\n")
            figures = harness.figures_of(ended)
            self.assertEqual([figures[name] for name in ("malformed_lines", "left_out_entries", "no_request_entries")], [0, 7, 6])
        ended = self.run_program("run", "pageviewcount", "log")
        self.assertIn("6 entries were not counted: no URL, or not of --status and --method; 6 of these are no request of HTTP", ended.err)

    def test_requests_without_quotes(self):
        self.write("log", b"192.0.2.1 GET /a b HTTP/1.1 200\n192.0.2.1 GET /c 200\n192.0.2.1 - 408\n192.0.2.1 \\x16\\x03 400\n")
        self.assertEqual(self.rows("--log-format", "%h %r %>s", "log"), b"/a b\t1\n/c\t1\n")
        self.write("log", b"192.0.2.1 GET /a b?c HTTP/1.1 200\n192.0.2.1 GET /c HTTP/1.0 200\n192.0.2.1 - - - 408\n")
        self.assertEqual(self.rows("--log-format", "%h %m %U%q %H %>s", "log"), b"/a b?c\t1\n/c\t1\n")
        self.assertEqual(self.rows("--log-format", "%h %m %U%q %H %>s", "--no-query", "log"), b"/a b\t1\n/c\t1\n")
        self.write("log", b'192.0.2.1 - - [t] "GET /c HTTP/1.0" 200 1\n192.0.2.1 - - [t] "- - -" 408 1\n')
        self.assertEqual(self.rows("log"), b"/c\t1\n")
        self.assertEqual(self.rows("--log-format", '%h %l %u %t "%m %U%q %H" %>s %b', "log"), b"/c\t1\n")

    def test_which_format_was_taken_and_how_sure_that_is(self):
        self.write("log", log_of("combined") + b"bad\n")
        ended = self.run_program("run", "pageviewcount", "--explain", "log")
        self.assertIn("duomap: the log format is combined; of the first 5 lines 80 % fit", ended.err)
        self.assertIn("duomap: log format of 'log', first 5 lines: combined fits 4", ended.err)
        self.write("log", b"".join(b"Oct 10 13:55:31 web nginx: " + line for line in log_of("combined").splitlines(True)))
        for options in ([], ["--log-format", "combined"]):
            figures = harness.figures_of(self.run_program("run", "pageviewcount", "--json", *options, "log"))
            self.assertEqual([figures[one] for one in ("log_format", "sample_lines", "sample_lines_that_fit")], ["combined behind syslog", 4, 4])

    def test_a_visit_that_is_short_without_its_dots(self):
        line = '192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET %s HTTP/1.1" 200 1\n'
        urls = ["/a", "/" + "x" * 2000 + "/../a", "/" + "x" * 2000, "/b/../" + "x" * 2000, "/%61"]
        self.write("log", "".join(line % url for url in urls).encode())
        self.assertEqual(self.rows("log"), b"/a\t1\n/" + b"x" * 2000 + b"\t1\n")
        self.assertEqual(self.rows("--unique", "none", "log"), b"/a\t3\n/" + b"x" * 2000 + b"\t2\n")

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
