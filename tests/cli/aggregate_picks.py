"""Tests the aggregates of `duomap run aggregate --by` that are values of a row on random tables against a
walk over their rows: first, last, any, argmin, argmax, and the best k rows."""

import collections
import csv
import fractions
import gzip
import io
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import aggregate_program as program
import cli_harness as harness

TABLE = b'city,name,price,qty\nRome,x,3,1\nRome,"y ""q""",5,2\nOslo,,9,3\nRome,z,5.0,4\nOslo,w,2,\nOslo,v,,7\n'
TEXTS = ["a", "b", "", "x y", 'q"q', "a,b", "\u00e4", "01", "1", " lead", " ", "a long value of a table", "-"]
KINDS = ("first", "last", "any", "argmin", "argmax")
BEST = ("argmin", "argmax")


def picked_rows(kind, rows, is_missing, number):
    """The rows in the order in which a pick prefers them. is_missing(row) and number(row) are about the picked column and the
    column of numbers."""
    if kind in ("first", "last"):
        return rows[:: -1 if kind == "last" else 1]
    rows = [row for row in rows if not is_missing(row)]
    if kind == "any":
        return rows
    rows = [row for row in rows if number(row) is not None]
    return sorted(rows, key=lambda row: number(row) if kind == "argmin" else -number(row))


