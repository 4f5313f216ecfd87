// Measures every task by size and way, first runs, the scheduler's cost, and plain oneTBB.
#include "apps/cli/console.hpp"
#include "apps/cli/options.hpp"
#include "apps/report/quantity.hpp"
#include "bench/harness/device_modes.hpp"
#include "bench/harness/printed.hpp"
#include "bench/harness/temporary_folder.hpp"
#include "bench/harness/write_file.hpp"
#include "bench/scheduling/bench_tasks.hpp"
#include "bench/scheduling/cell.hpp"
#include "bench/scheduling/overhead.hpp"
#include "bench/scheduling/scheduling_options.hpp"
#include "bench/scheduling/tables.hpp"
#include "bench/suites/benchmarks.hpp"
#include "cpu/cores.hpp"
#include "cpu/numa_node.hpp"
#include "cpu/tbb_pool.hpp"
#include "gpu/device/device.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace duomap::apps {
namespace {

constexpr std::string_view description =
    R"(Measures how CPU cores and GPUs share a task, against each of them alone.

  word count    a text, as it lies in the page cache
  k-means step  points of 3 floats in host memory, 20 centres
  resident      the same step of an iterative job, whose points stay in the
                memory of the device that maps them
  set cost      64-byte rows in host memory, each worth as many dependent
                operations as make one GPU about 60, 4 and 1 times as fast
                as all cores together, tried out on the spot

All but resident twice: over pageable memory, from which cores feed the GPU,
and over memory that is page-locked, which it copies from by itself.

Each task runs over inputs of 64 KiB to --largest bytes on the CPU alone, on
the GPU alone, as `auto` decides, and on both; with --policies also by the
shares that Mars (as the throughputs) and Qilin (by lines through two sizes)
compute from runs of each side alone, and with --oracle by the best split by
hand that can be found. Then: a run without any profile against the next
one, what the scheduler itself costs, and a run on the CPU against plain
oneTBB over the same leaves with the same map. Without a GPU the last two are
all there is.

  gain         time of the best device alone over that of this run
  efficiency   time the sum of both devices' throughputs would take, over
               the time it took
  regret       time over that of the best way that was found, less 1
  skew         between the ends of both devices, of the whole run

Ways take turns, every figure is a median of rounds, and every answer is
compared.

Examples
  duomap bench scheduling novels.txt
  duomap bench scheduling --largest 16000000000 --policies --oracle novels.txt
  duomap bench scheduling --parts plain,overhead
)";

