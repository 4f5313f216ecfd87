"""Tests --deterministic: the same bytes for any threads and devices, and exact sums where
possible."""

import math
import pathlib
import random
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness


def pairs_of(values_by_key):
    rows = [(key, value) for key, values in values_by_key.items() for value in values]
    random.Random(5).shuffle(rows)
    return b"".join(struct.pack("<If", key, value) for key, value in rows)


class Deterministic(harness.ProgramTest):
    def sums(self, *arguments):
        ended = self.run_program("run", "aggregate", "--sort", "key", *arguments)
        self.assertEqual(ended.status, 0, ended.err)
        return ended

    def test_sums_of_floats(self):
        seed = random.randrange(2**32)
        numbers = random.Random(seed)

        def number():
            return struct.unpack("<f", struct.pack("<f", numbers.uniform(-1, 1) * 10 ** numbers.randint(0, 6)))[0]

        values = {key: [number() for _ in range(5000)] for key in range(20)}
        self.write("pairs.bin", pairs_of(values))
        expected = self.sums("--values", "float32", "--deterministic", "--threads", "1", "pairs.bin").out
        for threads in (2, 5):
            self.assertEqual(self.sums("--values", "float32", "--deterministic", "--threads", str(threads),
                                       "pairs.bin").out, expected, f"seed {seed}")
        # The sum loses no bit of these numbers, so it is correctly rounded.
        rows = dict(line.split("\t") for line in expected.decode().splitlines())
        self.assertEqual({int(key): float(value) for key, value in rows.items()},
                         {key: math.fsum(of_key) for key, of_key in values.items()}, f"seed {seed}")

    def test_infinities_and_nan(self):
        self.write("pairs.bin", pairs_of({1: [math.inf, 1.0], 2: [math.inf, -math.inf], 3: [math.nan], 4: [-0.0],
                                          5: [1e20, 1.5, -1e20]}))
        self.assertEqual(self.sums("--values", "float32", "--deterministic", "pairs.bin").out.splitlines(),
                         [b"1\tinf", b"2\tnan", b"3\tnan", b"4\t-0", b"5\t1.5"])
        # NaN comes last in the order of values.
        by_value = self.run_program("run", "aggregate", "--values", "float32", "--sort", "value",
                                    "--deterministic", "pairs.bin")
        self.assertEqual(by_value.out.splitlines(), [b"1\tinf", b"5\t1.5", b"4\t-0", b"2\tnan", b"3\tnan"])

    def test_integers_are_exact_already(self):
        self.write("pairs.bin", struct.pack("<IiIi", 7, -3, 7, 5))
        ended = self.sums("--deterministic", "pairs.bin")
        self.assertEqual(ended.out, b"7\t2\n")
        self.assertIn("--deterministic changes nothing", ended.err)

    def test_type_of_values(self):
        ended = self.run_program("run", "aggregate", "--values", "float16", "pairs.bin")
        self.assertEqual(ended.status, 2, ended.err)


if __name__ == "__main__":
    harness.main()
