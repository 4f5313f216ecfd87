"""Tests `duomap run aggregate --by` on random JSON Lines against exact arithmetic: members, nested
and escaped, conditions, types, bad rows, parts."""

import collections
import fractions
import gzip
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import aggregate_program as program
import cli_harness as harness

ROWS = b"""{"city":"Ham","temp":12.5,"user":{"id":3,"name":"a, b"}}
{"temp":-1.25, "city":"Ber", "user":{"id":4}}
 {"city":"Ham","temp":null,"user":{"id":5,"name":""},"tags":["x",{"city":"no"}]} \r

{"city":"Q \\"q\\"","temp":7,"user":{"id":1,"name":"\\u00e4\\ud83d\\ude00"},"ok":true}
{"city":"Ber","temp":3,"user":{"id":-9,"name":"y"},"ok":false}
"""
TEXTS = ["a", "b", "", "x y", 'q"q', "a,b", "\u00e4", "01", "1", " lead", "back\\slash", "tab\t", "\U0001f600", "a very long key of a table", "-"]
MISSING = object()


class Number(str):
    """A number as its JSON text."""


class AggregateJson(program.AggregateTest):
    def setUp(self):
        super().setUp()
        self.write("t.jsonl", ROWS)

    def test_members_are_columns(self):
        self.assertEqual(self.rows("--by", "city", "--count", "--sum", "temp,user.id", "--mean", "temp", "--sort", "key", "t.jsonl"),
                         'Ber\t2\t1.75\t-5\t0.875\nHam\t2\t12.5\t8\t12.5\nQ "q"\t1\t7\t1\t7\n')
        self.assertEqual(self.rows("--by", "user.name,city", "--max", "user.id", "--format", "csv", "--sort", "key", "t.jsonl"),
                         'user.name,city,max(user.id)\n"",Ber,4\n"",Ham,5\n"a, b",Ham,3\ny,Ber,-9\n\u00e4\U0001f600,"Q ""q""",1\n')
        self.assertEqual(self.rows("--by", "ok", "--sort", "key", "t.jsonl"), "\t3\nfalse\t1\ntrue\t1\n")
        self.assertEqual(self.rows("--by", "temp", "--sort", "key", "--where", "temp > 0", "t.jsonl"), "12.5\t1\n3\t1\n7\t1\n")
        self.assertEqual(self.rows("--by", "tags", "--where", "tags is not null", "t.jsonl"), '["x",{"city":"no"}]\t1\n')
        explained = self.aggregate("--by", "city", "--sum", "temp", "--explain", "t.jsonl")
        self.assertIn("JSON Lines; 'temp' is decimal(2)", explained.err)

    def test_names(self):
        self.write("n.jsonl", b'{"a.b":1,"a":{"b":2},"c":{"d.e":5}}\n{"a":{"b":3}}\n{"a":{"b":4},"a.b":null}\n{"x":1,"x":2}\n{"\\u0078":7}\n{"a":{"b":9},"a":{}}\n')
        self.assertEqual(self.rows("--by", "a.b", "--sum", "x", "--sort", "key", "n.jsonl"), "\t9\n1\t\n3\t\n")
        self.assert_failed(self.aggregate("--by", "c.d.e", "n.jsonl"), 2, "'n.jsonl' has no row with the member 'c.d.e'; its first row has: a.b, a, c")

    def test_conditions(self):
        self.assertEqual(self.rows("--by", "city", "--where", "temp > 0 or temp is null", "--sort", "key", "t.jsonl"), 'Ber\t1\nHam\t2\nQ "q"\t1\n')
        self.assertEqual(self.rows("--by", "city", "--where", "user.name = '\u00e4\U0001f600'", "t.jsonl"), 'Q "q"\t1\n')
        self.assertEqual(self.rows("--by", "city", "--where", "city >= 'Q \"q'", "t.jsonl"), 'Q "q"\t1\n')
        # An empty string is no null.
        self.assertEqual(self.rows("--by", "city", "--where", "user.name is null", "t.jsonl"), "Ber\t1\n")
        self.assertEqual(self.rows("--by", "city", "--where", "ok = 'true' or ok != 'true'", "--sort", "key", "t.jsonl"), 'Ber\t1\nQ "q"\t1\n')
        self.assert_failed(self.aggregate("--by", "city", "--where", "city > 5", "t.jsonl"), 5, "'t.jsonl', line 1: column 'city' is 'Ham', which is no number")

    def test_random_tables(self):
        self.check_random_tables(self.check_table)

    def number(self, chance, scale):
        if chance.random() < 0.1:
            return chance.choice((MISSING, None))
        whole = chance.randint(-10**chance.randint(0, 15), 10**chance.randint(0, 15))
        return Number(f"{whole}.{chance.randrange(10**scale):0{scale}}" if scale else str(whole))

    def text(self, chance):
        if chance.random() < 0.1:
            return chance.choice((MISSING, None))
        return chance.choice((*TEXTS, True, False, Number("-0.50"), Number("1e2")))

    def value_text(self, chance, value):
        if isinstance(value, Number):
            return str(value)
        return json.dumps(value, ensure_ascii=chance.random() < 0.5)

    def line(self, chance, row, separators):
        """A row as JSON: its members in any order between others, those with a dot nested."""
        members = {"noise": chance.choice(('{"k0":[1,{"v0":2}]}', '"}\\\\"', "[[],{}]", "null"))} if chance.random() < 0.5 else {}
        nested = {}
        for name, value in row.items():
            if value is not MISSING:
                (nested if "." in name else members)[name.split(".")[-1]] = self.value_text(chance, value)
        comma, colon = separators

        def written(parts):
            order = list(parts.items())
            chance.shuffle(order)
            return "{" + comma.join(json.dumps(name) + colon + value for name, value in order) + "}"
        if nested or chance.random() < 0.5:
            members["in"] = written(nested)
        return written(members)

    def check_table(self, chance):
        keys, values = chance.randint(1, 3), chance.randint(1, 5)
        scales = [chance.choice((0, 0, 1, 3)) for _ in range(values)]
        place = {f"{kind}{i}": chance.choice(("", "in.")) + f"{kind}{i}" for kind, count in (("k", keys), ("v", values)) for i in range(count)}
        table = [{name: self.text(chance) if short[0] == "k" else self.number(chance, scales[int(short[1:])]) for short, name in place.items()}
                 for _ in range(chance.choice((1, 3, 60, 900)))]
        separators, end = chance.choice(((",", ":"), (", ", ": "), (" ,\t", " : "))), chance.choice(("\n", "\r\n", " \n\n"))
        lines = [self.line(chance, row, separators) + end for row in table]
        files = []
        for part in range(chance.randint(1, 3) if len(lines) > 3 else 1):
            files.append(f"t{part}.jsonl" + chance.choice(("", ".gz")))
        for i, name in enumerate(files):
            content = "".join(lines[i::len(files)]).encode()
            self.write(name, gzip.compress(content) if name.endswith("gz") else content)

        columns = list(place.values())
        where, fulfils = program.random_condition(
            chance, [place[f"k{i}"] for i in range(keys)], [place[f"v{i}"] for i in range(values)], TEXTS,
            lambda row, column: None if row[column] in (MISSING, None) else self.key(row[column])) if chance.random() < 0.6 else (None, lambda row: True)
        by = chance.sample([place[f"k{i}"] for i in range(keys)], chance.randint(1, keys))
        asked = [(kind, "" if kind == "rows" else place[f"v{chance.randrange(values)}"]) for kind in chance.choices(program.KINDS, k=chance.randint(1, 5))]
        options = [word for kind, column in asked for word in ([program.option_of(kind)] + ([column] if column else []))]
        options += ["--where", where] if where else []
        types = sorted({column for _, column in asked if column})
        options += ["--types", ",".join(f"{one}=decimal({scales[int(one[-1])]})" for one in types)] if types else []
        options += ["--input-format", "jsonl"] if chance.random() < 0.5 else []
        ended = self.aggregate("--by", ",".join(by), *options, "--format", "jsonl", "--quiet", "--threads", str(chance.randint(1, 3)), *files)
        absent = [one for one in columns if all(row[one] is MISSING for row in table)]
        if ended.status == 2 and absent:  # a column that no row has
            self.assertIn("no row with the member", ended.err)
            return
        self.assertEqual(ended.status, 0, ended.err)
        found = program.groups_in(ended.out.decode(), len(by))

        groups = collections.defaultdict(list)
        for row in table:
            if fulfils(row):
                groups[tuple(self.key(row[one]) for one in by)].append(row)
        self.assertEqual(set(found), set(groups))
        for key, rows in groups.items():
            for (kind, column), cell in zip(asked, found[key]):
                numbers = [fractions.Fraction(row[column]) for row in rows if isinstance(row[column], Number)] if column else []
                self.check_number_cell(kind, len(rows), numbers, cell)

    def key(self, value):
        return "" if value in (MISSING, None) else str(value) if isinstance(value, str) else json.dumps(value)

    def test_types(self):
        self.write("late.jsonl", b'{"k":"a","v":1}\n' * 20_000 + b'{"k":"a","v":0.5}\n')
        ended = self.aggregate("--by", "k", "--sum", "v", "late.jsonl")
        self.assertEqual(ended.out, b"a\t20000.5\n")
        self.assertIn("column v has numbers that the type of its first rows cannot hold, so it was read again as doubles", ended.err)
        self.assert_failed(self.aggregate("--by", "k", "--sum", "v", "--types", "v=integer", "late.jsonl"), 5,
                           "'late.jsonl', line 20001: column 'v' is '0.5', and the column's type is integer; declare another one with --types")
        self.write("e.jsonl", b'{"k":1,"v":1e3}\n{"k":1,"v":0.5}\n')
        self.assertEqual(self.rows("--by", "k", "--sum", "v", "e.jsonl"), "1\t1000.5\n")
        # Columns that come only behind the sample, or in another file.
        self.write("far.jsonl", b'{"k":"a"}\n' * 20_000 + b'{"k":"b","v":2.5}\n')
        ended = self.aggregate("--by", "k", "--sum", "v", "--sort", "key", "far.jsonl")
        self.assertEqual(ended.out, b"a\t\nb\t2.5\n")
        self.assertIn("rows of 'far.jsonl' have no member 'v'", ended.err)
        self.write("k.jsonl", b'{"k":"a"}\n')
        ended = self.aggregate("--by", "k", "--sum", "temp", "--sort", "key", "k.jsonl", "t.jsonl")
        self.assertEqual(ended.out, b"\t21.25\na\t\n")
        self.assert_failed(self.aggregate("--by", "k", "--sum", "v", "k.jsonl"), 2, "has no row with the member 'v'; its first row has: k")

    def test_bad_rows(self):
        for text, problem in ((b"", None), (b" \t\r", None), (b"x", "it does not begin with { and end with }"), (b'{"k":"a","v":1', "end with }"),
                              (b'["k"]', "it does not begin"), (b'{"k":"a"} {"v":1}', "bytes follow the object, at byte 10 of the line"),
                              (b'{"k":"a","v":1}}', "bytes follow the object"), (b'{"k":"a","v":[1}', "no comma behind the value"),
                              (b'{"k":"a","v":{"k":1}', "an object or a list has no end"), (b'{"k" "a"}', "no colon"), (b'{k:"a"}', "no name in double quotes"),
                              (b'{"k":"a","v":}', "there is no value"), (b'{"k":"a","v":01}', "no comma"), (b'{"k":"a}', "a string has no end"),
                              (b'{"k":"\\x"}', "begins no escape of JSON"), (b'{"o":"\\ud800"}', "begins no escape of JSON"),
                              (b'{"k":"a\tb"}', "control character"), (b'{"o":' + b"[" * 70 + b"]" * 70 + b"}", "nested deeper than 64 levels"),
                              (b'{"k":"a","v":"1"}', "column 'v' is '1', which is no number"), (b'{"k":"a","v":true}', "column 'v' is 'true', which is no number"),
                              (b'{"k":"a","v":{"x":1}}', "is '{\"x\":1}', which is no number"), (b'{"k":"a","v":1e999}', "no number"),
                              (b'{"k":"a\xff","v":1}', "column 'k' has the byte 0xFF, which JSON cannot have"), (b'{"k":"' + b"\\t" * 300 + b'"}', "has more than 256 bytes")):
            with self.subTest(text=text):
                self.write("bad.jsonl", b'{"k":"x","v":1}\n\n' + text + b'\n{"k":"y","v":2}\n')
                asked = ("--by", "k", "--sum", "v", "--sort", "key")
                ended = self.aggregate(*asked, "bad.jsonl")
                if problem is None:
                    self.assertEqual(ended.out, b"x\t1\ny\t2\n")
                    continue
                self.assert_failed(ended, 5, "'bad.jsonl', line 3: ", problem, "1 row like this; --bad-rows drop leaves them out")
                dropped = self.aggregate(*asked, "--bad-rows", "drop", "bad.jsonl")
                self.assertEqual(dropped.out, b"x\t1\ny\t2\n")
                self.assertIn("1 row could not be counted, and left out; the first: 'bad.jsonl', line 3: ", dropped.err)
        self.write("out.jsonl", b'{"k":"x","v":1}\n{"k":"a\\nb","v":"s","w":1}\n')
        self.assertEqual(self.rows("--by", "k", "--sum", "v", "--where", "w is null", "out.jsonl"), "x\t1\n")
        self.assertEqual(self.rows("--by", "v", "--count", "--where", "k = 'x'", "out.jsonl"), "1\t1\n")

    def test_format(self):
        self.write("one.txt", b'{x;1}\n{y;2}\n')
        self.assert_failed(self.aggregate("--by", "x", "one.txt"), 5, "'one.txt', line 1: it is no JSON object: there is no name in double quotes, at byte 2 of the line",
                           "--input-format says otherwise")
        self.assertEqual(self.rows("--by", "1", "--input-format", "delimited", "--header", "no", "--sort", "key", "one.txt"), "{x\t1\n{y\t1\n")
        self.assertEqual(self.rows("--by", "1", "--delimiter", ";", "--sort", "key", "one.txt"), "{x\t1\n{y\t1\n")
        self.write("mark.jsonl", b'\xef\xbb\xbf{"k":1}\n')
        self.assertEqual(self.rows("--by", "k", "mark.jsonl"), "1\t1\n")
        for option in (("--delimiter", ","), ("--quote", "none"), ("--header", "no")):
            self.assert_failed(self.aggregate("--by", "k", "--input-format", "jsonl", *option, "t.jsonl"), 2, option[0] + " is for delimited text")
        self.assert_failed(self.aggregate("--by", "k", "--input-format", "xml", "t.jsonl"), 2, "--input-format")
        piped = self.run_program("run", "aggregate", "--by", "city", "--sum", "temp", "--quiet", "--sort", "key", "-", data=ROWS)
        self.assertEqual(piped.out, b'Ber\t1.75\nHam\t12.5\nQ "q"\t7\n')

    def test_parts(self):
        table = b"".join(b'{"k":"%d\\u0041","n":{"v":%d.%d}}\n' % (i % 7, i, i % 10) for i in range(5000))
        self.write("n.jsonl", table)
        asked = ("aggregate", "--by", "k", "--sum", "n.v", "--types", "n.v=decimal(1)", "--input-format", "jsonl")
        whole = self.check_parts(asked, "n.jsonl")
        self.assertEqual(len(whole.splitlines()), 7)
        self.assert_failed(self.run_program("merge", *asked[:-1], "delimited", "1", "2", "3"), 5, "--input-format")


if __name__ == "__main__":
    harness.main()
