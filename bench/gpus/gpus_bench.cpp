// Measures the links to all GPUs, then each task on one GPU, two, four and so on, and all.
#include "apps/cli/options.hpp"
#include "apps/report/quantity.hpp"
#include "apps/tasks/aggregate/aggregate.hpp"
#include "bench/gpus/bare_copies.hpp"
#include "bench/gpus/gpus_machine.hpp"
#include "bench/harness/chosen_tasks.hpp"
#include "bench/harness/device_modes.hpp"
#include "bench/harness/percentile.hpp"
#include "bench/suites/benchmarks.hpp"
#include "core/error.hpp"
#include "core/untouched_allocator.hpp"
#include "duomap.hpp"
#include "gpu/device/device.hpp"
#include "gpu/feed/page_lock.hpp"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace duomap::apps {
namespace {

struct gpus_options {
  std::vector<std::string> tasks;
  std::uint32_t rounds = 7;
  std::uint64_t bytes = std::uint64_t{1} << 31;
};

#if DUOMAP_HAS_CUDA

/// Repeats a run until every GPU has taken part, because a GPU that starts beside a run may be ready only for
/// a later run.
/// @throws device_unavailable when a GPU has taken no part after 20 s
void start_all(gpus_machine& on) {
  const std::vector<int>& all = on.groups.back().gpus;
  const std::vector<std::uint32_t> pairs(std::size_t{1} << 25);
  const input some = view_input({reinterpret_cast<const char*>(pairs.data()), 4 * pairs.size()});
  constexpr double long_enough = 20;
  const stopwatch clock;
  while (clock.seconds() < long_enough) {
    run_report report;
    run_options job{.device = device_choice::gpu, .report = &report};
    job.gpus = all;
    static_cast<void>(run(sum_by_key<std::int32_t>{}, some, on.pool, job));
    if (active_devices(report) == all.size()) return;
  }
  throw device_unavailable("not all " + std::to_string(all.size()) + " GPUs took part in a run of " +
                           bytes_text(4 * pairs.size()) + " within " + duration_text(long_enough));
}

bench_row link_row(const std::string& workload, const gpu_group& group, std::uint64_t bytes,
                   std::vector<double> seconds) {
  bench_row row = row_on(device_choice::gpu, workload, "bare copies, " + group.name,
                         {static_cast<double>(bytes), "B"}, std::move(seconds));
  row.checked = false;
  return row;
}

/// Copies with 4, 8, 12 and 16 threads for each GPU and returns the row with the best median.
bench_row fed_row(const gpus_machine& on, const gpu_group& group, byte_view memory) {
  std::optional<bench_row> best;
  for (const unsigned threads : {4u, 8u, 12u, 16u}) {
    if (best && threads * group.gpus.size() > on.pool.workers()) break;
    std::vector<double> seconds;
    for (unsigned i = 0; i < on.rounds; ++i)
      seconds.push_back(time_staged_copies(group.gpus, memory, threads));
    if (best && median(best->seconds) <= median(seconds)) continue;
    best = link_row("from ordinary memory", group, memory.size, std::move(seconds));
    best->figures = {{"threads of each GPU", static_cast<double>(threads), ""}};
  }
  return *best;
}

bench_row locked_row(const gpus_machine& on, const gpu_group& group, byte_view memory) {
  std::vector<double> seconds;
  for (unsigned i = 0; i < on.rounds; ++i) seconds.push_back(time_locked_copies(group.gpus, memory));
  return link_row("from page-locked memory", group, memory.size, std::move(seconds));
}

bench_table measure_links(gpus_machine& on, byte_view memory) {
  bench_table table{.name = "gpus-links",
                    .title = "What the links to GPUs allow",
                    .subject = bytes_text(memory.size) + ", in parts of equal size, nothing but copies",
                    .baseline = "one GPU",
                    .plotted = bench_axis::rate};
  const auto measure = [&](auto row_of, double link_ratios::*ratio) {
    const std::size_t first = table.rows.size();
    for (gpu_group& group : on.groups) {
      table.rows.push_back(row_of(on, group, memory));
      group.links.*ratio = speed_up_over(table.rows[first], table.rows.back());
      table.rows.back().speed_up = group.links.*ratio;
    }
  };
  measure(fed_row, &link_ratios::fed);
  const gpu::page_lock lock(memory);
  measure(locked_row, &link_ratios::locked);
  if (!lock.refusal().empty()) table.notes.push_back("not all memory was page-locked: " + lock.refusal());
  return table;
}

struct gpus_task {
  std::string_view name;
  void (*measure)(gpus_machine& on, bench_table& table);
};

constexpr std::array gpus_tasks = {gpus_task{"sums", measure_sums},
                                   gpus_task{"first", measure_first_values},
                                   gpus_task{"words", measure_words},
                                   gpus_task{"product", measure_products},
                                   gpus_task{"neighbours", measure_neighbours},
                                   gpus_task{"similar", measure_similar},
                                   gpus_task{"kmeans", measure_kmeans},
                                   gpus_task{"covariance", measure_covariance},
                                   gpus_task{"classification", measure_classification}};

std::vector<bench_table> measure_gpus(const gpus_options& options, const bench_context& context) {
  const gpu::device_info& first = first_gpu();
  std::vector<int> all;
  for (const gpu::device_info& one : gpu::discover().devices) all.push_back(one.index);
  if (all.size() < 2) {
    throw device_unavailable("one GPU is compared with all GPUs of the machine, and this one has only GPU " +
                             std::to_string(first.index) + ", " + first.name);
  }
  require_tasks(options.tasks, gpus_tasks, "task", " to measure on all GPUs");
  gpus_machine on{.groups = groups_of(all),
                  .context = context,
                  .rounds = context.rounds(options.rounds),
                  .bytes = context.size(options.bytes)};
  start_all(on);
  bench_table table{
      .name = "gpus",
      .title = "All GPUs over one: " + count_text(all.size(), "GPU") + ", " + first.name,
      .subject =
          "GPUs without the CPU, all started before; one GPU and more in turn. 'All links over one' is "
          "what copies gain that do nothing else",
      .baseline = "one GPU"};
  const std::vector<char, untouched_allocator<char>> memory(on.bytes, 'x');
  std::vector<bench_table> tables{measure_links(on, {memory.data(), memory.size()})};
  for (const gpus_task& task : gpus_tasks) {
    if (is_chosen(options.tasks, task.name)) task.measure(on, table);
  }
  tables.push_back(std::move(table));
  return tables;
}

#else

std::vector<bench_table> measure_gpus(const gpus_options&, const bench_context&) {
  throw device_unavailable("this program was built without CUDA");
}

#endif

void add_options(CLI::App& command) {
  gpus_options& options = options_of_this_run<gpus_options>();
  add_texts(
      command, "--task", options.tasks,
      "only these, with commas between them: sums, first,\nwords, product, neighbours, similar, kmeans,\n"
      "covariance, classification");
  add_number(command, "--rounds", options.rounds, "timed runs of each", number_range<std::uint32_t>{1, 1000});
  add_number(command, "--bytes", options.bytes, "size of the text, of the pairs and of what is only copied",
             number_range<std::uint64_t>{1'000'000, std::uint64_t{1} << 40});
}

}  // namespace

const benchmark gpus_benchmark{
    .name = "gpus",
    .summary = "tasks on all GPUs against one of them",
    .description =
        "Sums by key, the first value of each key, words, matrix products, nearest rows, similar\n"
        "vectors, k-means, covariances and classification by an SVM, on the first GPU, on two, four\n"
        "and so on, and on all GPUs of the machine. Beside each stands what bare copies to so many gain\n"
        "over copies to one, from page-locked and from ordinary memory: a task that is fed over the\n"
        "links cannot gain more.",
    .add_options = add_options,
    .measure = [](const bench_context& context) {
      refuse_torture();
      return measure_gpus(options_of_this_run<gpus_options>(), context);
    }};

}  // namespace duomap::apps
