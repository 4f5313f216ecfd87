// Measures tasks that nobody has tuned. A process runs its task twelve times, without profiles or with those
// of one process before.
#include "apps/cli/console.hpp"
#include "apps/cli/options.hpp"
#include "apps/report/quantity.hpp"
#include "bench/harness/answer_digest.hpp"
#include "bench/harness/bench_context.hpp"
#include "bench/harness/chosen_tasks.hpp"
#include "bench/harness/device_modes.hpp"
#include "bench/harness/percentile.hpp"
#include "bench/harness/subprocess.hpp"
#include "bench/suites/benchmarks.hpp"
#include "bench/unseen/material.hpp"
#include "bench/unseen/number_tasks.hpp"
#include "bench/unseen/tasks.hpp"
#include "cpu/cores.hpp"
#include "duomap.hpp"
#include "scheduler/chained_run.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace duomap::apps {
namespace unseen {
namespace {

constexpr std::size_t runs_of_process = 12;

// A process's first run starts the devices, which are ready when the process has this age in seconds.
constexpr double seconds_until_warm = 0.6;
// The number of warm runs that are timed; fewer if `warm_seconds` have passed.
constexpr std::size_t warm_runs = 7;
constexpr double warm_seconds = 0.5;

// One index takes a core about as long as 64 bytes of text.
constexpr std::uint64_t bytes_of_index = 64;

/// Reads the result of `occurrences`: for each count, counts the numbers that occur this often.
struct occurrences_of_occurrences {
  using format = entries_for<occurrences>;
  using key = std::uint64_t;
  using reduce = sum<std::uint64_t>;

