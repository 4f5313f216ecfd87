// A suite: a named list of measurements that belong together, as `duomap bench SUITE` runs them.
// host only
#pragma once

#include "apps/bench/harness/bench_context.hpp"
#include "apps/bench/harness/bench_table.hpp"

#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace duomap::apps {

/// One measurement of a suite. It runs in a process of its own, which has started no thread and no CUDA
/// before, so that it may fork (forked_variant.hpp) and meets nothing that another one left.
struct suite_measurement {
  std::string_view name;  ///< for progress and problems: "mars-table-4"
  /// Compares the answers of whatever it times, and throws when they differ. What this machine does not have
  /// (a GPU, a program) is a row with `not_measured`.
  std::function<std::vector<bench_table>(const bench_context& context)> measure;
};

struct suite {
  std::string_view name;     ///< one lower-case word that no benchmark has
  std::string_view summary;  ///< one line for `duomap bench`
  std::vector<suite_measurement> measurements;
};

/// All suites, in the order in which they are listed.
[[nodiscard]] std::span<const suite* const> all_suites();

}  // namespace duomap::apps
