// Parses the arguments of one benchmark and measures it.
#include "bench/harness/bench_arguments.hpp"

#include "bench/harness/benchmark.hpp"
#include "core/error.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <utility>

namespace duomap::apps {

std::vector<bench_table> bench_with_arguments(std::string_view benchmark_name,
                                              std::vector<std::string> arguments,
                                              const bench_context& context) {
  const benchmark* const found = find_benchmark(benchmark_name);
  const std::string name(benchmark_name);
  if (found == nullptr) throw usage_error("there is no benchmark of '" + name + "'; see duomap bench");
  CLI::App command("", name);
  found->add_options(command);
  try {
    std::ranges::reverse(arguments);  // CLI11 takes arguments in reverse order
    command.parse(std::move(arguments));
  } catch (const CLI::ParseError& problem) {
    throw usage_error("the benchmark of " + name + " does not take what a suite gives it: " + problem.what());
  }
  return found->measure(context);
}

}  // namespace duomap::apps
