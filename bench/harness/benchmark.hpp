// A benchmark, which `duomap bench NAME` measures, and the list of all benchmarks. No application depends on
// them.
// host only
#pragma once

#include "bench/harness/bench_context.hpp"
#include "bench/harness/bench_table.hpp"

#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace duomap::apps {

struct benchmark {
  std::string_view name;  ///< one lower-case word, as the user types it; the name of the application that it
                          ///< measures, if any
  std::string_view summary;           ///< one line for `duomap bench`
  std::string_view description = {};  ///< text for its help; empty if the summary says it all
  /// Adds the benchmark's options to its command. Parsing the command line fills options_of_this_run().
  std::function<void(CLI::App& command)> add_options;
  /// Runs the measurement and compares the answers of all timed programs. Throws when they differ.
  std::function<std::vector<bench_table>(const bench_context& context)> measure;
};

/// The options of a benchmark, which the command line sets before it measures.
template <class Options>
[[nodiscard]] Options& options_of_this_run() {
  static Options options;
  return options;
}

/// All benchmarks, sorted by name.
[[nodiscard]] std::span<const benchmark* const> all_benchmarks();

/// The benchmark with that name, or nullptr.
[[nodiscard]] const benchmark* find_benchmark(std::string_view name);

}  // namespace duomap::apps
