// Measures sums by dense key and the k-means step on the first GPU.
#include "apps/cli/options.hpp"
#include "apps/report/quantity.hpp"
#include "bench/data/pair_data.hpp"
#include "bench/data/synthetic_rows.hpp"
#include "bench/dense/memory_floor.hpp"
#include "bench/dense/sum_by_key.hpp"
#include "bench/harness/device_modes.hpp"
#include "bench/suites/benchmarks.hpp"
#include "core/chunk.hpp"
#include "core/error.hpp"
#include "core/resident_loop.hpp"
#include "core/result/dense.hpp"
#include "cpu/cores.hpp"
#include "cpu/tbb_pool.hpp"
#include "gpu/make_resident.hpp"
#include "numeric/common/ranges.hpp"
#include "numeric/kmeans/kmeans_step.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace duomap::apps {
namespace {

struct dense_bench_sizes {
  std::uint64_t pairs = std::uint64_t{1} << 28;
  std::uint64_t points = std::uint64_t{1} << 24;
  unsigned rounds = 15;
};

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

#if DUOMAP_HAS_CUDA

struct machine {
  cpu::tbb_pool pool{cpu::usable_cores().cores};
  const run_control& control;
};

bench_row row_of(const std::string& workload, const std::string& program, double bytes,
                 std::vector<double> seconds) {
  return row_on(device_choice::gpu, workload, program, {bytes, "B"}, std::move(seconds));
}

bench_row reading_row(const std::string& workload, std::uint64_t bytes, int device, unsigned rounds) {
  bench_row row = row_of(workload, "reading the GPU's memory", static_cast<double>(bytes),
                         time_reading(device, bytes, rounds));
  row.checked = false;
  return row;
}

/// Returns the seconds of `rounds` steps after two warm-up steps. Calls check(partial) after each step.
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

template <class Sum>
std::vector<double> time_sums(const pair_data& pairs, std::uint32_t keys, int device, unsigned rounds,
                              const run_control& control) {
  const sum_by_key<Sum> task{.keys = keys};
  const auto loop = gpu::make_resident(task, chunk{pairs.bytes().data, pairs.bytes().size, 0, 0}, device);
  return time_steps(
      *loop, task, rounds,
      [&](const dense_partial<Sum>& found) {
        for (std::uint32_t rank = 0; rank < keys; ++rank) {
          const std::uint32_t key = pairs.key(rank);
          if ((found.present(key) ? found[key] : Sum{0}) != static_cast<Sum>(pairs.sum(rank)))
            throw error(exit_status::failed, "the GPU's sum of key " + std::to_string(key) + " is wrong");
        }
      },
      control);
}

bench_table sums_table(const dense_bench_sizes& sizes, const gpu::device_info& device, machine& on) {
  constexpr std::uint64_t pair_bytes = 8, seed = 1;
  const std::uint64_t bytes = sizes.pairs * pair_bytes;
  bench_table table{
      .name = "dense-sums",
      .title = "Sums by dense key, GPU: " + device.name,
      .subject = count_text(sizes.pairs, "pair") + ", " + bytes_text(bytes) + " in device memory",
      .baseline = "reading them",
      .plotted = bench_axis::rate};
  table.rows.push_back(reading_row("any keys", bytes, device.index, sizes.rounds));
  constexpr std::array all = {std::pair{key_distribution::uniform, "uniform"},
                              std::pair{key_distribution::zipf, "Zipf 1.0"},
                              std::pair{key_distribution::one_key, "one key"}};
  for (const std::uint32_t keys : {1u, 16u, 256u, 1000u, 4096u, 16'384u, 65'536u, 100'000u, 1'000'000u}) {
    for (const auto& [how, name] : all) {
      const pair_data pairs({.pairs = sizes.pairs, .distinct = keys, .distribution = how, .dense = true},
                            seed, on.pool);
      const std::string workload = count_text(keys, "key") + ", " + name;
      table.rows.push_back(
          row_of(workload, "duomap, 32-bit sums", static_cast<double>(bytes),
                 time_sums<std::int32_t>(pairs, keys, device.index, sizes.rounds, on.control)));
      table.rows.push_back(
          row_of(workload, "duomap, 64-bit sums", static_cast<double>(bytes),
                 time_sums<std::int64_t>(pairs, keys, device.index, sizes.rounds, on.control)));
    }
  }
  set_speed_ups(table);
  return table;
}

constexpr std::uint32_t dimensions = 3;
using step_task = kmeans_step<dimensions>;
using step_sum = kmeans_sum<dimensions>;
using step_centre = kmeans_center<dimensions>;

/// The expected sum and number of points of a cluster; a GPU's sums may differ by rounding.
struct expected_cluster {
  std::array<double, dimensions> at{};
  std::uint64_t points = 0;
};

std::vector<expected_cluster> expected_clusters(matrix_view<float> points,
                                                const std::vector<step_centre>& centres, machine& on) {
  constexpr std::uint64_t rows_of_range = std::uint64_t{1} << 20;
  std::vector<expected_cluster> all(centres.size());
  std::mutex mutex;
  for_each_range(on.pool, points.rows, rows_of_range, nullptr, [&](std::uint64_t begin, std::uint64_t end) {
    std::vector<expected_cluster> mine(centres.size());
    const auto take = [&](std::uint64_t centre, const step_sum& sum) {
      for (std::uint32_t d = 0; d < dimensions; ++d) mine[centre].at[d] += static_cast<double>(sum.at[d]);
      mine[centre].points += sum.points;
    };
    const step_task task{.centers = {centres.data(), centres.size()}};
    for (std::uint64_t i = begin; i < end; ++i)
      task.map(row<float>{points.row(i).data(), dimensions, i}, take);
    const std::lock_guard lock(mutex);
    for (std::size_t c = 0; c < all.size(); ++c) {
      for (std::uint32_t d = 0; d < dimensions; ++d) all[c].at[d] += mine[c].at[d];
      all[c].points += mine[c].points;
    }
  });
  return all;
}

/// A device may round a distance differently, so a point between two centres may count for the other centre.
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

/// Seconds of each whole iteration, in which new centres go to the GPU and sums come back.
std::vector<double> time_iterations(resident_loop<step_task>& loop, const step_task& task,
                                    const run_control& control) {
  const auto iterate = [&] {
    timed_run one;
    const stopwatch clock;
    const auto found = loop.step(task);
    one.seconds = clock.seconds();
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
  matrix<float> points = synthetic_rows(count, dimensions, 1);
  for (std::uint64_t i = 0; i < count * dimensions; ++i) points.data()[i] = 2 * points.data()[i] - 1;
  const std::uint64_t bytes = points.view().bytes().size;
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
    const step_task task{.centers = {centres.data(), centres.size()}};
    const auto part = [&](std::uint64_t of) {
      return chunk{reinterpret_cast<const char*>(points.data()), of * dimensions * sizeof(float), 0, 0};
    };
    const auto expected = expected_clusters(points.view(), centres, on);
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

/// On the first GPU, measures sums by key for several numbers of keys and distributions, and the k-means step
/// for several numbers of centres. A step lasts from the start of its first kernel to the end of its last.
/// The first row of a table is the time to read the same bytes. Compares every answer with the CPU's.
/// @throws device_unavailable when there is no GPU; error when an answer is wrong; interrupted
std::vector<bench_table> bench_dense_on_gpu(const dense_bench_sizes& sizes, const run_control& control) {
  const gpu::device_info& device = first_gpu();
  machine on{.control = control};
  return {kmeans_table(sizes, device, on), sums_table(sizes, device, on)};
}

#else

std::vector<bench_table> bench_dense_on_gpu(const dense_bench_sizes&, const run_control&) {
  throw device_unavailable("this program was built without CUDA");
}

#endif

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
