"""Tests stored partials that were changed together with their checksums: `duomap merge` refuses
wrong numbers, and opens no file that a partial names."""

import os
import pathlib
import random
import struct
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness
import stored_partial

# A task whose values have a text's place and an index, and whose keys are indices too.
NOTES = b"""#include <duomap.hpp>
#include <core/partial/stored/stored_check.hpp>
#include <core/text_place.hpp>
struct notes {
  struct note { duomap::text_place text; std::uint32_t kind; bool odd; };
  struct shown { duomap::text_place text; std::uint32_t square; bool odd; };
  using format = duomap::lines;
  using key = duomap::dense;
  using reduce = duomap::keep_first<note>;
  static constexpr std::uint32_t squares[] = {0, 1, 4};
  static std::uint64_t key_count() { return 4; }
  DUOMAP_HD void map(const duomap::line& line, auto& emit) const {
    emit(line.text.size % 4, note{duomap::place_of(line), static_cast<std::uint32_t>(line.text.size % 3), line.text.size % 2 != 0});
  }
  shown finish(std::uint64_t, const note& found) const { return {found.text, squares[found.kind], found.odd}; }
  void check_stored(std::uint64_t, const note& found, const duomap::stored_check& check) const {
    check.index("a kind", found.kind, 3);
  }
};
"""
FIRST_TEXT = b"It was the best of times, it was\n"  # 33 bytes
OTHER_TEXT = b"Nothing of this was there when it was mapped\n"  # 45


