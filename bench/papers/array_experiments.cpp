// Makes the experiment that sums an array.
#include "bench/baselines/on_tbb_threads.hpp"
#include "bench/papers/experiments.hpp"
#include "bench/scheduling/set_cost.hpp"
#include "duomap.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <functional>
#include <numeric>
#include <optional>
#include <random>
#include <vector>

namespace duomap::apps {
namespace {

constexpr std::uint64_t seed = 1;
constexpr std::uint64_t elements_of_row = 16;

struct array_problem {
  std::vector<std::uint32_t> values;
  std::optional<std::uint64_t> expected = {};

  // Values are below 2^24, because the task adds up a row of 16 values in 32 bits.
  explicit array_problem(std::uint64_t elements) : values(elements / elements_of_row * elements_of_row) {
    std::mt19937_64 random(seed);
    for (std::uint32_t& one : values) one = static_cast<std::uint32_t>(random() >> 40);
  }

  [[nodiscard]] byte_view bytes() const {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(std::uint32_t)};
  }
};

std::uint64_t sum_with_tbb(const std::vector<std::uint32_t>& values, unsigned threads) {
  using range = tbb::blocked_range<std::size_t>;
  return on_tbb_threads(threads, [&] {
    return tbb::parallel_reduce(
        range(0, values.size(), 1 << 16), std::uint64_t{0},
        [&](const range& part, std::uint64_t sum) {
          for (std::size_t i = part.begin(); i < part.end(); ++i) sum += values[i];
          return sum;
        },
        std::plus<>());
  });
}

}  // namespace

experiment sum_experiment(std::uint64_t elements) {
  const auto of = std::make_shared<array_problem>(elements);
  experiment all{.work_unit = "numbers", .work = static_cast<double>(of->values.size())};
  add_baseline(all, of, [](const array_problem& array, unsigned /*threads*/) {
    return std::accumulate(array.values.begin(), array.values.end(), std::uint64_t{0});
  });
  add_baseline(all, of, [](const array_problem& array, unsigned threads) {
    return sum_with_tbb(array.values, threads);
  });
  const auto same = [](const auto& sum, std::uint64_t expected) {
    return sum[0] == expected;
  };
  add_duomap(
      all, of,
      [](const array_problem& array, const run_options& how) {
        return run(set_cost{}, view_input(array.bytes()), how);
      },
      same);
  add_resident(all, of, set_cost{}, of->bytes(), same);
  return all;
}

}  // namespace duomap::apps
