#include "apps/bench/suites/invertedindex_bench.hpp"

#include "apps/bench/harness/bench_text.hpp"
#include "apps/bench/harness/contest.hpp"
#include "apps/bench/harness/percentile.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/quantity.hpp"
#include "apps/cli/talk.hpp"
#include "apps/invertedindex/find_links.hpp"
#include "apps/invertedindex/link_index.hpp"
#include "cpu/cores.hpp"
#include "cpu/machine_pool.hpp"
#include "duomap.hpp"
#include "gpu/device/device.hpp"

#include <chrono>
#include <span>
#include <string>
#include <vector>

namespace duomap::apps {
namespace {

struct bench_options {
  std::vector<std::string> paths;
  std::uint64_t bytes = 400'000'000;
  unsigned rounds = 5;
};

bench_options& options_of_this_run() {
  static bench_options options;
  return options;
}

/// One run, from the opening of the file to the complete index.
struct timed_run {
  double seconds = 0;
  double map_seconds = 0;
  double index_seconds = 0;
  std::uint64_t targets = 0;
  answer_digest answer;
};

timed_run index_once(const std::string& path, device_choice device, unsigned threads) {
  using clock = std::chrono::steady_clock;
  const auto seconds_since = [](clock::time_point start) {
    return std::chrono::duration<double>(clock::now() - start).count();
  };
  timed_run one;
  run_report report;
  const auto start = clock::now();
  const input pages = open_input({path});
  const auto pool = cpu::machine_pool(threads, pages);
  auto found = run(find_links{}, pages, *pool, {.device = device, .report = &report});
  const auto indexing = clock::now();
  const link_index index(std::move(found), *pool);
  one.index_seconds = seconds_since(indexing);
  one.seconds = seconds_since(start);
  one.map_seconds = report.map_seconds;
  one.targets = index.targets();
  index.for_each([&](byte_view target, std::span<const link_place> places) {
    for (const link_place& place : places) one.answer.add(target.data, target.size, place.offset);
  });
  return one;
}

}  // namespace

void add_invertedindex_bench_options(CLI::App& command) {
  bench_options& options = options_of_this_run();
  add_required_paths(command, options.paths, "HTML files, which are joined");
  add_number(command, "--bytes", options.bytes, "repeat them to at least this size");
  add_number(command, "--rounds", options.rounds, "timed runs on each device", {{.least = 1, .most = 1000}});
}

std::vector<bench_table> bench_invertedindex(const bench_context& context) {
  const bench_options& options = options_of_this_run();
  const unsigned rounds = context.rounds(options.rounds);
  say("preparing the text");
  const bench_text text(options.paths, context.size(options.bytes));
  const std::uint64_t bytes = open_input({text.path()}).stored_bytes();
  const unsigned cores = cpu::usable_cores().cores;

  bench_table table{.name = "invertedindex", .title = "Inverted index", .baseline = "one thread"};
  const auto add = [&](device_choice device, unsigned threads) {
    table.rows.push_back({.workload = text.description() + ", " + bytes_text(bytes),
                          .program = "duomap",
                          .device = device_text(device),
                          .threads = threads,
                          .work = {static_cast<double>(bytes), "B"},
                          .checked = true});
    return device;
  };
  std::vector<device_choice> devices = {add(device_choice::cpu, 1)};
  if (cores > 1) devices.push_back(add(device_choice::cpu, cores));
  if (gpu::has_code<find_links> && !gpu::discover().devices.empty()) {
    devices.push_back(add(device_choice::gpu, cores));
    devices.push_back(add(device_choice::cpu_gpu, cores));
  }

  timed_run expected;
  std::vector<std::vector<double>> mapping(devices.size()), indexing(devices.size());
  for (unsigned round = 0; round <= rounds; ++round) {
    for (std::size_t i = 0; i < devices.size(); ++i) {
      stop_if_cancelled(context.control);
      const timed_run one = index_once(text.path(), devices[i], table.rows[i].threads);
      if (expected.answer.rows == 0) expected = one;
      if (!(one.answer == expected.answer))
        throw error(exit_status::failed, "two runs gave different answers");
      if (round == 0) continue;  // a warm-up
      table.rows[i].seconds.push_back(one.seconds);
      mapping[i].push_back(one.map_seconds);
      indexing[i].push_back(one.index_seconds);
    }
  }
  for (std::size_t i = 0; i < devices.size(); ++i)
    table.rows[i].figures = {{"of it mapping", median(mapping[i]), "s"},
                             {"of it grouping and sorting", median(indexing[i]), "s"}};
  set_speed_ups(table);
  table.subject = count_text(expected.answer.rows, "link") + " to " + count_text(expected.targets, "target") +
                  "; from opening the cached file to the complete index; rounds taken in turn";
  return {table};
}

}  // namespace duomap::apps
