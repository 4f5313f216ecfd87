"""Tests the aggregates of `duomap run aggregate --by` over different values on random tables against
exact arithmetic: distinct, mode, median, quantiles, variance, standard deviation."""

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

TABLE = b"city,qty,note\nRome,1,x\nRome,2,x\nRome,2.0,\nOslo,,y\nOslo,7,01\nBern, ,1\n"
TEXTS = ["a", "b", "", "x y", 'q"q', "a,b", "\u00e4", "Z", " ", "longer than fifteen bytes"]
KINDS = ("distinct", "mode", "median", "quantile", "var", "std")
OTHERS = ("count", "sum", "min", "max", "mean")
FRACTIONS = ("0", "1", "0.5", "0.25", "0.95", "0.999", "0.123456789012345678")


def nearest(exact):
    """The double next to a fraction, which division of integers rounds once."""
    return exact.numerator / exact.denominator


def quantile(numbers, at):
    numbers = sorted(numbers)
    position = fractions.Fraction(at) * (len(numbers) - 1)
    below = int(position)
    above = min(below + 1, len(numbers) - 1)
    return numbers[below] + (numbers[above] - numbers[below]) * (position - below)


def variance(numbers):
    mean = sum(numbers) / len(numbers)
    return sum((one - mean) ** 2 for one in numbers) / (len(numbers) - 1)


def most_frequent(values):
    counts = collections.Counter(values)
    return min(value for value in counts if counts[value] == max(counts.values()))


