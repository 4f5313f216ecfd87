#include "apps/cli/keyed_rows.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/part_of_run.hpp"
#include "apps/cli/verify_laws.hpp"
#include "apps/commands/registry.hpp"
#include "apps/tasks/aggregate/aggregate.hpp"
#include "core/deterministic.hpp"
#include "core/verify/verify.hpp"
#include "duomap.hpp"

#include <cstdint>
#include <string>

namespace duomap::apps {
namespace {

constexpr std::string_view description =
    R"(Sums values by key: SELECT key, sum(value) ... GROUP BY key.

  record   a pair of 8 bytes: a 32-bit unsigned key and a value, a 32-bit
           signed integer or with --values float32 a float, both
           little-endian, one pair after the other without a header; bytes
           after the last whole pair are ignored
  map      key -> value
  key      the 32-bit number
  reduce   sum of 64-bit integers; associative, commutative, identity 0;
           with --values float32 sum of doubles, which depends on threads
           and devices in its last bits
           with --deterministic too, the same bits always: wrong by at most
           half a unit in the last place of the sum and, for n values, n / 2^30
           units in the last place (of a double) of the largest value
  output   key, sum

Examples
  duomap run aggregate --sort key pairs.bin
  duomap run aggregate --values float32 --deterministic pairs.bin
  duomap run aggregate --top 10 --format csv -o sums.csv pairs/
)";

// The program runs one command, so the options of one run are all there are.
std::string& values_of_this_run() {
  static std::string values = "int32";
  return values;
}

void add_options(CLI::App& command) {
  add_choice(command, "--values", values_of_this_run(), "what the values are; float32 are summed as doubles",
             {"int32", "float32"});
}

template <class Task>
run_report sum_pairs(const Task& task, run_context& context) {
  const run_options& options = context.options;
  const input pairs = input_of(options, input_content::records);
  if (options.verify) report_laws(verify(task, pairs), options.quiet);

  run_report report;
  const auto pool = cpu::machine_pool(options.threads.value_or(0), pairs);
  std::string parameters = "--values " + values_of_this_run();
  // It changes nothing of integers, whose parts may be mapped with and without it.
  if (options.deterministic && values_of_this_run() == "float32") parameters += " --deterministic";
  const auto found = run_as_asked(task, pairs, *pool, context, report, {"aggregate", parameters});
  report.task = "aggregate";
  if (found.result) write_rows(*found.result, {"key", "sum"}, options, context.sink, *pool);
  return report;
}

run_report run_aggregate(run_context& context) {
  if (values_of_this_run() == "int32") {
    run_report report = sum_pairs(sum_by_key<std::int64_t>{}, context);
    note_exact_task(context.options, report);
    return report;
  }
  if (context.options.deterministic) return sum_pairs(deterministic{float_sum_by_key{}}, context);
  return sum_pairs(float_sum_by_key{}, context);
}

}  // namespace

constinit const app aggregate_app{
    .name = "aggregate",
    .summary = "sums of values by key, over pairs of numbers",
    .description = description,
    .add_options = add_options,
    .has_parts = true,
    .run = run_aggregate,
};

}  // namespace duomap::apps
