#include "apps/similarity/similarity_app.hpp"

#include "apps/cli/float_cell.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/table_flags.hpp"
#include "apps/numeric/read_table.hpp"
#include "apps/similarity/similarity.hpp"
#include "apps/similarity/similarity_bench.hpp"
#include "duomap.hpp"

#include <cmath>
#include <limits>
#include <string>

namespace duomap::apps {
namespace {

constexpr std::string_view description =
    R"(Finds which vectors point in nearly the same direction.

  input    one file of numbers, a vector in each row: .npy, CSV, TSV, LIBSVM,
           IDX; rows count from 0
  record   a row
  map      its cosines with the other rows, by products of tiles of rows
           (OpenBLAS or kernels of duomap on the CPU, cuBLAS on GPUs), of
           which those worth keeping are emitted
  reduce   nothing; pairs are collected
  output   first, second, cosine: with --threshold T each pair of at least
           that cosine, first < second; otherwise for each row the 10, or
           --top K, others of the largest cosine, best first, of equal ones
           the smaller number

The cosine of rows x and y is sum x_k y_k / (|x| |y|), in float32: of k
columns wrong by at most about (k + 2) * 2^-24, and between -1 and 1. A row
of zeros has the cosine 0 with every other. NaN and infinity are errors.
With --deterministic all devices give the same bits, and so the same pairs.
Time grows with the square of the number of rows; --limit bounds the memory
of the pairs, 32 bytes each.

Examples
  duomap run similarity --top 3 vectors.npy
  duomap run similarity --threshold 0.9 --format csv -o pairs.csv vectors.csv
  duomap bench similarity --documents 2048,100000
)";

struct similarity_flags {
  table_flags table;
  double threshold = std::numeric_limits<double>::quiet_NaN();
};

// The program runs one command, so the options of one run are all there are.
similarity_flags& flags_of_this_run() {
  static similarity_flags flags;
  return flags;
}

void add_options(CLI::App& command) {
  similarity_flags& flags = flags_of_this_run();
  add_number(command, "--threshold", flags.threshold,
             "keep the pairs of at least this cosine, instead of\nthe best of each row", {{-1, 1}});
  add_table_flags(command, flags.table);
}

run_report run_similarity(run_context& context) {
  const run_options& options = context.options;
  const similarity_flags& flags = flags_of_this_run();
  const bool has_threshold = !std::isnan(flags.threshold);
  if (options.paths.size() != 1)
    throw usage_error("give one file of vectors; there are " + std::to_string(options.paths.size()));
  if (has_threshold && options.top) throw usage_error("give --threshold or --top, not both");
  if (options.verify) throw usage_error("nothing is reduced whose laws could be checked; leave out --verify");
  table_options reading = table_options_of(flags.table);
  reading.threads = options.threads.value_or(0);
  reading.control = &context.control;
  const auto vectors = read_table<float>(options.paths[0], reading);

  run_report report;
  similarity_options how;
  if (has_threshold) how.threshold = flags.threshold;
  how.best = options.top.value_or(how.best);
  how.kind = options.deterministic ? product_kind::ordered : product_kind::plain;
  how.job = job_options_for(options, context.control, report);
  how.name = options.paths[0];
  const auto pairs = similarity(vectors.values.view(), how);
  report.task = "similarity";
  report.results = pairs.size();
  if (!vectors.dropped.first.empty())
    report.notes.push_back(std::to_string(vectors.dropped.count) +
                           " rows were left out and have no number, the first: " + vectors.dropped.first);

  table_writer table(context.sink, options.format, {"first", "second", "cosine"});
  for (const similar_pair& one : pairs)
    table.row({std::uint64_t{one.first}, std::uint64_t{one.second}, number_cell(one.cosine)});
  return report;
}

}  // namespace

const app& similarity_app() {
  static const app similarity{
      .name = "similarity",
      .summary = "which vectors point in nearly the same direction",
      .description = description,
      .add_options = add_options,
      .run = run_similarity,
      .add_bench_options = add_similarity_bench_options,
      .bench = bench_similarity,
  };
  return similarity;
}

}  // namespace duomap::apps
