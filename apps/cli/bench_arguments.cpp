#include "apps/cli/bench_arguments.hpp"

#include "apps/registry.hpp"
#include "core/error.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <utility>

namespace duomap::apps {

std::vector<bench_table> bench_with_arguments(std::string_view app, std::vector<std::string> arguments,
                                              const bench_context& context) {
  const auto* const application = find_app(app);
  const std::string name(app);
  if (application == nullptr || !application->bench)
    throw usage_error("there is no benchmark of '" + name + "'; see duomap bench");
  CLI::App command("", name);
  if (application->add_bench_options) application->add_bench_options(command);
  try {
    std::ranges::reverse(arguments);  // as CLI11 takes them
    command.parse(std::move(arguments));
  } catch (const CLI::ParseError& problem) {
    throw usage_error("the benchmark of " + name + " does not take what a suite gives it: " + problem.what());
  }
  return application->bench(context);
}

}  // namespace duomap::apps