  void map(const format::record& entry, auto& emit) const { emit(entry.value, 1); }
};

struct unseen_options {
  std::vector<std::string> tasks;
  std::uint64_t bytes = 0;
  unsigned processes = 3;
  bool on_gpu = false;
};

template <class Value>
void add(answer_digest& answer, const auto& key, const Value& value) {
  const auto hash = [&](std::uint64_t number) {
    if constexpr (std::is_same_v<std::decay_t<decltype(key)>, byte_view>) {
      answer.add(key.data, key.size, number);
    } else {
      answer.add(reinterpret_cast<const char*>(&key), sizeof key, number);
    }
  };
  if constexpr (std::is_integral_v<Value>) {
    hash(static_cast<std::uint64_t>(value));
  } else {
    std::array<std::uint64_t, (sizeof(Value) + 7) / 8> words{};
    std::memcpy(words.data(), &value, sizeof value);
    for (const std::uint64_t word : words) hash(word);
  }
}

answer_digest digest_of(const auto& result) {
  answer_digest answer;
  result.for_each([&](const auto& key, const auto& value) { add(answer, key, value); });
  return answer;
}

/// Runs a task as a program does that calls nothing of duomap but run().
template <class Task>
answer_digest run_once(const input& from, const run_options& how) {
  return digest_of(run(Task{}, from, how));
}

template <>
answer_digest run_once<occurrences>(const input& from, const run_options& how) {
  const auto pool = cpu::machine_pool(how.threads, from);
  const auto counts = run(occurrences{}, from, *pool, how);
  return digest_of(run(occurrences_of_occurrences{}, entries_of(counts), *pool));
}

struct unseen_task {
  std::string_view name;
  content of;
  answer_digest (*run)(const input& from, const run_options& how);
};

constexpr std::array all_tasks = {
    unseen_task{"histogram", content::numbers, run_once<histogram>},
    unseen_task{"sensors", content::readings, run_once<sensors>},
    unseen_task{"bigrams", content::words, run_once<bigrams>},
    unseen_task{"quantiles", content::numbers, run_once<quantiles>},
    unseen_task{"in-order", content::words, run_once<in_order>},
    unseen_task{"best-of-groups", content::numbers, run_once<best_of_groups>},
    unseen_task{"occurrences", content::numbers, run_once<occurrences>},
    unseen_task{"monte-carlo", content::indices, run_once<monte_carlo>},
    unseen_task{"gradient", content::numbers, run_once<gradient>},
    unseen_task{"five-grams", content::words, run_once<five_grams>},
    unseen_task{"rare-lines", content::readings, run_once<rare_lines>},
    unseen_task{"beginnings", content::words, run_once<beginnings>},
    unseen_task{"uneven", content::numbers, run_once<uneven>},
};

/// The times and the answer of one process.
struct process_report {
  std::array<double, runs_of_process> seconds;
  double warm_seconds;  ///< the median of the runs after the twelve, when all started devices are ready
  double gpu_share;     ///< the GPUs' share of the last run
  answer_digest answer;
};

/// Runs a task twelve times; with `also_warm` also measures warm runs after them.
process_report run_twelve(const unseen_task& task, const std::string& path, std::uint64_t bytes,
                          run_options how, bool also_warm) {
  process_report all{};
  run_report report;
  how.report = &report;
  const stopwatch process;
  const auto seconds_of_run = [&] {
    answer_digest answer;
    const double seconds = seconds_of([&] {
      const input from =
          path.empty() ? index_input(bytes / bytes_of_index) : open_input({path}, input_content::records);
      answer = task.run(from, how);
    });
    if (all.answer.rows == 0) all.answer = answer;
    require_same_answer(answer == all.answer, "a later run", "the first of its process");
    return seconds;
  };
  for (double& seconds : all.seconds) seconds = seconds_of_run();
  if (!also_warm) return all;
  while (process.seconds() < seconds_until_warm) static_cast<void>(seconds_of_run());
  // Leaves out one run, which may be the first with a device that has just become ready.
  static_cast<void>(seconds_of_run());
  std::vector<double> warm;
  const stopwatch looked;
  while (warm.empty() || (warm.size() < warm_runs && looked.seconds() < warm_seconds))
    warm.push_back(seconds_of_run());
  all.warm_seconds = median(std::move(warm));
  for (const executor_report& one : report.executors) {
    if (one.kind == executor_kind::device && report.units > 0)
      all.gpu_share += static_cast<double>(one.units) / static_cast<double>(report.units);
  }
  return all;
}

double total(const process_report& one) {
  double sum = 0;
  for (const double seconds : one.seconds) sum += seconds;
  return sum;
}

/// The seconds of a warm run: the median over all processes.
double warm_run(const std::vector<process_report>& all) {
  std::vector<double> seconds;
  for (const process_report& one : all) seconds.push_back(one.warm_seconds);
  return median(std::move(seconds));
}

/// The devices that a process may use, and whether it has the profiles of a process before it.
struct process_mode {
  device_choice device;
  bool with_folder;
};

std::vector<process_mode> modes_of(const unseen_options& options) {
  using enum device_choice;
  if (!options.on_gpu) return {{cpu, false}, {automatic, false}, {automatic, true}};
  // The first four are in the order of device_modes. A device alone needs no profiles, so no folder either.
  return {{cpu, false},       {gpu, false},    {cpu_gpu, false},
          {automatic, false}, {cpu_gpu, true}, {automatic, true}};
}

/// Measures all modes of one task at one size; the processes of the modes take turns.
void measure_cell(const unseen_task& task, std::uint64_t bytes, const unseen_options& options,
                  const bench_context& context, const std::string& path, bench_table& table) {
  const std::vector<process_mode> modes = modes_of(options);
  std::vector<std::vector<process_report>> measured(modes.size());
  std::vector<temporary_folder> folders(modes.size());
  const auto report_of = [&](std::size_t i, const std::string& folder, bool also_warm) {
    const run_options how{.device = modes[i].device, .profiles = folder};
    return value_from_subprocess<process_report>(
        std::string(task.name), [&] { return run_twelve(task, path, bytes, how, also_warm); },
        child_end::at_once, context.control);
  };
  for (unsigned process = 0; process < context.rounds(options.processes); ++process) {
    for (std::size_t i = 0; i < modes.size(); ++i) {
      // Each process gets its own copy of a folder that one earlier process left, so that the processes that
      // are compared learn nothing from each other.
      const temporary_folder copy;
      if (modes[i].with_folder) {
        if (process == 0) static_cast<void>(report_of(i, folders[i].path(), false));
        std::filesystem::copy(folders[i].path(), copy.path(), std::filesystem::copy_options::recursive);
      }
      measured[i].push_back(report_of(i, modes[i].with_folder ? copy.path() : "", true));
      require_same_answer(measured[i].back().answer == measured[0].front().answer,
                          std::string(task.name) + " on " + device_text(modes[i].device),
                          device_text(modes[0].device));
    }
  }
  const std::size_t first = table.rows.size();
  for (std::size_t i = 0; i < modes.size(); ++i) {
    bench_row row{.workload = std::string(task.name) + ", " + bytes_text(bytes),
                  .program = modes[i].with_folder ? "after a process of twelve runs with the same folder"
                                                  : "without a folder",
                  .device = device_text(modes[i].device),
                  .threads = cpu::usable_cores().cores,
                  .cold_seconds = measured[i].front().seconds[0],
                  .checked = true};
    for (const process_report& one : measured[i]) row.seconds.push_back(total(one));
    row.figures = {{"warm run", warm_run(measured[i]), "s"},
                   {"GPU's share", measured[i].back().gpu_share, ""}};
    table.rows.push_back(std::move(row));
  }
  if (!options.on_gpu) return;
  const std::span rows = std::span(table.rows).subspan(first);
  const double warm = std::min(warm_run(measured[0]), warm_run(measured[1]));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].speed_up = speed_up_over(better_single_device(rows), rows[i]);
    rows[i].figures.push_back({"warm, over the better alone", warm / warm_run(measured[i]), "x"});
  }
}

