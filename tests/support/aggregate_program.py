"""What the tests of `duomap run aggregate --by` have in common: runs of the program, random conditions,
and exact answers."""

import fractions
import json
import operator
import random

import cli_harness as harness

KINDS = ("rows", "count", "sum", "min", "max", "mean")
OPTIONS = {"rows": "--count", "count": "--count-of"}
COMPARISONS = (("=", operator.eq), ("!=", operator.ne), ("<", operator.lt), ("<=", operator.le), (">", operator.gt), (">=", operator.ge))


def option_of(kind):
    return OPTIONS.get(kind, "--" + kind)


def groups_in(lines, keys):
    """The cells behind the key of each JSON line, by its first `keys` cells."""
    found = {}
    for line in lines.splitlines():
        cells = [value for _, value in json.loads(line, object_pairs_hook=list, parse_float=fractions.Fraction)]
        found[tuple(cells[:keys])] = cells[keys:]
    return found


def random_condition(chance, keys, values, texts, text_of, depth=0):
    """A random condition on columns of texts and of numbers, and a function that says whether a row fulfils it. text_of(row,
    column) is the text of a field, or None for a missing one."""
    if depth < 3 and chance.random() < 0.6:
        parts = [random_condition(chance, keys, values, texts, text_of, depth + 1) for _ in range(2)]
        word, join = chance.choice((("and", all), ("OR", any)))
        return f" {word} ".join(f"({text})" for text, _ in parts), lambda row: join(holds(row) for _, holds in parts)
    number = chance.random() < 0.6
    column = chance.choice(values if number else keys)
    if chance.random() < 0.15:
        missing = chance.random() < 0.5
        return f"{column} is {'' if missing else 'not '}null", lambda row: (text_of(row, column) is None) == missing
    name, compare = chance.choice(COMPARISONS)
    if number:
        constant = str(chance.choice((0, -1, 7.5, 0.125, 10**15, chance.randint(-10**6, 10**6))))
        exact = fractions.Fraction(constant)
        return f"{column} {name} {constant}", lambda row: text_of(row, column) is not None and compare(fractions.Fraction(text_of(row, column)), exact)
    text = chance.choice([one for one in texts if one])
    return f"{column} {name} '{text}'", lambda row: text_of(row, column) is not None and compare(text_of(row, column).encode(), text.encode())


class AggregateTest(harness.ProgramTest):
    def aggregate(self, *arguments):
        return self.run_program("run", "aggregate", "--device", "cpu", *arguments)

    def rows(self, *arguments):
        ended = self.aggregate(*arguments, "--quiet")
        self.assertEqual(ended.status, 0, ended.err)
        return ended.out.decode()

    def check_random_tables(self, check_table, cases=60):
        seed = int.from_bytes(harness.os.urandom(4), "little")
        chance = random.Random(seed)
        for case in range(cases):
            with self.subTest(seed=seed, case=case):
                check_table(chance)

    def check_number_cell(self, kind, rows, numbers, cell):
        """Compares a cell of KINDS with the exact answer over the numbers of a column, or over rows."""
        right = {"rows": rows, "count": len(numbers)}.get(kind)
        if right is None:
            right = None if not numbers else {"sum": sum, "min": min, "max": max, "mean": lambda all: sum(all) / len(all)}[kind](numbers)
        if kind == "mean" and right is not None:
            self.assertLessEqual(abs(fractions.Fraction(cell) - right), abs(right) / 2**52)
        else:
            self.assertEqual(cell if cell is None else fractions.Fraction(cell), right)
