#include "apps/bench/dense/dense_gpu_bench.hpp"

#include "apps/algorithms/kmeans/kmeans_step.hpp"
#include "apps/bench/dense/memory_floor.hpp"
#include "apps/bench/dense/sum_by_key.hpp"
#include "apps/bench/harness/comparison.hpp"
#include "apps/cli/quantity.hpp"
#include "core/chunk.hpp"
#include "core/error.hpp"
#include "core/resident_loop.hpp"
#include "core/result/dense.hpp"
#include "cpu/arena.hpp"
#include "cpu/cores.hpp"
#include "gpu/device/device.hpp"
#include "gpu/make_resident.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <mutex>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace duomap::apps {

#if DUOMAP_HAS_CUDA

namespace {

/// Work for the CPU's cores in pieces of this many pairs or points.
constexpr std::uint64_t piece = std::uint64_t{1} << 20;

struct machine {
  cpu::worker_pool pool{cpu::usable_cores().cores};
  const run_control& control;

  /// Calls use(begin, end, random) for pieces of 0 .. count - 1; each has random numbers of its own.
  template <class Use>
  void for_each_piece(std::uint64_t count, const Use& use) {
    pool.for_each_index((count + piece - 1) / piece, [&](std::uint64_t i) {
      std::mt19937_64 random(i);
      use(i * piece, std::min(count, (i + 1) * piece), random);
    });
  }
};

bench_row row_of(const std::string& workload, const std::string& program, double bytes,
                 std::vector<double> seconds) {
  return {.workload = workload,
          .program = program,
          .device = "gpu",
          .threads = cpu::usable_cores().cores,
          .seconds = std::move(seconds),
          .work = {bytes, "B"},
          .checked = true};
}

bench_row reading_row(const std::string& workload, std::uint64_t bytes, int device, unsigned rounds) {
  bench_row row = row_of(workload, "reading the GPU's memory", static_cast<double>(bytes),
                         time_reading(device, bytes, rounds));
  row.checked = false;
  return row;
}

/// Seconds of `rounds` steps after two that warm up; check(partial) is called for each.
template <class Task, class Check>
std::vector<double> time_steps(resident_loop<Task>& loop, const Task& task, unsigned rounds,
                               const Check& check, const run_control& control) {
  const auto step = [&] {
    timed_run one;
    check(loop.step(task, &one.seconds));
    return one;
  };
  return comparison(control).alone({.name = "duomap, step", .run = step, .warm_up = 2}, rounds).seconds();
}

// Sums by key.

struct pair_of_words {
  std::uint32_t key;
  std::int32_t value;
};

/// Draws ranks: rank r is as likely as 1 / (r + 1).
class zipf_ranks {
 public:
  explicit zipf_ranks(std::uint64_t ranks) {
    double total = 0;
    for (std::uint64_t rank = 0; rank < ranks; ++rank)
      up_to_.push_back(total += 1.0 / static_cast<double>(rank + 1));
  }
  [[nodiscard]] std::uint32_t operator()(std::mt19937_64& random) const {
    const double at = std::uniform_real_distribution<double>(0, up_to_.back())(random);
    const auto found = std::lower_bound(up_to_.begin(), up_to_.end(), at);
    return static_cast<std::uint32_t>(
        std::min<std::ptrdiff_t>(found - up_to_.begin(), static_cast<std::ptrdiff_t>(up_to_.size()) - 1));
  }

