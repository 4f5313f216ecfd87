"""Tests that `duomap run HEADER` compiles again if any input of the build has changed, and only
then."""

import os
import pathlib
import shutil
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import cli_harness as harness
import small_toolkit

SAID = "duomap: compiling "


class ChangedBuilds(small_toolkit.SmallToolkitTest):
    def answer(self, compiled, **environment):
        """The task's output; checks whether it was compiled."""
        time.sleep(0.02)  # a file as new as the build counts as changed, because it may have changed during the read
        ended = self.run_program("run", "./task.hpp", "input", env=self.environment(**environment))
        self.assertEqual(ended.status, 0, ended.err)
        self.assertEqual(SAID in ended.err, compiled, ended.err)
        self.assertEqual(self.left_over(), [])
        return ended.out.decode().strip()

    def changed(self, expected, **environment):
        """Checks that the change makes one compilation, and no second one."""
        self.assertEqual(self.answer(True, **environment), expected)
        self.assertEqual(self.answer(False, **environment), expected)

    def test_sources(self):
        self.changed("one")
        self.write("near.hpp", b'#include "far.hpp"\n#define NEAR FAR\n')
        self.write("far.hpp", b'#define FAR "two"\n')
        self.changed("two")
        self.write("far.hpp", b'#define FAR "six"\n')
        self.changed("six")
        # A change with the same size and the same time.
        stamp = (self.folder / "far.hpp").stat()
        self.write("far.hpp", b'#define FAR "ten"\n')
        os.utime(self.folder / "far.hpp", ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
        self.changed("ten")
        self.write("task.hpp", small_toolkit.HEADER.replace(b"return", b"return \"not \""))
        self.changed("not ten")
        self.write("task.hpp", small_toolkit.HEADER)
        self.assertEqual(self.answer(False), "ten")  # the cache has kept both
        os.utime(self.folder / "far.hpp")
        self.assertEqual(self.answer(False), "ten")  # a new time, but the same bytes
        self.write("own/own.hpp", b'constexpr const char* own = "!";\n')
        self.changed("ten!")
        (self.folder / "far.hpp").unlink()
        ended = self.run_program("run", "./task.hpp", "input")
        self.assertEqual(ended.status, 6, ended.err)

    def test_a_header_that_comes_before_another(self):
        for name in ("a", "b"):
            (self.folder / name).mkdir()
        self.write("b/near.hpp", b'#define NEAR "b"\n')
        self.write("b/sub/near.hpp", b'#define NEAR "sub b"\n')
        (self.folder / "near.hpp").unlink()
        self.write_toolkit(f"-I{self.folder}/a", "-I", f"{self.folder}/b")
        self.changed("b")
        self.write("a/near.hpp", b'#define NEAR "a"\n')
        self.changed("a")
        self.write("near.hpp", b'#define NEAR "beside"\n')
        self.changed("beside")
        (self.folder / "near.hpp").unlink()
        self.changed("a")
        self.write("task.hpp", small_toolkit.HEADER.replace(b'"near.hpp"', b"<sub/near.hpp>"))
        self.changed("sub b")
        self.write("a/sub/near.hpp", b'#define NEAR "sub a"\n')
        self.changed("sub a")
        self.write("near.hpp", b'#include <climits>\n#ifndef NEAR\n#define NEAR "system"\n#endif\n')
        self.write("task.hpp", small_toolkit.HEADER)
        self.changed("system")
        self.write("a/climits", b'#define NEAR "ours"\n')
        self.changed("ours")

    def test_variables(self):
        for folder in ("a", "b"):
            self.write(f"{folder}/near.hpp", b'#define NEAR "%s"\n' % folder.encode())
        (self.folder / "near.hpp").unlink()
        for name in ("CPATH", "CPLUS_INCLUDE_PATH"):
            with self.subTest(name):
                self.changed("a", **{name: str(self.folder / "a")})
                self.changed("b", **{name: "b"})
                self.write("b/near.hpp", b'#define NEAR "changed"\n')
                self.changed("changed", **{name: "b"})
                self.write("b/near.hpp", b'#define NEAR "b"\n')
                self.changed("b", **{name: f"b:{self.folder}/a"})
                (self.folder / "b/near.hpp").rename(self.folder / "b/moved")
                self.changed("a", **{name: f"b:{self.folder}/a"})
                (self.folder / "b/moved").rename(self.folder / "b/near.hpp")
                self.changed("b", **{name: f"b:{self.folder}/a"})
        self.write("x/b/near.hpp", b'#define NEAR "elsewhere"\n')
        shutil.copy(self.folder / "task.hpp", self.folder / "x/task.hpp")
        self.changed("b", CPATH="b")
        ended = self.run_program("run", "../task.hpp", env=self.environment(CPATH="b"), cwd=self.folder / "x")
        self.assertEqual(ended.out, b"elsewhere\n", ended.err)

    def test_flags_and_files_that_they_name(self):
        (self.folder / "near.hpp").write_text("#ifndef NEAR\n#define NEAR \"none\"\n#endif\n")
        self.changed("none")
        self.write_toolkit('-DNEAR="flag"')
        self.changed("flag")
        self.write("options", b'-DNEAR=\\"file\\"\n')
        self.write_toolkit(f"@{self.folder}/options")
        self.changed("file")
        self.write("options", b'-DNEAR=\\"new\\"\n')
        self.changed("new")

    def test_the_compiler_and_duomap(self):
        wrapper = self.folder / "wrapper"
        self.write("wrapper", b"#!/bin/sh\nexec %s \"$@\"\n" % self.compiler.encode())
        wrapper.chmod(0o755)
        self.changed("one")
        self.write_toolkit(compiler=wrapper)
        self.changed("one")
        self.write("wrapper", b"#!/bin/sh\nexec %s -DNEAR=\"'x'\" \"$@\"\n#\n" % self.compiler.encode())
        self.write("near.hpp", b'#undef NEAR\n#define NEAR "one"\n')  # the option's value alone does not cause a new build
        self.changed("one")
        stamp = wrapper.stat()
        wrapper.write_bytes(wrapper.read_bytes().replace(b"'x'", b"'y'"))
        os.utime(wrapper, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
        self.changed("one")
        # A program that the compiler finds through $PATH.
        path = f"{self.folder / 'tools'}:{os.environ['PATH']}"
        self.answer(False, PATH=path)
        self.write("tools/as", b"#!/bin/sh\nexec %s \"$@\"\n" % shutil.which("as").encode())
        (self.folder / "tools/as").chmod(0o755)
        self.changed("one", PATH=path)
        with open(self.program, "ab") as program:
            program.write(b"another build")
        self.changed("one")

    def test_the_compiler_behind_the_compiler(self):
        self.write("cc1plus", b"version 1")
        self.write("wrapper", b"#!/bin/sh\ncase $1 in -print-prog-name=*) echo %s/cc1plus; exit;; esac\nexec %s \"$@\"\n"
                   % (str(self.folder).encode(), self.compiler.encode()))
        (self.folder / "wrapper").chmod(0o755)
        self.write_toolkit(compiler=self.folder / "wrapper")
        self.changed("one")
        self.write("cc1plus", b"version 2")
        self.changed("one")

    def test_what_changes_while_it_is_read_is_compiled_again(self):
        self.write("wrapper", b"#!/bin/sh\n%s \"$@\" || exit 1\n[ -e once ] || case \"$*\" in *-MD*) touch once; sleep 0.05; "
                              b"printf '#define NEAR \"late\"\\n' > near.hpp;; esac\n" % self.compiler.encode())
        (self.folder / "wrapper").chmod(0o755)
        self.write_toolkit(compiler=self.folder / "wrapper")
        self.assertEqual(self.answer(True), "one")
        self.changed("late")

    def test_a_compiler_that_says_nothing_of_what_it_read(self):
        self.write("wrapper", b"#!/bin/sh\nfor word in \"$@\"; do case $word in *.d) dependencies=$word;; esac; done\n"
                              b"%s \"$@\" || exit 1\n[ -z \"$dependencies\" ] || rm $dependencies\n" % self.compiler.encode())
        (self.folder / "wrapper").chmod(0o755)
        self.write_toolkit(compiler=self.folder / "wrapper")
        self.assertEqual(self.answer(True), "one")
        self.assertEqual(self.answer(True), "one")

    def test_the_list(self):
        self.changed("one")
        listed = self.run_program("cache").out.decode()
        self.assertRegex(listed, r"1 compiled task, .*\n  [0-9.]+ kB, used [0-9.]+ m?s ago: " + str(self.folder / "task.hpp"))
        self.write("cache/duomap/tasks/other", b"not ours")
        (self.cache / ("new-" + "0" * 16)).mkdir()
        self.assertIn("unfinished", self.run_program("cache").out.decode())
        self.assertIn("removed", self.run_program("cache", "--clear").out.decode())
        self.assertEqual([one.name for one in self.cache.iterdir()], ["other"])


if __name__ == "__main__":
    harness.main()
