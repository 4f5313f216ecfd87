"""Tests `duomap run aggregate --by` on random logs of web servers against answers of Python."""

import collections
import gzip
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import aggregate_program as program
import cli_harness as harness

MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
COLUMNS = ["client", "vhost", "identity", "user", "time", "request", "method", "url", "path", "query", "protocol", "status", "bytes", "referer", "agent"]
LINE = '192.0.2.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /a.gif?x=1 HTTP/1.0" 200 2326'


def entry(chance, form):
    """A line of a log, and its columns; missing ones are empty."""
    client = chance.choice(("192.0.2.1", "192.0.2.7", "2001:db8::1", "10.0.0.%d" % chance.randrange(9), *(() if form == "lighttpd" else ("host.example",))))
    host = chance.choice(("a.example", "b.example:80"))
    user = chance.choice(("-", "-", "frank", "frank b"))
    month = chance.randrange(12)
    moment = (chance.randint(1, 28), chance.randint(1999, 2030), chance.randrange(24), chance.randrange(60), chance.randrange(60))
    zone = chance.choice(("+0000", "-0730", "+0200"))
    day, year, hour, minute, second = moment
    time = f"{day:02}/{MONTHS[month]}/{year}:{hour:02}:{minute:02}:{second:02} {zone}"
    path, query = chance.choice(("/", "/a.html", "/b/c%20d", "/e\\\"f")), chance.choice(("", "", "x=1", "y=?"))
    url, method, protocol = path + ("?" + query if query else ""), chance.choice(("GET", "POST", "HEAD")), chance.choice(("HTTP/1.1", "HTTP/2", ""))
    request = f"{method} {url}" + (" " + protocol if protocol else "")
    if chance.random() < 0.1:
        request, method, url, path, query, protocol = "-", "", "", "", "", ""
    status, count = str(chance.choice((200, 200, 304, 404, 500))), chance.choice(("-", "0", str(chance.randrange(10**9))))
    referer, agent = chance.choice(("-", "http://a/?q=\\\"")), chance.choice(("-", "M/5.0 (X; Y)", 'a\\"b'))
    second_word = host if form == "lighttpd" else "-"
    line = f'{client} {second_word} {user} [{time}] "{request}" {status} {count}'
    combined = form != "common" and (form == "lighttpd" or chance.random() < 0.8)
    if combined:
        line += f' "{referer}" "{agent}"' + chance.choice(("", " 12"))
    if form == "vhost_combined":
        line = f"{host} {line}"
    iso = f"{year}-{month + 1:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{zone[:3]}:{zone[3:]}"
    cells = [client, host if form in ("vhost_combined", "lighttpd") else "", "", user, iso, request, method, url, path, query, protocol, status, count,
             referer if combined else "", agent if combined else ""]
    return line, dict(zip(COLUMNS, ["" if cell == "-" else cell for cell in cells]))


