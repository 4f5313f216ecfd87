"""Tests the functions in `duomap run aggregate --by` on random tables against Python's datetime,
ipaddress and decimal."""

import collections
import csv
import datetime
import decimal
import io
import ipaddress
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import aggregate_program as program
import cli_harness as harness

TEXTS = ["Rome", "ROME", "\u00c4rger", "x", "", "Zz[`{@", "\U0001f600y", 'q"Q', "a,B", " lead", "a\\b"]


def random_date(chance):
    moment = datetime.datetime(1, 1, 1) + datetime.timedelta(seconds=chance.randrange(9998 * 365 * 86400))
    moment = moment.replace(microsecond=chance.randrange(10**6))
    kind = chance.randrange(8)
    if kind == 0:
        return ""
    if kind == 1:
        return moment.date().isoformat()
    if kind == 2:
        seconds = (moment - datetime.datetime(1970, 1, 1)) // datetime.timedelta(seconds=1)
        return str(seconds if len(str(seconds)) != 8 else seconds * 10)
    if kind == 3:
        return moment.replace(tzinfo=datetime.timezone(datetime.timedelta(minutes=chance.randint(-900, 900)))).isoformat()
    return moment.isoformat(chance.choice("T "), chance.choice(("hours", "minutes", "seconds", "milliseconds", "microseconds")))


def read_date(text):
    if "-" in text[1:]:
        return datetime.datetime.fromisoformat(text)
    return datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=int(text))


def random_address(chance):
    if chance.random() < 0.1:
        return ""
    if chance.random() < 0.5:
        return str(ipaddress.IPv4Address(chance.getrandbits(32)))
    bits = chance.getrandbits(128) & chance.choice(((1 << 128) - 1, chance.getrandbits(128), 0xFFFF << chance.randrange(113)))
    address = ipaddress.IPv6Address(bits)
    return chance.choice((str(address), address.exploded, address.exploded.upper()))


def network_of(text, ipv4_bits, ipv6_bits):
    version = 6 if ":" in text else 4
    network = ipaddress.ip_network((text, ipv6_bits if version == 6 else ipv4_bits), strict=False)
    if version == 4:
        return str(network)
    # Newer releases of Python write some addresses with dots.
    groups = [f"{int(network.network_address) >> shift & 0xffff:x}" for shift in range(112, -1, -16)]
    runs = [(-size, at) for size in range(2, 9) for at in range(9 - size) if groups[at:at + size] == ["0"] * size]
    if runs:
        size, at = min(runs)
        return f"{':'.join(groups[:at])}::{':'.join(groups[at - size:])}/{ipv6_bits}"
    return f"{':'.join(groups)}/{ipv6_bits}"


def random_number(chance):
    if chance.random() < 0.1:
        return ""
    number = decimal.Decimal(chance.randint(-10**chance.randint(1, 15), 10**chance.randint(1, 15))).scaleb(-chance.randint(0, 12))
    return chance.choice((f"{number:f}", f"{number:e}"))


def bucket_of(text, width):
    with decimal.localcontext() as context:
        context.prec = 60
        return f"{int((decimal.Decimal(text) / width).to_integral_value(decimal.ROUND_FLOOR)) * width:f}"


def ascii_case(text, change):
    return "".join(getattr(c, change)() if c.isascii() else c for c in text)


