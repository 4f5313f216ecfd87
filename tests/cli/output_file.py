"""Tests --output: the file has the complete result or its old content; no other file is left."""

import os
import pathlib
import resource
import stat
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness


FIRST = harness.numbered_word(0)
SECOND = harness.numbered_word(1)


class OutputFile(harness.ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("t.txt", harness.MANY_WORDS)

    def test_the_same_as_standard_output(self):
        for format in ("tsv", "csv", "jsonl"):
            out = self.count("--sort", "key", "--format", format, "t.txt").out
            ended = self.count("--sort", "key", "--format", format, "--output", "result", "t.txt")
            self.assertEqual(ended.out, b"")
            self.assertEqual((self.folder / "result").read_bytes(), out)
            self.assertEqual(self.names(), ["result", "t.txt"])

    def test_an_input_may_be_replaced(self):
        self.write("t.txt", b"b a b")
        self.count("--sort", "key", "--output", "t.txt", "t.txt")
        self.assertEqual((self.folder / "t.txt").read_bytes(), b"a\t1\nb\t2\n")

    def test_nothing_else_replaces_an_input(self):
        table, rows = b"1,2\n3,4\n5,7\n", b"1 1:1\n-1 1:2\n"
        self.write("table.csv", table)
        self.write("rows.svm", rows)
        os.link(self.folder / "rows.svm", self.folder / "other.svm")
        for command, of in ((("kmeans", "--k", "1", "--assignments", "table.csv", "table.csv"), "--assignments is 'table.csv'"),
                            (("wordcount", "--summary", "table.csv", "table.csv"), "--summary is 'table.csv'"),
                            (("knn", "--k", "1", "--train", "rows.svm", "--test", "table.csv", "--trace", "table.csv"),
                             "--trace is 'table.csv'"),
                            (("svmtrain", "rows.svm", "rows.svm"), "MODEL is 'rows.svm'"),
                            (("svmtrain", "rows.svm", "other.svm"), "MODEL is 'other.svm'"),
                            (("svmclassify", "table.csv", "rows.svm", "rows.svm"), "OUTPUT is 'rows.svm'")):
            with self.subTest(command=command):
                self.assert_failed(self.run_program("run", *command), 2, of, "would take its place")
        self.assertEqual((self.folder / "table.csv").read_bytes(), table)
        self.assertEqual((self.folder / "rows.svm").read_bytes(), rows)

    def test_one_result_on_standard_output(self):
        self.write("table.csv", b"1,2\n3,4\n5,7\n")
        self.assert_failed(self.run_program("run", "kmeans", "--k", "1", "--assignments", "-", "table.csv"), 2,
                           "the result and --assignments are both on standard output")
        self.assert_failed(self.run_program("run", "pca", "--axes", "-", "--mean", "-", "--output", "x", "table.csv"), 2,
                           "--axes and --mean are both on standard output")
        ended = self.run_program("run", "kmeans", "--k", "1", "--assignments", "-", "--output", "centres", "table.csv")
        self.assertEqual(ended.out, b"0\n0\n0\n")
        self.assertEqual((self.folder / "centres").read_bytes().count(b"\n"), 1)

    def test_permissions_and_links_are_kept(self):
        self.write("real", b"old").chmod(0o640)
        (self.folder / "link").symlink_to("real")
        self.count("--output", "link", "--top", "1", "t.txt")
        self.assertEqual((self.folder / "real").read_bytes(), FIRST + b"\t1\n")
        self.assertTrue((self.folder / "link").is_symlink())
        self.assertEqual(stat.S_IMODE((self.folder / "real").stat().st_mode), 0o640)

    def test_bad_targets_are_refused_before_the_work(self):
        # The FIFO has no writer, so a program that opened it would wait for ever.
        os.mkfifo(self.folder / "fifo")
        for target, reason in ((".", "directory"), ("missing/result", "directory does not exist"),
                               ("t.txt/result", "Not a directory")):
            with self.subTest(target=target):
                ended = self.word_count("--output", target, "fifo")
                self.assert_failed(ended, 1, target, reason)
        if os.geteuid() != 0:
            self.write("locked", b"old").chmod(0o444)
            self.assert_failed(self.word_count("--output", "locked", "fifo"), 1, "Permission")

    def test_a_failed_write_leaves_the_old_file(self):
        self.write("result", b"old")

        def limit_file_size():
            harness.default_signals()
            resource.setrlimit(resource.RLIMIT_FSIZE, (500000, 500000))

        ended = self.word_count("--output", "result", "t.txt", preexec_fn=limit_file_size)
        self.assert_failed(ended, 1, "'result'", "File too large", "nothing of the result was kept")
        self.assertEqual((self.folder / "result").read_bytes(), b"old")
        self.assertEqual(self.names(), ["result", "t.txt"])

    def test_a_fifo_is_written_directly(self):
        os.mkfifo(self.folder / "pipe")
        received = []
        reader = threading.Thread(target=lambda: received.append((self.folder / "pipe").read_bytes()))
        reader.start()
        self.count("--top", "2", "--output", "pipe", "t.txt")
        reader.join()
        self.assertEqual(received, [FIRST + b"\t1\n" + SECOND + b"\t1\n"])

    def test_special_names_of_standard_output(self):
        for name in ("-", "/dev/stdout"):
            self.assertEqual(self.count("--top", "1", "--output", name, "t.txt").out, FIRST + b"\t1\n")


if __name__ == "__main__":
    harness.main()
