// Reads the command line of `duomap bench` and starts its measurements.
#include "bench/bench_program.hpp"

#include "apps/cli/command_line.hpp"
#include "bench/harness/bench_command.hpp"
#include "bench/harness/benchmark.hpp"
#include "core/error.hpp"

#include <CLI/CLI.hpp>

#include <memory>
#include <string>
#include <vector>

namespace duomap::apps {

namespace {

// Static, because signal handlers use this object until the process ends.
run_control program_control;

/// The measurements and options that the command line asks for.
struct bench_choice {
  std::vector<suite_measurement> measurements;
  bench_request request;
};

void add_suite(CLI::App& command, const suite& one, bench_choice& choice) {
  CLI::App* const child = command.add_subcommand(std::string(one.name), std::string(one.summary));
  child->group("Suites");
  child->footer("");
  add_bench_request(*child, choice.request);
  refuse_flag_values(*child);
  child->callback([&choice, &one] {
    choice.measurements.insert(choice.measurements.end(), one.measurements.begin(), one.measurements.end());
  });
}

void add_benchmark(CLI::App& command, const benchmark& one, bench_choice& choice) {
  CLI::App* const child = command.add_subcommand(std::string(one.name), std::string(one.summary));
  child->group("Benchmarks");
  child->footer(std::string(one.description));
  one.add_options(*child);
  add_bench_request(*child, choice.request);
  refuse_flag_values(*child);
  child->callback([&choice, &one] { choice.measurements.push_back({one.name, one.measure}); });
}

int execute(int argc, const char* const* argv) {
  bench_choice choice;
  action chosen;

  CLI::App root;
  set_up_root(root);
  CLI::App& command = *root.add_subcommand("bench", "measure applications, or suites of measurements");
  command.formatter(std::make_shared<CLI::Formatter>());
  command.get_formatter()->label("SUBCOMMAND", "NAME");
  command.require_subcommand(0, 0);  // any number
  command.footer(
      "Without a name: lists them. Options of one: duomap bench NAME --help. A file that is called like\n"
      "one of them: ./NAME");
  for (const benchmark* one : all_benchmarks()) add_benchmark(command, *one, choice);
  for (const suite* one : all_suites()) add_suite(command, *one, choice);
  add_bench_request(command, choice.request);
  add_saved_run_options(command, choice.request);
  refuse_flag_values(command);
  const std::string as_typed = typed(argc, argv);
  command.callback([&choice, &chosen, &as_typed] {
    chosen = [&choice, &as_typed] {
      if (choice.measurements.empty() && choice.request == bench_request{}) {
        print(bench_list_text());
      } else {
        bench_command(choice.measurements, choice.request, as_typed, program_control);
      }
      return static_cast<int>(exit_status::ok);
    };
  });
  return parse_and_do(root, {}, argc, argv, chosen);
}

}  // namespace

int run_bench_program(int argc, const char* const* argv) noexcept {
  return run_guarded(program_control, [argc, argv] { return execute(argc, argv); });
}

}  // namespace duomap::apps
