#include "apps/invertedindex/invertedindex_bench.hpp"

#include "apps/bench/bench_text.hpp"
#include "apps/bench/contest.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/quantity.hpp"
#include "apps/cli/talk.hpp"
#include "apps/invertedindex/find_links.hpp"
#include "apps/invertedindex/link_index.hpp"
#include "core/output/result_file.hpp"
#include "cpu/cores.hpp"
#include "cpu/machine_pool.hpp"
#include "cpu/topology.hpp"
#include "duomap.hpp"
#include "gpu/device/device.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

namespace duomap::apps {
namespace {

struct bench_options {
  std::vector<std::string> paths;
  std::uint64_t bytes = 400'000'000;
  unsigned rounds = 5;
  std::string table = "-";
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

std::string milliseconds(double seconds) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.1f ms", seconds * 1000);
  return text.data();
}

}  // namespace

void add_invertedindex_bench_options(CLI::App& command) {
  bench_options& options = options_of_this_run();
  add_required_paths(command, options.paths, "HTML files, which are joined");
  add_number(command, "--bytes", options.bytes, "repeat them to at least this size");
  add_number(command, "--rounds", options.rounds, "timed runs on each device", {{.least = 1, .most = 1000}});
  add_text(command, "--table", options.table, "save the table here (- is standard output)");
}

void bench_invertedindex(run_control& control) {
  const bench_options& options = options_of_this_run();
  if (torture) throw usage_error("a torture build measures nothing; use the preset release or cpu");
  say("preparing the text");
  const bench_text text(options.paths, options.bytes);
  const std::uint64_t bytes = open_input({text.path()}).stored_bytes();
  const unsigned cores = cpu::usable_cores().cores;

  struct row {
    std::string name;
    device_choice device;
    unsigned threads;
    std::vector<timed_run> runs = {};
  };
  std::vector<row> rows;
  rows.push_back({"CPU, 1 thread", device_choice::cpu, 1});
  if (cores > 1) rows.push_back({"CPU, " + count_text(cores, "thread"), device_choice::cpu, cores});
  const bool has_gpu = gpu::has_code<find_links> && !gpu::discover().devices.empty();
  if (has_gpu) {
    rows.push_back({"GPU", device_choice::gpu, cores});
    rows.push_back({"CPU + GPU", device_choice::cpu_gpu, cores});
  }

  timed_run expected;
  for (unsigned round = 0; round <= options.rounds; ++round) {
    for (row& one : rows) {
      if (control.cancelled.load(std::memory_order_relaxed)) throw interrupted();
      timed_run run = index_once(text.path(), one.device, one.threads);
      if (expected.answer.rows == 0) expected = run;
      if (!(run.answer == expected.answer))
        throw error(exit_status::failed, "two runs gave different answers");
      if (round > 0) one.runs.push_back(std::move(run));  // the first is a warm-up
    }
  }

  std::string table = "Inverted index: " + text.description() + ", " + bytes_text(bytes) + ", " +
                      count_text(expected.answer.rows, "link") + " to " +
                      count_text(expected.targets, "target") + "; " + cpu::read_topology().cpu_model +
                      (has_gpu ? ", " + gpu::discover().devices.front().name : std::string()) +
                      "; medians of " + count_text(options.rounds, "round") +
                      " taken in turn, all answers equal.\n\n";
  table +=
      "| run | time | throughput | of it mapping | of it grouping and sorting |\n|---|---:|---:|---:|---:|\n";
  for (row& one : rows) {
    std::sort(one.runs.begin(), one.runs.end(),
              [](const timed_run& a, const timed_run& b) { return a.seconds < b.seconds; });
    const timed_run& middle = one.runs[one.runs.size() / 2];
    table += "| " + one.name + " | " + milliseconds(middle.seconds) + " | " +
             rate_text(bytes, middle.seconds) + " | " + milliseconds(middle.map_seconds) + " | " +
             milliseconds(middle.index_seconds) + " |\n";
  }
  result_file file(options.table);
  file.sink().write(byte_view(table));
  file.commit();
}

}  // namespace duomap::apps
