// A benchmark: what `duomap bench NAME` measures, and the list of all of them. No application knows of it.
// host only
#pragma once

#include "apps/bench/harness/bench_context.hpp"
#include "apps/bench/harness/bench_table.hpp"

#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace duomap::apps {

struct benchmark {
  std::string_view
      name;  ///< one lower-case word, as the user types it; an application's name where it measures one
  std::string_view summary;           ///< one line for `duomap bench`
  std::string_view description = {};  ///< what it measures, for its help; empty: the summary says it all
  /// Adds its options, which fill options_of_this_run().
  std::function<void(CLI::App& command)> add_options;
  /// Compares the answers of whatever it times, and throws when they differ.
  std::function<std::vector<bench_table>(const bench_context& context)> measure;
};

/// What the options of a benchmark set, before it measures.
template <class Options>
[[nodiscard]] Options& options_of_this_run() {
  static Options options;
  return options;
}

/// All benchmarks, sorted by name.
[[nodiscard]] std::span<const benchmark* const> all_benchmarks();

/// The benchmark of that name; nullptr when there is none.
[[nodiscard]] const benchmark* find_benchmark(std::string_view name);

}  // namespace duomap::apps