class AggregatePicks(program.AggregateTest):
    def setUp(self):
        super().setUp()
        self.write("t.csv", TABLE)

    def test_the_aggregates_in_the_order_of_the_options(self):
        self.assertEqual(self.rows("--by", "city", "--first", "name", "--last", "name,qty", "--any", "name", "--count", "--sort", "key", "t.csv"),
                         'Oslo\t\tv\t7\tw\t3\nRome\tx\tz\t4\tx\t3\n')
        self.assertEqual(self.rows("--by", "city", "--argmin", "name=price", "--argmax", "name=price:2,qty=price", "--max", "price",
                                   "--format", "csv", "--sort", "key", "t.csv"),
                         'city,"argmin(name,price)","argmax(name,price,1)","argmax(name,price,2)","argmax(qty,price)",max(price)\n'
                         'Oslo,w,w,,3,9\nRome,x,"y ""q""",z,2,5\n')
        self.assertEqual(self.rows("--by", "city", "--first", "name", "--argmax", "qty=price", "--format", "jsonl", "--sort", "key", "t.csv"),
                         '{"city":"Oslo","first(name)":null,"argmax(qty,price)":3}\n{"city":"Rome","first(name)":"x","argmax(qty,price)":2}\n')
        self.assertEqual(self.rows("--by", "city", "--argmax", "qty=price", "--sort", "value", "t.csv"), "Oslo\t3\nRome\t2\n")
        self.assertEqual(self.rows("--by", "city", "--last", "qty", "--top", "1", "t.csv"), "Oslo\t7\n")
        self.assertEqual(self.rows("--by", "city", "--last", "name", "--where", "qty < 4", "--sort", "key", "t.csv"), 'Oslo\t\nRome\ty "q"\n')
        self.assertEqual(self.rows("--by", "city", "--distinct", "name", "--argmax", "name=price", "--sort", "key", "t.csv"), 'Oslo\t2\tw\nRome\t3\ty "q"\n')

    def test_values_that_are_numbers_or_texts(self):
        def first(values, *options):
            self.write("v.csv", "".join(f"{i},{one}\n" for i, one in enumerate(values)).encode())
            lines = self.rows("--by", "1", "--first", "2", "--sort", "key", "--format", "jsonl", "--header", "no", *options, "v.csv").splitlines()
            return [json.loads(line)["first(2)"] for line in lines]

        self.assertEqual(first(["7", "1.50", ""]), [7, 1.5, None])
        self.assertEqual(first(["7", "007"]), ["7", "007"])
        self.assertEqual(first(["7", "007"], "--types", "2=integer"), [7, 7])
        self.assertEqual(first(["7", "x", " "]), ["7", "x", None])
        self.assertEqual(first(["1e3", "7"]), [1000, 7])
        self.assertEqual(first(["1.50", "2"], "--max", "2"), [1.5, 2])
        self.assertEqual(first(["123456789012345678901234567890", "1"]), ["123456789012345678901234567890", "1"])

    def test_the_earliest_of_equal_rows(self):
        self.write("a.csv", b"k,0,a\n" + b"k,1,b\n" * 50_000)
        self.write("b.csv", b"k,1.0,c\nk,-0.0,d\nk,2,e\n")
        asked = ("--by", "1", "--argmax", "3=2:3", "--argmin", "3=2:2", "--types", "2=real", "--header", "no")
        for threads in "123":
            self.assertEqual(self.rows(*asked, "--threads", threads, "a.csv", "b.csv"), "k\te\tb\tb\ta\td\n")
            self.assertEqual(self.rows(*asked, "--threads", threads, "b.csv", "a.csv"), "k\te\tc\tb\td\ta\n")

    def test_json_lines(self):
        self.write("j.jsonl", b'{"k":1,"v":{"n":"a\\u00e4\\n"},"p":2}\n{"k":1,"v":{"n":""},"p":3}\n{"k":1,"p":4}\n{"k":1,"v":{"n":null},"p":5}\n'
                              b'{"k":2,"v":{"n":"12"},"p":1.5}\n{"k":3,"v":{"n":[1, 2]}}\n')
        self.assertEqual(self.rows("--by", "k", "--argmax", "v.n=p", "--first", "v.n", "--last", "v.n,p", "--sort", "key", "--format", "jsonl", "j.jsonl"),
                         '{"k":"1","argmax(v.n,p)":"","first(v.n)":"a\u00e4\\n","last(v.n)":null,"last(p)":5}\n'
                         '{"k":"2","argmax(v.n,p)":"12","first(v.n)":"12","last(v.n)":"12","last(p)":1.5}\n'
                         '{"k":"3","argmax(v.n,p)":null,"first(v.n)":"[1, 2]","last(v.n)":"[1, 2]","last(p)":null}\n')

    def test_random_tables(self):
        self.check_random_tables(self.check_table, cases=100)

    def check_table(self, chance):
        columns = ["k0", "k1", "v0", "v1", "v2"]
        chance.shuffle(columns)
        scales = [chance.choice((0, 0, 1, 3)) for _ in range(3)]
        width = chance.choice((2, 20, 10**9))

        def number(scale):
            if chance.random() < 0.15:
                return ""
            units = chance.randint(-width, width)
            return f"{'-' if units < 0 else ''}{abs(units) // 10**scale}" + (f".{abs(units) % 10**scale:0{scale}}" if scale else "")

        table = [{name: chance.choice(TEXTS) if name[0] == "k" else number(scales[int(name[1:])]) for name in columns}
                 for _ in range(chance.choice((1, 5, 80, 2000)))]
        is_json = chance.random() < 0.4
        files = [f"r{part}.{'jsonl' if is_json else 'csv'}{chance.choice(('', '.gz'))}" for part in range(chance.randint(1, 3) if len(table) > 3 else 1)]
        style = {"lineterminator": chance.choice(("\n", "\r\n")), "quoting": chance.choice((csv.QUOTE_ALL, csv.QUOTE_MINIMAL))}
        for i, name in enumerate(files):
            part = table[len(table) * i // len(files):len(table) * (i + 1) // len(files)]
            content = (self.json_lines(chance, columns, part) if is_json else self.delimited(style, columns, part)).encode()
            self.write(name, gzip.compress(content) if name.endswith("gz") else content)

        by = chance.choice((["k0"], ["k1", "k0"], ["v2"]))
        asked = []  # (kind, column, the column of numbers, rank)
        options = ["--by", ",".join(by)]
        for kind in chance.choices(KINDS, k=chance.randint(1, 6)):
            column, of = chance.choice(columns), chance.choice(("v0", "v1", "v2"))
            count = chance.choice((0, 0, 1, 2, 5, 10)) if kind in BEST else 0
            options += ["--" + kind, column + (f"={of}" if kind in BEST else "") + (f":{count}" if count else "")]
            asked += [(kind, column, of, rank) for rank in range(max(count, 1))]
        if chance.random() < 0.3:
            options += ["--distinct", ",".join(chance.sample(columns, chance.randint(1, 2)))]
        where, fulfils = program.random_condition(
            chance, ["k0", "k1"], ["v0", "v1"], TEXTS,
            lambda row, column: None if self.is_missing(row, column, is_json) else row[column]) if chance.random() < 0.4 else (None, lambda row: True)
        options += ["--where", where] if where else []
        reads = sorted({of for kind, _, of, _ in asked if kind in BEST})
        options += ["--types", ",".join(f"{one}=decimal({scales[int(one[1:])]})" for one in reads)] if reads else []
        found = program.groups_in(
            self.rows(*options, *([] if is_json else ["--delimiter", ","]), "--format", "jsonl", "--threads", str(chance.randint(1, 3)), *files), len(by))

        groups = collections.defaultdict(list)
        for row in table:
            if fulfils(row):
                groups[tuple(row[one] for one in by)].append(row)
        self.assertEqual(set(found), set(groups))
        for key, rows in groups.items():
            for (kind, column, of, rank), cell in zip(asked, found[key]):
                best = picked_rows(kind, rows, lambda row: self.is_missing(row, column, is_json),
                                   lambda row: fractions.Fraction(row[of]) if row[of] else None)
                right = best[rank][column] if rank < len(best) and not self.is_missing(best[rank], column, is_json) else None
                self.assertEqual(cell if cell is None or isinstance(cell, str) else fractions.Fraction(cell),
                                 right if right is None or isinstance(cell, str) else fractions.Fraction(right), (options, key))

    def is_missing(self, row, column, is_json):
        return row[column] == "" and column[0] == "v" if is_json else not row[column].strip()

    def delimited(self, style, columns, table):
        text = io.StringIO()
        writer = csv.writer(text, **style)
        writer.writerows([columns, *([row[name] for name in columns] for row in table)])
        return text.getvalue()

    def json_lines(self, chance, columns, table):
        def written(name, value):
            return json.dumps(value, ensure_ascii=chance.random() < 0.5) if name[0] == "k" else value or "null"
        return "".join("{" + ", ".join(f'"{name}": {written(name, row[name])}' for name in columns) + "}\n" for row in table)

    def test_many_groups(self):
        count = 3000 if harness.QUICK else 100_000
        lines = [b"%d,n%d,%d\n" % (i % (count // 3), i, i) for i in range(count)]
        self.write("m.csv", b"".join(lines))
        self.write("m.csv.gz", gzip.compress(b"".join(lines)))
        last = {i % (count // 3): i for i in range(count)}
        for name in ("m.csv", "m.csv.gz"):
            found = self.rows("--by", "1", "--first", "2", "--last", "2", "--argmax", "3=3", name)
            self.assertEqual(sorted(found.splitlines()), sorted(f"{k}\tn{k}\tn{i}\t{i}" for k, i in last.items()))

    def test_a_type_that_is_found_too_narrow(self):
        self.write("late.csv", "".join(f"k,{i},n{i}\n" for i in range(20_000)).encode() + b"k,19999.5,late\nk,1,end\n")
        ended = self.aggregate("--by", "1", "--argmax", "3=2", "--last", "3", "late.csv")
        self.assertEqual(ended.out, b"k\tlate\tend\n")
        self.assertIn("read again as doubles", ended.err)

    def test_bad_rows_are_not_picked(self):
        self.write("bad.csv", b"k,9,a\nk,x,b\nk,1,c\nk,10\n")
        asked = ("--by", "1", "--argmax", "3=2", "--last", "3", "--header", "no")
        self.assert_failed(self.aggregate(*asked, "bad.csv"), 5, "'bad.csv', line 2: column '2' is 'x', which is no number; 2 rows like this")
        self.assertEqual(self.rows(*asked, "--bad-rows", "drop", "bad.csv"), "k\ta\tc\n")
        self.write("short.csv", b"a,1\nb\n")
        self.assert_failed(self.aggregate("--by", "1", "--first", "2", "short.csv"), 5, "'short.csv', line 2: it has no column '2'")

    def test_wrong_use(self):
        piped = self.run_program("run", "aggregate", "--by", "city", "--first", "name", "-", data=TABLE)
        self.assert_failed(piped, 2, "'standard input' can be read only once, and first(name) reads the picked rows a second time; write it into a file")
        self.assert_failed(self.run_program("map", "aggregate", "--by", "city", "--last", "name", "-o", "x", "t.csv"), 2,
                           "last(name) reads the picked rows a second time, and a merge has no rows to read; use duomap run")
        gpu = self.run_program("run", "aggregate", "--device", "gpu", "--by", "city", "--last", "name", "t.csv")
        self.assertIn("last(name) is found on the CPU only", gpu.err)
        for arguments, problem in ((("--first", "name"), "need --by"),
                                   (("--by", "city", "--first", "nope"), "has no column 'nope'"),
                                   (("--by", "city", "--argmax", "name"), "--argmax is 'name'; give COLUMN=BY"),
                                   (("--by", "city", "--argmax", "=price"), "--argmax '=price' lacks a column"),
                                   (("--by", "city", "--argmin", "name=price:0"), "--argmin 'name=price:0' asks for 0 rows; give 1 to 16"),
                                   (("--by", "city", "--argmin", "name=price:17"), "give 1 to 16"),
                                   (("--by", "city", "--argmin", ",".join(f"name={i}:16" for i in ("2", "3", "4", "1", "qty"))), "of 64 rows together, not 5 of 80"),
                                   (("--by", "city", "--first", "name", "--top", "1"), "first(name) has texts, and rows are ordered by numbers"),
                                   (("--by", "city", "--first", "name", "--sort", "value"), "put another aggregate first")):
            self.assert_failed(self.aggregate(*arguments, "t.csv"), 2, problem)
        self.assert_failed(self.aggregate("--by", "city", "--argmax", "price=name", "t.csv"), 5, "column 'name' is 'x', which is no number")


if __name__ == "__main__":
    harness.main()