class AggregateDistinct(program.AggregateTest):
    def setUp(self):
        super().setUp()
        self.write("t.csv", TABLE)

    def test_the_aggregates_in_the_order_of_the_options(self):
        self.assertEqual(self.rows("--by", "city", "--quantile", "qty=0.5,.10", "--count", "--distinct", "qty", "--sum", "qty", "--mode", "qty",
                                   "--format", "csv", "--sort", "key", "t.csv"),
                         'city,"quantile(qty,0.5)","quantile(qty,0.1)",count,distinct(qty),sum(qty),mode(qty)\n'
                         "Bern,,,1,0,,\nOslo,7,7,2,1,7,7\nRome,2,1.2,3,2,5,2\n")
        self.assertEqual(self.rows("--by", "city", "--median", "qty", "--var", "qty", "--std", "qty", "--sort", "key", "t.csv"),
                         "Bern\t\t\t\nOslo\t7\t\t\nRome\t2\t0.3333333333333333\t0.5773502691896257\n")
        self.assertEqual(self.rows("--by", "city", "--distinct", "note", "--mode", "note", "--sort", "value", "--format", "jsonl", "t.csv"),
                         '{"city":"Oslo","distinct(note)":2,"mode(note)":"01"}\n{"city":"Bern","distinct(note)":1,"mode(note)":"1"}\n'
                         '{"city":"Rome","distinct(note)":1,"mode(note)":"x"}\n')
        self.assertEqual(self.rows("--by", "city,note", "--distinct", "city", "--top", "1", "t.csv"), "Bern\t1\t1\n")
        self.assertEqual(self.rows("--by", "city", "--distinct", "note", "--where", "qty > 0", "--sort", "key", "t.csv"), "Oslo\t1\nRome\t1\n")

    def test_values_that_are_numbers_or_texts(self):
        def distinct(values, *options):
            self.write("v.csv", "".join(f"k,{one}\n" for one in values).encode())
            return self.rows("--by", "1", "--distinct", "2", "--mode", "2", *options, "v.csv").rstrip("\n").split("\t")[1:]

        self.assertEqual(distinct(["1", "1.0", "+1", "2"]), ["2", "1"])
        self.assertEqual(distinct(["7", "007", "7"]), ["2", "7"])
        self.assertEqual(distinct(["7", "007", "8"], "--types", "2=integer"), ["2", "7"])
        self.assertEqual(distinct(["7", "7.0", "x"], "--header", "no"), ["3", "7"])
        self.assertEqual(distinct(["18446744073709551616", "18446744073709551617"]), ["2", "18446744073709551616"])
        for options in ((), ("--types", "2=real")):
            self.assertEqual(distinct(["1e3", "1000", "-0.0", "0"], *options), ["2", "0"])
        self.assertEqual(distinct(["12345678901234.56", "12345678901234.560"], "--types", "2=decimal(2)"), ["1", "12345678901234.56"])
        self.assertEqual(distinct([" 5", "5", "", " "]), ["1", "5"])
        self.assertEqual(distinct([" x", "x", "x", " "], "--header", "no"), ["2", "x"])

    def test_random_tables(self):
        self.check_random_tables(self.check_table)

    def check_table(self, chance):
        keys, values = chance.randint(1, 3), chance.randint(1, 3)
        scales = [chance.choice((0, 0, 1, 3)) for _ in range(values)]
        offset, width = chance.choice((0, 0, 10**9, -10**10)), chance.choice((1, 10, 1000, 10**9))
        columns = [f"k{i}" for i in range(keys)] + [f"v{i}" for i in range(values)]
        chance.shuffle(columns)

        def number(scale):
            units = offset * 10**scale + chance.randint(-width, width)
            text = f"{'-' if units < 0 else ''}{abs(units) // 10**scale}" + (f".{abs(units) % 10**scale:0{scale}}" if scale else "")
            return chance.choice(("", " ")) if chance.random() < 0.1 else text + "0" * chance.choice((0, 0, 2)) if scale else text

        table = [[chance.choice(TEXTS) if name[0] == "k" else number(scales[int(name[1:])]) for name in columns]
                 for _ in range(chance.choice((1, 3, 60, 900)))]
        text = io.StringIO()
        csv.writer(text, lineterminator="\n", quoting=chance.choice((csv.QUOTE_ALL, csv.QUOTE_MINIMAL))).writerows([columns, *table])
        self.write("r.csv", text.getvalue().encode())

        by = chance.sample([f"k{i}" for i in range(keys)], chance.randint(1, keys))
        over = [f"k{chance.randrange(keys)}" if chance.random() < 0.25 else f"v{chance.randrange(values)}" for _ in range(chance.choice((1, 1, 2, 3)))]
        asked = [(chance.choice(KINDS[:2] if column[0] == "k" else KINDS), column, chance.choice(FRACTIONS))
                 for column in chance.choices(over, k=chance.randint(1, 5))]
        asked += [(kind, f"v{chance.randrange(values)}", "") for kind in chance.choices(OTHERS, k=chance.randint(0, 2))]
        asked += [("rows", "", "")] * chance.randint(0, 1)
        chance.shuffle(asked)
        options = []
        for kind, of, at in asked:
            options += [program.option_of(kind)] + ([f"{of}={at}"] if kind == "quantile" else [of] if of else [])
        read = sorted({of for kind, of, _ in asked if of and kind not in KINDS[:2]})
        options += ["--types", ",".join(f"{one}=decimal({scales[int(one[1:])]})" for one in read)] if read and chance.random() < 0.5 else []
        found = program.groups_in(
            self.rows("--by", ",".join(by), *options, "--format", "jsonl", "--threads", str(chance.randint(1, 3)), "r.csv"), len(by))

        groups = collections.defaultdict(list)
        for row in table:
            named = dict(zip(columns, row))
            groups[tuple(named[one] for one in by)].append(named)
        self.assertEqual(set(found), set(groups))
        for key, rows in groups.items():
            for (kind, of, at), cell in zip(asked, found[key]):
                present = [row[of] for row in rows if row[of].strip()] if of else rows
                self.check_cell(kind, at, present if of[:1] == "k" or not of else [fractions.Fraction(one.strip()) for one in present], cell)

    def check_cell(self, kind, at, values, cell):
        if kind in ("rows", "count", "distinct"):
            self.assertEqual(cell, len(set(values)) if kind == "distinct" else len(values))
        elif not values or (kind in ("var", "std") and len(values) < 2):
            self.assertIsNone(cell)
        elif kind in ("median", "quantile"):
            self.assertEqual(float(cell), nearest(quantile(values, "0.5" if kind == "median" else at)))
        elif kind in ("var", "std", "mean"):
            right = sum(values) / len(values) if kind == "mean" else variance(values)
            of_cell = fractions.Fraction(cell) ** 2 if kind == "std" else fractions.Fraction(cell)
            self.assertLessEqual(abs(of_cell - right), abs(right) / 2**50)
        else:
            right = {"mode": most_frequent, "sum": sum, "min": min, "max": max}[kind](values)
            self.assertEqual(cell if isinstance(right, str) else fractions.Fraction(cell), right)

    def test_doubles(self):
        self.write("d.csv", b"a,1e300\na,-1e300\na,1e-5\nb,1000000000.25\nb,1000000000.5\nb,1e9\n")
        self.assertEqual(self.rows("--by", "1", "--median", "2", "--distinct", "2", "--quantile", "2=0.75", "--var", "2", "--sort", "key", "d.csv"),
                         "a\t1e-05\t3\t5e+299\tinf\nb\t1000000000.25\t3\t1000000000.375\t0.0625\n")
        lines = "".join(f"k,{i}\n" for i in range(20_000))
        self.write("late.csv", lines.encode() + b"k,0.5\n")
        ended = self.aggregate("--by", "1", "--median", "2", "--distinct", "2", "late.csv")
        self.assertEqual(ended.out, b"k\t9999\t20001\n")
        self.assertIn("read again as doubles", ended.err)
        self.assertEqual(self.rows("--by", "1", "--distinct", "2", "late.csv"), "k\t20001\n")

    def test_many_groups_and_many_values(self):
        count = 3000 if harness.QUICK else 200_000
        self.write("m.csv", b"".join(b"%d,%d,%d\n" % (i % (count // 2), i, i % 3) for i in range(count)))
        for threads in "123":
            self.assertEqual(self.rows("--by", "3", "--distinct", "2", "--mode", "2", "--threads", threads, "--sort", "key", "m.csv"),
                             "".join(f"{k}\t{len(range(k, count, 3))}\t{k}\n" for k in range(3)))
            found = self.rows("--by", "1", "--mode", "2", "--count", "--threads", threads, "m.csv")
            self.assertEqual(sorted(found.splitlines()), sorted(f"{k}\t{k}\t2" for k in range(count // 2)))

    def test_parts(self):
        self.write("n.txt", b"".join(b"%d;%d.%d;%d\n" % (i % 7, i % 50, i % 10, i) for i in range(5000)))
        asked = ("aggregate", "--by", "1", "--median", "2", "--quantile", "2=0.9", "--distinct", "2", "--sum", "3", "--types", "2=decimal(1),3=integer")
        self.check_parts(asked, "n.txt")
        other = [one.replace("2=0.9", "2=0.8") for one in asked]
        self.assert_failed(self.run_program("merge", *other, "1", "2", "3"), 5, "quantile(2,0.8)")
        texts = ("aggregate", "--by", "1", "--distinct", "2", "--mode", "2")
        self.assertEqual(self.run_program("map", *texts, "-o", "4", "n.txt").status, 0)
        self.assertEqual(self.run_program("merge", *texts, "--sort", "key", "4").out.decode(), self.rows(*texts[1:], "--sort", "key", "n.txt"))

    def test_bad_rows(self):
        self.assert_failed(self.aggregate("--by", "city", "--median", "note", "t.csv"), 5,
                           "'t.csv', line 2: column 'note' is 'x', which is no number; 3 rows like this")
        self.assertEqual(self.rows("--by", "city", "--median", "note", "--bad-rows", "drop", "--sort", "key", "t.csv"), "Bern\t1\nOslo\t1\nRome\t\n")
        self.assert_failed(self.aggregate("--by", "city", "--distinct", "note", "--types", "note=integer", "t.csv"), 5, "which is no number")
        self.write("short.csv", b"a,1\nb\n")
        self.assert_failed(self.aggregate("--by", "1", "--distinct", "2", "short.csv"), 5, "'short.csv', line 2: it has no column '2'")

    def test_several_columns(self):
        asked = ("--by", "city", "--distinct", "note", "--median", "qty", "--count", "--mode", "note", "--sum", "qty", "--distinct", "qty,city")
        right = ('city,distinct(note),median(qty),count,mode(note),sum(qty),distinct(qty),distinct(city)\n'
                 "Bern,1,,1,1,,0,1\nOslo,2,7,2,01,7,1,1\nRome,1,2,3,x,5,2,1\n")
        ended = self.aggregate(*asked, "--sort", "key", "--format", "csv", "t.csv")
        self.assertEqual(ended.out.decode(), right)
        self.assertIn("the input was read 3 times, once for each column of different values: 'note', 'qty', 'city'", ended.err)
        self.write("t.csv.gz", gzip.compress(TABLE))
        self.assertEqual(self.rows(*asked, "--sort", "key", "--format", "csv", "t.csv.gz"), right)
        self.assertEqual(self.rows("--by", "city", "--median", "qty", "--mode", "note", "--sort", "value", "t.csv"), "Oslo\t7\t01\nRome\t2\tx\nBern\t\t1\n")
        self.assertEqual(self.rows("--by", "1", "--distinct", "3", "--distinct", "qty", "--sort", "key", "t.csv"), "Bern\t1\t0\nOslo\t2\t1\nRome\t1\t2\n")
        self.write("t.jsonl", b'{"k":"a","v":1,"w":{"x":"p"}}\n{"k":"a","v":2,"w":{"x":"q"}}\n{"k":"b","w":{"x":"q"}}\n')
        self.assertEqual(self.rows("--by", "k", "--mode", "w.x", "--mean", "v", "--distinct", "v", "--sort", "key", "t.jsonl"), "a\tp\t1.5\t2\nb\tq\t\t0\n")

    def test_several_columns_where_numbers_change_their_type(self):
        self.write("late.csv", b"k,v,w\n" + b"".join(b"k,%d,%d\n" % (i, i % 3) for i in range(20_000)) + b"k,0.5,1\n")
        ended = self.aggregate("--by", "k", "--median", "w", "--median", "v", "--distinct", "v", "late.csv")
        self.assertEqual(ended.out, b"k\t1\t9999\t20001\n")
        self.assertIn("column v has numbers that the type of its first rows cannot hold", ended.err)

    def test_several_columns_and_bad_rows(self):
        asked = ("--by", "1", "--distinct", "2", "--distinct", "3", "b.csv")
        self.write("b.csv", b"a,1,2\nb,1\na,2,2\n")
        self.assert_failed(self.aggregate(*asked), 5, "'b.csv', line 2: it has no column '3'; 1 row like this")
        self.assert_failed(self.aggregate(*asked, "--bad-rows", "drop"), 5, "other columns of different values can count rows like this")
        self.write("b.csv", b"a,1,2\nb\na,2,2\n")
        self.assertEqual(self.rows(*asked, "--bad-rows", "drop"), "a\t2\t1\n")
        # Each column has one bad row, and they are different rows of the same key.
        self.write("b.csv", b"a,%s,2\na,1,%s\n" % (b"x" * 300, b"y" * 300))
        self.assert_failed(self.aggregate(*asked, "--bad-rows", "drop"), 5, "use one run for each such column")

    def test_wrong_use_of_several_columns(self):
        asked = ("--by", "city", "--distinct", "qty,note")
        self.assert_failed(self.run_program("run", "aggregate", *asked, "-", data=TABLE), 2, "'standard input' can be read only once; store it in a file")
        self.assert_failed(self.run_program("map", "aggregate", *asked, "-o", "p", "t.csv"), 2, "'qty' and 'note' are asked for; map and merge once for each")

    def test_wrong_use(self):
        for arguments, problem in ((("--distinct", "qty"), "need --by"),
                                   (("--by", "city", "--distinct", "nope"), "has no column 'nope'"),
                                   (("--by", "city", "--quantile", "qty"), "--quantile is 'qty'; give COLUMN=P"),
                                   (("--by", "city", "--quantile", "0.5"), "give COLUMN=P"),
                                   (("--by", "city", "--quantile", "qty=0.5", "--count", "--quantile", "0.9"), "give COLUMN=P"),
                                   (("--by", "city", "--quantile", "qty=95"), "the fraction of a quantile is '95'; give a decimal from 0 to 1"),
                                   (("--by", "1,2,3,1,2,3,1,2", "--distinct", "3"), "the column '3' of distinct(3) is one more column of keys"),
                                   (("--by", "city", "--mode", "note", "--top", "1"), "mode(note) has texts, and rows are ordered by numbers")):
            self.assert_failed(self.aggregate(*arguments, "t.csv"), 2, problem)


if __name__ == "__main__":
    harness.main()
