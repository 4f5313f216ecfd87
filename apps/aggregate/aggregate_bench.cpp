#include "apps/aggregate/aggregate_bench.hpp"

#include "apps/aggregate/aggregate.hpp"
#include "apps/aggregate/pair_data.hpp"
#include "apps/aggregate/sort_baseline.hpp"
#include "apps/bench/contest.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/quantity.hpp"
#include "apps/cli/talk.hpp"
#include "core/output/result_file.hpp"
#include "core/version.hpp"
#include "cpu/arena.hpp"
#include "cpu/cores.hpp"
#include "duomap.hpp"
#include "gpu/device/device.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
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
  std::vector<std::uint32_t> distinct = {10, 1000, 10'000, 1'000'000, 10'000'000};
  unsigned rounds = 9;
  std::uint64_t seed = 1;
  double bytes_per_second = 4.47e12;
  bool with_orders = false;
  bool without_baseline = false;
  bool with_floating = false;
  std::string path = "auto";
};

bench_options& options_of_this_run() {
  static bench_options options;
  return options;
}

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
void check_answer(const pair_data& expected, const keyed_partial<V>& found, parallel& pool) {
  if (found.size() != expected.keys())
    throw error(exit_status::failed,
                "found " + std::to_string(found.size()) + " keys of " + std::to_string(expected.keys()));
  // Keys of a partial are distinct, so as many right ones as there are are all of them.
  pool.for_each_index(partition_count, [&](std::uint64_t p) {
    for (const auto& entry : found.partitions[p])
      check_sum(expected, key_from<std::uint32_t>(entry.key), entry.value);
  });
}

struct measurement {
  std::string what;
  pair_kind kind;
  std::string value;
  std::vector<double> seconds;
  std::vector<double> baseline_seconds;
  std::string note;
};

const char* name(const pair_kind& kind) {
  if (kind.order == pair_order::sorted)
    return kind.distribution == key_distribution::zipf ? "Zipf, sorted" : "uniform, sorted";
  if (kind.order == pair_order::clustered)
    return kind.distribution == key_distribution::zipf ? "Zipf, clustered" : "uniform, clustered";
  return kind.distribution == key_distribution::zipf ? "Zipf 1.0" : "uniform";
}

template <class Task>
measurement measure(const Task& task, const pair_data& data, const pair_kind& kind, const char* value,
                    int device, parallel& pool) {
  const bench_options& options = options_of_this_run();
  const auto run = gpu::run_resident(task, device, data.bytes(), options.rounds + 2,
                                     {.path = path_names.at(options.path)}, pool);
  check_answer(data, run.found, pool);
  measurement one{"resident", kind, value, {run.seconds.begin() + 2, run.seconds.end()}, {}, {}};
  for (const std::string& note : run.notes) one.note += note;
  return one;
}

template <class V>
measurement measure_from_file(const pair_data& data, const pair_kind& kind, parallel& pool) {
  const bench_options& options = options_of_this_run();
  measurement one{"from a mapped file", kind, "int32", {}, {}, {}};
  for (unsigned round = 0; round < options.rounds / 3 + 2; ++round) {
    const auto start = std::chrono::steady_clock::now();
    const auto result = run(sum_by_key<V>{}, open_input({data.path()}), pool, {.device = device_choice::gpu});
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (round > 0) one.seconds.push_back(seconds);
    if (result.size() != data.keys()) throw error(exit_status::failed, "a wrong number of keys");
    result.for_each([&](std::uint32_t key, V sum) { check_sum(data, key, sum); });
  }
  return one;
}

