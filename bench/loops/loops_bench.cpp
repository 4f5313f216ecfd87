// Compares tasks written from the README alone with plain programs: one worker with the loop that a user
// would write, and two workers with two processes.
#include "apps/cli/options.hpp"
#include "apps/report/quantity.hpp"
#include "bench/harness/bench_context.hpp"
#include "bench/harness/chosen_tasks.hpp"
#include "bench/harness/comparison.hpp"
#include "bench/harness/temporary_folder.hpp"
#include "bench/loops/array_sums.hpp"
#include "bench/loops/loops.hpp"
#include "bench/loops/two_processes.hpp"
#include "bench/suites/benchmarks.hpp"
#include "bench/unseen/material.hpp"
#include "cpu/cores.hpp"
#include "duomap.hpp"

#include <time.h>

#include <array>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::apps {
namespace loops {
namespace {

using unseen::content;

struct loops_options {
  std::vector<std::string> tasks;
  std::uint64_t bytes = 100'000'000;
  unsigned rounds = 5;
};

struct task_beside_loop {
  std::string_view name;
  content of;
  answer_digest (*task)(const input& from, worker_pool& pool);
  answer_digest (*loop)(const input& from);
};

/// Runs a task as a program does that calls nothing of duomap but run().
template <class Task>
answer_digest run_task(const input& from, worker_pool& pool) {
  const auto result = run(Task{}, from, pool, {.device = device_choice::cpu, .learn = false});
  answer_digest answer;
  result.for_each([&](const auto& key, const auto& value) { add_row(answer, key, value); });
  return answer;
}

template <answer_digest (*Loop)(byte_view)>
answer_digest run_loop(const input& from) {
  return Loop(from[0].bytes());
}

constexpr std::array all_tasks = {
    task_beside_loop{"histogram", content::numbers, run_task<unseen::histogram>, run_loop<histogram_loop>},
    task_beside_loop{"sensors", content::readings, run_task<unseen::sensors>, run_loop<sensors_loop>},
    task_beside_loop{"bigrams", content::words, run_task<unseen::bigrams>, run_loop<bigrams_loop>},
    task_beside_loop{"longest-words", content::words, run_task<longest_words>, run_loop<longest_words_loop>},
    task_beside_loop{"quantiles", content::numbers, run_task<unseen::quantiles>, run_loop<quantiles_loop>},
    task_beside_loop{"quantile-items", content::numbers, run_task<quantile_items>, run_loop<quantiles_loop>},
    task_beside_loop{"quantile-cells", content::numbers, run_task<quantile_cells>,
                     run_loop<quantile_cells_loop>},
    task_beside_loop{"in-order", content::words, run_task<unseen::in_order>, run_loop<in_order_loop>},
    task_beside_loop{"gradient", content::numbers, run_task<unseen::gradient>, run_loop<gradient_loop>},
    task_beside_loop{"monte-carlo", content::indices, run_task<unseen::monte_carlo>,
                     [](const input& from) {
                       return monte_carlo_loop(from[0].units());
                     }},
};

double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

variant variant_of(const std::string& name, const std::function<answer_digest()>& work) {
  return {.name = name, .run = [work]() -> std::optional<timed_run> {
            const double before = processor_seconds();
            timed_run done;
            done.answer = work();
            // A run's time is processor time, because other programs on a shared machine change it little.
            done.processor_seconds = done.seconds = processor_seconds() - before;
            return done;
          }};
}

void add_options(CLI::App& command) {
  loops_options& options = options_of_this_run<loops_options>();
  add_texts(command, "--task", options.tasks, "only these tasks");
  add_number(command, "--bytes", options.bytes, "size of the input",
             number_range<std::uint64_t>{1'000'000, 100'000'000'000});
  add_number(command, "--rounds", options.rounds, "runs of each, in turn",
             number_range<std::uint32_t>{3, 1000});
}

/// A chosen task with its input.
struct asked_task {
  const task_beside_loop& one;
  std::string path;  ///< empty: the input is indices
  std::uint64_t bytes;

  [[nodiscard]] input open() const {
    // A core takes as long for one index as for a kilobyte of numbers.
    return path.empty() ? index_input(bytes / 1000) : open_input({path}, input_content::records);
  }
  [[nodiscard]] std::string workload() const { return std::string(one.name) + ", " + bytes_text(bytes); }
};

std::vector<asked_task> tasks_asked_for(const loops_options& options, std::uint64_t bytes,
                                        const temporary_folder& folder) {
  require_tasks(options.tasks, all_tasks, "task", " beside a loop");
  std::map<content, std::string> files;
  std::vector<asked_task> asked;
  for (const task_beside_loop& one : all_tasks) {
    if (!is_chosen(options.tasks, one.name)) continue;
    auto file = files.find(one.of);
    if (file == files.end()) file = files.emplace(one.of, make_file(folder, one.of, bytes)).first;
    asked.push_back({one, file->second, bytes});
  }
  return asked;
}

/// Prepares a task on a pool of `workers` workers, in the process that does the work.
prepared_work on_workers(const asked_task& task, unsigned workers) {
  return [&task, workers] {
    const auto from = std::make_shared<const input>(task.open());
    const std::shared_ptr<worker_pool> pool = cpu::machine_pool(workers, *from);
    return [&task, from, pool] {
      return task.one.task(*from, *pool);
    };
  };
}

variant joint_variant(const std::string& name, const std::function<joint_run()>& work) {
  return {.name = name,
          .threads = 2,
          .run = [work]() -> std::optional<timed_run> {
            const joint_run done = work();
            return timed_run{.seconds = done.seconds, .answer = done.answer};
          },
          .warm_up = 0};
}

bench_table two_workers(const std::vector<asked_task>& tasks, unsigned rounds, const run_control& control) {
  bench_table table{
      .name = "loops-two-workers",
      .title = "Tasks of one's own: two workers beside two processes",
      .subject =
          "Two processes of one worker each go through the input at the same time; one process of two "
          "workers goes through it twice. Each has been through it once before the clock starts. Rounds "
          "are taken in turn",
      .baseline = "two processes"};
  for (const asked_task& task : tasks) {
    stop_if_cancelled(&control);
    const std::string name(task.one.name);
    comparison both(control);
    static_cast<void>(both.add_in_turn(
        {joint_variant("two processes",
                       [&] { return once_in_two_processes(name, on_workers(task, 1), control); }),
         joint_variant("duomap", [&] { return twice_in_one_process(name, on_workers(task, 2), control); })},
        rounds, task.workload(), {2.0 * static_cast<double>(task.bytes), "B"}, table));
  }
  return table;
}

bench_table beside_loops(const std::vector<asked_task>& tasks, unsigned rounds, const run_control& control) {
  bench_table table{
      .name = "loops",
      .title = "Tasks of one's own beside the loop that one would write, one core",
      .subject =
          "The tasks know nothing but run(), with one worker. The loops use the standard library. "
          "The input is in cached files. Times are of the processor, and rounds are taken in turn",
      .baseline = "the loop"};
  for (const asked_task& task : tasks) {
    stop_if_cancelled(&control);
    const input from = task.open();
    const auto pool = cpu::machine_pool(1, from);
    comparison both(control);
    static_cast<void>(both.add_in_turn({variant_of("loop", [&] { return task.one.loop(from); }),
                                        variant_of("duomap", [&] { return task.one.task(from, *pool); })},
                                       rounds, task.workload(), {static_cast<double>(task.bytes), "B"},
                                       table));
  }
  return table;
}

std::vector<bench_table> measure(const bench_context& context) {
  const loops_options& options = options_of_this_run<loops_options>();
  refuse_torture();
  const temporary_folder folder;
  const auto tasks = tasks_asked_for(options, context.size(options.bytes), folder);
  const unsigned rounds = context.rounds(options.rounds);
  std::vector<bench_table> tables;
  // two_workers() comes first, because it forks, and a process must fork before it starts threads.
  if (cpu::usable_cores().cores >= 2) tables.push_back(two_workers(tasks, rounds, context.control));
  tables.insert(tables.begin(), beside_loops(tasks, rounds, context.control));
  if (options.tasks.empty())
    tables.push_back(array_sums(std::max(options.bytes, std::uint64_t{1} << 20), context.control));
  return tables;
}

}  // namespace
}  // namespace loops

const benchmark loops_benchmark = {
    .name = "loops",
    .summary = "tasks of one's own on one core, beside the loop that one would write",
    .description =
        "A histogram, sums over CSV, bigrams, the longest words, a quantile sketch as one value, by items "
        "and by keys, "
        "an ordered\n"
        "reduction, a gradient and Monte Carlo: processor time of the task with one worker and of a loop; "
        "then time of\n"
        "two workers and of two processes. Then sums over arrays in memory on all cores, beside plain "
        "oneTBB.",
    .add_options = loops::add_options,
    .measure = loops::measure};

}  // namespace duomap::apps
