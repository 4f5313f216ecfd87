"""Tests page views on generated logs, in every format and spelling, against the generated
visits."""

import collections
import json
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness
import log_model as model

TIME = b"10/Oct/2000:13:55:36 -0700"
PAGES = [b"/", b"/a", b"/b.html", b"/c/d", b"/~user/", b"/q?x=1&y=/../", b"/p%2Fq", b"/caf\xc3\xa9", b'/say"hi"', b"/s p/t", b"/back\\slash",
         b"/.well-known/x", b"/...", b"http://proxy.example/x?y", b"/new%0Aline"]
CLIENTS = [b"192.0.2.7", b"198.51.100.10", b"2001:db8::1", b"2001:db8:0:1::", b"fe80::1%eth0", b"client.example.net", b"pc7", b"10-1.dsl_x.example.org"]
AGENTS = [b"Mozilla/5.0 (X11)", b'A "quoted" one', b"back\\slash", b"-", b"caf\xc3\xa9/1.0"]
NO_REQUESTS = [b"-", b"", b"- - -", b"\x03\x00\x00/*\xe0\x00\x00\x00\x00\x00Cookie: mstshash=Administr", b"SSH-2.0-Go foo", b"\x16\x03\x01", b"GET",
               b"OPTIONS / RTSP/1.0", b"USER anonymous", b"quit", b"PRI * HTTP/2.0", b"GET  /a HTTP/1.1", b"\x00\x0e8 / HTTP/1.0"]


class Visit:
    """One visit, and the spellings that its log line uses."""

    def __init__(self, pick, formats):
        self.client, self.agent, self.status = pick(formats.clients), pick(formats.agents), pick([b"200", b"404", b"301"])
        self.page = pick(formats.pages)
        self.method = pick([b"GET", b"GET", b"POST", b"M-SEARCH"])
        self.request = pick(NO_REQUESTS) if pick(range(12)) == 0 else None  # some requests are not HTTP
        self.spelt_client = spelt_client(self.client, pick)
        self.url = spelt_page(self.page, pick)
        self.protocol = pick([b"HTTP/1.1", b"HTTP/1.0", b"HTTP/2.0", b"HTTP/2"])
        self.user = pick([b"-", b"-", b"frank", b"f r", b"x@example.com"] + ([b"john.doe"] if model.client(self.client)[0] == "address" else []))

    def request_line(self, pick):
        if self.request is not None:
            return self.request
        if b" " not in self.url and pick(range(8)) == 0:
            return self.method + b" " + self.url  # HTTP/0.9
        return self.method + b" " + self.url + b" " + self.protocol


def spelt_client(client, pick):
    kind = model.client(client)[0]
    if b"%" in client:
        return pick([client, b"[" + client + b"]:80"])
    if kind == "name":
        return pick([client, client.upper(), client + b".", client + b":80"])
    if b":" in client:
        long = b":".join(b"%X" % int(part, 16) for part in model.ipaddress.ip_address(client.decode()).exploded.encode().split(b":"))
        return pick([client, long, b"[" + client + b"]", b"[" + long + b"]:41342"])
    number = int(model.ipaddress.ip_address(client.decode()))
    return pick([client, client + b":41342", b"::ffff:" + client, b"[::FFFF:%x:%x]:1" % (number >> 16, number & 0xFFFF)])


def spelt_page(page, pick):
    """A URL whose normal form is `page`."""
    path, mark, query = page.partition(b"?")
    start = model.SCHEME.match(path)
    origin, path = (path[:path.index(b"/", start.end())], path[path.index(b"/", start.end()):]) if start else (b"", path)
    if origin:
        origin = pick([origin, origin.upper(), origin + b":80", origin + b":"])
    out = b""
    for at in range(len(path)):
        byte = path[at:at + 1]
        if byte == b"/" and pick(range(6)) == 0:
            out += pick([b"/.", b"/zz/..", b"/%2E", b"/z%7a/%2e%2e" if not out else b"/."])
        plain = byte[0] in model.PLAIN and b"%" not in path[max(0, at - 2):at]
        out += pick([b"%%%02x" % byte[0], b"%%%02X" % byte[0]]) if plain and pick(range(8)) == 0 else byte
    out = out.replace(b"%2F", pick([b"%2F", b"%2f"]))
    return origin + out + mark + query


