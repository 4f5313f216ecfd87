// Measures the index of links on one thread, on all cores, on the GPU, and on both.
#include "apps/cli/console.hpp"
#include "apps/cli/options.hpp"
#include "apps/report/quantity.hpp"
#include "apps/tasks/invertedindex/find_links.hpp"
#include "apps/tasks/invertedindex/link_index.hpp"
#include "bench/harness/bench_text.hpp"
#include "bench/harness/comparison.hpp"
#include "bench/suites/benchmarks.hpp"
#include "cpu/cores.hpp"
#include "cpu/machine_pool.hpp"
#include "duomap.hpp"
#include "gpu/device/device.hpp"

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

/// One run, from opening the file to the complete index. Sets `targets` to the number of targets in it.
timed_run index_once(const std::string& path, device_choice device, unsigned threads,
                     std::uint64_t& targets) {
  timed_run one;
  const stopwatch whole;
  const input pages = open_input({path});
  const auto pool = cpu::machine_pool(threads, pages);
  auto found = run(find_links{}, pages, *pool, {.device = device, .report = &one.report});
  const stopwatch indexing;
  const link_index index(std::move(found), *pool);
  const double index_seconds = indexing.seconds();
  one.seconds = whole.seconds();
  one.figures = {{"of it mapping", one.report.map_seconds, "s"},
                 {"of it grouping and sorting", index_seconds, "s"}};
  targets = index.targets();
  answer_digest& answer = one.answer.emplace();
  index.for_each([&](byte_view target, std::span<const link_place> places) {
    for (const link_place& place : places) answer.add(target.data, target.size, place.offset);
  });
  return one;
}

void add_options(CLI::App& command) {
  bench_options& options = options_of_this_run<bench_options>();
  add_required_paths(command, options.paths, "HTML files, which are joined");
  add_number(command, "--bytes", options.bytes, "repeat them to at least this size");
  add_number(command, "--rounds", options.rounds, "timed runs on each device", {{.least = 1, .most = 1000}});
}

std::vector<bench_table> bench_invertedindex(const bench_context& context) {
  const bench_options& options = options_of_this_run<bench_options>();
  const unsigned rounds = context.rounds(options.rounds);
  say("preparing the text");
  const bench_text text(options.paths, context.size(options.bytes));
  const unsigned cores = cpu::usable_cores().cores;

  std::uint64_t targets = 0;
  std::vector<variant> variants;
  const auto add = [&](device_choice device, unsigned threads) {
    const auto run = [&, device, threads] {
      return index_once(text.path(), device, threads, targets);
    };
    variants.push_back({.name = "duomap", .device = device_text(device), .threads = threads, .run = run});
  };
  add(device_choice::cpu, 1);
  if (cores > 1) add(device_choice::cpu, cores);
  if (gpu::has_code<find_links> && !gpu::discover().devices.empty()) {
    add(device_choice::gpu, cores);
    add(device_choice::cpu_gpu, cores);
  }
  comparison all(context.control);
  bench_table table{.name = "invertedindex", .title = "Inverted index", .baseline = "one thread"};
  for (bench_row& row : all.add_in_turn(variants, rounds, text.subject(), text.work(), table))
    row.checked = true;
  table.subject = count_text(all.answer().rows, "link") + " to " + count_text(targets, "target") +
                  "; from opening the cached file to the complete index; rounds taken in turn";
  return {table};
}

}  // namespace

const benchmark invertedindex_benchmark{
    .name = "invertedindex",
    .summary = "links of HTML pages, against one loop",
    .add_options = add_options,
    .measure = bench_invertedindex,
};

}  // namespace duomap::apps
