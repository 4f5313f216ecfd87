#include "apps/aggregate/aggregate_app.hpp"

#include "apps/aggregate/aggregate.hpp"
#include "apps/aggregate/aggregate_bench.hpp"
#include "apps/cli/keyed_rows.hpp"
#include "apps/cli/verify_laws.hpp"
#include "core/verify/verify.hpp"
#include "duomap.hpp"

namespace duomap::apps {
namespace {

constexpr std::string_view description =
    R"(Sums values by key: SELECT key, sum(value) ... GROUP BY key.

  record   a pair of 8 bytes: a 32-bit unsigned key and a 32-bit signed
           value, both little-endian, one pair after the other without a
           header; bytes after the last whole pair are ignored
  map      key -> value
  key      the 32-bit number
  reduce   sum of 64-bit integers; associative, commutative, identity 0
  output   key, sum

Examples
  duomap run aggregate --sort key pairs.bin
  duomap run aggregate --top 10 --format csv -o sums.csv pairs/
  duomap bench aggregate --distinct 1000 1000000
)";

run_report run_aggregate(run_context& context) {
  const run_options& options = context.options;
  const sum_by_key<std::int64_t> task;
  const input pairs = open_input(options);
  if (options.verify) report_laws(verify(task, pairs));

  run_report report;
  const auto pool = cpu::machine_pool(options.threads.value_or(0), pairs);
  const auto sums = run(task, pairs, *pool, job_options_for(options, context.control, report));
  report.task = "aggregate";
  write_rows(sums, {"key", "sum"}, options, context.sink, *pool);
  return report;
}

}  // namespace

const app& aggregate_app() {
  static const app aggregate{
      .name = "aggregate",
      .summary = "sums of values by key, over pairs of numbers",
      .description = description,
      .add_options = {},
      .run = run_aggregate,
      .add_bench_options = add_aggregate_bench_options,
      .bench = bench_aggregate,
  };
  return aggregate;
}

}  // namespace duomap::apps