 private:
  std::vector<double> up_to_;
};

enum class distribution { uniform, zipf, one_key };

void fill(std::vector<pair_of_words>& pairs, std::uint64_t keys, distribution how, machine& on) {
  const zipf_ranks ranks(how == distribution::zipf ? keys : 1);
  on.for_each_piece(pairs.size(), [&](std::uint64_t begin, std::uint64_t end, std::mt19937_64& random) {
    for (std::uint64_t i = begin; i < end; ++i) {
      const std::uint64_t bits = random();
      // Multiplying scatters the frequent keys; the number of keys and the factor have no common divisor.
      const std::uint64_t key = how == distribution::uniform ? (bits >> 32) % keys
                                : how == distribution::zipf
                                    ? ranks(random) * std::uint64_t{2'654'435'761} % keys
                                    : keys / 2;
      pairs[i] = {static_cast<std::uint32_t>(key), static_cast<std::int32_t>(bits & 0xFFFF) - 20'000};
    }
  });
}

template <class Sum>
std::vector<Sum> expected_sums(const std::vector<pair_of_words>& pairs, std::uint64_t keys, machine& on) {
  std::vector<Sum> all(keys);
  std::mutex mutex;
  on.for_each_piece(pairs.size(), [&](std::uint64_t begin, std::uint64_t end, std::mt19937_64&) {
    std::vector<Sum> mine(keys);
    for (std::uint64_t i = begin; i < end; ++i)
      mine[pairs[i].key] = static_cast<Sum>(mine[pairs[i].key] + pairs[i].value);
    const std::lock_guard lock(mutex);
    for (std::uint64_t key = 0; key < keys; ++key) all[key] = static_cast<Sum>(all[key] + mine[key]);
  });
  return all;
}

template <class Sum>
std::vector<double> time_sums(const std::vector<pair_of_words>& pairs, std::uint64_t keys, int device,
                              unsigned rounds, machine& on) {
  const auto expected = expected_sums<Sum>(pairs, keys, on);
  const sum_by_key<Sum> task{.keys = keys};
  const chunk part{reinterpret_cast<const char*>(pairs.data()), pairs.size() * sizeof(pair_of_words), 0, 0};
  const auto loop = gpu::make_resident(task, part, device);
  return time_steps(
      *loop, task, rounds,
      [&](const dense_partial<Sum>& found) {
        for (std::uint64_t key = 0; key < keys; ++key) {
          if ((found.present(key) ? found[key] : Sum{0}) != expected[key])
            throw error(exit_status::failed, "the GPU's sum of key " + std::to_string(key) + " is wrong");
        }
      },
      on.control);
}

bench_table sums_table(const dense_bench_sizes& sizes, const gpu::device_info& device, machine& on) {
  const std::uint64_t bytes = sizes.pairs * sizeof(pair_of_words);
  bench_table table{
      .name = "dense-sums",
      .title = "Sums by dense key, GPU: " + device.name,
      .subject = count_text(sizes.pairs, "pair") + ", " + bytes_text(bytes) + " in device memory",
      .baseline = "reading them",
      .plotted = bench_axis::rate};
  table.rows.push_back(reading_row("any keys", bytes, device.index, sizes.rounds));
  std::vector<pair_of_words> pairs(sizes.pairs);
  constexpr std::array all = {std::pair{distribution::uniform, "uniform"},
                              std::pair{distribution::zipf, "Zipf 1.0"},
                              std::pair{distribution::one_key, "one key"}};
  for (const std::uint64_t keys : {1u, 16u, 256u, 1000u, 4096u, 16'384u, 65'536u, 1'000'000u}) {
    for (const auto& [how, name] : all) {
      fill(pairs, keys, how, on);
      const std::string workload = count_text(keys, "key") + ", " + name;
      table.rows.push_back(row_of(workload, "duomap, 32-bit sums", static_cast<double>(bytes),
                                  time_sums<std::int32_t>(pairs, keys, device.index, sizes.rounds, on)));
      table.rows.push_back(row_of(workload, "duomap, 64-bit sums", static_cast<double>(bytes),
                                  time_sums<std::int64_t>(pairs, keys, device.index, sizes.rounds, on)));
    }
  }
  set_speed_ups(table);
  return table;
}

// The step of k-means.

constexpr std::uint32_t dimensions = 3;
using step_task = kmeans_step<dimensions>;
using step_sum = kmeans_sum<dimensions>;
using step_centre = kmeans_centre<dimensions>;

/// What the step must find, up to rounding: sums in double precision.
struct expected_cluster {
  std::array<double, dimensions> at{};
  std::uint64_t points = 0;
};

std::vector<expected_cluster> expected_clusters(const std::vector<float>& points,
                                                const std::vector<step_centre>& centres, machine& on) {
  std::vector<expected_cluster> all(centres.size());
  std::mutex mutex;
  on.for_each_piece(points.size() / dimensions,
                    [&](std::uint64_t begin, std::uint64_t end, std::mt19937_64&) {
                      std::vector<expected_cluster> mine(centres.size());
                      const auto take = [&](std::uint64_t centre, const step_sum& sum) {
                        for (std::uint32_t d = 0; d < dimensions; ++d)
                          mine[centre].at[d] += static_cast<double>(sum.at[d]);
                        mine[centre].points += sum.points;
                      };
                      const step_task task{.centres = {centres.data(), centres.size()}};
                      for (std::uint64_t i = begin; i < end; ++i)
                        task.map(row<float>{points.data() + i * dimensions, dimensions, i}, take);
                      const std::lock_guard lock(mutex);
                      for (std::size_t c = 0; c < all.size(); ++c) {
                        for (std::uint32_t d = 0; d < dimensions; ++d) all[c].at[d] += mine[c].at[d];
                        all[c].points += mine[c].points;
                      }
                    });
  return all;
}

/// A device may round a distance otherwise: a point between two centres may count for the other one.
void check_clusters(const dense_partial<step_sum>& found, const std::vector<expected_cluster>& expected,
                    std::uint64_t points) {
  std::uint64_t total = 0;
  for (std::uint64_t c = 0; c < expected.size(); ++c) {
    const step_sum sum = found.present(c) ? found[c] : step_sum{};
    total += sum.points;
    const auto differ = static_cast<double>(sum.points) - static_cast<double>(expected[c].points);
    bool right = std::abs(differ) <= 2 + 1e-4 * static_cast<double>(expected[c].points);
    for (std::uint32_t d = 0; d < dimensions; ++d) {
      const double apart = std::abs(static_cast<double>(sum.at[d]) - expected[c].at[d]);
      right = right && apart <= 4 + 1e-3 * static_cast<double>(expected[c].points);
    }
    if (!right) throw error(exit_status::failed, "the GPU's cluster " + std::to_string(c) + " is wrong");
  }
  if (total != points) throw error(exit_status::failed, "the GPU's clusters do not hold all points");
}

/// Seconds of an iteration as its caller sees it: new centres in, sums back.
std::vector<double> time_iterations(resident_loop<step_task>& loop, const step_task& task,
                                    const run_control& control) {
  const auto iterate = [&] {
    timed_run one;
    const auto start = std::chrono::steady_clock::now();
    const auto found = loop.step(task);
    one.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    expects(found.size() == task.key_count(), "a step has all clusters");
    return one;
  };
  return comparison(control)
      .alone({.name = "duomap, whole iteration", .run = iterate, .warm_up = 0}, 200)
      .seconds();
}

bench_table kmeans_table(const dense_bench_sizes& sizes, const gpu::device_info& device, machine& on) {
  constexpr std::uint64_t few_points = 10'000;
  const std::uint64_t count = std::max(sizes.points, few_points);
  std::vector<float> points(count * dimensions);
  on.for_each_piece(count, [&](std::uint64_t begin, std::uint64_t end, std::mt19937_64& random) {
    std::uniform_real_distribution<float> coordinate(-1, 1);
    for (std::uint64_t i = begin * dimensions; i < end * dimensions; ++i) points[i] = coordinate(random);
  });
  const std::uint64_t bytes = points.size() * sizeof(float);
  bench_table table{.name = "dense-kmeans",
                    .title = "One step of k-means with dense keys, GPU: " + device.name,
                    .subject = "Points of " + std::to_string(dimensions) +
                               " floats in device memory. A whole iteration includes new centres on the way "
                               "in and sums on the way back",
                    .baseline = "reading them"};
  const auto workload_of = [](std::uint64_t of, std::uint64_t k) {
    return count_text(of, "point") + (k > 0 ? ", k " + count_text(k) : "");
  };
  const auto bytes_of = [](std::uint64_t of) {
    return static_cast<double>(of * dimensions * sizeof(float));
  };
  table.rows.push_back(reading_row(workload_of(count, 0), bytes, device.index, sizes.rounds));
  for (const std::uint64_t k : {5u, 20u, 100u}) {
    std::vector<step_centre> centres;
    for (std::uint64_t c = 0; c < k; ++c) centres.emplace_back(points.data() + c * dimensions);
    const step_task task{.centres = {centres.data(), centres.size()}};
    const auto part = [&](std::uint64_t of) {
      return chunk{reinterpret_cast<const char*>(points.data()), of * dimensions * sizeof(float), 0, 0};
    };
    const auto expected = expected_clusters(points, centres, on);
    const auto loop = gpu::make_resident(task, part(count), device.index);
    table.rows.push_back(
        row_of(workload_of(count, k), "duomap, step", bytes_of(count),
               time_steps(
                   *loop, task, sizes.rounds,
                   [&](const dense_partial<step_sum>& found) { check_clusters(found, expected, count); },
                   on.control)));
    table.rows.push_back(row_of(workload_of(count, k), "duomap, whole iteration", bytes_of(count),
                                time_iterations(*loop, task, on.control)));
    const auto small_loop = gpu::make_resident(task, part(few_points), device.index);
    table.rows.push_back(row_of(workload_of(few_points, k), "duomap, whole iteration", bytes_of(few_points),
                                time_iterations(*small_loop, task, on.control)));
    table.rows.back().checked = false;
  }
  for (bench_row& row : table.rows) {
    if (row.work.amount == bytes_of(count)) row.speed_up = speed_up_over(table.rows.front(), row);
  }
  return table;
}

}  // namespace

std::vector<bench_table> bench_dense_on_gpu(const dense_bench_sizes& sizes, const run_control& control) {
  if (gpu::discover().devices.empty()) throw device_unavailable(gpu::discover().reason);
  const gpu::device_info& device = gpu::discover().devices.front();
  machine on{.control = control};
  return {kmeans_table(sizes, device, on), sums_table(sizes, device, on)};
}

#else

std::vector<bench_table> bench_dense_on_gpu(const dense_bench_sizes&, const run_control&) {
  throw device_unavailable("this program was built without CUDA");
}

#endif

}  // namespace duomap::apps
