"""Compares naivebayes with scikit-learn's CategoricalNB on real tables, and checks messages."""

import csv
import gzip
import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tests/support"))
import cli_harness as harness

try:
    import numpy
    from sklearn.naive_bayes import CategoricalNB
    from sklearn.preprocessing import OrdinalEncoder
except ImportError:
    numpy = None

DATA = pathlib.Path(os.environ.get("DUOMAP_DATA", "/nowhere")) / "categorical"
ADULT_NUMBERS = (0, 2, 4, 10, 11, 12)
DEVICES = os.environ.get("DUOMAP_TEST_DEVICES", "cpu").split(",")


def read(name):
    text = gzip.decompress((DATA / name).read_bytes()).decode()
    return [[field.strip() for field in line.split(",")] for line in text.splitlines() if line]


class NaiveBayes(harness.ProgramTest):
    def require_data(self):
        if numpy is None:
            self.skipTest("scikit-learn is not installed (Debian package python3-sklearn)")
        if not DATA.is_dir():
            self.skipTest("there are no real tables beside the source tree")

    def table(self, name, rows):
        return self.write(name, "".join(",".join(row) + "\n" for row in rows).encode())

    def run_bayes(self, *arguments):
        ended = self.run_program("run", "naivebayes", "--format", "csv", *arguments)
        self.assertEqual(ended.status, 0, ended.err)
        return list(csv.DictReader(ended.out.decode().splitlines())), ended.err

    def compare(self, train, test, label, leave_out=(), alpha=1.0):
        """The model and the predictions are scikit-learn's for the categories of the training
        set."""
        columns = [i for i in range(len(train[0])) if i != label and i not in leave_out]
        encoder = OrdinalEncoder(handle_unknown="error")
        features = encoder.fit_transform([[row[i] for i in columns] for row in train])
        reference = CategoricalNB(alpha=alpha).fit(features, [row[label] for row in train])
        options = ["--train", self.table("train.csv", train), "--label", label + 1, "--alpha", alpha]
        if leave_out:
            options += ["--leave-out", ",".join(str(i + 1) for i in leave_out)]
        for device in DEVICES:
            rows, _ = self.run_bayes(*options, "--device", device, "--model-out", "model.json")
            classes = list(reference.classes_)
            found = {(row["attribute"], row["category"], row["class"]): float(row["log_probability"]) for row in rows}
            expected = {(str(label + 1), "", name): value for name, value in zip(classes, reference.class_log_prior_)}
            for column, names, values in zip(columns, encoder.categories_, reference.feature_log_prob_):
                for i, name in enumerate(names):
                    for j, of_class in enumerate(classes):
                        expected[(str(column + 1), name, of_class)] = values[j][i]
            self.assertEqual(found.keys(), expected.keys())
            self.assertLess(max(abs(found[key] - expected[key]) for key in expected), 1e-12)

        # scikit-learn refuses categories that are not in the training set: compares only rows
        # without them.
        known = [set(names) for names in encoder.categories_]
        judged = [row for row in test if all(row[i] in names for i, names in zip(columns, known))]
        self.assertGreater(len(judged), 0.9 * len(test))
        probabilities = reference.predict_log_proba(encoder.transform([[row[i] for i in columns] for row in judged]))
        confusion, err = self.run_bayes("--model", "model.json", "--test", self.table("test.csv", judged),
                                        "--predictions", "predictions.csv")
        lines = (self.folder / "predictions.csv").read_text().splitlines()
        predictions = list(csv.DictReader(lines))
        self.assertEqual([row["predicted"] for row in predictions], [classes[i] for i in probabilities.argmax(axis=1)])
        difference = numpy.array([float(row["log_probability"]) for row in predictions]) - probabilities.max(axis=1)
        self.assertLess(abs(difference).max(), 1e-12)
        correct = sum(row["predicted"] == right[label] for row, right in zip(predictions, judged))
        self.assertIn(f"{correct:,} of {len(judged):,} rows", err)
        self.assertEqual(sum(int(row["rows"]) for row in confusion), len(judged))
        self.assertEqual(sum(int(row["rows"]) for row in confusion if row["label"] == row["predicted"]), correct)
        # Trains and classifies in one call, without a model file.
        self.assertEqual(self.run_bayes(*options, "--test", "test.csv")[0], confusion)

    def test_adult(self):
        self.require_data()
        train, test = read("adult.data.gz"), [row[:-1] + [row[-1].rstrip(".")] for row in read("adult.test.gz")]
        if b"torture build" in self.run_program("doctor").out:
            train, test = train[:2000], test[:500]
        self.compare(train, test, 14, ADULT_NUMBERS)

    def test_mushrooms(self):
        self.require_data()
        rows = read("agaricus-lepiota.data.gz")
        self.compare(rows[::2], rows[1::2], 0, alpha=0.25)

    def test_cars(self):
        self.require_data()
        rows = read("car.data.gz")
        self.compare(rows, rows, 6)

    def test_numbers_are_noted(self):
        self.require_data()
        path = self.write("adult.data.gz", (DATA / "adult.data.gz").read_bytes())
        _, err = self.run_bayes("--train", path)
        self.assertIn("in column 3 (21,648)", err)
        self.assertIn("--leave-out", err)

    def test_forms_of_a_table(self):
        rows = [["a", "x,y", "no"], ["b", 'say "hi"', "yes"], ["?", "x,y", "yes"]]
        plain = "\n".join(";".join(row) for row in rows)
        quoted = "\r\n".join(", ".join('"' + field.replace('"', '""') + '"' for field in row) for row in rows) + "\r\n"
        # The first line has a comma too, so the delimiter must be given.
        expected, _ = self.run_bayes("--train", self.write("plain", plain.encode()), "--delimiter", "semicolon")
        self.assertEqual(len(expected), 2 + 2 * 3 + 2 * 2)
        for name, content in (("quoted", quoted.encode()), ("tabs.gz", gzip.compress(plain.replace(";", "\t").encode())),
                              ("blank", b"\n \n" + quoted.encode() + b"\n\n")):
            self.assertEqual(self.run_bayes("--train", self.write(name, content))[0], expected, name)

    def test_rows_that_do_not_fit(self):
        good = b"a,b\nc,d\n"
        self.write("train", good + b"e\n")
        self.assert_failed(self.run_program("run", "naivebayes", "--train", "train"), 5,
                           "'train', line 3: 1 field in 'e', where the first row has 2; correct it, or have such rows dropped")
        _, err = self.run_bayes("--train", "train", "--bad-rows", "drop")
        self.assertIn("1 line left out in training: no rows", err)
        self.write("test", b"a,b\nx,?\ny,z\n")
        self.write("train", good)
        confusion, err = self.run_bayes("--train", "train", "--test", "test")
        self.assertEqual([tuple(row.values()) for row in confusion], [("b", "b", "1"), ("?", "b", "1"), ("", "b", "1")])
        for part in ("accuracy: 50 %, 1 of 2 rows", "1 row to classify has no label", "1 row has a label that",
                     "2 values were never seen"):
            self.assertIn(part, err)
        for content, message in ((b"", "has no rows"), (b"a,\nb,?\n", "no row of the table has a label")):
            self.write("empty", content)
            self.assert_failed(self.run_program("run", "naivebayes", "--train", "empty"), 5, message)

    def test_model_files(self):
        self.write("train", b"name,class\na,b\nc,d\n")
        self.run_bayes("--train", "train", "--header", "--label", "class", "--model-out", "model.json")
        model = json.loads((self.folder / "model.json").read_text())
        self.assertEqual(model["attributes"], [{"column": 1, "name": "name", "categories": {"a": [1, 0], "c": [0, 1]}}])
        test = ("--test", self.write("test", b"name,class\na,b\n"))
        self.assertEqual(len(self.run_bayes("--model", "model.json", *test)[0]), 1)
        model["version"] = 2
        self.write("newer.json", json.dumps(model).encode())
        self.assert_failed(self.run_program("run", "naivebayes", "--model", "newer.json", *test), 5, "version 2")
        self.assert_failed(self.run_program("run", "naivebayes", "--model", "none.json", *test), 5, "none.json")
        # A failed run leaves the old file as it was.
        self.write("bad", b"a,b\nc\n")
        self.write("model.json", b"old")
        self.assert_failed(self.run_program("run", "naivebayes", "--train", "bad", "--model-out", "model.json"), 5, "line 2")
        self.assertEqual((self.folder / "model.json").read_bytes(), b"old")

    def test_labels_that_are_spelled_otherwise_are_noted(self):
        self.write("train", b"x,yes\ny,no\n")
        test = self.write("test", b"x,yes.\ny,no.\n")
        _, notes = self.run_bayes("--train", "train", "--test", test)
        self.assertIn("no label is one of the training set's ('no' is one)", notes)
        test = self.write("test", b"x,yes\ny,no.\n")
        _, notes = self.run_bayes("--train", "train", "--test", test)
        self.assertNotIn("no label is one", notes)

    def test_usage(self):
        self.write("t", b"a,b\n")
        for arguments, part in (((), "--train"), (("--train", "t", "--model", "t"), "both given"),
                                (("--model", "t"), "--test"), (("--train", "t", "--label", "5"), "'5'"),
                                (("--train", "t", "--alpha", "0"), "--alpha"),
                                (("--train", "t", "--predictions", "p"), "--test"),
                                (("--model", "t", "--test", "t", "--alpha", "3"), "--alpha says how to learn"),
                                (("--model", "t", "--test", "t", "--label", "1"), "--label says how to learn"),
                                (("--model", "t", "--test", "t", "--header"), "--header says how to learn"),
                                (("--model", "t", "--test", "t", "--missing", "ignore"), "--missing says how to learn"),
                                (("--train", "t", "--model-out", "x", "--output", "x"), "both 'x'; give two files")):
            self.assert_failed(self.run_program("run", "naivebayes", *arguments), 2, part)


if __name__ == "__main__":
    harness.main()
