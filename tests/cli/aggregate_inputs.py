"""Tests the forms of text that `duomap run aggregate --by` reads: fields over the end of lines, line ends, comments, `sep=`,
decimal commas and words for missing values, on random tables against exact arithmetic."""

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

TEXTS = ["a", "b", "", "x\ny", 'q"\nq', "a,b;c", "\u00e4", "\n", "long\nfield\nwith lines", "t\ta", "NA", "-", "1,5"]
LINED = b'k,t,v\n"a\nb",1,2\nc,"x\n\ny",3\n"a\nb",2,5\n'


class AggregateInputs(program.AggregateTest):
    def test_random_tables(self):
        self.check_random_tables(self.check_table)

    def check_table(self, chance):
        """A random table in a random form, and a random query."""
        keys, values = chance.randint(1, 3), chance.randint(1, 3)
        columns = [f"k{i}" for i in range(keys)] + [f"v{i}" for i in range(values)]
        chance.shuffle(columns)
        comma = chance.random() < 0.4
        missing = chance.sample(["NA", "-", "null", "-999"], chance.randint(0, 3))
        end = chance.choice(("\n", "\r\n", "\r"))
        separator = chance.random() < 0.3
        delimiter = chance.choice(";\t|" if comma else ",;\t|")
        comment = chance.choice((None, "#", "%"))

        def number():
            if chance.random() < 0.2:
                return chance.choice(["", *missing])
            text = f"{chance.randint(-10**6, 10**6)}.{chance.randrange(100):02}"
            return text.replace(".", ",") if comma else text

        table = [[chance.choice(TEXTS) if name[0] == "k" else number() for name in columns] for _ in range(chance.choice((1, 4, 60, 900)))]
        text = io.StringIO()
        writer = csv.writer(text, delimiter=delimiter, lineterminator=end, quoting=csv.QUOTE_ALL if end == "\r" else chance.choice((csv.QUOTE_ALL, csv.QUOTE_MINIMAL)))
        if separator:
            text.write(f"sep={delimiter}{end}")
        front = [f'{comment} "a note"' + end, end, comment + end] if comment else [end]
        for line in chance.choices(front, k=chance.choice((0, 0, 2))):
            text.write(line)
        writer.writerow(columns)
        for row in table:
            writer.writerow(row)
            if comment and chance.random() < 0.2:
                text.write(f'{comment}it"s a comment{end}')
        name = chance.choice(("t.csv", "t.csv.gz"))
        data = text.getvalue().encode()
        self.write(name, gzip.compress(data) if name.endswith("gz") else data)

        by = chance.sample([f"k{i}" for i in range(keys)], chance.randint(1, keys))
        asked = [(kind, "" if kind == "rows" else f"v{chance.randrange(values)}") for kind in chance.choices(program.KINDS, k=chance.randint(1, 4))]
        options = [word for kind, column in asked for word in ([program.option_of(kind)] + ([column] if column else []))]
        types = sorted({column for _, column in asked if column})
        options += ["--types", ",".join(f"{one}=decimal(2)" for one in types)] if types else []
        options += ["--comment", comment] if comment else []
        options += ["--decimal-comma"] if comma else []
        options += ["--null", ",".join(missing)] if missing else []
        options += [] if separator else ["--delimiter", "tab" if delimiter == "\t" else delimiter]
        options += chance.choice(([], ["--quoted-lines", "yes"]))
        where = None
        if chance.random() < 0.5:
            compared = chance.choice([one for one in TEXTS if one and one not in missing])
            where = chance.choice(("=", "<", ">="))
            options += ["--where", f"k0 {where} '{compared}'"]
        found = program.groups_in(self.rows("--by", ",".join(by), *options, "--format", "jsonl", "--threads", str(chance.randint(1, 3)), name), len(by))

        groups = collections.defaultdict(list)
        for row in table:
            named = {column: "" if cell in missing else cell for column, cell in zip(columns, row)}
            if where:
                a, b = named["k0"].encode(), compared.encode()
                if not a or not (a == b if where == "=" else a < b if where == "<" else a >= b):
                    continue
            groups[tuple(named[one] for one in by)].append(named)
        self.assertEqual(set(found), set(groups), options)
        for key, rows in groups.items():
            for (kind, column), cell in zip(asked, found[key]):
                numbers = [fractions.Fraction(row[column].replace(",", ".")) for row in rows if row[column]] if column else []
                self.check_number_cell(kind, len(rows), numbers, cell)

    def test_fields_over_the_end_of_lines(self):
        self.write("t.csv", LINED)
        groups = [{"k": "a\nb", "sum(v)": 7}, {"k": "c", "sum(v)": 3}]
        for option in ("auto", "yes"):
            ended = self.aggregate("--by", "k", "--sum", "v", "--sort", "key", "--format", "jsonl", "--quoted-lines", option, "t.csv")
            self.assertEqual([json.loads(line) for line in ended.out.splitlines()], groups)
            self.assertEqual("read again with --quoted-lines yes" in ended.err, option == "auto", ended.err)
        self.assertEqual(self.rows("--by", "k", "--sum", "v", "--sort", "key", "--format", "csv", "t.csv"), 'k,sum(v)\n"a\nb",7\nc,3\n')
        self.assertEqual(self.rows("--by", "t", "--where", "k = 'a\nb'", "--sort", "key", "t.csv"), "1\t1\n2\t1\n")
        self.assertEqual(json.loads(self.rows("--by", "1", "--header", "yes", "--mode", "2", "--distinct", "2", "--format", "jsonl", "--where", "k = 'c'", "t.csv")),
                         {"1": "c", "mode(2)": "x\n\ny", "distinct(2)": 1})
        piped = self.run_program("run", "aggregate", "--by", "t", "--sum", "v", "--quoted-lines", "yes", "--quiet", "--where", "t != '1'", "--format", "jsonl", "-", data=LINED)
        self.assertEqual(sorted(json.loads(line)["sum(v)"] for line in piped.out.splitlines()), [3, 5])
        self.write("h.csv", b'"first\nname",v\na,1\n')
        self.assertEqual(self.rows("--by", "first\nname", "--sum", "v", "--quoted-lines", "yes", "h.csv"), "a\t1\n")
        for data, order in ((b'"\nz",1\n"a\n",1\na,1\n"a\tb",1\nab,1\n', ["\nz", "a", "a\tb", "a\n", "ab"]),):
            self.write("o.csv", data)
            found = self.rows("--by", "1", "--sum", "2", "--sort", "key", "--quoted-lines", "yes", "--format", "jsonl", "o.csv")
            self.assertEqual([json.loads(line)["1"] for line in found.splitlines()], order)

    def test_faults_of_fields_over_the_end_of_lines(self):
        self.write("bad.csv", LINED + b'c,"y\nz",x\n')
        self.assert_failed(self.aggregate("--by", "k", "--sum", "v", "--types", "v=integer", "--quoted-lines", "yes", "bad.csv"), 5,
                           "'bad.csv', line 9: column 'v' is 'x', which is no number; 1 row like this")
        self.assert_failed(self.aggregate("--by", "k", "--sum", "v", "--quoted-lines", "no", "bad.csv"), 5, "'bad.csv', line 2: it has an odd number of quotes; --quoted-lines no lets")
        self.write("open.csv", b'k,v\n"a,1\nb,2\n')  # closes nowhere
        self.assert_failed(self.aggregate("--by", "k", "--sum", "v", "open.csv"), 5, "'open.csv', line 2: it has an odd number of quotes; --quoted-lines yes lets")
        self.assert_failed(self.aggregate("--by", "k", "--quoted-lines", "yes", "open.csv"), 5, "'open.csv', line 2: ", "though fields may go over the end of a line")
        self.write("two.csv", b'k,v\n"a,1\nb,2\n"c,3\n')  # the second quote closes in front of a letter
        self.assert_failed(self.aggregate("--by", "k", "--sum", "v", "two.csv"), 5, "'two.csv', line 2: it has an odd number of quotes; ")
        self.assertEqual(self.rows("--by", "k", "--sum", "v", "--bad-rows", "drop", "two.csv"), "b\t2\n")
        self.write("ff.csv", b'k,v\n"a\nb",1\n\xff,2\n')
        self.assert_failed(self.aggregate("--by", "k", "--quoted-lines", "yes", "ff.csv"), 5, "cannot read 'ff.csv': byte 12 of its text is 0xFF", "--quoted-lines no")
        self.assert_failed(self.aggregate("--by", "k", "ff.csv"), 5, "'ff.csv', line 2: it has an odd number of quotes")
        self.assert_failed(self.aggregate("--by", "k", "--quoted-lines", "yes", "--quote", "none", "ff.csv"), 2, "--quoted-lines yes needs a quote")
        self.assert_failed(self.aggregate("--by", "k", "--quoted-lines", "yes", "--input-format", "jsonl", "ff.csv"), 2, "--quoted-lines is for delimited text")

    def test_large_tables(self):
        rows = b"".join(b'"k\n%d","%d"\n' % (i % 7, i) for i in range(60_000))
        self.write("l.csv", b"k,v\n" + rows)
        found = self.rows("--by", "k", "--sum", "v", "--sort", "key", "--format", "jsonl", "l.csv")
        self.assertEqual([json.loads(line) for line in found.splitlines()],
                         [{"k": f"k\n{k}", "sum(v)": sum(range(k, 60_000, 7))} for k in range(7)])
        self.write("m.csv", b"k,v\n" + b"".join(b'k%d,%d\n' % (i % 7, i) for i in range(60_000)) + b'"k\n0",x\n')
        self.assert_failed(self.aggregate("--by", "k", "--sum", "v", "m.csv"), 5, "'m.csv', line 60002: column 'v' is 'x'")

    def test_parts(self):
        self.write("t.csv", LINED)
        asked = ("aggregate", "--by", "k", "--sum", "v", "--types", "v=integer", "--quoted-lines", "yes")
        for part in "12":
            ended = self.run_program("map", *asked, "--slice", part + "/2", "-o", part, "t.csv")
            self.assertEqual(ended.status, 0, ended.err)
        merged = self.run_program("merge", *asked, "--format", "jsonl", "--sort", "key", "1", "2")
        self.assertEqual([json.loads(line) for line in merged.out.splitlines()], [{"k": "a\nb", "sum(v)": 7}, {"k": "c", "sum(v)": 3}])
        self.assert_failed(self.run_program("merge", *asked[:-2], "1", "2"), 5, "--quoted-lines yes")
        self.write("mac.csv", b"k,v\ra,1\r")
        self.assert_failed(self.run_program("map", *asked[:-2], "-o", "x", "mac.csv"), 2, "need --quoted-lines, yes or no")

    def test_carriage_returns_alone(self):
        self.write("mac.csv", b'k,v\ra,1\r"b\nc",2\ra,3\r')
        self.assertEqual(self.rows("--by", "k", "--sum", "v", "--sort", "key", "--format", "csv", "--quoted-lines", "yes", "mac.csv"), 'k,sum(v)\na,4\n"b\nc",2\n')
        self.assertEqual(self.rows("--by", "k", "--sum", "v", "--sort", "key", "--format", "csv", "mac.csv"), 'k,sum(v)\na,4\n"b\nc",2\n')
        self.write("other.csv", b"k,v\r\na,10\r\n")
        self.assertEqual(self.rows("--by", "k", "--sum", "v", "--where", "k = 'a'", "mac.csv", "other.csv"), "a\t14\n")
        self.write("bad.csv", b"k,v\ra,1\r\rb,x\r")
        self.assert_failed(self.aggregate("--by", "k", "--sum", "v", "--types", "v=integer", "bad.csv"), 5, "'bad.csv', line 4: column 'v' is 'x'")
        self.write("in.csv", b'k,v\n"a\rb",1\n')
        self.assertEqual(self.rows("--by", "k", "--sum", "v", "--format", "jsonl", "in.csv"), '{"k":"a\\rb","sum(v)":1}\n')

    def test_lines_in_front(self):
        self.write("c.csv", b"# made by hand\n\n#\nk,v\na,1\n# a,5\nb,2\n#")
        self.assertEqual(self.rows("--by", "k", "--sum", "v", "--comment", "#", "--sort", "key", "c.csv"), "a\t1\nb\t2\n")
        self.write("d.csv", b"k,v\nb,5\n")
        self.assertEqual(self.rows("--by", "k", "--sum", "v", "--comment", "#", "--sort", "key", "c.csv", "d.csv"), "a\t1\nb\t7\n")
        self.assertEqual(self.rows("--by", "k", "--sum", "v", "--comment", "#", "--sort", "key", "d.csv", "c.csv"), "a\t1\nb\t7\n")
        self.write("e.csv", b"# x\nk,w\nb,5\n")
        self.assert_failed(self.aggregate("--by", "k", "--comment", "#", "c.csv", "e.csv"), 5, "'e.csv', line 2: it is not the header of the first table")
        self.write("s.csv", b"sep=;\r\nk;v\r\na,b;1\r\n")
        self.assertEqual(self.rows("--by", "k", "--sum", "v", "s.csv"), "a,b\t1\n")
        self.assertEqual(self.rows("--by", "1", "--sum", "2", "--header", "yes", "s.csv", "s.csv"), "a,b\t2\n")
        self.assert_failed(self.aggregate("--by", "k", "s.csv", "d.csv"), 5, 'its first line is not "sep="')
        self.write("blank.csv", b"\n\r\nk,v\na,1\n")
        self.assertEqual(self.rows("--by", "k", "--sum", "v", "blank.csv"), "a\t1\n")
        self.write("only.csv", b"# x\n\n")
        self.assert_failed(self.aggregate("--by", "k", "--comment", "#", "only.csv"), 5, "'only.csv' has no row: it has only empty lines and comments")

    def test_numbers_with_commas_and_missing_words(self):
        self.write("n.csv", b"k;x\na;1,5\nb;NA\na;-2,25\nb; 3 \n")
        asked = ("--by", "k", "--decimal-comma", "--null", "NA", "--sort", "key", "n.csv")
        self.assertEqual(self.rows("--sum", "x", "--count-of", "x", *asked), "a\t-0.75\t2\nb\t3\t1\n")
        self.assertEqual(self.rows("--median", "x", "--distinct", "x", *asked), "a\t-0.375\t2\nb\t3\t1\n")
        self.assertEqual(self.rows("--count", "--where", "x > 1.4", *asked), "a\t1\nb\t1\n")
        self.assertEqual(self.rows("--count", "--where", "x is null", *asked), "b\t1\n")
        self.assert_failed(self.aggregate("--by", "k", "--decimal-comma", "--sum", "x", "n.csv"), 5, "'n.csv', line 3: column 'x' is 'NA', which is no number")
        self.write("p.csv", b"k;x\na;1.234,5\n")
        self.assert_failed(self.aggregate("--by", "k", "--decimal-comma", "--sum", "x", "p.csv"), 5, "column 'x' is '1.234,5', which is no number")
        self.write("k.csv", b"k,x\nNA,1\n,2\n\"NA\",3\nNAN,4\n")
        self.assertEqual(self.rows("--by", "k", "--sum", "x", "--null", "NA,-", "--sort", "key", "k.csv"), "\t6\nNAN\t4\n")
        self.assert_failed(self.aggregate("--by", "k", "--null", "x" * 40, "k.csv"), 2, "--null has at most 8 words of together 35 bytes")
        self.assert_failed(self.aggregate("--by", "k", "--comment", ",", "--delimiter", ",", "k.csv"), 2, "--comment and --delimiter are the same character")
        self.assert_failed(self.aggregate("--by", "k", "--comment", '"', "k.csv"), 2, "--comment and --quote are the same character")


if __name__ == "__main__":
    harness.main()
