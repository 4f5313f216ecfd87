// Tests that programs are timed, and stopped when they take too long.
#include "bench/harness/piped_program.hpp"

#include "tests/catch.hpp"

#include <string>

namespace duomap::test::bench_harness_piped_program_test {

TEST_CASE("a program's rows are counted until it closes its output") {
  const apps::piped_run run = apps::run_piped("/bin/sh", {"sh", "-c", "echo a; echo b; exit 3"});
  CHECK(run.rows == 2);
  CHECK(run.status == 3);
  CHECK_FALSE(run.stopped);
}

TEST_CASE("a program that takes longer than it may is stopped") {
  // The program writes, and would then go on for ever.
  const apps::piped_run run = apps::run_piped("/bin/sh", {"sh", "-c", "echo a; exec sleep 1000000"}, 0.5);
  CHECK(run.stopped);
  CHECK(run.rows <= 1);
  CHECK(apps::run_piped("/bin/sh", {"sh", "-c", "while :; do echo a; done"}, 0.2).stopped);
}

}  // namespace duomap::test::bench_harness_piped_program_test
