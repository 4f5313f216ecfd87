// Measures sums by key on a GPU, from its memory and from a mapped file, beside CUB.
#include "apps/cli/console.hpp"
#include "apps/cli/options.hpp"
#include "apps/report/quantity.hpp"
#include "apps/tasks/aggregate/aggregate.hpp"
#include "bench/baselines/sort_baseline.hpp"
#include "bench/data/pair_data.hpp"
#include "bench/harness/device_modes.hpp"
#include "bench/harness/percentile.hpp"
#include "bench/harness/printed.hpp"
#include "bench/suites/benchmarks.hpp"
#include "core/compact_key.hpp"
#include "core/deterministic.hpp"
#include "core/reproducible.hpp"
#include "cpu/cores.hpp"
#include "cpu/tbb_pool.hpp"
#include "duomap.hpp"
#include "gpu/options.hpp"
#include "gpu/run_resident.hpp"
#include "gpu/runtime/memory_peak.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace duomap::apps {
namespace {

const std::map<std::string, gpu::aggregation_path> path_names = {
    {"auto", gpu::aggregation_path::automatic},
    {"general", gpu::aggregation_path::general},
    {"block-table", gpu::aggregation_path::block_table},
    {"partitioned", gpu::aggregation_path::partitioned}};

struct bench_options {
  std::uint64_t pairs = std::uint64_t{1} << 28;
  std::vector<std::uint32_t> distinct = {10, 100, 1000, 10'000, 100'000, 1'000'000, 10'000'000};
  unsigned rounds = 9;
  std::uint64_t seed = 1;
  double bytes_per_second = 4.47e12;
  bool with_orders = false;
  bool without_baseline = false;
  bool with_floating = false;
  std::string path = "auto";
};

template <class V>
void check_sum(const pair_data& expected, std::uint32_t key, V value) {
  const std::uint32_t rank = pair_data::rank(key);
  if (!expected.occurs(rank) || value != static_cast<V>(expected.sum(rank)))
    throw error(exit_status::failed, "a wrong sum of key " + std::to_string(key));
}

template <class Float>
void check_sum(const pair_data& expected, std::uint32_t key, const reproducible<Float>& value) {
  check_sum(expected, key, value.value());
}

template <class V>
void check_answer(const pair_data& expected, const keyed_partial<V>& found, worker_pool& pool) {
  if (found.size() != expected.keys())
    throw error(exit_status::failed,
                "found " + std::to_string(found.size()) + " keys of " + std::to_string(expected.keys()));
  // The keys of a partial are distinct: if their number is right and every key occurs in the data, none is
  // missing.
  pool.for_each_index(partition_count, [&](std::uint64_t p) {
    for (const auto& entry : found.partitions[p])
      check_sum(expected, key_from<std::uint32_t>(entry.key), entry.value);
  });
}

std::string name(const pair_kind& kind) {
  const std::string drawn = kind.distribution == key_distribution::zipf ? "Zipf" : "uniform";
  if (kind.order == pair_order::sorted) return drawn + ", sorted";
  if (kind.order == pair_order::clustered) return drawn + ", clustered";
  return kind.distribution == key_distribution::zipf ? "Zipf 1.0" : drawn;
}

bench_row row_of(const pair_kind& kind, const std::string& program, std::vector<double> seconds) {
  return row_on(device_choice::gpu, count_text(kind.distinct) + " keys, " + name(kind), program,
                {8.0 * static_cast<double>(kind.pairs), "B"}, std::move(seconds));
}

template <class Task>
bench_row measure(const Task& task, const pair_data& data, const pair_kind& kind, const std::string& value,
                  int device, unsigned rounds, worker_pool& pool, const gpu::backend_options& how) {
  const bench_options& options = options_of_this_run<bench_options>();
  static_cast<void>(gpu::take_memory_peak(device));
  const auto run = gpu::run_resident(task, device, data.bytes(), rounds + 2, how, pool);
  check_answer(data, run.found, pool);
  bench_row row =
      row_of(kind, "duomap, " + value + ", resident", {run.seconds.begin() + 2, run.seconds.end()});
  row.device_bytes = gpu::take_memory_peak(device);
  const double floor = row.work.amount / options.bytes_per_second;
  row.figures = {{"over the floor", median(row.seconds) / floor, "x"}};
  for (const std::string& note : run.notes) row.note += (row.note.empty() ? "" : "; ") + note;
  return row;
}

template <class V>
bench_row measure_from_file(const pair_data& data, const pair_kind& kind, unsigned rounds, worker_pool& pool,
                            const run_control& control) {
  bench_row row = row_of(kind, "duomap, int32, from a mapped file", {});
  const auto sum = [&] {
    std::optional<result_for<sum_by_key<V>>> result;
    const timed_run one{.seconds = seconds_of([&] {
                          result.emplace(run(sum_by_key<V>{},
                                             open_input({data.path()}, input_content::records), pool,
                                             {.device = device_choice::gpu}));
                        })};
    if (result->size() != data.keys()) throw error(exit_status::failed, "a wrong number of keys");
    result->for_each([&](std::uint32_t key, V value) { check_sum(data, key, value); });
    return one;
  };
  row.seconds = comparison(control).alone({.name = row.program, .run = sum}, rounds / 3 + 1).seconds();
  return row;
}

/// A template, so that a program built without GPU code does not refer to that code.
template <class V>
bench_table measure_all(const gpu::device_info& device, const bench_context& context) {
  const bench_options& options = options_of_this_run<bench_options>();
  const unsigned rounds = context.rounds(options.rounds);
  const std::uint64_t pairs = context.size(options.pairs);
  bench_table table{
      .name = "aggregate",
      .title = "Sum by key, GPU: " + device.name,
      .subject = count_text(pairs, "pair") + " of 32-bit key and value, " + bytes_text(8 * pairs) +
                 "; the floor is reading them at " + printed("%.2f TB/s, ", options.bytes_per_second / 1e12) +
                 printed("%.2f ms", 8e3 * static_cast<double>(pairs) / options.bytes_per_second) +
                 "; of CUB the number of keys was compared",
      .plotted = bench_axis::rate};
  cpu::tbb_pool pool(cpu::usable_cores().cores);
  const gpu::backend_options chosen{.path = path_names.at(options.path)};
  std::vector<pair_order> orders = {pair_order::shuffled};
  if (options.with_orders) orders.insert(orders.end(), {pair_order::sorted, pair_order::clustered});
  for (const std::uint32_t distinct : options.distinct) {
    for (const auto distribution : {key_distribution::uniform, key_distribution::zipf}) {
      for (const pair_order order : orders) {
        stop_if_cancelled(&context.control);
        const pair_kind kind{pairs, distinct, distribution, order};
        say("measuring " + std::to_string(distinct) + " keys, " + name(kind));
        const pair_data data(kind, options.seed, pool);
        const auto add = [&](bench_row row) {
          table.rows.push_back(std::move(row));
        };
        add(measure(sum_by_key<V>{}, data, kind, "int32", device.index, rounds, pool, chosen));
        if (!options.without_baseline) {
          const auto baseline = time_sort_baseline(device.index, data.bytes(), rounds + 1);
          if (baseline.keys != data.keys())
            throw error(exit_status::failed, "CUB found another number of keys");
          add(row_of(kind, "CUB, sort and reduce", {baseline.seconds.begin() + 1, baseline.seconds.end()}));
          // Works as MapCG does: one hash table in device memory takes every emit.
          add(measure(sum_by_key<V>{}, data, kind, "int32, no tables in blocks", device.index,
                      std::max(rounds / 3, 1u), pool, {.block_tables = 0}));
        }
        if (order != pair_order::shuffled) continue;
        add(measure(sum_by_key<std::int64_t>{}, data, kind, "int64", device.index, rounds, pool, chosen));
        add(measure_from_file<V>(data, kind, rounds, pool, context.control));
        if (!options.with_floating) continue;
        const sum_by_key<double> doubles;
        add(measure(doubles, data, kind, "double", device.index, rounds, pool, chosen));
        add(measure(deterministic{doubles}, data, kind, "double, deterministic", device.index, rounds, pool,
                    chosen));
      }
    }
  }
  return table;
}

void add_options(CLI::App& command) {
  bench_options& options = options_of_this_run<bench_options>();
  add_number(command, "--pairs", options.pairs, "pairs to sum",
             {{.least = 1, .most = std::uint64_t{1} << 34}});
  add_numbers(command, "--distinct", options.distinct, "numbers of distinct keys to measure",
              {.least = 1, .most = 1u << 31});
  add_number(command, "--seed", options.seed, "seed of the pairs");
  add_number(command, "--rounds", options.rounds, "timed runs of each", {{.least = 1, .most = 1000}});
  add_number(command, "--bandwidth", options.bytes_per_second,
             "bytes per second at which the device reads its\nmemory: the floor");
  add_choice(command, "--path", options.path, "how the GPU's tables are used",
             {"auto", "general", "block-table", "partitioned"});
  add_flag(command, "--orders", options.with_orders, "also measure sorted and clustered pairs");
  add_flag(command, "--floating", options.with_floating,
           "also measure sums of doubles, as they come and\n"
           "deterministic");
  add_flag(command, "--no-baseline", options.without_baseline,
           "measure neither CUB nor a single table in device\nmemory");
}

/// Measures sums by key of pairs in device memory, beside CUB's sort and reduce-by-key. Also measures pairs
/// in a mapped file, from opening the file to the result in host memory. Checks every sum of duomap, but only
/// the number of keys of CUB.
/// @throws device_unavailable when there is no GPU; error when a sum is wrong; interrupted
std::vector<bench_table> bench_aggregate(const bench_context& context) {
  const gpu::device_info& device = first_gpu();
  if constexpr (gpu::has_code<sum_by_key<std::int32_t>>) {
    return {measure_all<std::int32_t>(device, context)};
  } else {
    static_cast<void>(device);
    static_cast<void>(context);
    return {};
  }
}

}  // namespace

const benchmark aggregate_benchmark{
    .name = "aggregate",
    .summary = "sums by key, against one loop, oneTBB and CUB",
    .add_options = add_options,
    .measure = bench_aggregate,
};

}  // namespace duomap::apps