void add_options(CLI::App& command) {
  unseen_options& options = options_of_this_run<unseen_options>();
  add_texts(command, "--task", options.tasks, "only these tasks");
  add_number(command, "--bytes", options.bytes,
             "one size of the input instead of 1 MB, 80 MB, 500 MB\nand 4 GB");
  add_number(command, "--processes", options.processes, "processes of each mode, in turn",
             number_range<std::uint32_t>{1, 100});
  add_flag(command, "--gpu", options.on_gpu, "also on a GPU, and on CPU and GPU together");
}

std::vector<bench_table> measure(const bench_context& context) {
  const unseen_options& options = options_of_this_run<unseen_options>();
  refuse_torture();
  bench_table table{
      .name = "unseen",
      .title = "Twelve runs of tasks that nobody has tuned",
      .subject =
          "Tasks with a map of one record and nothing else, library defaults, input in cached "
          "files. Each process runs its task twelve times, opening the input each time; "
          "processes of the modes in turn. The time is that of the twelve runs. A warm run is one after "
          "them, when a GPU that was started is ready",
      .baseline = "the better of CPU and GPU alone",
      .plot = bench_plot::none};
  require_tasks(options.tasks, all_tasks, "unseen task");
  for (const std::uint64_t bytes :
       context.sizes(options.bytes, {1'000'000, 80'000'000, 500'000'000, 4'000'000'000})) {
    const temporary_folder folder;
    std::map<content, std::string> files;
    for (const unseen_task& task : all_tasks) {
      if (!is_chosen(options.tasks, task.name)) continue;
      stop_if_cancelled(&context.control);
      say(std::string(task.name) + ", " + bytes_text(bytes));
      auto found = files.find(task.of);
      if (found == files.end()) found = files.emplace(task.of, make_file(folder, task.of, bytes)).first;
      measure_cell(task, bytes, options, context, found->second, table);
    }
  }
  return {table};
}

}  // namespace
}  // namespace unseen

const benchmark unseen_benchmark = {
    .name = "unseen",
    .summary = "tasks that nobody has tuned, run twelve times in a process",
    .description =
        "How well a first task of your own is shared: histogram, sums over CSV, bigrams, a quantile\n"
        "sketch, an ordered reduction, a top-k of each key, a chained task, Monte Carlo, a gradient,\n"
        "five-grams, a filter, a map that emits more than it reads, and one of uneven cost.",
    .add_options = unseen::add_options,
    .measure = unseen::measure};

}  // namespace duomap::apps
