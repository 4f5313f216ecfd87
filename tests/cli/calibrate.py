"""Tests `duomap calibrate` of the machine and of an application, and how a run uses both."""

import glob
import json
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness


HAS_GPU = bool(glob.glob("/dev/nvidia[0-9]*"))
WORDS = b"the quick brown fox jumps over the lazy dog and 'tis 100 times so\n"


class Calibrate(harness.ProgramTest):
    def calibrate(self, *arguments):
        ended = self.run_program("calibrate", *arguments, "--profile", self.folder / "cache")
        self.assertEqual(ended.status, 0, ended.err)
        return ended.out.decode()

    def text(self):
        return self.write("text.txt", WORDS * (33 * 2**20 // len(WORDS) + 1))

    def stored(self):
        return sorted(path.name for path in (self.folder / "cache").glob("profile-v1/*"))

    def test_machine(self):
        text = self.calibrate()
        self.assertIn("| copying memory |", text)
        self.assertIn("| reading memory |", text)
        self.assertIn("stored in ", text)
        self.assertEqual(self.stored(), ["machine.profile"])

    @harness.unittest.skipIf(HAS_GPU, "this machine has a GPU")
    def test_machine_without_a_gpu_says_why(self):
        self.assertIn("no GPU: ", self.calibrate())

    def test_machine_for_programs(self):
        found = json.loads(self.calibrate("--json", "--threads", "1"))
        host = found["parts"][0]
        self.assertEqual(host["name"], "host")
        terms = [(figure["term"], figure["threads"]) for figure in host["figures"]]
        self.assertEqual(sorted(terms), [("copy", 1), ("read", 1)])
        self.assertTrue(all(figure["bytes_per_second"] > 0 for figure in host["figures"]))
        self.assertTrue(pathlib.Path(found["stored_in"]).is_file())

    def test_machine_is_measured_again(self):
        self.calibrate("--threads", "1")
        path = self.folder / "cache/profile-v1/machine.profile"
        first = path.read_bytes()
        path.write_bytes(first[:-10])  # the stored text is cut, so it is corrupt
        self.calibrate("--threads", "1")
        self.assertTrue(path.read_bytes().startswith(b"duomap machine 1\n"))
        self.assertIn(b"\npart 'host ", path.read_bytes())

    def test_off(self):
        ended = self.run_program("calibrate", "--threads", 1, "--profile", "off")
        self.assertEqual(ended.status, 0, ended.err)
        self.assertIn(b"not stored: profiles are off", ended.out)
        self.assertEqual(self.names(), [])

    def test_application(self):
        text = self.calibrate("wordcount", self.text())
        self.assertIn("| cpu |", text)
        self.assertIn("| predicted |", text)
        self.assertIn("profile of the task stored", text)
        # One profile of the task; a GPU run may add one of the machine.
        self.assertEqual(len([name for name in self.stored() if name != "machine.profile"]), 1)

    def test_application_for_programs(self):
        path = self.text()
        found = json.loads(self.calibrate("wordcount", "--lower", "--json", path))
        self.assertEqual(found["task"], "wordcount")
        self.assertEqual(found["input_units"], path.stat().st_size)
        self.assertGreater(found["models"][0]["reached_seconds"], 0)
        if len(found["models"]) == 1:
            self.assertTrue(any("no GPU" in note for note in found["notes"]), found["notes"])
        else:
            self.assertEqual(len(found["models"]), 3)
            self.assertAlmostEqual(sum(found["reached_shares"]), 1)

    def test_what_was_run_as_a_whole_is_said_so(self):
        pairs = self.write("pairs.bin", bytes(33 * 2**20 + 5))  # the last 5 bytes are not a pair
        self.assertNotIn("not run", self.calibrate("aggregate", "--threads", "1", pairs))
        # As float32, the table takes half of the file's size.
        rows = 33 * 2**20 // 16
        header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (%d, 2), }" % rows
        header = header.ljust(117) + b"\n"
        table = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + struct.pack("<4d", 1, 2, 3, 5) * (rows // 2)
        text = self.calibrate("pca", "--threads", "1", self.write("table.npy", table))
        self.assertNotIn("not run", text)
        self.assertIn("17.3 MB of 17.3 MB", text)

    @harness.unittest.skipIf(HAS_GPU, "with a GPU, another device is chosen for a small input")
    def test_a_run_knows_what_was_calibrated(self):
        path = self.text()
        self.calibrate("wordcount", path)
        names = self.stored()
        self.count("--profile", self.folder / "cache", "--device", "cpu", path)
        self.assertEqual(self.stored(), names)  # the run learned nothing new

    def test_too_small(self):
        self.write("small.txt", WORDS)
        ended = self.run_program("calibrate", "wordcount", "small.txt")
        # Bytes of unmapped files do not count. A torture build maps small files too.
        self.assert_failed(ended, 2, "32 MiB", " bytes")

    def test_usage(self):
        self.assert_failed(self.run_program("calibrate", "wordcount"), 2, "PATH")
        self.assert_failed(self.run_program("calibrate", "nothing"), 2, "nothing", "wordcount")
        self.assert_failed(self.run_program("calibrate", "--threads", "0"), 2, "--threads")
        self.assert_failed(self.run_program("calibrate", "wordcount", "missing.txt"), 5, "missing.txt")


if __name__ == "__main__":
    harness.main()