class AggregateLogs(program.AggregateTest):
    def test_random_logs(self):
        self.check_random_tables(self.check_log)

    def check_log(self, chance):
        form = chance.choice(("common", "combined", "vhost_combined", "lighttpd"))
        entries = [entry(chance, form) for _ in range(chance.choice((1, 20, 500)))]
        lines = [line for line, _ in entries]
        for _ in range(chance.randrange(3)):
            lines.insert(chance.randrange(len(lines)), "")
        end = chance.choice(("\n", "\r\n"))
        data = (end.join(lines) + end).encode()
        name = chance.choice(("a.log", "a.log.gz"))
        self.write(name, gzip.compress(data) if name.endswith("gz") else data)
        by = chance.sample(COLUMNS, chance.randint(1, 3))
        where, fulfils = chance.choice(((None, lambda row: True), ("status >= 400", lambda row: int(row["status"]) >= 400),
                                        ("path = '/' and bytes > 0", lambda row: row["path"] == "/" and row["bytes"] not in ("", "0")),
                                        ("user is null or method = 'POST'", lambda row: not row["user"] or row["method"] == "POST")))
        found = program.groups_in(self.rows("--input-format", form, "--by", ",".join(by), "--count", "--sum", "bytes", "--max", "status", "--count-of", "bytes",
                                            *(("--where", where) if where else ()), "--format", "jsonl", "--threads", str(chance.randint(1, 3)), name), len(by))
        groups = collections.defaultdict(list)
        for _, row in entries:
            if fulfils(row):
                groups[tuple(row[one] for one in by)].append(row)
        self.assertEqual(set(found), set(groups))
        for key, rows in groups.items():
            counts = [int(row["bytes"]) for row in rows if row["bytes"]]
            self.assertEqual(found[key], [len(rows), sum(counts) if counts else None, max(int(row["status"]) for row in rows), len(counts)])

    def test_columns(self):
        self.write("a.log", f"{LINE}\n{LINE}\n".encode())
        log = ("--input-format", "common", "a.log")
        self.assertEqual(self.rows("--by", "host", "--count", "--sum", "bytes", *log), "192.0.2.1\t2\t4652\n")
        self.assertEqual(self.rows("--by", "day(time),hour(time)", *log), "2000-10-10\t2000-10-10T13\t2\n")
        self.assertEqual(self.rows("--by", "prefix(client, 24)", "--distinct", "path", "--where", "status = 200", *log), "192.0.2.0/24\t1\n")
        self.assertEqual(self.rows("--by", "status", "--first", "path", "--argmax", "time=bytes", *log), "200\t/a.gif\t2000-10-10T13:55:36-07:00\n")
        self.assertEqual(json.loads(self.rows("--by", "referer,agent,vhost,query", "--format", "jsonl", *log)), {"referer": "", "agent": "", "vhost": "", "query": "x=1", "count": 2})

    def test_faults(self):
        self.write("a.log", f"{LINE}\nx\n{LINE}\n".encode())
        for text, problem in (("x", "it does not begin with a client"), (LINE.replace("[", ""), "do not stand at its beginning"),
                              (LINE.replace(" 200", " 2"), "no closed quote and status"), (LINE + " x", "no quoted referer and agent"), (LINE[:-4], "no number of bytes")):
            self.write("a.log", f"{LINE}\n\n{text}\n{LINE}\n".encode())
            asked = ("--by", "status", "--input-format", "combined", "a.log")
            self.assert_failed(self.aggregate(*asked), 5, "'a.log', line 3: it is no line of such a log: ", problem, "1 row like this")
            self.assertEqual(self.aggregate(*asked, "--bad-rows", "drop").out, b"200\t2\n")
        self.assert_failed(self.aggregate("--by", "status", "--input-format", "vhost_combined", "--where", "status = 200", "a.log"), 5, "'a.log', line 1: it is no line of such a log")
        self.assert_failed(self.aggregate("--by", "page", "--input-format", "combined", "a.log"), 2, "a log has no column 'page'; it has client, vhost, ")
        self.assert_failed(self.aggregate("--by", "path", "--sum", "path", "--input-format", "combined", "--bad-rows", "error", "a.log"), 5, "column 'path' is '/a.gif', which is no number")
        self.assert_failed(self.aggregate("--by", "path", "--delimiter", ",", "--input-format", "combined", "a.log"), 2, "--input-format combined asks for a log")
        self.assert_failed(self.aggregate("--by", "path", "--input-format", "combined", "--device", "gpu", "a.log"), 3, "logs are read on the CPU only")

    def test_pairs(self):
        self.write("p.bin", bytes((1, 0, 0, 0, 5, 0, 0, 0)) * 2)
        self.assertEqual(self.rows("--input-format", "pairs", "p.bin"), "1\t10\n")
        self.assert_failed(self.aggregate("--input-format", "pairs", "--by", "x", "p.bin"), 2, "--input-format pairs asks for binary pairs")
        self.assert_failed(self.aggregate("--input-format", "combined", "p.bin"), 2, "--input-format combined needs --by")


if __name__ == "__main__":
    harness.main()
