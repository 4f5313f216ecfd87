// Makes synthetic benchmark runs for tests.
#pragma once

#include "bench/harness/bench_run.hpp"

#include <string>
#include <vector>

namespace duomap::test {

inline apps::bench_row synthetic_row(const std::string& program, std::vector<double> seconds,
                                     unsigned threads = 1) {
  return {.workload = "a text", .program = program, .threads = threads, .seconds = std::move(seconds)};
}

inline apps::bench_run synthetic_run(std::vector<apps::bench_row> rows) {
  apps::bench_run run;
  run.date = "2026-11-21T23:45:00Z";
  run.command = "duomap bench wordcount 'a text'";
  run.machine = {"A processor", 4, "avx2", 16'000'000'000, {"A GPU, 8.00 GB"}, "13.0", "Linux 6.1 x86_64"};
  run.build = {"0.1.0", "1234abc", "00ff", "g++ 12.2, Release"};
  run.tables = {
      {.name = "wordcount", .title = "Word count", .baseline = "the loop", .rows = std::move(rows)}};
  return run;
}

}  // namespace duomap::test
