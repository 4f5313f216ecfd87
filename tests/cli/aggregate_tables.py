"""Tests `duomap run aggregate --by` on random tables against exact arithmetic: groups, types,
parts."""

import collections
import csv
import fractions
import gzip
import io
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import aggregate_program as program
import cli_harness as harness

TABLE = b'station,temp,qty,city\nHam,12.5,3,"a, b"\nBer,-1.25,4,x\nHam,,5,"a, b"\n"Q ""q""",7,1,x\r\n\nBer,3,-9,y\n'
TEXTS = ["a", "b", "", "x y", 'q"q', "a,b", "\u00e4", "01", "1", " lead", "trail ", "a very long key of a table", "-"]


class AggregateTables(program.AggregateTest):
    def setUp(self):
        super().setUp()
        self.write("t.csv", TABLE)

    def test_the_aggregates_in_the_order_of_the_options(self):
        self.assertEqual(self.rows("--by", "station", "--count", "--sum", "temp,qty", "--mean", "temp", "--sort", "key", "t.csv"),
                         'Ber\t2\t1.75\t-5\t0.875\nHam\t2\t12.5\t8\t12.5\nQ "q"\t1\t7\t1\t7\n')
        self.assertEqual(self.rows("--by", "city,station", "--max", "qty", "--count-of", "temp", "--format", "csv", "--sort", "key", "t.csv"),
                         'city,station,max(qty),count(temp)\n"a, b",Ham,5,1\nx,Ber,4,1\nx,"Q ""q""",1,1\ny,Ber,-9,1\n')
        self.assertEqual(self.rows("--by", "1", "--header", "yes", "--sort", "key", "t.csv"), 'Ber\t2\nHam\t2\nQ "q"\t1\n')
        self.assertEqual(self.rows("--by", "city", "--sum", "qty", "--top", "1", "--format", "jsonl", "t.csv"), '{"city":"a, b","sum(qty)":8}\n')
        self.write("m.csv", b"k,v\na,\na,\n")
        self.assertEqual(self.rows("--by", "k", "--min", "v", "--count-of", "v", "--format", "jsonl", "m.csv"), '{"k":"a","min(v)":null,"count(v)":0}\n')
        self.assertEqual(self.rows("--by", "k", "--mean", "v", "--format", "csv", "m.csv"), "k,mean(v)\na,\n")

    def test_random_tables(self):
        self.check_random_tables(self.check_table)

    def check_table(self, chance):
        keys, values = chance.randint(1, 3), chance.randint(1, 5)
        scales = [chance.choice((0, 0, 1, 3)) for _ in range(values)]
        columns = [f"k{i}" for i in range(keys)] + [f"v{i}" for i in range(values)]
        chance.shuffle(columns)
        delimiter, end = chance.choice(",;\t|"), chance.choice(("\n", "\r\n"))

        def number(scale):
            whole = chance.randint(-10**chance.randint(0, 15), 10**chance.randint(0, 15))
            return "" if chance.random() < 0.1 else f"{whole}.{chance.randrange(10**scale):0{scale}}" if scale else str(whole)

        table = [[chance.choice(TEXTS) if name[0] == "k" else number(scales[int(name[1:])]) for name in columns]
                 for _ in range(chance.choice((1, 3, 60, 900)))]
        text = io.StringIO()
        writer = csv.writer(text, delimiter=delimiter, lineterminator=end, quoting=chance.choice((csv.QUOTE_ALL, csv.QUOTE_MINIMAL)))
        writer.writerows([columns, *table])
        name = chance.choice(("t.txt", "t.txt.gz"))
        self.write(name, gzip.compress(text.getvalue().encode()) if name.endswith("gz") else text.getvalue().encode())

        where, fulfils = program.random_condition(
            chance, [f"k{i}" for i in range(keys)], [f"v{i}" for i in range(values)], TEXTS,
            lambda row, column: row[column] if row[column].strip() else None) if chance.random() < 0.6 else (None, lambda row: True)
        by = chance.sample([f"k{i}" for i in range(keys)], chance.randint(1, keys))
        asked = [(kind, "" if kind == "rows" else f"v{chance.randrange(values)}") for kind in chance.choices(program.KINDS, k=chance.randint(1, 5))]
        options = [word for kind, column in asked for word in ([program.option_of(kind)] + ([column] if column else []))]
        options += ["--where", where] if where else []
        types = sorted({column for _, column in asked if column})
        options += ["--types", ",".join(f"{one}=decimal({scales[int(one[1:])]})" for one in types)] if types else []
        found = program.groups_in(
            self.rows("--by", ",".join(by), *options, "--delimiter", "tab" if delimiter == "\t" else delimiter, "--format", "jsonl",
                      "--threads", str(chance.randint(1, 3)), name), len(by))

        groups = collections.defaultdict(list)
        for row in table:
            named = dict(zip(columns, row))
            if not fulfils(named):
                continue
            groups[tuple(named[one] for one in by)].append(named)
        self.assertEqual(set(found), set(groups))
        for key, rows in groups.items():
            for (kind, column), cell in zip(asked, found[key]):
                numbers = [fractions.Fraction(row[column]) for row in rows if row[column]] if column else []
                self.check_number_cell(kind, len(rows), numbers, cell)

    def test_conditions(self):
        self.assertEqual(self.rows("--by", "station", "--count", "--where", "temp > 0 or temp is null", "--sort", "key", "t.csv"),
                         'Ber\t1\nHam\t2\nQ "q"\t1\n')
        self.assertEqual(self.rows("--by", "station", "--where", "3 >= 4 and \"city\" = 'a, b'", "--header", "yes", "t.csv"), "Ham\t1\n")
        self.assertEqual(self.rows("--by", "station", "--where", "temp > 1000", "t.csv"), "")
        self.assert_failed(self.aggregate("--by", "station", "--where", "city > 5", "t.csv"), 5, "'t.csv', line 2: column 'city' is 'a, b', which is no number")
        self.assert_failed(self.aggregate("--by", "station", "--where", "", "t.csv"), 2, "the condition '' has its end in the place of a column")
        self.assertEqual(self.rows("--by", "station", "--where", "qty > 4 or temp > 0", "--where", "qty < 5", "--sort", "key", "t.csv"),
                         'Ber\t1\nHam\t1\nQ "q"\t1\n')
        self.assert_failed(self.aggregate("--by", "station", "--where", "temp > cold", "t.csv"), 2, "'cold' in the place of a number")
        self.assert_failed(self.aggregate("--where", "temp > 0", "t.csv"), 2, "--by")

    def test_types(self):
        lines = "".join(f"k,{i}\n" for i in range(20_000))
        self.write("late.csv", lines.encode() + b"k,0.5\n")
        ended = self.aggregate("--by", "1", "--sum", "2", "late.csv")
        self.assertEqual(ended.out, b"k\t199990000.5\n")
        self.assertIn("column 2 has numbers that the type of its first rows cannot hold, so it was read again as doubles", ended.err)
        self.assert_failed(self.aggregate("--by", "1", "--sum", "2", "--types", "2=integer", "late.csv"), 5,
                           "'late.csv', line 20001: column '2' is '0.5', and the column's type is integer; declare another one with --types")
        self.assert_failed(self.aggregate("--by", "1", "--sum", "2", "--deterministic", "late.csv"), 5, "'late.csv', line 20001: ", "--types")
        self.assertEqual(self.rows("--by", "1", "--sum", "2", "--types", "2=decimal(1)", "late.csv"), "k\t199990000.5\n")
        self.write("plus.csv", b"k,+1.5e3\nk,1\n")
        self.assertEqual(self.rows("--by", "1", "--sum", "2", "plus.csv"), "k\t1501\n")
        self.write("large.csv", b"a,9223372036854775807\na,1\nb,-9223372036854775808\n")
        self.assertEqual(self.rows("--by", "1", "--mean", "2", "--sort", "key", "large.csv"), "a\t4611686018427387904\nb\t-9223372036854775808\n")
        self.assertEqual(self.rows("--by", "1", "--sum", "2", "--sort", "key", "large.csv"), "a\t9223372036854775808\nb\t-9223372036854775808\n")
        self.assertEqual(self.rows("--by", "1", "--sum", "2", "--top", "1", "--format", "jsonl", "large.csv"), '{"1":"a","sum(2)":"9223372036854775808"}\n')
        self.write("exact.csv", b"a,0.1\n" * 30 + b"a,12345678901234.56\n")
        self.assertEqual(self.rows("--by", "1", "--sum", "2", "exact.csv"), "a\t12345678901237.56\n")

    def test_sums_beyond_64_bits(self):
        chance = harness.random.Random(harness.seed())
        for scale in (0, 0, 1, 9, 18):
            table = collections.defaultdict(list)
            for _ in range(500):
                units = chance.choice((2**63 - 1, -2**63, chance.randint(-2**63, 2**63 - 1), chance.randint(0, 2**63 - 1)))
                sign, digits = "-" if units < 0 else "", f"{abs(units):0{scale + 1}}"
                table[chance.choice("abc")].append(sign + (f"{digits[:-scale]}.{digits[-scale:]}" if scale else digits))
            self.write("w.csv", "".join(f"{key},{one}\n" for key, numbers in table.items() for one in numbers).encode())
            found = program.groups_in(self.rows("--by", "1", "--sum", "2", "--mean", "2", "--types", f"2=decimal({scale})", "--header", "no",
                                                "--format", "jsonl", "--threads", "2", "w.csv"), 1)
            for key, numbers in table.items():
                exact = sum(map(fractions.Fraction, numbers))
                total, mean = found[key,]
                self.assertEqual(fractions.Fraction(total), exact)
                self.assertLessEqual(abs(fractions.Fraction(mean) - exact / len(numbers)), abs(exact / len(numbers)) / 2**52)

    def test_bad_rows(self):
        self.assert_failed(self.aggregate("--by", "station", "--sum", "city", "t.csv"), 5,
                           "'t.csv', line 2: column 'city' is 'a, b', which is no number; 5 rows like this; --bad-rows drop leaves them out")
        for text, problem in ((b'a,"b\n', "odd number of quotes"), (b"a\n", "it has no column '2'"), (b"a,1x\n", "is '1x', which is no number"),
                              (b"a,-\n", "no number"), (b"a,1e400\n", "no number")):
            self.write("bad.csv", b"x,1\n\n" + text + b"y,2\n")
            ended = self.aggregate("--by", "1", "--sum", "2", "--header", "no", "bad.csv")
            self.assert_failed(ended, 5, "'bad.csv', line 3: ", problem, "1 row like this")
            dropped = self.aggregate("--by", "1", "--sum", "2", "--header", "no", "--bad-rows", "drop", "--sort", "key", "bad.csv")
            self.assertEqual(dropped.out, b"x\t1\ny\t2\n")
            self.assertIn("1 row could not be counted, and left out; the first: 'bad.csv', line 3: ", dropped.err)
        self.write("long.csv", b"k" * 300 + b"," + b"j" * 300 + b",1\n")
        self.assert_failed(self.aggregate("--by", "1,2", "long.csv"), 5, "has more than 256 bytes")
        self.assertEqual(self.rows("--by", "1", "--sum", "3", "long.csv"), "k" * 300 + "\t1\n")
        self.write("quote.txt", b'5" pipe;1\n')
        self.assertEqual(self.rows("--by", "1", "--sum", "2", "--quote", "none", "quote.txt"), '5" pipe\t1\n')

    def test_several_tables(self):
        self.write("u.csv", b"station,temp,qty,city\nHam,1,2,z\n")
        self.assertEqual(self.rows("--by", "station", "--sum", "temp", "--sort", "key", "t.csv", "u.csv"), 'Ber\t1.75\nHam\t13.5\nQ "q"\t7\n')
        self.write("v.csv", b"name,temp\nHam,1\n")
        self.assert_failed(self.aggregate("--by", "station", "--count", "t.csv", "v.csv"), 5, "'v.csv', line 1: it is not the header of the first table")
        piped = self.run_program("run", "aggregate", "--by", "station", "--sum", "temp", "--quiet", "--sort", "key", "-", data=TABLE)
        self.assertEqual(piped.out, b'Ber\t1.75\nHam\t12.5\nQ "q"\t7\n')

    def test_parts(self):
        table = b"".join(b"%d;%d.%d\n" % (i % 7, i, i % 10) for i in range(5000))
        self.write("n.txt", table)
        asked = ("aggregate", "--by", "1", "--sum", "2", "--types", "2=decimal(1)")
        self.check_parts(asked, "n.txt")
        self.assert_failed(self.run_program("map", *asked[:5], "-o", "x", "n.txt"), 2, "parts need the types")
        self.assert_failed(self.run_program("merge", *asked[:-1], "2=decimal(2)", "1", "2", "3"), 5, "decimal(2)")

    def test_wrong_use(self):
        for arguments, problem in ((("--by", "nope"), "has no column 'nope'; it has 4: station, temp, qty, city"),
                                   (("--sum", "temp"), "need --by"),
                                   (("--by", "station", "--values", "int32"), "--values is for binary pairs"),
                                   (("--by", "station", "--types", "temp"), "give COLUMN=TYPE"),
                                   (("--by", "station", "--types", "temp=float"), "'float' is no type of numbers"),
                                   (("--by", "station", "--delimiter", "1"), "--delimiter is '1'"),
                                   (("--by", "station", "--delimiter", '"'), "are the same character"),
                                   (("--by", "station", "--mean", "temp", "--types", "temp=real", "--deterministic"), "--deterministic adds no doubles here")):
            self.assert_failed(self.aggregate(*arguments, "t.csv"), 2, problem)
        self.assert_failed(self.aggregate("t.csv"), 5, "it is a text", "give the columns of its keys: --by COLUMN")
        self.write("empty.csv", b"\n\n")
        self.assert_failed(self.aggregate("--by", "1", "empty.csv"), 5, "'empty.csv' has no row")


if __name__ == "__main__":
    harness.main()
