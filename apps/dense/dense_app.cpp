#include "apps/dense/dense_app.hpp"

#include "apps/cli/options.hpp"
#include "apps/dense/dense_gpu_bench.hpp"
#include "core/output/result_file.hpp"

#include <string>

namespace duomap::apps {
namespace {

constexpr std::string_view description =
    R"(Measures tasks whose keys are known beforehand, on the first GPU, with
the data in its memory.

  sums     pairs of a 32-bit key and a 32-bit value, summed by key in 32 and
           in 64 bits, for 1 to 1,000,000 keys: keys drawn uniformly, by
           Zipf's law with exponent 1, and all the same
  k-means  the step of the algorithm: points of 3 floats, their sum and
           number for each nearest of 5, 20 and 100 centres; also as a whole
           iteration, and for 10,000 points, where only overhead is left

Every figure is a median, stands beside the time that reading the same
bytes takes in the same run, and every answer is compared with the CPU's.

Examples
  duomap bench dense
  duomap bench dense --pairs 16777216 --table table.md
)";

struct bench_options {
  dense_bench_sizes sizes;
  std::string table = "-";
};

bench_options& options_of_this_run() {
  static bench_options options;
  return options;
}

void add_options(CLI::App& command) {
  bench_options& options = options_of_this_run();
  add_number(command, "--pairs", options.sizes.pairs, "pairs to sum",
             {{.least = 1, .most = std::uint64_t{1} << 32}});
  add_number(command, "--points", options.sizes.points, "points of k-means, at least 10,000",
             {{.least = 10'000, .most = std::uint64_t{1} << 32}});
  add_number(command, "--rounds", options.sizes.rounds, "timed runs of each", {{.least = 1, .most = 1000}});
  add_text(command, "--table", options.table, "save the tables here (- is standard output)");
}

void bench(run_control& control) {
  const bench_options& options = options_of_this_run();
  const std::string tables = bench_dense_on_gpu(options.sizes, control);
  result_file file(options.table);
  file.sink().write(byte_view(tables));
  file.commit();
}

}  // namespace

const app& dense_app() {
  static const app dense{
      .name = "dense",
      .summary = "sums by dense key and the k-means step on a GPU (benchmark only)",
      .description = description,
      .add_options = {},
      .run = {},
      .add_bench_options = add_options,
      .bench = bench,
  };
  return dense;
}

}  // namespace duomap::apps