def quoted(value, pick):
    """A value in quotes, as a server writes it."""
    apache = pick([True, False])
    out = b""
    for byte in value:
        one = bytes([byte])
        if one in b'"\\':
            out += b"\\" + one if apache else b"\\x%02X" % byte
        elif byte < 0x20 or byte == 0x7F or (byte > 0x7F and pick(range(2)) == 0):
            out += b"\\x%02x" % byte if apache else b"\\x%02X" % byte
        else:
            out += one
    return out


def json_text(value, pick):
    """A value as a JSON string, with some needless escapes."""
    out = ""
    for letter in value.decode("utf-8", "surrogateescape"):
        if letter in '"\\' or ord(letter) < 0x20:
            out += json.dumps(letter)[1:-1]
        elif "\udc80" <= letter <= "\udcff":
            out += letter
        elif pick(range(10)) == 0:
            out += "\\/" if letter == "/" else "\\u%04x" % ord(letter)
        else:
            out += letter
    return b'"' + out.encode("utf-8", "surrogateescape") + b'"'


class Format:
    """A log format: how it writes a line, and which values it can hold."""

    def __init__(self, name, write, option=None, header=b"", pages=PAGES, clients=CLIENTS, agents=AGENTS):
        self.name, self.write, self.option, self.header = name, write, option, header
        self.pages, self.clients, self.agents = pages, clients, agents


def apache(visit, pick, before=b"", second=b"-", agents=True):
    line = before + visit.spelt_client + b" " + second + b" " + visit.user + b" [" + TIME + b'] "' + quoted(visit.request_line(pick), pick)
    line += b'" ' + visit.status + b" " + pick([b"-", b"17"])
    return line + (b' "-" "' + quoted(visit.agent, pick) + b'"' + pick([b"", b"", b" more 1"]) if agents else b"")


def vhost(visit, pick):
    host = pick([b"www.example.com", b"www.example.com:443", b"web1", b"_", b"192.0.2.200:80", b"[2001:db8::9]:80"])
    if model.client(visit.client)[0] == "name" and model.client(host)[0] == "address":
        host = b"web1"
    return apache(visit, pick, before=host + b" ")


def w3c(separator):
    def write(visit, pick):
        asked = (b"-", b"-") if visit.request is not None else (visit.method, visit.url)
        agent = visit.agent.replace(b" ", b"+")
        return separator.join([b"2020-01-02", b"03:04:05", visit.spelt_client, asked[0], asked[1], b"-", visit.status, agent])
    return write


def json_line(visit, pick):
    members = [(b"remote_addr", json_text(visit.spelt_client, pick)), (b"request", json_text(visit.request_line(pick), pick)),
               (b"status", pick([visit.status, b'"' + visit.status + b'"'])), (b"http_user_agent", json_text(visit.agent, pick)),
               (b"upstream", b'{"status":"500","request":"GET /no HTTP/1.1"}')]
    return b"{" + b", ".join(b'"' + name + b'": ' + value for name, value in members) + b"}"


def caddy(visit, pick):
    method, url = (b"", b"") if visit.request is not None else (visit.method, visit.url)
    return (b'{"level":"info","ts":1646861401.5,"msg":"handled request","request":{"remote_addr":' + json_text(visit.spelt_client, pick) +
            b',"method":' + json_text(method, pick) + b',"uri":' + json_text(url, pick) +
            b',"headers":{"User-Agent":[' + json_text(visit.agent, pick) + b']}},"size":2,"status":' + visit.status + b"}")


def alb(visit, pick):
    return (b"http 2018-07-02T22:23:00Z app/x " + visit.spelt_client + b" - -1 -1 -1 " + visit.status + b' - 34 366 "' +
            quoted(visit.request_line(pick), pick) + b'" "' + quoted(visit.agent, pick) + b'" - -')


