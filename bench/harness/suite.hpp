// Declares a suite, which is a named list of measurements that `duomap bench SUITE` runs together.
// host only
#pragma once

#include "bench/harness/bench_context.hpp"
#include "bench/harness/bench_table.hpp"

#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace duomap::apps {

/// One measurement of a suite, in a process of its own. The process starts without threads and without CUDA,
/// so that it may fork (forked_variant.hpp), and finds nothing that another measurement left.
struct suite_measurement {
  std::string_view name;  ///< for progress and error messages: "mars-table-4"
  /// Runs the measurement and compares the answers of all timed programs. Throws when they differ. A program
  /// or GPU that this machine lacks becomes a row with `not_measured`.
  std::function<std::vector<bench_table>(const bench_context& context)> measure;
};

struct suite {
  std::string_view name;     ///< one lower-case word that is no benchmark's name
  std::string_view summary;  ///< one line for `duomap bench`
  std::vector<suite_measurement> measurements;
};

/// All suites, in the order of the list that `duomap bench` shows.
[[nodiscard]] std::span<const suite* const> all_suites();

}  // namespace duomap::apps