class ForgedParts(harness.ProgramTest):
    @classmethod
    def setUpClass(cls):
        # All tests share one header, so it is compiled once.
        shared = tempfile.TemporaryDirectory(prefix="duomap-test-")
        cls.addClassCleanup(shared.cleanup)
        cls.cache, cls.notes = shared.name + "/cache", shared.name + "/notes.hpp"
        pathlib.Path(cls.notes).write_bytes(NOTES)

    def setUp(self):
        super().setUp()
        self.write_texts()

    def write_texts(self):
        self.write("a", FIRST_TEXT + b"the worst of times\n")
        self.write("b", b"of wisdom\n\nfoolishness\n")

    def environment(self, **changes):
        return super().environment(**{"XDG_CACHE_HOME": self.cache, **changes})

    def map_parts(self, app, *options):
        for part in ("1", "2"):
            ended = self.run_program("map", app, *options, "--slice", part + "/2", "-o", part + ".part", "a", "b")
            self.assertEqual(ended.status, 0, ended.err)

    def part(self, number=1):
        return stored_partial.Partial((self.folder / f"{number}.part").read_bytes())

    def merge(self, app, *options):
        return self.run_program("merge", app, *options, "1.part", "2.part")

    def refused(self, forged, app, options, *said):
        self.write("1.part", forged.stored())
        self.assert_failed(self.merge(app, *options), 5, "'1.part'", *said)

    def changed(self, place, form, value, partition=0):
        """The first part, with other bytes at one place of a partition."""
        forged = self.part()
        data = bytearray(forged.partitions[partition])
        struct.pack_into(form, data, place, value)
        forged.partitions[partition] = bytes(data)
        return forged

    def test_taken_apart_and_put_together(self):
        for app, *options in (["wordcount"], ["stringmatch", "--pattern", "was"]):
            self.map_parts(app, *options)
            self.assertEqual(self.part().stored(), (self.folder / "1.part").read_bytes())

    def test_matches(self):
        options = ["--pattern", "was", "--pattern", "times"]
        self.map_parts("stringmatch", *options)
        good, whole = self.part(), self.merge("stringmatch", *options)
        self.assertEqual(whole.out.splitlines()[0], b"a\t3\t1\twas")
        entry = 3  # the entry follows the run's three numbers; it has pattern, offset, source, newlines
        for form, place, value, said in (("<I", entry, 2, "a pattern's number is 2, and there are 2"),
                                         ("<I", entry, 2**32 - 2, "a pattern's number is 4294967294"),
                                         ("<I", entry + 12, 2, "a source's number is 2, and there are 2"),
                                         ("<I", entry + 12, 2**32 - 1, "a source's number is 4294967295"),
                                         ("B", 1, 9, "a source's number is 9"),
                                         ("B", 0, good.entries[0] - 1, "partition 0")):
            self.refused(self.changed(place, form, value), "stringmatch", options, said)
            self.write("1.part", good.stored())
        forged = self.part()
        forged.entries[0] += 1
        self.refused(forged, "stringmatch", options, "values, and the header says")

    def test_bytes(self):
        """Changes bytes at random: a merge must end with status 0 or 5."""
        draw = random.Random(harness.seed())
        tried = 0
        for app, *options in (["wordcount"], ["stringmatch", "--pattern", "was", "--pattern", "t"],
                              ["aggregate", "--values", "float32", "--deterministic"], [self.notes]):
            if app == "aggregate":
                for name in ("a", "b"):
                    self.write(name, b"".join(struct.pack("<If", number % 9, number / 3) for number in range(40)))
            self.map_parts(app, *options)
            self.write_texts()
            good = self.part()
            whole = self.merge(app, *options)
            self.assertEqual(whole.status, 0, whole.err)
            filled = [p for p in range(len(good.partitions)) if good.entries[p] > 0]
            for _ in range(20 if harness.QUICK else 150):
                forged = self.part()
                p, of_header = draw.choice(filled), draw.random() < 0.2
                data = bytearray(forged.header if of_header else forged.partitions[p])
                where = draw.randrange(len(data))
                data[where] = draw.choice((0, 1, 127, 128, 254, 255, data[where] ^ 1))
                if of_header:
                    forged.header = bytes(data)
                else:
                    forged.partitions[p] = bytes(data)
                self.write("1.part", forged.stored())
                ended = self.merge(app, *options)
                if ended.status != 0:
                    self.assert_failed(ended, 5, "part")
                self.write("1.part", good.stored())
                tried += 1
        print(tried, "changed bytes")

    def test_numbers_of_a_task(self):
        self.map_parts(self.notes)
        whole = self.merge(self.notes)
        self.assertEqual(whole.out.splitlines()[0], b"0\tIt was the best of times, it was\t4\t0")
        good = self.part()
        self.assertEqual(struct.unpack_from("<4Q", good.partitions[0], 3), (0, 32, 0, 0))
        entry = 11  # the entry follows three numbers and the key; it has size, offset, source, kind, odd
        for form, place, value, said in (("<Q", 3, 4, "a key is 4, and there are 4"),
                                         ("<Q", entry + 8, 2**40, "none of its places"),
                                         ("<Q", entry + 16, 2, "a source's number is 2"),
                                         ("<I", entry + 24, 3, "a kind is 3, and there are 3"),
                                         ("B", entry + 28, 2, "a truth value is 2"),
                                         ("<Q", entry, 31, "none of its places")):
            self.refused(self.changed(place, form, value), self.notes, [], said)
            self.write("1.part", good.stored())

    def test_texts_are_in_the_partials(self):
        self.map_parts(self.notes)
        whole = self.merge(self.notes, "--sort", "key")
        self.assertIn(FIRST_TEXT.strip(), whole.out)
        # The merge does not need the input file, which has changed or is gone.
        for change in (lambda: self.write("a", OTHER_TEXT), lambda: (self.folder / "a").unlink()):
            change()
            self.assertEqual(self.merge(self.notes, "--sort", "key").out, whole.out)
        # A merge in two rounds gives the same output.
        ended = self.run_program("merge", self.notes, "--partial", "-o", "all.part", "1.part", "2.part")
        self.assertEqual(ended.status, 0, ended.err)
        self.assertEqual(self.run_program("merge", self.notes, "--sort", "key", "all.part").out, whole.out)
        # The merge prints a name in a partial, but never opens the file.
        self.write("secret", b"A text that nobody may read")
        os.mkfifo(self.folder / "fifo")
        for name in (b"/dev/zero", b"-", b"fifo", b"secret", b"/dev/stdin"):
            for number in (1, 2):
                forged = self.part(number)
                named = stored_partial.number(1) + b"a"
                self.assertEqual(forged.header.count(named), 1)
                forged.header = forged.header.replace(named, stored_partial.number(len(name)) + name)
                self.write(f"forged.{number}", forged.stored())
            ended = self.run_program("merge", self.notes, "--sort", "key", "forged.1", "forged.2", data=b"typed\n")
            self.assertEqual((ended.status, ended.out), (0, whole.out), ended.err)

    def test_other_versions_and_what_is_no_file(self):
        self.map_parts("wordcount")
        self.write("1.part", self.part().stored(version=1))
        self.assert_failed(self.merge("wordcount"), 5, "'1.part'", "version 1, and version 2 is read here")
        os.unlink(self.folder / "1.part")
        os.mkfifo(self.folder / "1.part")
        self.assert_failed(self.merge("wordcount"), 5, "'1.part'", "no regular file")


if __name__ == "__main__":
    harness.main()
