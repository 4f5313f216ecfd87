"""Tests the stated errors of `duomap run aggregate --approx-distinct` and `--approx-quantile` on random
tables."""

import collections
import fractions
import json
import math
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import aggregate_program as program
import cli_harness as harness

STANDARD_ERROR = 1.04 / math.sqrt(4096)
ERROR_OF_QUANTILES = fractions.Fraction(1, 100)


def quantile(numbers, at):
    """The quantile of sorted numbers, and the larger one of the two numbers next to it."""
    place = (len(numbers) - 1) * at
    low = math.floor(place)
    high = min(low + 1, len(numbers) - 1)
    return numbers[low] + (numbers[high] - numbers[low]) * (place - low), max(abs(numbers[low]), abs(numbers[high]))


class AggregateApprox(program.AggregateTest):
    def test_estimates_of_different_values(self):
        chance = random.Random(7)  # the same tables in each run, because an estimate has no largest error
        values = collections.defaultdict(set)
        lines = []
        for group in range(400):
            size = int(10 ** chance.uniform(0, 3.5))
            for _ in range(size):
                value = chance.choice((str(chance.randrange(size * 2)), f"user {chance.randrange(size)}", ""))
                lines.append((str(group), value))
                if value:
                    values[str(group)].add(value)
        chance.shuffle(lines)
        self.write("t.csv", "g,v\n".encode() + "".join(f"{group},{value}\n" for group, value in lines).encode())
        self.write("t.jsonl", "".join(json.dumps({"g": group, "v": value or None}) + "\n" for group, value in lines).encode())
        answer = None
        for file in ("t.csv", "t.jsonl"):
            for threads in "13":
                found = program.groups_in(self.rows("--by", "g", "--approx-distinct", "v", "--format", "jsonl", "--threads", threads, file), 1)
                self.assertEqual(found, answer or found)  # an estimate depends on the values alone
                answer = found
        errors = []
        for group, (estimate,) in ((key[0], cells) for key, cells in answer.items()):
            right = len(values[group])
            self.assertLessEqual(abs(int(estimate) - right), max(5 * STANDARD_ERROR * right, 1 if right < 50 else 0), (group, right))
            errors += [int(estimate) / right - 1] if right else []
        self.assertEqual(len(answer), 400)
        self.assertLess(math.sqrt(sum(error**2 for error in errors) / len(errors)), STANDARD_ERROR)
        self.assertLess(abs(sum(errors) / len(errors)), STANDARD_ERROR / 5)

    def test_quantiles(self):
        self.check_random_tables(self.check_quantiles, cases=30)

    def check_quantiles(self, chance):
        scale, groups = chance.choice((0, 0, 2, 6)), chance.randint(1, 5)
        kind = chance.choice(("even", "powers", "few", "signs"))

        def number():
            if kind == "few":
                return fractions.Fraction(chance.randint(-3, 3))
            size = 10 ** (chance.uniform(0, 14) if kind == "powers" else 4)
            return fractions.Fraction(chance.randint(0 if kind == "even" else -int(size), int(size)), 10**scale)

        numbers = collections.defaultdict(list)
        text = "g,v\n"
        for _ in range(chance.choice((1, 5, 300, 3000))):
            group = str(chance.randrange(groups))
            one = number() if chance.random() < 0.9 else None
            numbers[group] += [] if one is None else [one]
            text += f"{group},{'' if one is None else format(float(one), '.0f' if one.denominator == 1 else f'.{scale}f')}\n"
        self.write("t.csv", text.encode())
        places = [chance.choice(("0", "0.5", "1", str(round(chance.random(), 3)))) for _ in range(3)]
        found = program.groups_in(self.rows("--by", "g", "--approx-quantile", "v=" + ",".join(places), "--min", "v", "--sum", "v", "--format", "jsonl",
                                            "--header", "yes", "--threads", str(chance.randint(1, 3)), "t.csv"), 1)
        for group, all_numbers in numbers.items():
            cells = found[(group,)]
            if not all_numbers:
                self.assertEqual(cells[:4], [None] * 4)
                continue
            all_numbers.sort()
            self.assertEqual(fractions.Fraction(cells[3]), all_numbers[0])
            for place, cell in zip(places, cells):
                right, size = quantile(all_numbers, fractions.Fraction(place))
                self.assertLessEqual(abs(fractions.Fraction(cell) - right), size * ERROR_OF_QUANTILES, (group, place))
                if kind == "few":
                    self.assertLessEqual(abs(fractions.Fraction(cell) - right), size / 2**50)

    def test_numbers_and_texts(self):
        self.write("t.csv", b'k,v\na,1\na,1.0\na,01\na," "\nb,x\nb,"q""q"\nb,"q""q"\nb,\nc,\n')
        self.assertEqual(self.rows("--by", "k", "--approx-distinct", "v", "--sort", "key", "t.csv"), "a\t3\nb\t2\nc\t0\n")
        self.write("n.csv", b"k,v\na,1\na,1.0\na,01\na, 2 \na,0.0\na,-0.0\nc,\n")
        self.assertEqual(self.rows("--by", "k", "--approx-distinct", "v", "--types", "v=real", "--sort", "key", "n.csv"), "a\t3\nc\t0\n")
        self.assertEqual(self.rows("--by", "k", "--approx-distinct", "v", "--max", "v", "--sort", "value", "n.csv"), "a\t3\t2\nc\t0\t\n")
        self.assertEqual(self.rows("--by", "left(k, 1)", "--approx-quantile", "v=0.5", "--format", "csv", "--sort", "key", "n.csv"),
                         '"left(k, 1)","approx_quantile(v,0.5)"\na,1\nc,\n')

    def test_beside_exact_aggregates(self):
        lines = [(i % 3, i % 70, i * i % 1000) for i in range(3000)]
        self.write("t.csv", b"k,v,w\n" + "".join(f"{k},{v},{w}\n" for k, v, w in lines).encode())
        exact = program.groups_in(self.rows("--by", "k", "--distinct", "v,w", "--quantile", "w=0.5", "--format", "jsonl", "t.csv"), 1)
        both = program.groups_in(self.rows("--by", "k", "--approx-distinct", "v,w", "--distinct", "w", "--approx-quantile", "w=0.5", "--count", "--sum", "w",
                                           "--format", "jsonl", "t.csv"), 1)
        for key, (v, w, middle) in exact.items():
            found = both[key]
            self.assertLessEqual(abs(found[0] - v), 3)
            self.assertLessEqual(abs(found[1] - w), w / 10)
            self.assertEqual(found[2], w)
            self.assertLessEqual(abs(fractions.Fraction(found[3]) - fractions.Fraction(middle)), fractions.Fraction(middle) / 100)
            self.assertEqual(found[4:], [1000, sum(w for k, _, w in lines if str(k) == key[0])])

    def test_parts(self):
        self.write("n.txt", b"".join(b"%d;%d\n" % (i % 7, i * i % 9973) for i in range(20000)))
        for option in (("--approx-distinct", "2"), ("--approx-quantile", "2=0.1,0.9")):
            asked = ("aggregate", "--by", "1", *option, "--types", "2=integer")
            self.check_parts(asked, "n.txt")

    def test_wrong_use(self):
        self.write("t.csv", b"k,v\na,x\n")
        self.assert_failed(self.aggregate("--by", "k", "--approx-quantile", "v", "t.csv"), 2, "--approx-quantile is 'v'; give COLUMN=P")
        self.assert_failed(self.aggregate("--by", "k", "--quantile", "v=0.5", "--approx-quantile", "0.5", "t.csv"), 2, "give COLUMN=P")
        self.assert_failed(self.aggregate("--by", "k", "--approx-quantile", "v=0.5", "t.csv"), 5, "'t.csv', line 2: column 'v' is 'x', which is no number")
        columns = ",".join(f"c{i}" for i in range(17))
        self.write("w.csv", (columns + "\n" + ",".join("1" for _ in range(17)) + "\n").encode())
        self.assert_failed(self.aggregate("--by", "c0", "--approx-distinct", "c0", "--sum", columns[3:], "w.csv"), 2, "not 17; approx_distinct counts as one")
        self.assertEqual(self.rows("--by", "c0", "--approx-distinct", "c0", "--sum", columns[6:], "w.csv"), "1" + "\t1" * 16 + "\n")


if __name__ == "__main__":
    harness.main()
