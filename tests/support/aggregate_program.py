"""What the tests of `duomap run aggregate --by` have in common: runs of the program, random conditions,
and exact answers."""

import fractions
import json
import operator
import random
import re

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


def and_of(parts):
    """SQL's and of True, False and None."""
    return False if False in parts else None if None in parts else True


def not_of(part):
    return None if part is None else not part


def is_like(text, pattern):
    form = "".join(".*" if one == "%" else "." if one == "_" else re.escape(one) for one in pattern)
    return re.fullmatch(form, text, re.DOTALL) is not None


def random_condition(chance, keys, values, texts, text_of):
    """random_parts() whose constants have room in a condition."""
    while True:
        text, holds = random_parts(chance, keys, values, texts, text_of, 0)
        if len(text.encode()) + 9 * text.count(",") < 256:
            return text, holds


def random_parts(chance, keys, values, texts, text_of, depth):
    """A random condition on columns of texts and of numbers, and a function that says for a row whether it is true, false or,
    because of a null, neither (None). text_of(row, column) is the text of a field, or None for a missing one."""
    if depth < 4 and chance.random() < 0.15:
        text, holds = random_parts(chance, keys, values, texts, text_of, depth + 1)
        return f"not ({text})", lambda row: not_of(holds(row))
    if depth < 3 and chance.random() < 0.5:
        parts = [random_parts(chance, keys, values, texts, text_of, depth + 1) for _ in range(2)]
        text = " {} ".join(f"({text})" for text, _ in parts)
        if chance.random() < 0.5:
            return text.format("and"), lambda row: and_of([holds(row) for _, holds in parts])
        return text.format("OR"), lambda row: not_of(and_of([not_of(holds(row)) for _, holds in parts]))
    number = chance.random() < 0.6
    column = chance.choice(values if number else keys)
    if chance.random() < 0.15:
        missing = chance.random() < 0.5
        return f"{column} is {'' if missing else 'not '}null", lambda row: (text_of(row, column) is None) == missing
    if number:
        def constant():
            text = str(chance.choice((0, -1, 7.5, 0.125, 10**15, chance.randint(-10**6, 10**6))))
            return text, fractions.Fraction(text)
    else:
        def constant():
            text = chance.choice([one for one in texts if one])
            return f"'{text}'", text.encode()

    def compared(compare):
        def result(row):
            text = text_of(row, column)
            return None if text is None else compare(fractions.Fraction(text) if number else text.encode())
        return result

    kind = chance.choice(("operator", "operator", "in", "between", "operator" if number else "like"))
    negated = chance.random() < 0.3
    word = "not " if negated else ""
    some = [constant() for _ in range({"operator": 1, "between": 2}.get(kind, chance.randint(1, 3)))]
    if kind == "operator":
        name, compare = chance.choice(COMPARISONS)
        return f"{column} {name} {some[0][0]}", compared(lambda value: compare(value, some[0][1]))
    if kind == "in":
        return f"{column} {word}in ({', '.join(text for text, _ in some)})", compared(lambda value: (value in [one for _, one in some]) != negated)
    if kind == "between":
        (low, least), (high, most) = some
        return f"{column} {word}between {low} AND {high}", compared(lambda value: (least <= value <= most) != negated)
    pattern = list(chance.choice([one for one in texts if one]))
    for i in range(len(pattern)):
        pattern[i] = chance.choice((pattern[i], pattern[i], "_", "%"))
    pattern = "".join(pattern) + chance.choice(("", "%"))
    return f"{column} {word}like '{pattern}'", compared(lambda value: is_like(value.decode(), pattern) != negated)


class AggregateTest(harness.ProgramTest):
    def aggregate(self, *arguments):
        return self.run_program("run", "aggregate", "--device", "cpu", *arguments)

    def rows(self, *arguments):
        ended = self.aggregate(*arguments, "--quiet")
        self.assertEqual(ended.status, 0, ended.err)
        return ended.out.decode()

    def check_parts(self, asked, name, *more):
        """Groups a file as a whole and in three parts, merged in another order; returns the rows, which are the same."""
        whole = self.rows(*asked[1:], "--sort", "key", *more, name)
        for part in "123":
            ended = self.run_program("map", *asked, "--slice", part + "/3", "-o", part, name)
            self.assertEqual(ended.status, 0, ended.err)
        merged = self.run_program("merge", *asked, "--sort", "key", *more, "3", "1", "2")
        self.assertEqual(merged.out.decode(), whole)
        return whole

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