def bare(visit, pick):
    return visit.spelt_client + b" " + quoted(visit.request_line(pick), pick) + b" " + visit.status + b" " + quoted(visit.agent, pick)


def parts(visit, pick):
    asked = [b"-", b"-", b"-"] if visit.request is not None else [visit.method, visit.url, visit.protocol]
    return visit.spelt_client + b" " + b" ".join(quoted(one, pick) for one in asked) + b" " + visit.status + b" " + quoted(visit.agent, pick)


W3C_HEADER = b"#Version: 1.0\n#Fields: date time c-ip cs-method cs-uri-stem cs-uri-query sc-status cs(User-Agent)\n"
PLAIN_PAGES = [page for page in PAGES if b" " not in page and b"?" not in page]
FORMATS = [
    Format("combined", lambda visit, pick: apache(visit, pick, agents=False), agents=[b""]),
    Format("combined", apache),
    Format("vhost_combined", vhost),
    Format("lighttpd", lambda visit, pick: apache(visit, pick, second=pick([b"www.example.com", b"a.example:80"])),
           clients=[one for one in CLIENTS if model.client(one)[0] == "address"]),
    Format("w3c", w3c(b" "), header=W3C_HEADER, pages=PLAIN_PAGES),
    Format("w3c", w3c(b"\t"), header=W3C_HEADER, pages=PLAIN_PAGES),
    Format("alb", alb),
    Format("json", json_line),
    Format("json", caddy),
    Format("described", bare, option="%h %r %>s %{User-Agent}i"),
    Format("described", parts, option="%h %m %U%q %H %>s %{User-Agent}i"),
]
PREFIXES = {
    "": lambda line, pick: line,
    "syslog": lambda line, pick: pick([b"", b"<190>"]) + b"Oct %2d 13:55:31 " % pick(range(1, 29)) +
              pick([b"", b"web ", b"web7.example.com "]) + pick([b"nginx: ", b"nginx[17]: ", b"docker/web[1]: "]) + line,
    "syslog of RFC 5424": lambda line, pick: b'<165>1 2003-10-11T22:14:15.003Z web.example.com nginx 17 ID47 ' +
                          pick([b"-", b'[a@1 b="c\\"]"][d]']) + b" " + pick([b"", b"\xef\xbb\xbf"]) + line,
    "syslog ": lambda line, pick: pick([b"2020-10-10T13:55:31+0000", b"2020-10-10T13:55:31.123456+02:00", b"1602338131.123456", b"[ 1234.567890]",
                                        b"Sat 2020-10-10 13:55:31 UTC"]) + b" web nginx[17]: " + line,
    "container runtime": lambda line, pick: b"2020-10-10T13:55:31.123456789Z " + pick([b"stdout", b"stderr"]) + b" F " + line,
    "time": lambda line, pick: b"2020-10-10T13:55:31.123456789Z " + line,
    "container name": lambda line, pick: pick([b"web-1  | ", b"web_2 | ", b"web.1.x@node    | "]) + line,
    "container name, time": lambda line, pick: b"web-1  | 2020-10-10T13:55:31.123456789Z " + line,
    "pod name": lambda line, pick: b"[pod/nginx-5d4/nginx] " + line,
    "JSON text": lambda line, pick: b'{"log":' + json_text(line + b"\n", pick) + b',"stream":"stdout","time":"2020-10-10T13:55:31.1Z"}',
    "JSON text ": lambda line, pick: b'{"PRIORITY":"6","MESSAGE":' + json_text(line, pick) + b',"_HOSTNAME":"web"}',
    "syslog, JSON text": lambda line, pick: b"Oct 10 13:55:31 web docker[1]: " + b'{"log":' + json_text(line + b"\n", pick) + b"}",
}
UNIQUES = {"client+agent": 2, "client": 1, "none": 0}