std::string table_text(const std::vector<measurement>& rows, const std::string& device) {
  const bench_options& options = options_of_this_run();
  const double bytes = 8.0 * static_cast<double>(options.pairs);
  const double floor = bytes / options.bytes_per_second;
  std::string text =
      "Sum by key on " + device + ": " + count_text(options.pairs, "pair") + " of 32-bit key and value, " +
      bytes_text(static_cast<std::uint64_t>(bytes)) + "; medians of " + std::to_string(options.rounds) +
      " runs, all answers checked. Floor: reading the pairs at " + fixed(options.bytes_per_second / 1e12, 2) +
      " TB/s, " + fixed(floor * 1000, 2) + " ms.\n\n";
  text += "| keys | distribution | sum | where | ms | GB/s | over the floor | CUB sort + reduce ms |\n";
  text += "|---:|---|---|---|---:|---:|---:|---:|\n";
  for (const measurement& one : rows) {
    const double seconds = median(one.seconds);
    text += "| " + std::to_string(one.kind.distinct) + " | " + name(one.kind) + " | " + one.value + " | " +
            one.what + " | " + fixed(seconds * 1000, 3) + " | " + fixed(bytes / seconds / 1e9, 0) + " | " +
            fixed(seconds / floor, 2) + "x | " +
            (one.baseline_seconds.empty() ? "" : fixed(median(one.baseline_seconds) * 1000, 2)) + " |\n";
  }
  text += "\n";
  for (const measurement& one : rows) {
    if (!one.note.empty())
      text += "- " + std::to_string(one.kind.distinct) + " " + name(one.kind) + ", " + one.value + ": " +
              one.note + "\n";
  }
  return text;
}

/// A template, so that a program without GPU code does not ask for it.
template <class V>
void measure_all(const gpu::device_info& device, const run_control& control) {
  const bench_options& options = options_of_this_run();
  cpu::worker_pool pool(cpu::usable_cores().cores);
  std::vector<pair_order> orders = {pair_order::shuffled};
  if (options.with_orders) orders.insert(orders.end(), {pair_order::sorted, pair_order::clustered});
  std::vector<measurement> rows;
  for (const std::uint32_t distinct : options.distinct) {
    for (const auto distribution : {key_distribution::uniform, key_distribution::zipf}) {
      for (const pair_order order : orders) {
        stop_if_cancelled(control);
        const pair_kind kind{options.pairs, distinct, distribution, order};
        say("measuring " + std::to_string(distinct) + " keys, " + name(kind));
        const pair_data data(kind, options.seed, pool);
        rows.push_back(measure(sum_by_key<V>{}, data, kind, "int32", device.index, pool));
        if (!options.without_baseline) {
          const auto baseline = time_sort_baseline(device.index, data.bytes(), options.rounds + 1);
          if (baseline.keys != data.keys())
            throw error(exit_status::failed, "CUB found another number of keys");
          rows.back().baseline_seconds.assign(baseline.seconds.begin() + 1, baseline.seconds.end());
        }
        if (order != pair_order::shuffled) continue;
        rows.push_back(measure(sum_by_key<std::int64_t>{}, data, kind, "int64", device.index, pool));
        rows.push_back(measure_from_file<V>(data, kind, pool));
        if (!options.with_floating) continue;
        const sum_by_key<double> doubles;
        rows.push_back(measure(doubles, data, kind, "double", device.index, pool));
        rows.push_back(
            measure(deterministic{doubles}, data, kind, "double, deterministic", device.index, pool));
      }
    }
  }
  save(options.table, table_text(rows, device.name));
  if (options.json.empty()) return;
  nlohmann::ordered_json json_rows = nlohmann::ordered_json::array();
  for (const measurement& one : rows) {
    json_rows.push_back({{"keys", one.kind.distinct},
                         {"distribution", name(one.kind)},
                         {"sum", one.value},
                         {"where", one.what},
                         {"seconds", one.seconds},
                         {"sort_baseline_seconds", one.baseline_seconds},
                         {"note", one.note}});
  }
  const nlohmann::ordered_json all = {
      {"benchmark", "aggregate"}, {"duomap", version},
      {"device", device.name},    {"pairs", options.pairs},
      {"rounds", options.rounds}, {"floor_bytes_per_second", options.bytes_per_second},
      {"runs", json_rows}};
  save(options.json, all.dump(2) + "\n");
}

}  // namespace

void add_aggregate_bench_options(CLI::App& command) {
  bench_options& options = options_of_this_run();
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
  add_flag(command, "--no-baseline", options.without_baseline, "do not measure CUB");
}

std::vector<bench_table> bench_aggregate(const bench_context& context) {
  if (torture) throw usage_error("a torture build measures nothing; use the preset release");
  const gpu::discovery& gpus = gpu::discover();
  if (gpus.devices.empty()) throw device_unavailable("there is no GPU: " + gpus.reason);
  if constexpr (gpu::has_code<sum_by_key<std::int32_t>>)
    measure_all<std::int32_t>(gpus.devices.front(), control);
}

}  // namespace duomap::apps