// The usual sizes from the smallest one asked for to the largest, and the largest itself.
std::vector<std::uint64_t> sizes() {
  constexpr std::array<std::uint64_t, 7> usual = {
      std::uint64_t{1} << 16, std::uint64_t{1} << 20, std::uint64_t{1} << 24, std::uint64_t{1} << 27,
      1'000'000'000,          4'000'000'000,          16'000'000'000};
  const scheduling_options& options = options_of_this_run<scheduling_options>();
  std::vector<std::uint64_t> all;
  for (const std::uint64_t bytes : usual) {
    if (bytes >= options.smallest && bytes < options.largest) all.push_back(bytes);
  }
  all.push_back(options.largest);
  return all;
}

void measure_matrix(const std::vector<bench_task>& tasks, std::vector<cell>& cells,
                    const run_control& control) {
  const scheduling_options& options = options_of_this_run<scheduling_options>();
  const temporary_folder profiles;
  const temporary_folder auto_profiles;
  for (const bench_task& task : tasks) {
    for (const std::uint64_t bytes : sizes()) {
      // The cells of one task follow each other in ascending size, so a larger size belongs to the same task.
      const bool grows = !cells.empty() && cells.back().bytes < bytes;
      const double expected = grows ? cells.back().get(way::cpu).middle() * static_cast<double>(bytes) /
                                          static_cast<double>(cells.back().bytes)
                                    : 0;
      if (expected > options.longest_run) {
        say("leaving out " + cells.back().task + ", " + size_text(bytes) + ": the CPU alone would take " +
            duration_text(expected) + "; --longest-run");
        break;
      }
      const workload one = task.make(bytes);
      std::optional<workload> part;
      if (options.policies && !task.resident) part = task.make(bytes / 4);
      cells.push_back(measure_cell(one,
                                   {.rounds = options.rounds,
                                    .profiles = profiles.path(),
                                    .auto_profiles = auto_profiles.path(),
                                    .part = part ? &*part : nullptr,
                                    .best_split = options.oracle},
                                   control));
      say("measured " + one.name + ", " + size_text(bytes) + ": " + summary_of(cells.back()));
    }
  }
}

compared compare_two(const workload& one, const variant& first, const variant& second,
                     const run_control& control) {
  auto both = comparison(control).in_turn({first, second},
                                          steady_samples(options_of_this_run<scheduling_options>().rounds));
  return {one.name, one.bytes, std::move(both[0]), std::move(both[1])};
}

variant on_the_cpu(const std::string& name, const workload& one) {
  return {.name = name, .run = [&one] {
            return one.run({.device = device_choice::cpu});
          }};
}

// Alternates runs without a profile with runs that use the profile of the run before.
void measure_first_runs(const std::vector<bench_task>& tasks, std::vector<compared>& rows,
                        const run_control& control) {
  for (const bench_task& task : tasks) {
    const workload one = task.make(options_of_this_run<scheduling_options>().largest);
    say("first and second runs of " + one.name);
    std::optional<temporary_folder> profiles;
    const auto run = [&] {
      return one.run({.device = device_choice::cpu_gpu, .profiles = profiles->path()});
    };
    rows.push_back(compare_two(one,
                               {.name = "duomap, first run",
                                .run =
                                    [&] {
                                      profiles.emplace();
                                      return run();
                                    }},
                               {.name = "duomap, second run", .run = run}, control));
  }
}

std::vector<compared> measure_plain(const std::vector<bench_task>& tasks, const run_control& control) {
  std::vector<compared> rows;
  for (const bench_task& task : tasks) {
    for (const std::uint64_t bytes : sizes()) {
      const workload one = task.make(bytes);
      say("against plain oneTBB: " + one.name + ", " + size_text(bytes));
      rows.push_back(compare_two(one, on_the_cpu("duomap", one),
                                 {.name = "plain oneTBB", .run = one.run_plain}, control));
    }
  }
  return rows;
}

// Compares `auto` with the CPU alone on rows of few steps. `auto` gives such rows to the CPU alone, so the
// difference is the cost of its decision.
std::vector<compared> measure_short(const material& from, worker_pool& pool, const run_control& control) {
  constexpr std::uint32_t steps = 8;
  const scheduling_options& options = options_of_this_run<scheduling_options>();
  std::vector<compared> rows;
  for (const std::uint64_t bytes : {std::uint64_t{1} << 16, std::uint64_t{1} << 20}) {
    if (bytes > options.largest) break;
    const temporary_folder profiles;
    const workload one = set_cost_of(from.rows(bytes), steps, "rows of 8 steps", pool);
    say("what auto costs: " + one.name + ", " + size_text(bytes));
    rows.push_back(compare_two(one,
                               {.name = "duomap, auto",
                                .run = [&] { return one.run({.profiles = profiles.path()}); },
                                .warm_up = runs_to_learn},
                               on_the_cpu("duomap, the CPU alone", one), control));
  }
  return rows;
}

bench_table overhead_table(const std::vector<bench_task>& tasks, worker_pool& pool, bool with_gpu) {
  const scheduling_options& options = options_of_this_run<scheduling_options>();
  const claim_costs costs = measure_claims(pool);
  const auto nanoseconds = [](double seconds) {
    return printed("%.0f ns ", seconds * 1e9);
  };
  bench_table table{.name = "scheduling-overhead",
                    .title = "What the scheduler costs",
                    .subject = "A claim takes " + nanoseconds(costs.of_worker) +
                               "of a core's time by a worker alone, " + nanoseconds(costs.of_pool) + "when " +
                               std::to_string(pool.workers()) + " of them claim every 20 us, " +
                               nanoseconds(costs.of_device) + "by a device",
                    .plot = bench_plot::none};
  for (const bench_task& task : tasks) {
    const workload one = task.make(options.largest);
    const run_options how{.device = with_gpu ? device_choice::cpu_gpu : device_choice::cpu};
    static_cast<void>(one.run(how));
    const double before = processor_seconds();
    const timed_run run = one.run(how);
    const double used = processor_seconds() - before;
    std::uint64_t claims = 0;
    for (const executor_report& each : run.report.executors) claims += each.chunks;
    table.rows.push_back(
        {.workload = one.name + ", " + size_text(one.bytes),
         .program = "duomap",
         .device = device_text(how.device),
         .threads = pool.workers(),
         .seconds = {run.seconds},
         .work = {static_cast<double>(one.bytes), "B"},
         .figures = {{"processor time", used, "s"},
                     {"claims", static_cast<double>(claims)},
                     {"of it claims", 100 * scheduler_seconds(costs, run.report) / used, "%"}}});
  }
  return table;
}

// The process's first run on CPU and GPU, which starts CUDA, and its second run.
bench_table start_table(const material& from, worker_pool& pool) {
  const scheduling_options& options = options_of_this_run<scheduling_options>();
  const workload start = set_cost_of(from.rows(options.largest), 256, "start", pool);
  bench_table table{.name = "scheduling-start",
                    .title = "A process's first run on CPU and GPU",
                    .subject = "Cold is with the start of CUDA",
                    .rows = {{.workload = "rows of 256 steps, " + size_text(options.largest),
                              .program = "duomap",
                              .device = device_text(device_choice::cpu_gpu),
                              .threads = pool.workers(),
                              .work = {static_cast<double>(options.largest), "B"}}},
                    .plot = bench_plot::none};
  table.rows.front().cold_seconds = start.run({.device = device_choice::cpu_gpu}).seconds;
  table.rows.front().seconds = {start.run({.device = device_choice::cpu_gpu}).seconds};
  return table;
}

void add_options(CLI::App& command) {
  scheduling_options& options = options_of_this_run<scheduling_options>();
  add_paths(command, options.paths, "texts to count; without one, a text is generated");
  add_choices(command, "--tasks", options.tasks, "of wordcount, kmeans, resident and cost",
              {"wordcount", "kmeans", "resident", "cost"});
  add_numbers(command, "--ratios", options.ratios, "of the GPU's speed to the CPU's, for cost",
              {.least = 1, .most = 1000});
  add_choices(command, "--parts", options.parts,
              "of matrix and first-run, which need a GPU,\noverhead and plain (against plain oneTBB)",
              {"matrix", "first-run", "overhead", "plain"});
  add_choices(command, "--memory", options.memory,
              "of pageable and locked: where the GPU copies the input\nfrom, in matrix and first-run",
              {"pageable", "locked"});
  add_number(command, "--smallest", options.smallest, "bytes of the smallest input");
  add_number(command, "--largest", options.largest, "bytes of the largest input; up to 16 GB are of interest",
             {{.least = std::uint64_t{1} << 16, .most = std::uint64_t{1} << 40}});
  add_number(command, "--seed", options.seed, "seed of the synthetic text");
  add_flag(command, "--policies", options.policies, "also split as Mars and Qilin do");
  add_flag(command, "--oracle", options.oracle, "also find the best split by hand: 18 more runs a cell");
  add_number(command, "--least-rounds", options.rounds.least, "rounds of each cell at least",
             {{.least = 1, .most = 1000}});
  add_number(command, "--most-rounds", options.rounds.most, "rounds of each cell at most",
             {{.least = 1, .most = 1000}});
  add_number(command, "--cell-seconds", options.rounds.seconds,
             "begin no more rounds of a cell after this time");
  add_number(command, "--longest-run", options.longest_run,
             "leave out sizes for which the CPU alone would\ntake more seconds");
  add_text(command, "--weak", options.weak,
           "save here how runs of cells that miss a bar explain\nthemselves");
}

/// Measures the parts that the options choose.
/// @throws error when two runs gave different answers; interrupted; any exception of the tasks
std::vector<bench_table> bench_scheduling(const bench_context& context) {
  scheduling_options& options = options_of_this_run<scheduling_options>();
  options.rounds.least = context.rounds(options.rounds.least);
  options.rounds.most = context.rounds(options.rounds.most);
  options.largest = std::max(context.size(options.largest), std::uint64_t{1} << 16);
  const bool with_gpu = !gpu::discover().devices.empty();
  cpu::tbb_pool pool(cpu::usable_cores().cores, cpu::numa_nodes());
  say("preparing the input");
  const material from(pool);

  std::vector<bench_table> tables;
  if (with_gpu) tables.push_back(start_table(from, pool));
  const std::vector<bench_task> tasks = tasks_of(from, pool, with_gpu);
  if (with_gpu && has(options.parts, "matrix")) {
    std::vector<cell> cells;
    in_each_memory(from, tasks, [&](const auto& all) { measure_matrix(all, cells, context.control); });
    tables.push_back(cell_table(cells, pool.workers()));
    if (!options.weak.empty()) {
      write_file(options.weak, weak_cells(cells));
    }
  }
  if (with_gpu && has(options.parts, "first-run")) {
    std::vector<compared> rows;
    in_each_memory(from, tasks, [&](const auto& all) { measure_first_runs(all, rows, context.control); });
    tables.push_back({.name = "scheduling-first-run",
                      .title = "First run, without a profile",
                      .baseline = "the second run",
                      .rows = rows_of(rows, device_text(device_choice::cpu_gpu), pool.workers())});
  }
  if (has(options.parts, "overhead")) {
    tables.push_back(overhead_table(tasks, pool, with_gpu));
    const auto rows = measure_short(from, pool, context.control);
    tables.push_back({.name = "scheduling-short",
                      .title = "What auto costs short runs",
                      .baseline = "the CPU alone",
                      .rows = rows_of(rows, device_text(device_choice::cpu), pool.workers())});
  }
  if (has(options.parts, "plain")) {
    const auto rows = measure_plain(tasks, context.control);
    tables.push_back({.name = "scheduling-plain",
                      .title = "On the CPU alone, against plain oneTBB",
                      .baseline = "plain oneTBB",
                      .rows = rows_of(rows, device_text(device_choice::cpu), pool.workers())});
  }
  if (!from.text_description().empty()) {
    for (bench_table& table : tables) table.notes.push_back("Text: " + from.text_description());
  }
  return tables;
}

}  // namespace

const benchmark scheduling_benchmark{
    .name = "scheduling",
    .summary = "how CPU and GPUs share tasks, against each alone",
    .description = description,
    .add_options = add_options,
    .measure = bench_scheduling,
};

}  // namespace duomap::apps