def random_function(chance):
    """A call of a function, and its oracle for a row."""
    kind = chance.choice(("year", "month", "day", "hour", "lower", "upper", "left", "prefix", "floor"))
    if kind in ("lower", "upper"):
        return f"{kind}(city)", lambda row: ascii_case(row["city"], kind)
    if kind == "left":
        size = chance.randint(1, 4)
        return f"left(city, {size})", lambda row: row["city"][:size]
    if kind == "prefix":
        ipv4, ipv6 = chance.randint(0, 32), chance.randint(0, 128)
        ipv6 = ipv4 if chance.random() < 0.3 else ipv6
        call = f"prefix(ip, {ipv4})" if ipv4 == ipv6 else f"prefix(ip, {ipv4}, {ipv6})"
        return call, lambda row: row["ip"] and network_of(row["ip"], ipv4, ipv6)
    if kind == "floor":
        width = decimal.Decimal(chance.randint(1, 10**chance.randint(1, 6))).scaleb(-chance.randint(0, 3))
        return f"floor(x,{width:f})", lambda row: row["x"] and bucket_of(row["x"], width)
    form = {"year": "%Y", "month": "%Y-%m", "day": "%Y-%m-%d", "hour": "%Y-%m-%dT%H"}[kind]
    return f"{kind}(time)", lambda row: row["time"] and read_date(row["time"]).strftime(form.replace("%Y", f"{read_date(row['time']).year:04}"))


