#include "apps/bench/dense/dense_gpu_bench.hpp"
#include "apps/bench/suites/benchmarks.hpp"
#include "apps/cli/options.hpp"

#include <vector>

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
  duomap bench dense --pairs 16777216
)";

void add_options(CLI::App& command) {
  dense_bench_sizes& sizes = options_of_this_run<dense_bench_sizes>();
  add_number(command, "--pairs", sizes.pairs, "pairs to sum", {{.least = 1, .most = std::uint64_t{1} << 32}});
  add_number(command, "--points", sizes.points, "points of k-means, at least 10,000",
             {{.least = 10'000, .most = std::uint64_t{1} << 32}});
  add_number(command, "--rounds", sizes.rounds, "timed runs of each", {{.least = 1, .most = 1000}});
}

std::vector<bench_table> bench(const bench_context& context) {
  dense_bench_sizes sizes = options_of_this_run<dense_bench_sizes>();
  sizes.pairs = context.size(sizes.pairs);
  sizes.points = context.size(sizes.points);
  sizes.rounds = context.rounds(sizes.rounds);
  return bench_dense_on_gpu(sizes, context.control);
}

}  // namespace

const benchmark dense_benchmark{
    .name = "dense",
    .summary = "sums by dense key and the k-means step on a GPU",
    .description = description,
    .add_options = add_options,
    .measure = bench,
};

}  // namespace duomap::apps