def expected(visits, unique):
    seen = collections.Counter()
    for visit in visits:
        if visit.request is None:
            seen[(visit.page, *(visit.client, visit.agent)[:UNIQUES[unique]])] += 1
    views = collections.Counter()
    for key, count in seen.items():
        views[key[0]] += 1 if UNIQUES[unique] else count
    return dict(views)


def unescaped(cell):
    return cell.replace(b"\\t", b"\t").replace(b"\\\\", b"\\")


class LogOracle(harness.ProgramTest):
    def setUp(self):
        super().setUp()
        self.generator = random.Random(harness.seed())
        self.pick = self.generator.choice

    def visits(self, form, count):
        return [Visit(self.pick, form) for _ in range(count)]

    def lines(self, form, prefix, visits):
        return [PREFIXES[prefix](form.write(visit, self.pick), self.pick) for visit in visits]

    def count(self, path, form, unique, *arguments):
        options = ["--log-format", form.option] if form.option else []
        ended = self.run_program("run", "pageviewcount", "--json", "--device", "cpu", "--unique", unique, *options, *arguments, path)
        self.assertEqual(ended.status, 0, ended.err)
        rows = dict(line.rsplit(b"\t", 1) for line in ended.out.splitlines())
        return {unescaped(page): int(views) for page, views in rows.items()}, harness.figures_of(ended)

    def test_every_format_behind_every_prefix(self):
        lines, logs = 0, 0
        for form in FORMATS:
            for prefix in PREFIXES:
                if prefix and form.header:
                    continue
                visits = self.visits(form, 100 if harness.QUICK else 900)
                written = self.lines(form, prefix, visits)
                malformed = self.generator.randrange(5)
                for _ in range(malformed):
                    written.insert(self.generator.randrange(len(written) + 1), self.pick([b"rubbish", b"[x", b"{", b"cut off \xff"]))
                end = self.pick([b"\n", b"\r\n"])
                path = self.write("log", form.header + end.join(written) + self.pick([b"", end]))
                for unique in UNIQUES if prefix == "" else [self.pick(list(UNIQUES))]:
                    with self.subTest(format=form.name, prefix=prefix, unique=unique):
                        views, figures = self.count(path, form, unique)
                        self.assertEqual(views, expected(visits, unique))
                        no_requests = sum(visit.request is not None for visit in visits)
                        self.assertEqual((figures["malformed_lines"], figures["no_request_entries"]), (malformed, no_requests))
                        self.assertEqual(figures["log_format"], form.name + (" behind " + prefix.strip() if prefix else ""))
                    logs += 1
                    lines += len(written)
        print(f"{lines} lines in {logs} counts")

    def test_lists_of_clients(self):
        lists = [[self.pick(CLIENTS) for _ in range(self.generator.randrange(1, 5))] for _ in range(400)]
        spelt = [[spelt_client(one, self.pick) for one in clients] for clients in lists]
        one = FORMATS[1]
        for name, chosen in {"first": 0, "last": -1, "2": 1, "-2": -2, "9": 8}.items():
            counted = [clients[max(-len(clients), min(chosen, len(clients) - 1))] for clients in lists]
            expected_views = {b"/": len({*counted})}
            in_place, behind, described = [], [], []
            for clients in spelt:
                joined = self.pick([b", ", b","]).join(clients)
                rest = b' - - [' + TIME + b'] "GET / HTTP/1.1" 200 1 "-" "M"'
                in_place.append(joined + rest)
                behind.append(b"203.0.113.1" + rest + b' "' + joined + b'"')
                described.append(joined + b" GET / HTTP/1.0 200")
            for log, options in ((in_place, []), (behind, []), (described, ["--log-format", "%{X-Forwarded-For}i %r %>s"])):
                path = self.write("log", b"\n".join(log))
                self.assertEqual(self.count(path, one, "client", "--forwarded=" + name, *options)[0], expected_views)
        # Without the option, addresses that a proxy has forwarded do not count as clients.
        path = self.write("log", b"\n".join(behind))
        self.assertEqual(self.count(path, one, "client")[0], {b"/": 1})
        self.write("log", b"\n".join(line for line, clients in zip(in_place, lists) if len(clients) > 1))
        self.assert_failed(self.run_program("run", "pageviewcount", "log"), 5, "--forwarded")

    def test_pages_of_any_urls(self):
        """Compares with RFC 3986's own steps (log_model.py)."""
        parts = [b".", b"..", b"a", b"%2e", b"%2E%2e", b"", b"%7e", b"%2f", b"b.c", b"%", b"%4", b"...", b"\xc3\xa9", b"\x01", b"a b", b".a", b"A%41", b"0123456789abcdef"]
        origins = [b"http://Host", b"HTTPS://h:80", b"https://h:443", b"ftp://U@H:", b"http://[2001:DB8::1]:80", b"http://h%41"]
        urls = []
        for _ in range(5_000 if harness.QUICK else 50_000):
            url = b"".join(b"/" + self.pick(parts) for _ in range(self.generator.randrange(1, 8)))
            url += b"?" + b"/".join(self.pick(parts) for _ in range(4)) if self.pick(range(4)) == 0 else b""
            urls.append((self.pick(origins) if self.pick(range(6)) == 0 else b"") + url)
        lines = [b'{"remote_addr":"h","status":200,"uri":' + json_text(url, self.pick) + b"}" for url in urls]
        views, _ = self.count(self.write("log", b"\n".join(lines)), FORMATS[7], "none")
        self.assertEqual(views, dict(collections.Counter(map(model.page, urls))))

    def test_clients_of_any_words(self):
        """Compares with Python's ipaddress: which words are clients, and which of them are
        equal."""
        parts = [b"a", b"1", b".", b":", b"-", b"_", b"10", b"192.0.2.1", b"2001:db8::1", b"::", b"[", b"]", b"%", b"eth0", b":80", b"ffff", b"example.com",
                 b"0", b"300", b"01", b"unix:", b"1::", b"B"]
        words = [b"".join(self.pick(parts) for _ in range(self.generator.randrange(1, 7))) for _ in range(10_000 if harness.QUICK else 100_000)]
        lines, found = [], collections.defaultdict(set)
        for at, word in enumerate(words):
            page = b"/%d" % (at // 20)
            client = model.client(word)
            found[page] |= {client[1]} if client else set()
            found[page].add(b"good")
            lines += [b'{"remote_addr":"%s","status":200,"uri":"%s"}' % (one, page) for one in (word, b"good")]
        views, figures = self.count(self.write("log", b"\n".join(lines)), FORMATS[7], "client")
        self.assertEqual(views, {page: len(clients) for page, clients in found.items()})
        self.assertEqual(figures["malformed_lines"], sum(model.client(word) is None for word in words))

    def test_two_formats_in_a_log(self):
        recognised = [form for form in FORMATS if not form.option and not form.header]
        kinds = [(form, prefix) for form in recognised for prefix in PREFIXES]
        for _ in range(20 if harness.QUICK else 150):
            (form, prefix), (other, behind) = self.generator.sample(kinds, 2)
            names = {one.name + (" behind " + before.strip() if before else "") for one, before in ((form, prefix), (other, behind))}
            visits = [self.visits(form, 30), self.visits(other, 30)]
            lines = self.lines(form, prefix, visits[0]) + self.lines(other, behind, visits[1])
            if len(names) < 2:
                continue
            self.generator.shuffle(lines)
            path = self.write("log", b"\n".join(lines))
            if {form.name, other.name} == {"combined", "lighttpd"} and prefix.strip() == behind.strip():
                # Combined format is lighttpd's without a host, so both read these lines alike.
                self.assertEqual(self.count(path, form, "client")[0], expected(visits[0] + visits[1], "client"))
                continue
            ended = self.run_program("run", "pageviewcount", "--device", "cpu", "log")
            with self.subTest(names=names):
                self.assert_failed(ended, 5, *sorted(names))
                self.assertEqual(ended.out, b"")


if __name__ == "__main__":
    harness.main()