class AggregateKeys(program.AggregateTest):
    def test_random_tables(self):
        self.check_random_tables(self.check_table, cases=40)

    def check_table(self, chance):
        functions = [random_function(chance) for _ in range(chance.randint(1, 3))]
        rows = [{"time": random_date(chance), "city": chance.choice(TEXTS) + chance.choice(TEXTS), "ip": random_address(chance), "x": random_number(chance),
                 "n": str(chance.randint(-99, 99))} for _ in range(chance.choice((1, 40, 400)))]
        by = [call for call, _ in functions]
        plain = chance.random() < 0.3  # a column of no function
        as_json = chance.random() < 0.4
        if as_json:
            lines = [{name: int(text) if name == "n" else text or None for name, text in row.items()} for row in rows]
            self.write("t", "".join(json.dumps(line, ensure_ascii=chance.random() < 0.5) + "\n" for line in lines).encode())
        else:
            text = io.StringIO()
            writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n", quoting=chance.choice((csv.QUOTE_ALL, csv.QUOTE_MINIMAL)))
            writer.writeheader()
            writer.writerows(rows)
            self.write("t", text.getvalue().encode())
        expected = collections.defaultdict(lambda: [0, 0])
        for row in rows:
            group = expected[tuple([of_row(row) for _, of_row in functions] + ([row["city"]] if plain else []))]
            group[0] += 1
            group[1] += int(row["n"])
        asked = ",".join(by + (["city"] if plain else []))
        found = program.groups_in(self.rows("--by", asked, "--count", "--sum", "n", "--format", "jsonl", "--threads", str(chance.randint(1, 3)),
                                            *(["--input-format", "jsonl"] if as_json else ["--delimiter", ","]), "t"), len(by) + plain)
        self.assertEqual({key: [int(cell) for cell in cells] for key, cells in found.items()}, dict(expected))

    def test_headings_and_commas(self):
        self.write("t.csv", b"time,ip,day(time)\n2024-05-06T07:08:09,10.1.2.3,x\n2024-05-06,10.1.9.9,y\n,10.1.2.4,x\n")
        self.assertEqual(self.rows("--by", "month(time),prefix(ip, 24)", "--sort", "key", "--format", "csv", "t.csv"),
                         'month(time),"prefix(ip, 24)",count\n"",10.1.2.0/24,1\n2024-05,10.1.2.0/24,1\n2024-05,10.1.9.0/24,1\n')
        # A column whose name is the whole text wins.
        self.assertEqual(self.rows("--by", "day(time)", "--sort", "key", "t.csv"), "x\t2\ny\t1\n")
        self.assertEqual(self.rows("--by", "prefix(2, 16)", "--header", "yes", "t.csv"), "10.1.0.0/16\t3\n")
        self.write("n.csv", b"7,1\n12,2\n19,4\n")
        self.assertEqual(self.rows("--by", "floor(1, 10)", "--sum", "2", "--sort", "key", "n.csv"), "0\t1\n10\t6\n")
        self.write("t.jsonl", b'{"user":{"at":1715000000},"s":"\\u00e4BC\\"d"}\n{"user":{"at":null},"s":"\\u00e4bC"}\n{"s":"X"}\n')
        self.assertEqual(self.rows("--by", "day(user.at),lower(s)", "--sort", "key", "t.jsonl"), '\tx\t1\n\t\u00e4bc\t1\n2024-05-06\t\u00e4bc"d\t1\n')
        self.assertEqual(self.rows("--by", "left(s,2)", "--distinct", "user.at", "--sort", "key", "t.jsonl"), "X\t0\n\u00e4B\t1\n\u00e4b\t0\n")

    def test_decimal_commas_and_missing_words(self):
        self.write("t.csv", b'x;t;u\n1,5;2024-05-06;"A\nb"\n-0,25;NA;c\n;2024-05-07;"a\nB"\nNA;;c\n')
        self.assertEqual(self.rows("--by", "floor(x, 0.5)", "--decimal-comma", "--null", "NA", "--sort", "key", "t.csv"), "\t2\n-0.5\t1\n1.5\t1\n")
        self.assertEqual(self.rows("--by", "year(t)", "--null", "NA", "--sort", "key", "t.csv"), "\t2\n2024\t2\n")
        self.assertEqual(self.rows("--by", "lower(u)", "--format", "csv", "--sort", "key", "t.csv"), 'lower(u),count\n"a\nb",2\nc,2\n')
        self.assertEqual(self.rows("--by", "left(u,2)", "--approx-distinct", "u", "--format", "csv", "--sort", "key", "t.csv"),
                         '"left(u,2)",approx_distinct(u)\n"A\n",1\n"a\n",1\nc,1\n')

    def test_faults(self):
        self.write("t.csv", b"time,ip,x\n2024-05-06,10.1.2.3,1\n2024-02-30,10.1.2,1e99\n2024-05-07,::1,2\n")
        for call, problem in (("day(time)", "'t.csv', line 3: day(time) cannot read '2024-02-30': it reads dates like 2024-05-06"),
                              ("prefix(ip, 24)", "line 3: prefix(ip, 24) cannot read '10.1.2': it reads IPv4 and IPv6 addresses"),
                              ("floor(x, 0.5)", "line 3: floor(x, 0.5) cannot read '1e99': it reads numbers that 64 bits hold in units of 10^-1")):
            self.assert_failed(self.aggregate("--by", call, "t.csv"), 5, problem, "1 row like this")
            self.assertEqual(self.aggregate("--by", call, "--bad-rows", "drop", "--sort", "none", "t.csv").out.count(b"\n"), 2)
        self.assert_failed(self.aggregate("--by", "prefix(ip, 48)", "t.csv"), 5, "line 2: ", "48 bits are more than an IPv4 address has", "2 rows")
        self.assertEqual(self.rows("--by", "day(time)", "--where", "x < 5", "--sort", "key", "t.csv"), "2024-05-06\t1\n2024-05-07\t1\n")
        self.assert_failed(self.aggregate("--by", "week(time)", "t.csv"), 2, "has no column 'week(time)'", "the functions of keys are year, month, day")
        self.assert_failed(self.aggregate("--by", "left(time)", "t.csv"), 2, "write it as left(name, 3)")
        self.write("long.csv", b"a\n" + b"k" * 300 + b"\n")
        self.assert_failed(self.aggregate("--by", "lower(a)", "long.csv"), 5, "made by a function", "more than 256 bytes")
        self.assertEqual(self.rows("--by", "left(a, 2)", "long.csv"), "kk\t1\n")

    def test_parts(self):
        self.write("n.txt", b"".join(b"%d;%d\n" % (i * 4000, i) for i in range(5000)))
        asked = ("aggregate", "--by", "day(1),floor(2, 1000)", "--sum", "2", "--types", "2=integer")
        self.check_parts(asked, "n.txt", "--bad-rows", "drop")


if __name__ == "__main__":
    harness.main()
