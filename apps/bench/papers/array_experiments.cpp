#include "apps/bench/papers/array_experiments.hpp"

#include "apps/bench/scheduling/set_cost.hpp"
#include "cpu/cores.hpp"
#include "duomap.hpp"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_arena.h>

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

  // So small that no sum of a row is too large for 32 bits, as the task adds a row in these.
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
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena arena(static_cast<int>(threads));
  return arena.execute([&] {
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
  const unsigned cores = cpu::usable_cores().cores;
  experiment all{.work_unit = "numbers", .work = static_cast<double>(of->values.size())};
  add_compared_baseline(all, of, "sequential", 1, [](const array_problem& array) {
    return std::accumulate(array.values.begin(), array.values.end(), std::uint64_t{0});
  });
  add_compared_baseline(all, of, "plain oneTBB", cores,
                        [cores](const array_problem& array) { return sum_with_tbb(array.values, cores); });
  add_duomap(
      all, [of](const job_options& how) { return run(set_cost{}, view_input(of->bytes()), how); },
      [of](const auto& sum) { return sum[0] == *of->expected; });
  add_resident(all, set_cost{}, of->bytes(), [of](const auto& sum) { return sum[0] == *of->expected; });
  return all;
}

}  // namespace duomap::apps
